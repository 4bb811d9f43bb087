//! Where a loop walks along many rows of an array, few of them share the register that holds their address.
//!
//! ```text
//!                                    let at = apart(s·i)
//!                                    let at2 = apart(s·i + 2·s)
//! for k in 0..n                      for k in 0..n
//!   … x[s·i + k] …                     … x[at + k] …
//!   … x[s·i + s + k] …          →      … x[at + s + k] …
//!   … x[s·i + 2·s + k] …               … x[at2 + k] …
//!   … x[s·i + 3·s + k] …               … x[at2 + s + k] …
//! ```
//!
//! Processors add a register and a small multiple of another to what they read from; compilers keep one register
//! for all rows, and compute the rest in each iteration, beside multiply-adds that wait for the same units.
//!
//! Of more rows than there are registers, compilers step each in memory, and set all of them before the loop, which may
//! be short. There the places that rows begin at are found in each iteration:
//!
//! ```text
//! for l in 0..c                              for l in 0..c
//!   … x[w·i + l] …                             let at = apart(w·i + l)
//!   … x[w·i + n + l] …               →         let at2 = apart(at + n + w)
//!   … x[w·i + n + w + l] …                     … x[at] …
//!   … x[w·i + 2·n + w + l] …                   … x[at + n] …
//!   …                                          … x[at2] …
//!                                              … x[at2 + n] …
//! ```

use crate::nat::{Atom, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};

/// Rows that share a register.
const SHARED: usize = 2;

/// What the loop reads, from such registers, which are set before it. The count of the loop and its other uses stay.
pub(super) fn apart(looped: &mut Loop, out: &mut Block) {
    let mut rows: Vec<Row> = Vec::new();
    walk::accesses(&looped.body, &mut |access, write| {
        if !write && let Some(start) = start(access, &looped.var) {
            let same = |row: &&Row| row.buffer == access.buffer && row.start == start;
            if !rows.iter().any(|row| same(&row)) {
                rows.push(Row { buffer: access.buffer, start, base: None });
            }
        }
    });
    let many: Vec<BufferId> = rows.iter().map(|row| row.buffer).collect();
    let many = |buffer: BufferId| many.iter().filter(|other| **other == buffer).count() > SHARED;
    let mut last: Option<(BufferId, usize, Nat, Nat)> = None;
    for row in rows.iter_mut().filter(|row| many(row.buffer)) {
        let (shared, from, at) = match last.take() {
            Some((buffer, shared, from, at))
                if buffer == row.buffer && shared < SHARED && is_plain(&(&row.start - &from)) =>
            {
                (shared, from, at)
            }
            _ => {
                let at = NatVar::new("at");
                out.push(Stmt::LetNat(at.clone(), Value::Apart(row.start.clone())));
                (0, row.start.clone(), Nat::var(&at))
            }
        };
        row.base = Some(&at + &row.start - &from);
        last = Some((row.buffer, shared + 1, from, at));
    }
    if rows.iter().any(|row| row.base.is_some()) {
        Rebase { rows, var: looped.var.clone() }.block(&mut looped.body);
    }
}

/// Whether what is set before a loop begins somewhere also where the loop has no iterations: nothing is subtracted.
pub(super) fn are_places(set: &[Stmt]) -> bool {
    !set.iter().any(|stmt| matches!(stmt, Stmt::LetNat(_, Value::Apart(start)) if is_difference(start)))
}

/// Whether anything is subtracted anywhere in it.
pub(super) fn is_difference(nat: &Nat) -> bool {
    let of_atom = |atom: &Atom| match atom {
        Atom::Var(_) => false,
        Atom::Div(x, y) | Atom::Mod(x, y) | Atom::Pow(x, y) | Atom::Min(x, y) | Atom::Max(x, y) => {
            is_difference(x) || is_difference(y)
        }
        Atom::Sum(_) => true,
    };
    nat.terms().any(|(coeff, factors)| coeff < 0 || factors.iter().any(|(atom, _)| of_atom(atom)))
}

/// Whether the distance costs less than a register saves: compilers compute it before the loop but where it is divided
/// by what may be 0.
fn is_plain(distance: &Nat) -> bool {
    let of_atom = |atom: &Atom| match atom {
        Atom::Var(_) => true,
        Atom::Div(x, by) | Atom::Mod(x, by) => by.as_const().is_some() && is_plain(x),
        _ => false,
    };
    distance.terms().all(|(_, factors)| factors.iter().all(|(atom, _)| of_atom(atom)))
}

