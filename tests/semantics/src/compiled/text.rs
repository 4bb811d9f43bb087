//! A kernel as text: its runner in Rust or C, and the function that feeds it from the batch's input.

use std::collections::BTreeSet;

use rise_build::backend::{c, rust};
use rise_build::loops::{ByMachine, Kernel, Part, ValueType};
use rise_build::machine::Machine;
use rise_build::types::DataType;

use super::wire::components;

/// A kernel at the first position of a batch.
#[derive(Clone, Debug)]
pub struct Text {
    /// The functions `run_0`, in a module of that name or alone, and `call_0`.
    pub rust: String,
    /// The function `k0_ISA`, where the runner only calls it.
    pub c: String,
}

impl Text {
    /// The kernel in Rust.
    pub fn in_rust(kernel: &Kernel) -> Self {
        let past = kernel.asks_for_past().then_some("true");
        let rust = rust::emit(&ByMachine::new(Machine::BEST, kernel.clone()), "run_0", "rise")
            + &caller(kernel, past);
        Self { rust, c: String::new() }
    }

    /// The kernel in C.
    pub fn in_c(kernel: &Kernel, settings: &c::Settings) -> Self {
        let symbol = format!("k0_{}", settings.isa.name());
        let c = threaded(&c::emit(kernel, "k0", settings));
        Self { rust: c_runner(kernel, &symbol) + &caller(kernel, None), c }
    }

    /// The same at another position.
    #[must_use]
    pub fn at(&self, position: usize) -> Self {
        let rust = self.rust.replace("run_0", &format!("run_{position}"));
        let rust = rust.replace("call_0(", &format!("call_{position}("));
        let rust = rust.replace("k0_", &format!("k{position}_"));
        Self { rust, c: self.c.replace("k0_", &format!("k{position}_")) }
    }
}

/// Parallel loops run on several threads however little they do.
fn threaded(c: &str) -> String {
    let line = |line: &str| match line.split_once(" if (") {
        Some((pragma, _)) if pragma.trim_start().starts_with("#pragma") => {
            format!("{pragma} num_threads(3)\n")
        }
        _ => format!("{line}\n"),
    };
    c.lines().map(line).collect()
}

/// Several kernels in C as one file: what they share stands once, their own functions get their own names.
pub fn one_file<'t>(texts: impl Iterator<Item = &'t Text>) -> String {
    let mut seen = BTreeSet::new();
    let mut file = String::new();
    for (position, text) in texts.enumerate() {
        let mut c = text.c.clone();
        for (at, _) in text.c.match_indices("static size_t total") {
            let name = text.c[at + "static size_t ".len()..].split('(').next().unwrap_or_default();
            c = c.replace(&format!("{name}("), &format!("k{position}_{name}("));
        }
        for paragraph in c.split("\n\n").filter(|paragraph| seen.insert((*paragraph).to_owned())) {
            file.push_str(paragraph);
            file.push_str("\n\n");
        }
    }
    file
}

/// The runner that calls the function in C.
fn c_runner(kernel: &Kernel, symbol: &str) -> String {
    let mut params = Vec::new();
    let mut passed = Vec::new();
    let mut add = |ours: String, theirs: &str, value: &str| {
        let ident = format!("a{}", params.len());
        passed.push(value.replace('@', &ident));
        params.push((format!("{ident}: {ours}"), format!("{ident}: {theirs}")));
    };
    kernel.nats.iter().for_each(|_| add("usize".into(), "usize", "@"));
    for part in kernel.params.iter().flat_map(|param| &param.parts) {
        match part {
            Part::Buffer(_) => add("*const u8".into(), "*const u8", "@"),
            Part::Nat(_) => add("usize".into(), "usize", "@"),
            Part::Scalar(_, ValueType { scalar, lanes: 1 }) => add(scalar.to_string(), scalar.name(), "@"),
            Part::Scalar(_, ValueType { scalar, lanes }) => {
                add(format!("[{scalar}; {lanes}]"), &format!("*const {scalar}"), "@.as_ptr()");
            }
        }
    }
    kernel.outputs.iter().for_each(|_| add("*mut u8".into(), "*mut u8", "@"));
    let [ours, theirs] = [0, 1].map(|which| {
        let side = |param: &(String, String)| if which == 0 { param.0.clone() } else { param.1.clone() };
        params.iter().map(side).collect::<Vec<_>>().join(", ")
    });
    format!(
        "unsafe fn run_0({ours}) -> Result<(), rise::Error> {{\n    \
         unsafe extern \"C\" {{\n        fn {symbol}({theirs}) -> usize;\n    }}\n    \
         match unsafe {{ {symbol}({}) }} {{\n        0 => Ok(()),\n        \
         bytes => Err(rise::Error::OutOfMemory {{ bytes }}),\n    }}\n}}\n\n",
        passed.join(", ")
    )
}

/// The function `call_0`. The runner is told at last whether results may be written past the caches, if it asks.
fn caller(kernel: &Kernel, past: Option<&str>) -> String {
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
    values.extend(past.map(str::to_owned));
    format!(
        "fn call_0(io: &mut Io) -> Result<(), String> {{\n{body}    \
         unsafe {{ run_0({}) }}.map_err(|error| error.to_string())?;\n{}    Ok(())\n}}\n\n",
        values.join(", "),
        outs.concat()
    )
}

fn stored(ty: &DataType) -> String {
    match ty {
        DataType::Idx(_) | DataType::Nat => "u32".into(),
        ty => rust::stored(ty),
    }
}
