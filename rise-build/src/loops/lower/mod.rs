//! Imperative DPIA to loops: names become buffers and registers, views become flat indices.
//!
//! In: a [`imperative::Kernel`]. Out: a [`Kernel`] without views and tuples, whose loops still have the form that the
//! strategy chose; the passes take it from there. Total: what it cannot lower is a bug of the stage before.
//!
//! Reading walks from an expression to memory with a *path*, the indices and components that are still to be
//! applied; each view changes the path (one file for each family in `views`). A delayed computation is
//! instantiated where it is read, once for each index in a block (`delayed`).

mod delayed;
mod env;
mod layout;
mod product;
mod read;
mod scalar;
mod storage;
mod views;
mod write;

use std::fmt;
use std::sync::Arc;

use crate::dpia::imperative::{self, Comm, LoopForm};
use crate::expr::AddressSpace;
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::facts::assume;
use super::ir::*;
use delayed::Memo;
use env::{Env, Held, Meaning, Storage};

/// Stops at input that the stage before must not make.
#[cold]
pub(super) fn bug(what: fmt::Arguments<'_>) -> ! {
    panic!("bug in imperative DPIA: {what}")
}

/// The loops of a kernel, before any pass.
pub fn lower(kernel: &imperative::Kernel) -> Kernel {
    let mut lowering = Lowering::new(kernel);
    let mut env = Env::default();
    let params = kernel.params.iter().map(|param| lowering.param(param, &mut env)).collect();
    let mut outputs = Vec::new();
    for output in &kernel.outputs {
        outputs.push(lowering.output(output, &mut env));
    }
    let facts = lowering.facts.clone();
    let mut body = Block::new();
    lowering.commands(&kernel.body, env, &mut body);
    Kernel {
        name: kernel.name.clone(),
        nats: kernel.nats.clone(),
        params,
        outputs,
        buffers: lowering.buffers,
        body,
        facts,
        work: WorkSizes::default(),
    }
}

/// What is known and made while a kernel is lowered.
struct Lowering {
    buffers: Vec<Buffer>,
    /// What holds where the next statement goes.
    facts: Facts,
    memo: Memo,
}

/// A value without arrays and tuples.
#[derive(Clone, Debug)]
enum Small {
    /// A scalar or vector.
    Value(Value, ValueType),
    /// A natural.
    Nat(Nat),
}

/// What is still to be applied to an array or tuple.
#[derive(Clone, PartialEq, Debug)]
enum Step {
    /// An element.
    Index(Nat),
    /// A component.
    Proj(usize),
    /// A lane of a vector; of a scalar that stands for equal lanes, the scalar.
    Lane(Nat),
}

/// Steps, the next one last.
type Path = Vec<Step>;

impl Lowering {
    fn new(kernel: &imperative::Kernel) -> Self {
        let mut facts = Facts::new();
        for nat in &kernel.nats {
            facts.size(nat);
        }
        for assumption in &kernel.assumptions {
            assumption.assume(&mut facts);
        }
        Self { buffers: Vec::new(), facts, memo: Memo::default() }
    }

    /// Lowers commands and gives the meanings that hold after them.
    fn commands(&mut self, comms: &[Comm], mut env: Env, out: &mut Block) -> Env {
        for comm in comms {
            env = self.command(comm, env, out);
        }
        env
    }

    fn command(&mut self, comm: &Comm, env: Env, out: &mut Block) -> Env {
        match comm {
            Comm::Comment(text) => out.push(Stmt::Comment(text.clone())),
            Comm::Assign(acc, exp) => {
                self.assign(acc, exp, &env, out);
                self.memo.forget();
            }
            Comm::New(name, ty, space) => return self.new_memory(name, &env.ty(ty), *space, env, out),
            Comm::Let(name, ty, exp) => {
                let ty = env.ty(ty);
                return self.let_value(name, &ty, exp, env, out);
            }
            Comm::LetNat(var, exp) => {
                let value = self.read(exp, &env, Path::new(), out);
                let nat = self.as_natural(value, out);
                return env.with_nat(var, nat);
            }
            Comm::For(looped) => self.for_loop(looped, &env, out),
            Comm::If(condition, then, otherwise) => {
                let condition = self.read_value(condition, &env, Path::new(), out).0;
                let then = self.branch(&condition, true, |this, out| {
                    this.commands(then, env.clone(), out);
                });
                let otherwise = self.branch(&condition, false, |this, out| {
                    this.commands(otherwise, env.clone(), out);
                });
                out.push(Stmt::If(condition, then, otherwise));
                self.memo.forget();
            }
            Comm::Product(product) => {
                self.product(product, &env, out);
                self.memo.forget();
            }
            Comm::Swap(a, b) => {
                swap(&env, a, b, out);
                self.memo.forget();
            }
        }
        env
    }

    fn for_loop(&mut self, looped: &imperative::For, env: &Env, out: &mut Block) {
        self.memo.forget();
        let count = self.facts.simplify(&env.nat(&looped.count));
        let var = NatVar::new(looped.var.text());
        let env = env.with_nat(&looped.var, Nat::var(&var));
        let body = self.nested(|this, out| {
            this.facts.range(&var, &Nat::lit(0), &count);
            this.commands(&looped.body, env, out);
        });
        out.push(Stmt::For(Loop { var, count, kind: loop_kind(looped.form), body }));
        self.memo.forget();
    }

