//! Vectors that are written past the cache.
//!
//! What fills lines of a result that no cache holds is written past them. A line that is written both ways takes both
//! times: there the first vector of a row and the last write no more than their own lanes of the lines that they share
//! with the rows before and behind. Where there are no rows, the ends are few, and go one by one.
//!
//! ```text
//! for lanes l in 0..16                          let v = 2 * x[l]
//!   let v = 2 * x[l]                            if l < a: y[l] = v
//! ```

use crate::expr::Compare;
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::Scalar;

use super::super::super::ir::*;
use super::super::super::walk;
use super::super::going_by::{asking_on, writing_past};
use super::super::measure;
use super::{ALIGNED, Strips, if_less, rows_written};

/// So many rows before its own, the line is asked for in which a row begins and the one before it ends.
const ROWS_AHEAD: i64 = 8;

/// Larger loops do not wait for memory.
const SIMPLE: usize = 64;

impl Strips<'_> {
    /// Whether what is written is one row that is not read again, by this kernel, and the loop is small and waits for memory.
    pub(super) fn is_last(&self, looped: &Loop, line: &Access) -> bool {
        let buffer = &self.buffers[line.buffer.0 as usize];
        // Masks are no bytes.
        let is_output = buffer.role == Role::Output && buffer.scalar(&[]) != Scalar::Bool;
        self.streams
            && is_output
            && !self.read.contains(&line.buffer)
            && rows_written(&looped.body) == 1
            && measure::size(&looped.body) <= SIMPLE
            && !waits_for_formulas(&looped.body)
    }

    /// All iterations of at least one vector, written past the cache where they fill lines.
    pub(super) fn past_cache(&mut self, looped: &Loop, line: &Access, width: &Nat) -> Block {
        let past = writing_past(looped, line, self.buffers, self.sizes);
        let (var, count) = (NatVar::new("ahead"), &looped.count);
        let ahead = Nat::var(&var);
        let vectors = (count - &ahead).div(width);
        let whole = &vectors * width + &ahead;
        let [mut first, mut last] = match self.rows {
            Some(_) => self.ends_in_part(looped, line, [&ahead, &whole, width]),
            None => [(Nat::lit(0), ahead.clone()), (whole.clone(), count - &whole)]
                .map(|(start, count)| self.one_apart(looped, &start, &count)),
        };
        let mut out: Block = self.later_row(line).into_iter().collect();
        out.push(Stmt::LetNat(var, Value::ToLine(line.clone(), width * ALIGNED)));
        out.append(&mut first);
        out.push(self.some_vectors(&past, &ahead, &vectors, width));
        out.append(&mut last);
        out
    }

    /// What is before the whole lines of a row, and what is behind them.
    fn ends_in_part(&mut self, looped: &Loop, line: &Access, [ahead, whole, width]: [&Nat; 3]) -> [Block; 2] {
        let count = &looped.count;
        let first = self.partly(looped, line, [&Nat::lit(0), width], |lane| {
            Value::CompareNat(Compare::Lt, lane, ahead.clone())
        });
        let last = self.partly(looped, line, [&(count - width), width], |lane| {
            Value::CompareNat(Compare::Le, width + whole - count, lane)
        });
        let mut behind = asking_on(looped, whole, self.buffers, self.sizes);
        behind.push(last);
        [if_less(&Nat::lit(0), ahead, vec![first]), if_less(whole, count, behind)].map(|end| vec![end])
    }

    /// Asks for the line in which a later row begins: what writes a part of it waits for it. (Not where rows are
    /// written from the last to the first: there may be no such index.)
    fn later_row(&self, line: &Access) -> Option<Stmt> {
        let (stride, _) = line.index.affine_in(self.rows.as_ref()?)?;
        if stride.terms().any(|(coefficient, _)| coefficient < 0) {
            return None;
        }
        let index = &line.index + stride * ROWS_AHEAD;
        Some(Stmt::Ask(Access { index, ..line.clone() }, Cache::Second))
    }

    /// One vector, from an iteration on, which writes the lanes for which a condition holds where lines are filled.
    fn partly(
        &mut self,
        looped: &Loop,
        line: &Access,
        [start, width]: [&Nat; 2],
        condition: impl Fn(Nat) -> Value,
    ) -> Stmt {
        let vector = self.vector(looped, start, width);
        let mut body = Block::new();
        for stmt in vector.body {
            match stmt {
                Stmt::Store(to, value) if to.buffer == line.buffer => {
                    let name = Name::fresh("part");
                    let ty = ValueType::scalar(self.buffers[to.buffer.0 as usize].scalar(&to.path));
                    let store = Stmt::Store(to, Value::Var(name.clone()));
                    body.push(Stmt::Let(name, ty, value));
                    body.push(Stmt::If(condition(Nat::var(&vector.var)), vec![store], Block::new()));
                }
                other => body.push(other),
            }
        }
        Stmt::For(Loop { body, ..vector })
    }

    /// One by one so that the compiler behind does not see fewer iterations than lanes: what it writes through a mask
    /// takes some CPUs hundreds of steps.
    fn one_apart(&mut self, looped: &Loop, start: &Nat, count: &Nat) -> Block {
        let few = NatVar::new("few");
        let apart = Stmt::LetNat(few.clone(), Value::Apart(count.clone()));
        vec![apart, self.one_by_one(looped, start, &Nat::var(&few))]
    }
}

/// Whether an iteration computes so much that memory keeps up.
fn waits_for_formulas(body: &[Stmt]) -> bool {
    let mut found = false;
    walk::values(body, &mut |value| found |= value.is_long_formula());
    found
}
