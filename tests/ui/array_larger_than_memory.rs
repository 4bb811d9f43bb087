rise::rise! {
    pub fn f(xs: [[f32; 10 ^ 12]; 10 ^ 12]) -> f32 { xs[0][0] }
}

fn main() {}
