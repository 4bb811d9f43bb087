//! Indices that are chosen at borders.

use super::*;

const U: ValueType = ValueType { scalar: Scalar::U64, lanes: 1 };

fn chosen(condition: Value, then: Nat, otherwise: Nat) -> Value {
    let values = [condition, Value::FromNat(Scalar::U64, then), Value::FromNat(Scalar::U64, otherwise)];
    Value::Select(U, Box::new(values))
}

/// The natural under a name, and that name.
fn named(value: Value) -> (Stmt, Nat) {
    let var = NatVar::new("at");
    (Stmt::LetNat(var.clone(), value), Nat::var(&var))
}

/// What stands before the first element is the second, and what stands behind the last is the last but one; the array has
/// two at least.
fn mirrored(place: &Nat, n: &Nat) -> (Block, Value) {
    let (behind, at) =
        named(chosen(Value::CompareNat(Compare::Gt, place.clone(), n.clone()), n - 2, place - 1));
    let (before, at) =
        named(chosen(Value::CompareNat(Compare::Eq, place.clone(), Nat::lit(0)), Nat::lit(1), at));
    (vec![behind, before], load(0, Nat::min(&(n - 1), &at)))
}

fn two_or_more() -> Test {
    let mut test = Test::new(|n| n + 2);
    test.kernel.facts.assume_le(&Nat::lit(2), &test.n);
    test
}

#[test]
fn between_borders_the_index_is_the_place() {
    let mut test = two_or_more();
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", &n + 2, |i| {
        let (mut body, value) = mirrored(&i, &n);
        body.push(store(1, i, value));
        body
    })];
    test.run_for("interior", &[2, 3, 4, 17]);
    let text = test.run_for("simplify", &[2, 3, 4, 17]);
    assert!(text.contains("for i in 0..peeled\n  y[i + 1] = x[i]\n"), "{text}");
}

#[test]
fn windows_reach_into_borders() {
    let mut test = two_or_more();
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), |i| {
        let sum = Name::fresh("sum");
        let window = looped(LoopKind::Seq, "k", 3, |k| {
            let (mut body, value) = mirrored(&(&i + &k), &n);
            body.push(Stmt::Set(sum.clone(), plus(Value::Var(sum.clone()), value)));
            body
        });
        let start = Stmt::Var(sum.clone(), F, Some(Value::Literal(float(0.0))));
        vec![start, window, store(1, i, Value::Var(sum.clone()))]
    })];
    test.run_for("interior", &[2, 3, 4, 17]);
    let text = test.run_for("simplify", &[2, 3, 4, 17]);
    assert!(text.contains("    sum2 = sum2 + x[i + k]\n  y[i + 1] = sum2\n"), "{text}");
}

/// There they are the greatest of machine integers.
#[test]
fn numbers_below_nothing_are_none_of_the_middle() {
    let mut test = two_or_more();
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), |i| {
        let (before, at) = named(Value::FromNat(Scalar::U64, &i - 1));
        vec![before, store(1, i, load(0, Nat::min(&(&n - 1), &at)))]
    })];
    let text = test.run_for("interior", &[2, 3, 4, 17]);
    assert!(text.contains("  y[i + 1] = x[i]\n"), "{text}");
}

/// What a delay of so many gives: nothing, then what was so many before.
fn delayed(place: &Nat, by: &Nat) -> Value {
    let before = load(0, Nat::max(by, place) - by);
    let known = Value::CompareNat(Compare::Le, by.clone(), place.clone());
    Value::Select(F, Box::new([known, before, Value::Literal(float(0.0))]))
}

#[test]
fn borders_of_unknown_width_are_loops_of_their_own() {
    for kind in [LoopKind::Seq, LoopKind::Vec] {
        let mut test = Test::new(Nat::clone);
        let by = test.n.div(&Nat::lit(3));
        test.kernel.body =
            vec![looped(kind, "i", test.n.clone(), |i| vec![store(1, i.clone(), delayed(&i, &by))])];
        let text = test.run_for("interior", &[0, 1, 2, 3, 50]);
        let lanes = if kind == LoopKind::Vec { "lanes " } else { "" };
        assert!(text.contains(&format!("for {lanes}i in 0..peeled\n  y[i] = select(false, ")), "{text}");
        let behind = format!("for {lanes}i in 0..n - n / 3\n  y[i + n / 3] = select(true, x[i], ");
        assert!(text.contains(&behind), "{text}");
    }
}

/// Of a piece of a row it is not known whether it has a border, and how much of one.
#[test]
fn pieces_behind_borders_of_unknown_width_are_loops_too() {
    let mut test = Test::new(|n| n * 100);
    let (n, by) = (test.n.clone(), test.n.clone());
    test.kernel.body = vec![looped(LoopKind::Par, "i", n, |i| {
        vec![looped(LoopKind::Vec, "j", 100, |j| {
            let at = i * 100 + j;
            vec![store(1, at.clone(), plus(delayed(&Nat::min(&at, &(&by * 2 - 1)), &by), load(0, 0)))]
        })]
    })];
    let text = test.run_for("interior", &[0, 1, 2, 3, 70, 250]);
    assert!(text.contains("for parallel i"), "{text}");
    assert!(!text.contains("for j in 0..100\n"), "{text}");
}

#[test]
fn choices_of_rows_are_made_before_their_lanes() {
    let mut test = Test::new(|n| n * n);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Par, "i", n.clone(), |i| {
        vec![looped(LoopKind::Vec, "j", n.clone(), |j| {
            let joined = Name::fresh("joined");
            let (from, to) = (Value::Literal(float(0.0)), load(0, i.clone()));
            let inside = Value::CompareNat(Compare::Lt, i.clone(), n.div(&Nat::lit(2)));
            let second = Value::CompareNat(Compare::Lt, Nat::lit(1), i.clone());
            let set = |value| vec![Stmt::Set(joined.clone(), value)];
            vec![
                Stmt::Var(joined.clone(), F, None),
                Stmt::If(second, set(to), set(from)),
                store(1, &i * &n + j, Value::Var(joined.clone())),
                Stmt::If(inside, vec![], vec![]),
            ]
        })]
    })];
    let text = test.run_for("interior", &[0, 1, 2, 5]);
    assert!(
        text.contains("  if 1 < i\n    for lanes j in 0..n\n      var joined: f32\n      joined = x[i]\n"),
        "{text}"
    );
}

/// There is nothing behind a middle that begins behind the end.
#[test]
fn loops_that_end_in_their_first_border_have_no_others() {
    let mut test = Test::new(Nat::clone);
    let by = test.n.div(&Nat::lit(3));
    test.kernel.body = vec![looped(LoopKind::Vec, "i", test.n.clone(), |i| {
        let second = load(0, Nat::max(&(&i - 2), &Nat::lit(0)));
        vec![store(1, i.clone(), plus(delayed(&i, &by), second))]
    })];
    let text = test.run_for("interior", &[0, 1, 2, 3, 50]);
    assert!(text.contains("for lanes i in 0..n - peeled - min(2, n)\n"), "{text}");
}
