//! Primitives whose types speak of functions of naturals: `iterate` and the dependent arrays.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Origin};
use crate::expr::StaticArg;
use crate::nat::{Nat, NatVar};

use super::advice;
use super::elaborate::Infer;
use super::primitive::Application;
use super::solver::Range;
use super::term::{TArg, TPrim, Term, TermKind};
use super::ty::Ty;

impl<'a> Infer<'a> {
    /// A dependent primitive with all its arguments.
    pub(super) fn dependent(&mut self, app: &Application<'a, '_>) -> Term {
        match app.row.names[0] {
            "iterate" => self.iterate(app),
            "partition" => self.partition(app),
            "depZip" => self.dep_zip(app),
            "depJoin" => self.dep_join(app),
            _ => self.dep_map(app),
        }
    }

    fn finish_dependent(app: &Application<'a, '_>, args: Vec<TArg>, ty: Ty) -> Term {
        Term::new(TermKind::Prim(TPrim::Row(app.row, app.statics.clone()), args), ty, app.why.origin)
    }

    /// A step takes any length or, where it speaks of other arrays, that of its own array alone.
    fn iterate(&mut self, app: &Application<'a, '_>) -> Term {
        let [StaticArg::Nat(times)] = &*app.statics else { return Term::error(app.why.origin) };
        let element = self.fresh_any();
        let len = self.solver.fresh_nat(&app.why.rule, app.why.origin);
        let xs = self.operand(app, 1, &Ty::array(len.clone(), element.clone()));
        if xs.ty().is_error() {
            return xs;
        }
        let (before, mistakes) = (self.state(), self.mistakes());
        let array = (&len, &element);
        let (general, steps) = self.steps_of_any_length(app, times, array, xs.clone());
        let wrong = self.mistakes() > mistakes;
        if self.aborted || general && !wrong {
            return steps;
        }
        let after = self.back_to(before);
        let ty = Ty::array(len, element);
        let f = self.function(app, 0, &[], std::slice::from_ref(&ty), &ty);
        if wrong && self.mistakes() > mistakes {
            self.back_to(after);
            return steps;
        }
        Self::finish_dependent(app, vec![TArg::Fun(f), TArg::Expr(xs)], ty)
    }

    /// `f` takes `l * b` elements to `l`; `b` is found by elaborating `f` for a length that nobody knows. Whether that
    /// tells it, the same for each `l`.
    fn steps_of_any_length(
        &mut self,
        app: &Application<'a, '_>,
        times: &Nat,
        (len, element): (&Nat, &Ty),
        xs: Term,
    ) -> (bool, Term) {
        let l = NatVar::new("l");
        let factor =
            self.solver.fresh_nat(&"the factor by which `iterate` shrinks the array".into(), app.why.origin);
        let result = self.solver.fresh_nat(&app.why.rule, app.why.origin);
        let input = Ty::array(Nat::var(&l) * &factor, element.clone());
        let output = Ty::array(Nat::var(&l), element.clone());
        let range = Range::Step { least: result.clone(), most: len.clone(), factor: factor.clone() };
        let f = self.function(app, 0, &[(l.clone(), range)], &[input], &output);
        let factor = self.solver.nat(&factor);
        let known = !self.solver.has_unknown(&factor);
        let general = known && !factor.vars().contains(&l);
        if known {
            let whole = &result * factor.pow(times);
            let agree = self.solver.equate(len, &whole, &app.why);
            if agree.is_err() {
                let len = self.solver.nat(len);
                let message = format!(
                    "`{}` needs a length that is a multiple of {}, found {len}",
                    app.why.rule,
                    factor.pow(times)
                );
                return (general, self.wrong(Diagnostic::error(app.why.origin, message)));
            }
        }
        let ty = Ty::array(result, element.clone());
        (general, Self::finish_dependent(app, vec![TArg::Fun(f), TArg::Expr(xs)], ty))
    }

    fn partition(&mut self, app: &Application<'a, '_>) -> Term {
        let [StaticArg::Nat(parts), StaticArg::NatFun(lengths)] = &*app.statics else {
            return Term::error(app.why.origin);
        };
        let element = self.fresh_any();
        let total = Nat::sum(&lengths.var, &Nat::lit(0), parts, &lengths.body);
        let xs = self.operand(app, 0, &Ty::array(total, element.clone()));
        let part = Ty::array(lengths.body.clone(), element);
        let ty = Ty::DepArray(parts.clone(), lengths.var.clone(), Arc::new(part));
        Self::finish_dependent(app, vec![TArg::Expr(xs)], ty)
    }

