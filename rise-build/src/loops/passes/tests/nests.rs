//! Loops that are taken apart or change places.

use super::*;

#[test]
fn a_divided_loop_becomes_a_nest() {
    let mut test = Test::new(|n| n * 3);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "k", &n * 3, |k| {
        vec![store(1, k.rem(&n) * 3 + k.div(&n), load(0, k.rem(&n)))]
    })];
    let expected = "for k in 0..3\n  for l in 0..n\n    y[k + 3 * l] = x[l]\n";
    assert_eq!(test.run("digits"), expected);
}

#[test]
fn the_greatest_divisor_comes_first() {
    let mut test = Test::new(|n| n * 6);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "k", &n * 6, |k| {
        let (high, middle, low) = (k.div(&(&n * 3)), k.div(&n).rem(&Nat::lit(3)), k.rem(&n));
        vec![store(1, &low * 6 + &middle * 2 + &high, load(0, low))]
    })];
    let text = test.run("digits");
    assert!(!text.contains('/') && !text.contains('%'), "{text}");
    assert_eq!(text.matches("for ").count(), 3, "{text}");
}

#[test]
fn divisors_that_leave_a_rest_stay() {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    let body = |k: Nat| vec![store(1, k.clone(), load(0, k.div(&Nat::lit(4))))];
    test.kernel.body = vec![looped(LoopKind::Seq, "k", n, body)];
    assert_eq!(test.run("digits"), "for k in 0..n\n  y[k] = x[k / 4]\n");
}

/// Rows of four columns, each the sum of as many rows of `x` as asked for and itself.
fn rows(shared: i64, step: i64) -> String {
    let mut test = Test::new(|n| n * step + 100);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "j", n, |j| {
        vec![looped(LoopKind::Vec, "i", 100, |i| {
            let near = |at: i64| load(0, Nat::min(&(&i + at), &(&test.n - 1)));
            let sum = (0..shared).fold(Value::Literal(float(1.0)), |sum, at| plus(sum, near(at)));
            vec![store(1, &j * step + &i, sum)]
        })]
    })];
    test.run("exchange")
}

#[test]
fn rows_that_share_vectors_go_side_by_side() {
    let text = rows(4, 100);
    assert!(text.starts_with("for lanes i in 0..100\n  for j in 0..n\n"), "{text}");
}

#[test]
fn rows_that_share_little_or_overlap_stay() {
    for text in [rows(3, 100), rows(27, 100), rows(4, 99)] {
        assert!(text.starts_with("for j in 0..n\n  for lanes i in 0..100\n"), "{text}");
    }
}

/// `y[i] = x[i]` behind conditions, in a loop around `n` of them.
fn behind(conditions: &[&dyn Fn(&Nat, &Nat) -> Value]) -> String {
    let mut test = Test::new(|n| n * 1);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), |i| {
        let copy = vec![store(1, i.clone(), load(0, i.clone()))];
        let zero = || vec![store(1, i.clone(), Value::Literal(float(0.0)))];
        let choose =
            |then, condition: &&dyn Fn(&Nat, &Nat) -> Value| vec![Stmt::If(condition(&n, &i), then, zero())];
        let mut body = vec![Stmt::Comment("copy".into())];
        body.append(&mut conditions.iter().fold(copy, choose));
        body
    })];
    test.run("decide")
}

#[test]
fn what_stays_the_same_is_decided_before_the_loop() {
    let least =
        |least: i64| move |n: &Nat, _: &Nat| Value::CompareNat(Compare::Ge, n.clone(), Nat::lit(least));
    let expected = "\
if n >= 2
  if n >= 8
    for i in 0..n
      // copy
      y[i] = x[i]
  else
    for i in 0..n
      // copy
      y[i] = 0.0
else
  for i in 0..n
    // copy
    y[i] = 0.0
";
    assert_eq!(behind(&[&least(8), &least(2)]), expected);
}

#[test]
fn what_changes_or_needs_an_iteration_is_decided_in_the_loop() {
    let early = |_: &Nat, i: &Nat| Value::CompareNat(Compare::Lt, i.clone(), Nat::lit(2));
    // Nothing may be divided by `n` where there is no iteration.
    let quotient = |n: &Nat, _: &Nat| Value::CompareNat(Compare::Lt, Nat::lit(9).div(n), Nat::lit(2));
    for text in [behind(&[&early]), behind(&[&quotient])] {
        assert!(text.starts_with("for i in 0..n"), "{text}");
    }
}

