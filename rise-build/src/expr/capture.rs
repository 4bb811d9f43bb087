//! Names that must be printed differently for the text to mean the term.
//!
//! Names are numbers, so two variables in scope may have one text: `map(|x| zip(x, x))` where one `x` is that
//! of an outer function. Where an inner binder hides an outer variable that is used inside, the inner one gets
//! a numbered text.

use crate::names::Name;

use super::term::{Arg, Expr, Kind, Param};

/// The inner binders that hide what is used under them, each with another text.
pub(super) fn hiding(params: &[Param], expr: &Expr) -> Vec<(Name, String)> {
    let mut scope = Scope { bound: Vec::new(), hiding: Vec::new() };
    scope.bound.extend(params.iter().map(|param| param.name.clone()));
    scope.expr(expr);
    scope.hiding
}

struct Scope {
    bound: Vec<Name>,
    hiding: Vec<(Name, String)>,
}

impl Scope {
    fn expr(&mut self, expr: &Expr) {
        match expr.kind() {
            Kind::Var(name) => self.used(name),
            Kind::Literal(_) | Kind::Nat(_) => {}
            Kind::Let(param, value, body) => {
                self.expr(value);
                self.under(std::slice::from_ref(param), body);
            }
            Kind::Prim(_, args) => {
                for arg in args {
                    match arg {
                        Arg::Expr(expr) => self.expr(expr),
                        Arg::Fun(lambda) => self.under(&lambda.params, &lambda.body),
                    }
                }
            }
        }
    }

    fn under(&mut self, params: &[Param], body: &Expr) {
        let depth = self.bound.len();
        self.bound.extend(params.iter().map(|param| param.name.clone()));
        self.expr(body);
        self.bound.truncate(depth);
    }

    fn used(&mut self, name: &Name) {
        let Some(at) = self.bound.iter().rposition(|bound| bound == name) else { return };
        for position in at + 1..self.bound.len() {
            let inner = &self.bound[position];
            if inner.text() != name.text() || self.hiding.iter().any(|(known, _)| known == inner) {
                continue;
            }
            let text = self.free_text(inner.text());
            self.hiding.push((inner.clone(), text));
        }
    }

    /// The text with the first number that nothing in scope has.
    fn free_text(&self, text: &str) -> String {
        let taken = |candidate: &str| {
            self.bound.iter().any(|bound| bound.text() == candidate)
                || self.hiding.iter().any(|(hiding, text)| text == candidate && self.bound.contains(hiding))
        };
        let numbers = 1..=self.bound.len() + self.hiding.len() + 1;
        numbers
            .map(|number| format!("{text}{number}"))
            .find(|candidate| !taken(candidate))
            .unwrap_or_default()
    }
}
