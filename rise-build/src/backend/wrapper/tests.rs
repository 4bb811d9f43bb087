//! The texts of wrappers.

use crate::expr::Required;
use crate::nat::{Nat, NatVar, Obligation};
use crate::syntax::{ast, parse_str};
use crate::types::{DataType, Scalar};

use super::results::Results;
use super::sizes::Sizes;
use super::{Notes, Signature, emit, from_syntax};

fn signature(text: &str) -> Signature {
    let (module, diagnostics) = parse_str(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let kernel = module.items.iter().find_map(|item| match item {
        ast::Item::Kernel(kernel) => from_syntax(kernel),
        _ => None,
    });
    kernel.expect("a signature")
}

/// All text without white space.
fn tight(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn tokens(signature: &Signature) -> String {
    tight(&emit(signature, &Notes::default(), &|text| text.parse().ok()).expect("tokens").to_string())
}

fn has(text: &str, part: &str) {
    assert!(text.contains(&tight(part)), "{part}\nis not in\n{text}");
}

#[test]
fn the_public_function_is_that_of_the_design() {
    let text =
        tokens(&signature("pub fn gemv<n: Nat, m: Nat>(mat: [[f32; m]; n], x: [f32; m]) -> [f32; n] { x }"));
    has(
        &text,
        "pub fn gemv<'a>(mat: impl ::core::convert::Into<::rise::View<'a, f32, 2>>, x: impl ::core::convert::Into<::rise::View<'a, f32, 1>>)
            -> ::core::result::Result<::rise::private::Vec<f32>, ::rise::Error>",
    );
    has(
        &text,
        "pub fn gemv_into<'a>(out: impl ::core::convert::Into<::rise::ViewMut<'a, f32, 1>>, mat: impl",
    );
    has(&text, "pub fn gemv_variant() -> ::core::result::Result<&'static str, ::rise::Error>");
    has(&text, "let n0 = p0.shape()[0]; let n1 = p0.shape()[1];");
    has(
        &text,
        "::rise::private::check_dimension(\"x\", 0, \"m\", ::rise::private::Size::from(n1), p1.shape()[0])?;",
    );
}

#[test]
fn parameters_are_no_patterns_where_constants_have_their_names() {
    let text = tokens(&signature("pub fn Scale<N: Nat>(s: f32, A: [f32; N * N]) -> [f32; N * N] { A }"));
    has(
        &text,
        "pub fn Scale<'a>(N_: usize, s: f32, A_: impl ::core::convert::Into<::rise::View<'a, f32, 1>>)",
    );
}

#[test]
fn products_of_sizes_that_surely_fit_are_not_computed_on_any_width() {
    let mut signature =
        signature("pub fn f<n: Nat, m: Nat>(x: [f32; n], y: [f32; m]) -> [[f32; m]; n] { x }");
    let [n, m] = [0, 1].map(|at| Nat::var(&signature.nats[at]));
    signature.counts = vec![n * m * 4];
    let text = tight(&Sizes::solve(&signature).function(&signature));
    // 4 * 2^13 * 2^13 < 2^30 and 4 * 2^29 * 2^29 < 2^62.
    has(&text, "if (n0 | n1) >> (if usize::BITS < 64 { 13 } else { 29 }) != 0 {");
}

#[test]
fn sizes_are_solved_left_to_right_to_a_fixpoint() {
    let signature = signature(
        "pub fn f<k: Nat, n: Nat, m: Nat, q: Nat>(x: [f32; n + m], y: [f32; 2 * n + 1], z: [f32; q * q]) -> f32 { x }",
    );
    let sizes = Sizes::solve(&signature);
    let leading: Vec<&str> = sizes.leading.iter().map(NatVar::text).collect();
    assert_eq!(leading, ["k", "q"]);
    let text = tight(&sizes.function(&signature));
    has(
        &text,
        "let Some(n1) = ::rise::private::Size::of(1).solve(p1.shape()[0], 2) else {"
            .replace("Some", "::core::option::Option::Some")
            .as_str(),
    );
    let (n, m) = (text.find("Some(n1)"), text.find("Some(n2)"));
    assert!(n.is_some() && n < m, "{text}");
    has(&text, "check_dimension(\"z\", 0, \"q ^ 2\"");
    has(&tokens(&signature), "pub fn f<'a>(k: usize, q: usize, x: impl");
}

#[test]
fn indices_vectors_and_tuples_cross_the_boundary() {
    let signature = signature(
        "pub fn f<n: Nat>(i: Idx[n], at: [Idx[n]; 3], p: ([f32; n], bool), v: [Simd<f32, 4>; n]) -> (Simd<f32, 4>, [[Idx[n]; 2]; n]) { i }",
    );
    let text = tokens(&signature);
    has(&text, "i: u32, at: impl ::core::convert::Into<::rise::View<'a, u32, 1>>");
    has(&text, "p: (impl ::core::convert::Into<::rise::View<'a, f32, 1>>, bool)");
    has(&text, "Result<([f32; 4], ::rise::Array<u32, 2>), ::rise::Error>");
    has(&text, "::rise::private::check_indices(\"at\", &p1.data(), n0)?;");
    has(&text, "::core::convert::Into::into(p.0), p.1");
    has(&text, "p3.as_ptr().cast::<f32>()");
    has(&text, "out_0: &mut [f32; 4], out_1: impl");
}

#[test]
fn what_follows_is_not_checked_and_what_does_not_is() {
    let mut signature = signature("pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x }");
    let n = Nat::var(&signature.nats[0]);
    let required = |obligation| Required { obligation, rule: "split(4)".into() };
    signature.declared = vec![Obligation::Divides(Nat::lit(8), n.clone())];
    signature.obligations =
        vec![required(Obligation::Divides(Nat::lit(4), n.clone())), required(Obligation::Le(Nat::lit(3), n))];
    let text = tight(&Sizes::solve(&signature).function(&signature));
    has(&text, "::rise::Error::obligation(\"8 divides n\", &[(\"n\", n0)])");
    assert!(!text.contains(&tight("\"4 divides n")), "{text}");
    has(&text, "::rise::Error::obligation(\"3 <= n (needed by `split(4)`)\", &[(\"n\", n0)])");
}

#[test]
fn the_runner_is_told_whose_memory_results_lie_in() {
    let mut signature = signature("pub fn f<n: Nat>(x: [f32; n]) -> ([f32; n], f32, [u8; n]) { x }");
    assert!(!tokens(&signature).contains("is_settled"));
    signature.past = true;
    let results = Results::new(&signature);
    let sizes = Sizes::solve(&signature);
    let [call, write] =
        [results.call(&signature, &sizes), results.write(&signature, &sizes)].map(|t| tight(&t));
    has(&call, ", ::rise::private::is_settled(&out_0) && ::rise::private::is_settled(&out_2))?;");
    has(&write, ", true)");
}

#[test]
fn results_do_not_take_the_name_of_a_parameter() {
    let signature = signature("pub fn f<n: Nat>(out: [f32; n], r#type: f32) -> [f32; n] { out }");
    assert_eq!(Results::new(&signature).names(), ["result"]);
    has(&tokens(&signature), "r#type: f32");
    assert_eq!(
        signature.result,
        DataType::array(Nat::var(&signature.nats[0]), DataType::Scalar(Scalar::F32))
    );
}
