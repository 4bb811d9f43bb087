//! Every rule keeps the meaning of every program that it matches.
//!
//! A random program is rewritten by random rules at random places, so that rules meet what other rules
//! have made; after each step the program is run.

use std::collections::BTreeMap;

use rise_build::dpia::functional::Target;
use rise_build::expr::{Failure, Kernel, Value as Data, interpret};
use rise_build::loops::passes::Options;
use rise_build::machine::MACHINES;
use rise_build::nat::Nat;
use rise_build::rewrite;
use rise_build::rewrite::catalog::{Row, Wants, rows};
use rise_build::rewrite::context::Context;
use rise_build::rewrite::engine::{Engine, Failure as Refused};
use rise_build::rewrite::lower;
use rise_build::rewrite::strategy::{Strategy, StrategyKind, Value};
use rise_semantics::stages::{each_stage, result};
use rise_semantics::values::{Numbers, arguments, library, refines};

use rise_semantics::{Choices, program};

const SIZES: [[i128; 2]; 6] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4], [4, 6]];

/// Steps of one program.
const STEPS: usize = 12;

fn values(row: &Row, numbers: &mut Numbers) -> Vec<Value> {
    let value = |wants: &Wants| match wants {
        Wants::Nat | Wants::Pieces => Value::Nat(Nat::lit([1, 2, 3, 4][numbers.below(4) as usize])),
        Wants::Dimension => Value::Nat(Nat::lit(0)),
        Wants::Space => Value::Word("Private".into()),
        Wants::Library => library(),
    };
    row.wants.iter().map(value).collect()
}

/// The program with the rule applied at one of the places where it applies, the `skip`th if there are so many.
fn step(kernel: &Kernel, row: &'static Row, values: Vec<Value>, skip: u64) -> Option<Kernel> {
    let rule = row.with(values);
    let mut engine = Engine::new(Context::new(kernel, Target::Rust));
    let mut left = skip;
    let body = engine
        .top_down(&kernel.body, &mut |engine, node| {
            let result = engine.rule(&rule, node)?;
            if left > 0 {
                left -= 1;
                engine.context.required.clear();
                return Err(Refused::new(rise_build::rewrite::context::Reason::mismatch("skipped")));
            }
            Ok(result)
        })
        .ok()?;
    let mut after = Kernel { body, ..kernel.clone() };
    after.obligations.extend(engine.context.required);
    Some(after)
}

fn results(kernel: &Kernel) -> Vec<Result<Data, Failure>> {
    let run = |sizes: &[i128; 2]| {
        let args = arguments(kernel, sizes, &mut Numbers::new(7));
        interpret(kernel, sizes, &args)
    };
    SIZES.iter().map(run).collect()
}

fn agree(
    row: &str,
    before: &Kernel,
    old: &[Result<Data, Failure>],
    after: &Kernel,
    new: &[Result<Data, Failure>],
) {
    for (a, b) in old.iter().zip(new) {
        match (a, b) {
            (Ok(a), Ok(b)) => assert!(refines(a, b), "{row}\n{before}\n{after}\n{a:?}\n{b:?}"),
            (Err(Failure::Range(_) | Failure::Obligation(_)), _) | (_, Err(Failure::Obligation(_))) => {}
            (a, b) => panic!("{row}\n{before}\n{after}\n{a:?}\n{b:?}"),
        }
    }
}

/// Whether the program has loops, which must compute what it does.
fn loops_agree(lowered: &Kernel, options: &Options, expected: &[Result<Data, Failure>]) -> bool {
    each_stage(lowered, options, &mut |pass, loops| {
        for (sizes, expected) in SIZES.iter().zip(expected) {
            let Ok(expected) = expected else { continue };
            let args = arguments(lowered, sizes, &mut Numbers::new(7));
            let Some(found) = result(lowered, loops, sizes, &args) else { continue };
            assert!(
                refines(expected, &found),
                "{pass}: sizes {sizes:?}\n{expected:?}\n{found:?}\n{lowered}\n{loops}"
            );
        }
    })
}

#[test]
fn rules_keep_the_meaning() {
    let all: Vec<&'static Row> = rows().collect();
    let mut tried: BTreeMap<&str, u32> = all.iter().map(|row| (row.name, 0)).collect();
    let programs: u64 = std::env::var("RULE_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(80);
    let mut compiled = 0;
    let first = rise_semantics::seed() * 1000;
    for seed in first..first + programs {
        let mut numbers = Numbers::new(seed + 1);
        let bytes: Vec<u8> = (0..120).map(|_| numbers.below(256) as u8).collect();
        let mut kernel = program(&mut Choices::new(&bytes)).kernel;
        let mut before = results(&kernel);
        let mut applied = 0;
        for _ in 0..STEPS * 12 {
            // Those that were seen least go first.
            let mut candidates: Vec<&'static Row> = all.clone();
            candidates.sort_by_key(|row| tried[row.name] / 8);
            let at = (numbers.below(all.len() as u64) * numbers.below(all.len() as u64)) / all.len() as u64;
            let row = candidates[at as usize];
            let skip = numbers.below(3);
            let Some(after) = step(&kernel, row, values(row, &mut numbers), skip) else { continue };
            let now = results(&after);
            agree(row.name, &kernel, &before, &after, &now);
            *tried.entry(row.name).or_default() += 1;
            (kernel, before) = (after, now);
            applied += 1;
            if applied == STEPS || kernel.to_string().len() > 6000 {
                break;
            }
        }
        let options = [&Options::CPU, &Options::C][applied % 2];
        let lowered = lower(&kernel, Target::Rust);
        let now = results(&lowered);
        agree("lower", &kernel, &before, &lowered, &now);
        compiled += u32::from(loops_agree(&lowered, options, &now));
        let machine = &MACHINES[applied % MACHINES.len()];
        let best = rewrite::run(&kernel, &Strategy::new(StrategyKind::Auto), Target::Rust, machine);
        let best = best.unwrap_or_else(|failure| panic!("{}\n{kernel}", failure.reason)).0;
        let now = results(&best);
        agree("auto", &kernel, &before, &best, &now);
        loops_agree(&best, options, &now);
    }
    println!("{compiled} of {programs} programs have loops");
    for (name, count) in &tried {
        println!("{count:6} {name}");
    }
}
