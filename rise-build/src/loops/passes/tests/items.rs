//! What loops over work-items keep.

use super::*;

/// Four work-items fill private `t` two elements each, and `u` so many each, which change places.
fn exchanged_by_items(each: i64) -> Test {
    let mut test = Test::new(|_| Nat::lit(8));
    let (t, u) = (test.buffer("t", Nat::lit(8), Role::Stack), test.buffer("u", Nat::lit(8), Role::Stack));
    let fill = |buffer: u32, each: i64, items: i64| {
        looped(LoopKind::Local(0), "item", items, |item| {
            let part = |i: Nat| vec![store(buffer, item * each + i, Value::Literal(float(2.0)))];
            vec![looped(LoopKind::Seq, "i", each, part)]
        })
    };
    let group = looped(LoopKind::WorkGroup(0), "group", 1, |_| {
        vec![Stmt::Alloc(t), Stmt::Alloc(u), fill(t.0, 2, 4), fill(u.0, each, 4), Stmt::Swap(t, u)]
    });
    test.kernel.body = vec![group];
    test
}

#[test]
fn private_arrays_that_change_places_are_shared_out_alike() {
    let lengths = |each: i64| {
        let mut test = exchanged_by_items(each);
        let pass = PASSES.iter().find(|pass| pass.name == "distribute").unwrap();
        (pass.run)(&mut test.kernel, &Options { device: true, ..Options::CPU }).unwrap();
        [2, 3].map(|id: usize| test.kernel.buffers[id].len.as_const().unwrap())
    };
    assert_eq!(lengths(2), [2, 2]);
    assert_eq!(lengths(1), [8, 8], "a work-item would take another's place for its own");
}