    fn dep_map(&mut self, app: &Application<'a, '_>) -> Term {
        let Some((xs, n, i, element)) = self.dep_operand(app, 1) else { return Term::error(app.why.origin) };
        let j = NatVar::new(i.text());
        let input = self.solver.full(&element).map_nats(&|nat| nat.subst(&i, &Nat::var(&j)));
        let output = self.fresh_any();
        let f = self.function(app, 0, &[(j.clone(), Range::Below(n.clone()))], &[input], &output);
        let ty = Ty::DepArray(n, j, Arc::new(output));
        Self::finish_dependent(app, vec![TArg::Fun(f), TArg::Expr(xs)], ty)
    }

    fn dep_zip(&mut self, app: &Application<'a, '_>) -> Term {
        let (Some((xs, n, i, s)), Some((ys, m, j, t))) = (self.dep_operand(app, 0), self.dep_operand(app, 1))
        else {
            return Term::error(app.why.origin);
        };
        if self.solver.equate(&n, &m, &app.why).is_err() {
            let (n, m) = (self.solver.nat(&n), self.solver.nat(&m));
            let message = format!("`depZip` needs arrays of one length, found {n} and {m}");
            return self.wrong(Diagnostic::error(app.why.origin, message));
        }
        let t = self.solver.full(&t).map_nats(&|nat| nat.subst(&j, &Nat::var(&i)));
        let ty = Ty::DepArray(n, i, Arc::new(Ty::pair((*s).clone(), t)));
        Self::finish_dependent(app, vec![TArg::Expr(xs), TArg::Expr(ys)], ty)
    }

    fn dep_join(&mut self, app: &Application<'a, '_>) -> Term {
        let Some((xs, n, i, element)) = self.dep_operand(app, 0) else { return Term::error(app.why.origin) };
        let Ty::Array(len, t) = self.solver.full(&element) else {
            let found = self.solver.full(&element);
            let message = format!("`depJoin` needs arrays as elements, found `{found}`");
            return self.wrong(Diagnostic::error(app.why.origin, message));
        };
        if let Some(diagnostic) = self.open_length(&i, &len) {
            return self.wrong(diagnostic);
        }
        let len = self.solver.nat(&len);
        let ty = Ty::array(Nat::sum(&i, &Nat::lit(0), &n, &len), (*t).clone());
        Self::finish_dependent(app, vec![TArg::Expr(xs)], ty)
    }

    /// A length that the function of each row leaves open. Behind a `depJoin` only the sum of all lengths decides it,
    /// which would make them equal.
    fn open_length(&mut self, i: &NatVar, len: &Nat) -> Option<Diagnostic> {
        let inside = |var: &NatVar| var.id() > i.id();
        self.solver.use_hints_of(&inside);
        let len = self.solver.nat(len);
        let open = len.vars().into_iter().find(|var| inside(var) && self.solver.is_unknown(var))?;
        let (origin, what) = self.solver.unknown(&open)?;
        let message = format!("{} cannot be determined", advice::length_of(&what));
        let help = match &*what {
            "generate" => format!(
                "rows may differ in length; where it depends on the row `{i}`, give the range: `|k: Idx[{i} + 1]|`"
            ),
            _ => "rows may differ in length, so that the function of a row has to tell it".to_owned(),
        };
        Some(Diagnostic::error(origin, message).help(help))
    }

    /// An argument that must be a dependent array.
    fn dep_operand(
        &mut self,
        app: &Application<'a, '_>,
        position: usize,
    ) -> Option<(Term, Nat, NatVar, Arc<Ty>)> {
        let arg = &app.args[position];
        let value = self.argument(arg, None);
        let term = self.expect_data(value, arg.origin());
        match self.solver.shallow(term.ty()) {
            Ty::DepArray(n, i, element) => Some((term, n, i, element)),
            Ty::Error => None,
            other => {
                let found = self.solver.full(&other);
                let who = self.subject(app.row.names[0]);
                let message = format!("`{who}` needs a dependent array, found `{found}`");
                let at = self.dep_place(arg.origin(), app.why.origin);
                self.report(Diagnostic::error(at, message).help("`partition(m, |i| …)` makes one"));
                None
            }
        }
    }

    fn dep_place(&self, arg: Origin, whole: Origin) -> Origin {
        if arg.is_none() { whole } else { self.place(arg) }
    }
}
