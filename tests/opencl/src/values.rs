//! Arguments and comparisons of results.

use rise_build::expr::{Kernel, Literal, Value};
use rise_build::types::{DataType, Scalar};

use crate::bytes::size;
use crate::input;

/// Small integers for all parameters, so that sums are exact.
pub fn small_arguments(kernel: &Kernel, sizes: &[i128]) -> Vec<Value> {
    let sizes: Vec<_> = kernel.nats.iter().cloned().zip(sizes.iter().copied()).collect();
    let mut at = 0;
    kernel.params.iter().map(|param| value(&param.ty, &sizes, &mut at)).collect()
}

fn value(ty: &DataType, sizes: &crate::bytes::Sizes, at: &mut usize) -> Value {
    match ty {
        DataType::Array(len, element) | DataType::DepArray(len, _, element) => {
            Value::Array((0..size(len, sizes)).map(|_| value(element, sizes, at)).collect())
        }
        DataType::Tuple(parts) => Value::Tuple(parts.iter().map(|ty| value(ty, sizes, at)).collect()),
        DataType::Vector(scalar, lanes) => Value::Vector((0..*lanes).map(|_| number(*scalar, at)).collect()),
        DataType::Scalar(scalar) => Value::Scalar(number(*scalar, at)),
        DataType::Idx(bound) => {
            *at += 1;
            Value::Nat((*at * 7 % size(bound, sizes).max(1)) as i128)
        }
        DataType::Nat => Value::Nat(3),
    }
}

fn number(scalar: Scalar, at: &mut usize) -> Literal {
    let small = input(*at);
    *at += 1;
    match scalar {
        Scalar::Bool => Literal::Bool(small > 0),
        Scalar::F32 | Scalar::F64 => Literal::Float(f64::from(small), scalar),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => Literal::Int(i128::from(small.abs()), scalar),
        _ => Literal::Int(i128::from(small), scalar),
    }
}

/// Equal within rounding; what has no value equals everything.
pub fn close(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Undefined, _) | (_, Value::Undefined) => true,
        (Value::Scalar(a), Value::Scalar(b)) => close_literals(*a, *b),
        (Value::Vector(a), Value::Vector(b)) => a.iter().zip(b).all(|(a, b)| close_literals(*a, *b)),
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b))
        }
        (a, b) => a == b,
    }
}

fn close_literals(a: Literal, b: Literal) -> bool {
    match (a, b) {
        (Literal::Float(a, scalar), Literal::Float(b, _)) => {
            let unit = if scalar == Scalar::F32 { 1e-4 } else { 1e-12 };
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= unit * (1.0 + a.abs())
        }
        (a, b) => a == b,
    }
}
