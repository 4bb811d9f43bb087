//! The text of a program, put together from its kernels.

use std::collections::{BTreeMap, BTreeSet};

use crate::backend::c_family::{identifiers, tuple_definitions};
use crate::backend::names::Names;
use crate::backend::nat::Known;
use crate::backend::text::Text;
use crate::loops::walk::{self, Visit};
use crate::loops::{Access, Block, BufferId, Element, Kernel, Part, Role, Stmt, Value, ValueType};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::Scalar;

use super::arrays;
use super::helper::definitions;
use super::names::names;
use super::types::{WORDS, has_lanes, register};
use super::work::Work;

/// A parameter of a kernel on the device.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// Memory of the caller or of the call.
    Buffer(BufferId),
    /// Memory of a group, whose size is given at the launch.
    Local(BufferId),
    /// A scalar or vector of the caller.
    Value(Name, ValueType),
    /// A natural.
    Nat(NatVar),
}

/// What is being written.
pub struct Emitter<'k> {
    /// The loops, for their buffers and parameters.
    pub kernel: &'k Kernel,
    /// The kernel under construction.
    pub out: Text,
    /// Identifiers given in it.
    pub names: Names,
    /// What is known of naturals in scope.
    pub known: Known,
    /// The types of registers and scalar parameters.
    pub registers: BTreeMap<Name, ValueType>,
    /// Functions that kernels call.
    pub functions: String,
    /// Temporaries in global memory that parallel loops allocate: where each iteration's part begins.
    pub parts: BTreeMap<BufferId, Nat>,
    /// The lanes of arrays of vectors.
    pub vectors: BTreeMap<BufferId, u32>,
    /// Buffers that are exchanged.
    pub swapped: Vec<BufferId>,
    /// Buffers that are written and read.
    pub reread: BTreeSet<BufferId>,
    /// The loops over work-items around the statement, and all of the kernel.
    pub spread: Vec<Spread>,
    /// All loops over work-items of the kernel.
    pub all: Vec<Spread>,
    /// The sizes of groups, if the kernel relies on them.
    pub group: Option<[i64; 3]>,
    /// The first thing that OpenCL has not.
    pub limit: Option<String>,
    /// Bytes of a group's memory that a kernel declares, at most.
    pub local: i64,
}

/// A dimension of work-items that is shared out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// All work-items.
    Global(u8),
    /// Those of a group.
    Local(u8),
}

impl<'k> Emitter<'k> {
    /// Nothing written.
    pub fn new(kernel: &'k Kernel) -> Self {
        Emitter {
            kernel,
            out: Text::default(),
            names: names(),
            known: Known::new(&kernel.facts),
            registers: BTreeMap::new(),
            functions: String::new(),
            parts: BTreeMap::new(),
            vectors: BTreeMap::new(),
            swapped: Vec::new(),
            reread: BTreeSet::new(),
            spread: Vec::new(),
            all: Vec::new(),
            group: None,
            limit: None,
            local: 0,
        }
    }

    /// Notes what OpenCL has not.
    pub fn limit(&mut self, what: String) {
        self.limit.get_or_insert(what);
    }

    /// The identifier of the pointer to a buffer.
    pub fn pointer_name(&mut self, id: BufferId) -> String {
        if self.kernel.buffer(id).role == Role::Constant {
            return constant_name(id.0 as usize);
        }
        self.names.buffer(id, &self.kernel.buffer(id).name)
    }

    /// Writes a kernel, and returns its parameters. `host` are naturals that the host computes.
    pub fn kernel(
        &mut self,
        ident: &str,
        block: &Block,
        work: &Work,
        host: &[(NatVar, Option<Nat>)],
    ) -> Vec<Parameter> {
        self.names = names();
        // Functions written for kernels before keep their names.
        let taken: Vec<String> = identifiers(&self.functions).map(str::to_owned).collect();
        taken.iter().for_each(|word| _ = self.names.fresh(word));
        self.names.fresh(ident);
        self.known = Known::new(&self.kernel.facts);
        host.iter().for_each(|(var, bound)| self.known.push(var, bound.as_ref()));
        let params = self.parameters(block, host);
        self.prepare(block, work);
        if let Some(group) = self.group {
            let sizes = group.map(|size| size.to_string()).join(", ");
            self.out.line(&format!("__attribute__((reqd_work_group_size({sizes})))"));
        }
        let list: Vec<String> = params.iter().map(|param| self.parameter(param)).collect();
        self.out.open(&format!("kernel void {ident}({}) {{", list.join(", ")));
        self.unpack(&params);
        self.local_memory(block);
        self.block(block);
        self.out.close("}");
        params
    }

