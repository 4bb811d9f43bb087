//! Scalar computations, choices and tuples.

use crate::expr::{Arg, Expr, Primitive};

use super::super::{Access, Kind, Operation};
use super::{Builder, Made, follow, phrase};

impl Builder {
    pub(super) fn scalar(
        &mut self,
        expr: &Expr,
        primitive: &Primitive,
        args: &[Arg],
        access: Access,
    ) -> Made {
        let operands = self.all(args, Access::Read)?;
        let operation = match primitive {
            Primitive::Unary(op) => Operation::Unary(*op),
            Primitive::Binary(op) => Operation::Binary(*op),
            Primitive::Compare(op) => Operation::Compare(*op),
            Primitive::MulAdd => Operation::MulAdd,
            Primitive::Fma => Operation::Fma,
            Primitive::VectorFromScalar(_) => Operation::VectorFromScalar,
            Primitive::Foreign(foreign) => Operation::Foreign(foreign.clone()),
            _ => Operation::Cast,
        };
        self.offer(expr, Kind::Scalar(operation, operands), access)
    }

    /// Readable if both branches are, and writable if both are.
    pub(super) fn select(&mut self, expr: &Expr, args: &[Arg], access: Access) -> Made {
        let condition = self.read(args[0].expr());
        let branches = self.all(&args[1..], access);
        let (condition, branches) = (condition?, branches?);
        follow(expr, branches, |branches| {
            let [then, otherwise] =
                <[_; 2]>::try_from(branches).unwrap_or_else(|_| panic!("bug: two branches"));
            Kind::Select(Box::new([condition, then, otherwise]))
        })
    }

    pub(super) fn tuple(&mut self, expr: &Expr, args: &[Arg], access: Access) -> Made {
        follow(expr, self.all(args, access)?, Kind::Tuple)
    }

    /// A component; written, only of a tuple that stands here, whose other components nobody wants.
    pub(super) fn projection(&mut self, expr: &Expr, position: usize, args: &[Arg], access: Access) -> Made {
        let tuple = args[0].expr();
        if access == Access::Write
            && let Some((Primitive::Tuple, parts)) = tuple.as_prim()
        {
            return self.write(parts[position].expr());
        }
        let tuple = self.read(tuple)?;
        self.offer(expr, Kind::Proj(position, Box::new(tuple)), access)
    }

    pub(super) fn make_array(&mut self, expr: &Expr, args: &[Arg], access: Access) -> Made {
        let parts = self.all(args, access)?;
        Some(phrase(expr, Kind::MakeArray(parts), access))
    }

    pub(super) fn index(&mut self, expr: &Expr, args: &[Arg], access: Access) -> Made {
        let operands = self.all(args, Access::Read)?;
        let [index, array] = <[_; 2]>::try_from(operands).unwrap_or_else(|_| panic!("bug: index and array"));
        self.offer(expr, Kind::Idx(Box::new(index), Box::new(array)), access)
    }
}
