//! Neighbouring windows go side by side: what they share is loaded once for all of them.
//!
//! ```text
//! for parallel i in 0..h             for parallel i in 0..h / 3
//!   for j in 0..w                      for j in 0..w / 3
//!     for lanes l in 0..c       →        for lanes l in 0..c
//!       y[i, j, l] = …                     y[3·i, 3·j, l] = …          (and so on, up to y[3·i + 2, 3·j + 2, l])
//!                                      for j in 0..w % 3
//!                                        for r in 0..3
//!                                          for lanes l in 0..c
//!                                            y[3·i + r, 3·(w / 3) + j, l] = …
//!                                    for parallel i in 0..h % 3
//!                                      … as it was
//! ```
//!
//! Only where rows would change places with their lanes too ([`exchange`]), since all need the same elements, and where
//! most of what a window reads is read by others. Lanes stay innermost, so that memory is walked through in order.

use crate::nat::{Facts, Nat, NatVar};

use super::super::ir::*;
use super::super::walk;
use super::copy::Copier;
use super::transpose::only_loop;
use super::{Options, TooLarge, exchange};

/// Windows in each direction: what nine of three by three read, and what they all need, fits into 32 registers.
const SIDE: i64 = 3;

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    if !options.device {
        let facts = kernel.facts.clone();
        block(&mut kernel.body, &facts, &mut kernel.buffers);
    }
    Ok(())
}

/// Parallel loops that stand in no other loop.
fn block(stmts: &mut Block, facts: &Facts, buffers: &mut Vec<Buffer>) {
    for stmt in std::mem::take(stmts) {
        match stmt {
            Stmt::For(looped) => match Nest::of(&looped, facts).filter(|nest| nest.shares(buffers)) {
                Some(nest) => nest.side_by_side(stmts, buffers),
                None => stmts.push(Stmt::For(looped)),
            },
            Stmt::If(condition, mut then, mut otherwise) => {
                block(&mut then, facts, buffers);
                block(&mut otherwise, facts, buffers);
                stmts.push(Stmt::If(condition, then, otherwise));
            }
            other => stmts.push(other),
        }
    }
}

/// Three loops with nothing between them.
struct Nest<'a> {
    rows: &'a Loop,
    columns: &'a Loop,
    lanes: &'a Loop,
}

impl<'a> Nest<'a> {
    /// The nest that a parallel loop is, if its rows may change places with their lanes.
    fn of(rows: &'a Loop, facts: &Facts) -> Option<Self> {
        if rows.kind != LoopKind::Par {
            return None;
        }
        let columns = only_loop(&rows.body).filter(|columns| !columns.count.mentions(&rows.var))?;
        let lanes = only_loop(&columns.body).filter(|lanes| !lanes.count.mentions(&rows.var))?;
        let mut inside = facts.clone();
        for looped in [rows, columns] {
            inside.range(&looped.var, &Nat::lit(0), &looped.count);
        }
        let straight = |stmt: &Stmt| !matches!(stmt, Stmt::For(_) | Stmt::If(..) | Stmt::Block(_));
        let is_large = |looped: &Loop| looped.count.as_const().is_none_or(|count| count >= SIDE);
        let fits = lanes.body.iter().all(straight)
            && [rows, columns].into_iter().all(is_large)
            && exchange::is_worth_it(columns, lanes, &inside);
        fits.then_some(Self { rows, columns, lanes })
    }

    /// Whether neighbours read less than half of what each of them would read for itself.
    fn shares(&self, buffers: &mut Vec<Buffer>) -> bool {
        let corner = [Nat::var(&self.rows.var), Nat::var(&self.columns.var)];
        let one = self.windows(&self.lanes.body).len();
        one > 1 && 2 * self.windows(&self.square(&corner, buffers)).len() < (SIDE * SIDE) as usize * one
    }

    /// What is read that lies elsewhere for others, once.
    fn windows(&self, body: &[Stmt]) -> Vec<Access> {
        let mut found = Vec::new();
        walk::accesses(body, &mut |access, write| {
            let moves = [self.rows, self.columns].iter().all(|looped| access.index.mentions(&looped.var));
            if !write && moves && !found.contains(access) {
                found.push(access.clone());
            }
        });
        found
    }

    /// The windows around one, row by row.
    fn square(&self, [row, column]: &[Nat; 2], buffers: &mut Vec<Buffer>) -> Block {
        let places = (0..SIDE).flat_map(|r| (0..SIDE).map(move |c| (r, c)));
        places.flat_map(|(r, c)| self.window(&self.lanes.body, [row + r, column + c], buffers)).collect()
    }

    /// What is done at a place.
    fn window(&self, body: &[Stmt], [row, column]: [Nat; 2], buffers: &mut Vec<Buffer>) -> Block {
        Copier::new(buffers).with(&self.rows.var, row).with(&self.columns.var, column).copy(body)
    }

    fn side_by_side(&self, out: &mut Block, buffers: &mut Vec<Buffer>) {
        let [whole, rest] = cut(&self.rows.count);
        let row = NatVar::new(self.rows.var.text());
        let body = self.band(&(Nat::var(&row) * SIDE), buffers);
        out.push(Stmt::For(Loop { var: row, count: whole.clone(), body, ..*self.rows }));
        if !rest.is_zero() {
            let row = NatVar::new(self.rows.var.text());
            let start = whole * SIDE + Nat::var(&row);
            let body = Copier::new(buffers).with(&self.rows.var, start).copy(&self.rows.body);
            out.push(Stmt::For(Loop { var: row, count: rest, body, ..*self.rows }));
        }
    }

    /// Some rows from that one on: squares, and then windows one by one.
    fn band(&self, row: &Nat, buffers: &mut Vec<Buffer>) -> Block {
        let [whole, rest] = cut(&self.columns.count);
        let column = NatVar::new(self.columns.var.text());
        let square = self.square(&[row.clone(), Nat::var(&column) * SIDE], buffers);
        let lanes = Stmt::For(Loop { body: square, ..self.lanes.clone() });
        let columns = |var, count, body| Stmt::For(Loop { var, count, body, ..*self.columns });
        let mut out = vec![columns(column, whole.clone(), vec![lanes])];
        if !rest.is_zero() {
            let [column, inner] = [&self.columns.var, &self.rows.var].map(|var| NatVar::new(var.text()));
            let place = [row + Nat::var(&inner), whole * SIDE + Nat::var(&column)];
            let body = self.window(&self.columns.body, place, buffers);
            let rows = Loop { var: inner, count: Nat::lit(SIDE), kind: LoopKind::Seq, body };
            out.push(columns(column, rest, vec![Stmt::For(rows)]));
        }
        out
    }
}

/// How many times [`SIDE`] there are, and what is left over.
fn cut(count: &Nat) -> [Nat; 2] {
    let whole = count.div(&Nat::lit(SIDE));
    let rest = count - &whole * SIDE;
    [whole, rest]
}
