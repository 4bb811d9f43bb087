//! Runs imperative DPIA on trees of values, so that stages 4 and 5 are held against the interpreter alone.
//!
//! Iterations of parallel loops run backwards: what depends on their order does not survive. Reading an
//! element that nobody has written gives [`Value::Undefined`].

mod read;
mod store;

use rise_build::dpia::functional::LoopForm;
use rise_build::dpia::imperative::{Block, Comm, Kernel};
use rise_build::expr::{Literal, Value};
use rise_build::names::Name;
use rise_build::nat::{Nat, NatVar};
use rise_build::types::DataType;

/// The result of a kernel, in the shape of its body's type.
pub fn execute(kernel: &Kernel, result: &DataType, sizes: &[i128], args: &[Value]) -> Value {
    let mut machine = Machine { nats: Vec::new(), values: Vec::new(), types: Vec::new() };
    machine.nats.extend(kernel.nats.iter().cloned().zip(sizes.iter().copied()));
    for (param, value) in kernel.params.iter().zip(args) {
        if let (Some(var), Value::Nat(value)) = (&param.nat, value) {
            machine.nats.push((var.clone(), *value));
        }
        machine.values.push((param.name.clone(), value.clone()));
    }
    for output in &kernel.outputs {
        let blank = machine.blank(&output.ty);
        machine.values.push((output.name.clone(), blank));
        machine.types.push((output.name.clone(), output.ty.clone()));
    }
    machine.block(&kernel.body);
    let mut outputs = kernel.outputs.iter().map(|output| machine.value(&output.name));
    gather_outputs(result, &mut outputs)
}

fn gather_outputs(ty: &DataType, outputs: &mut dyn Iterator<Item = Value>) -> Value {
    match ty {
        DataType::Tuple(parts) => {
            Value::Tuple(parts.iter().map(|part| gather_outputs(part, outputs)).collect())
        }
        _ => outputs.next().expect("an output for each leaf"),
    }
}

struct Machine {
    nats: Vec<(NatVar, i128)>,
    values: Vec<(Name, Value)>,
    /// Types of memories.
    types: Vec<(Name, DataType)>,
}

/// One step from a memory to a part of it.
#[derive(Clone, Copy, Debug)]
enum Step {
    Index(usize),
    Component(usize),
}

impl Machine {
    fn nat(&self, nat: &Nat) -> i128 {
        nat.eval(&|var| self.nats.iter().rev().find(|(other, _)| other == var).map(|(_, value)| *value))
            .unwrap_or_else(|error| panic!("{nat}: {error:?}"))
    }

    fn size(&self, nat: &Nat) -> usize {
        usize::try_from(self.nat(nat)).unwrap_or_else(|_| panic!("{nat} is negative"))
    }

    fn value(&self, name: &Name) -> Value {
        let found = self.values.iter().rev().find(|(other, _)| other == name);
        found.unwrap_or_else(|| panic!("{name:?} is not declared")).1.clone()
    }

    fn slot(&mut self, name: &Name) -> &mut Value {
        let found = self.values.iter_mut().rev().find(|(other, _)| other == name);
        &mut found.unwrap_or_else(|| panic!("{name:?} is not declared")).1
    }

    /// Memory that nobody has written.
    fn blank(&mut self, ty: &DataType) -> Value {
        match ty {
            DataType::Array(len, element) => {
                let element = self.blank(element);
                Value::Array(vec![element; self.size(len)])
            }
            DataType::DepArray(len, var, element) => Value::Array(
                (0..self.size(len)).map(|i| self.blank(&element.subst(var, &Nat::from(i)))).collect(),
            ),
            DataType::Tuple(parts) => Value::Tuple(parts.iter().map(|part| self.blank(part)).collect()),
            _ => Value::Undefined,
        }
    }

    fn block(&mut self, block: &Block) {
        let depth = (self.nats.len(), self.values.len(), self.types.len());
        block.iter().for_each(|comm| self.command(comm));
        self.nats.truncate(depth.0);
        self.values.truncate(depth.1);
        self.types.truncate(depth.2);
    }

    fn command(&mut self, comm: &Comm) {
        match comm {
            Comm::Assign(acc, exp) => {
                let value = self.eval(exp);
                self.assign(acc, &value, Vec::new());
            }
            Comm::New(name, ty, _) => {
                let blank = self.blank(ty);
                self.values.push((name.clone(), blank));
                self.types.push((name.clone(), ty.clone()));
            }
            Comm::Let(name, ty, exp) => {
                assert!(ty.is_small(), "a let of type {ty}");
                let value = self.eval(exp);
                self.values.push((name.clone(), value));
            }
            Comm::LetNat(var, exp) => {
                let value = self.eval(exp);
                self.bind_nat(var, &value);
            }
            Comm::For(looped) => {
                let count = self.nat(&looped.count).max(0);
                let backwards = !matches!(looped.form, LoopForm::Seq | LoopForm::Unroll);
                assert!(looped.form != LoopForm::Stream, "streams are gone");
                for i in 0..count {
                    let i = if backwards { count - 1 - i } else { i };
                    self.nats.push((looped.var.clone(), i));
                    self.block(&looped.body);
                    self.nats.pop();
                }
            }
            Comm::If(condition, then, otherwise) => match self.eval(condition) {
                Value::Scalar(Literal::Bool(true)) => self.block(then),
                Value::Scalar(Literal::Bool(false)) => self.block(otherwise),
                Value::Undefined => self.block(otherwise),
                other => panic!("{other:?} is no condition"),
            },
            Comm::Product(product) => self.block(&product.as_commands()),
            Comm::Swap(a, b) => {
                let (first, second) = (self.value(a), self.value(b));
                *self.slot(a) = second;
                *self.slot(b) = first;
            }
            Comm::Comment(_) => {}
        }
    }

    fn bind_nat(&mut self, var: &NatVar, value: &Value) {
        match value {
            Value::Nat(value) => self.nats.push((var.clone(), *value)),
            Value::Undefined => self.nats.push((var.clone(), 0)),
            other => panic!("{other:?} is no natural"),
        }
    }
}

/// Whether everything that has a value was written.
pub fn complete(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Undefined, _) => true,
        (_, Value::Undefined) => false,
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.iter().zip(b).all(|(a, b)| complete(a, b))
        }
        _ => true,
    }
}
