//! The denotation of every primitive: the oracle of all tests, and the means of constant folding.
//!
//! In: a kernel, its sizes and its arguments. Out: the value of its body. It computes on trees of
//! values, checks every index, and is as plain as it can be.

mod layout;

use std::fmt;

use crate::names::Name;
use crate::nat::{Nat, NatVar, Obligation};
use crate::types::{DataType, Scalar};

use super::primitive::{Binary, Primitive};
use super::scalar;
use super::separable::factors;
use super::term::{Arg, Expr, Kernel, Kind, Lambda, Literal, Param, Separable};

/// A value of a [`DataType`].
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A scalar.
    Scalar(Literal),
    /// A natural or index.
    Nat(i128),
    /// A vector's lanes.
    Vector(Vec<Literal>),
    /// An array's elements.
    Array(Vec<Value>),
    /// A tuple's components.
    Tuple(Vec<Value>),
    /// An element that `padEmpty` left without a value.
    Undefined,
}

/// Why a program has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// An obligation does not hold for these sizes.
    Obligation(String),
    /// An index is out of range, or sizes disagree.
    Range(String),
    /// The term is ill-formed: a bug of whoever made it.
    Malformed(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Obligation(text) => write!(f, "obligation does not hold: {text}"),
            Failure::Range(text) => write!(f, "out of range: {text}"),
            Failure::Malformed(text) => write!(f, "ill-formed term: {text}"),
        }
    }
}

type Result<T> = std::result::Result<T, Failure>;

fn malformed<T>(text: impl Into<String>) -> Result<T> {
    Err(Failure::Malformed(text.into()))
}

/// The value of a kernel at `sizes` (in order of [`Kernel::nats`]) and `args` (in order of parameters).
pub fn interpret(kernel: &Kernel, sizes: &[i128], args: &[Value]) -> Result<Value> {
    let mut env = Env::default();
    env.nats.extend(kernel.nats.iter().cloned().zip(sizes.iter().copied()));
    for declared in &kernel.declared {
        env.require(declared)?;
    }
    for required in &kernel.obligations {
        env.require(&required.obligation)?;
    }
    for (param, value) in kernel.params.iter().zip(args) {
        env.bind(param, value.clone())?;
    }
    for demand in &kernel.separable {
        env.require_separable(demand)?;
    }
    env.eval(&kernel.body)
}

#[derive(Default)]
struct Env {
    nats: Vec<(NatVar, i128)>,
    values: Vec<(Name, Value)>,
}

impl Env {
    fn require(&self, obligation: &Obligation) -> Result<()> {
        match obligation.eval(&|var| self.lookup(var)) {
            Ok(true) => Ok(()),
            _ => Err(Failure::Obligation(obligation.to_string())),
        }
    }

    fn require_separable(&mut self, demand: &Separable) -> Result<()> {
        let (mut rows, mut scalar) = (Vec::new(), Scalar::F32);
        let Value::Array(values) = self.eval(&demand.value)? else { return malformed("it is no matrix") };
        for value in values {
            let Value::Array(row) = value else { return malformed("it is no matrix") };
            let entry = |value: Value| match value {
                Value::Scalar(Literal::Float(value, of)) => {
                    scalar = of;
                    value
                }
                _ => f64::NAN,
            };
            rows.push(row.into_iter().map(entry).collect());
        }
        match factors(&rows, scalar) {
            Ok(_) => Ok(()),
            Err(_) => Err(Failure::Obligation(format!("{} is separable", demand.shown))),
        }
    }

    fn lookup(&self, var: &NatVar) -> Option<i128> {
        self.nats.iter().rev().find(|(other, _)| other == var).map(|(_, value)| *value)
    }

    fn nat(&self, nat: &Nat) -> Result<i128> {
        nat.eval(&|var| self.lookup(var)).map_err(|error| Failure::Range(format!("{nat}: {error:?}")))
    }

    fn size(&self, nat: &Nat) -> Result<usize> {
        usize::try_from(self.nat(nat)?).map_err(|_| Failure::Range(format!("{nat} is negative")))
    }

