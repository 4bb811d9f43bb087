//! Recipes on nests of one to four dimensions, maps and folds alike, under every tail policy.

use rise_build::diagnostics::Session;
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::expr::{Failure, Kernel, Value, interpret};
use rise_build::machine::Machine;
use rise_build::rewrite;
use rise_build::syntax::{self, ast};
use rise_build::types::infer_kernel;
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
    for _ in 0..6 {
        let sizes = sizes(kernel.nats.len(), &mut numbers);
        let args: Vec<Value> = arguments(&kernel, &sizes, &mut numbers);
        let expected = interpret(&kernel, &sizes, &args).expect("the program has a value");
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
    }
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
