//! Choices by sizes before loops.

use super::*;

fn compare(a: &Nat, b: i64) -> Value {
    Value::CompareNat(Compare::Lt, a.clone(), Nat::lit(b))
}

/// `for i in 0..n`, and in it what is given before a choice by `condition`, of which one way is a choice again.
fn ways(before: impl Fn(&Name, Nat) -> Block, condition: impl Fn(&Nat, &Nat) -> Value) -> String {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Par, "i", n.clone(), |i| {
        let row = Name::fresh("row");
        let mut body = before(&row, i.clone());
        let way =
            |k: i64| store(1, i.clone(), plus(load(0, i.clone()), Value::FromNat(Scalar::F32, k.into())));
        let inner = Stmt::If(compare(&n.div(&Nat::lit(2)), 2), vec![way(1)], vec![way(2)]);
        body.push(Stmt::If(condition(&n, &i), vec![inner], vec![way(3)]));
        body
    })];
    test.run("choose")
}

#[test]
fn ways_by_sizes_are_loops() {
    let text = ways(|_, _| Block::new(), |n, _| compare(n, 8));
    let expected = "\
if n < 8
  if n / 2 < 2
    for parallel i in 0..n
      y[i] = x[i] + (1) as f32
  else
    for parallel i in 0..n
      y[i] = x[i] + (2) as f32
else
  for parallel i in 0..n
    y[i] = x[i] + (3) as f32
";
    assert_eq!(text, expected);
}

/// Names of variables are those of one loop: each may be a function of its own.
#[test]
fn each_way_has_its_own_variables() {
    let mut test = Test::new(Nat::clone);
    let n = test.n.clone();
    test.kernel.body = vec![looped(LoopKind::Par, "i", n.clone(), |i| {
        let inner = |k: i64| looped(LoopKind::Seq, "j", k, |j| vec![store(1, i.clone(), load(0, j))]);
        vec![Stmt::If(compare(&n, 4), vec![inner(1)], vec![inner(2)])]
    })];
    test.run("choose");
    let mut vars = Vec::new();
    walk::stmts(&test.kernel.body, &mut |stmt| {
        if let Stmt::For(looped) = stmt {
            vars.push(looped.var.id());
        }
    });
    vars.sort_unstable();
    vars.dedup();
    assert_eq!(vars.len(), 4);
}

#[test]
fn each_way_reads_for_itself() {
    let text = ways(|row, i| vec![Stmt::Let(row.clone(), F, load(0, i))], |n, _| compare(n, 8));
    assert_eq!(text.matches("let row").count(), 3, "{text}");
}

#[test]
fn what_an_iteration_does_or_knows_stays() {
    let does = ways(|_, i| vec![store(1, i, load(0, Nat::lit(0)))], |n, _| compare(n, 8));
    let by_iteration = ways(|_, _| Block::new(), |_, i| compare(i, 8));
    let by_product = ways(|_, _| Block::new(), |n, _| compare(&(n * n), 8));
    for text in [does, by_iteration, by_product] {
        assert!(text.starts_with("for parallel i in 0..n"), "{text}");
    }
}
