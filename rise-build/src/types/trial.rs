//! Elaborating a term one way and, where that is wrong, another way.

use crate::diagnostics::Diagnostics;

use super::elaborate::Infer;
use super::operator::OperandCheck;
use super::solver::Solver;
use super::term::{TParam, Term};

/// What elaboration has found so far.
pub(super) struct State<'a> {
    solver: Solver,
    diagnostics: Diagnostics,
    lets: Vec<Vec<(TParam, Term)>>,
    operands: Vec<OperandCheck<'a>>,
}

impl<'a> Infer<'a> {
    /// All that elaborating a term changes.
    pub(super) fn state(&self) -> State<'a> {
        State {
            solver: self.solver.clone(),
            diagnostics: self.diagnostics.clone(),
            lets: self.lets.clone(),
            operands: self.operands.clone(),
        }
    }

    /// How many mistakes have been found.
    pub(super) fn mistakes(&self) -> usize {
        self.diagnostics.len() + self.solver.contradictions.len()
    }

    /// Forgets what has been elaborated since, and gives it.
    pub(super) fn back_to(&mut self, state: State<'a>) -> State<'a> {
        State {
            solver: std::mem::replace(&mut self.solver, state.solver),
            diagnostics: std::mem::replace(&mut self.diagnostics, state.diagnostics),
            lets: std::mem::replace(&mut self.lets, state.lets),
            operands: std::mem::replace(&mut self.operands, state.operands),
        }
    }
}
