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

/// A package or workspace.
struct Newcomer {
    root: PathBuf,
}

impl Newcomer {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
        let newcomer = Self { root: Path::new(env!("CARGO_TARGET_TMPDIR")).join(name) };
        let _ = fs::remove_dir_all(&newcomer.root);
        let root = workspace.display().to_string().replace('\\', "/");
        for (path, text) in files {
            newcomer.write(path, &text.replace("ROOT", &root));
        }
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
        cargo.current_dir(&self.root).args(command.split(' ')).args(["--offline", "--color", "never"]);
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

/// The build script makes objects for the target and not for the machine that it runs on. (Cargo could not compile the
/// program without the target's standard library, so the script is run by itself.)
fn for_another_machine(package: &Newcomer) {
    if Command::new("clang").arg("--version").output().is_err() {
        return println!("SKIPPED: clang is not installed, which compiles for other machines");
    }
    let builds = Path::new(env!("CARGO_TARGET_TMPDIR")).join("newcomer-target/debug/build");
    let mut scripts: Vec<PathBuf> = fs::read_dir(builds)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("build-script-build"))
        .filter(|path| path.exists() && path.display().to_string().contains("/newcomer-"))
        .collect();
    scripts.sort_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok());
    let out = package.root.join("another");
    fs::create_dir_all(&out).unwrap();
    let Output { status, stdout, stderr } = Command::new(scripts.last().expect("the package was built"))
        .env("CARGO_MANIFEST_DIR", &package.root)
        .env("OUT_DIR", &out)
        .envs([("TARGET", "aarch64-unknown-linux-gnu"), ("HOST", "x86_64-unknown-linux-gnu")])
        .envs([("CARGO_CFG_TARGET_ARCH", "aarch64"), ("OPT_LEVEL", "0"), ("DEBUG", "true")])
        // Whatever names a compiler for this target counts, and its flags; there are no headers of that machine here.
        .envs([
            ("CC_aarch64_unknown_linux_gnu", "clang"),
            ("CFLAGS_aarch64_unknown_linux_gnu", "-ffreestanding"),
        ])
        .env("AR_aarch64_unknown_linux_gnu", "ar")
        .output()
        .unwrap();
    let text = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(status.success() && text.contains("cargo::rustc-env=RISE_KERNEL_"), "{text}");
    let mut objects = 0;
    for entry in fs::read_dir(out.join("rise")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "o") {
            let machine = &fs::read(&path).unwrap()[18..20];
            assert_eq!(machine, [183, 0], "{} is for AArch64", path.display());
            assert!(!path.display().to_string().contains("avx"), "{}", path.display());
            objects += 1;
        }
    }
    // One instance and the function that chooses it, for two kernels.
    assert_eq!(objects, 4);
}

#[test]
fn every_mistake_with_the_build_script_has_its_sentence() {
    let package = Newcomer::new("newcomer", &[("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)]);
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
    for_another_machine(&package);

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

/// A workspace of two packages: kernels in a library and a file, and kernels in every other kind of target alone, one of
/// which cargo would not find by itself.
const WORKSPACE: [(&str, &str); 13] = [
    ("Cargo.toml", "[workspace]\nmembers = [\"filters\", \"app\"]\nresolver = \"2\"\n"),
    (
        "filters/Cargo.toml",
        "[package]\nname = \"filters\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
         [dependencies]\narrays = { package = \"rise-lang\", path = \"ROOT\" }\n\n\
         [build-dependencies]\nrise-build = { path = \"ROOT/rise-build\" }\n",
    ),
    ("filters/build.rs", BUILD),
    (
        "filters/kernels/scale.rise",
        "pub fn scaled<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| 2.0 * x) }\n",
    ),
    (
        "filters/src/lib.rs",
        "arrays::rise! { crate = arrays; use \"kernels/scale.rise\"; compile scaled to c with lower; }\n",
    ),
    (
        "app/Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nfilters = { path = \"../filters\" }\nrise-lang = { path = \"ROOT\" }\n\n\
         [build-dependencies]\nrise-build = { path = \"ROOT/rise-build\" }\n\n\
         [[bin]]\nname = \"other\"\npath = \"tools/other.rs\"\n\n\
         [[bin]]\nname = \"app\"\npath = \"src/main.rs\"\n\n[[bench]]\nname = \"speed\"\nharness = false\n",
    ),
    ("app/build.rs", BUILD),
    (
        "app/src/main.rs",
        "TARGET(openmp, 3.0) fn main() { println!(\"{:?} {:?}\", f(&[1.0]).unwrap(), filters::scaled(&[1.0]).unwrap()); }",
    ),
    ("app/src/bin/more.rs", "TARGET(c, 4.0) fn main() { assert_eq!(f(&[1.0]).unwrap(), [4.0]); }"),
    ("app/tools/other.rs", "TARGET(c, 5.0) fn main() { assert_eq!(f(&[1.0]).unwrap(), [5.0]); }"),
    ("app/tests/it.rs", "TARGET(c, 6.0) #[test] fn runs() { assert_eq!(f(&[1.0]).unwrap(), [6.0]); }"),
    ("app/examples/show.rs", "TARGET(c, 7.0) fn main() { assert_eq!(f(&[1.0]).unwrap(), [7.0]); }"),
    ("app/benches/speed.rs", "TARGET(c, 8.0) fn main() { assert_eq!(f(&[1.0]).unwrap(), [8.0]); }"),
];

#[test]
fn every_kind_of_target_in_a_workspace_has_kernels_of_its_own() {
    let kernel = |text: &str| match text.strip_prefix("TARGET(").and_then(|rest| rest.split_once(") ")) {
        Some((chosen, rest)) => {
            let (target, factor) = chosen.split_once(", ").unwrap();
            format!(
                "rise::rise! {{ pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ x |> map(|x| {factor} * x) }} \
                 compile f to {target} with lower; }}\n{rest}\n"
            )
        }
        None => text.to_owned(),
    };
    let files: Vec<(&str, String)> = WORKSPACE.iter().map(|(path, text)| (*path, kernel(text))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let workspace = Newcomer::new("workspace", &files);
    workspace.runs("tests", "test --tests --benches --bins", &[]);
    workspace.runs("example", "run --example show", &[]);
    workspace.runs("binary beside", "run --bin other", &[]);
    workspace.runs("another binary", "run --bin more", &[]);
    let threads = [("OMP_NUM_THREADS", "1")];
    assert_eq!(workspace.runs("binary", "run --bin app", &threads).trim(), "[3.0] [2.0]");
    // A file that a block uses is watched.
    workspace.write(
        "filters/kernels/scale.rise",
        "pub fn scaled<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| 9.0 * x) }\n",
    );
    assert_eq!(workspace.runs("changed file", "run --bin app", &[]).trim(), "[3.0] [9.0]");
}
