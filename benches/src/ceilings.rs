//! What the machine can do at most, measured in the same run: multiply-adds in registers, and copies.

/// Floating-point operations of one call of [`multiply_adds`].
pub const OPERATIONS: f64 = (STEPS * ACCUMULATORS * 16 * 2) as f64;

const STEPS: usize = 4096;
const ACCUMULATORS: usize = 12;

/// Independent multiply-adds in registers, on the widest vectors of this CPU.
pub fn multiply_adds() -> f32 {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the feature was just detected.
            return unsafe { avx512() };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the features were just detected.
            return unsafe { avx2() };
        }
    }
    plain()
}

/// 12 accumulators of 16 lanes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512() -> f32 {
    use std::arch::x86_64::*;
    let (a, b) = (_mm512_set1_ps(std::hint::black_box(0.999)), _mm512_set1_ps(std::hint::black_box(0.001)));
    // Variables of their own, for an array might lie in memory.
    let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5] = [b; 6];
    let [mut s6, mut s7, mut s8, mut s9, mut s10, mut s11] = [b; 6];
    for _ in 0..STEPS {
        s0 = _mm512_fmadd_ps(s0, a, b);
        s1 = _mm512_fmadd_ps(s1, a, b);
        s2 = _mm512_fmadd_ps(s2, a, b);
        s3 = _mm512_fmadd_ps(s3, a, b);
        s4 = _mm512_fmadd_ps(s4, a, b);
        s5 = _mm512_fmadd_ps(s5, a, b);
        s6 = _mm512_fmadd_ps(s6, a, b);
        s7 = _mm512_fmadd_ps(s7, a, b);
        s8 = _mm512_fmadd_ps(s8, a, b);
        s9 = _mm512_fmadd_ps(s9, a, b);
        s10 = _mm512_fmadd_ps(s10, a, b);
        s11 = _mm512_fmadd_ps(s11, a, b);
    }
    [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11].map(|sum| _mm512_reduce_add_ps(sum)).iter().sum()
}

/// The same number of operations on half the width, 8 accumulators at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2() -> f32 {
    use std::arch::x86_64::*;
    let (a, b) = (_mm256_set1_ps(std::hint::black_box(0.999)), _mm256_set1_ps(std::hint::black_box(0.001)));
    let mut sums = [b; 8];
    for _ in 0..STEPS * 3 {
        for sum in &mut sums {
            *sum = _mm256_fmadd_ps(*sum, a, b);
        }
    }
    let all = sums.into_iter().reduce(|x, y| _mm256_add_ps(x, y)).unwrap_or(a);
    _mm256_cvtss_f32(all)
}

fn plain() -> f32 {
    let (a, b) = (std::hint::black_box(0.999f32), std::hint::black_box(0.001f32));
    let mut sums = [b; 64];
    for _ in 0..STEPS * 3 {
        for sum in &mut sums {
            *sum = *sum * a + b;
        }
    }
    sums.iter().sum()
}
