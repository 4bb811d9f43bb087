//! What a function that ships does inside is not the user's to mend: the call is guilty.

rise::rise! {
    use "rise/nn.rise";
    use "rise/blas.rise";

    pub fn attention<n: Nat, m: Nat>(scores: [[f32; m]; n]) -> [[f32; m]; n] { softmax(scores) }

    pub fn length<n: Nat, m: Nat>(rows: [[f32; m]; n]) -> f32 { rows |> nrm2 }
}

fn main() {}
