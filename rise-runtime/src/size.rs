//! Arithmetic on sizes as the language defines it.
//!
//! [`div`] and its brothers are the index arithmetic of a kernel: `x / 0 = 0`, `x % 0 = x`, quotients rounded
//! down. [`Size`] computes the conditions at a kernel's entry, where nothing is known yet: intermediate results
//! may be negative, and what does not fit has no value.

use crate::dispatch::{Level, level};
use crate::error::Error;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// `a / b`, and 0 where `b` is.
#[inline(always)]
pub const fn div(a: usize, b: usize) -> usize {
    match a.checked_div(b) {
        Some(quotient) => quotient,
        None => 0,
    }
}

/// `a % b`, and `a` where `b` is 0.
#[inline(always)]
pub const fn rem(a: usize, b: usize) -> usize {
    if b == 0 { a } else { a % b }
}

/// `a / b` rounded down, and 0 where `b` is.
#[inline(always)]
pub const fn floor_div(a: isize, b: isize) -> isize {
    if b == 0 {
        return 0;
    }
    // Most divisors are literals: then this is one shift.
    if b > 0 && b.count_ones() == 1 {
        return a >> b.trailing_zeros();
    }
    let quotient = a.wrapping_div(b);
    if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// What [`floor_div`] leaves; it has the sign of `b`, and is `a` where `b` is 0.
#[inline(always)]
pub const fn floor_rem(a: isize, b: isize) -> isize {
    if b == 0 {
        return a;
    }
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

/// How much work something is: it grows with sizes that no memory has to hold, and ends at the greatest number.
pub trait Cost {
    /// So many of it.
    fn times(self, number: usize) -> usize;

    /// Both.
    fn plus(self, other: usize) -> usize;
}

impl Cost for usize {
    #[inline(always)]
    fn times(self, number: usize) -> usize {
        self.saturating_mul(number)
    }

    #[inline(always)]
    fn plus(self, other: usize) -> usize {
        self.saturating_add(other)
    }
}

/// The number in a register of its own: the compiler does not know what it has to do with others.
#[inline(always)]
pub fn apart(number: usize) -> usize {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let mut number = number;
        // SAFETY: it is a comment. What is forgotten by way of memory is stored and loaded.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
        }
        number
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    std::hint::black_box(number)
}

/// A number computed from sizes, or none where it does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(Option<i128>);

impl From<usize> for Size {
    fn from(size: usize) -> Self {
        Self(i128::try_from(size).ok())
    }
}

impl Size {
    /// A literal.
    pub const fn of(value: i64) -> Self {
        Self(Some(value as i128))
    }

    /// `self ^ exponent`.
    pub fn pow(self, exponent: Self) -> Self {
        let power = || self.0?.checked_pow(u32::try_from(exponent.0?).ok()?);
        Self(power())
    }

    /// The smaller one.
    pub fn min(self, other: Self) -> Self {
        self.both(other, |a, b| Some(a.min(b)))
    }

    /// The greater one.
    pub fn max(self, other: Self) -> Self {
        self.both(other, |a, b| Some(a.max(b)))
    }

    /// What `body` gives for `from`, `from + 1`, … below `upto`, added up; backwards it counts negatively.
    pub fn sum(from: Self, upto: Self, body: impl Fn(Self) -> Self) -> Self {
        let (Some(a), Some(b)) = (from.0, upto.0) else { return Self(None) };
        let values = (a.min(b)..a.max(b)).map(|i| body(Self(Some(i))));
        let total = values.fold(Self::of(0), Add::add);
        if a <= b { total } else { Self::of(0) - total }
    }

    /// Whether both are the same number.
    pub fn equals(self, other: Self) -> bool {
        self.0.is_some() && self == other
    }

    /// Whether it is less.
    pub fn less(self, other: Self) -> bool {
        matches!((self.0, other.0), (Some(a), Some(b)) if a < b)
    }

    /// Whether it is at most the other.
    pub fn at_most(self, other: Self) -> bool {
        matches!((self.0, other.0), (Some(a), Some(b)) if a <= b)
    }

    /// Whether it divides the other; 0 divides 0 alone.
    pub fn divides(self, other: Self) -> bool {
        matches!((self.0, other.0), (Some(a), Some(b)) if if a == 0 { b == 0 } else { b.checked_rem(a).unwrap_or(0) == 0 })
    }

    /// The `v` with `factor · v + self = got`, if there is one; `factor` is at least 1.
    pub fn solve(self, got: usize, factor: usize) -> Option<usize> {
        let product = (Self::from(got) - self).get()?;
        product.is_multiple_of(factor).then(|| product / factor)
    }

    /// As a size, if it is one.
    pub fn get(self) -> Option<usize> {
        self.0.and_then(|value| usize::try_from(value).ok())
    }

    /// As a size, or the error that it is too large.
    pub fn checked(self, what: &'static str) -> Result<usize, Error> {
        self.get().filter(|size| isize::try_from(*size).is_ok()).ok_or_else(|| Error::overflow(what))
    }

    /// An error where it is too large for index arithmetic; negative numbers are not.
    pub fn fits(self, what: &'static str) -> Result<(), Error> {
        match self.0 {
            Some(value) if isize::try_from(value.max(0)).is_ok() => Ok(()),
            _ => Err(Error::overflow(what)),
        }
    }

    fn both(self, other: Self, f: impl Fn(i128, i128) -> Option<i128>) -> Self {
        match (self.0, other.0) {
            (Some(a), Some(b)) => Self(f(a, b)),
            _ => Self(None),
        }
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.both(other, i128::checked_add)
    }
}

impl Sub for Size {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.both(other, i128::checked_sub)
    }
}

