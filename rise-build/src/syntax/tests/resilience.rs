//! Half-typed and mutilated programs: the parser ends, says something, and keeps the signatures it can read.

use proc_macro2::{Group, TokenStream, TokenTree};

use super::super::ast::{Item, Module};
use super::super::parse;
use super::samples::SAMPLES;
use crate::diagnostics::{Session, to_text, to_tokens};

fn has_kernel(module: &Module, name: &str) -> bool {
    module.items.iter().any(|item| matches!(item, Item::Kernel(kernel) if kernel.name.as_str() == name))
}

/// Parses, prints and renders; gives the module and the number of messages.
fn survive(tokens: TokenStream) -> (Module, usize) {
    let _session = Session::start();
    let (module, diagnostics) = parse(tokens);
    let _ = (module.to_string(), to_text(&diagnostics, "p", ""), to_tokens(&diagnostics).to_string());
    (module, diagnostics.len())
}

/// All streams that come from `stream` by a change at one token, at any depth.
fn changed(stream: &TokenStream, change: &dyn Fn(&[TokenTree], usize) -> Vec<TokenTree>) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut results = Vec::new();
    for index in 0..trees.len() {
        results.push(change(&trees, index).into_iter().collect());
        let TokenTree::Group(group) = &trees[index] else { continue };
        for inner in changed(&group.stream(), change) {
            let mut trees = trees.clone();
            trees[index] = Group::new(group.delimiter(), inner).into();
            results.push(trees.into_iter().collect());
        }
    }
    results
}

fn each_sample(change: &dyn Fn(&[TokenTree], usize) -> Vec<TokenTree>) {
    for text in SAMPLES {
        for tokens in changed(&text.parse().expect("tokens"), change) {
            survive(tokens);
        }
    }
}

#[test]
fn truncated_programs() {
    each_sample(&|trees, index| trees[..index].to_vec());
}

#[test]
fn programs_with_a_token_too_few() {
    each_sample(&|trees, index| [&trees[..index], &trees[index + 1..]].concat());
}

#[test]
fn programs_with_a_token_twice() {
    each_sample(&|trees, index| [&trees[..=index], &trees[index..]].concat());
}

#[test]
fn programs_with_a_foreign_token() {
    for foreign in [";", ",", "=", "'", "|", "<", ")", "\"s\"", "1.5", "let", "fn", "@", "#", "."] {
        let Ok(foreign) = foreign.parse::<TokenStream>() else { continue };
        let text = SAMPLES[foreign.to_string().len() % SAMPLES.len()];
        let insert = |trees: &[TokenTree], index: usize| {
            let middle: Vec<TokenTree> = foreign.clone().into_iter().collect();
            [&trees[..index], &middle, &trees[index..]].concat()
        };
        for tokens in changed(&text.parse().expect("tokens"), &insert) {
            survive(tokens);
        }
    }
}

#[test]
fn a_body_cut_anywhere_keeps_the_signature() {
    let body =
        "{ let y = x |> map(|(a, b)| a * b); if n > 3 { 'l: f(y)[0] } else { zip(a, (b, c)).0 as f32 + 1 } }";
    let body: TokenStream = body.parse().expect("tokens");
    let whole = |body: TokenStream| -> TokenStream {
        let head: TokenStream = "pub fn f<n: Nat>(x: [f32; n]) -> f32".parse().expect("tokens");
        let next: TokenStream = "pub fn g(x: f32) -> f32 { x }".parse().expect("tokens");
        head.into_iter().chain(body).chain(next).collect()
    };
    for cut in changed(&body, &|trees, index| trees[..index].to_vec()) {
        let (module, messages) = survive(whole(cut.clone()));
        assert!(has_kernel(&module, "f") && has_kernel(&module, "g"), "{cut}");
        let Some(Item::Kernel(kernel)) = module.items.first() else { panic!("{cut}") };
        assert_eq!((kernel.kinds.len(), kernel.params.len(), kernel.result.is_some()), (1, 1, true), "{cut}");
        assert!(messages > 0 || !module.to_string().contains("<error>"), "{cut}");
    }
}

