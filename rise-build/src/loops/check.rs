//! Checks that loops are well-formed: everything declared before use, types consistent, accesses in range.
//!
//! Runs in tests and under `RISE_CHECK`. What is wrong is a bug of a pass; an access whose range is not proved is
//! only listed, since proofs are incomplete.

use std::collections::BTreeMap;
use std::fmt;

use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::ir::*;
use super::walk::{self, Visit};

/// What a check found.
#[derive(Default, Debug)]
pub struct Report {
    /// Bugs.
    pub wrong: Vec<String>,
    /// Accesses that are not proved to be in range.
    pub unproved: Vec<String>,
}

/// Checks a kernel.
pub fn check(kernel: &Kernel) -> Report {
    let mut checker = Checker {
        kernel,
        facts: kernel.facts.clone(),
        nats: kernel.nats.clone(),
        names: BTreeMap::new(),
        live: Vec::new(),
        report: Report::default(),
    };
    for param in &kernel.params {
        checker.param(param);
    }
    for (position, buffer) in kernel.buffers.iter().enumerate() {
        if matches!(buffer.role, Role::Input | Role::Output | Role::Constant) {
            checker.live.push(BufferId(position as u32));
        }
    }
    checker.block(&kernel.body);
    checker.report
}

#[derive(Clone, Copy)]
struct Declared {
    ty: ValueType,
    mutable: bool,
}

struct Checker<'a> {
    kernel: &'a Kernel,
    facts: Facts,
    nats: Vec<NatVar>,
    names: BTreeMap<Name, Declared>,
    live: Vec<BufferId>,
    report: Report,
}

