//! Arguments and outputs of kernels: a slice and a shape.
//!
//! In: whatever a caller has at hand (slices, vectors, arrays of arrays, [`Array`], a slice with a shape; with
//! features the arrays of `ndarray` and `image`). Out: a slice of scalars in row-major order. A slice and a shape
//! that disagree are kept as they came and reported by [`View::check`], so that making a view never panics.

mod foreign;

use crate::array::Array;
use crate::error::Error;
use crate::memory::product;

/// An argument of rank `R`.
#[derive(Debug)]
pub struct View<'a, T, const R: usize> {
    data: &'a [T],
    shape: [usize; R],
    contiguous: bool,
}

impl<T, const R: usize> Clone for View<'_, T, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize> Copy for View<'_, T, R> {}

/// An output of rank `R`.
#[derive(Debug)]
pub struct ViewMut<'a, T, const R: usize> {
    data: &'a mut [T],
    shape: [usize; R],
    contiguous: bool,
}

#[inline]
fn check(parameter: &'static str, len: usize, shape: &[usize], contiguous: bool) -> Result<(), Error> {
    if contiguous && product(shape) == Some(len) {
        Ok(())
    } else {
        disagree(parameter, len, shape, contiguous)
    }
}

/// What is wrong. (Apart from the check, which is made at each call of each kernel.)
#[cold]
#[inline(never)]
fn disagree(parameter: &'static str, len: usize, shape: &[usize], contiguous: bool) -> Result<(), Error> {
    Err(match contiguous {
        true => Error::slice_shape(parameter, len, shape),
        false => Error::layout(parameter),
    })
}

impl<'a, T, const R: usize> View<'a, T, R> {
    /// A view of `data` with this shape. Whether they agree is asked by [`View::check`].
    pub const fn new(data: &'a [T], shape: [usize; R]) -> Self {
        Self { data, shape, contiguous: true }
    }

    /// Whether slice and shape agree; the error names `parameter`.
    #[inline]
    pub fn check(&self, parameter: &'static str) -> Result<(), Error> {
        check(parameter, self.data.len(), &self.shape, self.contiguous)
    }

    /// The sizes of the dimensions, outermost first.
    pub const fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The elements, row by row.
    pub const fn data(&self) -> &'a [T] {
        self.data
    }

    /// The first element.
    pub const fn as_ptr(&self) -> *const T {
        self.data.as_ptr()
    }
}

impl<'a, T, const R: usize> ViewMut<'a, T, R> {
    /// A view of `data` with this shape. Whether they agree is asked by [`ViewMut::check`].
    pub const fn new(data: &'a mut [T], shape: [usize; R]) -> Self {
        Self { data, shape, contiguous: true }
    }

    /// Whether slice and shape agree; the error names `parameter`.
    #[inline]
    pub fn check(&self, parameter: &'static str) -> Result<(), Error> {
        check(parameter, self.data.len(), &self.shape, self.contiguous)
    }

    /// The sizes of the dimensions, outermost first.
    pub const fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The elements, row by row.
    pub fn data(self) -> &'a mut [T] {
        self.data
    }

    /// The first element.
    pub const fn as_mut_ptr(&mut self) -> *mut T {
        self.data.as_mut_ptr()
    }

    /// The same output once more, for a shorter time.
    pub fn reborrow(&mut self) -> ViewMut<'_, T, R> {
        ViewMut { data: self.data, shape: self.shape, contiguous: self.contiguous }
    }
}

/// Conversions of one rank: `from TYPE as (name) = DATA, SHAPE`, for shared and exclusive borrows at once.
macro_rules! conversions {
    ($($rank:literal [$($param:tt)*] $source:ty: |$it:ident| $shape:expr, $($flat:ident)*;)*) => {$(
        impl<'a, T, $($param)*> From<&'a $source> for View<'a, T, $rank> {
            #[inline]
            fn from($it: &'a $source) -> Self {
                let shape = $shape;
                View::new($it$(.$flat())*, shape)
            }
        }

        impl<'a, T, $($param)*> From<&'a mut $source> for ViewMut<'a, T, $rank> {
            #[inline]
            fn from($it: &'a mut $source) -> Self {
                let shape = $shape;
                conversions!(@mut $it $($flat)*; shape)
            }
        }
    )*};
    (@mut $it:ident as_slice; $shape:ident) => { ViewMut::new($it.as_mut_slice(), $shape) };
    (@mut $it:ident as_flattened; $shape:ident) => { ViewMut::new($it.as_flattened_mut(), $shape) };
    (@mut $it:ident as_flattened as_flattened; $shape:ident) => {
        ViewMut::new($it.as_flattened_mut().as_flattened_mut(), $shape)
    };
    (@mut $it:ident as_flattened as_flattened as_flattened; $shape:ident) => {
        ViewMut::new($it.as_flattened_mut().as_flattened_mut().as_flattened_mut(), $shape)
    };
    (@mut $it:ident; $shape:ident) => { ViewMut::new($it, $shape) };
}