    fn bind(&mut self, param: &Param, value: Value) -> Result<()> {
        if let Some(nat) = &param.nat {
            match value {
                Value::Nat(value) => self.nats.push((nat.clone(), value)),
                _ => return malformed(format!("{} is no natural", param.name)),
            }
        }
        self.values.push((param.name.clone(), value));
        Ok(())
    }

    fn call(&mut self, lambda: &Lambda, nats: &[i128], args: Vec<Value>) -> Result<Value> {
        let depth = (self.nats.len(), self.values.len());
        self.nats.extend(lambda.nats.iter().cloned().zip(nats.iter().copied()));
        for (param, value) in lambda.params.iter().zip(args) {
            self.bind(param, value)?;
        }
        let result = self.eval(&lambda.body);
        self.nats.truncate(depth.0);
        self.values.truncate(depth.1);
        result
    }

    fn eval(&mut self, expr: &Expr) -> Result<Value> {
        match expr.kind() {
            Kind::Var(name) => match self.values.iter().rev().find(|(other, _)| other == name) {
                Some((_, value)) => Ok(value.clone()),
                None => malformed(format!("{name} is not bound")),
            },
            Kind::Literal(literal) => Ok(Value::Scalar(*literal)),
            Kind::Nat(nat) => Ok(Value::Nat(self.nat(nat)?)),
            Kind::Let(param, value, body) => {
                let value = self.eval(value)?;
                let lambda = Lambda { nats: Vec::new(), params: vec![param.clone()], body: body.clone() };
                self.call(&lambda, &[], vec![value])
            }
            // Only one branch of a choice is computed; the other one may have no value.
            Kind::Prim(Primitive::Select, args) if matches!(args[0].expr().ty(), DataType::Scalar(_)) => {
                match self.eval(args[0].expr())? {
                    Value::Scalar(Literal::Bool(true)) => self.eval(args[1].expr()),
                    Value::Scalar(Literal::Bool(false)) => self.eval(args[2].expr()),
                    Value::Undefined => self.undefined(expr.ty()),
                    other => malformed(format!("{other:?} is no condition")),
                }
            }
            Kind::Prim(primitive, args) => {
                let mut values = Vec::new();
                let mut funs = Vec::new();
                for arg in args {
                    match arg {
                        Arg::Expr(arg) => values.push(self.eval(arg)?),
                        Arg::Fun(lambda) => funs.push(lambda),
                    }
                }
                match self.primitive(expr, primitive, &funs, values)? {
                    Value::Undefined => self.undefined(expr.ty()),
                    value => Ok(value),
                }
            }
        }
    }

