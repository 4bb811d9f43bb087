//! Images that are made of images, stage by stage, at random.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

use super::auto;

/// What is made of `X`, the image before, and `Y`, an earlier one; `OF` is made of a window `w` of a row or a column, and
/// `MADE` of a window of an image.
const STAGES: &[&str] = &[
    "X |> map(|r| r |> padClamp(1, 1) |> slide(3, 1) |> map(|w| OF))",
    "X |> map(|r| r |> padCst(1, 1, 0.0) |> slide(3, 1) |> map(|w| OF))",
    "X |> transpose |> map(|r| r |> padClamp(1, 1) |> slide(3, 1) |> map(|w| OF)) |> transpose",
    "X |> padClamp(1, 1) |> slide(3, 1) |> map(|rows| rows |> transpose |> map(|w| OF))",
    "X |> map(|r| r |> padCst(1, 1, 0.0)) |> padClamp(1, 1) |> slide2D(3, 1) |> map2D(|w| MADE)",
    "X |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w| MADE)",
    "X |> map2D(|v| v + 1.0)",
    "X |> map(reverse)",
    "X |> reverse",
    "X |> map(|r| scan(|a, v| a + v, 0.0, r))",
    "X |> map(|r| { let s = sum(r); r |> map(|v| v - s) })",
    "zip2D(X, Y) |> map2D(|(p, q)| p - q)",
    "{ let sums = X |> transpose |> map(sum); X |> map(|r| zip(r, sums) |> map(|(v, s)| v - s)) }",
    "X |> map(|r| r |> padCst(1, 0, 0.0) |> take(m))",
    "X |> padClamp(0, 2) |> drop(2)",
    "X |> padClamp(3, 0) |> take(n)",
    "X |> padClamp(2, 1) |> slide(4, 1) |> map(|rows| rows |> transpose |> map(|w| w[0] - w[3] + w[2]))",
    "X |> padCst(0, 2, generate(|j: Idx[m]| 1.0)) |> slide(3, 1) |> map(|rows| rows |> transpose |> map(|w| OF))",
    "X |> padClamp(4, 4) |> slide(9, 1) |> map(|rows| rows |> transpose |> map(sum))",
    "zip2D(X |> padClamp(0, 1) |> drop(1), X) |> map2D(|(p, q)| p - q)",
    "generate(|i: Idx[n]| generate(|j: Idx[m]| X[i][j] + Y[i][j]))",
];
const OF: &[&str] = &[
    "w[0] + 2.0 * w[1] - w[2]",
    "sum(w)",
    "reduce(max, -1000.0, w)",
    "w[2] - w[0]",
    "dot([1.0, 0.0, 2.0], w)",
];
const MADE: &[&str] = &[
    "sum(join(w))",
    "w[0][1] + w[2][1] - w[1][0]",
    "reduce(min, 1000.0, join(w))",
    "sum(map(|r| dot([1.0, -1.0, 2.0], r), w))",
];

/// On both sides of where strips of so many rows end.
const SIZES: &[&[i128]] = &[&[1, 1], &[3, 5], &[17, 2], &[25, 3], &[34, 2], &[41, 1], &[50, 2], &[67, 1]];

/// A stage, and whether later ones see what was before it as the earlier image.
fn stage() -> impl Strategy<Value = (String, bool)> {
    (select(STAGES), select(OF), select(MADE), any::<bool>())
        .prop_map(|(stage, of, made, moves)| (stage.replace("OF", of).replace("MADE", made), moves))
}

fn program(stages: &[(String, bool)]) -> String {
    let (mut lets, [mut before, mut earlier]) = (String::new(), ["a", "a"].map(str::to_owned));
    for (at, (stage, moves)) in stages.iter().enumerate() {
        lets += &format!("let t{at} = {};\n", stage.replace('X', &before).replace('Y', &earlier));
        let image = std::mem::replace(&mut before, format!("t{at}"));
        if *moves {
            earlier = image;
        }
    }
    format!(
        "pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [[f32; m]; n] where 1 <= m, 1 <= n {{ {lets}{before} }}"
    )
}

fn config() -> ProptestConfig {
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = if default.cases == 256 { 48 } else { default.cases };
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(7), ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn stages_in_a_row_keep_their_meaning(stages in proptest::collection::vec(stage(), 1..5)) {
        auto(&program(&stages), SIZES);
    }
}
