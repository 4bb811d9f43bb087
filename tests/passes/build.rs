//! Compiles the kernels of the tests that are in C.

fn main() {
    rise_build::compile();
}
