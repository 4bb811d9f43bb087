//! What it costs to evaluate an expression again.

use crate::dpia::functional::{Operation, View};
use crate::expr::{Binary, Unary};

use super::{Comm, Exp};

/// No work at all: a register or a constant.
pub(super) fn is_atomic(exp: &Exp) -> bool {
    match exp {
        Exp::Var(_) | Exp::Literal(_) | Exp::Nat(_) => true,
        Exp::Proj(_, inner) => is_atomic(inner),
        _ => false,
    }
}

/// At most a read of memory: index arithmetic on variables.
pub(super) fn is_path(exp: &Exp) -> bool {
    match exp {
        Exp::Var(_) | Exp::Literal(_) | Exp::Nat(_) => true,
        Exp::Proj(_, inner) | Exp::Idx(_, inner) => is_path(inner),
        Exp::View(View::PadCst(..) | View::Concat | View::PadEmpty(_) | View::Gather, _) => false,
        Exp::View(_, operands) => operands.iter().all(|(operand, _)| is_path(operand)),
        Exp::Tuple(parts) => parts.iter().all(is_path),
        _ => false,
    }
}

/// Little enough to be computed without need.
pub(super) fn is_cheap(exp: &Exp) -> bool {
    spend(exp, 32).is_some()
}

/// What is left of a budget.
fn spend(exp: &Exp, budget: u32) -> Option<u32> {
    match exp {
        Exp::Var(_) | Exp::Literal(_) | Exp::Nat(_) => Some(budget),
        Exp::Proj(_, inner) | Exp::Idx(_, inner) => spend(inner, budget.checked_sub(1)?),
        Exp::Scalar(op, _, operands) => {
            spend_all(operands.iter().map(|(operand, _)| operand), budget.checked_sub(operation(op))?)
        }
        Exp::View(_, operands) => {
            spend_all(operands.iter().map(|(operand, _)| operand), budget.checked_sub(1)?)
        }
        Exp::Select(parts) => spend_all(parts.iter(), budget.checked_sub(1)?),
        Exp::Tuple(parts) | Exp::MakeArray(parts) => spend_all(parts.iter(), budget),
        Exp::Map(delayed, inner) => {
            let budget = spend_delayed(&delayed.prelude, &delayed.result, budget)?;
            spend(inner, budget)
        }
        Exp::Generate(delayed) => spend_delayed(&delayed.prelude, &delayed.result, budget),
    }
}

fn spend_all<'a>(parts: impl Iterator<Item = &'a Exp>, budget: u32) -> Option<u32> {
    let mut budget = budget;
    for part in parts {
        budget = spend(part, budget)?;
    }
    Some(budget)
}

fn spend_delayed(prelude: &[Comm], result: &Exp, budget: u32) -> Option<u32> {
    let mut budget = budget;
    for comm in prelude {
        match comm {
            Comm::Let(_, _, exp) | Comm::LetNat(_, exp) => budget = spend(exp, budget)?,
            Comm::Comment(_) => {}
            _ => return None,
        }
    }
    spend(result, budget)
}

fn operation(op: &Operation) -> u32 {
    match op {
        Operation::Unary(Unary::Neg | Unary::Not | Unary::Abs | Unary::Floor | Unary::Ceil) => 1,
        Operation::Unary(Unary::Sqrt | Unary::Rsqrt | Unary::Round) => 4,
        Operation::Unary(_) | Operation::Binary(Binary::Pow) => 16,
        Operation::Binary(Binary::Div | Binary::Rem) => 4,
        Operation::Binary(_) | Operation::Compare(_) | Operation::MulAdd => 1,
        Operation::Cast | Operation::VectorFromScalar => 1,
        Operation::Fma => 4,
        Operation::Foreign(_) => 64,
    }
}
