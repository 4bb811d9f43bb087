//! The forms of one kernel.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use rise_build::cargo::blocks;
use rise_build::pipeline::{self, Dump, Options, explain};
use rise_build::syntax::unbalanced;

/// What was asked for.
struct Wish<'a> {
    file: &'a str,
    kernel: &'a str,
    stage: Option<usize>,
    step: Option<usize>,
}

/// What a command found: the text that was asked for, and what is wrong with the file all the same.
pub struct Found {
    /// What goes to the standard output.
    pub text: String,
    /// Messages.
    pub wrong: String,
}

impl From<String> for Found {
    fn from(text: String) -> Self {
        Found { text, wrong: String::new() }
    }
}

/// `show <file> <kernel> [--stage n] [--step k]`
pub fn show(args: &[String]) -> Result<Found, String> {
    let wish = wish(args)?;
    let (dump, wrong) = dump(&wish)?;
    match forms(&wish, &dump) {
        Ok(text) => Ok(Found { text, wrong }),
        // Of a program that is wrong there are no stages.
        Err(other) => Err(if wrong.is_empty() { other } else { wrong }),
    }
}

fn forms(wish: &Wish, dump: &Dump) -> Result<String, String> {
    if let Some(step) = wish.step {
        if wish.stage.is_some_and(|stage| stage != 3) {
            return Err("steps are of stage 3, the rewriting".into());
        }
        return after_step(dump, step);
    }
    let files: Vec<&(String, String)> = match wish.stage {
        None => dump.files.iter().collect(),
        Some(stage) => of_stage(dump, stage),
    };
    match files.as_slice() {
        [] => Err(
            "there are the stages 1 to 7: parsed, typed, rewritten, functional, imperative, loops, target"
                .into(),
        ),
        [(_, text)] => Ok(ended(text)),
        files => {
            let mut all = String::new();
            for (name, text) in files {
                let _ = writeln!(all, "// {name}\n{}", ended(text));
            }
            Ok(all)
        }
    }
}

/// `loops <file> <kernel>`
pub fn loops(args: &[String]) -> Result<Found, String> {
    let wish = wish(args)?;
    let (dump, wrong) = dump(&wish)?;
    match dump.files.iter().find(|(name, _)| *name == "6-loops.txt") {
        Some((_, text)) => Ok(Found { text: ended(text), wrong }),
        // Of a program that is wrong there are none.
        None => Err(if wrong.is_empty() { "the kernel has no loops".into() } else { wrong }),
    }
}

/// `mappings <file> <kernel>`
pub fn mappings(args: &[String]) -> Result<Found, String> {
    let wish = wish(args)?;
    let (_, blocks, root) = read(wish.file)?;
    let load = |name: &str| fs::read_to_string(root.join(name)).map_err(|error| error.to_string());
    let found = blocks.into_iter().find_map(|block| pipeline::mappings(block, &load, wish.kernel));
    let found =
        found.unwrap_or_else(|| Err(format!("there is no kernel `{}` in {}", wish.kernel, wish.file)));
    found.map(Found::from)
}

fn ended(text: &str) -> String {
    format!("{}\n", text.trim_end())
}

fn wish(args: &[String]) -> Result<Wish<'_>, String> {
    let mut names = Vec::new();
    let (mut stage, mut step) = (None, None);
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let place = match arg.as_str() {
            "--stage" => &mut stage,
            "--step" => &mut step,
            other if other.starts_with("--") => return Err(format!("there is no option `{other}`")),
            name => {
                names.push(name);
                continue;
            }
        };
        let number = rest.next().and_then(|text| text.parse().ok());
        *place = Some(number.ok_or_else(|| format!("`{arg}` takes a number"))?);
    }
    match names.as_slice() {
        [file, kernel] => Ok(Wish { file, kernel, stage, step }),
        _ => Err(String::new()),
    }
}

/// The form of the stage that says most: its last file for the best machine, for the target the text that is
/// compiled.
fn of_stage(dump: &Dump, stage: usize) -> Vec<&(String, String)> {
    let prefix = format!("{stage}-");
    let for_best = |name: &str| name.matches('.').count() == 1;
    let mut files = dump.files.iter().filter(|(name, _)| name.starts_with(&prefix) && for_best(name));
    match stage {
        7 => files.next().into_iter().collect(),
        _ => files.next_back().into_iter().collect(),
    }
}

fn after_step(dump: &Dump, step: usize) -> Result<String, String> {
    let file =
        |wanted: &str| dump.files.iter().find(|(name, _)| *name == wanted).map_or("", |(_, text)| text);
    if step == 0 {
        return Ok(ended(file("2-typed.rise")));
    }
    let steps: Vec<&str> = file("3-steps.rise").split("-- ").skip(1).collect();
    match steps.get(step - 1) {
        Some(text) => Ok(ended(&format!("-- {text}"))),
        None => {
            let names: Vec<&str> = steps.iter().filter_map(|text| text.lines().next()).collect();
            Err(format!("the strategy has {} steps:\n  {}", steps.len(), names.join("\n  ")))
        }
    }
}

/// The forms of the kernel in a Rust file with `rise!` blocks, or in a file of items, and what is wrong with them.
fn dump(wish: &Wish) -> Result<(Dump, String), String> {
    let (text, blocks, root) = read(wish.file)?;
    let load = |name: &str| fs::read_to_string(root.join(name)).map_err(|error| error.to_string());
    let (mut names, mut messages) = (Vec::new(), String::new());
    for block in blocks {
        let options = Options { dump: true, ..Options::new(&load) };
        let (dumps, wrong) = explain(block, &options, wish.file, &text);
        messages.push_str(&wrong);
        for dump in dumps {
            if dump.kernel == wish.kernel {
                return Ok((dump, messages));
            }
            names.push(dump.kernel);
        }
    }
    let known = if names.is_empty() { "none".into() } else { names.join(", ") };
    Err(format!("{messages}there is no kernel `{}` in {}; there are {known}", wish.kernel, wish.file))
}

/// The text, its blocks, and the folder of its package.
fn read(file: &str) -> Result<(String, Vec<TokenStream>, PathBuf), String> {
    let path = Path::new(file);
    let text = fs::read_to_string(path).map_err(|error| format!("cannot read {file}: {error}"))?;
    let tokens: TokenStream = text.parse().map_err(|error| match unbalanced(&text) {
        Some((line, column, wrong)) => format!("{file}:{line}:{column}: {wrong}"),
        None => format!("{file}: {error}"),
    })?;
    let blocks = match path.extension().is_some_and(|end| end == "rs") {
        true => blocks(&text),
        false => vec![tokens],
    };
    Ok((text, blocks, package_root(path)))
}

/// The nearest folder with a manifest, from which `use \"path.rise\"` counts.
fn package_root(file: &Path) -> PathBuf {
    let absolute = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let root = absolute.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").exists());
    root.map_or_else(|| PathBuf::from("."), Path::to_owned)
}
