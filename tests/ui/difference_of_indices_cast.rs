use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f64; n]) -> [f64; n] {
        generate(|i: Idx[n]| sum(generate(|j: Idx[n]| if j < i { x[j] * ((i - j) as f64) } else { 0.0 })))
    }
}

fn main() {}
