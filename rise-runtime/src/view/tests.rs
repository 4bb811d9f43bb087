//! Views from everything that converts into one, and their errors.

use super::{View, ViewMut};
use crate::{Array, Error};

/// As a generated function takes its arguments.
fn shape_of<'a, const R: usize>(view: impl Into<View<'a, f32, R>>) -> ([usize; R], Vec<f32>) {
    let view = view.into();
    view.check("x").unwrap();
    (view.shape(), view.data().to_vec())
}

fn vector<'a>(view: impl Into<View<'a, f32, 1>>) -> ([usize; 1], Vec<f32>) {
    shape_of::<1>(view)
}

fn matrix<'a>(view: impl Into<View<'a, f32, 2>>) -> ([usize; 2], Vec<f32>) {
    shape_of::<2>(view)
}

fn cube<'a>(view: impl Into<View<'a, f32, 3>>) -> ([usize; 3], Vec<f32>) {
    shape_of::<3>(view)
}

fn tesseract<'a>(view: impl Into<View<'a, f32, 4>>) -> ([usize; 4], Vec<f32>) {
    shape_of::<4>(view)
}

fn points<'a>(view: impl Into<View<'a, [f32; 4], 1>>) -> [usize; 1] {
    view.into().shape()
}

fn fill<'a, const R: usize>(view: impl Into<ViewMut<'a, f32, R>>) -> [usize; R] {
    let mut view: ViewMut<'_, f32, R> = view.into();
    view.check("out").unwrap();
    view.reborrow().data().fill(7.0);
    view.shape()
}

#[test]
fn rank_1() {
    let vec = vec![1.0, 2.0, 3.0];
    let expected = ([3], vec.clone());
    assert_eq!(vector(&vec), expected);
    assert_eq!(vector(&vec[..]), expected);
    assert_eq!(vector(&[1.0, 2.0, 3.0]), expected);
    assert_eq!(vector((&vec, [3])), expected);
    assert_eq!(vector((&vec[..], [3])), expected);
    assert_eq!(vector(View::new(&vec, [3])), expected);
    assert_eq!(vector(&Array::from_vec(vec.clone(), [3]).unwrap()), expected);
    assert_eq!(vector(&[]), ([0], vec![]));
}

#[test]
fn rank_2() {
    let flat = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let nested = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let expected = ([2, 3], flat.clone());
    assert_eq!(matrix(&nested), expected);
    assert_eq!(matrix(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), expected);
    assert_eq!(matrix(&nested[..]), expected);
    assert_eq!(matrix(&nested.to_vec()), expected);
    assert_eq!(matrix((&flat, [2, 3])), expected);
    assert_eq!(matrix((&flat[..], [2, 3])), expected);
    assert_eq!(matrix((&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])), expected);
    assert_eq!(matrix(&Array::from_vec(flat.clone(), [2, 3]).unwrap()), expected);
    assert_eq!(matrix(Array::from_vec(flat, [2, 3]).unwrap().view()), expected);
    assert_eq!(matrix(&[[0.0; 0]; 4]), ([4, 0], vec![]));
}

#[test]
fn ranks_3_and_4() {
    let cube_ = [[[1.0, 2.0]; 3]; 5];
    assert_eq!(cube(&cube_).0, [5, 3, 2]);
    assert_eq!(cube(&cube_[..]).0, [5, 3, 2]);
    assert_eq!(cube(&cube_.to_vec()).1, [1.0, 2.0].repeat(15));
    let tesseract_ = [[[[1.0f32, 2.0]; 3]; 5]; 7];
    assert_eq!(tesseract(&tesseract_).0, [7, 5, 3, 2]);
    assert_eq!(tesseract(&tesseract_[..]).0, [7, 5, 3, 2]);
    assert_eq!(tesseract(&tesseract_.to_vec()).1.len(), 210);
}

#[test]
fn elements_may_be_arrays() {
    assert_eq!(points(&[[1.0; 4]; 5]), [5]);
    assert_eq!(points(&vec![[1.0; 4]; 6]), [6]);
    assert_eq!(matrix(&[[1.0; 4]; 5]).0, [5, 4]);
    let nested = [[[1.0f32; 4]; 2]; 3];
    assert_eq!(View::<[f32; 4], 2>::from(&nested).shape(), [3, 2]);
}

