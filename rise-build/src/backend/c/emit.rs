//! The file of a kernel, put together from its parts.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::c_family::{NATURALS, identifiers, tuple_definitions};
use crate::backend::memory::{self, Loops, Temporaries};
use crate::backend::names::Names;
use crate::backend::nat::{Known, NatWriter, Tight};
use crate::backend::text::Text;
use crate::loops::{BufferId, Element, Kernel, Part, Role, ValueType, walk};
use crate::names::Name;
use crate::nat::Nat;

use super::helper::definitions;
use super::isa::Isa;
use super::names::names;
use super::stmt::MARK;
use super::types::{WORDS, register, scalar};

/// How a kernel is written.
#[derive(Clone, Debug)]
pub struct Settings {
    /// For which instruction set.
    pub isa: Isa,
    /// Whether parallel loops are loops of OpenMP.
    pub openmp: bool,
}

/// What is being written.
pub struct Emitter<'k> {
    /// The loops.
    pub kernel: &'k Kernel,
    /// How.
    pub settings: &'k Settings,
    /// The function under construction.
    pub out: Text,
    /// Identifiers given.
    pub names: Names,
    /// What is known of naturals in scope.
    pub known: Known,
    /// The types of registers and scalar parameters.
    pub registers: BTreeMap<Name, ValueType>,
    /// Functions that the kernel's calls.
    pub functions: String,
    /// Where temporaries lie.
    pub temporaries: Temporaries,
    /// The temporaries of allocations that are made already, with the identifier of their memory.
    pub placed: BTreeMap<BufferId, String>,
    /// Identifiers declared that may turn out to be of no use.
    pub declared: Vec<String>,
    /// Foreign functions, as declarations.
    pub foreign: BTreeSet<String>,
    /// Whether the statement stands inside a parallel loop of OpenMP.
    pub parallel: bool,
    /// Whether memory is taken inside the loops.
    pub allocates: bool,
    /// Whether the strategy has chosen vectors.
    pub vectors: bool,
}

/// An argument of a kernel in C.
#[derive(Clone)]
pub struct Argument {
    /// Its name.
    pub ident: String,
    /// Its type, which ends with `*restrict` where it is memory.
    pub ty: String,
}

/// The text of a file that defines `symbol` with this instruction set.
pub fn emit(kernel: &Kernel, symbol: &str, settings: &Settings) -> String {
    let mut emitter = Emitter::new(kernel, settings);
    let function = emitter.definition(&format!("{symbol}_{}", settings.isa.name()));
    emitter.file(&function)
}

impl<'k> Emitter<'k> {
    pub(super) fn new(kernel: &'k Kernel, settings: &'k Settings) -> Self {
        let loops = if settings.openmp { Loops::Parallel } else { Loops::Serial };
        Emitter {
            kernel,
            settings,
            out: Text::default(),
            names: names(),
            known: Known::new(&kernel.facts),
            registers: BTreeMap::new(),
            functions: String::new(),
            temporaries: memory::temporaries(kernel, loops),
            placed: BTreeMap::new(),
            declared: Vec::new(),
            foreign: BTreeSet::new(),
            parallel: false,
            allocates: false,
            vectors: has_vectors(kernel),
        }
    }

    fn file(&mut self, function: &str) -> String {
        let settings = self.settings;
        let target = if settings.openmp { "OpenMP" } else { "C" };
        let mut code = tuples(self.kernel);
        code.push_str(&self.foreign.iter().map(String::as_str).collect::<String>());
        code.push_str(&std::mem::take(&mut self.functions));
        code.push_str(function);
        let helpers = definitions(&code, settings.isa);
        let text = format!("{helpers}{code}");
        let words: BTreeSet<&str> = identifiers(&text).collect();
        let mut head = format!(
            "// Kernel `{}` for {target}, instruction set {}. Written by rise-build {}.\n\n",
            self.kernel.name,
            settings.isa.name(),
            env!("CARGO_PKG_VERSION"),
        );
        for (header, wants) in HEADERS {
            if words.iter().any(|word| wants.contains(word)) {
                head.push_str(&format!("#include <{header}>\n"));
            }
        }
        if words.iter().any(|word| word.starts_with("_mm")) {
            head.push_str("#include <immintrin.h>\n");
        }
        let math = words.iter().any(|word| is_mathematics(word));
        head.push_str(if math { "#include <math.h>\n" } else { "" });
        if settings.openmp && text.contains(" simd") {
            head.push_str(NO_COMPLAINTS);
        }
        format!("{head}\n{text}")
    }

