//! Rows that read much of what the rows beside them read.

use super::*;

/// Rows of 98 of the sums of what lies in so many rows of 100 of `x` by so many columns, written so far apart.
fn windows(kind: LoopKind, [rows, columns]: [i64; 2], step: i64) -> Test {
    let mut test = Test::new(|n| n.div(&Nat::lit(100)) * step + 98);
    let count = test.n.div(&Nat::lit(100)) - (rows - 1);
    test.kernel.body = vec![looped(kind, "j", count, |j| {
        vec![looped(LoopKind::Vec, "i", 98, |i| {
            let at = |row: i64, column: i64| load(0, (&j + row) * 100 + &i + column);
            let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let sum = all.fold(Value::Literal(float(1.0)), |sum, (row, column)| plus(sum, at(row, column)));
            vec![store(1, &j * step + &i, sum)]
        })]
    })];
    test
}

const SIZES: [i128; 5] = [200, 300, 400, 500, 701];

/// Whether two rows are computed at once.
fn go_together(test: &mut Test) -> bool {
    let text = test.run_for("neighbours", &SIZES);
    match text.matches("y[").count() {
        1 => false,
        3 | 4 => true,
        _ => panic!("{text}"),
    }
}

#[test]
fn windows_of_two_rows_are_read_before_either_is_written() {
    let expected = "\
for parallel j in 0..(n + 100) / 200 - 1
  for lanes i in 0..98
    let i = (((1.0 + x[200 * j + i]) + x[200 * j + i + 1]) + x[200 * j + i + 100]) + x[200 * j + i + 101]
    let i2 = (((1.0 + x[200 * j + i + 100]) + x[200 * j + i + 101]) + x[200 * j + i + 200]) + x[200 * j + i + 201]
    y[196 * j + i] = i
    y[196 * j + i + 98] = i2
for j in 0..";
    let text = windows(LoopKind::Par, [2, 2], 98).run_for("neighbours", &SIZES);
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn rows_that_share_much_go_together() {
    assert!(go_together(&mut windows(LoopKind::Par, [3, 3], 98)));
    assert!(go_together(&mut windows(LoopKind::Seq, [3, 3], 98)));
    assert!(!go_together(&mut windows(LoopKind::Par, [1, 9], 98)), "nothing is shared");
    assert!(!go_together(&mut windows(LoopKind::Par, [3, 1], 98)), "little is read");
    assert!(!go_together(&mut windows(LoopKind::Seq, [3, 3], 97)), "rows overlap");
}

#[test]
fn borders_stay_with_their_rows() {
    let mut test = windows(LoopKind::Par, [2, 3], 100);
    if let Stmt::For(rows) = &mut test.kernel.body[0] {
        let j = Nat::var(&rows.var);
        rows.body.insert(0, store(1, &j * 100 + 98, load(0, &j * 100)));
        let is_late = Value::CompareNat(Compare::Gt, j.clone(), Nat::lit(1));
        let last = vec![store(1, &j * 100 + 99, load(0, j * 100 + 1))];
        rows.body.push(Stmt::If(is_late, last, Block::new()));
    }
    let text = test.run_for("neighbours", &SIZES);
    assert_eq!(text.matches("for lanes").count(), 2, "{text}");
}

/// Rows of any length, which a natural of the iteration says.
#[test]
fn rows_shorter_than_a_vector_go_one_by_one() {
    let mut test = Test::new(|n| n.div(&Nat::lit(8)) * 8);
    let width = test.n.div(&Nat::lit(8));
    test.kernel.body = vec![looped(LoopKind::Par, "j", 5, |j| {
        let inside = NatVar::new("inside");
        let count = Value::Nat(Nat::max(&Nat::lit(0), &(&width - 2)));
        let row = looped(LoopKind::Vec, "i", Nat::var(&inside), |i| {
            let at = |row: i64, column: i64| load(0, (&j + row) * &width + &i + column);
            let sum = plus(plus(at(0, 0), at(1, 0)), plus(at(1, 2), at(2, 1)));
            vec![store(1, &j * &width + &i, plus(sum, plus(at(0, 2), at(2, 0))))]
        });
        vec![Stmt::LetNat(inside, count), row]
    })];
    let text = test.run_for("neighbours", &[0, 7, 8, 24, 100, 144, 200]);
    assert!(text.starts_with("if max(0, n / 8 - 2) >= 16\n  for parallel j in 0..2\n"), "{text}");
}