conversions! {
    1 [] [T]: |it| [it.len()], ;
    1 [] Vec<T>: |it| [it.len()], as_slice;
    1 [const N: usize] [T; N]: |it| [it.len()], as_slice;
    2 [const M: usize] [[T; M]]: |it| [it.len(), M], as_flattened;
    2 [const M: usize] Vec<[T; M]>: |it| [it.len(), M], as_flattened;
    2 [const N: usize, const M: usize] [[T; M]; N]: |it| [N, M], as_flattened;
    3 [const M: usize, const K: usize] [[[T; K]; M]]: |it| [it.len(), M, K], as_flattened as_flattened;
    3 [const M: usize, const K: usize] Vec<[[T; K]; M]>: |it| [it.len(), M, K], as_flattened as_flattened;
    3 [const N: usize, const M: usize, const K: usize] [[[T; K]; M]; N]: |it| [N, M, K],
        as_flattened as_flattened;
    4 [const M: usize, const K: usize, const L: usize] [[[[T; L]; K]; M]]: |it| [it.len(), M, K, L],
        as_flattened as_flattened as_flattened;
    4 [const M: usize, const K: usize, const L: usize] Vec<[[[T; L]; K]; M]>: |it| [it.len(), M, K, L],
        as_flattened as_flattened as_flattened;
    4 [const N: usize, const M: usize, const K: usize, const L: usize] [[[[T; L]; K]; M]; N]:
        |it| [N, M, K, L], as_flattened as_flattened as_flattened;
}

impl<'a, T, const R: usize> From<&'a Array<T, R>> for View<'a, T, R> {
    fn from(array: &'a Array<T, R>) -> Self {
        let (data, shape) = array.parts();
        Self::new(data, shape)
    }
}

impl<'a, T, const R: usize> From<(&'a [T], [usize; R])> for View<'a, T, R> {
    fn from((data, shape): (&'a [T], [usize; R])) -> Self {
        Self::new(data, shape)
    }
}

impl<'a, T, const R: usize> From<(&'a Vec<T>, [usize; R])> for View<'a, T, R> {
    fn from((data, shape): (&'a Vec<T>, [usize; R])) -> Self {
        Self::new(data, shape)
    }
}

impl<'a, T, const N: usize, const R: usize> From<(&'a [T; N], [usize; R])> for View<'a, T, R> {
    fn from((data, shape): (&'a [T; N], [usize; R])) -> Self {
        Self::new(data, shape)
    }
}

impl<'a, T, const R: usize> From<&'a mut Array<T, R>> for ViewMut<'a, T, R> {
    fn from(array: &'a mut Array<T, R>) -> Self {
        let (data, shape) = array.parts_mut();
        Self::new(data, shape)
    }
}

impl<'a, T, const R: usize> From<(&'a mut [T], [usize; R])> for ViewMut<'a, T, R> {
    fn from((data, shape): (&'a mut [T], [usize; R])) -> Self {
        Self::new(data, shape)
    }
}

impl<'a, T, const R: usize> From<(&'a mut Vec<T>, [usize; R])> for ViewMut<'a, T, R> {
    fn from((data, shape): (&'a mut Vec<T>, [usize; R])) -> Self {
        Self::new(data, shape)
    }
}

impl<'a, T, const N: usize, const R: usize> From<(&'a mut [T; N], [usize; R])> for ViewMut<'a, T, R> {
    fn from((data, shape): (&'a mut [T; N], [usize; R])) -> Self {
        Self::new(data, shape)
    }
}

#[cfg(test)]
mod tests;
