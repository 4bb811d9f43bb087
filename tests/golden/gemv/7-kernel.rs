#[doc(hidden)]
#[inline]
#[allow(unused, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
unsafe fn __rise_gemv_run(m: usize, n: usize, a: *const f32, x: *const f32, y: *const f32, alpha: f32, beta: f32, output: *mut f32) -> ::core::result::Result<(), ::rise::Error> {
    use ::core::cmp::{max, min};
    use ::rise::private::{Float, Int, Isa, Level, Mask, Simd, V, div, floor_div, floor_rem, rem};
    type F32x16<S> = V<S, f32, 16>;

    #[inline(always)]
    unsafe fn i_loop<S: Isa>(start: usize, end: usize, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        unsafe {
            let a = a_in.as_ptr();
            let x = x_in.as_ptr();
            let y = y_in.as_ptr();
            let mut i = start;
            while i < end {
                let mut tmp: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                // mapVec
                // reduceSeq
                let mut accum: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                // mapVec
                let mut tmp0: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut tmp1: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut tmp2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut tmp3: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut tmp4: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut tmp5: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut tmp6: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut tmp7: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                // mapSeqUnroll
                // reduceSeq
                // mapSeqUnroll
                // mapVec
                let mut accum0: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum1: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum2: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum3: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum4: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum5: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum6: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let mut accum7: F32x16<S> = <F32x16<S>>::splat(0.0f32);
                let i_2_end: usize = n / 256;
                let mut i_2 = 0usize;
                while i_2 < i_2_end {
                    // mapSeqUnroll
                    // mapVec
                    accum0 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256)), <F32x16<S>>::load(x.add(i_2 * 256)), accum0);
                    accum1 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 16)), <F32x16<S>>::load(x.add(i_2 * 256 + 16)), accum1);
                    accum2 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 32)), <F32x16<S>>::load(x.add(i_2 * 256 + 32)), accum2);
                    accum3 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 48)), <F32x16<S>>::load(x.add(i_2 * 256 + 48)), accum3);
                    accum4 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 64)), <F32x16<S>>::load(x.add(i_2 * 256 + 64)), accum4);
                    accum5 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 80)), <F32x16<S>>::load(x.add(i_2 * 256 + 80)), accum5);
                    accum6 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 96)), <F32x16<S>>::load(x.add(i_2 * 256 + 96)), accum6);
                    accum7 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 112)), <F32x16<S>>::load(x.add(i_2 * 256 + 112)), accum7);
                    accum0 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 128)), <F32x16<S>>::load(x.add(i_2 * 256 + 128)), accum0);
                    accum1 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 144)), <F32x16<S>>::load(x.add(i_2 * 256 + 144)), accum1);
                    accum2 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 160)), <F32x16<S>>::load(x.add(i_2 * 256 + 160)), accum2);
                    accum3 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 176)), <F32x16<S>>::load(x.add(i_2 * 256 + 176)), accum3);
                    accum4 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 192)), <F32x16<S>>::load(x.add(i_2 * 256 + 192)), accum4);
                    accum5 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 208)), <F32x16<S>>::load(x.add(i_2 * 256 + 208)), accum5);
                    accum6 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 224)), <F32x16<S>>::load(x.add(i_2 * 256 + 224)), accum6);
                    accum7 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_2 * 256 + 240)), <F32x16<S>>::load(x.add(i_2 * 256 + 240)), accum7);
                    i_2 += 1;
                }
                let i_3_end: usize = n / 128 - (n / 256) * 2;
                let mut i_3 = 0usize;
                while i_3 < i_3_end {
                    // mapSeqUnroll
                    // mapVec
                    accum0 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_3 * 128 + (n / 256) * 256)), <F32x16<S>>::load(x.add(i_3 * 128 + (n / 256) * 256)), accum0);
                    accum1 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_3 * 128 + (n / 256) * 256 + 16)), <F32x16<S>>::load(x.add(i_3 * 128 + (n / 256) * 256 + 16)), accum1);
                    accum2 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_3 * 128 + (n / 256) * 256 + 32)), <F32x16<S>>::load(x.add(i_3 * 128 + (n / 256) * 256 + 32)), accum2);
                    accum3 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_3 * 128 + (n / 256) * 256 + 48)), <F32x16<S>>::load(x.add(i_3 * 128 + (n / 256) * 256 + 48)), accum3);
                    accum4 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_3 * 128 + (n / 256) * 256 + 64)), <F32x16<S>>::load(x.add(i_3 * 128 + (n / 256) * 256 + 64)), accum4);
                    accum5 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_3 * 128 + (n / 256) * 256 + 80)), <F32x16<S>>::load(x.add(i_3 * 128 + (n / 256) * 256 + 80)), accum5);
                    accum6 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_3 * 128 + (n / 256) * 256 + 96)), <F32x16<S>>::load(x.add(i_3 * 128 + (n / 256) * 256 + 96)), accum6);
                    accum7 = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_3 * 128 + (n / 256) * 256 + 112)), <F32x16<S>>::load(x.add(i_3 * 128 + (n / 256) * 256 + 112)), accum7);
                    i_3 += 1;
                }
                // mapVec
                tmp0 = accum0;
                tmp1 = accum1;
                tmp2 = accum2;
                tmp3 = accum3;
                tmp4 = accum4;
                tmp5 = accum5;
                tmp6 = accum6;
                tmp7 = accum7;
                // mapSeqUnroll
                // mapVec
                let mut tmp0_2: F32x16<S> = Simd::add(tmp0, tmp4);
                let mut tmp1_2: F32x16<S> = Simd::add(tmp1, tmp5);
                let mut tmp2_2: F32x16<S> = Simd::add(tmp2, tmp6);
                let mut tmp3_2: F32x16<S> = Simd::add(tmp3, tmp7);
                // mapSeqUnroll
                // mapVec
                let mut tmp0_3: F32x16<S> = Simd::add(tmp0_2, tmp2_2);
                let mut tmp1_3: F32x16<S> = Simd::add(tmp1_2, tmp3_2);
                // mapVec
                accum = Simd::add(tmp0_3, tmp1_3);
                let i_4_end: usize = n / 16 - (n / 128) * 8;
                let mut i_4 = 0usize;
                while i_4 < i_4_end {
                    // mapVec
                    accum = S::mul_add(<F32x16<S>>::load(a.add(n * i + i_4 * 16 + (n / 128) * 128)), <F32x16<S>>::load(x.add(i_4 * 16 + (n / 128) * 128)), accum);
                    i_4 += 1;
                }
                tmp = accum;
                // 'dot: reduceSeq
                let mut accum_2: f32 = 0.0f32 + (Simd::lane(tmp, 0) + Simd::lane(tmp, 8) + (Simd::lane(tmp, 4) + Simd::lane(tmp, 12)) + (Simd::lane(tmp, 2) + Simd::lane(tmp, 10) + (Simd::lane(tmp, 6) + Simd::lane(tmp, 14))) + (Simd::lane(tmp, 1) + Simd::lane(tmp, 9) + (Simd::lane(tmp, 5) + Simd::lane(tmp, 13)) + (Simd::lane(tmp, 3) + Simd::lane(tmp, 11) + (Simd::lane(tmp, 7) + Simd::lane(tmp, 15)))));
                let i_5_end: usize = n - (n / 16) * 16;
                let mut i_5 = 0usize;
                while i_5 < i_5_end {
                    accum_2 = S::mul_add(*a.add(n * i + i_5 + (n / 16) * 16), *x.add(i_5 + (n / 16) * 16), accum_2);
                    i_5 += 1;
                }
                *output.add(i) = alpha * accum_2 + beta * (*y.add(i));
                i += 1;
            }
        }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
    #[inline(never)]
    unsafe fn i_loop_avx512(start: usize, end: usize, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        unsafe { i_loop::<::rise::private::Avx512>(start, end, n, alpha, beta, a_in, x_in, y_in, output) }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn i_loop_avx2(start: usize, end: usize, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        unsafe { i_loop::<::rise::private::Avx2>(start, end, n, alpha, beta, a_in, x_in, y_in, output) }
    }
    #[inline(never)]
    unsafe fn i_loop_baseline(start: usize, end: usize, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        unsafe { i_loop::<::rise::private::Baseline>(start, end, n, alpha, beta, a_in, x_in, y_in, output) }
    }

    #[inline(always)]
    unsafe fn body<S: Isa>(m: usize, n: usize, a_in: &[f32], x_in: &[f32], y_in: &[f32], alpha: f32, beta: f32, output: *mut f32) {
        unsafe {
            let a = a_in.as_ptr();
            let x = x_in.as_ptr();
            let y = y_in.as_ptr();
            // 'rows: mapPar
            {
                if 0 < m {
                    let grain = ::rise::private::grain(n.saturating_mul(2).saturating_add((n / 16).saturating_mul(2)).saturating_add((n / 128).saturating_mul(16)).saturating_add((n / 256).saturating_mul(32)).saturating_add(72));
                    let shared = (n, alpha, beta, a_in, x_in, y_in, ::rise::private::SendPtr::new(output));
                    let task = |range: ::core::ops::Range<usize>| {
                        let (n, alpha, beta, a_in, x_in, y_in, output) = shared;
                        unsafe {
                            match S::LEVEL {
                                #[cfg(target_arch = "x86_64")]
                                Level::Avx512 => i_loop_avx512(range.start, range.end, n, alpha, beta, a_in, x_in, y_in, output.get()),
                                #[cfg(target_arch = "x86_64")]
                                Level::Avx2 => i_loop_avx2(range.start, range.end, n, alpha, beta, a_in, x_in, y_in, output.get()),
                                _ => i_loop_baseline(range.start, range.end, n, alpha, beta, a_in, x_in, y_in, output.get()),
                            }
                        }
                    };
                    ::rise::private::for_each(m, grain, &task);
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
    #[inline(never)]
    unsafe fn avx512(m: usize, n: usize, a_in: &[f32], x_in: &[f32], y_in: &[f32], alpha: f32, beta: f32, output: *mut f32) {
        unsafe { body::<::rise::private::Avx512>(m, n, a_in, x_in, y_in, alpha, beta, output) }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn avx2(m: usize, n: usize, a_in: &[f32], x_in: &[f32], y_in: &[f32], alpha: f32, beta: f32, output: *mut f32) {
        unsafe { body::<::rise::private::Avx2>(m, n, a_in, x_in, y_in, alpha, beta, output) }
    }
    #[inline(never)]
    unsafe fn baseline(m: usize, n: usize, a_in: &[f32], x_in: &[f32], y_in: &[f32], alpha: f32, beta: f32, output: *mut f32) {
        unsafe { body::<::rise::private::Baseline>(m, n, a_in, x_in, y_in, alpha, beta, output) }
    }

    let level = ::rise::private::level()?;
    unsafe {
        let a_in = ::core::slice::from_raw_parts(a, m * n);
        let x_in = ::core::slice::from_raw_parts(x, n);
        let y_in = ::core::slice::from_raw_parts(y, m);
        match level {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => avx512(m, n, a_in, x_in, y_in, alpha, beta, output),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2(m, n, a_in, x_in, y_in, alpha, beta, output),
            _ => baseline(m, n, a_in, x_in, y_in, alpha, beta, output),
        }
    }
    ::core::result::Result::Ok(())
}
