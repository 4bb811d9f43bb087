//! Users' rules: they are typed with every compilation, and tried in the tests of the user's crate.
//!
//! The macro leaves a second macro call behind that is only there under `cfg(test)`. What that makes is a test for
//! each rule whose verdict is known already: the interpreter runs while the tests are built, so no part of the
//! compiler is in anybody's binary.

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};

use crate::diagnostics::{Diagnostics, Place, Session};
use crate::rewrite::user::{UserRule, Verdict, trial};
use crate::syntax::{self, ast};

use super::job::{Program, at};

/// How many random instances a rule is tried on.
const INSTANCES: u32 = 100;

fn rules(program: &Program) -> impl Iterator<Item = &ast::Rule> {
    program.module.items.iter().filter_map(|item| match item {
        ast::Item::Rule(rule) => Some(rule),
        _ => None,
    })
}

/// Says what is wrong with the rules of a block. If nothing is: the call that makes their tests.
pub fn check(program: &Program, block: TokenStream, diagnostics: &mut Diagnostics) -> TokenStream {
    let (mut right, mut some) = (true, false);
    for rule in rules(program) {
        some = true;
        if let Err(wrong) = UserRule::new(&program.module, rule) {
            right = false;
            diagnostics.append(wrong);
        }
    }
    if !some || !right {
        return TokenStream::new();
    }
    let head = format!("#[cfg(test)] ::{}::__rule_tests!", program.facade);
    let mut tokens: TokenStream = head.parse().unwrap_or_default();
    tokens.extend([TokenTree::from(Group::new(proc_macro2::Delimiter::Brace, block))]);
    tokens
}

/// One test for each rule of a block.
pub fn tests(tokens: TokenStream, load: &dyn Fn(&str) -> Result<String, String>) -> TokenStream {
    let _session = Session::start();
    let block = hash(&tokens.to_string());
    let (module, mut diagnostics) = syntax::parse(tokens);
    let program = Program::new(module, load, &mut diagnostics);
    let mut tests = TokenStream::new();
    for item in rules(&program) {
        if let Ok(rule) = UserRule::new(&program.module, item) {
            tests.extend(test(item, &trial(&rule, INSTANCES), block));
        }
    }
    tests
}

fn test(item: &ast::Rule, verdict: &Verdict, block: u32) -> TokenStream {
    let name = &item.name;
    let body = match verdict {
        Verdict::Holds(_) => String::new(),
        Verdict::Fails(text) => {
            let text = format!("the rule `{name}` changes what is computed: {text}");
            format!("::core::panic!(\"{{}}\", {})", Literal::string(&text))
        }
        Verdict::Untried => {
            let text = format!("the rule `{name}` was not tried: no small sizes meet its conditions");
            format!("::core::panic!(\"{{}}\", {})", Literal::string(&text))
        }
    };
    let plain = name.as_str().strip_prefix("r#").unwrap_or(name.as_str());
    // Several blocks of a module may use one file.
    let suffix = match name.origin.place() {
        Place::File(_) => format!("_{block:08x}"),
        _ => String::new(),
    };
    let function = Ident::new(&format!("rule_{plain}_holds{suffix}"), Span::call_site());
    let text =
        format!("#[test] #[allow(unnameable_test_items, non_snake_case)] fn {function}() {{ {body} }}");
    at(text.parse().unwrap_or_default(), name.origin.span())
}

/// Tells blocks apart.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
