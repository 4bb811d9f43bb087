//! `image`: one channel is an array `[height, width]`, several are `[height, width, channels]`.

use crate::memory::product;
use crate::view::{View, ViewMut};
use image::{ImageBuffer, Luma, LumaA, Pixel, Primitive, Rgb, Rgba};

macro_rules! channels {
    ($($pixel:ident $rank:literal |$image:ident| $shape:expr;)*) => {$(
        impl<'a, T: Primitive> From<&'a ImageBuffer<$pixel<T>, Vec<T>>> for View<'a, T, $rank>
        where
            $pixel<T>: Pixel<Subpixel = T>,
        {
            fn from($image: &'a ImageBuffer<$pixel<T>, Vec<T>>) -> Self {
                let shape = $shape;
                let samples = $image.as_raw().as_slice();
                // An image may own more samples than it shows.
                View::new(&samples[..used(samples.len(), &shape)], shape)
            }
        }

        impl<'a, T: Primitive> From<&'a mut ImageBuffer<$pixel<T>, Vec<T>>> for ViewMut<'a, T, $rank>
        where
            $pixel<T>: Pixel<Subpixel = T>,
        {
            fn from($image: &'a mut ImageBuffer<$pixel<T>, Vec<T>>) -> Self {
                let shape = $shape;
                let samples = $image.as_flat_samples_mut().samples;
                let len = used(samples.len(), &shape);
                ViewMut::new(&mut samples[..len], shape)
            }
        }
    )*};
}

channels! {
    Luma 2 |it| [it.height() as usize, it.width() as usize];
    LumaA 3 |it| [it.height() as usize, it.width() as usize, 2];
    Rgb 3 |it| [it.height() as usize, it.width() as usize, 3];
    Rgba 3 |it| [it.height() as usize, it.width() as usize, 4];
}

fn used(len: usize, shape: &[usize]) -> usize {
    product(shape).map_or(len, |used| used.min(len))
}