#[test]
fn transpositions_go_in_strips_of_squares() {
    // Around a square, the fewest in a strip, more strips than these are for, and the most in a strip.
    let sides = [0, 1, 15, 16, 17, 63, 65, 127, 655, 1025, 2081];
    for [rows, columns] in [[20, 0], [0, 20], [150, 0]] {
        let by = Nat::lit(rows + columns);
        let mut test = Test::new(|n| n.div(&by) * &by);
        let side = test.n.div(&by);
        let [outer, inner] = if rows == 0 { [by.clone(), side] } else { [side, by.clone()] };
        test.kernel.body = vec![looped(LoopKind::Par, "i", outer.clone(), |i| {
            vec![looped(LoopKind::Seq, "j", inner.clone(), |j| {
                vec![store(1, &i * &inner + &j, load(0, &j * &outer + &i))]
            })]
        })];
        let most = if rows == 150 { 5 } else { sides.len() };
        let sizes: Vec<i128> =
            sides[..most].iter().map(|side| side * i128::from(rows + columns) + 3).collect();
        let text = test.run_for("transpose", &sizes);
        assert!(text.contains("let squares = max(4, min(16, "), "{text}");
        assert_eq!(text.matches("large(").count(), 1, "{text}");
        assert!(text.contains("ask x["), "{text}");
    }
}

#[test]
fn transpositions_cover_both_ends_wherever_lines_begin() {
    // As the interpreter has it, a line begins with element 9, and so do both, one or neither of the matrices.
    for [read, written] in [[9, 9], [9, 0], [0, 9], [0, 0]] {
        for [outer, inner] in [[16, 16], [32, 48], [33, 47], [64, 65]] {
            let len = outer * inner + 9;
            let mut test = Test::new(|_| Nat::lit(len));
            test.kernel.body = vec![
                looped(LoopKind::Seq, "i", len, |i| vec![store(1, i, Value::Literal(float(0.0)))]),
                looped(LoopKind::Par, "i", outer, |i| {
                    vec![looped(LoopKind::Seq, "j", inner, |j| {
                        vec![store(1, &i * inner + &j + written, load(0, &j * outer + &i + read))]
                    })]
                }),
            ];
            let text = test.run_for("transpose", &[i128::from(len)]);
            assert!(text.contains("for end in"), "{text}");
        }
    }
}

#[test]
fn transpositions_between_rows_that_crowd_go_in_pieces() {
    // Several pieces each way, of several squares, the last of which overlap.
    for [outer, inner] in [[150, 40], [20, 540]] {
        let (apart, written) = (1025, 1025 * outer);
        let mut test = Test::new(|_| Nat::lit(written));
        test.kernel.body = vec![
            looped(LoopKind::Seq, "i", written, |i| vec![store(1, i, Value::Literal(float(0.0)))]),
            looped(LoopKind::Par, "i", outer, |i| {
                vec![looped(LoopKind::Seq, "j", inner, |j| {
                    vec![store(1, &i * apart + &j, load(0, &j * apart + &i))]
                })]
            }),
        ];
        let text = test.run_for("transpose", &[i128::from(apart * inner)]);
        assert!(text.contains("heap y_piece: [f32; 78336]"), "{text}");
        assert!(text.contains("ask x[") && !text.contains("ask y"), "{text}");
    }
}

#[test]
fn transpositions_between_rows_that_begin_one_element_after_lines_go_in_slants() {
    // Rows that are left over, of one square and of two, and strides that are not both so.
    for [outer, inner, read, written, slanted] in
        [[290, 258, 305, 273, 1], [273, 271, 273, 273, 1], [256, 260, 257, 262, 0], [255, 260, 257, 273, 0]]
    {
        let mut test = Test::new(|_| Nat::lit(written * outer));
        test.kernel.body = vec![
            looped(LoopKind::Seq, "i", written * outer, |i| vec![store(1, i, Value::Literal(float(0.0)))]),
            looped(LoopKind::Par, "i", outer, |i| {
                vec![looped(LoopKind::Seq, "j", inner, |j| {
                    vec![store(1, &i * written + &j, load(0, &j * read + &i))]
                })]
            }),
        ];
        let text = test.run_for("transpose", &[i128::from(read * inner)]);
        assert_eq!(text.matches("32 × 16, slanted").count(), 2 * usize::from(slanted == 1), "{text}");
        assert_eq!(text.contains("in_lines"), slanted == 1, "{text}");
    }
}

