//! Messages as `compile_error!` tokens and as plain text.

use std::fmt::Write as _;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use super::{Diagnostic, Diagnostics, FilePlace, Origin, Place};

/// One `::core::compile_error! { "…" }` item a message, underlining the whole guilty range.
pub fn to_tokens(diagnostics: &Diagnostics) -> TokenStream {
    diagnostics.iter().flat_map(compile_error).collect()
}

fn compile_error(diagnostic: &Diagnostic) -> TokenStream {
    let (first, last) = diagnostic.origin.spans();
    let mut text = Literal::string(&message(diagnostic));
    text.set_span(last);
    let mut body = Group::new(Delimiter::Brace, TokenTree::from(text).into());
    body.set_span(last);
    let mut tokens = path_start(first);
    tokens.push(Ident::new("core", first).into());
    tokens.extend(path_start(first));
    tokens.push(Ident::new("compile_error", first).into());
    tokens.push(punct('!', Spacing::Alone, first));
    tokens.push(body.into());
    tokens.into_iter().collect()
}

fn path_start(span: Span) -> Vec<TokenTree> {
    vec![punct(':', Spacing::Joint, span), punct(':', Spacing::Alone, span)]
}

fn punct(ch: char, spacing: Spacing, span: Span) -> TokenTree {
    let mut punct = Punct::new(ch, spacing);
    punct.set_span(span);
    punct.into()
}

/// The text under the token: the message, then what is said at other places, then the helps.
fn message(diagnostic: &Diagnostic) -> String {
    let mut text = match diagnostic.origin.place() {
        Place::File(place) => {
            format!("{}: {}\n{}", position(&place), diagnostic.headline(), quote_line(&place))
        }
        _ => diagnostic.headline(),
    };
    let mut separator = "\n\n";
    for (origin, label) in &diagnostic.labels {
        let _ = match locate(*origin) {
            Some(position) => write!(text, "{separator}note: {position}: {label}"),
            None => write!(text, "{separator}note: {label}"),
        };
        separator = "\n";
    }
    for help in &diagnostic.helps {
        let _ = write!(text, "{separator}help: {help}");
        separator = "\n";
    }
    text
}

/// Plain text: `path:line:column: message`, the line quoted and underlined, then notes and helps.
///
/// `path` and `source` are the file from which the tokens were read; messages of imported files bring their
/// own.
pub fn to_text(diagnostics: &Diagnostics, path: &str, source: &str) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        write_head(&mut text, diagnostic, path, source);
        for (origin, label) in &diagnostic.labels {
            let _ = match locate(*origin) {
                Some(position) => writeln!(text, "  note: {position}: {label}"),
                None => writeln!(text, "  note: {label}"),
            };
        }
        for help in &diagnostic.helps {
            let _ = writeln!(text, "  help: {help}");
        }
    }
    text
}

fn write_head(text: &mut String, diagnostic: &Diagnostic, path: &str, source: &str) {
    let headline = diagnostic.headline();
    let _ = match diagnostic.origin.place() {
        Place::None => writeln!(text, "{path}: {headline}"),
        Place::File(place) => writeln!(text, "{}: {headline}\n{}", position(&place), quote_line(&place)),
        Place::Tokens(first, last) => {
            let (start, end) = (first.start(), last.end());
            let quoted = quote(
                source,
                start.line,
                start.column + 1,
                (start.line == end.line).then_some(end.column + 1),
            );
            writeln!(text, "{path}:{}:{}: {headline}\n{quoted}", start.line, start.column + 1)
        }
    };
}

/// `line:column` of a place, with the path if it is in an imported file.
fn locate(origin: Origin) -> Option<String> {
    match origin.place() {
        Place::None => None,
        Place::File(place) => Some(position(&place)),
        Place::Tokens(first, _) => {
            let start = first.start();
            Some(format!("line {}, column {}", start.line, start.column + 1))
        }
    }
}

