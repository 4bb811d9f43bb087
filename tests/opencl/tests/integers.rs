//! Integers of every type in vectors of a device and in Rust, least and greatest values among them.

use rise_opencl_tests::{device, integer_types};

macro_rules! held {
    ($($ty:ident)*) => {
        $(
            let values = [0, 1, 2, 7, 8, 9, 100, $ty::MIN, $ty::MIN + 1, $ty::MAX, $ty::MAX - 1, (0 as $ty).wrapping_sub(1)];
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for x in values {
                a.extend([x; 12]);
                b.extend(values);
            }
            for len in [0, 3, 4, 143, 144] {
                let expected = integer_types::$ty::computed(&a[..len], &b[..len]).unwrap();
                assert_eq!(integer_types::$ty::in_vectors(&a[..len], &b[..len]).unwrap(), expected, "{}", stringify!($ty));
            }
        )*
    };
}

#[test]
fn vectors_compute_what_rust_computes() {
    if device().is_some() {
        held!(i8 i16 i32 i64 u8 u16 u32 u64);
    }
}
