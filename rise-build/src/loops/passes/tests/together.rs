//! Loops that go through an array together.

use super::*;

/// `x` is copied, and `y` made of `read`, which is told the copy and the iteration, of which there are so many.
fn copied_and_read(count: impl Fn(&Nat) -> Nat, read: impl Fn(BufferId, Nat) -> Value) -> String {
    let mut test = Test::new(Clone::clone);
    let (n, t) = (test.n.clone(), test.buffer("t", test.n.clone(), Role::Heap));
    test.kernel.body = vec![
        Stmt::Alloc(t),
        looped(LoopKind::Seq, "i", n.clone(), |i| vec![store(1, i, Value::Literal(float(0.0)))]),
        Stmt::Comment("copy".into()),
        looped(LoopKind::Seq, "j", n.clone(), |j| vec![store(t.0, j.clone(), load(0, j))]),
        Stmt::Comment("twice".into()),
        looped(LoopKind::Seq, "k", count(&n), |k| {
            vec![store(1, k.clone(), plus(read(t, k.clone()), read(t, k)))]
        }),
    ];
    test.run("together")
}

#[test]
fn loops_of_one_length_that_read_the_same_are_one() {
    let expected = "\
heap t: [f32; n]
for i in 0..n
  y[i] = 0.0
for j in 0..n  // copy
  t[j] = x[j]
  y[j] = x[j] + x[j]
";
    assert_eq!(copied_and_read(Clone::clone, |_, k| load(0, k)), expected);
}

#[test]
fn loops_that_need_each_other_or_share_nothing_stay_apart() {
    let loops = |text: &str| text.matches("for ").count();
    let filled = copied_and_read(Clone::clone, |t, k| plus(load(0, k.clone()), load(t.0, k)));
    assert_eq!(loops(&filled), 3, "{filled}");
    let shorter = copied_and_read(|n| n.div(&Nat::lit(2)), |_, k| load(0, k));
    assert_eq!(loops(&shorter), 3, "{shorter}");
    let nothing = copied_and_read(Clone::clone, |_, _| Value::Literal(float(1.0)));
    assert_eq!(loops(&nothing), 3, "{nothing}");
}

#[test]
fn folds_of_rows_are_joined_and_their_accumulators_stay_apart() {
    let mut test = Test::new(Clone::clone);
    let n = test.n.clone();
    let t = test.buffer("t", n.clone(), Role::Heap);
    let sums = |to: u32| {
        looped(LoopKind::Seq, "i", n.clone(), |i| {
            let sum = Name::fresh("sum");
            let add = |j: Nat| vec![Stmt::Set(sum.clone(), plus(Value::Var(sum.clone()), load(0, j)))];
            vec![
                Stmt::Var(sum.clone(), F, Some(Value::Literal(float(0.0)))),
                looped(LoopKind::Seq, "j", i.clone(), add),
                store(to, i, Value::Var(sum.clone())),
            ]
        })
    };
    test.kernel.body = vec![Stmt::Alloc(t), sums(t.0), sums(1)];
    let text = test.run("together");
    assert_eq!((text.matches("for i ").count(), text.matches("for j ").count()), (1, 2), "{text}");
    // What is set outside of a loop belongs to others.
    let total = Name::fresh("total");
    let add = |i: Nat| vec![Stmt::Set(total.clone(), plus(Value::Var(total.clone()), load(0, i)))];
    test.kernel.body = vec![
        Stmt::Alloc(t),
        looped(LoopKind::Seq, "i", n.clone(), |i| vec![store(t.0, i.clone(), load(0, i))]),
        Stmt::Var(total.clone(), F, Some(Value::Literal(float(0.0)))),
        looped(LoopKind::Seq, "i", n.clone(), add),
        looped(LoopKind::Seq, "i", n.clone(), |i| vec![store(1, i, Value::Var(total.clone()))]),
    ];
    assert_eq!(test.run("together").matches("for i ").count(), 3);
}
