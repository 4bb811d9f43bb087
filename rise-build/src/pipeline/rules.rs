//! Users' rules, and what they declare of operators: typed with every compilation, tried in the tests of the user's
//! crate.
//!
//! The macro leaves a second macro call behind that is only there under `cfg(test)`. What that makes is a test for
//! each rule whose verdict is known already: the interpreter runs while the tests are built, so no part of the
//! compiler is in anybody's binary.

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};

use crate::diagnostics::{Diagnostics, Place, Session};
use crate::rewrite::user::{LARGEST_SIZE, UserRule, Verdict, laws, trial};
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

/// Says what is wrong with the rules and declarations of a block. If nothing is: the call that makes their tests.
pub fn check(program: &Program, block: TokenStream, diagnostics: &mut Diagnostics) -> TokenStream {
    let (mut right, mut some) = (true, false);
    for rule in rules(program) {
        some = true;
        if let Err(wrong) = UserRule::new(&program.module, rule) {
            right = false;
            diagnostics.append(wrong);
        }
    }
    let (laws, wrong) = laws(&program.module);
    some |= laws.iter().any(|law| !law.foreign);
    right &= wrong.is_empty();
    diagnostics.append(wrong);
    if !some || !right {
        return TokenStream::new();
    }
    let head = format!("#[cfg(test)] ::{}::__rule_tests!", program.facade);
    let mut tokens: TokenStream = head.parse().unwrap_or_default();
    tokens.extend([TokenTree::from(Group::new(proc_macro2::Delimiter::Brace, block))]);
    tokens
}

/// One test for each rule of a block, and for each declaration of an operator that is not foreign.
pub fn tests(tokens: TokenStream, load: &dyn Fn(&str) -> Result<String, String>) -> TokenStream {
    let _session = Session::start();
    let block = hash(&tokens.to_string());
    let (module, mut diagnostics) = syntax::parse(tokens);
    let program = Program::new(module, load, &mut diagnostics);
    let mut tests = TokenStream::new();
    for item in rules(&program) {
        if let Ok(rule) = UserRule::new(&program.module, item) {
            let wrong = format!("the rule `{}` changes what is computed", item.name);
            let tried = Tried { name: &item.name, test: ["rule_", "_holds"], what: "rule", wrong };
            tests.extend(tried.test(&trial(&rule, INSTANCES), block));
        }
    }
    for law in laws(&program.module).0.iter().filter(|law| !law.foreign) {
        let property = law.property.name();
        let wrong = format!("`{}` is declared {property} and is not", law.name);
        let end = format!("_is_{property}");
        let tried = Tried { name: &law.name, test: ["", &end], what: "operator", wrong };
        tests.extend(tried.test(&trial(&law.rule, INSTANCES), block));
    }
    tests
}

/// What a test is of.
struct Tried<'a> {
    name: &'a ast::Ident,
    /// What stands around the name in the name of the test.
    test: [&'a str; 2],
    what: &'a str,
    /// What an instance on which the sides differ shows.
    wrong: String,
}

impl Tried<'_> {
    fn test(&self, verdict: &Verdict, block: u32) -> TokenStream {
        let Tried { name, test: [begin, end], what, wrong } = self;
        let panic = |text: String| format!("::core::panic!(\"{{}}\", {})", Literal::string(&text));
        let body = match verdict {
            Verdict::Holds(_) => String::new(),
            Verdict::Fails(text) => panic(format!("{wrong}: {text}")),
            Verdict::Untried => panic(format!(
                "the {what} `{name}` was not tried: no sizes up to {LARGEST_SIZE} meet its conditions"
            )),
        };
        let plain = name.as_str().strip_prefix("r#").unwrap_or(name.as_str());
        // Several blocks of a module may use one file.
        let suffix = match name.origin.place() {
            Place::File(_) => format!("_{block:08x}"),
            _ => String::new(),
        };
        let function = Ident::new(&format!("{begin}{plain}{end}{suffix}"), Span::call_site());
        let text =
            format!("#[test] #[allow(unnameable_test_items, non_snake_case)] fn {function}() {{ {body} }}");
        at(text.parse().unwrap_or_default(), name.origin.span())
    }
}

/// Tells blocks apart.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::tests as made;

    /// The bodies of the tests that a block's rules and declarations have.
    fn of(block: &str) -> String {
        made(block.parse().expect("tokens"), &|path| Err(path.to_owned())).to_string()
    }

    #[test]
    fn declarations_are_tried() {
        let right = of("#[commutative] #[associative] fn far(a: i32, b: i32) -> i32 { max(a, b) }");
        assert!(right.contains("fn far_is_commutative () { }"), "{right}");
        assert!(right.contains("fn far_is_associative () { }"), "{right}");
        let least = "fn least(a: (i32, i32), b: (i32, i32)) -> (i32, i32) { if b.0 < a.0 { b } else { a } }";
        let wrong = of(&format!("#[commutative] #[associative] {least}"));
        assert!(wrong.contains("`least` is declared commutative and is not"), "{wrong}");
        assert!(wrong.contains("fn least_is_associative () { }"), "{wrong}");
        assert_eq!(of(least), "");
        // What a foreign function computes cannot be tried.
        assert_eq!(of("#[commutative] extern fn far(a: i32, b: i32) -> i32 = crate::far;"), "");
    }

    #[test]
    fn rules_are_tried() {
        let text = of("rule r(x: i32, y: i32): x - y => y - x;");
        assert!(text.contains("the rule `r` changes what is computed"), "{text}");
        assert!(text.contains("fn rule_r_holds ()"), "{text}");
    }
}
