//! Nests that read along one loop and write along another go in squares, which are transposed in registers.
//!
//! ```text
//! for i in 0..m                     for i, j in squares of 16, blocks of which fit into the cache
//!   for j in 0..n                     y[n·i + j; n] = transpose(x[m·j + i; m])
//!     y[n·i + j] = x[m·j + i]  →
//! ```
//!
//! What else an iteration computes is done in vectors, from a transposed square on the stack. Whole squares begin
//! with lines of the cache; those at both ends of a row and of a column overlap them, and go in loops of their own, so that
//! a square is written out three times at most. A matrix that is smaller than a square stays as it is. What is large
//! is asked for a block early, and lines are written past the cache, which would read them first. The
//! iterations are independent: nothing that is written is read, and no element is written twice.
//!
//! Of two to eight columns or rows all go at once along the others:
//!
//! ```text
//! for i in 0..2                     for j in 0..n
//!   for j in 0..n              →      y[j] = x[2·j]
//!     y[n·i + j] = x[2·j + i]         y[n + j] = x[2·j + 1]
//! ```

use crate::expr::{Binary, Compare, Unary};
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::super::ir::*;
use super::super::walk::{self, VisitLoops, VisitMut};
use super::copy::Copier;
use super::crowded::Crossing;
use super::{Options, TooLarge, strip};

/// Squares of a block that are written one after the other into the same rows.
const BLOCK: i64 = 8;

/// Squares of a block that lie side by side in the rows that are read: at least so many, and no more. The longer these
/// pieces are, the better memory answers.
const SIDE_BY_SIDE: [i64; 2] = [4, 16];

/// Iterations of a loop that are written out beside each other. (Of 12 and 15, tried by hand, compilers gather.)
const FEW: std::ops::RangeInclusive<i64> = 2..=8;

/// Strips of blocks that there should be for threads to share.
const STRIPS: i64 = 8;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        let mut body = std::mem::take(&mut kernel.body);
        Transposer { buffers: &mut kernel.buffers, streams: options.streams }.block(&mut body, facts);
        kernel.body = body;
    }
    Ok(())
}

struct Transposer<'a> {
    buffers: &'a mut Vec<Buffer>,
    streams: bool,
}

impl VisitLoops for Transposer<'_> {
    fn looped(&mut self, mut looped: Loop, facts: &mut Facts, out: &mut Block) {
        if let Some(nest) = Nest::find(&looped, self.buffers, facts) {
            if let Some(abreast) = nest.abreast(self.buffers) {
                return out.push(abreast);
            }
            if !nest.is_narrow() {
                return out.push(nest.in_squares(Stmt::For(looped), self.buffers, self.streams));
            }
        }
        self.body(&mut looped, facts);
        out.push(Stmt::For(looped));
    }
}

/// A loop and the innermost one below it, between which values cross over.
pub(super) struct Nest {
    pub outer: Loop,
    /// The loops between them, from the outside; they come to lie around both.
    between: Vec<Loop>,
    pub inner: Loop,
    /// What is read along the outer loop, and how far apart in the inner one.
    crossing: Vec<(Access, Nat)>,
    pub side: u32,
}

/// What memory does for a nest in squares.
#[derive(Clone, Copy, PartialEq)]
enum Memory {
    /// The caches hold it.
    Held,
    /// It is asked for what is read a block later.
    Asked,
    /// And written past the caches.
    Past,
}

