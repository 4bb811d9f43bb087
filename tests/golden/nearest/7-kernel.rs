#[doc(hidden)]
#[allow(unused, unreachable_pub, unsafe_op_in_unsafe_fn, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
mod __rise_nearest_run {
    use ::core::{cmp::{max, min}, ops::Range};
    use ::rise::private::{self, Cost, Float, Int, Isa, Level, Mask, SendPtr, Share, Simd, V, apart, ask, ask_by_room, div, floor_div, floor_rem, for_each, rem};

    #[inline(always)]
    unsafe fn body<S: Isa>(f: usize, p: usize, c: usize, features_in: &[f32], clusters_in: &[f32], output: *mut i32) {
        let features = features_in.as_ptr();
        let clusters = clusters_in.as_ptr();
        // mapSeq
        let mut i = 0;
        while i < p {
            // reduceSeq
            let mut accum: f32 = 3.4e38f32;
            let mut accum_2: i32 = 0i32;
            let mut accum_3: i32 = 0i32;
            let mut i_2 = 0;
            while i_2 < c {
                // reduceSeq
                let mut accum_4: f32 = 0.0f32;
                let mut i_3 = 0;
                while i_3 < f {
                    let xk: f32 = *features.add(p * i_3 + i);
                    let xk_2: f32 = *clusters.add(f * i_2 + i_3);
                    accum_4 = accum_4 + (xk - xk_2) * (xk - xk_2);
                    i_3 += 1;
                }
                let component: i32 = if accum_4 < accum { accum_3 } else { accum_2 };
                accum = if accum_4 < accum { accum_4 } else { accum };
                accum_2 = component;
                accum_3 = Simd::add(accum_3, 1i32);
                i_2 += 1;
            }
            *output.add(i) = accum_2;
            i += 1;
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn avx2(f: usize, p: usize, c: usize, features_in: &[f32], clusters_in: &[f32], output: *mut i32) {
        body::<private::Avx2>(f, p, c, features_in, clusters_in, output)
    }
    #[inline(never)]
    unsafe fn baseline(f: usize, p: usize, c: usize, features_in: &[f32], clusters_in: &[f32], output: *mut i32) {
        body::<private::Baseline>(f, p, c, features_in, clusters_in, output)
    }

#[inline]
pub unsafe fn run(f: usize, p: usize, c: usize, features: *const f32, clusters: *const f32, output: *mut i32) -> ::core::result::Result<(), ::rise::Error> {
    let level = private::level()?;
    let features_in = ::core::slice::from_raw_parts(features, f * p);
    let clusters_in = ::core::slice::from_raw_parts(clusters, f * c);
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 | Level::Avx2 => avx2(f, p, c, features_in, clusters_in, output),
        _ => baseline(f, p, c, features_in, clusters_in, output),
    }
    ::core::result::Result::Ok(())
}
}
use __rise_nearest_run::run as __rise_nearest_run;
