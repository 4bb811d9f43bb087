//! Windows that slide over images, grids and layers: beside copies of as many bytes, hand-written loops, and products
//! of the copied windows.

use std::hint::black_box;

use rayon::prelude::*;
use rise::rise;
use rise_bench::convolution::Windows;
use rise_bench::timing::Contender;
use rise_bench::{by_hand, ceilings, convolution, peers};

use super::{numbers, report};

rise! {
    use "rise/nn.rise";

    fn taps(w: [f32; 5]) -> f32 {
        (w[0] + 4.0 * w[1] + 6.0 * w[2] + 4.0 * w[3] + w[4]) / 16.0
    }

    /// 5×5 binomial filter with clamped borders, separated.
    pub fn blur<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] {
        image
          |> map(|row| row |> padClamp(2, 2) |> slide(5, 1) |> map(taps))
          |> padClamp(2, 2) |> slide(5, 1)
          |> map(|rows| transpose(rows) |> map(taps))
    }

    /// Magnitude of the Sobel gradient with clamped borders.
    pub fn sobel<h: Nat, w: Nat>(image: [[f32; w]; h]) -> [[f32; w]; h] {
        image |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|w| {
            let x = (w[0][2] - w[0][0]) + 2.0 * (w[1][2] - w[1][0]) + (w[2][2] - w[2][0]);
            let y = (w[2][0] - w[0][0]) + 2.0 * (w[2][1] - w[0][1]) + (w[2][2] - w[0][2]);
            sqrt(x * x + y * y)
        })
    }

    /// Five points of a plane, clamped at the borders.
    pub fn jacobi<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] where h >= 1, w >= 1 {
        a |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|n|
            (n[0][1] * 5.0 + n[1][0] * 12.0 + n[1][1] * 15.0 + n[1][2] * 12.0 + n[2][1] * 5.0) * 0.0085)
    }

    /// Seven points of a solid, inside.
    pub fn heat<o: Nat, n: Nat, m: Nat>(a: [[[f32; m + 2]; n + 2]; o + 2]) -> [[[f32; m]; n]; o] {
        a |> slide3D(3, 1) |> map3D(|w|
            w[1][1][1]
              + 0.125 * (w[1][0][1] - 2.0 * w[1][1][1] + w[1][2][1])
              + 0.125 * (w[1][1][0] - 2.0 * w[1][1][1] + w[1][1][2])
              + 0.125 * (w[0][1][1] - 2.0 * w[1][1][1] + w[2][1][1]))
    }

    /// A layer of 3 by 3 pixels.
    pub fn layer3x3<h: Nat, w: Nat, i: Nat, o: Nat>(
        filter: [[[[f32; o]; i]; 3]; 3], x: [[[f32; i]; w + 2]; h + 2]
    ) -> [[[f32; o]; w]; h] { conv2D(1, 1, filter, x) }

    /// Every second window.
    pub fn strided<h: Nat, w: Nat, i: Nat, o: Nat>(
        filter: [[[[f32; o]; i]; 3]; 3], x: [[[f32; i]; 2 * w + 3]; 2 * h + 3]
    ) -> [[[f32; o]; w + 1]; h + 1] { conv2D(2, 1, filter, x) }

    /// Every second pixel of a window.
    pub fn dilated<h: Nat, w: Nat, i: Nat, o: Nat>(
        filter: [[[[f32; o]; i]; 3]; 3], x: [[[f32; i]; w + 4]; h + 4]
    ) -> [[[f32; o]; w]; h] { conv2D(1, 2, filter, x) }

    /// Along one direction.
    pub fn along<w: Nat, i: Nat, o: Nat>(filter: [[[f32; o]; i]; 3], x: [[f32; i]; w + 2]) -> [[f32; o]; w] {
        conv1D(1, 1, filter, x)
    }

    /// Each channel by itself.
    pub fn depthwise<h: Nat, w: Nat, c: Nat>(
        filter: [[[f32; c]; 3]; 3], x: [[[f32; c]; w + 2]; h + 2]
    ) -> [[[f32; c]; w]; h] { depthwise2D(1, 1, filter, x) }
}

/// All rows whose name is wanted.
pub fn run(wanted: &dyn Fn(&str) -> bool, single: bool) {
    if wanted("image") {
        for shape in [[400, 600], [401, 601], [1536, 2560], [1537, 2561]] {
            images(shape, single);
        }
    }
    if wanted("stencil") {
        for n in [512, 2048, 4096, 4097] {
            plane(n, single);
        }
        for n in [64, 256, 257] {
            solid(n, single);
        }
    }
    if wanted("depthwise") {
        for shape in [[112, 112, 32], [113, 113, 33], [28, 28, 32], [112, 112, 8], [113, 113, 3]] {
            channels(shape, single);
        }
    }
    if wanted("layer") {
        for [size, i, o] in LAYERS {
            layer(
                "layer",
                Windows { out: [size, size], channels: [i, o], stride: 1, dilation: 1, rows: 3 },
                single,
            );
        }
        let usual = Windows { out: [56, 56], channels: [64, 64], stride: 1, dilation: 1, rows: 3 };
        layer("strided layer", Windows { out: [28, 28], stride: 2, ..usual }, single);
        layer("dilated layer", Windows { dilation: 2, ..usual }, single);
        layer("layer along", Windows { out: [1, 4096], rows: 1, ..usual }, single);
    }
}

/// Size of a side, channels read and channels written: those of VGG-16 after a layer of the usual size.
const LAYERS: [[usize; 3]; 10] = [
    [56, 64, 64],
    [224, 3, 64],
    [224, 64, 64],
    [112, 64, 128],
    [112, 128, 128],
    [56, 128, 256],
    [56, 256, 256],
    [28, 256, 512],
    [28, 512, 512],
    [14, 512, 512],
];

