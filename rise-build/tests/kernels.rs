//! A kernel for the command `rise` to show; this crate does not know the macro.

macro_rules! rise {
    ($($token:tt)*) => {};
}

rise! {
    pub fn scaled<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'all: map(|x| x * 2.0) }

    compile scaled to rust with splitJoin(4) @ 'all ; lower;
}
