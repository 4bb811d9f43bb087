//! The runner of a kernel in C: Rust that declares the function and calls it.

use crate::backend::c_family::{Layout, layout};
use crate::backend::wrapper::{Form, Leaf, Signature};
use crate::types::DataType;

use super::symbol::Symbol;

/// A parameter of the runner.
struct Parameter {
    ident: String,
    /// Its type in the runner, and in the declaration of the function in C.
    types: [String; 2],
    /// The expression that is passed.
    passed: String,
}

/// The text of `unsafe fn NAME(naturals, parts of parameters, outputs) -> Result<(), Error>`.
pub fn runner(signature: &Signature, symbol: &Symbol) -> String {
    let sizes = (0..signature.nats.len()).map(|at| by_value(&format!("n{at}"), "usize"));
    let inputs = signature.leaves();
    let outputs = signature.result_leaves();
    let mut params: Vec<Parameter> = sizes.collect();
    params.extend(inputs.iter().map(|leaf| parameter(leaf, false)));
    params.extend(outputs.iter().map(|leaf| parameter(leaf, true)));
    let list = |which: usize| {
        params
            .iter()
            .map(|param| format!("{}: {}", param.ident, param.types[which]))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let passed: String = params.iter().map(|param| format!(", {}", param.passed)).collect();
    let (name, runtime, error) = (signature.runner(), signature.runtime(), signature.error());
    let symbol = symbol.text();
    let comma = if params.is_empty() { "" } else { ", " };
    let layouts: String = inputs.iter().chain(&outputs).filter_map(layout_check).collect();
    format!(
        "#[doc(hidden)]\n#[allow(unused, non_snake_case, improper_ctypes, clippy::all, clippy::pedantic)]\n\
         unsafe fn {name}({}) -> ::core::result::Result<(), {error}> {{\n{layouts}    \
         #[link(name = \"{symbol}\", kind = \"static\")]\n    \
         unsafe extern \"C\" {{\n        fn {symbol}(level: u8{comma}{}) -> usize;\n    }}\n    \
         let level = {runtime}::level()? as u8;\n    \
         match unsafe {{ {symbol}(level{passed}) }} {{\n        \
         0 => ::core::result::Result::Ok(()),\n        \
         bytes => ::core::result::Result::Err({error}::OutOfMemory {{ bytes }}),\n    }}\n}}\n",
        list(0),
        list(1)
    )
}

/// The items that fail with a sentence where the build script has not compiled the kernel.
pub fn handshake(symbol: &Symbol, kernel: &str, target: &str) -> String {
    let message = format!(
        "the kernel `{kernel}` is compiled to {target} by a build script, which has not done so: \
         add `rise-build` to [build-dependencies] in Cargo.toml and `fn main() {{ rise_build::compile(); }}` to build.rs\n\n\
         help: if both are there, the script has not found this block; \
         name its file with `rise_build::Builder::new().file(\"path\").compile()`, \
         and write the block out if another macro makes it"
    );
    format!("const _: &str = ::core::env!({:?}, {message:?});", symbol.variable())
}

fn by_value(ident: &str, ty: &str) -> Parameter {
    Parameter { ident: ident.into(), types: [ty.into(), ty.into()], passed: ident.into() }
}

fn parameter(leaf: &Leaf, output: bool) -> Parameter {
    let ident = leaf.ident.clone();
    let mutability = if output { "mut" } else { "const" };
    let pointer = |element: String| format!("*{mutability} {element}");
    match (&leaf.form, leaf.form.lanes_of()) {
        (Form::Array(..), Some(scalar)) => by_value(&ident, &pointer(scalar.to_string())),
        (Form::Array(_, DataType::Tuple(_)), None) => {
            let bytes = pointer("u8".into());
            let passed = format!("{ident}.cast::<u8>()");
            Parameter { ident, types: [pointer(leaf.form.element()), bytes], passed }
        }
        (Form::Array(..), None) => by_value(&ident, &pointer(leaf.form.element())),
        (_, Some(scalar)) if output => by_value(&ident, &pointer(scalar.to_string())),
        (_, Some(scalar)) => {
            let passed = format!("{ident}.as_ptr()");
            Parameter { ident, types: [leaf.form.element(), format!("*const {scalar}")], passed }
        }
        _ if output => by_value(&ident, &pointer(leaf.form.element())),
        (Form::Index(..) | Form::Nat(_), None) => by_value(&ident, "usize"),
        (Form::Value(_), None) => by_value(&ident, &leaf.form.element()),
    }
}

/// Rust promises nothing about how tuples lie in memory, so it is asked.
pub fn layout_check(leaf: &Leaf) -> Option<String> {
    let Form::Array(_, DataType::Tuple(parts)) = &leaf.form else { return None };
    let Layout { size, offsets, .. } = layout(parts);
    let ty = leaf.form.element();
    let mut tests = vec![format!("::core::mem::size_of::<{ty}>() == {size}")];
    for (at, offset) in offsets.iter().enumerate() {
        tests.push(format!("::core::mem::offset_of!({ty}, {at}) == {offset}"));
    }
    let message =
        format!("the tuple {ty} does not lie in memory as C lays it out: pass its components as arrays");
    Some(format!("    const _: () = ::core::assert!({}, {message:?});\n", tests.join(" && ")))
}
