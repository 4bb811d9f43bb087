//! The files of a package, and the kernels in them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::pipeline::{Unit, Units, units};

use super::scan::{Sources, markdown, rust};

/// Folders in which cargo looks for targets.
const FOLDERS: [&str; 4] = ["src", "tests", "examples", "benches"];

/// What a build script compiles, and what it depends on.
#[derive(Default)]
pub struct Package {
    /// The kernels, each once, with the file where it stands.
    pub kernels: Vec<(Unit, PathBuf)>,
    /// Names and texts of kernels in OpenCL C.
    pub programs: Vec<(String, String)>,
    /// Files and folders that matter.
    pub watched: BTreeSet<PathBuf>,
    read: BTreeSet<PathBuf>,
}

impl Package {
    /// Reads all files of the package in `root`, and those named besides.
    pub fn read(root: &Path, named: &[PathBuf]) -> Self {
        let mut package = Self::default();
        for folder in FOLDERS.map(|folder| root.join(folder)).into_iter().filter(|folder| folder.is_dir()) {
            package.watched.insert(folder.clone());
            package.folder(root, &folder);
        }
        for entry in sorted(root) {
            if entry.extension().is_some_and(|end| end == "rs") {
                package.file(root, &entry);
            }
        }
        let manifest = root.join("Cargo.toml");
        for path in target_paths(&fs::read_to_string(&manifest).unwrap_or_default()) {
            package.file(root, &root.join(path));
        }
        package.watched.insert(manifest);
        named.iter().for_each(|path| package.file(root, &root.join(path)));
        package
    }

    /// A package inside is not this one's.
    fn folder(&mut self, root: &Path, folder: &Path) {
        for entry in sorted(folder) {
            let hidden = entry.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
            if entry.is_dir() && !hidden && !entry.join("Cargo.toml").exists() {
                self.folder(root, &entry);
            } else if entry.extension().is_some_and(|end| end == "rs") {
                self.file(root, &entry);
            }
        }
    }

    fn file(&mut self, root: &Path, path: &Path) {
        if !self.read.insert(path.to_owned()) {
            return;
        }
        self.watched.insert(path.to_owned());
        let Ok(text) = fs::read_to_string(path) else { return };
        let sources =
            if path.extension().is_some_and(|end| end == "md") { markdown(&text) } else { rust(&text) };
        self.take(root, path, sources);
    }

    fn take(&mut self, root: &Path, path: &Path, sources: Sources) {
        let load = |file: &str| fs::read_to_string(root.join(file)).map_err(|error| error.to_string());
        for block in sources.blocks {
            let Units { compiled, programs, files } = units(block, &load);
            self.watched.extend(files.iter().map(|file| root.join(file)));
            self.programs.extend(programs);
            for unit in compiled {
                if !self.kernels.iter().any(|(known, _)| known.symbol == unit.symbol) {
                    let file = path.strip_prefix(root).unwrap_or(path).to_owned();
                    self.kernels.push((unit, file));
                }
            }
        }
        let folder = path.parent().unwrap_or(root);
        for included in sources.included {
            self.file(root, &folder.join(included));
        }
        for text in sources.texts {
            let path = folder.join(text);
            if self.read.insert(path.clone()) {
                self.watched.insert(path.clone());
                let text = fs::read_to_string(&path).unwrap_or_default();
                self.take(root, &path, markdown(&text));
            }
        }
    }
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// `path = "….rs"` of targets that lie elsewhere.
pub fn target_paths(manifest: &str) -> Vec<String> {
    let paths = manifest.lines().filter_map(|line| {
        let value = line.trim().strip_prefix("path")?.trim_start().strip_prefix('=')?.trim();
        value.strip_prefix('"')?.split('"').next().filter(|path| path.ends_with(".rs"))
    });
    paths.map(str::to_owned).collect()
}
