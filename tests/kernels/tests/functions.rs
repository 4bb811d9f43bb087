//! Elementary functions and conversions have the bits in C that they have in Rust, of scalars and of lanes, on every instruction set.

mod levels;

use levels::everywhere;
use rise_kernels::functions::*;

const NAMES: [&str; 8] = ["exp", "ln", "sin", "cos", "tan", "tanh", "pow", "whole part"];

/// Arguments: special ones in every pair, then random ones of every size and near where functions change.
macro_rules! arguments {
    ($($name:ident $ty:ident $bits:ident;)*) => {$(
        fn $name() -> (Vec<$ty>, Vec<$ty>) {
            let special = [
                0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 0.625, 0.624_999_9, 87.5, 88.8, 103.9, 709.7, 745.2, 1_048_575.9, 1_048_576.0, 1e7,
                1e22, 1e30, $ty::MIN_POSITIVE, $ty::MIN_POSITIVE / 8.0, $ty::from_bits(1), $ty::MAX, $ty::INFINITY, $ty::NAN,
                $ty::EPSILON, 1.0 - $ty::EPSILON, 1.0 + $ty::EPSILON,
            ];
            let special: Vec<$ty> = special.into_iter().flat_map(|x: $ty| [x, -x]).collect();
            let mut pairs: Vec<_> = special.iter().flat_map(|x| special.iter().map(|y| (*x, *y))).collect();
            let mut state = 11_u64;
            let mut bits = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state ^ state >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd)
            };
            for i in 0..20_000 {
                let mut part = || (bits() >> 11) as $ty / (1_u64 << 53) as $ty - 0.5;
                let (a, b) = (part(), part());
                pairs.push((a * 2.0, b * 20.0));
                pairs.push((a * 200.0, b * 3.0));
                pairs.push((a * 1600.0, b));
                pairs.push((1.0 + a / 16.0, b * 1e3));
                pairs.push((i as $ty * std::$ty::consts::FRAC_PI_4, (i % 41 - 20) as $ty));
                pairs.push((a * $ty::powi(2.0, i % 126), b * 10.0));
                pairs.push(($ty::from_bits(bits() as $bits), $ty::from_bits(bits() as $bits)));
            }
            // No multiple of the lanes.
            pairs.push((0.1, 0.2));
            pairs.into_iter().unzip()
        }
    )*};
}

arguments! {
    f32s f32 u32;
    f64s f64 u64;
}

macro_rules! check {
    ($x:ident $y:ident $rust:ident: $($c:ident)*) => {
        for (number, name) in NAMES.into_iter().enumerate() {
            let expected = $rust(number as i32, &$x, &$y).unwrap();
            $(
                let found = $c(number as i32, &$x, &$y).unwrap();
                for (at, (a, b)) in expected.iter().zip(&found).enumerate() {
                    let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                    assert!(same, "{name} of {:?} and {:?} is {b:?}, not {a:?}, by {}", $x[at], $y[at], stringify!($c));
                }
            )*
        }
    };
}

#[test]
fn functions_have_the_bits_of_rust() {
    let ((x, y), (z, w)) = (f32s(), f64s());
    everywhere(|| {
        check!(x y elementary_f32: elementary_f32_c elementary_f32_c16 elementary_f32_c4);
        check!(z w elementary_f64: elementary_f64_c elementary_f64_c16 elementary_f64_c2);
    });
}