    fn prepare(&mut self, block: &Block, work: &Work) {
        let (mut all, mut swapped) = (Vec::new(), Vec::new());
        walk::stmts(block, &mut |stmt| match stmt {
            Stmt::For(looped) => all.extend(super::stmt::spread(looped.kind)),
            Stmt::Swap(a, b) => swapped.extend([*a, *b]),
            _ => {}
        });
        self.all = all;
        self.swapped = swapped;
        let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
        walk::touches(block, &mut |id, write| _ = if write { written.insert(id) } else { read.insert(id) });
        self.reread = &read & &written;
        self.vectors = arrays::of_vectors(self.kernel, block);
        self.group = match work {
            Work::Exactly(_, local) => Some(local.each_ref().map(|size| size.as_const().unwrap_or(1).max(1))),
            _ => None,
        };
    }

    /// What the statements use, in order: memory, values, naturals.
    fn parameters(&mut self, block: &Block, host: &[(NatVar, Option<Nat>)]) -> Vec<Parameter> {
        let mut used = Used::default();
        used.block(block);
        let kernel = self.kernel;
        let by_role =
            |role: Role| kernel.buffers.iter().enumerate().filter(move |(_, buffer)| buffer.role == role);
        let ids = |role: Role| by_role(role).map(|(at, _)| BufferId(at as u32));
        let mut params: Vec<Parameter> = Vec::new();
        for id in ids(Role::Output).chain(ids(Role::Input)).chain(ids(Role::Heap)) {
            if used.buffers.contains(&id) {
                used.naturals(self.parts.get(&id));
                params.push(Parameter::Buffer(id));
            }
        }
        let sized = |id: &BufferId| kernel.buffer(*id).len.as_const().is_none();
        params.extend(
            ids(Role::Local).filter(|id| used.buffers.contains(id) && sized(id)).map(Parameter::Local),
        );
        for part in kernel.params.iter().flat_map(|param| &param.parts) {
            match part {
                Part::Scalar(name, ty) if used.names.contains(name) => {
                    self.registers.insert(name.clone(), *ty);
                    params.push(Parameter::Value(name.clone(), *ty));
                }
                Part::Nat(var) if used.nats.contains(var) => params.push(Parameter::Nat(var.clone())),
                _ => {}
            }
        }
        let is_part = |var: &NatVar| {
            let mut parts = kernel.params.iter().flat_map(|param| &param.parts);
            parts.any(|part| matches!(part, Part::Nat(other) if other == var))
        };
        let host = host.iter().map(|(var, _)| var);
        let nats = kernel.nats.iter().chain(host).filter(|var| !is_part(var));
        let nats = nats.filter(|var| used.nats.contains(var) && !used.declared.contains(var));
        params.extend(nats.cloned().map(Parameter::Nat));
        params
    }

    fn parameter(&mut self, param: &Parameter) -> String {
        match param {
            Parameter::Buffer(id) => {
                let buffer = self.kernel.buffer(*id);
                let constant = if buffer.role == Role::Input { "const " } else { "" };
                // Another work-item may write what is read, through a pointer of its own. Where the work-item itself
                // does, PoCL 3.1 has been seen to read through such pointers before it writes.
                let restrict = if self.reread.contains(id) { "" } else { "restrict " };
                let mut ident = self.pointer_name(*id);
                if self.parts.contains_key(id) {
                    ident.push_str("_memory");
                    self.names.fresh(&ident);
                }
                format!("{constant}global {} *{restrict}{ident}", self.element(*id))
            }
            Parameter::Local(id) => {
                format!("local {} *{}", self.element(*id), self.memory_name(*id))
            }
            Parameter::Value(name, ty) => match (ty.lanes, ty.scalar) {
                (1, Scalar::Bool) => format!("const uchar {}_stored", self.names.value(name)),
                (lanes, Scalar::Bool) => format!("const uchar{lanes} {}_stored", self.names.value(name)),
                _ => format!("const {} {}", register(*ty), self.names.value(name)),
            },
            Parameter::Nat(var) => format!("const ulong {}", self.names.nat(var)),
        }
    }

    /// Truth values arrive as bytes.
    fn unpack(&mut self, params: &[Parameter]) {
        for param in params {
            let Parameter::Value(name, ty @ ValueType { scalar: Scalar::Bool, lanes }) = param else {
                continue;
            };
            let ident = self.names.value(name);
            let value = match lanes {
                1 => format!("{ident}_stored != 0"),
                lanes => format!("convert_int{lanes}({ident}_stored != (uchar{lanes})(0))"),
            };
            self.out.line(&format!("const {} {ident} = {value};", register(*ty)));
        }
    }

