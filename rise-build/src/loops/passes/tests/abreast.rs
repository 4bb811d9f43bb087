//! Rows or columns of which there are few, beside each other.

use super::*;

/// `y` is the matrix `x` with so many columns, transposed.
fn transposed(columns: i64, kind: LoopKind) -> Test {
    let rows = |n: &Nat| n.div(&Nat::lit(columns));
    let mut test = Test::new(|n| rows(n) * columns);
    let rows = rows(&test.n);
    test.kernel.body = vec![looped(kind, "j", columns, |j| {
        let row = |i: Nat| vec![store(1, &rows * &j + &i, load(0, i * columns + &j))];
        vec![looped(LoopKind::Seq, "i", rows.clone(), row)]
    })];
    test
}

#[test]
fn few_columns_are_taken_apart_at_once() {
    let expected = "\
for i in 0..n / 3
  y[i] = x[3 * i]
  y[i + n / 3] = x[3 * i + 1]
  y[i + 2 * (n / 3)] = x[3 * i + 2]
";
    assert_eq!(transposed(3, LoopKind::Seq).run("transpose"), expected);
    let parallel = transposed(8, LoopKind::Par).run_for("transpose", &[0, 8, 17, 80]);
    assert!(parallel.starts_with("for parallel i in 0..n / 8\n"), "{parallel}");
    assert_eq!(parallel.matches("y[").count(), 8, "{parallel}");
}

#[test]
fn few_rows_are_put_together_at_once() {
    let mut test = Test::new(|n| n.div(&Nat::lit(2)) * 2);
    let columns = test.n.div(&Nat::lit(2));
    test.kernel.body = vec![looped(LoopKind::Seq, "i", columns.clone(), |i| {
        let element = |j: Nat| vec![store(1, &i * 2 + &j, load(0, &columns * j + &i))];
        vec![looped(LoopKind::Seq, "j", 2, element)]
    })];
    let expected = "for i in 0..n / 2\n  y[2 * i] = x[i]\n  y[2 * i + 1] = x[i + n / 2]\n";
    assert_eq!(test.run("transpose"), expected);
}

#[test]
fn nine_columns_stay_as_they_are() {
    let mut test = transposed(9, LoopKind::Seq);
    let before = test.kernel.to_string();
    test.run_for("transpose", &[0, 9, 100]);
    assert_eq!(test.kernel.to_string(), before);
}

#[test]
fn elements_are_not_far_apart_where_all_between_them_are_read() {
    let text = |read: i64| {
        let mut test = Test::new(|n| n.div(&Nat::lit(6)) * read);
        let rows = test.n.div(&Nat::lit(6));
        let body = |i: Nat| (0..read).map(|j| store(1, &i * read + j, load(0, &i * 6 + j))).collect();
        test.kernel.body = vec![looped(LoopKind::Seq, "i", rows, body)];
        test.run("several")
    };
    assert!(!text(6).contains("apart"), "{}", text(6));
    assert!(text(5).contains("apart"), "{}", text(5));
}

#[test]
fn few_scalars_at_a_place_that_data_say_go_one_by_one() {
    let zero = || Box::new(Value::Literal(Literal::small(0, Scalar::I32)));
    let text = |place: Value| {
        let mut test = Test::new(|n| n * 16);
        let (width, at) = (test.n.rem(&Nat::lit(16)), NatVar::new("at"));
        let sums = |i: Nat| {
            let start = Nat::var(&at) + i * 16;
            let add = |j: Nat| vec![store(1, &start + &j, plus(load(1, &start + &j), load(0, j)))];
            vec![looped(LoopKind::Seq, "j", width, add)]
        };
        test.kernel.body = vec![
            looped(LoopKind::Seq, "i", &test.n * 16, |i| vec![store(1, i, Value::Literal(float(0.0)))]),
            Stmt::LetNat(at.clone(), place),
            looped(LoopKind::Seq, "i", test.n.clone(), sums),
        ];
        test.run_for("several", &[0, 1, 7, 8, 15, 16, 25])
    };
    let expected = "  if n % 16 < 8\n    for j in 0..n % 16\n      let at2 = apart(j)\n";
    let from_data = text(Value::ClampIndex(Scalar::I32, Nat::lit(1), zero()));
    assert!(
        from_data.contains(expected) && from_data.contains("  else\n    for j in 0..n % 16\n"),
        "{from_data}"
    );
    let known = text(Value::Nat(Nat::lit(0)));
    assert!(!known.contains("apart"), "{known}");
}
