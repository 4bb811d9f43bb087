//! The texts of small kernels made by hand.

use std::sync::Arc;

use crate::expr::{Binary, Compare, Foreign, Literal, Unary};
use crate::loops::{
    Access, Buffer, BufferId, ByMachine, Cache, Element, Kernel, Loop, LoopKind, Output, Param, Part, Role,
    Shape, Stmt, Transpose, Value, ValueType, WorkSizes, walk,
};
use crate::machine::{MACHINES, Machine};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::emit;

mod values;

const F32: ValueType = ValueType { scalar: Scalar::F32, lanes: 1 };
const F32X8: ValueType = ValueType { scalar: Scalar::F32, lanes: 8 };

fn access(buffer: u32, index: &Nat, lanes: u32) -> Access {
    Access { buffer: BufferId(buffer), index: index.clone(), path: Vec::new(), lanes, streams: false }
}

fn buffer(name: &str, len: &Nat, role: Role) -> Buffer {
    Buffer::scalars(name, Scalar::F32, len.clone(), role)
}

fn binary(op: Binary, ty: ValueType, a: Value, b: Value) -> Value {
    Value::Binary(op, ty, Box::new(a), Box::new(b))
}

/// `out[i] = a * x[i] + 1` for all `i`, `lanes` at a time.
fn scaled(kind: LoopKind, lanes: u32) -> Kernel {
    let (n, i, a) = (NatVar::new("n"), NatVar::new("i"), Name::fresh("a"));
    let mut facts = Facts::new();
    facts.size(&n);
    let (len, index) = (Nat::var(&n), Nat::var(&i) * i64::from(lanes));
    let ty = ValueType { scalar: Scalar::F32, lanes };
    let splat = |value: Value| if lanes == 1 { value } else { Value::Broadcast(ty, Box::new(value)) };
    let product =
        binary(Binary::Mul, ty, splat(Value::Var(a.clone())), Value::Load(access(0, &index, lanes)));
    let sum = binary(Binary::Add, ty, product, splat(Value::Literal(Literal::small(1, Scalar::F32))));
    let body = vec![Stmt::Store(access(1, &index, lanes), sum)];
    let count = Nat::var(&n).div(&Nat::from(lanes));
    let array = DataType::array(len.clone(), DataType::Scalar(Scalar::F32));
    Kernel {
        name: "scaled".into(),
        nats: vec![n],
        params: vec![
            Param { name: "a".into(), ty: DataType::Scalar(Scalar::F32), parts: vec![Part::Scalar(a, F32)] },
            Param { name: "x".into(), ty: array.clone(), parts: vec![Part::Buffer(BufferId(0))] },
        ],
        outputs: vec![Output { ty: array, buffer: BufferId(1) }],
        buffers: vec![buffer("x", &len, Role::Input), buffer("out", &len, Role::Output)],
        body: vec![Stmt::Comment("map".into()), Stmt::For(Loop { var: i, count, kind, body })],
        facts,
        work: WorkSizes::default(),
    }
}

fn text(kernel: &Kernel) -> String {
    let text = emit(&ByMachine::new(Machine::BEST, kernel.clone()), "run", "rise");
    let tokens: Result<proc_macro2::TokenStream, _> = text.parse();
    assert!(tokens.is_ok(), "{text}");
    text
}

#[test]
fn a_loop_runs_over_raw_memory() {
    let text = text(&scaled(LoopKind::Seq, 1));
    let expected = "\
        // map
        let mut i = 0;
        while i < n {
            *out.add(i) = a * (*x.add(i)) + 1.0f32;
            i += 1;
        }
";
    assert!(text.contains(expected.trim_start()), "{text}");
    assert!(text.contains("unsafe fn run(n: usize, a: f32, x: *const f32, out: *mut f32)"), "{text}");
}

#[test]
fn parallel_loops_are_functions_of_their_own() {
    let text = text(&scaled(LoopKind::Par, 1));
    assert!(
        text.contains("unsafe fn i_loop<S: Isa>(range: Range<usize>, a: f32, x_in: &[f32], out: *mut f32)"),
        "{text}"
    );
    assert!(text.contains("Level::Avx512 => i_loop_avx512(range, a, x_in, out.get()),"), "{text}");
}