#[test]
fn transpositions_write_rows_of_squares_that_are_lines_past_the_cache() {
    for (apart, past) in [(1024, true), (1032, false)] {
        let side = 40;
        let mut test = Test::new(|_| Nat::lit(apart * side));
        test.kernel.body = vec![
            looped(LoopKind::Seq, "i", apart * side, |i| vec![store(1, i, Value::Literal(float(0.0)))]),
            looped(LoopKind::Par, "i", side, |i| {
                vec![looped(LoopKind::Seq, "j", side, |j| {
                    vec![store(1, &i * apart + &j, load(0, &j * apart + &i))]
                })]
            }),
        ];
        let text = test.run_for("transpose", &[i128::from(apart * side)]);
        assert_eq!(text.contains("stream y["), past, "{text}");
        // Where such lines are written in one step, nothing is asked for.
        let asks = text.split("stream y[").next().unwrap().contains("if !in_lines");
        assert_eq!(asks, past, "{text}");
    }
}

/// Sums of the first columns of rows that are so far apart, in vectors.
fn column_sums(apart: i64, vectors: i64) -> Test {
    let columns = 16 * vectors;
    let mut test = Test::new(|_| Nat::lit(columns));
    let rows = (&test.n + (apart - columns)).div(&Nat::lit(apart));
    test.kernel.body = vec![
        looped(LoopKind::Seq, "i", columns, |i| vec![store(1, i, Value::Literal(float(0.0)))]),
        looped(LoopKind::Seq, "i", rows, |i| vec![row_sum(Nat::lit(0), i * apart, Nat::lit(vectors))]),
    ];
    test
}

/// Adds the vectors from `start` on to those of the result from `sums` on.
fn row_sum(sums: Nat, start: Nat, vectors: Nat) -> Stmt {
    let ty = ValueType { lanes: 16, ..F };
    let vector = |buffer: u32, index: Nat| Access { lanes: 16, ..Access::scalar(BufferId(buffer), index) };
    looped(LoopKind::Seq, "j", vectors, |j| {
        let at = vector(1, sums + &j * 16);
        let [sum, x] = [at.clone(), vector(0, start + j * 16)].map(|at| Box::new(Value::Load(at)));
        vec![Stmt::Store(at, Value::Binary(Binary::Add, ty, sum, x))]
    })
}

