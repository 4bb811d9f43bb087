//! The cursor over the flat token list, and the means of reporting and going on.
//!
//! Invariant: the cursor never leaves the window between a group's delimiters while the group is read, and
//! every loop consumes a token or ends; so recovery cannot run away and half-typed input cannot hang.

use std::sync::Arc;

use proc_macro2::Delimiter;

use crate::diagnostics::{Diagnostic, Diagnostics, FilePlace, Origin, SourceFile};
use crate::syntax::ast::Ident;
use crate::syntax::token::{Token, TokenKind, TokenPlace};

/// Proof that the failure was reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported;

/// What a parsing function gives.
pub(super) type Parsed<T> = Result<T, Reported>;

/// How deep forms may nest; far beyond any program, and safe for the stack of a thread.
const MAX_DEPTH: usize = 64;

/// How many operators may follow each other in one chain: each is a level of the tree.
const MAX_CHAIN: usize = 320;

/// How high trees may become in all, chains of operators in parentheses included.
const MAX_HEIGHT: usize = 1000;

/// Operators of several characters, longest first.
const OPERATORS: [&str; 26] = [
    "~@~", "~;~", "<<=", ">>=", "..=", "|>", ">>", "<+", "->", "=>", "==", "!=", "<=", ">=", "&&", "||",
    "::", "..", "<<", "+=", "-=", "*=", "/=", "%=", "^=", "|=",
];

/// A recursive-descent parser; the grammar's parts are in the other files of this folder.
pub(super) struct Parser {
    tokens: Vec<Token>,
    pos: usize,
    /// Index of the token that closes the current group.
    end: usize,
    depth: usize,
    /// No part of the group that is read now makes a higher tree.
    height: usize,
    too_deep: bool,
    /// Where the last "expected …" was reported: what fails again at the same token says nothing new.
    complained: Option<usize>,
    file: Option<Arc<SourceFile>>,
    /// Whether something that is named could not be read.
    pub(super) incomplete: bool,
    pub(super) diagnostics: Diagnostics,
}

impl Parser {
    /// A parser of a whole token list, as [`crate::syntax::token::flatten`] gives it.
    pub(super) fn new(tokens: Vec<Token>, file: Option<Arc<SourceFile>>) -> Self {
        let end = tokens.len().saturating_sub(1);
        Parser {
            tokens,
            pos: 0,
            end,
            depth: 0,
            height: 0,
            too_deep: false,
            complained: None,
            file,
            incomplete: false,
            diagnostics: Diagnostics::new(),
        }
    }

    // Looking.

    /// Index of the next token, for [`Parser::origin`].
    pub(super) fn mark(&self) -> usize {
        self.pos
    }

    /// Whether the current group (or the whole input) is read.
    pub(super) fn at_end(&self) -> bool {
        self.pos >= self.end
    }

    /// The kind of the token `ahead` of the next one; [`TokenKind::End`] behind the current group.
    pub(super) fn kind(&self, ahead: usize) -> TokenKind {
        let index = self.pos + ahead;
        if index >= self.end { TokenKind::End } else { self.tokens[index].kind }
    }

    /// The text of the next word or literal, otherwise nothing.
    pub(super) fn text(&self, ahead: usize) -> &str {
        let index = self.pos + ahead;
        if index >= self.end { "" } else { &self.tokens[index].text }
    }

    /// Whether a word stands there.
    pub(super) fn is_ident(&self, ahead: usize) -> bool {
        self.kind(ahead) == TokenKind::Ident
    }

    /// Whether that word stands there.
    pub(super) fn is_word(&self, ahead: usize, word: &str) -> bool {
        self.is_ident(ahead) && self.text(ahead) == word
    }

    /// Whether that character stands there, be it part of a longer operator or not.
    pub(super) fn is_char(&self, ahead: usize, ch: char) -> bool {
        matches!(self.kind(ahead), TokenKind::Punct(found, _) if found == ch)
    }

    /// Whether a group with that delimiter opens there.
    pub(super) fn is_open(&self, ahead: usize, delimiter: Delimiter) -> bool {
        matches!(self.kind(ahead), TokenKind::Open(found, _) if found == delimiter)
    }

    /// How far ahead the token behind the group stands that opens `ahead`.
    pub(super) fn behind_group(&self, ahead: usize) -> usize {
        match self.kind(ahead) {
            TokenKind::Open(_, close) => close + 1 - self.pos,
            _ => ahead + 1,
        }
    }

