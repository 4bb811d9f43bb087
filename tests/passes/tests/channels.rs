//! Images of few channels and of many: what all positions share repeats along the channels, however few there are.

use rise::rise;
use rise_passes::levels::everywhere;

rise! {
    use "rise/nn.rise";

    pub fn windows<h: Nat, w: Nat, c: Nat>(filter: [[[f32; c]; 3]; 3], x: [[[f32; c]; w + 2]; h + 2]) -> [[[f32; c]; w]; h] {
        depthwise2D(1, 1, filter, x)
    }
    compile windows to c with auto as windows_c;
    compile windows to openmp with auto as windows_openmp;

    pub fn wide<h: Nat, w: Nat, c: Nat>(filter: [[[f64; c]; 5]; 5], x: [[[f64; c]; w + 4]; h + 4]) -> [[[f64; c]; w]; h] {
        depthwise2D(1, 1, filter, x)
    }
    compile wide to c with auto as wide_c;

    pub fn strided<h: Nat, w: Nat, c: Nat>(filter: [[[f32; c]; 3]; 3], x: [[[f32; c]; 2 * w + 1]; 2 * h + 1]) -> [[[f32; c]; w]; h]
        where h >= 1, w >= 1 { depthwise2D(2, 1, filter, x) }
    compile strided to c with auto as strided_c;

    pub fn dilated<h: Nat, w: Nat, c: Nat>(filter: [[[f32; c]; 3]; 3], x: [[[f32; c]; w + 4]; h + 4]) -> [[[f32; c]; w]; h] {
        depthwise2D(1, 2, filter, x)
    }
    compile dilated to c with auto as dilated_c;

    pub fn clamped<h: Nat, w: Nat, c: Nat>(filter: [[[f32; c]; 3]; 3], x: [[[f32; c]; w]; h]) -> [[[f32; c]; w]; h]
        where h >= 1, w >= 1 { depthwise2D(1, 1, filter, padClamp2D(1, 1, x)) }
    compile clamped to c with auto as clamped_c;

    pub fn zeros<h: Nat, w: Nat, c: Nat>(filter: [[[f32; c]; 3]; 3], x: [[[f32; c]; w]; h]) -> [[[f32; c]; w]; h] {
        let row = |row| row |> padCst(1, 1, generate(|l| 0.0));
        depthwise2D(1, 1, filter, x |> map(row) |> padCst(1, 1, generate(|j| generate(|l| 0.0))))
    }
    compile zeros to c with auto as zeros_c;

    pub fn repeated<n: Nat, c: Nat>(filter: [[f32; c]; 5], x: [[f32; c]; n]) -> [[f32; c]; n]
        where n >= 1 { depthwise1D(1, 1, filter, padClamp(3, 1, x)) }
    compile repeated to c with auto as repeated_c;

    pub fn halved<h: Nat, w: Nat, c: Nat>(filter: [[[f32; c]; 3]; 3], x: [[[f32; c]; 2 * w]; 2 * h]) -> [[[f32; c]; w]; h]
        where h >= 1, w >= 1 { depthwise2D(2, 1, filter, padClamp2D(1, 0, x)) }
    compile halved to c with auto as halved_c;

    pub fn rows_of_taps<h: Nat, w: Nat, c: Nat>(filter: [[f32; c]; 9], x: [[[f32; c]; w + 8]; h]) -> [[[f32; c]; w]; h] {
        map(|row| depthwise1D(1, 1, filter, row), x)
    }
    compile rows_of_taps to c with auto as rows_of_taps_c;

    pub fn smooth<h: Nat, w: Nat>(x: [[[f32; 3]; w]; h]) -> [[[f32; 3]; w]; h] where h >= 1, w >= 1 {
        padClamp2D(1, 1, x) |> slide2D(3, 1) |> map2D(|w| map(sum, transpose(join(w))))
    }
    compile smooth to c with auto as smooth_c;

    pub fn colours<h: Nat, w: Nat>(filter: [[[f32; 3]; 3]; 3], x: [[[f32; 3]; w + 2]; h + 2]) -> [[[f32; 3]; w]; h] {
        depthwise2D(1, 1, filter, x)
    }
    compile colours to c with auto as colours_c;

    pub fn layers<h: Nat, w: Nat>(filter: [[[f32; 4]; 3]; 3], x: [[[f32; 4]; w + 2]; h + 2]) -> [[[f32; 4]; w]; h] {
        depthwise2D(1, 1, filter, x)
    }
    compile layers to c with auto as layers_c;

    pub fn bright<n: Nat>(mean: [f32; 3], scale: f32, x: [[u8; 3]; n]) -> [[f32; 3]; n] {
        map(|pixel| zip(pixel, mean) |> map(|(x, mean)| (x as f32 - mean) * scale), x)
    }
    compile bright to c with auto as bright_c;

    pub fn along<n: Nat, c: Nat>(filter: [[f32; c]; 3], x: [[f32; c]; n + 2]) -> [[f32; c]; n] { depthwise1D(1, 1, filter, x) }
    compile along to c with auto as along_c;

    pub fn normal<n: Nat, c: Nat>(mean: [f32; c], scale: [f64; c], x: [[f32; c]; n]) -> [[f64; c]; n] {
        map(|row| zip(row, zip(mean, scale)) |> map(|(x, (mean, scale))| (x - mean) as f64 * scale), x)
    }
    compile normal to c with auto as normal_c;

    pub fn bytes<b: Nat, n: Nat, c: Nat>(shift: [u8; c], x: [[[u8; c]; n]; b]) -> [[[u8; c]; n]; b] {
        map2D(|row| zip(row, shift) |> map(|(x, shift)| x + shift), x)
    }
    compile bytes to c with auto as bytes_c;
}

