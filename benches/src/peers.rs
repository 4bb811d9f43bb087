//! Other crates' matrix products, on row-major matrices and one thread or all.

/// A product of an `n` by `k` and a `k` by `m` matrix, on one thread if so told.
pub type Product<T> = fn(&[T], &[T], [usize; 3], &mut [T], bool);

/// Those that were compiled in.
pub fn products<T: Element>() -> Vec<(&'static str, Product<T>)> {
    #[allow(unused_mut)]
    let mut all: Vec<(&'static str, Product<T>)> =
        vec![("gemm", with_gemm::<T>), ("matrixmultiply", T::with_matrixmultiply)];
    #[cfg(feature = "peers")]
    {
        all.push(("faer", with_faer::<T>));
        all.push(("ndarray", with_ndarray::<T>));
    }
    #[cfg(feature = "bench-openblas")]
    all.push(("OpenBLAS", T::with_openblas));
    all
}

/// A matrix of so many rows and columns by a vector, on one thread if so told.
pub type MatrixVector = fn(&[f32], &[f32], [usize; 2], &mut [f32], bool);

/// Whether this program ran again, from the start, with what OpenBLAS reads before `main`: shorter waits of its threads,
/// which look for more work for 2²⁶ cycles after a call, on cores that the next contender needs (2¹⁸ cycles last from one
/// call to the next), and the name of a CPU like this one, if it takes this one for one of twenty years ago.
pub fn ran_as_openblas_needs() -> bool {
    const WAIT: &str = "OPENBLAS_THREAD_TIMEOUT";
    if cfg!(not(feature = "bench-openblas")) || std::env::var_os(WAIT).is_some() {
        return false;
    }
    let this = std::env::current_exe().expect("this program has a path");
    let mut again = std::process::Command::new(this);
    again.args(std::env::args_os().skip(1)).env(WAIT, "18");
    #[cfg(all(feature = "bench-openblas", target_arch = "x86_64"))]
    if let Some(known) = openblas::known_cpu() {
        again.env("OPENBLAS_CORETYPE", known);
    }
    assert!(again.status().expect("this program can be started").success(), "see above");
    true
}

/// Those that were compiled in.
pub fn matrix_vectors() -> Vec<(&'static str, MatrixVector)> {
    vec![
        #[cfg(feature = "bench-openblas")]
        ("OpenBLAS", openblas::matrix_vector),
    ]
}

#[cfg(feature = "peers")]
trait Numbers: faer::traits::ComplexField + ndarray::LinalgScalar {}
#[cfg(not(feature = "peers"))]
trait Numbers: Copy {}

/// `f32` and `f64`.
#[allow(private_bounds)]
pub trait Element: Numbers + 'static {
    /// One.
    const ONE: Self;
    /// Nothing.
    const ZERO: Self;

    /// By the crate of that name; single-threaded in any case.
    fn with_matrixmultiply(a: &[Self], b: &[Self], shape: [usize; 3], c: &mut [Self], _: bool)
    where
        Self: Sized;

    /// By OpenBLAS.
    #[cfg(feature = "bench-openblas")]
    fn with_openblas(a: &[Self], b: &[Self], shape: [usize; 3], c: &mut [Self], single: bool)
    where
        Self: Sized;
}

macro_rules! element {
    ($t:ident, $matrixmultiply:ident, $openblas:ident) => {
        impl Numbers for $t {}

        impl Element for $t {
            const ONE: $t = 1.0;
            const ZERO: $t = 0.0;

            fn with_matrixmultiply(a: &[$t], b: &[$t], [n, k, m]: [usize; 3], c: &mut [$t], _: bool) {
                let (k_stride, m_stride) = (k as isize, m as isize);
                assert!(a.len() == n * k && b.len() == k * m && c.len() == n * m);
                let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
                // SAFETY: the lengths fit the shapes and strides, and the result overlaps nothing.
                unsafe {
                    matrixmultiply::$matrixmultiply(
                        n, k, m, 1.0, a, k_stride, 1, b, m_stride, 1, 0.0, c, m_stride, 1,
                    );
                }
            }

            #[cfg(feature = "bench-openblas")]
            fn with_openblas(a: &[$t], b: &[$t], [n, k, m]: [usize; 3], c: &mut [$t], single: bool) {
                use openblas::{AS_IT_IS, ROW_MAJOR};
                assert!(a.len() == n * k && b.len() == k * m && c.len() == n * m);
                openblas::threads(single);
                let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
                let [n, k, m] = [n, k, m].map(|size| size as i32);
                // SAFETY: the lengths fit the shapes and strides, and the result overlaps nothing.
                unsafe {
                    openblas::$openblas(ROW_MAJOR, AS_IT_IS, AS_IT_IS, n, m, k, 1.0, a, k, b, m, 0.0, c, m);
                }
            }
        }
    };
}

