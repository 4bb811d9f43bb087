use rise::rise;

rise! {
    pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| x + y) }
}

fn main() -> Result<(), rise::Error> {
    let mut y = f(&[1.0, 2.0])?;
    y.push(3.0);
    f_into(&mut y, &[1.0, 2.0, 3.0])
}
