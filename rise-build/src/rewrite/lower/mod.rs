//! The built-in last strategy: every choice that is still open is made sequentially.
//!
//! In: any well-typed kernel. Out: a kernel of the same meaning that stage 4 accepts: maps that are written
//! are loops, what is read is a view or lies in memory. A computed array gets memory where it would
//! otherwise be evaluated more than once an element, bound by a `let` at the outermost place where its
//! variables are known. Between implementation forms that were chosen before, nothing is inserted; so
//! lowering twice is lowering once.
//!
//! Two functions walk the term: `write` for what goes to memory and `read` for what is looked at there.

pub(in crate::rewrite) mod bind;
mod copy;
mod mirror;
mod read;
mod scope;
mod source;
pub(in crate::rewrite) mod uses;
mod write;

#[cfg(test)]
mod tests;

use crate::dpia::functional::Target;
use crate::expr::{AddressSpace, Expr, Kernel, ReduceForm};
use crate::names::Name;
use crate::nat::Facts;

use scope::{Scope, ScopeKind};
use source::Source;

pub use copy::copy;

/// The kernel with every open choice made.
pub fn lower(kernel: &Kernel, target: Target) -> Kernel {
    Kernel { body: lower_body(&kernel.body, target, kernel.facts()), ..kernel.clone() }
}

/// The body of a kernel of which that is known, with every open choice made.
pub fn lower_body(body: &Expr, target: Target, facts: Facts) -> Expr {
    let mut lower = Lower { target, facts, scopes: Vec::new(), sources: Vec::new() };
    lower.within(Scope::new(ScopeKind::Barrier), |lower| lower.write(body))
}

/// The state of the walk.
struct Lower {
    target: Target,
    /// What is known around all binders.
    facts: Facts,
    /// Binders around the current place, outermost first; the first is the kernel.
    scopes: Vec<Scope>,
    /// Variables that do not stand for something stored.
    sources: Vec<(Name, Source)>,
}

/// How often each element of a value is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::rewrite) enum Times {
    Never,
    Once,
    Many,
}

impl Times {
    fn plus(self, other: Times) -> Times {
        match (self, other) {
            (Times::Never, times) | (times, Times::Never) => times,
            _ => Times::Many,
        }
    }

    /// Each of `self` many looks is made `other` many times.
    fn times(self, other: Times) -> Times {
        if self == Times::Never || other == Times::Never { Times::Never } else { self.max(other) }
    }
}

/// The form that an open reduction gets.
fn reduce_form(form: ReduceForm) -> ReduceForm {
    match form {
        ReduceForm::Plain => ReduceForm::Seq(AddressSpace::Default),
        chosen => chosen,
    }
}
