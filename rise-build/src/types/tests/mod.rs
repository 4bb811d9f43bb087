//! Programs with their typed results, and mistakes with their messages.

mod basics;
mod broken;
mod mistakes;
mod notation;
mod sizes;
mod speed;

use std::fmt::Write as _;

use crate::diagnostics::{Diagnostics, Session};
use crate::expr::{Kernel, check};
use crate::syntax::parse_str;

/// The kernels of a text, each checked.
fn infer(text: &str) -> (Vec<Kernel>, Diagnostics) {
    let (module, wrong) = parse_str(text);
    assert!(wrong.is_empty(), "{text}\ndoes not parse: {wrong:?}");
    let (kernels, diagnostics) = crate::types::infer(&module);
    for kernel in &kernels {
        if let Err(wrong) = check(kernel) {
            panic!("{kernel}\nis ill-typed: {wrong}");
        }
    }
    (kernels, diagnostics)
}

/// The one kernel of a text, printed with what its entry checks.
fn typed(text: &str) -> String {
    let _session = Session::start();
    let (kernels, diagnostics) = infer(text);
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
    let [kernel] = kernels.as_slice() else { panic!("one kernel is expected in\n{text}") };
    let mut shown = kernel.to_string();
    for required in &kernel.obligations {
        let _ = write!(shown, "\n{}: {}", required.rule, required.obligation);
    }
    shown
}

/// The body of the one kernel of a text on one line, then what its entry checks.
fn body(text: &str) -> String {
    let shown = typed(text);
    let from = shown.find(" {\n").map_or(0, |at| at + 3);
    let (body, checks) = shown[from..].split_once("\n}").unwrap_or_default();
    let body: Vec<&str> = body.split_whitespace().collect();
    let checks: Vec<&str> = checks.lines().filter(|line| !line.is_empty()).collect();
    std::iter::once(body.join(" ").as_str()).chain(checks).collect::<Vec<_>>().join("; ")
}

/// What is said of a text with mistakes: the guilty text and the message, one line each.
fn wrong(text: &str) -> Vec<String> {
    let _session = Session::start();
    let (_, diagnostics) = infer(text);
    assert!(!diagnostics.is_empty(), "nothing is wrong with\n{text}");
    diagnostics
        .iter()
        .map(|diagnostic| format!("{}: {}", guilty(text, diagnostic.origin), diagnostic.headline()))
        .collect()
}

/// The text that a place covers, of one line.
fn guilty(text: &str, origin: crate::diagnostics::Origin) -> String {
    let (first, last) = origin.spans();
    let (start, end) = (first.start(), last.end());
    let line = text.lines().nth(start.line.saturating_sub(1)).unwrap_or_default();
    let end = if start.line == end.line { end.column } else { line.chars().count() };
    line.chars().skip(start.column).take(end.saturating_sub(start.column)).collect()
}
