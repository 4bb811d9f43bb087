//! A kernel of loops taken apart into what the device runs at a time.
//!
//! In: loops after all passes. Out: steps for the host, each a launch, an allocation, or a loop over such; the
//! outermost parallel loops are launches of many work-items, and what stands between them is run by one.
//! Work-groups cannot wait for each other, so results that other groups need cross from launch to launch in
//! global memory: registers too, if they cannot be computed again ([`super::registers`]). No statement is lost
//! or moved across another that it depends on.

use crate::expr::{Binary, Compare};
use crate::loops::walk::{self, Visit};
use crate::loops::{Block, Buffer, BufferId, Kernel, Loop, LoopKind, Part, Role, Stmt, Value, ValueType};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::Scalar;

/// What the host does.
pub enum Step {
    /// Runs statements on the device.
    Launch(Block),
    /// Repeats steps.
    For(NatVar, Nat, Vec<Step>),
    /// The first steps where the condition on sizes holds, and else the others.
    If(Condition, Vec<Step>, Vec<Step>),
    /// Provides memory to the end of the steps.
    Alloc(BufferId),
    /// Exchanges two memories.
    Swap(BufferId, BufferId),
    /// Computes a natural.
    LetNat(NatVar, Nat),
}

impl Step {
    /// How many launches are written in it.
    pub fn launches(&self) -> usize {
        let all = |steps: &[Step]| steps.iter().map(Step::launches).sum::<usize>();
        match self {
            Step::Launch(_) => 1,
            Step::For(_, _, inner) => all(inner),
            Step::If(_, then, otherwise) => all(then) + all(otherwise),
            Step::Alloc(_) | Step::Swap(..) | Step::LetNat(..) => 0,
        }
    }
}

/// What the host decides by sizes.
pub enum Condition {
    /// A comparison.
    Compare(Compare, Nat, Nat),
    /// Two conditions, both of which have to hold unless one is enough.
    Both {
        /// Whether it is.
        is_enough: bool,
        /// Which.
        parts: Box<[Condition; 2]>,
    },
}

/// The steps of a kernel, which gains the memory that they need.
pub fn split(kernel: &mut Kernel) -> Vec<Step> {
    let body = std::mem::take(&mut kernel.body);
    let mut splitter = Splitter { kernel, repeated: Vec::new(), guards: Vec::new() };
    let mut steps = splitter.block(body);
    let repeated = std::mem::take(&mut splitter.repeated);
    super::registers::connect(&mut steps, kernel, &repeated);
    steps
}

struct Splitter<'k> {
    kernel: &'k mut Kernel,
    /// Declarations that every launch may repeat.
    repeated: Block,
    /// Conditions of the branches around.
    guards: Vec<Value>,
}

