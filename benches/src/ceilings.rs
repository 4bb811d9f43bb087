//! What the machine can do at most, measured in the same run: multiply-adds in registers, and copies.

/// Floating-point operations of one call of [`multiply_adds`].
pub const OPERATIONS: f64 = (STEPS * ACCUMULATORS * 16 * 2) as f64;

const STEPS: usize = 4096;
const ACCUMULATORS: usize = 16;

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

/// 16 accumulators of 16 lanes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512() -> f32 {
    use std::arch::x86_64::*;
    let (a, b) = (_mm512_set1_ps(std::hint::black_box(0.999)), _mm512_set1_ps(std::hint::black_box(0.001)));
    let mut sums = [b; ACCUMULATORS];
    for _ in 0..STEPS {
        for sum in &mut sums {
            *sum = _mm512_fmadd_ps(*sum, a, b);
        }
    }
    sums.iter().map(|sum| _mm512_reduce_add_ps(*sum)).sum()
}

/// The same number of operations on half the width, 8 accumulators at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2() -> f32 {
    use std::arch::x86_64::*;
    let (a, b) = (_mm256_set1_ps(std::hint::black_box(0.999)), _mm256_set1_ps(std::hint::black_box(0.001)));
    let mut sums = [b; 8];
    for _ in 0..STEPS * 4 {
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
    for _ in 0..STEPS * 4 {
        for sum in &mut sums {
            *sum = *sum * a + b;
        }
    }
    sums.iter().sum()
}