impl Checker<'_> {
    fn wrong(&mut self, what: fmt::Arguments<'_>) {
        self.report.wrong.push(what.to_string());
    }

    fn param(&mut self, param: &Param) {
        for part in &param.parts {
            match part {
                Part::Buffer(_) => {}
                Part::Scalar(name, ty) => {
                    self.names.insert(name.clone(), Declared { ty: *ty, mutable: false });
                }
                Part::Nat(var) => self.nats.push(var.clone()),
            }
        }
    }

    fn declare(&mut self, name: &Name, ty: ValueType, mutable: bool) {
        if self.names.insert(name.clone(), Declared { ty, mutable }).is_some() {
            self.wrong(format_args!("{name:?} is declared twice"));
        }
    }

    /// To the end of the block.
    fn declare_nat(&mut self, var: &NatVar) {
        if self.nats.contains(var) {
            self.wrong(format_args!("{var} hides itself"));
        }
        self.nats.push(var.clone());
    }

    fn expect(&mut self, value: &Value, expected: ValueType) {
        let found = self.ty(value);
        if found.is_some_and(|found| found != expected) {
            self.wrong(format_args!("{value:?} has type {found:?} and not {expected:?}"));
        }
    }

    /// The type of a value; `None` where that cannot be said.
    fn ty(&mut self, value: &Value) -> Option<ValueType> {
        let bool = |lanes| ValueType { scalar: Scalar::Bool, lanes };
        Some(match value {
            Value::Literal(literal) => ValueType::scalar(literal.scalar()),
            Value::Var(name) => match self.names.get(name) {
                Some(declared) => declared.ty,
                None => {
                    self.wrong(format_args!("{name:?} is not declared"));
                    return None;
                }
            },
            Value::Nat(_) | Value::Apart(_) | Value::ClampIndex(..) | Value::ToLine(..) => {
                self.wrong(format_args!("a natural is used as a scalar: {value:?}"));
                return None;
            }
            Value::Load(access) => self.access_type(access),
            Value::Gather(access, _, lanes) => ValueType { lanes: *lanes, ..self.access_type(access) },
            Value::Unary(_, ty, a) => self.operands(*ty, [&**a]),
            Value::Binary(_, ty, a, b) => self.operands(*ty, [&**a, &**b]),
            Value::Compare(_, ty, a, b) => bool(self.operands(*ty, [&**a, &**b]).lanes),
            Value::CompareNat(..) | Value::Large(_) | Value::Past(_) | Value::InLines => bool(1),
            Value::MulAdd(ty, args) | Value::Fma(ty, args) => self.operands(*ty, args.iter()),
            Value::Cast(from, to, a) => ValueType { scalar: *to, ..self.operands(*from, [&**a]) },
            Value::FromNat(scalar, _) => ValueType::scalar(*scalar),
            Value::Select(ty, args) => {
                self.expect(&args[0], bool(ty.lanes));
                self.operands(*ty, &args[1..])
            }
            Value::Broadcast(ty, a) => {
                self.expect(a, ValueType::scalar(ty.scalar));
                *ty
            }
            Value::Lane(ty, lane, a) => {
                self.expect(a, *ty);
                if *lane >= ty.lanes {
                    self.wrong(format_args!("lane {lane} of {ty:?}"));
                }
                ValueType::scalar(ty.scalar)
            }
            Value::Half(ty, _, a) => {
                self.expect(a, *ty);
                if !ty.lanes.is_power_of_two() || ty.lanes < 4 {
                    self.wrong(format_args!("half of {ty:?}"));
                }
                ty.half()
            }
            Value::Lanes(ty, values) => {
                if values.len() != ty.lanes as usize {
                    self.wrong(format_args!("{} lanes for {ty:?}", values.len()));
                }
                self.operands(ValueType::scalar(ty.scalar), values.iter());
                *ty
            }
            Value::Ramp(ty, ..) => *ty,
            Value::Foreign(foreign, lanes, args) => {
                let of = |ty: &DataType| Some(ValueType { scalar: ty.scalar()?, lanes: *lanes });
                for (ty, arg) in foreign.params.iter().zip(args).filter(|_| *lanes > 1) {
                    self.expect(arg, of(ty)?);
                }
                of(&foreign.result)?
            }
        })
    }

    fn operands<'v>(&mut self, ty: ValueType, operands: impl IntoIterator<Item = &'v Value>) -> ValueType {
        for operand in operands {
            self.expect(operand, ty);
        }
        ty
    }

    fn access_type(&self, access: &Access) -> ValueType {
        let scalar = self.kernel.buffer(access.buffer).scalar(&access.path);
        ValueType { scalar, lanes: access.lanes }
    }

    fn in_range(&mut self, access: &Access, last: &Nat) {
        let buffer = self.kernel.buffer(access.buffer);
        let first = self.facts.proves_ge0(&access.index);
        if !first || !self.facts.proves_lt(last, &buffer.len) {
            let text = format!("{}[{}] ..{} of {}", buffer.name, access.index, access.lanes, buffer.len);
            self.report.unproved.push(text);
        }
    }

    fn natural(&mut self, value: &Value) {
        match value {
            Value::Nat(_) | Value::Apart(_) | Value::ToLine(..) => {}
            Value::ClampIndex(scalar, _, value) => self.expect(value, ValueType::scalar(*scalar)),
            _ => match self.ty(value) {
                Some(ty) if ty.lanes == 1 && ty.scalar.is_integer() && !ty.scalar.is_signed() => {}
                None => {}
                Some(ty) => self.wrong(format_args!("{value:?} of type {ty:?} is used as a natural")),
            },
        }
    }
}

