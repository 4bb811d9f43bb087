//! Places that a block shares.

use super::*;

/// Fills four lanes at each of the places, which a loop over `i` and the size `n` give.
fn filled(lanes: u32, places: impl Fn(&Nat, &Nat) -> Vec<Nat>) -> String {
    let mut test = Test::new(|n| n * 64 + 64);
    let n = test.n.clone();
    let ty = ValueType { lanes, ..F };
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), |i| {
        let fill = |place: Nat| {
            let access = Access { lanes, ..Access::scalar(BufferId(1), place) };
            let number = Value::Literal(float(1.0));
            Stmt::Store(access, if lanes == 1 { number } else { Value::Broadcast(ty, Box::new(number)) })
        };
        places(&i, &n).into_iter().map(fill).collect()
    })];
    test.run("places")
}

#[test]
fn what_places_share_is_named_once() {
    let places = |i: &Nat, n: &Nat| {
        let row = (n + i).div(&Nat::lit(3)) + i * 32;
        vec![row.clone() + 4, row.clone(), &row + n, row.clone(), row + n * 2 + 8]
    };
    let text = filled(4, places);
    let expected = "for i in 0..n
  let at = 32 * i + (n + i) / 3
  y[at + 4 ..4] = f32x4(1.0)
  y[at ..4] = f32x4(1.0)
  y[n + at ..4] = f32x4(1.0)
  y[at ..4] = f32x4(1.0)
  y[2 * n + at + 8 ..4] = f32x4(1.0)
";
    assert_eq!(text, expected);
    // What compilers make vectors of is left to them.
    assert!(!filled(1, places).contains("let"));
}

#[test]
fn places_that_share_little_stay() {
    let few = filled(4, |i, n| vec![i * 32 + n, i * 32 + n + 4]);
    let apart =
        filled(4, |i, n| (0..5).map(|at| i.div(&Nat::lit(at + 2)) * 16 + n.div(&Nat::lit(3))).collect());
    for text in [few, apart] {
        assert!(!text.contains("let"), "{text}");
    }
}

#[test]
fn what_may_be_negative_by_itself_has_no_name() {
    let named = filled(4, |i, n| (0..6).map(|at| (n - i) * 2 + n.div(&Nat::lit(3)) + 4 * at).collect());
    assert!(named.contains("let at = 2 * n + n / 3 - 2 * i"), "{named}");
    let text = filled(4, |i, n| (0..6).map(|at| n.div(&Nat::lit(3)) - i + 64 + 4 * at).collect());
    assert!(!text.contains("let"), "{text}");
}