impl Mul for Size {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.both(other, i128::checked_mul)
    }
}

impl Div for Size {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        self.both(other, |a, b| match b {
            0 => Some(0),
            _ => {
                let quotient = a.checked_div(b)?;
                Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
            }
        })
    }
}

impl Rem for Size {
    type Output = Self;

    fn rem(self, other: Self) -> Self {
        self - other * (self / other)
    }
}

/// Whether a dimension is what the type says: `expected`, in the words of the type `text`.
#[inline]
pub fn check_dimension(
    parameter: &'static str,
    dimension: usize,
    text: &'static str,
    expected: Size,
    got: usize,
) -> Result<(), Error> {
    match expected.get() {
        Some(value) if value == got => Ok(()),
        Some(value) => Err(Error::shape(parameter, dimension, text, value, got)),
        None => Err(Error::shape_form(parameter, dimension, text, got)),
    }
}

/// The product of the dimensions of a result or parameter; an error where it, or a part of it, is no size.
/// (A dimension 0 does not hide that others are too large, so that index arithmetic never overflows.)
#[inline]
pub fn elements(shape: &[usize], what: &'static str) -> Result<usize, Error> {
    let parts = shape.iter().try_fold(1usize, |product, size| product.checked_mul((*size).max(1)));
    match parts {
        Some(parts) if isize::try_from(parts).is_ok() => Ok(if shape.contains(&0) { 0 } else { parts }),
        _ => Err(Error::overflow(what)),
    }
}

/// Whether all indices are less than the bound; the error names the first that is not.
#[inline]
pub fn check_indices(parameter: &'static str, indices: &[u32], bound: usize) -> Result<(), Error> {
    // First the greatest, which takes vectors and no branches.
    if indices.is_empty() || (greatest(indices) as usize) < bound {
        return Ok(());
    }
    match indices.iter().position(|index| *index as usize >= bound) {
        Some(position) => Err(Error::index(parameter, position, indices[position] as usize, bound)),
        None => Ok(()),
    }
}

/// The greatest of some numbers, 0 if there are none.
fn greatest(numbers: &[u32]) -> u32 {
    #[inline(always)]
    fn of(numbers: &[u32]) -> u32 {
        numbers.iter().fold(0, |greatest, number| greatest.max(*number))
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2(numbers: &[u32]) -> u32 {
        of(numbers)
    }
    match level() {
        // SAFETY: a level is one that the CPU has.
        #[cfg(target_arch = "x86_64")]
        Ok(Level::Avx2 | Level::Avx512) => unsafe { avx2(numbers) },
        _ => of(numbers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_round_down_and_never_fail() {
        assert_eq!((div(7, 2), div(7, 0), rem(7, 2), rem(7, 0)), (3, 0, 1, 7));
        for (a, b) in [(7, 2), (-7, 2), (7, -2), (-7, -2), (5, 0), (-5, 0), (6, 3), (-6, 3)] {
            assert_eq!(b * floor_div(a, b) + floor_rem(a, b), a);
            let quotient = Size::of(a as i64) / Size::of(b as i64);
            assert_eq!(quotient, Size::of(floor_div(a, b) as i64));
            assert_eq!(Size::of(a as i64) % Size::of(b as i64), Size::of(floor_rem(a, b) as i64));
        }
        assert_eq!(floor_div(-7, 2), -4);
    }

    #[test]
    fn what_does_not_fit_has_no_value() {
        let huge = Size::from(usize::MAX);
        let none = huge * huge * huge;
        assert_eq!(none.get(), None);
        assert!(!none.equals(none) && !none.less(huge) && !huge.less(none));
        assert_eq!((Size::of(3) - Size::of(4)).get(), None);
        assert_eq!((Size::of(3) - Size::of(4) + Size::of(2)).get(), Some(1));
        assert!(huge.checked("n").is_err() && huge.fits("n").is_err() && none.fits("n").is_err());
        assert!(Size::of(-3).fits("n").is_ok() && Size::of(-3).checked("n").is_err());
        assert_eq!(Size::of(2).pow(Size::of(10)).get(), Some(1024));
        assert_eq!(
            (Size::of(1).solve(7, 2), Size::of(1).solve(8, 2), Size::of(9).solve(8, 1)),
            (Some(3), None, None)
        );
        assert_eq!(Size::of(-1).solve(8, 1), Some(9));
        assert_eq!(Size::sum(Size::of(0), Size::of(5), |i| i * i).get(), Some(30));
    }

    #[test]
    fn products_and_indices_are_checked() {
        assert_eq!(elements(&[3, 4], "x"), Ok(12));
        assert_eq!(elements(&[3, 0], "x"), Ok(0));
        assert!(elements(&[usize::MAX, 0], "x").is_err());
        assert!(elements(&[usize::MAX, 2], "x").is_err());
        assert_eq!(check_indices("i", &[0, 2], 3), Ok(()));
        assert_eq!(check_indices("i", &[], 0), Ok(()));
        let many: Vec<u32> = (0..100).chain([1 << 31, 7]).collect();
        assert_eq!(check_indices("i", &many, 1 << 31), Err(Error::index("i", 100, 1 << 31, 1 << 31)));
        assert_eq!(check_indices("i", &[0, 3], 3), Err(Error::index("i", 1, 3, 3)));
        assert!(Size::of(0).divides(Size::of(0)) && !Size::of(0).divides(Size::of(3)));
        assert!(Size::of(3).divides(Size::of(9)) && !Size::of(3).divides(Size::of(10)));
    }
}
