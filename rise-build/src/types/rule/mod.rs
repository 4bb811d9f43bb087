//! A user's rule from its text to two typed sides.
//!
//! Type parameters stay open: a rule is typed once for all of them, and [`Rule::at`] gives the sides at the types
//! that a place in a program has. A function parameter is an unknown function, which stands in the sides as a
//! foreign one of its name.

mod determined;

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::expr::{Arg, Expr, Param, Primitive, Required};
use crate::nat::{Facts, Nat, NatVar, Obligation};
use crate::syntax::ast::{self, ObligationKind, TypeKind};

use super::DataType;
use super::elaborate::{Infer, arguments, pattern_text};
use super::finish::Finish;
use super::obligation::refuted;
use super::prelude::Prelude;
use super::solver::{Agree, Solver};
use super::term::{TArg, TForeign, TParam, TPrim, Term, TermKind};
use super::ty::Ty;
pub(crate) use determined::{apart, path, primitive_nats, variable};

use super::value::{Argument, Env, Fun, GivenFun, Home, Sig, Value, Within};

/// A rule: the left side is replaced by the right one.
pub struct Rule {
    /// Its name.
    pub name: String,
    /// Naturals that it speaks of.
    pub nats: Vec<NatVar>,
    /// Those that the left side does not determine: arguments of the rule, in order.
    pub arguments: Vec<NatVar>,
    /// The names of its type parameters.
    pub types: Vec<Arc<str>>,
    /// What its `where` clause says of sizes.
    pub declared: Vec<Obligation>,
    /// What it says of functions and values.
    pub conditions: Vec<Condition>,
    /// What holds wherever the left side stands in a program.
    pub given: Vec<Required>,
    /// What the right side needs besides.
    pub needed: Vec<Required>,
    solver: Solver,
    params: Vec<(TParam, Origin)>,
    functions: Vec<Arc<GivenFun>>,
    /// Both sides as a pair, so that their variables get their faces together.
    sides: Term,
}

/// A condition on functions and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `associative(f)`
    Associative(String),
    /// `commutative(f)`
    Commutative(String),
    /// `neutral(f, z)`: `z` does not change what `f` is applied to.
    Neutral(String, String),
}

/// Both sides at given types.
pub struct Sides {
    /// The values that the rule speaks of.
    pub params: Vec<Param>,
    /// The functions.
    pub functions: Vec<Unknown>,
    /// The left side.
    pub pattern: Expr,
    /// The right side.
    pub result: Expr,
}

/// A function that a rule speaks of.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub params: Vec<DataType>,
    /// What it gives.
    pub result: DataType,
}

/// What a misfit of the sides is reported as.
const SIDES: &str = "the sides of the rule";

/// The rule, typed; or what is wrong with it.
pub fn infer_rule(module: &ast::Module, item: &ast::Rule) -> Result<Rule, Diagnostics> {
    let prelude = Prelude::new();
    let infer = Infer::new(module, &prelude);
    infer.rule(item)
}

/// Parameters of a rule while it is elaborated.
struct Header<'a> {
    env: Env<'a>,
    nats: Vec<(NatVar, Origin)>,
    types: Vec<(Arc<str>, Origin)>,
    params: Vec<(TParam, Origin)>,
    functions: Vec<(Arc<GivenFun>, Origin)>,
}

