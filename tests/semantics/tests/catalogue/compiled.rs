//! What rules make of programs as compiled Rust.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;

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

/// Programs of each rule. They take two minutes on two cores, most of it the compiler of Rust, which does
/// not optimise.
const PROGRAMS: u32 = 200;

/// Threads, each with the programs of some of the rules.
const WORKERS: usize = 2;

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

/// So many programs of a rule, from its left sides in turn; the last refusal of a later stage is told.
fn programs(sides: &[&Left], wanted: usize, refused: &mut String) -> Vec<Case> {
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
                Err(why) => *refused = why,
            }
        }
    }
    found
}

/// What came of the programs of some rules.
#[derive(Default)]
struct Tally {
    programs: usize,
    texts: usize,
    rounded: usize,
    rare: Vec<String>,
    failures: Vec<String>,
}

#[test]
fn what_rules_make_of_programs_compiles_and_gives_the_same() {
    let wanted = cases(PROGRAMS) as usize;
    let libraries = libraries();
    let rules: Vec<&'static str> = rows().map(|row| row.name).collect();
    let tallies: Vec<Tally> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| {
                let rules: Vec<&str> = rules.iter().skip(worker).step_by(WORKERS).copied().collect();
                let libraries = &libraries;
                scope.spawn(move || tally(worker, &rules, wanted, libraries))
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("the worker ends")).collect()
    });
    let sum = |part: fn(&Tally) -> usize| tallies.iter().map(part).sum::<usize>();
    println!(
        "{} rules, {} programs as Rust, {} of different texts, {} of them rounded, {} failures",
        rules.len() - OF_DEVICES.len(),
        sum(|tally| tally.programs),
        sum(|tally| tally.texts),
        sum(|tally| tally.rounded),
        sum(|tally| tally.failures.len())
    );
    let all = |part: fn(&Tally) -> &Vec<String>| tallies.iter().flat_map(part).cloned().collect::<Vec<_>>();
    let (rare, failures) = (all(|tally| &tally.rare), all(|tally| &tally.failures));
    assert!(rare.is_empty(), "not compiled often enough:\n{}", rare.join("\n"));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// Makes, compiles and runs the programs of some rules.
fn tally(worker: usize, rules: &[&'static str], wanted: usize, libraries: &Libraries) -> Tally {
    let _session = Session::start();
    let sides: Vec<Left> = left_sides().into_iter().filter(|left| !left.miss).collect();
    let mut tally = Tally::default();
    let mut all = Vec::new();
    for rule in rules {
        let sides: Vec<&Left> = sides.iter().filter(|left| left.row.name == *rule).collect();
        let mut refused = String::new();
        let found = programs(&sides, wanted, &mut refused);
        if found.len() < wanted && !OF_DEVICES.contains(rule) {
            tally.rare.push(format!("{rule}: {}, {refused}", found.len()));
        }
        all.extend(found);
    }
    tally.programs = all.len();
    run(&format!("rules{worker}"), &all, libraries, &mut tally);
    tally
}

/// Compiles and runs all programs. Those with one text are compiled once.
fn run(name: &str, all: &[Case], libraries: &Libraries, tally: &mut Tally) {
    let mut by_text: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in all {
        by_text.entry(&case.text.rust).or_default().push(case);
    }
    let programs: Vec<Vec<&Case>> = by_text.into_values().collect();
    tally.texts = programs.len();
    let isas = supported();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("catalogue");
    for (at, programs) in programs.chunks(BATCH).enumerate() {
        let texts: Vec<Text> =
            programs.iter().enumerate().map(|(position, cases)| cases[0].text.at(position)).collect();
        let checked = at % 2 == 0;
        let isa = if checked { isas[isas.len() - 1] } else { isas[0] };
        let build = Build { libraries, folder: &folder, isa, checked, optimised: false, c: None };
        let batch = Compiling::start(name, &texts, &build)
            .expect("the compiler starts")
            .finish()
            .unwrap_or_else(|text| panic!("{}", text.get(..4000).unwrap_or(&text)));
        let cases: Vec<(usize, &Case)> = programs
            .iter()
            .enumerate()
            .flat_map(|(program, cases)| cases.iter().map(move |case| (program, *case)))
            .collect();
        let tasks: Vec<Task> = cases.iter().map(|(program, case)| case.task(*program)).collect();
        let outcomes = batch.run(&tasks);
        for (at, (_, case)) in cases.iter().enumerate() {
            match case.judge(outcomes.get(at)) {
                Ok(in_bits) => tally.rounded += usize::from(!in_bits),
                Err(text) => tally.failures.push(text),
            }
        }
    }
}