#[test]
fn folds_of_rows_that_are_far_apart_ask_for_the_next() {
    let text = column_sums(1024, 10).run_for("ask", &[0, 170, 1200, 5000]);
    let expected = "\
if large(4 * n)
  for i in 0..(n + 864) / 1024
    for j in 0..10
      ask x[1024 * i + 16 * j + 1024]
      y[16 * j ..16] = y[16 * j ..16] + x[1024 * i + 16 * j ..16]
else
  for i in 0..(n + 864) / 1024
    for j in 0..10
      y[16 * j ..16] = y[16 * j ..16] + x[1024 * i + 16 * j ..16]
";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn long_rows_ask_for_what_they_come_to_themselves() {
    let text = column_sums(1024, 40).run_for("ask", &[0, 640, 1700, 5000]);
    let expected = "\
  for i in 0..(n + 384) / 1024
    for j in 0..24
      ask x[1024 * i + 16 * j + 256]
      y[16 * j ..16] = y[16 * j ..16] + x[1024 * i + 16 * j ..16]
    for j in 0..16
      ask x[1024 * i + 16 * j + 1024]
      y[16 * j + 384 ..16] = y[16 * j + 384 ..16] + x[1024 * i + 16 * j + 384 ..16]
else
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn of_sums_of_the_same_rows_the_first_one_asks() {
    let text = |start: fn(&Nat, &Nat) -> Nat| {
        let mut test = Test::new(|n| n.rem(&Nat::lit(5)) * 640);
        let (rows, times) = (test.n.div(&Nat::lit(1024)), test.n.rem(&Nat::lit(5)));
        let zeros = &times * 640;
        test.kernel.body = vec![
            looped(LoopKind::Seq, "i", zeros, |i| vec![store(1, i, Value::Literal(float(0.0)))]),
            looped(LoopKind::Seq, "i", rows, |i| {
                vec![looped(LoopKind::Seq, "t", times, |t| {
                    vec![row_sum(&t * 640, start(&i, &t), Nat::lit(40))]
                })]
            }),
        ];
        test.run_for("ask", &[0, 640, 1024, 2049, 4097, 5004])
    };
    let expected = "\
for i in 0..n / 1024
  let first = select((0 < n % 5) & large(4 * n), (1) as u64, (0) as u64)
  if 0 < first
    for j in 0..24
      ask x[1024 * i + 16 * j + 256]
      y[16 * j ..16] = y[16 * j ..16] + x[1024 * i + 16 * j ..16]
    for j in 0..16
      ask x[1024 * i + 16 * j + 1024]
      y[16 * j + 384 ..16] = y[16 * j + 384 ..16] + x[1024 * i + 16 * j + 384 ..16]
  for t in 0..n % 5 - first
    for j in 0..40
      y[640 * first + 640 * t + 16 * j ..16] = y[640 * first + 640 * t + 16 * j ..16] + x[1024 * i + 16 * j ..16]
";
    let same = text(|i, _| i * 1024);
    assert!(same.ends_with(expected), "{same}");
    let own = text(|i, t| i * 1024 + t);
    assert!(!own.contains("ask"), "{own}");
}

#[test]
fn rows_whose_length_is_no_number_may_be_short() {
    let mut test = Test::new(|_| Nat::lit(640));
    let (rows, vectors) = (test.n.div(&Nat::lit(1024)), (&test.n + 1).rem(&Nat::lit(37)));
    test.kernel.body = vec![
        looped(LoopKind::Seq, "i", 640, |i| vec![store(1, i, Value::Literal(float(0.0)))]),
        looped(LoopKind::Seq, "i", rows, |i| vec![row_sum(Nat::lit(0), i * 1024, vectors)]),
    ];
    let text = test.run_for("ask", &[0, 1024, 2000, 2034, 4070, 5000]);
    assert!(text.contains("let early = max(0, (n + 1) % 37 - 16)\n"), "{text}");
    assert!(
        text.contains("for j in 0..early\n") && text.contains("for j in 0..(n + 1) % 37 - early\n"),
        "{text}"
    );
}

#[test]
fn folds_of_rows_side_by_side_ask_for_nothing() {
    let text = column_sums(160, 10).run_for("ask", &[0, 160, 1600]);
    assert!(!text.contains("ask"), "{text}");
}

#[test]
fn rows_whose_places_are_computed_are_not_asked_for() {
    let mut test = column_sums(1024, 10);
    let Some(Stmt::For(rows)) = test.kernel.body.last_mut() else { panic!() };
    let (row, place) = (rows.var.clone(), NatVar::new("place"));
    let Some(Stmt::For(along)) = rows.body.last_mut() else { panic!() };
    walk::nats(&mut along.body, &mut |nat| {
        if nat.mentions(&row) {
            *nat = &*nat - Nat::var(&place);
        }
    });
    along.body.insert(0, Stmt::LetNat(place, Value::Nat(Nat::var(&along.var).rem(&Nat::lit(2)) * 16)));
    let text = test.run_for("ask", &[0, 170, 1200, 5000]);
    assert!(!text.contains("ask"), "{text}");
}

#[test]
fn indices_that_go_round_do_so_in_borders() {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), |i| {
        let neighbours = plus(load(0, (&i - 1).rem(&n)), load(0, (&i + 1).rem(&n)));
        vec![store(1, i.clone(), plus(neighbours, load(0, i.clone() + (&i + 1).div(&n) * (-&i))))]
    })];
    let text = test.run_for("interior", &[0, 1, 2, 3, 9]);
    let middle: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("for ")).take(2).collect();
    assert_eq!(middle, ["for i in 0..peeled", "  y[i + 1] = (x[i] + x[i + 2]) + x[i + 1]"], "{text}");
}

/// What becomes of a loop that chooses by a condition on its index.
fn chosen_where(condition: impl Fn(&Nat, &Nat) -> Value) -> String {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), |i| {
        let values = [condition(&i, &n), load(0, i.clone()), Value::Literal(float(0.0))];
        vec![store(1, i, Value::Select(F, Box::new(values)))]
    })];
    test.run_for("interior", &[0, 1, 2, 3, 9])
}

