//! Identifiers for the names of the loop language, each unique within a kernel.

use std::collections::BTreeMap;

use crate::loops::BufferId;
use crate::names::Name;
use crate::nat::NatVar;
use crate::table::Table;
use crate::types::Scalar;

/// What identifiers stand for.
#[derive(Clone, Copy)]
enum What {
    Value,
    Nat,
    /// A natural that a sum binds: these have numbers of their own.
    Bound,
    Buffer,
    Slice,
}

/// An identifier that ends with the function in which it was given.
struct Local {
    ident: String,
    /// What it is without its number, and what was the greatest number before.
    base: String,
    last: Option<u32>,
}

/// The identifiers given so far.
pub struct Names {
    /// Those of each kind of what they stand for, by its number.
    given: [Table<String>; 5],
    /// The identifiers that are taken, each with the greatest number that was put behind it.
    taken: BTreeMap<String, u32>,
    /// The identifiers of registers and naturals in the order in which they were given.
    locals: Vec<Local>,
    ascii: bool,
    no_constants: bool,
}

impl Names {
    /// None given but words that no local may be called.
    pub fn new(reserved: &[&[&str]]) -> Self {
        let words = reserved.iter().flat_map(|words| words.iter());
        let taken = words.map(|word| ((*word).to_owned(), 1)).collect();
        Self { given: Default::default(), taken, locals: Vec::new(), ascii: false, no_constants: false }
    }

    /// Identifiers that begin with no capital letter: a binding called `N` is a pattern where the user's
    /// module has a constant of that name.
    #[must_use]
    pub fn no_constants(mut self) -> Self {
        self.no_constants = true;
        self
    }

    /// Identifiers of plain letters, which are no names of types or helpers (`f32x4_add`) either.
    #[must_use]
    pub fn ascii(mut self) -> Self {
        self.ascii = true;
        self
    }

    /// The identifier of a register or parameter.
    pub fn value(&mut self, name: &Name) -> String {
        self.give(What::Value, name.id(), name.text())
    }

    /// The identifier of a natural.
    pub fn nat(&mut self, var: &NatVar) -> String {
        match var.bound_level() {
            Some(level) => self.give(What::Bound, level, var.text()),
            None => self.give(What::Nat, var.id(), var.text()),
        }
    }

    /// The identifier of the pointer to a buffer.
    pub fn buffer(&mut self, id: BufferId, text: &str) -> String {
        self.give(What::Buffer, id.0, text)
    }

    /// The identifier of the slice that a buffer is.
    pub fn slice(&mut self, id: BufferId, text: &str) -> String {
        self.give(What::Slice, id.0, text)
    }

    /// How many registers and naturals have identifiers, when a function begins.
    pub fn begin(&self) -> usize {
        self.locals.len()
    }

    /// What registers and naturals have been called since is free again: the function that began then has ended, and
    /// nothing that it declares is in scope.
    pub fn end(&mut self, begin: usize) {
        for Local { ident, base, last } in self.locals.drain(begin..).rev() {
            self.taken.remove(&ident);
            match last {
                Some(last) => drop(self.taken.insert(base, last)),
                None => drop(self.taken.remove(&base)),
            }
        }
    }

    /// An identifier for nothing that has a name, to the end of the function.
    pub fn local(&mut self, text: &str) -> String {
        let base = self.base(text);
        let last = self.taken.get(&base).copied();
        let ident = self.fresh(text);
        self.locals.push(Local { ident: ident.clone(), base, last });
        ident
    }

    /// An identifier for nothing that has a name.
    pub fn fresh(&mut self, text: &str) -> String {
        let base = self.base(text);
        let Some(last) = self.taken.get(&base).copied() else {
            self.taken.insert(base.clone(), 1);
            return base;
        };
        let numbered = (last + 1..).map(|count| (count, format!("{base}_{count}")));
        let mut free = numbered.filter(|(_, ident)| !self.taken.contains_key(ident));
        let (count, ident) = free.next().unwrap_or_default();
        self.taken.insert(base, count);
        self.taken.insert(ident.clone(), 1);
        ident
    }

    fn base(&self, text: &str) -> String {
        let base = if self.ascii { plain(&sanitize(text)) } else { sanitize(text) };
        match self.no_constants && base.starts_with(char::is_uppercase) {
            true => format!("v_{base}"),
            false => base,
        }
    }

    fn give(&mut self, what: What, id: u32, text: &str) -> String {
        if let Some(ident) = self.given[what as usize].get(id) {
            return ident.clone();
        }
        let ident = match what {
            What::Value | What::Nat => self.local(text),
            What::Bound | What::Buffer | What::Slice => self.fresh(text),
        };
        *self.given[what as usize].place(id) = Some(ident.clone());
        ident
    }
}

/// The text with everything that no identifier may hold replaced.
fn sanitize(text: &str) -> String {
    let text = text.strip_prefix("r#").unwrap_or(text);
    let fits = |c: char| c.is_alphanumeric() || c == '_';
    let mut ident = text.replace(|c| !fits(c), "_");
    if ident.chars().next().is_none_or(|first| first.is_numeric()) {
        ident.insert(0, 'v');
    }
    ident
}

/// The identifier without letters beyond ASCII, and no name of a helper.
fn plain(ident: &str) -> String {
    let mut out = String::new();
    for letter in ident.chars() {
        match letter {
            _ if letter.is_ascii() => out.push(letter),
            _ => out.push_str(&format!("u{:x}", u32::from(letter))),
        }
    }
    if is_helper(&out) { format!("v_{out}") } else { out }
}

/// Whether it begins with the name of a type.
fn is_helper(ident: &str) -> bool {
    let head = ident.split('_').next().unwrap_or_default();
    let scalar = head.split('x').next().unwrap_or_default();
    Scalar::from_name(scalar).is_some() || matches!(head, "size" | "diff" | "tuple" | "rise" | "")
}
