//! Random programs as compiled Rust and C, against the interpreter.
//!
//! Programs are compiled in batches, without the macro, and run at sizes that divide nothing. `RISE_CASES`
//! scales their number and `RISE_SEED` gives other programs; `-- auto` runs one way alone, `-- gcc` one compiler. What fails is made small before it is shown.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::time::Instant;

use rise_build::backend::c::{Isa, Settings};
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::dpia::imperative::translate;
use rise_build::expr::{Kernel, Kind, TABLE, Value, interpret};
use rise_build::loops::{self, passes};
use rise_build::machine::MACHINES;
use rise_build::rewrite::strategy::{Strategy, StrategyKind};
use rise_build::rewrite::{self, lower};
use rise_semantics::compiled::{
    Batch, Build, Compiling, Libraries, Outcome, Task, Text, libraries, supported,
};
use rise_semantics::forms::{other_loops_and_vectors, parallel_reductions};
use rise_semantics::values::{Numbers, arguments, close, same};
use rise_semantics::{Choices, cases, program};

const SIZES: [[i128; 2]; 5] = [[0, 0], [1, 1], [3, 2], [7, 5], [0, 4]];

/// Programs of a crate.
const BATCH: usize = 250;

/// How the choices of a program are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// By `lower`.
    Lower,
    /// By `lower`, and then other forms of loops.
    Forms,
    /// By `auto`.
    Auto,
}

/// Which programs there are.
#[derive(Clone, Copy, Debug)]
struct Plan {
    way: Way,
    /// The only instruction set besides the baseline that is compiled.
    isa: &'static str,
    /// Whether arithmetic is checked for overflow.
    checked: bool,
    /// The compiler of C; without one, the program is compiled to Rust.
    c: Option<&'static str>,
}

/// A program, its compilation and what it must give.
struct Case {
    bytes: Vec<u8>,
    plan: Plan,
    /// As generated, and as compiled.
    kernels: [Kernel; 2],
    exact: bool,
    text: Text,
    runs: Vec<(Task, Value)>,
}

fn main() {
    let mut parts = Parts::default();
    let libraries = parts.time("facade", libraries);
    let seed = rise_semantics::seed();
    let mut numbers = Numbers::new(seed);
    let mut failed = Vec::new();
    let mut covered = BTreeMap::new();
    let (mut total, mut inexact) = (0, 0);
    let only = std::env::args().nth(1).filter(|arg| !arg.starts_with('-'));
    for (way, plans, count) in ways() {
        let compiler = plans[0].c.unwrap_or("rustc");
        if only.as_ref().is_some_and(|only| {
            format!("{way:?}").to_lowercase() != *only && plans.iter().all(|plan| plan.c != Some(only))
        }) {
            continue;
        }
        let count = cases(count) as usize;
        let name = format!("{way:?} for {compiler}: all stages of {count} programs, and the interpreter");
        let jobs = parts.time(&name, || jobs(&mut numbers, &plans, count, &mut covered));
        inexact += jobs.iter().flat_map(|job| &job.cases).filter(|case| !case.exact).count();
        let name = format!("{way:?} for {compiler}: the compiled programs, {} crates", jobs.len());
        parts.time(&name, || run_all(&jobs, &libraries, &mut failed));
        total += count;
    }
    println!("{total} programs of seed {seed}; {inexact} end with a function that rounds as it likes");
    report_coverage(&covered, total);
    if !failed.is_empty() {
        println!("{} programs fail", failed.len());
        for (plan, bytes) in failed.iter().take(4) {
            let smallest = shrink(bytes.clone(), *plan, &libraries);
            println!("{}", describe(&smallest, *plan, &libraries));
        }
        panic!("compiled programs differ from the interpreter");
    }
    println!("test result: ok. {total} programs");
}

