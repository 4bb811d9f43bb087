//! House rules that no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};

/// No file is longer.
const LONGEST: usize = 700;

/// A source file of the workspace: its path from the root, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in ["src", "rise-build", "rise-macros", "rise-runtime", "tests", "examples", "benches"] {
        collect(root, &root.join(folder), &mut all);
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(all.len() > 100, "the sources are found");
    all
}

fn collect(root: &Path, folder: &Path, all: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let generated = ["target", "ui", "golden"].contains(&name.as_str());
        if path.is_dir() && !generated {
            collect(root, &path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            all.push(Source { path: relative(root, &path), text: fs::read_to_string(&path).unwrap() });
        }
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let parts = path.strip_prefix(root).unwrap().components();
    parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

/// The code alone: without lines that are comments.
fn code(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let lines = source.text.lines().enumerate().map(|(at, line)| (at + 1, line));
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Fails with one line for each place.
fn none(rule: &str, wrong: Vec<String>) {
    assert!(wrong.is_empty(), "{rule}:\n{}", wrong.join("\n"));
}

#[test]
fn files_are_short() {
    let long = sources().into_iter().filter(|source| source.text.lines().count() > LONGEST);
    none("at most 700 lines", long.map(|source| source.path).collect());
}

#[test]
fn files_say_what_they_are() {
    let silent = sources().into_iter().filter(|source| {
        let mut lines = source.text.lines().filter(|line| !line.starts_with("#!") && !line.trim().is_empty());
        !lines.next().is_some_and(|line| line.starts_with("//"))
    });
    none("every file begins with its documentation", silent.map(|source| source.path).collect());
}

#[test]
fn only_the_build_script_touches_the_machine() {
    let mut wrong = Vec::new();
    for source in sources() {
        let pure = source.path.starts_with("rise-build/src/")
            && !["rise-build/src/cargo", "rise-build/src/bin"]
                .iter()
                .any(|part| source.path.starts_with(part))
            && !source.path.contains("test");
        if pure {
            let used = code(&source).filter(|(_, line)| {
                ["std::fs", "std::env", "std::process", "std::net", "std::time"]
                    .iter()
                    .any(|module| line.contains(module))
            });
            wrong.extend(used.map(|(at, line)| format!("{}:{at}: {}", source.path, line.trim())));
        }
    }
    none("stages read and write nothing", wrong);
}

#[test]
fn nothing_is_left_undone() {
    let words = ["todo!", "unimplemented!", concat!("FIX", "ME"), concat!("XX", "X"), "dbg!("];
    let mut wrong = Vec::new();
    for source in sources().into_iter().filter(|source| source.path != "tests/tidy.rs") {
        for (at, line) in source.text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                wrong.push(format!("{}:{}: {}", source.path, at + 1, line.trim()));
            }
        }
    }
    none("nothing is left undone", wrong);
}

#[test]
fn no_place_of_one_machine_is_named() {
    let mut wrong = Vec::new();
    for source in sources().into_iter().filter(|source| source.path != "tests/tidy.rs") {
        for (at, line) in source.text.lines().enumerate() {
            if ["/home/", "/root/", "/work/", "/Users/", "C:\\"].iter().any(|place| line.contains(place)) {
                wrong.push(format!("{}:{}: {}", source.path, at + 1, line.trim()));
            }
        }
    }
    none("no paths of a machine", wrong);
}

#[test]
fn order_never_depends_on_hashes() {
    let mut wrong = Vec::new();
    for source in sources().into_iter().filter(|source| source.path.starts_with("rise-build/src/")) {
        let iterated = code(&source).filter(|(_, line)| line.contains("HashMap") && line.contains("iter()"));
        wrong.extend(iterated.map(|(at, line)| format!("{}:{at}: {}", source.path, line.trim())));
    }
    none("the output is the same to the byte", wrong);
}

#[test]
fn every_mistake_has_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let programs = files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    assert!(programs.clone().count() >= 50);
    for program in programs {
        assert!(program.with_extension("stderr").exists(), "{} has no message", program.display());
    }
}
