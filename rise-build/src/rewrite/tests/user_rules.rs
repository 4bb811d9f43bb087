//! Rules that users write.

use super::*;
use crate::rewrite::user::{UserRule, Verdict, trial};

fn rule(text: &str) -> Result<std::rc::Rc<UserRule>, String> {
    let _session = Session::start();
    let (module, wrong) = syntax::parse(text.parse().unwrap_or_else(|error| panic!("{error}")));
    assert!(wrong.is_empty(), "{wrong:?}");
    let item = module.items.iter().find_map(|item| match item {
        ast::Item::Rule(rule) => Some(rule),
        _ => None,
    });
    UserRule::new(&module, item.expect("a rule"))
        .map_err(|wrong| wrong.iter().map(|wrong| wrong.headline()).collect::<Vec<_>>().join("\n"))
}

fn holds(text: &str) {
    match trial(&rule(text).unwrap_or_else(|message| panic!("{message}\n{text}")), 60) {
        Verdict::Holds(_) => {}
        other => panic!("{other:?}\n{text}"),
    }
}

fn fails(text: &str) {
    match trial(&rule(text).unwrap_or_else(|message| panic!("{message}\n{text}")), 60) {
        Verdict::Fails(_) => {}
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn right_rules_hold() {
    holds(
        "rule fuse<n: Nat, r: Data, s: Data, t: Data>(f: r -> s, g: s -> t, xs: [r; n]):
        xs |> map(f) |> map(g) => xs |> map(|x| g(f(x)));",
    );
    holds(
        "rule cut<m: Nat, n: Nat, s: Data, t: Data, f: s -> t>(xs: [s; n]):
        xs |> map(f) => xs |> split(m) |> map(map(f)) |> join where m divides n, m > 0;",
    );
    holds(
        "rule blocks<m: Nat, n: Nat, t: Data, f: t -> t -> t>(z: t, xs: [t; n]):
        xs |> reduce(f, z) => xs |> split(m) |> map(reduce(f, z)) |> reduce(f, z)
        where m divides n, m > 0, neutral(f, z);",
    );
    holds(
        "rule back<n: Nat, t: Data, f: t -> t -> t>(z: t, xs: [t; n]):
        xs |> reduce(f, z) => xs |> reduce(|a, b| f(b, a), z) where commutative(f);",
    );
    holds(
        "rule swapped<n: Nat, m: Nat, s: Data, t: Data, f: s -> t>(xs: [[s; m]; n]):
        xs |> map(map(f)) |> transpose => xs |> transpose |> map(map(f));",
    );
    holds("rule distribute(a: f32, b: f32, c: f32): a * b + a * c => a * (b + c);");
}

#[test]
fn wrong_rules_fail() {
    fails(
        "rule lost<n: Nat, r: Data, s: Data>(f: r -> s, g: s -> s, xs: [r; n]):
        xs |> map(f) |> map(g) => xs |> map(f);",
    );
    fails(
        "rule blocks<m: Nat, n: Nat, t: Data, f: t -> t -> t>(z: t, xs: [t; n]):
        xs |> reduce(f, z) => xs |> split(m) |> map(reduce(f, z)) |> reduce(f, z) where m divides n, m > 0;",
    );
    fails(
        "rule back<n: Nat, t: Data, f: t -> t -> t>(z: t, xs: [t; n]):
        xs |> reduce(f, z) => xs |> reduce(|a, b| f(b, a), z);",
    );
    fails("rule off<n: Nat>(xs: [f32; n]): xs |> map(|x| x + 1.0) => xs;");
    fails("rule turned<n: Nat, t: Data>(xs: [[t; n]; n]): xs |> transpose => xs;");
}

#[test]
fn rules_that_say_too_little_are_refused() {
    let message = |text: &str| rule(text).err().unwrap_or_else(|| panic!("accepted: {text}"));
    assert!(
        message("rule r<n: Nat>(xs: [f32; n], ys: [f32; n]): xs |> map(|x| x) => ys;")
            .contains("does not mention `ys`")
    );
    assert!(message("rule r<n: Nat>(xs: [f32; n]): xs |> map(|x| x) => zs;").contains("unknown name `zs`"));
    assert!(
        message("rule r<n: Nat, m: Nat>(xs: [[f32; m]; n]): xs |> transpose => xs;").contains("both sides")
    );
    assert!(
        message("rule r<n: Nat, t: Data>(xs: [t; n]): xs |> map(|x| x + x) => xs;").contains("needs scalars")
    );
    assert!(message("rule r<f: f32 -> f32>(x: f32): f(x) => x;").contains("does not tell what `f` is"));
    assert!(
        message("rule r<n: Nat>(xs: [f32; n]): xs |> map(|x| x) => xs where pure(xs);")
            .contains("no condition `pure`")
    );
}

const FUSE: &str = "rule fuse<n: Nat, r: Data, s: Data, t: Data>(f: r -> s, g: s -> t, xs: [r; n]):
    xs |> map(f) |> map(g) => xs |> map(|x| g(f(x)));";

#[test]
fn used_as_rules_of_the_catalogue_are() {
    let program = format!(
        "{FUSE} pub fn k<n: Nat, m: Nat>(a: f32, xs: [[f32; m]; n]) -> [[f32; m]; n] {{
            xs |> map(|row| row |> 'p: map(|x| (x, x * a)) |> 'q: map(|(x, y)| x + y * x))
        }}
        compile k to rust with fuse @ 'q ; mapSeq @ ('p) ; lower;"
    );
    let kernel = rewritten(&program, &[&[0, 3], &[3, 2], &[4, 0]]);
    assert!(!kernel.to_string().contains("|> map"), "{kernel}");
}

#[test]
fn naturals_that_the_left_side_leaves_open_are_arguments() {
    let program = "rule cut<m: Nat, n: Nat, s: Data, t: Data, f: s -> t>(xs: [s; n]):
            xs |> map(f) => xs |> split(m) |> map(map(f)) |> join where m divides n, m > 0;
        pub fn k<n: Nat>(xs: [f32; n]) -> [f32; n] { xs |> map(|x| x * 2.0) }
        compile k to rust with cut(4) @ outermost(isMap) ; lower;";
    let kernel = rewritten(program, &[&[0], &[4], &[8]]);
    assert_eq!(kernel.obligations.len(), 1, "{kernel}");
    let too_many = program.replace("cut(4)", "cut");
    let message = compile(&too_many).after.err().unwrap_or_default();
    assert!(message.contains("takes one natural, here are 0"), "{message}");
}

#[test]
fn rules_that_grow_for_ever_are_stopped() {
    let places = [
        "repeat(r)",
        "r @ everywhere",
        "repeat(r @ topDown)",
        "repeat(r @ bottomUp)",
        "repeat(r @ innermost(isLiteral))",
    ];
    let rules = [
        "(x: f32): x + 1.0 => x + 0.5 + 1.0",
        "(x: f32, y: f32): x + y => (x + y) + (x + y)",
        "(x: f32): x => x * 1.0",
    ];
    for (place, rule) in places.iter().flat_map(|place| rules.iter().map(move |rule| (place, rule))) {
        let program = format!(
            "rule r{rule}; pub fn k(x: f32) -> f32 {{ x + 1.0 }} compile k to rust with {place} ; lower;"
        );
        if let Err(message) = compile(&program).after {
            assert!(message.contains("for ever") || message.contains("no place"), "{program}: {message}");
        }
    }
}
