//! Shows the kernels to clang, where that is installed.

fn main() {
    rise_build::compile();
}
