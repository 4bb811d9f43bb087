//! Rows that go through several products.

use super::*;

const ROWS: &[&[i128]] = &[&[1, 3, 5, 2], &[2, 9, 3, 4], &[7, 4, 20, 9], &[3, 9, 17, 1]];

/// The rows `x` through two layers, or other arrays.
fn rows(body: &str) -> String {
    auto(
        &format!(
            "pub fn f<n: Nat, d: Nat, h: Nat, o: Nat>(x: [[f32; d]; n], u: [[f32; d]; h], w: [[f32; h]; o]) -> [[f32; o]; n] {{
                x |> map(|r| {{ {body} }})
            }}"
        ),
        ROWS,
    )
}

#[test]
fn rows_go_layer_by_layer() {
    let layers = "let z = u |> map(|c| max(dot(c, r), 0.0)); w |> map(|c| dot(c, z))";
    let normal = "let s = 1.0 + dot(r, r); let v = r |> map(|x| x * s);
        let z = u |> map(|c| dot(c, v)); w |> map(|c| dot(c, z) * s)";
    let twice = "let a = u |> map(|c| dot(c, r)); let b = u |> map(|c| max(dot(c, r), 0.0));
        let z = zip(a, b) |> map(|(a, b)| a * b); w |> map(|c| dot(c, z))";
    let soft =
        "let z = u |> map(|c| dot(c, r)); let m = z |> reduce(max, -100.0); let e = z |> map(|v| v - m);
        let s = sum(e) + 1000.0; w |> map(|c| dot(c, e) - s)";
    for (body, stored) in [(layers, 1), (normal, 2), (twice, 3), (soft, 2)] {
        let text = rows(body);
        let is_few = text.find("4 <= n").expect(&text);
        assert_eq!(text[is_few..].matches("let layer").count(), stored, "{body}: {text}");
        assert!(text.matches("panel").count() > 4, "{body}: {text}");
    }
}

#[test]
fn what_is_done_to_elements_of_a_product_is_part_of_it() {
    let text = auto(
        "pub fn f<n: Nat, d: Nat>(x: [[f32; d]; n], y: [[f32; d]; n], w: [[f32; d]; d]) -> [[f32; d]; n] {
            zip(x, y) |> map(|(r, y)| zip(y, zip(r, w |> map(|c| dot(c, r)) |> map(|v| v * 0.5)))
                |> map(|(y, (x, v))| x + v - y))
        }",
        &[&[1, 1], &[3, 20], &[7, 37]],
    );
    assert!(text.contains("panel") && !text.contains("layer"), "{text}");
}

#[test]
fn maps_of_products_and_of_rows_are_layers_too() {
    let text = auto(
        "pub fn f<n: Nat, d: Nat, h: Nat>(x: [[f32; d]; n], u: [[f32; d]; h]) -> [[f32; h]; n] {
            x |> map(|r| u |> map(|c| dot(c, r))) |> map(|z| { let s = sum(z); z |> map(|v| v - s) })
        }",
        &[&[1, 1, 1], &[3, 20, 17], &[7, 37, 2]],
    );
    assert!(text.contains("let layer") && !text.contains("4 <= n"), "{text}");
}

#[test]
fn products_that_a_triangle_is_taken_of_are_computed_as_a_whole() {
    let zipped = "zip(x, generate(|i: Idx[n]| i)) |> map(|(r, i)| {
        let z = zip(x, generate(|j: Idx[n]| j)) |> map(|(c, j)| if j <= i { dot(c, r) * 2.0 } else { -1.0 });
        let s = sum(z); transpose(x) |> map(|c| dot(z, c) - s) })";
    let by_index =
        "generate(|i| { let z = generate(|j: Idx[n]| if j > i + 1 { 0.0 } else { dot(x[j], x[i]) });
        let s = sum(z); transpose(x) |> map(|c| dot(z, c) - s) })";
    for (body, is_whole) in [
        (zipped, true),
        (by_index, true),
        // A part that may be small, and one that data choose.
        (&by_index.replace("j > i + 1", "j > i || j + 2 < i"), false),
        (&by_index.replace("j > i + 1", "x[i][0] > x[j][0]"), false),
        (&by_index.replace("j > i + 1", "j > 3"), false),
    ] {
        let program =
            format!("pub fn f<n: Nat, d: Nat>(x: [[f32; d]; n]) -> [[f32; d]; n] where d >= 1 {{ {body} }}");
        let text = auto(&program, &[&[1, 1], &[2, 9], &[7, 37], &[21, 3]]);
        let layers = text.matches("let layer").count();
        assert_eq!(layers, if is_whole { 2 } else { 1 }, "{body}: {text}");
    }
}

