//! Long loops over lanes, cut into vectors.

use crate::expr::Unary;

use super::*;

/// Each element with one that lies `n` further, in `2 n` elements of which the result has half.
fn pairs() -> Test {
    let mut test = Test::new(|n| n.div(&Nat::lit(2)));
    let half = test.n.div(&Nat::lit(2));
    test.kernel.body = vec![looped(LoopKind::Vec, "i", half.clone(), |i| {
        vec![store(1, i.clone(), plus(load(0, i.clone()), load(0, i + &half)))]
    })];
    test
}

#[test]
fn what_is_read_foremost_is_asked_for_early() {
    let text = pairs().run("strip");
    // Where memory is large; never the element that another row was ahead of.
    assert_eq!(text.matches("stream x[").count(), 1, "{text}");
    assert_eq!(text.matches("+ stream x[").count(), 1, "{text}");
}

#[test]
fn what_is_read_in_one_place_is_not_asked_for() {
    let text = cut(0);
    assert!(text.contains("stream y[") && !text.contains("stream x["), "{text}");
}

#[test]
fn whole_lines_are_written_past_the_cache_and_ends_one_by_one() {
    let mut test = pairs();
    let before = test.kernel.clone();
    let text = test.run("strip");
    let past: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("stream y[")).collect();
    assert_eq!(past.len(), 1, "{text}");
    assert!(past[0].contains("y[ahead + 16 * "), "{text}");
    assert!(text.contains("for i in 0..few\n") && text.contains("for i in 0..few2\n"), "{text}");
    // On both sides of each border: of a vector, of what is worth aligning, and of the cache.
    for size in [31, 32, 33, 96, 509, 510, 513, 544, 1022, 1024, 1025, 1056, 1090] {
        let args = [Data::Array((0..size).map(|i| Data::Scalar(float(i as f64 + 0.5))).collect())];
        let expected = execute(&before, &[size], &args);
        assert_eq!(execute(&test.kernel, &[size], &args), expected, "{size}\n{}", test.kernel);
    }
}

#[test]
fn long_rows_alone_are_written_past_the_cache() {
    let mut test = Test::new(|n| n * 3);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", 3, |i| {
        let row = &n * &i;
        vec![looped(LoopKind::Vec, "j", n, |j| vec![store(1, row + &j, load(0, j))])]
    })];
    let text = test.run_for("strip", &[0, 1, 17, 63, 64, 65, 79, 80, 95, 96, 255, 256, 301, 511, 512, 1009]);
    assert!(text.contains("if n < 64\n") && text.matches("stream y[").count() == 1, "{text}");
    // In which the eighth row from here begins.
    assert!(text.contains("ask y[n * i + 8 * n]\n"), "{text}");
}

#[test]
fn the_end_of_a_row_asks_on_for_what_its_windows_read() {
    let mut test = Test::new(|n| n.div(&Nat::lit(2)) * 3);
    let half = test.n.div(&Nat::lit(2));
    test.kernel.body = vec![looped(LoopKind::Seq, "i", 3, |i| {
        let row = &half * &i;
        let sum = |j: Nat| store(1, row + &j, plus(load(0, j.clone()), load(0, j + &half)));
        vec![looped(LoopKind::Vec, "j", half.clone(), |j| vec![sum(j)])]
    })];
    let text = test.run_for("strip", &[0, 34, 127, 128, 130, 158, 160, 162, 600]);
    // Two pages ahead, as whole vectors do.
    let last =
        "(n / 2 - ahead) / 16) < n / 2\n          ask x[ahead + n / 2 + 16 * ((n / 2 - ahead) / 16) + 2048]";
    assert!(text.contains(last) && text.matches("ask x[").count() == 1, "{text}");
}

#[test]
fn all_that_a_nest_goes_through_may_be_large() {
    let mut test = Test::new(|n| n * 3);
    let n = test.n.clone();
    let t = test.buffer("t", n.clone(), Role::Heap);
    test.kernel.body = vec![
        Stmt::Alloc(t),
        looped(LoopKind::Seq, "i", 3, |i| {
            let row = &n * &i;
            let first = looped(LoopKind::Seq, "j", n.clone(), |j| vec![store(2, j.clone(), load(0, j))]);
            vec![first, looped(LoopKind::Vec, "j", n.clone(), |j| vec![store(1, row + &j, load(2, j))])]
        }),
    ];
    let text = test.run_for("strip", &[0, 16, 63, 64, 90]);
    // The rows that are written, and the one that is read outside of the loop over lanes.
    assert!(text.contains("if past(16 * n)\n"), "{text}");
}

