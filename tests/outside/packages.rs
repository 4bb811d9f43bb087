//! Packages outside the workspace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A clean release build of one kernel takes no longer.
const LIMIT: f64 = 30.0;

/// The strict crate of `tests/outside/user`.
pub fn edition_2021() {
    strict("2021");
}

/// The same.
pub fn edition_2024() {
    strict("2024");
}

fn strict(edition: &str) {
    let folder = package(&format!("user{edition}"), edition);
    for file in ["src/lib.rs", "src/nested.rs", "tests/integration.rs"] {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(super::root().join("tests/outside/user").join(file), path).unwrap();
    }
    cargo(&folder, &["test", "--quiet"], &super::scratch("outside-target"));
}

/// A package that depends on the facade, without sources.
pub fn package(name: &str, edition: &str) -> PathBuf {
    let folder = super::scratch("outside").join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\npublish = false\n\n\
         [dependencies]\nrise-lang = {{ path = \"{}\" }}\n\n[workspace]\n",
        super::root().display()
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::copy(super::root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

/// Runs cargo in a package, with a user's environment, and gives what it printed.
pub fn cargo(folder: &Path, args: &[&str], target: &Path) -> String {
    let mut command = command(folder, args, target);
    for variable in ["RUSTFLAGS", "RISE_DUMP", "CARGO_ENCODED_RUSTFLAGS"] {
        command.env_remove(variable);
    }
    printed(command)
}

/// Cargo in a package.
pub fn command(folder: &Path, args: &[&str], target: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(folder).args(args).env("CARGO_TARGET_DIR", target);
    command
}

/// What a command prints that succeeds.
pub fn printed(mut command: Command) -> String {
    let output = command.output().expect("cargo starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn one() -> PathBuf {
    let folder = package("one", "2024");
    fs::copy(super::root().join("tests/outside/one.rs"), folder.join("src/main.rs")).unwrap();
    folder
}

/// A program with one kernel, in release mode; the path of the binary.
pub fn one_kernel(target: &Path) -> PathBuf {
    cargo(&one(), &["build", "--release", "--quiet"], target);
    target.join("release/one")
}

/// Everything from nothing: the compiler, the runtime and one kernel.
pub fn clean_build() {
    let target = super::scratch("outside-clean");
    if target.exists() {
        fs::remove_dir_all(&target).unwrap();
    }
    // The registry's sources are there already, as after `cargo fetch`.
    cargo(&one(), &["fetch", "--quiet"], &target);
    let (start, before) = (Instant::now(), super::seconds_of_children());
    one_kernel(&target);
    let (seconds, cpu) = (start.elapsed().as_secs_f64(), super::seconds_of_children() - before);
    println!("{seconds:.1} s; {cpu:.1} s of computation");
    // On a machine that is busy with other things only the computation tells; two cores are at it nine tenths of the time.
    let limit = LIMIT * super::parts::slowness();
    let fine = seconds <= limit || cpu <= 1.8 * limit;
    assert!(fine, "{seconds:.1} s and {cpu:.1} s of computation, at most {limit:.1} s on two cores");
}

/// What a user's crate takes in with default features.
pub fn dependencies() {
    let folder = package("one", "2024");
    fs::copy(super::root().join("tests/outside/one.rs"), folder.join("src/main.rs")).unwrap();
    let tree = cargo(
        &folder,
        &["tree", "--edges", "normal,build", "--prefix", "none"],
        &super::scratch("outside-target"),
    );
    let mut names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    names.sort_unstable();
    names.dedup();
    println!("{} packages: {}", names.len(), names.join(", "));
    assert!(names.len() <= 20, "the tree is short");
    assert!(!names.contains(&"syn"), "the macro needs no parser of Rust");
}
