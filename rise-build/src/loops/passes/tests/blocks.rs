//! Long folds in blocks of steps.

use super::*;

/// Steps of a row.
fn steps(test: &Test) -> Nat {
    test.n.div(&Nat::lit(16))
}

/// Sixteen folds for each of so many rows: `element` is what they add in a step, `end` what is written of each.
fn folds(
    test: &Test,
    rows: impl Into<Nat>,
    element: impl Fn(&Nat, &Nat, Nat) -> Value,
    end: impl Fn(&Nat, &Nat, Value) -> Block,
) -> Stmt {
    let (total, steps) = (Name::fresh("total"), steps(test));
    looped(LoopKind::Par, "j", rows, |j| {
        let tile = looped(LoopKind::Seq, "l", 16, |l| {
            let step = |i: Nat| plus(Value::Var(total.clone()), element(&j, &l, i));
            let mut body = vec![
                Stmt::Var(total.clone(), F, Some(Value::FromNat(Scalar::F32, j.clone()))),
                looped(LoopKind::Seq, "i", steps.clone(), |i| vec![Stmt::Set(total.clone(), step(i))]),
            ];
            body.extend(end(&j, &l, Value::Var(total.clone())));
            body
        });
        vec![tile]
    })
}

/// Elements that are the same for all rows.
fn shared(from: u32) -> impl Fn(&Nat, &Nat, Nat) -> Value {
    move |_, l, i| load(from, i * 16 + l)
}

fn place(j: &Nat, l: &Nat) -> Nat {
    j * 16 + l
}

const SIZES: [i128; 6] = [0, 17, 16 * 767, 16 * 768, 16 * 1300, 16 * 1281 + 3];

#[test]
fn what_rows_share_stays_in_a_cache() {
    let mut test = Test::new(|_| Nat::lit(48));
    test.kernel.body = vec![folds(&test, 3, shared(0), |j, l, total| vec![store(1, place(j, l), total)])];
    assert_eq!(
        test.run_for("blocks", &SIZES),
        "for block in 0..max(1, (n + 4096) / 8192)\n\
         \x20 let steps = select(block + 1 == max(1, (n + 4096) / 8192), (n / 16 - 512 * block) as u64, (512) as u64)\n\
         \x20 for parallel j in 0..3\n\
         \x20   for l in 0..16\n\
         \x20     var total: f32 = (j) as f32\n\
         \x20     if 0 < block\n\
         \x20       total = y[16 * j + l]\n\
         \x20     for i in 0..steps\n\
         \x20       total = total + x[l + 16 * i + 8192 * block]\n\
         \x20     y[16 * j + l] = total\n"
    );
}

#[test]
fn what_is_made_of_a_fold_is_made_behind_the_last_block() {
    let mut test = Test::new(|_| Nat::lit(48));
    let half = |total| plus(total, Value::Literal(float(0.5)));
    test.kernel.body =
        vec![folds(&test, 3, shared(0), |j, l, total| vec![store(1, place(j, l), half(total))])];
    let text = test.run_for("blocks", &SIZES);
    let end = "if block + 1 == max(1, (n + 4096) / 8192)\n\
               \x20       y[16 * j + l] = total + 0.5\n\
               \x20     else\n\
               \x20       y[16 * j + l] = total\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn so_it_is_where_it_is_made_of_a_small_array() {
    let mut test = Test::new(|_| Nat::lit(96));
    let tile = test.buffer("tile", Nat::lit(2), Role::Stack);
    let mut rows = folds(&test, 3, shared(0), |j, l, total| {
        let other = Name::fresh("other");
        let written = |e: Nat| store(1, j * 32 + l * 2 + &e, plus(load(tile.0, e.clone()), load(0, e)));
        vec![
            store(tile.0, Nat::lit(0), total.clone()),
            store(tile.0, Nat::lit(1), Value::Var(other)),
            looped(LoopKind::Par, "e", 2, |e| vec![written(e)]),
        ]
    });
    // Another fold beside the first one.
    let Stmt::For(Loop { body, .. }) = &mut rows else { panic!() };
    let Some(Stmt::For(Loop { body, .. })) = body.first_mut() else { panic!() };
    let Some(Stmt::Store(_, Value::Var(other))) = body.get(3).cloned() else { panic!() };
    let Some(Stmt::For(Loop { var, body: steps, .. })) = body.get_mut(1) else { panic!() };
    steps.push(Stmt::Set(other.clone(), plus(Value::Var(other.clone()), load(0, Nat::var(var)))));
    body.insert(0, Stmt::Var(other, F, Some(Value::Literal(float(1.0)))));
    body.insert(0, Stmt::Alloc(tile));
    test.kernel.body = vec![rows];
    let text = test.run_for("blocks", &SIZES[3..]);
    let back = "if 0 < block\n\
                \x20       for e in 0..2\n\
                \x20         tile[e] = y[32 * j + 2 * l + e]\n\
                \x20       total = tile[0]\n\
                \x20       other = tile[1]\n";
    let out = "else\n\
               \x20       tile[0] = total\n\
               \x20       tile[1] = other\n\
               \x20       for e in 0..2\n\
               \x20         y[32 * j + 2 * l + e] = tile[e]\n";
    assert!(text.contains(back) && text.ends_with(out), "{text}");
}

