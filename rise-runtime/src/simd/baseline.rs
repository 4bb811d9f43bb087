//! What every CPU of an architecture has: SSE2, and elsewhere, by way of `wide`, NEON, WebAssembly's vectors, or none.
//!
//! Registers of 128 bits for 32 and 64 bit types; 8 and 16 bit types are left to the compiler's own vectors. What
//! SSE2 lacks is built from what it has, and not from calls for each lane.

use super::convert::{Hub, f32_to_u32_by_i32, through, u32_to_f32_by_words};
use super::float::{absolute, ceil_by_trunc, floor_by_trunc, negated, rounded, trunc_by_sum};
use super::isa::widths;
use super::math::{self, of_register};
use super::{Both, Float, Int, Isa, Mask, Simd, Width, transmute};

#[cfg(target_arch = "x86_64")]
mod registers;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(not(target_arch = "x86_64"))]
use ::wide as registers;

#[cfg(target_arch = "x86_64")]
use super::{convert::saturated, int::divided, int::remainder, x86::steps};

/// The baseline of the architecture.
#[derive(Debug, Clone, Copy)]
pub struct Baseline;

impl Isa for Baseline {
    const LEVEL: crate::dispatch::Level = crate::dispatch::Level::Baseline;
    const NAME: &'static str = "baseline";
    const FMA: bool = false;
    const REGISTERS: usize = 16;
    const BYTES: usize = 16;
}

widths! { Baseline:
    1 bool: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64;
    2 M2: _ F64x2 _ _ _ I64x2 _ _ _ U64x2;
    4 M4: F32x4 _ _ _ I32x4 _ _ _ U32x4 _;
    8 Both<M4>: _ _ _ _ _ _ _ _ _ _;
    16 Both<Both<M4>>: _ _ _ _ _ _ _ _ _ _;
    32 Both<Both<Both<M4>>>: _ _ _ _ _ _ _ _ _ _;
    64 Both<Both<Both<Both<M4>>>>: _ _ _ _ _ _ _ _ _ _;
}

/// The lanes written out: `[value; 4]` is a loop to the compiler until it is unrolled, and large kernels would have
/// thousands of them.
macro_rules! each_lane {
    (2 $value:ident) => {
        [$value, $value]
    };
    (4 $value:ident) => {
        [$value, $value, $value, $value]
    };
}

/// A register, what all element types have in common, and the rest of its [`Simd`].
macro_rules! register {
    ($name:ident($reg:ident) $class:ident $n:tt; $($rest:tt)*) => {
        #[doc = concat!(stringify!($n), " lanes of ", stringify!($class), ".")]
        #[derive(Debug, Clone, Copy)]
        #[repr(transparent)]
        pub struct $name(registers::$reg);

        // SAFETY: a register is its lanes in order.
        unsafe impl Simd for $name {
            type Elem = <Baseline as Width<1>>::$class;
            type Mask = <Baseline as Width<$n>>::Mask;
            type Half = <Baseline as Width<{ $n / 2 }>>::$class;
            const LANES: usize = $n;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn splat(value: Self::Elem) -> Self {
                Self(registers::$reg::new(each_lane!($n value)))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn mul(self, other: Self) -> Self {
                Self(self.0 * other.0)
            }

            compare! { eq simd_eq ne simd_ne lt simd_lt le simd_le gt simd_gt ge simd_ge }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
                // SAFETY: lanes of one size.
                let mask: registers::$reg = unsafe { transmute(mask) };
                Self(mask.select(a.0, b.0))
            }

            $($rest)*
        }
    };
}

/// Comparisons, whose results have lanes of the same size as masks.
macro_rules! compare {
    ($($method:ident $by:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $method(self, other: Self) -> Self::Mask {
            // SAFETY: lanes of one size.
            unsafe { transmute(self.0.$by(other.0)) }
        }
    )*};
}

/// Functions of one vector.
macro_rules! unary {
    ($($method:ident |$a:ident| $body:expr;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $method(self) -> Self {
            let $a = self;
            $body
        }
    )*};
}

