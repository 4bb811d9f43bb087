//! Many programs in one crate.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rise_build::expr::Value;
use rise_build::nat::NatVar;
use rise_build::types::DataType;

use super::cargo::Libraries;
use super::text::{Text, one_file};
use super::wire::{self, components};

/// How a batch is compiled.
pub struct Build<'a> {
    /// What it is linked with.
    pub libraries: &'a Libraries,
    /// Where files go.
    pub folder: &'a Path,
    /// The only instruction set besides the baseline that is compiled.
    pub isa: &'a str,
    /// Whether arithmetic is checked for overflow; in C, by the sanitizer of undefined behaviour.
    pub checked: bool,
    /// Whether the compiler of Rust optimises, which takes it ten times as long.
    pub optimised: bool,
    /// The compiler of kernels in C, and what it is told.
    pub c: Option<(&'a str, &'a [&'a str])>,
}

/// The instruction sets of this machine, the best one last.
pub fn supported() -> Vec<&'static str> {
    let mut isas = vec!["baseline"];
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            isas.push("avx2");
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            isas.push("avx512");
        }
    }
    isas
}

/// A compiled batch.
pub struct Batch {
    program: PathBuf,
    isa: String,
}

/// A batch whose compiler is running.
pub struct Compiling {
    batch: Batch,
    child: Child,
    messages: PathBuf,
}

impl Compiling {
    /// Starts the compiler.
    ///
    /// # Errors
    /// Where files cannot be written or the compiler does not start.
    pub fn start(name: &str, texts: &[Text], build: &Build<'_>) -> Result<Self, String> {
        let start = || -> std::io::Result<Self> {
            fs::create_dir_all(build.folder)?;
            let program = build.folder.join(name);
            let [source, messages] = ["rs", "log"].map(|extension| program.with_extension(extension));
            fs::write(&source, crate_text(texts, build.isa))?;
            let mut command = rustc(build);
            if let Some(c) = build.c {
                command.args(link_args(c, &compile_c(&program, texts, c, build.checked)?));
            }
            command.arg("-o").arg(&program).arg(&source).stderr(File::create(&messages)?);
            let child = command.spawn()?;
            Ok(Self { batch: Batch { program, isa: build.isa.to_owned() }, child, messages })
        };
        start().map_err(|error| error.to_string())
    }