impl Nest {
    fn find(looped: &Loop, buffers: &[Buffer], facts: &Facts) -> Option<Nest> {
        if !matches!(looped.kind, LoopKind::Seq | LoopKind::Par) {
            return None;
        }
        let (mut loops, mut facts) = (vec![looped], facts.clone());
        while let Some(inner) = only_loop(&loops[loops.len() - 1].body) {
            loops.push(inner);
        }
        let (inner, between) = loops[1..].split_last()?;
        let simple =
            inner.body.iter().all(|s| matches!(s, Stmt::Comment(_) | Stmt::Let(..) | Stmt::Store(..)));
        let plain = between.iter().all(|between| between.kind == LoopKind::Seq)
            && matches!(inner.kind, LoopKind::Seq | LoopKind::Vec);
        let vars: Vec<&NatVar> = loops.iter().map(|looped| &looped.var).collect();
        let rectangular = loops.iter().all(|looped| vars.iter().all(|var| !looped.count.mentions(var)));
        if !simple || !plain || !rectangular {
            return None;
        }
        loops.iter().for_each(|looped| facts.range(&looped.var, &Nat::lit(0), &looped.count));
        let crossing = Reach { loops: &loops, buffers, facts: &facts }.crossing(&inner.body)?;
        let bytes = |access: &Access| buffers[access.buffer.0 as usize].scalar_bytes();
        let side = if crossing.iter().all(|(access, _)| bytes(access) == 8) { 8 } else { 16 };
        Some(Nest {
            outer: looped.clone(),
            between: between.iter().copied().cloned().collect(),
            inner: Loop::clone(inner),
            crossing,
            side,
        })
    }

    /// Whether no square has room in it.
    fn is_narrow(&self) -> bool {
        let is_short = |count: &Nat| count.as_const().is_some_and(|count| count < i64::from(self.side));
        is_short(&self.outer.count) || is_short(&self.inner.count)
    }

    /// A nest of which one loop has few iterations goes once along the other one, with these written out: of loads and
    /// stores that lie as close as that compilers make vectors, and sort them out.
    fn abreast(&self, buffers: &mut Vec<Buffer>) -> Option<Stmt> {
        let few = |looped: &Loop| looped.count.as_const().filter(|count| FEW.contains(count));
        let (long, short, count) = match (few(&self.outer), few(&self.inner)) {
            (Some(count), None) => (&self.inner, &self.outer, count),
            (None, Some(count)) => (&self.outer, &self.inner, count),
            _ => return None,
        };
        if !self.between.is_empty() || long.count.as_const().is_some_and(|count| count < i64::from(self.side))
        {
            return None;
        }
        let each = |at: i64| Copier::new(&mut *buffers).with(&short.var, Nat::lit(at)).copy(&self.inner.body);
        let body = (0..count).flat_map(each).collect();
        Some(Stmt::For(Loop { kind: self.outer.kind, body, ..long.clone() }))
    }

    /// The nest in squares where there is one, else the nest as it was.
    fn in_squares(&self, as_before: Stmt, buffers: &mut Vec<Buffer>, streams: bool) -> Stmt {
        let [rows, columns] = [&self.outer.count, &self.inner.count];
        let mut squares = self.squares(buffers, Memory::Held);
        if let Some(crossing) = self.copy() {
            let mut large = self.squares(buffers, Memory::Asked);
            let bytes = strip::bytes(buffers, &self.inner.body);
            if let Some(lines) = crossing.lines(buffers).filter(|_| streams) {
                let bool = ValueType::scalar(Scalar::Bool);
                let past = Box::new(Value::Past(bytes.clone()));
                let lines = Value::Binary(Binary::And, bool, Box::new(lines), past);
                large = vec![Stmt::If(lines, self.squares(buffers, Memory::Past), large)];
            }
            squares = vec![Stmt::If(Value::Large(bytes.clone()), large, squares)];
            squares = crossing.in_pieces(squares, buffers);
            if streams {
                squares = crossing.in_slants(squares, &bytes, buffers);
            }
        }
        for between in self.between.iter().rev() {
            squares = vec![Stmt::For(Loop { body: squares, ..between.clone() })];
        }
        let side = Nat::from(self.side);
        let enough = |count: &Nat| Box::new(Value::CompareNat(Compare::Ge, count.clone(), side.clone()));
        let bool = ValueType::scalar(Scalar::Bool);
        let both = match rows == columns {
            true => *enough(rows),
            false => Value::Binary(Binary::And, bool, enough(rows), enough(columns)),
        };
        Stmt::If(both, squares, vec![as_before])
    }

