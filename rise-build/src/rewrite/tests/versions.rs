//! Versions of a kernel that are chosen at run time, and repetition.

use super::{refused, rewritten};

const SCAL: &str = "pub fn scal<n: Nat>(a: f32, x: [f32; n]) -> [f32; n] { x |> 'x: map(|x| a * x) }";
const SIZES: &[&[i128]] = &[&[0], &[1], &[4], &[7], &[32], &[35]];

fn scal(strategy: &str) -> String {
    rewritten(&format!("{SCAL} compile scal to rust with {strategy};"), SIZES).body.to_string()
}

fn wrong(strategy: &str) -> String {
    refused(&format!("{SCAL} compile scal to rust with {strategy};"))
}

#[test]
fn one_for_small_sizes() {
    let text = scal("versions { when n < 8 => mapSeq @ 'x ; vectorize(4) @ 'x } ; lower");
    assert!(text.starts_with("if n < 8 {") && text.contains("mapVec"), "{text}");
    let text = scal(
        "versions { when 4 divides n => split(4, tail = exact) @ 'x ; lower ; when n == 1, n > 0 => lower ; lower }",
    );
    assert!(text.contains("n % 4 == 0"), "{text}");
}

#[test]
fn a_version_asks_for_nothing_that_its_condition_does_not_say() {
    let text = wrong("versions { when n > 8 => split(4, tail = exact) @ 'x ; lower } ; lower");
    assert!(text.contains("4 divides n") && text.contains("follow"), "{text}");
    let text = wrong("versions { when n > 8 => lower }");
    assert!(text.contains("no condition holds"), "{text}");
    let text = wrong("versions { lower ; when n > 8 => lower ; lower }");
    assert!(text.contains("stands last"), "{text}");
}

#[test]
fn repetitions_end() {
    let text = wrong("repeat(copyAfter) ; lower");
    assert!(text.contains("ever deeper"), "{text}");
    assert_eq!(scal("repeat(2, mapIdentityAfter) ; lower").matches("map").count(), 3);
}
