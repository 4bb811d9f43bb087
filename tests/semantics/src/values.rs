//! Arguments for random programs.

use rise_build::expr::scalar::{cast, range};
use rise_build::expr::{Kernel, Literal, Value};
use rise_build::nat::{Nat, NatVar};
use rise_build::types::{DataType, Scalar};

/// Small pseudo-random numbers, the same on every run.
pub struct Numbers(u64);

impl Numbers {
    /// A sequence for each seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 8) % bound
    }

    /// The choices of a random program.
    pub fn bytes(&mut self) -> Vec<u8> {
        let len = 20 + self.below(380);
        (0..len).map(|_| self.below(256) as u8).collect()
    }
}

/// The library that rules call.
pub fn library() -> rise_build::rewrite::strategy::Value {
    rise_build::rewrite::strategy::Value::Library(std::sync::Arc::new(rise_build::expr::Library {
        name: "sgemm".into(),
        rust: Some("gemm::gemm".into()),
        c: None,
    }))
}

/// Arguments for all parameters of a kernel at these sizes.
pub fn arguments(kernel: &Kernel, sizes: &[i128], numbers: &mut Numbers) -> Vec<Value> {
    let env: Vec<(NatVar, i128)> = kernel.nats.iter().cloned().zip(sizes.iter().copied()).collect();
    kernel.params.iter().map(|param| value(&param.ty, &env, numbers)).collect()
}

/// A value of a type.
pub fn value(ty: &DataType, sizes: &[(NatVar, i128)], numbers: &mut Numbers) -> Value {
    let size = |nat: &Nat| {
        nat.eval(&|var| sizes.iter().find(|(other, _)| other == var).map(|(_, size)| *size)).unwrap_or(0)
    };
    match ty {
        DataType::Scalar(scalar) => Value::Scalar(literal(*scalar, numbers)),
        DataType::Vector(scalar, lanes) => {
            Value::Vector((0..*lanes).map(|_| literal(*scalar, numbers)).collect())
        }
        DataType::Nat => Value::Nat(i128::from(numbers.below(8))),
        DataType::Idx(bound) => Value::Nat(i128::from(numbers.below(size(bound).max(1) as u64))),
        DataType::Array(len, element) | DataType::DepArray(len, _, element) => {
            Value::Array((0..size(len)).map(|_| value(element, sizes, numbers)).collect())
        }
        DataType::Tuple(parts) => {
            Value::Tuple(parts.iter().map(|part| value(part, sizes, numbers)).collect())
        }
    }
}

/// Mostly small numbers, sometimes the extremes of the type.
fn literal(scalar: Scalar, numbers: &mut Numbers) -> Literal {
    let small = i128::from(numbers.below(17)) - 8;
    match scalar {
        Scalar::Bool => Literal::Bool(small > 0),
        Scalar::F32 | Scalar::F64 => match numbers.below(24) {
            0 => Literal::Float(-0.0, scalar),
            1 => Literal::Float(f64::INFINITY, scalar),
            2..=5 => cast(Literal::Float(small as f64 * 0.375, Scalar::F64), scalar),
            _ => Literal::Float(small as f64, scalar),
        },
        _ => {
            let (low, high) = range(scalar);
            match numbers.below(24) {
                0 => Literal::Int(low, scalar),
                1 => Literal::Int(high, scalar),
                _ => Literal::Int(small.clamp(low, high), scalar),
            }
        }
    }
}

/// The result from what a kernel wrote: one value, or one for each component of a tuple.
pub fn rebuilt(ty: &DataType, values: Vec<Value>) -> Value {
    fn from(ty: &DataType, parts: &mut dyn Iterator<Item = Value>) -> Value {
        match ty.as_tuple() {
            Some(types) => Value::Tuple(types.iter().map(|ty| from(ty, parts)).collect()),
            None => parts.next().unwrap_or(Value::Undefined),
        }
    }
    match <[Value; 1]>::try_from(values) {
        Ok([value]) => value,
        Err(values) => from(ty, &mut values.into_iter()),
    }
}

/// Equal in bits, but that any NaN equals any NaN and what has no value equals everything.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Undefined, _) | (_, Value::Undefined) => true,
        (Value::Scalar(a), Value::Scalar(b)) => same_literal(*a, *b),
        (Value::Vector(a), Value::Vector(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_literal(*a, *b))
        }
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (a, b) => a == b,
    }
}

fn same_literal(a: Literal, b: Literal) -> bool {
    match (a, b) {
        (Literal::Float(a, s), Literal::Float(b, t)) => {
            s == t && ((a.is_nan() && b.is_nan()) || a.to_bits() == b.to_bits())
        }
        _ => a == b,
    }
}

/// Equal, but that what had no value may have any; nothing loses its value.
pub fn refines(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Undefined, _) => true,
        (_, Value::Undefined) => false,
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| refines(a, b))
        }
        (a, b) => same(a, b),
    }
}

/// Equal within rounding.
pub fn close(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => close_literals(*a, *b),
        (Value::Vector(a), Value::Vector(b)) => a.iter().zip(b).all(|(a, b)| close_literals(*a, *b)),
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b))
        }
        (a, b) => same(a, b),
    }
}

fn close_literals(a: Literal, b: Literal) -> bool {
    match (a, b) {
        (Literal::Float(a, scalar), Literal::Float(b, _)) => {
            let unit = if scalar == Scalar::F32 { 1e-5 } else { 1e-12 };
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= unit * (1.0 + a.abs())
        }
        (a, b) => a == b,
    }
}
