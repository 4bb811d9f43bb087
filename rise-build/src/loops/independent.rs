//! Loops whose iterations know nothing of each other.

use super::ir::*;
use super::walk;

/// Whether the iterations of a loop without loops inside may run in any order, or side by side: nothing that is
/// read is written, no register of outside is set, and each iteration writes elements of its own.
pub fn is_independent(looped: &Loop) -> bool {
    let mut independent = true;
    walk::stmts(&looped.body, &mut |stmt| {
        independent &= matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::LetNat(..) | Stmt::Store(..));
    });
    walk::values(&looped.body, &mut |value| independent &= !matches!(value, Value::Foreign(..)));
    let (mut read, mut written) = (Vec::new(), Vec::new());
    walk::accesses(&looped.body, &mut |access, write| {
        if write {
            let step = access.index.affine_in(&looped.var).and_then(|(step, _)| step.as_const());
            independent &= step.is_some_and(|step| step.unsigned_abs() >= u64::from(access.lanes));
            independent &= !written.contains(&access.buffer);
            written.push(access.buffer);
        } else {
            read.push(access.buffer);
        }
    });
    independent && written.iter().all(|id| !read.contains(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Literal;
    use crate::names::Name;
    use crate::nat::{Nat, NatVar};
    use crate::types::Scalar;

    /// `for i in 0..8 { out[index] = in[i] }`
    fn copy(out: u32, index: impl Fn(Nat) -> Nat) -> Loop {
        let i = NatVar::new("i");
        let value = Value::Load(Access::scalar(BufferId(0), Nat::var(&i)));
        let body = vec![Stmt::Store(Access::scalar(BufferId(out), index(Nat::var(&i))), value)];
        Loop { var: i, count: Nat::lit(8), kind: LoopKind::Seq, body }
    }

    #[test]
    fn iterations_that_share_nothing_are_independent() {
        assert!(is_independent(&copy(1, |i| i)));
        assert!(is_independent(&copy(1, |i| i * 3 + 1)));
        assert!(is_independent(&copy(1, |i| Nat::lit(7) - i)));
    }

    #[test]
    fn iterations_that_share_memory_or_registers_are_not() {
        assert!(!is_independent(&copy(0, |i| i)), "what is read is written");
        assert!(!is_independent(&copy(1, |_| Nat::lit(0))), "all write one element");
        assert!(!is_independent(&copy(1, |i| &i * &i)), "nothing is known of the element");
        let n = NatVar::new("n");
        assert!(!is_independent(&copy(1, |i| i * Nat::var(&n))), "the distance may be 0");
        let mut twice = copy(1, |i| i);
        twice.body.extend(copy(1, |i| i).body);
        assert!(!is_independent(&twice));
        let mut sum = copy(1, |i| i);
        sum.body.push(Stmt::Set(Name::fresh("sum"), Value::Literal(Literal::zero(Scalar::F32))));
        assert!(!is_independent(&sum));
    }
}
