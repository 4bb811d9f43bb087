//! The story of a compilation: one folder a kernel, one file a stage, as `RISE_DUMP` writes them.
//!
//! `RISE_BLESS=1` writes the files anew; read the difference before it is committed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rise_build::pipeline::{Options, compile};

/// What the folder holds besides the stages: the items that are compiled.
const SOURCE: &str = "kernel.rise";

#[test]
fn stages_are_as_recorded() {
    let bless = std::env::var_os("RISE_BLESS").is_some();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let mut wrong = Vec::new();
    let mut folders: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 6, "the folders are there");
    for folder in folders {
        let source = fs::read_to_string(folder.join(SOURCE)).unwrap();
        wrong.extend(differences(&folder, &source, bless));
    }
    assert!(wrong.is_empty(), "RISE_BLESS=1 writes these anew:\n{}", wrong.join("\n"));
}

/// Files that differ from what the compiler gives; none after blessing.
fn differences(folder: &Path, source: &str, bless: bool) -> Vec<String> {
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    let tokens = source.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
    let load = |path: &str| Err(format!("{path}: golden kernels use no files"));
    let output = compile(tokens, &Options { check: true, dump: true, ..Options::new(&load) });
    let dump = output.dumps.into_iter().find(|dump| dump.kernel == name);
    let files = dump.unwrap_or_else(|| panic!("there is no kernel `{name}`")).files;
    let mut wrong = Vec::new();
    let mut expected = BTreeSet::from([SOURCE.to_owned()]);
    for (file, text) in files {
        let path = folder.join(&file);
        let text = format!("{}\n", text.trim_end());
        if bless {
            fs::write(&path, &text).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != text {
            wrong.push(format!("{name}/{file}"));
        }
        expected.insert(file.clone());
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        if !expected.contains(&file) {
            if bless {
                fs::remove_file(&path).unwrap();
            } else {
                wrong.push(format!("{name}/{file}: no such stage"));
            }
        }
    }
    wrong
}

#[test]
fn the_reference_of_rules_is_as_recorded() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let text = rise_build::rewrite::reference::markdown();
    if std::env::var_os("RISE_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    assert!(fs::read_to_string(&path).unwrap_or_default() == text, "RISE_BLESS=1 writes docs/rules.md anew");
}
