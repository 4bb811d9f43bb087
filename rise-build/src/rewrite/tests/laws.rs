//! What is declared of operators, and what of tuples is known component by component.

use super::*;

/// The fold of `xs` by an operator that is declared so, under the strategy.
fn folded(attributes: &str, strategy: &str) -> String {
    format!(
        "{attributes} fn far(a: i32, b: i32) -> i32 {{ if a * a > b * b {{ a }} else {{ if b * b > a * a {{ b }} else {{ max(a, b) }} }} }}
        pub fn k<n: Nat>(xs: [i32; n]) -> i32 {{ xs |> 'f: reduce(far, -3) }}
        compile k to rust with {strategy} ; lower;"
    )
}

const SIZES: [&[i128]; 6] = [&[0], &[1], &[4], &[7], &[8], &[37]];

#[test]
fn declared_operators_are_folded_in_lanes() {
    for strategy in
        ["vectorize(4) @ 'f", "lanesPeel(4) @ 'f", "lanes(4) @ 'f", "vectorize(8, tail = exact) @ 'f"]
    {
        let kernel = rewritten(&folded("#[commutative]", strategy), &SIZES);
        assert!(kernel.to_string().contains("padCst"), "{kernel}");
    }
    let message = refused(&folded("", "vectorize(4) @ 'f"));
    assert!(message.contains("not known to be commutative; `#[commutative]`"), "{message}");
    assert!(refused(&folded("#[associative]", "lanes(4) @ 'f")).contains("not known to be commutative"));
}

#[test]
fn lengths_that_are_known_need_no_padding() {
    let program =
        folded("#[commutative]", "vectorize(4) @ 'f").replace("<n: Nat>", "").replace("; n]", "; 37]");
    let kernel = rewritten(&program, &[&[]]);
    assert!(!kernel.to_string().contains("padCst"), "{kernel}");
}

#[test]
fn operators_without_a_known_neutral_element_are_folded_in_blocks() {
    for strategy in ["blockReduce(4) @ 'f", "blockedReduce(4) @ 'f", "laneBlocks(4) @ 'f", "parallel @ 'f"] {
        rewritten(&folded("", strategy), &SIZES);
    }
}

#[test]
fn nothing_is_padded_with_what_is_not_known_to_be_neutral() {
    let message = refused(&folded("#[commutative]", "vectorize(4, tail = pad) @ 'f"));
    assert!(message.contains("no neutral element"), "{message}");
}

#[test]
fn declarations_hold_for_all_types_and_sizes() {
    let program =
        "#[commutative] fn both<n: Nat, t: Data>(a: [(t, i32); n], b: [(t, i32); n]) -> [(t, i32); n] {
            zip(a, b) |> map(|(p, q)| if p.1 < q.1 { q } else { (p.0, p.1) }) }
        pub fn k<n: Nat, m: Nat>(xs: [[(f32, i32); m]; n], z: [(f32, i32); m]) -> [(f32, i32); m] {
            xs |> 'f: reduce(both, z) }
        compile k to rust with lanesPeel(4) @ 'f ; lower;";
    let attempt = compile(program).after;
    assert!(attempt.is_ok(), "{:?}", attempt.err());
}

#[test]
fn users_rules_ask_for_what_is_declared() {
    let rule = "rule back<n: Nat, t: Data, f: t -> t -> t>(z: t, xs: [t; n]):
        xs |> reduce(f, z) => xs |> reduce(|a, b| f(b, a), z) where commutative(f), associative(f);";
    let program = |attributes: &str| format!("{rule} {}", folded(attributes, "back @ 'f"));
    rewritten(&program("#[commutative] #[associative]"), &SIZES);
    assert!(refused(&program("#[associative]")).contains("`f` is not known to be commutative"));
    // `reduce` declares its operator associative.
    rewritten(&program("#[commutative]"), &SIZES);
}

#[test]
fn tuples_of_known_operators_are_known() {
    let program = |strategy: &str| {
        format!(
            "pub fn k<n: Nat>(xs: [(i32, f32); n]) -> (i32, f32) {{
                xs |> 'f: reduce(|a, b| (a.0 + b.0, max(b.1, a.1)), (5, 1.5)) }}
            compile k to rust with {strategy} ; lower;"
        )
    };
    for strategy in ["vectorize(4) @ 'f", "lanesPeel(4) @ 'f", "blockReduce(4) @ 'f", "lanes(4) @ 'f"] {
        let kernel = rewritten(&program(strategy), &SIZES);
        assert!(!kernel.to_string().contains("padCst"), "{kernel}");
    }
}

#[test]
fn operators_that_are_known_not_to_be_associative_keep_their_order() {
    let program = "pub fn k<n: Nat>(xs: [i32; n]) -> i32 { xs |> 'f: reduce(|a, b| a - b, 0) }
        compile k to rust with blockReduce(4) @ 'f ; lower;";
    assert!(refused(program).contains("known not to be associative"));
    for strategy in ["parallel @ 'f", "blockReduce(4) @ 'f", "vectorize(4) @ 'f"] {
        let program = format!(
            "pub fn k<n: Nat>(xs: [i32; n]) -> i32 {{ xs |> 'f: reduce(|a, b| a + b * b, 0) }}
            compile k to rust with {strategy} ; lower;"
        );
        assert!(refused(&program).contains("`a + g(b)` is written `map(g) |> reduce(add, z)`"), "{strategy}");
    }
}

#[test]
fn operators_that_are_not_associative_are_found_by_numbers() {
    let program = |attribute: &str, ty: &str, op: &str, zero: &str, strategy: &str| {
        format!(
            "{attribute} fn op(a: {ty}, b: {ty}) -> {ty} {{ {op} }}
            pub fn k<n: Nat>(xs: [{ty}; n]) -> {ty} {{ xs |> 'f: reduce(op, {zero}) }}
            compile k to rust with {strategy} ; lower;"
        )
    };
    let strategies = ["parallel @ 'f", "blockReduce(4) @ 'f", "reducePar @ 'f"];
    for (ty, op, zero) in [
        ("f32", "a * 0.5 + b", "0.0"),
        ("i32", "a + b + a * b * b", "0"),
        ("u8", "2 * (a ^ b)", "0"),
        ("(f64, f64)", "(a.0 + b.0, (a.1 + b.1) * 0.5)", "(0.0, 0.0)"),
    ] {
        for strategy in strategies {
            let text = refused(&program("", ty, op, zero, strategy));
            assert!(text.contains("as some numbers show"), "{op}: {text}");
        }
        // What is declared is the user's to answer for.
        compile(&program("#[associative]", ty, op, zero, strategies[0])).after.unwrap();
    }
    for (ty, op, zero) in [
        ("f32", "a + b + a * b", "0.0"),
        ("f64", "a * b / (a + b)", "1.0"),
        ("i64", "(a + b) % 7", "0"),
        ("bool", "a != b", "false"),
        ("(f32, f32)", "(a.0 * b.0, a.0 * b.1 + a.1)", "(1.0, 0.0)"),
        ("(f32, i32)", "if a.0 > b.0 { a } else { b }", "(0.0, 0)"),
    ] {
        for strategy in &strategies[..2] {
            compile(&program("", ty, op, zero, strategy)).after.unwrap_or_else(|text| panic!("{op}: {text}"));
        }
    }
}

#[test]
fn labels_are_no_sizes() {
    for step in ["split('f, 8)", "tile(8, 'f) @ 'f", "vectorize('f) @ 'f"] {
        let program = format!(
            "pub fn k<n: Nat>(xs: [i32; n]) -> [i32; n] {{ xs |> 'f: map(|x| x + 1) }}
            compile k to rust with {step} ; lower;"
        );
        assert!(refused(&program).contains("where it works stands behind `@`"), "{step}");
    }
}
