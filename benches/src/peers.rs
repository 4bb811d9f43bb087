//! Other crates' matrix products, on row-major matrices and one thread or all.

/// A product of an `n` by `k` and a `k` by `m` matrix, on one thread if so told.
pub type Product = fn(&[f32], &[f32], [usize; 3], &mut [f32], bool);

/// Those that were compiled in.
pub fn products() -> Vec<(&'static str, Product)> {
    #[allow(unused_mut)]
    let mut all: Vec<(&'static str, Product)> = Vec::new();
    #[cfg(feature = "peers")]
    {
        all.push(("gemm", with_gemm));
        all.push(("faer", with_faer));
        all.push(("matrixmultiply", with_matrixmultiply));
        all.push(("ndarray", with_ndarray));
    }
    #[cfg(feature = "bench-openblas")]
    all.push(("OpenBLAS", openblas::product));
    all
}

#[cfg(feature = "peers")]
fn with_gemm(a: &[f32], b: &[f32], [n, k, m]: [usize; 3], c: &mut [f32], single: bool) {
    let parallelism = if single { gemm::Parallelism::None } else { gemm::Parallelism::Rayon(0) };
    let (k_stride, m_stride) = (k as isize, m as isize);
    assert!(a.len() == n * k && b.len() == k * m && c.len() == n * m);
    // SAFETY: the lengths fit the shapes and strides, and the result overlaps nothing.
    unsafe {
        gemm::gemm(
            n,
            m,
            k,
            c.as_mut_ptr(),
            1,
            m_stride,
            false,
            a.as_ptr(),
            1,
            k_stride,
            b.as_ptr(),
            1,
            m_stride,
            0.0,
            1.0,
            false,
            false,
            false,
            parallelism,
        );
    }
}

#[cfg(feature = "peers")]
fn with_faer(a: &[f32], b: &[f32], [n, k, m]: [usize; 3], c: &mut [f32], single: bool) {
    use faer::{Accum, MatMut, MatRef, Par};
    let par = if single { Par::Seq } else { Par::rayon(0) };
    let (a, b) = (MatRef::from_row_major_slice(a, n, k), MatRef::from_row_major_slice(b, k, m));
    let c = MatMut::from_row_major_slice_mut(c, n, m);
    faer::linalg::matmul::matmul(c, Accum::Replace, a, b, 1.0, par);
}

/// Single-threaded in any case.
#[cfg(feature = "peers")]
fn with_matrixmultiply(a: &[f32], b: &[f32], [n, k, m]: [usize; 3], c: &mut [f32], _: bool) {
    let (k_stride, m_stride) = (k as isize, m as isize);
    assert!(a.len() == n * k && b.len() == k * m && c.len() == n * m);
    // SAFETY: the lengths fit the shapes and strides, and the result overlaps nothing.
    unsafe {
        matrixmultiply::sgemm(
            n,
            k,
            m,
            1.0,
            a.as_ptr(),
            k_stride,
            1,
            b.as_ptr(),
            m_stride,
            1,
            0.0,
            c.as_mut_ptr(),
            m_stride,
            1,
        );
    }
}

/// Single-threaded in any case.
#[cfg(feature = "peers")]
fn with_ndarray(a: &[f32], b: &[f32], [n, k, m]: [usize; 3], c: &mut [f32], _: bool) {
    use ndarray::{ArrayView2, ArrayViewMut2, linalg::general_mat_mul};
    let a = ArrayView2::from_shape((n, k), a).expect("the shape fits");
    let b = ArrayView2::from_shape((k, m), b).expect("the shape fits");
    let mut c = ArrayViewMut2::from_shape((n, m), c).expect("the shape fits");
    general_mat_mul(1.0, &a, &b, 0.0, &mut c);
}

#[cfg(feature = "bench-openblas")]
mod openblas {
    //! OpenBLAS, through its C interface.

    #[link(name = "openblas")]
    unsafe extern "C" {
        #[allow(clippy::too_many_arguments)]
        fn cblas_sgemm(
            order: i32,
            trans_a: i32,
            trans_b: i32,
            m: i32,
            n: i32,
            k: i32,
            alpha: f32,
            a: *const f32,
            lda: i32,
            b: *const f32,
            ldb: i32,
            beta: f32,
            c: *mut f32,
            ldc: i32,
        );
        fn openblas_set_num_threads(count: i32);
    }

    const ROW_MAJOR: i32 = 101;
    const AS_IT_IS: i32 = 111;

    pub(super) fn product(a: &[f32], b: &[f32], [n, k, m]: [usize; 3], c: &mut [f32], single: bool) {
        let threads = if single { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
        assert!(a.len() == n * k && b.len() == k * m && c.len() == n * m);
        // SAFETY: the lengths fit the shapes and strides, and the result overlaps nothing.
        unsafe {
            openblas_set_num_threads(threads as i32);
            cblas_sgemm(
                ROW_MAJOR,
                AS_IT_IS,
                AS_IT_IS,
                n as i32,
                m as i32,
                k as i32,
                1.0,
                a.as_ptr(),
                k as i32,
                b.as_ptr(),
                m as i32,
                0.0,
                c.as_mut_ptr(),
                m as i32,
            );
        }
    }
}
