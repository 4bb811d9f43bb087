//! Identifiers for the names of the loop language, each unique within a kernel.

use std::collections::BTreeMap;

use crate::loops::BufferId;
use crate::names::Name;
use crate::nat::NatVar;
use crate::table::Table;
use crate::types::Scalar;

/// What identifiers stand for.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Value,
    Nat,
    /// A natural that a sum binds: these have numbers of their own.
    Bound,
    Buffer,
    Slice,
}

/// What has a number.
type Id = (What, u32);

/// What is said of an identifier that is taken.
#[derive(Clone, Copy)]
struct Taken {
    /// The greatest number that was put behind it.
    count: u32,
    /// Whose it is, if that is known.
    by: Option<Id>,
}

/// What something is called.
struct Given {
    ident: String,
    /// Whether the function in which it was given goes on. Behind its end the identifier belongs to nobody.
    holds: bool,
}

/// An identifier that ends with the function in which it was given.
pub struct Local {
    ident: String,
    /// What it stands for, if that has a number.
    of: Option<Id>,
    /// What it is without its number, the number, and what was said of that before.
    base: String,
    count: u32,
    before: Option<Taken>,
}

/// The identifiers given so far.
pub struct Names {
    /// Those of each kind of what they stand for, by its number.
    given: [Table<Given>; 5],
    /// The identifiers that are taken.
    taken: BTreeMap<String, Taken>,
    /// The identifiers of registers and naturals of this function in the order in which they were given.
    locals: Vec<Local>,
    ascii: bool,
    no_constants: bool,
}

impl Names {
    /// None given but words that no local may be called.
    pub fn new(reserved: &[&[&str]]) -> Self {
        let words = reserved.iter().flat_map(|words| words.iter());
        let taken = words.map(|word| ((*word).to_owned(), Taken { count: 1, by: None })).collect();
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

    /// Begins a function: it sees no registers and naturals of the one around, which are to be given to [`Self::leave`],
    /// but those that it is passed.
    pub fn enter<'a>(&mut self, passed: impl IntoIterator<Item = &'a str>) -> Vec<Local> {
        let outside = std::mem::take(&mut self.locals);
        outside.iter().rev().for_each(|local| self.free(local));
        for ident in passed {
            if !self.taken.contains_key(ident) {
                self.keep(ident, None);
            }
        }
        outside
    }

    /// Ends a function. What it declares may be called otherwise in other functions.
    pub fn leave(&mut self, outside: Vec<Local>) {
        for local in std::mem::take(&mut self.locals).iter().rev() {
            if let Some(given) = local.of.and_then(|(what, id)| self.given[what as usize].get_mut(id)) {
                given.holds = false;
            }
            self.free(local);
        }
        for Local { ident, of, base, count, .. } in &outside {
            self.count(base, *count);
            self.take(ident, *of);
        }
        self.locals = outside;
    }

    fn free(&mut self, local: &Local) {
        self.taken.remove(&local.ident);
        match local.before {
            Some(before) => drop(self.taken.insert(local.base.clone(), before)),
            None => drop(self.taken.remove(&local.base)),
        }
    }

    fn take(&mut self, ident: &str, by: Option<Id>) {
        self.taken.entry(ident.to_owned()).or_insert(Taken { count: 1, by }).by = by;
    }

    fn count(&mut self, base: &str, count: u32) {
        self.taken.entry(base.to_owned()).or_insert(Taken { count, by: None }).count = count;
    }

    /// An identifier for nothing that has a name, to the end of the function.
    pub fn local(&mut self, text: &str) -> String {
        self.local_of(None, text)
    }

    fn local_of(&mut self, of: Option<Id>, text: &str) -> String {
        let base = self.base(text);
        let before = self.taken.get(&base).copied();
        let ident = self.fresh(text);
        self.take(&ident, of);
        let count = self.taken[&base].count;
        self.locals.push(Local { ident: ident.clone(), of, base, count, before });
        ident
    }

    /// Takes an identifier that nobody has, to the end of the function.
    fn keep(&mut self, ident: &str, of: Option<Id>) {
        self.take(ident, of);
        let (ident, base) = (ident.to_owned(), ident.to_owned());
        self.locals.push(Local { ident, of, base, count: 1, before: None });
    }

    /// An identifier for nothing that has a name.
    pub fn fresh(&mut self, text: &str) -> String {
        let base = self.base(text);
        let Some(last) = self.taken.get(&base).map(|taken| taken.count) else {
            self.take(&base, None);
            return base;
        };
        let numbered = (last + 1..).map(|count| (count, format!("{base}_{count}")));
        let mut free = numbered.filter(|(_, ident)| !self.taken.contains_key(ident));
        let (count, ident) = free.next().unwrap_or_default();
        self.count(&base, count);
        self.take(&ident, None);
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
        if let Some(ident) = self.again(what, id) {
            return ident;
        }
        let ident = match what {
            What::Value | What::Nat => self.local_of(Some((what, id)), text),
            What::Bound | What::Buffer | What::Slice => self.fresh(text),
        };
        *self.given[what as usize].place(id) = Some(Given { ident: ident.clone(), holds: true });
        ident
    }

    /// The identifier that was given before: that of another function only if nobody has it in this one.
    ///
    /// Functions that do the same are to read the same.
    ///
    /// # Panics
    ///
    /// If what the function around declares is read in one that is not passed it, and would be taken for something else.
    fn again(&mut self, what: What, id: u32) -> Option<String> {
        let given = self.given[what as usize].get_mut(id)?;
        match self.taken.get(&given.ident) {
            Some(_) if !given.holds => return None,
            Some(taken) => {
                let own = taken.by.is_none_or(|by| by == (what, id));
                assert!(own, "{} stands for two things in a function", given.ident);
            }
            None => {
                let (ident, own) = (given.ident.clone(), !given.holds);
                given.holds = true;
                self.keep(&ident, own.then_some((what, id)));
                return Some(ident);
            }
        }
        Some(given.ident.clone())
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
