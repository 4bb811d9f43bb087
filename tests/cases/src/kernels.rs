//! The kernels, without any strategy.

use rise::rise;

rise! {
    use "basics.rise";
}