#[test]
fn the_places_where_indices_meet_are_borders_if_they_are_the_first_or_the_last() {
    let middle = |text: &str| -> Vec<String> {
        text.lines().skip_while(|line| !line.starts_with("for ")).take(2).map(str::to_owned).collect()
    };
    let first = chosen_where(|i, _| Value::CompareNat(Compare::Eq, i.clone(), Nat::lit(0)));
    assert_eq!(
        middle(&first),
        ["for i in 0..max(0, n - 1)", "  y[i + 1] = select(false, x[i + 1], 0.0)"],
        "{first}"
    );
    let last = chosen_where(|i, n| Value::CompareNat(Compare::Ne, i + 1, n.clone()));
    assert_eq!(middle(&last), ["for i in 0..peeled", "  y[i] = select(true, x[i], 0.0)"], "{last}");
    let before_last = chosen_where(|i, n| Value::CompareNat(Compare::Eq, n - 2, i.clone()));
    assert_eq!(
        middle(&before_last),
        ["for i in 0..peeled", "  y[i] = select(false, x[i], 0.0)"],
        "{before_last}"
    );
    let whole = |text: &str| text.starts_with("for i in 0..n\n");
    assert!(whole(&chosen_where(|i, n| Value::CompareNat(Compare::Eq, i * 2, n.clone()))));
    assert!(whole(&chosen_where(|i, _| Value::CompareNat(Compare::Eq, i.clone(), Nat::lit(5)))));
    assert!(whole(&chosen_where(|i, n| Value::CompareNat(Compare::Eq, i + 7, n.clone()))));
}

#[test]
fn lanes_beyond_a_limit_inside_are_lanes_as_well() {
    let mut test = Test::new(|n| n * n);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), |i| {
        vec![looped(LoopKind::Vec, "j", n.clone(), |j| {
            let holds = Value::CompareNat(Compare::Le, j.clone(), i.clone());
            let values = [holds, load(0, j.clone()), Value::Literal(float(0.0))];
            vec![store(1, &i * &n + j, Value::Select(F, Box::new(values)))]
        })]
    })];
    let expected = "\
for i in 0..n
  let peeled = max(0, min(n, i + 1))
  for lanes j in 0..peeled
    y[n * i + j] = select(true, x[j], 0.0)
  for lanes j in 0..n - i - 1
    y[n * i + i + j + 1] = select(false, x[i + j + 1], 0.0)
";
    assert_eq!(test.run_for("interior", &[0, 1, 2, 7, 40]), expected);
}

#[test]
fn remainders_that_stay_the_same_are_computed_before_the_loop() {
    let mut test = Test::new(|n| n * 3);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", 3, |i| {
        let row = (&i - 1).rem(&n);
        vec![looped(LoopKind::Seq, "j", n.clone(), |j| vec![store(1, &n * &i + &j, load(0, row.clone()))])]
    })];
    let text = test.run_for("quotients", &[0, 1, 2, 5]);
    assert!(text.contains("  let quotient = (i - 1) % n\n  for j in 0..n\n"), "{text}");
}

#[test]
fn powers_that_stay_the_same_are_computed_before_the_loop() {
    let mut test = Test::new(|n| n * 8);
    let n = test.n.clone();
    let two = Nat::lit(2);
    test.kernel.body = vec![looped(LoopKind::Seq, "i", 3, |i| {
        let last = Nat::lit(2) - &i;
        vec![looped(LoopKind::Seq, "j", n.clone(), |j| vec![store(1, &n * two.pow(&last) + &j, load(0, j))])]
    })];
    let text = test.run_for("quotients", &[0, 1, 2, 5]);
    assert!(text.contains("  let power = 2 ^ (2 - i)\n  for j in 0..n\n"), "{text}");
    let unknown = Nat::lit(1) - &n;
    test.kernel.body =
        vec![looped(LoopKind::Seq, "i", n.clone(), |i| vec![store(1, i, load(0, two.pow(&unknown) - 1))])];
    let text = test.run_for("quotients", &[0, 1]);
    assert!(!text.contains("let power"), "what has no value where the loop does not run: {text}");
}

