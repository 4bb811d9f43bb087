//! Tests once more under Oclgrind, which reports data races and accesses out of bounds.

use std::path::Path;
use std::process::Command;

use rise::opencl::Device;

const VENDOR: &str = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";

/// Runs an ignored test of this program with Oclgrind as the only device, and returns what it printed.
///
/// # Panics
///
/// Where the test fails or Oclgrind has something to report; without Oclgrind, where `RISE_TEST_ALL` is set.
pub fn clean(test: &str) -> String {
    if !Path::new(VENDOR).exists() {
        assert!(std::env::var_os("RISE_TEST_ALL").is_none(), "Oclgrind is not installed");
        eprintln!("WARNING: NOT TESTED, Oclgrind is not installed");
        return String::new();
    }
    let log = std::env::temp_dir().join(format!("rise-oclgrind-{test}-{}.log", std::process::id()));
    let output = Command::new(std::env::current_exe().expect("the test knows its own path"))
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("OCL_ICD_VENDORS", VENDOR)
        .env("OCLGRIND_DATA_RACES", "1")
        // Optimisers call functions that it has not.
        .env("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable")
        .env("OCLGRIND_MAX_ERRORS", "20")
        .env("OCLGRIND_LOG", &log)
        .output()
        .expect("the test can start itself");
    let reports = std::fs::read_to_string(&log).unwrap_or_default();
    _ = std::fs::remove_file(&log);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("1 passed"), "{text}");
    assert!(reports.trim().is_empty(), "{reports}");
    text
}

/// The device of a test that [`clean`] has started.
///
/// # Panics
///
/// Where it is not Oclgrind.
pub fn device() -> Device {
    let device = Device::default().expect("Oclgrind is a device");
    assert!(device.name().contains("Oclgrind"), "{}", device.name());
    device
}
