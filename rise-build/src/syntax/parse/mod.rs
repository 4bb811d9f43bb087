//! The parser: recursive descent over a flat token list, one file a part of the grammar.
//!
//! A parsing function gives its node, or [`parser::Reported`] once it has recorded a diagnostic; lists, blocks
//! and items catch that, put an `Error` node and go on behind the next separator.

mod expr;
mod item;
mod lambda;
mod literal;
mod nat;
mod operand;
mod papers;
mod parser;
mod signature;
mod strategy;
mod strategy_arg;
mod ty;

use std::sync::Arc;

use proc_macro2::TokenStream;

use super::ast::Module;
use super::check;
use super::locate::{locate, unbalanced};
use super::token::{Token, flatten};
use crate::diagnostics::{Diagnostic, Diagnostics, FilePlace, Origin, SourceFile};

/// Parses the tokens of a `rise!` block.
pub fn parse(tokens: TokenStream) -> (Module, Diagnostics) {
    module(flatten(tokens), None)
}

/// Parses RISE text, for tests and the command line; positions are lines and columns of the text where
/// proc-macro2 lexes it itself, that is outside of macros.
pub fn parse_str(text: &str) -> (Module, Diagnostics) {
    match text.parse() {
        Ok(tokens) => parse(tokens),
        Err(error) => {
            let span = proc_macro2::LexError::span(&error);
            let origin = Origin::tokens(span, span);
            (Module::default(), Diagnostic::error(origin, unreadable(&error)).into())
        }
    }
}

/// Parses the text of a file that `use "path";` names; `import` is that string.
pub fn parse_file(path: &str, text: &str, import: Origin) -> (Module, Diagnostics) {
    let file = Arc::new(SourceFile { path: path.to_string(), text: text.to_string(), import });
    match text.parse() {
        Ok(tokens) => {
            let mut tokens = flatten(tokens);
            locate(&mut tokens, text);
            module(tokens, Some(file))
        }
        Err(error) => {
            let error = match unbalanced(text) {
                Some((line, column, wrong)) => {
                    let place = FilePlace { file, line, column, end_line: line, end_column: column + 1 };
                    Diagnostic::error(Origin::file(place), wrong)
                }
                None => Diagnostic::error(import, format!("{path}: {}", unreadable(&error))),
            };
            (Module { incomplete: true, ..Module::default() }, error.into())
        }
    }
}

fn unreadable(error: &proc_macro2::LexError) -> String {
    format!(
        "this is no sequence of Rust tokens ({error}): a bracket or a quote is not closed, or a character is not allowed"
    )
}

fn module(tokens: Vec<Token>, file: Option<Arc<SourceFile>>) -> (Module, Diagnostics) {
    let mut parser = parser::Parser::new(tokens, file);
    let module = parser.module();
    let mut diagnostics = parser.diagnostics;
    check::check(&module, &mut diagnostics);
    (module, diagnostics)
}