#[test]
fn elements_of_several_products_are_those_of_each() {
    let gates = "zip(u, v) |> map(|(c, e)| dot(c, r) + dot(e, h) * 2.0) |> map(|z| max(z, 0.0))";
    let distances = "u |> map(|c| dot(c, c) - 2.0 * dot(c, r) + dot(h, h))";
    for (body, stored) in [(gates, 2), (distances, 3)] {
        let program = format!(
            "pub fn f<n: Nat, d: Nat, m: Nat>(x: [[f32; d]; n], y: [[f32; d]; n], u: [[f32; d]; m], v: [[f32; d]; m]) -> [[f32; m]; n] {{
                zip(x, y) |> map(|(r, h)| {body})
            }}"
        );
        let text = auto(&program, &[&[1, 1, 1], &[2, 9, 3], &[7, 4, 37], &[21, 3, 17]]);
        let is_few = text.find("4 <= n").expect(&text);
        assert_eq!(text[is_few..].matches("let layer").count(), stored, "{body}: {text}");
        // Nothing is copied but what a product reads.
        assert!(!text.contains("unzip"), "{body}: {text}");
    }
}

#[test]
fn rows_stay_where_columns_are_few_or_none_are_shared() {
    let few = "let z = u |> map(|c| dot(c, r)); w |> map(|c| dot(c, z))";
    for (signature, body) in [
        ("x: [[f32; 3]; n], u: [[f32; 3]; 3], w: [[f32; 3]; 3]) -> [[f32; 3]; n]", few),
        ("x: [[f32; n]; n], u: [[f32; n]; 4], w: [[f32; 4]; n]) -> [[f32; n]; n]", few),
        (
            "x: [[[f32; n]; n]; n], u: [[f32; n]; n]) -> [[f32; n]; n]",
            "let z = r |> map(|c| sum(c)); r |> map(|c| dot(c, z))",
        ),
    ] {
        let program = format!("pub fn f<n: Nat>({signature} {{ x |> map(|r| {{ {body} }}) }}");
        let text = auto(&program, &[&[1], &[5], &[11]]);
        assert!(!text.contains("layer"), "{body}: {text}");
    }
}

#[test]
fn what_is_stored_is_computed_once_whoever_reads_a_part_of_it() {
    for of in
        ["map(|z| reduce(min, 100.0, z))", "transpose |> map(sum)", "map(|z| scan(add, 0.0, z)) |> map(sum)"]
    {
        let program = format!(
            "pub fn f<n: Nat, d: Nat>(x: [[f32; d]; n]) -> [f32; n] {{
                x |> map(|r| x |> map(|c| dot(c, r))) |> toMem |> {of}
            }}"
        );
        let text = auto(&program, &[&[1, 1], &[13, 20], &[37, 7]]);
        assert_eq!(
            [text.matches("let stored").count(), text.matches("split(48)").count()],
            [1, 1],
            "{of}: {text}"
        );
    }
}

#[test]
fn products_whose_elements_are_used_more_than_once_are_layers() {
    for of in [
        "let z = dot(c, r); max(z, 0.1 * z)",
        "let z = dot(c, r) + 1.0; let t = z * z; t * z",
        "let z = dot(c, r); z * z * dot(c, s)",
    ] {
        let text = auto(
            &format!(
                "pub fn f<n: Nat, d: Nat, h: Nat>(x: [[f32; d]; n], s: [f32; d], u: [[f32; d]; h]) -> [[f32; h]; n] {{
                    x |> map(|r| u |> map(|c| {{ {of} }})) }}"
            ),
            &[&[1, 3, 5], &[9, 3, 4], &[7, 20, 37]],
        );
        assert!(text.contains("let layer") && text.matches("panel").count() > 4, "{of}: {text}");
    }
    let chained = auto(
        "pub fn f<n: Nat, d: Nat, h: Nat>(x: [[f32; d]; n], u: [[f32; d]; h]) -> [[f32; h]; n] {
            x |> map(|r| u |> map(|c| { let z = dot(c, r); c |> map(|v| v * z) |> sum })) }",
        &[&[1, 3, 5], &[9, 3, 4], &[7, 20, 37]],
    );
    assert!(!chained.contains("let layer"), "one fold is made of the other: {chained}");
}
