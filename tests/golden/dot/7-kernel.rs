#[doc(hidden)]
#[allow(unused, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
unsafe fn __rise_dot_run(n: usize, x: *const f32, y: *const f32, output: *mut f32) -> ::core::result::Result<(), ::rise::Error> {
    use ::core::cmp::{max, min};
    use ::rise::private::{Float, Int, Isa, Level, Mask, Simd, V, div, floor_div, floor_rem, rem};
    type F32x16<S> = V<S, f32, 16>;

    #[inline(always)]
    unsafe fn i_3_loop<S: Isa>(start: usize, end: usize, x_in: &[f32], y_in: &[f32], tmp: *mut f32) {
        unsafe {
            let x = x_in.as_ptr();
            let y = y_in.as_ptr();
            let mut i_3 = start;
            while i_3 < end {
                let mut tmp_3: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                // mapVec
                // reduceSeq
                // mapVec
                // reduceSeq
                // reduceSeq
                let mut accum0_2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum1_2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum2_2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum3_2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                // mapSeqUnroll
                // mapVec
                accum0_2 = <F32x16<S>>::splat(0.0f32);
                accum1_2 = <F32x16<S>>::splat(0.0f32);
                accum2_2 = <F32x16<S>>::splat(0.0f32);
                accum3_2 = <F32x16<S>>::splat(0.0f32);
                let mut i_4 = 0usize;
                while i_4 < 1024 {
                    // mapSeqUnroll
                    // mapVec
                    accum0_2 = Simd::add(accum0_2, Simd::mul(<F32x16<S>>::load(x.add(i_3 * 65536 + i_4 * 64)), <F32x16<S>>::load(y.add(i_3 * 65536 + i_4 * 64))));
                    accum1_2 = Simd::add(accum1_2, Simd::mul(<F32x16<S>>::load(x.add(i_3 * 65536 + i_4 * 64 + 16)), <F32x16<S>>::load(y.add(i_3 * 65536 + i_4 * 64 + 16))));
                    accum2_2 = Simd::add(accum2_2, Simd::mul(<F32x16<S>>::load(x.add(i_3 * 65536 + i_4 * 64 + 32)), <F32x16<S>>::load(y.add(i_3 * 65536 + i_4 * 64 + 32))));
                    accum3_2 = Simd::add(accum3_2, Simd::mul(<F32x16<S>>::load(x.add(i_3 * 65536 + i_4 * 64 + 48)), <F32x16<S>>::load(y.add(i_3 * 65536 + i_4 * 64 + 48))));
                    i_4 += 1;
                }
                let mut accum_4: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                // mapVec
                accum_4 = <F32x16<S>>::splat(0.0f32);
                // mapVec
                accum_4 = Simd::add(accum_4, accum0_2);
                accum_4 = Simd::add(accum_4, accum1_2);
                accum_4 = Simd::add(accum_4, accum2_2);
                accum_4 = Simd::add(accum_4, accum3_2);
                tmp_3 = accum_4;
                // reduceSeq
                let mut accum_5: f32 = 0.0f32 + (Simd::lane(tmp_3, 0) + Simd::lane(tmp_3, 8) + (Simd::lane(tmp_3, 4) + Simd::lane(tmp_3, 12)) + (Simd::lane(tmp_3, 2) + Simd::lane(tmp_3, 10) + (Simd::lane(tmp_3, 6) + Simd::lane(tmp_3, 14))) + (Simd::lane(tmp_3, 1) + Simd::lane(tmp_3, 9) + (Simd::lane(tmp_3, 5) + Simd::lane(tmp_3, 13)) + (Simd::lane(tmp_3, 3) + Simd::lane(tmp_3, 11) + (Simd::lane(tmp_3, 7) + Simd::lane(tmp_3, 15)))));
                *tmp.add(i_3) = accum_5;
                i_3 += 1;
            }
        }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
    unsafe fn i_3_loop_avx512(start: usize, end: usize, x_in: &[f32], y_in: &[f32], tmp: *mut f32) {
        unsafe { i_3_loop::<::rise::private::Avx512>(start, end, x_in, y_in, tmp) }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn i_3_loop_avx2(start: usize, end: usize, x_in: &[f32], y_in: &[f32], tmp: *mut f32) {
        unsafe { i_3_loop::<::rise::private::Avx2>(start, end, x_in, y_in, tmp) }
    }
    unsafe fn i_3_loop_baseline(start: usize, end: usize, x_in: &[f32], y_in: &[f32], tmp: *mut f32) {
        unsafe { i_3_loop::<::rise::private::Baseline>(start, end, x_in, y_in, tmp) }
    }

    #[inline(always)]
    unsafe fn body<S: Isa>(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32, tmp: *mut f32) {
        unsafe {
            let x = x_in.as_ptr();
            let y = y_in.as_ptr();
            let mut tmp_2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
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
            let i_end: usize = n / 64 - (n / 65536) * 1024;
            let mut i = 0usize;
            while i < i_end {
                // mapSeqUnroll
                // mapVec
                accum0 = Simd::add(accum0, Simd::mul(<F32x16<S>>::load(x.add(i * 64 + (n / 65536) * 65536)), <F32x16<S>>::load(y.add(i * 64 + (n / 65536) * 65536))));
                accum1 = Simd::add(accum1, Simd::mul(<F32x16<S>>::load(x.add(i * 64 + (n / 65536) * 65536 + 16)), <F32x16<S>>::load(y.add(i * 64 + (n / 65536) * 65536 + 16))));
                accum2 = Simd::add(accum2, Simd::mul(<F32x16<S>>::load(x.add(i * 64 + (n / 65536) * 65536 + 32)), <F32x16<S>>::load(y.add(i * 64 + (n / 65536) * 65536 + 32))));
                accum3 = Simd::add(accum3, Simd::mul(<F32x16<S>>::load(x.add(i * 64 + (n / 65536) * 65536 + 48)), <F32x16<S>>::load(y.add(i * 64 + (n / 65536) * 65536 + 48))));
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
            tmp_2 = accum;
            // reduceSeq
            let mut accum_3: f32 = 0.0f32;
            // reduceSeq
            // mapPar
            {
                let i_3_end: usize = n / 65536;
                let grain = ::rise::private::grain(8228);
                let shared = (x_in, y_in, ::rise::private::SendPtr::new(tmp));
                let task = |range: ::core::ops::Range<usize>| {
                    let (x_in, y_in, tmp) = shared;
                    unsafe {
                        match S::LEVEL {
                            #[cfg(target_arch = "x86_64")]
                            Level::Avx512 => i_3_loop_avx512(range.start, range.end, x_in, y_in, tmp.get()),
                            #[cfg(target_arch = "x86_64")]
                            Level::Avx2 => i_3_loop_avx2(range.start, range.end, x_in, y_in, tmp.get()),
                            _ => i_3_loop_baseline(range.start, range.end, x_in, y_in, tmp.get()),
                        }
                    }
                };
                ::rise::private::for_each(i_3_end, grain, &task);
            }
            let mut accum_6: f32 = 0.0f32;
            let i_5_end: usize = n / 65536;
            let mut i_5 = 0usize;
            while i_5 < i_5_end {
                accum_6 = accum_6 + *tmp.add(i_5);
                i_5 += 1;
            }
            accum_3 = accum_6 + (Simd::lane(tmp_2, 0) + Simd::lane(tmp_2, 8) + (Simd::lane(tmp_2, 4) + Simd::lane(tmp_2, 12)) + (Simd::lane(tmp_2, 2) + Simd::lane(tmp_2, 10) + (Simd::lane(tmp_2, 6) + Simd::lane(tmp_2, 14))) + (Simd::lane(tmp_2, 1) + Simd::lane(tmp_2, 9) + (Simd::lane(tmp_2, 5) + Simd::lane(tmp_2, 13)) + (Simd::lane(tmp_2, 3) + Simd::lane(tmp_2, 11) + (Simd::lane(tmp_2, 7) + Simd::lane(tmp_2, 15)))));
            let i_6_end: usize = n - (n / 16) * 16;
            let mut i_6 = 0usize;
            while i_6 < i_6_end {
                accum_3 = accum_3 + *x.add(i_6 + (n / 16) * 16) * (*y.add(i_6 + (n / 16) * 16));
                i_6 += 1;
            }
            *output = accum_3;
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
    unsafe fn avx512(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32, tmp: *mut f32) {
        unsafe { body::<::rise::private::Avx512>(n, x_in, y_in, output, tmp) }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn avx2(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32, tmp: *mut f32) {
        unsafe { body::<::rise::private::Avx2>(n, x_in, y_in, output, tmp) }
    }
    unsafe fn baseline(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32, tmp: *mut f32) {
        unsafe { body::<::rise::private::Baseline>(n, x_in, y_in, output, tmp) }
    }

    let level = ::rise::private::level()?;
    let mut plan = ::rise::private::Plan::new();
    let mut size = 0usize;
    let tmp = plan.place::<f32>(n / 65536)?;
    size = size.max(plan.bytes());
    let scratch = ::rise::private::Scratch::new(size)?;
    unsafe {
        let x_in = ::core::slice::from_raw_parts(x, n);
        let y_in = ::core::slice::from_raw_parts(y, n);
        let tmp = scratch.at::<f32>(tmp);
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => avx512(n, x_in, y_in, output, tmp),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2(n, x_in, y_in, output, tmp),
            _ => baseline(n, x_in, y_in, output, tmp),
        }
    }
    ::core::result::Result::Ok(())
}
