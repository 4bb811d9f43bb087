#[doc(hidden)]
#[allow(unused, unreachable_pub, unsafe_op_in_unsafe_fn, non_snake_case, non_upper_case_globals, non_camel_case_types, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]
mod __rise_blur_run {
    use ::core::{cmp::{max, min}, ops::Range};
    use ::rise::private::{self, Cost, Float, Int, Isa, Level, Mask, SendPtr, Share, Simd, V, apart, ask, ask_by_room, div, floor_div, floor_rem, for_each, rem};

    #[inline(always)]
    unsafe fn body<S: Isa>(h: usize, w: usize, image_in: &[f32], output: *mut f32, tmp: *mut f32) {
        let image = image_in.as_ptr();
        // mapSeq, mapSeq
        let mut i = 0;
        while i < h {
            // mapSeq
            let image_value: f32 = *image.add(w * i);
            *tmp.add(w * i) = (image_value + 2.0f32 * image_value + *image.add(w * i + min(1, w - 1))) / 4.0f32;
            let peeled = w.saturating_sub(2);
            let mut i_2 = 0;
            while i_2 < peeled {
                *tmp.add(w * i + i_2 + 1) = (*image.add(w * i + i_2) + 2.0f32 * (*image.add(w * i + i_2 + 1)) + *image.add(w * i + i_2 + 2)) / 4.0f32;
                i_2 += 1;
            }
            if (peeled + 1) < w {
                *tmp.add(w * i + peeled + 1) = (*image.add(w * i + peeled) + 2.0f32 * (*image.add(w * i + peeled + 1)) + *image.add(w * i + min(w - 1, peeled + 2))) / 4.0f32;
            }
            i += 1;
        }
        let mut i_3 = 0;
        while i_3 < h {
            // mapSeq
            let mut i_4 = 0;
            while i_4 < w {
                *output.add(w * i_3 + i_4) = (*tmp.add(w * max(1, i_3) + i_4 - w) + 2.0f32 * (*tmp.add(w * i_3 + i_4)) + *tmp.add(w * min(h - 1, i_3 + 1) + i_4)) / 4.0f32;
                i_4 += 1;
            }
            i_3 += 1;
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
    #[inline(never)]
    unsafe fn avx512(h: usize, w: usize, image_in: &[f32], output: *mut f32, tmp: *mut f32) {
        body::<private::Avx512>(h, w, image_in, output, tmp)
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    #[inline(never)]
    unsafe fn avx2(h: usize, w: usize, image_in: &[f32], output: *mut f32, tmp: *mut f32) {
        body::<private::Avx2>(h, w, image_in, output, tmp)
    }
    #[inline(never)]
    unsafe fn baseline(h: usize, w: usize, image_in: &[f32], output: *mut f32, tmp: *mut f32) {
        body::<private::Baseline>(h, w, image_in, output, tmp)
    }

#[inline]
pub unsafe fn run(h: usize, w: usize, image: *const f32, output: *mut f32) -> ::core::result::Result<(), ::rise::Error> {
    let level = private::level()?;
    let mut plan = private::Plan::new();
    let mut size = 0usize;
    let tmp = plan.place::<f32>(h * w)?;
    size = size.max(plan.bytes());
    let scratch = private::Scratch::new(size)?;
    let image_in = ::core::slice::from_raw_parts(image, h * w);
    let tmp = scratch.at::<f32>(tmp);
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => avx512(h, w, image_in, output, tmp),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => avx2(h, w, image_in, output, tmp),
        _ => baseline(h, w, image_in, output, tmp),
    }
    ::core::result::Result::Ok(())
}
}
use __rise_blur_run::run as __rise_blur_run;
