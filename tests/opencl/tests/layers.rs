//! The nine 3×3 convolutions of VGG-16 (P4), against sums in `f64` at some places. Their images are a quarter as wide
//! and high, unless `RISE_LARGE` is set.

use rise_opencl_tests::kernels::layer;
use rise_opencl_tests::{device, inputs};

/// Width, channels, filters.
const LAYERS: [[usize; 3]; 9] = [
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

#[test]
fn the_layers_run() {
    if device().is_none() {
        return;
    }
    let part = if std::env::var_os("RISE_LARGE").is_some() { 1 } else { 4 };
    for [size, c, f] in LAYERS {
        let size = size.div_ceil(part);
        let around = size + 2;
        let (input, weights) = (inputs(around * around * c, 0), inputs(9 * c * f, 5));
        let found = layer((&input, [around, around, c]), (&weights, [3, 3, c, f])).unwrap();
        for at in (0..size * size * f).step_by(997) {
            let (i, j, filter) = (at / f / size, at / f % size, at % f);
            let mut sum = 0.0;
            for (y, x, channel) in (0..3).flat_map(|y| (0..3 * c).map(move |xc| (y, xc / c, xc % c))) {
                let pixel = input[((i + y) * around + j + x) * c + channel];
                sum += f64::from(pixel) * f64::from(weights[((y * 3 + x) * c + channel) * f + filter]);
            }
            assert_eq!(f64::from(found[at]), sum, "{size} {c} {f} at {i} {j} {filter}");
        }
    }
}
