//! The targets, as far as stage 4 has to tell them apart.

use crate::expr::{AddressSpace, Library};

use super::LoopForm;

/// Where a kernel runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Rust, in the user's crate.
    Rust,
    /// C99.
    C,
    /// C99 with OpenMP.
    OpenMp,
    /// One OpenCL kernel.
    OpenCl,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 4] = [Target::Rust, Target::C, Target::OpenMp, Target::OpenCl];

    /// The name in `compile … to …`.
    pub fn name(self) -> &'static str {
        match self {
            Target::Rust => "rust",
            Target::C => "c",
            Target::OpenMp => "openmp",
            Target::OpenCl => "opencl",
        }
    }

    /// The target with this name.
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Whether a loop can run like this; plain C runs parallel loops one after the other.
    pub fn runs(self, form: LoopForm) -> bool {
        match form {
            LoopForm::Seq | LoopForm::Unroll | LoopForm::Vec | LoopForm::Stream => true,
            LoopForm::Par => self != Target::OpenCl,
            LoopForm::Global(d) | LoopForm::WorkGroup(d) | LoopForm::Local(d) => {
                self == Target::OpenCl && d < 3
            }
        }
    }

    /// Whether kernels can call the function.
    pub fn calls(self, library: &Library) -> bool {
        match self {
            Target::Rust => library.rust.is_some(),
            Target::C | Target::OpenMp => library.c.is_some(),
            Target::OpenCl => false,
        }
    }

    /// Whether memory can lie there.
    pub fn holds(self, space: AddressSpace) -> bool {
        self == Target::OpenCl || space != AddressSpace::Local
    }
}
