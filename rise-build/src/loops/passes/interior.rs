//! Peels the borders of loops: an innermost loop whose indices are clamped, or whose values are guarded, only
//! near its ends becomes three loops, of which the middle one has neither clamps nor guards.
//!
//! A decision is a minimum, a maximum or a comparison of naturals that is linear in the loop's variable.
//! Where it changes its outcome near the start (at a constant) the middle begins there; where near the end
//! (at a point that depends on the sizes) the middle ends there. Inner loops of constant length count as
//! part of the iteration: a decision is made for all of theirs at once.

use crate::expr::{Compare, Literal};
use crate::nat::{Atom, Nat, NatVar};

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::copy::Copier;
use super::{Options, TooLarge, measure};

/// Larger iterations than this are not written out three times.
const GREATEST_BODY: usize = 600;

/// Inner loops up to this length are part of the iteration.
const SHORT: i64 = 64;

/// Runs the pass.
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let mut body = std::mem::take(&mut kernel.body);
    block(&mut body, &mut kernel.buffers);
    kernel.body = body;
    Ok(())
}

fn block(stmts: &mut Block, buffers: &mut Vec<Buffer>) {
    for stmt in std::mem::take(stmts) {
        match stmt {
            Stmt::For(looped) => for_loop(looped, stmts, buffers),
            Stmt::If(condition, mut then, mut otherwise) => {
                block(&mut then, buffers);
                block(&mut otherwise, buffers);
                stmts.push(Stmt::If(condition, then, otherwise));
            }
            Stmt::Block(mut inner) => {
                block(&mut inner, buffers);
                stmts.push(Stmt::Block(inner));
            }
            other => stmts.push(other),
        }
    }
}

fn for_loop(mut looped: Loop, out: &mut Block, buffers: &mut Vec<Buffer>) {
    if looped.kind == LoopKind::Seq
        && is_innermost(&looped.body)
        && measure::size(&looped.body) <= GREATEST_BODY
    {
        if let Some(middle) = Middle::of(&looped) {
            return middle.emit(&looped, out, buffers);
        }
    } else {
        block(&mut looped.body, buffers);
    }
    out.push(Stmt::For(looped));
}

/// With the lanes of vectors one after the other: borders are short, and their indices have no vector form.
fn scalar(mut body: Block) -> Block {
    struct Scalar;
    impl VisitMut for Scalar {
        fn stmt(&mut self, stmt: &mut Stmt) {
            if let Stmt::For(Loop { kind: kind @ LoopKind::Vec, .. }) = stmt {
                *kind = LoopKind::Seq;
            }
            walk::walk_stmt_mut(self, stmt);
        }
    }
    Scalar.block(&mut body);
    body
}

/// Whether all loops inside are short.
fn is_innermost(body: &[Stmt]) -> bool {
    let mut innermost = true;
    walk::stmts(body, &mut |stmt| {
        if let Stmt::For(inner) = stmt {
            innermost &= inner.count.as_const().is_some_and(|count| count <= SHORT);
        }
    });
    innermost
}

/// The iterations for which all decisions are made, and the iteration there.
struct Middle {
    start: i64,
    end: Option<Nat>,
    body: Block,
}

impl Middle {
    fn of(looped: &Loop) -> Option<Middle> {
        let mut decisions =
            Decisions { looped, inner: Vec::new(), local: Vec::new(), start: 0, end: None, made: false };
        let mut body = looped.body.clone();
        decisions.block(&mut body);
        let Decisions { start, end, made, .. } = decisions;
        made.then_some(Middle { start, end, body })
    }

    fn emit(self, looped: &Loop, out: &mut Block, buffers: &mut Vec<Buffer>) {
        let count = &looped.count;
        let start = Nat::lit(self.start);
        let end = self.end.as_ref().map_or_else(|| count.clone(), |end| Nat::min(end, count));
        let first = Nat::min(&start, count);
        let middle = Nat::max(&(&end - &start), &Nat::lit(0));
        let part =
            |count: Nat, body: Block, var: NatVar| Stmt::For(Loop { var, count, kind: LoopKind::Seq, body });
        let borders = scalar(looped.body.clone());
        let mut copy = |body: &Block, offset: &Nat| {
            let var = NatVar::new(looped.var.text());
            let body = Copier::new(buffers).with(&looped.var, Nat::var(&var) + offset).copy(body);
            (body, var)
        };
        if self.start > 0 {
            let (body, var) = copy(&borders, &Nat::lit(0));
            out.push(part(first.clone(), body, var));
        }
        let (body, var) = copy(&self.body, &start);
        if self.end.is_none() {
            out.push(part(middle, body, var));
            return;
        }
        let done = NatVar::new("peeled");
        out.push(Stmt::LetNat(done.clone(), Value::Nat(middle)));
        out.push(part(Nat::var(&done), body, var));
        let before = first + Nat::var(&done);
        let (body, var) = copy(&borders, &before);
        out.push(part(count - &before, body, var));
    }
}

