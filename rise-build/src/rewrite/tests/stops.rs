//! Why repetitions ended, as the story of a rewriting tells it.

use super::compile;

/// The ends of the repetitions of each step, in words.
fn stops(strategy: &str) -> Vec<Vec<String>> {
    let program = format!(
        "pub fn f<n: Nat>(xs: [f32; n]) -> [f32; n] {{
            xs |> map(|x| x + 1.0) |> map(|x| x * 2.0) |> map(|x| x - 3.0) |> map(|x| x * x)
        }}
        compile f to rust with {strategy};"
    );
    let (_, trace) = compile(&program).after.unwrap_or_else(|message| panic!("{message}"));
    let text = |step: &crate::rewrite::trace::Step| step.stops.iter().map(ToString::to_string).collect();
    trace.steps.iter().map(text).collect()
}

#[test]
fn a_repetition_tells_which_rule_did_not_apply_any_more() {
    let told = stops("mapSeq @ everywhere ; repeat(topDown(mapFusion))");
    assert_eq!(told[0].len(), 1);
    let [only] = told[1].as_slice() else { panic!("{told:?}") };
    assert!(
        only.starts_with("repeat(mapFusion) was done 0 times; then `mapFusion` did not apply: "),
        "{only}"
    );
    let told = stops("repeat(mapFusion)");
    assert!(told[0][0].starts_with("repeat(mapFusion) was done 3 times; then `mapFusion` did not apply: "));
}

#[test]
fn a_bound_is_a_reason_of_its_own() {
    assert_eq!(
        stops("repeat(2, mapFusion)"),
        [["repeat(2, mapFusion) was done 2 times, as often as was asked for"]]
    );
    assert_eq!(stops("repeat(5, id)"), [["repeat(5, id) was done 0 times; once more changes nothing"]]);
    // What is made anew may be what was there.
    assert_eq!(stops("repeat(lower)"), [["repeat(lower) was done once; once more changes nothing"]]);
    let told = stops("repeat(5, mapFusion)");
    assert!(told[0][0].starts_with("repeat(5, mapFusion) was done 3 times; then"), "{told:?}");
}

#[test]
fn labels_that_a_repetition_places_stay() {
    let program =
        "rule mark<n: Nat, s: Data, t: Data, f: s -> t>(xs: [s; n]): xs |> map(f) => xs |> 'a: map(f);
        pub fn f<n: Nat>(xs: [f32; n]) -> [f32; n] { xs |> map(|x| x + 1.0) }";
    for repeated in ["repeat(mark)", "repeat(1, mark)", "repeat(repeat(2, mark))"] {
        let marked = format!("{program} compile f to rust with {repeated} ; mapPar @ 'a ; lower;");
        let (body, _) = compile(&marked).after.unwrap_or_else(|message| panic!("{repeated}: {message}"));
        assert!(body.to_string().contains("mapPar"), "{repeated}: {body}");
    }
}

#[test]
fn walking_everywhere_ends_where_nothing_applies() {
    let told = stops("mapFusion @ everywhere ; normalize(mapFusion)");
    assert_eq!(told[0].len(), 1, "{told:?}");
    assert!(told[0][0].ends_with("it applies nowhere any more"), "{told:?}");
    assert_eq!(told[1], ["mapFusion everywhere was done 0 times; it applies nowhere any more"]);
}

#[test]
fn what_is_undone_did_not_end() {
    assert_eq!(stops("try(repeat(mapFusion) ; fail) ; id"), [[""; 0], [""; 0]]);
}
