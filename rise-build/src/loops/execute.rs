//! Runs loops directly: the oracle of the passes, and a check of programs without a compiler of the target.
//!
//! Every access is checked: out of range, read before written, and two iterations of one parallel loop that
//! touch the same element (unless both read) are faults. Parallel iterations run in a scrambled order. Scalar
//! operations have the meaning of [`scalar`].

use std::collections::HashMap;
use std::fmt;

use crate::expr::{Literal, Value as Data, scalar};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::ir::*;

/// What went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault(pub String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type Run<T> = Result<T, Fault>;

fn fault<T>(text: String) -> Run<T> {
    Err(Fault(text))
}

/// The results of a kernel at `sizes` (in order of [`Kernel::nats`]) and `args` (in order of parameters), one
/// for each component of the result.
pub fn execute(kernel: &Kernel, sizes: &[i128], args: &[Data]) -> Run<Vec<Data>> {
    let mut machine = Machine::new(kernel);
    for (var, size) in kernel.nats.iter().zip(sizes) {
        machine.nats.insert(var.id(), *size);
    }
    for (param, arg) in kernel.params.iter().zip(args) {
        machine.bind(param, arg)?;
    }
    for output in &kernel.outputs {
        machine.allocate(output.buffer)?;
    }
    for (position, buffer) in kernel.buffers.iter().enumerate() {
        if buffer.role == Role::Constant {
            let id = BufferId(position as u32);
            machine.allocate(id)?;
            let values = buffer.values.iter().map(|value| Some(*value)).collect();
            machine.memory(id)?.slots = values;
        }
    }
    machine.block(&kernel.body)?;
    kernel.outputs.iter().map(|output| machine.result(output)).collect()
}

/// A vector's lanes; a scalar has one.
type Lanes = Vec<Literal>;

struct Machine<'a> {
    kernel: &'a Kernel,
    nats: HashMap<u32, i128>,
    registers: HashMap<Name, Register>,
    memories: Vec<Memory>,
    /// Which memory stands behind a buffer now.
    behind: HashMap<BufferId, usize>,
    /// Where in the memory behind them those buffers begin that do not begin with it.
    starts: HashMap<BufferId, i128>,
    /// The parallel loops under way, the innermost last.
    parallel: Vec<Parallel>,
}

struct Register {
    lanes: Option<Lanes>,
    depth: usize,
}

struct Memory {
    slots: Vec<Option<Literal>>,
    /// Number of parallel loops around its declaration.
    depth: usize,
}

struct Parallel {
    iteration: i128,
    touched: HashMap<(usize, usize), Touched>,
}

#[derive(Clone, Copy)]
struct Touched {
    by: i128,
    others: bool,
    written: bool,
}