/// The ways, the plans that their crates take in turn, and numbers of programs.
fn ways() -> Vec<(Way, Vec<Plan>, u32)> {
    let isas = supported();
    let best = isas[isas.len() - 1];
    let middle = isas[isas.len() / 2];
    let plan = |way, isa, checked| Plan { way, isa, checked, c: None };
    let mut ways = vec![
        (
            Way::Lower,
            vec![
                plan(Way::Lower, "baseline", true),
                plan(Way::Lower, best, false),
                plan(Way::Lower, "baseline", false),
                plan(Way::Lower, middle, true),
            ],
            2000,
        ),
        (Way::Forms, vec![plan(Way::Forms, best, true), plan(Way::Forms, middle, false)], 250),
        (Way::Auto, vec![plan(Way::Auto, best, false), plan(Way::Auto, middle, true)], 250),
    ];
    // Lanes depend on the instruction set, the rest of a kernel in C does not.
    let c = |way, isa, checked, c| Plan { way, isa, checked, c: Some(c) };
    for (compiler, isa, other) in [("gcc", best, middle), ("clang", middle, best)] {
        if !runs(compiler) {
            assert!(std::env::var_os("RISE_TEST_ALL").is_none(), "`{compiler}` is not installed");
            println!("SKIPPED: `{compiler}` is not installed");
            continue;
        }
        ways.push((
            Way::Lower,
            vec![c(Way::Lower, "baseline", true, compiler), c(Way::Lower, isa, false, compiler)],
            250,
        ));
        ways.push((
            Way::Forms,
            vec![c(Way::Forms, isa, true, compiler), c(Way::Forms, other, false, compiler)],
            250,
        ));
        ways.push((Way::Auto, vec![c(Way::Auto, isa, false, compiler)], 250));
    }
    ways
}

