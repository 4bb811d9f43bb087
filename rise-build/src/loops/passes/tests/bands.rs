//! Rows of several rows, in bands of columns.

use super::*;

/// Eight rows of `n` numbers, twice: each is the sum of five rows of a temporary, whose rows are so much longer.
fn sums(kinds: [LoopKind; 2], longer: i64, depth: usize, read: impl Fn(&Nat, &Nat, Nat) -> Nat) -> Test {
    let mut test = Test::new(|n| n * 16);
    let n = test.n.clone();
    let apart = &n + longer;
    let rows = test.buffer("t", &apart * 12, Role::Heap);
    let body = |around: &Nat| {
        vec![
            Stmt::Alloc(rows),
            looped(LoopKind::Seq, "i", 12, |i| {
                vec![looped(LoopKind::Vec, "j", apart.clone(), |j| {
                    let number = |nat: &Nat| Value::FromNat(Scalar::F32, nat.clone());
                    vec![store(rows.0, &apart * &i + &j, plus(number(&(&i * 3)), number(&j)))]
                })]
            }),
            looped(kinds[0], "i", 8, |i| {
                vec![looped(kinds[1], "j", n.clone(), |j| {
                    let rows_of = (0..5).map(|k| load(rows.0, read(&apart, &(&i + k), j.clone())));
                    vec![store(1, &n * 8 * around + &n * &i + &j, rows_of.reduce(plus).unwrap())]
                })]
            }),
        ]
    };
    test.kernel.body = match depth {
        0 => body(&Nat::lit(0)),
        _ => vec![looped(LoopKind::Par, "around", 2, |around| body(&around))],
    };
    test
}

/// What the pass makes of the sums, which are the last loop.
fn after(mut test: Test) -> String {
    let text = test.run_for("bands", &[0, 5, 1025, 1537]);
    let at = text.rfind("let tasks").or_else(|| text.rfind("for band")).or_else(|| text.rfind("for "));
    text[at.unwrap()..].replace("\n  ", "\n")
}

fn straight(apart: &Nat, row: &Nat, column: Nat) -> Nat {
    apart * row + column
}

#[test]
fn long_rows_go_in_pieces_and_short_ones_as_one() {
    let expected = "\
let tasks = select(n >= 1536, (8 * ((n + 1023) / 1024)) as u64, ((n + 511) / 512) as u64)
for parallel task in 0..tasks
  let start = select(n >= 1536, (n * (task % 8) + 1024 * (task / 8)) as u64, (4096 * task) as u64)
  let length = select(n >= 1536, (min(1024, max(n, 1024 * (task / 8)) - 1024 * (task / 8))) as u64, \
                    (min(4096, max(8 * n, 4096 * task) - 4096 * task)) as u64)
  for lanes j in 0..length
";
    let text = after(sums([LoopKind::Par, LoopKind::Vec], 0, 1, straight));
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("y[8 * n * around + start + j] = (((t[start + j] + t[n + start + j])"), "{text}");
}

#[test]
fn rows_that_lie_further_apart_than_they_are_long_go_in_bands() {
    for kinds in [[LoopKind::Par, LoopKind::Vec], [LoopKind::Seq, LoopKind::Seq]] {
        let text = after(sums(kinds, 2, 1, straight));
        assert!(text.starts_with("for band in 0..(n + 1023) / 1024\n"), "{text}");
        assert!(text.contains("\n  let length = min(1024, n - 1024 * band)\n"), "{text}");
        assert!(text.contains(" j in 0..length\n"), "{text}");
    }
}

#[test]
fn what_reads_no_row_again_stays_as_it_is() {
    let stays = |mut test: Test| {
        let before = test.kernel.to_string();
        test.run_for("bands", &[0, 1, 5]);
        assert_eq!(test.kernel.to_string(), before);
    };
    let kinds = [LoopKind::Par, LoopKind::Vec];
    // Such temporaries are in no cache.
    stays(sums(kinds, 0, 0, straight));
    // One row for all.
    stays(sums(kinds, 0, 1, |_, _, column| column));
    // Of a border.
    stays(sums(kinds, 0, 1, |apart, row, column| apart * row + Nat::max(&column, &Nat::lit(1)) - 1));
    // What is written is read for later rows.
    let mut updated = sums([LoopKind::Seq, LoopKind::Seq], 0, 1, straight);
    let Stmt::For(around) = &mut updated.kernel.body[0] else { panic!() };
    let Some(Stmt::For(rows)) = around.body.last_mut() else { panic!() };
    let Some(Stmt::For(row)) = rows.body.last_mut() else { panic!() };
    let Some(Stmt::Store(to, value)) = row.body.last_mut() else { panic!() };
    let own = Value::Load(to.clone());
    *value = plus(value.clone(), own);
    let before = updated.kernel.to_string();
    updated.run_for("bands", &[]);
    assert_eq!(updated.kernel.to_string(), before);
}
