//! Innermost loops that update many vector registers take several iterations at once, so that counting and addressing
//! cost little beside the updates.
//!
//! ```text
//! for k in 0..n               for k in 0..n / 4
//!   acc0 = acc0 + …     →       acc0 = acc0 + … 4·k    (and so on, up to 4·k + 3)
//!   …                         for k in 0..n % 4
//!                               acc0 = acc0 + … 4·(n / 4) + k
//! ```
//!
//! A loop of one iteration at most is no loop, but a condition.
//!
//! Compilers do this by themselves where the body is small. So do loops along windows of vectors, where neighbouring
//! iterations read the same ones: what four iterations share is loaded once, and stays in registers for the others.
//!
//! ```text
//! for j in 0..n                                    for j in 0..n / 4
//!   y[8·j ..8] = x[8·j ..8] + x[8·j + 8 ..8]   →     y[32·j ..8] = x[32·j ..8] + x[32·j + 8 ..8]
//!                                                    y[32·j + 8 ..8] = x[32·j + 8 ..8] + …
//! ```

use std::collections::{BTreeSet, HashSet};

use crate::names::Name;
use crate::nat::{Atom, Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::copy::Copier;
use super::{Options, TooLarge, bases, measure, one_by_one};

/// Iterations that are taken at once, of bodies that update few vectors.
const AT_ONCE: i64 = 4;

/// So many updates hide what a loop costs by themselves: of such a loop only the addresses are computed before.
const MANY: usize = 8;

/// Fewer registers than this are too small a body.
const FEWEST: usize = 6;

/// Larger bodies cost little beside themselves.
const LARGEST: usize = 600;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let vectors = vectors(&kernel.body);
        let mut body = std::mem::take(&mut kernel.body);
        let (buffers, facts) = (&mut kernel.buffers, &kernel.facts);
        Several { vectors, from_data: BTreeSet::new(), buffers, facts, apart: options.apart }
            .block(&mut body);
        kernel.body = body;
    }
    Ok(())
}

/// The registers that are vectors.
fn vectors(body: &[Stmt]) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    walk::stmts(body, &mut |stmt| match stmt {
        Stmt::Var(name, ty, _) if ty.lanes > 1 => drop(found.insert(name.clone())),
        _ => {}
    });
    found
}

struct Several<'a> {
    vectors: BTreeSet<Name>,
    /// The naturals that are made of data.
    from_data: BTreeSet<NatVar>,
    buffers: &'a mut Vec<Buffer>,
    facts: &'a Facts,
    apart: bool,
}

