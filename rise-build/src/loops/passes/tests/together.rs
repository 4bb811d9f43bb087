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
    let first = copied_and_read(Clone::clone, |t, k| plus(load(0, k), load(t.0, 0)));
    assert_eq!(loops(&first), 3, "{first}");
    let shorter = copied_and_read(|n| n.div(&Nat::lit(2)), |_, k| load(0, k));
    assert_eq!(loops(&shorter), 3, "{shorter}");
    let nothing = copied_and_read(Clone::clone, |_, _| Value::Literal(float(1.0)));
    assert_eq!(loops(&nothing), 3, "{nothing}");
}

#[test]
fn what_an_iteration_writes_is_read_by_it() {
    let expected = "\
heap t: [f32; n]
for i in 0..n
  y[i] = 0.0
for j in 0..n  // copy
  t[j] = x[j]
  y[j] = t[j] + t[j]
";
    assert_eq!(copied_and_read(Clone::clone, |t, k| load(t.0, k)), expected);
}

/// A register that is made of what the first loop writes cannot go before it.
#[test]
fn registers_wait_for_what_they_begin_with() {
    let mut test = Test::new(Clone::clone);
    let (n, t) = (test.n.clone(), test.buffer("t", &test.n + 1, Role::Heap));
    let first = Name::fresh("first");
    test.kernel.body = vec![
        Stmt::Alloc(t),
        store(t.0, n.clone(), Value::Literal(float(0.0))),
        looped(LoopKind::Seq, "j", n.clone(), |j| vec![store(t.0, j.clone(), load(0, j))]),
        Stmt::Var(first.clone(), F, Some(load(t.0, 0))),
        looped(LoopKind::Seq, "k", n, |k| {
            vec![store(1, k.clone(), plus(load(t.0, k), Value::Var(first.clone())))]
        }),
    ];
    let text = test.run("together");
    assert_eq!(text.matches("for ").count(), 2, "{text}");
}

/// Blocks of lanes that are doubled into a temporary, of which those at `read` are copied.
fn doubled_and_read(kind: LoopKind, read: impl Fn(&Nat, &Nat) -> Nat) -> String {
    let mut test = Test::new(|n| n * 100);
    let (n, t) = (test.n.clone(), test.buffer("t", &test.n * 100, Role::Heap));
    let blocks = |body: &dyn Fn(Nat, Nat) -> Stmt, kind| {
        looped(LoopKind::Par, "i", n.clone(), |i| vec![looped(kind, "j", 100, |j| vec![body(i.clone(), j)])])
    };
    let twice = |at: &Nat| plus(load(0, at.clone()), load(0, at.clone()));
    test.kernel.body = vec![
        Stmt::Alloc(t),
        blocks(&|i, j| store(t.0, &i * 100 + j, twice(&i)), LoopKind::Vec),
        blocks(&|i, j| store(1, &i * 100 + &j, load(t.0, read(&i, &j))), kind),
    ];
    test.run_for("together", &[0, 1, 3])
}

#[test]
fn blocks_are_read_behind_those_that_write_them() {
    let expected = "\
heap t: [f32; 100 * n]
for parallel i in 0..n
  for lanes j in 0..100
    t[100 * i + j] = x[i] + x[i]
    y[100 * i + j] = t[100 * i + j]
";
    let same = |i: &Nat, j: &Nat| i * 100 + j;
    for kind in [LoopKind::Vec, LoopKind::Seq] {
        assert_eq!(doubled_and_read(kind, same), expected);
    }
    for read in [|i: &Nat, j: &Nat| i * 100 + 99 - j, |i: &Nat, j: &Nat| (i * 100 + j).div(&Nat::lit(2))] {
        let elsewhere = doubled_and_read(LoopKind::Vec, read);
        assert_eq!(elsewhere.matches("for parallel").count(), 2, "{elsewhere}");
    }
}