#[test]
fn elements_far_apart_are_loaded_one_by_one() {
    let each = |step: i64| {
        let mut test = Test::new(|n| n.div(&Nat::lit(step)));
        let count = test.n.div(&Nat::lit(step));
        let body = |i: Nat| vec![store(1, i.clone(), load(0, i * step))];
        test.kernel.body = vec![looped(LoopKind::Seq, "i", count, body)];
        test.run("several")
    };
    assert_eq!(each(9), "for i in 0..n / 9\n  let at = apart(i)\n  y[at] = x[9 * at]\n");
    assert_eq!(each(3), "for i in 0..n / 3\n  y[i] = x[3 * i]\n");
}

#[test]
fn small_elements_are_looked_up_one_by_one() {
    for (scalar, apart) in [(Scalar::U8, true), (Scalar::I16, true), (Scalar::F32, false)] {
        let mut test = Test::new(Nat::clone);
        let n = test.n.clone();
        let at = NatVar::new("found");
        let index = Value::ClampIndex(
            Scalar::I32,
            n.clone(),
            Box::new(Value::Literal(Literal::small(1, Scalar::I32))),
        );
        test.kernel.buffers.iter_mut().for_each(|buffer| buffer.element = Element::Scalar(scalar));
        let body =
            |i: Nat| vec![Stmt::LetNat(at.clone(), index.clone()), store(1, i, load(0, Nat::var(&at)))];
        test.kernel.body = vec![looped(LoopKind::Seq, "i", n.clone(), body)];
        let text = test.run_for("several", &[]);
        assert_eq!(text.contains("= apart(found)"), apart, "{text}");
    }
}

#[test]
fn indices_that_go_round_often_do_so_everywhere() {
    let mut test = Test::new(|n| n * 5);
    let n = test.n.clone();
    let body = |i: Nat| vec![store(1, i.clone(), load(0, i.rem(&n)))];
    test.kernel.body = vec![looped(LoopKind::Seq, "i", &n * 5, body)];
    assert_eq!(test.run("interior"), "for i in 0..5 * n\n  y[i] = x[i % n]\n");
}

/// Of 8 columns each, those beyond the first `8 * (n / 8)` numbers: sums of all of `x` so far, of which the last ones
/// are taken. Some are read afterwards, from the buffer of that number: their own, or one that was exchanged for it.
fn rest_of_columns(read_after: Option<u32>) -> Test {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    let rest = &n - n.div(&Nat::lit(8)) * 8;
    let [t, other] = ["t", "other"].map(|name| test.buffer(name, Nat::lit(8), Role::Heap));
    let sum = Name::fresh("sum");
    let register = Value::Var(sum.clone());
    let sums = looped(LoopKind::Seq, "i", 8, |i| {
        let add = |j: Nat| vec![Stmt::Set(sum.clone(), plus(register.clone(), load(0, j)))];
        vec![
            Stmt::Var(sum.clone(), F, Some(Value::FromNat(Scalar::F32, i.clone()))),
            looped(LoopKind::Seq, "j", n.clone(), add),
            store(2, i, register.clone()),
        ]
    });
    let zeros = looped(LoopKind::Seq, "i", n.clone(), |i| vec![store(1, i, Value::Literal(float(0.0)))]);
    let taken = looped(LoopKind::Seq, "i", rest, |i| vec![store(1, &n - 1 - &i, load(2, i))]);
    test.kernel.body = vec![Stmt::Alloc(other), Stmt::Alloc(t), zeros, sums, taken];
    if let Some(buffer) = read_after {
        let read = |i: Nat| vec![store(1, i.clone(), plus(load(1, i), load(buffer, 0)))];
        test.kernel.body.extend((buffer == other.0).then_some(Stmt::Swap(t, other)));
        test.kernel.body.push(looped(LoopKind::Seq, "i", n.clone(), read));
    }
    test
}

#[test]
fn what_only_prepares_for_a_loop_that_does_nothing_is_left_out() {
    let text = rest_of_columns(None).run_for("skip", &[0, 1, 7, 8, 13, 16]);
    let expected = "\
if 0 < n - 8 * (n / 8)
  for i in 0..8
    var sum: f32 = (i) as f32
    for j in 0..n
      sum = sum + x[j]
    t[i] = sum
  for i in 0..n - 8 * (n / 8)
    y[n - i - 1] = t[i]
";
    assert!(text.ends_with(expected), "{text}");
}

