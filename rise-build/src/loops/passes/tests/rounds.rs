//! Remainders that go round.

use super::*;

/// Of whatever length, from whatever place.
#[test]
fn whole_rounds_have_no_remainders() {
    let mut test = Test::new(|n| n * 5 + 3);
    let n = test.n.clone();
    test.kernel.facts.assume_lt(&Nat::lit(0), &n);
    let body = |i: Nat| {
        vec![store(1, i.clone(), plus(load(0, (&i + 7).rem(&n)), load(0, (&i + 7).div(&n).rem(&n))))]
    };
    let count = Nat::min(&(&n * 5 + 3), &(&n * 100));
    test.kernel.body = vec![looped(LoopKind::Seq, "i", count, body)];
    let expected = "\
let place = 7 % n
let left = min(5 * n + 3, min(100 * n, max(0, n - place)))
let rounds = (min(5 * n + 3, 100 * n) - left) / n
for i in 0..left
  y[i] = x[place + i] + x[(7 / n) % n]
for round in 0..rounds
  for i in 0..n
    y[n * round + left + i] = x[i] + x[(round + 7 / n + 1) % n]
for i in 0..min(5 * n + 3, 100 * n) - n * rounds - left
  y[n * rounds + left + i] = x[i] + x[(rounds + 7 / n + 1) % n]
";
    assert_eq!(test.run_for("rounds", &[1, 2, 3, 7, 8, 20, 200]), expected);
}

/// A row from a place on, and what comes before it.
#[test]
fn rows_go_round_once() {
    let mut test = Test::new(Nat::clone);
    let (n, half) = (test.n.clone(), test.n.div(&Nat::lit(2)));
    let body = |i: Nat| vec![store(1, i.clone(), load(0, (&i + &half).rem(&n)))];
    test.kernel.body = vec![looped(LoopKind::Vec, "i", n.clone(), body)];
    let expected = "\
let place = (n / 2) % n
let left = min(n, max(0, n - place))
for lanes i in 0..left
  y[i] = x[place + i]
for lanes i in 0..n - left
  y[left + i] = x[i]
";
    assert_eq!(test.run("rounds"), expected);
}

/// They are peeled off.
#[test]
fn rows_that_go_round_at_their_ends_are_left_alone() {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    let body = |i: Nat| vec![store(1, i.clone(), plus(load(0, (&i - 1).rem(&n)), load(0, (&i + 1).rem(&n))))];
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), body)];
    assert_eq!(test.run("rounds"), "for i in 0..n\n  y[i] = x[(i - 1) % n] + x[(i + 1) % n]\n");
}

/// In pieces of them it is known where they end as well.
#[test]
fn pieces_of_rows_have_borders() {
    let mut test = Test::new(|n| n * 100);
    let n = test.n.clone();
    let row = &n * 100;
    test.kernel.body = vec![looped(LoopKind::Par, "i", n.clone(), |i| {
        vec![looped(LoopKind::Seq, "j", Nat::lit(100), |j| {
            let at = &i * 100 + &j;
            vec![store(1, at.clone(), load(0, (&at + 1).rem(&row).div(&Nat::lit(100))))]
        })]
    })];
    let text = test.run("interior");
    assert!(text.contains("for j in 0..peeled\n    y[100 * i + j] = x[i + (j + 1) / 100]\n"), "{text}");
}

/// Everything is its own remainder then, and all quotients are 0.
#[test]
fn by_nothing_nothing_goes_round() {
    let mut test = Test::new(|_| Nat::lit(90));
    let n = test.n.clone();
    let body = |i: Nat| {
        let (at, row) = ((&i + 7).rem(&n), (&i + 7).div(&n));
        let index = i + Nat::min(&at, &Nat::lit(0));
        vec![store(1, index, Value::FromNat(Scalar::F32, at + row * 1000))]
    };
    test.kernel.body = vec![looped(LoopKind::Seq, "i", Nat::lit(90), body)];
    let text = test.run_for("rounds", &[0, 1, 5, 8, 100]);
    assert!(text.contains("left"), "{text}");
}
