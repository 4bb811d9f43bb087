//! The story of a rewriting: the program after each step of the strategy.

use crate::diagnostics::Origin;
use crate::expr::Expr;

/// What happened, in order.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    /// The steps of the outermost sequence that succeeded.
    pub steps: Vec<Step>,
    /// How many rules were applied.
    pub rules: usize,
}

/// One step that succeeded.
#[derive(Clone, Debug)]
pub struct Step {
    /// The step as it was written, as far as it has a name.
    pub name: String,
    /// Where it was written.
    pub origin: Origin,
    /// The kernel's body after it.
    pub body: Expr,
}