fn runs(compiler: &str) -> bool {
    let output = std::process::Command::new(compiler).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

impl Plan {
    /// What the stages compile to. Parallel loops are OpenMP's.
    fn target(&self) -> Target {
        if self.c.is_some() { Target::OpenMp } else { Target::Rust }
    }

    fn isa(&self) -> Isa {
        match self.isa {
            "avx512" => Isa::Avx512,
            "avx2" => Isa::Avx2,
            _ => Isa::Baseline(cfg!(target_arch = "x86_64")),
        }
    }

    fn build<'a>(&self, libraries: &'a Libraries, folder: &'a Path, flags: &'a [&'a str]) -> Build<'a> {
        let c = self.c.map(|compiler| (compiler, flags));
        Build { libraries, folder, isa: self.isa, checked: self.checked, optimised: true, c }
    }

    /// The flags of the C compiler.
    fn flags(&self) -> Vec<&'static str> {
        let openmp = (self.way != Way::Lower).then_some("-fopenmp");
        self.isa().flags().iter().copied().chain(openmp).collect()
    }
}

/// Seconds of each part of the run.
#[derive(Default)]
struct Parts;

impl Parts {
    fn time<T>(&mut self, name: &str, part: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = part();
        println!("{name}: {:.1} s", start.elapsed().as_secs_f64());
        result
    }
}

fn random_choices(numbers: &mut Numbers) -> Vec<u8> {
    let len = 20 + numbers.below(380);
    (0..len).map(|_| numbers.below(256) as u8).collect()
}

impl Case {
    /// Compiles the program; `None` where the forms that were chosen are refused.
    fn new(bytes: Vec<u8>, plan: Plan) -> Option<Self> {
        let program = program(&mut Choices::new(&bytes));
        let kernel = program.kernel;
        let chosen = chosen(&kernel, &bytes, plan);
        let functional = match from_expr(&chosen, plan.target()) {
            Ok(functional) => functional,
            Err(_) if plan.way == Way::Forms => return None,
            Err(wrong) => panic!("{wrong:?}\n{kernel}\n{chosen}"),
        };
        let mut loops = loops::lower(&translate(&functional));
        passes::run(&mut loops, &passes::Options::CPU).ok()?;
        let text = match plan.c {
            None => Text::in_rust(&loops),
            Some(_) => Text::in_c(&loops, &Settings { isa: plan.isa(), openmp: true }),
        };
        let mut case =
            Self { bytes, plan, text, runs: Vec::new(), kernels: [kernel, chosen], exact: program.exact };
        case.runs = SIZES.iter().filter_map(|sizes| case.run(sizes)).collect();
        Some(case)
    }

    /// A task, if the program has a value at these sizes.
    fn run(&self, sizes: &[i128; 2]) -> Option<(Task, Value)> {
        let kernel = &self.kernels[0];
        let args = arguments(kernel, sizes, &mut Numbers::new(7));
        let expected = interpret(kernel, sizes, &args).ok()?;
        let task = Task {
            program: 0,
            sizes: kernel.nats.iter().cloned().zip(sizes.iter().copied()).collect(),
            args: kernel.params.iter().map(|param| param.ty.clone()).zip(args).collect(),
            result: kernel.body.ty().clone(),
        };
        Some((task, expected))
    }

    /// At this position of a batch.
    fn at(mut self, position: usize) -> Self {
        self.text = self.text.at(position);
        self.runs.iter_mut().for_each(|(task, _)| task.program = position);
        self
    }

    fn accepts(&self, expected: &Value, outcome: Option<&Outcome>) -> bool {
        match outcome {
            Some(Outcome::Value(found)) if self.exact && self.plan.way != Way::Auto => same(expected, found),
            Some(Outcome::Value(found)) => close(expected, found),
            _ => false,
        }
    }
}

/// The program after stage 3.
fn chosen(kernel: &Kernel, bytes: &[u8], plan: Plan) -> Kernel {
    let target = plan.target();
    match plan.way {
        Way::Lower => lower(kernel, target),
        Way::Forms => {
            let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
            let mut choices = Choices::new(&bytes);
            let lowered = lower(&parallel_reductions(kernel, &mut choices), target);
            other_loops_and_vectors(&lowered, &mut choices)
        }
        Way::Auto => {
            let machine = &MACHINES[bytes.len() % MACHINES.len()];
            let rewritten = rewrite::run(kernel, &Strategy::new(StrategyKind::Auto), target, machine);
            rewritten.unwrap_or_else(|failure| panic!("{}\n{kernel}", failure.reason)).0
        }
    }
}

/// A batch to be.
struct Job {
    name: String,
    plan: Plan,
    cases: Vec<Case>,
}

/// Batches of new programs.
fn jobs(
    numbers: &mut Numbers,
    plans: &[Plan],
    count: usize,
    covered: &mut BTreeMap<String, usize>,
) -> Vec<Job> {
    let mut jobs: Vec<Job> = Vec::new();
    let (mut number, mut refused) = (0, 0);
    while number < count {
        if number % BATCH == 0 {
            let plan = plans[jobs.len() % plans.len()];
            let name = format!("{:?}-{}{}", plan.way, plan.c.unwrap_or("rustc"), jobs.len());
            jobs.push(Job { name, plan, cases: Vec::new() });
        }
        let Some(job) = jobs.last_mut() else { break };
        match Case::new(random_choices(numbers), job.plan) {
            Some(case) => {
                case.kernels.iter().for_each(|kernel| count_primitives(kernel, covered));
                job.cases.push(case.at(number % BATCH));
                number += 1;
            }
            None => refused += 1,
        }
    }
    assert!(refused <= count, "{refused} programs were refused for {count} that were not");
    jobs
}

type Failed = Vec<(Plan, Vec<u8>)>;

/// Compiles two batches at a time and runs each.
fn run_all(jobs: &[Job], libraries: &Libraries, failed: &mut Failed) {
    let mut waiting: VecDeque<(&Job, Compiling)> = VecDeque::new();
    let mut rest = jobs.iter();
    loop {
        while waiting.len() < 2
            && let Some(job) = rest.next()
        {
            waiting.push_back((job, start(job, libraries)));
        }
        let Some((job, compiling)) = waiting.pop_front() else { return };
        match compiling.finish() {
            Ok(batch) => {
                failed.extend(wrong(&batch, &job.cases).iter().map(|case| (job.plan, case.bytes.clone())))
            }
            Err(messages) => {
                panic!("{} does not compile:\n{}", job.name, messages.get(..4000).unwrap_or(&messages))
            }
        }
    }
}

fn start(job: &Job, libraries: &Libraries) -> Compiling {
    let texts: Vec<Text> = job.cases.iter().map(|case| case.text.clone()).collect();
    let (folder, flags) = (folder(), job.plan.flags());
    let build = job.plan.build(libraries, &folder, &flags);
    Compiling::start(&job.name, &texts, &build).unwrap_or_else(|error| panic!("{}: {error}", job.name))
}

/// The cases that do not give what they must.
fn wrong<'c>(batch: &Batch, cases: &'c [Case]) -> Vec<&'c Case> {
    let owned = |task: &Task| Task {
        program: task.program,
        sizes: task.sizes.clone(),
        args: task.args.clone(),
        result: task.result.clone(),
    };
    let tasks: Vec<Task> =
        cases.iter().flat_map(|case| case.runs.iter().map(|(task, _)| owned(task))).collect();
    let mut outcomes = batch.run(&tasks).into_iter();
    let mut wrong = Vec::new();
    for case in cases {
        let fine = case.runs.iter().map(|(_, expected)| case.accepts(expected, outcomes.next().as_ref()));
        if fine.filter(|fine| !fine).count() > 0 {
            wrong.push(case);
        }
    }
    wrong
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("targets")
}