#[test]
fn rows_end_in_parts_of_vectors() {
    let mut test = Test::new(|n| n * 3);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", 3, |i| {
        let row = &n * &i;
        vec![looped(LoopKind::Vec, "j", n, |j| vec![store(1, row + &j, load(0, j))])]
    })];
    let before = test.kernel.clone();
    crate::loops::passes::run(&mut test.kernel, &Options::CPU).unwrap();
    let text = test.kernel.to_string();
    let [first, last] = ["= lanes 0..ahead of", "= lanes ahead + 16 * ((n - ahead) / 16) + 16 - n.. of"];
    assert!(text.contains(first) && text.contains(last), "{text}");
    assert!(check(&test.kernel).wrong.is_empty(), "{:?}\n{text}", check(&test.kernel).wrong);
    // More rows than fit, at all places of a line, and of all lengths that a line can have at its ends.
    for size in (0..20).chain(60..100) {
        let args = [Data::Array((0..size).map(|i| Data::Scalar(float(i as f64 + 0.5))).collect())];
        let expected = execute(&before, &[size], &args);
        assert_eq!(execute(&test.kernel, &[size], &args), expected, "{size}\n{text}");
    }
    let (mut c, mut device) = (before.clone(), before);
    crate::loops::passes::run(&mut c, &Options::C).unwrap();
    crate::loops::passes::run(&mut device, &Options::DEVICE).unwrap();
    for kernel in [c, device] {
        let text = kernel.to_string();
        assert!(!text.contains("= lanes ") && !text.contains("stream "), "{text}");
    }
}

#[test]
fn the_first_of_two_rows_begins_with_a_line_and_stays_in_the_cache() {
    let (one, two, three) = (side_by_side(1), side_by_side(2), side_by_side(3));
    assert!(one.contains("to_line(") && one.contains("stream y["), "{one}");
    assert!(two.contains("= to_line(y[0 ..16], n)\n") && !two.contains("stream y["), "{two}");
    assert!(!three.contains("to_line("), "{three}");
}

/// The strips of a loop that writes so many rows.
fn side_by_side(rows: i64) -> String {
    let mut test = Test::new(|n| n * rows);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Vec, "i", n.clone(), |i| {
        (0..rows)
            .map(|row| store(1, &n * row + &i, plus(load(0, i.clone()), Value::Literal(float(0.5)))))
            .collect()
    })];
    test.run_for("strip", &[0, 15, 16, 17, 255, 256, 300])
}

#[test]
fn what_is_read_again_stays_in_the_cache() {
    let mut test = pairs();
    let n = test.n.div(&Nat::lit(2));
    test.kernel.body.push(looped(LoopKind::Seq, "i", n, |i| {
        vec![store(1, i.clone(), plus(load(1, i.clone()), load(1, i)))]
    }));
    assert!(!test.run("strip").contains("stream y"));
}

#[test]
fn windows_are_read_ahead_where_what_is_written_stays() {
    let mut test = Test::new(|n| n * 1);
    let half = test.n.div(&Nat::lit(2));
    let t = test.buffer("t", half.clone(), Role::Heap);
    let sum = |i: &Nat| plus(load(0, i.clone()), load(0, i + &half));
    test.kernel.body = vec![
        Stmt::Alloc(t),
        looped(LoopKind::Vec, "i", half.clone(), |i| vec![store(2, i.clone(), sum(&i))]),
        looped(LoopKind::Seq, "i", half.clone(), |i| vec![store(1, i.clone(), load(2, i))]),
        looped(LoopKind::Seq, "i", &test.n - &half, |i| {
            vec![store(1, i + &half, Value::Literal(float(1.0)))]
        }),
    ];
    let text = test.run("strip");
    // All vectors, but not what goes one by one.
    assert!(text.contains("+ stream x[") && !text.contains("stream t["), "{text}");
    assert_eq!(text.matches("+ x[").count(), 1, "{text}");
}

/// Around one vector, two, four, and what is more than a core's own cache holds, to the loops' interpreter.
const SIZES: [i128; 16] = [0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 96, 127, 131, 200, 256, 300];

/// `y[i] = x[i] + 1 + … + 1` in lanes.
fn cut(ones: usize) -> String {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Vec, "i", n, |i| {
        let one = || Value::Literal(float(1.0));
        let sum = (0..ones).fold(load(0, i.clone()), |sum, _| plus(sum, one()));
        vec![store(1, i, sum)]
    })];
    test.run_for("strip", &SIZES)
}

#[test]
fn short_iterations_take_four_vectors_at_once() {
    let text = cut(0);
    let four = "\
    for i in 0..(n - ahead) / 64
      for lanes lane in 0..16
        y[ahead + 64 * i + lane] = x[ahead + 64 * i + lane]
      for lanes lane in 0..16
        y[ahead + 64 * i + lane + 16] = x[ahead + 64 * i + lane + 16]
      for lanes lane in 0..16
        y[ahead + 64 * i + lane + 32] = x[ahead + 64 * i + lane + 32]
      for lanes lane in 0..16
        y[ahead + 64 * i + lane + 48] = x[ahead + 64 * i + lane + 48]
";
    let (two, one) = ("(n - ahead) / 64) + 32 <= n", "(n - ahead) / 32) + 16 <= n");
    assert!(text.contains(four) && text.contains(two) && text.contains(one), "{text}");
}

