//! A machine without OpenCL: the program starts, and what is missing is a value.

use std::process::Command;

use rise::Error;
use rise_opencl_tests::kernels::scal;

#[test]
fn the_library_is_not_linked() {
    let program = std::env::current_exe().expect("the test knows its own path");
    let Ok(output) = Command::new("ldd").arg(program).output() else {
        return eprintln!("WARNING: NOT TESTED, `ldd` is not installed");
    };
    let libraries = String::from_utf8_lossy(&output.stdout);
    assert!(libraries.contains("libc.so") && !libraries.contains("OpenCL"), "{libraries}");
}

#[test]
fn without_a_device_calls_say_so() {
    let program = std::env::current_exe().expect("the test knows its own path");
    let status = Command::new(program)
        .args(["--exact", "no_device", "--ignored"])
        .env("OCL_ICD_VENDORS", "/nowhere")
        .status()
        .expect("the test can start itself");
    assert!(status.success());
}

#[test]
#[ignore = "started by `without_a_device_calls_say_so`, where no vendor is found"]
fn no_device() {
    let error = scal(2.0, &[1.0, 2.0]).expect_err("there is no device");
    assert!(matches!(error, Error::NoDevice | Error::Library { .. }), "{error}");
}
