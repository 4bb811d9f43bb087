#[doc(hidden)]
#[allow(unused, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
unsafe fn __rise_dot_run(n: usize, x: *const f32, y: *const f32, output: *mut f32) -> ::core::result::Result<(), ::rise::Error> {
    use ::core::cmp::{max, min};
    use ::rise::private::{Float, Int, Isa, Level, Mask, Simd, V, div, floor_div, floor_rem, rem};
    type F32x16<S> = V<S, f32, 16>;

    #[inline(always)]
    unsafe fn body<S: Isa>(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32) {
        unsafe {
            let x = x_in.as_ptr();
            let y = y_in.as_ptr();
            let mut tmp: F32x16<S> = <F32x16<S>>::splat(0.0f32);
            // mapVec
            // reduceSeq
            let mut accum: F32x16<S> = <F32x16<S>>::splat(0.0f32);
            // mapVec
            // reduceSeq
            // reduceSeq
            let mut accum0: F32x16<S> = <F32x16<S>>::splat(0.0f32);
            let mut accum1: F32x16<S> = <F32x16<S>>::splat(0.0f32);
            let mut accum2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
            let mut accum3: F32x16<S> = <F32x16<S>>::splat(0.0f32);
            // mapSeqUnroll
            // mapVec
            accum0 = <F32x16<S>>::splat(0.0f32);
            accum1 = <F32x16<S>>::splat(0.0f32);
            accum2 = <F32x16<S>>::splat(0.0f32);
            accum3 = <F32x16<S>>::splat(0.0f32);
            let i_end: usize = n / 64;
            let mut i = 0usize;
            while i < i_end {
                // mapSeqUnroll
                // mapVec
                accum0 = Simd::add(accum0, Simd::mul(<F32x16<S>>::load(x.add(i * 64)), <F32x16<S>>::load(y.add(i * 64))));
                accum1 = Simd::add(accum1, Simd::mul(<F32x16<S>>::load(x.add(i * 64 + 16)), <F32x16<S>>::load(y.add(i * 64 + 16))));
                accum2 = Simd::add(accum2, Simd::mul(<F32x16<S>>::load(x.add(i * 64 + 32)), <F32x16<S>>::load(y.add(i * 64 + 32))));
                accum3 = Simd::add(accum3, Simd::mul(<F32x16<S>>::load(x.add(i * 64 + 48)), <F32x16<S>>::load(y.add(i * 64 + 48))));
                i += 1;
            }
            let mut accum_2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
            // mapVec
            accum_2 = <F32x16<S>>::splat(0.0f32);
            // mapVec
            accum_2 = Simd::add(accum_2, accum0);
            accum_2 = Simd::add(accum_2, accum1);
            accum_2 = Simd::add(accum_2, accum2);
            accum_2 = Simd::add(accum_2, accum3);
            accum = accum_2;
            let i_2_end: usize = n / 16 - (n / 64) * 4;
            let mut i_2 = 0usize;
            while i_2 < i_2_end {
                // mapVec
                accum = Simd::add(accum, Simd::mul(<F32x16<S>>::load(x.add(i_2 * 16 + (n / 64) * 64)), <F32x16<S>>::load(y.add(i_2 * 16 + (n / 64) * 64))));
                i_2 += 1;
            }
            tmp = accum;
            // reduceSeq
            let mut accum_3: f32 = 0.0f32 + (Simd::lane(tmp, 0) + Simd::lane(tmp, 8) + (Simd::lane(tmp, 4) + Simd::lane(tmp, 12)) + (Simd::lane(tmp, 2) + Simd::lane(tmp, 10) + (Simd::lane(tmp, 6) + Simd::lane(tmp, 14))) + (Simd::lane(tmp, 1) + Simd::lane(tmp, 9) + (Simd::lane(tmp, 5) + Simd::lane(tmp, 13)) + (Simd::lane(tmp, 3) + Simd::lane(tmp, 11) + (Simd::lane(tmp, 7) + Simd::lane(tmp, 15)))));
            let i_3_end: usize = n - (n / 16) * 16;
            let mut i_3 = 0usize;
            while i_3 < i_3_end {
                accum_3 = accum_3 + *x.add(i_3 + (n / 16) * 16) * (*y.add(i_3 + (n / 16) * 16));
                i_3 += 1;
            }
            *output = accum_3;
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
    unsafe fn avx512(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32) {
        unsafe { body::<::rise::private::Avx512>(n, x_in, y_in, output) }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn avx2(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32) {
        unsafe { body::<::rise::private::Avx2>(n, x_in, y_in, output) }
    }
    unsafe fn baseline(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32) {
        unsafe { body::<::rise::private::Baseline>(n, x_in, y_in, output) }
    }

    let level = ::rise::private::level()?;
    unsafe {
        let x_in = ::core::slice::from_raw_parts(x, n);
        let y_in = ::core::slice::from_raw_parts(y, n);
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => avx512(n, x_in, y_in, output),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2(n, x_in, y_in, output),
            _ => baseline(n, x_in, y_in, output),
        }
    }
    ::core::result::Result::Ok(())
}