impl Several<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in std::mem::take(block) {
            match &mut stmt {
                Stmt::For(looped) if self.is_once(looped) => {
                    let any = Value::any(looped.count.clone());
                    let mut only = self.iteration(looped, Nat::lit(0));
                    self.block(&mut only);
                    stmt = Stmt::If(any, only, Block::new());
                }
                Stmt::For(looped) => match self.wanted(looped) {
                    Some(at_once) => {
                        self.cut(looped, at_once, &mut out);
                        continue;
                    }
                    None => {
                        self.block(&mut looped.body);
                        if self.apart && is_straight(after_nats(&looped.body)) {
                            if let Some(left_over) =
                                one_by_one::left_over(looped, &self.from_data, self.facts, self.buffers)
                            {
                                out.push(left_over);
                                continue;
                            }
                            bases::within(looped);
                            one_by_one::far_apart(looped, self.buffers);
                        }
                    }
                },
                Stmt::If(_, then, otherwise) => {
                    self.block(then);
                    self.block(otherwise);
                }
                Stmt::Block(inner) => self.block(inner),
                Stmt::LetNat(var, value)
                    if !matches!(value, Value::Nat(_) | Value::Apart(_) | Value::ToLine(..)) =>
                {
                    self.from_data.insert(var.clone());
                }
                _ => {}
            }
            out.push(stmt);
        }
        *block = out;
    }

    /// Whether a loop has one iteration at most.
    fn is_once(&self, looped: &Loop) -> bool {
        let is_cut = looped
            .count
            .terms()
            .flat_map(|(_, factors)| factors)
            .any(|(atom, _)| matches!(atom, Atom::Div(..) | Atom::Mod(..)));
        looped.kind == LoopKind::Seq && is_cut && self.facts.proves_ge0(&(Nat::lit(1) - &looped.count))
    }

    /// How many iterations to take at once, if the body is straight, and updates enough vectors or reads what the
    /// next iterations read.
    fn wanted(&mut self, looped: &Loop) -> Option<i64> {
        let updates = self.updates(&looped.body);
        let at_once = match updates {
            MANY.. => 1,
            _ => AT_ONCE,
        };
        let wanted = looped.kind == LoopKind::Seq
            && measure::size(&looped.body) <= LARGEST
            && looped.count.as_const().is_none_or(|count| count >= at_once)
            && (updates >= FEWEST || self.shares(looped));
        wanted.then_some(at_once)
    }

    /// How many vectors a straight body updates.
    fn updates(&self, body: &[Stmt]) -> usize {
        let straight = |stmt: &Stmt| matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::Set(..));
        let updates = |stmt: &&Stmt| matches!(stmt, Stmt::Set(name, _) if self.vectors.contains(name));
        if body.iter().all(straight) { body.iter().filter(updates).count() } else { 0 }
    }

    /// Whether half of the vectors that iterations read by turns were read by others of them.
    fn shares(&mut self, looped: &Loop) -> bool {
        if !is_straight(&looped.body) {
            return false;
        }
        let one = self.windows(&looped.body, &looped.var).len();
        if one < 2 {
            return false;
        }
        let outer = NatVar::new(looped.var.text());
        let copies = (0..AT_ONCE).flat_map(|i| self.iteration(looped, Nat::var(&outer) * AT_ONCE + i));
        let all = copies.collect::<Block>();
        2 * self.windows(&all, &outer).len() <= AT_ONCE as usize * one
    }

    /// The vectors of the caller's arrays that are read, and differ from iteration to iteration.
    fn windows(&self, body: &[Stmt], var: &NatVar) -> Vec<Access> {
        let mut found = Vec::new();
        walk::accesses(body, &mut |access, write| {
            let is_input = self.buffers[access.buffer.0 as usize].role == Role::Input;
            if !write && is_input && access.lanes > 1 && access.index.mentions(var) {
                let access = Access { streams: false, ..access.clone() };
                if !found.contains(&access) {
                    found.push(access);
                }
            }
        });
        found
    }

    fn cut(&mut self, looped: &Loop, at_once: i64, out: &mut Block) {
        let times = looped.count.div(&Nat::lit(at_once));
        let outer = NatVar::new(looped.var.text());
        let first = Nat::var(&outer) * at_once;
        let mut body = Block::new();
        for i in 0..at_once {
            let mut copy = self.iteration(looped, &first + i);
            copy.retain(|stmt| i == 0 || !matches!(stmt, Stmt::Comment(_)));
            body.append(&mut copy);
        }
        Alike::of(&body).block(&mut body);
        let whole = &times * at_once;
        let rest = &looped.count - &whole;
        let mut several = Loop { var: outer, count: times, kind: LoopKind::Seq, body };
        let mut set = Block::new();
        if self.apart {
            bases::apart(&mut several, &mut set);
        }
        let any = Value::any(several.count.clone());
        let as_it_is = bases::are_places(&set);
        set.push(Stmt::For(several));
        match as_it_is {
            true => out.append(&mut set),
            // Without an iteration the places may be in front of all elements.
            false => out.push(Stmt::If(any, set, Block::new())),
        }
        if !rest.is_zero() {
            let var = NatVar::new(looped.var.text());
            let body = self.iteration(looped, Nat::var(&var) + whole);
            out.push(Stmt::For(Loop { var, count: rest, kind: LoopKind::Seq, body }));
        }
    }

    fn iteration(&mut self, looped: &Loop, at: Nat) -> Block {
        Copier::new(self.buffers).with(&looped.var, at).copy(&looped.body)
    }
}

/// The block without the naturals at its beginning.
fn after_nats(body: &[Stmt]) -> &[Stmt] {
    let nats = body.iter().take_while(|stmt| matches!(stmt, Stmt::LetNat(..))).count();
    &body[nats..]
}

/// Whether the block only computes, reads and writes.
fn is_straight(body: &[Stmt]) -> bool {
    let straight = |stmt: &Stmt| {
        matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::Var(..) | Stmt::Set(..) | Stmt::Store(..))
    };
    body.iter().all(straight)
}

/// Makes reads of the same vector alike: if one of them asks for what lies further on, all do, of which one is left.
struct Alike(HashSet<Access>);

impl Alike {
    fn of(body: &[Stmt]) -> Self {
        let mut ahead = HashSet::new();
        walk::accesses(body, &mut |access, write| {
            if !write && access.streams {
                ahead.insert(access.clone());
            }
        });
        Self(ahead)
    }
}

impl VisitMut for Alike {
    fn access(&mut self, access: &mut Access, write: bool) {
        access.streams |= !write && self.0.contains(&Access { streams: true, ..access.clone() });
    }
}
