//! Elementary functions and conversions have the bits in C that they have in Rust, of scalars and of lanes, on every
//! instruction set, and so has what is made of them step by step.

mod levels;

use levels::everywhere;
use rise::rise;
use rise_kernels::functions::*;

rise! {
    /// What is left of all exponentials so far.
    pub fn fading<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|v| exp(v)) |> scan(|sum, v| (sum + v) * 0.5, 0.0) }
    compile fading to rust with auto;
    compile fading to c with auto as fading_c;

    /// A logarithm is used twice, once by a condition.
    pub fn likely<n: Nat>(x: [f64; n], y: [f32; n]) -> f64 {
        zip(x, y) |> reduceSeq(|sum, (v, w)| {
            let l = ln(v);
            if sum > 100.0 { l - (w as f64) } else { (sum + l) * 0.5 + tanh(w as f64) }
        }, 0.0)
    }
    compile likely to rust with auto;
    compile likely to c with lower as likely_c;

    /// Steps of a known number.
    pub fn nineteen<n: Nat>(x: [[f32; 19]; n]) -> [f32; n] {
        x |> map(|row| row |> reduceSeq(|sum, v| max(sum * 0.5, exp(v) - 1.0), 0.0))
    }
    compile nineteen to rust with lower;
    compile nineteen to c with lower as nineteen_c;
}

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

/// Whether `found` is `expected`, to the bit.
fn holds<T: PartialEq + std::fmt::Debug>(size: usize, found: T, expected: &T) {
    assert_eq!(&found, expected, "of {size}");
}

#[test]
fn steps_take_the_same_functions_as_everyone() {
    let numbers = |n: usize| (0..n).map(|i| ((i * 37 + 11) % 101) as f32 / 50.0 - 0.7).collect::<Vec<f32>>();
    everywhere(|| {
        for n in (0..70).chain([1000]) {
            let x = numbers(19 * n);
            let short = &x[..n];
            let exponentials = elementary_f32(0, &x, &x).unwrap();
            let mut sum = 0.0;
            let fading_expected: Vec<f32> = exponentials[..n]
                .iter()
                .map(|v| {
                    sum = (sum + v) * 0.5;
                    sum
                })
                .collect();
            holds(n, fading(short).unwrap(), &fading_expected);
            holds(n, fading_c(short).unwrap(), &fading_expected);

            let positive: Vec<f64> = short.iter().map(|v| f64::from(v.abs()) + 0.01).collect();
            let wide: Vec<f64> = short.iter().copied().map(f64::from).collect();
            let [logs, tangents] =
                [(1, &positive), (5, &wide)].map(|(which, x)| elementary_f64(which, x, x).unwrap());
            let step = |sum: f64, i: usize| match sum > 100.0 {
                true => logs[i] - wide[i],
                false => (sum + logs[i]) * 0.5 + tangents[i],
            };
            let likely_expected = (0..n).fold(0.0, step);
            holds(n, likely(&positive, short).unwrap(), &likely_expected);
            holds(n, likely_c(&positive, short).unwrap(), &likely_expected);

            let rows = rise::View::new(&x[..], [n, 19]);
            let row = |row: &[f32]| row.iter().fold(0.0_f32, |sum, v| (sum * 0.5).max(v - 1.0));
            let nineteen_expected: Vec<f32> = exponentials.chunks(19).map(row).collect();
            holds(n, nineteen(rows).unwrap(), &nineteen_expected);
            holds(n, nineteen_c(rows).unwrap(), &nineteen_expected);
        }
    });
}

rise! {
    fn ones(v: u32) -> u32 {
        let a = v - (shr(v, 1) & 0x55555555);
        let b = (a & 0x33333333) + (shr(a, 2) & 0x33333333);
        shr((b + shr(b, 4) & 0x0f0f0f0f) * 0x01010101, 24)
    }

    /// Bits are counted as the message for `count_ones` says, and bytes added as that for `saturating_add` does.
    pub fn bits<n: Nat>(x: [u32; n]) -> [u32; n] { map(ones, x) }
    compile bits to rust with auto;
    pub fn saturated<n: Nat>(x: [u8; n], y: [u8; n]) -> [u8; n] {
        zip(x, y) |> map(|(x, y)| min((x as i32) + (y as i32), 255) as u8)
    }
    compile saturated to rust with auto;
}

#[test]
fn what_messages_say_to_write_gives_the_same() {
    let x: Vec<u32> =
        (0..1000_u32).map(|i| i.wrapping_mul(0x9e37_79b9) ^ (i << 7)).chain([0, u32::MAX]).collect();
    let bytes = |by: usize| (0..=255_u8).cycle().step_by(by).take(1000).collect::<Vec<u8>>();
    let (a, b) = (bytes(1), bytes(37));
    let sums: Vec<u8> = a.iter().zip(&b).map(|(a, b)| a.saturating_add(*b)).collect();
    everywhere(|| {
        assert_eq!(bits(&x).unwrap(), x.iter().map(|v| v.count_ones()).collect::<Vec<_>>());
        assert_eq!(saturated(&a, &b).unwrap(), sums);
    });
}
