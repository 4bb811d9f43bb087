//! Functions ahead of the steps that take them.

use crate::expr::Unary;

use super::*;

const SIZES: [i128; 9] = [0, 1, 3, 4, 7, 15, 16, 17, 40];

fn exp(value: Value) -> Value {
    Value::Unary(Unary::Exp, F, Box::new(value))
}

/// `sum = step(i, sum)` for as many as there are, and then `y[0] = sum`.
fn fold(test: &mut Test, step: impl FnOnce(Nat, Value) -> Block, name: &Name) {
    let n = test.n.clone();
    test.kernel.body = vec![
        Stmt::Var(name.clone(), F, Some(Value::Literal(float(0.0)))),
        looped(LoopKind::Seq, "i", n, |i| step(i, Value::Var(name.clone()))),
        store(1, 0, Value::Var(name.clone())),
    ];
}

#[test]
fn what_waits_for_no_step_is_computed_in_vectors() {
    let mut test = Test::new(|_| Nat::lit(1));
    let sum = Name::fresh("sum");
    let set = |value| Stmt::Set(sum.clone(), value);
    fold(&mut test, |i, before| vec![set(plus(before, exp(load(0, i))))], &sum);
    let expected = "\
var sum: f32 = 0.0
if n >= 16
  stack ahead: [f32; 16]
  for i in 0..n / 16
    for lanes lane in 0..16
      ahead[lane] = exp(x[16 * i + lane])
    for step in 0..16
      sum = sum + ahead[step]
  if 0 < n % 16
    for lanes lane in 0..16
      ahead[lane] = exp(x[n + lane - 16])
    for step in 0..n % 16
      sum = sum + ahead[step + 16 - n % 16]
else
  if n >= 4
    stack ahead.1: [f32; 4]
    for i in 0..n / 4
      for lanes lane in 0..4
        ahead.1[lane] = exp(x[4 * i + lane])
      for step in 0..4
        sum = sum + ahead.1[step]
    if 0 < n % 4
      for lanes lane in 0..4
        ahead.1[lane] = exp(x[n + lane - 4])
      for step in 0..n % 4
        sum = sum + ahead.1[step + 4 - n % 4]
  else
    for i in 0..n
      sum = sum + exp(x[i])
y[0] = sum
";
    assert_eq!(test.run_for("ahead", &SIZES), expected);
}

/// A name for a function is no step; what is made of it once more is, and what is wanted twice is computed once.
#[test]
fn names_of_functions_go_with_them() {
    let mut test = Test::new(|_| Nat::lit(1));
    let [sum, power] = ["sum", "power"].map(Name::fresh);
    let named = || Value::Var(power.clone());
    let step = |i: Nat, before: Value| {
        let twice = plus(plus(before, named()), named());
        let chosen = vec![Stmt::Set(sum.clone(), plus(Value::Var(sum.clone()), named()))];
        vec![
            Stmt::Let(power.clone(), F, exp(load(0, i.clone()))),
            Stmt::Set(sum.clone(), plus(twice, plus(named(), load(0, i.clone())))),
            Stmt::If(Value::CompareNat(Compare::Lt, i, Nat::lit(5)), chosen, Block::new()),
        ]
    };
    fold(&mut test, step, &sum);
    let text = test.run_for("ahead", &SIZES);
    let pieces = "\
    for lanes lane in 0..16
      let power = exp(x[16 * i + lane])
      ahead[lane] = power
      ahead.1[lane] = power + x[16 * i + lane]
    for step in 0..16
      sum = ((sum + ahead[step]) + ahead[step]) + ahead.1[step]
      if 16 * i + step < 5
        sum = sum + ahead[step]
";
    assert!(text.contains(pieces), "{text}");
}

#[test]
fn what_waits_for_a_step_or_is_computed_seldom_stays() {
    let stays = |step: &dyn Fn(&Name, Nat) -> Block| {
        let mut test = Test::new(|n| n + 1);
        let sum = Name::fresh("sum");
        fold(&mut test, |i, _| step(&sum, i), &sum);
        let before = test.kernel.body.len();
        let text = test.run_for("ahead", &SIZES);
        assert!(!text.contains("lanes") && test.kernel.body.len() == before, "{text}");
    };
    let value = |sum: &Name| Value::Var(sum.clone());
    stays(&|sum, i| vec![Stmt::Set(sum.clone(), exp(plus(value(sum), load(0, i))))]);
    stays(&|sum, i| {
        let chosen = vec![Stmt::Set(sum.clone(), exp(load(0, i.clone())))];
        vec![Stmt::If(Value::CompareNat(Compare::Lt, i, Nat::lit(5)), chosen, Block::new())]
    });
    stays(&|sum, i| {
        let next = Name::fresh("next");
        vec![
            Stmt::Let(next.clone(), F, plus(value(sum), load(0, i.clone()))),
            Stmt::Set(sum.clone(), plus(value(sum), exp(Value::Var(next)))),
        ]
    });
    stays(&|sum, i| {
        let next = Name::fresh("next");
        let inside = vec![
            Stmt::Let(next.clone(), F, plus(value(sum), load(0, i))),
            Stmt::Set(sum.clone(), exp(Value::Var(next))),
        ];
        vec![Stmt::Block(inside)]
    });
    // What is read was written the time before.
    stays(&|_, i| vec![store(1, &i + 1, exp(load(1, i)))]);
    stays(&|sum, i| vec![Stmt::Set(sum.clone(), plus(value(sum), load(0, i)))]);
    // Nothing waits.
    stays(&|_, i| vec![store(1, i.clone(), exp(load(0, i)))]);
}

#[test]
fn few_steps_stay() {
    let mut test = Test::new(|_| Nat::lit(1));
    let sum = Name::fresh("sum");
    let set = |value| Stmt::Set(sum.clone(), value);
    fold(&mut test, |i, before| vec![set(plus(before, exp(load(0, i))))], &sum);
    let Stmt::For(steps) = &mut test.kernel.body[1] else { panic!("no loop") };
    steps.count = test.n.rem(&Nat::lit(16));
    assert!(!test.run_for("ahead", &SIZES).contains("lanes"));
}
