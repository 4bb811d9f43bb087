//! The built-in last strategy: every choice that is still open is made sequentially.
//!
//! In: any well-typed kernel. Out: a kernel of the same meaning that stage 4 accepts: maps that are written
//! are loops, what is read is a view or lies in memory. A computed array gets memory where it would
//! otherwise be evaluated more than once an element, bound by a `let` at the outermost place where its
//! variables are known. Between implementation forms that were chosen before, nothing is inserted; so
//! lowering twice is lowering once.
//!
//! Two functions walk the term: `write` for what goes to memory and `read` for what is looked at there.
//!
//! On a device maps can be shared out only where there are maps: [`open_body`] gives the loops that lowering would
//! make outside of all functions as maps that are still open, and so do the functions of those for what they write.

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
use crate::expr::{AddressSpace, Expr, Kernel, MapForm, ReduceForm, ScanForm};
use crate::names::Name;
use crate::nat::Facts;

use scope::{Scope, ScopeKind};
use source::Source;

pub use copy::copy;
use copy::copy_by;

/// The kernel with every open choice made.
pub fn lower(kernel: &Kernel, target: Target) -> Kernel {
    Kernel { body: lower_body(&kernel.body, target, kernel.facts()), ..kernel.clone() }
}

/// The body of a kernel of which that is known, with every open choice made.
pub fn lower_body(body: &Expr, target: Target, facts: Facts) -> Expr {
    within_kernel(body, target, facts, Choices::Made)
}

/// The body of a kernel for a device of which that is known, where each loop that lowering would make outside of the
/// functions of others is an open map, and what it would store there is stored. Lowered, it means the same.
pub fn open_body(body: &Expr, facts: Facts) -> Expr {
    within_kernel(body, Target::OpenCl, facts, Choices::Open)
}

fn within_kernel(body: &Expr, target: Target, facts: Facts, choices: Choices) -> Expr {
    let mut lower = Lower { target, facts, choices, scopes: Vec::new(), sources: Vec::new() };
    lower.within(Scope::new(ScopeKind::Barrier), |lower| lower.write(body))
}

/// What becomes of choices that are open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choices {
    /// They are made.
    Made,
    /// They stay open, but loops and memory are written down.
    Open,
    /// The same inside the function of a map, where nothing is stored.
    Inside,
}

/// The state of the walk.
struct Lower {
    target: Target,
    /// What is known around all binders.
    facts: Facts,
    choices: Choices,
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

impl Lower {
    fn makes_choices(&self) -> bool {
        self.choices == Choices::Made
    }

    /// The form that an open map gets.
    fn loop_form(&self, form: MapForm) -> MapForm {
        match form {
            MapForm::Plain if self.makes_choices() => MapForm::Seq,
            form => form,
        }
    }

    /// The form that an open reduction gets.
    fn reduce_form(&self, form: ReduceForm) -> ReduceForm {
        match form {
            ReduceForm::Plain if self.makes_choices() => ReduceForm::Seq(AddressSpace::Default),
            form => form,
        }
    }

    /// The form that an open scan gets.
    fn scan_form(&self, form: ScanForm) -> ScanForm {
        if self.makes_choices() { ScanForm::Seq } else { form }
    }

    /// A value that is written from one that is read.
    fn copy(&self, expr: Expr) -> Expr {
        copy_by(self.loop_form(MapForm::Plain), expr)
    }
}
