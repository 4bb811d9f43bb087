//! Choices that are read. A branch is never written twice: the branches meet in a variable, or are cheap
//! enough to be both evaluated.

use std::sync::Arc;

use crate::dpia::functional::{Phrase, View};
use crate::names::Name;
use crate::types::{DataType, Scalar};

use super::super::cost::{is_atomic, is_cheap, is_path};
use super::super::translate::Translator;
use super::super::{Acc, Block, Comm, Exp};

/// Both branches of a choice, each with what it needs.
pub(in super::super) struct Branches {
    pub(in super::super) condition: Exp,
    pub(in super::super) then: (Block, Exp),
    pub(in super::super) otherwise: (Block, Exp),
    /// Each lane chooses on its own, so both branches run.
    pub(in super::super) by_lane: bool,
}

impl Translator {
    pub(super) fn read_select(&mut self, parts: &[Phrase; 3], out: &mut Block) -> Exp {
        let branches = self.branches(parts, out);
        let ty = self.ty(&parts[1].ty);
        if !ty.is_small() {
            return Self::select_views(&parts[0], branches, out);
        }
        match branches.simple() {
            Ok(select) => select,
            Err(branches) => {
                let acc = self.declare("chosen", &ty, crate::expr::AddressSpace::Private, out);
                Self::join(*branches, &ty, &Acc::Var(acc.clone()), out);
                Exp::Var(acc)
            }
        }
    }

    /// Reads condition and branches, each branch into a block of its own.
    pub(in super::super) fn branches(&mut self, parts: &[Phrase; 3], out: &mut Block) -> Branches {
        let [condition, then, otherwise] = parts;
        let condition = self.read(condition, out);
        let then = self.branch(then);
        let otherwise = self.branch(otherwise);
        let mut branches = Branches { condition, then, otherwise, by_lane: is_by_lane(&parts[0]) };
        if branches.by_lane {
            out.append(&mut branches.then.0);
            out.append(&mut branches.otherwise.0);
        }
        branches
    }

    fn branch(&mut self, phrase: &Phrase) -> (Block, Exp) {
        let mark = self.mark();
        let mut block = Block::new();
        let exp = self.read(phrase, &mut block);
        self.release(mark);
        (block, exp)
    }

    /// Both branches write into one place.
    pub(in super::super) fn join(branches: Branches, ty: &DataType, acc: &Acc, out: &mut Block) {
        let Branches { condition, then: (mut then, t), otherwise: (mut otherwise, e), .. } = branches;
        Self::assign(ty, acc, t, &mut then);
        Self::assign(ty, acc, e, &mut otherwise);
        out.push(Comm::If(condition, then, otherwise));
    }

    /// Views are chosen element by element, by a condition that is computed once.
    fn select_views(condition: &Phrase, branches: Branches, out: &mut Block) -> Exp {
        let condition = Self::shared(branches.condition, &condition.ty, "condition", out);
        out.extend(branches.then.0);
        out.extend(branches.otherwise.0);
        Exp::Select(Arc::new([condition, branches.then.1, branches.otherwise.1]))
    }

    /// The value in a register.
    pub(in super::super) fn shared(exp: Exp, ty: &DataType, text: &str, out: &mut Block) -> Exp {
        if is_atomic(&exp) {
            return exp;
        }
        let name = Name::fresh(text);
        out.push(Comm::Let(name.clone(), ty.clone(), exp));
        Exp::Var(name)
    }

    /// The fill value of a padding is read at every access.
    pub(super) fn hoist_fill(view: &View, exp: Exp, ty: &DataType, out: &mut Block) -> Exp {
        match view {
            View::PadCst(..) if ty.is_small() && !is_path(&exp) => Self::shared(exp, ty, "fill", out),
            _ => exp,
        }
    }
}

impl Branches {
    /// One expression, if nothing has to run first and both branches are cheap.
    pub(in super::super) fn simple(self) -> Result<Exp, Box<Branches>> {
        let empty = |block: &Block| block.iter().all(|comm| matches!(comm, Comm::Comment(_)));
        let simple = empty(&self.then.0)
            && empty(&self.otherwise.0)
            && (self.by_lane || is_cheap(&self.then.1) && is_cheap(&self.otherwise.1));
        match simple {
            true => Ok(Exp::Select(Arc::new([self.condition, self.then.1, self.otherwise.1]))),
            false => Err(Box::new(self)),
        }
    }
}

/// Whether a condition has a lane for each lane of the result.
fn is_by_lane(condition: &Phrase) -> bool {
    matches!(condition.ty, DataType::Vector(Scalar::Bool, _))
}
