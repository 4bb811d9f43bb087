//! The one error of generated functions.
//!
//! In: what a check at the entry of a kernel found. Out: a sentence that names the parameter, what was expected
//! and what came. The constructors are `#[cold]` functions, so that a check costs a compare and a jump.

use std::fmt;

/// Why a kernel did not run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A dimension of an argument is not what the kernel's type says.
    Shape {
        /// The kernel's parameter.
        parameter: &'static str,
        /// Which dimension, counted from 0, outermost first.
        dimension: usize,
        /// The natural in the type.
        expected: &'static str,
        /// What that natural is in this call; none where no size of that form fits.
        value: Option<usize>,
        /// The size that came.
        got: usize,
    },
    /// A rule about sizes that the kernel's type or strategy implies does not hold.
    Obligation {
        /// The rule.
        text: &'static str,
        /// The naturals in it and their values in this call.
        values: Vec<(&'static str, usize)>,
    },
    /// A product of sizes does not fit into memory's address range.
    Overflow {
        /// What was computed.
        what: &'static str,
    },
    /// The instruction set asked for cannot be used.
    Isa {
        /// The name asked for.
        requested: String,
        /// Why not.
        reason: String,
    },
    /// A slice and the shape given for it disagree.
    SliceShape {
        /// The kernel's parameter.
        parameter: &'static str,
        /// The slice's length.
        len: usize,
        /// The shape.
        shape: Vec<usize>,
    },
    /// An array of another crate does not lie in memory row by row without gaps.
    Layout {
        /// The kernel's parameter.
        parameter: &'static str,
    },
    /// An element of an array of indices is too large.
    Index {
        /// The kernel's parameter.
        parameter: &'static str,
        /// Where in that array.
        position: usize,
        /// The element.
        value: usize,
        /// What it must be less than.
        bound: usize,
    },
    /// A matrix of weights is no column times a row, though the strategy computes with such factors.
    Separable {
        /// The kernel's parameter.
        parameter: &'static str,
        /// The rule that needs it.
        rule: &'static str,
        /// Row and column of an entry that does not fit.
        position: [usize; 2],
        /// What it would have to be.
        expected: String,
        /// What it is.
        got: String,
    },
    /// No memory.
    OutOfMemory {
        /// How much was asked for.
        bytes: usize,
    },
    /// A call into a foreign library failed.
    Foreign {
        /// The function called.
        call: &'static str,
        /// What it returned.
        code: i64,
    },
    /// No device offers what the kernel needs.
    NoDevice,
    /// A device's compiler refused the kernel.
    Build {
        /// What the compiler said.
        log: String,
    },
    /// No device has the name asked for.
    UnknownDevice {
        /// The name.
        requested: String,
        /// The names that there are.
        available: Vec<String>,
    },
    /// A buffer lies on another device than the one that the kernel is to run on.
    OtherDevice {
        /// The kernel's parameter.
        parameter: &'static str,
    },
    /// A size is over a device's limit.
    DeviceLimit {
        /// What is limited.
        what: &'static str,
        /// How much was asked for.
        wanted: usize,
        /// How much there is.
        limit: usize,
    },
    /// A library needed at run time is not installed.
    Library {
        /// Its name.
        missing: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { parameter, dimension, expected, value, got } => {
                write_shape(f, parameter, *dimension, expected, *value, *got)
            }
            Self::Obligation { text, values } => write_obligation(f, text, values),
            Self::Overflow { what } => write!(f, "{what} is too large for this machine"),
            Self::Isa { requested, reason } => write!(f, "instruction set `{requested}`: {reason}"),
            Self::SliceShape { parameter, len, shape } => {
                write!(f, "`{parameter}`: a slice of length {len} does not have the shape {shape:?}")
            }
            Self::Layout { parameter } => {
                write!(f, "`{parameter}`: the array is not contiguous in row-major order (standard layout)")
            }
            Self::Index { parameter, position, value, bound } => {
                write!(f, "`{parameter}`: element {position} is {value}, expected an index less than {bound}")
            }
            Self::Separable { parameter, rule, position: [i, j], expected, got } => write!(
                f,
                "`{parameter}` is not separable, which `{rule}` needs: element [{i}][{j}] is {got}, a column times a row has {expected} there"
            ),
            Self::OutOfMemory { bytes } => write!(f, "cannot allocate {bytes} bytes"),
            Self::Foreign { call, code } => write!(f, "{call} failed with code {code}"),
            Self::NoDevice => write!(f, "no device found that can run this kernel"),
            Self::Build { log } => write!(f, "the device's compiler refused the kernel:\n{log}"),
            Self::UnknownDevice { requested, available } => {
                write!(f, "no device is called `{requested}`; there are {}", available.join(", "))
            }
            Self::OtherDevice { parameter } => write!(f, "`{parameter}`: the buffer is on another device"),
            Self::DeviceLimit { what, wanted, limit } => {
                write!(f, "the device has at most {limit} {what}, not {wanted}")
            }
            Self::Library { missing } => write!(f, "the library {missing} is not installed"),
        }
    }
}