/// Fewer and smaller choices that still fail, a whole round in one crate.
fn shrink(mut bytes: Vec<u8>, plan: Plan, libraries: &Libraries) -> Vec<u8> {
    for round in 0..12 {
        let cases: Vec<Case> = simpler(&bytes)
            .into_iter()
            .filter_map(|bytes| Case::new(bytes, plan))
            .enumerate()
            .map(|(at, case)| case.at(at))
            .collect();
        let texts: Vec<Text> = cases.iter().map(|case| case.text.clone()).collect();
        let (folder, flags) = (folder(), plan.flags());
        let build = Build { checked: true, ..plan.build(libraries, &folder, &flags) };
        let Ok(batch) = Batch::compile(&format!("shrink{round}"), &texts, &build) else { break };
        let weight = |bytes: &[u8]| (program(&mut Choices::new(bytes)).kernel.to_string().len(), bytes.len());
        let best = wrong(&batch, &cases).into_iter().min_by_key(|case| weight(&case.bytes));
        match best {
            Some(case) if weight(&case.bytes) < weight(&bytes) => bytes.clone_from(&case.bytes),
            _ => break,
        }
    }
    bytes
}

fn simpler(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for shift in 1..6 {
        all.push(bytes[..bytes.len() - (bytes.len() >> shift)].to_vec());
    }
    let step = (bytes.len() / 40).max(1);
    for at in (0..bytes.len()).step_by(step) {
        for len in [1, 2, 4, 16] {
            let end = (at + len).min(bytes.len());
            all.push([&bytes[..at], &bytes[end..]].concat());
        }
        let mut zeroed = bytes.to_vec();
        zeroed[at] = 0;
        all.push(zeroed);
    }
    all
}

/// The program, its text and what it gives.
fn describe(bytes: &[u8], plan: Plan, libraries: &Libraries) -> String {
    let Some(case) = Case::new(bytes.to_vec(), plan) else { return "refused".into() };
    let (folder, flags) = (folder(), plan.flags());
    let build = Build { checked: true, ..plan.build(libraries, &folder, &flags) };
    let [kernel, chosen] = &case.kernels;
    let mut text = format!(
        "{plan:?}, from the choices {bytes:?}:\n{kernel}\n{chosen}\n{}\n{}\n",
        case.text.rust, case.text.c
    );
    let Ok(batch) = Batch::compile("describe", std::slice::from_ref(&case.text), &build) else {
        return text + "does not compile";
    };
    for (task, expected) in case.runs {
        let outcome = batch.run(std::slice::from_ref(&task));
        if !matches!(&outcome[..], [Outcome::Value(found)] if same(&expected, found)) {
            text.push_str(&format!(
                "sizes {:?}\nargs {:?}\nexpected {expected:?}\nfound    {outcome:?}\n",
                task.sizes, task.args
            ));
            break;
        }
    }
    text
}

fn count_primitives(kernel: &Kernel, covered: &mut BTreeMap<String, usize>) {
    kernel.body.visit(&mut |expr| {
        if let Kind::Prim(primitive, _) = expr.kind() {
            let name = primitive.to_string();
            let name = name.split('(').next().unwrap_or_default();
            *covered.entry(name.to_owned()).or_default() += 1;
        }
    });
}

/// Primitives that the Rust target does not have.
const OF_DEVICES: [&str; 3] = ["mapGlobal", "mapWorkGroup", "mapLocal"];

/// How often each primitive occurred, and which never did.
fn report_coverage(covered: &BTreeMap<String, usize>, count: usize) {
    let list: Vec<String> = covered.iter().map(|(name, count)| format!("{name} {count}")).collect();
    println!("primitives: {}", list.join(", "));
    let missing: Vec<&str> = TABLE
        .iter()
        .map(|row| row.names[0])
        .filter(|name| !covered.contains_key(*name) && !OF_DEVICES.contains(name))
        .collect();
    println!("primitives that never occurred: {missing:?}");
    assert!(missing.is_empty() || count < 2000, "every primitive of CPUs occurs");
}
