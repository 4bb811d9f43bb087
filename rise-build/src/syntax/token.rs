//! Tokens as the parser sees them: one flat list, groups as an opening and a closing token that know each
//! other, invisible groups (from `macro_rules`) dissolved, and float literals next to a dot taken apart again
//! (`p.0.1` arrives as `p` `.` `0.1`, and `64.32.f32` as `64.32` `.` `f32`).
//!
//! In: a `TokenStream`. Out: a `Vec<Token>` that ends with [`TokenKind::End`].

use std::sync::Arc;

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A word, also `_`.
    Ident,
    /// One character of punctuation, and whether the next one follows without a gap.
    Punct(char, bool),
    /// A literal.
    Literal,
    /// The opening of a group, and the index of its closing.
    Open(Delimiter, usize),
    /// The closing of a group.
    Close(Delimiter),
    /// Behind the last token.
    End,
}

/// Where a token stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum TokenPlace {
    /// A span of the compiler, or of proc-macro2's own lexer.
    Span(Span),
    /// Line and column of the first character, then of the end, in an imported file; all count from 1.
    File(Position, Position),
}

/// A line and a column, both counting from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// The line.
    pub(super) line: usize,
    /// The column, in characters.
    pub(super) column: usize,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: TokenKind,
    /// The text of a word or a literal; empty otherwise.
    pub(super) text: Arc<str>,
    /// Where it stands.
    pub(super) place: TokenPlace,
}

/// Lays the tokens out in a list.
pub(super) fn flatten(stream: TokenStream) -> Vec<Token> {
    let empty: Arc<str> = Arc::from("");
    let mut tokens: Vec<Token> = Vec::new();
    let mut open: Vec<(proc_macro2::token_stream::IntoIter, Option<(usize, Group)>)> =
        vec![(stream.into_iter(), None)];
    while let Some((trees, group)) = open.last_mut() {
        let Some(tree) = trees.next() else {
            if let Some((start, group)) = group {
                let (delimiter, close) = (group.delimiter(), tokens.len());
                if let Some(token) = tokens.get_mut(*start) {
                    token.kind = TokenKind::Open(delimiter, close);
                }
                tokens.push(token(TokenKind::Close(delimiter), empty.clone(), group.span_close()));
            }
            open.pop();
            continue;
        };
        match tree {
            TokenTree::Ident(ident) => {
                tokens.push(token(TokenKind::Ident, ident.to_string().into(), ident.span()));
            }
            TokenTree::Literal(literal) => {
                push_literal(&mut tokens, &literal.to_string(), literal.span());
            }
            TokenTree::Punct(punct) => {
                if punct.as_char() == '.' {
                    split_float(&mut tokens);
                }
                rejoin(&mut tokens, punct.as_char());
                let kind = TokenKind::Punct(punct.as_char(), punct.spacing() == Spacing::Joint);
                tokens.push(token(kind, empty.clone(), punct.span()));
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                open.push((group.stream().into_iter(), None));
            }
            TokenTree::Group(group) => {
                let start = tokens.len();
                tokens.push(token(TokenKind::Open(group.delimiter(), 0), empty.clone(), group.span_open()));
                open.push((group.stream().into_iter(), Some((start, group))));
            }
        }
    }
    let last = tokens.last().map_or(TokenPlace::Span(Span::call_site()), |token| token.place);
    tokens.push(Token { kind: TokenKind::End, text: empty, place: last });
    tokens
}

/// `|>` and `<+` are no tokens of Rust, so that `macro_rules` tears them apart.
fn rejoin(tokens: &mut [Token], second: char) {
    if let Some(Token { kind: TokenKind::Punct(first, joint), .. }) = tokens.last_mut()
        && matches!((*first, second), ('|', '>') | ('<', '+'))
    {
        *joint = true;
    }
}

fn push_literal(tokens: &mut Vec<Token>, text: &str, span: Span) {
    let is_dot = |token: Option<&Token>| token.is_some_and(|t| matches!(t.kind, TokenKind::Punct('.', _)));
    let behind_dot =
        is_dot(tokens.last()) && !is_dot(tokens.len().checked_sub(2).and_then(|i| tokens.get(i)));
    tokens.push(token(TokenKind::Literal, text.into(), span));
    if behind_dot {
        split_float(tokens);
    }
}

/// Turns a last token `64.32` into `64` `.` `32`.
fn split_float(tokens: &mut Vec<Token>) {
    let digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let Some(last) = tokens.last().filter(|token| token.kind == TokenKind::Literal) else { return };
    let TokenPlace::Span(span) = last.place else { return };
    let text = Arc::clone(&last.text);
    let Some((left, right)) = text.split_once('.').filter(|(a, b)| digits(a) && digits(b)) else { return };
    tokens.pop();
    tokens.push(token(TokenKind::Literal, left.into(), span));
    tokens.push(token(TokenKind::Punct('.', false), Arc::from(""), span));
    tokens.push(token(TokenKind::Literal, right.into(), span));
}

fn token(kind: TokenKind, text: Arc<str>, span: Span) -> Token {
    Token { kind, text, place: TokenPlace::Span(span) }
}
