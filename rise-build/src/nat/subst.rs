//! Variables of a natural: which occur, what replaces them, where they occur linearly.

use super::atom::Atom;
use super::mono::{Factors, Mono};
use super::poly::Nat;
use super::var::NatVar;

impl Nat {
    /// Whether `var` occurs free.
    pub fn mentions(&self, var: &NatVar) -> bool {
        self.poly().iter().any(|m| m.factors.as_slice().iter().any(|(atom, _)| atom.mentions(var)))
    }

    /// Whether any free variable satisfies `wanted`.
    pub fn mentions_any(&self, wanted: &dyn Fn(&NatVar) -> bool) -> bool {
        let mut found = false;
        self.each_var(&mut |var| found |= wanted(var));
        found
    }

    /// The free variables, sorted, each once.
    pub fn vars(&self) -> Vec<NatVar> {
        let mut vars = Vec::new();
        self.each_var(&mut |var| vars.push(var.clone()));
        vars.sort();
        vars.dedup();
        vars
    }

    /// Calls `f` on each free variable wherever it occurs.
    pub fn each_var(&self, f: &mut dyn FnMut(&NatVar)) {
        for mono in self.poly() {
            for (atom, _) in mono.factors.as_slice() {
                atom.each_var(f);
            }
        }
    }

    /// Calls `f` on each atom, also inside other atoms.
    pub fn each_atom(&self, f: &mut dyn FnMut(&Atom)) {
        for (atom, _) in self.terms().flat_map(|(_, factors)| factors) {
            f(atom);
            atom.args().into_iter().for_each(|arg| arg.each_atom(f));
        }
    }

    /// With `value` for `var`.
    pub fn subst(&self, var: &NatVar, value: &Nat) -> Nat {
        if !self.mentions(var) {
            return self.clone();
        }
        self.map_vars(&mut |v| (v == var).then(|| value.clone()))
    }

    /// With a value for each variable of the list, all at once.
    pub fn subst_all(&self, values: &[(NatVar, Nat)]) -> Nat {
        if self.as_const().is_some() || values.is_empty() {
            return self.clone();
        }
        self.map_vars(&mut |var| values.iter().find(|(v, _)| v == var).map(|(_, value)| value.clone()))
    }

    /// With the value that `f` gives for each free variable, all at once; `None` keeps the variable.
    pub fn map_vars(&self, f: &mut dyn FnMut(&NatVar) -> Option<Nat>) -> Nat {
        self.map_atoms(&mut |atom| atom.map_vars(f))
    }

    /// The sum of the products of what `f` gives for each atom; `None` keeps the atom.
    pub fn map_atoms(&self, f: &mut dyn FnMut(&Atom) -> Option<Nat>) -> Nat {
        self.map_monos(&mut |mono| mono.map_atoms(f))
    }

    /// The sum of what `f` gives for each monomial; `None` keeps it.
    pub(super) fn map_monos(&self, f: &mut dyn FnMut(&Mono) -> Option<Nat>) -> Nat {
        let monos = self.poly();
        let mut new: Option<Vec<Mono>> = None;
        for (position, mono) in monos.iter().enumerate() {
            match f(mono) {
                Some(value) if monos.len() == 1 || value.is_overflow() => return value,
                Some(value) => {
                    let new = new.get_or_insert_with(|| monos[..position].to_vec());
                    new.extend_from_slice(value.monos(&mut [Mono::constant(0)]));
                }
                None => {
                    if let Some(new) = &mut new {
                        new.push(mono.clone());
                    }
                }
            }
        }
        new.map_or_else(|| self.clone(), Nat::from_monos)
    }

    /// With `value` for `atom`, also inside other atoms.
    pub fn replace_atom(&self, atom: &Atom, value: &Nat) -> Nat {
        self.map_atoms(&mut |a| {
            if a == atom { Some(value.clone()) } else { a.renewed(&mut |arg| arg.replace_atom(atom, value)) }
        })
    }

    /// `(c, r)` with `self = c * var + r`, where neither mentions `var`.
    pub fn affine_in(&self, var: &NatVar) -> Option<(Nat, Nat)> {
        if !self.mentions(var) {
            return (!self.is_overflow()).then(|| (Nat::lit(0), self.clone()));
        }
        let wanted = Factors::One((Atom::Var(var.clone()), 1));
        let (mut coefficient, mut rest) = (Vec::new(), Vec::new());
        let mut spare = [Mono::constant(0)];
        for mono in self.monos(&mut spare) {
            match mono.factors.over(&wanted) {
                Some(factors) if mentions(&factors, var) => return None,
                Some(factors) => coefficient.push(Mono { coeff: mono.coeff, factors }),
                None if mentions(&mono.factors, var) => return None,
                None => rest.push(mono.clone()),
            }
        }
        Some((Nat::from_monos(coefficient), Nat::from_monos(rest)))
    }
}

