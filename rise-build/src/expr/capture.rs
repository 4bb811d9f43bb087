//! Texts of the variables in scope, so that the printed term means the term.
//!
//! Names are numbers, so two variables in scope may have one text: `map(|x| zip(x, x))` where one `x` is that
//! of an outer function. Where an inner binder would hide what is used under it, it gets a numbered text, and
//! so do the naturals that its variable stands in.

use std::cell::Cell;
use std::fmt;

use crate::names::Name;
use crate::nat::{Nat, NatVar};

use super::primitive::Primitive;
use super::term::{Expr, Kind, Param};
use super::traverse::free_names;

/// The variables in scope, outermost first.
#[derive(Default)]
pub(super) struct Scope {
    shown: Vec<Shown>,
    /// The naturals of variables that have another text than their own.
    renamed: Vec<(NatVar, Nat)>,
}

/// A variable and its text.
pub(super) struct Shown {
    name: Option<Name>,
    nat: Option<NatVar>,
    text: String,
}

impl Scope {
    /// Around a term: what is free in it has its own text.
    pub(super) fn around(expr: &Expr) -> Self {
        let mut scope = Self::default();
        for name in free_names(expr) {
            scope.enter(Shown { text: name.text().to_owned(), name: Some(name), nat: None });
        }
        scope
    }

    /// Of a kernel: its sizes and parameters.
    pub(super) fn of(nats: &[NatVar], params: &[Param]) -> Self {
        let mut scope = Self::default();
        for nat in nats {
            scope.enter(Shown { name: None, nat: Some(nat.clone()), text: nat.text().to_owned() });
        }
        for param in params {
            let text = param.name.text().to_owned();
            scope.enter(Shown { name: Some(param.name.clone()), nat: param.nat.clone(), text });
        }
        scope
    }

    /// A variable that is bound around `body`.
    pub(super) fn shown(&self, param: &Param, body: &Expr) -> Shown {
        let text = self.free_text(param.name.text(), body);
        Shown { name: Some(param.name.clone()), nat: param.nat.clone(), text }
    }

    /// A natural that is bound around `body`.
    pub(super) fn shown_nat(&self, nat: &NatVar, body: &Expr) -> Shown {
        Shown { name: None, nat: Some(nat.clone()), text: self.free_text(nat.text(), body) }
    }

    /// Enters the scope of a variable; gives what [`Scope::leave`] wants to be outside of it.
    pub(super) fn enter(&mut self, shown: Shown) -> usize {
        let outside = self.depth();
        if let Some(nat) = shown.nat.as_ref().filter(|nat| nat.text() != shown.text) {
            self.renamed.push((nat.clone(), Nat::var(&NatVar::new(&shown.text))));
        }
        self.shown.push(shown);
        outside
    }

    /// How many variables are in scope.
    pub(super) fn depth(&self) -> usize {
        self.shown.len()
    }

    /// Leaves the scopes of all variables but the outer ones.
    pub(super) fn leave(&mut self, outside: usize) {
        for gone in self.shown.drain(outside..) {
            if let Some(nat) = gone.nat {
                self.renamed.retain(|(renamed, _)| *renamed != nat);
            }
        }
    }

    /// The text of a variable.
    pub(super) fn text<'s>(&'s self, name: &'s Name) -> &'s str {
        let shown = self.shown.iter().rev().find(|shown| shown.name.as_ref() == Some(name));
        shown.map_or_else(|| name.text(), |shown| &shown.text)
    }

    /// The natural with the texts of its variables here.
    pub(super) fn nat(&self, nat: &Nat) -> Nat {
        if self.renamed.is_empty() { nat.clone() } else { nat.subst_all(&self.renamed) }
    }

    /// The primitive with the texts of its variables here.
    pub(super) fn primitive(&self, primitive: &Primitive) -> Primitive {
        primitive.map_nats(&|nat| self.nat(nat))
    }

    /// The text, or where that would hide what `body` uses, the text with the first number that nothing in scope has.
    fn free_text(&self, text: &str, body: &Expr) -> String {
        let hides = self.shown.iter().any(|outer| outer.text == text && outer.occurs(body));
        if !hides {
            return text.to_owned();
        }
        let numbers = 1..=self.shown.len() + 1;
        let mut candidates = numbers.map(|number| format!("{text}{number}"));
        let free = candidates.find(|candidate| self.shown.iter().all(|shown| shown.text != *candidate));
        free.unwrap_or_default()
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Shown {
    /// Whether the variable stands somewhere in the expression.
    fn occurs(&self, expr: &Expr) -> bool {
        let here = match expr.kind() {
            Kind::Var(name) => self.name.as_ref() == Some(name),
            Kind::Nat(nat) => self.in_nat(nat),
            Kind::Prim(primitive, _) => self.in_primitive(primitive),
            Kind::Let(..) | Kind::Literal(_) => false,
        };
        here || expr.children().into_iter().any(|child| self.occurs(child))
    }

    fn in_nat(&self, nat: &Nat) -> bool {
        self.nat.as_ref().is_some_and(|var| nat.mentions(var))
    }

    fn in_primitive(&self, primitive: &Primitive) -> bool {
        let found = Cell::new(false);
        if self.nat.is_some() {
            let _ = primitive.map_nats(&|nat| {
                found.set(found.get() || self.in_nat(nat));
                nat.clone()
            });
        }
        found.get()
    }
}