    fn squares(&self, buffers: &mut Vec<Buffer>, memory: Memory) -> Block {
        let [(rows, align_rows), (columns, align_columns)] =
            [(&self.outer, self.source()), (&self.inner, self.target())]
                .map(|(looped, access)| self.ways(looped, &access));
        let (per_block, whole) = (Nat::lit(BLOCK), rows.whole());
        let strip = NatVar::new(self.outer.var.text());
        let (per_strip, side_by_side) = Self::per_strip(&whole);
        let top = Nat::var(&strip) * &per_strip;
        let in_strip = Nat::min(&per_strip, &(&whole - &top));
        let blocks = counted("block", columns.whole().ceil_div(&per_block), |block| {
            let left = block * &per_block;
            let in_block = Nat::min(&per_block, &(columns.whole() - &left));
            vec![counted("row", in_strip.clone(), |row| {
                let row = rows.at(&(&top + row));
                vec![counted("column", in_block, |column| {
                    self.square(&row, &columns.at(&(&left + column)), buffers, memory)
                })]
            })]
        });
        let sides = counted("row", in_strip, |row| {
            let row = rows.at(&(&top + row));
            vec![columns.ends(|column| self.square(&row, column, buffers, memory))]
        });
        let count = whole.ceil_div(&per_strip);
        let strips = Loop { var: strip, count, kind: self.outer.kind, body: vec![blocks, sides] };
        // Squares at the ends overlap others, which threads may be at as long as there are strips.
        let ends = rows.ends(|row| {
            vec![counted("column", columns.covering(), |column| {
                let (mut lets, column) = columns.clamped(&column);
                lets.extend(self.square(row, &column, buffers, Memory::Held));
                lets
            })]
        });
        [align_rows, align_columns, vec![side_by_side, Stmt::For(strips), ends]].concat()
    }

    /// How many squares of a block lie side by side in the rows that are read.
    fn per_strip(whole: &Nat) -> (Nat, Stmt) {
        let var = NatVar::new("squares");
        let [least, most] = SIDE_BY_SIDE.map(Nat::lit);
        let shared = whole.div(&Nat::lit(STRIPS));
        let squares = Nat::max(&least, &Nat::min(&most, &shared));
        (Nat::var(&var), Stmt::LetNat(var, Value::Nat(squares)))
    }

    /// What is read first, and what is written first.
    fn source(&self) -> Access {
        self.crossing[0].0.clone()
    }

    fn target(&self) -> Access {
        let first = self.inner.body.iter().find_map(|stmt| match stmt {
            Stmt::Store(access, _) => Some(access.clone()),
            _ => None,
        });
        first.unwrap_or_else(|| self.source())
    }

    /// How squares go along one of the loops, so that the rows of memory that the access is in begin with lines.
    fn ways(&self, looped: &Loop, access: &Access) -> (Way, Block) {
        let [ahead, before] = ["ahead", "before"].map(NatVar::new);
        let start = [(self.outer.var.clone(), Nat::lit(0)), (self.inner.var.clone(), Nat::lit(0))];
        let first = Access { index: access.index.subst_all(&start), lanes: self.side, ..access.clone() };
        let side = Nat::from(self.side);
        let align = vec![
            Stmt::LetNat(ahead.clone(), Value::ToLine(first, looped.count.clone())),
            Stmt::LetNat(before.clone(), Value::Nat(Nat::var(&ahead).ceil_div(&side) * &side)),
        ];
        let [ahead, before] = [ahead, before].map(|var| Nat::var(&var));
        (Way { ahead, before, side, count: looped.count.clone() }, align)
    }

