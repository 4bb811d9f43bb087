//! Kernels in OpenCL C through clang, where that is installed: they are built on the user's devices, and what any
//! compiler would refuse is better seen while the package is built.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::output::write_if_changed;

/// The variable that names another clang.
pub const VARIABLE: &str = "CLANG";

/// What every clang has to accept that is asked at all: some have no OpenCL.
const PROBE: &str = "kernel void probe(global float4 *x) { x[get_global_id(0)] = sqrt(x[0]); }\n";

/// Checks kernels, given by name and text; without a clang that knows OpenCL there is nothing to say.
pub fn check(clang: &str, programs: &[(String, String)], folder: &Path) -> Result<(), String> {
    if programs.is_empty() {
        return Ok(());
    }
    let cannot = |error: std::io::Error| format!("cannot write to {}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(cannot)?;
    let mut command = command(clang);
    for (at, (name, text)) in programs.iter().enumerate() {
        let path = folder.join(format!("{name}_{at}.cl"));
        write_if_changed(&path, text).map_err(cannot)?;
        command.arg(path);
    }
    let probe = folder.join("probe.cl");
    write_if_changed(&probe, PROBE).map_err(cannot)?;
    if !self::command(clang).arg(&probe).output().is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    match command.output() {
        Ok(output) if !output.status.success() => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        _ => Ok(()),
    }
}

fn command(clang: &str) -> Command {
    let mut command = Command::new(clang);
    command.args(["-x", "cl", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown", "-fsyntax-only", "-w"]);
    command.env("LC_ALL", "C");
    command
}