#[test]
fn long_parallel_loops_are_modules_of_their_own() {
    let with = |statements: usize| {
        let mut kernel = scaled(LoopKind::Par, 1);
        if let Some(Stmt::For(inner)) = kernel.body.last_mut() {
            inner.body = vec![inner.body.remove(0); statements];
        }
        text(&kernel)
    };
    let (short, long) = (with(10), with(1000));
    assert!(!short.contains("mod i_loop"), "{short}");
    assert!(long.contains("mod i_loop {\n    use super::*;\n"), "{long}");
    assert!(long.contains("Level::Avx512 => i_loop::avx512(range, a, x_in, out.get()),"), "{long}");
}

/// Their paths begin where the kernel stands.
#[test]
fn what_calls_functions_of_the_callers_is_no_module() {
    let with = |value: &dyn Fn(Value) -> Value| {
        let mut kernel = scaled(LoopKind::Par, 1);
        if let Some(Stmt::For(inner)) = kernel.body.last_mut()
            && let Stmt::Store(_, stored) = &mut inner.body[0]
        {
            *stored = value(stored.clone());
        }
        text(&kernel)
    };
    let scalar = || DataType::Scalar(Scalar::F32);
    let halved = Arc::new(Foreign {
        name: "halved".into(),
        rust: Some("own::halved".into()),
        c: None,
        vectors: Vec::new(),
        params: vec![scalar()],
        result: scalar(),
    });
    let (alone, calling) =
        (with(&|value| value), with(&|value| Value::Foreign(halved.clone(), 1, vec![value])));
    assert!(alone.contains("mod run {") && alone.ends_with("use run::run as run;\n"), "{alone}");
    assert!(calling.contains("own::halved(x0)") && !calling.contains("mod "), "{calling}");
}

#[test]
fn temporaries_share_one_allocation() {
    let mut kernel = scaled(LoopKind::Seq, 1);
    let len = Nat::var(&kernel.nats[0]);
    kernel.buffers.push(buffer("t", &(len * 2 + 1), Role::Heap));
    kernel.buffers.push(buffer("s", &Nat::lit(16), Role::Stack));
    kernel.body.insert(0, Stmt::Alloc(BufferId(2)));
    kernel.body.insert(1, Stmt::Alloc(BufferId(3)));
    let text = text(&kernel);
    assert!(text.contains("let t = plan.place::<f32>(n * 2 + 1)?;"), "{text}");
    assert!(text.contains("let t = scratch.at::<f32>(t);"), "{text}");
    assert!(
        text.contains("let mut s_memory = Stack([::core::mem::MaybeUninit::<f32>::uninit(); 16]);"),
        "{text}"
    );
}

#[test]
fn parallel_loops_that_are_soon_done_are_plain() {
    let text = |count: i64| {
        let mut kernel = scaled(LoopKind::Par, 1);
        if let Some(Stmt::For(inner)) = kernel.body.last_mut() {
            inner.count = Nat::lit(count);
        }
        text(&kernel)
    };
    let few = text(1000);
    assert!(few.contains("while i < 1000 {") && !few.contains(" for_each("), "{few}");
    assert!(text(10_000_000).contains(" for_each(10000000, cost, &task)"));
}

#[test]
fn short_parallel_loops_in_loops_run_in_place() {
    let around = |body: &dyn Fn(&Loop) -> Vec<Stmt>| {
        let mut kernel = scaled(LoopKind::Par, 1);
        if let Some(Stmt::For(inner)) = kernel.body.last_mut() {
            inner.body = body(inner);
            let outer = Loop { var: NatVar::new("j"), body: vec![Stmt::For(inner.clone())], ..inner.clone() };
            *inner = outer;
        }
        text(&kernel)
    };
    let short = around(&|inner| inner.body.clone());
    let inside = short.find("if private::is_soon(n, cost) {").expect(&short);
    assert!(short[inside..].contains("\n                    i_loop::<S>(0..n, a, x_in, out);\n"), "{short}");
    // No loop is around the outer one.
    assert_eq!(short.matches("is_soon").count(), 1, "{short}");
    // Too much to be written twice, and what is better alone.
    let long = around(&|inner| vec![inner.body[0].clone(); 100]);
    let nest = around(&|inner| {
        vec![Stmt::For(Loop { var: NatVar::new("k"), kind: LoopKind::Seq, ..inner.clone() })]
    });
    assert!(!long.contains("is_soon") && !nest.contains("is_soon"), "{nest}");
}

