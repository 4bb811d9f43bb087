//! The function that chooses among the instances of a kernel.

use crate::backend::c_family::{identifiers, tuple_definitions};
use crate::loops::Kernel;

use super::emit::{Emitter, Settings, signature};
use super::isa::Isa;
use super::types::WORDS;

/// The text of a file that defines `symbol`, which takes the level that the CPU has and then the arguments.
///
/// `isas` are the instruction sets there are, the least first.
pub fn dispatcher(kernel: &Kernel, symbol: &str, isas: &[Isa]) -> String {
    let settings = Settings { isa: Isa::Plain, openmp: false };
    let mut emitter = Emitter::new(kernel, &settings);
    let args = emitter.arguments();
    let (params, values) =
        (signature(&args), args.iter().map(|arg| arg.ident.as_str()).collect::<Vec<_>>().join(", "));
    let mut text = String::from("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n");
    text.push_str(&structs(kernel, &params));
    for isa in isas {
        text.push_str(&format!("size_t {symbol}_{}({params});\n", isa.name()));
    }
    let comma = if args.is_empty() { "" } else { ", " };
    let own = if args.is_empty() { String::new() } else { params };
    text.push_str(&format!("\nsize_t {symbol}(uint8_t level{comma}{own});\n"));
    text.push_str(&format!("\nsize_t {symbol}(uint8_t level{comma}{own}) {{\n"));
    for isa in isas.iter().rev().filter(|isa| isa.level() > 1) {
        text.push_str(&format!(
            "    if (level >= {}) {{\n        return {symbol}_{}({values});\n    }}\n",
            isa.level(),
            isa.name()
        ));
    }
    text.push_str(&format!("    (void)level;\n    return {symbol}_baseline({values});\n}}\n"));
    text
}

fn structs(kernel: &Kernel, params: &str) -> String {
    let mut out = Vec::new();
    for buffer in &kernel.buffers {
        if let crate::loops::Element::Tuple(parts) = &buffer.element {
            tuple_definitions(parts, &WORDS, &mut out);
        }
    }
    let used =
        |name: &str| name.starts_with("tuple") && identifiers(params).any(|word| word.starts_with("tuple"));
    out.into_iter().filter(|(name, _)| used(name)).map(|(_, text)| text + "\n").collect()
}
