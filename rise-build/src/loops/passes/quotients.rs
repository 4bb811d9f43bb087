//! Quotients, powers and sums that stay the same in a loop are computed before it.
//!
//! ```text
//!                                let q = (k + 1) / w
//! for i in 0..n                  for i in 0..n
//!   … x[i + m * ((k + 1) / w)]  →   … x[i + m * q]
//! ```
//!
//! Compilers do this with all else, but a quotient by what may be 0 they compute in each iteration, since a loop that
//! does not run would not compute it, and so they do with a power or a sum, which are loops themselves.

use std::collections::{BTreeMap, BTreeSet};

use crate::nat::{Atom, Facts, Nat, NatVar};

use super::super::facts::define;
use super::super::ir::*;
use super::super::walk::{self, VisitLoops};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        Quotients.block(&mut kernel.body, facts);
    }
    Ok(())
}

struct Quotients;

impl VisitLoops for Quotients {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        if looped.kind == LoopKind::Seq {
            out.append(&mut before(&mut looped, facts));
        }
        self.body(&mut looped, facts);
        out.push(Stmt::For(looped));
    }
}

/// What the loop's quotients, powers and sums are called, with their values; the loop has the names.
fn before(looped: &mut Loop, facts: &mut Facts) -> Block {
    let mut hoist = Hoist { inside: inside(looped), facts, names: BTreeMap::new() };
    walk::nats(&mut looped.body, &mut |nat| *nat = hoist.nat(nat));
    let names: Block = (hoist.names.into_iter())
        .map(|(atom, name)| Stmt::LetNat(name, Value::Nat(Nat::atom(atom))))
        .collect();
    names.iter().for_each(|stmt| {
        if let Stmt::LetNat(name, value) = stmt {
            define(facts, name, value);
        }
    });
    names
}

/// The naturals that the loop declares.
fn inside(looped: &Loop) -> BTreeSet<NatVar> {
    let mut found = walk::declared(&looped.body);
    found.insert(looped.var.clone());
    found
}

struct Hoist<'a> {
    inside: BTreeSet<NatVar>,
    facts: &'a Facts,
    names: BTreeMap<Atom, NatVar>,
}

impl Hoist<'_> {
    fn nat(&mut self, nat: &Nat) -> Nat {
        nat.map_atoms(&mut |atom| match atom {
            Atom::Div(..) | Atom::Mod(..) | Atom::Pow(..) | Atom::Sum(_)
                if self.stays(atom) && self.is_natural(atom) =>
            {
                let called = match atom {
                    Atom::Pow(..) => "power",
                    Atom::Sum(_) => "sum",
                    _ => "quotient",
                };
                let name = self.names.entry(atom.clone()).or_insert_with(|| NatVar::new(called));
                Some(Nat::var(name))
            }
            _ => atom.renewed(&mut |arg| self.nat(arg)),
        })
    }

    /// Whether it is a quotient by what may be 0, a power or a sum, in which nothing changes.
    fn stays(&self, atom: &Atom) -> bool {
        let outside = |nat: &Nat| nat.vars().iter().all(|var| !self.inside.contains(var));
        match atom {
            Atom::Div(x, by) | Atom::Mod(x, by) => by.as_const().is_none() && outside(x) && outside(by),
            Atom::Pow(x, exponent) => outside(x) && outside(exponent),
            Atom::Sum(_) => outside(&Nat::atom(atom.clone())),
            _ => false,
        }
    }

    /// Whether it has a value, and a name's type: remainders always do.
    fn is_natural(&self, atom: &Atom) -> bool {
        let natural = |nat: &Nat| self.facts.proves_ge0(nat);
        match atom {
            Atom::Mod(_, by) => natural(by),
            Atom::Div(x, other) | Atom::Pow(x, other) => natural(x) && natural(other),
            Atom::Sum(sum) => {
                let mut inside = self.facts.clone();
                inside.range(&sum.var, &sum.from, &sum.upto);
                self.facts.proves_le(&sum.from, &sum.upto) && inside.proves_ge0(&sum.body)
            }
            _ => false,
        }
    }
}