    /// A block whose facts and shared values end with it.
    fn nested(&mut self, fill: impl FnOnce(&mut Self, &mut Block)) -> Block {
        let facts = self.facts.clone();
        let shared = self.memo.len();
        let mut out = Block::new();
        fill(self, &mut out);
        self.memo.truncate(shared);
        self.facts = facts;
        out
    }

    /// A block in which a condition holds, or does not hold.
    fn branch(&mut self, condition: &Value, holds: bool, fill: impl FnOnce(&mut Self, &mut Block)) -> Block {
        self.nested(|this, out| {
            assume(&mut this.facts, condition, holds);
            fill(this, out);
        })
    }

    fn let_value(
        &mut self,
        name: &Name,
        ty: &DataType,
        exp: &imperative::Exp,
        env: Env,
        out: &mut Block,
    ) -> Env {
        if layout::is_natural(ty) {
            let value = self.read(exp, &env, Path::new(), out);
            let nat = self.as_natural(value, out);
            return env.with(name, Meaning::Nat(nat));
        }
        let parts = (layout::leaf_paths(ty).into_iter())
            .map(|leaf| {
                let small = self.read(exp, &env, projections(&leaf), out);
                let (value, ty) = self.as_value(small, Scalar::U64);
                let register = name.refresh();
                out.push(Stmt::Let(register.clone(), ty, value));
                Held::Register(register, ty)
            })
            .collect();
        env.with(name, Meaning::Storage(Arc::new(Storage { ty: ty.clone(), parts, packed: false })))
    }

    fn new_memory(
        &mut self,
        name: &Name,
        ty: &DataType,
        space: AddressSpace,
        env: Env,
        out: &mut Block,
    ) -> Env {
        let registers = ty.is_small() && space != AddressSpace::Local && space != AddressSpace::Global;
        let leaves = layout::leaves(ty);
        let single = leaves.len() == 1;
        let parts = (leaves.iter().enumerate())
            .map(|(position, leaf)| {
                let (scalar, lanes) = layout::held(leaf);
                if registers {
                    let register = name.refresh();
                    let ty = ValueType { scalar, lanes };
                    out.push(Stmt::Var(register.clone(), ty, None));
                    return Held::Register(register, ty);
                }
                let text = if single { name.text().into() } else { format!("{}_{position}", name.text()) };
                let len = self.facts.simplify(&layout::size(leaf));
                let role = temporary_role(space, &len);
                let id = self.buffer(Buffer::scalars(text, scalar, len, role));
                out.push(Stmt::Alloc(id));
                Held::Buffer(id)
            })
            .collect();
        env.with(name, Meaning::Storage(Arc::new(Storage { ty: ty.clone(), parts, packed: false })))
    }

    fn buffer(&mut self, buffer: Buffer) -> BufferId {
        self.buffers.push(buffer);
        BufferId(self.buffers.len() as u32 - 1)
    }
}

/// Exchanges what two names stand for.
fn swap(env: &Env, a: &Name, b: &Name, out: &mut Block) {
    let (Meaning::Storage(a), Meaning::Storage(b)) = (env.get(a), env.get(b)) else {
        bug(format_args!("{a} and {b} are swapped"))
    };
    for pair in a.parts.iter().zip(&b.parts) {
        match pair {
            (Held::Buffer(a), Held::Buffer(b)) => out.push(Stmt::Swap(*a, *b)),
            (Held::Register(a, ty), Held::Register(b, _)) => {
                let old = a.refresh();
                out.push(Stmt::Let(old.clone(), *ty, Value::Var(a.clone())));
                out.push(Stmt::Set(a.clone(), Value::Var(b.clone())));
                out.push(Stmt::Set(b.clone(), Value::Var(old)));
            }
            _ => bug(format_args!("memories of different kinds are swapped")),
        }
    }
}

/// The steps of a component path.
fn projections(path: &[usize]) -> Path {
    path.iter().rev().map(|position| Step::Proj(*position)).collect()
}

fn loop_kind(form: LoopForm) -> LoopKind {
    match form {
        LoopForm::Seq | LoopForm::Stream => LoopKind::Seq,
        LoopForm::Unroll => LoopKind::Unroll,
        LoopForm::Vec => LoopKind::Vec,
        LoopForm::Par => LoopKind::Par,
        LoopForm::Global(d) => LoopKind::Global(d),
        LoopForm::WorkGroup(d) => LoopKind::WorkGroup(d),
        LoopForm::Local(d) => LoopKind::Local(d),
    }
}

/// Where a temporary lies until the pass `memory` decides.
fn temporary_role(space: AddressSpace, len: &Nat) -> Role {
    match space {
        AddressSpace::Local => Role::Local,
        AddressSpace::Global => Role::Heap,
        AddressSpace::Private | AddressSpace::Default if len.as_const().is_some() => Role::Stack,
        AddressSpace::Private | AddressSpace::Default => Role::Heap,
    }
}
