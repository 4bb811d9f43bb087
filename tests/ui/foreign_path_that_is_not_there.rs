rise::rise! {
    extern fn shape(x: f32) -> f32 = crate::shapes::shape;
    pub fn f<n: Nat>(xs: [f32; n]) -> [f32; n] { xs |> map(shape) |> map(shape) }
}

fn main() {}