    /// Memory of the group is declared outside of everything.
    fn local_memory(&mut self, block: &Block) {
        let mut bytes: i64 = 0;
        for id in walk::allocated(block) {
            let buffer = self.kernel.buffer(id);
            if let (Role::Local, Some(len)) = (buffer.role, buffer.len.as_const()) {
                // What tuples take, the device's compiler says.
                let each =
                    if matches!(buffer.element, Element::Tuple(_)) { 0 } else { buffer.scalar_bytes() };
                bytes = bytes.saturating_add(len.saturating_mul(each));
                let array = self.array(id, len);
                self.out.line(&format!("local {array};"));
            }
        }
        self.local = self.local.max(bytes);
    }

    /// What an element of a buffer is in this kernel.
    fn element(&self, id: BufferId) -> String {
        let element = WORDS.element(&self.kernel.buffer(id).element);
        self.vectors.get(&id).map_or(element.clone(), |lanes| format!("{element}{lanes}"))
    }

    /// The declaration of an array that holds so many scalars.
    pub fn array(&mut self, id: BufferId, len: i64) -> String {
        let lanes = self.vectors.get(&id).copied().unwrap_or(1);
        format!("{} {}[{}]", self.element(id), self.memory_name(id), (len / i64::from(lanes)).max(1))
    }

    /// The memory behind a pointer; the pointer itself, if that never changes.
    pub fn memory_name(&mut self, id: BufferId) -> String {
        let ident = self.pointer_name(id);
        if self.swapped.contains(&id) { format!("{ident}_memory") } else { ident }
    }

    /// The whole program.
    pub fn program(mut self) -> String {
        let mut code = tuples(self.kernel);
        code.push_str(&constants(self.kernel));
        code.push_str(&self.functions);
        code.push_str(&std::mem::take(&mut self.out).finish());
        let helpers = definitions(&code);
        let text = format!("{helpers}{code}");
        let doubles = identifiers(&text).any(|word| word.starts_with("double"));
        let doubles = if doubles { "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" } else { "" };
        format!(
            "// Kernel `{}` for OpenCL. Written by rise-build {}.\n\n{doubles}#pragma OPENCL FP_CONTRACT OFF\n\n{text}",
            self.kernel.name,
            env!("CARGO_PKG_VERSION"),
        )
    }

    /// Notes vectors of a width that OpenCL has not.
    pub fn check_lanes(&mut self, ty: ValueType) {
        if !has_lanes(ty.lanes) {
            self.limit(format!("vectors of {} lanes on a device, which has 2, 3, 4, 8 and 16", ty.lanes));
        }
    }
}

/// Names in statements.
#[derive(Default)]
struct Used {
    buffers: Vec<BufferId>,
    names: Vec<Name>,
    nats: Vec<NatVar>,
    declared: Vec<NatVar>,
}

impl Used {
    fn naturals(&mut self, nat: Option<&Nat>) {
        self.nats.extend(nat.map(Nat::vars).unwrap_or_default());
    }
}

impl Visit for Used {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Swap(a, b) => self.buffers.extend([*a, *b]),
            Stmt::Alloc(id) => self.buffers.push(*id),
            Stmt::LetNat(var, _) => self.declared.push(var.clone()),
            _ => {}
        }
        walk::walk_stmt(self, stmt);
    }

    fn value(&mut self, value: &Value) {
        if let Value::Var(name) = value {
            self.names.push(name.clone());
        }
        walk::walk_value(self, value);
    }

    fn nat(&mut self, nat: &Nat) {
        self.nats.extend(nat.vars());
    }

    fn access(&mut self, access: &Access, _write: bool) {
        self.buffers.push(access.buffer);
        self.nat(&access.index);
    }
}

/// Whether statements ask for a natural.
pub fn uses(block: &[Stmt], var: &NatVar) -> bool {
    let mut used = Used::default();
    used.block(block);
    used.nats.contains(var)
}

fn tuples(kernel: &Kernel) -> String {
    let mut out = Vec::new();
    for buffer in &kernel.buffers {
        if let Element::Tuple(parts) = &buffer.element {
            tuple_definitions(parts, &WORDS, &mut out);
        }
    }
    out.into_iter().map(|(_, text)| text).collect()
}

/// Known arrays; their names are the same in all kernels.
fn constants(kernel: &Kernel) -> String {
    let mut text = String::new();
    for (at, buffer) in kernel.buffers.iter().enumerate() {
        if buffer.role != Role::Constant {
            continue;
        }
        let values: Vec<String> = buffer.values.iter().map(|value| constant(*value)).collect();
        let (ty, len) = (WORDS.element(&buffer.element), values.len().max(1));
        let values = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
        text.push_str(&format!("constant {ty} {}[{len}] = {{{values}}};\n\n", constant_name(at)));
    }
    text
}

/// The name of a known array.
pub fn constant_name(at: usize) -> String {
    format!("values_{at}")
}

fn constant(value: crate::expr::Literal) -> String {
    match value {
        crate::expr::Literal::Bool(value) => u8::from(value).to_string(),
        value => WORDS.literal(value),
    }
}