    fn primitive(
        &mut self,
        expr: &Expr,
        primitive: &Primitive,
        funs: &[&Lambda],
        args: Vec<Value>,
    ) -> Result<Value> {
        use Primitive::*;
        let mut args = Operands(args.into_iter());
        match primitive {
            Unary(op) => lift1(args.next()?, |x| scalar::unary(*op, x)),
            Binary(op) => lift2(args.next()?, args.next()?, |a, b| scalar::binary(*op, a, b)),
            Compare(op) => compare(*op, args.next()?, args.next()?),
            MulAdd => lift3(args, |a, b, c| scalar::mul_add(a, b, c, false)),
            Fma => lift3(args, |a, b, c| scalar::mul_add(a, b, c, true)),
            Cast(ty) => self.cast(ty, args.next()?),
            Select => select(args),
            Foreign(foreign) => malformed(format!("{} has no denotation here", foreign.name)),
            Product(_) => self.product(expr.ty(), args.array()?, args.array()?),
            Tuple => Ok(Value::Tuple(args.0.collect())),
            Proj(position) => component(args.next()?, *position),
            Zip | DepZip => layout::zip(args.array()?, args.array()?),
            Unzip => layout::unzip(expr.ty().as_tuple().map_or(0, <[_]>::len), &args.array()?),
            Map(_) => self.map(funs[0], args.array()?),
            DepMap(_) => self.dep_map(funs[0], args.array()?),
            Reduce(_) => {
                let (start, xs) = (args.next()?, args.array()?);
                xs.into_iter().try_fold(start, |acc, x| self.call(funs[0], &[], vec![acc, x]))
            }
            Scan(_) => self.scan(funs[0], args.next()?, args.array()?),
            Iterate(times) => self.iterate(times, funs[0], expr.ty(), args.array()?),
            Generate => {
                let len = self.array_len(expr.ty())?;
                collect((0..len).map(|i| self.call(funs[0], &[], vec![Value::Nat(i as i128)])))
            }
            MakeArray => Ok(Value::Array(args.0.collect())),
            Idx => layout::index(&args.next()?, args.array()?),
            Update => {
                let (index, mut xs) = (args.next()?, args.array()?);
                let at = layout::position(&index, &xs)?;
                xs[at] = self.call(funs[0], &[], vec![xs[at].clone()])?;
                Ok(Value::Array(xs))
            }
            ToMem(_) => args.next(),
            Split(n) => self.split(expr.ty(), n, args.array()?),
            Join | DepJoin => layout::join(args.array()?),
            Transpose => self.transpose(expr.ty(), args.array()?),
            Slide(size, step) => self.slide(size, step, args.array()?),
            Take(n) => layout::take(self.size(n)?, args.array()?),
            Drop(n) => layout::drop(self.size(n)?, args.array()?),
            Concat => Ok(Value::Array([args.array()?, args.array()?].concat())),
            PadClamp(l, r) => self.pad_clamp(l, r, args.array()?),
            PadCst(l, r) => {
                let (value, xs) = (args.next()?, args.array()?);
                Ok(layout::padded(value.clone(), self.size(l)?, xs, value, self.size(r)?))
            }
            PadEmpty(r) => {
                let empty = self.element(expr.ty())?;
                Ok(layout::padded(empty.clone(), 0, args.array()?, empty, self.size(r)?))
            }
            Gather => layout::gather(&args.array()?, &args.array()?),
            Scatter => self.scatter(expr.ty(), &args.array()?, args.array()?),
            Reorder(forward, _) => self.reorder(forward, args.array()?),
            AsVector(lanes) => layout::as_vector(*lanes as usize, args.array()?, expr.ty()),
            AsScalar => layout::as_scalar(layout::lanes(expr), args.array()?),
            VectorFromScalar(lanes) => match args.next()? {
                Value::Scalar(x) => Ok(Value::Vector(vec![x; *lanes as usize])),
                Value::Undefined => Ok(Value::Undefined),
                other => malformed(format!("{other:?} is no scalar")),
            },
            CircularBuffer(_, size) | RotateValues(size) => {
                let Value::Array(loaded) = self.map(funs[0], args.array()?)? else {
                    return malformed("map gives an array");
                };
                self.slide(size, &Nat::lit(1), loaded)
            }
            Partition(parts, lengths) => self.partition(parts, lengths, args.array()?),
        }
    }

    fn cast(&self, ty: &DataType, x: Value) -> Result<Value> {
        match (ty, x) {
            (DataType::Scalar(to), Value::Nat(x)) => Ok(Value::Scalar(scalar::from_int(x, *to))),
            (DataType::Scalar(to) | DataType::Vector(to, _), x @ (Value::Scalar(_) | Value::Vector(_))) => {
                lift1(x, |x| scalar::cast(x, *to))
            }
            // What has no defined value is clamped like any other.
            (DataType::Idx(_), Value::Undefined) => Ok(Value::Nat(0)),
            (_, Value::Undefined) => Ok(Value::Undefined),
            (DataType::Nat, Value::Nat(x)) => Ok(Value::Nat(x)),
            (DataType::Nat, Value::Scalar(Literal::Int(x, _))) => Ok(Value::Nat(x.max(0))),
            (DataType::Idx(bound), Value::Nat(x) | Value::Scalar(Literal::Int(x, _))) => {
                let bound = self.nat(bound)?;
                check(bound > 0, || "an index below 0".into())?;
                Ok(Value::Nat(x.clamp(0, bound - 1)))
            }
            (ty, x) => malformed(format!("cast of {x:?} to {ty}")),
        }
    }

