//! A loop along which a remainder goes round becomes loops in which it does not, and nothing is divided.
//!
//! ```text
//!                                  let place = k % m
//! for i in 0..n                    let left = min(n, m - place)
//!   y[i] = x[(i + k) % m]     →    for i in 0..left
//!                                    y[i] = x[place + i]
//!                                  for round in 0..(n - left) / m
//!                                    for i in 0..m
//!                                      y[left + m·round + i] = x[i]
//!                                  for i in 0..(n - left) % m
//!                                    y[…] = x[i]
//! ```
//!
//! What goes round near the ends of a loop alone is left to the pass that peels them.

use crate::nat::{Atom, Facts, Nat, NatVar};

use super::super::facts::iterating;
use super::super::ir::*;
use super::super::walk::{self, VisitLoops};
use super::copy::Copier;
use super::interior::SHORT;
use super::{Options, TooLarge, measure, strip};

/// Larger iterations than this are not written out three times.
const GREATEST_BODY: usize = 150;

/// Rounds of fewer iterations than this cost more than they save.
const LEAST_ROUND: i64 = 8;

/// Fewer iterations than these are left to compilers.
const FEW: i64 = 256;

/// A loop is taken apart so often.
const DEEPEST: usize = 2;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        Rounds { buffers: &mut kernel.buffers, depth: 0 }.block(&mut kernel.body, facts);
    }
    Ok(())
}

struct Rounds<'a> {
    buffers: &'a mut Vec<Buffer>,
    /// How often the loop that is looked at was taken apart.
    depth: usize,
}

impl VisitLoops for Rounds<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        let is_long = looped.count.as_const().is_none_or(|count| count > SHORT);
        let fits = (looped.kind == LoopKind::Seq || strip::is_strip(&looped))
            && is_long
            && walk::has_short_loops(&looped.body, SHORT)
            && measure::size(&looped.body) <= GREATEST_BODY;
        let round = fits.then(|| Round::of(&looped, facts)).flatten();
        // Lanes of parts of parts would be much code; compilers find some of their own.
        if round.is_some() && self.depth > 0 {
            looped.kind = LoopKind::Seq;
        }
        match round.filter(|_| self.depth < DEEPEST) {
            Some(round) => {
                let mut parts = round.parts(looped, facts, self.buffers);
                self.depth += 1;
                self.block(&mut parts, facts.clone());
                self.depth -= 1;
                out.append(&mut parts);
            }
            None => {
                self.body(&mut looped, facts);
                out.push(Stmt::For(looped));
            }
        }
    }
}

/// What goes round: where it is in the first iteration, and after how many it is there again.
struct Round {
    remainder: Atom,
    quotient: Atom,
    start: Nat,
    by: Nat,
}

impl Round {
    /// The first of the loop's indices that goes round in it.
    fn of(looped: &Loop, facts: &Facts) -> Option<Round> {
        let mut indices = Vec::new();
        walk::accesses(&looped.body, &mut |access, _| indices.push(access.index.clone()));
        let inside = walk::declared(&looped.body);
        let stays = |nat: &Nat| nat.vars().iter().all(|var| *var != looped.var && !inside.contains(var));
        let facts = iterating(facts, looped);
        let mut found = None;
        for index in indices {
            index.each_atom(&mut |atom| {
                let (Atom::Mod(x, by) | Atom::Div(x, by)) = atom else { return };
                let Some((step, start)) = x.affine_in(&looped.var) else { return };
                let is_long = by.as_const().is_none_or(|by| by >= LEAST_ROUND);
                let stays = step.is_one() && stays(by) && stays(&start);
                if found.is_none() && stays && is_long {
                    let [remainder, quotient] = [Atom::Mod, Atom::Div].map(|of| of(x.clone(), by.clone()));
                    let round = Round { remainder, quotient, start, by: by.clone() };
                    found = (!round.is_at_ends(&looped.count, &facts)).then_some(round);
                }
            });
        }
        found
    }

    /// Whether it goes round in the first and last iterations alone, or never.
    fn is_at_ends(&self, count: &Nat, facts: &Facts) -> bool {
        let near = [&self.start + SHORT, &self.by - (&self.start + count) + SHORT];
        near.iter().all(|room| facts.proves_ge0(room))
    }

    /// The iterations up to where it goes round, those of whole rounds, and the others.
    fn parts(&self, looped: Loop, facts: &Facts, buffers: &mut Vec<Buffer>) -> Block {
        let (count, by) = (&looped.count, &self.by);
        // What is no whole round is few iterations then.
        let is_few = by.as_const().is_some_and(|by| by <= FEW);
        let ends = if is_few { LoopKind::Seq } else { looped.kind };
        let mut parts = Block::new();
        let mut name = |text: &str, value: Nat| {
            let name = NatVar::new(text);
            parts.push(Stmt::LetNat(name.clone(), Value::Nat(value)));
            Nat::var(&name)
        };
        let none = Nat::lit(0);
        let (place, left) = match self.start.is_zero() {
            true => (none.clone(), none.clone()),
            false => {
                let place = name("place", self.start.rem(by));
                // By 0 nothing goes round.
                let all = match iterating(facts, &looped).proves_lt(&none, by) {
                    true => none.clone(),
                    false => count * (Nat::lit(1) - Nat::min(&Nat::lit(1), by)),
                };
                let left = Nat::min(count, &Nat::max(&(by - &place), &all));
                (place, name("left", left))
            }
        };
        let rounds = match !left.is_zero() && facts.proves_le(count, by) {
            true => none.clone(),
            false => name("rounds", (count - &left).div(by)),
        };
        let quotient = self.start.div(by) + i64::from(!left.is_zero());
        let (last, done) = (&quotient + &rounds, &left + by * &rounds);
        if !left.is_zero() {
            parts.push(self.part(&looped, ends, [&none, &left], [&place, &self.start.div(by)], buffers));
        }
        if !rounds.is_zero() {
            let round = NatVar::new("round");
            let at = Nat::var(&round);
            let row = self.part(
                &looped,
                looped.kind,
                [&(&left + by * &at), by],
                [&none, &(&quotient + &at)],
                buffers,
            );
            parts.push(Stmt::For(Loop { var: round, count: rounds, kind: LoopKind::Seq, body: vec![row] }));
        }
        parts.push(self.part(&looped, ends, [&done, &(count - &done)], [&none, &last], buffers));
        parts
    }

    /// So many iterations of the loop, in which the remainder counts from a place and the quotient stays.
    fn part(
        &self,
        looped: &Loop,
        kind: LoopKind,
        [from, count]: [&Nat; 2],
        [place, quotient]: [&Nat; 2],
        buffers: &mut Vec<Buffer>,
    ) -> Stmt {
        let var = NatVar::new(looped.var.text());
        let at = Nat::var(&var);
        let mut body = looped.body.clone();
        walk::nats(&mut body, &mut |nat| {
            if nat.mentions(&looped.var) {
                *nat =
                    nat.replace_atom(&self.remainder, &(place + &at)).replace_atom(&self.quotient, quotient);
            }
        });
        let body = Copier::new(buffers).with(&looped.var, from + &at).copy(&body);
        Stmt::For(Loop { var, count: count.clone(), kind, body })
    }
}
