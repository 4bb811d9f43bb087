#[doc(hidden)]
#[allow(unused, unreachable_pub, unsafe_op_in_unsafe_fn, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
mod __rise_gemv_run {
    use ::core::{cmp::{max, min}, ops::Range};
    use ::rise::private::{self, Cost, Float, Int, Isa, Level, Mask, SendPtr, Share, Simd, V, apart, ask, ask_by_room, div, floor_div, floor_rem, for_each, rem};
    type F32x4<S> = V<S, f32, 4>;
    type F32x8<S> = V<S, f32, 8>;
    type F32x16<S> = V<S, f32, 16>;

mod i_loop {
    use super::*;
    #[inline(always)]
    unsafe fn i_loop<S: Isa>(range: Range<usize>, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        let a = a_in.as_ptr();
        let x = x_in.as_ptr();
        let y = y_in.as_ptr();
        let mut i = range.start;
        while i < range.end {
            // mapSeqUnroll, reduceSeq, mapSeqUnroll, mapSeqUnroll, mapSeqUnroll, reduceSeq, mapSeqUnroll, mapSeqUnroll, mapSeqUnroll, reduceSeq, mapSeqUnroll, mapVec
            let start = <F32x16<S>>::splat(0.0);
            let (mut accum0, mut accum1, mut accum2, mut accum3, mut accum4, mut accum5) = (start, start, start, start, start, start);
            let at = apart(n * i * 6);
            let at_2 = apart(n * i * 6 + n * 2);
            let at_3 = apart(n * i * 6 + n * 4);
            let i_2_end = n / 64;
            let mut i_2 = 0;
            while i_2 < i_2_end {
                // mapSeqUnroll, mapVec
                let p = <F32x16<S>>::load(x.add(i_2 * 64));
                accum0 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at)), p, accum0);
                accum1 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at)), p, accum1);
                accum2 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at_2)), p, accum2);
                accum3 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at_2)), p, accum3);
                accum4 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at_3)), p, accum4);
                accum5 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at_3)), p, accum5);
                let p_2 = <F32x16<S>>::load(x.add(i_2 * 64 + 16));
                accum0 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at + 16)), p_2, accum0);
                accum1 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at + 16)), p_2, accum1);
                accum2 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at_2 + 16)), p_2, accum2);
                accum3 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at_2 + 16)), p_2, accum3);
                accum4 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at_3 + 16)), p_2, accum4);
                accum5 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at_3 + 16)), p_2, accum5);
                let p_3 = <F32x16<S>>::load(x.add(i_2 * 64 + 32));
                accum0 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at + 32)), p_3, accum0);
                accum1 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at + 32)), p_3, accum1);
                accum2 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at_2 + 32)), p_3, accum2);
                accum3 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at_2 + 32)), p_3, accum3);
                accum4 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at_3 + 32)), p_3, accum4);
                accum5 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at_3 + 32)), p_3, accum5);
                let p_4 = <F32x16<S>>::load(x.add(i_2 * 64 + 48));
                accum0 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at + 48)), p_4, accum0);
                accum1 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at + 48)), p_4, accum1);
                accum2 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at_2 + 48)), p_4, accum2);
                accum3 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at_2 + 48)), p_4, accum3);
                accum4 = S::mul_add(<F32x16<S>>::load(a.add(i_2 * 64 + at_3 + 48)), p_4, accum4);
                accum5 = S::mul_add(<F32x16<S>>::load(a.add(n + i_2 * 64 + at_3 + 48)), p_4, accum5);
                i_2 += 1;
            }
            let i_3_end = n / 16 - (n / 64) * 4;
            let mut i_3 = 0;
            while i_3 < i_3_end {
                // mapSeqUnroll, mapVec
                let at_4 = i_3 * 16 + (n / 64) * 64;
                let p_5 = <F32x16<S>>::load(x.add(at_4));
                accum0 = S::mul_add(<F32x16<S>>::load(a.add(n * i * 6 + at_4)), p_5, accum0);
                accum1 = S::mul_add(<F32x16<S>>::load(a.add(n * i * 6 + n + at_4)), p_5, accum1);
                accum2 = S::mul_add(<F32x16<S>>::load(a.add(n * i * 6 + n * 2 + at_4)), p_5, accum2);
                accum3 = S::mul_add(<F32x16<S>>::load(a.add(n * i * 6 + n * 3 + at_4)), p_5, accum3);
                accum4 = S::mul_add(<F32x16<S>>::load(a.add(n * i * 6 + n * 4 + at_4)), p_5, accum4);
                accum5 = S::mul_add(<F32x16<S>>::load(a.add(n * i * 6 + n * 5 + at_4)), p_5, accum5);
                i_3 += 1;
            }
            // mapVec, mapVec
            let mut accum0_2: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(accum0, false), Simd::half::<F32x8<S>>(accum0, true));
            let mut accum1_2: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(accum1, false), Simd::half::<F32x8<S>>(accum1, true));
            let mut accum2_2: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(accum2, false), Simd::half::<F32x8<S>>(accum2, true));
            let mut accum3_2: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(accum3, false), Simd::half::<F32x8<S>>(accum3, true));
            let mut accum4_2: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(accum4, false), Simd::half::<F32x8<S>>(accum4, true));
            let mut accum5_2: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(accum5, false), Simd::half::<F32x8<S>>(accum5, true));
            // mapVec
            if (n / 16) * 2 < n / 8 {
                // mapSeqUnroll, mapVec
                let p_6 = <F32x8<S>>::load(x.add((n / 16) * 16));
                let at_5 = n * i * 6 + (n / 16) * 16;
                accum0_2 = S::mul_add(<F32x8<S>>::load(a.add(at_5)), p_6, accum0_2);
                accum1_2 = S::mul_add(<F32x8<S>>::load(a.add(n + at_5)), p_6, accum1_2);
                accum2_2 = S::mul_add(<F32x8<S>>::load(a.add(n * 2 + at_5)), p_6, accum2_2);
                accum3_2 = S::mul_add(<F32x8<S>>::load(a.add(n * 3 + at_5)), p_6, accum3_2);
                accum4_2 = S::mul_add(<F32x8<S>>::load(a.add(n * 4 + at_5)), p_6, accum4_2);
                accum5_2 = S::mul_add(<F32x8<S>>::load(a.add(n * 5 + at_5)), p_6, accum5_2);
            }
            // mapVec, mapVec
            let mut accum0_3: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(accum0_2, false), Simd::half::<F32x4<S>>(accum0_2, true));
            let mut accum1_3: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(accum1_2, false), Simd::half::<F32x4<S>>(accum1_2, true));
            let mut accum2_3: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(accum2_2, false), Simd::half::<F32x4<S>>(accum2_2, true));
            let mut accum3_3: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(accum3_2, false), Simd::half::<F32x4<S>>(accum3_2, true));
            let mut accum4_3: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(accum4_2, false), Simd::half::<F32x4<S>>(accum4_2, true));
            let mut accum5_3: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(accum5_2, false), Simd::half::<F32x4<S>>(accum5_2, true));
            // mapVec
            if (n / 8) * 2 < n / 4 {
                // mapSeqUnroll, mapVec
                let p_7 = <F32x4<S>>::load(x.add((n / 8) * 8));
                let at_6 = n * i * 6 + (n / 8) * 8;
                accum0_3 = S::mul_add(<F32x4<S>>::load(a.add(at_6)), p_7, accum0_3);
                accum1_3 = S::mul_add(<F32x4<S>>::load(a.add(n + at_6)), p_7, accum1_3);
                accum2_3 = S::mul_add(<F32x4<S>>::load(a.add(n * 2 + at_6)), p_7, accum2_3);
                accum3_3 = S::mul_add(<F32x4<S>>::load(a.add(n * 3 + at_6)), p_7, accum3_3);
                accum4_3 = S::mul_add(<F32x4<S>>::load(a.add(n * 4 + at_6)), p_7, accum4_3);
                accum5_3 = S::mul_add(<F32x4<S>>::load(a.add(n * 5 + at_6)), p_7, accum5_3);
            }
            // mapVec, mapSeq, 'dot: reduceSeq
            let mut accum: f32 = 0.0f32 + (Simd::lane(accum0_3, 0) + Simd::lane(accum0_3, 2) + (Simd::lane(accum0_3, 1) + Simd::lane(accum0_3, 3)));
            // 'dot: reduceSeq
            let mut accum_2: f32 = 0.0f32 + (Simd::lane(accum1_3, 0) + Simd::lane(accum1_3, 2) + (Simd::lane(accum1_3, 1) + Simd::lane(accum1_3, 3)));
            // 'dot: reduceSeq
            let mut accum_3: f32 = 0.0f32 + (Simd::lane(accum2_3, 0) + Simd::lane(accum2_3, 2) + (Simd::lane(accum2_3, 1) + Simd::lane(accum2_3, 3)));
            // 'dot: reduceSeq
            let mut accum_4: f32 = 0.0f32 + (Simd::lane(accum3_3, 0) + Simd::lane(accum3_3, 2) + (Simd::lane(accum3_3, 1) + Simd::lane(accum3_3, 3)));
            // 'dot: reduceSeq
            let mut accum_5: f32 = 0.0f32 + (Simd::lane(accum4_3, 0) + Simd::lane(accum4_3, 2) + (Simd::lane(accum4_3, 1) + Simd::lane(accum4_3, 3)));
            // 'dot: reduceSeq
            let mut accum_6: f32 = 0.0f32 + (Simd::lane(accum5_3, 0) + Simd::lane(accum5_3, 2) + (Simd::lane(accum5_3, 1) + Simd::lane(accum5_3, 3)));
            let i_4_end = n - (n / 4) * 4;
            let mut i_4 = 0;
            while i_4 < i_4_end {
                let x_value: f32 = *x.add(i_4 + (n / 4) * 4);
                accum = S::mul_add(*a.add(n * i * 6 + i_4 + (n / 4) * 4), x_value, accum);
                accum_2 = S::mul_add(*a.add(n * i * 6 + n + i_4 + (n / 4) * 4), x_value, accum_2);
                accum_3 = S::mul_add(*a.add(n * i * 6 + n * 2 + i_4 + (n / 4) * 4), x_value, accum_3);
                accum_4 = S::mul_add(*a.add(n * i * 6 + n * 3 + i_4 + (n / 4) * 4), x_value, accum_4);
                accum_5 = S::mul_add(*a.add(n * i * 6 + n * 4 + i_4 + (n / 4) * 4), x_value, accum_5);
                accum_6 = S::mul_add(*a.add(n * i * 6 + n * 5 + i_4 + (n / 4) * 4), x_value, accum_6);
                i_4 += 1;
            }
            *output.add(i * 6) = alpha * accum + beta * (*y.add(i * 6));
            *output.add(i * 6 + 1) = alpha * accum_2 + beta * (*y.add(i * 6 + 1));
            *output.add(i * 6 + 2) = alpha * accum_3 + beta * (*y.add(i * 6 + 2));
            *output.add(i * 6 + 3) = alpha * accum_4 + beta * (*y.add(i * 6 + 3));
            *output.add(i * 6 + 4) = alpha * accum_5 + beta * (*y.add(i * 6 + 4));
            *output.add(i * 6 + 5) = alpha * accum_6 + beta * (*y.add(i * 6 + 5));
            i += 1;
        }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    pub unsafe fn avx512(range: Range<usize>, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_loop::<private::Avx512>(range, n, alpha, beta, a_in, x_in, y_in, output)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    pub unsafe fn avx2(range: Range<usize>, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_loop::<private::Avx2>(range, n, alpha, beta, a_in, x_in, y_in, output)
    }
    #[inline(never)]
    pub unsafe fn baseline(range: Range<usize>, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_loop::<private::Baseline>(range, n, alpha, beta, a_in, x_in, y_in, output)
    }
}
mod i_2_loop {
    use super::*;
    #[inline(always)]
    unsafe fn i_2_loop<S: Isa>(range: Range<usize>, m: usize, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        let a = a_in.as_ptr();
        let x = x_in.as_ptr();
        let y = y_in.as_ptr();
        let mut i_2 = range.start;
        while i_2 < range.end {
            // mapVec, reduceSeq, mapVec, mapSeqUnroll, reduceSeq, mapSeqUnroll, mapVec
            let start = <F32x16<S>>::splat(0.0);
            let (mut accum0, mut accum1, mut accum2, mut accum3, mut accum4, mut accum5, mut accum6, mut accum7) = (start, start, start, start, start, start, start, start);
            let i_end = n / 128;
            let mut i = 0;
            while i < i_end {
                // mapSeqUnroll, mapVec
                let at = n * i_2 + n * (m / 6) * 6 + i * 128;
                accum0 = S::mul_add(<F32x16<S>>::load(a.add(at)), <F32x16<S>>::load(x.add(i * 128)), accum0);
                accum1 = S::mul_add(<F32x16<S>>::load(a.add(at + 16)), <F32x16<S>>::load(x.add(i * 128 + 16)), accum1);
                accum2 = S::mul_add(<F32x16<S>>::load(a.add(at + 32)), <F32x16<S>>::load(x.add(i * 128 + 32)), accum2);
                accum3 = S::mul_add(<F32x16<S>>::load(a.add(at + 48)), <F32x16<S>>::load(x.add(i * 128 + 48)), accum3);
                accum4 = S::mul_add(<F32x16<S>>::load(a.add(at + 64)), <F32x16<S>>::load(x.add(i * 128 + 64)), accum4);
                accum5 = S::mul_add(<F32x16<S>>::load(a.add(at + 80)), <F32x16<S>>::load(x.add(i * 128 + 80)), accum5);
                accum6 = S::mul_add(<F32x16<S>>::load(a.add(at + 96)), <F32x16<S>>::load(x.add(i * 128 + 96)), accum6);
                accum7 = S::mul_add(<F32x16<S>>::load(a.add(at + 112)), <F32x16<S>>::load(x.add(i * 128 + 112)), accum7);
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
            let i_3_end = n / 16 - (n / 128) * 8;
            let mut i_3 = 0;
            while i_3 < i_3_end {
                // mapVec
                accum = S::mul_add(<F32x16<S>>::load(a.add(n * i_2 + n * (m / 6) * 6 + i_3 * 16 + (n / 128) * 128)), <F32x16<S>>::load(x.add(i_3 * 16 + (n / 128) * 128)), accum);
                i_3 += 1;
            }
            // mapVec, reduceSeq, mapVec
            let mut accum_2: F32x8<S> = Simd::add(Simd::half::<F32x8<S>>(accum, false), Simd::half::<F32x8<S>>(accum, true));
            if (n / 16) * 2 < n / 8 {
                // mapVec
                accum_2 = S::mul_add(<F32x8<S>>::load(a.add(n * i_2 + n * (m / 6) * 6 + (n / 16) * 16)), <F32x8<S>>::load(x.add((n / 16) * 16)), accum_2);
            }
            // mapVec, reduceSeq, mapVec
            let mut accum_3: F32x4<S> = Simd::add(Simd::half::<F32x4<S>>(accum_2, false), Simd::half::<F32x4<S>>(accum_2, true));
            if (n / 8) * 2 < n / 4 {
                // mapVec
                accum_3 = S::mul_add(<F32x4<S>>::load(a.add(n * i_2 + n * (m / 6) * 6 + (n / 8) * 8)), <F32x4<S>>::load(x.add((n / 8) * 8)), accum_3);
            }
            // 'dot: reduceSeq
            let mut accum_4: f32 = 0.0f32 + (Simd::lane(accum_3, 0) + Simd::lane(accum_3, 2) + (Simd::lane(accum_3, 1) + Simd::lane(accum_3, 3)));
            let i_4_end = n - (n / 4) * 4;
            let mut i_4 = 0;
            while i_4 < i_4_end {
                accum_4 = S::mul_add(*a.add(n * i_2 + n * (m / 6) * 6 + i_4 + (n / 4) * 4), *x.add(i_4 + (n / 4) * 4), accum_4);
                i_4 += 1;
            }
            *output.add(i_2 + (m / 6) * 6) = alpha * accum_4 + beta * (*y.add(i_2 + (m / 6) * 6));
            i_2 += 1;
        }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    pub unsafe fn avx512(range: Range<usize>, m: usize, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_2_loop::<private::Avx512>(range, m, n, alpha, beta, a_in, x_in, y_in, output)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    pub unsafe fn avx2(range: Range<usize>, m: usize, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_2_loop::<private::Avx2>(range, m, n, alpha, beta, a_in, x_in, y_in, output)
    }
    #[inline(never)]
    pub unsafe fn baseline(range: Range<usize>, m: usize, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_2_loop::<private::Baseline>(range, m, n, alpha, beta, a_in, x_in, y_in, output)
    }
}
    #[inline(always)]
    unsafe fn i_3_loop<S: Isa>(range: Range<usize>, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        let a = a_in.as_ptr();
        let x = x_in.as_ptr();
        let y = y_in.as_ptr();
        let mut i_3 = range.start;
        while i_3 < range.end {
            // 'dot: reduceSeq
            let mut accum: f32 = 0.0f32;
            let mut i = 0;
            while i < n {
                accum = S::mul_add(*a.add(n * i_3 + i), *x.add(i), accum);
                i += 1;
            }
            *output.add(i_3) = alpha * accum + beta * (*y.add(i_3));
            i_3 += 1;
        }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn i_3_loop_avx512(range: Range<usize>, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_3_loop::<private::Avx512>(range, n, alpha, beta, a_in, x_in, y_in, output)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn i_3_loop_avx2(range: Range<usize>, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_3_loop::<private::Avx2>(range, n, alpha, beta, a_in, x_in, y_in, output)
    }
    #[inline(never)]
    unsafe fn i_3_loop_baseline(range: Range<usize>, n: usize, alpha: f32, beta: f32, a_in: &[f32], x_in: &[f32], y_in: &[f32], output: *mut f32) {
        i_3_loop::<private::Baseline>(range, n, alpha, beta, a_in, x_in, y_in, output)
    }

    #[inline(always)]
    unsafe fn body<S: Isa>(m: usize, n: usize, a_in: &[f32], x_in: &[f32], y_in: &[f32], alpha: f32, beta: f32, output: *mut f32) {
        let a = a_in.as_ptr();
        let x = x_in.as_ptr();
        let y = y_in.as_ptr();
        if 16 <= n {
            // mapPar
            let i_end = m / 6;
            if 0 < i_end {
                let cost = (n / 64).times(1792).plus(4207);
                let output = SendPtr::new(output);
                let task = move |range: Range<usize>| {
                    match S::LEVEL {
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx512 => i_loop::avx512(range, n, alpha, beta, a_in, x_in, y_in, output.get()),
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx2 => i_loop::avx2(range, n, alpha, beta, a_in, x_in, y_in, output.get()),
                        _ => i_loop::baseline(range, n, alpha, beta, a_in, x_in, y_in, output.get()),
                    }
                };
                for_each(i_end, cost, &task);
            }
            // mapPar
            let i_2_end = m - (m / 6) * 6;
            if 0 < i_2_end {
                let cost = (n / 128).times(512).plus(1666);
                let output = SendPtr::new(output);
                let task = move |range: Range<usize>| {
                    match S::LEVEL {
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx512 => i_2_loop::avx512(range, m, n, alpha, beta, a_in, x_in, y_in, output.get()),
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx2 => i_2_loop::avx2(range, m, n, alpha, beta, a_in, x_in, y_in, output.get()),
                        _ => i_2_loop::baseline(range, m, n, alpha, beta, a_in, x_in, y_in, output.get()),
                    }
                };
                for_each(i_2_end, cost, &task);
            }
        } else {
            // 'rows: mapPar
            if 0 < m {
                let cost = n.times(64).plus(128);
                let output = SendPtr::new(output);
                let task = move |range: Range<usize>| {
                    match S::LEVEL {
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx512 => i_3_loop_avx512(range, n, alpha, beta, a_in, x_in, y_in, output.get()),
                        #[cfg(target_arch = "x86_64")]
                        Level::Avx2 => i_3_loop_avx2(range, n, alpha, beta, a_in, x_in, y_in, output.get()),
                        _ => i_3_loop_baseline(range, n, alpha, beta, a_in, x_in, y_in, output.get()),
                    }
                };
                for_each(m, cost, &task);
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn avx512(m: usize, n: usize, a_in: &[f32], x_in: &[f32], y_in: &[f32], alpha: f32, beta: f32, output: *mut f32) {
        body::<private::Avx512>(m, n, a_in, x_in, y_in, alpha, beta, output)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn avx2(m: usize, n: usize, a_in: &[f32], x_in: &[f32], y_in: &[f32], alpha: f32, beta: f32, output: *mut f32) {
        body::<private::Avx2>(m, n, a_in, x_in, y_in, alpha, beta, output)
    }
    #[inline(never)]
    unsafe fn baseline(m: usize, n: usize, a_in: &[f32], x_in: &[f32], y_in: &[f32], alpha: f32, beta: f32, output: *mut f32) {
        body::<private::Baseline>(m, n, a_in, x_in, y_in, alpha, beta, output)
    }

#[inline]
pub unsafe fn run(m: usize, n: usize, a: *const f32, x: *const f32, y: *const f32, alpha: f32, beta: f32, output: *mut f32) -> ::core::result::Result<(), ::rise::Error> {
    let level = private::level()?;
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
    ::core::result::Result::Ok(())
}
}
use __rise_gemv_run::run as __rise_gemv_run;