const CHANNELS: [usize; 18] = [0, 1, 2, 3, 4, 5, 7, 8, 13, 15, 16, 17, 31, 32, 33, 47, 64, 70];

/// Heights on both sides of what goes side by side, and widths.
const PLACES: [[usize; 2]; 12] =
    [[1, 1], [1, 40], [2, 3], [3, 1], [6, 5], [4, 9], [5, 16], [7, 2], [8, 1], [9, 12], [13, 7], [16, 5]];

/// Small whole numbers, whose sums are exact.
fn numbers(len: usize, from: usize) -> Vec<f32> {
    (from..from + len).map(|i| ((7 * i + 3) % 17) as f32 - 8.0).collect()
}

/// Rows of so many pixels with borders on both sides, above and below: the last pixel again, or zeros.
fn padded([h, w, c]: [usize; 3], [before, after]: [usize; 2], last: bool, x: &[f32]) -> Vec<f32> {
    let row = w + before + after;
    let at = |k: usize| {
        let [i, j] = [k / (row * c), k / c % row];
        let [y, z] = [i.saturating_sub(before).min(h - 1), j.saturating_sub(before).min(w - 1)];
        let inside = [y + before, z + before] == [i, j];
        if last || inside { x[(y * w + z) * c + k % c] } else { 0.0 }
    };
    (0..(h + before + after) * row * c).map(at).collect()
}

/// A depthwise convolution of rows of so many pixels with a square filter.
fn convolved(
    [h, w, c]: [usize; 3],
    size: usize,
    steps: [usize; 2],
    filter: &[f32],
    x: &[f32],
    row: usize,
) -> Vec<f32> {
    let [stride, dilation] = steps;
    let at = |k: usize| {
        let [i, j, l] = [k / (w * c), k / c % w, k % c];
        let tap = |p: usize, q: usize| {
            let [i, j] = [i * stride + dilation * p, j * stride + dilation * q];
            filter[(p * size + q) * c + l] * x[(i * row + j) * c + l]
        };
        (0..size * size).map(|k| tap(k / size, k % size)).sum()
    };
    (0..h * w * c).map(at).collect()
}

