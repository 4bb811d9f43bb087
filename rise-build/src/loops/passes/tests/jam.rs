//! Copies of an iteration that share a loop.

use super::*;

/// Four sums of what there is, in a short loop that divides.
fn sums(count: impl Fn(&Nat, &Nat) -> Nat, after: impl Fn(&Name, Nat) -> Block) -> String {
    let mut test = Test::new(|_| Nat::lit(4));
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", 4, |i| {
        let sum = Name::fresh("sum");
        let two = Nat::lit(2);
        let sums = looped(LoopKind::Seq, "k", count(&n, &i), |k| {
            vec![Stmt::Set(sum.clone(), plus(Value::Var(sum.clone()), load(0, k)))]
        });
        let mut body = vec![Stmt::Var(sum.clone(), F, Some(Value::FromNat(Scalar::F32, i.clone()))), sums];
        body.append(&mut after(&sum, i.rem(&two) * 2 + i.div(&two)));
        body
    })];
    test.run("unroll")
}

#[test]
fn updates_that_run_equally_often_share_a_loop() {
    let text = sums(|n, _| n.clone(), |sum, at| vec![store(1, at, Value::Var(sum.clone()))]);
    let expected = "\
var sum: f32 = (0) as f32
var sum2: f32 = (1) as f32
var sum3: f32 = (2) as f32
var sum4: f32 = (3) as f32
for k in 0..n
  sum = sum + x[k]
  sum2 = sum2 + x[k]
  sum3 = sum3 + x[k]
  sum4 = sum4 + x[k]
y[0] = sum
y[2] = sum2
y[1] = sum3
y[3] = sum4
";
    assert_eq!(text, expected);
}

#[test]
fn updates_that_run_by_turns_or_read_what_is_written_do_not() {
    let stored = |sum: &Name, at: Nat| vec![store(1, at, Value::Var(sum.clone()))];
    let by_turns = sums(|n, i| n.min(i), stored);
    assert_eq!(by_turns.matches("for k in").count(), 4, "{by_turns}");
    let read = sums(
        |n, _| n.clone(),
        |sum, at| {
            let before = Value::Literal(float(0.0));
            vec![
                store(1, at.clone(), before),
                store(1, at.clone(), plus(Value::Var(sum.clone()), load(1, at))),
            ]
        },
    );
    assert_eq!(read.matches("for k in").count(), 4, "{read}");
}