macro_rules! floats {
    ($($name:ident($reg:ident) $class:ident $bits:ident $n:tt $whole:literal;)*) => {$(
        register! { $name($reg) $class $n;
            unary! {
                neg |a| negated(a);
                abs |a| absolute(a);
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn div(self, other: Self) -> Self {
                Self(self.0 / other.0)
            }

            // The instructions of x86 are the comparison and selection; those of others treat NaN in their own way.
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn min(self, other: Self) -> Self {
                if cfg!(target_arch = "x86_64") {
                    Self(self.0.fast_min(other.0))
                } else {
                    self.if_lt(other, self, other)
                }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn max(self, other: Self) -> Self {
                if cfg!(target_arch = "x86_64") {
                    Self(self.0.fast_max(other.0))
                } else {
                    other.if_lt(self, self, other)
                }
            }
        }

        impl Float for $name {
            type LowerHalf = <Self as Simd>::Half;
            type Bits = <Baseline as Width<$n>>::$bits;
            type Double = <Baseline as Width<$n>>::F64;
            math::functions! { of_register [$name of Baseline $class] }
            unary! {
                sqrt |a| Self(a.0.sqrt());
                trunc |a| trunc_by_sum(a, $whole);
                floor |a| floor_by_trunc(a);
                ceil |a| ceil_by_trunc(a);
                round |a| rounded(a);
            }
        }
    )*};
}

macro_rules! ints {
    ($($name:ident($reg:ident) $class:ident $n:tt $unsigned:ident $(divided as $float:ident)?;)*) => {$(
        register! { $name($reg) $class $n;
            $(
                #[cfg(target_arch = "x86_64")]
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                fn div(self, other: Self) -> Self {
                    divided::<Self, <Baseline as Width<$n>>::$float>(self, other)
                }

                #[cfg(target_arch = "x86_64")]
                #[cfg_attr(not(debug_assertions), inline(always))]
                #[cfg_attr(debug_assertions, inline)]
                fn rem(self, other: Self) -> Self {
                    remainder(self, other)
                }
            )?

            unary! {
                neg |a| Self::splat(0).sub(a);
                abs |a| if <Self::Elem as Simd>::lt(0, !0) { a } else { a.max(a.neg()) };
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn min(self, other: Self) -> Self {
                self.if_lt(other, self, other)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn max(self, other: Self) -> Self {
                other.if_lt(self, self, other)
            }
        }

        impl Int for $name {
            type LowerHalf = <Self as Simd>::Half;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn and(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn or(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn xor(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn not(self) -> Self {
                Self(!self.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn shl(self, counts: Self) -> Self {
                // SAFETY: lanes of one size.
                Self(self.0 << unsafe { transmute::<_, registers::$unsigned>(counts) })
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn shr(self, counts: Self) -> Self {
                // SAFETY: lanes of one size.
                Self(self.0 >> unsafe { transmute::<_, registers::$unsigned>(counts) })
            }
        }
    )*};
}

floats! {
    F32x4(f32x4) F32 U32 4 8388608.0;
    F64x2(f64x2) F64 U64 2 4503599627370496.0;
}

ints! {
    I32x4(i32x4) I32 4 u32x4 divided as F64;
    U32x4(u32x4) U32 4 u32x4;
    I64x2(i64x2) I64 2 u64x2;
    U64x2(u64x2) U64 2 u64x2;
}

macro_rules! masks {
    ($($name:ident($reg:ident) $n:literal of $half:ident { $($rest:tt)* })*) => {$(
        #[doc = concat!("The mask of ", stringify!($n), " lanes, all ones or all zeros.")]
        #[derive(Debug, Clone, Copy)]
        #[repr(transparent)]
        pub struct $name(registers::$reg);

        impl Mask for $name {
            type Half = $half;
            const LANES: usize = $n;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn splat(value: bool) -> Self {
                Self(registers::$reg::splat(if value { -1 } else { 0 }))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn and(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn or(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn xor(self, other: Self) -> Self {
                Self(self.0 ^ other.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn not(self) -> Self {
                Self(!self.0)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn bits(self) -> u64 {
                u64::from(self.0.to_bitmask())
            }

            $($rest)*
        }
    )*};
}

masks! {
    M2(i64x2) 2 of bool {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn halves(self) -> (bool, bool) {
            let [lower, upper] = self.0.to_array();
            (lower != 0, upper != 0)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn join(lower: bool, upper: bool) -> Self {
            Self(registers::i64x2::new([-i64::from(lower), -i64::from(upper)]))
        }
    }

    M4(i32x4) 4 of M2 {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn halves(self) -> (M2, M2) {
            let [a, b, c, d] = self.0.to_array();
            (M2(registers::i64x2::new([i64::from(a), i64::from(b)])), M2(registers::i64x2::new([i64::from(c), i64::from(d)])))
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn join(lower: M2, upper: M2) -> Self {
            let ([a, b], [c, d]) = (lower.0.to_array(), upper.0.to_array());
            Self(registers::i32x4::new([a as i32, b as i32, c as i32, d as i32]))
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn from_bits(bits: u64) -> Self {
            let lanes = registers::i32x4::new([1, 2, 4, 8]);
            Self((registers::i32x4::splat(bits as i32) & lanes).simd_eq(lanes))
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn convert<A: Simd<Mask = Self>, B: Simd<Mask = Self>>(a: A) -> B {
            through::<Self, A, B>(a)
        }
    }
}

impl Hub for M4 {
    type F32 = <Baseline as Width<4>>::F32;
    type F64 = <Baseline as Width<4>>::F64;
    type I32 = <Baseline as Width<4>>::I32;
    type I64 = <Baseline as Width<4>>::I64;
    type U32 = <Baseline as Width<4>>::U32;
    type U64 = <Baseline as Width<4>>::U64;

    #[cfg(target_arch = "x86_64")]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn widen<A: Simd<Mask = Self>>(a: A) -> I32x4 {
        // SAFETY: the instructions of SSE2; vectors of a type and a width have one layout.
        unsafe { transmute(sse2::widen::<A>(a)) }
    }

    #[cfg(target_arch = "x86_64")]
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn narrow<B: Simd<Mask = Self>>(a: I32x4) -> B {
        // SAFETY: as above.
        unsafe { sse2::narrow::<B>(transmute(a)) }
    }

    #[cfg(target_arch = "x86_64")]
    steps! {
        f32_to_f64(a: F32) -> F64 = transmute(sse2::f32_to_f64(transmute(a)));
        f64_to_f32(a: F64) -> F32 = transmute(sse2::f64_to_f32(transmute(a)));
        f64_to_i32(a: F64) -> I32 = saturated(a, -f64::from(i32::MIN), transmute(sse2::f64_to_i32(transmute(a))));
        i32_to_f64(a: I32) -> F64 = transmute(sse2::i32_to_f64(transmute(a)));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn f32_to_i32(a: F32x4) -> I32x4 {
        I32x4(a.0.trunc_int())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn f32_to_u32(a: F32x4) -> U32x4 {
        f32_to_u32_by_i32::<Self>(a)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn i32_to_f32(a: I32x4) -> F32x4 {
        F32x4(registers::f32x4::from_i32x4(a.0))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn u32_to_f32(a: U32x4) -> F32x4 {
        u32_to_f32_by_words::<Self>(a)
    }
}
