//! The documentation of the generated functions.

use super::results::Results;
use super::signature::{Notes, Signature, plain};
use super::sizes::Sizes;

/// Lines for each of the three functions.
pub struct Docs {
    /// Of the function that returns its results.
    pub call: Vec<String>,
    /// Of the one that writes them.
    pub write: Vec<String>,
    /// Of the one that tells the instruction set.
    pub variant: Vec<String>,
}

/// The user's words, then what the compiler knows.
pub fn all(signature: &Signature, sizes: &Sizes, notes: &Notes) -> Docs {
    let name = plain(&signature.name);
    let mut call = signature.docs.clone();
    section(&mut call, "The kernel:", &declaration(signature));
    let found: Vec<String> =
        sizes.determined().into_iter().map(|(size, place)| format!("`{size}` is {place}")).collect();
    if !found.is_empty() {
        call.extend([String::new(), format!(" Sizes: {}.", found.join(", "))]);
    }
    if let Some(strategy) = &notes.strategy {
        section(&mut call, "Compiled with:", strategy);
    }
    if let Some(loops) = &notes.loops {
        section(&mut call, "As loops:", loops);
    }
    call.extend([
        String::new(),
        " # Errors".into(),
        String::new(),
        " Where the shapes of the arguments do not fit together.".into(),
    ]);
    let results = Results::new(signature);
    let outs: Vec<String> = results.names().iter().map(|name| format!("`{name}`")).collect();
    let write = vec![
        format!(" `{name}`, with its result written to {}.", outs.join(", ")),
        String::new(),
        " # Errors".into(),
        String::new(),
        " Where the shapes of the arguments do not fit together.".into(),
    ];
    let variant = vec![
        format!(" The instruction set that `{name}` runs on: `\"avx512\"`, `\"avx2\"` or `\"baseline\"`."),
        String::new(),
        " # Errors".into(),
        String::new(),
        " Where `RISE_ISA` asks for one that there is not.".into(),
    ];
    Docs { call, write, variant }
}

/// The attribute that documents an item with these lines.
pub fn attribute(lines: &[String]) -> String {
    format!("#[doc = {:?}]", lines.join("\n"))
}

fn section(lines: &mut Vec<String>, title: &str, text: &str) {
    lines.extend([String::new(), format!(" {title}"), " ```text".into()]);
    lines.extend(text.lines().map(|line| format!(" {line}")));
    lines.push(" ```".into());
}

/// `gemv<n: Nat>(x: [f32; n]) -> f32`
fn declaration(signature: &Signature) -> String {
    let nats: Vec<String> = signature.nats.iter().map(|nat| format!("{nat}: Nat")).collect();
    let kinds = if nats.is_empty() { String::new() } else { format!("<{}>", nats.join(", ")) };
    let params: Vec<String> =
        signature.params.iter().map(|(name, ty, _)| format!("{}: {ty}", plain(name))).collect();
    let mut text =
        format!("{}{kinds}({}) -> {}", plain(&signature.name), params.join(", "), signature.result);
    if !signature.declared.is_empty() {
        let declared: Vec<String> = signature.declared.iter().map(ToString::to_string).collect();
        text.push_str(&format!("\nwhere {}", declared.join(", ")));
    }
    text
}