#[test]
fn what_is_written_beside_itself_is_written_at_once() {
    let run = |start: &dyn Fn(&Nat) -> Nat| {
        let mut test = Test::new(|n| n * 2);
        let (n, start) = (test.n.clone(), start(&test.n));
        test.kernel.body = vec![
            looped(LoopKind::Vec, "i", n.clone(), |i| vec![store(1, i.clone(), load(0, i))]),
            looped(LoopKind::Vec, "j", n.clone(), |j| {
                vec![store(1, start + &j, plus(load(0, j.clone()), load(0, j)))]
            }),
        ];
        test.run("together")
    };
    let expected = "\
for lanes i in 0..n
  y[i] = x[i]
  y[n + i] = x[i] + x[i]
";
    assert_eq!(run(&Clone::clone), expected);
    for start in [Nat::lit(0), Nat::lit(1)] {
        let text = run(&|_| start.clone());
        assert_eq!(text.matches("for ").count(), 2, "{text}");
    }
    let half = run(&|n| n.div(&Nat::lit(2)));
    assert_eq!(half.matches("for ").count(), 2, "{half}");
}

/// Where both go by one variable, an iteration of one may still write what another iteration of the other does.
#[test]
fn no_iteration_writes_what_any_other_does() {
    let mut test = Test::new(|n| n + 1);
    let i = NatVar::new("i");
    let at = Nat::var(&i);
    let looped = |to: Nat, value: Value| {
        let (var, count) = (i.clone(), test.n.clone());
        Stmt::For(Loop { var, count, kind: LoopKind::Seq, body: vec![store(1, to, value)] })
    };
    let twice = plus(load(0, at.clone()), load(0, at.clone()));
    test.kernel.body = vec![looped(at.clone(), load(0, at.clone())), looped(&at + 1, twice)];
    assert_eq!(test.run("together").matches("for ").count(), 2);
}

#[test]
fn folds_of_rows_are_joined_where_rows_are() {
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
}

/// So many folds of `x`, of which each begins with what `start` says and adds what `term` makes of the one before.
fn folds(
    number: usize,
    start: impl Fn(Option<&Name>) -> Value,
    term: impl Fn(Option<&Name>, Nat) -> Value,
) -> String {
    let mut test = Test::new(|_| Nat::lit(1));
    let sums: Vec<Name> = (0..number).map(|_| Name::fresh("sum")).collect();
    for (at, sum) in sums.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &sums[before]);
        let add = |i: Nat| vec![Stmt::Set(sum.clone(), plus(Value::Var(sum.clone()), term(before, i)))];
        test.kernel.body.push(Stmt::Var(sum.clone(), F, Some(start(before))));
        test.kernel.body.push(looped(LoopKind::Seq, "i", test.n.clone(), add));
    }
    let all = sums.into_iter().map(Value::Var).reduce(plus).expect("a sum");
    test.kernel.body.push(store(1, 0, all));
    test.run("together")
}

#[test]
fn folds_that_do_not_wait_for_each_other_are_one() {
    let zero = |_: Option<&Name>| Value::Literal(float(0.0));
    let alone = folds(2, zero, |_, i| load(0, i));
    let expected = "\
var sum: f32 = 0.0
var sum2: f32 = 0.0
for i in 0..n
  sum = sum + x[i]
  sum2 = sum2 + x[i]
y[0] = sum + sum2
";
    assert_eq!(alone, expected);
    let loops = |text: &str| text.matches("for ").count();
    let many = folds(9, zero, |_, i| load(0, i));
    assert_eq!(loops(&many), 3, "{many}");
    let from_the_last =
        folds(2, |before| before.map_or(zero(None), |sum| Value::Var(sum.clone())), |_, i| load(0, i));
    assert_eq!(loops(&from_the_last), 2, "{from_the_last}");
    let of_the_last = folds(2, zero, |before, i| match before {
        Some(sum) => plus(Value::Var(sum.clone()), load(0, i)),
        None => load(0, i),
    });
    assert_eq!(loops(&of_the_last), 2, "{of_the_last}");
}
