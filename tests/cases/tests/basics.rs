//! Runs every basic program at every size on every instruction set of this CPU, against references in
//! `f64` written from the formulas.

use std::process::Command;

use rise_cases::{inputs, integers, kernels};

#[path = "../checks.rs"]
mod checks;

fn main() {
    if std::env::var_os("RISE_ISA").is_some() {
        return checks::run();
    }
    let program = std::env::current_exe().expect("the test knows its own path");
    let mut passed = 0;
    for isa in supported() {
        let status = Command::new(&program).env("RISE_ISA", isa).status().expect("the test can start itself");
        assert!(status.success(), "the basics fail on {isa}");
        passed += 1;
    }
    println!("test result: ok. {passed} passed; 0 failed");
}

fn supported() -> Vec<&'static str> {
    let mut isas = vec!["baseline"];
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            isas.push("avx2");
        }
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            isas.push("avx512");
        }
    }
    isas
}

fn target() -> String {
    format!("rust/{}", std::env::var("RISE_ISA").unwrap_or_default())
}
