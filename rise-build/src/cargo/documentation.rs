//! Examples in documentation: the code that rustdoc compiles.

/// The Rust code between fences of a Markdown text, with hidden lines shown.
pub fn code_blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(char, usize, Option<String>)> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let fence = trimmed.chars().next().filter(|c| matches!(c, '`' | '~')).unwrap_or(' ');
        let length = trimmed.chars().take_while(|c| *c == fence).count();
        let is_fence = fence != ' ' && length >= 3;
        open = match open {
            None if is_fence => {
                let info = trimmed[length..].trim();
                Some((fence, length, is_rust(info).then(String::new)))
            }
            Some((mark, least, code)) if is_fence && mark == fence && length >= least => {
                blocks.extend(code);
                None
            }
            Some((mark, least, code)) => Some((mark, least, code.map(|code| code + &shown(line) + "\n"))),
            None => None,
        };
    }
    blocks
}

/// Whether rustdoc compiles a block with this information.
fn is_rust(info: &str) -> bool {
    info.split([',', ' ', '{', '}']).filter(|word| !word.is_empty()).all(|word| {
        matches!(word, "rust" | "no_run" | "should_panic" | "compile_fail" | "standalone")
            || word.starts_with("edition")
            || word.starts_with("test_harness")
    })
}

/// A line as rustdoc compiles it: `# ` hides it from readers only.
fn shown(line: &str) -> String {
    let trimmed = line.trim_start();
    match trimmed.strip_prefix('#') {
        Some("") => String::new(),
        Some(rest) if rest.starts_with(' ') => rest[1..].to_owned(),
        Some(rest) if rest.starts_with('#') => rest.to_owned(),
        _ => line.to_owned(),
    }
}

/// The text that a string literal stands for.
pub fn string_value(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw.get(hashes + 1..raw.len().checked_sub(hashes + 1)?)?;
        return raw[hashes..].starts_with('"').then(|| body.to_owned());
    }
    let body = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut letters = body.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next()? {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            '0' => out.push('\0'),
            'u' => {
                let digits: String = letters.by_ref().skip(1).take_while(|c| *c != '}').collect();
                out.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
            }
            'x' => {
                let digits: String = letters.by_ref().take(2).collect();
                out.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
            }
            '\n' => while letters.next_if(|c| c.is_whitespace()).is_some() {},
            other => out.push(other),
        }
    }
    Some(out)
}