    fn definition(&mut self, symbol: &str) -> String {
        let args = self.arguments();
        self.out.open(&format!("size_t {symbol}({}) {{", signature(&args)));
        self.constants();
        self.load_parameters();
        let outer = std::mem::replace(&mut self.out, Text::at(1));
        self.with_memory();
        let body = std::mem::replace(&mut self.out, outer).finish();
        if self.allocates {
            self.out.line("size_t missing = 0;");
        }
        let body = settle(&body);
        let read = read(&body);
        self.declared.extend(args.into_iter().map(|arg| arg.ident));
        for ident in self.declared.clone().iter().filter(|ident| !read.contains(ident.as_str())) {
            self.out.line(&format!("(void){ident};"));
        }
        let mut text = std::mem::take(&mut self.out).finish();
        text.push_str(&body);
        text.push_str("}\n");
        text
    }

    /// Known arrays.
    fn constants(&mut self) {
        for (at, buffer) in self.kernel.buffers.iter().enumerate() {
            if buffer.role != Role::Constant {
                continue;
            }
            let ident = self.pointer_name(BufferId(at as u32));
            let values: Vec<String> = buffer.values.iter().map(|value| WORDS.literal(*value)).collect();
            let (ty, len) = (WORDS.element(&buffer.element), values.len().max(1));
            let values = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
            self.out.line(&format!("static const {ty} {ident}[{len}] = {{{values}}};"));
            self.declared.push(ident);
        }
    }

    /// Short vectors arrive as arrays.
    fn load_parameters(&mut self) {
        let parts: Vec<_> = self.kernel.params.iter().flat_map(|param| &param.parts).collect();
        for part in parts {
            let Part::Scalar(name, ty) = part else { continue };
            if ty.lanes > 1 {
                let (ident, ty) = (self.names.value(name), register(*ty));
                self.out.line(&format!("const {ty} {ident} = {ty}_load({ident}_lanes);"));
                self.declared.push(ident);
            }
        }
    }

    /// The arguments in the order in which the wrapper passes them.
    pub(super) fn arguments(&mut self) -> Vec<Argument> {
        let kernel = self.kernel;
        let mut args = Vec::new();
        for nat in &kernel.nats {
            args.push(Argument { ident: self.names.nat(nat), ty: "size_t ".into() });
        }
        for part in kernel.params.iter().flat_map(|param| &param.parts) {
            args.push(match part {
                Part::Buffer(id) => self.pointer_argument(*id),
                Part::Nat(var) => Argument { ident: self.names.nat(var), ty: "size_t ".into() },
                Part::Scalar(name, ty) => {
                    self.registers.insert(name.clone(), *ty);
                    let ident = self.names.value(name);
                    match ty.lanes {
                        1 => Argument { ident, ty: format!("{} ", scalar(ty.scalar)) },
                        _ => Argument {
                            ident: format!("{ident}_lanes"),
                            ty: format!("const {} *", scalar(ty.scalar)),
                        },
                    }
                }
            });
        }
        for output in &kernel.outputs {
            args.push(self.pointer_argument(output.buffer));
        }
        args
    }

    fn pointer_argument(&mut self, id: BufferId) -> Argument {
        let buffer = self.kernel.buffer(id);
        let constant = if buffer.role == Role::Input { "const " } else { "" };
        let restrict = if self.temporaries.swapped.contains(&id) { "" } else { "restrict " };
        let ty = format!("{constant}{} *{restrict}", WORDS.element(&buffer.element));
        Argument { ident: self.pointer_name(id), ty }
    }

