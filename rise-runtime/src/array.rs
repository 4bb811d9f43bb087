//! The result of a kernel of rank 2 and more.

use crate::error::Error;
use crate::memory::product;
use crate::view::{View, ViewMut};
use std::ops::{Deref, DerefMut};

/// A row-major array of `R` dimensions. It derefs to the slice of its elements.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Array<T, const R: usize> {
    // Invariant: the product of `shape` is `data.len()`.
    data: Vec<T>,
    shape: [usize; R],
}

impl<T, const R: usize> Array<T, R> {
    /// The elements of `data` as an array of this shape; an error where their numbers differ.
    pub fn from_vec(data: Vec<T>, shape: [usize; R]) -> Result<Self, Error> {
        if product(&shape) == Some(data.len()) {
            Ok(Self { data, shape })
        } else {
            Err(Error::slice_shape("data", data.len(), &shape))
        }
    }

    /// An array of this shape with the same value everywhere.
    pub fn filled(shape: [usize; R], value: T) -> Result<Self, Error>
    where
        T: Clone,
    {
        let len = crate::memory::checked_len(&shape)?;
        let mut data = crate::memory::uninit_vec(len)?;
        data.resize(len, value);
        Ok(Self { data, shape })
    }

    /// The sizes of the dimensions, outermost first.
    pub fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// The elements, row by row.
    pub fn into_vec(self) -> Vec<T> {
        self.data
    }

    /// The array as an argument.
    pub fn view(&self) -> View<'_, T, R> {
        View::from(self)
    }

    /// The array as an output.
    pub fn view_mut(&mut self) -> ViewMut<'_, T, R> {
        ViewMut::from(self)
    }

    /// The element at `index`.
    ///
    /// # Panics
    /// Where an index is not less than its dimension.
    #[track_caller]
    pub fn at(&self, index: [usize; R]) -> T
    where
        T: Copy,
    {
        self.data[self.position(index)]
    }

    /// The element at `index`, to be written.
    ///
    /// # Panics
    /// Where an index is not less than its dimension.
    #[track_caller]
    pub fn at_mut(&mut self, index: [usize; R]) -> &mut T {
        let position = self.position(index);
        &mut self.data[position]
    }

    #[track_caller]
    fn position(&self, index: [usize; R]) -> usize {
        let mut position = 0;
        for (i, size) in index.into_iter().zip(self.shape) {
            assert!(i < size, "index {index:?} is outside of an array of shape {:?}", self.shape);
            position = position * size + i;
        }
        position
    }

    pub(crate) fn parts(&self) -> (&[T], [usize; R]) {
        (&self.data, self.shape)
    }

    pub(crate) fn parts_mut(&mut self) -> (&mut [T], [usize; R]) {
        (&mut self.data, self.shape)
    }
}

impl<T, const R: usize> Deref for Array<T, R> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.data
    }
}

impl<T, const R: usize> DerefMut for Array<T, R> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.data
    }
}

impl<'a, T, const R: usize> IntoIterator for &'a Array<T, R> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.data.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Array;

    #[test]
    fn elements_are_found_row_by_row() {
        let mut array = Array::from_vec((0..24).collect(), [2, 3, 4]).unwrap();
        assert_eq!(array.at([1, 2, 3]), 23);
        assert_eq!(array.at([1, 0, 2]), 14);
        *array.at_mut([0, 1, 0]) = 100;
        assert_eq!(array[4], 100);
        assert_eq!(array.shape(), [2, 3, 4]);
        assert_eq!(array.iter().len(), 24);
        assert_eq!(array.into_vec().len(), 24);
    }

    #[test]
    fn a_wrong_shape_is_an_error() {
        assert!(Array::from_vec(vec![1, 2, 3], [2, 2]).is_err());
        assert!(Array::from_vec(vec![0u8; 0], [usize::MAX, 0]).is_ok());
        assert!(Array::from_vec(vec![1], [usize::MAX, 2]).is_err());
        assert!(Array::filled([usize::MAX, 2], 1.0).is_err());
        assert_eq!(*Array::filled([2, 2], 1.0).unwrap(), [1.0; 4]);
    }

    #[test]
    #[should_panic(expected = "index [0, 3] is outside of an array of shape [2, 3]")]
    fn an_index_outside_panics() {
        let _ = Array::from_vec(vec![0; 6], [2, 3]).unwrap().at([0, 3]);
    }
}