#[test]
fn half_typed_programs_say_one_thing_and_keep_their_functions() {
    for text in [
        "pub fn f(x: [f32; 4]) -> f32 { zip(x, }",
        "pub fn f(x: [f32; 4]) -> f32 { x |> }",
        "pub fn f(x: [f32; 4]) -> f32 { x |> map(|a| ) }",
        "pub fn f(x: [f32; 4]) -> f32 { }",
        "pub fn f(x: [f32; 4]) -> f32",
        "pub fn f",
        "pub fn f<n: Nat>",
        "pub fn f(x: [f32; 4]) -> f32 { x[] }",
        "pub fn f(x: [f32; 4]) -> { x }",
        "pub fn f(x: [f32; 4]) { x }",
        "pub fn f(x: ) -> f32 { x }",
        "pub fn f(x) -> f32 { x }",
        "pub fn f(x: [f32; ]) -> f32 { x }",
        "pub fn f<n: >(x: [f32; n]) -> f32 { x }",
        "pub fn f<n(x: [f32; n]) -> f32 { x }",
        "pub fn f<>(x: f32) -> f32 { let y = ; y }",
        "pub fn f(x: f32) -> f32 where { x } strategy s =",
        "pub fn f(x: f32) -> f32 { x } compile",
        "pub fn f(x: f32) -> f32 { x } compile f to",
        "pub fn f(x: f32) -> f32 { x } compile f to rust with",
        "pub fn f(x: f32) -> f32 { x } strategy s = a ; b @",
        "pub fn f(x: f32) -> f32 { x } rule r: map(f) =>",
        "pub fn f(x: f32) -> f32 where x = 3 { x }",
        "pub fn f(x: f32) -> f32 { x } pub",
        "def f = fun(x: f32 =>",
    ] {
        // A bracket that is not closed never reaches a macro.
        let Ok(tokens) = text.replace("zip(x, }", "zip(x, ) }").replace("=>", "=> ").parse::<TokenStream>()
        else {
            continue;
        };
        let _session = Session::start();
        let (module, diagnostics) = parse(tokens);
        assert!(has_kernel(&module, "f"), "{text}");
        let allowed = if text.contains("zip(x, }") || text.contains("where {") || text.contains("<>") {
            0..=1
        } else {
            1..=1
        };
        assert!(allowed.contains(&diagnostics.len()), "{text}\n{}", to_text(&diagnostics, "t", text));
    }
}

#[test]
fn deep_nesting_is_refused_and_not_fatal() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{ ", " }"), ("f(", ")"), ("-", ""), ("|x| ", ""), ("'l: ", "")]
    {
        let text = format!("pub fn f(x: f32) -> f32 {{ {}x{} }}", open.repeat(3000), close.repeat(3000));
        let (module, messages) = survive(text.parse().expect("tokens"));
        assert!(has_kernel(&module, "f") && messages == 1, "{open}");
    }
    let text = format!("pub fn f(x: {}f32{}) -> f32 {{ x }}", "[".repeat(2000), "; 1]".repeat(2000));
    assert_eq!(survive(text.parse().expect("tokens")).1, 1);
    let text = format!("strategy s = {}a{};", "(".repeat(2000), ")".repeat(2000));
    assert_eq!(survive(text.parse().expect("tokens")).1, 1);
}

#[test]
fn long_programs_take_linear_time() {
    let text =
        format!("pub fn f(x: f32) -> f32 {{ {} x }}", "let x = x |> map(|p| p.0.1 + 1.0); ".repeat(3000));
    let (module, messages) = survive(text.parse().expect("tokens"));
    assert_eq!((module.items.len(), messages), (1, 0));
}

#[test]
fn long_chains_are_refused_and_not_fatal() {
    for link in ["|> f", ">> f", "+ 1", "* 2", "as f32", "(y)", "[i]", ".0", "^ n"] {
        let text = format!("pub fn f(x: f32) -> f32 {{ x {} }}", format!("{link} ").repeat(3000));
        let (module, messages) = survive(text.parse().expect("tokens"));
        assert!(has_kernel(&module, "f") && messages == 1, "{link}");
    }
    for text in [
        format!("strategy s = a{};", " @ 'l".repeat(3000)),
        format!("fn f(x: [f32; 1{}]) {{ x }}", " + 1".repeat(3000)),
    ] {
        assert_eq!(survive(text.parse().expect("tokens")).1, 1);
    }
}
