//! The benchmarks of the papers as functions.

use rise::rise;

rise! {
    use "papers.rise";
}
