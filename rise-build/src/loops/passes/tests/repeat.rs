//! Short rows as one row.

use super::*;

/// What lies in other places from the third on is filled before.
const FILLED: BufferId = BufferId(2);

/// `columns` rows of `n` lanes in each of some rows, each lane the sum of `shared` elements that all rows read and of a
/// window of three by three of a temporary, in which a row's end is `gap` elements from the next.
fn windows(rows: i64, columns: i64, shared: i64, gap: i64) -> Test {
    let mut test = Test::new(|n| n * rows * columns);
    let n = test.n.clone();
    let pitch = &n * (columns + 2) + gap;
    let len = &pitch * (rows + 2);
    test.buffer("t", len.clone(), Role::Heap);
    let fill = looped(LoopKind::Seq, "k", len, |k| vec![store(2, k.clone(), Value::FromNat(Scalar::F32, k))]);
    let nest = looped(LoopKind::Par, "i", rows, |i| {
        vec![looped(LoopKind::Seq, "j", columns, |j| {
            vec![looped(LoopKind::Vec, "l", n.clone(), |l| {
                let all = (0..shared).map(|at| load(0, (&l + at).rem(&n)));
                let read = |at: i64| load(2, (&i + at / 3) * &pitch + (&j + at % 3) * &n + &l);
                let sum = Name::fresh("sum");
                let add = |x| Stmt::Set(sum.clone(), plus(Value::Var(sum.clone()), x));
                let mut body = vec![Stmt::Var(sum.clone(), F, Some(Value::Literal(float(0.0))))];
                body.extend(all.chain((0..9).map(read)).map(add));
                body.push(store(1, &n * columns * &i + &n * &j + &l, Value::Var(sum)));
                body
            })]
        })]
    });
    test.kernel.body = vec![Stmt::Alloc(FILLED), fill, nest];
    test
}

/// Then in vectors: at sizes around those of vectors.
fn run(mut test: Test) -> String {
    let before = test.kernel.clone();
    let text = test.run_for("repeat", &[0, 1, 3, 16]);
    for name in ["strip", "vectorize"] {
        test.run_for(name, &[0, 1]);
    }
    for size in [0, 1, 3, 15, 16, 17, 33] {
        let args = [Data::Array((0..size).map(|i| Data::Scalar(float(i as f64 + 0.5))).collect())];
        let expected = execute(&before, &[size], &args);
        assert_eq!(execute(&test.kernel, &[size], &args), expected, "{size}\n{}", test.kernel);
    }
    text
}

#[test]
fn windows_that_overlap_go_side_by_side() {
    let text = run(windows(13, 5, 4, 3));
    assert!(text.contains("for parallel i in 0..2\n  let end = 8 * i + 8 - 3 * ((i + 1) / 2)\n"), "{text}");
    assert!(text.contains("  for j in 0..(end % 8 + 3) / 4\n"), "{text}");
    assert_eq!(text.matches("y[").count(), 8 + 4, "{text}");
    // What rows share they read in turn: the first is done before the fourth row of what is read.
    let at = |place: &str| text.find(place).unwrap_or_else(|| panic!("{place}\n{text}"));
    assert!(at("y[40 * n * i + l] = ") < at("t[56 * n * i + 21 * n + 24 * i + l + 9]"), "{text}");
}

/// Rows and columns of three lanes, each the sum of the elements of its column around it, of which the last is repeated
/// at the borders, and of four that all columns read.
fn clamped(kind: LoopKind) -> Test {
    let mut test = Test::new(|n| n * n * 3);
    let n = test.n.clone();
    let len = &n * &n * 3;
    test.buffer("t", len.clone(), Role::Heap);
    let fill = looped(LoopKind::Seq, "k", len, |k| vec![store(2, k.clone(), Value::FromNat(Scalar::F32, k))]);
    let nest = looped(kind, "i", n.clone(), |i| {
        vec![looped(LoopKind::Seq, "j", n.clone(), |j| {
            vec![looped(LoopKind::Vec, "l", 3, |l| {
                let at = |at: &Nat, by: i64| Nat::min(&(Nat::max(&(at + by), &Nat::lit(1)) - 1), &(&n - 1));
                let read = |k: i64| load(2, (at(&i, k / 3) * &n + at(&j, k % 3)) * 3 + &l);
                let all = (0..4).map(|at| load(0, (&l + at).rem(&n)));
                let sum = all.chain((0..9).map(read)).reduce(plus).unwrap();
                vec![store(1, (&n * &i + &j) * 3 + &l, sum)]
            })]
        })]
    });
    test.kernel.body = vec![Stmt::Alloc(FILLED), fill, nest];
    test
}

#[test]
fn borders_go_one_by_one() {
    for kind in [LoopKind::Par, LoopKind::Seq] {
        let mut test = clamped(kind);
        let text = test.run_for("repeat", &(0..16).collect::<Vec<_>>());
        assert!(text.contains("for lanes l in 0..3 * inside\n"), "{text}");
        assert!(text.contains("for k in 0..n - inside\n"), "{text}");
    }
}

#[test]
fn few_rows_go_by_themselves() {
    let text = run(windows(3, 5, 4, 0));
    assert!(text.contains("if n < 16\n"), "{text}");
    assert_eq!(text.matches("y[").count(), 2, "{text}");
}

/// Groups of `rows` rows of `n` elements, to which all rows of a group add others.
fn rows(groups: i64, rows: i64) -> String {
    let mut test = Test::new(|n| n * groups * rows);
    let n = test.n.clone();
    let len = &n * groups * rows;
    test.buffer("t", len.clone(), Role::Heap);
    let fill = looped(LoopKind::Seq, "k", len, |k| vec![store(2, k.clone(), Value::FromNat(Scalar::F32, k))]);
    let nest = |group: Nat| {
        looped(LoopKind::Seq, "i", rows, |i| {
            let row = &n * (&group * rows + i);
            let sum = |l: &Nat| plus(load(2, &n * &group + l), load(2, &row + l));
            vec![looped(LoopKind::Vec, "l", n.clone(), |l| vec![store(1, &row + &l, sum(&l))])]
        })
    };
    let all = match groups {
        1 => nest(Nat::lit(0)),
        _ => looped(LoopKind::Seq, "g", groups, |g| vec![nest(g)]),
    };
    test.kernel.body = vec![Stmt::Alloc(FILLED), fill, all];
    run(test)
}

#[test]
fn rows_of_less_than_two_vectors_are_one_if_they_are_many_for_a_copy() {
    let alone = rows(1, 5);
    assert!(alone.contains("if n < 32\n") && alone.contains("for lanes l in 0..5 * n\n"), "{alone}");
    // What repeats is copied from the copy: nothing is divided.
    assert!(alone.contains("round[n + l] = round[l]\n"), "{alone}");
    for (count, worth) in [(5, false), (12, true)] {
        let text = rows(3, count);
        assert_eq!(text.contains(&format!("for lanes l in 0..{count} * n\n")), worth, "{text}");
    }
}
