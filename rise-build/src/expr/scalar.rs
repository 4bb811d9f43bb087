//! The meaning of scalar operations, one for all targets: what the interpreter computes and constant
//! folding may assume.
//!
//! Integers wrap; `x / 0 = 0`, `x % 0 = x`, `MIN / -1 = MIN`; shifts mask their distance; casts are
//! Rust's; floats are rounded to their own type after every operation.

use crate::types::Scalar;

use super::primitive::{Binary, Compare, Unary};
use super::term::Literal;

/// `op(x)`
pub fn unary(op: Unary, x: Literal) -> Literal {
    match x {
        Literal::Bool(x) => Literal::Bool(!x),
        Literal::Int(x, ty) => match op {
            Unary::Neg => wrap(-x, ty),
            Unary::Abs => wrap(x.abs(), ty),
            Unary::Not => wrap(!x, ty),
            _ => Literal::Int(x, ty),
        },
        Literal::Float(x, Scalar::F32) => Literal::Float(f64::from(unary_f32(op, x as f32)), Scalar::F32),
        Literal::Float(x, ty) => Literal::Float(unary_f64(op, x), ty),
    }
}

macro_rules! unary_float {
    ($name:ident, $float:ty) => {
        fn $name(op: Unary, x: $float) -> $float {
            match op {
                Unary::Neg => -x,
                Unary::Not => x,
                Unary::Abs => x.abs(),
                Unary::Sqrt => x.sqrt(),
                Unary::Rsqrt => 1.0 / x.sqrt(),
                Unary::Exp => x.exp(),
                Unary::Ln => x.ln(),
                Unary::Sin => x.sin(),
                Unary::Cos => x.cos(),
                Unary::Tan => x.tan(),
                Unary::Tanh => x.tanh(),
                Unary::Floor => x.floor(),
                Unary::Ceil => x.ceil(),
                Unary::Round => x.round(),
            }
        }
    };
}

unary_float!(unary_f32, f32);
unary_float!(unary_f64, f64);

/// `op(a, b)`; operands of different types give the first.
pub fn binary(op: Binary, a: Literal, b: Literal) -> Literal {
    match (a, b) {
        (Literal::Bool(a), Literal::Bool(b)) => Literal::Bool(binary_bool(op, a, b)),
        (Literal::Int(a, ty), Literal::Int(b, _)) => wrap(binary_int(op, a, b, ty), ty),
        (Literal::Float(a, Scalar::F32), Literal::Float(b, _)) => {
            Literal::Float(f64::from(binary_f32(op, a as f32, b as f32)), Scalar::F32)
        }
        (Literal::Float(a, ty), Literal::Float(b, _)) => Literal::Float(binary_f64(op, a, b), ty),
        _ => a,
    }
}

fn binary_bool(op: Binary, a: bool, b: bool) -> bool {
    match op {
        Binary::And => a && b,
        Binary::Or => a || b,
        Binary::Xor => a ^ b,
        _ => a,
    }
}

fn binary_int(op: Binary, a: i128, b: i128, ty: Scalar) -> i128 {
    let distance = (b & i128::from(ty.bytes() * 8 - 1)) as u32;
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => a.checked_div(b).unwrap_or(0),
        Binary::Rem => a.checked_rem(b).unwrap_or(a),
        Binary::Min => {
            if a < b {
                a
            } else {
                b
            }
        }
        Binary::Max => {
            if a > b {
                a
            } else {
                b
            }
        }
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a << distance,
        Binary::Shr => a >> distance,
        Binary::Pow => a,
    }
}

macro_rules! binary_float {
    ($name:ident, $float:ty) => {
        fn $name(op: Binary, a: $float, b: $float) -> $float {
            match op {
                Binary::Add => a + b,
                Binary::Sub => a - b,
                Binary::Mul => a * b,
                Binary::Div => a / b,
                Binary::Rem => a % b,
                Binary::Min => {
                    if a < b {
                        a
                    } else {
                        b
                    }
                }
                Binary::Max => {
                    if a > b {
                        a
                    } else {
                        b
                    }
                }
                Binary::Pow => a.powf(b),
                _ => a,
            }
        }
    };
}

binary_float!(binary_f32, f32);
binary_float!(binary_f64, f64);

/// `a op b`
pub fn compare(op: Compare, a: Literal, b: Literal) -> bool {
    let order = match (a, b) {
        (Literal::Bool(a), Literal::Bool(b)) => a.partial_cmp(&b),
        (Literal::Int(a, _), Literal::Int(b, _)) => a.partial_cmp(&b),
        (Literal::Float(a, _), Literal::Float(b, _)) => a.partial_cmp(&b),
        _ => None,
    };
    match op {
        Compare::Eq => order.is_some_and(std::cmp::Ordering::is_eq),
        Compare::Ne => !order.is_some_and(std::cmp::Ordering::is_eq),
        Compare::Lt => order.is_some_and(std::cmp::Ordering::is_lt),
        Compare::Le => order.is_some_and(std::cmp::Ordering::is_le),
        Compare::Gt => order.is_some_and(std::cmp::Ordering::is_gt),
        Compare::Ge => order.is_some_and(std::cmp::Ordering::is_ge),
    }
}

/// `a * b + c`, in two roundings or, if `fused`, in one.
pub fn mul_add(a: Literal, b: Literal, c: Literal, fused: bool) -> Literal {
    match (a, b, c) {
        (Literal::Float(a, Scalar::F32), Literal::Float(b, _), Literal::Float(c, _)) if fused => {
            Literal::Float(f64::from((a as f32).mul_add(b as f32, c as f32)), Scalar::F32)
        }
        (Literal::Float(a, ty), Literal::Float(b, _), Literal::Float(c, _)) if fused => {
            Literal::Float(a.mul_add(b, c), ty)
        }
        _ => binary(Binary::Add, binary(Binary::Mul, a, b), c),
    }
}

/// `x as to`, as Rust converts.
pub fn cast(x: Literal, to: Scalar) -> Literal {
    match x {
        Literal::Bool(x) => from_int(i128::from(x), to),
        Literal::Int(x, _) => from_int(x, to),
        Literal::Float(x, _) => from_float(x, to),
    }
}

/// An integer of any size `as` a scalar.
pub fn from_int(x: i128, to: Scalar) -> Literal {
    match to {
        Scalar::Bool => Literal::Bool(x != 0),
        Scalar::F32 => Literal::Float(f64::from(x as f32), to),
        Scalar::F64 => Literal::Float(x as f64, to),
        _ => wrap(x, to),
    }
}

fn from_float(x: f64, to: Scalar) -> Literal {
    match to {
        Scalar::Bool => Literal::Bool(x != 0.0),
        Scalar::F32 => Literal::Float(f64::from(x as f32), to),
        Scalar::F64 => Literal::Float(x, to),
        _ => {
            let (low, high) = range(to);
            Literal::Int(if x.is_nan() { 0 } else { (x as i128).clamp(low, high) }, to)
        }
    }
}

/// The smallest and largest value of an integer type.
pub fn range(ty: Scalar) -> (i128, i128) {
    let bits = ty.bytes() * 8;
    match ty.is_signed() {
        true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (0, (1 << bits) - 1),
    }
}

/// The value of an integer type that equals `x` in the low bits.
fn wrap(x: i128, ty: Scalar) -> Literal {
    let (low, high) = range(ty);
    let span = high - low + 1;
    Literal::Int((x - low).rem_euclid(span) + low, ty)
}
