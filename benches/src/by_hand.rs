//! The image kernels of the quickstart as a careful Rust programmer writes them: borders peeled, slices
//! zipped so that nothing is checked in the inner loop, once for the build's own instruction set and once
//! for each newer one that the CPU may have. Single-threaded.

/// One form of a kernel with its name.
pub type Form<I> = (&'static str, fn(I, [usize; 2], &mut [f32]));

macro_rules! forms {
    ($(#[$doc:meta])* $name:ident, $body:ident, $input:ty) => {
        $(#[$doc])*
        pub fn $name() -> Vec<Form<&'static $input>> {
            let mut forms: Vec<Form<&'static $input>> = vec![("plain", |input, shape, out| $body(input, shape, out))];
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn avx2(input: &$input, shape: [usize; 2], out: &mut [f32]) {
                    $body(input, shape, out);
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
                fn avx512(input: &$input, shape: [usize; 2], out: &mut [f32]) {
                    $body(input, shape, out);
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the features were just detected.
                    forms.push(("avx2", |input, shape, out| unsafe { avx2(input, shape, out) }));
                }
                if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
                    // SAFETY: the features were just detected.
                    forms.push(("avx512", |input, shape, out| unsafe { avx512(input, shape, out) }));
                }
            }
            forms
        }
    };
}

forms! {
    /// Luminance of an RGB image.
    grey, grey_body, [[u8; 3]]
}
forms! {
    /// 5×5 binomial filter with clamped borders, in two passes.
    blur, blur_body, [f32]
}
forms! {
    /// Magnitude of the Sobel gradient with clamped borders.
    sobel, sobel_body, [f32]
}

#[inline(always)]
fn grey_body(image: &[[u8; 3]], _shape: [usize; 2], out: &mut [f32]) {
    for (out, [r, g, b]) in out.iter_mut().zip(image) {
        *out = 0.299 * f32::from(*r) + 0.587 * f32::from(*g) + 0.114 * f32::from(*b);
    }
}

#[inline(always)]
fn blur_body(image: &[f32], [h, w]: [usize; 2], out: &mut [f32]) {
    let mut rows = vec![0.0; h * w];
    for (row, out) in image.chunks_exact(w).zip(rows.chunks_exact_mut(w)) {
        let at = |j: isize| row[j.clamp(0, w as isize - 1) as usize];
        let tap = |j: usize| {
            let j = j as isize;
            (at(j - 2) + 4.0 * at(j - 1) + 6.0 * at(j) + 4.0 * at(j + 1) + at(j + 2)) / 16.0
        };
        for j in (0..w.min(2)).chain(w.saturating_sub(2).max(2)..w) {
            out[j] = tap(j);
        }
        if w > 4 {
            let taps = row.iter().zip(&row[1..]).zip(&row[2..]).zip(&row[3..]).zip(&row[4..]);
            for (out, ((((a, b), c), d), e)) in out[2..w - 2].iter_mut().zip(taps) {
                *out = (a + 4.0 * b + 6.0 * c + 4.0 * d + e) / 16.0;
            }
        }
    }
    for (i, out) in out.chunks_exact_mut(w).enumerate() {
        let row = |d: isize| {
            let i = (i as isize + d).clamp(0, h as isize - 1) as usize;
            &rows[i * w..(i + 1) * w]
        };
        let taps = row(-2).iter().zip(row(-1)).zip(row(0)).zip(row(1)).zip(row(2));
        for (out, ((((a, b), c), d), e)) in out.iter_mut().zip(taps) {
            *out = (a + 4.0 * b + 6.0 * c + 4.0 * d + e) / 16.0;
        }
    }
}

#[inline(always)]
fn sobel_body(image: &[f32], [h, w]: [usize; 2], out: &mut [f32]) {
    for (i, out) in out.chunks_exact_mut(w).enumerate() {
        let row = |d: isize| {
            let i = (i as isize + d).clamp(0, h as isize - 1) as usize;
            &image[i * w..(i + 1) * w]
        };
        let (n, c, s) = (row(-1), row(0), row(1));
        for j in [0, w - 1] {
            let (l, r) = (j.saturating_sub(1), (j + 1).min(w - 1));
            out[j] = gradient([n[l], n[j], n[r]], [c[l], c[r]], [s[l], s[j], s[r]]);
        }
        if w > 2 {
            let north = n.iter().zip(&n[1..]).zip(&n[2..]);
            let centre = c.iter().zip(&c[2..]);
            let south = s.iter().zip(&s[1..]).zip(&s[2..]);
            let taps = north.zip(centre).zip(south);
            for (out, ((((a, b), c), (d, e)), ((f, g), h))) in out[1..w - 1].iter_mut().zip(taps) {
                *out = gradient([*a, *b, *c], [*d, *e], [*f, *g, *h]);
            }
        }
    }
}

#[inline(always)]
fn gradient(n: [f32; 3], c: [f32; 2], s: [f32; 3]) -> f32 {
    let x = (n[2] - n[0]) + 2.0 * (c[1] - c[0]) + (s[2] - s[0]);
    let y = (s[0] - n[0]) + 2.0 * (s[1] - n[1]) + (s[2] - n[2]);
    (x * x + y * y).sqrt()
}

/// `C = A · B` for row-major matrices: three loops, the sum of each element in order.
#[inline(always)]
fn product_body(a: &[f32], b: &[f32], [n, k, m]: [usize; 3], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..m {
            let mut sum = 0.0;
            for l in 0..k {
                sum += a[i * k + l] * b[l * m + j];
            }
            c[i * m + j] = sum;
        }
    }
}

/// The plain matrix product for the build's own instruction set.
pub fn product(a: &[f32], b: &[f32], shape: [usize; 3], c: &mut [f32]) {
    product_body(a, b, shape, c);
}

/// The same loops with nothing checked.
///
/// # Panics
/// If a slice has not the size that the shape gives it.
pub fn product_unchecked(a: &[f32], b: &[f32], [n, k, m]: [usize; 3], c: &mut [f32]) {
    assert!(a.len() == n * k && b.len() == k * m && c.len() == n * m, "the slices have their sizes");
    for i in 0..n {
        for j in 0..m {
            let mut sum = 0.0;
            for l in 0..k {
                // SAFETY: the sizes were checked.
                sum += unsafe { a.get_unchecked(i * k + l) * b.get_unchecked(l * m + j) };
            }
            // SAFETY: as above.
            unsafe { *c.get_unchecked_mut(i * m + j) = sum };
        }
    }
}