impl<'a> Infer<'a> {
    fn rule(mut self, item: &'a ast::Rule) -> Result<Rule, Diagnostics> {
        let header = self.rule_header(item);
        self.sizes = header.nats.iter().map(|(nat, _)| nat.clone()).collect();
        let mut facts = Facts::new();
        self.sizes.iter().for_each(|nat| facts.size(nat));
        let (declared, conditions) = self.rule_conditions(item, &header, &mut facts);
        if !self.diagnostics.is_empty() {
            return Err(self.diagnostics);
        }
        let pattern = self.side(&item.pattern, &header.env, None);
        let of_pattern = self.solver.needs.len();
        let want = pattern.ty().clone();
        let result = self.side(&item.result, &header.env, Some(&want));
        let result = self.same_type(&pattern, result, item);
        self.conclude();
        if !self.diagnostics.is_empty() || self.aborted || self.told {
            return Err(self.diagnostics);
        }
        let of_result = self.solver.needs.split_off(of_pattern);
        let sizes = facts.clone();
        let (given, _) = self.discharge(&mut facts, &sizes, &declared);
        self.solver.needs = of_result;
        let (needed, _) = self.discharge(&mut facts, &sizes, &declared);
        if needed.iter().any(|required| required.rule == SIDES) {
            self.report_types(&pattern, &result, item);
        }
        let sides = Self::make_tuple(vec![pattern, result], Origin::NONE);
        let Infer { solver, diagnostics, .. } = self;
        let mut rule = Rule {
            name: item.name.to_string(),
            nats: header.nats.iter().map(|(nat, _)| nat.clone()).collect(),
            arguments: Vec::new(),
            types: header.types.iter().map(|(name, _)| name.clone()).collect(),
            declared,
            conditions,
            given,
            needed,
            solver,
            params: header.params.clone(),
            functions: header.functions.iter().map(|(fun, _)| fun.clone()).collect(),
            sides,
        };
        let mut diagnostics = diagnostics;
        rule.check_use(&header, item, &mut diagnostics);
        diagnostics.or(rule)
    }

    fn side(&mut self, side: &'a ast::Expr, env: &Env<'a>, want: Option<&Ty>) -> Term {
        self.open();
        let value = self.eval(side, env, want);
        let term = match value {
            Value::Fun(fun) => {
                let message = "a side of a rule is a value, this is a function".to_owned();
                let message = match self.lacking(&fun) {
                    Some((name, missing)) => format!("{message}: `{name}` lacks {}", arguments(missing)),
                    None => message,
                };
                let help = "apply it to a parameter: `rule r<n: Nat, …>(xs: [f32; n]): xs |> map(f) => …;`";
                self.wrong(Diagnostic::error(side.origin, message).help(help))
            }
            other => self.expect_data(other, side.origin),
        };
        self.close_term(term)
    }

    fn same_type(&mut self, pattern: &Term, result: Term, item: &ast::Rule) -> Term {
        let why = self.why(item.result.origin, SIDES);
        match self.solver.unify(result.ty(), pattern.ty(), &why) {
            Ok(Agree::Same) => result,
            Ok(Agree::Perhaps) => {
                Term::new(TermKind::Conform(result), pattern.ty().clone(), item.result.origin)
            }
            Err(_) => {
                self.report_types(pattern, &result, item);
                result
            }
        }
    }

    fn report_types(&mut self, pattern: &Term, result: &Term, item: &ast::Rule) {
        let inner = match result.kind() {
            TermKind::Conform(inner) => inner,
            _ => result,
        };
        let (left, right) = (self.solver.full(pattern.ty()), self.solver.full(inner.ty()));
        let message =
            format!("both sides of a rule have one type: the left side has `{left}`, this has `{right}`");
        self.report(Diagnostic::error(item.result.origin, message));
    }