#[test]
fn outputs() {
    let mut vec = vec![0.0; 6];
    assert_eq!(fill::<1>(&mut vec), [6]);
    assert_eq!(fill::<1>(&mut vec[..4]), [4]);
    assert_eq!(fill::<2>((&mut vec, [2, 3])), [2, 3]);
    assert_eq!(fill::<2>((&mut vec[..], [3, 2])), [3, 2]);
    assert_eq!(vec, [7.0; 6]);
    assert_eq!(fill::<1>(&mut [0.0; 3]), [3]);
    let mut nested = [[0.0; 3]; 2];
    assert_eq!(fill::<2>(&mut nested), [2, 3]);
    assert_eq!(nested, [[7.0; 3]; 2]);
    assert_eq!(fill::<2>(&mut nested[..1]), [1, 3]);
    assert_eq!(fill::<2>(&mut nested.to_vec()), [2, 3]);
    assert_eq!(fill::<3>(&mut [[[0.0; 3]; 2]; 4]), [4, 2, 3]);
    assert_eq!(fill::<4>(&mut [[[[0.0; 3]; 2]; 4]; 1]), [1, 4, 2, 3]);
    let mut array = Array::filled([2, 2], 0.0).unwrap();
    assert_eq!(fill::<2>(&mut array), [2, 2]);
    assert_eq!(fill::<2>(array.view_mut()), [2, 2]);
    assert_eq!(*array, [7.0; 4]);
}

#[test]
fn a_slice_and_a_shape_that_disagree_are_an_error_of_the_call() {
    let mut vec = vec![1.0f32; 6];
    let error = Error::SliceShape { parameter: "mat", len: 6, shape: vec![2, 2] };
    assert_eq!(View::from((&vec, [2, 2])).check("mat"), Err(error.clone()));
    assert_eq!(ViewMut::from((&mut vec, [2, 2])).check("mat"), Err(error));
    assert!(View::from((&vec, [usize::MAX, 2])).check("mat").is_err());
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_ndarray() {
    let mut array = ndarray::Array2::from_shape_vec((2, 3), vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    assert_eq!(matrix(&array), ([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(matrix(array.view()).0, [2, 3]);
    assert_eq!(vector(array.row(1)), ([3], vec![4.0, 5.0, 6.0]));
    let transposed: View<'_, f32, 2> = array.t().into();
    assert_eq!(transposed.check("mat"), Err(Error::Layout { parameter: "mat" }));
    assert_eq!(fill::<2>(&mut array), [2, 3]);
    assert_eq!(fill::<2>(array.view_mut()), [2, 3]);
    assert_eq!(array[[1, 2]], 7.0);
    assert!(ViewMut::<f32, 1>::from(array.column_mut(0)).check("out").is_err());
}

#[cfg(feature = "image")]
#[test]
fn buffers_of_image() {
    use image::{GrayImage, ImageBuffer, Rgb, RgbImage, Rgba, RgbaImage};
    let mut gray = GrayImage::new(4, 3);
    assert_eq!(View::from(&gray).shape(), [3, 4]);
    ViewMut::from(&mut gray).data().fill(9);
    assert_eq!(gray.get_pixel(3, 2).0, [9]);
    let mut rgb = RgbImage::new(4, 3);
    rgb.put_pixel(1, 0, Rgb([1, 2, 3]));
    let view: View<'_, u8, 3> = (&rgb).into();
    assert_eq!((view.shape(), &view.data()[3..6]), ([3, 4, 3], &[1, 2, 3][..]));
    assert_eq!(View::<u8, 3>::from(&RgbaImage::new(2, 5)).shape(), [5, 2, 4]);
    let float = ImageBuffer::<Rgba<f32>, Vec<f32>>::new(2, 5);
    assert_eq!(cube(&float).0, [5, 2, 4]);
    let roomy = ImageBuffer::<image::Luma<u8>, _>::from_raw(2, 2, vec![0u8; 9]).unwrap();
    assert_eq!(View::from(&roomy).check("image"), Ok(()));
}
