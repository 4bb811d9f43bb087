//! A number that fills a vector wherever it is used fills it once.
//!
//! ```text
//! let p = a[k]                                      let p = f32x16(a[k])
//! c0 = mul_add(f32x16(p), b[16·k ..16], c0)      →  c0 = mul_add(p, b[16·k ..16], c0)
//! c1 = mul_add(f32x16(p), b[16·k + n ..16], c1)     c1 = mul_add(p, b[16·k + n ..16], c1)
//! ```

use crate::table::Table;

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::{Options, TooLarge};

#[allow(clippy::unnecessary_wraps)]
pub(super) fn run(kernel: &mut Kernel, _: &Options) -> Result<(), TooLarge> {
    let mut filled = Table::<(ValueType, usize)>::default();
    walk::values(&kernel.body, &mut |value| {
        if let Value::Broadcast(ty, number) = value
            && let Value::Var(name) = &**number
        {
            let (first, times) = filled.place(name.id()).get_or_insert((*ty, 0));
            *times += usize::from(first == ty);
        }
    });
    let (reads, mut vectors) = (walk::reads(&kernel.body), Table::default());
    walk::stmts(&kernel.body, &mut |stmt| {
        if let Stmt::Let(name, ..) = stmt
            && let Some((ty, times)) = filled.get(name.id())
            && *times > 1
            && reads.get(name.id()) == Some(times)
        {
            *vectors.place(name.id()) = Some(*ty);
        }
    });
    Spread { vectors }.block(&mut kernel.body);
    Ok(())
}

struct Spread {
    /// What the names of numbers that fill nothing else will stand for.
    vectors: Table<ValueType>,
}

impl VisitMut for Spread {
    fn stmt(&mut self, stmt: &mut Stmt) {
        walk::walk_stmt_mut(self, stmt);
        if let Stmt::Let(name, ty, value) = stmt
            && let Some(vector) = self.vectors.get(name.id())
        {
            let number = std::mem::replace(value, Value::Var(name.clone()));
            (*ty, *value) = (*vector, Value::Broadcast(*vector, Box::new(number)));
        }
    }

    fn value(&mut self, value: &mut Value) {
        walk::walk_value_mut(self, value);
        if let Value::Broadcast(_, number) = value
            && let Value::Var(name) = &**number
            && self.vectors.get(name.id()).is_some()
        {
            *value = Value::Var(name.clone());
        }
    }
}
