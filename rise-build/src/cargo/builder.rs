//! What a build script may choose, and the whole of its work.

use std::cmp::Reverse;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::backend::c::Isa;
use crate::dpia::functional::Target;

use super::archive::{Archive, Source};
use super::clang;
use super::compiler::Compiler;
use super::output::{fail, tell, warn};
use super::package::Package;

/// Compiles the kernels of a package, with choices.
///
/// ```no_run
/// rise_build::Builder::new()
///     .file("kernels/more.rs")
///     .flag("-g")
///     .instruction_sets(&["avx2"])
///     .compile();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    files: Vec<PathBuf>,
    flags: Vec<String>,
    isas: Option<Vec<String>>,
    serial: bool,
}

impl Builder {
    /// No choices made: [`compile`](crate::compile).
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks into a file that is not in `src`, `tests`, `examples` or `benches`. Rust is searched for `rise!`
    /// blocks, Markdown (`.md`) for examples with them. Relative to the package.
    #[must_use]
    pub fn file(mut self, path: impl AsRef<Path>) -> Self {
        self.files.push(path.as_ref().to_owned());
        self
    }

    /// Passes a flag to the C compiler.
    #[must_use]
    pub fn flag(mut self, flag: &str) -> Self {
        self.flags.push(flag.to_owned());
        self
    }

    /// Compiles for these instruction sets (`"avx512"`, `"avx2"`) and the baseline alone; a CPU that has more
    /// uses the best of them.
    #[must_use]
    pub fn instruction_sets(mut self, names: &[&str]) -> Self {
        self.isas = Some(names.iter().map(|name| (*name).to_owned()).collect());
        self
    }

    /// Whether kernels of the target `openmp` use OpenMP; without it they run on one thread.
    #[must_use]
    pub fn openmp(mut self, wanted: bool) -> Self {
        self.serial = !wanted;
        self
    }

    /// Finds the kernels, compiles them, and tells cargo. What fails ends the build with a message.
    pub fn compile(&self) {
        let (Some(root), Some(out)) = (env::var_os("CARGO_MANIFEST_DIR"), env::var_os("OUT_DIR")) else {
            panic!(
                "rise_build::compile() is for build scripts: cargo has not set CARGO_MANIFEST_DIR and OUT_DIR"
            );
        };
        let package = Package::read(Path::new(&root), &self.files);
        package.watched.iter().for_each(|path| tell("rerun-if-changed", &path.display().to_string()));
        for variable in ["CC", "CFLAGS", "TARGET_CC", "DOCS_RS", clang::VARIABLE] {
            tell("rerun-if-env-changed", variable);
        }
        // Without a network of compilers, documentation and messages are all that is made.
        let only_checked = ["DOCS_RS", "CARGO_CFG_TRYBUILD"].iter().any(|name| env::var_os(name).is_some());
        let built = self.readable(Path::new(&root)).and_then(|()| match only_checked {
            true => Ok(()),
            false => self.build(&package, &Path::new(&out).join("rise")),
        });
        match built {
            Ok(()) => {
                for (unit, _) in &package.kernels {
                    tell("rustc-env", &format!("{}=1", unit.symbol.variable()));
                }
            }
            Err(message) => fail(&message),
        }
    }

    /// Whether the files that were named are there: kernels of others would be missed for no reason that shows.
    pub(super) fn readable(&self, root: &Path) -> Result<(), String> {
        let wrong = self.files.iter().find_map(|file| Some((file, fs::read(root.join(file)).err()?)));
        wrong.map_or(Ok(()), |(file, error)| {
            Err(format!(
                "cannot read {}, which `Builder::file` names: {error}; the path is relative to the package",
                file.display()
            ))
        })
    }

    fn build(&self, package: &Package, folder: &Path) -> Result<(), String> {
        let name = env::var(clang::VARIABLE).unwrap_or_else(|_| "clang".into());
        clang::check(&name, &package.programs, &folder.join("opencl"))
            .map_err(|said| format!("{name} refuses kernels for OpenCL:\n{}", first_lines(&said)))?;
        if package.kernels.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        let compiler = Compiler::find().map_err(|reason| {
            format!(
                "there is no C compiler ({reason})\nthese kernels need one: {}\n\
                 install gcc or clang, or name one in the variable CC",
                listed(package)
            )
        })?;
        let isas = self.chosen(&compiler.isas())?;
        let openmp = self.openmp_of(package, &compiler, folder);
        let archives =
            package.kernels.iter().map(|(unit, _)| Archive::write(unit, folder, &isas, &self.flags, openmp));
        let archives = archives.collect::<Result<Vec<_>, _>>()?;
        build_all(&archives, &compiler)?;
        tell("rustc-link-search", &format!("native={}", folder.display()));
        Ok(())
    }

