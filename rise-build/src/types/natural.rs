//! Naturals and functions of naturals as written: names get their meaning.

use crate::diagnostics::{Diagnostic, Origin};
use crate::expr::{AddressSpace, NatFun, Primitive};
use crate::nat::{Nat, NatVar};
use crate::syntax::ast::{self, NatCall, NatKind, NatOp};

use super::elaborate::Infer;
use super::term::{Number, TArg, TPrim, Term, TermKind};
use super::ty::{Class, Ty};
use super::value::{Argument, Env, Fun, Home, KindValue, Value};

/// What is said of a natural that has no place in memory.
pub(crate) const TOO_LARGE: &str = "this natural is too large";
pub(crate) const LARGEST: &str = "naturals are less than 2^63";

pub(super) const NEGATIVE: &str = "naturals are never negative; this literal is";

/// What to do where a length would depend on a value, as that of a row between two entries of an array.
const VALUE_FOR_SIZE: &str = "lengths depend on sizes alone, not on values: take as many elements as there may be, and let `if` choose those that count";

pub(crate) const DIVIDED_BY_ZERO: &str = "a size is divided by 0";

/// What an operator makes of two naturals; `None` where it divides by 0.
pub(crate) fn combined(op: NatOp, a: Nat, b: Nat) -> Option<Nat> {
    Some(match op {
        NatOp::Div | NatOp::Rem if b.is_zero() => return None,
        NatOp::Add => a + b,
        NatOp::Sub => a - b,
        NatOp::Mul => a * b,
        NatOp::Div => a.div(&b),
        NatOp::Rem => a.rem(&b),
        NatOp::Pow => a.pow(&b),
    })
}

/// What a function makes of two naturals; `None` where it divides by 0.
pub(crate) fn called(call: NatCall, a: &Nat, b: &Nat) -> Option<Nat> {
    Some(match call {
        NatCall::CeilDiv if b.is_zero() => return None,
        NatCall::Min => Nat::min(a, b),
        NatCall::Max => Nat::max(a, b),
        NatCall::CeilDiv => a.ceil_div(b),
    })
}

/// Variables that sums bind.
type Bound = Vec<(String, NatVar)>;

impl<'a> Infer<'a> {
    /// A natural as written.
    pub(super) fn natural(&mut self, nat: &ast::Nat, env: &Env<'a>) -> Nat {
        let found = self.nat_in(nat, env, &mut Vec::new());
        if found.is_overflow() { self.too_large(nat.origin) } else { found }
    }

    fn too_large(&mut self, origin: Origin) -> Nat {
        let at = self.place(origin);
        self.report(Diagnostic::error(at, TOO_LARGE).help(LARGEST));
        self.unknown_nat(origin)
    }

    fn literal_natural(&mut self, value: u128, origin: Origin) -> Nat {
        i64::try_from(value).map_or_else(|_| self.too_large(origin), Nat::lit)
    }

    fn nat_in(&mut self, nat: &ast::Nat, env: &Env<'a>, bound: &mut Bound) -> Nat {
        match &nat.kind {
            NatKind::Literal(value) => i64::try_from(*value).map_or_else(|_| Nat::overflow(), Nat::lit),
            NatKind::Name(name) => match bound.iter().rev().find(|(text, _)| text == name.as_str()) {
                Some((_, var)) => Nat::var(var),
                None => self.named_nat(name, env),
            },
            NatKind::Binary(op, a, b) => {
                let by = b.origin;
                let (a, b) = (self.nat_in(a, env, bound), self.nat_in(b, env, bound));
                combined(*op, a, b).unwrap_or_else(|| self.division_by_zero(by))
            }
            NatKind::Call(call, a, b) => {
                let by = b.origin;
                let (a, b) = (self.nat_in(a, env, bound), self.nat_in(b, env, bound));
                called(*call, &a, &b).unwrap_or_else(|| self.division_by_zero(by))
            }
            NatKind::Apply(name, args) => self.applied_nat(name, args, env, bound),
            NatKind::Sum { name, from, to, body } => {
                let (from, to) = (self.nat_in(from, env, bound), self.nat_in(to, env, bound));
                let var = NatVar::new(name.as_str());
                bound.push((name.to_string(), var.clone()));
                let body = self.nat_in(body, env, bound);
                bound.pop();
                Nat::sum(&var, &from, &to, &body)
            }
            NatKind::Hole => {
                let origin = self.place(nat.origin);
                self.solver.fresh_nat(&"`_`".into(), origin)
            }
            NatKind::Error => {
                self.told = true;
                self.unknown_nat(nat.origin)
            }
        }
    }