fn position(place: &FilePlace) -> String {
    format!("{}:{}:{}", place.file.path, place.line, place.column)
}

fn quote_line(place: &FilePlace) -> String {
    let end = (place.line == place.end_line).then_some(place.end_column);
    quote(&place.file.text, place.line, place.column, end)
}

/// The line with a number, and carets under the columns from `column` to `end` (or to the line's end).
fn quote(source: &str, line: usize, column: usize, end: Option<usize>) -> String {
    let Some(content) = line.checked_sub(1).and_then(|index| source.lines().nth(index)) else {
        return String::new();
    };
    let length = content.chars().count() + 1;
    let end = end.unwrap_or(length).clamp(column + 1, length.max(column + 1));
    let blank: String = content
        .chars()
        .take(column.saturating_sub(1))
        .map(|ch| if ch == '\t' { '\t' } else { ' ' })
        .collect();
    let gutter = line.to_string();
    let margin = " ".repeat(gutter.len());
    format!("  {gutter} | {content}\n  {margin} | {blank}{}", "^".repeat(end.saturating_sub(column)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostics::{Session, SourceFile};

    fn origin_of(tokens: &TokenStream, first: usize, last: usize) -> Origin {
        let spans: Vec<Span> = tokens.clone().into_iter().map(|tree| tree.span()).collect();
        Origin::tokens(spans[first], spans[last])
    }

    #[test]
    fn text_quotes_and_underlines_the_range() {
        let _session = Session::start();
        let source = "a b\n\tcc + dd ;";
        let tokens: TokenStream = source.parse().unwrap();
        let error = Diagnostic::error(origin_of(&tokens, 2, 4), "these do not add")
            .label(origin_of(&tokens, 0, 0), "because of this")
            .help("subtract");
        assert_eq!(
            to_text(&error.into(), "x.rise", source),
            "x.rise:2:2: these do not add\n  2 | \tcc + dd ;\n    | \t^^^^^^^\n  note: line 1, column 1: because of this\n  help: subtract\n"
        );
    }

    #[test]
    fn tokens_underline_from_first_to_last_token() {
        let _session = Session::start();
        let tokens: TokenStream = "aa bb cc".parse().unwrap();
        let mut bag = Diagnostics::from(Diagnostic::error(origin_of(&tokens, 1, 2), "wrong").help("right"));
        bag.push(Diagnostic::limitation(Origin::NONE, "hard"));
        bag.push(Diagnostic::bug(Origin::NONE, "odd"));
        let made: Vec<TokenTree> = to_tokens(&bag).into_iter().collect();
        assert_eq!(made[0].span().start().column, 3);
        assert_eq!(
            made.iter().find(|tree| matches!(tree, TokenTree::Group(_))).unwrap().span().end().column,
            8
        );
        let text = to_tokens(&bag).to_string();
        assert_eq!(text.matches("compile_error").count(), 3);
        for part in [
            "wrong\\n\\nhelp: right",
            "not supported: hard",
            "bug in the RISE compiler, please report it: odd",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn errors_of_an_imported_file_stand_at_its_import() {
        let _session = Session::start();
        let tokens: TokenStream = "use \"b.rise\"".parse().unwrap();
        let import = origin_of(&tokens, 1, 1);
        let file = Arc::new(SourceFile { path: "b.rise".into(), text: "one\ntwo three".into(), import });
        let place = FilePlace { file, line: 2, column: 5, end_line: 2, end_column: 10 };
        let bag = Diagnostics::from(Diagnostic::error(Origin::file(place), "no"));
        assert_eq!(to_tokens(&bag).into_iter().next().unwrap().span().start().column, 4);
        let quoted = "b.rise:2:5: no\n  2 | two three\n    |     ^^^^^";
        assert_eq!(to_text(&bag, "main.rs", ""), format!("{quoted}\n"));
        assert!(to_tokens(&bag).to_string().contains(&quoted.replace('\n', "\\n")));
    }
}
