//! Stages 1 to 6 of one kernel. The first three are done where they are begun, since they read tokens; the others, for
//! each machine, [elsewhere](threads) while the next kernel is begun.

use std::thread::Scope;

use crate::backend::{counts, wrapper};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dpia::functional::{self, Target};
use crate::dpia::imperative;
use crate::expr;
use crate::loops::{self, ByMachine, WorkSizes, passes};
use crate::machine::{Asked, MACHINES, Machine};
use crate::names::Numbers;
use crate::nat::Nat;
use crate::syntax::ast;
use crate::threads::{self, Begun};
use crate::{rewrite, types};

use super::job::{self, Job, Program};
use super::{Dump, Options, dump, work};

/// How deep terms may nest after stage 3, so that all stages behind it fit the stack.
const DEEPEST: usize = 600;

/// The stages that all targets share.
pub struct Stages<'scope> {
    job: &'scope Job<'scope>,
    /// The texts of the first two.
    dump: Dump,
    /// One for each machine, where these make a difference.
    versions: Vec<Version<'scope>>,
    /// Whether these are all.
    all: Result<(), Diagnostics>,
}

/// Stage 3 for a machine, and what becomes of it.
struct Version<'scope> {
    machine: &'static Machine,
    signature: wrapper::Signature,
    dump: Dump,
    lowered: Begun<'scope, Lowered>,
}

/// Stages 4 to 6.
struct Lowered {
    dump: Dump,
    loops: Result<loops::Kernel, Diagnostics>,
    /// How often loops run.
    counts: Vec<Nat>,
    /// The names in it are before these.
    numbers: Numbers,
}

impl<'scope> Stages<'scope> {
    /// Begins with a kernel.
    pub fn begin(
        program: &Program,
        job: &'scope Job<'scope>,
        options: &Options,
        scope: &'scope Scope<'scope, '_>,
    ) -> Self {
        let mut stages =
            Self { job, dump: Dump::new(&job.name, options.dump), versions: Vec::new(), all: Ok(()) };
        stages.all = stages.rewrite(program, options.check, scope);
        stages
    }

    fn rewrite(
        &mut self,
        program: &Program,
        check: bool,
        scope: &'scope Scope<'scope, '_>,
    ) -> Result<(), Diagnostics> {
        let job = self.job;
        self.dump.add("1-parsed.rise", || ast::Item::Kernel(job.item.clone()).to_string());
        let typed = types::infer_kernel(&program.module, job.item)?;
        self.dump.add("2-typed.rise", || typed.to_string());
        self.dump.add("obligations.txt", || dump::obligations(&typed));
        let work = work::sizes(job, program, &typed.nats)?;
        let mut asked = Asked::default();
        for (number, machine) in MACHINES.iter().enumerate() {
            if self.versions.last().is_some_and(|last| asked.is_same(last.machine, machine)) {
                continue;
            }
            let mut dump = self.dump.for_machine(number);
            let (rewritten, also) = rewritten(program, job, &typed, machine, &mut dump)?;
            asked = asked.and(also);
            let mut signature = job.signature(program, wrapper::Signature::of(&rewritten));
            signature.clears = job::leaves_gaps(&rewritten.body);
            let (texts, work, typed) = (dump.for_machine(number), work.clone(), typed.clone());
            let lowered = threads::begin(scope, move || {
                let mut dump = texts.for_machine(number);
                let loops = lower(job, check, &typed, &rewritten, work.clone(), &mut dump);
                let counts = loops.as_ref().map_or_else(|_| Vec::new(), counts);
                Lowered { dump, loops, counts, numbers: Numbers::given() }
            });
            self.versions.push(Version { machine, signature, dump, lowered });
            if job.target == Target::OpenCl {
                break;
            }
        }
        Ok(())
    }

