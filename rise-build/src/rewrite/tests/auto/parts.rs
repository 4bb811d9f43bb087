//! Maps that give several arrays.

use super::*;

/// Each array by itself, in its own layout, in parallel and in lanes.
#[test]
fn parts_of_pairs_are_maps_of_their_own() {
    let body = auto(
        "pub fn f<n: Nat>(x: [f32; n], y: [f32; n]) -> ([[f32; n]; 2], [f32; n]) {
            let both = generate(|i| { let s = x[i] + y[i]; ([s, x[i] - y[i]], s * 2.0) }) |> unzip;
            (both.0 |> transpose, both.1)
        }",
        SIZES1,
    );
    assert!(!body.contains("unzip") && !body.contains("toMem"), "{body}");
    assert!(body.contains("mapPar") && body.contains("mapVec"), "{body}");
}

/// What is used twice is stored, once.
#[test]
fn parts_that_are_used_often_are_stored() {
    let body = auto(
        "pub fn f<n: Nat>(x: [f32; n]) -> ([f32; n], f32, [f32; n]) {
            let both = x |> map(|x| if x > 0.5 { (x, 1.0) } else { (0.0 - x, x) }) |> unzip;
            (both.0, both.0 |> reduceSeq(add, 0.0), both.1)
        }",
        SIZES1,
    );
    assert!(!body.contains("unzip"), "{body}");
    assert_eq!(body.matches("toMem").count(), 1, "{body}");
}

/// What takes long is computed for both at once.
#[test]
fn parts_that_take_long_are_written_together() {
    for f in ["(r |> reduceSeq(add, 0.0), r |> reduceSeq(mul, 1.0))", "(exp(r[0]), exp(0.0 - r[0]))"] {
        let program = format!(
            "pub fn f<n: Nat>(x: [[f32; 3]; n]) -> ([f32; n], [f32; n]) {{
                let both = x |> map(|r| {f}) |> unzip;
                (both.0, both.1)
            }}"
        );
        let body = auto(&program, SIZES1);
        assert_eq!(body.matches("unzip").count(), 1, "{body}");
        assert!(body.contains("mapPar") && !body.contains("toMem"), "{body}");
    }
}
