//! The OpenCL target: a program of kernels in OpenCL C 1.2, and the host's side in Rust.
//!
//! In: a [`Kernel`] of loops after all passes. Out: the text of a program, in which each outermost parallel loop
//! nest is a kernel, and of the functions that provide memory and launch them in order; or what devices cannot
//! do. Barriers are placed here ([`barriers`]), where it is known which work-items touch what; nothing else is
//! decided. Loops over work-items take several rounds where there are fewer items than iterations, so that any
//! number of them is right.

mod arrays;
mod barriers;
mod emit;
mod helper;
mod host;
mod levels;
mod names;
mod parts;
mod private;
mod registers;
mod split;
mod stmt;
#[cfg(test)]
mod tests;
mod types;
mod value;
mod work;

use crate::backend::wrapper::Signature;
use crate::loops::{Block, Kernel, Part};
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use emit::Emitter;
use host::Host;

pub use emit::Parameter;
pub use host::Launch;
pub use parts::Part as Memory;
pub use split::{Condition, Step};
pub use work::Work;

/// A kernel for OpenCL.
pub struct Emitted {
    /// The program for the device.
    pub program: String,
    /// The host's functions: the runner that the signature names, and what it calls.
    pub runner: String,
}

/// What device and host do for a kernel.
pub struct Plan {
    /// The loops, with the memory that the steps need.
    pub kernel: Kernel,
    /// The program for the device.
    pub program: String,
    /// Whether it computes in double precision.
    pub doubles: bool,
    /// Bytes of local memory that a kernel of it declares, at most.
    pub local: i64,
    /// What the host does, in order.
    pub steps: Vec<Step>,
    /// The launches among the steps, in order.
    pub launches: Vec<Launch>,
}

/// The texts; an error is what devices, or this compiler, cannot do.
pub fn emit(kernel: &Kernel, signature: &Signature) -> Result<Emitted, String> {
    let types = signature.params.iter().map(|(_, ty, _)| ty).chain([&signature.result]);
    if types.into_iter().any(holds_wide_tuples) {
        return Err(format!("arrays of tuples with more than {WIDEST} components in memory of a device"));
    }
    let plan = plan(kernel)?;
    let host = Host { kernel: &plan.kernel, signature, launches: plan.launches.iter() };
    let runner = host.text(&plan);
    Ok(Emitted { program: plan.program, runner })
}

/// How many components the tuples in a `Buffer` have at most.
const WIDEST: usize = 16;

fn holds_wide_tuples(ty: &DataType) -> bool {
    fn wide(ty: &DataType) -> bool {
        match ty {
            DataType::Array(_, element) => wide(element),
            DataType::Tuple(parts) => parts.len() > WIDEST || parts.iter().any(wide),
            _ => false,
        }
    }
    match ty {
        DataType::Array(_, element) => wide(element),
        DataType::Tuple(parts) => parts.iter().any(holds_wide_tuples),
        _ => false,
    }
}

/// The program and the steps; an error is what devices, or this compiler, cannot do.
pub fn plan(kernel: &Kernel) -> Result<Plan, String> {
    let mut kernel = kernel.clone();
    let mut steps = split::split(&mut kernel);
    let mut writer = Writer {
        name: names::names().fresh(&kernel.name),
        several: steps.iter().map(Step::launches).sum::<usize>() > 1,
        emitter: Emitter::new(&kernel),
        kernel: &kernel,
        known: Vec::new(),
        launches: Vec::new(),
    };
    let parts = kernel.params.iter().flat_map(|param| &param.parts);
    let naturals = parts.filter_map(|part| match part {
        Part::Nat(var) => Some((var.clone(), None)),
        _ => None,
    });
    writer.known.extend(naturals);
    writer.steps(&mut steps)?;
    let Writer { emitter, launches, .. } = writer;
    if let Some(limit) = emitter.limit {
        return Err(limit);
    }
    let local = emitter.local;
    let program = emitter.program();
    let doubles = program.contains("cl_khr_fp64");
    Ok(Plan { kernel, program, doubles, local, steps, launches })
}

/// Writes the kernels of all launches.
struct Writer<'k> {
    kernel: &'k Kernel,
    emitter: Emitter<'k>,
    /// What kernels are called.
    name: String,
    /// Whether there are several, which are numbered.
    several: bool,
    /// What the host knows besides sizes, with bounds.
    known: Vec<(NatVar, Option<Nat>)>,
    launches: Vec<Launch>,
}

impl Writer<'_> {
    fn steps(&mut self, steps: &mut [Step]) -> Result<(), String> {
        for step in steps {
            match step {
                Step::Launch(block) => self.launch(block)?,
                Step::For(var, count, inner) => {
                    self.demand(count, "a number of launches")?;
                    self.known.push((var.clone(), Some(count.clone())));
                    self.steps(inner)?;
                }
                Step::If(_, then, otherwise) => {
                    self.steps(then)?;
                    self.steps(otherwise)?;
                }
                Step::Alloc(id) => {
                    let len = self.kernel.buffer(*id).len.clone();
                    self.demand(&len, "the length of a memory")?;
                }
                Step::LetNat(var, nat) if self.knows(nat) => self.known.push((var.clone(), None)),
                Step::LetNat(_, nat) => *nat = Nat::lit(0),
                Step::Swap(..) => {}
            }
        }
        Ok(())
    }

    fn knows(&self, nat: &Nat) -> bool {
        !nat.mentions_any(&|var| !is_known(self.kernel, &self.known, var))
    }

    fn demand(&self, nat: &Nat, what: &str) -> Result<(), String> {
        match self.knows(nat) {
            true => Ok(()),
            false => Err(format!("{what} (`{nat}`) that is computed on the device")),
        }
    }

    fn launch(&mut self, block: &mut Block) -> Result<(), String> {
        let (kernel, known) = (self.kernel, &self.known);
        let knows = |var: &NatVar| is_known(kernel, known, var);
        let work = work::work(block, &kernel.work, &knows);
        levels::check(block, &mut Vec::new())?;
        private::check(kernel, block)?;
        if !matches!(work, Work::One) {
            barriers::place(kernel, block)?;
        }
        let mut starts = std::collections::BTreeMap::new();
        let parts = parts::parts(kernel, block, &knows, &mut starts)?;
        self.emitter.parts = starts;
        let name = match self.several {
            true => format!("{}_{}", self.name, self.launches.len() + 1),
            false => self.name.clone(),
        };
        if !self.launches.is_empty() {
            self.emitter.out.raw("");
        }
        let params = self.emitter.kernel(&name, block, &work, &self.known);
        self.launches.push(Launch { name, params, work, parts });
        Ok(())
    }
}

fn is_known(kernel: &Kernel, known: &[(NatVar, Option<Nat>)], var: &NatVar) -> bool {
    kernel.nats.contains(var) || known.iter().any(|(other, _)| other == var)
}
