//! Text in colour, for terminals.

const KEYWORDS: [&str; 14] = [
    "for", "var", "let", "if", "else", "fn", "pub", "kernel", "unsafe", "match", "return", "where", "in",
    "parallel",
];

/// Words that loops and parallel patterns begin with.
const PATTERNS: [&str; 12] = [
    "map",
    "reduce",
    "scan",
    "iterate",
    "generate",
    "toMem",
    "split",
    "join",
    "transpose",
    "slide",
    "zip",
    "unzip",
];

/// The text with escape sequences around keywords, patterns, labels, numbers and comments.
pub fn colour(text: &str) -> String {
    text.split_inclusive('\n').map(line).collect()
}

fn line(text: &str) -> String {
    if text.starts_with("--") || text.starts_with("// ") {
        return paint("1", text);
    }
    let (code, comment) = match text.find("//") {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let mut result = String::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' => 1 + word(&rest[1..]),
            _ if first.is_alphanumeric() || first == '_' => word(rest),
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        result.push_str(&match first {
            '\'' if length > 1 => paint("33", token),
            _ if first.is_ascii_digit() => paint("36", token),
            _ if KEYWORDS.contains(&token) => paint("35", token),
            _ if PATTERNS.iter().any(|pattern| token.starts_with(pattern)) => paint("34", token),
            _ => token.to_owned(),
        });
        rest = after;
    }
    if comment.is_empty() { result } else { result + &paint("2", comment) }
}

fn word(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(text.len())
}

fn paint(code: &str, text: &str) -> String {
    let (inner, end) = match text.strip_suffix('\n') {
        Some(inner) => (inner, "\n"),
        None => (text, ""),
    };
    format!("\x1b[{code}m{inner}\x1b[0m{end}")
}
