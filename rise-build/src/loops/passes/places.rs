//! Where a block of vectors reads and writes is computed once, and named.
//!
//! ```text
//!                                                      let at = m * j + 64 * i
//! y[m * j + 64 * i ..16] = c0                       →  y[at ..16] = c0
//! y[m * j + 64 * i + 16 ..16] = c1                     y[at + 16 ..16] = c1
//! y[m * j + 64 * i + m ..16] = c2                      y[at + m ..16] = c2
//! ```
//!
//! The compilers behind do this anyway; the text is shorter.

use std::collections::VecDeque;

use crate::nat::{Atom, Facts, Nat, NatVar};

use super::super::facts::{branches, define, iterating};
use super::super::ir::*;
use super::super::walk::{Visit, VisitMut};
use super::{Options, TooLarge};

/// Shorter sums have no name.
const LEAST: usize = 5;

/// So much less text is worth a name.
const WORTH: usize = 24;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        name(&mut kernel.body, kernel.facts.clone());
    }
    Ok(())
}

/// Names the places of a block, and those of the blocks in it.
fn name(block: &mut Block, mut facts: Facts) {
    let mut places = Places::of(block);
    let mut out = Block::with_capacity(block.len());
    for (position, mut stmt) in std::mem::take(block).into_iter().enumerate() {
        for group in places.groups.iter_mut().filter(|group| group.first == Some(position)) {
            if facts.proves_ge0(&group.shared) {
                let at = NatVar::new("at");
                out.push(Stmt::LetNat(at.clone(), Value::Nat(group.shared.clone())));
                group.called = Some(at);
            }
        }
        match &mut stmt {
            Stmt::For(looped) => {
                let inside = iterating(&facts, looped);
                name(&mut looped.body, inside);
            }
            Stmt::If(condition, then, otherwise) => {
                let [holds, fails] = branches(&facts, condition);
                name(then, holds);
                name(otherwise, fails);
            }
            Stmt::Block(inner) => name(inner, facts.clone()),
            Stmt::LetNat(var, value) => define(&mut facts, var, value),
            stmt if is_straight(stmt) => places.stmt(stmt),
            _ => {}
        }
        out.push(stmt);
    }
    *block = out;
}

/// Whether the statement is one of few operations, whose places are named.
fn is_straight(stmt: &Stmt) -> bool {
    use Stmt::{Ask, Let, Set, Store, StorePart, Var};
    matches!(stmt, Ask(..) | Let(..) | Set(..) | Store(..) | StorePart(..) | Var(..))
}

/// Places that have addends in common.
struct Group {
    /// The statement that names the first, if they are worth a name.
    first: Option<usize>,
    /// What all of them have.
    shared: Nat,
    /// How many they are.
    places: usize,
    /// What that is called.
    called: Option<NatVar>,
}

/// What the straight statements of a block read and write.
#[derive(Default)]
struct Places {
    groups: Vec<Group>,
    /// The group of each, in the order in which they are visited, to be looked at and to be changed.
    of: VecDeque<Option<usize>>,
}

impl Places {
    fn of(block: &[Stmt]) -> Places {
        let mut seen = Seen::default();
        for (position, stmt) in block.iter().enumerate().filter(|(_, stmt)| is_straight(stmt)) {
            seen.position = position;
            seen.stmt(stmt);
        }
        for group in &mut seen.places.groups {
            group.first = group.first.filter(|_| seen.vectors && group.is_worth_a_name());
        }
        seen.places
    }
}

impl Group {
    fn is_worth_a_name(&self) -> bool {
        length(&self.shared) * (self.places - 1) >= WORTH
    }

    /// Whether a place is one of them, or can be.
    fn takes(&mut self, place: &Nat) -> bool {
        let Some(shared) = joint(&self.shared, place) else { return false };
        self.shared = shared;
        self.places += 1;
        true
    }
}

/// Places while they are looked for.
#[derive(Default)]
struct Seen {
    /// The statement at hand.
    position: usize,
    places: Places,
    /// Whether any of them is a vector's.
    vectors: bool,
}

impl Visit for Seen {
    fn access(&mut self, access: &Access, _: bool) {
        self.vectors |= access.lanes > 1;
        let (place, groups) = (&access.index, &mut self.places.groups);
        let group = (length(place) >= LEAST).then(|| {
            groups.iter_mut().position(|group| group.takes(place)).unwrap_or_else(|| {
                let shared = variable(place);
                groups.push(Group { first: Some(self.position), shared, places: 1, called: None });
                groups.len() - 1
            })
        });
        self.places.of.push_back(group);
    }
}

impl VisitMut for Places {
    fn access(&mut self, access: &mut Access, _: bool) {
        let group = self.of.pop_front().flatten().map(|group| &self.groups[group]);
        if let Some(Group { shared, called: Some(at), .. }) = group {
            access.index = &access.index - shared + Nat::var(at);
        }
    }
}

/// Without the addend that is a number.
fn variable(place: &Nat) -> Nat {
    place - place.constant_part()
}

/// What both have, if that is at least half of each, and nothing has to be taken from it.
fn joint(shared: &Nat, place: &Nat) -> Option<Nat> {
    let both = shared.common(place);
    let most = length(&both);
    let adds = |rest: Nat| rest.terms().all(|(coeff, _)| coeff > 0) && length(&rest) <= most;
    (most >= LEAST && adds(shared - &both) && adds(place - &both)).then_some(both)
}

/// How long the text is, roughly: names, numbers, and what joins them.
fn length(nat: &Nat) -> usize {
    nat.terms()
        .map(|(coeff, factors)| {
            let factors = factors.iter().map(|(atom, power)| of_atom(atom) * *power as usize);
            usize::from(coeff != 1) + factors.sum::<usize>()
        })
        .sum()
}

fn of_atom(atom: &Atom) -> usize {
    match atom {
        Atom::Var(_) => 1,
        Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Pow(a, b) | Atom::Min(a, b) | Atom::Max(a, b) => {
            1 + length(a) + length(b)
        }
        Atom::Sum(_) => 2 * LEAST,
    }
}
