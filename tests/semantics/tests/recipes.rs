//! Recipes on nests of one to four dimensions, maps and folds alike, under every tail policy.

use rise_build::diagnostics::Session;
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::expr::{Failure, Kernel, Value, interpret};
use rise_build::loops::passes::{Options, PASSES};
use rise_build::machine::Machine;
use rise_build::rewrite;
use rise_build::syntax::{self, ast};
use rise_build::types::infer_kernel;
use rise_semantics::stages::{each_stage, result};
use rise_semantics::values::{Numbers, arguments, close};

const LABELS: [&str; 4] = ["a", "b", "c", "d"];
const NATS: [&str; 4] = ["n", "m", "l", "k"];
const TAILS: [&str; 5] = ["exact", "peel", "pad", "shift", "mask"];

/// A nest of so many dimensions: maps outside, folds inside, of which all but the innermost start from a value.
fn program(maps: usize, folds: usize, start: i32) -> String {
    let dims = maps + folds;
    let nats: Vec<String> = NATS[..dims].iter().map(|n| format!("{n}: Nat")).collect();
    let ty = NATS[..dims].iter().rev().fold("i32".to_owned(), |ty, n| format!("[{ty}; {n}]"));
    let result = NATS[..maps].iter().rev().fold("i32".to_owned(), |ty, n| format!("[{ty}; {n}]"));
    let mut body = String::new();
    for at in (0..dims).rev() {
        let (var, label) = (format!("x{at}"), LABELS[at]);
        body = match (at < maps, at + 1 == dims) {
            (true, true) => format!("'{label}: map(|{var}| {var} * 2 + 1)"),
            (true, false) => format!("'{label}: map(|{var}| {var} |> {body})"),
            (false, true) => format!("'{label}: reduce(add, 0)"),
            (false, false) => format!("map(|{var}| {var} |> {body}) |> '{label}: reduce(add, {start})"),
        };
    }
    format!("pub fn f<{}>(xs: {ty}) -> {result} {{ xs |> {body} }}", nats.join(", "))
}

struct Tried {
    kernel: Kernel,
    steps: Vec<(String, Kernel)>,
}

fn compile(program: &str, strategy: &str) -> Result<Tried, String> {
    let text = format!("{program} compile f to rust with {strategy} ; lower;");
    let (module, wrong) = syntax::parse(text.parse().map_err(|_| "tokens")?);
    assert!(wrong.is_empty(), "{text}\n{wrong:?}");
    let [ast::Item::Kernel(item), ast::Item::Compile(compile)] = module.items.as_slice() else {
        panic!("{text}")
    };
    let kernel = infer_kernel(&module, item).unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}"));
    let message = |wrong: rise_build::diagnostics::Diagnostics| {
        wrong.iter().map(|wrong| wrong.headline()).collect::<Vec<_>>().join("\n")
    };
    let (after, trace) =
        rewrite::apply(&kernel, compile.strategy.as_ref(), &module, Target::Rust, Machine::BEST)
            .map_err(message)?;
    if let Err(wrong) = from_expr(&after, Target::Rust) {
        return Err(format!("STAGE 4: {}\n{after}", message(wrong)));
    }
    let step = |step: &rewrite::trace::Step| {
        (step.name.clone(), Kernel { body: step.body.clone(), ..after.clone() })
    };
    Ok(Tried { kernel, steps: trace.steps.iter().map(step).collect() })
}

fn sizes(count: usize, numbers: &mut Numbers) -> Vec<i128> {
    let pool = [0, 1, 2, 3, 4, 5, 8, 12, 13];
    (0..count).map(|_| pool[numbers.below(if count > 2 { 7 } else { 9 }) as usize]).collect()
}

