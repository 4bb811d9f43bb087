//! Where squares lie.

use super::*;

/// Copies four squares of 8 elements, and does something beside each.
fn copied(beside: Option<Stmt>) -> String {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    let begin = n.div(&Nat::lit(2)) + n.div(&Nat::lit(5)) + 8;
    let room = Value::CompareNat(Compare::Ge, n, Nat::lit(1000));
    let place = |buffer: u32, at: Nat| Access::scalar(BufferId(buffer), at + &begin);
    let loops = looped(LoopKind::Seq, "i", 2, |i| {
        let columns = looped(LoopKind::Seq, "j", 2, |j| {
            let square = Transpose {
                from: place(0, &i * 8 + &j * 128),
                to: place(1, &i * 128 + &j * 8),
                strides: [Nat::lit(16), Nat::lit(16)],
                side: 8,
                shape: Shape::Square,
            };
            std::iter::once(Stmt::Transpose(Box::new(square))).chain(beside.clone()).collect()
        });
        vec![columns]
    });
    test.kernel.body = vec![Stmt::If(room, vec![loops], Block::new())];
    test.run_for("squares", &[0, 999, 1000, 1201])
}

#[test]
fn loops_around_squares_go_on_from_where_they_begin() {
    let expected = "\
if n >= 1000
  let at = apart(n / 2 + n / 5)
  for i in 0..2
    let at2 = apart(8 * i + at)
    let at3 = apart(128 * i + at)
    for j in 0..2
      y[8 * j + at3 + 8; 16] = transpose(x[128 * j + at2 + 8; 16]), 8 × 8
";
    assert_eq!(copied(None), expected);
}

#[test]
fn loops_that_do_more_stay() {
    let text = copied(Some(store(1, 0, Value::Literal(float(1.0)))));
    assert!(!text.contains("apart"), "{text}");
}
