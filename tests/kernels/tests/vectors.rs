//! Every operation and conversion on vectors of every type, with lanes in C and in Rust, beside scalars.

mod levels;

use levels::everywhere;
use rise_kernels::vectors::*;

/// What can be compared bit by bit; all that is no number is the same.
trait Bits: std::fmt::Debug {
    fn bits(&self) -> u64;
}

macro_rules! bits {
    ($($ty:ident $value:ident $bits:expr;)*) => {$(
        impl Bits for $ty {
            fn bits(&self) -> u64 {
                let $value = *self;
                $bits
            }
        }
    )*};
}

bits! {
    bool x u64::from(x);
    i8 x x as u64;
    i16 x x as u64;
    i32 x x as u64;
    i64 x x as u64;
    u8 x x as u64;
    u16 x x as u64;
    u32 x x as u64;
    u64 x x;
    f32 x if x.is_nan() { u64::MAX } else { u64::from(x.to_bits()) };
    f64 x if x.is_nan() { u64::MAX } else { x.to_bits() };
}

fn compare<T: Bits>(name: &str, expected: &[T], found: &[T]) {
    assert_eq!(expected.len(), found.len(), "{name}");
    for (at, (a, b)) in expected.iter().zip(found).enumerate() {
        assert_eq!(a.bits(), b.bits(), "{name}: element {at} is {b:?}, not {a:?}");
    }
}

/// Integers of all sizes, with the least and the greatest.
macro_rules! integers {
    ($($ty:ident $name:ident;)*) => {$(
        fn $name(n: usize, from: usize) -> Vec<$ty> {
            let special = [0, 1, $ty::MIN, $ty::MAX, 0_u8.wrapping_sub(1) as $ty, 7, 3];
            (from..from + n).map(|i| match i % 3 {
                0 => special[(i / 3) % 7],
                _ => (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) as $ty,
            }).collect()
        }
    )*};
}

integers! { i8 i8s; u8 u8s; i16 i16s; u16 u16s; i32 i32s; u32 u32s; i64 i64s; u64 u64s; }

/// Floats of all sizes, with those that are none.
macro_rules! floats {
    ($($ty:ident $name:ident;)*) => {$(
        fn $name(n: usize, from: usize) -> Vec<$ty> {
            let special = [
                0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.499_999_97, 127.9, 128.0, -128.9, 255.5, 256.0, 32_767.5, 65_536.0,
                2_147_483_647.0, -2_147_483_649.0, 4_294_967_296.0, 9.3e18, -9.3e18, 1.9e19, 3.0e38, -1.0e-40,
                $ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN, 8_388_609.0, 4_503_599_627_370_497.0,
            ];
            (from..from + n).map(|i| match i % 2 {
                0 => special[(i / 2) % special.len()],
                _ => ((i * 7919) % 1000) as $ty * 0.37 - 150.0,
            }).collect()
        }
    )*};
}

floats! { f32 f32s; f64 f64s; }

macro_rules! same {
    ($name:ident($($arg:expr),*) as $c:ident) => {
        compare(stringify!($c), &$name($($arg),*).unwrap(), &$c($($arg),*).unwrap())
    };
    ($name:ident($($arg:expr),*) as $c:ident, $c4:ident, $lanes:ident) => {{
        let expected = $name($($arg),*).unwrap();
        compare(concat!(stringify!($c), " (C, 16 lanes)"), &expected, &$c($($arg),*).unwrap());
        compare(concat!(stringify!($c4), " (C, 4 lanes)"), &expected, &$c4($($arg),*).unwrap());
        compare(concat!(stringify!($lanes), " (Rust, 16 lanes)"), &expected, &$lanes($($arg),*).unwrap());
    }};
}

#[test]
fn lanes_agree_with_scalars_on_every_instruction_set() {
    everywhere(|| {
        for n in [0, 3, 16, 203] {
            integers(n);
            floats(n);
            others(n);
        }
    });
}

