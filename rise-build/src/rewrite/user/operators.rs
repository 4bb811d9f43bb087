//! Operators of which nothing is known, tried on a few numbers.

use crate::expr::{Expr, Kernel, Lambda, Literal, Param, Value, interpret};
use crate::rewrite::rules::support::beta_copy;
use crate::types::{DataType, Scalar};

use super::trial::agree;

/// Not negative: remainders and the like may associate for such alone.
const NUMBERS: [f64; 4] = [2.0, 0.5, 3.0, 1.0];

/// Whether `f(f(a, b), c)` is mostly something else than `f(a, f(b, c))`. Of functions of other things than numbers and
/// tuples of them that is not found out.
pub fn is_refuted(f: &Lambda) -> bool {
    let [a, b] = f.params.as_slice() else { return false };
    let [x, y, z] = ["a", "b", "c"].map(|text| Param::fresh(text, a.ty.clone()));
    let of = |x: &Expr, y: &Expr| beta_copy(f, &[x.clone(), y.clone()]);
    let first = of(&of(&x.expr(), &y.expr()), &z.expr());
    let last = of(&x.expr(), &of(&y.expr(), &z.expr()));
    let values: Vec<Value> = (0..NUMBERS.len()).filter_map(|at| value(&a.ty, at)).collect();
    if a.ty != b.ty || values.len() < NUMBERS.len() {
        return false;
    }
    let params = vec![x, y, z];
    let [first, last] = [first, last].map(|body| Kernel::new("operator", Vec::new(), params.clone(), body));
    let (mut tried, mut different) = (0, 0);
    for a in &values {
        for b in &values {
            for c in &values {
                let args = [a.clone(), b.clone(), c.clone()];
                let results = [&first, &last].map(|function| interpret(function, &[], &args));
                if let [Ok(first), Ok(last)] = results {
                    tried += 1;
                    different += usize::from(!agree(&first, &last));
                }
            }
        }
    }
    2 * different > tried
}

/// One of the numbers, or a tuple of different ones.
fn value(ty: &DataType, at: usize) -> Option<Value> {
    let number = NUMBERS[at % NUMBERS.len()];
    match ty {
        DataType::Scalar(Scalar::Bool) => Some(Value::Scalar(Literal::Bool(at.is_multiple_of(2)))),
        DataType::Scalar(scalar) if scalar.is_float() => Some(Value::Scalar(Literal::Float(number, *scalar))),
        // Whole numbers, all different.
        DataType::Scalar(scalar) => Some(Value::Scalar(Literal::Int((number * 2.0) as i128, *scalar))),
        DataType::Tuple(parts) => {
            let parts = parts.iter().enumerate().map(|(part, ty)| value(ty, at + part));
            parts.collect::<Option<_>>().map(Value::Tuple)
        }
        _ => None,
    }
}
