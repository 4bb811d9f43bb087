//! What strategies may know of the processors that run the code: one row for each instruction set that makes a
//! difference.
//!
//! A strategy that asks is run once for each row, and so is everything behind it; one that does not ask is run once
//! for all. Vectors of the language have the same lanes on every instruction set: 64 bytes are one register, two or
//! four. Instruction sets without a row take the code of the last one: where registers of 128 bits are 32, as on ARM,
//! tiles of AVX2 fit, and where they are 16 no tile that we tried did better.

/// An instruction set as a strategy sees it.
#[derive(PartialEq, Eq, Debug)]
pub struct Machine {
    /// The name, as in `RISE_ISA`.
    pub name: &'static str,
    /// How many vector registers there are.
    pub registers: i64,
    /// The bytes of each.
    pub bytes: i64,
}

/// All rows, the best first.
pub const MACHINES: &[Machine] = &[
    Machine { name: "avx512", registers: 32, bytes: 64 },
    Machine { name: "avx2", registers: 16, bytes: 32 },
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