element!(f32, sgemm, cblas_sgemm);
element!(f64, dgemm, cblas_dgemm);

fn with_gemm<T: Element>(a: &[T], b: &[T], [n, k, m]: [usize; 3], c: &mut [T], single: bool) {
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
            T::ZERO,
            T::ONE,
            false,
            false,
            false,
            parallelism,
        );
    }
}

#[cfg(feature = "peers")]
fn with_faer<T: Element>(a: &[T], b: &[T], [n, k, m]: [usize; 3], c: &mut [T], single: bool) {
    use faer::{Accum, MatMut, MatRef, Par};
    let par = if single { Par::Seq } else { Par::rayon(0) };
    let (a, b) = (MatRef::from_row_major_slice(a, n, k), MatRef::from_row_major_slice(b, k, m));
    let c = MatMut::from_row_major_slice_mut(c, n, m);
    faer::linalg::matmul::matmul(c, Accum::Replace, a, b, T::ONE, par);
}

/// Single-threaded in any case.
#[cfg(feature = "peers")]
fn with_ndarray<T: Element>(a: &[T], b: &[T], [n, k, m]: [usize; 3], c: &mut [T], _: bool) {
    use ndarray::{ArrayView2, ArrayViewMut2, linalg::general_mat_mul};
    let a = ArrayView2::from_shape((n, k), a).expect("the shape fits");
    let b = ArrayView2::from_shape((k, m), b).expect("the shape fits");
    let mut c = ArrayViewMut2::from_shape((n, m), c).expect("the shape fits");
    general_mat_mul(T::ONE, &a, &b, T::ZERO, &mut c);
}

#[cfg(feature = "bench-openblas")]
mod openblas {
    //! OpenBLAS, through its C interface.

    /// A product of matrices of the type.
    macro_rules! declared {
        ($($product:ident: $t:ident),*) => {
            #[link(name = "openblas")]
            unsafe extern "C" {
                $(pub(super) fn $product(
                    order: i32,
                    trans_a: i32,
                    trans_b: i32,
                    m: i32,
                    n: i32,
                    k: i32,
                    alpha: $t,
                    a: *const $t,
                    lda: i32,
                    b: *const $t,
                    ldb: i32,
                    beta: $t,
                    c: *mut $t,
                    ldc: i32,
                );)*
                fn cblas_sgemv(
                    order: i32,
                    trans: i32,
                    m: i32,
                    n: i32,
                    alpha: f32,
                    a: *const f32,
                    lda: i32,
                    x: *const f32,
                    incx: i32,
                    beta: f32,
                    y: *mut f32,
                    incy: i32,
                );
                fn openblas_set_num_threads(count: i32);
                fn openblas_get_corename() -> *const std::ffi::c_char;
            }
        };
    }

    declared!(cblas_sgemm: f32, cblas_dgemm: f64);

    pub(super) const ROW_MAJOR: i32 = 101;
    pub(super) const AS_IT_IS: i32 = 111;

    pub(super) fn threads(single: bool) {
        let threads = if single { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) };
        // SAFETY: there is no condition.
        unsafe { openblas_set_num_threads(threads as i32) }
    }

    /// What OpenBLAS calls CPUs that do what this one does, if it does not know this one and takes it for the least.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn known_cpu() -> Option<&'static str> {
        // SAFETY: it is a text that ends with a zero and stays.
        let taken_for = unsafe { std::ffi::CStr::from_ptr(openblas_get_corename()) };
        let all = [
            ("SkylakeX", is_x86_feature_detected!("avx512vl")),
            ("Haswell", is_x86_feature_detected!("avx2")),
        ];
        let known = all.iter().find(|(_, fits)| *fits)?.0;
        (taken_for == c"Prescott").then_some(known)
    }

    pub(super) fn matrix_vector(a: &[f32], x: &[f32], [n, m]: [usize; 2], y: &mut [f32], single: bool) {
        assert!(a.len() == n * m && x.len() == m && y.len() == n);
        threads(single);
        let [rows, columns] = [n, m].map(|size| size as i32);
        let (a, x, y) = (a.as_ptr(), x.as_ptr(), y.as_mut_ptr());
        // SAFETY: the lengths fit the shape, and the result overlaps nothing.
        unsafe { cblas_sgemv(ROW_MAJOR, AS_IT_IS, rows, columns, 1.0, a, columns, x, 1, 0.0, y, 1) }
    }
}
