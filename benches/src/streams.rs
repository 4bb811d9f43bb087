//! What memory and registers allow, measured: loops over vectors by hand for AVX-512, aligned, several vectors at a
//! time, through the cache and past it. On other CPUs there is none of them.

/// Whether this CPU runs them.
#[cfg(target_arch = "x86_64")]
pub fn is_there() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")
}

/// Whether this CPU runs them.
#[cfg(not(target_arch = "x86_64"))]
pub fn is_there() -> bool {
    false
}

/// Declares a function that calls its version for AVX-512.
macro_rules! checked {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// Where [`is_there`] says no.
        pub fn $name($($arg: $ty),*) $(-> $result)? {
            assert!(is_there(), "this CPU has no AVX-512");
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the features are there.
            return unsafe { avx512::$name($($arg),*) };
            #[cfg(not(target_arch = "x86_64"))]
            unreachable!("there are no {}", stringify!($($arg)*));
        }
    )*};
}

checked! {
    /// `out = x`.
    fn copy(x: &[f32], out: &mut [f32], past: bool);
    /// `out = a · x + y`.
    fn axpy(a: f32, x: &[f32], y: &[f32], out: &mut [f32], past: bool);
    /// `out = max(2 · √|x| − 1, 0)`.
    fn chain(x: &[f32], out: &mut [f32], past: bool);
    /// Exponentials of each row of `width` numbers, divided by their sum.
    fn softmax(x: &[f32], width: usize, out: &mut [f32]);
    /// `Σ x · y`.
    fn dot(x: &[f32], y: &[f32]) -> f32;
    /// `Σ |x|`.
    fn asum(x: &[f32]) -> f32;
    /// The sum of each of the rows of `width` numbers.
    fn row_sums(a: &[f32], width: usize, out: &mut [f32]);
    /// The sum of each column.
    fn column_sums(a: &[f32], width: usize, out: &mut [f32]);
    /// What pulls at each of the bodies, softened by 500: masses, then coordinates.
    fn pulls(bodies: [&[f32]; 4], out: &mut [(f32, (f32, f32))]);
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    /// Four vectors at a time from the first that is aligned in `out` on; the others one by one.
    #[inline(always)]
    unsafe fn aligned(
        out: &mut [f32],
        past: bool,
        one: impl Fn(usize) -> f32,
        vector: impl Fn(usize) -> __m512,
    ) {
        let (len, to) = (out.len(), out.as_mut_ptr());
        let mut i = (to.align_offset(64)).min(len);
        (0..i).for_each(|i| out[i] = one(i));
        // SAFETY: aligned, and in range.
        unsafe {
            while i + 64 <= len {
                let four = [vector(i), vector(i + 16), vector(i + 32), vector(i + 48)];
                for (at, four) in four.into_iter().enumerate() {
                    match past {
                        true => _mm512_stream_ps(to.add(i + 16 * at), four),
                        false => _mm512_store_ps(to.add(i + 16 * at), four),
                    }
                }
                i += 64;
            }
            if past {
                _mm_sfence();
            }
        }
        (i..len).for_each(|i| out[i] = one(i));
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn copy(x: &[f32], out: &mut [f32], past: bool) {
        assert!(x.len() == out.len());
        let from = x.as_ptr();
        // SAFETY: the lengths agree.
        unsafe {
            match past {
                true => aligned(out, true, |i| x[i], |i| _mm512_loadu_ps(from.add(i))),
                false => aligned(out, false, |i| x[i], |i| _mm512_loadu_ps(from.add(i))),
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn axpy(a: f32, x: &[f32], y: &[f32], out: &mut [f32], past: bool) {
        assert!(x.len() == out.len() && y.len() == out.len());
        let (xs, ys, factor) = (x.as_ptr(), y.as_ptr(), _mm512_set1_ps(a));
        // SAFETY: the lengths agree.
        unsafe {
            let vector = |i: usize| {
                let product = _mm512_mul_ps(factor, _mm512_loadu_ps(xs.add(i)));
                _mm512_add_ps(product, _mm512_loadu_ps(ys.add(i)))
            };
            match past {
                true => aligned(out, true, |i| a * x[i] + y[i], vector),
                false => aligned(out, false, |i| a * x[i] + y[i], vector),
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) unsafe fn chain(x: &[f32], out: &mut [f32], past: bool) {
        assert!(x.len() == out.len());
        let from = x.as_ptr();
        // SAFETY: the lengths agree.
        unsafe {
            let vector = |i: usize| {
                let root = _mm512_sqrt_ps(_mm512_abs_ps(_mm512_loadu_ps(from.add(i))));
                let less = _mm512_sub_ps(_mm512_mul_ps(_mm512_set1_ps(2.0), root), _mm512_set1_ps(1.0));
                _mm512_max_ps(less, _mm512_setzero_ps())
            };
            let one = |i: usize| (2.0 * x[i].abs().sqrt() - 1.0).max(0.0);
            match past {
                true => aligned(out, true, one, vector),
                false => aligned(out, false, one, vector),
            }
        }
    }

    /// `2^k · (1 + r + …)` where `x = k · ln 2 + r`; right within two units in the last place from -87 to 0.
    #[inline(always)]
    unsafe fn exp(x: __m512) -> __m512 {
        // SAFETY: only numbers.
        unsafe {
            let scaled = _mm512_mul_ps(x, _mm512_set1_ps(std::f32::consts::LOG2_E));
            let k = _mm512_roundscale_ps::<8>(scaled);
            let r = _mm512_fnmadd_ps(k, _mm512_set1_ps(0.693_359_4), x);
            let r = _mm512_fnmadd_ps(k, _mm512_set1_ps(-2.121_944_4e-4), r);
            let factors = [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
            let start = _mm512_set1_ps(1.0 / 720.0);
            let sum = factors.iter().fold(start, |sum, f| _mm512_fmadd_ps(sum, r, _mm512_set1_ps(*f)));
            _mm512_scalef_ps(sum, k)
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn softmax(x: &[f32], width: usize, out: &mut [f32]) {
        assert!(x.len() == out.len() && width.is_multiple_of(16));
        for (row, out) in x.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
            let (from, to) = (row.as_ptr(), out.as_mut_ptr());
            // SAFETY: in range.
            unsafe {
                let mut most = [_mm512_set1_ps(f32::NEG_INFINITY); 4];
                for i in 0..width / 16 {
                    most[i % 4] = _mm512_max_ps(most[i % 4], _mm512_loadu_ps(from.add(16 * i)));
                }
                let most = _mm512_max_ps(_mm512_max_ps(most[0], most[1]), _mm512_max_ps(most[2], most[3]));
                let most = _mm512_set1_ps(_mm512_reduce_max_ps(most));
                let mut sum = _mm512_setzero_ps();
                for i in (0..width).step_by(16) {
                    let power = exp(_mm512_sub_ps(_mm512_loadu_ps(from.add(i)), most));
                    sum = _mm512_add_ps(sum, power);
                    _mm512_storeu_ps(to.add(i), power);
                }
                let total = _mm512_set1_ps(_mm512_reduce_add_ps(sum));
                for i in (0..width).step_by(16) {
                    _mm512_storeu_ps(to.add(i), _mm512_div_ps(_mm512_loadu_ps(to.add(i)), total));
                }
            }
        }
    }

    /// Eight accumulators.
    #[inline(always)]
    unsafe fn sum(len: usize, step: impl Fn(__m512, usize) -> __m512, one: impl Fn(usize) -> f32) -> f32 {
        // SAFETY: only numbers.
        unsafe {
            let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = [_mm512_setzero_ps(); 8];
            let mut i = 0;
            while i + 128 <= len {
                (a, b, c, d) = (step(a, i), step(b, i + 16), step(c, i + 32), step(d, i + 48));
                (e, f, g, h) = (step(e, i + 64), step(f, i + 80), step(g, i + 96), step(h, i + 112));
                i += 128;
            }
            while i + 16 <= len {
                a = step(a, i);
                i += 16;
            }
            let lower = _mm512_add_ps(_mm512_add_ps(a, b), _mm512_add_ps(c, d));
            let upper = _mm512_add_ps(_mm512_add_ps(e, f), _mm512_add_ps(g, h));
            _mm512_reduce_add_ps(_mm512_add_ps(lower, upper)) + (i..len).map(one).sum::<f32>()
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn dot(x: &[f32], y: &[f32]) -> f32 {
        assert!(x.len() == y.len());
        let (xs, ys) = (x.as_ptr(), y.as_ptr());
        // SAFETY: the lengths agree.
        unsafe {
            let step = |sum, i| _mm512_fmadd_ps(_mm512_loadu_ps(xs.add(i)), _mm512_loadu_ps(ys.add(i)), sum);
            sum(x.len(), step, |i| x[i] * y[i])
        }
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) unsafe fn asum(x: &[f32]) -> f32 {
        let xs = x.as_ptr();
        // SAFETY: in range.
        unsafe {
            sum(
                x.len(),
                |sum, i| _mm512_add_ps(_mm512_abs_ps(_mm512_loadu_ps(xs.add(i))), sum),
                |i| x[i].abs(),
            )
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn row_sums(a: &[f32], width: usize, out: &mut [f32]) {
        for (row, out) in a.chunks_exact(width).zip(out) {
            let xs = row.as_ptr();
            // SAFETY: in range.
            *out = unsafe { sum(width, |sum, i| _mm512_add_ps(_mm512_loadu_ps(xs.add(i)), sum), |i| row[i]) };
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn column_sums(a: &[f32], width: usize, out: &mut [f32]) {
        assert!(out.len() == width);
        out.fill(0.0);
        let whole = width / 16 * 16;
        for rows in a.chunks(8 * width) {
            // SAFETY: in range.
            unsafe {
                for j in (0..whole).step_by(16) {
                    let mut sum = _mm512_loadu_ps(out.as_ptr().add(j));
                    for row in rows.chunks_exact(width) {
                        sum = _mm512_add_ps(sum, _mm512_loadu_ps(row.as_ptr().add(j)));
                    }
                    _mm512_storeu_ps(out.as_mut_ptr().add(j), sum);
                }
            }
            for row in rows.chunks_exact(width) {
                (whole..width).for_each(|j| out[j] += row[j]);
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn pulls([m, x, y, z]: [&[f32]; 4], out: &mut [(f32, (f32, f32))]) {
        let n = m.len();
        assert!([x, y, z].iter().all(|part| part.len() == n) && out.len() == n && n.is_multiple_of(16));
        for i in (0..n).step_by(16) {
            // SAFETY: in range.
            unsafe {
                let at = |from: &[f32]| _mm512_loadu_ps(from.as_ptr().add(i));
                let (px, py, pz) = (at(x), at(y), at(z));
                let [mut ax, mut ay, mut az] = [_mm512_setzero_ps(); 3];
                for j in 0..n {
                    let dx = _mm512_sub_ps(_mm512_set1_ps(x[j]), px);
                    let dy = _mm512_sub_ps(_mm512_set1_ps(y[j]), py);
                    let dz = _mm512_sub_ps(_mm512_set1_ps(z[j]), pz);
                    let squared = _mm512_fmadd_ps(dz, dz, _mm512_set1_ps(500.0));
                    let squared = _mm512_fmadd_ps(dx, dx, _mm512_fmadd_ps(dy, dy, squared));
                    let cubed = _mm512_mul_ps(squared, _mm512_sqrt_ps(squared));
                    let pull = _mm512_div_ps(_mm512_set1_ps(m[j]), cubed);
                    ax = _mm512_fmadd_ps(pull, dx, ax);
                    ay = _mm512_fmadd_ps(pull, dy, ay);
                    az = _mm512_fmadd_ps(pull, dz, az);
                }
                let mut lanes = [[0.0f32; 16]; 3];
                for (lanes, sum) in lanes.iter_mut().zip([ax, ay, az]) {
                    _mm512_storeu_ps(lanes.as_mut_ptr(), sum);
                }
                for lane in 0..16 {
                    out[i + lane] = (lanes[0][lane], (lanes[1][lane], lanes[2][lane]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_compute_what_they_say() {
        if !is_there() {
            return;
        }
        for len in [0, 5, 64, 300] {
            let numbers =
                |factor: usize| (0..len).map(|i| ((factor * i) % 7) as f32 - 3.0).collect::<Vec<_>>();
            let (x, y) = (numbers(3), numbers(5));
            for past in [false, true] {
                let mut out = vec![0.0; len];
                copy(&x, &mut out, past);
                assert_eq!(out, x);
                axpy(2.0, &x, &y, &mut out, past);
                assert!(out.iter().zip(x.iter().zip(&y)).all(|(out, (x, y))| *out == 2.0 * x + y));
            }
            for past in [false, true] {
                let mut out = vec![0.0; len];
                chain(&x, &mut out, past);
                assert!(out.iter().zip(&x).all(|(out, x)| *out == (2.0 * x.abs().sqrt() - 1.0).max(0.0)));
            }
            assert_eq!(dot(&x, &y), x.iter().zip(&y).map(|(x, y)| x * y).sum());
            assert_eq!(asum(&x), x.iter().map(|x| x.abs()).sum());
        }
        let x: Vec<f32> = (0..3 * 48).map(|i| (i % 23) as f32 - 40.0 * (i % 2) as f32).collect();
        let mut shares = vec![0.0; x.len()];
        softmax(&x, 48, &mut shares);
        for (row, shares) in x.chunks(48).zip(shares.chunks(48)) {
            let total: f32 = row.iter().map(|x| x.exp()).sum();
            assert!(row.iter().zip(shares).all(|(x, share)| (share * total / x.exp() - 1.0).abs() < 1e-5));
        }
        let a: Vec<f32> = (0..11 * 37).map(|i| (i % 13) as f32).collect();
        let (mut rows, mut columns) = (vec![0.0; 11], vec![0.0; 37]);
        row_sums(&a, 37, &mut rows);
        column_sums(&a, 37, &mut columns);
        assert!((0..11).all(|i| rows[i] == a[37 * i..37 * (i + 1)].iter().sum()));
        assert!((0..37).all(|j| columns[j] == a.iter().skip(j).step_by(37).sum()));
    }
}