#[test]
fn long_iterations_take_one_vector_after_the_other() {
    let text = cut(20);
    assert!(text.contains("0..(n - ahead) / 16") && !text.contains("/ 64"), "{text}");
}

/// The function of each element.
fn each(function: &dyn Fn(Value) -> Value) -> String {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    test.kernel.body =
        vec![looped(LoopKind::Vec, "i", n, |i| vec![store(1, i.clone(), function(load(0, i)))])];
    test.run_for("strip", &[0, 1, 15, 16, 17, 40])
}

#[test]
fn functions_of_many_operations_take_one_vector_after_the_other() {
    let exp = each(&|value| Value::Unary(Unary::Exp, F, Box::new(value)));
    assert!(exp.contains("0..(n - ahead) / 16") && !exp.contains("/ 64"), "{exp}");
    assert!(exp.contains("stream y["), "memory is slower: {exp}");
    let tan = each(&|value| Value::Unary(Unary::Tan, F, Box::new(value)));
    assert!(!tan.contains("stream y["), "memory keeps up: {tan}");
}

#[test]
fn what_is_left_over_of_a_known_length_is_decided_here() {
    let mut test = Test::new(|n| n + 200);
    test.kernel.body =
        vec![looped(LoopKind::Vec, "i", 184, |i| vec![store(1, i, Value::Literal(float(1.0)))])];
    let text = test.run("strip");
    // Twice four, two, one, and the last.
    assert!(!text.contains("if ") && text.contains("for i in 0..2\n"), "{text}");
    assert_eq!(text.matches("for lanes").count(), 8, "{text}");
    for start in [128, 144, 160, 168] {
        assert!(text.contains(&format!("y[lane + {start}]")), "{text}");
    }
}

#[test]
fn short_rows_have_a_form_of_their_own() {
    for kind in [LoopKind::Seq, LoopKind::Par] {
        let mut test = Test::new(|n| n * 2);
        let n = test.n.clone();
        test.kernel.body = vec![looped(kind, "i", 2, |i| {
            let row = &n * &i;
            vec![looped(LoopKind::Vec, "j", n, |j| vec![store(1, row + &j, load(0, j))])]
        })];
        let text = test.run_for("strip", &SIZES);
        assert!(text.contains("\n    if n < 64\n      for j in 0..n / 64\n"), "{text}");
    }
    assert!(!cut(0).contains("< 64"), "no row follows");
}

#[test]
fn few_long_iterations_go_in_shorter_vectors_that_overlap() {
    let exp = |value| Value::Unary(Unary::Exp, F, Box::new(value));
    let of = |change: &dyn Fn(Value) -> Value| {
        let mut test = Test::new(Nat::clone);
        let n = test.n.clone();
        test.kernel.body =
            vec![looped(LoopKind::Vec, "i", n, |i| vec![store(1, i.clone(), change(load(0, i)))])];
        test.run_for("strip", &[0, 1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 40])
    };
    let (long, short) = (of(&exp), of(&|value| value));
    assert!(long.contains("if n >= 8\n") && long.contains("if n >= 4\n"), "{long}");
    assert!(
        long.contains("if 8 < n\n") && long.contains("if 4 < n\n"),
        "one that holds all is not overlapped: {long}"
    );
    assert!(!short.contains("if n >= 8\n"), "{short}");
}

/// Three rows of `n` elements of a temporary, each of which `row` makes from where the row begins.
fn rows(row: impl Fn(Nat, Nat) -> Stmt) -> String {
    let mut test = Test::new(|n| n * 3);
    let n = test.n.clone();
    test.buffer("t", &n * 3, Role::Heap);
    let zero = |k: Nat| vec![store(2, k.clone(), Value::FromNat(Scalar::F32, k))];
    test.kernel.body = vec![
        Stmt::Alloc(BufferId(2)),
        looped(LoopKind::Seq, "k", &n * 3, zero),
        looped(LoopKind::Seq, "i", 3, |i| {
            vec![looped(LoopKind::Vec, "j", n.clone(), |j| vec![row(&n * &i, j)])]
        }),
        looped(LoopKind::Seq, "k", &n * 3, |k| vec![store(1, k.clone(), load(2, k))]),
    ];
    test.run_for("strip", &[0, 1, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 40])
}