/// Replaces decisions by their outcome in the middle, and narrows the middle.
struct Decisions<'a> {
    looped: &'a Loop,
    /// Variables of loops inside and their lengths.
    inner: Vec<(NatVar, i64)>,
    /// Naturals computed inside.
    local: Vec<NatVar>,
    start: i64,
    end: Option<Nat>,
    made: bool,
}

impl Decisions<'_> {
    /// Whether `e >= 0` in the middle; `None` if that is not decided by the position in the loop alone.
    fn decide(&mut self, e: &Nat) -> Option<bool> {
        let (slope, rest) = e.affine_in(&self.looped.var)?;
        let slope = slope.as_const().filter(|slope| *slope != 0)?;
        let (least, greatest) = (self.extreme(&rest, false)?, self.extreme(&rest, true)?);
        let step = Nat::lit(slope.abs());
        // It holds from `holds` on and fails before `fails`, or, falling, the other way round.
        let (from, until, outcome) = match slope > 0 {
            true => ((-&least).ceil_div(&step), (-&greatest).ceil_div(&step), true),
            false => (greatest.div(&step) + 1, least.div(&step) + 1, false),
        };
        if let Some(from) = from.as_const() {
            self.start = self.start.max(from);
            self.made = true;
            return Some(outcome);
        }
        let near_end = until.vars().iter().any(|var| self.looped.count.mentions(var));
        near_end.then(|| {
            self.end = Some(self.end.take().map_or_else(|| until.clone(), |end| Nat::min(&end, &until)));
            self.made = true;
            !outcome
        })
    }

    /// The least or greatest value over the inner loops; `None` if something else varies inside.
    fn extreme(&self, e: &Nat, greatest: bool) -> Option<Nat> {
        let mut e = e.clone();
        for (var, count) in &self.inner {
            if e.mentions(var) {
                let (slope, _) = e.affine_in(var)?;
                let last = (slope.as_const()? > 0) == greatest;
                e = e.subst(var, &Nat::lit(if last { count - 1 } else { 0 }));
            }
        }
        let varies = self.local.iter().any(|var| e.mentions(var));
        (!varies).then_some(e)
    }

    fn interior(&mut self, nat: &Nat) -> Nat {
        if !nat.mentions(&self.looped.var) {
            return nat.clone();
        }
        nat.map_atoms(&mut |atom| self.atom(atom))
    }

    fn atom(&mut self, atom: &Atom) -> Option<Nat> {
        let value = match atom {
            Atom::Var(_) | Atom::Sum(_) => return None,
            Atom::Min(a, b) | Atom::Max(a, b) => {
                let (a, b) = (self.interior(a), self.interior(b));
                let least = matches!(atom, Atom::Min(..));
                match self.decide(&(&a - &b)) {
                    Some(first_is_greater) => {
                        if first_is_greater == least {
                            b
                        } else {
                            a
                        }
                    }
                    None if least => Nat::min(&a, &b),
                    None => Nat::max(&a, &b),
                }
            }
            _ => atom.rebuild(&mut |arg| self.interior(arg))?,
        };
        Some(value)
    }

    fn compare(&mut self, op: Compare, a: &Nat, b: &Nat) -> Option<bool> {
        match op {
            Compare::Ge => self.decide(&(a - b)),
            Compare::Gt => self.decide(&(a - b - 1)),
            Compare::Le => self.decide(&(b - a)),
            Compare::Lt => self.decide(&(b - a - 1)),
            Compare::Eq | Compare::Ne => None,
        }
    }
}

impl VisitMut for Decisions<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        if let Stmt::For(inner) = stmt {
            self.inner.push((inner.var.clone(), inner.count.as_const().unwrap_or(1).max(1)));
        }
        if let Stmt::LetNat(var, _) = stmt {
            self.local.push(var.clone());
        }
        walk::walk_stmt_mut(self, stmt);
    }

    fn value(&mut self, value: &mut Value) {
        walk::walk_value_mut(self, value);
        if let Value::CompareNat(op, a, b) = value
            && let Some(outcome) = self.compare(*op, a, b)
        {
            *value = Value::Literal(Literal::Bool(outcome));
        }
    }

    fn nat(&mut self, nat: &mut Nat) {
        *nat = self.interior(nat);
    }
}
