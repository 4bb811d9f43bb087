//! Short rows that share operands are one row: what repeats along them is read from a copy that goes round.
//!
//! ```text
//! for parallel i in 0..h                   round = a[0], …, a[c - 1], a[0], … (a vector more)
//!   for j in 0..w                          for parallel i in 0..h
//!     for lanes l in 0..c            →       for lanes f in 0..w * c
//!       y[i, j, l] = x[i, j, l] * a[l]         y[i, f] = x[i, f] * round[f mod c]
//! ```
//!
//! Vectors are filled whatever `c` is: the lanes of one that begins at `f` read `round` from `f mod c` on. Rows of two
//! vectors or more fill them without that, and few rows in a loop around are not worth the copy. But where windows of rows overlap, several rows go side by side, so that what
//! they share is loaded once for all of them: there they do so whatever `c` is, and the last rows, if there are enough
//! of them, overlap those before.
//!
//! Where indices are clamped or values are guarded near the borders of columns or of rows, this is done away from them,
//! and what is left goes column by column and row by row. That alone makes rows of few known lanes one, even where
//! nothing repeats.

mod row;
mod taps;

use crate::expr::{Binary, Compare};
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::super::facts::iterating;
use super::super::ir::*;
use super::super::walk::{self, VisitLoops, VisitMut};
use super::interior::Middle;
use super::transpose::only_loop;
use super::{Options, TooLarge, exchange, flatten, strip};
use row::{Row, several};
use taps::without_taps;

/// Rows that go side by side: those of a window are read again by all but one of them.
const MANY: i64 = 8;

/// Rows of as many vectors cost little beside themselves.
const SHORT: i64 = 2;

/// Fewer rows than these are not worth a copy in each iteration of a loop around.
const WORTH: i64 = 12;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        Repeater { buffers: &mut kernel.buffers, within: false }.block(&mut kernel.body, facts);
    }
    Ok(())
}

struct Repeater<'a> {
    buffers: &'a mut Vec<Buffer>,
    /// Whether there is a loop around.
    within: bool,
}

impl VisitLoops for Repeater<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        let inside = iterating(facts, &looped);
        // A row alone is no faster without loops over taps: their operands stay in registers there.
        let short = without_taps(&looped, self.buffers);
        let nest = match &short {
            Some(short) => Nest::of(short, &inside, self.buffers).filter(|nest| nest.side_by_side.is_some()),
            None => Nest::of(&looped, &inside, self.buffers),
        };
        match nest.filter(|nest| nest.is_worth(self.within)) {
            Some(nest) => nest.emit(&looped, self.within, out, self.buffers),
            None => {
                let within = std::mem::replace(&mut self.within, true);
                self.block(&mut looped.body, inside);
                self.within = within;
                out.push(Stmt::For(looped));
            }
        }
    }
}

/// Loops with nothing between them, the inner two of which walk through memory as one but for what repeats, and but for
/// their borders.
struct Nest<'a> {
    /// The loop over rows of rows, if there is one.
    rows: Option<&'a Loop>,
    columns: &'a Loop,
    lanes: &'a Loop,
    /// The columns away from their borders.
    inside: Middle,
    /// What repeats.
    repeated: Vec<Access>,
    /// The rows away from their borders, of which several go side by side.
    side_by_side: Option<Middle>,
}

impl<'a> Nest<'a> {
    /// The nest that a loop is the outermost of, if that is worth it.
    fn of(outer: &'a Loop, facts: &Facts, buffers: &mut Vec<Buffer>) -> Option<Self> {
        let next = only_loop(&outer.body)?;
        let (rows, columns, lanes) = match only_loop(&next.body) {
            Some(lanes) => (Some(outer), next, lanes),
            None => (None, outer, next),
        };
        let plain = |looped: &Loop| matches!(looped.kind, LoopKind::Seq | LoopKind::Par);
        let inner = |looped: &Loop| [outer, columns].iter().all(|around| !looped.count.mentions(&around.var));
        let fits =
            plain(outer) && plain(columns) && lanes.kind == LoopKind::Vec && inner(columns) && inner(lanes);
        if !fits || !is_straight(&lanes.body) || !strip::may_repeat(&lanes.body) {
            return None;
        }
        let is_short =
            (&columns.count * &lanes.count).as_const().is_some_and(|count| count <= strip::LONGEST);
        let mut nest = Nest {
            rows,
            columns,
            lanes,
            inside: Middle::whole(columns),
            repeated: Vec::new(),
            side_by_side: None,
        };
        nest.repeated = nest.repeated();
        let is_known = lanes.count.as_const().is_some();
        if is_short || nest.repeated.is_empty() && !is_known || !nest.is_one(facts, buffers) {
            return None;
        }
        if nest.repeated.is_empty() && nest.inside.is_whole() {
            return None;
        }
        nest.side_by_side = nest.shares(facts, buffers);
        let (least, width) = (nest.least(buffers), nest.width(buffers));
        let is_long = lanes.count.as_const().is_some_and(|count| count >= least || count % width == 0);
        (nest.side_by_side.is_some() || !is_long).then_some(nest)
    }

