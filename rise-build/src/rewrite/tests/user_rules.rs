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
    holds("rule square(x: i32, y: i32): x * x - y * y => (x - y) * (x + y);");
    holds(
        "rule halves<n: Nat>(xs: [i32; n]): xs |> reduce(add, 0) => (xs |> take(n / 2) |> reduce(add, 0)) + (xs |> drop(n / 2) |> reduce(add, 0));",
    );
    holds("rule last<n: Nat>(xs: [i32; n + 1]): (xs |> scan(add, 0))[n] => xs |> reduce(add, 0);");
    holds(
        "rule windows<n: Nat, s: Data, t: Data>(f: [s; 3] -> t, xs: [s; n + 3]): xs |> slide(3, 1) |> map(f) => generate(|i| f((xs |> slide(3, 1))[i]));",
    );
    holds(
        "rule long<n: Nat>(xs: [i32; n]): xs |> drop(1000) => xs |> drop(500) |> drop(500) where n >= 1000;",
    );
}

#[test]
fn what_holds_for_small_values_alone_fails() {
    for rule in [
        "w(x: i32): (x as i8) as i32 => x",
        "w(x: i32): (x as u32) as i64 => x as i64",
        "w(x: f32): (x as i32) as f32 => x",
        "w(x: i32): min(x, 100) => x",
        "w(x: u8): x + 1 - 1 => min(x, 254)",
        "w(x: i32): x * 65536 / 65536 => x",
        "w(x: i32): abs(x) => max(x, 0 - x - 1)",
        "w(x: i64): 0 - x => if x < -9223372036854775807 { 0 } else { -x }",
    ] {
        fails(&format!("rule {rule};"));
    }
}

#[test]
fn what_holds_without_zero_or_sign_alone_fails() {
    for rule in [
        "w(x: i32, y: i32): x / y * y => x",
        "w(x: i32): x / x => 1",
        "w(x: f32): x / x => 1.0",
        "w(x: i32): x / 2 => shr(x, 1)",
        "w(x: i32, y: i32): (x + y) % y => x % y",
        "w(x: f32): sqrt(x * x) => x",
        "w(x: f32): exp(ln(x)) => x",
        "w<n: Nat>(xs: [i32; n]): xs |> reduce(min, 1000) => xs |> reduce(max, -1000)",
    ] {
        fails(&format!("rule {rule};"));
    }
}

#[test]
fn what_mixes_up_elements_or_functions_fails() {
    for rule in [
        "w<n: Nat, s: Data>(xs: [s; n + 1]): xs |> drop(1) => xs |> take(n)",
        "w<m: Nat, n: Nat, s: Data>(xs: [s; n]): xs |> map(|x| x) => xs |> split(m) |> transpose |> join where m divides n, m > 0",
        "w<n: Nat, s: Data>(f: s -> s, g: s -> s, xs: [s; n]): xs |> map(f) |> map(g) => xs |> map(|x| f(g(x)))",
        "w<n: Nat, s: Data, t: Data, f: s -> s -> t>(xs: [s; n]): xs |> map(|x| xs |> map(|y| f(x, y))) => xs |> map(|x| xs |> map(|y| f(y, x)))",
        "w<n: Nat>(xs: [i32; n], ys: [i32; n]): zip(xs, ys) |> map(|(a, b)| a - b) => zip(ys, xs) |> map(|(a, b)| a - b)",
        "w<n: Nat>(xs: [f32; n + 1]): xs |> padClamp(1, 1) => xs |> padCst(1, 1, 0.0)",
        "w<n: Nat, t: Data, f: t -> t -> t>(z: t, xs: [t; n]): xs |> reduce(f, z) => f(z, xs |> reduce(f, z))",
        "w<n: Nat, t: Data, f: t -> t -> t>(z: t, xs: [t; n]): xs |> reduce(f, z) => xs |> reorder(|i| n - 1 - i, |i| n - 1 - i) |> reduce(f, z)",
    ] {
        fails(&format!("rule {rule};"));
    }
}

/// A kernel after a rule, or why the rule does not apply.
fn applied(rule: &str, kernel: &str, place: &str) -> Result<(), String> {
    let program = format!("rule r{rule}; pub fn k{kernel} compile k to rust with r @ {place} ; lower;");
    compile(&program).after?;
    rewritten(&program, &[&[0, 0], &[1, 1], &[3, 2], &[4, 6]]);
    Ok(())
}

