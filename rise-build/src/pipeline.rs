//! The compiler on one page.
//!
//! In: the tokens of a `rise!` block. Out: the tokens of its functions, or messages beside declarations that
//! let callers type-check; and, if asked for, the text of every stage. Files are read through [`Options::load`]
//! and written by the caller: nothing here touches the machine.

mod dump;
mod job;
mod labels;
mod paths;
mod rules;
mod stages;
#[cfg(test)]
mod tests;
mod work;

use std::thread;

use proc_macro2::TokenStream;

use crate::backend::{c, opencl, rust, wrapper};
use crate::diagnostics::{Diagnostic, Diagnostics, Session, to_text, to_tokens};
use crate::dpia::functional::Target;
use crate::loops::ByMachine;
use crate::syntax::{self, ast};
use crate::{mappings, rewrite, types};

pub use self::dump::Dump;
use self::job::{Job, Program};
pub use self::rules::tests as rule_tests;
use self::stages::Stages;

/// What the caller wishes.
pub struct Options<'a> {
    /// Check every stage's result; costs time.
    pub check: bool,
    /// Keep the text of every stage.
    pub dump: bool,
    /// The text of a file that `use "path";` names.
    pub load: &'a dyn Fn(&str) -> Result<String, String>,
    /// The tokens of generated text, `None` where it is no Rust.
    pub lex: &'a dyn Fn(&str) -> Option<TokenStream>,
}

impl<'a> Options<'a> {
    /// No checks, no texts of stages, and tokens as [`proc_macro2`] makes them.
    pub fn new(load: &'a dyn Fn(&str) -> Result<String, String>) -> Self {
        Self { check: false, dump: false, load, lex: &|text| text.parse().ok() }
    }
}

/// What became of a block.
#[derive(Default)]
pub struct Output {
    /// Items.
    pub tokens: TokenStream,
    /// The stages of every kernel, if asked for.
    pub dumps: Vec<Dump>,
    /// Whether something was wrong; the tokens tell what.
    pub failed: bool,
}

/// Compiles the items of a `rise!` block.
pub fn compile(tokens: TokenStream, options: &Options) -> Output {
    let _session = Session::start();
    let (program, mut diagnostics) = read(tokens.clone(), options.load);
    if diagnostics.is_empty() {
        diagnostics.append(program.nothing_exported());
    }
    let mut output = items(&program, tokens, options, &mut diagnostics);
    output.tokens.extend(to_tokens(&diagnostics));
    output
}

/// The stages of all kernels of a block, and as text what is wrong with them, for the file that it stands in.
pub fn explain(tokens: TokenStream, options: &Options, path: &str, source: &str) -> (Vec<Dump>, String) {
    let _session = Session::start();
    let (program, mut diagnostics) = read(tokens.clone(), options.load);
    let output = items(&program, tokens, options, &mut diagnostics);
    (output.dumps, to_text(&diagnostics, path, source))
}

/// The items of a block and of the files that it uses, and what of them cannot be read.
fn read(tokens: TokenStream, load: &dyn Fn(&str) -> Result<String, String>) -> (Program, Diagnostics) {
    let (module, mut diagnostics) = syntax::parse(tokens);
    let program = Program::new(module, load, &mut diagnostics);
    (program, diagnostics)
}

fn items(program: &Program, tokens: TokenStream, options: &Options, diagnostics: &mut Diagnostics) -> Output {
    let mut output = Output { tokens: program.tracking(), ..Output::default() };
    diagnostics.append(types::check_foreign(&program.module));
    output.tokens.extend(rules::check(program, tokens.clone(), diagnostics));
    let jobs = program.jobs(diagnostics);
    thread::scope(|scope| {
        let begun: Vec<_> = jobs.iter().map(|job| Stages::begin(program, job, options, scope)).collect();
        for (job, stages) in jobs.iter().zip(begun) {
            let mut dump = Dump::new(&job.name, options.dump);
            match kernel(program, job, stages, options, &mut dump) {
                Ok(tokens) => output.tokens.extend(tokens),
                Err(wrong) => {
                    // What only a strategy made stands nowhere in the program.
                    diagnostics
                        .append(wrong.placed(job.strategy.map_or(job.origin, |strategy| strategy.origin)));
                    output.tokens.extend(declaration(program, job));
                }
            }
            output.dumps.extend(options.dump.then_some(dump));
        }
    });
    diagnostics.append(rewrite::check(&program.module));
    output.failed = !diagnostics.is_empty();
    if !output.failed {
        // Where something is wrong a label may be unused for that reason.
        output.tokens.extend(labels::unused(&tokens, &program.module));
    }
    output
}