fn mentions(factors: &Factors, var: &NatVar) -> bool {
    factors.as_slice().iter().any(|(atom, _)| atom.mentions(var))
}

impl Mono {
    fn map_atoms(&self, f: &mut dyn FnMut(&Atom) -> Option<Nat>) -> Option<Nat> {
        let factors = self.factors.as_slice();
        let mut product: Option<Nat> = None;
        let mut kept = Vec::new();
        for (position, (atom, power)) in factors.iter().enumerate() {
            match f(atom) {
                Some(value) => {
                    if product.is_none() {
                        kept = factors[..position].to_vec();
                    }
                    let value = if *power == 1 { value } else { value.pow(&Nat::lit(i64::from(*power))) };
                    product = Some(product.map_or_else(|| value.clone(), |p| p * &value));
                }
                None if product.is_some() => kept.push((atom.clone(), *power)),
                None => {}
            }
        }
        match (product?, kept.is_empty()) {
            (product, true) => Some(product.scale(self.coeff)),
            (product, false) => {
                Some(product * Nat::mono(Mono { coeff: self.coeff, factors: Factors::from_sorted(kept) }))
            }
        }
    }
}

impl Atom {
    /// Whether `var` occurs free.
    pub fn mentions(&self, var: &NatVar) -> bool {
        match self {
            Atom::Var(v) => v == var,
            Atom::Sum(sum) => {
                sum.from.mentions(var)
                    || sum.upto.mentions(var)
                    || (sum.var != *var && sum.body.mentions(var))
            }
            _ => self.pair().is_some_and(|[a, b]| a.mentions(var) || b.mentions(var)),
        }
    }

    fn each_var(&self, f: &mut dyn FnMut(&NatVar)) {
        match self {
            Atom::Var(var) => f(var),
            Atom::Sum(sum) => {
                sum.from.each_var(f);
                sum.upto.each_var(f);
                sum.body.each_var(&mut |var| {
                    if *var != sum.var {
                        f(var);
                    }
                });
            }
            _ => {
                if let Some([a, b]) = self.pair() {
                    a.each_var(f);
                    b.each_var(f);
                }
            }
        }
    }

    /// The two arguments of a binary atom.
    pub fn args(&self) -> Vec<&Nat> {
        self.pair().map_or_else(Vec::new, Vec::from)
    }

    /// This operation on other arguments, in normal form; `None` where they are the same, and for variables and sums.
    pub fn renewed(&self, f: &mut dyn FnMut(&Nat) -> Nat) -> Option<Nat> {
        let [a, b] = self.pair()?;
        let (x, y) = (f(a), f(b));
        if x.is_same(a) && y.is_same(b) { None } else { Some(self.on(&x, &y)) }
    }

    /// This operation on other arguments, in normal form; `None` for variables and sums.
    pub fn rebuild(&self, f: &mut dyn FnMut(&Nat) -> Nat) -> Option<Nat> {
        let [a, b] = self.pair()?;
        let (x, y) = (f(a), f(b));
        Some(self.on(&x, &y))
    }

    fn pair(&self) -> Option<[&Nat; 2]> {
        match self {
            Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Pow(a, b) | Atom::Min(a, b) | Atom::Max(a, b) => {
                Some([a, b])
            }
            Atom::Var(_) | Atom::Sum(_) => None,
        }
    }

    fn on(&self, a: &Nat, b: &Nat) -> Nat {
        match self {
            Atom::Div(..) => a.div(b),
            Atom::Mod(..) => a.rem(b),
            Atom::Pow(..) => a.pow(b),
            Atom::Min(..) => Nat::min(a, b),
            Atom::Max(..) => Nat::max(a, b),
            Atom::Var(_) | Atom::Sum(_) => Nat::atom(self.clone()),
        }
    }

    fn map_vars(&self, f: &mut dyn FnMut(&NatVar) -> Option<Nat>) -> Option<Nat> {
        match self {
            Atom::Var(var) => f(var),
            Atom::Sum(sum) => {
                // A fresh variable cannot be captured, whatever comes into the body.
                let fresh = NatVar::new("s");
                let body = sum.body.subst(&sum.var, &Nat::var(&fresh)).map_vars(f);
                Some(Nat::sum(&fresh, &sum.from.map_vars(f), &sum.upto.map_vars(f), &body))
            }
            _ => self.renewed(&mut |arg| arg.map_vars(f)),
        }
    }
}
