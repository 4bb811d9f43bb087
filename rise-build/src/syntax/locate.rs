//! Positions of the tokens of an imported file.
//!
//! Inside a macro the compiler lexes a string without telling where its tokens stand. So the text is walked
//! once more, in step with the tokens: between two tokens there are only blanks and comments.

use super::token::{Position, Token, TokenKind, TokenPlace};

/// Gives every token its line and column in `text`, from which the tokens were lexed.
pub(super) fn locate(tokens: &mut [Token], text: &str) {
    let mut walker = Walker { rest: text, at: Position { line: 1, column: 1 } };
    let mut index = 0;
    while index < tokens.len() {
        walker.skip_blanks();
        if let Some(count) = walker.doc_comment(&tokens[index..]) {
            let start = walker.at;
            walker.skip_comment();
            for token in &mut tokens[index..index + count] {
                token.place = TokenPlace::File(start, walker.at);
            }
            index += count;
            continue;
        }
        let start = walker.at;
        walker.token(&tokens[index]);
        tokens[index].place = TokenPlace::File(start, walker.at);
        index += 1;
    }
}

/// The line and the column of what makes a text no tokens, and what it is: a bracket or a string that is not closed, or a
/// bracket that closes another one. `None` where it is something else.
pub fn unbalanced(text: &str) -> Option<(usize, usize, String)> {
    let (at, wrong) = out_of_balance(text)?;
    Some((at.line, at.column, wrong))
}

fn out_of_balance(text: &str) -> Option<(Position, String)> {
    let mut walker = Walker { rest: text, at: Position { line: 1, column: 1 } };
    let mut open: Vec<(char, Position)> = Vec::new();
    loop {
        walker.skip_blanks();
        if walker.at_comment() {
            walker.skip_comment();
            continue;
        }
        let (at, Some(character)) = (walker.at, walker.rest.chars().next()) else { break };
        match character {
            '(' | '[' | '{' => open.push((character, at)),
            ')' | ']' | '}' => match open.pop() {
                Some((bracket, _)) if closing(bracket) == character => {}
                Some((bracket, Position { line, column })) => {
                    let opened = format!("`{bracket}` of line {line}, column {column}, is open");
                    return Some((at, format!("`{character}` stands where {opened}")));
                }
                None => return Some((at, format!("no bracket is open that `{character}` closes"))),
            },
            '"' => match string(walker.rest) {
                Some(length) => walker.advance(length - 1),
                None => return Some((at, "the string is not closed".to_owned())),
            },
            '\'' => walker.advance(character_literal(walker.rest).map_or(0, |length| length - 1)),
            _ => {}
        }
        walker.advance(character.len_utf8());
    }
    open.pop().map(|(bracket, at)| (at, format!("`{bracket}` is not closed")))
}

fn closing(bracket: char) -> char {
    match bracket {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// How many bytes the literal has, if the quote that the text begins with is that of a character, and of no label.
fn character_literal(text: &str) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    if characters.next()?.1 == '\\' {
        characters.next();
    }
    let (at, quote) = characters.next()?;
    (quote == '\'').then_some(at + 1)
}

/// How many bytes the string has that the text begins with.
fn string(text: &str) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some(at + 1),
            '\\' => _ = characters.next(),
            _ => {}
        }
    }
    None
}

struct Walker<'a> {
    rest: &'a str,
    at: Position,
}

