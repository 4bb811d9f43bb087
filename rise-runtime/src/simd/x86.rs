//! What both x86 instruction sets with vectors of their own share: registers as bits, and their parts.

use super::{Simd, transmute};
use core::arch::x86_64::*;

/// What a register of integers does without regard to its lanes.
pub(super) trait Bitwise: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
}

macro_rules! bitwise {
    ($($reg:ident $and:ident $or:ident $xor:ident;)*) => {$(
        impl Bitwise for $reg {
            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn and(self, other: Self) -> Self {
                unsafe { $and(self, other) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn or(self, other: Self) -> Self {
                unsafe { $or(self, other) }
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn xor(self, other: Self) -> Self {
                unsafe { $xor(self, other) }
            }
        }
    )*};
}

bitwise! {
    __m128i _mm_and_si128 _mm_or_si128 _mm_xor_si128;
    __m256i _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256;
    __m512i _mm512_and_si512 _mm512_or_si512 _mm512_xor_si512;
}

/// Writes a register past the cache, if the address is aligned to its size.
///
/// # Safety
/// All lanes are writable, and the CPU has registers of this size.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn stream<V: Simd>(v: V, to: *mut V::Elem) {
    let is_aligned = (to as usize).is_multiple_of(size_of::<V>());
    // SAFETY: the caller's promise; aligned where the instructions ask for it.
    unsafe {
        match size_of::<V>() {
            64 if is_aligned => _mm512_stream_si512(to.cast(), transmute(v)),
            32 if is_aligned => _mm256_stream_si256(to.cast(), transmute(v)),
            16 if is_aligned => _mm_stream_si128(to.cast(), transmute(v)),
            _ => v.store(to),
        }
    }
}

/// All lanes of a register of 16 bytes by an operation: as halves by halves do, without registers in between that are too
/// narrow to work on.
///
/// # Safety
/// The vector has 16 bytes, and the CPU has such registers.
#[cfg_attr(not(debug_assertions), inline(always))]
#[cfg_attr(debug_assertions, inline)]
pub(super) unsafe fn folded<V: Simd>(v: V, op: impl Fn(V, V) -> V) -> V::Elem {
    // SAFETY: the caller's promise; any bits are lanes.
    unsafe {
        let v = op(v, transmute(_mm_srli_si128::<8>(transmute(v))));
        let v = op(v, transmute(_mm_srli_si128::<4>(transmute(v))));
        let v = op(v, transmute(_mm_srli_si128::<2>(transmute(v))));
        let v =
            if size_of::<V::Elem>() == 1 { op(v, transmute(_mm_srli_si128::<1>(transmute(v)))) } else { v };
        v.lane(0)
    }
}

/// Folds of integers: of small ones in a register of 16 bytes by [`folded`], of others half by half.
macro_rules! folds_of_integers {
    ($($name:ident $op:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn $name(self) -> Self::Elem {
            if size_of::<Self>() == 16 && size_of::<Self::Elem>() <= 2 {
                // SAFETY: as much, and a value of such a register.
                return unsafe { crate::simd::x86::folded(self, Self::$op) };
            }
            let (lower, upper) = self.halves();
            Simd::$op(lower, upper).$name()
        }
    )*};
}
pub(super) use folds_of_integers;

/// The lanes of both vectors, alternating, in each 16 bytes: of the lower half of these and of the upper one.
macro_rules! unpacked {
    ($($name:ident: $($size:literal $low:ident $high:ident)*;)*) => {$(
        /// # Safety
        /// The vectors have the size of the register, and the CPU has such registers.
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        pub(super) unsafe fn $name<V: Simd>(a: V, b: V) -> (V, V) {
            unsafe {
                match size_of::<V::Elem>() {
                    $($size => (transmute($low(transmute(a), transmute(b))), transmute($high(transmute(a), transmute(b)))),)*
                    _ => a.interleave(b),
                }
            }
        }
    )*};
}

unpacked! {
    unpack_128: 1 _mm_unpacklo_epi8 _mm_unpackhi_epi8 2 _mm_unpacklo_epi16 _mm_unpackhi_epi16
        4 _mm_unpacklo_epi32 _mm_unpackhi_epi32 8 _mm_unpacklo_epi64 _mm_unpackhi_epi64;
    unpack_256: 1 _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 2 _mm256_unpacklo_epi16 _mm256_unpackhi_epi16
        4 _mm256_unpacklo_epi32 _mm256_unpackhi_epi32 8 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64;
}

/// The products of bytes, as the low bytes of products of even and of odd bytes.
macro_rules! products_of_bytes {
    ($($name:ident $reg:ident $mul:ident $down:ident $up:ident $splat:ident;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        pub(super) unsafe fn $name(a: $reg, b: $reg) -> $reg {
            unsafe {
                let even = $mul(a, b).and($splat(0xff));
                let odd = $mul($down::<8>(a), $down::<8>(b));
                even.or($up::<8>(odd))
            }
        }
    )*};
}

products_of_bytes! {
    mul_bytes_128 __m128i _mm_mullo_epi16 _mm_srli_epi16 _mm_slli_epi16 _mm_set1_epi16;
    mul_bytes_256 __m256i _mm256_mullo_epi16 _mm256_srli_epi16 _mm256_slli_epi16 _mm256_set1_epi16;
    mul_bytes_512 __m512i _mm512_mullo_epi16 _mm512_srli_epi16 _mm512_slli_epi16 _mm512_set1_epi16;
}

/// 64 bit arithmetic that AVX2 lacks: products by parts of 32 bits, and shifts that keep the sign.
macro_rules! quads {
    ($($mul:ident $sra:ident $reg:ident $mul_low:ident $add:ident $sub:ident $srl:ident $sll:ident $srlv:ident
        $splat:ident;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        pub(super) unsafe fn $mul(a: $reg, b: $reg) -> $reg {
            unsafe {
                let cross = $add($mul_low($srl::<32>(a), b), $mul_low(a, $srl::<32>(b)));
                $add($mul_low(a, b), $sll::<32>(cross))
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        pub(super) unsafe fn $sra(a: $reg, counts: $reg) -> $reg {
            unsafe {
                let sign = $srlv($splat(i64::MIN), counts);
                $sub($srlv(a, counts).xor(sign), sign)
            }
        }
    )*};
}

quads! {
    mul_quads_128 sra_quads_128 __m128i _mm_mul_epu32 _mm_add_epi64 _mm_sub_epi64 _mm_srli_epi64
        _mm_slli_epi64 _mm_srlv_epi64 _mm_set1_epi64x;
    mul_quads_256 sra_quads_256 __m256i _mm256_mul_epu32 _mm256_add_epi64 _mm256_sub_epi64 _mm256_srli_epi64
        _mm256_slli_epi64 _mm256_srlv_epi64 _mm256_set1_epi64x;
}

/// Selection between registers whose lanes are all ones or all zeros in the mask.
pub(super) trait Blend: Copy {
    /// `if mask { self } else { other }`.
    fn blend(self, mask: Self, other: Self) -> Self;
}

impl Blend for __m128i {
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn blend(self, mask: Self, other: Self) -> Self {
        unsafe { _mm_blendv_epi8(other, self, mask) }
    }
}

impl Blend for __m256i {
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[cfg_attr(debug_assertions, inline)]
    fn blend(self, mask: Self, other: Self) -> Self {
        unsafe { _mm256_blendv_epi8(other, self, mask) }
    }
}

/// The low part of a register as an integer of that size, or all of it.
pub(super) trait Part: Copy {
    /// The register.
    type Register;
    fn into_register(self) -> Self::Register;
    fn of_register(register: Self::Register) -> Self;
}

macro_rules! parts {
    ($($part:ident in $register:ident: |$a:ident| $into:expr, |$b:ident| $of:expr;)*) => {$(
        impl Part for $part {
            type Register = $register;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn into_register(self) -> $register {
                let $a = self;
                $into
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn of_register($b: $register) -> $part {
                $of
            }
        }
    )*};
}

parts! {
    i32 in __m128i: |a| unsafe { _mm_cvtsi32_si128(a) }, |a| unsafe { _mm_cvtsi128_si32(a) };
    i64 in __m128i: |a| unsafe { _mm_cvtsi64_si128(a) }, |a| unsafe { _mm_cvtsi128_si64(a) };
    __m128i in __m128i: |a| a, |a| a;
    __m256i in __m256i: |a| a, |a| a;
}

/// `name(a: From) -> To = registers`, for the steps of a [`Hub`](super::convert::Hub).
macro_rules! steps {
    ($($name:ident($a:ident: $from:ident) -> $to:ident = $body:expr;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        #[allow(unused_unsafe)]
        fn $name($a: Self::$from) -> Self::$to {
            // SAFETY: the CPU has the instruction; a register is what the vector is.
            unsafe { $body }
        }
    )*};
}

/// The types of a [`Hub`](super::convert::Hub).
macro_rules! hub_types {
    ($isa:ident $n:literal) => {
        type F32 = <$isa as $crate::simd::Width<$n>>::F32;
        type F64 = <$isa as $crate::simd::Width<$n>>::F64;
        type I32 = <$isa as $crate::simd::Width<$n>>::I32;
        type I64 = <$isa as $crate::simd::Width<$n>>::I64;
        type U32 = <$isa as $crate::simd::Width<$n>>::U32;
        type U64 = <$isa as $crate::simd::Width<$n>>::U64;
    };
}

/// 8 and 16 bits to and from 32, for a [`Hub`](super::convert::Hub); bytes and words fill these parts of registers.
macro_rules! small {
    ($bytes:ident $words:ident: $i8:ident $u8:ident $i16:ident $u16:ident $to8:ident $to16:ident) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn widen<A: Simd<Mask = Self>>(a: A) -> Self::I32 {
            // SAFETY: the CPU has the instructions; vectors of a type and a width have one layout.
            unsafe {
                match A::Elem::KIND {
                    kind::I8 => transmute($i8($bytes::into_register(transmute(a)))),
                    kind::U8 => transmute($u8($bytes::into_register(transmute(a)))),
                    kind::I16 => transmute($i16($words::into_register(transmute(a)))),
                    _ => transmute($u16($words::into_register(transmute(a)))),
                }
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        fn narrow<B: Simd<Mask = Self>>(a: Self::I32) -> B {
            // SAFETY: as above.
            unsafe {
                match B::Elem::KIND {
                    kind::I8 | kind::U8 => transmute($bytes::of_register($to8(transmute(a)))),
                    _ => transmute($words::of_register($to16(transmute(a)))),
                }
            }
        }
    };
}

pub(super) use {hub_types, small, steps};
