//! The type of a fully applied primitive from the types of its arguments.
//!
//! This is the checker's rule and the builders' one: what it accepts is well typed, given that the
//! primitive's obligations (divisibility, ranges) hold, which are somebody else's business.

use std::fmt;
use std::sync::Arc;

use crate::nat::Nat;
use crate::types::{DataType, Scalar};

use super::primitive::{Primitive, Unary};
use super::term::{Arg, Lambda};

/// Why an application has no type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeError(pub String);

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type Result<T> = std::result::Result<T, TypeError>;

fn error<T>(message: impl Into<String>) -> Result<T> {
    Err(TypeError(message.into()))
}

/// The type of `primitive(args…)`.
pub fn synthesize(primitive: &Primitive, args: &[Arg]) -> Result<DataType> {
    let args = Args { primitive, args };
    match primitive {
        Primitive::Unary(op) => args.unary(*op),
        Primitive::Binary(_) => args.same_scalars(2),
        Primitive::Compare(_) => args.compare(),
        Primitive::MulAdd | Primitive::Fma => args.same_scalars(3),
        Primitive::Cast(target) => args.cast(target),
        Primitive::Select => args.select(),
        Primitive::Foreign(foreign) => args.foreign(&foreign.params, &foreign.result),
        Primitive::Product(_) => args.product(),
        Primitive::Tuple => args.tuple(),
        Primitive::Proj(position) => args.projection(*position),
        Primitive::Zip => args.zip(),
        Primitive::Unzip => args.unzip(),
        Primitive::Map(_) => args.map(),
        Primitive::Reduce(_) => args.reduce(),
        Primitive::Scan(_) => args.scan(),
        Primitive::Iterate(times) => args.iterate(times),
        Primitive::Generate => args.generate(),
        Primitive::MakeArray => args.make_array(),
        Primitive::Idx => args.index(),
        Primitive::Update => args.update(),
        Primitive::ToMem(_) => Ok(args.ty(0)?.clone()),
        Primitive::Split(n) => {
            args.array(0).map(|(len, t)| DataType::array(len.exact_div(n), DataType::array(n.clone(), t)))
        }
        Primitive::Join => args.matrix().map(|(n, m, t)| DataType::array(&n * &m, t)),
        Primitive::Transpose => args.matrix().map(|(n, m, t)| DataType::array(m, DataType::array(n, t))),
        Primitive::Slide(size, step) => args.slide(size, step),
        Primitive::Take(n) => args.array(0).map(|(_, t)| DataType::array(n.clone(), t)),
        Primitive::Drop(n) => args.array(0).map(|(len, t)| DataType::array(&len - n, t)),
        Primitive::Concat => args.concat(),
        Primitive::PadClamp(l, r) => args.array(0).map(|(len, t)| DataType::array(l + &len + r, t)),
        Primitive::PadCst(l, r) => args.pad_cst(l, r),
        Primitive::PadEmpty(r) => args.array(0).map(|(len, t)| DataType::array(len + r, t)),
        Primitive::Gather => args.gather(),
        Primitive::Scatter => args.scatter(),
        Primitive::Reorder(..) => args.array(0).map(|(len, t)| DataType::array(len, t)),
        Primitive::AsVector(lanes) => args.as_vector(*lanes),
        Primitive::AsScalar => args.as_scalar(),
        Primitive::VectorFromScalar(lanes) => args.scalar(0).map(|scalar| DataType::Vector(scalar, *lanes)),
        Primitive::CircularBuffer(_, size) | Primitive::RotateValues(size) => args.buffered(size),
        Primitive::DepMap(_) => args.dep_map(),
        Primitive::Partition(parts, lengths) => {
            let (_, t) = args.array(0)?;
            Ok(DataType::DepArray(
                parts.clone(),
                lengths.var.clone(),
                Arc::new(DataType::array(lengths.body.clone(), t)),
            ))
        }
        Primitive::DepZip => args.dep_zip(),
        Primitive::DepJoin => args.dep_join(),
    }
}

struct Args<'a> {
    primitive: &'a Primitive,
    args: &'a [Arg],
}

