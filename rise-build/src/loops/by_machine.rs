//! The loops of a kernel, which may differ from machine to machine.

use crate::machine::{MACHINES, Machine};

use super::Kernel;

/// One version for each machine, the best first, or one for all.
#[derive(Clone, Debug)]
pub struct ByMachine {
    first: (&'static Machine, Kernel),
    others: Vec<(&'static Machine, Kernel)>,
}

impl ByMachine {
    /// One version, for this machine and those that get none of their own.
    pub fn new(machine: &'static Machine, loops: Kernel) -> Self {
        Self { first: (machine, loops), others: Vec::new() }
    }

    /// Adds the version for another machine.
    pub fn push(&mut self, machine: &'static Machine, loops: Kernel) {
        self.others.push((machine, loops));
    }

    /// The version for the best machine.
    pub fn best(&self) -> &Kernel {
        &self.first.1
    }

    /// The version for the machine of this name, or the one for the next better machine that has its own.
    pub fn on(&self, name: &str) -> &Kernel {
        let row = |machine: &Machine| MACHINES.iter().position(|other| other == machine);
        let own = row(Machine::named(name));
        let other = self.others.iter().rev().find(|(machine, _)| row(machine) <= own);
        other.map_or(&self.first.1, |(_, loops)| loops)
    }

    /// Whether a version [asks](Kernel::asks_for_past) where results lie.
    pub fn ask_for_past(&self) -> bool {
        std::iter::once(&self.first).chain(&self.others).any(|(_, loops)| loops.asks_for_past())
    }

    /// The versions with their machines, if there are several.
    pub fn several(&self) -> Option<impl Iterator<Item = (&'static Machine, &Kernel)>> {
        let all = std::iter::once(&self.first).chain(&self.others);
        (!self.others.is_empty()).then(|| all.map(|(machine, loops)| (*machine, loops)))
    }
}
