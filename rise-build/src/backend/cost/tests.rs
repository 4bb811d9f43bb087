//! What loops are estimated to cost.

use super::*;
use crate::expr::Literal;
use crate::loops::{Access, BufferId, LoopKind, Value, ValueType};
use crate::names::Name;
use crate::nat::NatVar;
use crate::pipeline::units;
use crate::types::Scalar;

fn nest(var: &NatVar, count: Nat, body: Block) -> Loop {
    Loop { var: var.clone(), count, kind: LoopKind::Seq, body }
}

/// The kernel of a function under a strategy.
fn kernel(function: &str, strategy: &str) -> Kernel {
    let source = format!("pub fn kernel{function} compile kernel to c with {strategy};");
    let tokens: proc_macro2::TokenStream = source.parse().unwrap();
    let mut units = units(tokens, &|_| Err("no files here".into()));
    assert!(!units.compiled.is_empty());
    let unit = units.compiled.remove(0);
    unit.loops.best().clone()
}

/// Operations in an iteration of the parallel loop.
fn operations(function: &str, strategy: &str) -> i64 {
    let kernel = kernel(function, strategy);
    let parallel = kernel.body.iter().find_map(|stmt| match stmt {
        Stmt::For(looped) if looped.kind == LoopKind::Par => Some(looped),
        _ => None,
    });
    cost_of_iteration(&kernel, parallel.expect("a parallel loop")).as_const().expect("a number") / OPERATION
}

/// Those for 320 elements of a result.
fn of_chunk(function: &str) -> i64 {
    operations(function, "splitJoin(320) @ outermost(isMap) ; mapPar @ outermost(isMap) ; lower")
}

#[test]
fn no_inner_variable_is_left() {
    let [n, i, j] = ["n", "i", "j"].map(NatVar::new);
    let kernel = kernel("(x: f32) -> f32 { x }", "lower");
    let value = Value::Literal(Literal::small(1, Scalar::F32));
    let set = vec![Stmt::Let(Name::fresh("x"), ValueType::scalar(Scalar::F32), value)];
    let chunk = Nat::min(&Nat::lit(4096), &(Nat::var(&n) - Nat::var(&i) * 4096));
    let loops = nest(&i, Nat::var(&n), vec![Stmt::For(nest(&j, chunk - 1, set.clone()))]);
    assert_eq!(cost_of_iteration(&kernel, &loops), Nat::lit(8192 * OPERATION));
    let triangle = nest(&i, Nat::var(&n), vec![Stmt::For(nest(&j, Nat::var(&i) + Nat::var(&n), set))]);
    assert_eq!(cost_of_iteration(&kernel, &triangle), (Nat::var(&n) * 2 + 32) * OPERATION);
}

/// A piece of a row counts as what it was declared to be, as far as that says something of sizes.
#[test]
fn declared_lengths_count_as_what_they_are_made_of() {
    let [n, first, second, i, j] = ["n", "first", "second", "i", "j"].map(NatVar::new);
    let kernel = kernel("(x: f32) -> f32 { x }", "lower");
    let value = Value::Literal(Literal::small(1, Scalar::F32));
    let set = vec![Stmt::Let(Name::fresh("x"), ValueType::scalar(Scalar::F32), value)];
    let inside = Nat::max(&Nat::lit(0), &(Nat::var(&n) - 2));
    let body = vec![
        Stmt::LetNat(first.clone(), Value::Nat(inside)),
        Stmt::LetNat(second.clone(), Value::Apart(Nat::var(&first) * 3)),
        Stmt::For(nest(&j, Nat::var(&second), set)),
    ];
    let loops = nest(&i, Nat::lit(6), body);
    assert_eq!(cost_of_iteration(&kernel, &loops), Nat::var(&n) * 6 * OPERATION);
}

