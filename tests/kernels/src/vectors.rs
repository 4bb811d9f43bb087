//! Vectors of every type: each program with lanes in C, beside scalars in Rust.

use rise::rise;

rise! {
    pub fn arithmetic_f32<n: Nat>(x: [f32; n], y: [f32; n]) -> [f32; n] { zip(x, y) |> 'l: map(|(x, y)| min(x, y) + max(x, y) * abs(x) - sqrt(abs(y)) / (y + 0.5) + rsqrt(abs(x) + 1.0)) }
    compile arithmetic_f32 to rust with lower;
    compile arithmetic_f32 to c with vectorize(16) @ 'l ; lower as arithmetic_f32_c;
    compile arithmetic_f32 to c with vectorize(4) @ 'l ; lower as arithmetic_f32_c4;
    compile arithmetic_f32 to rust with vectorize(16) @ 'l ; lower as arithmetic_f32_lanes;

    pub fn rounded_f32<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'l: map(|x| floor(x) + 100.0 * ceil(x) + 10000.0 * round(x) - x) }
    compile rounded_f32 to rust with lower;
    compile rounded_f32 to c with vectorize(16) @ 'l ; lower as rounded_f32_c;
    compile rounded_f32 to c with vectorize(4) @ 'l ; lower as rounded_f32_c4;
    compile rounded_f32 to rust with vectorize(16) @ 'l ; lower as rounded_f32_lanes;

    pub fn selected_f32<n: Nat>(x: [f32; n], y: [f32; n]) -> [f32; n] { zip(x, y) |> 'l: map(|(x, y)| if x < y && !(y > 4.0) || x == 2.0 { x } else { y % 3.0 }) }
    compile selected_f32 to rust with lower;
    compile selected_f32 to c with vectorize(16) @ 'l ; lower as selected_f32_c;
    compile selected_f32 to c with vectorize(4) @ 'l ; lower as selected_f32_c4;
    compile selected_f32 to rust with vectorize(16) @ 'l ; lower as selected_f32_lanes;

    pub fn fused_f32<n: Nat>(x: [f32; n], y: [f32; n]) -> [f32; n] { zip(x, y) |> 'l: map(|(x, y)| fma(x, y, 0.1) + mul_add(x, y, 0.3)) }
    compile fused_f32 to rust with lower;
    compile fused_f32 to c with vectorize(16) @ 'l ; lower as fused_f32_c;
    compile fused_f32 to c with vectorize(4) @ 'l ; lower as fused_f32_c4;
    compile fused_f32 to rust with vectorize(16) @ 'l ; lower as fused_f32_lanes;

    pub fn less_f32<n: Nat>(x: [f32; n], y: [f32; n]) -> [bool; n] { zip(x, y) |> 'l: map(|(x, y)| x <= y) }
    compile less_f32 to rust with lower;
    compile less_f32 to c with vectorize(16) @ 'l ; lower as less_f32_c;
    compile less_f32 to c with vectorize(4) @ 'l ; lower as less_f32_c4;
    compile less_f32 to rust with vectorize(16) @ 'l ; lower as less_f32_lanes;

    pub fn f32_to_i8<n: Nat>(x: [f32; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile f32_to_i8 to rust with lower;
    compile f32_to_i8 to c with vectorize(16) @ 'l ; lower as f32_to_i8_c;

    pub fn f32_to_u8<n: Nat>(x: [f32; n]) -> [u8; n] { x |> 'l: map(|x| x as u8) }
    compile f32_to_u8 to rust with lower;
    compile f32_to_u8 to c with vectorize(16) @ 'l ; lower as f32_to_u8_c;

    pub fn f32_to_i16<n: Nat>(x: [f32; n]) -> [i16; n] { x |> 'l: map(|x| x as i16) }
    compile f32_to_i16 to rust with lower;
    compile f32_to_i16 to c with vectorize(16) @ 'l ; lower as f32_to_i16_c;

    pub fn f32_to_u16<n: Nat>(x: [f32; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile f32_to_u16 to rust with lower;
    compile f32_to_u16 to c with vectorize(16) @ 'l ; lower as f32_to_u16_c;

    pub fn f32_to_i32<n: Nat>(x: [f32; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile f32_to_i32 to rust with lower;
    compile f32_to_i32 to c with vectorize(16) @ 'l ; lower as f32_to_i32_c;

    pub fn f32_to_u32<n: Nat>(x: [f32; n]) -> [u32; n] { x |> 'l: map(|x| x as u32) }
    compile f32_to_u32 to rust with lower;
    compile f32_to_u32 to c with vectorize(16) @ 'l ; lower as f32_to_u32_c;

    pub fn f32_to_i64<n: Nat>(x: [f32; n]) -> [i64; n] { x |> 'l: map(|x| x as i64) }
    compile f32_to_i64 to rust with lower;
    compile f32_to_i64 to c with vectorize(16) @ 'l ; lower as f32_to_i64_c;

    pub fn f32_to_u64<n: Nat>(x: [f32; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile f32_to_u64 to rust with lower;
    compile f32_to_u64 to c with vectorize(16) @ 'l ; lower as f32_to_u64_c;

    pub fn f32_to_f64<n: Nat>(x: [f32; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile f32_to_f64 to rust with lower;
    compile f32_to_f64 to c with vectorize(16) @ 'l ; lower as f32_to_f64_c;

    pub fn arithmetic_f64<n: Nat>(x: [f64; n], y: [f64; n]) -> [f64; n] { zip(x, y) |> 'l: map(|(x, y)| min(x, y) + max(x, y) * abs(x) - sqrt(abs(y)) / (y + 0.5) + rsqrt(abs(x) + 1.0)) }
    compile arithmetic_f64 to rust with lower;
    compile arithmetic_f64 to c with vectorize(16) @ 'l ; lower as arithmetic_f64_c;
    compile arithmetic_f64 to c with vectorize(4) @ 'l ; lower as arithmetic_f64_c4;
    compile arithmetic_f64 to rust with vectorize(16) @ 'l ; lower as arithmetic_f64_lanes;

    pub fn rounded_f64<n: Nat>(x: [f64; n]) -> [f64; n] { x |> 'l: map(|x| floor(x) + 100.0 * ceil(x) + 10000.0 * round(x) - x) }
    compile rounded_f64 to rust with lower;
    compile rounded_f64 to c with vectorize(16) @ 'l ; lower as rounded_f64_c;
    compile rounded_f64 to c with vectorize(4) @ 'l ; lower as rounded_f64_c4;
    compile rounded_f64 to rust with vectorize(16) @ 'l ; lower as rounded_f64_lanes;

    pub fn selected_f64<n: Nat>(x: [f64; n], y: [f64; n]) -> [f64; n] { zip(x, y) |> 'l: map(|(x, y)| if x < y && !(y > 4.0) || x == 2.0 { x } else { y % 3.0 }) }
    compile selected_f64 to rust with lower;
    compile selected_f64 to c with vectorize(16) @ 'l ; lower as selected_f64_c;
    compile selected_f64 to c with vectorize(4) @ 'l ; lower as selected_f64_c4;
    compile selected_f64 to rust with vectorize(16) @ 'l ; lower as selected_f64_lanes;

    pub fn fused_f64<n: Nat>(x: [f64; n], y: [f64; n]) -> [f64; n] { zip(x, y) |> 'l: map(|(x, y)| fma(x, y, 0.1) + mul_add(x, y, 0.3)) }
    compile fused_f64 to rust with lower;
    compile fused_f64 to c with vectorize(16) @ 'l ; lower as fused_f64_c;
    compile fused_f64 to c with vectorize(4) @ 'l ; lower as fused_f64_c4;
    compile fused_f64 to rust with vectorize(16) @ 'l ; lower as fused_f64_lanes;

    pub fn less_f64<n: Nat>(x: [f64; n], y: [f64; n]) -> [bool; n] { zip(x, y) |> 'l: map(|(x, y)| x <= y) }
    compile less_f64 to rust with lower;
    compile less_f64 to c with vectorize(16) @ 'l ; lower as less_f64_c;
    compile less_f64 to c with vectorize(4) @ 'l ; lower as less_f64_c4;
    compile less_f64 to rust with vectorize(16) @ 'l ; lower as less_f64_lanes;

    pub fn f64_to_i8<n: Nat>(x: [f64; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile f64_to_i8 to rust with lower;
    compile f64_to_i8 to c with vectorize(16) @ 'l ; lower as f64_to_i8_c;

    pub fn f64_to_u8<n: Nat>(x: [f64; n]) -> [u8; n] { x |> 'l: map(|x| x as u8) }
    compile f64_to_u8 to rust with lower;
    compile f64_to_u8 to c with vectorize(16) @ 'l ; lower as f64_to_u8_c;

    pub fn f64_to_i16<n: Nat>(x: [f64; n]) -> [i16; n] { x |> 'l: map(|x| x as i16) }
    compile f64_to_i16 to rust with lower;
    compile f64_to_i16 to c with vectorize(16) @ 'l ; lower as f64_to_i16_c;

    pub fn f64_to_u16<n: Nat>(x: [f64; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile f64_to_u16 to rust with lower;
    compile f64_to_u16 to c with vectorize(16) @ 'l ; lower as f64_to_u16_c;

    pub fn f64_to_i32<n: Nat>(x: [f64; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile f64_to_i32 to rust with lower;
    compile f64_to_i32 to c with vectorize(16) @ 'l ; lower as f64_to_i32_c;

    pub fn f64_to_u32<n: Nat>(x: [f64; n]) -> [u32; n] { x |> 'l: map(|x| x as u32) }
    compile f64_to_u32 to rust with lower;
    compile f64_to_u32 to c with vectorize(16) @ 'l ; lower as f64_to_u32_c;

    pub fn f64_to_i64<n: Nat>(x: [f64; n]) -> [i64; n] { x |> 'l: map(|x| x as i64) }
    compile f64_to_i64 to rust with lower;
    compile f64_to_i64 to c with vectorize(16) @ 'l ; lower as f64_to_i64_c;

    pub fn f64_to_u64<n: Nat>(x: [f64; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile f64_to_u64 to rust with lower;
    compile f64_to_u64 to c with vectorize(16) @ 'l ; lower as f64_to_u64_c;

    pub fn f64_to_f32<n: Nat>(x: [f64; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile f64_to_f32 to rust with lower;
    compile f64_to_f32 to c with vectorize(16) @ 'l ; lower as f64_to_f32_c;

    pub fn arithmetic_i8<n: Nat>(x: [i8; n], y: [i8; n]) -> [i8; n] { zip(x, y) |> 'l: map(|(x, y)| (x + y) * x - (x / y) + (x % y) * min(x, y) - max(x, y)) }
    compile arithmetic_i8 to rust with lower;
    compile arithmetic_i8 to c with vectorize(16) @ 'l ; lower as arithmetic_i8_c;
    compile arithmetic_i8 to c with vectorize(4) @ 'l ; lower as arithmetic_i8_c4;
    compile arithmetic_i8 to rust with vectorize(16) @ 'l ; lower as arithmetic_i8_lanes;

    pub fn bits_i8<n: Nat>(x: [i8; n], y: [i8; n]) -> [i8; n] { zip(x, y) |> 'l: map(|(x, y)| ((x & y) | !(x ^ y)) + shl(x, y) - shr(x, y)) }
    compile bits_i8 to rust with lower;
    compile bits_i8 to c with vectorize(16) @ 'l ; lower as bits_i8_c;
    compile bits_i8 to c with vectorize(4) @ 'l ; lower as bits_i8_c4;
    compile bits_i8 to rust with vectorize(16) @ 'l ; lower as bits_i8_lanes;

    pub fn i8_to_u16<n: Nat>(x: [i8; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile i8_to_u16 to rust with lower;
    compile i8_to_u16 to c with vectorize(16) @ 'l ; lower as i8_to_u16_c;

    pub fn i8_to_i32<n: Nat>(x: [i8; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile i8_to_i32 to rust with lower;
    compile i8_to_i32 to c with vectorize(16) @ 'l ; lower as i8_to_i32_c;

    pub fn i8_to_u64<n: Nat>(x: [i8; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile i8_to_u64 to rust with lower;
    compile i8_to_u64 to c with vectorize(16) @ 'l ; lower as i8_to_u64_c;

    pub fn i8_to_f32<n: Nat>(x: [i8; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile i8_to_f32 to rust with lower;
    compile i8_to_f32 to c with vectorize(16) @ 'l ; lower as i8_to_f32_c;

    pub fn i8_to_f64<n: Nat>(x: [i8; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile i8_to_f64 to rust with lower;
    compile i8_to_f64 to c with vectorize(16) @ 'l ; lower as i8_to_f64_c;

    pub fn arithmetic_u8<n: Nat>(x: [u8; n], y: [u8; n]) -> [u8; n] { zip(x, y) |> 'l: map(|(x, y)| (x + y) * x - (x / y) + (x % y) * min(x, y) - max(x, y)) }
    compile arithmetic_u8 to rust with lower;
    compile arithmetic_u8 to c with vectorize(16) @ 'l ; lower as arithmetic_u8_c;
    compile arithmetic_u8 to c with vectorize(4) @ 'l ; lower as arithmetic_u8_c4;
    compile arithmetic_u8 to rust with vectorize(16) @ 'l ; lower as arithmetic_u8_lanes;

    pub fn bits_u8<n: Nat>(x: [u8; n], y: [u8; n]) -> [u8; n] { zip(x, y) |> 'l: map(|(x, y)| ((x & y) | !(x ^ y)) + shl(x, y) - shr(x, y)) }
    compile bits_u8 to rust with lower;
    compile bits_u8 to c with vectorize(16) @ 'l ; lower as bits_u8_c;
    compile bits_u8 to c with vectorize(4) @ 'l ; lower as bits_u8_c4;
    compile bits_u8 to rust with vectorize(16) @ 'l ; lower as bits_u8_lanes;

    pub fn u8_to_i8<n: Nat>(x: [u8; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile u8_to_i8 to rust with lower;
    compile u8_to_i8 to c with vectorize(16) @ 'l ; lower as u8_to_i8_c;

    pub fn u8_to_u16<n: Nat>(x: [u8; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile u8_to_u16 to rust with lower;
    compile u8_to_u16 to c with vectorize(16) @ 'l ; lower as u8_to_u16_c;

    pub fn u8_to_i32<n: Nat>(x: [u8; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile u8_to_i32 to rust with lower;
    compile u8_to_i32 to c with vectorize(16) @ 'l ; lower as u8_to_i32_c;

    pub fn u8_to_u64<n: Nat>(x: [u8; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile u8_to_u64 to rust with lower;
    compile u8_to_u64 to c with vectorize(16) @ 'l ; lower as u8_to_u64_c;

    pub fn u8_to_f32<n: Nat>(x: [u8; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile u8_to_f32 to rust with lower;
    compile u8_to_f32 to c with vectorize(16) @ 'l ; lower as u8_to_f32_c;

    pub fn u8_to_f64<n: Nat>(x: [u8; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile u8_to_f64 to rust with lower;
    compile u8_to_f64 to c with vectorize(16) @ 'l ; lower as u8_to_f64_c;

    pub fn arithmetic_i16<n: Nat>(x: [i16; n], y: [i16; n]) -> [i16; n] { zip(x, y) |> 'l: map(|(x, y)| (x + y) * x - (x / y) + (x % y) * min(x, y) - max(x, y)) }
    compile arithmetic_i16 to rust with lower;
    compile arithmetic_i16 to c with vectorize(16) @ 'l ; lower as arithmetic_i16_c;
    compile arithmetic_i16 to c with vectorize(4) @ 'l ; lower as arithmetic_i16_c4;
    compile arithmetic_i16 to rust with vectorize(16) @ 'l ; lower as arithmetic_i16_lanes;

    pub fn bits_i16<n: Nat>(x: [i16; n], y: [i16; n]) -> [i16; n] { zip(x, y) |> 'l: map(|(x, y)| ((x & y) | !(x ^ y)) + shl(x, y) - shr(x, y)) }
    compile bits_i16 to rust with lower;
    compile bits_i16 to c with vectorize(16) @ 'l ; lower as bits_i16_c;
    compile bits_i16 to c with vectorize(4) @ 'l ; lower as bits_i16_c4;
    compile bits_i16 to rust with vectorize(16) @ 'l ; lower as bits_i16_lanes;

    pub fn i16_to_i8<n: Nat>(x: [i16; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile i16_to_i8 to rust with lower;
    compile i16_to_i8 to c with vectorize(16) @ 'l ; lower as i16_to_i8_c;

    pub fn i16_to_u16<n: Nat>(x: [i16; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile i16_to_u16 to rust with lower;
    compile i16_to_u16 to c with vectorize(16) @ 'l ; lower as i16_to_u16_c;

    pub fn i16_to_i32<n: Nat>(x: [i16; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile i16_to_i32 to rust with lower;
    compile i16_to_i32 to c with vectorize(16) @ 'l ; lower as i16_to_i32_c;

    pub fn i16_to_u64<n: Nat>(x: [i16; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile i16_to_u64 to rust with lower;
    compile i16_to_u64 to c with vectorize(16) @ 'l ; lower as i16_to_u64_c;

    pub fn i16_to_f32<n: Nat>(x: [i16; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile i16_to_f32 to rust with lower;
    compile i16_to_f32 to c with vectorize(16) @ 'l ; lower as i16_to_f32_c;

    pub fn i16_to_f64<n: Nat>(x: [i16; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile i16_to_f64 to rust with lower;
    compile i16_to_f64 to c with vectorize(16) @ 'l ; lower as i16_to_f64_c;

    pub fn arithmetic_u16<n: Nat>(x: [u16; n], y: [u16; n]) -> [u16; n] { zip(x, y) |> 'l: map(|(x, y)| (x + y) * x - (x / y) + (x % y) * min(x, y) - max(x, y)) }
    compile arithmetic_u16 to rust with lower;
    compile arithmetic_u16 to c with vectorize(16) @ 'l ; lower as arithmetic_u16_c;
    compile arithmetic_u16 to c with vectorize(4) @ 'l ; lower as arithmetic_u16_c4;
    compile arithmetic_u16 to rust with vectorize(16) @ 'l ; lower as arithmetic_u16_lanes;

    pub fn bits_u16<n: Nat>(x: [u16; n], y: [u16; n]) -> [u16; n] { zip(x, y) |> 'l: map(|(x, y)| ((x & y) | !(x ^ y)) + shl(x, y) - shr(x, y)) }
    compile bits_u16 to rust with lower;
    compile bits_u16 to c with vectorize(16) @ 'l ; lower as bits_u16_c;
    compile bits_u16 to c with vectorize(4) @ 'l ; lower as bits_u16_c4;
    compile bits_u16 to rust with vectorize(16) @ 'l ; lower as bits_u16_lanes;

    pub fn u16_to_i8<n: Nat>(x: [u16; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile u16_to_i8 to rust with lower;
    compile u16_to_i8 to c with vectorize(16) @ 'l ; lower as u16_to_i8_c;

    pub fn u16_to_i32<n: Nat>(x: [u16; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile u16_to_i32 to rust with lower;
    compile u16_to_i32 to c with vectorize(16) @ 'l ; lower as u16_to_i32_c;

    pub fn u16_to_u64<n: Nat>(x: [u16; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile u16_to_u64 to rust with lower;
    compile u16_to_u64 to c with vectorize(16) @ 'l ; lower as u16_to_u64_c;

    pub fn u16_to_f32<n: Nat>(x: [u16; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile u16_to_f32 to rust with lower;
    compile u16_to_f32 to c with vectorize(16) @ 'l ; lower as u16_to_f32_c;

    pub fn u16_to_f64<n: Nat>(x: [u16; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile u16_to_f64 to rust with lower;
    compile u16_to_f64 to c with vectorize(16) @ 'l ; lower as u16_to_f64_c;

    pub fn arithmetic_i32<n: Nat>(x: [i32; n], y: [i32; n]) -> [i32; n] { zip(x, y) |> 'l: map(|(x, y)| (x + y) * x - (x / y) + (x % y) * min(x, y) - max(x, y)) }
    compile arithmetic_i32 to rust with lower;
    compile arithmetic_i32 to c with vectorize(16) @ 'l ; lower as arithmetic_i32_c;
    compile arithmetic_i32 to c with vectorize(4) @ 'l ; lower as arithmetic_i32_c4;
    compile arithmetic_i32 to rust with vectorize(16) @ 'l ; lower as arithmetic_i32_lanes;

    pub fn bits_i32<n: Nat>(x: [i32; n], y: [i32; n]) -> [i32; n] { zip(x, y) |> 'l: map(|(x, y)| ((x & y) | !(x ^ y)) + shl(x, y) - shr(x, y)) }
    compile bits_i32 to rust with lower;
    compile bits_i32 to c with vectorize(16) @ 'l ; lower as bits_i32_c;
    compile bits_i32 to c with vectorize(4) @ 'l ; lower as bits_i32_c4;
    compile bits_i32 to rust with vectorize(16) @ 'l ; lower as bits_i32_lanes;

    pub fn i32_to_i8<n: Nat>(x: [i32; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile i32_to_i8 to rust with lower;
    compile i32_to_i8 to c with vectorize(16) @ 'l ; lower as i32_to_i8_c;

    pub fn i32_to_u8<n: Nat>(x: [i32; n]) -> [u8; n] { x |> 'l: map(|x| x as u8) }
    compile i32_to_u8 to rust with lower;
    compile i32_to_u8 to c with vectorize(16) @ 'l ; lower as i32_to_u8_c;

    pub fn i32_to_u16<n: Nat>(x: [i32; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile i32_to_u16 to rust with lower;
    compile i32_to_u16 to c with vectorize(16) @ 'l ; lower as i32_to_u16_c;

    pub fn i32_to_u64<n: Nat>(x: [i32; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile i32_to_u64 to rust with lower;
    compile i32_to_u64 to c with vectorize(16) @ 'l ; lower as i32_to_u64_c;

    pub fn i32_to_f32<n: Nat>(x: [i32; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile i32_to_f32 to rust with lower;
    compile i32_to_f32 to c with vectorize(16) @ 'l ; lower as i32_to_f32_c;

    pub fn i32_to_f64<n: Nat>(x: [i32; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile i32_to_f64 to rust with lower;
    compile i32_to_f64 to c with vectorize(16) @ 'l ; lower as i32_to_f64_c;

    pub fn arithmetic_u32<n: Nat>(x: [u32; n], y: [u32; n]) -> [u32; n] { zip(x, y) |> 'l: map(|(x, y)| (x + y) * x - (x / y) + (x % y) * min(x, y) - max(x, y)) }
    compile arithmetic_u32 to rust with lower;
    compile arithmetic_u32 to c with vectorize(16) @ 'l ; lower as arithmetic_u32_c;
    compile arithmetic_u32 to c with vectorize(4) @ 'l ; lower as arithmetic_u32_c4;
    compile arithmetic_u32 to rust with vectorize(16) @ 'l ; lower as arithmetic_u32_lanes;

    pub fn bits_u32<n: Nat>(x: [u32; n], y: [u32; n]) -> [u32; n] { zip(x, y) |> 'l: map(|(x, y)| ((x & y) | !(x ^ y)) + shl(x, y) - shr(x, y)) }
    compile bits_u32 to rust with lower;
    compile bits_u32 to c with vectorize(16) @ 'l ; lower as bits_u32_c;
    compile bits_u32 to c with vectorize(4) @ 'l ; lower as bits_u32_c4;
    compile bits_u32 to rust with vectorize(16) @ 'l ; lower as bits_u32_lanes;

    pub fn u32_to_i8<n: Nat>(x: [u32; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile u32_to_i8 to rust with lower;
    compile u32_to_i8 to c with vectorize(16) @ 'l ; lower as u32_to_i8_c;

    pub fn u32_to_u16<n: Nat>(x: [u32; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile u32_to_u16 to rust with lower;
    compile u32_to_u16 to c with vectorize(16) @ 'l ; lower as u32_to_u16_c;

    pub fn u32_to_i32<n: Nat>(x: [u32; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile u32_to_i32 to rust with lower;
    compile u32_to_i32 to c with vectorize(16) @ 'l ; lower as u32_to_i32_c;

    pub fn u32_to_u64<n: Nat>(x: [u32; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile u32_to_u64 to rust with lower;
    compile u32_to_u64 to c with vectorize(16) @ 'l ; lower as u32_to_u64_c;

    pub fn u32_to_f32<n: Nat>(x: [u32; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile u32_to_f32 to rust with lower;
    compile u32_to_f32 to c with vectorize(16) @ 'l ; lower as u32_to_f32_c;

    pub fn u32_to_f64<n: Nat>(x: [u32; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile u32_to_f64 to rust with lower;
    compile u32_to_f64 to c with vectorize(16) @ 'l ; lower as u32_to_f64_c;

    pub fn arithmetic_i64<n: Nat>(x: [i64; n], y: [i64; n]) -> [i64; n] { zip(x, y) |> 'l: map(|(x, y)| (x + y) * x - (x / y) + (x % y) * min(x, y) - max(x, y)) }
    compile arithmetic_i64 to rust with lower;
    compile arithmetic_i64 to c with vectorize(16) @ 'l ; lower as arithmetic_i64_c;
    compile arithmetic_i64 to c with vectorize(4) @ 'l ; lower as arithmetic_i64_c4;
    compile arithmetic_i64 to rust with vectorize(16) @ 'l ; lower as arithmetic_i64_lanes;

    pub fn bits_i64<n: Nat>(x: [i64; n], y: [i64; n]) -> [i64; n] { zip(x, y) |> 'l: map(|(x, y)| ((x & y) | !(x ^ y)) + shl(x, y) - shr(x, y)) }
    compile bits_i64 to rust with lower;
    compile bits_i64 to c with vectorize(16) @ 'l ; lower as bits_i64_c;
    compile bits_i64 to c with vectorize(4) @ 'l ; lower as bits_i64_c4;
    compile bits_i64 to rust with vectorize(16) @ 'l ; lower as bits_i64_lanes;

    pub fn i64_to_i8<n: Nat>(x: [i64; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile i64_to_i8 to rust with lower;
    compile i64_to_i8 to c with vectorize(16) @ 'l ; lower as i64_to_i8_c;

    pub fn i64_to_u16<n: Nat>(x: [i64; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile i64_to_u16 to rust with lower;
    compile i64_to_u16 to c with vectorize(16) @ 'l ; lower as i64_to_u16_c;

    pub fn i64_to_i32<n: Nat>(x: [i64; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile i64_to_i32 to rust with lower;
    compile i64_to_i32 to c with vectorize(16) @ 'l ; lower as i64_to_i32_c;

    pub fn i64_to_u64<n: Nat>(x: [i64; n]) -> [u64; n] { x |> 'l: map(|x| x as u64) }
    compile i64_to_u64 to rust with lower;
    compile i64_to_u64 to c with vectorize(16) @ 'l ; lower as i64_to_u64_c;

    pub fn i64_to_f32<n: Nat>(x: [i64; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile i64_to_f32 to rust with lower;
    compile i64_to_f32 to c with vectorize(16) @ 'l ; lower as i64_to_f32_c;

    pub fn i64_to_f64<n: Nat>(x: [i64; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile i64_to_f64 to rust with lower;
    compile i64_to_f64 to c with vectorize(16) @ 'l ; lower as i64_to_f64_c;

    pub fn arithmetic_u64<n: Nat>(x: [u64; n], y: [u64; n]) -> [u64; n] { zip(x, y) |> 'l: map(|(x, y)| (x + y) * x - (x / y) + (x % y) * min(x, y) - max(x, y)) }
    compile arithmetic_u64 to rust with lower;
    compile arithmetic_u64 to c with vectorize(16) @ 'l ; lower as arithmetic_u64_c;
    compile arithmetic_u64 to c with vectorize(4) @ 'l ; lower as arithmetic_u64_c4;
    compile arithmetic_u64 to rust with vectorize(16) @ 'l ; lower as arithmetic_u64_lanes;

    pub fn bits_u64<n: Nat>(x: [u64; n], y: [u64; n]) -> [u64; n] { zip(x, y) |> 'l: map(|(x, y)| ((x & y) | !(x ^ y)) + shl(x, y) - shr(x, y)) }
    compile bits_u64 to rust with lower;
    compile bits_u64 to c with vectorize(16) @ 'l ; lower as bits_u64_c;
    compile bits_u64 to c with vectorize(4) @ 'l ; lower as bits_u64_c4;
    compile bits_u64 to rust with vectorize(16) @ 'l ; lower as bits_u64_lanes;

    pub fn u64_to_i8<n: Nat>(x: [u64; n]) -> [i8; n] { x |> 'l: map(|x| x as i8) }
    compile u64_to_i8 to rust with lower;
    compile u64_to_i8 to c with vectorize(16) @ 'l ; lower as u64_to_i8_c;

    pub fn u64_to_u16<n: Nat>(x: [u64; n]) -> [u16; n] { x |> 'l: map(|x| x as u16) }
    compile u64_to_u16 to rust with lower;
    compile u64_to_u16 to c with vectorize(16) @ 'l ; lower as u64_to_u16_c;

    pub fn u64_to_i32<n: Nat>(x: [u64; n]) -> [i32; n] { x |> 'l: map(|x| x as i32) }
    compile u64_to_i32 to rust with lower;
    compile u64_to_i32 to c with vectorize(16) @ 'l ; lower as u64_to_i32_c;

    pub fn u64_to_f32<n: Nat>(x: [u64; n]) -> [f32; n] { x |> 'l: map(|x| x as f32) }
    compile u64_to_f32 to rust with lower;
    compile u64_to_f32 to c with vectorize(16) @ 'l ; lower as u64_to_f32_c;

    pub fn u64_to_f64<n: Nat>(x: [u64; n]) -> [f64; n] { x |> 'l: map(|x| x as f64) }
    compile u64_to_f64 to rust with lower;
    compile u64_to_f64 to c with vectorize(16) @ 'l ; lower as u64_to_f64_c;

    pub fn negated_i32<n: Nat>(x: [i32; n]) -> [i32; n] { x |> 'l: map(|x| abs(-x) - x) }
    compile negated_i32 to rust with lower;
    compile negated_i32 to c with vectorize(16) @ 'l ; lower as negated_i32_c;
    compile negated_i32 to c with vectorize(4) @ 'l ; lower as negated_i32_c4;
    compile negated_i32 to rust with vectorize(16) @ 'l ; lower as negated_i32_lanes;

    pub fn reversed<n: Nat>(x: [f32; n]) -> [f32; n] { generate(|i| x[n - 1 - i]) |> 'l: map(|x| x + 1.0) }
    compile reversed to rust with lower;
    compile reversed to c with vectorize(16) @ 'l ; lower as reversed_c;
    compile reversed to c with vectorize(4) @ 'l ; lower as reversed_c4;
    compile reversed to rust with vectorize(16) @ 'l ; lower as reversed_lanes;

    pub fn indices<n: Nat>(x: [i32; n]) -> [i32; n] { zip(x, generate(|i| i as i32)) |> 'l: map(|(x, i)| x + i) }
    compile indices to rust with lower;
    compile indices to c with vectorize(16) @ 'l ; lower as indices_c;
    compile indices to c with vectorize(4) @ 'l ; lower as indices_c4;
    compile indices to rust with vectorize(16) @ 'l ; lower as indices_lanes;

    pub fn mask_of<n: Nat>(m: [bool; n], x: [i16; n]) -> [i16; n] { zip(m, x) |> 'l: map(|(m, x)| if m { x } else { 7 }) }
    compile mask_of to rust with lower;
    compile mask_of to c with vectorize(16) @ 'l ; lower as mask_of_c;
    compile mask_of to c with vectorize(4) @ 'l ; lower as mask_of_c4;
    compile mask_of to rust with vectorize(16) @ 'l ; lower as mask_of_lanes;

    pub fn chosen_by_bytes<n: Nat>(x: [u8; n], y: [i64; n]) -> [i32; n] { zip(x, y) |> 'l: map(|(x, y)| if x > y as u8 && y as i16 != 3i16 { x as i32 } else { y as i32 }) }
    compile chosen_by_bytes to rust with lower;
    compile chosen_by_bytes to c with vectorize(2) @ 'l ; lower as chosen_by_bytes_c2;
    compile chosen_by_bytes to c with vectorize(4) @ 'l ; lower as chosen_by_bytes_c4;

    pub fn turned_right<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; n]; m] { transpose(x) |> map(|row| generate(|i: Idx[n]| row[n - 1 - i])) }
    compile turned_right to c with auto as turned_right_c;

    pub fn turned_left<n: Nat, m: Nat>(x: [[u8; m]; n]) -> [[u8; n]; m] { generate(|i: Idx[m]| transpose(x)[m - 1 - i]) }
    compile turned_left to c with auto as turned_left_c;

}
