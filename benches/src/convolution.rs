//! Convolutions as products by hand: the windows are copied side by side, some rows of the image at a time so that
//! they stay in the cache, and multiplied by the filter with a library.

use rayon::prelude::*;

use crate::peers::Product;

/// Floats of windows that are copied before they are multiplied: a megabyte.
const COLUMNS: usize = 1 << 18;

/// What is folded. A window has three columns.
#[derive(Clone, Copy, Debug)]
pub struct Windows {
    /// Rows and columns of the result.
    pub out: [usize; 2],
    /// Those read and those written.
    pub channels: [usize; 2],
    /// From one window to the next.
    pub stride: usize,
    /// From one element of a window to the next.
    pub dilation: usize,
    /// Rows of a window.
    pub rows: usize,
}

impl Windows {
    /// Rows and columns of the image.
    pub fn image(&self) -> [usize; 2] {
        let [h, w] = self.out;
        let reach = |count: usize| self.dilation * (count - 1) + 1;
        [self.stride * (h - 1) + reach(self.rows), self.stride * (w - 1) + reach(3)]
    }

    /// Elements of a window.
    pub fn window(&self) -> usize {
        self.rows * 3 * self.channels[0]
    }

    /// Multiplications and additions.
    pub fn operations(&self) -> f64 {
        2.0 * (self.out[0] * self.out[1] * self.window() * self.channels[1]) as f64
    }

    /// The window of a pixel.
    fn copy(&self, image: &[f32], pixel: usize, to: &mut [f32]) {
        let ([_, w], [_, width]) = (self.out, self.image());
        let (row, column) = (pixel / w * self.stride, pixel % w * self.stride);
        let i = self.channels[0];
        let start = |r: usize, c: usize| ((row + r * self.dilation) * width + column + c * self.dilation) * i;
        if self.dilation == 1 {
            for (r, to) in to.chunks_exact_mut(3 * i).enumerate() {
                to.copy_from_slice(&image[start(r, 0)..][..3 * i]);
            }
        } else {
            for (at, to) in to.chunks_exact_mut(i).enumerate() {
                to.copy_from_slice(&image[start(at / 3, at % 3)..][..i]);
            }
        }
    }
}

/// By this library; `columns` is memory for windows, made longer where it is too short.
pub fn by_product(
    windows: Windows,
    product: Product<f32>,
    [filter, image]: [&[f32]; 2],
    columns: &mut Vec<f32>,
    out: &mut [f32],
    single: bool,
) {
    let (window, [_, channels]) = (windows.window(), windows.channels);
    let row = windows.out[1];
    let block = (COLUMNS / (row * window)).max(1) * row;
    columns.resize(columns.len().max(block * window), 0.0);
    for (number, out) in out.chunks_mut(block * channels).enumerate() {
        let pixels = out.len() / channels;
        let columns = &mut columns[..pixels * window];
        let copy = |(pixel, to): (usize, &mut [f32])| windows.copy(image, number * block + pixel, to);
        if single {
            columns.chunks_exact_mut(window).enumerate().for_each(copy);
        } else {
            columns.par_chunks_exact_mut(window).enumerate().for_each(copy);
        }
        product(columns, filter, [pixels, window, channels], out, single);
    }
}