    fn division_by_zero(&mut self, origin: Origin) -> Nat {
        let at = self.place(origin);
        self.report(Diagnostic::error(at, DIVIDED_BY_ZERO));
        self.unknown_nat(origin)
    }

    /// The natural that stands for what is wrong: an unknown that is not reported again.
    fn unknown_nat(&mut self, origin: Origin) -> Nat {
        let origin = self.place(origin);
        self.solver.fresh_nat(&"".into(), origin)
    }

    fn named_nat(&mut self, name: &ast::Ident, env: &Env<'a>) -> Nat {
        let found = match env.get(name.as_str()).cloned() {
            Some(Value::Data(term)) => {
                if let Some(nat) = self.as_natural(&term) {
                    return nat;
                }
                if term.ty().is_error() {
                    return self.unknown_nat(name.origin);
                }
                let found = format!("a value of type `{}`", self.solver.full(term.ty()));
                return self.value_as_natural(name, &found);
            }
            Some(Value::Fun(_)) => "a function",
            Some(Value::Type(_)) => "a type",
            Some(_) => "something else",
            None => {
                if let Some(nat) = self.free_natural(name, env) {
                    return nat;
                }
                match env.within.param(name).map(|param| param.ty.as_ref()) {
                    // Its type was told of.
                    Some(Some(ast::Type { kind: ast::TypeKind::Error, .. })) => {
                        self.told = true;
                        return self.unknown_nat(name.origin);
                    }
                    Some(_) => return self.value_as_natural(name, "a value that the function takes"),
                    None => {}
                }
                if self.module.lacks_items() {
                    self.told = true;
                    return self.unknown_nat(name.origin);
                }
                let diagnostic = self.unknown_size(name.as_str(), name.origin, env);
                self.report(diagnostic);
                return self.unknown_nat(name.origin);
            }
        };
        let diagnostic = self.no_natural(name, found);
        self.report(diagnostic);
        self.unknown_nat(name.origin)
    }

    fn value_as_natural(&mut self, name: &ast::Ident, found: &str) -> Nat {
        let diagnostic = self.no_natural(name, found).help(format!(
            "sizes are declared behind the function's name, `<{name}: Nat>`; what depends on values is chosen in the body by `if`"
        ));
        self.report(diagnostic);
        self.unknown_nat(name.origin)
    }

    fn no_natural(&self, name: &ast::Ident, found: &str) -> Diagnostic {
        let at = self.place(name.origin);
        Diagnostic::error(at, format!("expected a natural, but `{name}` is {found}"))
    }

    /// A natural that nothing binds: the papers leave parameters of a schedule free, as the `s` of `split(s)`. It
    /// becomes a size of the kernel.
    fn free_natural(&mut self, name: &ast::Ident, env: &Env<'a>) -> Option<Nat> {
        let free = self.free.as_mut().filter(|_| env.within.home == Home::User)?;
        if let Some(known) = free.iter().find(|known| known.text() == name.as_str()) {
            return Some(Nat::var(known));
        }
        let var = NatVar::new(name.as_str());
        free.push(var.clone());
        self.sizes.push(var.clone());
        Some(Nat::var(&var))
    }

