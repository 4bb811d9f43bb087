//! Labels that no strategy names: rustc warns of them as it does of those of Rust's own loops.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::syntax::ast;

/// For each label of the block that its strategies do not name a block of Rust with that label and nothing in
/// it. Blocks without strategies may have labels for their readers.
pub fn unused(tokens: &TokenStream, module: &ast::Module) -> TokenStream {
    let strategies: Vec<String> = module.items.iter().filter_map(strategy_text).collect();
    if strategies.is_empty() {
        return TokenStream::new();
    }
    let named = |label: &str| strategies.iter().any(|text| names(text, label));
    let mut declared = Vec::new();
    declarations(tokens.clone(), &mut declared);
    declared.into_iter().filter(|label| !named(&label.to_string())).flat_map(labelled_nothing).collect()
}

fn strategy_text(item: &ast::Item) -> Option<String> {
    match item {
        ast::Item::Strategy(_) | ast::Item::Rule(_) => Some(item.to_string()),
        ast::Item::Compile(compile) => compile.strategy.as_ref().map(ToString::to_string),
        _ => None,
    }
}

fn names(text: &str, label: &str) -> bool {
    let after = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.split('\'').skip(1).any(|rest| rest.strip_prefix(label).is_some_and(after))
}

/// All `'label:` of the tokens.
fn declarations(tokens: TokenStream, found: &mut Vec<Ident>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match (token, tokens.get(at + 1), tokens.get(at + 2)) {
            (TokenTree::Group(group), ..) => declarations(group.stream(), found),
            (TokenTree::Punct(quote), Some(TokenTree::Ident(label)), Some(TokenTree::Punct(colon)))
                if quote.as_char() == '\'' && colon.as_char() == ':' =>
            {
                found.push(label.clone());
            }
            _ => {}
        }
    }
}

/// `const _: () = 'label: {};`
fn labelled_nothing(label: Ident) -> Vec<TokenTree> {
    let span = label.span();
    let punct = |c, spacing| TokenTree::Punct(Punct::new(c, spacing));
    let group = |delimiter| TokenTree::Group(Group::new(delimiter, TokenStream::new()));
    let ident = |name| TokenTree::Ident(Ident::new(name, Span::mixed_site()));
    let mut quote = Punct::new('\'', Spacing::Joint);
    quote.set_span(span);
    vec![
        ident("const"),
        ident("_"),
        punct(':', Spacing::Alone),
        group(Delimiter::Parenthesis),
        punct('=', Spacing::Alone),
        TokenTree::Punct(quote),
        TokenTree::Ident(label),
        punct(':', Spacing::Alone),
        group(Delimiter::Brace),
        punct(';', Spacing::Alone),
    ]
}
