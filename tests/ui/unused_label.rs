#![deny(unused_labels)]

rise::rise! {
    pub fn twice<n: Nat, m: Nat>(xs: [[f32; m]; n]) -> [[f32; m]; n] {
        xs |> 'rows: map(|row| row |> 'columns: map(|x| x + x))
    }

    compile twice to rust with mapPar @ 'rows ; lower;
}

fn main() {}
