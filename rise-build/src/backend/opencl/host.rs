//! The host's side: Rust that provides memory and launches kernels in order.

use crate::backend::c::layout_check;
use crate::backend::text::Text;
use crate::backend::wrapper::{Form, Formulas, Leaf, Signature};
use crate::loops::{BufferId, Element, Kernel, Part};
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use super::Plan;
use super::emit::Parameter;
use super::parts;
use super::split::{Condition, Step};
use super::work::Work;

/// A launch that has been written for the device.
pub struct Launch {
    /// The kernel's name there.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// How many work-items.
    pub work: Work,
    /// Memory for the time of the launch.
    pub parts: Vec<parts::Part>,
}

/// Writes the functions of the host.
pub struct Host<'a> {
    /// The loops, for their buffers and parameters.
    pub kernel: &'a Kernel,
    /// The declaration.
    pub signature: &'a Signature,
    /// Launches in order of the steps.
    pub launches: std::slice::Iter<'a, Launch>,
}

const ALLOW: &str = "#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]";

impl Host<'_> {
    /// The program, the function that launches it on memory of a device, and the runner, which works on
    /// memory of the host.
    pub fn text(mut self, plan: &Plan) -> String {
        let Plan { program: source, doubles, local, steps, .. } = plan;
        let mut text = Text::default();
        let (runtime, program) = (self.runtime(), self.signature.hidden("program"));
        text.line("#[doc(hidden)]");
        text.line(ALLOW);
        text.line(&format!(
            "static {program}: {runtime}::Program = \
                {runtime}::Program {{ source: {source:?}, doubles: {doubles}, local: {local} }};"
        ));
        self.launcher(steps, &mut text);
        self.runner(&mut text);
        text.finish()
    }

    fn runtime(&self) -> String {
        format!("{}::opencl", self.signature.runtime())
    }

    fn fallible(&self) -> String {
        format!("::core::result::Result<(), {}>", self.signature.error())
    }

    fn launcher(&mut self, steps: &[Step], text: &mut Text) {
        let (name, runtime, result) = (self.signature.launcher(), self.runtime(), self.fallible());
        let mut params = vec![format!("device: &::{}::opencl::Device", self.signature.facade)];
        params.extend((0..self.signature.nats.len()).map(|at| format!("n{at}: usize")));
        let memory = |leaf: &Leaf| format!("{}: &{runtime}::Memory", leaf.ident);
        params.extend(self.signature.leaves().iter().map(|leaf| match &leaf.form {
            Form::Array(..) => memory(leaf),
            Form::Index(..) | Form::Nat(_) => format!("{}: usize", leaf.ident),
            Form::Value(_) => format!("{}: {}", leaf.ident, leaf.form.element()),
        }));
        params.extend(self.signature.result_leaves().iter().map(memory));
        text.line("#[doc(hidden)]");
        text.line(ALLOW);
        text.open(&format!("unsafe fn {name}({}) -> {result} {{", params.join(", ")));
        text.line(&format!("let run = {runtime}::Run::new(device, &{})?;", self.signature.hidden("program")));
        for (id, leaf) in self.callers() {
            text.line(&format!("let mut {} = {};", memory_ident(id), leaf.ident));
        }
        self.steps(steps, text);
        text.line("::core::result::Result::Ok(())");
        text.close("}");
    }

    /// The caller's buffers.
    fn callers(&self) -> Vec<(BufferId, Leaf)> {
        let parts = self.kernel.params.iter().flat_map(|param| &param.parts);
        let inputs = parts.zip(self.signature.leaves()).filter_map(|(part, leaf)| match part {
            Part::Buffer(id) => Some((*id, leaf)),
            _ => None,
        });
        let outputs = self.kernel.outputs.iter().map(|output| output.buffer);
        inputs.chain(outputs.zip(self.signature.result_leaves())).collect()
    }

    fn ident(&self, var: &NatVar) -> String {
        if var.is_in_step() {
            return "run.in_step()".into();
        }
        if let Some(at) = self.signature.nats.iter().position(|nat| nat == var) {
            return format!("n{at}");
        }
        let parts = self.kernel.params.iter().flat_map(|param| &param.parts);
        let found =
            parts.zip(self.signature.leaves()).find(|(part, _)| matches!(part, Part::Nat(own) if own == var));
        found.map_or_else(|| format!("h{}", var.id()), |(_, leaf)| leaf.ident)
    }

    /// A natural as `usize`; 0 if it is none.
    fn size(&self, nat: &Nat) -> String {
        self.formula(nat, |formulas| match nat.as_const() {
            Some(value) => value.max(0).to_string(),
            None => format!("{}.get().unwrap_or(0)", formulas.size(nat)),
        })
    }

    fn formula(&self, nat: &Nat, write: impl FnOnce(&Formulas) -> String) -> String {
        if let Some(var) = nat.as_var() {
            return self.ident(var);
        }
        self.formulas(write)
    }

    fn formulas(&self, write: impl FnOnce(&Formulas) -> String) -> String {
        write(&Formulas { runtime: &self.signature.runtime(), ident: &|var| self.ident(var) })
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(op, a, b) => self.formulas(|formulas| formulas.compare(*op, a, b)),
            Condition::Both { is_enough, parts } => {
                let [a, b] = parts.each_ref().map(|part| self.condition(part));
                format!("({a} {} {b})", if *is_enough { "||" } else { "&&" })
            }
        }
    }

    /// The bytes of so many elements.
    fn bytes(&self, len: &Nat, element: &str) -> String {
        let len = self.formula(len, |formulas| formulas.checked(len, "the memory of a buffer"));
        format!("{}::bytes::<{element}>({len})?", self.runtime())
    }

    fn allocate(&self, ident: &str, id: BufferId, total: &Nat, text: &mut Text) {
        let element = match &self.kernel.buffer(id).element {
            Element::Scalar(ty) => ty.name(),
            Element::Index | Element::Tuple(_) => "u32",
        };
        // A length that cannot be negative where it matters, as an expression that can.
        let total = match total.as_const().is_some() || total.as_var().is_some() {
            true => total.clone(),
            false => Nat::max(total, &Nat::lit(0)),
        };
        text.line(&format!("let {ident} = run.memory({})?;", self.bytes(&total, element)));
    }

    fn steps(&mut self, steps: &[Step], text: &mut Text) {
        for step in steps {
            match step {
                Step::Launch(_) => self.launch(text),
                Step::For(var, count, inner) => {
                    let (ident, count) = (self.ident(var), self.size(count));
                    text.open(&format!("for {ident} in 0..{count} {{"));
                    self.steps(inner, text);
                    text.close("}");
                }
                Step::If(condition, then, otherwise) => {
                    text.open(&format!("if {} {{", self.condition(condition)));
                    self.steps(then, text);
                    text.close("}");
                    if !otherwise.is_empty() {
                        text.open("else {");
                        self.steps(otherwise, text);
                        text.close("}");
                    }
                }
                Step::Alloc(id) => {
                    let ident = memory_ident(*id);
                    let len = self.kernel.buffer(*id).len.clone();
                    self.allocate(&format!("{ident}_memory"), *id, &len, text);
                    text.line(&format!("let mut {ident} = &{ident}_memory;"));
                }
                Step::Swap(a, b) => {
                    let (a, b) = (memory_ident(*a), memory_ident(*b));
                    text.line(&format!("::core::mem::swap(&mut {a}, &mut {b});"));
                }
                Step::LetNat(var, nat) => {
                    text.line(&format!("let {}: usize = {};", self.ident(var), self.size(nat)));
                }
            }
        }
    }

    fn launch(&mut self, text: &mut Text) {
        let Some(launch) = self.launches.next() else { return };
        text.open("{");
        for part in &launch.parts {
            self.allocate(&format!("{}_part", memory_ident(part.buffer)), part.buffer, &part.total, text);
        }
        let args: Vec<String> = launch.params.iter().map(|param| self.argument(param, launch)).collect();
        text.line(&format!(
            "unsafe {{ run.launch(c{:?}, {}, &[{}])?; }}",
            launch.name,
            self.work(&launch.work),
            args.join(", ")
        ));
        text.close("}");
    }

    fn argument(&self, param: &Parameter, launch: &Launch) -> String {
        let runtime = self.runtime();
        match param {
            Parameter::Buffer(id) if launch.parts.iter().any(|part| part.buffer == *id) => {
                format!("{runtime}::Arg::Memory(&{}_part)", memory_ident(*id))
            }
            Parameter::Buffer(id) => format!("{runtime}::Arg::Memory({})", memory_ident(*id)),
            Parameter::Local(id) => {
                let buffer = self.kernel.buffer(*id);
                let Element::Scalar(ty) = buffer.element else { return String::new() };
                format!("{runtime}::Arg::Local({})", self.bytes(&buffer.len, ty.name()))
            }
            Parameter::Nat(var) => format!("{runtime}::Arg::of(&({} as u64))", self.ident(var)),
            Parameter::Value(name, ty) => {
                let parts = self.kernel.params.iter().flat_map(|param| &param.parts);
                let mut found = parts.zip(self.signature.leaves());
                let found = found.find(|(part, _)| matches!(part, Part::Scalar(own, _) if own == name));
                let ident = found.map(|(_, leaf)| leaf.ident).unwrap_or_default();
                match ty.lanes {
                    // Vectors of three lie in memory as vectors of four.
                    3 => format!("{runtime}::Arg::of(&[{ident}[0], {ident}[1], {ident}[2], {ident}[2]])"),
                    _ => format!("{runtime}::Arg::of(&{ident})"),
                }
            }
        }
    }

    fn work(&self, work: &Work) -> String {
        let runtime = self.runtime();
        let list = |counts: &[Nat; 3]| {
            let counts: Vec<String> = counts.iter().map(|count| self.size(count)).collect();
            format!("[{}]", counts.join(", "))
        };
        match work {
            Work::One => format!("{runtime}::Work::Exactly([1, 1, 1], [1, 1, 1])"),
            Work::Items(items) => format!("{runtime}::Work::Items({})", list(items)),
            Work::Groups(groups, local) => {
                format!("{runtime}::Work::Groups({}, {})", list(groups), list(local))
            }
            Work::Exactly(groups, local) => {
                format!("{runtime}::Work::Exactly({}, {})", list(groups), list(local))
            }
        }
    }

    /// Copies arguments to the device, runs, and copies results back.
    fn runner(&self, text: &mut Text) {
        let (runtime, signature) = (self.runtime(), self.signature);
        let (inputs, outputs) = (signature.leaves(), signature.result_leaves());
        let mut params: Vec<String> = (0..signature.nats.len()).map(|at| format!("n{at}: usize")).collect();
        params.extend(inputs.iter().map(|leaf| format!("{}: {}", leaf.ident, input_type(leaf))));
        params.extend(outputs.iter().map(|leaf| format!("{}: *mut {}", leaf.ident, pointee(leaf))));
        text.line("#[doc(hidden)]");
        text.line(ALLOW);
        text.open(&format!(
            "unsafe fn {}({}) -> {} {{",
            signature.runner(),
            params.join(", "),
            self.fallible()
        ));
        for check in inputs.iter().chain(&outputs).filter_map(layout_check) {
            text.line(check.trim());
        }
        text.line(&format!("let device = &::{}::opencl::Device::default()?;", signature.facade));
        let callers = self.callers();
        for (id, leaf) in &callers {
            let written = inputs.iter().any(|input| input.ident == leaf.ident) || signature.clears;
            let bytes = self.bytes(&self.kernel.buffer(*id).len, &pointee(leaf));
            text.line(&format!("let {}_memory = {runtime}::Memory::new(device, {bytes})?;", leaf.ident));
            if written {
                text.line(&format!(
                    "unsafe {{ {0}_memory.write({0}.cast::<::core::ffi::c_void>(), {0}_memory.bytes())?; }}",
                    leaf.ident
                ));
            }
        }
        let on_device = |leaf: &Leaf| callers.iter().any(|(_, other)| other.ident == leaf.ident);
        let mut args = vec!["device".to_owned()];
        args.extend((0..signature.nats.len()).map(|at| format!("n{at}")));
        args.extend(inputs.iter().chain(&outputs).map(|leaf| match on_device(leaf) {
            true => format!("&{}_memory", leaf.ident),
            false => leaf.ident.clone(),
        }));
        text.line(&format!("unsafe {{ {}({})?; }}", signature.launcher(), args.join(", ")));
        for leaf in &outputs {
            text.line(&format!("unsafe {{ {0}_memory.read({0}.cast(), {0}_memory.bytes())?; }}", leaf.ident));
        }
        text.line("::core::result::Result::Ok(())");
        text.close("}");
    }
}

fn memory_ident(id: BufferId) -> String {
    format!("m{}", id.0)
}

/// What a pointer to the caller's memory points to.
fn pointee(leaf: &Leaf) -> String {
    leaf.form.lanes_of().map_or_else(|| leaf.form.element(), |scalar| scalar.to_string())
}

fn input_type(leaf: &Leaf) -> String {
    match &leaf.form {
        Form::Array(..) => format!("*const {}", pointee(leaf)),
        Form::Index(..) | Form::Nat(_) => "usize".into(),
        Form::Value(DataType::Vector(..) | _) => leaf.form.element(),
    }
}
