//! Where a term came from: a small copyable handle, and the table behind it.
//!
//! In: spans of tokens (or places of a `.rise` file). Out: [`Origin`] handles that every IR node carries.
//! Invariant: handles compare *equal* whatever they point to, so that derived equality and hashing of IR
//! nodes ignore positions. The table is thread-local and lives as long as the outermost [`Session`]; a handle
//! from an older session answers as [`Origin::NONE`] does.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use proc_macro2::Span;

/// A handle to a range of source text. Comparing two handles always says "equal" (see [`Origin::same`]).
#[derive(Clone, Copy)]
pub struct Origin(u32);

/// A `.rise` file whose items were taken in by `use "path.rise"`.
#[derive(Debug)]
pub struct SourceFile {
    /// The path as the user wrote it.
    pub path: String,
    /// The whole text, for quoting lines.
    pub text: String,
    /// The string literal in the importing program, under which errors of this file are reported.
    pub import: Origin,
}

/// A range inside a [`SourceFile`]; lines and columns count from 1, columns in characters.
#[derive(Clone, Debug)]
pub struct FilePlace {
    /// The file.
    pub file: Arc<SourceFile>,
    /// Line of the first character.
    pub line: usize,
    /// Column of the first character.
    pub column: usize,
    /// Line of the last token's end.
    pub end_line: usize,
    /// Column just past the last character.
    pub end_column: usize,
}

/// What a handle stands for.
#[derive(Clone, Debug)]
pub enum Place {
    /// Made by the compiler.
    None,
    /// Tokens of the macro call: the spans of the first and the last one.
    Tokens(Span, Span),
    /// Text of an imported file.
    File(FilePlace),
}

thread_local! {
    static TABLE: RefCell<Vec<Place>> = const { RefCell::new(Vec::new()) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Keeps the table of origins alive; the outermost session of a thread clears it at start and end.
#[must_use = "origins are forgotten when the session is dropped"]
pub struct Session(());

impl Session {
    /// Begins a session, or joins the one that runs.
    pub fn start() -> Self {
        if DEPTH.replace(DEPTH.get() + 1) == 0 {
            TABLE.with_borrow_mut(Vec::clear);
        }
        Session(())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
        if DEPTH.get() == 0 {
            TABLE.with_borrow_mut(Vec::clear);
        }
    }
}

impl Origin {
    /// No place: a term made by the compiler itself.
    pub const NONE: Origin = Origin(0);

    /// The range from the token at `first` to the token at `last`.
    pub fn tokens(first: Span, last: Span) -> Self {
        Self::store(Place::Tokens(first, last))
    }

    /// A range of an imported file.
    pub fn file(place: FilePlace) -> Self {
        Self::store(Place::File(place))
    }

    fn store(place: Place) -> Self {
        TABLE.with_borrow_mut(|table| {
            table.push(place);
            Origin(u32::try_from(table.len()).unwrap_or(0))
        })
    }

    /// What the handle stands for.
    pub fn place(self) -> Place {
        let index = (self.0 as usize).wrapping_sub(1);
        TABLE.with_borrow(|table| table.get(index).cloned()).unwrap_or(Place::None)
    }

    /// The range from the start of `self` to the end of `last`; either one where the other is unknown.
    pub fn to(self, last: Origin) -> Origin {
        if self.same(last) || last.is_none() {
            return self;
        }
        match (self.place(), last.place()) {
            (Place::Tokens(a, _), Place::Tokens(_, b)) => Self::tokens(a, b),
            (Place::File(a), Place::File(b)) if Arc::ptr_eq(&a.file, &b.file) => {
                Self::file(FilePlace { end_line: b.end_line, end_column: b.end_column, ..a })
            }
            (Place::None, _) => last,
            _ => self,
        }
    }

    /// Whether both handles are one, which `==` does not tell.
    pub fn same(self, other: Origin) -> bool {
        self.0 == other.0
    }

    /// Whether this is [`Origin::NONE`].
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The spans of the first and last token; for a file, those of the string that imports it.
    pub fn spans(self) -> (Span, Span) {
        match self.place() {
            Place::None => (Span::call_site(), Span::call_site()),
            Place::Tokens(first, last) => (first, last),
            Place::File(place) => place.file.import.spans(),
        }
    }

    /// The span of the first token: the one to give to an identifier that the user wrote.
    pub fn span(self) -> Span {
        self.spans().0
    }
}

impl Default for Origin {
    fn default() -> Self {
        Origin::NONE
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Origin {}

impl Hash for Origin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl PartialOrd for Origin {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Origin {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("@")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_equal_but_not_the_same() {
        let _session = Session::start();
        let (a, b) = (Origin::tokens(Span::call_site(), Span::call_site()), Origin::NONE);
        assert!(a == b && !a.same(b) && a.same(a) && b.is_none());
    }

    #[test]
    fn a_range_goes_from_first_to_last() {
        let _session = Session::start();
        let tokens: proc_macro2::TokenStream = "a b c".parse().unwrap();
        let spans: Vec<Span> = tokens.into_iter().map(|tree| tree.span()).collect();
        let at = |index: usize| Origin::tokens(spans[index], spans[index]);
        let (first, last) = at(0).to(at(2)).spans();
        assert_eq!((first.start().column, last.start().column), (0, 4));
        assert!(Origin::NONE.to(Origin::NONE).is_none());
        assert_eq!(Origin::NONE.to(at(1)).span().start().column, 2);
        assert_eq!(at(1).to(Origin::NONE).span().start().column, 2);
    }

    #[test]
    fn the_outermost_session_forgets() {
        let outer = Session::start();
        let origin = Origin::tokens(Span::call_site(), Span::call_site());
        drop(Session::start());
        assert!(matches!(origin.place(), Place::Tokens(..)));
        drop(outer);
        assert!(matches!(origin.place(), Place::None));
    }
}
