//! Which mappings a target can run, and which compositions of parallel loops are right ("Mapping
//! Parallelism in a Functional IR", section 4).
//!
//! In: a kernel in phrases and its target. Out: one message for each broken rule of [`rules::RULES`], at
//! the phrase that breaks it, for work that is not spread over the same work-items everywhere, and for vectors
//! whose lanes are apart.
//! Nothing is changed.

mod chains;
mod rules;
mod vectors;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::AddressSpace;

use super::{Kernel, Kind, LoopForm, Phrase, Target};

/// Reports every rule that the kernel breaks.
pub fn check(kernel: &Kernel, target: Target, diagnostics: &mut Diagnostics) {
    let mut walk = Walk { target, nest: Vec::new(), diagnostics };
    walk.phrase(&kernel.body);
    if target == Target::OpenCl && diagnostics.is_empty() {
        chains::check(&kernel.body, diagnostics);
        vectors::check(&kernel.body, &kernel.params, diagnostics);
    }
}

/// Where a phrase stands.
struct Place<'a> {
    target: Target,
    /// The loops around it, outermost first.
    nest: &'a [LoopForm],
}

impl Place<'_> {
    fn inside(&self, holds: impl Fn(LoopForm) -> bool) -> bool {
        self.nest.iter().any(|form| holds(*form))
    }
}

/// How a phrase runs, if it is a loop.
fn form(phrase: &Phrase) -> Option<LoopForm> {
    match &phrase.kind {
        Kind::Map(form, ..) | Kind::DepMap(form, ..) | Kind::Reduce { form, .. } => Some(*form),
        _ => None,
    }
}

/// Where a phrase allocates, if it holds arrays.
fn space(phrase: &Phrase) -> Option<AddressSpace> {
    match &phrase.kind {
        Kind::ToMem(space, _) | Kind::Reduce { space, .. } => Some(*space),
        _ => None,
    }
}

/// How often a loop runs.
fn length(phrase: &Phrase) -> Option<&crate::nat::Nat> {
    match &phrase.kind {
        Kind::Map(_, _, array) | Kind::Reduce { array, .. } => array.ty.as_array().map(|(len, _)| len),
        _ => None,
    }
}

/// Whether several threads run the iterations.
fn is_parallel(form: LoopForm) -> bool {
    use LoopForm::*;
    matches!(form, Par | Global(_) | WorkGroup(_) | Local(_))
}

fn loop_name(form: LoopForm) -> String {
    match form {
        LoopForm::Seq | LoopForm::Unroll | LoopForm::Vec | LoopForm::Stream => "a loop".into(),
        LoopForm::Par => "mapPar".into(),
        LoopForm::Global(d) => format!("mapGlobal({d})"),
        LoopForm::WorkGroup(d) => format!("mapWorkGroup({d})"),
        LoopForm::Local(d) => format!("mapLocal({d})"),
    }
}

struct Walk<'a> {
    target: Target,
    nest: Vec<LoopForm>,
    diagnostics: &'a mut Diagnostics,
}

impl Walk<'_> {
    fn phrase(&mut self, phrase: &Phrase) {
        let place = Place { target: self.target, nest: &self.nest };
        if let Some(rule) = rules::RULES.iter().find(|rule| (rule.broken)(phrase, &place)) {
            let reason = (rule.reason)(phrase, &place);
            self.diagnostics.push(Diagnostic::error(phrase.origin, reason).help(rule.help));
        }
        let depth = self.nest.len();
        let inner = form(phrase);
        phrase.for_each_child(&mut |child, in_function| {
            if in_function {
                self.nest.extend(inner);
            }
            self.phrase(child);
            self.nest.truncate(depth);
        });
    }
}
