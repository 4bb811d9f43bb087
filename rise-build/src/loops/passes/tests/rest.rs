//! Blocks and what fills none.

use super::*;

/// Blocks of 1024 lanes, and a loop behind them over `count` lanes, of which the places are told.
fn blocks_and_rest(
    count: impl Fn(&Nat) -> Nat,
    block: impl Fn(&Nat, Nat) -> Value,
    rest: impl Fn(&Nat, Nat) -> Value,
) -> String {
    let mut test = Test::new(Clone::clone);
    let n = test.n.clone();
    let whole = n.div(&Nat::lit(1024));
    test.kernel.body = vec![
        looped(LoopKind::Par, "i", whole.clone(), |i| {
            vec![
                Stmt::Comment("block".into()),
                looped(LoopKind::Vec, "j", 1024, |j| {
                    let at = i * 1024 + j;
                    vec![store(1, at.clone(), block(&n, at))]
                }),
            ]
        }),
        Stmt::Comment("rest".into()),
        looped(LoopKind::Vec, "k", count(&n), |k| {
            let at = whole * 1024 + k;
            vec![store(1, at.clone(), rest(&n, at))]
        }),
    ];
    test.run_for("rest", &[0, 1, 2, 1023, 1024, 1025, 2500])
}

fn remainder(n: &Nat) -> Nat {
    n - n.div(&Nat::lit(1024)) * 1024
}

/// The neighbours of a place, clamped.
fn neighbours(n: &Nat, at: Nat) -> Value {
    plus(load(0, Nat::max(&at, &Nat::lit(1)) - 1), load(0, Nat::min(&(at + 1), &(n - 1))))
}

/// The formula in which the block's number first stands cannot be solved for it.
#[test]
fn what_fills_no_block_is_a_shorter_one() {
    let expected = "\
for parallel i in 0..(n + 1023) / 1024
  let length = min(1024, n - 1024 * i)
  for lanes j in 0..length  // block
    y[1024 * i + j] = x[max(1, 1024 * i + j) - 1] + x[min(n - 1, 1024 * i + j + 1)]
";
    assert_eq!(blocks_and_rest(remainder, neighbours, neighbours), expected);
}

#[test]
fn long_iterations_are_there_once() {
    let long = |_: &Nat, at: Nat| (0..8).fold(load(0, at), |sum, _| plus(sum, Value::Literal(float(0.5))));
    let text = blocks_and_rest(remainder, long, long);
    assert_eq!(text.matches("for lanes").count(), 1, "{text}");
}

#[test]
fn what_is_small_or_does_something_else_stays_apart() {
    let small = |_: &Nat, at: Nat| load(0, at);
    let others = |n: &Nat, at: Nat| plus(neighbours(n, at), Value::Literal(float(0.0)));
    let before = |n: &Nat, at: Nat| neighbours(n, Nat::max(&at, &Nat::lit(1)) - 1);
    let shorter = |n: &Nat| Nat::min(&remainder(n), &Nat::lit(7));
    for text in [
        blocks_and_rest(remainder, small, small),
        blocks_and_rest(remainder, neighbours, others),
        blocks_and_rest(remainder, neighbours, before),
        blocks_and_rest(|_| Nat::lit(0), neighbours, neighbours),
    ] {
        assert_eq!(text.matches("for lanes").count(), 2, "{text}");
    }
    // What ends sooner is a block of as many.
    let text = blocks_and_rest(shorter, neighbours, neighbours);
    assert!(text.contains("min(1024, "), "{text}");
}