    fn map(&mut self, fun: &Lambda, xs: Vec<Value>) -> Result<Value> {
        collect(xs.into_iter().map(|x| self.call(fun, &[], vec![x])))
    }

    fn dep_map(&mut self, fun: &Lambda, xs: Vec<Value>) -> Result<Value> {
        collect(xs.into_iter().enumerate().map(|(i, x)| self.call(fun, &[i as i128], vec![x])))
    }

    /// Each element is a sum from left to right; a library may add in another order.
    fn product(&mut self, ty: &DataType, a: Vec<Value>, b: Vec<Value>) -> Result<Value> {
        let Some((row, element)) = ty.as_array().and_then(|(_, row)| Some((row, row.as_array()?.1))) else {
            return malformed(format!("{ty} is no matrix"));
        };
        let (width, zero) = (self.array_len(row)?, Literal::zero(element.scalar().unwrap_or(Scalar::F32)));
        let b: Vec<Vec<Value>> = b.into_iter().map(array).collect::<Result<_>>()?;
        collect(a.into_iter().map(|row| {
            let row = array(row)?;
            check(row.len() == b.len(), || format!("a row of {} times {} rows", row.len(), b.len()))?;
            collect((0..width).map(|j| {
                row.iter().zip(&b).try_fold(Value::Scalar(zero), |sum, (x, line)| {
                    let y = layout::index(&Value::Nat(j as i128), line.clone())?;
                    let product = lift2(x.clone(), y, |x, y| scalar::binary(Binary::Mul, x, y))?;
                    lift2(sum, product, |x, y| scalar::binary(Binary::Add, x, y))
                })
            }))
        }))
    }

    fn scan(&mut self, fun: &Lambda, start: Value, xs: Vec<Value>) -> Result<Value> {
        let mut acc = start;
        collect(xs.into_iter().map(|x| {
            acc = self.call(fun, &[], vec![acc.clone(), x])?;
            Ok(acc.clone())
        }))
    }

    fn iterate(&mut self, times: &Nat, fun: &Lambda, ty: &DataType, xs: Vec<Value>) -> Result<Value> {
        let (times, last) = (self.size(times)?, self.array_len(ty)?);
        let mut xs = xs;
        for step in 0..times {
            let factor = self.factor(fun)?;
            let l = last * factor.pow((times - 1 - step) as u32);
            match self.call(fun, &[l as i128], vec![Value::Array(xs)])? {
                Value::Array(next) => xs = next,
                other => return malformed(format!("iterate made {other:?}")),
            }
        }
        Ok(Value::Array(xs))
    }

    /// How much shorter one step makes an array.
    fn factor(&self, fun: &Lambda) -> Result<usize> {
        match fun.factor() {
            Some(factor) => self.size(&factor),
            None => malformed("iterate needs a function from array to array"),
        }
    }

    /// A value of the type of which nothing is known but its shape.
    fn undefined(&self, ty: &DataType) -> Result<Value> {
        match ty {
            DataType::Array(len, element) => {
                Ok(Value::Array(vec![self.undefined(element)?; self.size(len)?]))
            }
            DataType::Tuple(parts) => {
                Ok(Value::Tuple(parts.iter().map(|part| self.undefined(part)).collect::<Result<_>>()?))
            }
            _ => Ok(Value::Undefined),
        }
    }

    fn element(&self, ty: &DataType) -> Result<Value> {
        match ty {
            DataType::Array(_, element) => self.undefined(element),
            _ => Ok(Value::Undefined),
        }
    }

    fn array_len(&self, ty: &DataType) -> Result<usize> {
        match ty {
            DataType::Array(len, _) | DataType::DepArray(len, _, _) => self.size(len),
            other => malformed(format!("{other} is no array type")),
        }
    }
}

