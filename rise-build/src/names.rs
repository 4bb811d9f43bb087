//! Identifiers of the intermediate forms: a text for the reader and a number that tells names apart.
//!
//! Two names are equal exactly if their numbers are; so substitution never captures as long as every
//! binder that is copied is renamed.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::nat::NatVar;

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(0) };
}

/// A value variable.
#[derive(Clone)]
pub struct Name {
    text: Arc<str>,
    id: u32,
}

impl Name {
    /// A name that differs from all others, shown as `text`.
    pub fn fresh(text: &str) -> Self {
        Self { text: Arc::from(text), id: next() }
    }

    /// Another name with the same text.
    #[must_use]
    pub fn refresh(&self) -> Self {
        Self { text: self.text.clone(), id: next() }
    }

    /// What the user wrote.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number; it orders names by creation and must not reach any output.
    pub fn id(&self) -> u32 {
        self.id
    }
}

fn next() -> u32 {
    NEXT.with(|next| next.replace(next.get() + 1))
}

/// Where the numbers of new names and of new naturals go on: those of a thread from those of another, which did what
/// comes before.
#[derive(Clone, Copy, Default)]
pub struct Numbers {
    names: u32,
    nats: u32,
}

impl Numbers {
    /// After all that this thread gave.
    pub fn given() -> Self {
        Self { names: NEXT.get(), nats: NatVar::given() }
    }

    /// After those of both.
    #[must_use]
    pub fn after(self, other: Self) -> Self {
        Self { names: self.names.max(other.names), nats: self.nats.max(other.nats) }
    }

    /// This thread goes on here.
    pub fn go_on(self) {
        NEXT.set(self.names);
        NatVar::go_on(self.nats);
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id.cmp(&other.id)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.text, self.id)
    }
}

/// A place that the user named: `'rows`, and after rewriting `'rows.outer`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(Arc<str>);

impl Label {
    /// The label `'text`.
    pub fn new(text: &str) -> Self {
        Self(Arc::from(text))
    }

    /// `'rows` and `"outer"` give `'rows.outer`.
    #[must_use]
    pub fn part(&self, part: &str) -> Self {
        Self(Arc::from(format!("{}.{part}", self.0)))
    }

    /// The text without the tick.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}", self.0)
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