/// A copy of as many floats, on as many threads.
fn copy<'a>(from: &'a [f32], to: &'a mut [f32], single: bool) -> Contender<'a> {
    let part = if single { from.len() } else { from.len().div_ceil(rayon::current_num_threads()) }.max(1);
    Contender::new("copy", move || {
        to.par_chunks_mut(part)
            .zip(from.par_chunks(part))
            .for_each(|(to, from)| to.copy_from_slice(black_box(from)));
    })
}

/// Beside the best form by hand, and a copy.
fn images([h, w]: [usize; 2], single: bool) {
    type Form = by_hand::Form<&'static [f32]>;
    type Kernel = fn(&mut [f32], &[f32], [usize; 2]);
    let image: &'static [f32] = numbers(h * w).leak();
    let (mut ours, mut theirs, mut to) = (vec![0.0; h * w], vec![0.0; h * w], vec![0.0; h * w]);
    let kernels: [(&str, Kernel, Vec<Form>); 2] = [
        ("blur", |out, x, s| blur_into((out, s), (x, s)).expect("the shapes agree"), by_hand::blur()),
        ("sobel", |out, x, s| sobel_into((out, s), (x, s)).expect("the shapes agree"), by_hand::sobel()),
    ];
    for (name, kernel, forms) in kernels {
        let mut rows =
            vec![Contender::new("rise", || kernel(&mut ours, image, [h, w])), copy(image, &mut to, single)];
        // The others are slower on every such processor.
        if let (true, Some((_, form))) = (single, forms.last()) {
            rows.push(Contender::new("by hand", || form(image, [h, w], &mut theirs)));
        }
        report(&format!("image {name}"), &format!("{h}x{w}"), single, 8.0 * (h * w) as f64, "GB/s", rows);
    }
}

fn plane(n: usize, single: bool) {
    let (a, shape) = (numbers(n * n), [n, n]);
    let (mut out, mut to) = (vec![0.0; n * n], vec![0.0; n * n]);
    let rows = vec![
        Contender::new("rise", || jacobi_into((&mut out, shape), (&a, shape)).expect("the shapes agree")),
        copy(&a, &mut to, single),
    ];
    report("stencil, 5 points", &format!("{n}x{n}"), single, 8.0 * (n * n) as f64, "GB/s", rows);
}

fn solid(n: usize, single: bool) {
    let (a, shape, inner) = (numbers(n * n * n), [n; 3], [n - 2; 3]);
    let len = (n - 2) * (n - 2) * (n - 2);
    let (mut out, mut to) = (vec![0.0; len], vec![0.0; len]);
    let rows = vec![
        Contender::new("rise", || heat_into((&mut out, inner), (&a, shape)).expect("the shapes agree")),
        copy(&a[..len], &mut to, single),
    ];
    report("stencil, 7 points", &format!("{n}^3"), single, 8.0 * len as f64, "GB/s", rows);
}

fn channels([h, w, c]: [usize; 3], single: bool) {
    let (filter, x) = (numbers(9 * c), numbers((h + 2) * (w + 2) * c));
    let (mut out, mut to) = (vec![0.0; h * w * c], vec![0.0; h * w * c]);
    let rows = vec![
        Contender::new("rise", || {
            depthwise_into((&mut out, [h, w, c]), (&filter, [3, 3, c]), (&x, [h + 2, w + 2, c]))
                .expect("the shapes agree");
        }),
        copy(&x[..h * w * c], &mut to, single),
    ];
    report("depthwise 3x3", &format!("{h}x{w}x{c}"), single, 8.0 * (h * w * c) as f64, "GB/s", rows);
}

/// Beside the product of copied windows by the filter, and as many operations in registers.
fn layer(name: &str, windows: Windows, single: bool) {
    let ([i, o], [h, w], [rows, columns]) = (windows.channels, windows.out, windows.image());
    let (filter, x) = (numbers(windows.window() * o), numbers(rows * columns * i));
    let (mut ours, mut theirs, mut copies) = (vec![0.0; h * w * o], vec![0.0; h * w * o], Vec::new());
    let (shape, out) = ([windows.rows, 3, i, o], [h, w, o]);
    let products = peers::products::<f32>();
    let library = products.iter().find(|(name, _)| *name == "OpenBLAS").or(products.first());
    let mut contenders = vec![Contender::new("rise", || {
        let (filter, x, ours) = ((&filter, shape), (&x, [rows, columns, i]), (&mut ours, out));
        match windows {
            Windows { rows: 1, .. } => {
                along_into((ours.0, [w, o]), (filter.0, [3, i, o]), (x.0, [columns, i]))
            }
            Windows { stride: 2, .. } => strided_into(ours, filter, x),
            Windows { dilation: 2, .. } => dilated_into(ours, filter, x),
            _ => layer3x3_into(ours, filter, x),
        }
        .expect("the shapes agree");
    })];
    if single {
        let operations = windows.operations();
        contenders.push(Contender::new(ceilings::IN_REGISTERS, move || {
            black_box(ceilings::multiply_adds(operations));
        }));
    }
    if let Some((library, product)) = library {
        let name = if *library == "OpenBLAS" { "windows copied, OpenBLAS" } else { "windows copied, gemm" };
        contenders.push(Contender::new(name, || {
            convolution::by_product(windows, *product, [&filter, &x], &mut copies, &mut theirs, single);
        }));
    }
    report(name, &format!("{h}x{w}x{i}->{o}"), single, windows.operations(), "GFLOP/s", contenders);
    if !theirs.is_empty() && library.is_some() {
        let close = ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() <= 1e-3 * (1.0 + b.abs()));
        assert!(close, "both compute the same");
    }
}
