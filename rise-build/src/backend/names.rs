//! Identifiers for the names of the loop language, each unique within a kernel.

use std::collections::{BTreeMap, BTreeSet};

use crate::loops::BufferId;
use crate::names::Name;
use crate::nat::NatVar;
use crate::types::Scalar;

/// What identifiers stand for; the numbers of names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Value(u32),
    Nat(u32),
    Buffer(u32),
    Slice(u32),
}

/// The identifiers given so far.
pub struct Names {
    given: BTreeMap<Key, String>,
    taken: BTreeSet<String>,
    ascii: bool,
    no_constants: bool,
}

impl Names {
    /// None given but words that no local may be called.
    pub fn new(reserved: &[&[&str]]) -> Self {
        let words = reserved.iter().flat_map(|words| words.iter());
        let taken = words.map(|word| (*word).to_owned()).collect();
        Self { given: BTreeMap::new(), taken, ascii: false, no_constants: false }
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
        self.give(Key::Value(name.id()), name.text())
    }

    /// The identifier of a natural.
    pub fn nat(&mut self, var: &NatVar) -> String {
        self.give(Key::Nat(var.id()), var.text())
    }

    /// The identifier of the pointer to a buffer.
    pub fn buffer(&mut self, id: BufferId, text: &str) -> String {
        self.give(Key::Buffer(id.0), text)
    }

    /// The identifier of the slice that a buffer is.
    pub fn slice(&mut self, id: BufferId, text: &str) -> String {
        self.give(Key::Slice(id.0), text)
    }

    /// An identifier for nothing that has a name.
    pub fn fresh(&mut self, text: &str) -> String {
        let mut base = if self.ascii { plain(&sanitize(text)) } else { sanitize(text) };
        if self.no_constants && base.starts_with(char::is_uppercase) {
            base.insert_str(0, "v_");
        }
        let mut ident = base.clone();
        let mut count = 1_u32;
        while !self.taken.insert(ident.clone()) {
            count += 1;
            ident = format!("{base}_{count}");
        }
        ident
    }

    fn give(&mut self, key: Key, text: &str) -> String {
        if let Some(ident) = self.given.get(&key) {
            return ident.clone();
        }
        let ident = self.fresh(text);
        self.given.insert(key, ident.clone());
        ident
    }
}

/// The text with everything that no identifier may hold replaced.
fn sanitize(text: &str) -> String {
    let text = text.strip_prefix("r#").unwrap_or(text);
    let mut ident: String =
        text.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
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