    fn loops(&self) -> impl Iterator<Item = &'a Loop> {
        self.rows.into_iter().chain([self.columns])
    }

    /// What is read at the same places in all rows, once.
    fn repeated(&self) -> Vec<Access> {
        let mut found = Vec::new();
        walk::accesses(&self.lanes.body, &mut |access, write| {
            if !write && self.repeats(access) && !found.contains(access) {
                found.push(access.clone());
            }
        });
        found
    }

    fn repeats(&self, access: &Access) -> bool {
        let stays = self.loops().all(|looped| !access.index.mentions(&looped.var));
        stays && access.lanes == 1 && access.index.mentions(&self.lanes.var)
    }

    /// Whether all else depends on the inner loops together, away from the borders.
    fn is_one(&mut self, facts: &Facts, buffers: &[Buffer]) -> bool {
        self.is_flat() || {
            let inside = Middle::of(self.columns, facts, buffers);
            inside.is_some_and(|inside| {
                self.inside = inside;
                self.is_flat()
            })
        }
    }

    fn is_flat(&self) -> bool {
        let mut body = lane(&self.inside.body).to_vec();
        Replace(&mut |access| {
            if self.repeats(access) {
                access.index = Nat::lit(0);
            }
        })
        .block(&mut body);
        flatten::is_one(&mut body, self.columns, self.lanes)
    }

    /// Lanes of the vectors that will be.
    fn width(&self, buffers: &[Buffer]) -> i64 {
        strip::width(buffers, &self.lanes.body)
    }

    /// Rows of so many lanes need not be one. (Nor do rows of a vector or more that all read the same at once.)
    fn least(&self, buffers: &[Buffer]) -> i64 {
        let at_once = exchange::SHARED.contains(&self.repeated.len());
        if at_once { self.width(buffers) } else { self.width(buffers) * SHORT }
    }

    /// The rows away from borders, where neighbours together read less than two thirds of what each of them would read
    /// for itself, and know nothing of each other.
    fn shares(&self, facts: &Facts, buffers: &mut Vec<Buffer>) -> Option<Middle> {
        let rows = Loop { body: self.inside.body.clone(), ..self.rows?.clone() };
        let is_large = rows.count.as_const().is_none_or(|count| count >= MANY);
        let fits = is_large && exchange::SHARED.contains(&self.repeated.len());
        let is_free = rows.kind == LoopKind::Par
            || exchange::is_independent(&rows, self.lanes, &(&self.columns.count * &self.lanes.count), facts);
        if !fits || !is_free {
            return None;
        }
        let away = Middle::of(&rows, facts, buffers).unwrap_or_else(|| Middle::whole(&rows));
        let row = lane(&away.body);
        let all = several(&rows, row, &Nat::var(&rows.var), MANY, buffers);
        let [one, all] = [row, &all].map(|body| self.windows(body));
        let shared = self.repeated.len();
        let is_less = one > 1 && 3 * (all + shared) < 2 * MANY as usize * (one + shared);
        is_less.then_some(away)
    }

    /// How many vectors are read that lie elsewhere in other rows.
    fn windows(&self, body: &[Stmt]) -> usize {
        let mut found = Vec::new();
        walk::accesses(body, &mut |access, write| {
            let moves = self.rows.is_some_and(|rows| access.index.mentions(&rows.var));
            if !write && moves && !found.contains(access) {
                found.push(access.clone());
            }
        });
        found.len()
    }

    /// The loops; those that were there, where rows are no worse alone.
    fn emit(&self, looped: &Loop, within: bool, out: &mut Block, buffers: &mut Vec<Buffer>) {
        let mut new = Block::new();
        let width = self.width(buffers);
        let copies = self.copies(width, &mut new, buffers);
        let done = named("inside", self.inside.len(&self.columns.count), &mut new);
        let row = Row { nest: self, copies, done };
        match (self.rows, &self.side_by_side) {
            (Some(rows), Some(away)) => row.side_by_side(rows, away, &mut new, buffers),
            (Some(rows), None) => {
                let mut body = vec![Stmt::For(row.line(&self.inside.body, buffers))];
                body.extend(row.borders(&Nat::var(&rows.var), &Nat::lit(1), buffers));
                new.push(Stmt::For(Loop { body, ..rows.clone() }));
            }
            (None, _) => {
                let line = row.line(&self.inside.body, buffers);
                match self.columns.kind {
                    LoopKind::Par => flatten::tasks(&line, &mut new, buffers),
                    _ => new.push(Stmt::For(line)),
                }
                new.extend(row.borders(&Nat::lit(0), &Nat::lit(1), buffers));
            }
        }
        if self.side_by_side.is_some() || self.lanes.count.as_const().is_some() {
            return out.append(&mut new);
        }
        let few = Value::CompareNat(Compare::Lt, self.lanes.count.clone(), Nat::lit(self.least(buffers)));
        let rows = self.all_rows();
        let worth = match within && rows.as_const().is_none() {
            true => {
                let many = Value::CompareNat(Compare::Le, Nat::lit(WORTH), rows);
                let truth = ValueType::scalar(Scalar::Bool);
                Value::Binary(Binary::And, truth, Box::new(few), Box::new(many))
            }
            false => few,
        };
        out.push(Stmt::If(worth, new, vec![Stmt::For(looped.clone())]));
    }

    /// Whether there may be enough rows for a copy of what repeats, which is made in each iteration of a loop around.
    fn is_worth(&self, within: bool) -> bool {
        let is_copied = self.side_by_side.is_none() && self.lanes.count.as_const().is_none();
        !(within && is_copied) || self.all_rows().as_const().is_none_or(|rows| rows >= WORTH)
    }

    fn all_rows(&self) -> Nat {
        self.loops().fold(Nat::lit(1), |rows, looped| rows * &looped.count)
    }

    /// What repeats, and where its copies begin, after they were made.
    fn copies(&self, width: i64, out: &mut Block, buffers: &mut Vec<Buffer>) -> Vec<(Access, Access)> {
        let count = &self.lanes.count;
        let round = count + width;
        let scalar =
            |access: &Access, buffers: &[Buffer]| buffers[access.buffer.0 as usize].scalar(&access.path);
        let mut all: Vec<(Scalar, BufferId)> = Vec::new();
        let mut copies = Vec::new();
        for access in &self.repeated {
            let scalar = scalar(access, buffers);
            let id = match all.iter().find(|(other, _)| *other == scalar) {
                Some((_, id)) => *id,
                None => {
                    let id = BufferId(buffers.len() as u32);
                    let copy = Buffer::scalars("round", scalar, Nat::lit(0), Role::Heap);
                    buffers.push(Buffer { goes_round: true, ..copy });
                    out.push(Stmt::Alloc(id));
                    all.push((scalar, id));
                    id
                }
            };
            let len = &mut buffers[id.0 as usize].len;
            copies.push((access.clone(), Access::scalar(id, len.clone())));
            *len = &*len + &round;
        }
        if copies.is_empty() {
            return copies;
        }
        let part = |kind, start: &Nat, count: &Nat, from: &dyn Fn(&(Access, Access), &Nat) -> Access| {
            let var = NatVar::new(self.lanes.var.text());
            let place = Nat::var(&var);
            let store = |copy: &(Access, Access)| {
                let to = Access { index: &copy.1.index + start + &place, ..copy.1.clone() };
                Stmt::Store(to, Value::Load(from(copy, &place)))
            };
            let body = copies.iter().map(store).collect();
            Stmt::For(Loop { var, count: count.clone(), kind, body })
        };
        let whole = part(LoopKind::Vec, &Nat::lit(0), count, &|(from, _), place| Access {
            index: from.index.subst(&self.lanes.var, place),
            ..from.clone()
        });
        // Of what is there already, and comes to be there.
        let beginning = part(LoopKind::Seq, count, &Nat::lit(width), &|(_, to), place| Access {
            index: &to.index + place,
            ..to.clone()
        });
        // Where nothing is computed, there may be nothing to read.
        out.push(Stmt::If(Value::any(self.all_rows() * count), vec![whole, beginning], Block::new()));
        copies
    }
}

/// A natural under a name, unless it has one.
fn named(name: &str, nat: Nat, out: &mut Block) -> Nat {
    if nat.as_const().is_some() || nat.as_var().is_some() {
        return nat;
    }
    let name = NatVar::new(name);
    out.push(Stmt::LetNat(name.clone(), Value::Nat(nat)));
    Nat::var(&name)
}

/// What is done for a lane of a column.
fn lane(column: &[Stmt]) -> &[Stmt] {
    only_loop(column).map_or(column, |lanes| &lanes.body)
}

/// Whether nothing is decided, repeated or found out inside.
fn is_straight(body: &[Stmt]) -> bool {
    let straight = |stmt: &Stmt| {
        matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::Var(..) | Stmt::Set(..) | Stmt::Store(..))
    };
    body.iter().all(straight)
}

/// Changes what is read.
struct Replace<'a>(&'a mut dyn FnMut(&mut Access));

impl VisitMut for Replace<'_> {
    fn access(&mut self, access: &mut Access, write: bool) {
        if !write {
            (self.0)(access);
        }
    }
}