#[test]
fn what_stands_twice_on_the_left_is_the_same_term() {
    let double = "(x: f32): x + x => 2.0 * x";
    let kernel = |body: &str| {
        format!(
            "<n: Nat, m: Nat>(a: [f32; n], b: [f32; n]) -> [f32; n] {{ zip(a, b) |> map(|(x, y)| {body}) }}"
        )
    };
    assert_eq!(applied(double, &kernel("x * y + x * y"), "topDown"), Ok(()));
    assert!(applied(double, &kernel("x * y + y * x"), "topDown").is_err());
    assert!(applied(double, &kernel("x + y"), "topDown").is_err());
    let same = "<n: Nat, s: Data>(xs: [s; n]): zip(xs, xs) => xs |> map(|x| (x, x))";
    let kernel = |ys: &str| {
        format!(
            "<n: Nat, m: Nat>(a: [f32; n], b: [f32; n]) -> [f32; n] {{ zip(a |> map(|x| x + 1.0), {ys}) |> map(|(x, y)| x * y) }}"
        )
    };
    assert_eq!(applied(same, &kernel("a |> map(|y| y + 1.0)"), "topDown"), Ok(()));
    assert!(applied(same, &kernel("b |> map(|y| y + 1.0)"), "topDown").is_err());
    assert!(applied(same, &kernel("a |> map(|y| y + 2.0)"), "topDown").is_err());
}

#[test]
fn nothing_is_moved_out_of_the_scope_of_what_it_mentions() {
    let hoist = "<n: Nat, m: Nat, r: Data, s: Data, t: Data>(f: s -> t, xs: [r; n], ys: [s; m]):
        xs |> map(|x| ys |> map(|y| f(y))) => ys |> map(|y| xs |> map(|x| f(y))) |> transpose";
    let kernel = |body: &str| {
        format!(
            "<n: Nat, m: Nat>(a: [f32; n], b: [f32; m], c: f32) -> [[f32; m]; n] {{ a |> 'o: map(|x| b |> map(|y| {body})) }}"
        )
    };
    assert_eq!(applied(hoist, &kernel("y * c + 1.0"), "'o"), Ok(()));
    assert!(applied(hoist, &kernel("y * x"), "'o").is_err());
    // Nor may the array depend on what is bound around it.
    let kernel =
        "<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; m]; n] { a |> 'o: map(|x| x |> map(|y| y * 2.0)) }";
    assert!(applied(hoist, kernel, "'o").is_err());
    // What is the rule's own variable and a variable of the program have one name.
    let swap = "<n: Nat, m: Nat, s: Data, t: Data, u: Data, f: s -> t -> u>(xs: [s; n], ys: [t; m]):
        xs |> map(|x| ys |> map(|y| f(x, y))) => ys |> map(|x| xs |> map(|y| f(y, x))) |> transpose";
    let kernel = "<n: Nat, m: Nat>(x: f32, y: f32, a: [f32; n], b: [f32; m]) -> [[f32; m]; n] {
        a |> 'o: map(|b1| b |> map(|a1| a1 * x + b1 * y)) }";
    assert_eq!(applied(swap, kernel, "'o"), Ok(()));
}

#[test]
fn relations_of_sizes_are_proved_checked_or_refused() {
    let cut = |clause: &str| {
        format!(
            "<n: Nat, s: Data, t: Data, f: s -> t>(xs: [s; n]): xs |> map(f) => xs |> split(4) |> map(map(f)) |> join where {clause}"
        )
    };
    let kernel =
        |length: &str| format!("(a: [f32; {length}]) -> [f32; {length}] {{ a |> 'o: map(|x| x * 2.0) }}");
    let sized = |clause: &str, length: &str| {
        let program = format!(
            "rule r{}; pub fn k{} compile k to rust with r @ 'o ; lower;",
            cut(clause),
            kernel(length)
        );
        compile(&program).after.map(|(kernel, _)| kernel.obligations.len())
    };
    assert_eq!(sized("4 divides n", "8"), Ok(0));
    assert!(sized("4 divides n", "6").is_err());
    assert!(sized("4 divides n, n > 8", "8").is_err());
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
    assert!(message.contains("takes one natural, 0 given"), "{message}");
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