#[test]
fn names_end_with_their_functions() {
    let mut kernel = scaled(LoopKind::Par, 1);
    let Some(Stmt::For(looped)) = kernel.body.last_mut() else { panic!() };
    let named = |looped: &Loop, times: i8| {
        let mut looped = looped.clone();
        let Some(Stmt::Store(to, value)) = looped.body.pop() else { panic!() };
        let name = Name::fresh("value");
        let factor = Value::Literal(Literal::small(times, Scalar::F32));
        let product = binary(Binary::Mul, F32, Value::Var(name.clone()), factor);
        looped.body = vec![Stmt::Let(name, F32, value), Stmt::Store(to, product)];
        Stmt::For(looped)
    };
    kernel.body = vec![named(looped, 2), named(looped, 3)];
    let text = text(&kernel);
    assert_eq!(text.matches("let value: f32 = ").count(), 2, "{text}");
    assert!(text.contains("fn i_loop<S: Isa>(") && text.contains("fn i_loop_2<S: Isa>("), "{text}");
}

/// What an iteration writes: its index, given the variables of the loop and of one around the first loop, and a size.
type Index = fn(&Nat, &Nat, &Nat) -> Nat;

/// A kernel of two parallel loops that write to the second buffer, the first one in a statement of its own.
fn two_loops(around: impl Fn(NatVar, Loop) -> Stmt, indices: [&[Index]; 2]) -> Kernel {
    let mut kernel = scaled(LoopKind::Par, 1);
    let Some(Stmt::For(looped)) = kernel.body.pop() else { panic!() };
    let (n, j) = (Nat::var(&kernel.nats[0]), NatVar::new("j"));
    let one = Value::Literal(Literal::small(1, Scalar::F32));
    let [first, second] = indices.map(|indices| {
        let i = NatVar::new("i");
        let at = |index: &Index| access(1, &index(&Nat::var(&i), &Nat::var(&j), &n), 1);
        let body = indices.iter().map(|index| Stmt::Store(at(index), one.clone())).collect();
        Loop { var: i, body, ..looped.clone() }
    });
    kernel.body = vec![around(j, first), Stmt::For(second)];
    kernel
}

/// How many functions of loops there are, instances apart.
fn loop_functions(kernel: &Kernel) -> usize {
    text(kernel).matches("_loop<S: Isa>(").count()
}

fn three_times(var: NatVar, inner: Loop) -> Stmt {
    Stmt::For(Loop { var, count: Nat::lit(3), kind: LoopKind::Seq, body: vec![Stmt::For(inner)] })
}

#[test]
fn loops_that_do_the_same_are_one_function_which_is_told_what_differs() {
    let kernel = two_loops(three_times, [&[|i, j, n| i + j * n], &[|i, _, n| i + n.div(&Nat::lit(2)) * n]]);
    assert_eq!(loop_functions(&kernel), 1);
    let text = text(&kernel);
    assert!(text.contains("i_loop_avx512(range, n, j, out.get())"), "{text}");
    assert!(text.contains("let j_2 = n / 2;"), "{text}");
    assert!(text.contains("i_loop_avx512(range, n, j_2, out.get())"), "{text}");
}

#[test]
fn each_variable_is_told_its_own_value() {
    let looped = |text: &str, inner: &dyn Fn(Nat) -> Stmt| {
        let var = NatVar::new(text);
        let body = vec![inner(Nat::var(&var))];
        Stmt::For(Loop { var, count: Nat::lit(10_000_000), kind: LoopKind::Par, body })
    };
    let mut kernel = scaled(LoopKind::Par, 1);
    let n = Nat::var(&kernel.nats[0]);
    let innermost = |p: &Nat, q: &Nat| {
        let number = Value::FromNat(Scalar::F32, p.clone());
        looped("i", &|i| Stmt::Store(access(1, &(i + p * &n + q * &n * &n), 1), number.clone()))
    };
    // What is called `p` there is `q` here, and what is called `q` there is 5.
    let nested = looped("p", &|p| looped("q", &|q| innermost(&p, &q)));
    let other = looped("q", &|q| innermost(&q, &Nat::lit(5)));
    kernel.body = vec![nested, other];
    let text = text(&kernel);
    assert!(text.contains("fn i_loop_avx512(range: Range<usize>, n: usize, p: usize, q: usize, "), "{text}");
    assert!(text.contains("i_loop_avx512(range, n, p, q, "), "{text}");
    assert!(text.contains("i_loop_avx512(range, n, q, 5, "), "{text}");
}