fn integers(n: usize) {
    {
        let (x, y) = (i8s(n, 0), i8s(n, 5));
        same!(arithmetic_i8(&x, &y) as arithmetic_i8_c, arithmetic_i8_c4, arithmetic_i8_lanes);
        same!(bits_i8(&x, &y) as bits_i8_c, bits_i8_c4, bits_i8_lanes);
        same!(i8_to_u16(&x) as i8_to_u16_c);
        same!(i8_to_i32(&x) as i8_to_i32_c);
        same!(i8_to_u64(&x) as i8_to_u64_c);
        same!(i8_to_f32(&x) as i8_to_f32_c);
        same!(i8_to_f64(&x) as i8_to_f64_c);
    }
    {
        let (x, y) = (u8s(n, 0), u8s(n, 5));
        same!(arithmetic_u8(&x, &y) as arithmetic_u8_c, arithmetic_u8_c4, arithmetic_u8_lanes);
        same!(bits_u8(&x, &y) as bits_u8_c, bits_u8_c4, bits_u8_lanes);
        same!(u8_to_i8(&x) as u8_to_i8_c);
        same!(u8_to_u16(&x) as u8_to_u16_c);
        same!(u8_to_i32(&x) as u8_to_i32_c);
        same!(u8_to_u64(&x) as u8_to_u64_c);
        same!(u8_to_f32(&x) as u8_to_f32_c);
        same!(u8_to_f64(&x) as u8_to_f64_c);
    }
    {
        let (x, y) = (i16s(n, 0), i16s(n, 5));
        same!(arithmetic_i16(&x, &y) as arithmetic_i16_c, arithmetic_i16_c4, arithmetic_i16_lanes);
        same!(bits_i16(&x, &y) as bits_i16_c, bits_i16_c4, bits_i16_lanes);
        same!(i16_to_i8(&x) as i16_to_i8_c);
        same!(i16_to_u16(&x) as i16_to_u16_c);
        same!(i16_to_i32(&x) as i16_to_i32_c);
        same!(i16_to_u64(&x) as i16_to_u64_c);
        same!(i16_to_f32(&x) as i16_to_f32_c);
        same!(i16_to_f64(&x) as i16_to_f64_c);
    }
    {
        let (x, y) = (u16s(n, 0), u16s(n, 5));
        same!(arithmetic_u16(&x, &y) as arithmetic_u16_c, arithmetic_u16_c4, arithmetic_u16_lanes);
        same!(bits_u16(&x, &y) as bits_u16_c, bits_u16_c4, bits_u16_lanes);
        same!(u16_to_i8(&x) as u16_to_i8_c);
        same!(u16_to_i32(&x) as u16_to_i32_c);
        same!(u16_to_u64(&x) as u16_to_u64_c);
        same!(u16_to_f32(&x) as u16_to_f32_c);
        same!(u16_to_f64(&x) as u16_to_f64_c);
    }
    {
        let (x, y) = (i32s(n, 0), i32s(n, 5));
        same!(arithmetic_i32(&x, &y) as arithmetic_i32_c, arithmetic_i32_c4, arithmetic_i32_lanes);
        same!(bits_i32(&x, &y) as bits_i32_c, bits_i32_c4, bits_i32_lanes);
        same!(i32_to_i8(&x) as i32_to_i8_c);
        same!(i32_to_u8(&x) as i32_to_u8_c);
        same!(i32_to_u16(&x) as i32_to_u16_c);
        same!(i32_to_u64(&x) as i32_to_u64_c);
        same!(i32_to_f32(&x) as i32_to_f32_c);
        same!(i32_to_f64(&x) as i32_to_f64_c);
    }
    {
        let (x, y) = (u32s(n, 0), u32s(n, 5));
        same!(arithmetic_u32(&x, &y) as arithmetic_u32_c, arithmetic_u32_c4, arithmetic_u32_lanes);
        same!(bits_u32(&x, &y) as bits_u32_c, bits_u32_c4, bits_u32_lanes);
        same!(u32_to_i8(&x) as u32_to_i8_c);
        same!(u32_to_u16(&x) as u32_to_u16_c);
        same!(u32_to_i32(&x) as u32_to_i32_c);
        same!(u32_to_u64(&x) as u32_to_u64_c);
        same!(u32_to_f32(&x) as u32_to_f32_c);
        same!(u32_to_f64(&x) as u32_to_f64_c);
    }
    {
        let (x, y) = (i64s(n, 0), i64s(n, 5));
        same!(arithmetic_i64(&x, &y) as arithmetic_i64_c, arithmetic_i64_c4, arithmetic_i64_lanes);
        same!(bits_i64(&x, &y) as bits_i64_c, bits_i64_c4, bits_i64_lanes);
        same!(i64_to_i8(&x) as i64_to_i8_c);
        same!(i64_to_u16(&x) as i64_to_u16_c);
        same!(i64_to_i32(&x) as i64_to_i32_c);
        same!(i64_to_u64(&x) as i64_to_u64_c);
        same!(i64_to_f32(&x) as i64_to_f32_c);
        same!(i64_to_f64(&x) as i64_to_f64_c);
    }
    {
        let (x, y) = (u64s(n, 0), u64s(n, 5));
        same!(arithmetic_u64(&x, &y) as arithmetic_u64_c, arithmetic_u64_c4, arithmetic_u64_lanes);
        same!(bits_u64(&x, &y) as bits_u64_c, bits_u64_c4, bits_u64_lanes);
        same!(u64_to_i8(&x) as u64_to_i8_c);
        same!(u64_to_u16(&x) as u64_to_u16_c);
        same!(u64_to_i32(&x) as u64_to_i32_c);
        same!(u64_to_f32(&x) as u64_to_f32_c);
        same!(u64_to_f64(&x) as u64_to_f64_c);
    }
}

