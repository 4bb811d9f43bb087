//! Large functions with a frame of their own.
//!
//! In unoptimised builds, everything that is inlined has places of its own in the frame of the function that it is
//! inlined in, for all of its intermediate results: an exponential of 16 lanes takes tens of kilobytes.
//! In all builds, what stands in many places and takes compilers long is called, so that it is compiled once.

/// The body of a function over the vectors of `$V`: in place in optimised builds, else in a function for the
/// instruction set of the vectors.
macro_rules! framed {
    ([$V:ident: $($bound:tt)*] ($($arg:ident: $ty:ty),*) -> $result:ty $body:block) => {{
        #[cfg(not(debug_assertions))]
        let result = $body;
        #[cfg(debug_assertions)]
        let result = $crate::simd::framed::called! { [inline] [$V: $($bound)*] ($($arg: $ty),*) -> $result $body };
        result
    }};
}
pub(super) use framed;

/// The body of a function over the vectors of `$V`, in a function for their instruction set that may be inlined as said.
macro_rules! called {
    ([$inline:meta] [$V:ident: $($bound:tt)*] ($($arg:ident: $ty:ty),*) -> $result:ty $body:block) => {{
        use $crate::dispatch::Level;
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
        #[$inline]
        fn avx512<$V: $($bound)*>($($arg: $ty),*) -> $result $body
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        #[$inline]
        fn avx2<$V: $($bound)*>($($arg: $ty),*) -> $result $body
        #[$inline]
        fn baseline<$V: $($bound)*>($($arg: $ty),*) -> $result $body
        let level = const { <$V::Mask as $crate::simd::Mask>::LEVEL };
        match level {
            // SAFETY: who has a vector of an instruction set runs on a CPU that has it.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::<$V>($($arg),*) },
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::<$V>($($arg),*) },
            _ => baseline::<$V>($($arg),*),
        }
    }};
}
pub(super) use called;
