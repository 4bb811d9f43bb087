//! `ndarray`: arrays in standard layout; any other layout is an error of the call ([`View::check`]).

use crate::view::{View, ViewMut};
use ndarray::{Array, ArrayView, ArrayViewMut, Dim, Ix};

macro_rules! ranks {
    ($($rank:literal)*) => {$(
        impl<'a, T> From<ArrayView<'a, T, Dim<[Ix; $rank]>>> for View<'a, T, $rank> {
            fn from(array: ArrayView<'a, T, Dim<[Ix; $rank]>>) -> Self {
                let shape = array.raw_dim().into_pattern_array();
                let data = array.to_slice();
                View { data: data.unwrap_or_default(), shape, contiguous: data.is_some() }
            }
        }

        impl<'a, T> From<&'a ArrayView<'_, T, Dim<[Ix; $rank]>>> for View<'a, T, $rank> {
            fn from(array: &'a ArrayView<'_, T, Dim<[Ix; $rank]>>) -> Self {
                View::from(array.view())
            }
        }

        impl<'a, T> From<&'a Array<T, Dim<[Ix; $rank]>>> for View<'a, T, $rank> {
            fn from(array: &'a Array<T, Dim<[Ix; $rank]>>) -> Self {
                View::from(array.view())
            }
        }

        impl<'a, T> From<ArrayViewMut<'a, T, Dim<[Ix; $rank]>>> for ViewMut<'a, T, $rank> {
            fn from(array: ArrayViewMut<'a, T, Dim<[Ix; $rank]>>) -> Self {
                let shape = array.raw_dim().into_pattern_array();
                let data = array.into_slice();
                let contiguous = data.is_some();
                ViewMut { data: data.unwrap_or_default(), shape, contiguous }
            }
        }

        impl<'a, T> From<&'a mut Array<T, Dim<[Ix; $rank]>>> for ViewMut<'a, T, $rank> {
            fn from(array: &'a mut Array<T, Dim<[Ix; $rank]>>) -> Self {
                ViewMut::from(array.view_mut())
            }
        }
    )*};
}

ranks!(1 2 3 4 5 6);

/// The sizes of a dimension as an array.
trait IntoPatternArray<const R: usize> {
    fn into_pattern_array(self) -> [usize; R];
}

impl<const R: usize> IntoPatternArray<R> for Dim<[Ix; R]>
where
    Dim<[Ix; R]>: ndarray::Dimension,
{
    fn into_pattern_array(self) -> [usize; R] {
        let mut shape = [0; R];
        shape.copy_from_slice(ndarray::Dimension::slice(&self));
        shape
    }
}
