//! Text as tokens, with the user's spans on the user's names.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

/// What makes tokens of a text, if it is Rust.
pub type Lex<'a> = &'a dyn Fn(&str) -> Option<TokenStream>;

/// The tokens of a text; identifiers in `names` get their spans. The error is the text itself.
pub fn parse(text: &str, names: &[(String, Span)], lex: Lex) -> Result<TokenStream, String> {
    let tokens = lex(text).ok_or_else(|| text.to_owned())?;
    Ok(if names.is_empty() { tokens } else { respan(tokens, names) })
}

fn respan(tokens: TokenStream, names: &[(String, Span)]) -> TokenStream {
    tokens.into_iter().map(|token| respan_one(token, names)).collect()
}

fn respan_one(token: TokenTree, names: &[(String, Span)]) -> TokenTree {
    match token {
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), respan(group.stream(), names));
            new.set_span(group.span());
            new.into()
        }
        TokenTree::Ident(ident) => {
            let text = ident.to_string();
            match names.iter().find(|(name, _)| *name == text) {
                Some((_, span)) => spanned(ident, *span).into(),
                None => ident.into(),
            }
        }
        other => other,
    }
}

fn spanned(mut ident: Ident, span: Span) -> Ident {
    ident.set_span(span);
    ident
}
