#[doc(hidden)]
#[allow(unused, unreachable_pub, unsafe_op_in_unsafe_fn, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
mod __rise_binomial_run {
    use ::core::{cmp::{max, min}, ops::Range};
    use ::rise::private::{self, Cost, Float, Int, Isa, Level, Mask, SendPtr, Share, Simd, V, apart, ask, ask_by_room, div, floor_div, floor_rem, for_each, rem};

    #[inline(always)]
    unsafe fn body<S: Isa>(n: usize, x_in: &[f32], output: *mut f32) {
        let x = x_in.as_ptr();
        // mapSeq
        let x_value: f32 = *x;
        *output = (x_value + 2.0f32 * x_value + *x.add(min(1, n - 1))) / 4.0f32;
        let peeled = n.saturating_sub(2);
        let mut i = 0;
        while i < peeled {
            *output.add(i + 1) = (*x.add(i) + 2.0f32 * (*x.add(i + 1)) + *x.add(i + 2)) / 4.0f32;
            i += 1;
        }
        if (peeled + 1) < n {
            *output.add(peeled + 1) = (*x.add(peeled) + 2.0f32 * (*x.add(peeled + 1)) + *x.add(min(n - 1, peeled + 2))) / 4.0f32;
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn avx512(n: usize, x_in: &[f32], output: *mut f32) {
        body::<private::Avx512>(n, x_in, output)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn avx2(n: usize, x_in: &[f32], output: *mut f32) {
        body::<private::Avx2>(n, x_in, output)
    }
    #[inline(never)]
    unsafe fn baseline(n: usize, x_in: &[f32], output: *mut f32) {
        body::<private::Baseline>(n, x_in, output)
    }

#[inline]
pub unsafe fn run(n: usize, x: *const f32, output: *mut f32) -> ::core::result::Result<(), ::rise::Error> {
    let level = private::level()?;
    let x_in = ::core::slice::from_raw_parts(x, n);
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => avx512(n, x_in, output),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => avx2(n, x_in, output),
        _ => baseline(n, x_in, output),
    }
    ::core::result::Result::Ok(())
}
}
use __rise_binomial_run::run as __rise_binomial_run;
