//! Versions of a kernel that are chosen at run time.

use std::rc::Rc;

use crate::diagnostics::{Diagnostic, Origin};
use crate::nat::Obligation;
use crate::rewrite::strategy::{Strategy, StrategyKind};
use crate::syntax::ast;

use super::{Elaborator, Result};

impl Elaborator<'_> {
    /// Each version has conditions but the last; without a `when` of its own that is the last step of all.
    pub(super) fn versions(&mut self, versions: &[ast::Version], origin: Origin) -> Result<StrategyKind> {
        let mut chosen = Vec::new();
        let mut otherwise = None;
        for (at, version) in versions.iter().enumerate() {
            let conditions = version.conditions.iter().map(|condition| self.condition(condition));
            let conditions = conditions.collect::<Result<Vec<_>>>()?;
            let strategy = self.strategy(&version.strategy)?;
            let is_last = at + 1 == versions.len();
            match (strategy.kind, conditions.is_empty()) {
                (kind, true) if is_last => otherwise = Some(Strategy { kind, origin: strategy.origin }),
                (StrategyKind::Seq(mut steps), false) if is_last => {
                    otherwise = steps.pop();
                    chosen.push((
                        conditions,
                        Strategy { kind: StrategyKind::Seq(steps), origin: strategy.origin },
                    ));
                }
                (_, true) => {
                    let message = "a version without a condition stands last";
                    return Err(Diagnostic::error(strategy.origin, message));
                }
                (kind, false) => chosen.push((conditions, Strategy { kind, origin: strategy.origin })),
            }
        }
        match otherwise {
            Some(otherwise) => Ok(StrategyKind::Versions(chosen, Rc::new(otherwise))),
            None => Err(Diagnostic::error(origin, "nothing says what happens where no condition holds")
                .help("the last version has none: `versions { when n < 32 => s ; t }`")),
        }
    }

    fn condition(&mut self, written: &ast::Obligation) -> Result<Obligation> {
        use ast::{NatKind, NatOp, ObligationKind, Relation};
        let natural = |nat: &ast::Nat| self.natural(nat);
        Ok(match &written.kind {
            ObligationKind::Divides(d, n) => Obligation::Divides(natural(d)?, natural(n)?),
            ObligationKind::Compare(Relation::Eq, a, b)
                if matches!((&a.kind, &b.kind), (NatKind::Binary(NatOp::Rem, ..), NatKind::Literal(0))) =>
            {
                let NatKind::Binary(_, n, d) = &a.kind else {
                    return Ok(Obligation::Eq(natural(a)?, natural(b)?));
                };
                Obligation::Divides(natural(d)?, natural(n)?)
            }
            ObligationKind::Compare(relation, a, b) => {
                let (a, b) = (natural(a)?, natural(b)?);
                match relation {
                    Relation::Eq => Obligation::Eq(a, b),
                    Relation::Lt => Obligation::Lt(a, b),
                    Relation::Le => Obligation::Le(a, b),
                    Relation::Gt => Obligation::Lt(b, a),
                    Relation::Ge => Obligation::Le(b, a),
                    Relation::Ne if b.is_zero() => Obligation::Lt(b, a),
                    Relation::Ne => {
                        let message = "`!=` between sizes, other than `!= 0`";
                        return Err(Diagnostic::limitation(written.origin, message));
                    }
                }
            }
            ObligationKind::Predicate(name, _) => {
                let message = format!("`{name}` is a condition of rules; versions are chosen by sizes");
                return Err(Diagnostic::error(written.origin, message));
            }
        })
    }
}
