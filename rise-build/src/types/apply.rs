//! Application of function values to arguments.
//!
//! Too few arguments make a function value again; all of them give what the function computes, and further
//! ones are handed to the result.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Origin};
use crate::expr::{AddressSpace, ArgKind};
use crate::nat::Nat;
use crate::syntax::ast;

use super::advice;
use super::elaborate::{Infer, arguments, pattern_text};
use super::scheme;
use super::term::Term;
use super::ty::Ty;
use super::value::{Args, Argument, Env, Fun, Home, Sig, Value};

/// What a step of application gives: a value, and the arguments that are left.
type Step<'a> = (Value<'a>, Vec<Argument<'a>>);

impl<'a> Infer<'a> {
    /// A function applied to arguments.
    pub(super) fn apply(
        &mut self,
        function: Value<'a>,
        args: Vec<Argument<'a>>,
        origin: Origin,
        want: Option<&Ty>,
    ) -> Value<'a> {
        self.apply_named(function, None, args, origin, want)
    }

    /// A function applied to arguments; `hidden` is what else to say where it is none.
    pub(super) fn apply_named(
        &mut self,
        function: Value<'a>,
        hidden: Option<String>,
        args: Vec<Argument<'a>>,
        origin: Origin,
        want: Option<&Ty>,
    ) -> Value<'a> {
        let (mut value, mut rest) = (function, args);
        let mut called = None;
        loop {
            if let (Value::NatFun(fun), [arg]) = (&value, rest.as_slice()) {
                return match self.natural_argument(arg, "a function of naturals") {
                    Some(arg) => Value::Data(Term::nat(fun.apply(&arg), Ty::Nat, origin)),
                    None => Value::Data(Term::error(origin)),
                };
            }
            let Value::Fun(fun) = &value else {
                if rest.is_empty() {
                    return value;
                }
                return Value::Data(self.no_function(value, called, hidden, rest.len(), origin));
            };
            let fun = fun.clone();
            called = self.lacking(&fun).or(called);
            (value, rest) = self.step(&fun, rest, origin, want);
            if rest.is_empty() || self.aborted {
                return value;
            }
        }
    }

    /// Reports arguments that nothing takes; `called` is the last named function and what it lacked.
    fn no_function(
        &mut self,
        value: Value<'a>,
        called: Option<(String, usize)>,
        hidden: Option<String>,
        extra: usize,
        origin: Origin,
    ) -> Term {
        let origin = self.place(origin);
        if let (Some((name, count)), Value::Data(term)) = (&called, &value)
            && !term.ty().is_error()
        {
            let message = format!("`{name}` takes {} here, {} given", arguments(*count), count + extra);
            let diagnostic = Diagnostic::error(origin, message);
            return self
                .wrong(advice::further_arguments(name).into_iter().fold(diagnostic, Diagnostic::help));
        }
        let is_array =
            matches!(&value, Value::Data(term) if matches!(self.solver.shallow(term.ty()), Ty::Array(..)));
        let indexed = is_array.then(|| "an element is `x[i]`, or `x[i][j]`".to_owned());
        let found = match value {
            Value::Data(term) if term.ty().is_error() => return term,
            Value::Data(term) => format!("a value of type `{}`", self.solver.full(term.ty())),
            Value::Type(ty) => format!("the type `{ty}`"),
            _ => "something else".to_owned(),
        };
        let diagnostic = Diagnostic::error(origin, format!("expected a function, found {found}"));
        self.wrong(hidden.or(indexed).into_iter().fold(diagnostic, Diagnostic::help))
    }

    fn step(
        &mut self,
        fun: &Arc<Fun<'a>>,
        mut args: Vec<Argument<'a>>,
        origin: Origin,
        want: Option<&Ty>,
    ) -> Step<'a> {
        match &**fun {
            Fun::Lambda { params, body, env } => self.step_lambda(params, body, env, args, want),
            Fun::DepLambda { kinds, body, env } => self.step_dep_lambda(kinds, body, env, args, want),
            Fun::Item { item, within, kinds, args: have } => {
                let (all, rest) = collect(have, args, item.params.len());
                if all.len() < item.params.len() {
                    let (kinds, within) = (kinds.clone(), within.clone());
                    return (Value::Fun(Arc::new(Fun::Item { item, within, kinds, args: all })), rest);
                }
                let want = if rest.is_empty() { want } else { None };
                (self.inline(item, within, kinds, &all, origin, want), rest)
            }
            Fun::Prim { row, args: have } => {
                if have.is_empty() {
                    Self::fill_optional(row.kinds, &mut args);
                }
                let (all, rest) = collect(have, args, row.kinds.len() + scheme::arity(row));
                if all.len() < row.kinds.len() + scheme::arity(row) {
                    return (Value::Fun(Arc::new(Fun::Prim { row, args: all })), rest);
                }
                let want = if rest.is_empty() { want } else { None };
                (Value::Data(self.primitive(row, &all, origin, want)), rest)
            }
            Fun::Operator { op, args: have } => {
                let (all, rest) = collect(have, args, op.arity());
                if all.len() < op.arity() {
                    return (Value::Fun(Arc::new(Fun::Operator { op: *op, args: all })), rest);
                }
                (Value::Data(self.operator(*op, &all, origin)), rest)
            }
            Fun::Foreign { item, args: have } => {
                let (all, rest) = collect(have, args, item.params.len());
                if all.len() < item.params.len() {
                    return (Value::Fun(Arc::new(Fun::Foreign { item, args: all })), rest);
                }
                (Value::Data(self.foreign(item, &all, origin)), rest)
            }
            Fun::Given { fun, args: have } => {
                let (all, rest) = collect(have, args, fun.params.len());
                if all.len() < fun.params.len() {
                    return (Value::Fun(Arc::new(Fun::Given { fun: fun.clone(), args: all })), rest);
                }
                (Value::Data(self.given(fun, &all, origin)), rest)
            }
            Fun::Compose(first, second) => {
                if args.is_empty() {
                    return (Value::Fun(fun.clone()), args);
                }
                let rest = args.split_off(1);
                let middle = self.apply(first.clone(), args, origin, None);
                let want = if rest.is_empty() { want } else { None };
                let arg = Argument::Value(middle, origin);
                (self.apply(second.clone(), vec![arg], origin, want), rest)
            }
            Fun::Labelled(label, inner) => {
                let value = match self.apply(Value::Fun(inner.clone()), args, origin, want) {
                    Value::Fun(fun) => Value::Fun(Arc::new(Fun::Labelled(label.clone(), fun))),
                    Value::Data(term) => Value::Data(self.put_label(label, term, origin)),
                    other => other,
                };
                (value, Vec::new())
            }
            Fun::Ascribed(inner, sig) => self.step_ascribed(inner, sig, args, origin),
        }
    }

    fn step_lambda(
        &mut self,
        params: &'a [ast::Param],
        body: &'a ast::Expr,
        env: &Env<'a>,
        mut args: Vec<Argument<'a>>,
        want: Option<&Ty>,
    ) -> Step<'a> {
        let count = params.len().min(args.len());
        let rest = args.split_off(count);
        let mut env = env.clone();
        for (param, arg) in params.iter().zip(&args) {
            // What a primitive hands over has no place of its own; a misfit is the parameter's.
            let arg = match arg {
                Argument::Value(value, _) if param.ty.is_some() => {
                    &Argument::Value(value.clone(), param.pattern.origin)
                }
                _ => arg,
            };
            let value = self.annotated(arg, param.ty.as_ref(), &env, "argument");
            env = self.bind(&param.pattern, value, arg.origin(), &env);
        }
        if count < params.len() {
            return (Value::Fun(Arc::new(Fun::Lambda { params: &params[count..], body, env })), rest);
        }
        let want = if rest.is_empty() { want } else { None };
        (self.at_home(env.within.home, |infer| infer.eval(body, &env, want)), rest)
    }

    fn step_dep_lambda(
        &mut self,
        kinds: &'a [ast::KindParam],
        body: &'a ast::Expr,
        env: &Env<'a>,
        mut args: Vec<Argument<'a>>,
        want: Option<&Ty>,
    ) -> Step<'a> {
        let count = kinds.len().min(args.len());
        let rest = args.split_off(count);
        let mut env = env.clone();
        for (kind, arg) in kinds.iter().zip(&args) {
            let value = self.kind_value(arg, kind.kind);
            env = env.with(&kind.name.text, value);
        }
        if count < kinds.len() {
            return (Value::Fun(Arc::new(Fun::DepLambda { kinds: &kinds[count..], body, env })), rest);
        }
        let want = if rest.is_empty() { want } else { None };
        (self.at_home(env.within.home, |infer| infer.eval(body, &env, want)), rest)
    }

    fn step_ascribed(
        &mut self,
        inner: &Arc<Fun<'a>>,
        sig: &Arc<Sig<'a>>,
        mut args: Vec<Argument<'a>>,
        origin: Origin,
    ) -> Step<'a> {
        if args.is_empty() {
            return (Value::Fun(Arc::new(Fun::Ascribed(inner.clone(), sig.clone()))), args);
        }
        let rest = args.split_off(1);
        match &**sig {
            Sig::Fun(param, result) => {
                let arg_origin = args[0].origin();
                let arg = self.ascribe_arg(&args[0], param, "argument");
                let want = match &**result {
                    Sig::Data(ty) => Some(ty.clone()),
                    _ => None,
                };
                let value = self.apply(
                    Value::Fun(inner.clone()),
                    vec![Argument::Value(arg, arg_origin)],
                    origin,
                    want.as_ref(),
                );
                (self.ascribe(value, result, origin, "function"), rest)
            }
            Sig::Dep(kinds, body, env) => {
                let mut env = env.clone();
                let mut dependent = vec![];
                let mut given = args;
                given.extend(rest);
                let rest = given.split_off(kinds.len().min(given.len()));
                for (kind, arg) in kinds.iter().zip(&given) {
                    let value = self.kind_value(arg, kind.kind);
                    env = env.with(&kind.name.text, value.clone());
                    dependent.push(Argument::Value(value, arg.origin()));
                }
                let sig = self.signature(body, &env);
                let value = self.apply(Value::Fun(inner.clone()), dependent, origin, None);
                (self.ascribe(value, &Arc::new(sig), origin, "function"), rest)
            }
            Sig::Data(_) => (Value::Fun(inner.clone()), rest),
        }
    }

    /// An argument of the type that an annotation gives, if there is one.
    pub(super) fn annotated(
        &mut self,
        arg: &Argument<'a>,
        ty: Option<&'a ast::Type>,
        env: &Env<'a>,
        what: &str,
    ) -> Value<'a> {
        match ty {
            None => self.argument(arg, None),
            Some(ty) => {
                let sig = Arc::new(self.signature(ty, env));
                self.ascribe_arg(arg, &sig, what)
            }
        }
    }

    fn ascribe_arg(&mut self, arg: &Argument<'a>, sig: &Arc<Sig<'a>>, what: &str) -> Value<'a> {
        match &**sig {
            Sig::Data(ty) => {
                let why = self.why(arg.origin(), what);
                Value::Data(self.argument_as(arg, ty, &why))
            }
            _ => {
                let value = self.argument(arg, None);
                self.ascribe(value, sig, arg.origin(), what)
            }
        }
    }

    /// A value of a given type.
    pub(super) fn ascribe(
        &mut self,
        value: Value<'a>,
        sig: &Arc<Sig<'a>>,
        origin: Origin,
        what: &str,
    ) -> Value<'a> {
        match (value, &**sig) {
            (value, Sig::Data(ty)) => {
                let term = self.expect_data(value, origin);
                let why = self.why(origin, what);
                let at = self.place(origin);
                Value::Data(self.coerce(term, ty, at, &why))
            }
            (Value::Fun(fun), _) => Value::Fun(Arc::new(Fun::Ascribed(fun, sig.clone()))),
            (Value::Data(term), _) if term.ty().is_error() => Value::Data(term),
            (other, _) => {
                let diagnostic = match &other {
                    Value::Data(term) => {
                        format!(
                            "expected a function, found a value of type `{}`",
                            self.solver.full(term.ty())
                        )
                    }
                    _ => "expected a function".to_owned(),
                };
                Value::Data(self.wrong(Diagnostic::error(self.place(origin), diagnostic)))
            }
        }
    }

    /// Fills in a dimension or an address space that was left out.
    fn fill_optional(kinds: &[ArgKind], args: &mut Vec<Argument<'a>>) {
        let Some(first) = args.first() else { return };
        let default = match kinds.first() {
            Some(ArgKind::Dimension) if !Self::is_natural_argument(first) => {
                Value::Data(Term::nat(Nat::lit(0), Ty::Nat, Origin::NONE))
            }
            Some(ArgKind::Space) if Self::space_argument(first).is_none() => {
                Value::Space(AddressSpace::Default)
            }
            _ => return,
        };
        args.insert(0, Argument::Value(default, Origin::NONE));
    }

    /// The name of a function and how many arguments it lacks, where that is easily told.
    pub(super) fn lacking(&self, fun: &Fun<'a>) -> Option<(String, usize)> {
        Some(match fun {
            Fun::Item { item, args, .. } => (item.name.to_string(), item.params.len() - args.len()),
            Fun::Prim { row, args } => {
                (row.names[0].to_owned(), row.kinds.len() + scheme::arity(row) - args.len())
            }
            Fun::Operator { op, args } => (op.name().to_owned(), op.arity() - args.len()),
            Fun::Foreign { item, args } => (item.name.to_string(), item.params.len() - args.len()),
            Fun::Given { fun, args } => (fun.name.clone(), fun.params.len() - args.len()),
            Fun::Labelled(_, fun) | Fun::Ascribed(fun, _) => return self.lacking(fun),
            Fun::Lambda { .. } | Fun::DepLambda { .. } | Fun::Compose(..) => return None,
        })
    }

    /// How many values a function takes at least, where that is easily told.
    pub(super) fn takes(&self, value: &Value<'a>) -> Option<usize> {
        let Value::Fun(fun) = value else { return None };
        match &**fun {
            Fun::Lambda { params, body, .. } => Some(match &body.kind {
                ast::ExprKind::Lambda(more, _) => params.len() + more.len(),
                _ => params.len(),
            }),
            Fun::Labelled(_, fun) | Fun::Ascribed(fun, _) => self.takes(&Value::Fun(fun.clone())),
            Fun::Compose(first, _) => self.takes(first).filter(|takes| *takes > 1),
            _ => self.lacking(fun).map(|(_, missing)| missing),
        }
    }

    /// Readable names for the values that a function takes.
    pub(super) fn param_names(&self, value: &Value<'a>, defaults: &[&str]) -> Vec<String> {
        let mut names = Vec::new();
        if let Value::Fun(fun) = value {
            self.collect_names(fun, &mut names);
        }
        let known = names.len();
        names.truncate(defaults.len());
        names.extend(defaults.iter().skip(known).map(|name| (*name).to_owned()));
        names
    }

    fn collect_names(&self, fun: &Fun<'a>, names: &mut Vec<String>) {
        match fun {
            Fun::Lambda { params, body, .. } => {
                names.extend(params.iter().map(|param| pattern_text(&param.pattern)));
                if let ast::ExprKind::Lambda(more, _) = &body.kind {
                    names.extend(more.iter().map(|param| pattern_text(&param.pattern)));
                }
            }
            Fun::Item { item, within, args, .. } if within.home != Home::Prelude => {
                names.extend(item.params.iter().skip(args.len()).map(|param| pattern_text(&param.pattern)));
            }
            Fun::Labelled(_, fun) | Fun::Ascribed(fun, _) | Fun::Compose(Value::Fun(fun), _) => {
                self.collect_names(fun, names);
            }
            _ => {}
        }
    }
}

fn collect<'a>(have: &Args<'a>, mut args: Vec<Argument<'a>>, arity: usize) -> (Args<'a>, Vec<Argument<'a>>) {
    let rest = args.split_off(args.len().min(arity.saturating_sub(have.len())));
    if have.is_empty() {
        return (args.into(), rest);
    }
    let all: Vec<Argument<'a>> = have.iter().cloned().chain(args).collect();
    (all.into(), rest)
}
