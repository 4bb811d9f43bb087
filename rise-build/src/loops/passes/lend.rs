//! Copies that would be read few times are not made: what reads them reads the rows themselves.
//!
//! ```text
//! heap tmp: [f32; 64 * k]                  heap tmp: [f32; 64 * k]
//! for i in 0..k                            let ahead = to_line(b[c..16], 64 * k)
//!   tmp[64·i ..16] = b[m·i + c ..16]       let often = (m != 64 | ahead != 0) & n / 6 >= 24
//!   …                                 →    let stride = if often { 64 } else { m }
//! for j in 0..n / 6                        if often
//!   for i in 0..k                            for i in 0..k
//!     … tmp[64·i + 16 ..16] …                  tmp[64·i ..16] = b[m·i + c ..16]
//!                                          lend rows = if often { tmp } else { b[c..] }
//!                                          for j in 0..n / 6
//!                                            for i in 0..k
//!                                              … rows[stride·i + 16 ..16] …
//! ```
//!
//! What is read is the same, at another distance from row to row. A copy pays where it is read often and its lines lie
//! side by side in the caches, which those of the rows do not, or where its vectors are lines of the cache, and those of
//! the rows are parts of two each. Where the distance is a multiple of half a page, rows crowd in few places of a cache,
//! and so it pays sooner.

use crate::expr::{Binary, Compare, Literal};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::Scalar;

use super::super::facts::{branches, decide, define, iterating};
use super::super::ir::*;
use super::super::walk::{self, Visit, VisitMut};
use super::ask::LINE;
use super::{Options, TooLarge};

/// A copy that is read so many times is made.
const OFTEN: i64 = 24;

/// The same where rows crowd.
const OFTEN_CROWDED: i64 = 6;

/// Bytes from row to row, multiples of which crowd.
const CROWDED: i64 = 2048;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let mut body = std::mem::take(&mut kernel.body);
        let facts = kernel.facts.clone();
        Lender { buffers: &mut kernel.buffers }.block(&mut body, facts);
        kernel.body = body;
    }
    Ok(())
}

struct Lender<'a> {
    buffers: &'a mut Vec<Buffer>,
}

