#[doc(hidden)]
#[allow(unused, unreachable_pub, unsafe_op_in_unsafe_fn, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
mod __rise_dot_run {
    use ::core::{cmp::{max, min}, ops::Range};
    use ::rise::private::{self, Cost, Float, Int, Isa, Level, Mask, SendPtr, Share, Simd, V, apart, ask, ask_by_room, div, floor_div, floor_rem, for_each, rem};
    type F32x4<S> = V<S, f32, 4>;
    type F32x8<S> = V<S, f32, 8>;
    type F32x16<S> = V<S, f32, 16>;

    #[inline(always)]
    unsafe fn i_3_loop<S: Isa>(range: Range<usize>, x_in: &[f32], y_in: &[f32], tmp: *mut f32) {
        let x = x_in.as_ptr();
        let y = y_in.as_ptr();
        let mut i_3 = range.start;
        while i_3 < range.end {
            // mapVec, reduceSeq, mapVec, mapSeqUnroll, reduceSeq, mapSeqUnroll, mapVec
            let start = <F32x16<S>>::splat(0.0);
            let (mut accum0, mut accum1, mut accum2, mut accum3, mut accum4, mut accum5, mut accum6, mut accum7) = (start, start, start, start, start, start, start, start);
            let mut i = 0usize;
            while i < 512 {
                // mapSeqUnroll, mapVec
                accum0 = S::mul_add(<F32x16<S>>::load(x.add(i_3 * 65536 + i * 128)), <F32x16<S>>::load(y.add(i_3 * 65536 + i * 128)), accum0);
                accum1 = S::mul_add(<F32x16<S>>::load(x.add(i_3 * 65536 + i * 128 + 16)), <F32x16<S>>::load(y.add(i_3 * 65536 + i * 128 + 16)), accum1);
                accum2 = S::mul_add(<F32x16<S>>::load(x.add(i_3 * 65536 + i * 128 + 32)), <F32x16<S>>::load(y.add(i_3 * 65536 + i * 128 + 32)), accum2);
                accum3 = S::mul_add(<F32x16<S>>::load(x.add(i_3 * 65536 + i * 128 + 48)), <F32x16<S>>::load(y.add(i_3 * 65536 + i * 128 + 48)), accum3);
                accum4 = S::mul_add(<F32x16<S>>::load(x.add(i_3 * 65536 + i * 128 + 64)), <F32x16<S>>::load(y.add(i_3 * 65536 + i * 128 + 64)), accum4);
                accum5 = S::mul_add(<F32x16<S>>::load(x.add(i_3 * 65536 + i * 128 + 80)), <F32x16<S>>::load(y.add(i_3 * 65536 + i * 128 + 80)), accum5);
                accum6 = S::mul_add(<F32x16<S>>::load(x.add(i_3 * 65536 + i * 128 + 96)), <F32x16<S>>::load(y.add(i_3 * 65536 + i * 128 + 96)), accum6);
                accum7 = S::mul_add(<F32x16<S>>::load(x.add(i_3 * 65536 + i * 128 + 112)), <F32x16<S>>::load(y.add(i_3 * 65536 + i * 128 + 112)), accum7);
                i += 1;
            }
            // mapVec, mapSeqUnroll, mapVec
            let mut tmp0: F32x16<S> = Simd::add(accum0, accum4);
            let mut tmp1: F32x16<S> = Simd::add(accum1, accum5);
            let mut tmp2: F32x16<S> = Simd::add(accum2, accum6);
            let mut tmp3: F32x16<S> = Simd::add(accum3, accum7);
            // mapSeqUnroll, mapVec
            let mut tmp0_2: F32x16<S> = Simd::add(tmp0, tmp2);
            let mut tmp1_2: F32x16<S> = Simd::add(tmp1, tmp3);
            // mapVec
            let mut tmp_2: F32x16<S> = Simd::add(tmp0_2, tmp1_2);
            // mapVec, reduceSeq, mapVec
            let mut tmp_3: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(tmp_2, false), Simd::half::<F32x8<S>>(tmp_2, true));
            // mapVec, reduceSeq, mapVec
            let mut tmp_4: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(tmp_3, false), Simd::half::<F32x4<S>>(tmp_3, true));
            // reduceSeq
            let mut accum: f32 = 0.0f32 + (Simd::lane(tmp_4, 0) + Simd::lane(tmp_4, 2) + (Simd::lane(tmp_4, 1) + Simd::lane(tmp_4, 3)));
            *tmp.add(i_3) = accum;
            i_3 += 1;
        }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn i_3_loop_avx512(range: Range<usize>, x_in: &[f32], y_in: &[f32], tmp: *mut f32) {
        i_3_loop::<private::Avx512>(range, x_in, y_in, tmp)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn i_3_loop_avx2(range: Range<usize>, x_in: &[f32], y_in: &[f32], tmp: *mut f32) {
        i_3_loop::<private::Avx2>(range, x_in, y_in, tmp)
    }
    #[inline(never)]
    unsafe fn i_3_loop_baseline(range: Range<usize>, x_in: &[f32], y_in: &[f32], tmp: *mut f32) {
        i_3_loop::<private::Baseline>(range, x_in, y_in, tmp)
    }

    #[inline(always)]
    unsafe fn body<S: Isa>(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32, tmp: *mut f32) {
        let x = x_in.as_ptr();
        let y = y_in.as_ptr();
        // mapVec, reduceSeq, mapVec, mapSeqUnroll, reduceSeq, mapSeqUnroll, mapVec
        let start = <F32x16<S>>::splat(0.0);
        let (mut accum0, mut accum1, mut accum2, mut accum3, mut accum4, mut accum5, mut accum6, mut accum7) = (start, start, start, start, start, start, start, start);
        let i_end = n / 128 - (n / 65536) * 512;
        let mut i = 0;
        while i < i_end {
            // mapSeqUnroll, mapVec
            let at = i * 128 + (n / 65536) * 65536;
            accum0 = S::mul_add(<F32x16<S>>::load(x.add(at)), <F32x16<S>>::load(y.add(at)), accum0);
            accum1 = S::mul_add(<F32x16<S>>::load(x.add(at + 16)), <F32x16<S>>::load(y.add(at + 16)), accum1);
            accum2 = S::mul_add(<F32x16<S>>::load(x.add(at + 32)), <F32x16<S>>::load(y.add(at + 32)), accum2);
            accum3 = S::mul_add(<F32x16<S>>::load(x.add(at + 48)), <F32x16<S>>::load(y.add(at + 48)), accum3);
            accum4 = S::mul_add(<F32x16<S>>::load(x.add(at + 64)), <F32x16<S>>::load(y.add(at + 64)), accum4);
            accum5 = S::mul_add(<F32x16<S>>::load(x.add(at + 80)), <F32x16<S>>::load(y.add(at + 80)), accum5);
            accum6 = S::mul_add(<F32x16<S>>::load(x.add(at + 96)), <F32x16<S>>::load(y.add(at + 96)), accum6);
            accum7 = S::mul_add(<F32x16<S>>::load(x.add(at + 112)), <F32x16<S>>::load(y.add(at + 112)), accum7);
            i += 1;
        }
        // mapVec, mapSeqUnroll, mapVec
        let mut tmp0: F32x16<S> = Simd::add(accum0, accum4);
        let mut tmp1: F32x16<S> = Simd::add(accum1, accum5);
        let mut tmp2: F32x16<S> = Simd::add(accum2, accum6);
        let mut tmp3: F32x16<S> = Simd::add(accum3, accum7);
        // mapSeqUnroll, mapVec
        let mut tmp0_2: F32x16<S> = Simd::add(tmp0, tmp2);
        let mut tmp1_2: F32x16<S> = Simd::add(tmp1, tmp3);
        // mapVec
        let mut accum: F32x16<S> = Simd::add(tmp0_2, tmp1_2);
        let i_2_end = n / 16 - (n / 128) * 8;
        let mut i_2 = 0;
        while i_2 < i_2_end {
            // mapVec
            accum = S::mul_add(<F32x16<S>>::load(x.add(i_2 * 16 + (n / 128) * 128)), <F32x16<S>>::load(y.add(i_2 * 16 + (n / 128) * 128)), accum);
            i_2 += 1;
        }
        // mapVec, reduceSeq, mapVec
        let mut accum_2: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(accum, false), Simd::half::<F32x8<S>>(accum, true));
        if (n / 16) * 2 < n / 8 {
            // mapVec
            accum_2 = S::mul_add(<F32x8<S>>::load(x.add((n / 16) * 16)), <F32x8<S>>::load(y.add((n / 16) * 16)), accum_2);
        }
        // mapVec, reduceSeq, mapVec
        let mut accum_3: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(accum_2, false), Simd::half::<F32x4<S>>(accum_2, true));
        if (n / 8) * 2 < n / 4 {
            // mapVec
            accum_3 = S::mul_add(<F32x4<S>>::load(x.add((n / 8) * 8)), <F32x4<S>>::load(y.add((n / 8) * 8)), accum_3);
        }
        // reduceSeq, reduceSeq, mapPar
        let i_3_end = n / 65536;
        if 0 < i_3_end {
            let cost = 263360;
            let tmp = SendPtr::new(tmp);
            let task = move |range: Range<usize>| {
                match S::LEVEL {
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx512 => i_3_loop_avx512(range, x_in, y_in, tmp.get()),
                    #[cfg(target_arch = "x86_64")]
                    Level::Avx2 => i_3_loop_avx2(range, x_in, y_in, tmp.get()),
                    _ => i_3_loop_baseline(range, x_in, y_in, tmp.get()),
                }
            };
            for_each(i_3_end, cost, &task);
        }
        let mut accum_4: f32 = 0.0f32;
        let i_4_end = n / 65536;
        let mut i_4 = 0;
        while i_4 < i_4_end {
            accum_4 = accum_4 + *tmp.add(i_4);
            i_4 += 1;
        }
        let mut accum_5: f32 = accum_4 + (Simd::lane(accum_3, 0) + Simd::lane(accum_3, 2) + (Simd::lane(accum_3, 1) + Simd::lane(accum_3, 3)));
        let i_5_end = n - (n / 4) * 4;
        let mut i_5 = 0;
        while i_5 < i_5_end {
            accum_5 = S::mul_add(*x.add(i_5 + (n / 4) * 4), *y.add(i_5 + (n / 4) * 4), accum_5);
            i_5 += 1;
        }
        *output = accum_5;
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn avx512(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32, tmp: *mut f32) {
        body::<private::Avx512>(n, x_in, y_in, output, tmp)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn avx2(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32, tmp: *mut f32) {
        body::<private::Avx2>(n, x_in, y_in, output, tmp)
    }
    #[inline(never)]
    unsafe fn baseline(n: usize, x_in: &[f32], y_in: &[f32], output: *mut f32, tmp: *mut f32) {
        body::<private::Baseline>(n, x_in, y_in, output, tmp)
    }

#[inline]
pub unsafe fn run(n: usize, x: *const f32, y: *const f32, output: *mut f32) -> ::core::result::Result<(), ::rise::Error> {
    let level = private::level()?;
    let mut plan = private::Plan::new();
    let mut size = 0usize;
    let tmp = plan.place::<f32>(n / 65536)?;
    size = size.max(plan.bytes());
    let scratch = private::Scratch::new(size)?;
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
    ::core::result::Result::Ok(())
}
}
use __rise_dot_run::run as __rise_dot_run;