    /// Waits for it.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn finish(mut self) -> Result<Batch, String> {
        match self.child.wait() {
            Ok(status) if status.success() => Ok(self.batch),
            Ok(_) => Err(fs::read_to_string(&self.messages).unwrap_or_default()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The kernels as an object.
fn compile_c(
    program: &Path,
    texts: &[Text],
    (compiler, flags): (&str, &[&str]),
    checked: bool,
) -> std::io::Result<PathBuf> {
    let [source, object] = ["c", "o"].map(|extension| program.with_extension(extension));
    fs::write(&source, one_file(texts.iter()))?;
    let mut command = Command::new(compiler);
    command.args([
        "-std=c99",
        "-O1",
        "-w",
        "-fwrapv",
        "-ffp-contract=off",
        "-fno-math-errno",
        "-fno-trapping-math",
    ]);
    if checked {
        command.args(["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"]);
    }
    let output = command.args(flags).arg("-c").arg(&source).arg("-o").arg(&object).output()?;
    match output.status.success() {
        true => Ok(object),
        false => Err(std::io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

/// What links the object, and the OpenMP of the compiler where that is used.
fn link_args((compiler, flags): (&str, &[&str]), object: &Path) -> Vec<String> {
    let mut args = vec![format!("-Clink-arg={}", object.display()), "-Clink-arg=-lm".into()];
    if flags.contains(&"-fopenmp") {
        let library = if compiler.contains("clang") { "libomp.so.5" } else { "libgomp.so" };
        let found = Command::new(compiler).arg(format!("-print-file-name={library}")).output();
        let file =
            found.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned()).unwrap_or_default();
        args.push(format!("-Clink-arg={file}"));
    }
    args
}

fn rustc(build: &Build<'_>) -> Command {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition=2024", "--crate-type=bin", "--crate-name=batch", "-Cdebuginfo=0"]);
    command.arg(if build.optimised { "-Copt-level=1" } else { "-Copt-level=0" });
    command.args(["-Ccodegen-units=8", "--cap-lints=allow"]);
    command.arg(if build.checked { "-Cdebug-assertions=on" } else { "-Cdebug-assertions=off" });
    command.arg("--extern").arg(format!("rise={}", build.libraries.facade.display()));
    command.arg("-L").arg(format!("dependency={}", build.libraries.dependencies.display()));
    command
}

/// One run of a program.
pub struct Task {
    /// Its position in the batch.
    pub program: usize,
    /// Sizes in order.
    pub sizes: Vec<(NatVar, i128)>,
    /// Types and values of the arguments.
    pub args: Vec<(DataType, Value)>,
    /// The type of the result.
    pub result: DataType,
}

/// What became of a task.
#[derive(Debug)]
pub enum Outcome {
    /// The result.
    Value(Value),
    /// The kernel's error, or what it did to memory.
    Error(String),
    /// The process ended.
    Crash(String),
}

/// A batch takes no longer.
const LIMIT: Duration = Duration::from_secs(60);

impl Batch {
    /// Compiles programs.
    ///
    /// # Errors
    /// The compiler's messages.
    pub fn compile(name: &str, texts: &[Text], build: &Build<'_>) -> Result<Self, String> {
        Compiling::start(name, texts, build)?.finish()
    }

    /// Runs tasks in order, in a new process after each crash.
    pub fn run(&self, tasks: &[Task]) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        while outcomes.len() < tasks.len() {
            let rest = &tasks[outcomes.len()..];
            let (answers, end) = self.process(rest);
            let complete = answers.len() == rest.len();
            outcomes.extend(answers);
            if !complete {
                outcomes.push(Outcome::Crash(end));
            }
        }
        outcomes
    }

    /// The outcomes of one process, and how it ended.
    fn process(&self, tasks: &[Task]) -> (Vec<Outcome>, String) {
        let [input, output, errors] =
            ["in", "out", "err"].map(|extension| self.program.with_extension(extension));
        let bytes: Vec<u8> = tasks.iter().flat_map(Task::bytes).collect();
        fs::write(&input, bytes).expect("tasks can be written");
        let open = |path: &Path| File::create(path).expect("files can be made");
        let mut child = Command::new(&self.program)
            .env("RISE_ISA", &self.isa)
            .stdin(File::open(&input).expect("tasks can be read"))
            .stdout(open(&output))
            .stderr(Stdio::from(open(&errors)))
            .spawn()
            .expect("the batch starts");
        let start = Instant::now();
        let end = loop {
            match child.try_wait().expect("the batch can be waited for") {
                Some(status) => break format!("{status}"),
                None if start.elapsed() > LIMIT => {
                    child.kill().expect("the batch can be ended");
                    child.wait().expect("the batch can be waited for");
                    break "no end in sight".into();
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let (answers, errors) =
            (fs::read(&output).unwrap_or_default(), fs::read(&errors).unwrap_or_default());
        (outcomes(tasks, &answers), format!("{end}: {}", String::from_utf8_lossy(&errors)))
    }
}

fn outcomes(tasks: &[Task], mut bytes: &[u8]) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for task in tasks {
        let Some((state, rest)) = bytes.split_first() else { break };
        let Some((len, rest)) = rest.split_first_chunk::<8>() else { break };
        let Some((mut answer, rest)) = rest.split_at_checked(u64::from_le_bytes(*len) as usize) else {
            break;
        };
        bytes = rest;
        outcomes.push(match state {
            0 => Outcome::Value(wire::result(&task.result, &task.sizes, &mut answer)),
            _ => Outcome::Error(String::from_utf8_lossy(answer).into_owned()),
        });
    }
    outcomes
}

impl Task {
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.sizes.iter().for_each(|(_, size)| wire::natural(*size as u64, &mut out));
        self.args.iter().for_each(|(ty, value)| wire::argument(value, ty, &mut out));
        for ty in components(&self.result) {
            wire::natural(wire::elements(&ty, &self.sizes), &mut out);
        }
        let mut framed = Vec::new();
        wire::natural(self.program as u64, &mut framed);
        wire::natural(out.len() as u64, &mut framed);
        framed.extend(out);
        framed
    }
}

/// The crate; instances for other instruction sets than the wanted one are left out to save time.
fn crate_text(texts: &[Text], isa: &str) -> String {
    const X86: &str = "#[cfg(target_arch = \"x86_64\")]";
    let mut text = String::from(include_str!("harness.rs"));
    for Text { rust, .. } in texts {
        // The best instruction set may be served by the next one.
        let wanted = if isa == "avx512" && rust.contains("Level::Avx512 |") { "avx2" } else { isa };
        let mut lines = rust.lines().peekable();
        while let Some(line) = lines.next() {
            let next = lines.peek().copied().unwrap_or_default().to_lowercase();
            let called = next.rsplit("=>").next().unwrap_or_default();
            let other = ["avx512", "avx2"].into_iter().find(|name| called.contains(name));
            let left_out = line.trim() == X86 && other.is_some_and(|other| other != wanted);
            text.push_str(if left_out { "#[cfg(any())]" } else { line });
            text.push('\n');
        }
    }
    text.push_str("fn call(program: usize, io: &mut Io) -> Result<(), String> {\n    match program {\n");
    for position in 0..texts.len() {
        text.push_str(&format!("        {position} => call_{position}(io),\n"));
    }
    text.push_str(
        "        _ => Err(\"no such program\".into()),\n    }\n}\n\nfn main() {\n    serve(call);\n}\n",
    );
    text
}
