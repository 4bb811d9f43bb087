//! The instruction sets that C is compiled for.

/// An instruction set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Isa {
    /// What every CPU of the architecture has; `true` for x86-64.
    Baseline(bool),
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F, BW, DQ and VL, besides AVX2 and FMA.
    Avx512,
    /// No vector extensions at all: plain C.
    Plain,
}

impl Isa {
    /// The name, as in `RISE_ISA`.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Baseline(_) | Isa::Plain => "baseline",
            Isa::Avx2 => "avx2",
            Isa::Avx512 => "avx512",
        }
    }

    /// The number by which the runtime names it.
    pub fn level(self) -> u8 {
        match self {
            Isa::Baseline(_) | Isa::Plain => 1,
            Isa::Avx2 => 2,
            Isa::Avx512 => 3,
        }
    }

    /// What GCC and Clang are told.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            Isa::Baseline(_) | Isa::Plain => &[],
            Isa::Avx2 => &["-mavx2", "-mfma"],
            Isa::Avx512 => &["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx2", "-mfma"],
        }
    }

    /// The bytes of a vector register; 0 without vectors.
    pub fn bytes(self) -> u32 {
        match self {
            Isa::Plain => 0,
            Isa::Baseline(_) => 16,
            Isa::Avx2 => 32,
            Isa::Avx512 => 64,
        }
    }

    /// Whether `a * b + c` is one instruction.
    pub fn has_fma(self) -> bool {
        matches!(self, Isa::Avx2 | Isa::Avx512)
    }

    /// Whether `immintrin.h` describes it.
    pub fn is_x86(self) -> bool {
        !matches!(self, Isa::Plain | Isa::Baseline(false))
    }
}