    /// What goes from where to where, if the iterations do nothing else.
    fn copy(&self) -> Option<Crossing<'_>> {
        let mut stmts = self.inner.body.iter().filter(|stmt| !matches!(stmt, Stmt::Comment(_)));
        let (Some(Stmt::Store(to, Value::Load(_))), None) = (stmts.next(), stmts.next()) else { return None };
        let [(from, read)] = self.crossing.as_slice() else { return None };
        let (written, _) = to.index.affine_in(&self.outer.var)?;
        Some(Crossing { nest: self, from, to, strides: [read.clone(), written] })
    }

    /// An access in an iteration.
    pub(super) fn start(&self, access: &Access, row: &Nat, column: &Nat) -> Access {
        let start = [(self.outer.var.clone(), row.clone()), (self.inner.var.clone(), column.clone())];
        Access { index: access.index.subst_all(&start), ..access.clone() }
    }

    /// The iterations of one square.
    fn square(&self, row: &Nat, column: &Nat, buffers: &mut Vec<Buffer>, memory: Memory) -> Block {
        let first = |access: &Access| self.start(access, row, column);
        if let Some(crossing) = self.copy() {
            let (from, to) =
                (first(crossing.from), Access { streams: memory == Memory::Past, ..first(crossing.to) });
            let ask = || vec![crossing.ask_below(&from, BLOCK)];
            let ask = match memory {
                Memory::Held => Block::new(),
                Memory::Asked => ask(),
                // What is written at once leaves the caches to what is read.
                Memory::Past => {
                    let bool = ValueType::scalar(Scalar::Bool);
                    vec![Stmt::If(
                        Value::Unary(Unary::Not, bool, Box::new(Value::InLines)),
                        ask(),
                        Block::new(),
                    )]
                }
            };
            let (strides, side) = (crossing.strides, self.side);
            let transpose = Transpose { from, to, strides, side, shape: Shape::Square };
            return ask.into_iter().chain([Stmt::Transpose(Box::new(transpose))]).collect();
        }
        let (side, [i, j]) = (Nat::from(self.side), ["i", "j"].map(NatVar::new));
        let (mut out, mut loads) = (Block::new(), Vec::new());
        for (from, stride) in &self.crossing {
            let old = &buffers[from.buffer.0 as usize];
            let name = format!("{}_square", old.name);
            let square = Buffer::scalars(name, old.scalar(&[]), &side * &side, Role::Stack);
            let id = BufferId(buffers.len() as u32);
            buffers.push(square);
            let to = Access::scalar(id, Nat::lit(0));
            let strides = [stride.clone(), side.clone()];
            let transpose =
                Transpose { from: first(from), to, strides, side: self.side, shape: Shape::Square };
            out.extend([Stmt::Alloc(id), Stmt::Transpose(Box::new(transpose))]);
            let element = Access::scalar(id, Nat::var(&i) * &side + Nat::var(&j));
            loads.push((from.clone(), element));
        }
        let mut body = self.inner.body.clone();
        Replace(&loads).block(&mut body);
        let copier = Copier::new(buffers).with(&self.outer.var, row + Nat::var(&i));
        let body = copier.with(&self.inner.var, column + Nat::var(&j)).copy(&body);
        let lanes = Stmt::For(Loop { var: j, count: side.clone(), kind: LoopKind::Vec, body });
        out.push(Stmt::For(Loop { var: i, count: side, kind: LoopKind::Seq, body: vec![lanes] }));
        vec![Stmt::Block(out)]
    }
}

/// How accesses move with the loops of a nest.
struct Reach<'a> {
    loops: &'a [&'a Loop],
    buffers: &'a [Buffer],
    facts: &'a Facts,
}

impl Reach<'_> {
    /// The loads that cross over, if there are some, and all iterations are independent.
    fn crossing(&self, body: &[Stmt]) -> Option<Vec<(Access, Nat)>> {
        let (outer, inner) = (&self.loops[0].var, &self.loops[self.loops.len() - 1].var);
        let (mut found, mut read, mut written) = (Vec::new(), Vec::new(), Vec::new());
        let mut independent = true;
        walk::accesses(body, &mut |access, write| {
            if write {
                independent &= !written.contains(&access.buffer) && self.is_row(access);
                written.push(access.buffer);
                return;
            }
            read.push(access.buffer);
            let (Some(along), Some(across)) = (self.step(access, outer), self.step(access, inner)) else {
                return;
            };
            let crosses = along.is_one() && !across.is_zero() && !across.is_one() && self.is_scalar(access);
            if crosses && !found.iter().any(|(other, _)| other == access) {
                found.push((access.clone(), across));
            }
        });
        walk::values(body, &mut |value| {
            independent &= !matches!(value, Value::Foreign(..) | Value::Gather(..));
        });
        independent &= !read.iter().any(|id| written.contains(id)) && walk::declared(body).is_empty();
        (independent && !found.is_empty()).then_some(found)
    }

    fn step(&self, access: &Access, var: &NatVar) -> Option<Nat> {
        access.index.affine_in(var).map(|(step, _)| step)
    }

    /// Whether the access is to one number in memory that outlives the nest.
    fn is_scalar(&self, access: &Access) -> bool {
        let buffer = &self.buffers[access.buffer.0 as usize];
        access.lanes == 1
            && access.path.is_empty()
            && buffer.scalar(&[]) != Scalar::Bool
            && !matches!(buffer.role, Role::Constant | Role::Local)
    }

    /// Whether the inner loop writes side by side, and each iteration of the nest elsewhere.
    fn is_row(&self, access: &Access) -> bool {
        let steps = self.loops.iter().map(|looped| Some((self.step(access, &looped.var)?, &looped.count)));
        let Some(mut steps) = steps.collect::<Option<Vec<_>>>() else { return false };
        let Some((step, count)) = steps.pop() else { return false };
        step.is_one() && self.is_scalar(access) && self.is_apart(count, &steps)
    }

    /// Whether steps of some order never meet, each as long as all those before it together.
    fn is_apart(&self, extent: &Nat, steps: &[(Nat, &Nat)]) -> bool {
        steps.is_empty()
            || (0..steps.len()).any(|next| {
                let mut others = steps.to_vec();
                let (step, count) = others.swap_remove(next);
                self.facts.proves_le(extent, &step) && self.is_apart(&(step * count), &others)
            })
    }
}