#[test]
fn rows_one_after_the_other_share_blocks_unless_they_need_each_other() {
    let mut test = Test::new(|_| Nat::lit(64));
    let end = |from: i64| move |j: &Nat, l: &Nat, total| vec![store(1, place(j, l) + from, total)];
    let both = [folds(&test, 3, shared(0), end(0)), folds(&test, 1, shared(0), end(48))];
    test.kernel.body = both.to_vec();
    assert_eq!(test.run_for("blocks", &SIZES).matches("for block").count(), 1);

    let mut test = Test::new(Clone::clone);
    let stored = test.buffer("stored", test.n.clone(), Role::Heap);
    let first = folds(&test, test.n.div(&Nat::lit(16)), shared(0), |j, l, total| {
        vec![store(stored.0, place(j, l), total)]
    });
    let second = folds(&test, 1, shared(stored.0), |j, l, total| vec![store(1, place(j, l), total)]);
    test.kernel.body = vec![Stmt::Alloc(stored), first, second];
    let text = test.run_for("blocks", &[]);
    // The second one is one row, and shares what it reads with nobody.
    assert_eq!(text.matches("for block").count(), 1, "{text}");
    assert!(text.find("stored[8192 * block").is_none(), "{text}");
}

#[test]
fn folds_stay_that_cannot_stop_or_need_not() {
    let unchanged = |test: &mut Test| {
        let before = test.kernel.to_string();
        test.run_for("blocks", &[]);
        assert_eq!(test.kernel.to_string(), before);
    };
    let of = |rows: i64, end: &dyn Fn(&Nat, &Nat, Value) -> Block| {
        let mut test = Test::new(|_| Nat::lit(48));
        test.kernel.body = vec![folds(&test, rows, shared(0), end)];
        test
    };
    let result = |j: &Nat, l: &Nat, total: Value| vec![store(1, place(j, l), total)];
    // One row.
    unchanged(&mut of(1, &result));
    // Each row writes to where the one before has.
    unchanged(&mut of(3, &|_, l, total| vec![store(1, l.clone(), total)]));
    // What is written is read.
    unchanged(&mut of(3, &|j, l, total| vec![store(1, place(j, l), plus(total, load(1, place(j, l))))]));
    // Nothing is written of it.
    unchanged(&mut of(3, &|j, l, _| vec![store(1, place(j, l), Value::Literal(float(1.0)))]));
    // Few steps.
    let mut few = of(3, &result);
    few.kernel.facts.assume_le(&few.n.clone(), &Nat::lit(16 * 700));
    unchanged(&mut few);
    // Rows that have nothing in common.
    let mut apart = of(3, &result);
    let own = |j: &Nat, l: &Nat, i: Nat| load(0, i * 16 + l - j);
    apart.kernel.body = vec![folds(&apart, 3, own, result)];
    unchanged(&mut apart);
}
