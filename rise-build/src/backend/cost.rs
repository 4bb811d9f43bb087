//! How much work a loop is, roughly.

use crate::loops::{Block, Loop, Stmt};
use crate::nat::{Atom, Nat};

/// What stands for a natural that is known only inside.
const SOME: i64 = 16;

/// About how many operations an iteration takes: statements, times the iterations of the loops inside.
pub fn cost_of_iteration(parallel: &Loop) -> Nat {
    let cost = cost(&parallel.body);
    rough(&cost.subst(&parallel.var, &Nat::lit(SOME)))
}

pub fn cost(block: &Block) -> Nat {
    let mut total = Nat::lit(0);
    for stmt in block {
        total = total
            + match stmt {
                Stmt::For(inner) => {
                    (rough(&inner.count) * cost(&inner.body)).subst(&inner.var, &rough(&inner.count))
                }
                Stmt::If(_, then, otherwise) => cost(then) + cost(otherwise),
                Stmt::Product(product) => {
                    product.sizes.iter().fold(Nat::lit(2), |product, size| product * rough(size))
                }
                // Whole vectors at a time.
                Stmt::Transpose(transpose) => Nat::from(transpose.side * transpose.side / 4),
                Stmt::Block(block) => cost(block),
                Stmt::LetNat(..) | Stmt::Comment(_) | Stmt::Alloc(_) | Stmt::Barrier { .. } => Nat::lit(0),
                _ => Nat::lit(2),
            };
    }
    let declared = block.iter().filter_map(|stmt| match stmt {
        Stmt::LetNat(var, _) => Some(var),
        _ => None,
    });
    declared.fold(total, |total, var| total.subst(var, &Nat::lit(SOME)))
}

/// About as much, as a plain polynomial: nothing else would be worth computing.
fn rough(nat: &Nat) -> Nat {
    let positive = nat.terms().filter(|(coeff, _)| *coeff > 0);
    positive.fold(Nat::lit(0), |sum, (coeff, factors)| {
        let product = factors.iter().fold(Nat::lit(coeff), |product, (atom, power)| {
            (0..*power).fold(product, |product, _| product * rough_atom(atom))
        });
        sum + product
    })
}

fn rough_atom(atom: &Atom) -> Nat {
    match atom {
        Atom::Var(var) => Nat::var(var),
        Atom::Min(a, b) if a.as_const().is_none() => rough(b),
        Atom::Min(a, _) => rough(a),
        Atom::Max(a, b) if a.as_const().is_some() => rough(b),
        Atom::Max(a, _) => rough(a),
        Atom::Div(a, b) => match b.as_const() {
            Some(by) if by > 0 => rough(a).div(&Nat::lit(by)),
            _ => Nat::lit(SOME),
        },
        Atom::Mod(_, b) => rough(b),
        Atom::Pow(..) | Atom::Sum(_) => Nat::lit(SOME),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Literal;
    use crate::loops::{LoopKind, Value, ValueType};
    use crate::names::Name;
    use crate::nat::NatVar;
    use crate::types::Scalar;

    fn nest(var: &NatVar, count: Nat, body: Block) -> Loop {
        Loop { var: var.clone(), count, kind: LoopKind::Seq, body }
    }

    #[test]
    fn no_inner_variable_is_left() {
        let [n, i, j] = ["n", "i", "j"].map(NatVar::new);
        let value = Value::Literal(Literal::small(1, Scalar::F32));
        let set = vec![Stmt::Let(Name::fresh("x"), ValueType::scalar(Scalar::F32), value)];
        let chunk = Nat::min(&Nat::lit(4096), &(Nat::var(&n) - Nat::var(&i) * 4096));
        let loops = nest(&i, Nat::var(&n), vec![Stmt::For(nest(&j, chunk - 1, set.clone()))]);
        assert_eq!(cost_of_iteration(&loops), Nat::lit(8192));
        let triangle = nest(&i, Nat::var(&n), vec![Stmt::For(nest(&j, Nat::var(&i) + Nat::var(&n), set))]);
        assert_eq!(cost_of_iteration(&triangle), Nat::var(&n) * 2 + 32);
    }
}
