//! Literals.

use std::sync::Arc;

use super::parser::{Parsed, Parser};
use crate::syntax::ast::{Literal, LiteralValue, Scalar};

impl Parser {
    /// The literal that stands here.
    pub(super) fn literal(&mut self) -> Parsed<Literal> {
        let start = self.mark();
        let text = Arc::<str>::from(self.text(0));
        self.bump();
        match text.bytes().next() {
            Some(first) if first.is_ascii_digit() => match number(&text) {
                Ok(literal) => Ok(literal),
                Err((message, help)) => Err(self.wrong(start, &message, help)),
            },
            Some(b'"' | b'r' | b'c') => Err(self.wrong(
                start,
                "RISE has no strings",
                "kernels compute on numbers and arrays of numbers",
            )),
            _ => Err(self.wrong(start, "RISE has no characters", "write the number, for example `97u8`")),
        }
    }
}

type Complaint = (String, &'static str);

fn number(text: &str) -> Result<Literal, Complaint> {
    if let Some((value, suffix)) = integer(text) {
        let suffix = scalar(suffix)?;
        if suffix.is_some_and(Scalar::is_float) {
            return Ok(Literal { value: LiteralValue::Float(value.to_string().into()), suffix });
        }
        return Ok(Literal { value: LiteralValue::Int(value), suffix });
    }
    let (digits, suffix) = float_parts(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err((format!("the integer `{text}` is too large"), "the widest integer type is `u64`"));
    }
    let suffix = scalar(suffix)?;
    if suffix.is_some_and(|suffix| !suffix.is_float()) || digits.parse::<f64>().is_err() {
        return Err((
            format!("`{text}` is not a number of RISE"),
            "write a float as `1.5`, `1.5e-3` or `1.5f32`",
        ));
    }
    let digits = if digits.ends_with('.') { digits + "0" } else { digits };
    Ok(Literal { value: LiteralValue::Float(digits.into()), suffix })
}

fn scalar(suffix: &str) -> Result<Option<Scalar>, Complaint> {
    match suffix {
        "" => Ok(None),
        "f" => Ok(Some(Scalar::F32)),
        "usize" | "isize" => Err((
            format!("RISE has no type `{suffix}`"),
            "leave the suffix out: an unsuffixed integer takes the type that its context wants, also a natural",
        )),
        _ => match Scalar::from_name(suffix) {
            Some(Scalar::Bool) | None => Err((
                format!("`{suffix}` is no suffix of a number"),
                "suffixes are i8 to i64, u8 to u64, f32 and f64",
            )),
            found => Ok(found),
        },
    }
}

/// Value and suffix of an integer literal; nothing for floats and for what does not fit in 128 bits.
pub(super) fn integer(text: &str) -> Option<(u128, &str)> {
    let (radix, body) = match text.get(..2) {
        Some("0x") => (16, &text[2..]),
        Some("0o") => (8, &text[2..]),
        Some("0b") => (2, &text[2..]),
        _ => (10, text),
    };
    let mut value: u128 = 0;
    for (index, ch) in body.char_indices() {
        match ch.to_digit(radix) {
            Some(digit) => value = value.checked_mul(u128::from(radix))?.checked_add(u128::from(digit))?,
            None if ch == '_' => {}
            None if ch == '.' || (radix == 10 && matches!(ch, 'e' | 'E')) => return None,
            None => return Some((value, &body[index..])),
        }
    }
    Some((value, ""))
}

/// The digits of a float, without underscores, and its suffix.
fn float_parts(text: &str) -> (String, &str) {
    let mut end = text.len();
    let bytes = text.as_bytes();
    for (index, &byte) in bytes.iter().enumerate() {
        let exponent = matches!(byte, b'e' | b'E');
        let sign = matches!(byte, b'+' | b'-') && index > 0 && matches!(bytes[index - 1], b'e' | b'E');
        if !(byte.is_ascii_digit() || byte == b'.' || byte == b'_' || exponent || sign) {
            end = index;
            break;
        }
    }
    (text[..end].chars().filter(|&ch| ch != '_').collect(), &text[end..])
}

/// The contents of a string literal; nothing for other literals.
pub(super) fn unquote(text: &str) -> Option<String> {
    if let Some(raw) = text.strip_prefix('r') {
        let inner = raw.trim_matches('#');
        return inner.strip_prefix('"')?.strip_suffix('"').map(str::to_string);
    }
    let mut chars = text.strip_prefix('"')?.strip_suffix('"')?.chars().peekable();
    let mut value = String::new();
    while let Some(ch) = chars.next() {
        if ch != '\\' {
            value.push(ch);
            continue;
        }
        match chars.next()? {
            'n' => value.push('\n'),
            't' => value.push('\t'),
            'r' => value.push('\r'),
            '0' => value.push('\0'),
            '\n' => while chars.next_if(|ch| ch.is_whitespace()).is_some() {},
            'x' => {
                let code: String = chars.by_ref().take(2).collect();
                value.push(char::from(u8::from_str_radix(&code, 16).ok()?));
            }
            'u' => {
                let code: String = chars.by_ref().skip(1).take_while(|&ch| ch != '}').collect();
                value.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
            }
            other => value.push(other),
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match number(text) {
            Ok(Literal { value, suffix }) => {
                let suffix = suffix.map_or("", Scalar::name);
                match value {
                    LiteralValue::Int(value) => format!("int {value} {suffix}"),
                    LiteralValue::Float(digits) => format!("float {digits} {suffix}"),
                    LiteralValue::Bool(value) => format!("bool {value}"),
                }
            }
            Err((message, _)) => message,
        }
    }

    #[test]
    fn numbers() {
        for (text, expected) in [
            ("0", "int 0 "),
            ("1_000", "int 1000 "),
            ("0xFF", "int 255 "),
            ("0b101u8", "int 5 u8"),
            ("7i64", "int 7 i64"),
            ("1f32", "float 1 f32"),
            ("0.0f", "float 0.0 f32"),
            ("1.5e-3", "float 1.5e-3 "),
            ("1e10f64", "float 1e10 f64"),
            ("2.", "float 2.0 "),
            ("1usize", "RISE has no type `usize`"),
            ("1.0i32", "`1.0i32` is not a number of RISE"),
            ("3x", "`x` is no suffix of a number"),
            (
                "999999999999999999999999999999999999999999",
                "the integer `999999999999999999999999999999999999999999` is too large",
            ),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn strings() {
        assert_eq!(unquote(r#""a\n\"b\"""#).as_deref(), Some("a\n\"b\""));
        assert_eq!(unquote("r#\"a\\\"#").as_deref(), Some("a\\"));
        assert_eq!(unquote("1"), None);
    }
}
