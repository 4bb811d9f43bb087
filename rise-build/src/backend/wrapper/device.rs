//! The function of a kernel whose arrays stay on a device.

use proc_macro2::TokenStream;

use crate::backend::text::Text;
use crate::nat::NatVar;

use super::docs;
use super::formula::Formulas;
use super::leaf::{Form, Leaf, tree};
use super::signature::{Signature, param_ident, plain, rank};
use super::sizes::{Sizes, check_dimension};
use super::spans::{Lex, parse};

/// `name_on(&Device, outs…, sizes…, params…)`, and the function that finds its sizes.
///
/// The error is a bug of whoever wrote the text, with that text.
pub fn on_device(signature: &Signature, lex: Lex) -> Result<TokenStream, String> {
    let sizes = Sizes::solve(signature).on_device();
    let docs = docs(signature);
    let outs = signature.result_leaves();
    let mut text = Text::default();
    header(signature, &sizes, &outs, &docs, &mut text);
    body(signature, &sizes, &outs, &mut text);
    text.close("}");
    let mut tokens = parse(&text.finish(), &signature.spans, lex)?;
    tokens.extend(parse(&sizes.function(signature), &[], lex)?);
    Ok(tokens)
}

fn docs(signature: &Signature) -> Vec<String> {
    let name = plain(&signature.name);
    vec![
        format!(" [`{name}`] on arrays that are on a device and stay there."),
        String::new(),
        " The kernel is enqueued: reading a buffer waits for it.".into(),
        String::new(),
        " # Errors".into(),
        String::new(),
        " Where the shapes of the arguments do not fit together, and where the device cannot run the kernel."
            .into(),
    ]
}

fn buffer(signature: &Signature, element: &str, rank: usize) -> String {
    format!("::{}::opencl::Buffer<{element}, {rank}>", signature.facade)
}

fn header(signature: &Signature, sizes: &Sizes, outs: &[Leaf], docs: &[String], text: &mut Text) {
    let mut params = vec![format!("device: &::{}::opencl::Device", signature.facade)];
    for out in outs {
        let rank = if let Form::Array(shape, _) = &out.form { shape.len() } else { 0 };
        params.push(format!("{}: &mut {}", out.path, buffer(signature, &out.form.element(), rank)));
    }
    params.extend(sizes.leading.iter().map(|var| format!("{}: usize", param_ident(var.text()))));
    for (name, ty, _) in &signature.params {
        let ty = tree(ty, &mut |leaf| {
            let element = crate::backend::rust::stored(leaf);
            match rank(leaf) {
                0 => element,
                rank => format!("&{}", buffer(signature, &element, rank)),
            }
        });
        params.push(format!("{}: {ty}", param_ident(name)));
    }
    text.line(&docs::attribute(docs));
    signature.attributes.iter().for_each(|attribute| text.line(&format!("#[{attribute}]")));
    text.line("#[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]");
    let result = signature.fallible("()");
    text.open(&format!(
        "{} fn {}({}) -> {result} {{",
        signature.visibility,
        signature.derived("on"),
        params.join(", ")
    ));
}

fn body(signature: &Signature, sizes: &Sizes, outs: &[Leaf], text: &mut Text) {
    let (runtime, ident) = (signature.runtime(), |var: &NatVar| Sizes::ident(signature, var));
    let formulas = Formulas { runtime: &runtime, ident: &ident };
    let leading = sizes.leading.iter().map(|var| param_ident(var.text()));
    let values: Vec<String> = leading.chain(sizes.leaves().iter().map(|leaf| leaf.path.clone())).collect();
    for leaf in sizes.leaves().iter().filter(|leaf| matches!(leaf.form, Form::Array(..))) {
        text.line(&format!("{}.check_device({:?}, device)?;", leaf.path, leaf.shown));
    }
    text.line(&format!(
        "let [{}] = {}({})?;",
        Sizes::all(signature),
        sizes.name(signature),
        values.join(", ")
    ));
    let naturals = sizes.leaves().iter().filter_map(|leaf| match &leaf.form {
        Form::Index(_, Some(var)) | Form::Nat(Some(var)) => Some((var, leaf)),
        _ => None,
    });
    for (var, leaf) in naturals {
        text.line(&format!("let {} = {} as usize;", ident(var), leaf.path));
    }
    for out in outs {
        text.line(&format!("{}.check_device({:?}, device)?;", out.path, out.shown));
        let Form::Array(shape, _) = &out.form else { continue };
        for (at, nat) in shape.iter().enumerate() {
            let (expected, got) = (formulas.size(nat), format!("{}.shape()[{at}]", out.path));
            check_dimension(&runtime, &out.shown, at, nat, &expected, &got, text);
        }
    }
    let mut args = vec!["device".to_owned()];
    args.extend(signature.nats.iter().map(ident));
    args.extend(sizes.leaves().iter().map(|leaf| match &leaf.form {
        Form::Array(..) => format!("{}.memory()", leaf.path),
        Form::Index(..) | Form::Nat(_) => format!("{} as usize", leaf.path),
        Form::Value(_) => leaf.path.clone(),
    }));
    args.extend(outs.iter().map(|out| format!("{}.memory()", out.path)));
    text.line(&format!("unsafe {{ {}({}) }}", signature.launcher(), args.join(", ")));
}
