//! Which temporaries lie on the stack.

use super::*;

/// Temporaries as large as may be on the stack, one after the other or each in a branch of its own; those on the heap.
fn on_heap(branches: bool, count: u32) -> usize {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    for at in 0..count {
        let len = Nat::lit(Options::CPU.stack_bytes as i64 / 4);
        let t = test.buffer(&format!("t{at}"), len, Role::Stack);
        let used = vec![Stmt::Alloc(t), store(t.0, 0, load(0, 0)), store(1, 0, load(t.0, 0))];
        let is_some = Value::CompareNat(Compare::Le, Nat::lit(i64::from(at) + 1), n.clone());
        match branches {
            true => test.kernel.body.push(Stmt::If(is_some, used, Block::new())),
            false => test.kernel.body.extend(used),
        }
    }
    test.run_for("memory", &[1, 3]).matches("heap t").count()
}

#[test]
fn each_branch_has_the_room_on_the_stack() {
    // What is on the heap is shared.
    assert_eq!([on_heap(false, 4), on_heap(false, 6)], [0, 1]);
    // In all there is room for some: compilers may give each its own.
    assert_eq!([on_heap(true, 6), on_heap(true, 16), on_heap(true, 19)], [0, 0, 3]);
}
