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
