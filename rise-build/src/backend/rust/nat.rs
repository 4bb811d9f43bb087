//! How Rust spells naturals.

use crate::backend::nat::{Dialect, NatWriter, Tight};
use crate::nat::Summation;

/// Of type `usize`; with a sign, `isize`. A power that either does not hold is a factor of 0: wrappers check all sizes.
pub const RUST: Dialect = Dialect {
    min: ["min"; 2],
    max: ["max"; 2],
    div: ["div", "floor_div"],
    rem: ["rem", "floor_rem"],
    cast: [("", " as usize"), ("", " as isize")],
    literal: ["usize", "isize"],
    monus: ["", ".saturating_sub(", ")"],
    pow: ["", ".wrapping_pow((", ") as u32)"],
    sum,
};

fn sum(w: &mut NatWriter, sum: &Summation) {
    w.known.push(&sum.var, None);
    let (total, var) = (w.names.fresh("total"), w.names.nat(&sum.var));
    w.out.put(&format!("({{ let mut {total} = 0usize; let mut {var} = "));
    w.unsigned(&sum.from, Tight::Not);
    w.out.put(&format!("; while {var} < "));
    w.unsigned(&sum.upto, Tight::Sum);
    w.out.put(&format!(" {{ {total} += "));
    w.unsigned(&sum.body, Tight::Not);
    w.out.put(&format!("; {var} += 1; }} {total} }})"));
    w.known.pop_to(w.known.depth() - 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::nat::Known;
    use crate::backend::rust::names::names;
    use crate::backend::text::Text;
    use crate::nat::{Facts, Nat, NatVar, Obligation};

    fn show(nat: &Nat, sizes: &[NatVar], assumptions: &[Obligation]) -> String {
        let mut facts = Facts::new();
        sizes.iter().for_each(|size| facts.size(size));
        assumptions.iter().for_each(|assumption| assumption.assume(&mut facts));
        let (mut out, mut names, mut known) = (Text::default(), names(), Known::new(&facts));
        let mut functions = String::new();
        NatWriter {
            dialect: &RUST,
            functions: &mut functions,
            out: &mut out,
            names: &mut names,
            known: &mut known,
        }
        .unsigned(nat, Tight::Not);
        out.finish()
    }

    #[test]
    fn positive_terms_come_first() {
        let (n, i) = (NatVar::new("n"), NatVar::new("i"));
        let (vn, vi) = (Nat::var(&n), Nat::var(&i));
        let sizes = [n.clone(), i.clone()];
        assert_eq!(show(&(&vn - &vi - 1), &sizes, &[]), "n - i - 1");
        assert_eq!(show(&(&vi * 4 + &vn * &vi), &sizes, &[]), "n * i + i * 4");
        assert_eq!(show(&((&vi + 1).div(&Nat::lit(2)) * 3), &sizes, &[]), "((i + 1) / 2) * 3");
        assert_eq!(show(&vi.div(&vn), &sizes, &[]), "div(i, n)");
    }

    #[test]
    fn clamps_saturate_and_unknown_signs_are_signed() {
        let (n, i) = (NatVar::new("n"), NatVar::new("i"));
        let (vn, vi) = (Nat::var(&n), Nat::var(&i));
        let sizes = [n.clone(), i.clone()];
        assert_eq!(show(&Nat::max(&(&vi - 1), &Nat::lit(0)), &sizes, &[]), "i.saturating_sub(1)");
        let clamp = Nat::min(&Nat::max(&(&vi - 1), &Nat::lit(0)), &(&vn - 1));
        assert!(show(&clamp, &sizes, &[]).starts_with("min("));
        let positive = [Obligation::Le(Nat::lit(1), vn.clone())];
        let index = show(&(&clamp + &vn), &sizes, &positive);
        assert!(!index.contains("isize"), "{index}");
        let index = show(&(&clamp + &vn), &sizes, &[]);
        assert!(index.contains("isize"), "{index}");
        assert_eq!(show(&((&vi - 1).div(&vn) * &vi + &vn), &sizes, &[]).matches("floor_div").count(), 1);
    }
}
