//! A package outside the workspace, as a new user makes one: from the first kernel for C, past each mistake with
//! the build script and the compiler, to a program that runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MANIFEST: &str = r#"
[package]
name = "newcomer"
version = "0.1.0"
edition = "2021"

[dependencies]
arrays = { package = "rise-lang", path = "ROOT" }

[build-dependencies]
rise-build = { path = "ROOT/rise-build" }

[workspace]
"#;

const MAIN: &str = r#"#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]
//! A program.

arrays::rise! {
    crate = arrays;

    /// `a · x + 1`
    pub fn scaled<n: Nat>(a: f32, x: [f32; n]) -> [f32; n] { x |> map(|x| a * x + 1.0) }
    compile scaled to c with lower;
    compile scaled to openmp with mapPar @ outermost(isMap) ; lower as scaled_parallel;
}

fn main() -> Result<(), arrays::Error> {
    let (y, z) = (scaled(2.0, &[1.0, 2.0])?, scaled_parallel(2.0, &[1.0, 2.0])?);
    assert_eq!(y, z);
    println!("{y:?} {}", scaled_variant()?);
    Ok(())
}
"#;

const BUILD: &str = "fn main() { rise_build::compile(); }\n";

/// The package.
struct Newcomer {
    root: PathBuf,
}

impl Newcomer {
    fn new() -> Self {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
        let newcomer = Self { root: Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer") };
        let _ = fs::remove_dir_all(&newcomer.root);
        newcomer.write(
            "Cargo.toml",
            &MANIFEST.replace("ROOT", &workspace.display().to_string().replace('\\', "/")),
        );
        newcomer.write("src/main.rs", MAIN);
        fs::copy(workspace.join("Cargo.lock"), newcomer.root.join("Cargo.lock")).unwrap();
        newcomer
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn cargo(&self, command: &str, env: &[(&str, &str)]) -> (bool, String) {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut cargo = Command::new(cargo);
        cargo.current_dir(&self.root).args([command, "--offline", "--color", "never"]);
        cargo.env("CARGO_TERM_QUIET", "true");
        cargo.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer-target"));
        for inherited in ["RUSTFLAGS", "RUSTDOCFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CC", "RISE_ISA", "OUT_DIR"]
        {
            cargo.env_remove(inherited);
        }
        let Output { status, stdout, stderr } = cargo.envs(env.iter().copied()).output().unwrap();
        (status.success(), [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat())
    }

    /// The build fails, and says all of this, and nothing of the linker.
    fn fails(&self, case: &str, command: &str, env: &[(&str, &str)], sentences: &[&str]) {
        let (success, text) = self.cargo(command, env);
        assert!(!success, "{case}: {text}");
        for sentence in sentences {
            assert!(text.contains(sentence), "{case}: no `{sentence}` in\n{text}");
        }
        assert!(!text.contains("linking with") && !text.contains("panicked"), "{case}: {text}");
    }

    fn runs(&self, case: &str, command: &str, env: &[(&str, &str)]) -> String {
        let (success, text) = self.cargo(command, env);
        assert!(success, "{case}: {text}");
        text
    }
}

/// A compiler without OpenMP is said to be one, and the program runs.
#[cfg(unix)]
fn without_openmp(package: &Newcomer) {
    use std::os::unix::fs::PermissionsExt;
    package.write("serial-cc", "#!/bin/sh\ncase \"$*\" in *-fopenmp*) exit 1;; esac\nexec cc \"$@\"\n");
    let compiler = package.root.join("serial-cc");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    let compiler = compiler.display().to_string();
    let text = package.runs("no OpenMP", "run", &[("CC", &compiler), ("CARGO_TERM_QUIET", "false")]);
    assert!(text.contains("has no OpenMP: kernels compiled to `openmp` run on one thread"), "{text}");
    assert!(text.contains("[3.0, 5.0] "), "{text}");
}

#[test]
fn every_mistake_with_the_build_script_has_its_sentence() {
    let package = Newcomer::new();
    let forgotten =
        ["the kernel `scaled` is compiled to C by a build script", "fn main() { rise_build::compile(); }"];
    package.fails(
        "forgotten",
        "check",
        &[],
        &[&forgotten[..], &["[build-dependencies]", "src/main.rs:9:12"]].concat(),
    );

    // As left behind by a script that has compiled other kernels.
    package.write("build.rs", "fn main() { println!(\"cargo::rustc-env=RISE_KERNEL_0=1\"); }\n");
    package.fails("stale", "check", &[], &forgotten);

    package.write("build.rs", BUILD);
    let program = package.runs("done", "run", &[]);
    assert!(program.starts_with("[3.0, 5.0] "), "{program}");

    let missing = [("CC", "/nowhere/cc")];
    let sentences =
        ["there is no C compiler", "/nowhere/cc", "`scaled` (src/main.rs)", "install gcc or clang"];
    package.fails("no compiler", "build", &missing, &sentences);
    package.fails(
        "failing compiler",
        "build",
        &[("CC", "false")],
        &["the C compiler refuses the kernel `scaled`"],
    );

    #[cfg(unix)]
    without_openmp(&package);

    // What the script does not see.
    package.write(
        "src/main.rs",
        "#![allow(missing_docs)]\ninclude!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/more/main.rs\"));\n",
    );
    package.write("more/main.rs", &MAIN.lines().skip(3).collect::<Vec<_>>().join("\n"));
    package.fails(
        "wrong file",
        "check",
        &[],
        &["help: if both are there", "rise_build::Builder::new().file("],
    );
    package.write("build.rs", "fn main() { rise_build::Builder::new().file(\"more/main.rs\").compile(); }\n");
    package.runs("named file", "run", &[]);

    package.write("src/main.rs", MAIN);
    package.write(
        "build.rs",
        "fn main() { rise_build::Builder::new().instruction_sets(&[\"avx2\"]).openmp(false).compile(); }\n",
    );
    package.runs("fewer instruction sets, no OpenMP", "run", &[]);
    package.write(
        "build.rs",
        "fn main() { rise_build::Builder::new().instruction_sets(&[\"sse9\"]).compile(); }\n",
    );
    package.fails("unknown instruction set", "check", &[], &["there is no instruction set `sse9`"]);

    package.write("build.rs", BUILD);
    package.runs("documentation without a compiler", "doc", &[("DOCS_RS", "1"), ("CC", "/nowhere/cc")]);
}
