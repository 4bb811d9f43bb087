//! The command `rise`.

use std::process::{Command, Output};

fn rise(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rise")).args(args).output().expect("the command starts")
}

fn shown(args: &[&str]) -> String {
    let output = rise(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn refused(args: &[&str]) -> String {
    let output = rise(args);
    assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).expect("text")
}

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels.rs");

#[test]
fn every_form_is_shown() {
    let parts = [
        (1, "pub fn scaled"),
        (2, "map"),
        (3, "mapSeq"),
        (4, "mapSeq"),
        (5, "for"),
        (6, "output["),
        (7, "fn "),
    ];
    for (stage, part) in parts {
        let text = shown(&["show", FILE, "scaled", "--stage", &stage.to_string()]);
        assert!(text.contains(part), "stage {stage}:\n{text}");
    }
    let all = shown(&["show", FILE, "scaled"]);
    assert!(all.contains("// 2-typed.rise") && all.contains("// 6-loops.txt"), "{all}");
    assert!(shown(&["loops", FILE, "scaled"]).starts_with("kernel scaled("));
}

#[test]
fn every_step_is_shown() {
    assert!(shown(&["show", FILE, "scaled", "--step", "0"]).contains("map("));
    let first = shown(&["show", FILE, "scaled", "--stage", "3", "--step", "1"]);
    assert!(first.starts_with("-- 1: splitJoin(4) @ 'all\n") && first.contains("split(4)"), "{first}");
    assert!(refused(&["show", FILE, "scaled", "--step", "9"]).contains("the strategy has 2 steps"));
}

#[test]
fn rules_are_shown() {
    assert!(shown(&["rules"]).contains("mapFusion"));
    assert!(shown(&["rules", "fuseMap"]).starts_with("mapFusion, also fuseMap"));
    assert!(shown(&["rules", "interchange"]).starts_with("swap"));
    assert!(refused(&["rules", "splitJon"]).contains("there is `splitJoin`"));
}

#[test]
fn mistakes_are_told() {
    assert!(refused(&[]).contains("rise show"));
    assert!(refused(&["show", FILE]).contains("usage: rise show"));
    assert!(refused(&["show", FILE, "scald"]).contains("there are scaled"));
    assert!(refused(&["show", FILE, "scaled", "--stage", "8"]).contains("stages 1 to 7"));
    assert!(refused(&["show", FILE, "scaled", "--stage"]).contains("takes a number"));
    assert!(refused(&["show", "no/such.rs", "scaled"]).contains("cannot read"));
    // What can be shown is shown, and the mistake told all the same.
    let path = concat!(env!("CARGO_TARGET_TMPDIR"), "/mistake.rise");
    std::fs::write(path, "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|a| a + b) }")
        .expect("a file");
    let wrong = refused(&["loops", path, "f"]);
    assert!(wrong.contains("unknown name `b`") && !wrong.contains("no loops"), "{wrong}");
    let output = rise(&["show", path, "f", "--stage", "1"]);
    let (text, wrong) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        !output.status.success() && text.contains("pub fn f") && wrong.contains("unknown name `b`"),
        "{wrong}"
    );
}

#[test]
fn colour_on_demand() {
    assert!(!shown(&["loops", FILE, "scaled"]).contains('\x1b'));
    assert!(shown(&["loops", FILE, "scaled", "--colour"]).contains('\x1b'));
}
