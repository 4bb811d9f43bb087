//! What conditions and definitions say about naturals.

use crate::expr::{Binary, Compare, Literal};
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::ir::{Loop, Value};

/// Adds what is known where a condition holds, or where it does not.
pub fn assume(facts: &mut Facts, condition: &Value, holds: bool) {
    match condition {
        Value::Binary(Binary::And, _, a, b) if holds => {
            assume(facts, a, holds);
            assume(facts, b, holds);
        }
        Value::Binary(Binary::Or, _, a, b) if !holds => {
            assume(facts, a, holds);
            assume(facts, b, holds);
        }
        Value::CompareNat(op, a, b) => match (op, holds) {
            (Compare::Lt, true) | (Compare::Ge, false) => facts.assume_lt(a, b),
            (Compare::Le, true) | (Compare::Gt, false) => facts.assume_le(a, b),
            (Compare::Gt, true) | (Compare::Le, false) => facts.assume_lt(b, a),
            (Compare::Ge, true) | (Compare::Lt, false) => facts.assume_le(b, a),
            (Compare::Eq, true) | (Compare::Ne, false) => facts.assume_eq(a, b),
            _ => {}
        },
        _ => {}
    }
}

/// What is known where a condition holds, and where it does not.
pub fn branches(facts: &Facts, condition: &Value) -> [Facts; 2] {
    [true, false].map(|holds| {
        let mut inside = facts.clone();
        assume(&mut inside, condition, holds);
        inside
    })
}

/// What is known in the iterations of a loop.
pub fn iterating(facts: &Facts, looped: &Loop) -> Facts {
    let mut inside = facts.clone();
    inside.range(&looped.var, &Nat::lit(0), &looped.count);
    inside
}

/// Adds what is known of the natural that [`Stmt::LetNat`](super::Stmt::LetNat) names.
pub fn define(facts: &mut Facts, var: &NatVar, value: &Value) {
    match value {
        Value::ToLine(access, count) => {
            facts.range(var, &Nat::lit(0), &Nat::from(access.lanes));
            facts.assume_le(&Nat::var(var), count);
        }
        Value::Nat(nat) => {
            facts.size(var);
            // Were it told to be equal, proofs would put the formula where the name stands.
            facts.assume_le(&Nat::var(var), nat);
        }
        _ => facts.size(var),
    }
}

/// The natural, if it is computed of others alone: how a body that asks for numbers of elements comes to an index. It may
/// be below 0 where it is not used.
pub fn of_naturals(value: &Value) -> Option<Nat> {
    match value {
        Value::FromNat(Scalar::U64, nat) => Some(nat.clone()),
        Value::Literal(Literal::Int(number, Scalar::U64)) => i64::try_from(*number).ok().map(Nat::lit),
        Value::Select(_, args) => match &**args {
            [Value::Literal(Literal::Bool(holds)), then, otherwise] => {
                of_naturals(if *holds { then } else { otherwise })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a condition holds always, or never; `None` where that is not proved.
pub fn decide(facts: &Facts, op: Compare, a: &Nat, b: &Nat) -> Option<bool> {
    match op {
        Compare::Lt if facts.proves_lt(a, b) => Some(true),
        Compare::Lt if facts.proves_le(b, a) => Some(false),
        Compare::Le if facts.proves_le(a, b) => Some(true),
        Compare::Le if facts.proves_lt(b, a) => Some(false),
        Compare::Gt => decide(facts, Compare::Lt, b, a),
        Compare::Ge => decide(facts, Compare::Le, b, a),
        Compare::Eq if facts.proves_eq(a, b) => Some(true),
        Compare::Eq if facts.proves_lt(a, b) || facts.proves_lt(b, a) => Some(false),
        Compare::Ne => decide(facts, Compare::Eq, a, b).map(|equal| !equal),
        _ => None,
    }
}
