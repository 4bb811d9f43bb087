//! How often a function uses its parameter, component by component.

use crate::dpia::functional::{Kind, Phrase};
use crate::names::Name;

/// The uses of one variable.
#[derive(Default)]
pub(super) struct Uses {
    /// Path of components, and how often: once or more often.
    found: Vec<(Vec<usize>, u32)>,
}

impl Uses {
    /// Those in a phrase; what stands in a function may run any number of times.
    pub(super) fn of(name: &Name, phrase: &Phrase) -> Self {
        let mut uses = Self::default();
        uses.collect(name, phrase, 1);
        uses
    }

    fn collect(&mut self, name: &Name, phrase: &Phrase, weight: u32) {
        if let Some(path) = path_to(name, phrase) {
            self.found.push((path, weight));
            return;
        }
        phrase.for_each_child(&mut |child, in_function| {
            self.collect(name, child, if in_function { 2 } else { weight });
        });
    }

    /// How often the component at `path`, or a part of it, or what it is part of, is used.
    pub(super) fn count(&self, path: &[usize]) -> u32 {
        let related = |found: &[usize]| found.iter().zip(path).all(|(a, b)| a == b);
        self.found.iter().filter(|(found, _)| related(found)).map(|(_, weight)| weight).sum()
    }
}

/// `x.1.0` as `[1, 0]`
fn path_to(name: &Name, phrase: &Phrase) -> Option<Vec<usize>> {
    match &phrase.kind {
        Kind::Var(other) if other == name => Some(Vec::new()),
        Kind::Proj(position, inner) => {
            let mut path = path_to(name, inner)?;
            path.push(*position);
            Some(path)
        }
        _ => None,
    }
}