#[test]
fn blocks_count_as_all_that_they_divide() {
    let [k, b, s, i, j] = ["k", "block", "steps", "i", "j"].map(NatVar::new);
    let kernel = kernel("(x: f32) -> f32 { x }", "lower");
    let value = Value::Literal(Literal::small(1, Scalar::F32));
    let set = vec![Stmt::Let(Name::fresh("x"), ValueType::scalar(Scalar::F32), value)];
    let wide = |nat: Nat| Value::FromNat(Scalar::U64, nat);
    let blocks = Nat::max(&(Nat::var(&k) + 512).div(&Nat::lit(1024)), &Nat::lit(1));
    let last = Value::CompareNat(Compare::Eq, Nat::var(&b) + 1, blocks.clone());
    let rest = wide(Nat::var(&k) - Nat::var(&b) * 1024);
    let steps = Value::Select(ValueType::scalar(Scalar::U64), Box::new([last, rest, wide(Nat::lit(1024))]));
    let body = vec![Stmt::LetNat(s.clone(), steps), Stmt::For(nest(&j, Nat::var(&s), set))];
    let loops = nest(&i, Nat::lit(6), vec![Stmt::For(nest(&b, blocks, body))]);
    assert_eq!(cost_of_iteration(&kernel, &loops), Nat::var(&k) * 2 * OPERATION);
}

#[test]
fn what_becomes_vectors_counts_as_vectors() {
    // A load, an operation and a store for 32 bytes.
    assert_eq!(of_chunk("<n: Nat>(x: [i8; 320 * n]) -> [i8; 320 * n] { x |> map(|v| max(v, 0)) }"), 30);
    assert_eq!(of_chunk("<n: Nat>(x: [u16; 320 * n]) -> [u16; 320 * n] { x |> map(|v| v + 3) }"), 60);
    assert_eq!(of_chunk("<n: Nat>(x: [f64; 320 * n]) -> [f64; 320 * n] { x |> map(|v| v * 2.0) }"), 240);
    // The longest element decides.
    let gray = "(77 * (p[0] as u32) + 150 * (p[1] as u32) + 29 * (p[2] as u32)) / 256";
    let gray = format!("<n: Nat>(x: [[u8; 3]; 320 * n]) -> [u8; 320 * n] {{ x |> map(|p| ({gray}) as u8) }}");
    assert_eq!(of_chunk(&gray), 10 * 40);
}

/// In vectors up to where they go round; the border behind is one number.
#[test]
fn rings_count_as_what_goes_in_vectors() {
    let ring = "zip(x, generate(|i| x[(i + 1) % (320 * n)])) |> map(|(a, b)| a + b)";
    let operations = of_chunk(&format!("<n: Nat>(x: [u8; 320 * n]) -> [u8; 320 * n] {{ {ring} }}"));
    assert_eq!(operations, 74);
}

#[test]
fn what_stays_scalar_counts_by_statements() {
    for body in [
        "x |> map(|v| table[(v as Idx[256])])",
        "zip(x, generate(|i| x[(3 * i) % (320 * n)])) |> map(|(a, b)| a + b)",
        "x |> map(|v| ((v as f32) * 0.5) as u8)",
        "x |> map(|v| 100 / v)",
    ] {
        let function = format!("<n: Nat>(table: [u8; 256], x: [u8; 320 * n]) -> [u8; 320 * n] {{ {body} }}");
        assert_eq!(of_chunk(&function), 640, "{body}");
    }
    let exp = "<n: Nat>(x: [f32; 320 * n]) -> [f32; 320 * n] { x |> map(exp) }";
    assert_eq!(of_chunk(exp), 640 * (1 + FUNCTION));
}

#[test]
fn what_another_thread_has_to_fetch_counts_less() {
    let inner = |body: &str| {
        let function =
            format!("<n: Nat>(x: [[f32; 320]; n]) -> [[f32; 320]; n] {{ x |> mapPar(|row| {body}) }}");
        let kernel = kernel(&function, "lower");
        let mut costs = Vec::new();
        walk::stmts(&kernel.body, &mut |stmt| match stmt {
            Stmt::For(looped) if looped.kind == LoopKind::Par => {
                costs.push(cost_of_iteration(&kernel, looped).as_const().expect("a number"));
            }
            _ => {}
        });
        let [_, inner] = costs[..] else { panic!("{} parallel loops", costs.len()) };
        inner
    };
    let of_callers = inner("row |> mapPar(exp)");
    assert_eq!(of_callers, 2 * OPERATION * (1 + FUNCTION));
    let of_one_thread = inner("{ let y = row |> mapSeq(|v| v * 2.0) |> toMem; y |> mapPar(exp) }");
    assert_eq!(of_one_thread, (of_callers + FAR - 1) / FAR);
}

