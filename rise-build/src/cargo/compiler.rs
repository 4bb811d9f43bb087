//! The C compiler of the machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::backend::c::Isa;

/// A compiler that is installed.
pub struct Compiler {
    tool: cc::Tool,
}

/// How OpenMP is reached.
pub struct OpenMp {
    /// The library of its runtime.
    pub library: &'static str,
    /// Where that lies, if the linker might not know.
    pub folder: Option<PathBuf>,
}

impl Compiler {
    /// The compiler that `CC` or the target name; the error says what was tried.
    pub fn find() -> Result<Self, String> {
        let mut build = cc::Build::new();
        build.cargo_metadata(false).cargo_warnings(false).opt_level(3).warnings(false);
        let tool = build.try_get_compiler().map_err(|error| error.to_string())?;
        let compiler = Self { tool };
        let path = compiler.tool.path();
        match compiler.command().arg(if compiler.is_msvc() { "/?" } else { "--version" }).output() {
            Ok(_) => Ok(compiler),
            Err(error) => Err(format!("`{}`: {error}", path.display())),
        }
    }

    /// Its path and all arguments, and nothing else of the environment; what was compiled otherwise is compiled again.
    pub fn identity(&self) -> String {
        let command = self.tool.to_command();
        format!("{} {:?}", command.get_program().display(), command.get_args().collect::<Vec<_>>())
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        self.tool.path().display().to_string()
    }

    fn command(&self) -> Command {
        let mut command = self.tool.to_command();
        command.env("LC_ALL", "C");
        command
    }

    fn is_msvc(&self) -> bool {
        self.tool.is_like_msvc()
    }

    /// Whether the profile asks for debug information, in the manner of gcc.
    fn has_debug_information(&self) -> bool {
        !self.is_msvc()
            && self.tool.args().iter().any(|argument| argument.to_string_lossy().starts_with("-g"))
    }

    /// The instruction sets that this compiler makes for the target, the least first.
    pub fn isas(&self) -> Vec<Isa> {
        let x86 = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
        match (self.is_msvc(), x86) {
            (true, _) => vec![Isa::Plain],
            (false, true) => vec![Isa::Baseline(true), Isa::Avx2, Isa::Avx512],
            (false, false) => vec![Isa::Baseline(false)],
        }
    }

    /// What every file for an instruction set is compiled with: nothing that changes the bits of a result.
    pub fn arguments(&self, isa: Isa, flags: &[String]) -> Vec<String> {
        let mut arguments = match self.is_msvc() {
            true => vec!["/fp:precise"],
            false => {
                vec!["-std=c99", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
            }
        };
        arguments.extend(isa.flags().iter().filter(|_| !self.is_msvc()));
        // Lines are enough: to follow variables, of which generated code has many, takes a fifth of the whole time.
        arguments.extend(self.has_debug_information().then_some("-g1"));
        arguments.into_iter().map(str::to_owned).chain(flags.iter().cloned()).collect()
    }

    /// Compiles a file to an object; the error is what the compiler said.
    pub fn object(&self, source: &Path, object: &Path, isa: Isa, flags: &[String]) -> Result<(), String> {
        let mut command = self.command();
        command.args(self.arguments(isa, flags));
        if self.is_msvc() {
            command.arg("/c").arg(source).arg(format!("/Fo{}", object.display()));
        } else {
            command.arg("-c").arg(source).arg("-o").arg(object);
        }
        run(command)
    }

    /// How OpenMP programs are compiled and linked; `None` where they are not.
    pub fn openmp(&self, folder: &Path) -> Option<OpenMp> {
        let (source, program) = (folder.join("openmp.c"), folder.join("openmp.out"));
        let text = "int main(void) {\n    int sum = 0;\n#pragma omp parallel for reduction(+ : sum)\n    \
                    for (int i = 0; i < 4; i += 1) {\n        sum += i;\n    }\n    return sum - 6;\n}\n";
        fs::write(&source, text).ok()?;
        let mut command = self.command();
        command.arg("-fopenmp").arg(&source).arg("-o").arg(&program);
        if self.is_msvc() || run(command).is_err() {
            return None;
        }
        let library = if self.tool.is_like_clang() { "omp" } else { "gomp" };
        Some(OpenMp { library, folder: self.folder_of(library, &source) })
    }

    /// Where this compiler finds a library that the linker of Rust might not find: among its own files, or in a
    /// folder that it names to its linker.
    fn folder_of(&self, library: &str, source: &Path) -> Option<PathBuf> {
        let file = format!("lib{library}.so");
        let found = self.command().arg(format!("-print-file-name={file}")).output().ok()?;
        let path = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
        if path.is_absolute() {
            return path.parent().map(Path::to_owned);
        }
        let links = self.command().args(["-fopenmp", "-###"]).arg(source).output().ok()?;
        let text = String::from_utf8_lossy(&links.stderr).into_owned();
        let words = text.split_whitespace().map(|word| word.trim_matches('"'));
        words
            .filter_map(|word| word.strip_prefix("-L"))
            .map(PathBuf::from)
            .find(|folder| folder.join(&file).exists())
    }
}

fn run(mut command: Command) -> Result<(), String> {
    let out = command.output().map_err(|error| error.to_string())?;
    if out.status.success() {
        return Ok(());
    }
    let said = [out.stderr, out.stdout].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    Err(if said.trim().is_empty() { out.status.to_string() } else { said })
}