impl Lender<'_> {
    fn block(&mut self, block: &mut Block, mut facts: Facts) {
        let mut at = 0;
        while at < block.len() {
            match &mut block[at] {
                Stmt::For(looped) => {
                    let inside = iterating(&facts, looped);
                    self.block(&mut looped.body, inside);
                }
                Stmt::If(condition, then, otherwise) => {
                    let [holds, fails] = branches(&facts, condition);
                    self.block(then, holds);
                    self.block(otherwise, fails);
                }
                Stmt::Block(inner) => self.block(inner, facts.clone()),
                Stmt::LetNat(var, value) => define(&mut facts, var, value),
                Stmt::Alloc(id) => {
                    let id = *id;
                    if self.lend(block, at, id, &facts) == Some(Made::Never) {
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Lends rows in place of a copy of them that a statement allocates, if it is one: says when it is made.
    fn lend(&mut self, block: &mut Block, alloc: usize, id: BufferId, facts: &Facts) -> Option<Made> {
        let is_touched = |stmt: &Stmt| touches(std::slice::from_ref(stmt), id);
        let at = alloc + 1 + block[alloc + 1..].iter().position(is_touched)?;
        let copy = Rows::copied(&block[at], id)?;
        let (source, buffer) = (&self.buffers[copy.first.buffer.0 as usize], &self.buffers[id.0 as usize]);
        if source.role != Role::Input || source.element != buffer.element || source.goes_round {
            return None;
        }
        // Where there are no rows, the first one need not be anywhere.
        if ![&copy.stride, &copy.first.index].into_iter().all(|nat| facts.proves_ge0(nat)) {
            return None;
        }
        // What lies behind the rows may be read of a copy, for nothing, but not of what it is made of.
        if !facts.proves_eq(&buffer.len, &(&copy.count * copy.width)) {
            return None;
        }
        let rest = &mut block[at + 1..];
        let mut reads =
            Reads { copy: &copy, id, facts: facts.clone(), around: Vec::new(), times: None, by_rows: true };
        reads.block(rest);
        if !reads.by_rows || is_exchanged(rest, id) {
            return None;
        }
        // How often is asked before the copy, where nothing has a name that gets it behind.
        let (times, later) = (reads.times?, walk::declared(rest));
        if times.mentions_any(&|var| later.contains(var)) {
            return None;
        }
        let ahead = copy.ahead(buffer.scalar_bytes(), facts);
        let made = copy.made(&times, buffer.scalar_bytes(), ahead.as_ref().map(|(var, _)| var), facts);
        match &made {
            Made::Always => {}
            Made::Never => {
                let Rows { width, first, stride, .. } = copy;
                Reader { width, id, buffer: first.buffer, first: first.index, stride }.all(rest);
                block.remove(at);
                block.remove(alloc);
            }
            Made::Where(often) => {
                let (scalar, stride) = (buffer.scalar(&[]), NatVar::new("stride"));
                let rows = Buffer::scalars("rows", scalar, Nat::var(&stride) * &copy.count, Role::Heap);
                self.buffers.push(rows);
                let rows = BufferId(self.buffers.len() as u32 - 1);
                let along = Nat::var(&stride);
                Reader { width: copy.width, id, buffer: rows, first: Nat::lit(0), stride: along }.all(rest);
                lend(block, at, id, &copy, rows, stride, often);
                block.splice(at..at, ahead.map(|(var, to_line)| Stmt::LetNat(var, to_line)));
            }
        }
        Some(made)
    }
}

/// When a copy is made.
#[derive(PartialEq)]
enum Made {
    Always,
    Never,
    Where(Value),
}

/// The copy is made under a condition, and behind it `rows` named.
fn lend(
    block: &mut Block,
    at: usize,
    id: BufferId,
    copy: &Rows,
    rows: BufferId,
    stride: NatVar,
    often: &Value,
) {
    let name = Name::fresh("often");
    let is_copy = Value::Var(name.clone());
    let wide = |nat: &Nat| Value::FromNat(Scalar::U64, nat.clone());
    let strides = [is_copy.clone(), wide(&Nat::lit(copy.width)), wide(&copy.stride)];
    let from = Access { lanes: 1, ..copy.first.clone() };
    let lend = Stmt::Lend(Box::new(Lend { rows, is_copy: is_copy.clone(), copy: id, from }));
    let made = std::mem::replace(&mut block[at], lend);
    let before = [
        Stmt::Let(name, ValueType::scalar(Scalar::Bool), often.clone()),
        Stmt::LetNat(stride, Value::Select(ValueType::scalar(Scalar::U64), Box::new(strides))),
        Stmt::If(is_copy, vec![made], Block::new()),
    ];
    block.splice(at..at, before);
}

/// Whether something else may come to stand behind the name.
fn is_exchanged(block: &[Stmt], id: BufferId) -> bool {
    let mut found = false;
    walk::stmts(block, &mut |stmt| {
        found |= match stmt {
            Stmt::Swap(a, b) => [*a, *b].contains(&id),
            Stmt::Alloc(other) => *other == id,
            _ => false,
        };
    });
    found
}

fn touches(block: &[Stmt], id: BufferId) -> bool {
    let mut found = false;
    walk::touches(block, &mut |touched, _| found |= touched == id);
    found
}

/// A copy of rows, one behind the other.
struct Rows {
    /// Elements of a row.
    width: i64,
    /// How many.
    count: Nat,
    /// The first element of the first one.
    first: Access,
    /// From a row to the next, in what is copied.
    stride: Nat,
}

impl Rows {
    /// The rows that a loop copies, if that is all it does.
    fn copied(stmt: &Stmt, id: BufferId) -> Option<Rows> {
        let Stmt::For(Loop { var, count, kind: LoopKind::Seq, body }) = stmt else { return None };
        let mut found: Option<Rows> = None;
        let mut next = 0;
        for stmt in body {
            let (to, from) = match stmt {
                Stmt::Comment(_) => continue,
                Stmt::Store(to, Value::Load(from)) => (to, from),
                _ => return None,
            };
            let (width, column) = to.index.affine_in(var)?;
            let (stride, start) = from.index.affine_in(var)?;
            let (width, column) = (width.as_const()?, column.as_const()?);
            if to.buffer != id || column != next || from.lanes != to.lanes || !from.path.is_empty() {
                return None;
            }
            next += i64::from(to.lanes);
            let first = Access { index: start - column, ..from.clone() };
            match &found {
                None => found = Some(Rows { width, count: count.clone(), first, stride }),
                Some(rows) => {
                    let same = rows.width == width && rows.stride == stride && rows.first == first;
                    same.then_some(())?;
                }
            }
        }
        found.filter(|rows| rows.width == next)
    }

    /// How far it is from the first element to where lines of the cache begin, if rows of elements of so many bytes that
    /// lie one behind the other are lines from there on, and other rows are not sure to be copied for their distance.
    fn ahead(&self, bytes: i64, facts: &Facts) -> Option<(NatVar, Value)> {
        let lanes = LINE / bytes;
        let apart = decide(facts, Compare::Ne, &self.stride, &Nat::lit(self.width)) == Some(true);
        let first = Access { lanes: lanes as u32, ..self.first.clone() };
        let to_line = Value::ToLine(first, &self.count * self.width);
        (!apart && self.width % lanes == 0).then(|| (NatVar::new("ahead"), to_line))
    }

    /// When the copy, read so many times, is made.
    fn made(&self, times: &Nat, bytes: i64, ahead: Option<&NatVar>, facts: &Facts) -> Made {
        let holds = |op, a: &Nat, b: i64| match decide(facts, op, a, &Nat::lit(b)) {
            Some(holds) => Value::Literal(Literal::Bool(holds)),
            None => Value::CompareNat(op, a.clone(), Nat::lit(b)),
        };
        let apart = &self.stride * bytes;
        let crowded = holds(Compare::Eq, &apart.rem(&Nat::lit(CROWDED)), 0);
        let again = holds(Compare::Ge, times, OFTEN_CROWDED);
        let soon = joined(Binary::Or, again, Value::Large(&self.count * &apart));
        let often = holds(Compare::Ge, times, OFTEN);
        let often = joined(Binary::Or, often, joined(Binary::And, crowded, soon));
        let splits = match ahead {
            Some(ahead) => Value::any(Nat::var(ahead)),
            None => Value::Literal(Literal::Bool(false)),
        };
        let moves = joined(Binary::Or, holds(Compare::Ne, &self.stride, self.width), splits);
        match joined(Binary::And, moves, often) {
            Value::Literal(Literal::Bool(true)) => Made::Always,
            Value::Literal(_) => Made::Never,
            often => Made::Where(often),
        }
    }
}

/// Both conditions, or one of them, where what is known is left out.
fn joined(op: Binary, a: Value, b: Value) -> Value {
    let is = |value: &Value, holds| *value == Value::Literal(Literal::Bool(holds));
    let neutral = op == Binary::And;
    if is(&a, neutral) || is(&b, !neutral) {
        b
    } else if is(&b, neutral) || is(&a, !neutral) {
        a
    } else {
        Value::Binary(op, ValueType::scalar(Scalar::Bool), Box::new(a), Box::new(b))
    }
}

/// Looks at what is read of a copy.
struct Reads<'a> {
    copy: &'a Rows,
    id: BufferId,
    facts: Facts,
    /// The loops around, from the outermost on.
    around: Vec<Loop>,
    /// How often the first element that is read is read.
    times: Option<Nat>,
    /// Whether all of it can be told by rows.
    by_rows: bool,
}

impl Reads<'_> {
    /// Whether an access is to one row of the copy, for sure.
    fn is_in_row(&self, access: &Access) -> bool {
        let (_, column) = access.index.divide(&Nat::lit(self.copy.width));
        let last = self.copy.width - i64::from(access.lanes);
        self.facts.proves_ge0(&column) && self.facts.proves_le(&column, &Nat::lit(last))
    }
}

impl Visit for Reads<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For(looped) => {
                let inside = iterating(&self.facts, looped);
                let facts = std::mem::replace(&mut self.facts, inside);
                self.around.push(Loop { body: Block::new(), ..looped.clone() });
                self.block(&looped.body);
                self.around.pop();
                self.facts = facts;
            }
            Stmt::If(condition, then, otherwise) => {
                self.value(condition);
                let [holds, fails] = branches(&self.facts, condition);
                let facts = std::mem::replace(&mut self.facts, holds);
                self.block(then);
                self.facts = fails;
                self.block(otherwise);
                self.facts = facts;
            }
            // It need not be memory.
            Stmt::Ask(..) => {}
            _ => walk::walk_stmt(self, stmt),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Load(access) if access.buffer == self.id => {
                self.by_rows &= self.is_in_row(access);
                self.times.get_or_insert_with(|| {
                    let again = self.around.iter().filter(|looped| !access.index.mentions(&looped.var));
                    again.fold(Nat::lit(1), |times, looped| times * &looped.count)
                });
            }
            _ => walk::walk_value(self, value),
        }
    }

    /// All other ways to touch it.
    fn access(&mut self, access: &Access, _: bool) {
        self.by_rows &= access.buffer != self.id;
    }
}

/// Reads rows in place of a copy.
struct Reader {
    /// Elements of a row of the copy.
    width: i64,
    /// The copy.
    id: BufferId,
    /// Where the rows are.
    buffer: BufferId,
    /// The first element of the first one.
    first: Nat,
    /// From a row to the next.
    stride: Nat,
}

impl Reader {
    fn all(&mut self, stmts: &mut [Stmt]) {
        stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
    }
}

impl VisitMut for Reader {
    fn access(&mut self, access: &mut Access, _: bool) {
        if access.buffer == self.id {
            let (row, column) = access.index.divide(&Nat::lit(self.width));
            access.index = &self.first + row * &self.stride + column;
            access.buffer = self.buffer;
        }
    }
}
