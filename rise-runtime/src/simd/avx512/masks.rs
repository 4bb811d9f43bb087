//! Masks of one bit a lane. The bits above the lanes are 0.

use crate::dispatch::Level;
use crate::simd::Mask;
use crate::simd::narrow::by_hub;
use core::arch::x86_64::*;

macro_rules! masks {
    ($($name:ident($bits:ident) $n:tt of $half:ident: $(used $used:literal)? $(by $hub:ident)?;)*) => {$(
        #[doc = concat!("The mask of ", stringify!($n), " lanes.")]
        #[derive(Debug, Clone, Copy)]
        #[repr(transparent)]
        pub struct $name(pub(super) $bits);

        impl Mask for $name {
            type Half = $half;
            const LANES: usize = $n;
            const LEVEL: Level = Level::Avx512;

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn halves(self) -> ($half, $half) {
                ($half::from_bits(self.bits()), $half::from_bits(self.bits() >> ($n / 2)))
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn join(lower: $half, upper: $half) -> Self {
                Self((lower.bits() | upper.bits() << ($n / 2)) as $bits)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn splat(value: bool) -> Self {
                Self::from_bits(0u64.wrapping_sub(u64::from(value)))
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
                Self(!self.0 $(& $used)?)
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn bits(self) -> u64 {
                self.0 as u64
            }

            #[cfg_attr(not(debug_assertions), inline(always))]
            #[cfg_attr(debug_assertions, inline)]
            fn from_bits(bits: u64) -> Self {
                Self(bits as $bits $(& $used)?)
            }

            masks! { @memory $n }

            $($hub!();)?
        }
    )*};
    (@memory 16) => { masks! { @with _mm_loadu_epi8 _mm_storeu_epi8 _mm_test_epi8_mask _mm_maskz_set1_epi8 } };
    (@memory 32) => { masks! { @with _mm256_loadu_epi8 _mm256_storeu_epi8 _mm256_test_epi8_mask _mm256_maskz_set1_epi8 } };
    (@memory 64) => { masks! { @with _mm512_loadu_epi8 _mm512_storeu_epi8 _mm512_test_epi8_mask _mm512_maskz_set1_epi8 } };
    (@memory $n:tt) => {};
    (@with $load:ident $store:ident $test:ident $ones:ident) => {
        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn load(from: *const bool) -> Self {
            unsafe {
                let bytes = $load(from.cast());
                Self($test(bytes, bytes))
            }
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        #[cfg_attr(debug_assertions, inline)]
        unsafe fn store(self, to: *mut bool) {
            unsafe { $store(to.cast(), $ones(self.0, 1)) }
        }
    };
}

masks! {
    K2(u8) 2 of bool: used 0x3;
    K4(u8) 4 of K2: used 0xf by by_hub;
    K8(u8) 8 of K4: by by_hub;
    K16(u16) 16 of K8: by by_hub;
    K32(u32) 32 of K16: ;
    K64(u64) 64 of K32: ;
}