/// A tile of rows, each folded in a register and stored, of which so many columns are taken.
#[test]
fn tiles_of_which_nothing_is_taken_are_left_out() {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    let t = test.buffer("t", Nat::lit(16), Role::Stack);
    let few = &n - n.div(&Nat::lit(8)) * 8;
    let sum = Name::fresh("sum");
    let register = Value::Var(sum.clone());
    test.kernel.body = vec![
        looped(LoopKind::Seq, "i", n.clone(), |i| vec![store(1, i, Value::Literal(float(0.0)))]),
        looped(LoopKind::Par, "tile", 1, |_| {
            let add = |j: Nat| vec![Stmt::Set(sum.clone(), plus(register.clone(), load(0, j)))];
            let take = |row: Nat| {
                vec![looped(LoopKind::Seq, "k", few, |k| vec![store(1, k.clone(), load(t.0, row * 8 + k))])]
            };
            vec![
                Stmt::Alloc(t),
                Stmt::Var(sum.clone(), F, Some(Value::Literal(float(0.5)))),
                looped(LoopKind::Seq, "j", n, add),
                looped(LoopKind::Seq, "l", 16, |l| vec![store(t.0, l, register.clone())]),
                looped(LoopKind::Seq, "row", 2, take),
            ]
        }),
    ];
    let text = test.run_for("skip", &[0, 1, 7, 8, 13, 16]);
    assert!(text.contains("\nif 0 < n - 8 * (n / 8)\n  for parallel tile in 0..1\n"), "{text}");
}

#[test]
fn what_is_read_elsewhere_is_prepared_always() {
    for buffer in [2, 3] {
        for pass in ["skip", "skip what is left over"] {
            let text = rest_of_columns(Some(buffer)).run_for(pass, &[0, 1, 7, 8, 13, 16]);
            assert!(!text.contains("if "), "{text}");
        }
    }
}

/// Whatever is done in between.
#[test]
fn what_is_left_over_is_prepared_where_anything_is() {
    let mut test = rest_of_columns(None);
    let n = test.n.clone();
    let other = looped(LoopKind::Seq, "i", n.clone(), |i| vec![store(1, i, Value::Literal(float(2.0)))]);
    test.kernel.body.insert(4, other);
    let text = test.run_for("skip what is left over", &[0, 1, 7, 8, 13, 16]);
    assert!(text.contains("if 0 < n - 8 * (n / 8)\n  for i in 0..8\n"), "{text}");
    assert!(text.ends_with("for i in 0..n - 8 * (n / 8)\n  y[n - i - 1] = t[i]\n"), "{text}");
}

/// Sums of vectors of a copy, so many rows of them, which are computed `again` and again, each in so many operations.
fn panel(operations: usize, again: i64) -> Test {
    let mut test = Test::new(|_| Nat::lit(16 * again));
    let t = test.buffer("t", test.n.div(&Nat::lit(16)) * 16, Role::Heap);
    let rows = test.n.div(&Nat::lit(16));
    let vector = |buffer: u32, index: Nat| Access { lanes: 16, ..Access::scalar(BufferId(buffer), index) };
    let ty = ValueType { scalar: Scalar::F32, lanes: 16 };
    let copied = looped(LoopKind::Seq, "i", rows.clone(), |i| {
        vec![Stmt::Store(vector(2, &i * 16), Value::Load(vector(0, &i * 16)))]
    });
    let computed = looped(LoopKind::Seq, "i", again, |i| {
        let sum = Name::fresh("sum");
        let add = |k: Nat| {
            let read = || Box::new(Value::Load(vector(2, &k * 16)));
            let once = |sum: Value| Value::Binary(Binary::Add, ty, Box::new(sum), read());
            let all = (0..operations).fold(Value::Var(sum.clone()), |sum, _| once(sum));
            vec![Stmt::Set(sum.clone(), all)]
        };
        vec![
            Stmt::Var(sum.clone(), ty, Some(Value::Broadcast(ty, Box::new(Value::Literal(float(0.0)))))),
            looped(LoopKind::Seq, "k", rows.clone(), add),
            Stmt::Store(vector(1, &i * 16), Value::Var(sum.clone())),
        ]
    });
    test.kernel.body = vec![Stmt::Alloc(t), copied, computed];
    test
}

