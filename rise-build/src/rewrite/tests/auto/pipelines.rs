//! Random programs that make grids of grids.

use super::auto;

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// One of the grids, mostly the last one.
    fn grid<'g>(&mut self, grids: &'g [String]) -> &'g str {
        let at = if self.below(3) == 0 { self.below(grids.len()) } else { grids.len() - 1 };
        &grids[at]
    }
}

/// A grid of the same shape as others, which is made of one or two of them.
fn stage(random: &mut Random, grids: &[String]) -> String {
    let [g, other] = [(); 2].map(|()| random.grid(grids).to_owned());
    let [l, r] = [(); 2].map(|()| random.below(3));
    let k = l + r + 1;
    let [p, q] = [(); 2].map(|()| random.below(k));
    let pad = if random.below(4) == 0 {
        format!("padCst2D({l}, {r}, 2.0)")
    } else {
        format!("padClamp2D({l}, {r})")
    };
    let windows = format!("{pad} |> slide2D({k}, 1)");
    let rows = format!("padClamp({l}, {r}) |> slide({k}, 1)");
    let down = format!("{rows} |> map(|rows| rows |> transpose |> map(|c| c[{p}] - 2.0 * c[{q}]))");
    match random.below(11) {
        0 => format!("{g} |> map2D(|v| 2.0 * v - 1.0)"),
        1 => format!("{g} |> {windows} |> map2D(|n| n[{p}][{q}] - n[{q}][0] * n[0][{p}])"),
        2 => format!("{g} |> {down}"),
        3 => format!("{g} |> map(|row| row |> {rows} |> map(|c| c[{p}] - 2.0 * c[{q}]))"),
        4 => format!("zip2D({g}, {other}) |> map2D(|(v, w)| v * w - v)"),
        5 => format!("zip2D({g}, {other}) |> map2D(|(v, w)| v * w) |> {windows} |> map2D(|n| sum(join(n)))"),
        6 => format!("{g} |> {windows} |> map2D(|n| reduce(max, n[0][0], join(n)))"),
        7 => format!("{g} |> padClamp({l}, 0) |> take(h)"),
        8 => format!("{g} |> transpose |> {down} |> transpose"),
        9 => format!(
            "zip2D({g} |> {windows}, {other}) |> map2D(|(n, v)| (join(n) |> map(|u| u * u) |> sum) - v)"
        ),
        _ => {
            format!("{g} |> padClamp(0, {l}) |> drop({l}) |> {windows} |> map2D(|n| n[0][{p}] - n[{q}][{q}])")
        }
    }
}

fn program(random: &mut Random) -> String {
    let mut grids = vec!["a".to_owned(), "b".to_owned()];
    let mut body = String::new();
    for step in 0..2 + random.below(5) {
        // Small numbers, of which sums are exact.
        let value = stage(random, &grids);
        body += &format!("let g{step} = {value} |> map2D(|v| min(max(v, -9.0), 9.0));\n");
        if random.below(8) == 0 {
            body += &format!(
                "let g{step} = {{ let most = reduce(max, 0.0, join(g{step})); g{step} |> map2D(|v| v - most) }};\n"
            );
        }
        grids.push(format!("g{step}"));
    }
    let (last, other) = (&grids[grids.len() - 1], &grids[random.below(grids.len())]);
    let result = match random.below(3) {
        0 => last.clone(),
        1 => format!("zip2D({last}, {other}) |> map2D(|(v, w)| v - 3.0 * w)"),
        _ => format!("zip2D({last}, zip2D({other}, a)) |> map2D(|(v, (w, u))| v * u - 3.0 * w)"),
    };
    format!(
        "pub fn f<h: Nat, w: Nat>(a: [[f32; w]; h], b: [[f32; w]; h]) -> [[f32; w]; h] where 1 <= h, 1 <= w {{
            {body}{result}
        }}"
    )
}

#[test]
fn pipelines_give_the_same_in_strips() {
    let mut random = Random(7);
    let stripped = |_: &usize| {
        let text = auto(&program(&mut random), &[&[1, 1], &[2, 3], &[17, 2], &[33, 3], &[71, 2]]);
        text.contains("generate(|strip|")
    };
    assert!((0..60).filter(stripped).count() >= 30);
}
