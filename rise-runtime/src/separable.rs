//! Whether weights are the outer product of a column and a row.

use crate::error::Error;

/// `f32` and `f64`.
pub trait Weight: Copy + Into<f64> {
    /// How far an entry may be off, over the largest one.
    const SLACK: f64;
}

impl Weight for f32 {
    const SLACK: f64 = 1e-6;
}

impl Weight for f64 {
    const SLACK: f64 = 1e-12;
}

/// Checks that all rows of a matrix are multiples of one, up to rounding.
///
/// # Errors
/// The first entry that is not; the error names the parameter and the rule that needs it.
#[inline(never)]
pub fn check_separable<T: Weight>(
    parameter: &'static str,
    rule: &'static str,
    matrix: &[T],
    columns: usize,
) -> Result<(), Error> {
    let value = |at: usize| -> f64 { matrix[at].into() };
    let Some(pivot) = (0..matrix.len()).max_by(|a, b| value(*a).abs().total_cmp(&value(*b).abs())) else {
        return Ok(());
    };
    let (row, column, largest) = (pivot / columns, pivot % columns, value(pivot));
    if largest == 0.0 {
        return Ok(());
    }
    for at in 0..matrix.len() {
        let (i, j) = (at / columns, at % columns);
        let expected = value(i * columns + column) / largest * value(row * columns + j);
        // Not a number fits nowhere.
        let fits = (expected - value(at)).abs() <= T::SLACK * largest.abs();
        if !fits {
            let (expected, got) = (expected.to_string(), value(at).to_string());
            return Err(Error::Separable { parameter, rule, position: [i, j], expected, got });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_products_are_separable_and_others_are_not() {
        let ok = |matrix: &[f32], columns| check_separable("w", "separate", matrix, columns).is_ok();
        assert!(ok(&[], 0) && ok(&[], 3) && ok(&[0.0; 9], 3) && ok(&[5.0], 1) && ok(&[1.0, 2.0, 3.0], 3));
        assert!(ok(&[1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0], 3));
        assert!(ok(&[-1.0, 0.0, 1.0, -2.0, 0.0, 2.0, -1.0, 0.0, 1.0], 3));
        assert!(ok(&[0.0, 0.0, 0.0, 0.1, 0.2, 0.3], 3));
        assert!(ok(&[1e30, 3e30, 2e30, 6e30], 2) && ok(&[1e-30, 3e-30, 2e-30, 6e-30], 2));
        assert!(!ok(&[0.0, 1.0, 0.0, 1.0, -4.0, 1.0, 0.0, 1.0, 0.0], 3));
        assert!(!ok(&[1.0, 2.0, 2.0, f32::NAN], 2) && !ok(&[1.0, f32::INFINITY, 1.0, 1.0], 2));
        let wrong = check_separable("w", "separate", &[1.0, 2.0, 2.0, 5.0], 2).unwrap_err().to_string();
        let text = "`w` is not separable, which `separate` needs: element [0][0] is 1, a column times a row has 0.8 there";
        assert_eq!(wrong, text);
    }
}