#[test]
fn loops_that_differ_in_more_are_functions_of_their_own() {
    let first: &[Index] = &[|i, j, n| i + j * n];
    assert_eq!(loop_functions(&two_loops(three_times, [first, &[|i, _, n| i + n * 3]])), 1);
    // No value of `j` makes one the other.
    assert_eq!(loop_functions(&two_loops(three_times, [first, &[|i, _, n| i * 2 + n * 3]])), 2);
    assert_eq!(loop_functions(&two_loops(three_times, [first, &[|i, _, _| i + 1]])), 2);
    // Where `n` is 0 there is no such value.
    assert_eq!(loop_functions(&two_loops(three_times, [first, &[|i, _, n| i + (n - 1) * n]])), 2);
    // No value makes all of one the other.
    let both: [&[Index]; 2] =
        [&[|i, j, n| i + j * n, |i, j, _| i + j], &[|i, _, n| i + n * 3, |i, _, _| i + 4]];
    assert_eq!(loop_functions(&two_loops(three_times, both)), 2);
}

/// The kernel with another result, to which the second loop writes in these of its statements.
fn writing_elsewhere(mut kernel: Kernel, scalar: Scalar, which: &[usize]) -> Kernel {
    kernel.buffers.push(Buffer::scalars("other", scalar, Nat::lit(7), Role::Output));
    let other = BufferId(kernel.buffers.len() as u32 - 1);
    let Some(Stmt::For(Loop { body, .. })) = kernel.body.last_mut() else { panic!() };
    for at in which {
        let Stmt::Store(to, _) = &mut body[*at] else { panic!() };
        to.buffer = other;
    }
    kernel
}

#[test]
fn a_function_is_told_where_memory_lies() {
    let twice: &[Index] = &[|i, j, n| i + j * n, |i, j, _| i + j];
    let kernel = || two_loops(three_times, [twice, &[|i, _, n| i + n * 3, |i, _, _| i + 3]]);
    let both = writing_elsewhere(kernel(), Scalar::F32, &[0, 1]);
    assert_eq!(loop_functions(&both), 1);
    let text = text(&both);
    assert!(text.contains("i_loop_avx512(range, n, j, out.get())"), "{text}");
    assert!(text.contains("i_loop_avx512(range, n, 3, other.get())"), "{text}");
    // One array there is not two here, nor one of other elements.
    assert_eq!(loop_functions(&writing_elsewhere(kernel(), Scalar::F32, &[1])), 2);
    assert_eq!(loop_functions(&writing_elsewhere(kernel(), Scalar::F64, &[0, 1])), 2);
    // Nor are two arrays there one here.
    let mut turned = writing_elsewhere(kernel(), Scalar::F32, &[1]);
    turned.body.reverse();
    assert_eq!(loop_functions(&turned), 2);
}

#[test]
fn variables_in_the_middle_of_a_formula_are_told_by_their_names() {
    let below = |of: &str| -> Stmt {
        let (q, i) = (NatVar::new("q"), NatVar::new("i"));
        let index = Nat::var(&i) + Nat::min(&Nat::lit(5), &Nat::var(&q)) * 8;
        let store = Stmt::Store(access(1, &index, 1), Value::Literal(Literal::small(1, Scalar::F32)));
        let inner = Loop { var: i, count: Nat::lit(10_000_000), kind: LoopKind::Par, body: vec![store] };
        let body = vec![Stmt::LetNat(q, Value::Nat(Nat::lit(of.len() as i64))), Stmt::For(inner)];
        Stmt::For(Loop { var: NatVar::new(of), count: Nat::lit(3), kind: LoopKind::Seq, body })
    };
    let mut kernel = scaled(LoopKind::Par, 1);
    kernel.body = vec![below("one"), below("another")];
    assert_eq!(loop_functions(&kernel), 1);
}

/// What is not negative in one place, and so is computed without a sign, may not be known not to be in another.
#[test]
fn a_function_serves_where_it_would_be_written_the_same() {
    let below_size = |var: NatVar, mut inner: Loop| {
        let count = std::mem::replace(&mut inner.count, Nat::lit(1_000_000));
        Stmt::For(Loop { var, count, kind: LoopKind::Seq, body: vec![Stmt::For(inner)] })
    };
    let first: &[Index] = &[|i, j, n| i + j * n, |i, j, n| i + (n - j).div(&Nat::lit(2))];
    let all: &[Index] = &[|i, _, n| i + n * n, |i, _, _| i.clone()];
    assert_eq!(loop_functions(&two_loops(below_size, [first, all])), 1);
    let more: &[Index] = &[|i, _, n| i + n * 1000, |i, _, n| i + (n - 1000).div(&Nat::lit(2))];
    assert_eq!(loop_functions(&two_loops(below_size, [first, more])), 2);
}

