//! Runs a plan for a device without compiling Rust: what the generated functions of the host do, interpreted.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};

use rise::opencl::Device;
use rise_build::backend::opencl::{Condition, Parameter, Plan, Step, Work, plan};
use rise_build::dpia::functional::{Target, from_expr};
use rise_build::dpia::imperative::translate;
use rise_build::expr::{self, Compare, Value};
use rise_build::loops::{self, BufferId, Element, Part, passes};
use rise_build::nat::{Nat, NatVar};
use rise_build::types::DataType;
use rise_runtime::opencl as device;

use crate::bytes::{components, read, size, stored_size, write};

/// The plan of a kernel whose choices have been made; an error is what was refused.
pub fn planned(kernel: &expr::Kernel) -> Result<Plan, String> {
    let functional = from_expr(kernel, Target::OpenCl)
        .map_err(|wrong| wrong.iter().map(|wrong| wrong.headline()).collect::<Vec<_>>().join("; "))?;
    let mut loops = loops::lower(&translate(&functional));
    passes::run(&mut loops, &passes::Options::DEVICE).map_err(|large| large.to_string())?;
    plan(&loops)
}

/// What lies behind a buffer.
struct Running<'p> {
    device: Device,
    plan: &'p Plan,
    run: device::Run,
    nats: Vec<(NatVar, i128)>,
    values: Vec<(rise_build::names::Name, Vec<u8>)>,
    memories: Vec<device::Memory>,
    /// Positions in `memories`.
    places: BTreeMap<BufferId, usize>,
    launched: usize,
}

/// The result of a plan at these sizes.
pub fn execute(plan: &Plan, sizes: &[i128], args: &[Value], device: Device) -> Result<Value, String> {
    let kernel = &plan.kernel;
    let source = String::leak(plan.program.clone());
    let program = device::Program { source, doubles: plan.doubles, local: plan.local as usize };
    let run = device::Run::new(&device, &program).map_err(|error| error.to_string())?;
    let mut running = Running {
        device,
        plan,
        run,
        nats: kernel.nats.iter().cloned().zip(sizes.iter().copied()).collect(),
        values: Vec::new(),
        memories: Vec::new(),
        places: BTreeMap::new(),
        launched: 0,
    };
    for (param, arg) in kernel.params.iter().zip(args) {
        running.argument(&param.parts, &param.ty, arg)?;
    }
    for output in &kernel.outputs {
        let bytes = stored_size(&output.ty, &running.nats);
        running.memory(output.buffer, &vec![0xa5; bytes])?;
    }
    running.steps(&plan.steps)?;
    let mut parts = kernel.outputs.iter().map(|output| {
        let memory = &running.memories[running.places[&output.buffer]];
        let mut bytes = vec![0_u8; memory.bytes()];
        // SAFETY: there is room for all of it.
        unsafe { memory.read(bytes.as_mut_ptr().cast(), bytes.len()) }.map_err(|error| error.to_string())?;
        Ok(read(&output.ty, &running.nats, &bytes))
    });
    let mut parts = parts.by_ref().collect::<Result<Vec<Value>, String>>()?;
    Ok(if parts.len() == 1 { parts.remove(0) } else { Value::Tuple(parts) })
}

