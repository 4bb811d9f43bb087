use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 {
        let mut sum = 0.0;
        for i in 0..n { sum += x[i]; }
        sum
    }
}

fn main() {}
