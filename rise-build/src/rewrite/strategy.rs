//! Strategies after elaboration: every name is resolved, every argument has its kind.

use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostics::Origin;
use crate::expr::{Expr, Library};
use crate::names::Label;
use crate::nat::{Nat, Obligation};

use super::context::{Context, Reason};
use super::engine::{Engine, Failure};
use super::predicate::Predicate;

/// A strategy and where it was written.
#[derive(Clone)]
pub struct Strategy {
    /// What it does.
    pub kind: StrategyKind,
    /// The step in the program.
    pub origin: Origin,
}

/// The forms of strategies.
#[derive(Clone)]
pub enum StrategyKind {
    /// Succeeds and changes nothing.
    Id,
    /// Fails.
    Fail,
    /// Makes every open choice; on a whole kernel.
    Lower,
    /// Optimises without help; on a whole kernel.
    Auto,
    /// A rule with its arguments.
    Rule(Applied),
    /// A recipe with its arguments.
    Recipe(&'static Recipe, Rc<[Value]>),
    /// Succeeds and changes nothing where the predicate holds.
    Check(Predicate),
    /// One after the other.
    Seq(Vec<Strategy>),
    /// The first that succeeds.
    Choice(Vec<Strategy>),
    /// Succeeds in any case.
    Try(Rc<Strategy>),
    /// Succeeds if the other fails.
    Not(Rc<Strategy>),
    /// As often as it succeeds, at most so many times.
    Repeat(Rc<Strategy>, u32),
    /// One of several, chosen at run time: the first whose conditions hold, or else the last.
    Versions(Vec<(Vec<Obligation>, Strategy)>, Rc<Strategy>),
    /// At other places.
    Walk(Walk, Rc<Strategy>),
    /// At the places with these labels.
    Labels(Vec<Path>, Rc<Strategy>),
}

/// How a traversal moves.
#[derive(Clone)]
pub enum Walk {
    /// Every child must succeed.
    All,
    /// The first child that succeeds.
    One,
    /// At least one child.
    Some,
    /// The first place, outside in.
    TopDown,
    /// The first place, inside out.
    BottomUp,
    /// Every place, outside in; all must succeed.
    AllTopDown,
    /// Every place, inside out; all must succeed.
    AllBottomUp,
    /// Every place where it succeeds, inside out.
    TryAll,
    /// Every place until nothing changes.
    Everywhere,
    /// The first place outside in where the predicate holds.
    Outermost(Predicate),
    /// The first place inside out where the predicate holds.
    Innermost(Predicate),
    /// All places where the predicate holds.
    Every(Predicate),
    /// The body of the node's function, or of a `let`.
    Body,
    /// The function of a pattern: the same as its body.
    Function,
    /// The value argument with this position; without one the last, which is the array worked on.
    Argument(Option<usize>),
    /// The place with this number, outside in.
    Position(usize),
}

/// A rule with its arguments.
#[derive(Clone)]
pub struct Applied {
    /// As it was written: `splitJoin(32)`.
    pub name: Arc<str>,
    /// What it does.
    pub run: Rc<dyn Fn(&Expr, &mut Context) -> Result<Expr, Reason>>,
}

/// Labels from the outside to the inside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    /// At least one.
    pub labels: Vec<Label>,
    /// Where it was written.
    pub origin: Origin,
}

impl Path {
    /// A path that nobody wrote.
    pub fn new(labels: Vec<Label>) -> Self {
        Path { labels, origin: Origin::NONE }
    }

    /// The path that goes on inside this one.
    #[must_use]
    pub fn then(&self, inside: &Path) -> Self {
        let labels = self.labels.iter().chain(&inside.labels).cloned().collect();
        Path { labels, origin: self.origin }
    }
}

/// An argument of a rule or recipe.
#[derive(Clone)]
pub enum Value {
    /// A natural.
    Nat(Nat),
    /// A function of a library.
    Library(Arc<Library>),
    /// A bare word: a tail policy, an address space, a scalar type.
    Word(Arc<str>),
    /// A label.
    Label(Path),
    /// Several labels.
    Labels(Vec<Path>),
    /// A strategy.
    Strategy(Rc<Strategy>),
    /// Text.
    Text(Arc<str>),
    /// `tail = peel`
    Named(Arc<str>, Box<Value>),
}

/// A named composition of rules that works on labelled nests. Its arguments are those of its usage.
pub struct Recipe {
    /// The name.
    pub name: &'static str,
    /// How it is called: `split(b, …, tail = peel) @ 'l`.
    pub usage: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// Works on the term that holds the labelled places.
    pub run: fn(&mut Engine, &Expr, &[Path], &[Value]) -> Result<Expr, Failure>,
}

impl Recipe {
    /// What stands in the parentheses of the usage, `…` among it.
    fn written(&self) -> impl Iterator<Item = &'static str> + use<> {
        let call = self.usage.split(" @ ").next().unwrap_or_default();
        let inside = call.split_once('(').map_or("", |(_, inside)| inside.trim_end_matches(')'));
        // A list is one argument.
        let list = inside.starts_with('[').then_some(inside);
        let single = inside.split(", ").filter(move |part| list.is_none() && !part.is_empty());
        list.into_iter().chain(single)
    }

    /// How many arguments it takes without those that have names; none where there is no end.
    pub fn most_arguments(&self) -> Option<usize> {
        let unnamed = || self.written().filter(|part| !part.contains(" = "));
        (!unnamed().any(|part| part == "…")).then(|| unnamed().count())
    }

    /// Whether labels are among the arguments without names.
    pub fn takes_labels(&self) -> bool {
        self.written().any(|part| part.contains('\'') && !part.contains(" = "))
    }

    /// The names of the arguments that have names.
    pub fn options(&self) -> Vec<&'static str> {
        self.written().filter_map(|part| Some(part.split_once(" = ")?.0)).collect()
    }
}

impl Strategy {
    /// A strategy that nobody wrote.
    pub fn new(kind: StrategyKind) -> Self {
        Strategy { kind, origin: Origin::NONE }
    }
}

impl Value {
    /// The natural, if it is one.
    pub fn as_nat(&self) -> Option<&Nat> {
        match self {
            Value::Nat(nat) => Some(nat),
            _ => None,
        }
    }

    /// The value without the name it was given under.
    #[must_use]
    pub fn unnamed(self) -> Value {
        match self {
            Value::Named(_, value) => *value,
            value => value,
        }
    }

    /// The label, if it is an option that is one: `at = 'm`.
    pub fn as_option(&self) -> Option<&Path> {
        match self {
            Value::Named(_, value) => match &**value {
                Value::Label(path) => Some(path),
                _ => None,
            },
            _ => None,
        }
    }

    /// The labels, if it is a list of them.
    pub fn as_labels(&self) -> Option<&[Path]> {
        match self {
            Value::Labels(paths) => Some(paths),
            _ => None,
        }
    }

    /// The word, if it is one.
    pub fn as_word(&self) -> Option<&str> {
        match self {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }
}
