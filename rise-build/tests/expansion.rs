//! The compiler as it runs in users' builds: unoptimised, once for each kernel.
//!
//! Each part prints its figures. Limits of time are those of an idle machine with two cores; they are stretched by
//! the load that the machine has besides, and where it is slower.

#[path = "../../tests/outside/parts.rs"]
mod parts;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use parts::Part;
use rise_build::pipeline::{Dump, Options, Output, compile};

const PARTS: [Part; 4] = [
    ("expansion is the same to the byte in every process, with one core and with all", deterministic),
    (
        "expansion takes at most 50 ms a kernel, 150 ms one that is written anew for each instruction set",
        quick,
    ),
    ("schedules expand in at most 50 ms, the largest in 150 ms", schedules),
    ("code grows linearly with composed clamps", linear),
];

const CHILD: &str = "RISE_TEST_PRINTS_EXPANSIONS";

/// A kernel takes no longer.
const LIMIT: f64 = 0.05;

/// Nor does the largest schedule, or a product that `auto` writes anew for each instruction set.
const LARGEST: f64 = 0.15;

fn main() {
    // The child prints the expansion of all cases and nothing else.
    match std::env::var_os(CHILD) {
        Some(_) => println!("{}", expanded(&cases(), false).tokens),
        None => parts::run(&PARTS),
    }
}

/// A file of the workspace.
fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The items of all basic programs.
fn cases() -> String {
    file("tests/cases/basics.rise")
}

fn expanded(items: &str, dump: bool) -> Output {
    let load = |path: &str| Err(format!("{path}: the cases use no files"));
    let output = compile(items.parse().expect("Rust tokens"), &Options { dump, ..Options::new(&load) });
    assert!(!output.failed, "{}", output.tokens);
    output
}

/// A limit in seconds, stretched by how busy the machine is with other things, and by how slow.
fn stretched(seconds: f64) -> f64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0.0);
    let cores = std::thread::available_parallelism().map_or(2.0, |cores| cores.get() as f64);
    seconds * (1.0 + load / cores) * parts::slowness()
}

