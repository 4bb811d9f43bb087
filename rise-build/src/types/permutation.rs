//! Whether two functions of naturals are permutations of the numbers below `n` that undo each other.
//!
//! Both directions are proved for an index in range. Quotients and remainders of the index by `d` are taken
//! apart: where `n = d * k`, every index is `d * a + b` with `a < k` and `b < d`. What is not proved is an error.

use crate::diagnostics::Diagnostic;
use crate::expr::NatFun;
use crate::nat::{Atom, Facts, Nat, NatVar, Obligation};

use super::elaborate::Infer;
use super::obligation::with_ranges;
use super::solver::Why;

impl Infer<'_> {
    /// `reorder(f, g)` on `n` elements: both functions stay below `n` and undo each other.
    pub(super) fn check_inverse(
        &mut self,
        pair: &(NatFun, NatFun),
        n: &Nat,
        why: &Why,
        facts: &Facts,
        declared: &[Obligation],
    ) {
        let known = |fun: &NatFun| NatFun { var: fun.var.clone(), body: self.solver.nat(&fun.body) };
        let (f, g) = (known(&pair.0), known(&pair.1));
        let facts = with_ranges(facts, &why.scope, &|nat| self.solver.nat(nat));
        let world = World::new(n, facts, declared);
        for (there, back) in [(&f, &g), (&g, &f)] {
            if let Err(reason) = world.undoes(there, back) {
                let message = format!(
                    "`reorder` needs a permutation of the numbers below {n} and its inverse: {reason}"
                );
                let diagnostic = Diagnostic::error(why.origin, message)
                    .help("`gather` takes indices that need no inverse");
                return self.report(diagnostic);
            }
        }
    }
}

/// The sizes, with a variable in place of every quotient that is known to be exact.
struct World {
    n: Nat,
    facts: Facts,
    replaced: Vec<(NatVar, Nat)>,
}

impl World {
    fn new(n: &Nat, facts: Facts, declared: &[Obligation]) -> Self {
        let mut world = World { n: n.clone(), facts, replaced: Vec::new() };
        for obligation in declared {
            let Obligation::Divides(d, whole) = obligation else { continue };
            let d = world.see(d);
            let Some(whole) = world.see(whole).as_var().cloned() else { continue };
            if d.mentions(&whole) {
                continue;
            }
            let quotient = NatVar::new("q");
            world.facts.size(&quotient);
            world.replaced.push((whole, d * Nat::var(&quotient)));
        }
        world.n = world.see(n);
        world
    }

    fn see(&self, nat: &Nat) -> Nat {
        let seen = self.replaced.iter().fold(nat.clone(), |nat, (var, value)| nat.subst(var, value));
        self.facts.simplify(&seen)
    }

    /// Whether `back` undoes `there` and both stay below `n`; otherwise what goes wrong.
    fn undoes(&self, there: &NatFun, back: &NatFun) -> Result<(), String> {
        let there = NatFun { var: there.var.clone(), body: self.see(&there.body) };
        let back = NatFun { var: back.var.clone(), body: self.see(&back.body) };
        let var = NatVar::new("i");
        let mut cases = vec![(Nat::var(&var), vec![(var, self.n.clone())])];
        cases.extend(divisors(&there.body, &there.var).iter().filter_map(|d| self.taken_apart(d)));
        let mut reason = String::new();
        for (index, ranges) in cases {
            match self.holds(&there, &back, &index, &ranges) {
                Ok(()) => return Ok(()),
                Err(wrong) if reason.is_empty() => reason = wrong,
                Err(_) => {}
            }
        }
        Err(reason)
    }

    /// Every index below `n = d * k` as `d * a + b`.
    fn taken_apart(&self, d: &Nat) -> Option<(Nat, Vec<(NatVar, Nat)>)> {
        let k = self.n.exact_quotient(d)?;
        let (a, b) = (NatVar::new("a"), NatVar::new("b"));
        let index = d * Nat::var(&a) + Nat::var(&b);
        Some((index, vec![(a, k), (b, d.clone())]))
    }

    fn holds(
        &self,
        there: &NatFun,
        back: &NatFun,
        index: &Nat,
        ranges: &[(NatVar, Nat)],
    ) -> Result<(), String> {
        let mut facts = self.facts.clone();
        for (var, bound) in ranges {
            facts.range(var, &Nat::lit(0), bound);
        }
        let vars: Vec<NatVar> = ranges.iter().map(|(var, _)| var.clone()).collect();
        let at_least_0 = |e: &Nat| {
            facts.proves_ge0(e) || facts.eliminate(e, &vars).is_some_and(|least| facts.proves_ge0(&least))
        };
        let image = facts.simplify(&there.apply(index));
        if !at_least_0(&image) || !at_least_0(&(&self.n - &image - 1)) {
            return Err(format!("{} is not known to be below {}", there.body, self.n));
        }
        let again = facts.simplify(&back.apply(&image));
        if again == *index || facts.proves_eq(&again, index) {
            return Ok(());
        }
        Err(format!("|{}| {} is not known to undo |{}| {}", back.var, back.body, there.var, there.body))
    }
}

/// What quotients and remainders of the variable divide by.
fn divisors(nat: &Nat, var: &NatVar) -> Vec<Nat> {
    let mut found = Vec::new();
    for term in nat.terms() {
        for (atom, _) in term.1 {
            if let Atom::Div(whole, by) | Atom::Mod(whole, by) = atom {
                if whole.mentions(var) && !by.mentions(var) && !found.contains(by) {
                    found.push(by.clone());
                }
                found.extend(divisors(whole, var));
            }
        }
    }
    found
}
