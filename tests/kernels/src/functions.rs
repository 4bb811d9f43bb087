//! The elementary functions and conversions there and back, each by its number: with scalars and with lanes in C, beside
//! scalars in Rust.

use rise::rise;

rise! {
    pub fn elementary_f32<n: Nat>(number: i32, x: [f32; n], y: [f32; n]) -> [f32; n] {
        zip(x, y) |> 'l: map(|(x, y)|
            if number == 0 { exp(x) } else { if number == 1 { ln(x) } else { if number == 2 { sin(x) } else {
            if number == 3 { cos(x) } else { if number == 4 { tan(x) } else { if number == 5 { tanh(x) } else {
            if number == 6 { pow(x, y) } else { (x as i32) as f32 }}}}}}})
    }
    compile elementary_f32 to rust with lower;
    compile elementary_f32 to c with lower as elementary_f32_c;
    compile elementary_f32 to c with vectorize(16) @ 'l ; lower as elementary_f32_c16;
    compile elementary_f32 to c with vectorize(4) @ 'l ; lower as elementary_f32_c4;

    pub fn elementary_f64<n: Nat>(number: i32, x: [f64; n], y: [f64; n]) -> [f64; n] {
        zip(x, y) |> 'l: map(|(x, y)|
            if number == 0 { exp(x) } else { if number == 1 { ln(x) } else { if number == 2 { sin(x) } else {
            if number == 3 { cos(x) } else { if number == 4 { tan(x) } else { if number == 5 { tanh(x) } else {
            if number == 6 { pow(x, y) } else { (x as i64) as f64 }}}}}}})
    }
    compile elementary_f64 to rust with lower;
    compile elementary_f64 to c with lower as elementary_f64_c;
    compile elementary_f64 to c with vectorize(16) @ 'l ; lower as elementary_f64_c16;
    compile elementary_f64 to c with vectorize(2) @ 'l ; lower as elementary_f64_c2;
}
