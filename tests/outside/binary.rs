//! What is in the binary.

use std::path::Path;
use std::process::Command;

use crate::packages;

/// `ldd` of the quickstart.
pub fn libraries() {
    let target = crate::root().join("target");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(target, Into::into);
    // In the environment of the tests, so that what is built here is not built again when it is run.
    let build = ["build", "--release", "--quiet", "--example", "quickstart"];
    packages::printed(packages::command(&crate::root(), &build, &target));
    let Some(text) = tool("ldd", &[], &target.join("release/examples/quickstart")) else { return };
    const ALLOWED: [&str; 5] = ["linux-vdso.so", "libc.so", "libm.so", "libgcc_s.so", "ld-linux"];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        println!("{line}");
        assert!(ALLOWED.iter().any(|name| line.contains(name)), "{line}");
    }
}

/// The AVX-512 instance of the dot product, fused by `auto` and contracted by `mulAdd`.
pub fn fused_loop() {
    if cfg!(not(target_arch = "x86_64")) {
        return println!("SKIPPED: not on x86-64");
    }
    let program = packages::one_kernel(&crate::scratch("outside-clean"));
    let Some(text) = tool("objdump", &["-d", "--no-show-raw-insn", "-C"], &program) else { return };
    let instances: Vec<Function> = functions(&text)
        .into_iter()
        .filter(|function| function.name.contains("dot") && function.name.contains("avx512"))
        .collect();
    let names: Vec<&str> = instances.iter().map(|function| function.name.as_str()).collect();
    println!("instances: {names:?}");
    assert!(!instances.is_empty(), "the AVX-512 instance is a function of its own");
    let loops: Vec<&[Instruction]> = instances.iter().flat_map(Function::loops).collect();
    let fused =
        |body: &&[Instruction]| body.iter().any(|i| i.text.starts_with("vfmadd") && i.text.contains("%zmm"));
    let body = loops
        .into_iter()
        .filter(fused)
        .min_by_key(|body| body.len())
        .expect("a loop of multiply-adds in full registers");
    body.iter().for_each(|instruction| println!("    {}", instruction.text));
    assert!(
        !body.iter().any(|instruction| instruction.text.starts_with("call")),
        "nothing is called in the loop"
    );
}

/// What a tool prints; says loudly where it is missing.
fn tool(name: &str, args: &[&str], file: &Path) -> Option<String> {
    match Command::new(name).args(args).arg(file).output() {
        Ok(output) => {
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Err(_) => {
            println!("SKIPPED: `{name}` is not installed, install binutils to run this");
            None
        }
    }
}

struct Function {
    name: String,
    code: Vec<Instruction>,
}

struct Instruction {
    address: u64,
    text: String,
}

fn functions(text: &str) -> Vec<Function> {
    let mut all: Vec<Function> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            all.push(Function { name: name.1.to_owned(), code: Vec::new() });
        } else if let Some((address, text)) = line.trim_start().split_once(":\t")
            && let (Ok(address), Some(function)) = (u64::from_str_radix(address, 16), all.last_mut())
        {
            function.code.push(Instruction { address, text: text.trim().to_owned() });
        }
    }
    all
}

impl Function {
    /// From the target of each jump backwards to the jump.
    fn loops(&self) -> Vec<&[Instruction]> {
        let mut all = Vec::new();
        for (end, instruction) in self.code.iter().enumerate() {
            let mut words = instruction.text.split_whitespace();
            let jumps = words.next().is_some_and(|word| word.starts_with('j'));
            let target = words.next().and_then(|word| u64::from_str_radix(word, 16).ok());
            let Some(target) = target.filter(|target| jumps && *target <= instruction.address) else {
                continue;
            };
            if let Some(start) = self.code.iter().position(|instruction| instruction.address == target) {
                all.push(&self.code[start..=end]);
            }
        }
        all
    }
}
