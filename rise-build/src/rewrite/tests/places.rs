//! Traversals as places and as functions.

use super::{refused, rewritten};

/// A kernel of two nested maps in a row, under a strategy.
fn nests(strategy: &str) -> String {
    format!(
        "pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; m]; n] {{
            a |> map(|r| r |> map(|x| x - 1.0)) |> map(|r| r |> map(|x| x * 2.0) |> map(|x| x + 1.0)) }}
        compile f to rust with {strategy} ; lower;"
    )
}

/// What the strategy alone makes of it, with the variables as they are.
fn after(strategy: &str) -> String {
    let program = nests(strategy).replace(" ; lower;", ";");
    let (kernel, _) =
        super::compile(&program).after.unwrap_or_else(|message| panic!("{strategy}: {message}"));
    kernel.to_string()
}

#[test]
fn a_place_says_the_same_as_a_function() {
    for [place, function] in [
        ["mapSeq @ argument", "argument(mapSeq)"],
        ["mapSeq @ argument(0)", "argument(mapSeq)"],
        ["mapFusion @ body", "body(mapFusion)"],
        ["mapSeq @ body(argument)", "body(argument(mapSeq))"],
        ["mapSeq @ argument(body)", "argument(body(mapSeq))"],
        ["mapSeq @ argument(outermost(isMap))", "argument(outermost(isMap, mapSeq))"],
        ["mapSeq @ position(0)", "position(0, mapSeq)"],
    ] {
        let (at, applied) = (after(place), after(function));
        assert_eq!(at, applied, "{place}");
        assert_ne!(at, after("id"), "{place}");
    }
}

#[test]
fn the_argument_is_the_array_that_is_worked_on() {
    let text = after("mapSeq @ argument");
    assert_eq!(text.matches("mapSeq").count(), 1, "{text}");
    assert!(text.find("mapSeq") < text.find("map("), "{text}");
    rewritten(&nests("mapFusion @ body"), &[&[0, 3], &[3, 2]]);
    assert!(refused(&nests("mapSeq @ argument(argument(argument))")).contains("does not apply"));
}

#[test]
fn repeat_takes_how_often_on_either_side() {
    let [first, last] = ["repeat(2, topDown(mapSeq))", "repeat(topDown(mapSeq), 2)"].map(after);
    assert_eq!(first, last);
    assert_eq!(first.matches("mapSeq").count(), 2, "{first}");
    assert_eq!(after("repeat(mapSeq, 1)"), after("mapSeq"));
}
