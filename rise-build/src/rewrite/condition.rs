//! What the condition of a choice says of sizes and indices.

use crate::expr::{Arg, Binary, Compare, Expr, Kind, Primitive};
use crate::nat::{Facts, Nat};

/// A condition, taken apart: it holds where all of both does.
#[derive(Default)]
pub struct Said {
    /// These are at least 0.
    pub at_least_zero: Vec<Nat>,
    /// What speaks of other things.
    pub rest: Vec<Expr>,
}

impl Said {
    /// What the condition says.
    pub fn by(condition: &Expr) -> Said {
        let mut said = Said::default();
        said.add(condition);
        said
    }

    /// What the opposite says; `None` where that is no conjunction.
    pub fn by_opposite(condition: &Expr) -> Option<Said> {
        let (op, a, b) = comparison(condition)?;
        let at_least_zero = match op {
            Compare::Le => vec![a - b - 1],
            Compare::Lt => vec![a - b],
            Compare::Ge => vec![b - a - 1],
            Compare::Gt => vec![b - a],
            Compare::Ne => vec![a - b, b - a],
            Compare::Eq => return None,
        };
        Some(Said { at_least_zero, rest: Vec::new() })
    }

    fn add(&mut self, condition: &Expr) {
        if let Some((Primitive::Binary(Binary::And), [Arg::Expr(a), Arg::Expr(b)])) = condition.as_prim() {
            self.add(a);
            self.add(b);
            return;
        }
        match comparison(condition) {
            Some((Compare::Le, a, b)) => self.at_least_zero.push(b - a),
            Some((Compare::Lt, a, b)) => self.at_least_zero.push(b - a - 1),
            Some((Compare::Ge, a, b)) => self.at_least_zero.push(a - b),
            Some((Compare::Gt, a, b)) => self.at_least_zero.push(a - b - 1),
            Some((Compare::Eq, a, b)) => self.at_least_zero.extend([a - b, b - a]),
            _ => self.rest.push(condition.clone()),
        }
    }

    /// Learns it.
    pub fn assume(&self, facts: &mut Facts) {
        self.at_least_zero.iter().for_each(|nat| facts.assume_ge0(nat));
    }
}

/// A comparison of naturals.
fn comparison(condition: &Expr) -> Option<(Compare, &Nat, &Nat)> {
    let (Primitive::Compare(op), [Arg::Expr(a), Arg::Expr(b)]) = condition.as_prim()? else { return None };
    match (a.kind(), b.kind()) {
        (Kind::Nat(a), Kind::Nat(b)) => Some((*op, a, b)),
        _ => None,
    }
}
