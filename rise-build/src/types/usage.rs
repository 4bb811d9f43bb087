//! How often the names of `let`s are used, and whether inside functions.
//!
//! One pass over the term. The value of a binding that is not used does not count as a use.

use std::collections::BTreeMap;

use crate::expr::StaticArg;
use crate::names::Name;
use crate::nat::{Nat, NatVar};

use super::solver::Solver;
use super::term::{TArg, TPrim, Term, TermKind};
use super::ty::Ty;

/// The uses of one name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    pub(super) count: u32,
    /// Some use is in the body of a function that the binding is not in.
    pub(super) under_function: bool,
    depth: u32,
}

/// The uses of all names that are bound by `let`.
pub(super) struct Usage {
    uses: BTreeMap<Name, Uses>,
    /// Bound names with a face in naturals.
    faces: Vec<(NatVar, Name)>,
}

impl Usage {
    pub(super) fn of(term: &Term, solver: &Solver) -> Self {
        let mut usage = Usage { uses: BTreeMap::new(), faces: Vec::new() };
        usage.visit(term, 0, solver);
        usage
    }

    pub(super) fn of_let(&self, name: &Name) -> Uses {
        self.uses.get(name).copied().unwrap_or_default()
    }

    fn used(&mut self, name: &Name, depth: u32) {
        if let Some(uses) = self.uses.get_mut(name) {
            uses.count += 1;
            uses.under_function |= depth > uses.depth;
        }
    }

    fn visit(&mut self, term: &Term, depth: u32, solver: &Solver) {
        match term.kind() {
            TermKind::Var(name) => self.used(name, depth),
            TermKind::Nat(nat) => self.nat(nat, depth, solver),
            TermKind::Literal(_) | TermKind::Error => {}
            TermKind::Conform(inner) => self.visit(inner, depth, solver),
            TermKind::Let(param, value, body) => {
                self.uses.insert(param.name.clone(), Uses { depth, ..Uses::default() });
                if let Some(var) = &param.nat {
                    self.faces.push((var.clone(), param.name.clone()));
                }
                self.visit(body, depth, solver);
                if self.of_let(&param.name).count > 0 {
                    self.visit(value, depth, solver);
                }
            }
            TermKind::Prim(primitive, args) => {
                self.parts(primitive, depth, solver);
                for arg in args {
                    match arg {
                        TArg::Expr(term) => self.visit(term, depth, solver),
                        TArg::Fun(lambda) => {
                            for param in &lambda.params {
                                self.ty(&param.ty, depth, solver);
                            }
                            self.visit(&lambda.body, depth + 1, solver);
                        }
                    }
                }
            }
        }
    }

    fn nat(&mut self, nat: &Nat, depth: u32, solver: &Solver) {
        if self.faces.is_empty() {
            return;
        }
        let nat = solver.nat(nat);
        let mentioned: Vec<Name> =
            self.faces.iter().filter(|(var, _)| nat.mentions(var)).map(|(_, name)| name.clone()).collect();
        for name in mentioned {
            self.used(&name, depth);
        }
    }

    fn parts(&mut self, primitive: &TPrim, depth: u32, solver: &Solver) {
        if self.faces.is_empty() {
            return;
        }
        match primitive {
            TPrim::Row(_, statics) => {
                for arg in statics.iter() {
                    match arg {
                        StaticArg::Nat(nat) => self.nat(nat, depth, solver),
                        StaticArg::NatFun(fun) => self.nat(&fun.body, depth, solver),
                        StaticArg::Dimension(_) | StaticArg::Space(_) => {}
                    }
                }
            }
            TPrim::Cast(ty) => self.ty(ty, depth, solver),
            TPrim::Broadcast(nat) => self.nat(nat, depth, solver),
            TPrim::Known(_) | TPrim::Foreign(_) => {}
        }
    }

    fn ty(&mut self, ty: &Ty, depth: u32, solver: &Solver) {
        if self.faces.is_empty() {
            return;
        }
        match solver.shallow(ty) {
            Ty::Idx(n) => self.nat(&n, depth, solver),
            Ty::Array(n, t) | Ty::DepArray(n, _, t) => {
                self.nat(&n, depth, solver);
                self.ty(&t, depth, solver);
            }
            Ty::Tuple(parts) => parts.iter().for_each(|part| self.ty(part, depth, solver)),
            _ => {}
        }
    }
}
