//! Truth values in formulas, as wide as what is compared: vectors of integers that are all ones or all zeros, and on
//! AVX-512 the bits of a register for masks, in which compilers would not keep them by themselves.

use crate::types::Scalar;

use super::isa::Isa;
use super::types::signed;
use super::vector::Vector;

/// A comparison: its name, C's operator, and what instructions call it for floats and for integers.
const COMPARISONS: [(&str, &str, &str, &str); 6] = [
    ("eq", "==", "_CMP_EQ_OQ", "_MM_CMPINT_EQ"),
    ("ne", "!=", "_CMP_NEQ_UQ", "_MM_CMPINT_NE"),
    ("lt", "<", "_CMP_LT_OQ", "_MM_CMPINT_LT"),
    ("le", "<=", "_CMP_LE_OQ", "_MM_CMPINT_LE"),
    ("gt", ">", "_CMP_GT_OQ", "_MM_CMPINT_NLE"),
    ("ge", ">=", "_CMP_GE_OQ", "_MM_CMPINT_NLT"),
];

impl Vector {
    /// How many bits a register of masks takes for lanes like these.
    fn truth_bits(self) -> Option<u32> {
        (self.isa == Isa::Avx512 && self.register().is_some()).then(|| self.lanes.max(8))
    }

    /// The type of truth values of lanes like these.
    pub(super) fn truth(self) -> String {
        match self.truth_bits() {
            Some(bits) => format!("__mmask{bits}"),
            None => self.with(signed(self.ty)).name(),
        }
    }

    /// Lanes like these compared.
    pub(super) fn compared(self, op: &str, [a, b]: [&str; 2]) -> Option<String> {
        let (_, symbol, of_floats, of_integers) = COMPARISONS.iter().find(|(name, ..)| *name == op)?;
        let truth = self.truth();
        let Some((prefix, ty)) = self.register().filter(|_| self.truth_bits().is_some()) else {
            return Some(format!("({truth})({a} {symbol} {b})"));
        };
        let (suffix, predicate) = match self.ty {
            Scalar::U32 => ("epu32", of_integers),
            Scalar::U64 => ("epu64", of_integers),
            _ => (self.suffix(), of_floats),
        };
        Some(format!("{prefix}_cmp_{suffix}_mask(({ty}){a}, ({ty}){b}, {predicate})"))
    }

    /// `and`, `or`, `xor` or `not` of truth values of lanes like these.
    pub(super) fn joined_truths(self, op: &str, args: &[&str]) -> Option<String> {
        if let Some(bits) = self.truth_bits() {
            return Some(format!("_k{op}_mask{bits}({})", args.join(", ")));
        }
        Some(match (op, args) {
            ("and", [a, b]) => format!("{a} & {b}"),
            ("or", [a, b]) => format!("{a} | {b}"),
            ("xor", [a, b]) => format!("{a} ^ {b}"),
            ("not", [a]) => format!("~{a}"),
            _ => return None,
        })
    }

    /// `a` where `m` holds, else `b`.
    pub(super) fn chosen(self, [m, a, b]: [&str; 3]) -> String {
        let (name, truth) = (self.name(), self.truth());
        match self.register().filter(|_| self.truth_bits().is_some()) {
            Some((prefix, ty)) => {
                format!("({name}){prefix}_mask_blend_{}({m}, ({ty}){b}, ({ty}){a})", self.suffix())
            }
            None => format!("({name})(({m} & ({truth}){a}) | (~{m} & ({truth}){b}))"),
        }
    }
}
