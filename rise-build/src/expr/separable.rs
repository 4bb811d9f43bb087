//! Matrices of weights that are the outer product of a column and a row.

use crate::types::Scalar;

/// A column and a row whose outer product the matrix is, up to rounding; integers exactly.
///
/// The error is the position of an entry that is none of the product of the others, and what it would have to be.
pub fn factors(rows: &[Vec<f64>], scalar: Scalar) -> Result<(Vec<f64>, Vec<f64>), Misfit> {
    let entries =
        || rows.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, w)| (i, j, *w)));
    let pivot = entries().filter(|(.., w)| *w != 0.0).min_by(|a, b| a.2.abs().total_cmp(&b.2.abs()));
    let Some((p, q, scale)) = pivot else {
        // Nothing but zeros is a column of zeros times any row.
        return Ok((vec![0.0; rows.len()], rows.first().cloned().unwrap_or_default()));
    };
    let column: Vec<f64> = rows.iter().map(|row| row[q] / scale).collect();
    let row = rows[p].clone();
    let largest = entries().map(|(.., w)| w.abs()).fold(0.0, f64::max);
    let slack = slack(scalar) * largest;
    for (i, j, found) in entries() {
        let expected = column[i] * row[j];
        // Not a number is not separable either.
        let fits = (expected - found).abs() <= slack;
        if !fits || (scalar.is_integer() && column[i].fract() != 0.0) {
            return Err(Misfit { row: i, column: j, pivot: p, expected, found });
        }
    }
    Ok((column, row))
}

/// The same, where the outer product is the matrix to the last bit.
pub fn exact_factors(rows: &[Vec<f64>], scalar: Scalar) -> Option<(Vec<f64>, Vec<f64>)> {
    let (column, row) = factors(rows, scalar).ok()?;
    let is_product = |entry: f64, a: f64, b: f64| match scalar {
        Scalar::F32 => a as f32 * b as f32 == entry as f32,
        _ => a * b == entry,
    };
    let is_exact = |(entries, factor): (&Vec<f64>, &f64)| {
        entries.iter().zip(&row).all(|(entry, other)| is_product(*entry, *factor, *other))
    };
    rows.iter().zip(&column).all(is_exact).then_some((column, row))
}

/// An entry that does not fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Misfit {
    /// Its row.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// The row that it was held against.
    pub pivot: usize,
    /// What it would have to be.
    pub expected: f64,
    /// What it is.
    pub found: f64,
}

/// How far an entry may be off, over the largest one.
fn slack(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F32 => 1e-6,
        Scalar::F64 => 1e-12,
        _ => 0.0,
    }
}