    fn rule_header(&mut self, item: &'a ast::Rule) -> Header<'a> {
        let env = Env::new(Within::new(Home::User));
        let mut header =
            Header { env, nats: Vec::new(), types: Vec::new(), params: Vec::new(), functions: Vec::new() };
        for kind in &item.kinds {
            let origin = kind.name.origin;
            let value = match kind.kind {
                ast::Kind::Nat => {
                    let var = NatVar::new(kind.name.as_str());
                    header.nats.push((var.clone(), origin));
                    Value::Data(Term::nat(Nat::var(&var), Ty::Nat, origin))
                }
                ast::Kind::Data => {
                    header.types.push((kind.name.text.clone(), origin));
                    Value::Type(Ty::Given(kind.name.text.clone(), header.types.len() - 1))
                }
                other => {
                    let message =
                        format!("a rule speaks of naturals and types, not of kind {}", other.name());
                    Value::Data(self.wrong(Diagnostic::error(origin, message)))
                }
            };
            header.env = header.env.with(&kind.name.text, value);
        }
        for param in &item.params {
            self.rule_param(param, &mut header);
        }
        header
    }

    fn rule_param(&mut self, param: &'a ast::Param, header: &mut Header<'a>) {
        let origin = param.pattern.origin;
        let ast::PatternKind::Name(name) = &param.pattern.kind else {
            let message = "a rule's parameter is a name; take a tuple apart on the left side";
            self.report(Diagnostic::error(origin, message));
            return;
        };
        let Some(ty) = &param.ty else {
            self.report(Diagnostic::error(origin, "a rule's parameter needs a type"));
            return;
        };
        let value = match &ty.kind {
            TypeKind::Fun(..) => {
                let sig = self.signature(ty, &header.env);
                let Some((params, result)) = flat(&sig) else {
                    let message = "a rule's function takes values and gives a value";
                    self.report(Diagnostic::error(ty.origin, message));
                    return;
                };
                let fun = Arc::new(GivenFun { name: name.to_string(), params, result });
                header.functions.push((fun.clone(), origin));
                Value::Fun(Arc::new(Fun::Given { fun, args: Arc::from([]) }))
            }
            _ => {
                let ty = self.data_type(ty, &header.env);
                let bound = self.param(&pattern_text(&param.pattern), ty);
                let term = bound.term(origin);
                header.params.push((bound, origin));
                Value::Data(term)
            }
        };
        header.env = header.env.with(&name.text, value);
    }

    fn rule_conditions(
        &mut self,
        item: &ast::Rule,
        header: &Header<'a>,
        facts: &mut Facts,
    ) -> (Vec<Obligation>, Vec<Condition>) {
        let (mut declared, mut conditions) = (Vec::new(), Vec::new());
        for written in &item.obligations {
            if let ObligationKind::Predicate(name, args) = &written.kind {
                match condition(name, args, header) {
                    Ok(condition) => conditions.push(condition),
                    Err(diagnostic) => self.report(diagnostic),
                }
            } else if let Some(obligation) = self.declared(written, &header.env) {
                if refuted(&obligation, facts) {
                    let message = format!("no sizes satisfy {obligation}");
                    self.report(Diagnostic::error(written.origin, message));
                }
                obligation.assume(facts);
                declared.push(obligation);
            }
        }
        (declared, conditions)
    }

    /// A rule's function with all its arguments.
    pub(super) fn given(&mut self, fun: &GivenFun, args: &[Argument<'a>], origin: Origin) -> Term {
        let origin = self.place(origin);
        let why = self.why(origin, &fun.name);
        let args = args.iter().zip(&fun.params);
        let args = args.map(|(arg, ty)| TArg::Expr(self.argument_as(arg, ty, &why))).collect();
        let foreign = TForeign {
            name: fun.name.clone(),
            rust: None,
            c: None,
            vectors: Vec::new(),
            params: fun.params.clone(),
            result: fun.result.clone(),
        };
        Term::new(TermKind::Prim(TPrim::Foreign(Arc::new(foreign)), args), fun.result.clone(), origin)
    }
}

/// A curried function type as all that it takes and what it gives.
fn flat(sig: &Sig) -> Option<(Vec<Ty>, Ty)> {
    let (mut params, mut rest) = (Vec::new(), sig);
    loop {
        match rest {
            Sig::Data(ty) => return Some((params, ty.clone())),
            Sig::Dep(..) => return None,
            Sig::Fun(param, result) => match &**param {
                Sig::Data(ty) => {
                    params.push(ty.clone());
                    rest = result;
                }
                _ => return None,
            },
        }
    }
}

fn condition(name: &ast::Ident, args: &[ast::Expr], header: &Header) -> Result<Condition, Diagnostic> {
    let functions = || header.functions.iter().map(|(fun, _)| fun.name.clone());
    let values = || header.params.iter().map(|(param, _)| param.name.text().to_owned());
    let named = |arg: &ast::Expr, known: Vec<String>, what: &str| match &arg.kind {
        ast::ExprKind::Name(name) if known.iter().any(|known| known == name.as_str()) => Ok(name.to_string()),
        _ => Err(Diagnostic::error(arg.origin, format!("expected {what} of the rule"))),
    };
    match (name.as_str(), args) {
        ("associative", [f]) => Ok(Condition::Associative(named(f, functions().collect(), "a function")?)),
        ("commutative", [f]) => Ok(Condition::Commutative(named(f, functions().collect(), "a function")?)),
        ("neutral", [f, z]) => Ok(Condition::Neutral(
            named(f, functions().collect(), "a function")?,
            named(z, values().collect(), "a value")?,
        )),
        (other, _) => {
            Err(Diagnostic::error(name.origin, format!("there is no condition `{other}` like this")).help(
                "there are `associative(f)`, `commutative(f)`, `neutral(f, z)` and relations of naturals",
            ))
        }
    }
}

impl Rule {
    /// Both sides where the type parameters stand for these types.
    pub fn at(&self, types: &[DataType]) -> Result<Sides, Diagnostics> {
        let mut finish = Finish::new(&self.solver, &self.sides).at(types);
        let params = self.params.iter().map(|(param, origin)| {
            let ty = finish.ty(&param.ty, *origin);
            finish.param(param, ty)
        });
        let params: Vec<Param> = params.collect();
        let functions = self.functions.iter().map(|fun| Unknown {
            name: fun.name.clone(),
            params: fun.params.iter().map(|ty| finish.ty(ty, Origin::NONE)).collect(),
            result: finish.ty(&fun.result, Origin::NONE),
        });
        let functions: Vec<Unknown> = functions.collect();
        let sides = finish.expr(&self.sides);
        let (wrong, broken) = (finish.diagnostics, finish.broken);
        match sides.as_prim() {
            Some((Primitive::Tuple, [Arg::Expr(pattern), Arg::Expr(result)])) if !broken => {
                wrong.or(Sides { params, functions, pattern: pattern.clone(), result: result.clone() })
            }
            _ => Err(wrong),
        }
    }

    /// The type parameters as the types of a value or function tell them: `pattern` is as declared.
    pub fn types_of(&self, position: usize, found: &DataType, types: &mut [Option<DataType>]) -> bool {
        self.params.get(position).is_some_and(|(param, _)| self.bind_types(&param.ty, found, types))
    }

    /// The same for what a function takes and gives.
    pub fn types_of_function(
        &self,
        position: usize,
        found: (&[DataType], &DataType),
        types: &mut [Option<DataType>],
    ) -> bool {
        let Some(fun) = self.functions.get(position) else { return false };
        fun.params.len() == found.0.len()
            && fun.params.iter().zip(found.0).all(|(ty, found)| self.bind_types(ty, found, types))
            && self.bind_types(&fun.result, found.1, types)
    }

    fn bind_types(&self, ty: &Ty, found: &DataType, types: &mut [Option<DataType>]) -> bool {
        match (self.solver.shallow(ty), found) {
            // Sizes may differ in form; the rule's equations of naturals compare them.
            (Ty::Given(_, position), found) => match &types[position] {
                Some(known) => same_form(known, found),
                None => {
                    types[position] = Some(found.clone());
                    true
                }
            },
            (Ty::Array(_, ty), DataType::Array(_, found)) => self.bind_types(&ty, found, types),
            (Ty::Tuple(parts), DataType::Tuple(found)) => {
                parts.len() == found.len()
                    && parts.iter().zip(found.iter()).all(|(ty, found)| self.bind_types(ty, found, types))
            }
            (Ty::Scalar(ty), DataType::Scalar(found)) => ty == *found,
            (Ty::Nat, DataType::Nat) | (Ty::Idx(_), DataType::Idx(_)) => true,
            (Ty::Vector(ty, _), DataType::Vector(found, _)) => {
                matches!(self.solver.shallow(&ty), Ty::Scalar(ty) if ty == *found)
            }
            (Ty::DepArray(..), DataType::DepArray(..)) => true,
            _ => false,
        }
    }
}

/// Equal but for sizes.
fn same_form(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (DataType::Array(_, a), DataType::Array(_, b)) => same_form(a, b),
        (DataType::DepArray(_, _, a), DataType::DepArray(_, _, b)) => same_form(a, b),
        (DataType::Idx(_), DataType::Idx(_)) => true,
        (DataType::Tuple(a), DataType::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_form(a, b))
        }
        _ => a == b,
    }
}
