//! Registers are declared where they are first set, and one that only goes on as another is that other one.
//!
//! ```text
//! var a                     var a = x[0]
//! var b                     if c
//! a = x[0]            →       a = a + y[0]
//! b = a                     out[0] = a
//! if c
//!   b = b + y[0]
//! out[0] = b
//! ```

use crate::names::Name;
use crate::table::Table;

use super::super::ir::*;
use super::super::walk::{self, Visit, VisitMut};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    Declarer::default().block(&mut kernel.body);
    Ok(())
}

#[derive(Default)]
struct Declarer {
    /// Those that went on as others, by their numbers, and as which.
    gone_on: Table<Name>,
}

impl VisitMut for Declarer {
    fn block(&mut self, block: &mut Block) {
        let uses = Uses::of(block);
        let mut out = Block::with_capacity(block.len());
        for (at, mut stmt) in std::mem::take(block).into_iter().enumerate() {
            match &stmt {
                Stmt::Var(name, ..) if uses.first_set(name).is_some() => continue,
                Stmt::Set(name, value) => {
                    if let Some((first, ty)) = uses.first_set(name)
                        && first == at
                    {
                        stmt = Stmt::Var(name.clone(), ty, Some(value.clone()));
                    }
                }
                _ => {}
            }
            let ends = matches!(&stmt, Stmt::Var(_, _, Some(Value::Var(from))) if uses.end(from) == Some(at));
            self.stmt(&mut stmt);
            match &stmt {
                Stmt::Var(name, _, Some(Value::Var(from))) if ends => {
                    *self.gone_on.place(name.id()) = Some(from.clone());
                }
                _ => out.push(stmt),
            }
        }
        *block = out;
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        if let Stmt::Set(name, _) = stmt {
            self.rename(name);
        }
        walk::walk_stmt_mut(self, stmt);
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::Var(name) => self.rename(name),
            _ => walk::walk_value_mut(self, value),
        }
    }
}

impl Declarer {
    fn rename(&self, name: &mut Name) {
        if let Some(as_what) = self.gone_on.get(name.id()) {
            *name = as_what.clone();
        }
    }
}

/// Where a block uses the registers that it declares.
#[derive(Default)]
struct Uses {
    at: usize,
    registers: Table<Use>,
}

/// Where a register is used, by positions of statements.
struct Use {
    ty: ValueType,
    /// The first behind the declaration, and whether it does no more than set the register.
    first: Option<(usize, bool)>,
    /// The last one.
    end: usize,
}

impl Uses {
    fn of(block: &[Stmt]) -> Self {
        let mut uses = Uses::default();
        for (at, stmt) in block.iter().enumerate() {
            uses.at = at;
            if let Stmt::Set(name, value) = stmt {
                uses.value(value);
                uses.used(name, true);
            } else {
                uses.stmt(stmt);
            }
            if let Stmt::Var(name, ty, _) = stmt {
                *uses.registers.place(name.id()) = Some(Use { ty: *ty, first: None, end: at });
            }
        }
        uses
    }

    fn used(&mut self, name: &Name, sets: bool) {
        if let Some(register) = self.registers.get_mut(name.id()) {
            register.first.get_or_insert((self.at, sets));
            register.end = self.at;
        }
    }

    /// Where a register is first used, if it is only set there, and its type.
    fn first_set(&self, name: &Name) -> Option<(usize, ValueType)> {
        let register = self.registers.get(name.id())?;
        let (at, sets) = register.first?;
        sets.then_some((at, register.ty))
    }

    fn end(&self, name: &Name) -> Option<usize> {
        Some(self.registers.get(name.id())?.end)
    }
}

impl Visit for Uses {
    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Set(name, _) = stmt {
            self.used(name, false);
        }
        walk::walk_stmt(self, stmt);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Var(name) => self.used(name, false),
            _ => walk::walk_value(self, value),
        }
    }
}
