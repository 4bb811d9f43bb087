//! Which instruction set a kernel runs on.
//!
//! In: what the CPU has, and `RISE_ISA`. Out: a [`Level`], the same for the whole process and found once. A level
//! is only given where the CPU has *every* feature that the functions of that level enable, so calling one of
//! them is sound. A name that is unknown, or that the CPU lacks, is an error of each call and never a fall-back.

use crate::error::Error;
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// The variable that asks for an instruction set by name.
pub const VARIABLE: &str = "RISE_ISA";

/// An instruction set that kernels are instantiated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Level {
    /// What every CPU of the architecture has.
    Baseline = 1,
    /// AVX2 and FMA.
    Avx2 = 2,
    /// AVX-512 F, BW, DQ and VL, besides AVX2 and FMA.
    Avx512 = 3,
}

impl Level {
    /// All levels, the least first.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// The name, as in `RISE_ISA`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Whether this CPU has all of it.
    pub fn is_supported(self) -> bool {
        self.missing().is_none()
    }

    /// The best that this CPU has.
    fn best() -> Self {
        Self::ALL.into_iter().rev().find(|level| level.is_supported()).unwrap_or(Self::Baseline)
    }

    /// A feature of this level that the CPU lacks.
    #[cfg(target_arch = "x86_64")]
    fn missing(self) -> Option<&'static str> {
        macro_rules! first_missing {
            ($($feature:tt)*) => { $(if !std::arch::is_x86_feature_detected!($feature) { return Some($feature); })* };
        }
        if self >= Self::Avx2 {
            first_missing!("avx" "avx2" "fma");
        }
        if self >= Self::Avx512 {
            first_missing!("avx512f" "avx512bw" "avx512dq" "avx512vl");
        }
        None
    }

    /// A feature of this level that the CPU lacks.
    #[cfg(not(target_arch = "x86_64"))]
    fn missing(self) -> Option<&'static str> {
        (self != Self::Baseline).then_some("x86_64")
    }

    /// The level of this name, if the CPU has it.
    fn named(name: &str) -> Result<Self, Error> {
        let Some(level) = Self::ALL.into_iter().find(|level| level.name() == name) else {
            let reason = format!("{VARIABLE} takes the names `avx512`, `avx2` and `baseline`");
            return Err(Error::Isa { requested: name.to_owned(), reason });
        };
        match level.missing() {
            None => Ok(level),
            Some(feature) => {
                let reason = format!("this CPU has no {feature}");
                Err(Error::Isa { requested: name.to_owned(), reason })
            }
        }
    }
}

/// The level found, as its code; [`OPEN`] before, and where it is an error.
static FOUND: AtomicU8 = AtomicU8::new(OPEN);

/// Nobody knows yet.
const OPEN: u8 = 0;

/// Some thread forced a level once, so that each asks for its own from then on.
const FORCING: u8 = 4;

thread_local! {
    static FORCED: Cell<Option<Level>> = const { Cell::new(None) };
}

/// The level that kernels called now run on: what `RISE_ISA` names, else the best that the CPU has.
#[inline]
pub fn level() -> Result<Level, Error> {
    match FOUND.load(Ordering::Relaxed) {
        3 => Ok(Level::Avx512),
        2 => Ok(Level::Avx2),
        1 => Ok(Level::Baseline),
        _ => find(),
    }
}

#[cold]
#[inline(never)]
fn find() -> Result<Level, Error> {
    if let Some(level) = FORCED.get() {
        return Ok(level);
    }
    static CHOICE: OnceLock<Result<Level, Error>> = OnceLock::new();
    let choice = CHOICE.get_or_init(|| choose(std::env::var_os(VARIABLE).as_deref()));
    if let Ok(level) = choice {
        // Unless some thread has begun to force.
        let _ = FOUND.compare_exchange(OPEN, *level as u8, Ordering::Relaxed, Ordering::Relaxed);
    }
    choice.clone()
}

fn choose(requested: Option<&std::ffi::OsStr>) -> Result<Level, Error> {
    match requested {
        None => Ok(Level::best()),
        Some(name) if name.is_empty() => Ok(Level::best()),
        Some(name) => Level::named(&name.to_string_lossy()),
    }
}

/// The name of the level that kernels called now run on.
pub fn variant() -> Result<&'static str, Error> {
    level().map(Level::name)
}

/// Makes kernels called from this thread run on `level`; `None` undoes it. For tests and benchmarks.
#[doc(hidden)]
pub fn force(level: Option<Level>) -> Result<(), Error> {
    if let Some(level) = level {
        Level::named(level.name())?;
        FOUND.store(FORCING, Ordering::Relaxed);
    }
    FORCED.set(level);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn names_are_those_of_the_variable() {
        for level in Level::ALL {
            match choose(Some(OsStr::new(level.name()))) {
                Ok(found) => assert_eq!(found, level),
                Err(error) => assert!(error.to_string().contains(level.name()) && !level.is_supported()),
            }
        }
        assert_eq!(choose(None), Ok(Level::best()));
        assert_eq!(choose(Some(OsStr::new(""))), Ok(Level::best()));
        assert_eq!(
            choose(Some(OsStr::new("sse9"))).unwrap_err().to_string(),
            "instruction set `sse9`: RISE_ISA takes the names `avx512`, `avx2` and `baseline`"
        );
    }

    #[test]
    fn a_level_can_be_forced_for_a_thread() {
        let before = level();
        force(Some(Level::Baseline)).unwrap();
        assert_eq!(variant(), Ok("baseline"));
        let other = std::thread::spawn(level).join().unwrap();
        assert_eq!(other, before);
        force(None).unwrap();
        assert_eq!(level(), before);
    }
}
