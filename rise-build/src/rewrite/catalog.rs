//! The table of rules: one row each, from which the reference is printed and which one test walks.

use std::rc::Rc;
use std::sync::Arc;

use crate::expr::{Expr, Library};
use crate::nat::Nat;

use super::context::{Context, Reason};
use super::rules;
use super::strategy::{Applied, Value};

/// A rule.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// Other names, the papers' among them.
    pub aliases: &'static [&'static str],
    /// What its arguments are.
    pub wants: &'static [Wants],
    /// The equation, left side and right side.
    pub equation: &'static str,
    /// What it does and when, in one or two sentences.
    pub sentence: &'static str,
    /// A program before and after.
    pub example: [&'static str; 2],
    /// The rule itself.
    pub apply: fn(&Expr, &[Value], &mut Context) -> Result<Expr, Reason>,
}

/// The kind of an argument of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wants {
    /// A natural.
    Nat,
    /// The length of pieces; 32 if it is left out, as the papers do.
    Pieces,
    /// A dimension; 0 if it is left out.
    Dimension,
    /// An address space; the default one if it is left out.
    Space,
    /// A function of a library, by the name of its `extern fn`.
    Library,
}

/// A family of rules, as the reference groups them.
pub struct Family {
    /// Its title.
    pub title: &'static str,
    /// Its rules.
    pub rows: &'static [Row],
}

/// All rules.
pub const FAMILIES: &[Family] = &[
    Family { title: "Identities", rows: rules::identity::ROWS },
    Family { title: "Fusion", rows: rules::fusion::ROWS },
    Family { title: "Generated arrays", rows: rules::generate::ROWS },
    Family { title: "Fission", rows: rules::fission::ROWS },
    Family { title: "Splitting", rows: rules::split::ROWS },
    Family { title: "Folds", rows: rules::folds::ROWS },
    Family { title: "Folds of chosen elements", rows: rules::chosen::ROWS },
    Family { title: "Updates", rows: rules::by_index::ROWS },
    Family { title: "Nests", rows: rules::nest::ROWS },
    Family { title: "Moving layouts of arrays of arrays", rows: rules::transpose::ROWS },
    Family { title: "Moving windows and pieces", rows: rules::movement::ROWS },
    Family { title: "Pairs", rows: rules::pairs::ROWS },
    Family { title: "Choosing an implementation", rows: rules::lowering::ROWS },
    Family { title: "Vectors", rows: rules::vector::ROWS },
    Family { title: "Memory", rows: rules::memory::ROWS },
    Family { title: "Calls into libraries", rows: rules::library::ROWS },
];

/// The rule with this name.
pub fn lookup(name: &str) -> Option<&'static Row> {
    rows().find(|row| row.name == name || row.aliases.contains(&name))
}

/// All rules.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    FAMILIES.iter().flat_map(|family| family.rows)
}

impl Row {
    /// The rule with arguments.
    pub fn with(&'static self, values: Vec<Value>) -> Applied {
        let text: Vec<String> = values.iter().map(Value::text).collect();
        let name =
            if text.is_empty() { self.name.into() } else { format!("{}({})", self.name, text.join(", ")) };
        Applied {
            name: Arc::from(name),
            run: Rc::new(move |expr, context| (self.apply)(expr, &values, context)),
        }
    }
}

impl Value {
    /// As it is written.
    pub fn text(&self) -> String {
        match self {
            Value::Nat(nat) => nat.to_string(),
            Value::Word(word) => word.to_string(),
            Value::Library(library) => library.name.clone(),
            Value::Label(path) => path.to_string(),
            Value::Labels(paths) => {
                let paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
                format!("[{}]", paths.join(", "))
            }
            Value::Strategy(strategy) => strategy.kind.name(),
            Value::Text(text) => format!("{text:?}"),
            Value::Named(name, value) => format!("{name} = {}", value.text()),
        }
    }
}

/// The function at a position; the elaborator has checked that it is there.
pub fn library(values: &[Value], position: usize) -> Result<Arc<Library>, Reason> {
    match values.get(position) {
        Some(Value::Library(library)) => Ok(library.clone()),
        _ => Err(Reason::refused("a function of a library is missing")),
    }
}

/// The natural at a position; the elaborator has checked that it is there.
pub fn nat(values: &[Value], position: usize) -> Result<Nat, Reason> {
    match values.get(position).and_then(Value::as_nat) {
        Some(nat) => Ok(nat.clone()),
        None => Err(Reason::refused("a natural is missing")),
    }
}
