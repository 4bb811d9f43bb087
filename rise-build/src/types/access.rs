//! Conditionals, casts, indexing and foreign functions: forms that look at types of several kinds.

use crate::diagnostics::{Diagnostic, Origin};
use crate::expr::Primitive;
use crate::nat::{Nat, NatVar, Obligation};
use crate::syntax::ast;

use super::elaborate::{Infer, result_origin};
use super::obligation::CAST;
use super::operator::WHICH;
use super::solver::{Hint, Range, Why};
use super::term::{TArg, TPrim, Term, TermKind};
use super::ty::{Class, Ty};
use super::value::Env;
use super::{Scalar, advice};

impl<'a> Infer<'a> {
    pub(super) fn conditional(
        &mut self,
        parts: [&'a ast::Expr; 3],
        env: &Env<'a>,
        want: Option<&Ty>,
        origin: Origin,
    ) -> Term {
        let condition = self.data(parts[0], env, None);
        let branches = [parts[1], parts[2]].map(|branch| {
            self.open();
            let scope = self.scope.clone();
            let term = self.data(branch, env, want);
            let term = self.as_wanted(term, want);
            let term = self.close_term(term);
            self.scope = scope;
            term
        });
        let [then, otherwise] = branches;
        self.select(condition, then, otherwise, origin)
    }

    pub(super) fn select(&mut self, condition: Term, then: Term, otherwise: Term, origin: Origin) -> Term {
        match self.solver.shallow(condition.ty()) {
            Ty::Error => return Term::error(origin),
            Ty::Scalar(Scalar::Bool) => {}
            Ty::Vector(element, _) if matches!(*element, Ty::Scalar(Scalar::Bool)) => {}
            other => {
                let found = self.shown(&other);
                let message = format!("a condition is `bool`, found {found}");
                let at = if condition.origin().is_none() { origin } else { condition.origin() };
                let wrong = Diagnostic::error(at, message);
                return self.wrong(match other {
                    Ty::Scalar(_) => wrong.help("compare it: `x != 0`"),
                    _ => wrong,
                });
            }
        }
        let (s, t) = (self.solver.shallow(then.ty()), self.solver.shallow(otherwise.ty()));
        let why = self.why(origin, "if");
        let naturals = |ty: &Ty| matches!(ty, Ty::Nat | Ty::Idx(_));
        let (then, otherwise) = match (&s, &t) {
            (Ty::Idx(n), Ty::Idx(m)) if self.solver.nat(n) != self.solver.nat(m) => {
                let then = self.coerce(then, &Ty::Nat, origin, &why);
                (then, self.coerce(otherwise, &Ty::Nat, origin, &why))
            }
            (Ty::Var(_), _) if naturals(&t) => {
                (self.coerce(then, &Ty::Nat, origin, &why), self.coerce(otherwise, &Ty::Nat, origin, &why))
            }
            (Ty::Nat, Ty::Idx(_)) => (then, self.coerce(otherwise, &Ty::Nat, origin, &why)),
            (Ty::Idx(_), Ty::Nat | Ty::Var(_)) => {
                let then = self.coerce(then, &Ty::Nat, origin, &why);
                (then, self.coerce(otherwise, &Ty::Nat, origin, &why))
            }
            _ => {
                let at = if otherwise.origin().is_none() { origin } else { otherwise.origin() };
                let otherwise = self.coerce(otherwise, then.ty(), at, &why);
                (then, otherwise)
            }
        };
        if otherwise.ty().is_error() {
            return otherwise;
        }
        let ty = then.ty().clone();
        Term::prim(Primitive::Select, vec![condition, then, otherwise], ty, origin)
    }

    pub(super) fn cast(
        &mut self,
        value: &'a ast::Expr,
        ty: &'a ast::Type,
        env: &Env<'a>,
        origin: Origin,
    ) -> Term {
        let evaluated = self.eval(value, env, None);
        let term = self.end_of_pipe(evaluated, value, result_origin(value));
        let target = self.data_type(ty, env);
        let found = self.solver.shallow(term.ty());
        let goal = self.solver.shallow(&target);
        let fits = match (&found, &goal) {
            (Ty::Error, _) | (_, Ty::Error) => return Term::error(origin),
            (Ty::Array(..) | Ty::DepArray(..) | Ty::Tuple(_), _) => false,
            (Ty::Vector(_, n), Ty::Vector(_, m)) => self.solver.nat(n) == self.solver.nat(m),
            (Ty::Vector(..), Ty::Scalar(_)) => true,
            (Ty::Scalar(Scalar::Bool), Ty::Scalar(to)) => !to.is_float(),
            (Ty::Scalar(_), Ty::Scalar(to)) => *to != Scalar::Bool,
            (Ty::Scalar(from), Ty::Idx(_)) => from.is_integer(),
            (_, Ty::Scalar(Scalar::Bool)) => false,
            (Ty::Scalar(_) | Ty::Nat | Ty::Idx(_) | Ty::Var(_), Ty::Scalar(_) | Ty::Idx(_) | Ty::Var(_)) => {
                true
            }
            (Ty::Idx(_) | Ty::Nat, Ty::Nat) => return self.coerce_plain(term, &goal, origin),
            _ => false,
        };
        if !fits {
            let message = format!("{} cannot be converted to {}", self.shown(&found), self.shown(&goal));
            let diagnostic = Diagnostic::error(origin, message);
            return self.wrong(match conversion(&self.solver.full(&found), &self.solver.full(&goal)) {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            });
        }
        if matches!(&goal, Ty::Scalar(scalar) if scalar.is_integer()) && self.is_power_of_numbers(&term) {
            let power = self.as_natural(&term).map_or_else(String::new, |nat| format!(" {nat},"));
            let message = format!("a power of numbers,{power} becomes an integer");
            return self.wrong(Diagnostic::error(term.origin(), message).help(WHICH));
        }
        if let Ty::Idx(bound) = &goal {
            let why = self.why(origin, "as");
            self.solver.need(Obligation::Lt(Nat::lit(0), bound.clone()), &why);
        }
        match (term.kind(), &goal) {
            (TermKind::Nat(nat), Ty::Idx(bound)) => {
                return Term::nat(clamped(nat, bound), goal.clone(), origin);
            }
            (TermKind::Nat(nat), _) => self.need_natural(nat, &goal, origin),
            _ => {}
        }
        let result = match (&found, &goal) {
            (Ty::Vector(_, lanes), Ty::Scalar(_)) => Ty::Vector(goal.clone().into(), lanes.clone()),
            _ => goal.clone(),
        };
        Term::new(TermKind::Prim(TPrim::Cast(goal), vec![TArg::Expr(term)]), result, origin)
    }

    /// A natural that becomes a value must not be negative.
    fn need_natural(&mut self, nat: &Nat, goal: &Ty, origin: Origin) {
        if nat.terms().any(|(coeff, _)| coeff < 0) {
            let goal = self.shown(goal);
            let why = self.why(origin, &format!("{CAST}{}", goal.trim_matches('`')));
            self.solver.need(Obligation::Le(Nat::lit(0), nat.clone()), &why);
        }
    }

    fn coerce_plain(&mut self, term: Term, want: &Ty, origin: Origin) -> Term {
        let why = self.why(origin, "as");
        self.coerce(term, want, origin, &why)
    }

    pub(super) fn index(
        &mut self,
        array: &'a ast::Expr,
        index: &'a ast::Expr,
        env: &Env<'a>,
        origin: Origin,
    ) -> Term {
        let value = self.eval(array, env, None);
        let array = self.end_of_pipe(value, array, result_origin(array));
        let (len, element) = match self.solver.shallow(array.ty()) {
            Ty::Error => return Term::error(origin),
            Ty::Array(len, element) => (len, (*element).clone()),
            other => {
                let found = self.shown(&other);
                let message = format!("only arrays can be indexed, found {found}");
                let wrong = Diagnostic::error(origin, message);
                return self.wrong(match other {
                    Ty::Tuple(_) => wrong.help("components of a tuple are `p.0`, `p.1`"),
                    _ => wrong,
                });
            }
        };
        let at = self.place(index.origin);
        let index = self.data(index, env, None);
        let why = self.why(at, "index");
        let index = match self.solver.shallow(index.ty()) {
            Ty::Error => return Term::error(origin),
            Ty::Idx(bound) => self.index_into(index, &bound, &len, &why),
            Ty::Nat => {
                self.hint_mirrored(&index, &len, &why);
                self.coerce(index, &Ty::Idx(len), at, &why)
            }
            Ty::Var(_) if self.solver.class(index.ty()) == Some(Class::Integer) => {
                self.coerce(index, &Ty::Idx(len), at, &why)
            }
            other => {
                let found = self.shown(&other);
                let message = format!("an index is a natural, found {found}");
                let len = self.solver.nat(&len);
                let help = match other {
                    Ty::Scalar(scalar) if scalar.is_float() => advice::element_for_index(env),
                    Ty::Array(..) => "`gather(indices, x)` takes an element for each of them".to_owned(),
                    _ => format!("`as Idx[{len}]` makes an index of an integer; it clamps").replace('_', "n"),
                };
                return self.wrong(Diagnostic::error(at, message).help(help));
            }
        };
        if index.ty().is_error() {
            return Term::error(origin);
        }
        Term::prim(Primitive::Idx, vec![index, array], element, origin)
    }

    /// `x[n - 1 - i]` goes through all of `x` where nothing else says how far `i` goes.
    fn hint_mirrored(&mut self, index: &Term, len: &Nat, why: &Why) {
        let TermKind::Nat(nat) = index.kind() else { return };
        let len = self.solver.nat(len);
        let mirrored = &len - 1 - nat;
        let Some(Range::Below(bound)) = mirrored.as_var().and_then(|var| self.range_of(var)) else { return };
        if self.solver.has_unknown(&bound) {
            self.solver.hints.push(Hint { bound, len, why: why.clone(), mirrored: true });
        }
    }

    /// What is known of an index in scope.
    fn range_of(&self, var: &NatVar) -> Option<Range> {
        let mut scope = std::iter::successors(self.scope.as_deref(), |entry| entry.outer.as_deref());
        scope.find(|entry| entry.var == *var)?.range.clone()
    }

    /// An index of a known range: its range must fit, and decides nothing unless nothing else does.
    fn index_into(&mut self, index: Term, bound: &Nat, len: &Nat, why: &Why) -> Term {
        let (bound, len) = (self.solver.nat(bound), self.solver.nat(len));
        if bound == len {
            return index;
        }
        if self.solver.has_unknown(&bound) {
            let (bound, len, why) = (bound.clone(), len.clone(), why.clone());
            self.solver.hints.push(Hint { bound, len, why, mirrored: false });
        }
        match index.kind() {
            TermKind::Nat(nat) => {
                self.need_index(nat, &len, why);
                Term::nat(nat.clone(), Ty::Idx(len), index.origin())
            }
            _ => {
                self.solver.need(Obligation::Le(bound, len), why);
                index
            }
        }
    }
}

/// What is subtracted in a natural, and the rest.
pub(super) fn signs(nat: &Nat) -> (Nat, Nat) {
    let at_least_0 = Obligation::ge0(nat);
    let (negative, positive) = at_least_0.sides();
    (negative.clone(), positive.clone())
}

/// The natural, brought into the range below the bound; nothing in it is negative.
fn clamped(nat: &Nat, bound: &Nat) -> Nat {
    let (negative, positive) = signs(nat);
    let least = if negative.is_zero() { positive } else { Nat::max(&positive, &negative) - &negative };
    Nat::min(&least, &(bound - 1))
}

/// How to convert where `as` does not.
fn conversion(found: &Ty, goal: &Ty) -> Option<String> {
    if let (Ty::Scalar(from), Ty::Idx(_)) = (found, goal)
        && from.is_float()
    {
        return Some("make an integer of it first: `(x as u32) as Idx[n]`".to_owned());
    }
    let (mut from, mut to, mut depth) = (found, goal, 0);
    while let Ty::Array(_, element) = from {
        (from, depth) = (&**element, depth + 1);
        if let Ty::Array(_, element) = to {
            to = &**element;
        }
    }
    let (Ty::Scalar(from), Ty::Scalar(to)) = (from, to) else { return None };
    let converted = match (from, to) {
        (Scalar::Bool, to) if to.is_float() => "if x { 1.0 } else { 0.0 }".to_owned(),
        (from, Scalar::Bool) if *from != Scalar::Bool => "x != 0".to_owned(),
        _ => format!("x as {to}"),
    };
    Some(match depth {
        0 if *to == Scalar::Bool => format!("compare instead: `{converted}`"),
        0 => format!("choose instead: `{converted}`"),
        1 => format!("convert the elements: `map(|x| {converted})`"),
        2 | 3 => format!("convert the elements: `map{depth}D(|x| {converted})`"),
        _ => return None,
    })
}
