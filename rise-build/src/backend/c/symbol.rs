//! What macro and build script agree on: a symbol made of the version of the code generator and a hash of all
//! that the code depends on.
//!
//! `rise1_` and 32 hexadecimal digits: the function that chooses the instruction set. The instances append its
//! name: `rise1_…_avx2`. The archive is `librise1_….a`, and `RISE_KERNEL_…` (the digits in capitals) is the
//! variable by which the build script tells rustc that it has compiled the kernel. The hash is over *printed*
//! items, never over spans or the spacing of tokens.

/// The version of the contract between wrapper and C: order and types of arguments, and the result.
const CONTRACT: &str = "rise1";

/// The symbol of a compiled kernel.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Symbol(String);

impl Symbol {
    /// The symbol of a kernel that depends on these texts.
    pub fn of(texts: &[&str]) -> Self {
        let mut hash = Hash::new();
        hash.text(env!("CARGO_PKG_VERSION"));
        texts.iter().for_each(|text| hash.text(text));
        Self(format!("{CONTRACT}_{:032x}", hash.0))
    }

    /// The function's name, which is the archive's too.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The variable that the build script sets.
    pub fn variable(&self) -> String {
        let digits = self.0.rsplit('_').next().unwrap_or_default();
        format!("RISE_KERNEL_{}", digits.to_uppercase())
    }
}

/// FNV-1a with 128 bits.
struct Hash(u128);

impl Hash {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn text(&mut self, text: &str) {
        text.bytes().chain([0xff]).for_each(|byte| {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_depend_on_every_text_and_its_borders() {
        let symbol = Symbol::of(&["ab", "c"]);
        assert_eq!(symbol, Symbol::of(&["ab", "c"]));
        assert_ne!(symbol, Symbol::of(&["a", "bc"]));
        assert_ne!(symbol, Symbol::of(&["ab"]));
        assert!(symbol.text().starts_with("rise1_") && symbol.text().len() == 38);
        assert!(symbol.variable().starts_with("RISE_KERNEL_") && symbol.variable().len() == 44);
    }
}
