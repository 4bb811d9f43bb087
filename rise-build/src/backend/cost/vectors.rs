//! Loops over scalars that the compilers behind make vectors of by themselves.
//!
//! In: a loop. Out: how many iterations run at once, and what they do. Contiguous elements under plain arithmetic are
//! taken together; what is looked up, called or decided on the way is not.

use crate::expr::{Binary, Unary};
use crate::loops::walk::{self, Visit};
use crate::loops::{Access, BufferId, Kernel, Loop, Stmt, Value};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::Scalar;

use super::OPERATION;

/// Bytes of a vector, on machines that have no longer ones than AVX2.
const VECTOR: u32 = 32;

/// Elements further apart are loaded and stored one by one.
const APART: u64 = 4;

/// Some iterations together.
pub struct Vectors {
    /// How many.
    pub lanes: i64,
    /// What is loaded, computed and stored. Conversions come with loads.
    operations: i64,
}

impl Vectors {
    /// What each of them takes.
    pub fn cost_of_iteration(&self) -> i64 {
        self.operations * OPERATION / self.lanes
    }
}

/// The vectors that a loop becomes, if it does.
pub fn made_of(kernel: &Kernel, looped: &Loop) -> Option<Vectors> {
    let mut body = Body {
        kernel,
        var: &looped.var,
        plain: true,
        operations: 0,
        widest: 1,
        read: Vec::new(),
        written: Vec::new(),
    };
    for stmt in &looped.body {
        body.plain &= match stmt {
            Stmt::Comment(_) | Stmt::Let(..) | Stmt::Store(..) => true,
            Stmt::Set(name, value) => {
                is_fold(name, value) && walk::reads(&looped.body).get(name.id()) == Some(&1)
            }
            _ => return None,
        };
        body.stmt(stmt);
    }
    let lanes = i64::from(VECTOR / body.widest);
    body.is_vectors().then_some(Vectors { lanes, operations: body.operations })
}

/// Whether a register gathers values in any order.
fn is_fold(name: &Name, value: &Value) -> bool {
    use Binary::{Add, And, Max, Min, Mul, Or, Xor};
    match value {
        Value::Binary(Add | And | Max | Min | Mul | Or | Xor, ty, a, b) => {
            !ty.scalar.is_float() && [a, b].into_iter().any(|value| **value == Value::Var(name.clone()))
        }
        _ => false,
    }
}

/// The body of a loop while it is looked at.
struct Body<'a> {
    kernel: &'a Kernel,
    var: &'a NatVar,
    plain: bool,
    operations: i64,
    /// Bytes of the longest element: as many lanes as it allows go together.
    widest: u32,
    read: Vec<BufferId>,
    /// With the distance from one iteration to the next.
    written: Vec<(BufferId, u64)>,
}

impl Body<'_> {
    /// Nothing that is written is read, and iterations leave no gaps.
    fn is_vectors(&self) -> bool {
        let stores = |id| self.written.iter().filter(|(written, _)| *written == id).count() as u64;
        let whole = |(id, step): &(BufferId, u64)| stores(*id) == *step && !self.read.contains(id);
        self.plain && self.operations > 0 && self.written.iter().all(whole)
    }

    fn sees(&mut self, scalar: Scalar) {
        self.widest = self.widest.max(scalar.bytes());
    }

    fn step(&self, access: &Access) -> Option<u64> {
        let (step, _) = access.index.affine_in(self.var)?;
        Some(step.as_const()?.unsigned_abs()).filter(|step| *step <= APART)
    }
}

impl Visit for Body<'_> {
    fn value(&mut self, value: &Value) {
        self.plain &= is_plain(value);
        match value {
            Value::Cast(from, to, _) => {
                self.sees(from.scalar);
                self.sees(*to);
            }
            Value::Unary(_, ty, _)
            | Value::Binary(_, ty, ..)
            | Value::Compare(_, ty, ..)
            | Value::MulAdd(ty, _)
            | Value::Select(ty, _) => {
                self.sees(ty.scalar);
                self.operations += 1;
            }
            Value::FromNat(scalar, _) => self.sees(*scalar),
            _ => {}
        }
        walk::walk_value(self, value);
    }

    fn nat(&mut self, nat: &Nat) {
        self.plain &= nat.affine_in(self.var).is_some();
    }

    fn access(&mut self, access: &Access, write: bool) {
        self.sees(self.kernel.buffer(access.buffer).scalar(&access.path));
        self.operations += 1;
        let step = self.step(access);
        self.plain &= step.is_some() && access.lanes == 1 && access.path.is_empty();
        if write {
            self.written.push((access.buffer, step.unwrap_or(0)));
        } else {
            self.read.push(access.buffer);
        }
    }
}

/// Whether there is a vector form of an operation on every machine, and no call.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Literal(_) | Value::Var(_) | Value::Load(_) | Value::FromNat(..) => true,
        Value::Compare(..) | Value::MulAdd(..) | Value::Select(..) => true,
        Value::Cast(from, to, _) => to.is_float() || !from.scalar.is_float(),
        Value::Unary(op, ..) => matches!(op, Unary::Neg | Unary::Not | Unary::Abs | Unary::Sqrt),
        Value::Binary(Binary::Pow, ..) => false,
        Value::Binary(Binary::Rem, ty, ..) if ty.scalar.is_float() => false,
        Value::Binary(Binary::Div | Binary::Rem, ty, _, by) => {
            ty.scalar.is_float() || matches!(**by, Value::Literal(_))
        }
        Value::Binary(..) => true,
        _ => false,
    }
}
