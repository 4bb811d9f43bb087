//! A kernel as Rust text: its runner, and the function that feeds it from the batch's input.

use rise_build::backend::rust;
use rise_build::loops::{Kernel, Part};
use rise_build::types::DataType;

use super::wire::components;

/// The functions `run_K` and `call_K`.
pub fn program_text(kernel: &Kernel, position: usize) -> String {
    let mut text = rust::emit(kernel, &format!("run_{position}"), "rise");
    let mut body = String::new();
    let mut values: Vec<String> = Vec::new();
    let mut bind = |value: String, expression: &str| {
        let ident = format!("a{}", values.len());
        body.push_str(&format!("    let {ident}{expression};\n"));
        values.push(value.replace('@', &ident));
    };
    for _ in &kernel.nats {
        bind("@".into(), " = io.natural()");
    }
    for param in &kernel.params {
        for (part, ty) in param.parts.iter().zip(components(&param.ty)) {
            match part {
                Part::Buffer(_) => {
                    bind("@.as_ptr().cast()".into(), &format!(": Vec<{}> = io.array()", rust::stored(&ty)));
                }
                Part::Scalar(..) => bind("@".into(), &format!(": {} = io.value()", rust::stored(&ty))),
                Part::Nat(_) => bind("@".into(), " = io.natural()"),
            }
        }
    }
    let mut outs = Vec::new();
    for (at, ty) in kernel.outputs.iter().flat_map(|output| components(&output.ty)).enumerate() {
        body.push_str(&format!("    let mut o{at}: Guarded<{}> = io.room();\n", stored(&ty)));
        values.push(format!("o{at}.start().cast()"));
        outs.push(format!("    io.write(o{at})?;\n"));
    }
    text.push_str(&format!("fn call_{position}(io: &mut Io) -> Result<(), String> {{\n{body}"));
    text.push_str(&format!(
        "    unsafe {{ run_{position}({}) }}.map_err(|error| error.to_string())?;\n{}    Ok(())\n}}\n\n",
        values.join(", "),
        outs.concat()
    ));
    text
}

fn stored(ty: &DataType) -> String {
    match ty {
        DataType::Idx(_) | DataType::Nat => "u32".into(),
        ty => rust::stored(ty),
    }
}