/// How the strategy was refused, if it was; what it gives is held against the program after each of its steps.
fn attempt(program: &str, strategy: &str) -> Result<(), String> {
    let Tried { kernel, steps } = compile(program, strategy)?;
    let mut numbers = Numbers::new(5);
    let mut runs = Vec::new();
    for _ in 0..6 {
        let sizes = sizes(kernel.nats.len(), &mut numbers);
        let args: Vec<Value> = arguments(&kernel, &sizes, &mut numbers);
        let expected = match interpret(&kernel, &sizes, &args) {
            Err(Failure::Obligation(_)) => continue,
            expected => expected.expect("the program has a value"),
        };
        for (name, after) in &steps {
            match interpret(after, &sizes, &args) {
                Ok(found) if close(&expected, &found) => {}
                // `exact` asks for sizes that divide.
                Err(Failure::Obligation(_)) if strategy.contains("exact") || strategy.contains("mask") => {}
                other => panic!(
                    "{program}\n{strategy}: at {sizes:?} after {name}: {other:?}\n{expected:?}\n{after}"
                ),
            }
        }
        runs.push((sizes, args, expected));
    }
    let (_, lowered) = steps.last().expect("`lower` is a step");
    runs.retain(|(sizes, args, _)| interpret(lowered, sizes, args).is_ok());
    each_stage(lowered, &Options::CPU, &mut |pass, loops| {
        // Each pass is held against random programs elsewhere.
        if PASSES.last().is_some_and(|last| last.name != pass) {
            return;
        }
        for (sizes, args, expected) in &runs {
            let found = result(lowered, loops, sizes, args);
            let fine = found.as_ref().is_none_or(|found| close(expected, found));
            assert!(
                fine,
                "{strategy}: at {sizes:?} after {pass}: {found:?}\n{expected:?}\n{lowered}\n{loops}"
            );
        }
    });
    Ok(())
}

/// Strategies that work on one pattern, and what a refusal must say; none may be refused with "".
fn of_one(label: &str, is_fold: bool) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    for tail in TAILS {
        let refusal = if is_fold && tail == "shift" { "twice" } else { "" };
        for recipe in ["split(4", "split(4, 2", "vectorize(4"] {
            all.push((format!("{recipe}, tail = {tail}) @ '{label}"), refusal));
        }
    }
    all.push((format!("parallel @ '{label}"), ""));
    all.push((format!("unrollBy(3) @ '{label}"), ""));
    let ordered = if is_fold { "runs in order" } else { "" };
    all.push((format!("split(4) @ '{label} ; parallel @ '{label}.outer"), ordered));
    if is_fold {
        all.push((format!("blockReduce(4) @ '{label} ; try(parallel @ '{label}.blocks)"), ""));
    } else {
        all.push((format!("blockReduce(4) @ '{label}"), "no reduction"));
        all.push((format!("storeIn(Private) @ '{label}"), ""));
    }
    all.push((format!("mulAdd @ '{label}"), "no sum of a product"));
    all.push((format!("stream @ '{label}"), "it "));
    all
}

/// Strategies that work on whole nests.
fn of_nests(labels: &[String], folds: usize) -> Vec<(String, &'static str)> {
    let mut all = Vec::new();
    let list = labels.join(", ");
    let sizes = ["4", "2", "3", "4"][..labels.len()].join(", ");
    for tail in TAILS {
        let refusal = match folds {
            0 => "",
            _ if tail == "shift" => "twice",
            1 => "",
            // The folds between the outermost and the innermost one start from 3.
            3.. if tail == "pad" || tail == "mask" => "from its neutral element are padded",
            _ => "",
        };
        all.push((format!("tile({sizes}, tail = {tail}) @ ({list})"), refusal));
    }
    for pair in labels.windows(2) {
        all.push((format!("interchange @ ({}, {})", pair[0], pair[1]), ""));
        all.push((format!("tile(4, 4) @ ({}, {})", pair[0], pair[1]), ""));
    }
    let maps = labels.len() - folds;
    let mut turned = labels[..maps].to_vec();
    turned.reverse();
    turned.extend(labels[maps..].iter().rev().cloned());
    all.push((format!("reorder([{}])", turned.join(", ")), ""));
    if folds < 2 {
        turned.reverse();
        all.push((format!("reorder([{}])", turned.join(", ")), ""));
    }
    all
}

#[test]
fn recipes_work_on_nests_of_one_to_four_dimensions() {
    let _session = Session::start();
    let (mut tried, mut refused) = (0, 0);
    for dims in 1..=4 {
        for folds in 0..=dims {
            let program = program(dims - folds, folds, 3);
            let mut strategies = Vec::new();
            for (at, label) in LABELS[..dims].iter().enumerate() {
                strategies.extend(of_one(label, at >= dims - folds));
            }
            let labels: Vec<String> = LABELS[..dims].iter().map(|label| format!("'{label}")).collect();
            strategies.extend((dims > 1).then(|| of_nests(&labels, folds)).into_iter().flatten());
            for (strategy, refusal) in strategies {
                tried += 1;
                match attempt(&program, &strategy) {
                    Ok(()) => assert!(refusal.is_empty(), "{program}\n{strategy} is not refused"),
                    Err(text) => {
                        refused += 1;
                        let told = !refusal.is_empty() && text.contains(refusal);
                        assert!(told, "{program}\n{strategy}: {text}");
                    }
                }
            }
        }
    }
    println!("{tried} strategies, of which {refused} are refused with a reason");
}