#[test]
fn what_is_read_again_and_again_is_asked_for_where_much_is_computed() {
    let text = panel(4, 3).run_for("near", &[0, 16, 160, 800]);
    assert!(text.contains("  for k in 0..n / 16\n    ask near t[16 * k + 256]\n"), "{text}");
    assert_eq!(text.matches("ask").count(), 1, "{text}");
    let text = panel(3, 3).run_for("near", &[0, 160]);
    assert!(!text.contains("ask"), "{text}");
}

#[test]
fn rows_are_asked_for_that_are_written_after_what_is_computed_for_them() {
    let text = |distance: i64, operations: usize| {
        let mut test = panel(operations, 3);
        let Some(Stmt::For(outer)) = test.kernel.body.last_mut() else { panic!("a loop") };
        let Some(Stmt::Store(first, sum)) = outer.body.last().cloned() else { panic!("a vector is written") };
        outer.count = Nat::lit(1);
        outer.body.push(Stmt::Store(Access { index: &first.index + distance, ..first }, sum));
        test.run_for("near", &[0, 160])
    };
    assert!(
        text(32, 2).contains("  ask near y[16 * i]\n  ask near y[16 * i + 32]\n  for k "),
        "{}",
        text(32, 2)
    );
    // One after the other, and more than are computed.
    for text in [text(16, 2), text(32, 1)] {
        assert!(!text.contains("ask near y"), "{text}");
    }
}

#[test]
fn numbers_that_lie_half_a_line_apart_are_asked_for_as_well() {
    let text = |step: i64, operations: usize| {
        let mut test = panel(operations, 3);
        let s = test.buffer("s", test.n.clone() + 16, Role::Heap);
        let filled = looped(LoopKind::Seq, "i", test.n.clone() + 16, |i| {
            let number = Value::FromNat(Scalar::F32, i.clone());
            vec![Stmt::Store(Access::scalar(s, i), number)]
        });
        let Some(Stmt::For(outer)) = test.kernel.body.last_mut() else { panic!("a loop") };
        let Some(Stmt::For(inner)) = outer.body.get_mut(1) else { panic!("a loop inside") };
        let Some(Stmt::Set(sum, _)) = inner.body.first() else { panic!("a sum") };
        let ty = ValueType { scalar: Scalar::F32, lanes: 16 };
        let number = Value::Load(Access::scalar(s, Nat::var(&inner.var) * step));
        let both = [Value::Var(sum.clone()), Value::Broadcast(ty, Box::new(number))].map(Box::new);
        let [before, number] = both;
        inner.body.push(Stmt::Set(sum.clone(), Value::Binary(Binary::Add, ty, before, number)));
        test.kernel.body.splice(0..0, [Stmt::Alloc(s), filled]);
        test.run_for("near", &[0, 160])
    };
    assert!(text(12, 7).contains("ask near s[12 * k + 192]\n"), "{}", text(12, 7));
    for (step, operations) in [(7, 7), (12, 6)] {
        let text = text(step, operations);
        assert!(text.contains("ask near t") && !text.contains("ask near s"), "{text}");
    }
}

#[test]
fn what_only_the_loop_knows_is_not_asked_for() {
    let mut test = panel(4, 3);
    let Some(Stmt::For(outer)) = test.kernel.body.last_mut() else { panic!("a loop") };
    let Some(Stmt::For(inner)) = outer.body.get_mut(1) else { panic!("a loop inside") };
    let (k, at) = (Nat::var(&inner.var), NatVar::new("at"));
    walk::nats(&mut inner.body, &mut |nat| *nat = nat.subst(&inner.var, &(&k + Nat::var(&at))));
    inner.body.insert(0, Stmt::LetNat(at, Value::Nat(Nat::lit(0))));
    let text = test.run_for("near", &[0, 160]);
    assert!(!text.contains("ask"), "{text}");
}

#[test]
fn what_is_read_once_is_not_asked_for() {
    let mut test = panel(4, 1);
    let Some(Stmt::For(outer)) = test.kernel.body.pop() else { panic!("a loop") };
    test.kernel.body.push(Stmt::Block(outer.body));
    walk::nats(&mut test.kernel.body, &mut |nat| *nat = nat.subst(&outer.var, &Nat::lit(0)));
    let text = test.run_for("near", &[0, 160]);
    assert!(!text.contains("ask"), "{text}");
}
