//! What primitives make of arrays whose elements they only move.

use crate::nat::Nat;
use crate::types::DataType;

use super::super::primitive::NatFun;
use super::super::term::{Expr, Literal};
use super::{Env, Failure, Result, Value, array, check, collect, component, malformed};

impl Env {
    pub fn split(&self, ty: &DataType, n: &Nat, xs: Vec<Value>) -> Result<Value> {
        let n = self.size(n)?;
        if n == 0 && xs.is_empty() {
            return Ok(Value::Array(vec![Value::Array(Vec::new()); self.array_len(ty)?]));
        }
        check(n > 0 && xs.len().is_multiple_of(n), || format!("split({n}) of {}", xs.len()))?;
        Ok(Value::Array(xs.chunks(n).map(|chunk| Value::Array(chunk.to_vec())).collect()))
    }

    pub fn transpose(&self, ty: &DataType, rows: Vec<Value>) -> Result<Value> {
        let width = self.array_len(ty)?;
        let rows: Vec<Vec<Value>> = rows.into_iter().map(array).collect::<Result<_>>()?;
        collect((0..width).map(|j| {
            collect(rows.iter().map(|row| {
                row.get(j).cloned().ok_or_else(|| Failure::Range(format!("column {j} of {}", row.len())))
            }))
        }))
    }

    pub fn slide(&self, size: &Nat, step: &Nat, xs: Vec<Value>) -> Result<Value> {
        let (size, step) = (self.size(size)?, self.size(step)?);
        // There may be no windows.
        let fits = step > 0 && size <= xs.len() + step && (xs.len() + step - size).is_multiple_of(step);
        check(fits, || format!("slide({size}, {step}) of {}", xs.len()))?;
        let windows = (xs.len() + step - size) / step;
        Ok(Value::Array((0..windows).map(|w| Value::Array(xs[w * step..w * step + size].to_vec())).collect()))
    }

    pub fn pad_clamp(&self, l: &Nat, r: &Nat, xs: Vec<Value>) -> Result<Value> {
        match (xs.first().cloned(), xs.last().cloned()) {
            (Some(first), Some(last)) => Ok(padded(first, self.size(l)?, xs, last, self.size(r)?)),
            // The piece of a loop that is cut with `mask` and has no iteration.
            (None, _) if self.size(l)? == 0 && self.size(r)? == 0 => Ok(Value::Array(xs)),
            _ => Err(Failure::Range("padClamp of an empty array".into())),
        }
    }

    pub fn scatter(&self, ty: &DataType, indices: &[Value], xs: Vec<Value>) -> Result<Value> {
        let mut out = vec![self.element(ty)?; self.array_len(ty)?];
        for (i, x) in indices.iter().zip(xs) {
            match i {
                Value::Nat(i) if (0..out.len() as i128).contains(i) => out[*i as usize] = x,
                other => return Err(Failure::Range(format!("scatter to {other:?}"))),
            }
        }
        Ok(Value::Array(out))
    }

    pub fn reorder(&self, forward: &NatFun, xs: Vec<Value>) -> Result<Value> {
        collect((0..xs.len()).map(|i| {
            let from = self.nat(&forward.apply(&Nat::from(i)))?;
            index(&Value::Nat(from), xs.clone())
        }))
    }

    pub fn partition(&self, parts: &Nat, lengths: &NatFun, xs: Vec<Value>) -> Result<Value> {
        let mut rest = xs;
        let parts = collect((0..self.size(parts)?).map(|i| {
            let len = self.size(&lengths.apply(&Nat::from(i)))?;
            check(len <= rest.len(), || format!("part {i} of length {len}"))?;
            let tail = rest.split_off(len);
            Ok(Value::Array(std::mem::replace(&mut rest, tail)))
        }))?;
        check(rest.is_empty(), || "partition leaves elements over".into())?;
        Ok(parts)
    }
}

