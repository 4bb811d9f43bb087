//! Sharing and memory.

use crate::expr::{AddressSpace, Arg, Expr, Param};

use super::super::{Access, Kind};
use super::{Builder, Made, phrase};

impl Builder {
    /// What is bound is read: a small value, a view, or a memory.
    pub(super) fn binding(
        &mut self,
        expr: &Expr,
        param: &Param,
        value: &Expr,
        body: &Expr,
        access: Access,
    ) -> Made {
        let value = self.read(value);
        let body = self.demand(body, access);
        let (value, body) = (value?, body?);
        let access = body.access;
        Some(phrase(expr, Kind::Let(param.clone(), Box::new(value), Box::new(body)), access))
    }

    /// Where the value is written anyway, it goes there straight.
    pub(super) fn to_mem(&mut self, expr: &Expr, space: AddressSpace, args: &[Arg], access: Access) -> Made {
        let value = self.write(args[0].expr())?;
        match access {
            Access::Read => Some(phrase(expr, Kind::ToMem(space, Box::new(value)), Access::Read)),
            Access::Write => Some(value),
        }
    }
}
