//! Naturals as expressions of the runtime's `Size`, which neither overflow nor underflow.

use crate::expr::Compare;
use crate::nat::{Atom, Nat, NatVar, Obligation};

/// Writes naturals and conditions for the entry of a kernel.
pub struct Formulas<'a> {
    /// The path of the runtime.
    pub runtime: &'a str,
    /// The identifiers of naturals, which are `usize`.
    pub ident: &'a dyn Fn(&NatVar) -> String,
}

impl Formulas<'_> {
    /// A natural as a `Size`.
    pub fn size(&self, nat: &Nat) -> String {
        if let Some(value) = nat.as_const() {
            return self.literal(value);
        }
        let terms: Vec<String> = nat.terms().map(|(coeff, factors)| self.term(coeff, factors)).collect();
        if terms.len() == 1 { terms.concat() } else { format!("({})", terms.join(" + ")) }
    }

    /// A natural as a `usize`; too large or negative is the error that names `what`.
    pub fn checked(&self, nat: &Nat, what: &str) -> String {
        match (nat.as_var(), nat.as_const()) {
            (Some(var), _) => (self.ident)(var),
            (_, Some(value)) if value >= 0 => value.to_string(),
            _ => format!("{}.checked({what:?})?", self.size(nat)),
        }
    }

    /// A condition.
    pub fn holds(&self, obligation: &Obligation) -> String {
        let (a, b) = obligation.sides();
        let method = match obligation {
            Obligation::Le(..) => "at_most",
            Obligation::Lt(..) => "less",
            Obligation::Eq(..) => "equals",
            Obligation::Divides(..) => "divides",
        };
        format!("{}.{method}({})", self.size(a), self.size(b))
    }

    /// A comparison, which does not hold of what is no `Size`.
    pub fn compare(&self, op: Compare, a: &Nat, b: &Nat) -> String {
        let (a, b) = (a.clone(), b.clone());
        match op {
            Compare::Le => self.holds(&Obligation::Le(a, b)),
            Compare::Lt => self.holds(&Obligation::Lt(a, b)),
            Compare::Ge => self.holds(&Obligation::Le(b, a)),
            Compare::Gt => self.holds(&Obligation::Lt(b, a)),
            Compare::Eq => self.holds(&Obligation::Eq(a, b)),
            Compare::Ne => format!("!{}", self.holds(&Obligation::Eq(a, b))),
        }
    }

    /// Names and values of the variables, for messages.
    pub fn values(&self, obligation: &Obligation) -> String {
        let values: Vec<String> = obligation
            .vars()
            .iter()
            .map(|var| format!("({:?}, {})", var.text(), (self.ident)(var)))
            .collect();
        format!("&[{}]", values.join(", "))
    }

    fn literal(&self, value: i64) -> String {
        format!("{}::Size::of({value})", self.runtime)
    }

    fn term(&self, coeff: i64, factors: &[(Atom, u32)]) -> String {
        let mut product: Vec<String> = Vec::new();
        if coeff != 1 || factors.is_empty() {
            product.push(self.literal(coeff));
        }
        for (atom, power) in factors {
            product.extend((0..*power).map(|_| self.atom(atom)));
        }
        if product.len() == 1 { product.concat() } else { format!("({})", product.join(" * ")) }
    }

    fn atom(&self, atom: &Atom) -> String {
        let binary = |a, op, b| format!("({} {op} {})", self.size(a), self.size(b));
        let method = |a, name, b| format!("{}.{name}({})", self.size(a), self.size(b));
        match atom {
            Atom::Var(var) => format!("{}::Size::from({})", self.runtime, (self.ident)(var)),
            Atom::Div(a, b) => binary(a, "/", b),
            Atom::Mod(a, b) => binary(a, "%", b),
            Atom::Pow(a, b) => method(a, "pow", b),
            Atom::Min(a, b) => method(a, "min", b),
            Atom::Max(a, b) => method(a, "max", b),
            Atom::Sum(sum) => {
                let bound = format!("bound_{}", sum.var.text());
                let inner = |var: &NatVar| if *var == sum.var { bound.clone() } else { (self.ident)(var) };
                let body = Formulas { runtime: self.runtime, ident: &inner }.size(&sum.body);
                // Inside the sum its variable is a `Size` already, which converts to itself.
                format!(
                    "{}::Size::sum({}, {}, |{bound}| {body})",
                    self.runtime,
                    self.size(&sum.from),
                    self.size(&sum.upto)
                )
            }
        }
    }
}