impl<'a> Machine<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        Self {
            kernel,
            nats: HashMap::new(),
            registers: HashMap::new(),
            memories: Vec::new(),
            behind: HashMap::new(),
            starts: HashMap::new(),
            parallel: Vec::new(),
        }
    }

    fn nat(&self, nat: &Nat) -> Run<i128> {
        let lookup = |var: &NatVar| self.nats.get(&var.id()).copied();
        nat.eval(&lookup).map_err(|error| Fault(format!("{nat}: {error}")))
    }

    // ---- The caller's side ----

    fn bind(&mut self, param: &Param, arg: &Data) -> Run<()> {
        let mut values = Vec::new();
        parts_of(&param.ty, arg, &mut values);
        for (part, value) in param.parts.iter().zip(values) {
            match part {
                Part::Buffer(id) => {
                    self.allocate(*id)?;
                    let mut slots = Vec::new();
                    flatten(value, &mut slots);
                    let expected = self.memory(*id)?.slots.len();
                    if slots.len() != expected {
                        let name = &param.name;
                        return fault(format!("{name} has {} slots instead of {expected}", slots.len()));
                    }
                    self.memory(*id)?.slots = slots;
                }
                Part::Scalar(name, _) => {
                    let mut slots = Vec::new();
                    flatten(value, &mut slots);
                    let lanes = slots.into_iter().collect::<Option<Lanes>>();
                    self.registers.insert(name.clone(), Register { lanes, depth: 0 });
                }
                Part::Nat(var) => match value {
                    Data::Nat(value) => {
                        self.nats.insert(var.id(), *value);
                    }
                    other => return fault(format!("{other:?} is no natural")),
                },
            }
        }
        Ok(())
    }

    fn result(&mut self, output: &Output) -> Run<Data> {
        let ty = output.ty.clone();
        let slots = std::mem::take(&mut self.memory(output.buffer)?.slots);
        self.unflatten(&ty, &mut slots.into_iter())
    }

    fn unflatten(&mut self, ty: &DataType, slots: &mut dyn Iterator<Item = Option<Literal>>) -> Run<Data> {
        match ty {
            DataType::Array(len, element) => {
                let len = self.nat(len)?;
                (0..len).map(|_| self.unflatten(element, slots)).collect::<Run<_>>().map(Data::Array)
            }
            DataType::DepArray(len, var, element) => {
                let len = self.nat(len)?;
                (0..len)
                    .map(|i| self.unflatten(&element.subst(var, &Nat::from(i as i64)), slots))
                    .collect::<Run<_>>()
                    .map(Data::Array)
            }
            DataType::Tuple(parts) => {
                parts.iter().map(|part| self.unflatten(part, slots)).collect::<Run<_>>().map(Data::Tuple)
            }
            DataType::Vector(_, lanes) => {
                let lanes: Option<Lanes> = (0..*lanes).map(|_| slots.next().flatten()).collect();
                Ok(lanes.map_or(Data::Undefined, Data::Vector))
            }
            DataType::Nat | DataType::Idx(_) => Ok(match slots.next().flatten() {
                Some(Literal::Int(value, _)) => Data::Nat(value),
                _ => Data::Undefined,
            }),
            DataType::Scalar(_) => Ok(slots.next().flatten().map_or(Data::Undefined, Data::Scalar)),
        }
    }

    // ---- Memory ----

    fn allocate(&mut self, id: BufferId) -> Run<()> {
        let buffer = self.kernel.buffer(id);
        let len = self.nat(&buffer.len)?;
        let Ok(len) = usize::try_from(len) else { return fault(format!("{} of length {len}", buffer.name)) };
        let slots = vec![None; len * element_slots(&buffer.element)];
        self.memories.push(Memory { slots, depth: self.parallel.len() });
        self.behind.insert(id, self.memories.len() - 1);
        Ok(())
    }

    fn memory(&mut self, id: BufferId) -> Run<&mut Memory> {
        match self.behind.get(&id) {
            Some(memory) => Ok(&mut self.memories[*memory]),
            None => fault(format!("{} is not allocated", self.kernel.buffer(id).name)),
        }
    }

    /// The slot of lane `lane` of an access whose element index is known.
    fn slot(&mut self, access: &Access, index: i128, lane: u32, write: bool) -> Run<(usize, usize)> {
        let buffer = self.kernel.buffer(access.buffer);
        let index = index + self.starts.get(&access.buffer).unwrap_or(&0);
        let (element, inside) = match &buffer.element {
            Element::Tuple(parts) => {
                let (start, vector) = component(parts, &access.path);
                if vector > 1 { (index, start + lane as usize) } else { (index + i128::from(lane), start) }
            }
            _ => (index + i128::from(lane), 0),
        };
        let size = element_slots(&buffer.element) as i128;
        let name = &buffer.name;
        let Some(memory) = self.behind.get(&access.buffer).copied() else {
            return fault(format!("{name} is not allocated"));
        };
        let len = self.memories[memory].slots.len() as i128 / size;
        if !(0..len).contains(&element) {
            return fault(format!("{name}[{element}] of {len}, index {}", access.index));
        }
        let slot = (element * size) as usize + inside;
        self.touch(memory, slot, write, name)?;
        Ok((memory, slot))
    }

    fn touch(&mut self, memory: usize, slot: usize, write: bool, name: &str) -> Run<()> {
        let depth = self.memories[memory].depth;
        for around in self.parallel.iter_mut().skip(depth) {
            let by = around.iteration;
            let fresh = Touched { by, others: false, written: write };
            let touched = around.touched.entry((memory, slot)).or_insert(fresh);
            touched.others |= touched.by != by;
            touched.written |= write;
            if touched.others && touched.written {
                return fault(format!("two parallel iterations touch element {slot} of {name}"));
            }
        }
        Ok(())
    }

    fn load(&mut self, access: &Access, index: i128, lane: u32) -> Run<Literal> {
        let (memory, slot) = self.slot(access, index, lane, false)?;
        let name = &self.kernel.buffer(access.buffer).name;
        self.memories[memory].slots[slot].map_or_else(
            || fault(format!("{name}[{slot}] is read before it is written, index {}", access.index)),
            Ok,
        )
    }

    // ---- Statements ----

    fn block(&mut self, block: &[Stmt]) -> Run<()> {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Run<()> {
        match stmt {
            Stmt::Comment(_) | Stmt::Barrier { .. } => Ok(()),
            Stmt::For(looped) => self.looped(looped),
            Stmt::Let(name, ty, value) => {
                let lanes = Some(self.typed(value, *ty)?);
                self.declare(name, lanes)
            }
            Stmt::Var(name, ty, value) => {
                let lanes = value.as_ref().map(|value| self.typed(value, *ty)).transpose()?;
                self.declare(name, lanes)
            }
            Stmt::LetNat(var, value) => {
                let natural = self.natural(value)?;
                // Where something is read from: generated code computes it without a sign.
                if natural < 0 && matches!(value, Value::Apart(_)) {
                    return fault(format!("{var} is {natural}"));
                }
                self.nats.insert(var.id(), natural);
                Ok(())
            }
            Stmt::Set(name, value) => {
                let lanes = self.value(value)?;
                let depth = self.parallel.len();
                match self.registers.get_mut(name) {
                    Some(register) if register.depth == depth => {
                        register.lanes = Some(lanes);
                        Ok(())
                    }
                    Some(_) => fault(format!("{name} is set in a parallel loop")),
                    None => fault(format!("{name} is not declared")),
                }
            }
            Stmt::Store(access, value) => self.store(access, value),
            Stmt::Alloc(id) => self.allocate(*id),
            Stmt::If(condition, then, otherwise) => match self.value(condition)?[0] {
                Literal::Bool(true) => self.block(then),
                Literal::Bool(false) => self.block(otherwise),
                other => fault(format!("{other:?} is no condition")),
            },
            Stmt::Block(block) => self.block(block),
            Stmt::Product(product) => self.block(&product.as_loops()),
            Stmt::Transpose(transpose) => self.block(&transpose.as_loops()),
            Stmt::StorePart(store) => {
                let scalar = self.kernel.buffer(store.to.buffer).scalar(&store.to.path);
                self.block(&store.by_lanes(scalar))
            }
            Stmt::Ask(..) => Ok(()),
            Stmt::Lend(lend) => {
                let is_copy = self.value(&lend.is_copy)?[0] == Literal::Bool(true);
                let start = self.nat(&lend.from.index)?;
                let (id, start) = if is_copy { (lend.copy, 0) } else { (lend.from.buffer, start) };
                let Some(memory) = self.behind.get(&id).copied() else {
                    return fault("memory is lent that is not allocated".into());
                };
                self.behind.insert(lend.rows, memory);
                self.starts.insert(lend.rows, start);
                Ok(())
            }
            Stmt::Swap(a, b) => {
                let (Some(x), Some(y)) = (self.behind.get(a).copied(), self.behind.get(b).copied()) else {
                    return fault("a swap of memory that is not allocated".into());
                };
                self.behind.insert(*a, y);
                self.behind.insert(*b, x);
                Ok(())
            }
        }
    }

    fn declare(&mut self, name: &Name, lanes: Option<Lanes>) -> Run<()> {
        self.registers.insert(name.clone(), Register { lanes, depth: self.parallel.len() });
        Ok(())
    }

    fn store(&mut self, access: &Access, value: &Value) -> Run<()> {
        let lanes = self.value(value)?;
        if lanes.len() != access.lanes as usize {
            return fault(format!("{} lanes are stored as {}", lanes.len(), access.lanes));
        }
        let scalar = self.kernel.buffer(access.buffer).scalar(&access.path);
        if lanes[0].scalar() != scalar {
            return fault(format!("{} is stored as {scalar}", lanes[0].scalar()));
        }
        let index = self.nat(&access.index)?;
        for (lane, literal) in lanes.into_iter().enumerate() {
            let (memory, slot) = self.slot(access, index, lane as u32, true)?;
            self.memories[memory].slots[slot] = Some(literal);
        }
        Ok(())
    }

    fn looped(&mut self, looped: &Loop) -> Run<()> {
        let count = self.nat(&looped.count)?;
        let parallel = !matches!(looped.kind, LoopKind::Seq | LoopKind::Unroll);
        if parallel {
            self.parallel.push(Parallel { iteration: 0, touched: HashMap::new() });
        }
        for turn in 0..count {
            let iteration = if parallel { scrambled(turn, count) } else { turn };
            if let Some(around) = self.parallel.last_mut().filter(|_| parallel) {
                around.iteration = iteration;
            }
            self.nats.insert(looped.var.id(), iteration);
            self.block(&looped.body)?;
        }
        if parallel {
            self.parallel.pop();
        }
        Ok(())
    }

    // ---- Values ----

    fn typed(&mut self, value: &Value, ty: ValueType) -> Run<Lanes> {
        let lanes = self.value(value)?;
        if lanes.len() != ty.lanes as usize || lanes[0].scalar() != ty.scalar {
            return fault(format!("{} lanes of {} are declared as {ty:?}", lanes.len(), lanes[0].scalar()));
        }
        Ok(lanes)
    }

    fn natural(&mut self, value: &Value) -> Run<i128> {
        match value {
            Value::Nat(nat) | Value::Apart(nat) => self.nat(nat),
            Value::ClampIndex(_, bound, value) => {
                let bound = self.nat(bound)?;
                let value = self.value(value)?;
                match scalar::cast(value[0], Scalar::I64) {
                    Literal::Int(value, _) => Ok(value.min(bound - 1).max(0)),
                    other => fault(format!("{other:?} is no index")),
                }
            }
            // Addresses are unknown here: as many as can be, at odd places.
            Value::ToLine(access, count) => {
                let (index, lanes) = (self.nat(&access.index)?, i128::from(access.lanes));
                Ok(if self.nat(count)? < lanes { 0 } else { (5 * index + 3) % lanes })
            }
            _ => match self.value(value)?[0] {
                Literal::Int(value, ty) if !ty.is_signed() => Ok(value),
                other => fault(format!("{other:?} is no natural")),
            },
        }
    }

    fn value(&mut self, value: &Value) -> Run<Lanes> {
        match value {
            Value::Literal(literal) => Ok(vec![*literal]),
            Value::Var(name) => match self.registers.get(name) {
                Some(Register { lanes: Some(lanes), .. }) => Ok(lanes.clone()),
                Some(_) => fault(format!("{name} is read before it is written")),
                None => fault(format!("{name} is not declared")),
            },
            Value::Nat(_) | Value::Apart(_) | Value::ClampIndex(..) | Value::ToLine(..) => {
                fault("a natural is used as a scalar".into())
            }
            Value::Load(access) => {
                let index = self.nat(&access.index)?;
                (0..access.lanes).map(|lane| self.load(access, index, lane)).collect()
            }
            Value::Gather(access, stride, lanes) => {
                let (index, stride) = (self.nat(&access.index)?, self.nat(stride)?);
                (0..*lanes).map(|lane| self.load(access, index + i128::from(lane) * stride, 0)).collect()
            }
            Value::Unary(op, ty, x) => self.lift(*ty, [x], |[x]| scalar::unary(*op, x)),
            Value::Binary(op, ty, a, b) => self.lift(*ty, [a, b], |[a, b]| scalar::binary(*op, a, b)),
            Value::Compare(op, ty, a, b) => {
                self.lift(*ty, [a, b], |[a, b]| Literal::Bool(scalar::compare(*op, a, b)))
            }
            Value::InLines => Ok(vec![Literal::Bool(true)]),
            // A small cache, so that small tests come by all ways: what is large is not always written past it.
            Value::Large(bytes) => Ok(vec![Literal::Bool(self.nat(bytes)? > 1 << 10)]),
            Value::Past(bytes) => Ok(vec![Literal::Bool(self.nat(bytes)? > 1 << 11)]),
            Value::CompareNat(op, a, b) => {
                let int = |value| Literal::Int(value, Scalar::I64);
                let (a, b) = (int(self.nat(a)?), int(self.nat(b)?));
                Ok(vec![Literal::Bool(scalar::compare(*op, a, b))])
            }
            Value::MulAdd(ty, args) => {
                let [a, b, c] = &**args;
                self.lift(*ty, [a, b, c], |[a, b, c]| scalar::mul_add(a, b, c, false))
            }
            Value::Fma(ty, args) => {
                let [a, b, c] = &**args;
                self.lift(*ty, [a, b, c], |[a, b, c]| scalar::mul_add(a, b, c, true))
            }
            Value::Cast(from, to, x) => self.lift(*from, [x], |[x]| scalar::cast(x, *to)),
            Value::FromNat(to, nat) => Ok(vec![scalar::from_int(self.nat(nat)?, *to)]),
            Value::Select(ty, args) => self.select(*ty, args),
            Value::Broadcast(ty, x) => {
                let x = self.typed(x, ValueType::scalar(ty.scalar))?;
                Ok(vec![x[0]; ty.lanes as usize])
            }
            Value::Lane(ty, lane, x) => {
                let lanes = self.typed(x, *ty)?;
                Ok(vec![lanes[*lane as usize]])
            }
            Value::Half(ty, upper, x) => {
                let (lanes, half) = (self.typed(x, *ty)?, ty.half().lanes as usize);
                Ok(lanes.into_iter().skip(if *upper { half } else { 0 }).take(half).collect())
            }
            Value::Lanes(ty, values) => {
                if values.len() != ty.lanes as usize {
                    return fault(format!("{} values for {ty:?}", values.len()));
                }
                let scalar = ValueType::scalar(ty.scalar);
                values.iter().map(|value| Ok(self.typed(value, scalar)?[0])).collect()
            }
            Value::Ramp(ty, start, step) => {
                let (start, step) = (self.nat(start)?, self.nat(step)?);
                let lane = |lane| scalar::from_int(start + i128::from(lane) * step, ty.scalar);
                Ok((0..ty.lanes).map(lane).collect())
            }
            Value::Foreign(foreign, ..) => fault(format!("{} has no meaning here", foreign.name)),
        }
    }

    /// An operation on each lane of operands of the type.
    fn lift<const N: usize>(
        &mut self,
        ty: ValueType,
        operands: [&Value; N],
        op: impl Fn([Literal; N]) -> Literal,
    ) -> Run<Lanes> {
        let mut lanes = Vec::with_capacity(N);
        for operand in operands {
            lanes.push(self.typed(operand, ty)?);
        }
        Ok((0..ty.lanes as usize).map(|lane| op(std::array::from_fn(|i| lanes[i][lane]))).collect())
    }

    fn select(&mut self, ty: ValueType, [condition, then, otherwise]: &[Value; 3]) -> Run<Lanes> {
        let mask = ValueType { scalar: Scalar::Bool, lanes: ty.lanes };
        let condition = self.typed(condition, mask)?;
        let (then, otherwise) = (self.typed(then, ty)?, self.typed(otherwise, ty)?);
        let choose =
            |(c, (t, e)): (&Literal, (Literal, Literal))| if *c == Literal::Bool(true) { t } else { e };
        Ok(condition.iter().zip(then.into_iter().zip(otherwise)).map(choose).collect())
    }
}

