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

/// Programs of each rule.
const PROGRAMS: u32 = 4;

/// Programs of a crate.
const BATCH: usize = 250;

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

/// So many programs of a left side; refusals of later stages are told.
fn programs(left: &Left, wanted: u32, refused: &mut BTreeMap<&str, String>) -> Vec<Case> {
    let mut found = Vec::new();
    // Other seeds than those of the interpreter's test.
    for seed in 1000..1000 + u64::from(wanted) * 8 {
        if found.len() == wanted as usize {
            break;
        }
        let Ok(Some(trial)) = attempt(left, &mut Numbers::new(seed)) else { continue };
        match case(left.row.name, trial) {
            Ok(case) => found.push(case),
            Err(why) => drop(refused.insert(left.row.name, why)),
        }
    }
    found
}

#[test]
fn what_rules_make_of_programs_compiles_and_gives_the_same() {
    let _session = Session::start();
    let wanted = cases(PROGRAMS);
    let sides: Vec<Left> = left_sides().into_iter().filter(|left| !left.miss).collect();
    let mut refused = BTreeMap::new();
    let mut all = Vec::new();
    for left in &sides {
        let same = sides.iter().filter(|other| other.row.name == left.row.name).count() as u32;
        all.extend(programs(left, wanted.div_ceil(same), &mut refused));
    }
    let missing: Vec<String> = rows()
        .map(|row| row.name)
        .filter(|name| !OF_DEVICES.contains(name) && all.iter().all(|case| case.rule != *name))
        .map(|name| format!("{name}: {}", refused.get(name).map_or("no program", String::as_str)))
        .collect();
    assert!(missing.is_empty(), "not compiled:\n{}", missing.join("\n"));
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

/// Compiles and runs all programs, two crates at a time.
fn run(all: &[Case], libraries: &Libraries) -> Vec<Result<bool, String>> {
    let isas = supported();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("catalogue");
    let mut results = Vec::new();
    for (pair, cases) in all.chunks(2 * BATCH).enumerate() {
        let start = |(at, cases): (usize, &[Case])| {
            let texts: Vec<Text> =
                cases.iter().enumerate().map(|(position, case)| case.text.at(position)).collect();
            let isa = [isas[isas.len() - 1], isas[0]][at];
            let build = Build { libraries, folder: &folder, isa, checked: at == 0, c: None };
            Compiling::start(&format!("rules{}", 2 * pair + at), &texts, &build).expect("the compiler starts")
        };
        let compiling: Vec<Compiling> = cases.chunks(BATCH).enumerate().map(start).collect();
        for (cases, compiling) in cases.chunks(BATCH).zip(compiling) {
            let batch =
                compiling.finish().unwrap_or_else(|text| panic!("{}", text.get(..4000).unwrap_or(&text)));
            let tasks: Vec<Task> = cases.iter().enumerate().map(|(at, case)| case.task(at)).collect();
            let outcomes = batch.run(&tasks);
            results.extend(cases.iter().enumerate().map(|(at, case)| case.judge(outcomes.get(at))));
        }
    }
    results
}