/// What becomes of a kernel behind stage 6.
fn kernel(
    program: &Program,
    job: &Job,
    stages: Stages,
    options: &Options,
    dump: &mut Dump,
) -> Result<TokenStream, Diagnostics> {
    let (signature, loops) = stages.finish(dump)?;
    let runner = match job.target {
        Target::Rust => rust::emit(&loops, &signature.runner(), &program.facade),
        Target::C | Target::OpenMp => {
            dump.add("7-kernel.c", || kernel_in_c(&loops, job, program));
            c::runner(&signature, &job.symbol(program))
        }
        Target::OpenCl => {
            let emitted = opencl::emit(loops.best(), &signature).map_err(|limit| {
                let origin = job.strategy.map_or(job.origin, |strategy| strategy.origin);
                Diagnostic::limitation(origin, limit)
            })?;
            dump.add("7-kernel.cl", || emitted.program.clone());
            emitted.runner
        }
    };
    dump.add("7-kernel.rs", || runner.clone());
    let wrong = |text| Diagnostic::bug(job.origin, format!("the generated text is no Rust:\n{text}"));
    let mut tokens = wrapper::emit(&signature, &job.notes(loops.best()), options.lex).map_err(wrong)?;
    let runner = (options.lex)(&runner).ok_or_else(|| wrong(runner))?;
    tokens.extend(paths::placed(runner, &program.module));
    if job.target == Target::OpenCl {
        tokens.extend(wrapper::on_device(&signature, options.lex).map_err(wrong)?);
    }
    tokens.extend(job.handshake(program));
    Ok(tokens)
}

/// The text in C, for readers.
fn kernel_in_c(loops: &ByMachine, job: &Job, program: &Program) -> String {
    let settings = c::Settings { isa: c::Isa::Avx2, openmp: job.target == Target::OpenMp };
    c::emit(loops.on(settings.isa.name()), job.symbol(program).text(), &settings)
}

/// A kernel that a build script compiles.
pub struct Unit {
    /// The name of the Rust function.
    pub name: String,
    /// C or OpenMP.
    pub target: Target,
    /// What the function is called in C.
    pub symbol: c::Symbol,
    /// The loops.
    pub loops: ByMachine,
}

/// The valid mappings of a block's kernel to a device, the cheapest first; none where the block has no such kernel.
pub fn mappings(
    tokens: TokenStream,
    load: &dyn Fn(&str) -> Result<String, String>,
    name: &str,
) -> Option<Result<String, String>> {
    let _session = Session::start();
    let (program, _) = read(tokens, load);
    let item = program.module.items.iter().find_map(|item| match item {
        ast::Item::Kernel(kernel) if kernel.name.as_str() == name => Some(kernel),
        _ => None,
    })?;
    let kernel = types::infer_kernel(&program.module, item);
    let message = |wrong: Diagnostics| wrong.iter().map(Diagnostic::headline).collect::<Vec<_>>();
    Some(kernel.map(|kernel| mappings::listed(&kernel)).map_err(|wrong| message(wrong).join("\n")))
}

/// What a `rise!` block holds for the build script.
pub struct Units {
    /// The kernels that the macro leaves to it.
    pub compiled: Vec<Unit>,
    /// Names and texts of kernels in OpenCL C, which it may check.
    pub programs: Vec<(String, String)>,
    /// The files that the block uses.
    pub files: Vec<String>,
}

/// What the build script wants of a `rise!` block.
///
/// Where something is wrong with the block the macro says so; what can be compiled nevertheless is returned.
pub fn units(tokens: TokenStream, load: &dyn Fn(&str) -> Result<String, String>) -> Units {
    let _session = Session::start();
    let (program, mut diagnostics) = read(tokens, load);
    let options = Options::new(load);
    let jobs = program.jobs(&mut diagnostics);
    let (mut compiled, mut programs) = (Vec::new(), Vec::new());
    thread::scope(|scope| {
        let wanted = jobs.iter().filter(|job| job.target != Target::Rust);
        let begun = wanted.map(|job| (job, Stages::begin(&program, job, &options, scope)));
        for (job, stages) in begun.collect::<Vec<_>>() {
            let name = job.name.clone();
            let Ok((_, loops)) = stages.finish(&mut Dump::new(&name, false)) else { continue };
            match job.target {
                Target::OpenCl => {
                    programs.extend(opencl::plan(loops.best()).map(|plan| (name, plan.program)));
                }
                target => compiled.push(Unit { name, target, symbol: job.symbol(&program), loops }),
            }
        }
    });
    Units { compiled, programs, files: program.files().map(str::to_owned).collect() }
}

/// The functions of a kernel that is wrong: as declared, without bodies.
fn declaration(program: &Program, job: &Job) -> TokenStream {
    let signature = wrapper::from_syntax(job.item);
    signature.map(|signature| wrapper::failed(&job.signature(program, signature))).unwrap_or_default()
}
