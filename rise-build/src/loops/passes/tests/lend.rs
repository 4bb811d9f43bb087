//! Rows that are lent in place of copies.

use super::*;

/// Rows of two of three numbers are copied, and summed so many times.
fn sums(times: impl Fn(&Nat) -> Nat, apart: impl Fn(&Nat) -> Nat, read: impl Fn(Nat) -> Nat) -> Test {
    sums_of(2, times, apart, read)
}

/// The same with rows of so many numbers.
fn sums_of(
    width: i64,
    times: impl Fn(&Nat) -> Nat,
    apart: impl Fn(&Nat) -> Nat,
    read: impl Fn(Nat) -> Nat,
) -> Test {
    let mut test = Test::new(&times);
    let (rows, times) = (test.n.div(&Nat::lit(width + 1)), times(&test.n));
    let apart = apart(&test.n);
    let copy = test.buffer("copy", &rows * width, Role::Heap);
    let total = Name::fresh("total");
    let add = |i: Nat| plus(Value::Var(total.clone()), load(copy.0, read(i)));
    test.kernel.body = vec![
        Stmt::Alloc(copy),
        looped(LoopKind::Seq, "i", rows.clone(), |i| {
            let start = if apart.as_const() == Some(-3) { &test.n - 3 } else { Nat::lit(0) };
            let element = |c: i64| store(copy.0, &i * width + c, load(0, &start + &i * &apart + c + 1));
            (0..width).map(element).collect()
        }),
        looped(LoopKind::Par, "t", times, |t| {
            vec![
                Stmt::Var(total.clone(), F, Some(Value::Literal(float(0.0)))),
                looped(LoopKind::Seq, "i", rows, |i| vec![Stmt::Set(total.clone(), add(i))]),
                store(1, t, Value::Var(total.clone())),
            ]
        }),
    ];
    test
}

#[test]
fn what_is_read_few_times_is_not_copied() {
    let mut test = sums(Clone::clone, |_| Nat::lit(3), |i| i * 2 + 1);
    assert_eq!(
        test.run_for("lend", &[0, 1, 3, 8, 23, 24, 70]),
        "heap copy: [f32; 2 * (n / 3)]\n\
         let often = n >= 24\n\
         let stride = select(often, (2) as u64, (3) as u64)\n\
         if often\n\
         \x20 for i in 0..n / 3\n\
         \x20   copy[2 * i] = x[3 * i + 1]\n\
         \x20   copy[2 * i + 1] = x[3 * i + 2]\n\
         lend rows = copy if often else x[1..]\n\
         for parallel t in 0..n\n\
         \x20 var total: f32 = 0.0\n\
         \x20 for i in 0..n / 3\n\
         \x20   total = total + rows[i * stride + 1]\n\
         \x20 y[t] = total\n"
    );
}

#[test]
fn what_is_always_read_few_times_is_never_copied() {
    let mut test = sums(|_| Nat::lit(5), |_| Nat::lit(3), |i| i * 2);
    let text = test.run_for("lend", &[0, 1, 3, 8, 70]);
    assert!(text.contains("total + x[3 * i + 1]") && !text.contains("copy"), "{text}");
}

#[test]
fn where_rows_crowd_a_copy_is_made_sooner() {
    let rows = |apart: fn(&Nat) -> Nat| sums(|n| n - 1, apart, |i| i * 2).run_for("lend", &[]);
    assert!(rows(|_| Nat::lit(512)).contains("often = (n - 1 >= 24) | ((n - 1 >= 6) | large("));
    assert!(rows(Clone::clone).contains("% 512) == 0) & ((n - 1 >= 6) | large("));
    assert!(rows(Clone::clone).contains("often = (n != 2) & ("));
}

#[test]
fn rows_that_lie_as_in_a_copy_are_copied_to_where_lines_begin() {
    let sizes = [0, 16, 17, 23, 24, 400];
    let side_by_side = sums_of(16, Clone::clone, |_| Nat::lit(16), |i| i * 16).run_for("lend", &sizes);
    let known = "let ahead = to_line(x[1 ..16], 16 * (n / 17))\nlet often = (0 < ahead) & (n >= 24)\n";
    assert!(side_by_side.contains(known), "{side_by_side}");
    let unknown = sums_of(16, Clone::clone, |n| n.div(&Nat::lit(17)) + 15, |i| i * 16).run_for("lend", &[]);
    assert!(unknown.contains("let often = ((n / 17 + 15 != 16) | (0 < ahead)) & ("), "{unknown}");
    // Rows of other lengths do not begin at lines for it.
    let short = sums_of(8, |n| n * 3, |_| Nat::lit(8), |i| i * 8).run_for("lend", &[0, 9, 30]);
    assert!(!short.contains("copy"), "{short}");
}

#[test]
fn copies_stay_that_are_read_often_or_across_rows() {
    let unchanged = |test: &mut Test| {
        let before = test.kernel.to_string();
        test.run_for("lend", &[0, 3, 8, 30]);
        assert_eq!(test.kernel.to_string(), before);
    };
    unchanged(&mut sums(|_| Nat::lit(24), |_| Nat::lit(3), |i| i * 2));
    // The element behind a row is the first of the next one.
    unchanged(&mut sums(Clone::clone, |_| Nat::lit(3), |i| i));
    // Rows in the other direction.
    unchanged(&mut sums(Clone::clone, |_| Nat::lit(-3), |i| i * 2));
    let mut padded = sums(Clone::clone, |_| Nat::lit(3), |i| i * 2);
    padded.kernel.buffers[2].len = padded.n.clone() + 1;
    unchanged(&mut padded);
    let mut written = sums(Clone::clone, |_| Nat::lit(3), |i| i * 2);
    let Some(Stmt::For(Loop { body, .. })) = written.kernel.body.last_mut() else { panic!() };
    body.insert(0, looped(LoopKind::Seq, "i", 0, |i| vec![store(2, i, Value::Literal(float(1.0)))]));
    unchanged(&mut written);
}