impl Running<'_> {
    fn argument(&mut self, parts: &[Part], ty: &DataType, value: &Value) -> Result<(), String> {
        for (part, (ty, value)) in parts.iter().zip(components(ty, value)) {
            match part {
                Part::Buffer(id) => {
                    let mut bytes = Vec::new();
                    write(value, ty, &mut bytes);
                    self.memory(*id, &bytes)?;
                }
                Part::Scalar(name, held) => {
                    let mut bytes = Vec::new();
                    write(value, ty, &mut bytes);
                    if held.lanes == 3 {
                        // Vectors of three lie in memory as vectors of four.
                        bytes.resize(bytes.len() / 3 * 4, 0);
                    }
                    self.values.push((name.clone(), bytes));
                }
                Part::Nat(var) => {
                    let Value::Nat(value) = value else { return Err(format!("{value:?} is no natural")) };
                    self.nats.push((var.clone(), *value));
                }
            }
        }
        Ok(())
    }

    fn allocate(&mut self, bytes: usize) -> Result<usize, String> {
        let memory = device::Memory::new(&self.device, bytes).map_err(|error| error.to_string())?;
        self.memories.push(memory);
        Ok(self.memories.len() - 1)
    }

    fn memory(&mut self, id: BufferId, bytes: &[u8]) -> Result<(), String> {
        let at = self.allocate(bytes.len())?;
        // SAFETY: the bytes are there.
        unsafe { self.memories[at].write(bytes.as_ptr().cast(), bytes.len()) }
            .map_err(|error| error.to_string())?;
        self.places.insert(id, at);
        Ok(())
    }

    fn size(&self, nat: &Nat) -> usize {
        size(nat, &self.nats)
    }

    fn bytes(&self, id: BufferId, len: &Nat) -> usize {
        let element = match &self.plan.kernel.buffer(id).element {
            Element::Scalar(scalar) => scalar.bytes() as usize,
            Element::Index | Element::Tuple(_) => 4,
        };
        self.size(len) * element
    }

    fn steps(&mut self, steps: &[Step]) -> Result<(), String> {
        for step in steps {
            match step {
                Step::Launch(_) => {
                    self.launch(self.launched)?;
                    self.launched += 1;
                }
                Step::For(var, count, inner) => {
                    let first = self.launched;
                    for round in 0..self.size(count) {
                        self.launched = first;
                        self.nats.push((var.clone(), round as i128));
                        self.steps(inner)?;
                        self.nats.pop();
                    }
                    self.launched = first + launches(inner);
                }
                Step::If(condition, then, otherwise) => {
                    let first = self.launched;
                    if self.holds(condition) {
                        self.steps(then)?;
                    } else {
                        self.launched += launches(then);
                        self.steps(otherwise)?;
                    }
                    self.launched = first + step.launches();
                }
                Step::Alloc(id) => {
                    let bytes = self.bytes(*id, &self.plan.kernel.buffer(*id).len);
                    let at = self.allocate(bytes)?;
                    self.places.insert(*id, at);
                }
                Step::Swap(a, b) => {
                    let (first, second) = (self.places[a], self.places[b]);
                    self.places.insert(*a, second);
                    self.places.insert(*b, first);
                }
                Step::LetNat(var, nat) => {
                    let value = self.size(nat) as i128;
                    self.nats.retain(|(other, _)| other != var);
                    self.nats.push((var.clone(), value));
                }
            }
        }
        Ok(())
    }

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(op, a, b) => {
                let known =
                    |var: &NatVar| self.nats.iter().find(|(other, _)| other == var).map(|(_, value)| *value);
                let [a, b] = [a, b].map(|nat| nat.eval(&known).expect("the host knows all sizes"));
                match op {
                    Compare::Le => a <= b,
                    Compare::Lt => a < b,
                    Compare::Ge => a >= b,
                    Compare::Gt => a > b,
                    Compare::Eq => a == b,
                    Compare::Ne => a != b,
                }
            }
            Condition::Both { is_enough: true, parts } => parts.iter().any(|part| self.holds(part)),
            Condition::Both { parts, .. } => parts.iter().all(|part| self.holds(part)),
        }
    }

    fn launch(&mut self, at: usize) -> Result<(), String> {
        let launch = &self.plan.launches[at];
        let mut places = self.places.clone();
        for part in &launch.parts {
            let at = self.allocate(self.bytes(part.buffer, &part.total))?;
            places.insert(part.buffer, at);
        }
        let naturals: Vec<u64> = launch
            .params
            .iter()
            .map(|param| match param {
                Parameter::Nat(var) => self.size(&Nat::var(var)) as u64,
                _ => 0,
            })
            .collect();
        let args: Vec<device::Arg> = launch
            .params
            .iter()
            .zip(&naturals)
            .map(|(param, natural)| match param {
                Parameter::Buffer(id) => device::Arg::Memory(&self.memories[places[id]]),
                Parameter::Local(id) => {
                    device::Arg::Local(self.bytes(*id, &self.plan.kernel.buffer(*id).len))
                }
                Parameter::Nat(_) => device::Arg::of(natural),
                Parameter::Value(name, _) => {
                    let (_, bytes) =
                        self.values.iter().find(|(other, _)| other == name).expect("scalars are parameters");
                    device::Arg::Value(bytes.as_ptr().cast(), bytes.len(), std::marker::PhantomData)
                }
            })
            .collect();
        let name = CString::new(launch.name.clone()).map_err(|error| error.to_string())?;
        let name: &'static CStr = Box::leak(name.into_boxed_c_str());
        let list = |counts: &[Nat; 3]| counts.each_ref().map(|count| self.size(count));
        let work = match &launch.work {
            Work::One => device::Work::Exactly([1; 3], [1; 3]),
            Work::Items(items) => device::Work::Items(list(items)),
            Work::Groups(groups, local) => device::Work::Groups(list(groups), list(local)),
            Work::Exactly(groups, local) => device::Work::Exactly(list(groups), list(local)),
        };
        // SAFETY: the parameters are the plan's.
        unsafe { self.run.launch(name, work, &args) }.map_err(|error| error.to_string())?;
        self.device.finish().map_err(|error| error.to_string())
    }
}

fn launches(steps: &[Step]) -> usize {
    steps.iter().map(Step::launches).sum()
}