impl Args<'_> {
    fn ty(&self, position: usize) -> Result<&DataType> {
        match self.args.get(position) {
            Some(Arg::Expr(expr)) => Ok(expr.ty()),
            Some(Arg::Fun(_)) => error(format!("argument {position} of {:?} is a function", self.primitive)),
            None => error(format!("{:?} lacks argument {position}", self.primitive)),
        }
    }

    fn fun(&self, position: usize, params: usize) -> Result<&Lambda> {
        match self.args.get(position) {
            Some(Arg::Fun(lambda)) if lambda.params.len() == params => Ok(lambda),
            _ => error(format!(
                "argument {position} of {:?} is no function of {params} values",
                self.primitive
            )),
        }
    }

    fn array(&self, position: usize) -> Result<(Nat, DataType)> {
        match self.ty(position)? {
            DataType::Array(len, element) => Ok((len.clone(), (**element).clone())),
            other => error(format!("expected an array, found {other}")),
        }
    }

    fn matrix(&self) -> Result<(Nat, Nat, DataType)> {
        let (n, row) = self.array(0)?;
        match row {
            DataType::Array(m, element) => Ok((n, m, (*element).clone())),
            other => error(format!("expected an array of arrays, found an array of {other}")),
        }
    }

    fn product(&self) -> Result<DataType> {
        let matrix = |position: usize| match self.array(position)? {
            (n, DataType::Array(m, element)) => match &*element {
                DataType::Scalar(scalar) if scalar.is_float() => Ok((n, m, *scalar)),
                other => error(format!("expected a matrix of floats, found one of {other}")),
            },
            (_, other) => error(format!("expected a matrix, found an array of {other}")),
        };
        let ((n, k, scalar), (l, m, other)) = (matrix(0)?, matrix(1)?);
        expect_equal(
            &DataType::array(k, DataType::Scalar(scalar)),
            &DataType::array(l, DataType::Scalar(other)),
        )?;
        Ok(DataType::array(n, DataType::array(m, DataType::Scalar(scalar))))
    }

    fn scalar(&self, position: usize) -> Result<Scalar> {
        match self.ty(position)? {
            DataType::Scalar(scalar) => Ok(*scalar),
            other => error(format!("expected a scalar, found {other}")),
        }
    }

    fn same_scalars(&self, count: usize) -> Result<DataType> {
        let first = self.ty(0)?;
        for position in 1..count {
            let other = self.ty(position)?;
            expect_equal(first, other)?;
        }
        match first {
            DataType::Scalar(_) | DataType::Vector(..) => Ok(first.clone()),
            other => error(format!("arithmetic needs scalars or vectors, found {other}")),
        }
    }

    fn unary(&self, op: Unary) -> Result<DataType> {
        let ty = self.same_scalars(1)?;
        match ty.scalar() {
            Some(scalar) if op.accepts(scalar) => Ok(ty),
            _ => error(format!("{} does not take {ty}", op.name())),
        }
    }

    fn compare(&self) -> Result<DataType> {
        if matches!(
            (self.ty(0)?, self.ty(1)?),
            (DataType::Nat | DataType::Idx(_), DataType::Nat | DataType::Idx(_))
        ) {
            return Ok(DataType::Scalar(Scalar::Bool));
        }
        match self.same_scalars(2)? {
            DataType::Vector(_, lanes) => Ok(DataType::Vector(Scalar::Bool, lanes)),
            _ => Ok(DataType::Scalar(Scalar::Bool)),
        }
    }

    fn cast(&self, target: &DataType) -> Result<DataType> {
        match (self.ty(0)?, target) {
            (DataType::Vector(_, n), DataType::Scalar(scalar)) => Ok(DataType::Vector(*scalar, *n)),
            (DataType::Vector(_, n), DataType::Vector(_, m)) if n == m => Ok(target.clone()),
            (
                DataType::Scalar(_) | DataType::Nat | DataType::Idx(_),
                DataType::Scalar(_) | DataType::Nat | DataType::Idx(_),
            ) => Ok(target.clone()),
            (from, to) => error(format!("no cast from {from} to {to}")),
        }
    }

    fn select(&self) -> Result<DataType> {
        let (condition, then, otherwise) = (self.ty(0)?, self.ty(1)?, self.ty(2)?);
        if condition.scalar() != Some(Scalar::Bool) {
            return error(format!("a condition is bool, found {condition}"));
        }
        expect_equal(then, otherwise)?;
        Ok(then.clone())
    }

    fn foreign(&self, params: &[DataType], result: &DataType) -> Result<DataType> {
        for (position, param) in params.iter().enumerate() {
            expect_equal(param, self.ty(position)?)?;
        }
        Ok(result.clone())
    }

    fn tuple(&self) -> Result<DataType> {
        let parts: Result<Vec<_>> = (0..self.args.len()).map(|position| self.ty(position).cloned()).collect();
        Ok(DataType::Tuple(parts?.into()))
    }

    fn projection(&self, position: usize) -> Result<DataType> {
        match self.ty(0)?.as_tuple().and_then(|parts| parts.get(position)) {
            Some(part) => Ok(part.clone()),
            None => error(format!("{} has no component {position}", self.ty(0)?)),
        }
    }

    fn zip(&self) -> Result<DataType> {
        let ((n, s), (m, t)) = (self.array(0)?, self.array(1)?);
        expect_len(&n, &m)?;
        Ok(DataType::array(n, DataType::pair(s, t)))
    }

    fn unzip(&self) -> Result<DataType> {
        let (n, element) = self.array(0)?;
        match element.as_tuple() {
            Some(parts) => {
                let arrays = parts.iter().map(|part| DataType::array(n.clone(), part.clone()));
                Ok(DataType::Tuple(arrays.collect()))
            }
            None => error(format!("unzip needs an array of tuples, found an array of {element}")),
        }
    }

    fn map(&self) -> Result<DataType> {
        let fun = self.fun(0, 1)?;
        let (n, element) = self.array(1)?;
        expect_equal(&fun.params[0].ty, &element)?;
        Ok(DataType::array(n, fun.body.ty().clone()))
    }

    fn fold(&self) -> Result<(Nat, DataType)> {
        let fun = self.fun(0, 2)?;
        let (start, (n, element)) = (self.ty(1)?, self.array(2)?);
        expect_equal(&fun.params[0].ty, start)?;
        expect_equal(fun.body.ty(), start)?;
        expect_equal(&fun.params[1].ty, &element)?;
        Ok((n, start.clone()))
    }

    fn reduce(&self) -> Result<DataType> {
        self.fold().map(|(_, t)| t)
    }

    fn scan(&self) -> Result<DataType> {
        self.fold().map(|(n, t)| DataType::array(n, t))
    }

    fn iterate(&self, times: &Nat) -> Result<DataType> {
        let fun = self.fun(0, 1)?;
        let (len, element) = self.array(1)?;
        let factor = fun.factor().map_or_else(|| error("iterate needs a function of an array"), Ok)?;
        Ok(DataType::array(len.exact_div(&factor.pow(times)), element))
    }

    fn generate(&self) -> Result<DataType> {
        let fun = self.fun(0, 1)?;
        match &fun.params[0].ty {
            DataType::Idx(n) => Ok(DataType::array(n.clone(), fun.body.ty().clone())),
            other => error(format!("generate needs a function of an index, found one of {other}")),
        }
    }

    fn make_array(&self) -> Result<DataType> {
        let first = self.ty(0)?;
        for position in 1..self.args.len() {
            expect_equal(first, self.ty(position)?)?;
        }
        Ok(DataType::array(Nat::from(self.args.len()), first.clone()))
    }

    fn index(&self) -> Result<DataType> {
        match self.ty(0)? {
            DataType::Idx(_) | DataType::Nat => self.array(1).map(|(_, t)| t),
            other => error(format!("expected an index, found {other}")),
        }
    }

    fn slide(&self, size: &Nat, step: &Nat) -> Result<DataType> {
        let (len, t) = self.array(0)?;
        let windows = (len - size).exact_div(step) + Nat::from(1usize);
        Ok(DataType::array(windows, DataType::array(size.clone(), t)))
    }

    fn concat(&self) -> Result<DataType> {
        let ((n, s), (m, t)) = (self.array(0)?, self.array(1)?);
        expect_equal(&s, &t)?;
        Ok(DataType::array(n + m, s))
    }

    fn pad_cst(&self, l: &Nat, r: &Nat) -> Result<DataType> {
        let (len, t) = self.array(1)?;
        expect_equal(self.ty(0)?, &t)?;
        Ok(DataType::array(l + &len + r, t))
    }

    fn update(&self) -> Result<DataType> {
        let (fun, (len, t)) = (self.fun(0, 1)?, self.array(2)?);
        match self.ty(1)? {
            DataType::Idx(bound) => expect_len(bound, &len)?,
            other => return error(format!("expected an index, found {other}")),
        }
        expect_equal(&fun.params[0].ty, &t)?;
        expect_equal(fun.body.ty(), &t)?;
        Ok(DataType::array(len, t))
    }

    fn indices(&self) -> Result<(Nat, Nat)> {
        match self.array(0)? {
            (n, DataType::Idx(bound)) => Ok((n, bound)),
            (_, other) => error(format!("expected an array of indices, found an array of {other}")),
        }
    }

    fn gather(&self) -> Result<DataType> {
        let ((m, bound), (n, t)) = (self.indices()?, self.array(1)?);
        expect_len(&bound, &n)?;
        Ok(DataType::array(m, t))
    }

    fn scatter(&self) -> Result<DataType> {
        let ((n, bound), (len, t)) = (self.indices()?, self.array(1)?);
        expect_len(&n, &len)?;
        Ok(DataType::array(bound, t))
    }

    fn as_vector(&self, lanes: u32) -> Result<DataType> {
        match self.array(0)? {
            (len, DataType::Scalar(scalar)) => {
                Ok(DataType::array(len.exact_div(&Nat::from(lanes)), DataType::Vector(scalar, lanes)))
            }
            (_, other) => error(format!("asVector needs an array of scalars, found an array of {other}")),
        }
    }

    fn as_scalar(&self) -> Result<DataType> {
        match self.array(0)? {
            (len, DataType::Vector(scalar, lanes)) => {
                Ok(DataType::array(len * Nat::from(lanes), DataType::Scalar(scalar)))
            }
            (_, other) => error(format!("asScalar needs an array of vectors, found an array of {other}")),
        }
    }

    fn buffered(&self, size: &Nat) -> Result<DataType> {
        let fun = self.fun(0, 1)?;
        let (len, element) = self.array(1)?;
        expect_equal(&fun.params[0].ty, &element)?;
        let windows = len + Nat::from(1usize) - size;
        Ok(DataType::array(windows, DataType::array(size.clone(), fun.body.ty().clone())))
    }

    fn dep_array(&self, position: usize) -> Result<(Nat, crate::nat::NatVar, DataType)> {
        match self.ty(position)? {
            DataType::DepArray(n, var, element) => Ok((n.clone(), var.clone(), (**element).clone())),
            other => error(format!("expected a dependent array, found {other}")),
        }
    }

    fn dep_map(&self) -> Result<DataType> {
        let fun = self.fun(0, 1)?;
        let (n, var, element) = self.dep_array(1)?;
        let [position] = fun.nats.as_slice() else {
            return error("depMap needs a function of one natural and one value");
        };
        expect_equal(&fun.params[0].ty, &element.subst(&var, &Nat::var(position)))?;
        Ok(DataType::DepArray(n, position.clone(), Arc::new(fun.body.ty().clone())))
    }

    fn dep_zip(&self) -> Result<DataType> {
        let ((n, i, s), (m, j, t)) = (self.dep_array(0)?, self.dep_array(1)?);
        expect_len(&n, &m)?;
        let t = t.subst(&j, &Nat::var(&i));
        Ok(DataType::DepArray(n, i, Arc::new(DataType::pair(s, t))))
    }

    fn dep_join(&self) -> Result<DataType> {
        let (n, var, element) = self.dep_array(0)?;
        match element {
            DataType::Array(len, t) => {
                Ok(DataType::array(Nat::sum(&var, &Nat::lit(0), &n, &len), (*t).clone()))
            }
            other => error(format!("depJoin needs arrays as elements, found {other}")),
        }
    }
}

fn expect_equal(expected: &DataType, found: &DataType) -> Result<()> {
    if expected == found || same_type(expected, found) {
        Ok(())
    } else {
        error(format!("expected {expected}, found {found}"))
    }
}

/// Equality up to the name of a dependent array's variable.
pub(super) fn same_type(a: &DataType, b: &DataType) -> bool {
    match (a, b) {
        (DataType::DepArray(n, i, s), DataType::DepArray(m, j, t)) => {
            n == m && same_type(s, &t.subst(j, &Nat::var(i)))
        }
        (DataType::Array(n, s), DataType::Array(m, t)) => n == m && same_type(s, t),
        (DataType::Tuple(s), DataType::Tuple(t)) => {
            s.len() == t.len() && s.iter().zip(t.iter()).all(|(s, t)| same_type(s, t))
        }
        _ => a == b,
    }
}

fn expect_len(expected: &Nat, found: &Nat) -> Result<()> {
    if expected == found { Ok(()) } else { error(format!("expected length {expected}, found {found}")) }
}