/// Kernels of the same arguments give the same.
macro_rules! all_give {
    ($expected:expr, [$kernel:ident $(, $others:ident)*] $args:tt) => {
        assert_eq!($kernel $args.unwrap()[..], $expected[..], "{}", stringify!($kernel));
        $(all_give!($expected, [$others] $args);)*
    };
}

fn images(test: impl Fn([usize; 3])) {
    everywhere(|| {
        for c in CHANNELS {
            PLACES.iter().for_each(|[h, w]| test([*h, *w, c]));
        }
    });
}

#[test]
fn windows_beside_each_other() {
    images(|[h, w, c]| {
        let (x, filter) = (numbers((h + 2) * (w + 2) * c, 1), numbers(9 * c, 5));
        let expected = convolved([h, w, c], 3, [1, 1], &filter, &x, w + 2);
        all_give!(
            expected,
            [windows, windows_c, windows_openmp]((&filter, [3, 3, c]), (&x, [h + 2, w + 2, c]))
        );
    });
}

#[test]
fn windows_of_pixels_apart() {
    images(|[h, w, c]| {
        let (x, filter) = (numbers((h + 4) * (w + 4) * c, 1), numbers(9 * c, 5));
        let expected = convolved([h, w, c], 3, [1, 2], &filter, &x, w + 4);
        all_give!(expected, [dilated, dilated_c]((&filter, [3, 3, c]), (&x, [h + 4, w + 4, c])));
    });
}

#[test]
fn windows_of_rows_by_themselves() {
    images(|[h, w, c]| {
        let (x, filter) = (numbers(h * (w + 8) * c, 1), numbers(9 * c, 5));
        let tap = |k: usize, p: usize| filter[p * c + k % c] * x[k + (8 * (k / (w * c)) + p) * c];
        let expected: Vec<f32> = (0..h * w * c).map(|k| (0..9).map(|p| tap(k, p)).sum()).collect();
        all_give!(expected, [rows_of_taps, rows_of_taps_c]((&filter, [9, c]), (&x, [h, w + 8, c])));
    });
}

#[test]
fn every_second_window() {
    images(|[h, w, c]| {
        let (x, filter) = (numbers((2 * h + 1) * (2 * w + 1) * c, 1), numbers(9 * c, 5));
        let expected = convolved([h, w, c], 3, [2, 1], &filter, &x, 2 * w + 1);
        all_give!(expected, [strided, strided_c]((&filter, [3, 3, c]), (&x, [2 * h + 1, 2 * w + 1, c])));
    });
}

#[test]
fn windows_of_padded_images() {
    images(|[h, w, c]| {
        let (x, filter) = (numbers(h * w * c, 1), numbers(9 * c, 5));
        let around = |last: bool| {
            let x = padded([h, w, c], [1, 1], last, &x);
            convolved([h, w, c], 3, [1, 1], &filter, &x, w + 2)
        };
        all_give!(around(true), [clamped, clamped_c]((&filter, [3, 3, c]), (&x, [h, w, c])));
        all_give!(around(false), [zeros, zeros_c]((&filter, [3, 3, c]), (&x, [h, w, c])));
        let x = numbers(4 * h * w * c, 1);
        let above = padded([2 * h, 2 * w, c], [1, 0], true, &x);
        let expected = convolved([h, w, c], 3, [2, 1], &filter, &above, 2 * w + 1);
        all_give!(expected, [halved, halved_c]((&filter, [3, 3, c]), (&x, [2 * h, 2 * w, c])));
    });
}

#[test]
fn wide_windows_of_wide_numbers() {
    images(|[h, w, c]| {
        let (x, filter) = (numbers((h + 4) * (w + 4) * c, 2), numbers(25 * c, 3));
        let expected = doubles(&convolved([h, w, c], 5, [1, 1], &filter, &x, w + 4));
        let [x, filter] = [x, filter].map(|all| doubles(&all));
        all_give!(expected, [wide, wide_c]((&filter, [5, 5, c]), (&x, [h + 4, w + 4, c])));
    });
}