    /// The operator that stands there, as long as it can be read; empty where there is none.
    pub(super) fn op(&self, ahead: usize) -> &'static str {
        let TokenKind::Punct(first, joint) = self.kind(ahead) else { return "" };
        if joint {
            for operator in OPERATORS {
                if operator.starts_with(first) && self.spells(ahead, operator) {
                    return operator;
                }
            }
        }
        single(first)
    }

    fn spells(&self, ahead: usize, operator: &str) -> bool {
        let last = operator.len() - 1;
        operator.chars().enumerate().all(|(index, ch)| match self.kind(ahead + index) {
            TokenKind::Punct(found, joint) => found == ch && (joint || index == last),
            _ => false,
        })
    }

    // Moving.

    /// Passes one token, a group as a whole.
    pub(super) fn bump(&mut self) {
        if !self.at_end() {
            self.pos += self.behind_group(0);
        }
    }

    /// The text of the word or literal that was passed last.
    pub(super) fn passed(&self) -> &str {
        self.pos.checked_sub(1).map_or("", |index| &self.tokens[index].text)
    }

    /// Whether a `;` was passed last.
    pub(super) fn behind_semicolon(&self) -> bool {
        self.pos > 0 && matches!(self.tokens[self.pos - 1].kind, TokenKind::Punct(';', _))
    }

    /// The tokens of the current group as text, with a blank wherever two of them might run together.
    pub(super) fn window_text(&self) -> String {
        let mut text = String::new();
        for token in &self.tokens[self.pos..self.end] {
            let piece = match token.kind {
                TokenKind::Ident | TokenKind::Literal => token.text.to_string(),
                TokenKind::Punct(ch, _) => ch.to_string(),
                TokenKind::Open(delimiter, _) => opening(delimiter).to_string(),
                TokenKind::Close(delimiter) => closing(delimiter).to_string(),
                TokenKind::End => String::new(),
            };
            let wordy = |ch: char| ch.is_alphanumeric() || ch == '_' || ch == '"';
            if text.ends_with(wordy) && piece.starts_with(wordy) {
                text.push(' ');
            }
            text.push_str(&piece);
        }
        text
    }

    /// Whether that character stands in what is left of the group.
    pub(super) fn comes(&self, ch: char) -> bool {
        let mut ahead = 0;
        while self.kind(ahead) != TokenKind::End && !self.is_char(ahead, ch) {
            ahead = self.behind_group(ahead);
        }
        self.is_char(ahead, ch)
    }

    /// Passes that character, though it begin a longer operator (`>` of `>>`).
    pub(super) fn eat_char(&mut self, ch: char) -> bool {
        let found = self.is_char(0, ch);
        if found {
            self.pos += 1;
        }
        found
    }

    /// Passes that operator.
    pub(super) fn eat_op(&mut self, operator: &str) -> bool {
        let found = self.op(0) == operator;
        if found {
            self.pos += operator.len();
        }
        found
    }

    /// Passes that word.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(0, word);
        if found {
            self.pos += 1;
        }
        found
    }

    /// Passes tokens until `stop` says so or the group ends.
    pub(super) fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        while !self.at_end() && !stop(self) {
            self.bump();
        }
    }

    /// A name.
    pub(super) fn ident(&mut self, what: &str) -> Parsed<Ident> {
        if !self.is_ident(0) || self.text(0) == "_" {
            return Err(self.expected(what));
        }
        let text = self.tokens[self.pos].text.clone();
        let start = self.mark();
        self.bump();
        Ok(Ident::new(text, self.origin(start)))
    }

    // Groups, lists, nesting.

    /// Reads the contents of the group that opens here; leftovers are reported. The group is passed in any
    /// case.
    pub(super) fn inside<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let TokenKind::Open(_, close) = self.kind(0) else { return read(self) };
        let outer = std::mem::replace(&mut self.end, close);
        let known = self.diagnostics.len();
        self.pos += 1;
        let result = read(self);
        // Behind a failure that was reported, leftovers are no news.
        if !self.at_end() && self.diagnostics.len() == known {
            self.leftover();
        }
        self.pos = close + 1;
        self.end = outer;
        result
    }

    fn leftover(&mut self) {
        let found = self.found();
        self.report(Diagnostic::error(self.here(), format!("unexpected {found}")));
    }

    /// Elements between commas up to the end of the group; one that fails is replaced by what `broken` makes.
    pub(super) fn comma_list<T>(
        &mut self,
        read: impl Fn(&mut Self) -> Parsed<T>,
        broken: impl Fn(Origin) -> T,
    ) -> Vec<T> {
        let mut list = Vec::new();
        while !self.at_end() {
            let start = self.mark();
            let mut element = read(self);
            if element.is_ok() && !self.at_end() && !self.is_char(0, ',') {
                element = element.and(Err(self.no_comma()));
            }
            list.push(element.unwrap_or_else(|Reported| {
                self.skip_until(|p| p.is_char(0, ','));
                broken(self.origin(start))
            }));
            self.eat_char(',');
        }
        list
    }

    fn no_comma(&mut self) -> Reported {
        match self.op(0) {
            "=>" => self.expected_help("`,`", "a function is written `|v| v + 1.0`"),
            _ if self.is_word(0, "if") => {
                self.expected_help("`,`", "a choice is written `if c { a } else { b }`")
            }
            _ => self.expected("`,`"),
        }
    }

    /// Runs one level of nesting deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.height, 0);
        let result = read(self);
        self.height = outer.max(self.height + 1);
        self.depth -= 1;
        result
    }

    /// Said once: what stands around the limit is as deep.
    fn too_deep(&mut self) -> Reported {
        if !std::mem::replace(&mut self.too_deep, true) {
            let message = format!(
                "this is nested more than {MAX_DEPTH} levels deep, or in long chains; name parts of it with `let` or a helper"
            );
            self.report(Diagnostic::limitation(self.here(), message));
        }
        Reported
    }

    /// Counts the links of a chain of operators.
    pub(super) fn link(&mut self, count: &mut usize) -> Parsed<()> {
        *count += 1;
        self.height += 1;
        if self.height > MAX_HEIGHT {
            return Err(self.too_deep());
        }
        if *count <= MAX_CHAIN {
            return Ok(());
        }
        let message = format!("more than {MAX_CHAIN} operators in a row; name parts of the chain with `let`");
        let limit = Diagnostic::limitation(self.here(), message);
        Err(self.report(limit))
    }

    // Places and messages.

    /// The range from the token at `start` to the last one passed.
    pub(super) fn origin(&self, start: usize) -> Origin {
        let last = self.pos.saturating_sub(1).max(start).min(self.tokens.len() - 1);
        self.range(start, last)
    }

    /// The next token; behind the last one of a group, its closing delimiter.
    pub(super) fn here(&self) -> Origin {
        self.range(self.pos, self.pos)
    }

    /// The next token, or the operator of several that stands there.
    fn whole(&self) -> Origin {
        self.range(self.pos, self.pos + self.op(0).len().max(1) - 1)
    }

    fn range(&self, first: usize, last: usize) -> Origin {
        let [first, last] = [first, last].map(|index| self.tokens[index.min(self.tokens.len() - 1)].place);
        match (first, last, &self.file) {
            (TokenPlace::Span(first), TokenPlace::Span(last), _) => Origin::tokens(first, last),
            (TokenPlace::File(start, _), TokenPlace::File(_, end), Some(file)) => Origin::file(FilePlace {
                file: Arc::clone(file),
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
            }),
            _ => Origin::NONE,
        }
    }

    /// The next token in words.
    pub(super) fn found(&self) -> String {
        if self.at_end() {
            return match self.tokens.get(self.pos).map(|token| token.kind) {
                Some(TokenKind::Close(delimiter)) => format!("`{}`", closing(delimiter)),
                _ => "the end of the block".to_string(),
            };
        }
        match self.kind(0) {
            TokenKind::Open(delimiter, _) => format!("`{}`", opening(delimiter)),
            TokenKind::Punct('\'', _) if self.is_ident(1) => format!("`'{}`", self.text(1)),
            TokenKind::Punct(ch, _) if self.op(0).is_empty() => format!("`{ch}`"),
            TokenKind::Punct(..) => format!("`{}`", self.op(0)),
            _ => format!("`{}`", self.text(0)),
        }
    }

    /// Records a message.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        Reported
    }

    /// Records "expected …, found …" at the next token.
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.found());
        self.complain(Diagnostic::error(self.whole(), message))
    }

    /// Records "expected …, found …" with a way out.
    pub(super) fn expected_help(&mut self, what: &str, help: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.found());
        self.complain(Diagnostic::error(self.whole(), message).help(help))
    }

    fn complain(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.complained.replace(self.pos) != Some(self.pos) {
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    /// Records a message about the tokens from `start` to here, with a way out.
    pub(super) fn wrong(&mut self, start: usize, message: &str, help: &str) -> Reported {
        self.report(Diagnostic::error(self.origin(start), message).help(help))
    }

    /// Passes that operator or reports what stands in its place.
    pub(super) fn need_op(&mut self, operator: &str) -> Parsed<()> {
        if self.eat_op(operator) { Ok(()) } else { Err(self.expected(&format!("`{operator}`"))) }
    }
}

fn single(ch: char) -> &'static str {
    const ALL: &str = "+-*/%^!&|=<>@.,;:#$?~'";
    match ALL.find(ch) {
        Some(index) => &ALL[index..=index],
        None => "",
    }
}

fn opening(delimiter: Delimiter) -> char {
    match delimiter {
        Delimiter::Brace => '{',
        Delimiter::Bracket => '[',
        _ => '(',
    }
}

fn closing(delimiter: Delimiter) -> char {
    match delimiter {
        Delimiter::Brace => '}',
        Delimiter::Bracket => ']',
        _ => ')',
    }
}
