//! Scalars as vectors and vectors as scalars.

use crate::dpia::imperative::Exp;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::super::super::ir::*;
use super::super::env::Env;
use super::super::{Lowering, Path, Small, Step, bug};
use super::pop_index;

/// `[i]` of the scalars is lane `i % lanes` of vector `i / lanes`; `ty` is the type of the vectors' array.
pub(super) fn as_scalar(path: &mut Path, ty: &DataType) {
    let i = pop_index(path);
    let lanes = Nat::from(lanes_of(ty));
    path.extend([Step::Lane(i.rem(&lanes)), Step::Index(i.div(&lanes))]);
}

/// `[i, lane]` of the vectors is `[lanes * i + lane]` of the scalars.
pub(super) fn as_vector_lane(path: &mut Path, ty: &DataType) {
    let (i, lanes) = (pop_index(path), lanes_of(ty));
    let lane = match path.pop() {
        Some(Step::Lane(lane)) => lane,
        None if lanes == 1 => Nat::lit(0),
        None => bug(format_args!("a whole vector is written as scalars")),
        Some(step) => bug(format_args!("{step:?} of a vector")),
    };
    path.push(Step::Index(i * Nat::from(lanes) + lane));
}

fn lanes_of(ty: &DataType) -> u32 {
    match ty {
        DataType::Array(_, element) => match &**element {
            DataType::Vector(_, lanes) => *lanes,
            other => bug(format_args!("{other} is no vector")),
        },
        other => bug(format_args!("{other} is no array")),
    }
}

impl Lowering {
    /// Lane by lane, or the whole vector: at once where the scalars lie side by side, else computed into a
    /// small array by a loop over the lanes.
    pub(super) fn as_vector(
        &mut self,
        lanes: u32,
        scalars: &Exp,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        let i = pop_index(&mut path);
        let start = i * Nat::from(lanes);
        if let Some(Step::Lane(lane)) = path.pop() {
            return self.read(scalars, env, vec![Step::Index(start + lane)], out);
        }
        let lane = NatVar::new("lane");
        let mut read = None;
        let mut body = self.nested(|this, out| {
            this.facts.range(&lane, &Nat::lit(0), &Nat::from(lanes));
            let small = this.read(scalars, env, vec![Step::Index(start + Nat::var(&lane))], out);
            read = Some(this.as_value(small, Scalar::U64));
        });
        let Some((value, scalar)) = read else { bug(format_args!("nothing was read")) };
        let ty = ValueType { scalar: scalar.scalar, lanes };
        if let Some(value) = at_once(&value, &lane, ty).filter(|_| body.is_empty()) {
            return Small::Value(value, ty);
        }
        let buffer = self.buffer(Buffer::scalars("lanes", ty.scalar, Nat::from(lanes), Role::Stack));
        body.push(Stmt::Store(Access::scalar(buffer, Nat::var(&lane)), value));
        out.push(Stmt::Alloc(buffer));
        out.push(Stmt::For(Loop { var: lane, count: Nat::from(lanes), kind: LoopKind::Vec, body }));
        Small::Value(Value::Load(Access { lanes, ..Access::scalar(buffer, Nat::lit(0)) }), ty)
    }
}

/// A scalar that depends on a lane, as the vector of all lanes, if that is one load or equal lanes.
fn at_once(value: &Value, lane: &NatVar, ty: ValueType) -> Option<Value> {
    match value {
        Value::Literal(_) | Value::Var(_) => Some(Value::Broadcast(ty, Box::new(value.clone()))),
        Value::Load(access) => {
            let (step, index) = access.index.affine_in(lane)?;
            if step.is_zero() {
                return Some(Value::Broadcast(ty, Box::new(value.clone())));
            }
            let whole = step.is_one() && access.lanes == 1 && access.path.is_empty();
            whole.then(|| Value::Load(Access { index, lanes: ty.lanes, ..access.clone() }))
        }
        _ => None,
    }
}