    /// The instruction sets asked for, of those there are.
    fn chosen(&self, there: &[Isa]) -> Result<Vec<Isa>, String> {
        let Some(names) = &self.isas else { return Ok(there.to_vec()) };
        let known = ["baseline", "avx2", "avx512"];
        if let Some(wrong) = names.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(format!(
                "there is no instruction set `{wrong}`; there are `baseline`, `avx2` and `avx512`"
            ));
        }
        let wanted = |isa: &&Isa| isa.level() == 1 || names.iter().any(|name| name == isa.name());
        Ok(there.iter().filter(wanted).copied().collect())
    }

    /// Whether OpenMP is used; says how to link it.
    fn openmp_of(&self, package: &Package, compiler: &Compiler, folder: &Path) -> bool {
        if self.serial || !package.kernels.iter().any(|(unit, _)| unit.target == Target::OpenMp) {
            return false;
        }
        let Some(openmp) = compiler.openmp(folder) else {
            let name = compiler.name();
            warn(&format!("`{name}` has no OpenMP: kernels compiled to `openmp` run on one thread"));
            return false;
        };
        if let Some(folder) = &openmp.folder {
            tell("rustc-link-search", &format!("native={}", folder.display()));
        }
        // The first reaches the library and whatever uses it, the second the other targets.
        tell("rustc-link-lib", openmp.library);
        tell("rustc-link-arg", &format!("-l{}", openmp.library));
        true
    }
}

/// The kernels with their files, for messages.
fn listed(package: &Package) -> String {
    let names: Vec<String> =
        package.kernels.iter().map(|(unit, file)| format!("`{}` ({})", unit.name, file.display())).collect();
    names.join(", ")
}

/// Enough of what a compiler says.
fn first_lines(text: &str) -> String {
    text.lines().filter(|line| !line.trim().is_empty()).take(12).collect::<Vec<_>>().join("\n")
}

/// Several files at once, as many as cargo allows, the longest first.
fn build_all(archives: &[Archive], compiler: &Compiler) -> Result<(), String> {
    let stale: Vec<(usize, &[Source])> =
        archives.iter().map(|archive| archive.stale(compiler)).enumerate().collect();
    let files = stale.iter().flat_map(|(at, sources)| sources.iter().enumerate().map(|file| (*at, file)));
    let mut files: Vec<(usize, (usize, &Source))> = files.collect();
    files.sort_by_key(|(_, (_, source))| Reverse(source.len));
    let mut failed = at_once(&files, |(at, (file, source))| {
        source.compile(compiler).map_err(|reason| (*at, *file, reason))
    });
    failed.sort();
    // Of the files of a kernel the first tells what is wrong with all.
    failed.dedup_by_key(|(at, ..)| *at);
    for (at, sources) in stale {
        if !sources.is_empty() && failed.iter().all(|(other, ..)| *other != at) {
            failed.extend(archives[at].finish(compiler).err().map(|reason| (at, 0, reason)));
        }
    }
    let mut failed: Vec<String> =
        failed.iter().map(|(at, _, reason)| refused(&archives[*at], reason)).collect();
    failed.sort();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

fn refused(archive: &Archive, reason: &str) -> String {
    format!("the C compiler refuses the kernel `{}`:\n{}", archive.kernel, first_lines(reason))
}

/// What failed of the work on each, on as many threads as cargo allows.
fn at_once<T: Sync, E: Send>(all: &[T], work: impl Fn(&T) -> Result<(), E> + Sync) -> Vec<E> {
    let jobs = env::var("NUM_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1_usize);
    let next = Mutex::new(all.iter());
    let failed = Mutex::new(Vec::new());
    let some = || {
        while let Some(one) = next.lock().ok().and_then(|mut next| next.next()) {
            if let (Err(error), Ok(mut failed)) = (work(one), failed.lock()) {
                failed.push(error);
            }
        }
    };
    std::thread::scope(|scope| {
        (1..jobs.clamp(1, all.len().max(1))).for_each(|_| drop(scope.spawn(some)));
        some();
    });
    failed.into_inner().unwrap_or_default()
}