/// The loop that is all of a block, beside comments.
pub(super) fn only_loop(block: &[Stmt]) -> Option<&Loop> {
    let mut stmts = block.iter().filter(|stmt| !matches!(stmt, Stmt::Comment(_)));
    match (stmts.next(), stmts.next()) {
        (Some(Stmt::For(looped)), None) => Some(looped),
        _ => None,
    }
}

pub(super) fn counted(name: &str, count: Nat, body: impl FnOnce(Nat) -> Block) -> Stmt {
    let var = NatVar::new(name);
    let body = body(Nat::var(&var));
    Stmt::For(Loop { var, count, kind: LoopKind::Seq, body })
}

/// The squares along a loop.
struct Way {
    /// Iterations before the first whole square.
    ahead: Nat,
    /// Iterations of a square that covers these: its side, or 0 where there are none.
    before: Nat,
    side: Nat,
    /// Iterations in all.
    count: Nat,
}

impl Way {
    /// The number of whole squares.
    fn whole(&self) -> Nat {
        (&self.count - &self.ahead).div(&self.side)
    }

    /// The first iteration of a whole square.
    fn at(&self, square: &Nat) -> Nat {
        &self.ahead + square * &self.side
    }

    /// The number of all squares, of which the first and the last may overlap others.
    fn covering(&self) -> Nat {
        (&self.count + &self.before - &self.ahead).ceil_div(&self.side)
    }

    /// The first iteration of one of all squares. It has a name, and so has what it is clamped from: no loop is peeled
    /// for its ends.
    fn clamped(&self, square: &Nat) -> (Block, Nat) {
        let (mut lets, at) = named("at", self.at(square));
        let inside = Nat::max(&at, &self.before) - &self.before;
        let (column, clamped) = named("column", Nat::min(&inside, &(&self.count - &self.side)));
        lets.extend(column);
        (lets, clamped)
    }

    /// The squares that are not whole: the first of all, if it is none, and the last.
    fn ends(&self, square: impl FnOnce(&Nat) -> Block) -> Stmt {
        counted("end", self.covering() - self.whole(), |end| {
            let which = end + 1 - self.before.div(&self.side);
            let (mut start, at) = named("start", which * (&self.count - &self.side));
            start.extend(square(&at));
            start
        })
    }
}

/// A name for a natural.
fn named(name: &str, nat: Nat) -> (Block, Nat) {
    let var = NatVar::new(name);
    (vec![Stmt::LetNat(var.clone(), Value::Nat(nat))], Nat::var(&var))
}

/// Loads from elsewhere.
struct Replace<'a>(&'a [(Access, Access)]);

impl VisitMut for Replace<'_> {
    fn value(&mut self, value: &mut Value) {
        if let Value::Load(access) = value
            && let Some((_, new)) = self.0.iter().find(|(old, _)| old == access)
        {
            *value = Value::Load(new.clone());
            return;
        }
        walk::walk_value_mut(self, value);
    }
}