impl Visit for Checker<'_> {
    fn block(&mut self, block: &[Stmt]) {
        let (facts, nats, live) = (self.facts.clone(), self.nats.len(), self.live.len());
        let names: Vec<Name> = block.iter().filter_map(declared_name).collect();
        for stmt in block {
            self.stmt(stmt);
        }
        for name in names {
            self.names.remove(&name);
        }
        self.live.truncate(live);
        self.nats.truncate(nats);
        self.facts = facts;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(name, ty, value) => {
                self.expect(value, *ty);
                walk::walk_stmt(self, stmt);
                self.declare(name, *ty, false);
            }
            Stmt::Var(name, ty, value) => {
                if let Some(value) = value {
                    self.expect(value, *ty);
                }
                walk::walk_stmt(self, stmt);
                self.declare(name, *ty, true);
            }
            Stmt::LetNat(var, value) => {
                self.natural(value);
                walk::walk_stmt(self, stmt);
                super::facts::define(&mut self.facts, var, value);
                self.declare_nat(var);
            }
            Stmt::Set(name, value) => {
                match self.names.get(name).copied() {
                    Some(Declared { ty, mutable: true }) => self.expect(value, ty),
                    _ => self.wrong(format_args!("{name:?} is set and no variable")),
                }
                walk::walk_stmt(self, stmt);
            }
            Stmt::Store(access, value) => {
                self.expect(value, self.access_type(access));
                walk::walk_stmt(self, stmt);
            }
            Stmt::StorePart(store) => {
                self.expect(&store.value, self.access_type(&store.to));
                walk::walk_stmt(self, stmt);
            }
            Stmt::Alloc(id) => {
                if self.live.contains(id) {
                    self.wrong(format_args!("{} is allocated twice", self.kernel.buffer(*id).name));
                }
                let len = self.kernel.buffer(*id).len.clone();
                self.nat(&len);
                self.live.push(*id);
            }
            Stmt::If(condition, then, otherwise) => {
                self.expect(condition, ValueType::scalar(Scalar::Bool));
                self.value(condition);
                let facts = self.facts.clone();
                super::facts::assume(&mut self.facts, condition, true);
                self.block(then);
                self.facts = facts.clone();
                super::facts::assume(&mut self.facts, condition, false);
                self.block(otherwise);
                self.facts = facts;
            }
            Stmt::For(looped) => {
                self.nat(&looped.count);
                let facts = self.facts.clone();
                self.facts.range(&looped.var, &Nat::lit(0), &looped.count);
                self.declare_nat(&looped.var);
                self.block(&looped.body);
                self.nats.pop();
                self.facts = facts;
            }
            // Its first elements need not exist; its loops know.
            Stmt::Product(product) => self.block(&product.as_loops()),
            Stmt::Transpose(transpose) => self.block(&transpose.as_loops()),
            Stmt::Ask(access, _) => self.nat(&access.index),
            Stmt::Lend(lend) => {
                self.expect(&lend.is_copy, ValueType::scalar(Scalar::Bool));
                for id in [lend.copy, lend.from.buffer] {
                    if !self.live.contains(&id) {
                        self.wrong(format_args!("{} is not allocated", self.kernel.buffer(id).name));
                    }
                }
                self.live.push(lend.rows);
                walk::walk_stmt(self, stmt);
            }
            Stmt::Swap(a, b) => {
                for id in [a, b] {
                    if !self.live.contains(id) {
                        self.wrong(format_args!("{} is not allocated", self.kernel.buffer(*id).name));
                    }
                }
            }
            _ => walk::walk_stmt(self, stmt),
        }
    }

    fn value(&mut self, value: &Value) {
        if let Value::Gather(access, stride, lanes) = value {
            let last = &access.index + stride * &Nat::from(lanes - 1);
            self.in_range(access, &last);
        }
        walk::walk_value(self, value);
    }

    fn nat(&mut self, nat: &Nat) {
        for var in nat.vars() {
            if !self.nats.contains(&var) {
                self.wrong(format_args!("{var} is not declared, in {nat}"));
            }
        }
    }

    fn access(&mut self, access: &Access, _write: bool) {
        self.nat(&access.index);
        if !self.live.contains(&access.buffer) {
            self.wrong(format_args!("{} is not allocated", self.kernel.buffer(access.buffer).name));
        }
        // A vector that is a component of a tuple lies in one element.
        let lanes = if access.path.is_empty() { access.lanes } else { 1 };
        self.in_range(access, &(&access.index + i64::from(lanes) - 1));
    }
}

/// The register that a statement declares to the end of its block.
fn declared_name(stmt: &Stmt) -> Option<Name> {
    match stmt {
        Stmt::Let(name, ..) | Stmt::Var(name, ..) => Some(name.clone()),
        _ => None,
    }
}