fn floats(n: usize) {
    {
        let (x, y) = (f32s(n, 0), f32s(n, 7));
        same!(arithmetic_f32(&x, &y) as arithmetic_f32_c, arithmetic_f32_c4, arithmetic_f32_lanes);
        same!(rounded_f32(&x) as rounded_f32_c, rounded_f32_c4, rounded_f32_lanes);
        same!(selected_f32(&x, &y) as selected_f32_c, selected_f32_c4, selected_f32_lanes);
        same!(fused_f32(&x, &y) as fused_f32_c, fused_f32_c4, fused_f32_lanes);
        same!(less_f32(&x, &y) as less_f32_c, less_f32_c4, less_f32_lanes);
        same!(f32_to_i8(&x) as f32_to_i8_c);
        same!(f32_to_u8(&x) as f32_to_u8_c);
        same!(f32_to_i16(&x) as f32_to_i16_c);
        same!(f32_to_u16(&x) as f32_to_u16_c);
        same!(f32_to_i32(&x) as f32_to_i32_c);
        same!(f32_to_u32(&x) as f32_to_u32_c);
        same!(f32_to_i64(&x) as f32_to_i64_c);
        same!(f32_to_u64(&x) as f32_to_u64_c);
        same!(f32_to_f64(&x) as f32_to_f64_c);
    }
    {
        let (x, y) = (f64s(n, 0), f64s(n, 7));
        same!(arithmetic_f64(&x, &y) as arithmetic_f64_c, arithmetic_f64_c4, arithmetic_f64_lanes);
        same!(rounded_f64(&x) as rounded_f64_c, rounded_f64_c4, rounded_f64_lanes);
        same!(selected_f64(&x, &y) as selected_f64_c, selected_f64_c4, selected_f64_lanes);
        same!(fused_f64(&x, &y) as fused_f64_c, fused_f64_c4, fused_f64_lanes);
        same!(less_f64(&x, &y) as less_f64_c, less_f64_c4, less_f64_lanes);
        same!(f64_to_i8(&x) as f64_to_i8_c);
        same!(f64_to_u8(&x) as f64_to_u8_c);
        same!(f64_to_i16(&x) as f64_to_i16_c);
        same!(f64_to_u16(&x) as f64_to_u16_c);
        same!(f64_to_i32(&x) as f64_to_i32_c);
        same!(f64_to_u32(&x) as f64_to_u32_c);
        same!(f64_to_i64(&x) as f64_to_i64_c);
        same!(f64_to_u64(&x) as f64_to_u64_c);
        same!(f64_to_f32(&x) as f64_to_f32_c);
    }
}

fn others(n: usize) {
    let (f, i, s) = (f32s(n, 0), i32s(n, 0), i16s(n, 0));
    let masks: Vec<bool> = i.iter().map(|i| i % 2 == 0).collect();
    same!(negated_i32(&i) as negated_i32_c, negated_i32_c4, negated_i32_lanes);
    same!(reversed(&f) as reversed_c, reversed_c4, reversed_lanes);
    same!(indices(&i) as indices_c, indices_c4, indices_lanes);
    same!(mask_of(&masks, &s) as mask_of_c, mask_of_c4, mask_of_lanes);
    let (bytes, wide) = (u8s(n, 0), i64s(n, 3));
    same!(chosen_by_bytes(&bytes, &wide) as chosen_by_bytes_c2);
    same!(chosen_by_bytes(&bytes, &wide) as chosen_by_bytes_c4);
    turned(n, n + 3);
    turned(n + 20, n);
}

/// Squares whose rows are read, or written, from the last one to the first.
fn turned(n: usize, m: usize) {
    let left = u8s(n * m, 0);
    let right: Vec<f32> = (0..n * m).map(|i| i as f32).collect();
    let places = || (0..m).flat_map(|i| (0..n).map(move |j| (i, j)));
    let expected: Vec<f32> = places().map(|(i, j)| right[(n - 1 - j) * m + i]).collect();
    assert_eq!(*turned_right((&right, [n, m])).unwrap(), expected);
    assert_eq!(*turned_right_c((&right, [n, m])).unwrap(), expected);
    let expected: Vec<u8> = places().map(|(i, j)| left[j * m + m - 1 - i]).collect();
    assert_eq!(*turned_left((&left, [n, m])).unwrap(), expected);
    assert_eq!(*turned_left_c((&left, [n, m])).unwrap(), expected);
}