impl Splitter<'_> {
    fn block(&mut self, block: Block) -> Vec<Step> {
        let (mut steps, mut pending) = (Vec::new(), Block::new());
        for stmt in block {
            match stmt {
                Stmt::Let(_, _, ref value) | Stmt::LetNat(_, ref value) if self.is_repeatable(value) => {
                    if let Stmt::LetNat(var, Value::Nat(nat)) = &stmt {
                        steps.push(Step::LetNat(var.clone(), nat.clone()));
                    }
                    self.repeated.push(stmt);
                }
                Stmt::Alloc(id) if self.kernel.buffer(id).role == Role::Heap => steps.push(Step::Alloc(id)),
                stmt if is_apart(&stmt) => {
                    // What one work-item would run before every launch is nothing but comments.
                    let comments_only = pending.iter().all(|stmt| matches!(stmt, Stmt::Comment(_)));
                    let before = if comments_only { std::mem::take(&mut pending) } else { Block::new() };
                    self.launch(&mut pending, &mut steps);
                    self.apart(stmt, before, &mut steps);
                }
                stmt => pending.push(stmt),
            }
        }
        self.launch(&mut pending, &mut steps);
        steps
    }

    fn apart(&mut self, stmt: Stmt, before: Block, steps: &mut Vec<Step>) {
        match stmt {
            Stmt::For(Loop { kind: LoopKind::Global(_) | LoopKind::WorkGroup(_), .. }) => {
                let mut launched = before;
                launched.push(stmt);
                self.launch(&mut launched, steps);
            }
            Stmt::For(looped) => {
                let body = self.block(looped.body);
                steps.push(Step::For(looped.var, looped.count, body));
            }
            Stmt::If(condition, then, otherwise) => {
                if let Some(condition) = self.for_host(&condition) {
                    let [then, otherwise] = [then, otherwise].map(|block| self.block(block));
                    return steps.push(Step::If(condition, then, otherwise));
                }
                let (name, ty) = (Name::fresh("condition"), ValueType::scalar(Scalar::Bool));
                steps.extend(self.block(vec![Stmt::Let(name.clone(), ty, condition)]));
                let holds = Value::Var(name);
                let fails = Value::Unary(crate::expr::Unary::Not, ty, Box::new(holds.clone()));
                for (guard, block) in [(holds, then), (fails, otherwise)] {
                    self.guards.push(guard);
                    steps.extend(self.block(block));
                    self.guards.pop();
                }
            }
            Stmt::Block(block) => steps.extend(self.block(block)),
            Stmt::Swap(a, b) => steps.push(Step::Swap(a, b)),
            other => {
                let mut launched = vec![other];
                self.launch(&mut launched, steps);
            }
        }
    }

    fn launch(&self, pending: &mut Block, steps: &mut Vec<Step>) {
        let block = std::mem::take(pending);
        if block.iter().all(|stmt| matches!(stmt, Stmt::Comment(_))) {
            return;
        }
        let guarded = self
            .guards
            .iter()
            .rev()
            .fold(block, |block, guard| vec![Stmt::If(guard.clone(), block, Block::new())]);
        steps.push(Step::Launch(guarded));
    }

    /// The condition, if it only asks for sizes.
    fn for_host(&self, condition: &Value) -> Option<Condition> {
        match condition {
            Value::CompareNat(op, a, b) => {
                let knows = |nat: &Nat| nat.vars().iter().all(|var| self.is_size(var));
                (knows(a) && knows(b)).then(|| Condition::Compare(*op, a.clone(), b.clone()))
            }
            Value::Binary(op @ (Binary::And | Binary::Or), _, a, b) => {
                let both = [self.for_host(a)?, self.for_host(b)?];
                Some(Condition::Both { is_enough: *op == Binary::Or, parts: Box::new(both) })
            }
            _ => None,
        }
    }

    fn is_size(&self, var: &NatVar) -> bool {
        let mut parts = self.kernel.params.iter().flat_map(|param| &param.parts);
        var.is_in_step()
            || self.kernel.nats.contains(var)
            || parts.any(|part| matches!(part, Part::Nat(own) if own == var))
    }

    /// Whether a value is the same whenever it is computed, and cheap.
    fn is_repeatable(&self, value: &Value) -> bool {
        struct Stays<'a>(&'a Splitter<'a>, bool);
        impl Visit for Stays<'_> {
            fn value(&mut self, value: &Value) {
                if let Value::Var(name) = value {
                    self.1 &= self.0.is_known(name);
                }
                walk::walk_value(self, value);
            }
            fn access(&mut self, access: &crate::loops::Access, _write: bool) {
                self.1 &= matches!(self.0.kernel.buffer(access.buffer).role, Role::Input | Role::Constant);
            }
        }
        let mut stays = Stays(self, true);
        stays.value(value);
        stays.1
    }

    /// Whether every launch knows the register: a parameter, or repeated.
    fn is_known(&self, name: &Name) -> bool {
        let parts = self.kernel.params.iter().flat_map(|param| &param.parts);
        let parameter = parts.into_iter().any(|part| matches!(part, Part::Scalar(other, _) if other == name));
        parameter || self.repeated.iter().any(|stmt| matches!(stmt, Stmt::Let(other, ..) if other == name))
    }
}

/// Whether the host takes part: the statement is spread over work-items, depends on the device, or exchanges memory of
/// outside.
fn is_apart(stmt: &Stmt) -> bool {
    let (mut apart, mut declared, mut swapped) = (false, Vec::new(), Vec::new());
    walk::stmts(std::slice::from_ref(stmt), &mut |stmt| match stmt {
        Stmt::For(looped) => apart |= matches!(looped.kind, LoopKind::Global(_) | LoopKind::WorkGroup(_)),
        Stmt::If(condition, ..) => apart |= asks_for_device(condition),
        Stmt::Alloc(id) => declared.push(*id),
        Stmt::Swap(a, b) => swapped.extend([*a, *b]),
        _ => {}
    });
    apart || swapped.iter().any(|id| !declared.contains(id))
}

/// Whether a condition asks what only the host knows.
fn asks_for_device(condition: &Value) -> bool {
    match condition {
        Value::CompareNat(_, a, b) => [a, b].into_iter().any(|nat| nat.mentions_any(&NatVar::is_in_step)),
        Value::Binary(_, _, a, b) => asks_for_device(a) || asks_for_device(b),
        _ => false,
    }
}

/// A new buffer in global memory.
pub fn global_memory(kernel: &mut Kernel, name: &str, ty: ValueType) -> BufferId {
    let len = Nat::lit(i64::from(ty.lanes));
    kernel.buffers.push(Buffer::scalars(name, ty.scalar, len, Role::Heap));
    BufferId(kernel.buffers.len() as u32 - 1)
}
