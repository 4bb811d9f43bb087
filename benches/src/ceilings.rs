//! What the machine can do at most, measured in the same run: multiply-adds in registers, and copies.

/// What [`multiply_adds`] are called beside kernels.
pub const IN_REGISTERS: &str = "multiply-adds in registers";

const ACCUMULATORS: usize = 12;

/// So many floating-point operations as independent multiply-adds of `f32` in registers, on the widest vectors of this
/// CPU, or those that `RISE_ISA` names; half as many of `f64` take as long.
pub fn multiply_adds(operations: f64) -> f32 {
    let steps = (operations / (ACCUMULATORS * 16 * 2) as f64).ceil() as usize;
    #[cfg(target_arch = "x86_64")]
    {
        static ASKED: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
        let asked = ASKED.get_or_init(|| std::env::var("RISE_ISA").ok());
        let may = |name: &str| asked.as_deref().is_none_or(|asked| asked == name);
        if may("avx512") && is_x86_feature_detected!("avx512f") {
            // SAFETY: the feature was just detected.
            return unsafe { avx512(steps) };
        }
        if may("avx2") && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: the features were just detected.
            return unsafe { avx2(steps) };
        }
    }
    plain(steps)
}

/// Multiply-adds of twelve accumulators, which are variables of their own, for an array might lie in memory.
#[cfg(target_arch = "x86_64")]
macro_rules! twelve {
    ($steps:expr, $fma:ident, $add:ident, $a:ident, $b:ident) => {{
        let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5] = [$b; 6];
        let [mut s6, mut s7, mut s8, mut s9, mut s10, mut s11] = [$b; 6];
        for _ in 0..$steps {
            s0 = $fma(s0, $a, $b);
            s1 = $fma(s1, $a, $b);
            s2 = $fma(s2, $a, $b);
            s3 = $fma(s3, $a, $b);
            s4 = $fma(s4, $a, $b);
            s5 = $fma(s5, $a, $b);
            s6 = $fma(s6, $a, $b);
            s7 = $fma(s7, $a, $b);
            s8 = $fma(s8, $a, $b);
            s9 = $fma(s9, $a, $b);
            s10 = $fma(s10, $a, $b);
            s11 = $fma(s11, $a, $b);
        }
        let sums = [s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11];
        sums.into_iter().reduce(|x, y| $add(x, y)).unwrap_or($a)
    }};
}

/// Of 16 lanes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn avx512(steps: usize) -> f32 {
    use std::arch::x86_64::*;
    let (a, b) = (_mm512_set1_ps(std::hint::black_box(0.999)), _mm512_set1_ps(std::hint::black_box(0.001)));
    _mm512_cvtss_f32(twelve!(steps, _mm512_fmadd_ps, _mm512_add_ps, a, b))
}

/// As many operations on half the width.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2(steps: usize) -> f32 {
    use std::arch::x86_64::*;
    let (a, b) = (_mm256_set1_ps(std::hint::black_box(0.999)), _mm256_set1_ps(std::hint::black_box(0.001)));
    _mm256_cvtss_f32(twelve!(steps * 2, _mm256_fmadd_ps, _mm256_add_ps, a, b))
}

fn plain(steps: usize) -> f32 {
    let (a, b) = (std::hint::black_box(0.999f32), std::hint::black_box(0.001f32));
    let mut sums = [b; 64];
    for _ in 0..steps * 3 {
        for sum in &mut sums {
            *sum = *sum * a + b;
        }
    }
    sums.iter().sum()
}