/// Rows that have a register each, at most.
const REGISTERS: usize = 16;

/// Rows that begin at multiples of a distance from a place, which processors add: itself, once and twice that.
const FROM_A_PLACE: usize = 3;

/// The vectors that a straight loop reads and writes in more rows than that, from few places on. (Loops over scalars the
/// compiler may have better ways for, if it sees through them.)
pub(super) fn within(looped: &mut Loop) {
    let known = looped.body.iter().take_while(|stmt| matches!(stmt, Stmt::LetNat(..))).count();
    let mut moving = walk::declared(&looped.body[..known]);
    moving.insert(looped.var.clone());
    let mut rows = Vec::new();
    walk::accesses(&looped.body, &mut |access, _| {
        let row = row(access);
        let moves = access.lanes > 1 && moving.iter().any(|var| access.index.mentions(var));
        if moves && !rows.contains(&row) {
            rows.push(row);
        }
    });
    if rows.len() <= REGISTERS {
        return;
    }
    let mut places = Places { all: Vec::new(), set: Block::new(), rows: Vec::new() };
    for (buffer, index) in rows {
        places.add(buffer, index);
    }
    places.block(&mut looped.body);
    looped.body.splice(known..known, places.set);
}

/// Where some rows begin.
struct Place {
    buffer: BufferId,
    index: Nat,
    at: NatVar,
    /// How many.
    rows: usize,
}

/// The row that is read or written, without what is the same for all.
fn row(access: &Access) -> (BufferId, Nat) {
    (access.buffer, &access.index - access.index.constant_part())
}

struct Places {
    all: Vec<Place>,
    /// Statements that say where the places are.
    set: Block,
    /// Rows, and their indices from places on.
    rows: Vec<((BufferId, Nat), Nat)>,
}

impl Places {
    fn add(&mut self, buffer: BufferId, index: Nat) {
        let near = |place: &Place| {
            place.buffer == buffer && place.rows < FROM_A_PLACE && is_step(&(&index - &place.index))
        };
        let position = self.all.iter().position(near).unwrap_or_else(|| self.place(buffer, &index));
        let place = &mut self.all[position];
        place.rows += 1;
        let from = Nat::var(&place.at) + (&index - &place.index);
        self.rows.push(((buffer, index), from));
    }

    /// A place of its own; often all are as far from the one before.
    fn place(&mut self, buffer: BufferId, index: &Nat) -> usize {
        let before = self.all.iter().rev().find(|place| place.buffer == buffer);
        let further = before.map(|place| (&place.at, index - &place.index));
        let start = match further.filter(|(_, distance)| is_plain(distance)) {
            Some((at, distance)) => Nat::var(at) + distance,
            None => index.clone(),
        };
        let at = NatVar::new("at");
        self.set.push(Stmt::LetNat(at.clone(), Value::Apart(start)));
        self.all.push(Place { buffer, index: index.clone(), at, rows: 0 });
        self.all.len() - 1
    }
}

impl VisitMut for Places {
    fn access(&mut self, access: &mut Access, _: bool) {
        let row = row(access);
        if let Some((_, from)) = self.rows.iter().find(|(other, _)| *other == row) {
            access.index = from + access.index.constant_part();
        }
    }
}

/// Whether the distance is a multiple of one size, and a constant.
fn is_step(distance: &Nat) -> bool {
    let varying = distance - distance.constant_part();
    varying.terms().count() <= 1 && is_plain(&varying)
}

/// Part of an array along which the loop reads.
struct Row {
    buffer: BufferId,
    /// Its index, without what changes in the loop and constants.
    start: Nat,
    /// What stands for that.
    base: Option<Nat>,
}

/// What of the index stays the same in the loop, constants left out; nothing where that is all or nothing.
fn start(access: &Access, var: &NatVar) -> Option<Nat> {
    let first = access.index.subst(var, &Nat::lit(0));
    let start = &first - first.constant_part();
    (!start.is_zero() && first != access.index).then_some(start)
}

struct Rebase {
    rows: Vec<Row>,
    var: NatVar,
}

impl VisitMut for Rebase {
    fn access(&mut self, access: &mut Access, write: bool) {
        if write {
            return;
        }
        let Some(start) = start(access, &self.var) else { return };
        let row = self.rows.iter().find(|row| row.buffer == access.buffer && row.start == start);
        if let Some(base) = row.and_then(|row| row.base.as_ref()) {
            access.index = &access.index - &start + base;
        }
    }
}
