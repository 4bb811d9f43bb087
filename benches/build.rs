//! Compiles the kernels in C and OpenMP, with the compiler that `CC` names.

fn main() {
    rise_build::compile();
    // For the record of what was measured.
    println!("cargo::rustc-env=BENCH_CC={}", std::env::var("CC").unwrap_or_else(|_| "cc".into()));
}
