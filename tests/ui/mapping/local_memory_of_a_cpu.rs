use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {
        x |> mapSeq(|x| x + 1.0) |> toMem(Local) |> mapSeq(|x| x * 2.0)
    }
    compile f to c with id;
}

fn main() {}