#[test]
fn folds_of_folds_are_padded_together() {
    let _session = Session::start();
    for (maps, folds) in [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (2, 2)] {
        let program = program(maps, folds, 0);
        let innermost = format!("'{}: reduce", LABELS[maps + folds - 1]);
        let squares = program.replace(&innermost, &format!("map(|x| x * x + 1) |> {innermost}"));
        let labels: Vec<String> = LABELS[..maps + folds].iter().map(|label| format!("'{label}")).collect();
        let sizes = ["4", "2", "3", "4"][..labels.len()].join(", ");
        for tail in ["pad", "mask"] {
            let strategy = format!("tile({sizes}, tail = {tail}) @ ({})", labels.join(", "));
            for program in [&program, &squares] {
                attempt(program, &strategy).unwrap_or_else(|text| panic!("{program}\n{strategy}: {text}"));
            }
        }
    }
}

/// Programs whose patterns are labelled from the outside in.
const LABELLED: [&str; 11] = [
    "pub fn f<n: Nat, m: Nat, k: Nat>(a: [[i32; k]; n], b: [[i32; m]; k]) -> [[i32; m]; n] {
        a |> 'a: map(|row| transpose(b) |> 'b: map(|col| zip(row, col) |> map(|p| p.0 * p.1) |> 'c: reduce(add, 0)))
    }",
    "pub fn f<n: Nat, m: Nat>(x: [[i32; m + 2]; n + 2]) -> [[i32; m]; n] {
        x |> slide2D(3, 1) |> 'a: map(|row| row |> 'b: map(|w| w |> join |> 'c: reduce(add, 0)))
    }",
    "pub fn f<n: Nat>(x: [i32; n]) -> [i32; n] where n >= 1 {
        x |> padClamp(1, 2) |> slide(4, 1) |> 'a: map(|w| w |> map(|v| v * v) |> 'b: reduce(max, -7))
    }",
    "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [i32; n] {
        x |> 'a: map(|row| row |> 'b: map(|v| v * 3) |> 'c: map(|v| v + 1) |> 'd: reduce(add, 5))
    }",
    "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [[i32; n]; m] {
        transpose(x) |> 'a: map(|col| col |> 'b: map(|v| v - 4))
    }",
    "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n], y: [i32; m]) -> [[(i32, i32); m]; n] {
        x |> 'a: map(|row| zip(row, y) |> 'b: map(|p| (p.1, p.0 + 1)))
    }",
    "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [i32; m] {
        x |> 'a: reduce(|acc, row| zip(acc, row) |> 'b: map(|p| p.0 + p.1), generate(|_| 0))
    }",
    "pub fn f<n: Nat>(x: [i32; 2 * n], y: [i32; n]) -> [i32; 3 * n] {
        concat(x |> 'a: map(|v| v * 2), y |> 'b: map(|v| { let w = v + 1; w * w }))
    }",
    "pub fn f<n: Nat>(x: [i32; n]) -> ([i32; n], [i32; n]) {
        { let t = x |> 'a: map(|v| v * v) |> toMem; (t |> 'b: map(|v| v + 1), t |> 'c: scan(add, 0)) }
    }",
    // What has a value only because the loop around it runs.
    "pub fn f<n: Nat>(x: [i32; n]) -> [i32; n] {
        x |> 'a: map(|v| v + (x |> take(1) |> map(|w| w * w) |> 'b: reduce(add, x[0])))
    }",
    "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n], y: [i32; m]) -> [[i32; m]; n] {
        x |> 'a: map(|row| row |> 'b: map(|v| v * row[0] + (y |> drop(1) |> 'c: reduce(max, x[0][m - 1]))))
    }",
];

