//! What strategies may know of the processors that run the code: one row for each instruction set that makes a
//! difference.
//!
//! A strategy that [asks](Asked) is run again for each row that answers otherwise than the one before, and so is
//! everything behind it; one that does not ask is run once for all. Vectors of the language have the same lanes on every
//! instruction set: 64 bytes are one register, two or four. The last row is for all that have none of their own: where
//! registers of 128 bits are 32, as on ARM, tiles of AVX2 fit, and where they are 16 no tile that we tried did better.

/// An instruction set as a strategy sees it.
#[derive(PartialEq, Eq, Debug)]
pub struct Machine {
    /// The name, as in `RISE_ISA`.
    pub name: &'static str,
    /// How many vector registers there are.
    pub registers: i64,
    /// The bytes of each, or of two that serve as one.
    pub bytes: i64,
    /// Whether there are lanes for numbers of 8 and 16 bits.
    pub has_small: bool,
}

/// What was asked of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// Its registers.
    pub registers: bool,
    /// Whether it has lanes for small numbers.
    pub small: bool,
}

impl Asked {
    /// Everything that either was asked.
    #[must_use]
    pub fn and(self, other: Asked) -> Self {
        Asked { registers: self.registers || other.registers, small: self.small || other.small }
    }

    /// Whether both machines give the same answers.
    pub fn is_same(self, one: &Machine, other: &Machine) -> bool {
        (!self.registers || (one.registers, one.bytes) == (other.registers, other.bytes))
            && (!self.small || one.has_small == other.has_small)
    }
}

/// All rows, the best first.
pub const MACHINES: &[Machine] = &[
    Machine { name: "avx512", registers: 32, bytes: 64, has_small: true },
    Machine { name: "avx2", registers: 16, bytes: 32, has_small: true },
    Machine { name: "baseline", registers: 16, bytes: 32, has_small: false },
];

impl Machine {
    /// The one that a strategy sees first.
    pub const BEST: &'static Machine = &MACHINES[0];

    /// The row of this name; the last one for any other.
    pub fn named(name: &str) -> &'static Machine {
        MACHINES.iter().find(|machine| machine.name == name).unwrap_or(&MACHINES[MACHINES.len() - 1])
    }

    /// How many registers hold a vector of so many bytes.
    pub fn registers_of(&self, bytes: i64) -> i64 {
        (bytes + self.bytes - 1) / self.bytes
    }
}