/// A permutation of `0..count` that is neither the identity nor its reverse.
fn scrambled(turn: i128, count: i128) -> i128 {
    let half = (count + 1) / 2;
    if turn < half { count - 1 - 2 * turn } else { 2 * turn - 2 * half + i128::from(count % 2 == 1) }
}

/// Components of tuples outside of arrays, in order.
fn parts_of<'v>(ty: &DataType, value: &'v Data, out: &mut Vec<&'v Data>) {
    match (ty, value) {
        (DataType::Tuple(types), Data::Tuple(values)) => {
            types.iter().zip(values).for_each(|(ty, value)| parts_of(ty, value, out));
        }
        _ => out.push(value),
    }
}

fn flatten(value: &Data, out: &mut Vec<Option<Literal>>) {
    match value {
        Data::Scalar(literal) => out.push(Some(*literal)),
        Data::Nat(value) => out.push(Some(Literal::Int(*value, Scalar::U32))),
        Data::Vector(lanes) => out.extend(lanes.iter().map(|literal| Some(*literal))),
        Data::Array(parts) | Data::Tuple(parts) => parts.iter().for_each(|part| flatten(part, out)),
        Data::Undefined => out.push(None),
    }
}

/// Number of slots of an element.
fn element_slots(element: &Element) -> usize {
    match element {
        Element::Scalar(_) | Element::Index => 1,
        Element::Tuple(parts) => parts.iter().map(type_slots).sum(),
    }
}

fn type_slots(ty: &DataType) -> usize {
    match ty {
        DataType::Vector(_, lanes) => *lanes as usize,
        DataType::Tuple(parts) => parts.iter().map(type_slots).sum(),
        _ => 1,
    }
}

/// First slot and number of slots of a component.
fn component(parts: &[DataType], path: &[usize]) -> (usize, usize) {
    let Some((first, rest)) = path.split_first() else { return (0, 1) };
    let before: usize = parts[..*first].iter().map(type_slots).sum();
    match &parts[*first] {
        DataType::Tuple(parts) => {
            let (start, slots) = component(parts, rest);
            (before + start, slots)
        }
        part => (before, type_slots(part)),
    }
}