impl std::error::Error for Error {}

fn write_shape(
    f: &mut fmt::Formatter<'_>,
    parameter: &str,
    dimension: usize,
    expected: &str,
    value: Option<usize>,
    got: usize,
) -> fmt::Result {
    write!(f, "`{parameter}`: dimension {dimension} is {got}, expected {expected}")?;
    match value {
        Some(value) if value.to_string() != expected => write!(f, " = {value}"),
        _ => Ok(()),
    }
}

fn write_obligation(f: &mut fmt::Formatter<'_>, text: &str, values: &[(&str, usize)]) -> fmt::Result {
    write!(f, "{text} does not hold")?;
    for (i, (name, value)) in values.iter().enumerate() {
        write!(f, "{}{name} = {value}", if i == 0 { ": " } else { ", " })?;
    }
    Ok(())
}

impl Error {
    /// A dimension is not what the type says.
    #[cold]
    #[inline(never)]
    pub fn shape(
        parameter: &'static str,
        dimension: usize,
        expected: &'static str,
        value: usize,
        got: usize,
    ) -> Self {
        Self::Shape { parameter, dimension, expected, value: Some(value), got }
    }

    /// A dimension has no natural `expected` stands for: `2·n` is never 3.
    #[cold]
    #[inline(never)]
    pub fn shape_form(parameter: &'static str, dimension: usize, expected: &'static str, got: usize) -> Self {
        Self::Shape { parameter, dimension, expected, value: None, got }
    }

    /// A rule about sizes does not hold.
    #[cold]
    #[inline(never)]
    pub fn obligation(text: &'static str, values: &[(&'static str, usize)]) -> Self {
        Self::Obligation { text, values: values.to_vec() }
    }

    /// A product of sizes is too large.
    #[cold]
    #[inline(never)]
    pub fn overflow(what: &'static str) -> Self {
        Self::Overflow { what }
    }

    /// An index is too large.
    #[cold]
    #[inline(never)]
    pub fn index(parameter: &'static str, position: usize, value: usize, bound: usize) -> Self {
        Self::Index { parameter, position, value, bound }
    }

    /// No memory.
    #[cold]
    #[inline(never)]
    pub fn out_of_memory(bytes: usize) -> Self {
        Self::OutOfMemory { bytes }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn slice_shape(parameter: &'static str, len: usize, shape: &[usize]) -> Self {
        Self::SliceShape { parameter, len, shape: shape.to_vec() }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn layout(parameter: &'static str) -> Self {
        Self::Layout { parameter }
    }
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn every_message_names_what_was_expected_and_what_came() {
        let table = [
            (Error::shape("x", 0, "m", 4, 5), "`x`: dimension 0 is 5, expected m = 4"),
            (Error::shape("x", 1, "3", 3, 5), "`x`: dimension 1 is 5, expected 3"),
            (Error::shape_form("x", 0, "2·n", 3), "`x`: dimension 0 is 3, expected 2·n"),
            (Error::obligation("32 divides n", &[("n", 33)]), "32 divides n does not hold: n = 33"),
            (Error::obligation("n ≥ m", &[("n", 1), ("m", 2)]), "n ≥ m does not hold: n = 1, m = 2"),
            (Error::overflow("n·m"), "n·m is too large for this machine"),
            (
                Error::slice_shape("mat", 7, &[2, 3]),
                "`mat`: a slice of length 7 does not have the shape [2, 3]",
            ),
            (Error::layout("mat"), "`mat`: the array is not contiguous in row-major order (standard layout)"),
            (Error::index("cols", 3, 9, 8), "`cols`: element 3 is 9, expected an index less than 8"),
            (Error::out_of_memory(10), "cannot allocate 10 bytes"),
            (Error::Foreign { call: "clFinish", code: -5 }, "clFinish failed with code -5"),
            (Error::NoDevice, "no device found that can run this kernel"),
            (Error::Library { missing: "libOpenCL" }, "the library libOpenCL is not installed"),
        ];
        for (error, text) in table {
            assert_eq!(error.to_string(), text);
        }
    }
}