#[test]
fn windows_of_colours() {
    everywhere(|| {
        for [h, w] in PLACES {
            let image = |c: usize| {
                let (x, filter) = (numbers((h + 2) * (w + 2) * c, 1), numbers(9 * c, 5));
                let expected = convolved([h, w, c], 3, [1, 1], &filter, &x, w + 2);
                (x, filter, expected)
            };
            let (x, filter, expected) = image(3);
            all_give!(expected, [colours, colours_c]((&filter, [3, 3, 3]), (&x, [h + 2, w + 2, 3])));
            let (x, ones) = (numbers(h * w * 3, 1), [1.0; 27]);
            let around = padded([h, w, 3], [1, 1], true, &x);
            all_give!(
                convolved([h, w, 3], 3, [1, 1], &ones, &around, w + 2),
                [smooth, smooth_c]((&x, [h, w, 3]))
            );
            let (x, filter, expected) = image(4);
            all_give!(expected, [layers, layers_c]((&filter, [3, 3, 4]), (&x, [h + 2, w + 2, 4])));
        }
    });
}

#[test]
fn pixels_of_three_bytes() {
    everywhere(|| {
        for n in [0, 1, 2, 5, 6, 17, 40, 1365, 1366, 3000] {
            let x: Vec<u8> = (0..3 * n).map(|i| (i % 251) as u8).collect();
            let mean = numbers(3, 0);
            let expected: Vec<f32> = (0..3 * n).map(|k| (f32::from(x[k]) - mean[k % 3]) * 0.5).collect();
            all_give!(expected, [bright, bright_c](&mean, 0.5, (&x, [n, 3])));
        }
    });
}

fn doubles(all: &[f32]) -> Vec<f64> {
    all.iter().copied().map(f64::from).collect()
}

/// Short rows, and so many of them.
fn rows(test: impl Fn([usize; 2])) {
    everywhere(|| {
        for c in CHANNELS.into_iter().chain([255, 256, 300]) {
            [0, 1, 2, 5, 17, 40, 1500].iter().for_each(|n| test([*n, c]));
        }
    });
}

#[test]
fn windows_along_one_direction() {
    rows(|[n, c]| {
        let n = n.max(1);
        let (x, filter) = (numbers((n + 2) * c, 1), numbers(3 * c, 5));
        let tap = |k: usize, p: usize| filter[p * c + k % c] * x[k + p * c];
        let expected: Vec<f32> = (0..n * c).map(|k| (0..3).map(|p| tap(k, p)).sum()).collect();
        all_give!(expected, [along, along_c]((&filter, [3, c]), (&x, [n + 2, c])));
        let (x, filter) = (numbers(n * c, 1), numbers(5 * c, 5));
        let at = |k: usize, p: usize| (k / c + p).saturating_sub(3).min(n - 1) * c + k % c;
        let tap = |k: usize, p: usize| filter[p * c + k % c] * x[at(k, p)];
        let expected: Vec<f32> = (0..n * c).map(|k| (0..5).map(|p| tap(k, p)).sum()).collect();
        all_give!(expected, [repeated, repeated_c]((&filter, [5, c]), (&x, [n, c])));
    });
}

#[test]
fn operands_of_two_widths() {
    rows(|[n, c]| {
        let (x, mean, scale) = (numbers(n * c, 1), numbers(c, 5), doubles(&numbers(c, 2)));
        let normal_at = |k: usize| f64::from(x[k] - mean[k % c]) * scale[k % c];
        let expected: Vec<f64> = (0..n * c).map(normal_at).collect();
        all_give!(expected, [normal, normal_c](&mean, &scale, (&x, [n, c])));
    });
}

#[test]
fn vectors_of_many_lanes() {
    rows(|[n, c]| {
        let x: Vec<u8> = (0..2 * n * c).map(|i| (i % 101) as u8).collect();
        let shift: Vec<u8> = (0..c).map(|i| (i % 50) as u8).collect();
        let expected: Vec<u8> = (0..x.len()).map(|k| x[k] + shift[k % c]).collect();
        all_give!(expected, [bytes, bytes_c](&shift, (&x, [2, n, c])));
    });
}
