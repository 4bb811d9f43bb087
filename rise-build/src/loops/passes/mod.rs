//! Passes from loops to loops, in the order in which they run.
//!
//! Each keeps the meaning of a kernel for all sizes that satisfy its assumptions, never reorders floating point
//! operations, and leaves loops well-formed ([`check`](super::check::check) says so in tests).

mod ahead;
mod ask;
mod bands;
mod bases;
mod blocks;
mod choose;
mod coalesce;
mod copy;
mod crowded;
mod decide;
mod declare;
mod digits;
mod distribute;
mod exchange;
mod flatten;
mod going_by;
mod inline;
mod interior;
mod jam;
mod lend;
mod measure;
mod memory;
mod near;
mod neighbours;
mod one_by_one;
mod places;
mod promote;
mod quotients;
mod registers;
mod repeat;
mod rest;
mod returned;
mod rounds;
mod several;
mod share;
mod simplify;
mod skip;
mod slant;
mod spread;
mod squares;
mod strip;
mod together;
mod transpose;
mod unroll;
mod vectorize;
mod widen;

#[cfg(test)]
mod tests;

pub use distribute::LARGEST_GROUP;

use std::fmt;

use super::ir::Kernel;

/// What passes may do.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether the code runs on a device, where the strategy alone chooses memory.
    pub device: bool,
    /// Whether the target can write past the cache.
    pub streams: bool,
    /// Whether the target can keep a value from being seen through.
    pub apart: bool,
    /// Greatest size in bytes of a temporary on the stack.
    pub stack_bytes: u64,
    /// Greatest number of registers that replace one array.
    pub registers: u32,
    /// Greatest size of a kernel, in statements and operations.
    pub size: usize,
}

impl Options {
    /// For code that runs on a CPU.
    pub const CPU: Options = Options {
        device: false,
        streams: true,
        apart: true,
        stack_bytes: 16 * 1024,
        registers: 128,
        size: 200_000,
    };
    /// For C.
    pub const C: Options = Options { streams: false, apart: false, ..Options::CPU };
    /// For code that runs on a device.
    pub const DEVICE: Options = Options {
        device: true,
        streams: false,
        apart: false,
        stack_bytes: 16 * 1024,
        registers: 256,
        size: 100_000,
    };
}

/// A loop whose copies would make the kernel too large.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// What the loop is called: its comment or its variable.
    pub name: String,
    /// Number of copies.
    pub copies: u64,
    /// The size that the kernel would have.
    pub size: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooLarge { name, copies, size } = self;
        write!(f, "writing out the {copies} iterations of {name} gives a program of {size} operations")
    }
}

/// A pass with its name.
pub struct Pass {
    /// How dumps and failing tests call it.
    pub name: &'static str,
    /// What it does.
    pub run: fn(&mut Kernel, &Options) -> Result<(), TooLarge>,
}

/// All passes, in order.
pub const PASSES: &[Pass] = &[
    Pass { name: "compute what is returned", run: returned::run },
    Pass { name: "skip what is left over", run: skip::early },
    Pass { name: "vectorize what is copied", run: vectorize::early },
    Pass { name: "unroll", run: unroll::run },
    Pass { name: "tidy", run: simplify::run },
    Pass { name: "distribute", run: distribute::run },
    Pass { name: "together", run: together::run },
    Pass { name: "bands", run: bands::run },
    Pass { name: "flatten", run: flatten::run },
    Pass { name: "transpose", run: transpose::run },
    Pass { name: "digits", run: digits::run },
    Pass { name: "rounds", run: rounds::run },
    Pass { name: "repeat", run: repeat::run },
    Pass { name: "rest", run: rest::run },
    Pass { name: "interior", run: interior::run },
    Pass { name: "exchange", run: exchange::run },
    Pass { name: "neighbours", run: neighbours::run },
    Pass { name: "ahead", run: ahead::run },
    Pass { name: "strip", run: strip::run },
    Pass { name: "decide", run: decide::run },
    Pass { name: "vectorize", run: vectorize::run },
    Pass { name: "simplify", run: simplify::run },
    Pass { name: "widen", run: widen::run },
    Pass { name: "vectorize widened", run: vectorize::run },
    Pass { name: "unroll private", run: unroll::private },
    Pass { name: "registers", run: registers::run },
    Pass { name: "promote", run: promote::run },
    Pass { name: "blocks", run: blocks::run },
    Pass { name: "several", run: several::run },
    Pass { name: "coalesce", run: coalesce::run },
    Pass { name: "share", run: share::run },
    Pass { name: "clean", run: simplify::run },
    Pass { name: "skip", run: skip::run },
    Pass { name: "choose", run: choose::run },
    Pass { name: "declare", run: declare::run },
    Pass { name: "inline", run: inline::run },
    Pass { name: "ask", run: ask::run },
    Pass { name: "near", run: near::run },
    Pass { name: "lend", run: lend::run },
    Pass { name: "spread", run: spread::run },
    Pass { name: "squares", run: squares::run },
    Pass { name: "places", run: places::run },
    Pass { name: "quotients", run: quotients::run },
    Pass { name: "memory", run: memory::run },
];

/// Runs all passes.
pub fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    PASSES.iter().try_for_each(|pass| (pass.run)(kernel, options))
}