struct Operands(std::vec::IntoIter<Value>);

impl Operands {
    fn next(&mut self) -> Result<Value> {
        self.0.next().ok_or_else(|| Failure::Malformed("an operand is missing".into()))
    }

    fn array(&mut self) -> Result<Vec<Value>> {
        array(self.next()?)
    }
}

fn array(value: Value) -> Result<Vec<Value>> {
    match value {
        Value::Array(elements) => Ok(elements),
        other => malformed(format!("{other:?} is no array")),
    }
}

fn check(holds: bool, text: impl FnOnce() -> String) -> Result<()> {
    if holds { Ok(()) } else { Err(Failure::Range(text())) }
}

fn collect(values: impl Iterator<Item = Result<Value>>) -> Result<Value> {
    values.collect::<Result<Vec<_>>>().map(Value::Array)
}

fn lift1(x: Value, f: impl Fn(Literal) -> Literal) -> Result<Value> {
    match x {
        Value::Scalar(x) => Ok(Value::Scalar(f(x))),
        Value::Vector(xs) => Ok(Value::Vector(xs.into_iter().map(f).collect())),
        Value::Undefined => Ok(Value::Undefined),
        other => malformed(format!("{other:?} is no scalar")),
    }
}

fn lift2(a: Value, b: Value, f: impl Fn(Literal, Literal) -> Literal) -> Result<Value> {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => Ok(Value::Scalar(f(a, b))),
        (Value::Vector(a), Value::Vector(b)) => {
            Ok(Value::Vector(a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()))
        }
        (Value::Undefined, _) | (_, Value::Undefined) => Ok(Value::Undefined),
        (a, b) => malformed(format!("{a:?} and {b:?} are no scalars")),
    }
}

fn lift3(mut args: Operands, f: impl Fn(Literal, Literal, Literal) -> Literal) -> Result<Value> {
    match (args.next()?, args.next()?, args.next()?) {
        (Value::Scalar(a), Value::Scalar(b), Value::Scalar(c)) => Ok(Value::Scalar(f(a, b, c))),
        (Value::Vector(a), Value::Vector(b), Value::Vector(c)) => {
            Ok(Value::Vector(a.into_iter().zip(b).zip(c).map(|((a, b), c)| f(a, b, c)).collect()))
        }
        (a, b, c) if [&a, &b, &c].contains(&&Value::Undefined) => Ok(Value::Undefined),
        (a, b, c) => malformed(format!("{a:?}, {b:?}, {c:?} are no scalars")),
    }
}

fn compare(op: super::primitive::Compare, a: Value, b: Value) -> Result<Value> {
    let bool = |a, b| Literal::Bool(scalar::compare(op, a, b));
    match (a, b) {
        (Value::Nat(a), Value::Nat(b)) => {
            use crate::types::Scalar::I64;
            Ok(Value::Scalar(bool(Literal::Int(a, I64), Literal::Int(b, I64))))
        }
        (a, b) => lift2(a, b, bool),
    }
}

/// A choice for each lane.
fn select(mut args: Operands) -> Result<Value> {
    match (args.next()?, args.next()?, args.next()?) {
        (Value::Vector(cs), Value::Vector(ts), Value::Vector(es)) => Ok(Value::Vector(
            cs.iter()
                .zip(ts.into_iter().zip(es))
                .map(|(c, (t, e))| if *c == Literal::Bool(true) { t } else { e })
                .collect(),
        )),
        (Value::Undefined, ..) => Ok(Value::Undefined),
        (c, ..) => malformed(format!("{c:?} is no condition")),
    }
}

fn component(tuple: Value, position: usize) -> Result<Value> {
    match tuple {
        Value::Tuple(parts) if position < parts.len() => Ok(parts[position].clone()),
        Value::Undefined => Ok(Value::Undefined),
        other => malformed(format!("{other:?} has no component {position}")),
    }
}