#[test]
fn rows_of_few_elements_go_in_shorter_vectors_and_what_is_read_again_begins_with_the_last() {
    let text = rows(|row, j| store(2, row + &j, load(0, j)));
    assert!(text.contains("if n >= 8\n") && text.contains("if n >= 4\n"), "{text}");
    let at = |place: &str| text.find(place).unwrap_or_else(|| panic!("{place}\n{text}"));
    assert!(at("if 8 < n\n") < at("for lanes lane in 0..8\n        t[n * i + lane] = x[lane]"), "{text}");
    assert!(at("if 16 * (n / 16) < n\n") < at("t[n * i + 64 * j + lane]"), "{text}");
    // A result is not read again.
    let mut test = Test::new(|n| n * 3);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Seq, "i", 3, |i| {
        let row = &n * &i;
        vec![looped(LoopKind::Vec, "j", n, |j| vec![store(1, row + &j, load(0, j))])]
    })];
    let text = test.run_for("strip", &[0, 1, 3, 4, 5, 7, 8, 9, 15]);
    let at = |place: &str| text.find(place).unwrap_or_else(|| panic!("{place}\n{text}"));
    assert!(at("y[n * i + lane] = x[lane]") < at("if 8 < n\n"), "{text}");
}

#[test]
fn what_rows_leave_over_in_place_goes_in_halves_and_quarters() {
    let text = rows(|row, j| store(2, &row + &j, plus(load(2, row + &j), load(0, j))));
    let parts =
        ["if 16 * (n / 16) < 8 * (n / 8)\n", "if 8 * (n / 8) < 4 * (n / 4)\n", "if 4 * (n / 4) < n\n"];
    let found: Vec<usize> =
        parts.iter().map(|part| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"))).collect();
    assert!(found.is_sorted(), "{text}");
}

#[test]
fn what_a_vector_does_not_hold_goes_in_shorter_ones_that_overlap_where_it_takes_long() {
    let of = |columns: i64| {
        let mut test = Test::new(|_| Nat::lit(columns));
        let rows = test.n.div(&Nat::lit(columns));
        test.kernel.body = vec![looped(LoopKind::Vec, "i", columns, |i| {
            let (name, ty) = (Name::fresh("sum"), ValueType::scalar(Scalar::F32));
            let sum = || Value::Var(name.clone());
            let each = looped(LoopKind::Seq, "j", rows, |j| {
                vec![Stmt::Set(name.clone(), plus(sum(), load(0, j * columns + &i)))]
            });
            vec![
                Stmt::Var(name.clone(), ty, Some(Value::Literal(float(0.0)))),
                each,
                store(1, i.clone(), sum()),
            ]
        })];
        test.run_for("strip", &[0, 1, 40, 130])
    };
    assert!(of(24).contains("y[lane + 8]"), "{}", of(24));
    assert!(of(13).contains("y[lane + 5]") && of(13).contains("in 0..8"), "{}", of(13));
    assert!(of(5).contains("y[lane + 1]") && of(5).contains("in 0..4"), "{}", of(5));
    for whole in [3, 4, 16, 32] {
        assert!(!of(whole).contains("y[lane"), "{}", of(whole));
    }
}

/// What becomes of sums of windows of so many elements.
fn sums_of_windows(size: impl Fn(&Nat) -> Nat) -> String {
    let mut test = Test::new(|n| n.div(&Nat::lit(2)));
    let (count, size) = (test.n.div(&Nat::lit(2)), size(&test.n));
    test.kernel.body = vec![looped(LoopKind::Vec, "i", count, |i| {
        let total = Name::fresh("total");
        let add = |k: Nat| plus(Value::Var(total.clone()), load(0, &i + k));
        vec![
            Stmt::Var(total.clone(), F, Some(Value::Literal(float(0.0)))),
            looped(LoopKind::Seq, "k", size, |k| vec![Stmt::Set(total.clone(), add(k))]),
            store(1, i.clone(), Value::Var(total.clone())),
        ]
    })];
    test.run_for("strip", &[0, 1, 7, 34, 70, 130, 500])
}

#[test]
fn long_folds_of_several_vectors_share_a_loop() {
    let text = sums_of_windows(|n| n.div(&Nat::lit(2)));
    let expected = "\
      for k in 0..n / 2
        total = total + x[64 * i + lane + k]
        total2 = total2 + x[64 * i + lane + k + 16]
        total3 = total3 + x[64 * i + lane + k + 32]
        total4 = total4 + x[64 * i + lane + k + 48]
";
    assert!(text.contains(expected), "{text}");
    // Two of what is left over as well.
    assert!(text.contains("total6 = total6 + x[lane + k + 64 * (n / 128) + 16]"), "{text}");
    // Such steps do not wait long.
    let text = sums_of_windows(|_| Nat::lit(1));
    assert!(!text.contains("lane + k + 48]"), "{text}");
}