/// Two processes print the same; one of them has one core where `taskset` can give it no more.
fn deterministic() {
    let printed = |mut command: Command| {
        let output = command.env(CHILD, "1").output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    let program = std::env::current_exe().unwrap();
    let all = printed(Command::new(&program)).expect("this program starts again");
    let mut with_one = Command::new("taskset");
    with_one.args(["--cpu-list", "0"]).arg(&program);
    let one =
        printed(with_one).or_else(|| printed(Command::new(&program))).expect("this program starts again");
    println!("{} bytes", all.len());
    assert!(all.len() > 10_000, "the cases are expanded");
    assert!(all == one, "two processes expand differently");
}

/// Every kernel of the cases by itself, the best of several times.
fn quick() {
    let items = cases();
    let dumps = expanded(&items, true).dumps;
    let names: Vec<String> = dumps.iter().map(|dump| dump.kernel.clone()).collect();
    assert!(names.len() > 15, "the cases are found");
    for (name, dump) in names.iter().zip(&dumps) {
        let alone = only(&items, name, &names);
        let time = fastest(&alone);
        let versions = dump.files.iter().filter(|(file, _)| file.starts_with("3-rewritten")).count();
        println!("{name:<24} {:6.1} ms", time * 1e3);
        let limit = stretched(if versions > 1 { LARGEST } else { LIMIT });
        assert!(time <= limit, "{name}: {:.1} ms", time * 1e3);
    }
}

/// Schedules of the literature: the file, the kernel, the strategies.
const SCHEDULES: [(&str, &str, &[&str]); 6] = [
    (
        "benches/schedules.rise",
        "product",
        &[
            "plainly",
            "in_blocks",
            "in_vectors",
            "permuted_loops",
            "packed_panels",
            "register_tiles",
            "parallel_tiles",
        ],
    ),
    ("tests/cases/schedules.rise", "smooth", &["in_two_passes"]),
    ("tests/cases/schedules.rise", "filtered", &["in_two_passes"]),
    ("tests/cases/schedules.rise", "around", &["in_overlapped_tiles"]),
    ("tests/cases/schedules.rise", "twice", &["in_lines"]),
    ("tests/cases/schedules.rise", "total", &["in_two_stages"]),
];

/// Every schedule by itself: the largest within its limit, all others within that of a kernel.
fn schedules() {
    let mut times = Vec::new();
    for (path, kernel, strategies) in SCHEDULES {
        let items = file(path);
        let names: Vec<String> = SCHEDULES.iter().map(|(_, kernel, _)| (*kernel).to_owned()).collect();
        for strategy in strategies {
            let compilation =
                format!("{}compile {kernel} to rust with {strategy};", only(&items, kernel, &names));
            let time = fastest(&compilation);
            println!("{kernel:<10} {strategy:<20} {:6.1} ms", time * 1e3);
            times.push(time);
        }
    }
    times.sort_by(f64::total_cmp);
    let (largest, others) = times.split_last().expect("there are schedules");
    assert!(*largest <= stretched(LARGEST), "{:.1} ms", largest * 1e3);
    let second = others.last().copied().unwrap_or_default();
    assert!(second <= stretched(LIMIT), "{:.1} ms", second * 1e3);
}

/// Seconds of the best of several expansions. In users' builds the compiler's own lexer reads what comes out, which
/// is optimised and takes a tenth of the time of the one that there is outside of it; that is left out.
fn fastest(items: &str) -> f64 {
    let load = |path: &str| Err(format!("{path}: the cases use no files"));
    let options = Options { lex: &|_| Some(Output::default().tokens), ..Options::new(&load) };
    let times = (0..5).map(|_| {
        let tokens = items.parse().expect("Rust tokens");
        let start = Instant::now();
        let output = compile(tokens, &options);
        let time = start.elapsed().as_secs_f64();
        assert!(!output.failed, "{}", output.tokens);
        time
    });
    times.fold(f64::INFINITY, f64::min)
}

/// The items without the other kernels.
fn only(items: &str, name: &str, names: &[String]) -> String {
    let mut text = String::new();
    for item in items.split("\n\n") {
        let declares = |name: &str| {
            item.contains(&format!("pub fn {name}<")) || item.contains(&format!("pub fn {name}("))
        };
        if declares(name) || !names.iter().any(|other| declares(other)) {
            text.push_str(item);
            text.push_str("\n\n");
        }
    }
    text
}

/// Six clamped stencils one after the other are twice the code of three.
fn linear() {
    for (strategy, stage) in [
        ("lower", "padClamp(1, 1) |> slide(3, 1) |> map(|w| w[0] + w[1] * w[2])"),
        ("auto", "padClamp(1, 1) |> slide(3, 1) |> map(|w| w[0] + w[1] * w[2])"),
        ("lower", "map(|x| if x < 1.0 { x * 2.0 } else { x + 1.0 })"),
        ("auto", "map(|x| if x < 1.0 { x * 2.0 } else { x + 1.0 })"),
    ] {
        let sizes: Vec<f64> = (1..=6).map(|count| code(stage, strategy, count).len() as f64).collect();
        println!("{strategy:<6} {stage}: {sizes:?} bytes");
        // It need not grow at all: larger loops have fewer forms.
        assert!(sizes[5] <= 2.2 * sizes[2], "the code grows faster than the program");
    }
}

/// The generated code of so many stages.
fn code(stage: &str, strategy: &str, count: usize) -> String {
    let body: String = (0..count).map(|_| format!(" |> {stage}")).collect();
    let items = format!(
        "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] where 1 <= n {{ x{body} }} compile f to rust with {strategy};"
    );
    let is_code = |dump: &Dump| dump.files.iter().find(|(name, _)| name.starts_with("7-")).cloned();
    expanded(&items, true).dumps.iter().find_map(is_code).expect("the kernel is compiled").1
}