#[test]
fn folds_of_whole_numbers_become_vectors() {
    let row = |ty: &str| {
        let function =
            format!("<n: Nat>(x: [[{ty}; 330]; n]) -> [{ty}; n] {{ x |> map(|r| r |> reduce(add, 0)) }}");
        operations(&function, "mapPar @ outermost(isMap) ; lower")
    };
    // Ten vectors and ten elements that fill none; a register and a store.
    assert_eq!(row("u8"), 2 * 10 + 2 * 10 + 4);
    assert_eq!(row("f32"), 2 * 330 + 4);
}

#[test]
fn of_alternatives_the_greater_one_counts() {
    let [n, m] = ["n", "m"].map(|name| Nat::var(&NatVar::new(name)));
    assert_eq!(greater(&Nat::lit(5), &Nat::lit(3)), Nat::lit(5));
    assert_eq!(greater(&(&n * 5 + 1), &(&n * 3 + 7)), &n * 5 + 7);
    assert_eq!(greater(&n, &(&n * &m)), &n + &n * &m);
}

#[test]
fn remainders_are_few() {
    let n = Nat::var(&NatVar::new("n"));
    let by = |nat: &Nat, by: i64| nat.div(&Nat::lit(by));
    assert_eq!(rough(&(&n - by(&n, 64) * 64)), Nat::lit(32));
    assert_eq!(rough(&(by(&n, 256) - by(&n, 65536) * 256)), Nat::lit(128));
    assert_eq!(rough(&(&n + 18 - by(&(&n + 15), 16) * 16)), Nat::lit(11));
    assert_eq!(rough(&(&n - by(&n, 64) * 5)), n);
    // Groups of four in what groups of six leave over, and of three in that.
    let fours = by(&(&n - by(&n, 6) * 2), 4);
    assert_eq!(rough(&(&fours - by(&n, 6))), Nat::lit(1));
    assert_eq!(rough(&(by(&(&n - by(&n, 6) * 2 - &fours), 3) - &fours)), Nat::lit(1));
    assert_eq!(rough(&(&fours - by(&n, 12))), by(&(&n + 1), 4));
}

#[test]
fn what_registers_hold_is_multiplied_twice_as_often() {
    let n = Nat::var(&NatVar::new("n"));
    let ty = ValueType { scalar: Scalar::F32, lanes: 16 };
    let [a, x] = ["a", "x"].map(Name::fresh);
    let load = || Value::Load(Access { lanes: 16, ..Access::scalar(BufferId(0), n.clone()) });
    let step = |factor: Value| {
        Stmt::Set(a.clone(), Value::MulAdd(ty, Box::new([factor.clone(), factor, Value::Var(a.clone())])))
    };
    let kernel = kernel("(x: [f32; 4]) -> [f32; 4] { x |> map(|v| v) }", "lower");
    let cost = |block: Block| cost(&kernel, &block);
    let read = Stmt::Let(x.clone(), ty, load());
    assert_eq!(
        cost(vec![read.clone(), step(Value::Var(x.clone())), step(Value::Var(x))]),
        Nat::lit(2 * OPERATION)
    );
    assert_eq!(cost(vec![read]), Nat::lit(2 * OPERATION));
    assert_eq!(cost(vec![step(load())]), Nat::lit(2 * OPERATION));
    // What is large takes long either way.
    let either = |condition| vec![Stmt::If(condition, vec![step(load()), step(load())], vec![step(load())])];
    assert_eq!(cost(either(Value::Large(n.clone()))), Nat::lit(2 * OPERATION));
    assert_eq!(cost(either(Value::InLines)), Nat::lit(4 * OPERATION));
}