    /// The identifier of the pointer to a buffer.
    pub fn pointer_name(&mut self, id: BufferId) -> String {
        self.names.buffer(id, &self.kernel.buffer(id).name)
    }

    /// Writes a natural.
    pub fn nat(&mut self, nat: &Nat, tight: Tight) {
        self.nat_writer().unsigned(nat, tight);
    }

    /// Whatever writes naturals, here.
    pub fn nat_writer(&mut self) -> NatWriter<'_> {
        NatWriter {
            dialect: &NATURALS,
            functions: &mut self.functions,
            out: &mut self.out,
            names: &mut self.names,
            known: &mut self.known,
        }
    }
}

fn has_vectors(kernel: &Kernel) -> bool {
    let mut found = false;
    walk::accesses(&kernel.body, &mut |access, _| found |= access.lanes > 1);
    found
}

/// `simd` allows vectors; where they do not pay, Clang would warn.
const NO_COMPLAINTS: &str = "#ifdef __clang__\n#pragma clang diagnostic ignored \"-Wpass-failed\"\n#endif\n";

/// Headers, and the words that want them.
const HEADERS: [(&str, &[&str]); 6] = [
    ("limits.h", &["INT_MAX"]),
    ("stdbool.h", &["bool", "true", "false"]),
    ("stddef.h", &["size_t", "ptrdiff_t", "NULL"]),
    (
        "stdint.h",
        &[
            "int8_t",
            "int16_t",
            "int32_t",
            "int64_t",
            "uint8_t",
            "uint16_t",
            "uint32_t",
            "uint64_t",
            "SIZE_MAX",
            "uintptr_t",
            "INT64_C",
            "UINT64_C",
            "INT32_MIN",
            "INT64_MIN",
        ],
    ),
    ("stdlib.h", &["malloc", "free"]),
    ("string.h", &["memcpy"]),
];

/// What `math.h` declares, in both precisions.
fn is_mathematics(word: &str) -> bool {
    let functions = ["fabs", "sqrt", "floor", "ceil", "round", "fmod", "fma"];
    matches!(word, "INFINITY" | "NAN") || functions.contains(&word.strip_suffix('f').unwrap_or(word))
}

/// Decides the lines that depend on whether an identifier is read.
fn settle(body: &str) -> String {
    let read = read(body);
    let mut out = String::new();
    for line in body.lines() {
        match line.split_once(MARK) {
            None => out.push_str(&format!("{line}\n")),
            Some((indent, ident)) if !read.contains(ident) => {
                out.push_str(&format!("{indent}(void){ident};\n"));
            }
            Some(_) => {}
        }
    }
    out
}

/// The identifiers that occur otherwise than as what is declared or assigned.
fn read(body: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    for line in body.lines().filter(|line| !line.contains(MARK) && !line.trim_start().starts_with("//")) {
        let (place, value) = line.split_once(" = ").unwrap_or(("", line));
        words.extend(identifiers(value));
        // `x = …` writes `x`, `x[i] = …` reads `i` and `x`.
        let plain = place.split_whitespace().last().is_some_and(|last| identifiers(last).eq([last]));
        words.extend(identifiers(if plain { "" } else { place }));
    }
    words
}

fn tuples(kernel: &Kernel) -> String {
    let mut out = Vec::new();
    for buffer in &kernel.buffers {
        if let Element::Tuple(parts) = &buffer.element {
            tuple_definitions(parts, &WORDS, &mut out);
        }
    }
    out.into_iter().map(|(_, text)| text + "\n").collect()
}

/// Arguments as parameters.
pub fn signature(args: &[Argument]) -> String {
    if args.is_empty() {
        return "void".into();
    }
    args.iter().map(|arg| format!("{}{}", arg.ty, arg.ident)).collect::<Vec<_>>().join(", ")
}
