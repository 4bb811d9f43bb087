//! A machine without OpenCL: the program starts, and what is missing is a value.

use std::process::Command;

use rise::Error;
use rise::opencl::Device;
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
    without("no_device", |command| command.env("OCL_ICD_VENDORS", "/nowhere"));
}

#[test]
#[ignore = "started by `without_a_device_calls_say_so`, where no vendor is found"]
fn no_device() {
    let error = scal(2.0, &[1.0, 2.0]).expect_err("there is no device");
    assert!(matches!(error, Error::NoDevice | Error::Library { .. }), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn without_the_library_calls_say_so() {
    // What the loader finds first is no library.
    let folder = std::env::temp_dir().join(format!("rise-no-opencl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a place for files");
    for name in ["libOpenCL.so.1", "libOpenCL.so"] {
        std::fs::write(folder.join(name), "").expect("there is room");
    }
    let run =
        std::panic::catch_unwind(|| without("no_library", |command| command.env("LD_LIBRARY_PATH", &folder)));
    std::fs::remove_dir_all(&folder).expect("the folder was made here");
    run.unwrap();
}

#[test]
#[ignore = "started by `without_the_library_calls_say_so`, where libOpenCL cannot be opened"]
fn no_library() {
    let error = scal(2.0, &[1.0, 2.0]).expect_err("there is no library");
    assert!(matches!(error, Error::Library { .. }), "{error}");
    assert!(error.to_string().contains("libOpenCL"), "{error}");
    assert_eq!(Device::list().expect_err("there is no library"), error);
    assert_eq!(Device::default().expect_err("there is no library"), error);
}

/// Starts this program again for a test that is ignored otherwise.
fn without(test: &str, change: impl FnOnce(&mut Command) -> &mut Command) {
    let program = std::env::current_exe().expect("the test knows its own path");
    let mut command = Command::new(program);
    command.args(["--exact", test, "--ignored"]);
    let output = change(&mut command).output().expect("the test can start itself");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
