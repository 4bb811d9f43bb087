//! Elementary functions: where their formulas stand in place, and where they are called.
//!
//! A formula in place is as fast as can be and is compiled anew wherever it stands, for each instruction set. A call
//! costs some nanoseconds a vector and is compiled with the runtime. So formulas stand where most of the time is
//! spent, in innermost loops over vectors, if they are short; elsewhere, as before and behind such loops, there are
//! calls. Of a power only what does not depend on a constant exponent is called there.

use crate::expr::{Binary, Unary};
use crate::loops::{Block, Loop, Stmt, Value, walk};

use super::emit::Emitter;

/// So much may stand in one loop: where there is more, all of it is called.
const MOST: u32 = 3;

/// About how long it takes to compile a formula, an exponential being 1. Of a power only a part stands in place.
fn length(value: &Value) -> u32 {
    match value {
        Value::Unary(Unary::Exp | Unary::Ln, ..) => 1,
        Value::Unary(Unary::Tan, ..) => 3,
        _ => 2,
    }
}

fn is_of_vectors(value: &Value) -> bool {
    matches!(value, Value::Unary(_, ty, _) | Value::Binary(_, ty, ..) if ty.lanes > 1)
}

/// The lengths of the formulas in a block of which a condition holds.
fn lengths(block: &Block, condition: impl Fn(&Value) -> bool) -> u32 {
    let mut sum = 0;
    walk::values(block, &mut |value| {
        if value.is_formula() && condition(value) {
            sum += length(value);
        }
    });
    sum
}

/// What decides where formulas stand.
pub struct Formulas {
    /// Whether the kernel computes functions of vectors: scalars are but what these leave over.
    of_vectors: bool,
    /// Whether formulas stand in the block under construction.
    pub in_place: bool,
}

impl Formulas {
    /// Of a kernel.
    pub fn of(block: &Block) -> Self {
        Self { of_vectors: lengths(block, is_of_vectors) > 0, in_place: false }
    }
}

/// Whether formulas may stand in the body of a loop.
pub(super) fn may_stand_in(looped: &Loop) -> bool {
    let mut is_innermost = true;
    walk::stmts(&looped.body, &mut |stmt| is_innermost &= !matches!(stmt, Stmt::For(_)));
    is_innermost && lengths(&looped.body, |_| true) <= MOST
}

impl Emitter<'_> {
    /// What a function is called by, if it has a formula.
    pub(super) fn elementary(&self, value: &Value) -> Option<String> {
        let name = match value {
            Value::Unary(op, ..) if value.is_formula() => op.name(),
            Value::Binary(op, ..) if value.is_formula() => op.name(),
            _ => return None,
        };
        let is_left_over = self.formulas.of_vectors && !is_of_vectors(value);
        let in_place = self.formulas.in_place && !is_left_over;
        let way = match value {
            _ if !in_place => "_by_call",
            Value::Binary(Binary::Pow, ..) => "_in_part",
            _ => "",
        };
        Some(format!("Float::{name}{way}"))
    }
}