#[test]
fn registers_that_begin_alike_are_declared_together() {
    let text = |count: usize| {
        let mut kernel = scaled(LoopKind::Seq, 8);
        let zero = Value::Broadcast(F32X8, Box::new(Value::Literal(Literal::small(0, Scalar::F32))));
        let registers = (0..count).map(|_| Stmt::Var(Name::fresh("sum"), F32X8, Some(zero.clone())));
        kernel.body.splice(0..0, registers);
        text(&kernel)
    };
    let many = text(4);
    assert!(many.contains("let start = <F32x8<S>>::splat(0.0);\n"), "{many}");
    assert!(
        many.contains("let (mut sum, mut sum_2, mut sum_3, mut sum_4) = (start, start, start, start);"),
        "{many}"
    );
    assert_eq!(text(3).matches("let mut sum").count(), 3);
}

/// A branch that does not run asks for no memory, where that is known at entry.
#[test]
fn temporaries_of_branches_are_counted_where_they_run() {
    let text = |condition: &dyn Fn(&Nat) -> Value| {
        let mut kernel = scaled(LoopKind::Seq, 1);
        let n = Nat::var(&kernel.nats[0]);
        kernel.buffers.push(buffer("t", &(&n * 2), Role::Heap));
        kernel.buffers.push(buffer("u", &n, Role::Heap));
        let [then, otherwise] = [2, 3].map(|id| vec![Stmt::Alloc(BufferId(id))]);
        kernel.body.insert(0, Stmt::If(condition(&n), then, otherwise));
        text(&kernel)
    };
    let few = text(&|n| Value::CompareNat(Compare::Le, n.clone(), Nat::lit(63)));
    assert!(few.contains("if n <= 63 {\n        size = size.max(plan.bytes());"), "{few}");
    assert!(few.contains("if !(n <= 63) {\n        size = size.max(plan.bytes());"), "{few}");
    let large = text(&|n| Value::Large(n.clone()));
    assert_eq!(large.matches("\n    size = size.max(plan.bytes());").count(), 2, "{large}");
}

/// So does a task, which makes one allocation for all of its temporaries; for a single one it needs no plan.
#[test]
fn temporaries_of_a_task_are_one_allocation() {
    let text = |count: u32| {
        let mut kernel = scaled(LoopKind::Par, 1);
        let n = Nat::var(&kernel.nats[0]);
        let few = Value::CompareNat(Compare::Le, n.clone(), Nat::lit(63));
        let ids = (0..count).map(|_| {
            kernel.buffers.push(buffer("t", &n, Role::Heap));
            Stmt::Alloc(BufferId(kernel.buffers.len() as u32 - 1))
        });
        let inside = Stmt::If(few, ids.collect(), Vec::new());
        if let Some(Stmt::For(inner)) = kernel.body.last_mut() {
            inner.body.insert(0, inside);
        }
        text(&kernel)
    };
    let [one, two] = [1, 2].map(text);
    assert!(one.contains("= private::temporary::<f32>(n);") && !one.contains("plan"), "{one}");
    assert!(two.contains("if n <= 63 {\n            size = size.max(plan.bytes());"), "{two}");
    assert_eq!(
        [two.matches("plan.part::<f32>(n)").count(), two.matches("temporary::<u8>(size)").count()],
        [2, 1],
        "{two}"
    );
}

#[test]
fn vectors_cross_into_parallel_loops_by_pointer() {
    let mut kernel = scaled(LoopKind::Par, 8);
    let v = Name::fresh("v");
    let one = Value::Broadcast(F32X8, Box::new(Value::Literal(Literal::small(1, Scalar::F32))));
    kernel.body.insert(0, Stmt::Let(v.clone(), F32X8, one));
    if let Some(Stmt::For(inner)) = kernel.body.last_mut() {
        inner.body = vec![Stmt::Store(access(1, &(Nat::var(&inner.var) * 8), 8), Value::Var(v))];
    }
    let text = text(&kernel);
    assert!(text.contains("let v = v.cast::<F32x8<S>>().read_unaligned();"), "{text}");
}

