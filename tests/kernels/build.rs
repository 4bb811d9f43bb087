//! Compiles the kernels of this package and a library that they call; with `RISE_SANITIZE=1` so that memory errors and undefined behaviour end
//! the tests.

fn main() {
    println!("cargo::rerun-if-env-changed=RISE_SANITIZE");
    println!("cargo::rerun-if-changed=own/library.c");
    cc::Build::new().file("own/library.c").compile("own_library");
    if std::env::var_os("RISE_SANITIZE").is_none() {
        return rise_build::compile();
    }
    for library in ["-Wl,--no-as-needed", "-lasan", "-lubsan"] {
        println!("cargo::rustc-link-arg={library}");
    }
    rise_build::Builder::new()
        .flag("-fsanitize=address,undefined")
        .flag("-fno-sanitize-recover=all")
        // What is checked is the same, and it is compiled in half the time.
        .flag("-O1")
        .compile();
}
