//! Every function of every vector against the same function of scalars, on special and on random values; and the
//! functions of scalars against the meaning that the language gives them.

mod formulas;
mod mathematics;
mod scalars;
mod vectors;

use super::*;
use crate::Level;

/// Runs `$call::<S>()` for each instruction set that the CPU has.
macro_rules! on_each_isa {
    ($call:ident) => {{
        $call::<Baseline>();
        #[cfg(target_arch = "x86_64")]
        {
            if Level::Avx2.is_supported() {
                $call::<Avx2>();
            }
            if Level::Avx512.is_supported() {
                $call::<Avx512>();
            }
        }
    }};
}
use on_each_isa;

/// A generator of test values: all of the list, then random ones.
struct Values {
    state: u64,
    at: usize,
}

impl Values {
    fn new(seed: u64) -> Self {
        Self { state: seed, at: 0 }
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.state ^ self.state >> 33;
        x.wrapping_mul(0xff51afd7ed558ccd) ^ x >> 29
    }

    fn next<T: Sample>(&mut self) -> T {
        let special = T::SPECIAL;
        self.at += 1;
        // Both orders of special values among random ones.
        match self.bits() % 3 {
            0 => special[self.bits() as usize % special.len()],
            1 => special[self.at % special.len()],
            _ => T::random(self.bits()),
        }
    }

    fn vector<V: Simd<Elem: Sample>>(&mut self) -> V {
        let mut v = V::splat(V::Elem::ZERO);
        for i in 0..V::LANES {
            v = v.with_lane(i, self.next());
        }
        v
    }
}

/// A scalar type with values worth testing.
trait Sample: Element {
    const SPECIAL: &'static [Self];
    fn random(bits: u64) -> Self;
    /// One of those that are added and multiplied exactly, in any order.
    fn exact(bits: u64) -> Self;
    /// Equal, all NaNs being the same, and zeros not.
    fn same(self, other: Self) -> bool;
}

macro_rules! samples {
    ($($t:ident)*) => {$(
        impl Sample for $t {
            const SPECIAL: &'static [$t] =
                &[0, 1, 2, 3, 5, 7, 8, 9, 100, $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1, $t::MAX / 2, !0, !1, !6];

            fn random(bits: u64) -> $t {
                // Also small ones, whose products and quotients say more.
                (bits >> (bits % 61)) as $t
            }

            fn exact(bits: u64) -> $t {
                Self::random(bits)
            }

            fn same(self, other: $t) -> bool {
                self == other
            }
        }
    )*};
}

samples!(i8 i16 i32 i64 u8 u16 u32 u64);

// One list for both types: some numbers are special in one of them.
macro_rules! float_samples {
    ($($t:ident $bits:ident)*) => {$(
        #[allow(clippy::excessive_precision)]
        impl Sample for $t {
            const SPECIAL: &'static [$t] = &[
                0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, 0.49999999999999994, 0.3, -0.7,
                3.999, 127.0, 127.5, 128.0, -128.0, -128.9, -129.0, 255.0, 255.9, 256.0, 32767.5, -32769.0, 65535.7,
                65536.0, 8388607.5, 8388608.0, 8388609.0, 2147483520.0, 2147483647.0, 2147483648.0, -2147483648.0,
                -2147483904.0, 4294967040.0, 4294967295.0, 4294967296.0, 4503599627370495.5, 4503599627370497.5,
                9223371487098961920.0, 9223372036854775808.0, -9223372036854775808.0, -9223373136366403584.0,
                18446742974197923840.0, 18446744073709551616.0, 1e30, -1e30, 3.0e38, $t::MAX, $t::MIN,
                $t::MIN_POSITIVE, $t::MIN_POSITIVE / 4.0, -$t::MIN_POSITIVE / 8.0, $t::EPSILON,
                $t::INFINITY, $t::NEG_INFINITY, $t::NAN,
            ];

            fn random(bits: u64) -> $t {
                match bits % 4 {
                    0 => $t::from_bits((bits >> 2) as $bits),
                    1 => (bits as i64 >> 20) as $t / 1024.0,
                    2 => (bits as i64 >> (bits % 59)) as $t,
                    _ => ((bits >> 40) as $t / 65536.0) - 128.0,
                }
            }

            fn exact(bits: u64) -> $t {
                (bits % 3) as $t
            }

            fn same(self, other: $t) -> bool {
                self.to_bits() == other.to_bits() || (self.is_nan() && other.is_nan())
            }
        }
    )*};
}

float_samples!(f32 u32 f64 u64);
