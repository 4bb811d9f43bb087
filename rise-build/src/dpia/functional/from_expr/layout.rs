//! Layouts: read as index arithmetic on what is read, written as index arithmetic on where it goes.

use crate::expr::{Arg, Expr, Primitive};

use super::super::{Access, Kind, View};
use super::{Builder, Made, phrase};

impl Builder {
    pub(super) fn layout(
        &mut self,
        expr: &Expr,
        primitive: &Primitive,
        args: &[Arg],
        access: Access,
    ) -> Made {
        match (primitive, access) {
            (Primitive::Take(_) | Primitive::Drop(_), Access::Write) => self.crop(expr, primitive, args),
            (Primitive::Scatter, Access::Read) => {
                let _ = self.scatter(expr, args);
                self.blame_memory(expr)
            }
            (Primitive::Scatter, Access::Write) => self.scatter(expr, args),
            (
                Primitive::Slide(..) | Primitive::PadClamp(..) | Primitive::Gather | Primitive::Partition(..),
                Access::Write,
            ) => self.read_only(expr, args),
            _ => {
                let operands = self.all(args, access)?;
                Some(phrase(expr, Kind::View(view(primitive), operands), access))
            }
        }
    }

    /// A layout that reads elements twice or not at all, demanded for writing.
    fn read_only(&mut self, expr: &Expr, args: &[Arg]) -> Made {
        self.all(args, Access::Read)?;
        self.blame_copy(expr)
    }

    fn scatter(&mut self, expr: &Expr, args: &[Arg]) -> Made {
        let indices = self.read(args[0].expr());
        let array = self.write(args[1].expr());
        let operands = vec![indices?, array?];
        Some(phrase(expr, Kind::View(View::Scatter, operands), Access::Write))
    }
}

pub(super) fn view(primitive: &Primitive) -> View {
    match primitive {
        Primitive::Zip => View::Zip,
        Primitive::Unzip => View::Unzip,
        Primitive::Split(n) => View::Split(n.clone()),
        Primitive::Join => View::Join,
        Primitive::Transpose => View::Transpose,
        Primitive::Slide(size, step) => View::Slide(size.clone(), step.clone()),
        Primitive::Take(n) => View::Take(n.clone()),
        Primitive::Drop(n) => View::Drop(n.clone()),
        Primitive::Concat => View::Concat,
        Primitive::PadClamp(l, r) => View::PadClamp(l.clone(), r.clone()),
        Primitive::PadCst(l, r) => View::PadCst(l.clone(), r.clone()),
        Primitive::PadEmpty(r) => View::PadEmpty(r.clone()),
        Primitive::Gather => View::Gather,
        Primitive::Scatter => View::Scatter,
        Primitive::Reorder(f, g) => View::Reorder(f.clone(), g.clone()),
        Primitive::AsVector(lanes) => View::AsVector(*lanes),
        Primitive::AsScalar => View::AsScalar,
        Primitive::Partition(parts, lengths) => View::Partition(parts.clone(), lengths.clone()),
        Primitive::DepZip => View::DepZip,
        Primitive::DepJoin => View::DepJoin,
        other => panic!("bug: {other} is no layout"),
    }
}
