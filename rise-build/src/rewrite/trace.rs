//! The story of a rewriting: the program after each step of the strategy, and why repetitions ended.

use std::fmt;

use crate::expr::Expr;
use crate::machine::Asked;

use super::engine::Failure;

/// So many ends of repetitions are kept for a step.
const STOPS: usize = 256;

/// What happened, in order.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// The steps of the outermost sequence that succeeded.
    pub steps: Vec<Step>,
    /// How many rules were applied.
    pub rules: usize,
    /// Ends of repetitions since the last step.
    pub stops: Vec<Stop>,
    /// What was asked of the machine: one that answers otherwise might make another program of it.
    pub asked: Asked,
}

impl Trace {
    /// Remembers why a repetition ended.
    pub fn stopped(&mut self, what: impl FnOnce() -> String, rounds: u32, why: Why) {
        if self.stops.len() < STOPS {
            self.stops.push(Stop { what: what(), rounds, why });
        }
    }
}

/// The end of a repetition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The repetition.
    pub what: String,
    /// How often it was done.
    pub rounds: u32,
    /// Why no more.
    pub why: Why,
}

/// Why a repetition ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It was done as often as was asked for.
    Bound,
    /// Doing it once more changes nothing.
    Unchanged,
    /// It applies nowhere any more.
    Nowhere,
    /// The rule failed, for the reason.
    Failed(String, String),
}

impl From<Failure> for Why {
    fn from(failure: Failure) -> Self {
        Why::Failed(failure.rule, failure.reason.to_string())
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = if self.rounds == 1 { "once".to_owned() } else { format!("{} times", self.rounds) };
        write!(f, "{} was done {times}", self.what)?;
        match &self.why {
            Why::Bound => f.write_str(", as often as was asked for"),
            Why::Unchanged => f.write_str("; once more changes nothing"),
            Why::Nowhere => f.write_str("; it applies nowhere any more"),
            Why::Failed(rule, reason) if rule.is_empty() => write!(f, "; then {reason}"),
            Why::Failed(rule, reason) => write!(f, "; then `{rule}` did not apply: {reason}"),
        }
    }
}

/// One step that succeeded.
#[derive(Clone, Debug)]
pub struct Step {
    /// The step as it was written, as far as it has a name.
    pub name: String,
    /// The kernel's body after it.
    pub body: Expr,
    /// Why its repetitions ended.
    pub stops: Vec<Stop>,
    /// What rules say besides.
    pub notes: Vec<String>,
}
