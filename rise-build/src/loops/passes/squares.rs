//! Where squares that are transposed lie is computed as the loops around them go on.
//!
//! ```text
//! for i in 0..n                                          let at = apart(d * f + m)
//!   for j in 0..k                                        for i in 0..n
//!     transpose x[d * f + 16 * i + 8 * d * j + m]   →      let at2 = apart(at + 16 * i)
//!                                                          for j in 0..k
//!                                                            transpose x[at2 + 8 * d * j]
//! ```
//!
//! A compiler that sees all addends at once spends more time on what to keep in which register than on all the rest
//! of such a copy; beside a square, none of it matters.

use crate::nat::{Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::bases::is_difference;
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if options.apart {
        Begins.block(&mut kernel.body);
    }
    Ok(())
}

/// Names what does not change in a loop.
struct Begins;

impl VisitMut for Begins {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in std::mem::take(block) {
            if let Stmt::For(looped) = &mut stmt
                && looped.kind == LoopKind::Seq
                && is_copy(&looped.body)
            {
                out.append(&mut named(looped));
            }
            self.stmt(&mut stmt);
            out.push(stmt);
        }
        *block = out;
    }

    fn value(&mut self, _: &mut Value) {}
}

/// Whether squares are transposed, and nothing else is done.
fn is_copy(body: &[Stmt]) -> bool {
    let (mut squares, mut others) = (false, false);
    walk::stmts(body, &mut |stmt| match stmt {
        Stmt::Transpose(_) => squares = true,
        Stmt::For(Loop { kind: LoopKind::Seq, .. }) | Stmt::LetNat(..) | Stmt::Ask(..) | Stmt::Comment(_) => {
        }
        _ => others = true,
    });
    squares && !others
}

/// Where accesses of a loop begin, which are counted from there.
fn named(looped: &mut Loop) -> Block {
    let mut varying: Vec<(NatVar, Nat)> =
        walk::declared(&looped.body).into_iter().map(|var| (var, Nat::lit(0))).collect();
    varying.push((looped.var.clone(), Nat::lit(0)));
    let mut places = Places { varying, named: Vec::new() };
    places.block(&mut looped.body);
    places.named.into_iter().map(|(begin, at)| Stmt::LetNat(at, Value::Apart(begin))).collect()
}

struct Places {
    /// What changes in the loop, as at its beginning.
    varying: Vec<(NatVar, Nat)>,
    named: Vec<(Nat, NatVar)>,
}

impl VisitMut for Places {
    fn access(&mut self, access: &mut Access, _: bool) {
        let begin = access.index.subst_all(&self.varying);
        let begin = &begin - begin.constant_part();
        let further = &access.index - &begin;
        if begin.terms().count() + begin.vars().len() <= 2 || is_difference(&begin) || is_difference(&further)
        {
            return;
        }
        let known = self.named.iter().find(|(other, _)| *other == begin).map(|(_, at)| at.clone());
        let at = known.unwrap_or_else(|| {
            let at = NatVar::new("at");
            self.named.push((begin, at.clone()));
            at
        });
        access.index = Nat::var(&at) + further;
    }
}