pub fn zip(xs: Vec<Value>, ys: Vec<Value>) -> Result<Value> {
    check(xs.len() == ys.len(), || format!("zip of {} and {}", xs.len(), ys.len()))?;
    Ok(Value::Array(xs.into_iter().zip(ys).map(|(x, y)| Value::Tuple(vec![x, y])).collect()))
}

/// The arrays of each of so many parts.
pub fn unzip(parts: usize, tuples: &[Value]) -> Result<Value> {
    let array = |part: usize| collect(tuples.iter().map(|tuple| component(tuple.clone(), part)));
    (0..parts).map(array).collect::<Result<_>>().map(Value::Tuple)
}

pub fn index(i: &Value, mut xs: Vec<Value>) -> Result<Value> {
    let at = position(i, &xs)?;
    Ok(xs.swap_remove(at))
}

/// Where an element lies.
pub fn position(i: &Value, xs: &[Value]) -> Result<usize> {
    match i {
        Value::Nat(i) if (0..xs.len() as i128).contains(i) => Ok(*i as usize),
        other => Err(Failure::Range(format!("element {other:?} of {}", xs.len()))),
    }
}

pub fn take(n: usize, mut xs: Vec<Value>) -> Result<Value> {
    check(n <= xs.len(), || format!("take({n}) of {}", xs.len()))?;
    xs.truncate(n);
    Ok(Value::Array(xs))
}

pub fn drop(n: usize, mut xs: Vec<Value>) -> Result<Value> {
    check(n <= xs.len(), || format!("drop({n}) of {}", xs.len()))?;
    Ok(Value::Array(xs.split_off(n)))
}

pub fn gather(indices: &[Value], xs: &[Value]) -> Result<Value> {
    collect(indices.iter().map(|i| index(i, xs.to_vec())))
}

pub fn join(rows: Vec<Value>) -> Result<Value> {
    let rows: Vec<Vec<Value>> = rows.into_iter().map(array).collect::<Result<_>>()?;
    Ok(Value::Array(rows.into_iter().flatten().collect()))
}

pub fn padded(left: Value, l: usize, xs: Vec<Value>, right: Value, r: usize) -> Value {
    let mut out = vec![left; l];
    out.extend(xs);
    out.extend(std::iter::repeat_n(right, r));
    Value::Array(out)
}

pub fn as_vector(lanes: usize, xs: Vec<Value>, ty: &DataType) -> Result<Value> {
    let scalar = ty.as_array().and_then(|(_, vector)| vector.scalar());
    check(lanes > 0 && xs.len().is_multiple_of(lanes), || format!("asVector({lanes}) of {}", xs.len()))?;
    collect(xs.chunks(lanes).map(|chunk| {
        chunk
            .iter()
            .map(|x| match x {
                Value::Scalar(x) => Ok(*x),
                // A lane without a defined value may have any.
                Value::Undefined => match scalar {
                    Some(scalar) => Ok(Literal::zero(scalar)),
                    None => malformed(format!("{ty} is no array of vectors")),
                },
                other => malformed(format!("{other:?} is no scalar")),
            })
            .collect::<Result<Vec<_>>>()
            .map(Value::Vector)
    }))
}

/// The lanes of the vectors that `asScalar` takes.
pub fn lanes(expr: &Expr) -> usize {
    let element = expr.children().first().and_then(|xs| xs.ty().as_array()).map(|(_, element)| element);
    match element {
        Some(DataType::Vector(_, lanes)) => *lanes as usize,
        _ => 0,
    }
}

pub fn as_scalar(lanes: usize, xs: Vec<Value>) -> Result<Value> {
    let mut out = Vec::new();
    for x in xs {
        match x {
            Value::Vector(lanes) => out.extend(lanes.into_iter().map(Value::Scalar)),
            Value::Undefined => out.extend(std::iter::repeat_n(Value::Undefined, lanes)),
            other => return malformed(format!("{other:?} is no vector")),
        }
    }
    Ok(Value::Array(out))
}
