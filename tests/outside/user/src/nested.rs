//! A module.

/// A module in it.
pub mod deeper {
    rise::rise! {
        /// Changes the sign.
        pub fn negated<n: Nat>(x: [i32; n]) -> [i32; n] { x |> map(|x| -x) }
    }
}