impl Walker<'_> {
    fn advance(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at(bytes.min(self.rest.len()));
        for ch in passed.chars() {
            if ch == '\n' {
                self.at = Position { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.rest = rest;
    }

    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.advance(blanks);
            if !self.at_comment() || self.at_doc() {
                return;
            }
            self.skip_comment();
        }
    }

    fn at_comment(&self) -> bool {
        self.rest.starts_with("//") || self.rest.starts_with("/*")
    }

    /// `///` and `//!`, but not `////`; `/** */` and `/*! */`, but not `/***` and `/**/`.
    fn at_doc(&self) -> bool {
        let third = self.rest.as_bytes().get(2).copied().unwrap_or(0);
        let fourth = self.rest.as_bytes().get(3).copied().unwrap_or(0);
        if self.rest.starts_with("//") {
            third == b'!' || (third == b'/' && fourth != b'/')
        } else {
            third == b'!' || (third == b'*' && fourth != b'*' && fourth != b'/')
        }
    }

    fn skip_comment(&mut self) {
        if self.rest.starts_with("//") {
            let length = self.rest.find('\n').unwrap_or(self.rest.len());
            return self.advance(length);
        }
        let bytes = self.rest.as_bytes();
        let (mut depth, mut index) = (0usize, 0usize);
        while index < bytes.len() {
            match &bytes[index..bytes.len().min(index + 2)] {
                b"/*" => {
                    depth += 1;
                    index += 2;
                }
                b"*/" => {
                    depth -= 1;
                    index += 2;
                    if depth == 0 {
                        break;
                    }
                }
                _ => index += 1,
            }
        }
        self.advance(index);
    }

    /// How many tokens a doc comment became (`#[doc = "…"]`, `#![doc = "…"]`), if one stands here.
    fn doc_comment(&self, tokens: &[Token]) -> Option<usize> {
        if !(self.at_comment() && self.at_doc()) {
            return None;
        }
        let open = tokens.iter().position(|token| matches!(token.kind, TokenKind::Open(..)))?;
        Some((open + 5).min(tokens.len()))
    }

    fn token(&mut self, token: &Token) {
        let bytes = match token.kind {
            TokenKind::End => 0,
            TokenKind::Ident | TokenKind::Literal if self.rest.starts_with(&*token.text) => token.text.len(),
            _ => self.rest.chars().next().map_or(0, char::len_utf8),
        };
        self.advance(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::flatten;
    use super::*;

    fn positions(text: &str) -> Vec<(usize, usize)> {
        let mut tokens = flatten(text.parse().unwrap());
        locate(&mut tokens, text);
        tokens
            .iter()
            .map(|token| match token.place {
                TokenPlace::File(start, _) => (start.line, start.column),
                TokenPlace::Span(_) => (0, 0),
            })
            .collect()
    }

    #[test]
    fn what_is_not_closed_is_found() {
        let found =
            |text: &str| unbalanced(text).map(|(line, column, what)| format!("{line}:{column} {what}"));
        assert_eq!(found("f(\"a)\\\"\") // (\n/* { */ [ ]"), None);
        assert_eq!(found("['\"', '\\'', '(', 'é'] 'l: f(x)"), None);
        assert_eq!(
            found("a {\n (x }").as_deref(),
            Some("2:5 `}` stands where `(` of line 2, column 2, is open")
        );
        assert_eq!(found("/// (\n [x").as_deref(), Some("2:2 `[` is not closed"));
        assert_eq!(found("x )").as_deref(), Some("1:3 no bracket is open that `)` closes"));
        assert_eq!(found("x \"é").as_deref(), Some("1:3 the string is not closed"));
    }

    #[test]
    fn comments_and_groups_are_passed() {
        let text = "a /* x /* y */ */ (b\n // c\n  'd 1.5f)";
        assert_eq!(positions(text), [(1, 1), (1, 19), (1, 20), (3, 3), (3, 4), (3, 6), (3, 10), (3, 11)]);
    }

    #[test]
    fn doc_comments_become_attributes() {
        let text = "/// é text\n/** more */ fn";
        let at = positions(text);
        assert_eq!(at.len(), 14, "{at:?}");
        assert_eq!((at[0], at[5], at[6], at[11], at[12]), ((1, 1), (1, 1), (2, 1), (2, 1), (2, 13)));
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(positions("\"é\" x")[1], (1, 5));
    }
}
