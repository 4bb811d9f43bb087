//! All that integers of each type can do, in vectors.

macro_rules! integers {
    ($($ty:ident)*) => {
        $(
            /// Integers of this type.
            pub mod $ty {
                rise::rise! {
                    /// Sums, quotients, remainders, differences, bits, choices and conversions.
                    pub fn computed<n: Nat>(a: [$ty; n], b: [$ty; n]) -> [($ty, $ty, $ty, $ty, $ty, $ty, u64); n] {
                        zip(a, b) |> 'x: map(|(x, y)| (
                            x + y * 3 - x / y,
                            x % y,
                            abs(x) - min(x, y),
                            max(x, y) ^ (x & 5) | shl(x, y),
                            shr(y, x),
                            if x < y { !x } else { y * y },
                            y as u64,
                        ))
                    }
                    compile computed to rust with lower;
                    compile computed to opencl with vectorize(4) @ 'x ; lower as in_vectors;
                }
            }
        )*
    };
}

integers!(i8 i16 i32 i64 u8 u16 u32 u64);
