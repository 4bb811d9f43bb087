//! Work has to be spread over the same dimensions everywhere: where a kernel shares out work-items in a
//! dimension at one place, a place that does not would be computed by all of them.

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::expr::AddressSpace;

use super::super::{Kind, LoopForm, Phrase};
use super::{form, is_parallel};

/// The dimensions that the loops around a written value share out.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Chain {
    global: [bool; 3],
    groups: [bool; 3],
    local: [bool; 3],
}

impl Chain {
    fn with(mut self, form: LoopForm) -> Self {
        match form {
            LoopForm::Global(d) => self.global[usize::from(d)] = true,
            LoopForm::WorkGroup(d) => self.groups[usize::from(d)] = true,
            LoopForm::Local(d) => self.local[usize::from(d)] = true,
            LoopForm::Seq | LoopForm::Unroll | LoopForm::Vec | LoopForm::Par | LoopForm::Stream => {}
        }
        self
    }
}

/// Reports chains that disagree; all forms are ones of OpenCL. Each outermost parallel loop is a launch of its
/// own, with work-items of its own.
pub(super) fn check(body: &Phrase, diagnostics: &mut Diagnostics) {
    if form(body).is_some_and(is_parallel) {
        let mut found = Vec::new();
        collect(body, Chain::default(), &mut found);
        return agree(&found, diagnostics);
    }
    body.for_each_child(&mut |child, _| check(child, diagnostics));
}

fn agree(found: &[(Chain, Origin)], diagnostics: &mut Diagnostics) {
    for (chain, origin) in found {
        if chain.groups != chain.local {
            let help = "put a `mapLocal` of the same dimension inside the `mapWorkGroup`";
            let message = "this is computed by every work-item of the group";
            let diagnostic = Diagnostic::error(*origin, message).help(help);
            return diagnostics.push(match origin.is_none() {
                true => diagnostic.help("the strategy made it: what a cut loop leaves over, `'l.rest`, is mapped by steps of its own"),
                false => diagnostic,
            });
        }
    }
    if let Some((first, other)) = found.iter().find_map(|other| {
        let first = found.first()?;
        (first.0 != other.0).then_some((first, other))
    }) {
        let message = "this is spread over other dimensions of work-items than the rest of the kernel";
        let diagnostic = Diagnostic::error(other.1, message).label(first.1, "compare with this");
        diagnostics.push(diagnostic.help("use the same dimensions everywhere"));
    }
}

/// The chains of all values that a loop writes one by one into shared memory.
fn collect(phrase: &Phrase, chain: Chain, found: &mut Vec<(Chain, Origin)>) {
    if matches!(phrase.kind, Kind::ToMem(AddressSpace::Private, _)) {
        // Each work-item has its own copy.
        return;
    }
    let inner = form(phrase).map_or(chain, |form| chain.with(form));
    if let Kind::Map(_, fun, _) = &phrase.kind
        && fun.body.ty.is_small()
    {
        found.push((inner, phrase.origin));
    }
    phrase.for_each_child(&mut |child, in_function| {
        collect(child, if in_function { inner } else { chain }, found);
    });
}
