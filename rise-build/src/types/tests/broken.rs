//! Programs with a token dropped, doubled or replaced: inference never panics, and what it accepts is well
//! typed.

use proc_macro2::TokenTree;

use crate::diagnostics::Session;
use crate::expr::check;
use crate::syntax::parse_str;

/// More programs, for forms that the basic ones lack.
const FORMS: [&str; 5] = [
    "pub fn f<n: Nat>(x: [f32; n], a: f32) -> [f32; n] {
        let v = x |> asVector(4) |> map(|v| v * vectorFromScalar(4, a) + 1.0) |> asScalar;
        let s = { let t = sum(v); t * t }; v |> map(|u| if u < s { u as i32 as f32 } else { -u })
    }",
    "fn twice(f: f32 -> f32, x: f32) -> f32 { f(f(x)) }
     pub fn f<n: Nat>(x: [(f32, i32); n], j: [Idx[n]; n]) -> [f32; n] {
        j |> map(|i| twice(|y| y * 2.0, x[i].0) + x[n - 1 - i].1 as f32) |> scan(add, 0)
    }",
    "pub fn f<n: Nat, k: Nat>(x: [f32; n * 2 ^ k]) -> [f32; n] {
        x |> iterate(k, |l: Nat| |x: [f32; 2 * l]| x |> split(2) |> map(reduce(add, 0)))
    }",
    "pub fn f<n: Nat>(x: [f32; n * (n - 1) / 2]) -> [f32; n * (n - 1) / 2] {
        x |> partition(n, |i| i) |> depMap(|i: Nat| |row| row |> map(|x| x * i as f32)) |> depJoin
    }",
    "def f = fun((a: N.K.f32, b: K.M.f32) => a |> map(fun(r => transpose(b) |> map(fun(c =>
        zip(r)(c) |> map(mult) |> reduceSeq(Private)(add)(0.0f))))))",
];

/// Tokens to put in the place of another one.
const REPLACEMENTS: [&str; 8] = ["x", "0", "1.5", "map", "|u| u", "n", "()", "split(2)"];

#[test]
fn broken_programs_are_no_bugs() {
    let texts = super::basics::PROGRAMS.iter().chain(super::mistakes::TEXTS).map(|(text, _)| *text);
    for text in texts.chain(FORMS) {
        let tokens = leaves(text);
        for at in 0..tokens.len() {
            try_out(&[&tokens[..at], &tokens[at + 1..]].concat());
            try_out(&[&tokens[..=at], &tokens[at..]].concat());
            let mut replaced = tokens.clone();
            replaced[at] = REPLACEMENTS[(at * 7 + text.len()) % REPLACEMENTS.len()].to_owned();
            try_out(&replaced);
        }
    }
}

fn try_out(tokens: &[String]) {
    let _session = Session::start();
    let text = tokens.concat();
    let (module, _) = parse_str(&text);
    let (kernels, _) = crate::types::infer(&module);
    for kernel in kernels {
        if let Err(wrong) = check(&kernel) {
            panic!("{text}\nbecame\n{kernel}\nwhich is ill-typed: {wrong}");
        }
    }
}

/// The tokens of a text, each with the space behind it; brackets are tokens.
fn leaves(text: &str) -> Vec<String> {
    let mut leaves = Vec::new();
    collect(text.parse().unwrap_or_default(), &mut leaves);
    leaves
}

fn collect(tokens: proc_macro2::TokenStream, leaves: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                leaves.push(open.to_owned());
                collect(group.stream(), leaves);
                leaves.push(close.to_owned());
            }
            TokenTree::Punct(punct) if punct.spacing() == proc_macro2::Spacing::Joint => {
                leaves.push(punct.as_char().to_string());
            }
            other => leaves.push(format!("{other} ")),
        }
    }
}
