//! Naturals and obligations.

use super::Printer;
use crate::syntax::ast::{Nat, NatKind, NatOp, Obligation, ObligationKind};

impl Printer {
    pub(super) fn nat(&mut self, nat: &Nat) {
        self.nat_above(nat, 0);
    }

    fn nat_above(&mut self, nat: &Nat, least: u8) {
        match &nat.kind {
            NatKind::Literal(value) => self.word(&value.to_string()),
            NatKind::Name(name) => self.word(name.as_str()),
            NatKind::Binary(op, left, right) => {
                let level = op.precedence();
                // Powers group to the right.
                let (l, r) = if *op == NatOp::Pow { (level + 1, level) } else { (level, level + 1) };
                self.grouped(level < least, |p| {
                    p.nat_above(left, l);
                    p.word(&format!(" {} ", op.symbol()));
                    p.nat_above(right, r);
                });
            }
            NatKind::Call(call, a, b) => {
                self.word(call.name());
                self.word("(");
                self.nat(a);
                self.word(", ");
                self.nat(b);
                self.word(")");
            }
            NatKind::Apply(name, args) => {
                self.word(name.as_str());
                self.word("(");
                self.list(args, Self::nat);
                self.word(")");
            }
            NatKind::Sum { name, from, to, body } => {
                self.word(&format!("sum({name} in "));
                self.nat(from);
                self.word("..");
                self.nat(to);
                self.word(", ");
                self.nat(body);
                self.word(")");
            }
            NatKind::Hole => self.word("_"),
            NatKind::Error => self.word("<error>"),
        }
    }

    pub(super) fn obligation(&mut self, obligation: &Obligation) {
        match &obligation.kind {
            ObligationKind::Compare(relation, left, right) => {
                self.nat(left);
                self.word(&format!(" {} ", relation.symbol()));
                self.nat(right);
            }
            ObligationKind::Divides(divisor, number) => {
                self.nat(divisor);
                self.word(" divides ");
                self.nat(number);
            }
            ObligationKind::Predicate(name, args) => {
                self.word(name.as_str());
                self.word("(");
                self.list(args, Self::expr);
                self.word(")");
            }
        }
    }

    /// ` where a, b`, or nothing.
    pub(super) fn obligations(&mut self, obligations: &[Obligation]) {
        if !obligations.is_empty() {
            self.word(" where ");
            self.list(obligations, Self::obligation);
        }
    }
}
