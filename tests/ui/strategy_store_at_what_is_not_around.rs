use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [[f32; n]; n]) -> [[f32; n]; n] {
        x |> 'rows: map(|row| row |> 'squares: map(|v| v * v) |> slide(1, 1) |> 'sums: map(|w| w[0]))
    }
    compile f to rust with storeIn(Private, at = 'sums) @ 'squares ; lower;
}

fn main() {}
