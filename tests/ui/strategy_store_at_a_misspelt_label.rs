use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [[f32; n]; n]) -> [[f32; n]; n] {
        x |> 'rows: map(|row| row |> 'squares: map(|v| v * v) |> slide(1, 1) |> map(|w| w[0]))
    }
    compile f to rust with storeIn(Private, at = 'row) @ 'squares ; lower;
}

fn main() {}
