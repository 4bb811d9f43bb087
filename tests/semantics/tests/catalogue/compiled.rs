//! What rules make of programs as compiled Rust.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rise_build::diagnostics::Session;
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::dpia::imperative::translate;
use rise_build::loops::{self, passes};
use rise_build::rewrite::catalog::rows;
use rise_build::rewrite::lower;
use rise_build::rewrite::user::Numbers;
use rise_semantics::cases;
use rise_semantics::compiled::{Build, Compiling, Libraries, Outcome, Task, Text, libraries, supported};
use rise_semantics::program::can_be_param;
use rise_semantics::values::{close, same};

use crate::left::{Left, Trial, attempt, left_sides};

/// Programs of each rule. They take a minute on two cores, most of it the compiler of Rust, which does not optimise.
const PROGRAMS: u32 = 200;

/// Programs of a crate.
const BATCH: usize = 500;

/// Rules that choose what a CPU does not have.
const OF_DEVICES: [&str; 3] = ["mapGlobal", "mapWorkGroup", "mapLocal"];

/// A program after a rule.
struct Case {
    rule: &'static str,
    trial: Trial,
    text: Text,
}

/// All stages for what the rule has made; open choices are made by `lower`.
fn case(rule: &'static str, trial: Trial) -> Result<Case, String> {
    let types = trial.before.params.iter().map(|param| &param.ty).chain([trial.before.body.ty()]);
    if !types.into_iter().all(can_be_param) {
        return Err("kernels neither take nor give arrays of tuples of arrays".into());
    }
    let lowered = lower(&trial.after, Target::Rust);
    let functional = from_expr(&lowered, Target::Rust).map_err(|wrong| format!("{wrong:?}"))?;
    let mut loops = loops::lower(&translate(&functional));
    passes::run(&mut loops, &passes::Options::CPU).map_err(|wrong| format!("{wrong:?}"))?;
    Ok(Case { rule, text: Text::in_rust(&loops), trial })
}

impl Case {
    fn task(&self, program: usize) -> Task {
        let Trial { before, sizes, args, .. } = &self.trial;
        Task {
            program,
            sizes: before.nats.iter().cloned().zip(sizes.iter().copied()).collect(),
            args: before.params.iter().map(|param| param.ty.clone()).zip(args.iter().cloned()).collect(),
            result: before.body.ty().clone(),
        }
    }

    /// What is wrong with the outcome; whether it agrees in bits, or within rounding, otherwise.
    fn judge(&self, outcome: Option<&Outcome>) -> Result<bool, String> {
        match outcome {
            Some(Outcome::Value(found)) if same(&self.trial.expected, found) => Ok(true),
            Some(Outcome::Value(found)) if close(&self.trial.expected, found) => Ok(false),
            outcome => Err(format!(
                "{}\n{}\n{}\nat {:?} with {:?}\nexpected {:?}\nfound    {outcome:?}",
                self.rule,
                self.trial.before,
                self.trial.after,
                self.trial.sizes,
                self.trial.args,
                self.trial.expected
            )),
        }
    }
}

/// So many programs of a rule, from its left sides in turn; refusals of later stages are told.
fn programs(sides: &[&Left], wanted: usize, refused: &mut BTreeMap<&str, String>) -> Vec<Case> {
    let mut found = Vec::new();
    // Other seeds than those of the interpreter's test.
    for seed in 1000..1000 + wanted as u64 * 8 {
        for left in sides {
            if found.len() == wanted {
                return found;
            }
            let Ok(Some(trial)) = attempt(left, &mut Numbers::new(seed)) else { continue };
            match case(left.row.name, trial) {
                Ok(case) => found.push(case),
                Err(why) => drop(refused.insert(left.row.name, why)),
            }
        }
    }
    found
}

#[test]
fn what_rules_make_of_programs_compiles_and_gives_the_same() {
    let _session = Session::start();
    let wanted = cases(PROGRAMS) as usize;
    let sides: Vec<Left> = left_sides().into_iter().filter(|left| !left.miss).collect();
    let mut refused = BTreeMap::new();
    let mut all = Vec::new();
    for row in rows() {
        let sides: Vec<&Left> = sides.iter().filter(|left| left.row.name == row.name).collect();
        all.extend(programs(&sides, wanted, &mut refused));
    }
    let rare: Vec<String> = rows()
        .map(|row| (row.name, all.iter().filter(|case| case.rule == row.name).count()))
        .filter(|(name, count)| !OF_DEVICES.contains(name) && *count < wanted)
        .map(|(name, count)| format!("{name}: {count}, {}", refused.get(name).map_or("", String::as_str)))
        .collect();
    assert!(rare.is_empty(), "not compiled often enough:\n{}", rare.join("\n"));
    let (mut failures, mut rounded) = (Vec::new(), 0);
    for outcome in run(&all, &libraries()) {
        match outcome {
            Ok(in_bits) => rounded += usize::from(!in_bits),
            Err(text) => failures.push(text),
        }
    }
    let rules = rows().count() - OF_DEVICES.len();
    println!(
        "{rules} rules, {} programs as Rust, {rounded} of them rounded, {} failures",
        all.len(),
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Compiles and runs all programs, two crates at a time. Those with one text are compiled once.
fn run(all: &[Case], libraries: &Libraries) -> Vec<Result<bool, String>> {
    let mut by_text: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in all {
        by_text.entry(&case.text.rust).or_default().push(case);
    }
    let programs: Vec<Vec<&Case>> = by_text.into_values().collect();
    println!("{} programs have different texts", programs.len());
    let isas = supported();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("catalogue");
    let mut results = Vec::new();
    for pair in programs.chunks(2 * BATCH) {
        let start = |(at, programs): (usize, &[Vec<&Case>])| {
            let texts: Vec<Text> =
                programs.iter().enumerate().map(|(position, cases)| cases[0].text.at(position)).collect();
            let isa = [isas[isas.len() - 1], isas[0]][at];
            let build =
                Build { libraries, folder: &folder, isa, checked: at == 0, optimised: false, c: None };
            Compiling::start(&format!("rules{at}"), &texts, &build).expect("the compiler starts")
        };
        let compiling: Vec<Compiling> = pair.chunks(BATCH).enumerate().map(start).collect();
        for (programs, compiling) in pair.chunks(BATCH).zip(compiling) {
            let batch =
                compiling.finish().unwrap_or_else(|text| panic!("{}", text.get(..4000).unwrap_or(&text)));
            let cases: Vec<(usize, &Case)> = programs
                .iter()
                .enumerate()
                .flat_map(|(program, cases)| cases.iter().map(move |case| (program, *case)))
                .collect();
            let tasks: Vec<Task> = cases.iter().map(|(program, case)| case.task(*program)).collect();
            let outcomes = batch.run(&tasks);
            results.extend(cases.iter().enumerate().map(|(at, (_, case))| case.judge(outcomes.get(at))));
        }
    }
    results
}
