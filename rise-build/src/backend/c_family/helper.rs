//! Functions that texts call, written where they are used.

use std::collections::BTreeSet;

/// The definitions of all functions whose identifiers occur in a text, each after those that it needs itself.
pub fn definitions(text: &str, define: impl Fn(&str) -> Option<String>) -> String {
    let mut found = Found { define, seen: BTreeSet::new(), out: String::new() };
    found.text(text);
    found.out
}

struct Found<F> {
    define: F,
    seen: BTreeSet<String>,
    out: String,
}

impl<F: Fn(&str) -> Option<String>> Found<F> {
    fn text(&mut self, text: &str) {
        for ident in identifiers(text) {
            if self.seen.contains(ident) {
                continue;
            }
            let Some(definition) = (self.define)(ident) else { continue };
            self.seen.insert(ident.to_owned());
            self.text(&definition);
            self.out.push_str(&definition);
        }
    }
}

/// All words of a text.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// Arithmetic of naturals and of their differences, as functions that are declared by these words.
pub fn naturals(ident: &str, declared: &str) -> Option<String> {
    let (comment, text) = match ident {
        "size_min" => ("", "size_t size_min(size_t a, size_t b) {\n    return a < b ? a : b;\n}"),
        "size_max" => ("", "size_t size_max(size_t a, size_t b) {\n    return a > b ? a : b;\n}"),
        "diff_min" => ("", "ptrdiff_t diff_min(ptrdiff_t a, ptrdiff_t b) {\n    return a < b ? a : b;\n}"),
        "diff_max" => ("", "ptrdiff_t diff_max(ptrdiff_t a, ptrdiff_t b) {\n    return a > b ? a : b;\n}"),
        "size_monus" => (
            "// a - b, or 0 where that is negative\n",
            "size_t size_monus(size_t a, size_t b) {\n    return a > b ? a - b : 0;\n}",
        ),
        "size_div" => ("", "size_t size_div(size_t a, size_t b) {\n    return b == 0 ? 0 : a / b;\n}"),
        "size_rem" => ("", "size_t size_rem(size_t a, size_t b) {\n    return b == 0 ? a : a % b;\n}"),
        "diff_div" => (
            "// a / b rounded down, and 0 where b is\n",
            "ptrdiff_t diff_div(ptrdiff_t a, ptrdiff_t b) {\n    \
             return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));\n}",
        ),
        "diff_rem" => (
            "",
            "ptrdiff_t diff_rem(ptrdiff_t a, ptrdiff_t b) {\n    \
             const ptrdiff_t rest = b == 0 ? a : a % b;\n    \
             return b != 0 && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;\n}",
        ),
        "size_pow" => (
            "",
            "size_t size_pow(size_t base, size_t exponent) {\n    size_t power = 1;\n    \
             for (size_t i = 0; i < exponent; i += 1) {\n        power *= base;\n    }\n    return power;\n}",
        ),
        _ => return None,
    };
    Some(format!("{comment}{declared} {text}\n\n"))
}