#[test]
fn output_is_deterministic() {
    let runs: Vec<String> = (0..2).map(|_| text(&scaled(LoopKind::Par, 8))).collect();
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn versions_for_machines_are_instantiated_for_what_they_serve() {
    let [avx512, avx2, _] = MACHINES else { panic!("another test is due") };
    let mut loops = ByMachine::new(avx512, scaled(LoopKind::Par, 16));
    loops.push(avx2, scaled(LoopKind::Seq, 8));
    let text = emit(&loops, "run", "rise");
    assert!(text.parse::<proc_macro2::TokenStream>().is_ok(), "{text}");
    let (first, second) = text.split_once("mod avx2").expect("there are two versions");
    // The best one is for its instruction set alone, the other for all below.
    assert!(first.contains("type S = private::Avx512;"), "{text}");
    assert!(!first.contains("S: Isa") && !first.contains("x16<S>"), "{text}");
    assert!(second.contains("S: Isa") && second.contains("::<private::Baseline>"), "{text}");
    // The body, and the one parallel loop.
    let instances = |features: &str| text.matches(&format!("enable = \"{features}")).count();
    assert_eq!([instances("avx512"), instances("avx2")], [2, 1], "{text}");
    for arm in ["Level::Avx512 => avx512::run(n, a, x, out)", "_ => avx2::run(n, a, x, out)"] {
        assert!(text.contains(arm), "{text}");
    }
}

#[test]
fn a_version_serves_all_machines_that_answer_alike() {
    let mut loops = ByMachine::new(Machine::BEST, scaled(LoopKind::Par, 16));
    loops.push(Machine::named("baseline"), scaled(LoopKind::Par, 1));
    let text = emit(&loops, "run", "rise");
    let arm = "private::Level::Avx512 | ::rise::private::Level::Avx2 => avx512::run(n, a, x, out)";
    assert!(text.contains(arm), "{text}");
    let (first, second) = text.split_once("mod baseline").expect("there are two versions");
    assert!(first.contains("::<private::Avx512>") && first.contains("::<private::Avx2>"), "{text}");
    assert!(second.contains("type S = private::Baseline;") && !second.contains("target_feature"), "{text}");
    let has_lanes = |name| format!("{:?}", loops.on(name).body).contains("lanes: 16");
    assert_eq!(["avx512", "avx2", "baseline"].map(has_lanes), [true, true, false]);
}

#[test]
fn scalars_that_lie_far_apart_are_left_to_avx2() {
    let with_step = |step: i64| {
        let mut kernel = scaled(LoopKind::Par, 1);
        walk::nats(&mut kernel.body, &mut |index| {
            if *index != Nat::var(&kernel.nats[0]) {
                *index = &*index * step;
            }
        });
        text(&kernel)
    };
    for step in [1, 2, 8] {
        assert!(with_step(step).contains("Level::Avx512 => avx512("), "{step}");
    }
    let text = with_step(9);
    assert!(!text.contains("unsafe fn avx512"), "{text}");
    for function in ["", "i_loop_"] {
        assert!(text.contains(&format!("Level::Avx512 | Level::Avx2 => {function}avx2(")), "{text}");
    }
}

#[test]
fn lines_before_a_buffer_are_asked_for_without_overflow() {
    let mut kernel = scaled(LoopKind::Seq, 1);
    let n = Nat::var(&kernel.nats[0]);
    kernel.body = vec![Stmt::Ask(access(0, &(n - 128), 1), Cache::Second)];
    let text = text(&kernel);
    assert!(text.contains("ask_by_room(x, ((n as isize) - 128) as usize, is_roomy)"), "{text}");
    assert_eq!(text.matches("let is_roomy").count(), 1, "{text}");
    kernel.body.clear();
    assert!(!self::text(&kernel).contains("is_roomy"));
}

#[test]
fn loops_are_told_whether_results_are_written_past_the_caches() {
    let mut kernel = scaled(LoopKind::Par, 8);
    assert!(!text(&kernel).contains("past"));
    let Some(Stmt::For(looped)) = kernel.body.last_mut() else { panic!("a loop") };
    let body = std::mem::take(&mut looped.body);
    let bytes = Nat::var(&kernel.nats[0]) * 4;
    looped.body = vec![Stmt::If(Value::Past(bytes.clone()), body.clone(), body)];
    let found = text(&kernel);
    for part in [
        "unsafe fn run(n: usize, a: f32, x: *const f32, out: *mut f32, past: bool)",
        "i_loop<S: Isa>(range: Range<usize>, n: usize, a: f32, past: bool,",
        "if (past && private::is_large(n * 4)) {",
        "let out = SendPtr::new(out);",
    ] {
        assert!(found.contains(part), "{part}\n{found}");
    }
    // Code for other machines is called alike, though they may not ask.
    let mut loops = ByMachine::new(&MACHINES[0], kernel);
    loops.push(&MACHINES[1], scaled(LoopKind::Par, 8));
    let text = emit(&loops, "run", "rise");
    assert_eq!(text.matches("out: *mut f32, past: bool) -> ::core").count(), 3, "{text}");
}

/// The loop of `scaled` in a branch for what is large: more bytes than the value of a natural named before it.
fn streamed(sized: bool) -> Kernel {
    let mut kernel = scaled(LoopKind::Seq, 8);
    let (n, inner) = (Nat::var(&kernel.nats[0]), NatVar::new("quotient"));
    let bytes = if sized { n.clone() * 4 } else { Nat::var(&inner) };
    let mut body = std::mem::take(&mut kernel.body);
    let Some(Stmt::For(looped)) = body.last_mut() else { panic!("a loop") };
    let Stmt::Store(access, _) = &mut looped.body[0] else { panic!("a store") };
    access.streams = true;
    let named = Stmt::LetNat(inner, Value::Nat(n.div(&Nat::lit(3))));
    kernel.body = vec![Stmt::Block(vec![named, Stmt::If(Value::Large(bytes), body, Vec::new())])];
    kernel
}

#[test]
fn the_end_of_a_function_waits_for_stores_by_what_is_in_scope_there() {
    let ends = |text: &str| {
        let (before, _) = text.split_once("private::fence();").expect("a fence");
        before.trim_end().ends_with("if private::is_large(n * 4) {")
    };
    assert!(ends(&text(&streamed(true))));
    assert!(!ends(&text(&streamed(false))));
    assert_eq!(text(&streamed(false)).matches("is_large").count(), 1);
}

/// `out[8 * i ..8] = x[8 * i ..8].0`, of elements of these types.
fn first_parts(parts: &[Scalar]) -> String {
    let mut kernel = scaled(LoopKind::Seq, 8);
    kernel.buffers[0].element = Element::Tuple(parts.iter().map(|part| DataType::Scalar(*part)).collect());
    let Stmt::For(looped) = &mut kernel.body[1] else { return String::new() };
    let index = Nat::var(&looped.var) * 8;
    let from = Access { path: vec![0], ..access(0, &index, 1) };
    looped.body = vec![Stmt::Store(access(1, &index, 8), Value::Gather(from, Nat::lit(1), 8))];
    text(&kernel)
}

#[test]
fn parts_of_tuples_of_one_type_lie_at_a_distance() {
    let [single, double] = [Scalar::F32, Scalar::F64];
    assert!(first_parts(&[single; 2]).contains("gather_by::<2>("), "{}", first_parts(&[single; 2]));
    assert!(first_parts(&[single; 5]).contains(", 5)"), "what lies further apart is not loaded as well");
    assert!(!first_parts(&[single, double]).contains("gather"), "the distance is no number of elements");
}

/// A copy to a temporary is read so often that a call takes no time beside that; what is to be used at once stays in place.
#[test]
fn squares_are_copied_to_temporaries_by_calls() {
    let square = |from: Role, to: Role| {
        let mut kernel = scaled(LoopKind::Seq, 1);
        let len = Nat::lit(64);
        kernel.buffers.extend([buffer("from", &len, from), buffer("to", &len, to)]);
        let [from, to] = [2, 3].map(|buffer| access(buffer, &Nat::lit(0), 1));
        let strides = [Nat::lit(8), Nat::lit(8)];
        let square = Transpose { from, to, strides, side: 8, shape: Shape::Square };
        kernel.body.insert(0, Stmt::Transpose(Box::new(square)));
        text(&kernel)
    };
    assert!(square(Role::Input, Role::Heap).contains("transpose_by_call::<"));
    for (from, to) in [(Role::Stack, Role::Heap), (Role::Input, Role::Stack)] {
        assert!(square(from, to).contains("transpose_tile::<"), "{from:?} {to:?}");
    }
}
