//! Where cargo put the libraries that a batch is linked with.

use std::path::PathBuf;
use std::process::Command;

/// The facade and the folder of what it depends on.
pub struct Libraries {
    /// The facade's library.
    pub facade: PathBuf,
    /// The libraries behind it.
    pub dependencies: PathBuf,
}

/// Builds the facade where that is not done yet.
///
/// # Panics
/// Where cargo fails.
pub fn libraries() -> Libraries {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let output = Command::new(cargo)
        .args([
            "build",
            "--quiet",
            "--package",
            "rise-lang",
            "--lib",
            "--message-format=json",
            "--manifest-path",
        ])
        .arg(manifest)
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let messages = String::from_utf8_lossy(&output.stdout);
    let facade = messages.split('"').find(|text| text.ends_with(".rlib") && text.contains("librise"));
    let facade = messages
        .lines()
        .filter(|line| line.contains("rise-lang") || line.contains("\"name\":\"rise\""))
        .flat_map(|line| line.split('"'))
        .find(|text| text.ends_with(".rlib"))
        .or(facade)
        .map(PathBuf::from)
        .expect("cargo names the library");
    let dependencies = facade.parent().map(|folder| folder.join("deps")).expect("libraries lie in a folder");
    Libraries { facade, dependencies }
}
