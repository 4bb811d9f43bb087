//! `RISE_ISA` is read once in a process, so each name takes a process of its own: this test, run again.

use rise_runtime::{Level, dispatch};
use std::process::Command;

/// What the process that is asked prints: the name of the level or the error.
fn answer(requested: Option<&str>) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "the_process_that_is_asked", "--nocapture"]);
    match requested {
        Some(name) => command.env(dispatch::VARIABLE, name),
        None => command.env_remove(dispatch::VARIABLE),
    };
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    let line = output.lines().find_map(|line| line.split_once("answer: ").map(|(_, answer)| answer));
    line.unwrap_or_else(|| panic!("no answer in {output}")).to_owned()
}

/// Says something only to the others, which run it in a process of its own.
#[test]
#[allow(clippy::print_stdout)]
fn the_process_that_is_asked() {
    match dispatch::variant() {
        Ok(name) => println!("answer: {name}"),
        Err(error) => println!("answer: {error}"),
    }
}

#[test]
fn each_level_can_be_asked_for_by_name() {
    for level in Level::ALL {
        let answer = answer(Some(level.name()));
        if level.is_supported() {
            assert_eq!(answer, level.name());
        } else {
            assert!(
                answer.starts_with(&format!("instruction set `{}`: this CPU has no ", level.name())),
                "{answer}"
            );
        }
    }
}

#[test]
fn without_a_name_the_best_one_is_taken() {
    let best = Level::ALL.into_iter().rfind(|level| level.is_supported()).unwrap();
    assert_eq!(answer(None), best.name());
    assert_eq!(answer(Some("")), best.name());
}

#[test]
fn an_unknown_name_is_an_error() {
    assert_eq!(
        answer(Some("AVX2")),
        "instruction set `AVX2`: RISE_ISA takes the names `avx512`, `avx2` and `baseline`"
    );
}