/// Several recipes one after the other, each where it applies.
#[test]
fn recipes_compose() {
    let _session = Session::start();
    let tries = rise_semantics::cases(400);
    let mut numbers = Numbers::new(rise_semantics::seed());
    let mut compiled = 0;
    for _ in 0..tries {
        let program = LABELLED[numbers.below(LABELLED.len() as u64) as usize];
        let mut steps = Vec::new();
        for _ in 0..=numbers.below(5) {
            let step = random_recipe(&steps.join(""), &mut numbers);
            steps.push(step);
        }
        match attempt(program, &steps.join(" ; ")) {
            Ok(()) => compiled += 1,
            Err(text) => assert!(!text.is_empty(), "{program}\n{steps:?}"),
        }
    }
    println!("{compiled} of {tries} schedules compile");
    assert!(2 * compiled > tries, "most schedules are refused");
}

/// A recipe on loops of the program, or on those that earlier steps made of them.
fn random_recipe(before: &str, numbers: &mut Numbers) -> String {
    let mut pick = |of: &[&'static str]| of[numbers.below(of.len() as u64) as usize];
    let label = |pick: &mut dyn FnMut(&[&'static str]) -> &'static str| {
        let name = pick(&["'a", "'b", "'c", "'a", "'b"]);
        let parts = [".outer", ".inner", ".inner", ".rest", ".blocks", ""];
        format!("{name}{}", if before.contains(name) { pick(&parts) } else { "" })
    };
    let (one, two) = (label(&mut pick), label(&mut pick));
    let (size, other, tail) = (pick(&["2", "3", "4"]), pick(&["2", "4", "5"]), pick(&TAILS));
    let step = match pick(&[
        "split",
        "split",
        "vectorize",
        "vectorize",
        "tile",
        "interchange",
        "parallel",
        "unroll",
        "unrollBy",
        "fuse",
        "pack",
        "stream",
        "storeIn",
        "blockReduce",
        "reorder",
        "lower",
    ]) {
        "split" => format!("split({size}, tail = {tail}) @ {one}"),
        "vectorize" => format!("vectorize({}, tail = {tail}) @ {one}", pick(&["2", "4", "8"])),
        "tile" => format!("tile({size}, {other}, tail = {tail}) @ ({one}, {two})"),
        "interchange" => format!("interchange @ ({one}, {two})"),
        "reorder" => format!("reorder([{one}, {two}])"),
        "unrollBy" => format!("unrollBy({size}) @ {one}"),
        "storeIn" => format!("storeIn(Private) @ {one}"),
        "blockReduce" => format!("blockReduce({size}) @ {one}"),
        "lower" => "lower".to_owned(),
        plain => format!("{plain} @ {one}"),
    };
    format!("try({step})")
}

#[test]
fn vectors_are_written_to_scattered_rows_and_alone() {
    let _session = Session::start();
    let scattered = "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n], at: [Idx[n]; n]) -> [[f32; m]; n] {
        x |> map(|row| row |> 'a: map(|v| v)) |> scatter(at)
    }";
    let alone = "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> map(|v| v + 1.0) |> asVector(1) |> 'a: map(|v| v) |> asScalar
    }";
    for (program, strategy) in
        [(scattered, "vectorize(8) @ 'a"), (scattered, "auto"), (alone, "parallel @ 'a")]
    {
        attempt(program, strategy).unwrap_or_else(|text| panic!("{program}\n{strategy}: {text}"));
    }
}

#[test]
fn what_a_loop_and_its_remainder_read_is_stored_once() {
    let _session = Session::start();
    let program = "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n]) -> [i32; n] {
        x |> map(|row| row |> 'b: map(|v| v * 3) |> 'c: map(|v| v + 1) |> reduce(add, 5))
    }";
    let strategy = "split(4, tail = peel) @ 'c ; storeIn(Private) @ 'b";
    attempt(program, strategy).unwrap_or_else(|text| panic!("{text}"));
    let steps = compile(program, strategy).expect("it worked before").steps;
    assert_eq!(steps[1].1.to_string().matches("toMem").count(), 1, "{}", steps[1].1);
}

#[test]
fn folds_that_need_a_loop_to_run_stay_in_it() {
    let _session = Session::start();
    let program = "pub fn f<n: Nat, m: Nat>(x: [[i32; m]; n], y: [i32; m]) -> [[i32; m]; n] {
        x |> map(|row| row |> 'b: map(|v| v + (y |> drop(1) |> 'c: reduce(max, row[m - 1]))))
    }";
    for tail in ["peel", "pad", "mask"] {
        let refused = attempt(program, &format!("tile(2, 2, tail = {tail}) @ ('c, 'b)"));
        let text = refused.expect_err("without rows' elements `drop(1)` has no value");
        assert!(text.contains("only because the loop runs"), "{tail}: {text}");
    }
}
