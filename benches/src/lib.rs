//! Measures kernels beside their peers: interleaved in one run, medians, ratios.

pub mod by_hand;
pub mod ceilings;
pub mod convolution;
pub mod peers;
pub mod record;
pub mod streams;
pub mod timing;
