//! Views of arrays of other crates, each behind a feature of that crate's name.

#[cfg(feature = "image")]
mod image;
#[cfg(feature = "ndarray")]
mod ndarray;
