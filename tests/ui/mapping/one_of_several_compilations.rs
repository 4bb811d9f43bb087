rise::rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> 'all: reduce(add, 0.0) }
    compile f to rust with parallel @ 'all ; lower;
    compile f to opencl with lower as f_alone;
    compile f to opencl with parallel @ 'all ; lower as f_together;
}

fn main() {}
