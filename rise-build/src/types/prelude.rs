//! The prelude: helpers written in RISE, which ship with the compiler.
//!
//! A helper is read when its name is first used. Its places mean nothing to a user: mistakes that show inside
//! are reported where the helper is used.

use std::cell::OnceCell;

use crate::syntax::{ast, parse_str};

/// The text of the prelude; every helper begins at the start of a line.
const TEXT: &str = include_str!("../prelude.rise");

/// The helpers of the prelude, read on demand.
pub(super) struct Prelude {
    entries: Vec<Entry>,
}

struct Entry {
    name: &'static str,
    text: &'static str,
    item: OnceCell<Option<ast::Kernel>>,
}

impl Prelude {
    pub(super) fn new() -> Self {
        let starts: Vec<usize> =
            TEXT.match_indices("\nfn ").map(|(at, _)| at + 1).chain(std::iter::once(TEXT.len())).collect();
        let entries = starts
            .windows(2)
            .map(|window| {
                let text = &TEXT[window[0]..window[1]];
                let name = text[3..].split(['<', '(']).next().unwrap_or_default();
                Entry { name, text, item: OnceCell::new() }
            })
            .collect();
        Prelude { entries }
    }

    /// The helper of that name.
    pub(super) fn get(&self, name: &str) -> Option<&ast::Kernel> {
        let entry = self.entries.iter().find(|entry| entry.name == name)?;
        entry.item.get_or_init(|| read(entry.text)).as_ref()
    }

    /// The names of all helpers.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name)
    }
}

fn read(text: &str) -> Option<ast::Kernel> {
    // What stands between two helpers is documentation of the second.
    let code: String = text.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n");
    let (module, _) = parse_str(&code);
    module.items.into_iter().find_map(|item| match item {
        ast::Item::Kernel(kernel) => Some(kernel),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_helper_can_be_read() {
        let prelude = Prelude::new();
        let names: Vec<&str> = prelude.names().collect();
        assert!(names.contains(&"sum") && names.contains(&"slide3D"));
        for name in names {
            let (module, diagnostics) =
                parse_str(prelude.entries.iter().find(|e| e.name == name).map_or("", |e| e.text));
            assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
            assert_eq!(module.items.len(), 1, "{name}");
            assert!(prelude.get(name).is_some_and(|item| item.name.as_str() == name), "{name}");
        }
    }
}