    fn applied_nat(&mut self, name: &ast::Ident, args: &[ast::Nat], env: &Env<'a>, bound: &mut Bound) -> Nat {
        let args: Vec<Nat> = args.iter().map(|arg| self.nat_in(arg, env, bound)).collect();
        match (env.get(name.as_str()).cloned(), args.as_slice()) {
            (Some(Value::NatFun(fun)), [arg]) => fun.apply(arg),
            (Some(function @ Value::Fun(_)), [_, ..]) => {
                let args = args
                    .into_iter()
                    .map(|arg| {
                        Argument::Value(Value::Data(Term::nat(arg, Ty::Nat, name.origin)), name.origin)
                    })
                    .collect();
                let value = self.apply(function, args, name.origin, None);
                self.natural_value(value, name.origin, "a function of naturals")
                    .unwrap_or_else(|| self.unknown_nat(name.origin))
            }
            (Some(Value::Data(term)), _) if term.ty().is_error() => self.unknown_nat(name.origin),
            _ => {
                let at = self.place(name.origin);
                self.report(Diagnostic::error(at, format!("`{name}` is no function of a natural")));
                self.unknown_nat(name.origin)
            }
        }
    }

    /// The natural that a term stands for, if it is known as one. An index that was computed gets a name.
    pub(super) fn as_natural(&mut self, term: &Term) -> Option<Nat> {
        match (term.kind(), self.solver.shallow(term.ty())) {
            (TermKind::Nat(nat), _) => Some(nat.clone()),
            (TermKind::Literal(Number::Int(false, value)), Ty::Nat | Ty::Idx(_)) => {
                Some(self.literal_natural(*value, term.origin()))
            }
            (TermKind::Literal(Number::Int(false, value)), ty)
                if self.solver.class(&ty) == Some(Class::Integer) =>
            {
                let why = self.why(term.origin(), "natural");
                let _ = self.solver.unify(&ty, &Ty::Nat, &why);
                Some(self.literal_natural(*value, term.origin()))
            }
            (TermKind::Prim(..), _) if of_literals(term).is_some() => of_literals(term),
            (TermKind::Conform(inner), _) => {
                let inner = inner.clone();
                self.as_natural(&inner)
            }
            (_, Ty::Nat | Ty::Idx(_)) => {
                let text = if matches!(term.kind(), TermKind::Var(_)) { "j" } else { self.free_index_name() };
                let shared = self.name_index(term, text);
                match shared.kind() {
                    TermKind::Nat(nat) => Some(nat.clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A natural given to a primitive.
    pub(super) fn natural_argument(&mut self, arg: &Argument<'a>, who: &str) -> Option<Nat> {
        match arg {
            Argument::Ast(expr, env) => self.at_home(env.within.home, |infer| match expr.to_nat() {
                Ok(nat) => Some(infer.natural(&nat, env)),
                Err(_) => {
                    let value = infer.eval(expr, env, Some(&Ty::Nat));
                    infer.natural_value(value, expr.origin, who)
                }
            }),
            Argument::Value(value, origin) => self.natural_value(value.clone(), *origin, who),
        }
    }

    fn natural_value(&mut self, value: Value<'a>, origin: Origin, who: &str) -> Option<Nat> {
        let mut help = "naturals stand first, then functions, then values, and the array last";
        let found = match &value {
            Value::Data(term) => {
                if term.ty().is_error() {
                    return None;
                }
                if let Some(nat) = self.as_natural(term) {
                    return Some(nat);
                }
                if matches!(self.solver.shallow(term.ty()), Ty::Scalar(scalar) if scalar.is_integer()) {
                    help = VALUE_FOR_SIZE;
                }
                match self.shown(term.ty()) {
                    text if text.starts_with('`') => format!("a value of type {text}"),
                    text if text == "an integer" => "a negative number".to_owned(),
                    text => text,
                }
            }
            Value::Fun(_) => "a function".to_owned(),
            Value::Type(_) => "a type".to_owned(),
            _ => "something else".to_owned(),
        };
        let at = self.place(origin);
        let who = self.subject(who);
        let wrong = Diagnostic::error(at, format!("`{who}` needs a natural here, found {found}"));
        self.report(wrong.help(help));
        None
    }

    /// Whether an argument is surely a natural and no function.
    pub(super) fn is_natural_argument(arg: &Argument<'a>) -> bool {
        match arg {
            Argument::Ast(expr, env) => match &expr.kind {
                ast::ExprKind::Literal(_) => true,
                ast::ExprKind::Name(name) => matches!(env.get(name.as_str()), Some(Value::Data(_))),
                _ => false,
            },
            Argument::Value(value, _) => matches!(value, Value::Data(_)),
        }
    }

    /// The address space that an argument names, if it names one.
    pub(super) fn space_argument(arg: &Argument<'a>) -> Option<AddressSpace> {
        match arg {
            Argument::Ast(expr, env) => match &expr.kind {
                ast::ExprKind::Name(name) => match env.get(name.as_str()) {
                    Some(Value::Space(space)) => Some(*space),
                    Some(_) => None,
                    None => match name.as_str() {
                        "Global" => Some(AddressSpace::Global),
                        "Local" => Some(AddressSpace::Local),
                        "Private" => Some(AddressSpace::Private),
                        _ => None,
                    },
                },
                _ => None,
            },
            Argument::Value(Value::Space(space), _) => Some(*space),
            Argument::Value(..) => None,
        }
    }

    /// A function of naturals given to a primitive: a lambda, a helper, a parameter of that kind.
    pub(super) fn nat_fun_argument(&mut self, arg: &Argument<'a>, who: &str) -> Option<NatFun> {
        let origin = arg.origin();
        match self.argument(arg, None) {
            Value::NatFun(fun) => Some(fun),
            value @ Value::Fun(_) => {
                let names = self.param_names(&value, &["i"]);
                let var = NatVar::new(&names[0]);
                let scope = self.scope.clone();
                self.enter(var.clone(), None);
                let param = Value::Data(Term::nat(Nat::var(&var), Ty::Nat, origin));
                let value = self.apply(value, vec![Argument::Value(param, origin)], origin, Some(&Ty::Nat));
                let body = self.natural_value(value, origin, who);
                self.scope = scope;
                body.map(|body| NatFun { var, body })
            }
            value => {
                let _ = self.natural_value(value, origin, who)?;
                let at = self.place(origin);
                self.report(Diagnostic::error(at, format!("`{who}` needs a function of naturals here")));
                None
            }
        }
    }

    /// A kinded argument between `::<` and `>`.
    pub(super) fn kind_arg(&mut self, arg: &'a ast::KindArg, env: &Env<'a>) -> KindValue<'a> {
        match arg {
            ast::KindArg::Hole(_) => None,
            ast::KindArg::Nat(nat) => {
                let nat = self.natural(nat, env);
                Some(Value::Data(Term::nat(nat, Ty::Nat, Origin::NONE)))
            }
            ast::KindArg::Type(ty) => Some(Value::Type(self.data_type(ty, env))),
            ast::KindArg::Name(name) => Some(match ast::Scalar::from_name(name.as_str()) {
                Some(scalar) => Value::Type(Ty::Scalar(scalar)),
                None => self.name(name, env),
            }),
            ast::KindArg::Function(name, body) => {
                let var = NatVar::new(name.as_str());
                let bound = Value::Data(Term::nat(Nat::var(&var), Ty::Nat, name.origin));
                let scope = self.scope.clone();
                self.enter(var.clone(), None);
                let value = self.kind_arg(body, &env.with(&name.text, bound)).map(|value| match value {
                    Value::Type(ty) => Value::NatToData(var, ty),
                    value => match self.natural_value(value, body.origin(), "this function") {
                        Some(body) => Value::NatFun(NatFun { var, body }),
                        None => Value::Data(Term::error(name.origin)),
                    },
                });
                self.scope = scope;
                value
            }
        }
    }

    /// An argument where a kinded parameter is.
    pub(super) fn kind_value(&mut self, arg: &Argument<'a>, kind: ast::Kind) -> Value<'a> {
        let origin = arg.origin();
        match kind {
            ast::Kind::Nat => match self.natural_argument(arg, "this function") {
                Some(nat) => Value::Data(Term::nat(nat, Ty::Nat, origin)),
                None => Value::Data(Term::error(origin)),
            },
            ast::Kind::NatToNat => match self.nat_fun_argument(arg, "this function") {
                Some(fun) => Value::NatFun(fun),
                None => Value::Data(Term::error(origin)),
            },
            ast::Kind::Data => {
                let read = match arg {
                    Argument::Ast(expr, env) => expr.to_type().map(|ty| self.data_type(&ty, env)),
                    Argument::Value(..) => None,
                };
                match read {
                    Some(ty) => Value::Type(ty),
                    None => {
                        let value = self.argument(arg, None);
                        self.check_kind(value, kind, origin)
                    }
                }
            }
            ast::Kind::NatToData => match self.nat_to_data(arg) {
                Some(value) => value,
                None => {
                    let value = self.argument(arg, None);
                    self.check_kind(value, kind, origin)
                }
            },
            ast::Kind::AddrSpace => {
                let value = self.argument(arg, None);
                self.check_kind(value, kind, origin)
            }
        }
    }

    /// `|i| [f32; i]` where a function from naturals to types is wanted.
    fn nat_to_data(&mut self, arg: &Argument<'a>) -> Option<Value<'a>> {
        let Argument::Ast(expr, env) = arg else { return None };
        let ast::ExprKind::Lambda(params, body) = &expr.kind else { return None };
        let ([param], Some(body)) = (params.as_slice(), body.to_type()) else { return None };
        let ast::PatternKind::Name(name) = &param.pattern.kind else { return None };
        let var = NatVar::new(name.as_str());
        let bound = Value::Data(Term::nat(Nat::var(&var), Ty::Nat, name.origin));
        let ty = self.data_type(&body, &env.with(&name.text, bound));
        Some(Value::NatToData(var, ty))
    }

    /// A kinded value of the right kind.
    pub(super) fn check_kind(&mut self, value: Value<'a>, kind: ast::Kind, origin: Origin) -> Value<'a> {
        let fits = match (&value, kind) {
            (Value::Data(term), ast::Kind::Nat) => self.as_natural(term).is_some() || term.ty().is_error(),
            (Value::Fun(_), ast::Kind::NatToNat) => {
                let arg = Argument::Value(value.clone(), origin);
                return match self.nat_fun_argument(&arg, "this function") {
                    Some(fun) => Value::NatFun(fun),
                    None => Value::Data(Term::error(origin)),
                };
            }
            (Value::Type(_), ast::Kind::Data)
            | (Value::Space(_), ast::Kind::AddrSpace)
            | (Value::NatFun(_), ast::Kind::NatToNat)
            | (Value::NatToData(..), ast::Kind::NatToData) => true,
            (Value::Data(term), _) if term.ty().is_error() => return value,
            _ => false,
        };
        if fits {
            return value;
        }
        let at = self.place(origin);
        Value::Data(
            self.wrong(Diagnostic::error(at, format!("expected an argument of kind `{}`", kind.name()))),
        )
    }

    /// Whether a value is a function that takes naturals first.
    pub(super) fn takes_natural(value: &Value<'a>) -> bool {
        match value {
            Value::Fun(fun) => match &**fun {
                Fun::DepLambda { .. } => true,
                Fun::Labelled(_, inner) => Self::takes_natural(&Value::Fun(inner.clone())),
                _ => false,
            },
            _ => false,
        }
    }
}

/// The natural that literals and operators make, as in `f(5 / 2)` where `f` takes a natural.
pub(super) fn of_literals(term: &Term) -> Option<Nat> {
    match term.kind() {
        TermKind::Literal(Number::Int(false, value)) => i64::try_from(*value).ok().map(Nat::lit),
        TermKind::Prim(TPrim::Known(Primitive::Binary(op)), args) => match args.as_slice() {
            [TArg::Expr(a), TArg::Expr(b)] => op
                .of_naturals(&of_literals(a)?, &of_literals(b)?)
                .filter(|nat| nat.as_const().is_some_and(|value| value >= 0)),
            _ => None,
        },
        _ => None,
    }
}
