//! From the loops of a kernel to an archive that rustc links.

use std::fs;
use std::path::{Path, PathBuf};

use crate::backend::c::{Isa, Settings, dispatcher, emit};
use crate::dpia::functional::Target;
use crate::pipeline::Unit;

use super::compiler::Compiler;
use super::output::write_if_changed;

/// A file to be compiled.
pub struct Source {
    path: PathBuf,
    isa: Isa,
    flags: Vec<String>,
    /// Bytes of its text.
    pub len: usize,
}

impl Source {
    /// Compiles it.
    pub fn compile(&self, compiler: &Compiler) -> Result<(), String> {
        compiler.object(&self.path, &self.object(), self.isa, &self.flags)
    }

    fn object(&self) -> PathBuf {
        self.path.with_extension("o")
    }
}

/// The files of one kernel.
pub struct Archive {
    /// The kernel's name, for messages.
    pub kernel: String,
    name: String,
    folder: PathBuf,
    sources: Vec<Source>,
    /// The texts that the archive depends on.
    texts: String,
}

impl Archive {
    /// Writes the C of a kernel below `folder`.
    pub fn write(
        unit: &Unit,
        folder: &Path,
        isas: &[Isa],
        flags: &[String],
        openmp: bool,
    ) -> Result<Self, String> {
        let name = unit.symbol.text().to_owned();
        let mut archive = Self {
            kernel: unit.name.clone(),
            folder: folder.to_owned(),
            sources: Vec::new(),
            texts: String::new(),
            name,
        };
        let parallel = unit.target == Target::OpenMp;
        for isa in isas {
            let text =
                emit(unit.loops.on(isa.name()), &archive.name, &Settings { isa: *isa, openmp: parallel });
            let mut flags = flags.to_vec();
            flags.extend((parallel && openmp).then(|| "-fopenmp".to_owned()));
            archive.source(&format!("_{}", isa.name()), *isa, flags, &text)?;
        }
        let text = dispatcher(unit.loops.best(), &archive.name, isas);
        let least = isas.first().copied().unwrap_or(Isa::Plain);
        archive.source("", least, flags.to_vec(), &text)?;
        Ok(archive)
    }

    fn source(&mut self, suffix: &str, isa: Isa, flags: Vec<String>, text: &str) -> Result<(), String> {
        let path = self.folder.join(format!("{}{suffix}.c", self.name));
        write_if_changed(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        self.texts.push_str(text);
        self.sources.push(Source { path, isa, flags, len: text.len() });
        Ok(())
    }

    /// What is to be compiled: its files, unless none of them has changed since the last time.
    pub fn stale(&self, compiler: &Compiler) -> &[Source] {
        let library = self.folder.join(format!("lib{}.a", self.name));
        let is_current = library.exists()
            && fs::read_to_string(self.path("stamp")).is_ok_and(|old| old == self.stamp(compiler));
        if is_current { &[] } else { &self.sources }
    }

    /// Puts together what was compiled.
    pub fn finish(&self, compiler: &Compiler) -> Result<(), String> {
        let mut build = cc::Build::new();
        build.cargo_metadata(false).cargo_warnings(false).out_dir(&self.folder);
        build.objects(self.sources.iter().map(Source::object));
        build.try_compile(&self.name).map_err(|error| error.to_string())?;
        fs::write(self.path("stamp"), self.stamp(compiler)).map_err(|error| error.to_string())
    }

    /// All that the archive depends on.
    fn stamp(&self, compiler: &Compiler) -> String {
        let all = |source: &Source| format!("{:?}\n", compiler.arguments(source.isa, &source.flags));
        let arguments: String = self.sources.iter().map(all).collect();
        format!("{}\n{arguments}{}", compiler.identity(), self.texts)
    }

    fn path(&self, end: &str) -> PathBuf {
        self.folder.join(format!("{}.{end}", self.name))
    }
}