    /// What callers see, and the loops for each machine. The numbers of names go on after all of them.
    pub fn finish(self, dump: &mut Dump) -> Result<(wrapper::Signature, ByMachine), Diagnostics> {
        let job = self.job;
        dump.files.extend(self.dump.files);
        let mut all: Option<(wrapper::Signature, ByMachine)> = None;
        let mut numbers = Numbers::given();
        for Version { machine, mut signature, dump: rewritten, lowered } in self.versions {
            let lowered = lowered.finish();
            numbers = numbers.after(lowered.numbers);
            dump.files.extend(rewritten.files.into_iter().chain(lowered.dump.files));
            let loops = lowered.loops?;
            signature.counts = lowered.counts;
            signature.past = job.target == Target::Rust && loops.asks_for_past();
            match &mut all {
                Some((first, versions)) => {
                    first.also(signature);
                    versions.push(machine, loops);
                }
                None => all = Some((signature, ByMachine::new(machine, loops))),
            }
        }
        numbers.go_on();
        self.all?;
        all.ok_or_else(|| Diagnostic::bug(job.origin, "there is no machine to compile for").into())
    }
}

/// Stage 3 for a machine, and what was asked of it.
fn rewritten(
    program: &Program,
    job: &Job,
    typed: &expr::Kernel,
    machine: &'static Machine,
    dump: &mut Dump,
) -> Result<(expr::Kernel, Asked), Diagnostics> {
    let (rewritten, trace) = rewrite::apply(typed, job.strategy, &program.module, job.target, machine)?;
    if rewritten.body.is_deeper_than(DEEPEST) {
        let origin = job.strategy.map_or(job.origin, |strategy| strategy.origin);
        let message = format!("the strategy nests terms more than {DEEPEST} levels deep");
        return Err(Diagnostic::limitation(origin, message).help("make several kernels of it").into());
    }
    dump.add("3-steps.rise", || dump::steps(&trace));
    dump.add("3-rewritten.rise", || rewritten.to_string());
    Ok((rewritten, trace.asked))
}

/// Stages 4 to 6.
fn lower(
    job: &Job,
    check: bool,
    typed: &expr::Kernel,
    rewritten: &expr::Kernel,
    work: WorkSizes,
    dump: &mut Dump,
) -> Result<loops::Kernel, Diagnostics> {
    let checked = |stage: &str, wrong: &dyn Fn() -> Vec<String>| match check {
        true => no_bugs(job, stage, wrong()),
        false => Ok(()),
    };
    let functional = functional::from_expr(rewritten, job.target).map_err(|wrong| {
        // What is wrong without any strategy is told in the names of the program.
        let plain = functional::from_expr(&rewrite::lower(typed, job.target), job.target);
        job.told(plain.err().unwrap_or(wrong))
    })?;
    dump.add("4-functional.dpia", || functional.to_string());
    checked("functional DPIA", &|| functional::check(&functional))?;
    let imperative = imperative::translate(&functional);
    dump.add("5-imperative.dpia", || imperative.to_string());
    checked("imperative DPIA", &|| imperative::check(&imperative))?;
    let mut loops = loops::lower(&imperative);
    loops.work = work;
    dump.add("6-loops-plain.txt", || loops.to_string());
    checked("loops", &|| loops::check(&loops).wrong)?;
    for pass in passes::PASSES {
        improve(&mut loops, pass, job)?;
        checked(pass.name, &|| loops::check(&loops).wrong)?;
    }
    dump.add("6-loops.txt", || loops.to_string());
    if loops::walk::overflows(&loops.body) || loops.buffers.iter().any(|buffer| buffer.len.is_overflow()) {
        let origin = job.strategy.map_or(job.origin, |strategy| strategy.origin);
        let message = "some index or size that is computed with this is 2^63 or more";
        return Err(Diagnostic::limitation(origin, message).help("take smaller sizes").into());
    }
    Ok(loops)
}

/// One pass of stage 6.
fn improve(loops: &mut loops::Kernel, pass: &passes::Pass, job: &Job) -> Result<(), Diagnostics> {
    let options = match job.target {
        Target::OpenCl => passes::Options::DEVICE,
        Target::C | Target::OpenMp => passes::Options::C,
        Target::Rust => passes::Options::CPU,
    };
    (pass.run)(loops, &options).map_err(|large| {
        let origin = job.strategy.map_or(job.origin, |strategy| strategy.origin);
        Diagnostic::limitation(origin, large.to_string()).help("unroll or vectorise less").into()
    })
}

/// What the checker of a stage found is a bug of this compiler.
fn no_bugs(job: &Job, stage: &str, wrong: Vec<String>) -> Result<(), Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    for wrong in wrong {
        diagnostics.push(Diagnostic::bug(job.origin, format!("{stage}: {wrong}")));
    }
    diagnostics.or(())
}
