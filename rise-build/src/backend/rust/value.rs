//! Computations as Rust expressions.
//!
//! Floats use Rust's operators; everything whose meaning differs from Rust's goes through the vector traits,
//! of which scalars are the vectors of one lane.

use crate::expr::{Binary, Compare, Literal, Unary};
use crate::loops::{Value, ValueType};
use crate::nat::Nat;
use crate::types::Scalar;

use super::emit::Emitter;
use super::literal::{literal, untyped, vector};
use crate::backend::nat::Tight;

/// How tightly the context of a value binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Level {
    /// Anything stands here.
    Any,
    /// Beside `+`.
    Sum,
    /// Beside `*`.
    Product,
    /// After a prefix or before a dot.
    Tight,
}

impl Emitter<'_> {
    /// A value as an expression.
    pub fn value(&mut self, value: &Value, level: Level) {
        match value {
            Value::Literal(constant) => self.out.put(&literal(*constant)),
            Value::Var(name) => {
                let ident = self.names.value(name);
                self.out.put(&ident);
            }
            Value::Nat(nat) => self.nat(nat, Tight::Product),
            Value::Apart(nat) => {
                self.out.put("apart(");
                self.nat(nat, Tight::Not);
                self.out.put(")");
            }
            Value::Load(access) => self.load(access, level),
            Value::Gather(access, stride, lanes) => self.gather(access, stride, *lanes),
            Value::Unary(op, ty, x) => match self.elementary(value) {
                Some(function) => self.call1(&function, x),
                None => self.unary(*op, *ty, x, level),
            },
            Value::Binary(op, ty, a, b) => match self.elementary(value) {
                Some(function) => self.call2(&function, a, b),
                None => self.binary(*op, *ty, a, b, level),
            },
            Value::Compare(op, ty, a, b) => self.compare(*op, *ty, a, b, level),
            Value::Large(bytes) => {
                self.out.put("private::is_large(");
                self.nat(bytes, Tight::Not);
                self.out.put(")");
            }
            Value::Past(bytes) => {
                self.out.put("(past && ");
                self.value(&Value::Large(bytes.clone()), Level::Any);
                self.out.put(")");
            }
            Value::InLines => self.out.put("private::in_lines::<S>()"),
            Value::CompareNat(op, a, b) => self.grouped(level > Level::Any, |e| {
                e.nat_writer().compare(op.symbol(), a, b);
            }),
            Value::MulAdd(_, args) => self.call("S::mul_add", &args[..]),
            Value::Fma(_, args) => self.call("Float::fma", &args[..]),
            Value::Cast(from, to, x) => self.cast(*from, *to, x, level),
            Value::FromNat(scalar, nat) => self.from_nat(*scalar, nat, level),
            Value::ClampIndex(scalar, bound, x) => self.clamp_index(*scalar, bound, x),
            Value::ToLine(access, count) => self.to_line(access, count),
            Value::Select(ty, args) => self.select(*ty, args, level),
            Value::Broadcast(ty, x) => self.broadcast(*ty, x),
            Value::Lane(ty, lane, x) => {
                self.out.put(&format!("{}::lane(", kind(*ty)));
                self.value(x, Level::Any);
                self.out.put(&format!(", {lane})"));
            }
            Value::Half(ty, upper, x) => {
                let half = self.register(ty.half());
                self.out.put(&format!("{}::half::<{half}>(", kind(*ty)));
                self.value(x, Level::Any);
                self.out.put(&format!(", {upper})"));
            }
            Value::Lanes(ty, values) => self.lanes(*ty, values),
            Value::Ramp(ty, start, step) => self.ramp(*ty, start, step),
            Value::Foreign(foreign, 1, args) => self.foreign(foreign, args),
            Value::Foreign(foreign, lanes, args) => self.foreign_lanes(foreign, *lanes, args),
        }
    }

    pub(super) fn grouped(&mut self, group: bool, body: impl FnOnce(&mut Self)) {
        if group {
            self.out.put("(");
        }
        body(self);
        if group {
            self.out.put(")");
        }
    }

    pub(super) fn call(&mut self, function: &str, args: &[Value]) {
        self.out.put(function);
        self.out.put("(");
        self.list(args);
        self.out.put(")");
    }

    fn list(&mut self, args: &[Value]) {
        for (position, arg) in args.iter().enumerate() {
            if position > 0 {
                self.out.put(", ");
            }
            self.value(arg, Level::Any);
        }
    }

    fn call2(&mut self, function: &str, a: &Value, b: &Value) {
        self.out.put(function);
        self.out.put("(");
        self.value(a, Level::Any);
        self.out.put(", ");
        self.value(b, Level::Any);
        self.out.put(")");
    }

    fn call1(&mut self, function: &str, x: &Value) {
        self.out.put(function);
        self.out.put("(");
        self.value(x, Level::Any);
        self.out.put(")");
    }

    /// `function::<T>(…)` of the vector type.
    pub fn vector(&mut self, ty: ValueType) -> String {
        let name = self.register(ty);
        if self.only().is_some() { name } else { format!("<{name}>") }
    }

    /// The type of a register; vector types get their alias.
    pub fn register(&mut self, ty: ValueType) -> String {
        if ty.lanes == 1 {
            return ty.scalar.name().to_owned();
        }
        self.vectors.insert((ty.scalar, ty.lanes));
        format!("{}{}", vector(ty), self.parameter())
    }

    /// What types of vectors are parameterised with.
    pub fn parameter(&self) -> &'static str {
        if self.only().is_some() { "" } else { "<S>" }
    }

    /// A value that is used in indices, as `usize`.
    pub fn nat_value(&mut self, value: &Value, level: Level) {
        match value {
            Value::Nat(_) | Value::Apart(_) | Value::ClampIndex(..) | Value::ToLine(..) => {
                self.value(value, level);
            }
            Value::FromNat(Scalar::U64, nat) => self.nat(nat, Tight::Postfix),
            Value::Select(_, args) => self.grouped(level > Level::Any, |e| {
                e.out.put("if ");
                e.value(&args[0], Level::Any);
                e.out.put(" { ");
                e.nat_value(&args[1], Level::Any);
                e.out.put(" } else { ");
                e.nat_value(&args[2], Level::Any);
                e.out.put(" }");
            }),
            _ => self.grouped(level > Level::Any, |e| {
                e.value(value, Level::Tight);
                e.out.put(" as usize");
            }),
        }
    }

    fn unary(&mut self, op: Unary, ty: ValueType, x: &Value, level: Level) {
        let plain = ty.lanes == 1;
        let sign = match op {
            Unary::Neg if plain && ty.scalar.is_float() => "-",
            Unary::Not if plain => "!",
            _ => return self.call1(&format!("{}::{}", unary_trait(op, ty), op.name()), x),
        };
        self.grouped(level == Level::Tight, |e| {
            e.out.put(sign);
            e.value(x, Level::Tight);
        });
    }

    fn binary(&mut self, op: Binary, ty: ValueType, a: &Value, b: &Value, level: Level) {
        if let Some(vector) = folded(op, a, b) {
            return self.call1(&format!("Simd::reduce_{}", op.name()), vector);
        }
        match infix(op, ty) {
            Some((symbol, own, right)) => self.grouped(level > own, |e| {
                e.value(a, if own == Level::Any { Level::Tight } else { own });
                e.out.put(symbol);
                e.value(b, right);
            }),
            None => self.call2(&format!("{}::{}", binary_trait(op, ty), op.name()), a, b),
        }
    }

    fn compare(&mut self, op: Compare, ty: ValueType, a: &Value, b: &Value, level: Level) {
        if ty.lanes == 1 {
            return self.grouped(level > Level::Any, |e| {
                e.value(a, Level::Sum);
                e.out.put(&format!(" {} ", op.symbol()));
                e.value(b, Level::Sum);
            });
        }
        match (ty.scalar, op) {
            (Scalar::Bool, Compare::Ne) => self.call2("Mask::xor", a, b),
            (Scalar::Bool, _) => {
                self.out.put("Mask::not(");
                self.call2("Mask::xor", a, b);
                self.out.put(")");
            }
            _ => self.call2(&format!("Simd::{}", op.name()), a, b),
        }
    }

    fn cast(&mut self, from: ValueType, to: Scalar, x: &Value, level: Level) {
        let target = ValueType { scalar: to, lanes: from.lanes };
        match (from.lanes, from.scalar, to) {
            (_, a, b) if a == b => self.value(x, level),
            (1, Scalar::Bool, _) => self.grouped(level > Level::Any, |e| {
                e.value(x, Level::Tight);
                e.out.put(&format!(" as u8 as {to}"));
            }),
            (1, _, Scalar::Bool) => self.grouped(level > Level::Any, |e| {
                e.value(x, Level::Sum);
                e.out.put(&format!(" != {}", literal(Literal::zero(from.scalar))));
            }),
            (1, a, b) if a.is_float() && b.is_integer() => {
                self.out.put(&format!("private::integer::<S, {to}>("));
                self.value(x, Level::Any);
                self.out.put(")");
            }
            (1, ..) => self.grouped(level > Level::Any, |e| {
                e.value(x, Level::Tight);
                e.out.put(&format!(" as {to}"));
            }),
            (_, Scalar::Bool, _) => {
                let ty = self.vector(target);
                self.out.put(&format!("{ty}::select("));
                self.value(x, Level::Any);
                let [one, zero] = [1, 0].map(|value| literal(Literal::small(value, to)));
                self.out.put(&format!(", {ty}::splat({one}), {ty}::splat({zero}))"));
            }
            (_, _, Scalar::Bool) => {
                let ty = self.vector(from);
                self.out.put("Simd::ne(");
                self.value(x, Level::Any);
                self.out.put(&format!(", {ty}::splat({}))", literal(Literal::zero(from.scalar))));
            }
            _ => {
                let ty = self.register(target);
                self.out.put(&format!("Simd::cast::<{ty}>("));
                self.value(x, Level::Any);
                self.out.put(")");
            }
        }
    }

    pub(super) fn from_nat(&mut self, scalar: Scalar, nat: &Nat, level: Level) {
        if let (Some(value), true) = (nat.as_const(), scalar.is_float()) {
            return self.out.put(&literal(Literal::Float(value as f64, scalar)));
        }
        self.grouped(level > Level::Any, |e| {
            e.nat(nat, Tight::Postfix);
            e.out.put(&format!(" as {scalar}"));
        });
    }

    fn clamp_index(&mut self, scalar: Scalar, bound: &Nat, x: &Value) {
        self.out.put("min(");
        if scalar.is_signed() {
            self.call2("max", x, &Value::Literal(Literal::zero(scalar)));
        } else {
            self.value(x, Level::Tight);
        }
        self.out.put(" as usize, ");
        self.nat_writer().saturating(&(bound - 1));
        self.out.put(")");
    }

    fn select(&mut self, ty: ValueType, args: &[Value; 3], level: Level) {
        if ty.lanes > 1 {
            return match &args[0] {
                Value::Compare(op, of, a, b) if *of == ty && ty.scalar != Scalar::Bool => {
                    self.chosen(*op, [a, b], &args[1], &args[2]);
                }
                _ => self.call(&format!("{}::select", kind(ty)), args),
            };
        }
        self.grouped(level > Level::Any, |e| {
            e.out.put("if ");
            e.value(&args[0], Level::Any);
            e.out.put(" { ");
            e.value(&args[1], Level::Any);
            e.out.put(" } else { ");
            e.value(&args[2], Level::Any);
            e.out.put(" }");
        });
    }

    /// A choice by a comparison of lanes as wide, which makes no mask.
    fn chosen(&mut self, op: Compare, [a, b]: [&Value; 2], then: &Value, or: &Value) {
        let (name, [a, b, then, or]) = match op {
            Compare::Lt => ("lt", [a, b, then, or]),
            Compare::Gt => ("lt", [b, a, then, or]),
            Compare::Le => ("le", [a, b, then, or]),
            Compare::Ge => ("le", [b, a, then, or]),
            Compare::Eq => ("eq", [a, b, then, or]),
            Compare::Ne => ("eq", [a, b, or, then]),
        };
        self.out.put(&format!("Simd::if_{name}("));
        for (position, value) in [a, b, then, or].into_iter().enumerate() {
            self.out.put(if position > 0 { ", " } else { "" });
            self.value(value, Level::Any);
        }
        self.out.put(")");
    }

    fn broadcast(&mut self, ty: ValueType, x: &Value) {
        if ty.lanes == 1 {
            return self.value(x, Level::Tight);
        }
        let vector = self.vector(ty);
        match x {
            Value::Literal(constant) => self.out.put(&format!("{vector}::splat({})", untyped(*constant))),
            _ => self.call1(&format!("{vector}::splat"), x),
        }
    }

    pub(super) fn lanes(&mut self, ty: ValueType, values: &[Value]) {
        if let ([value], 1) = (values, ty.lanes) {
            return self.value(value, Level::Tight);
        }
        let vector = self.vector(ty);
        if let Some((first, rest)) = values.split_first()
            && matches!(first, Value::Literal(_) | Value::Var(_))
            && rest.iter().all(|value| value == first)
        {
            return self.call1(&format!("{vector}::splat"), first);
        }
        if let Some((base, at)) = replaced_lane(values).filter(|_| ty.scalar != Scalar::Bool) {
            self.out.put("Simd::with_lane(");
            self.value(base, Level::Any);
            self.out.put(&format!(", {at}, "));
            self.value(&values[at], Level::Any);
            return self.out.put(")");
        }
        let (open, close) = match ty.scalar {
            Scalar::Bool => ("load([", "].as_ptr())"),
            _ => ("from_lanes(&[", "])"),
        };
        self.out.put(&format!("{vector}::{open}"));
        self.list(values);
        self.out.put(close);
    }

    /// Integers wrap lane by lane; floats are converted from whole numbers, so that each is rounded once.
    fn ramp(&mut self, ty: ValueType, start: &Nat, step: &Nat) {
        if ty.scalar.is_float() {
            let vector = self.register(ty);
            self.out.put(&format!("Simd::cast::<{vector}>("));
            self.ramp(ValueType { scalar: Scalar::I64, lanes: ty.lanes }, start, step);
            return self.out.put(")");
        }
        let vector = self.vector(ty);
        let one = step.is_one();
        self.out.put(&format!("Simd::add({vector}::splat("));
        self.from_nat(ty.scalar, start, Level::Any);
        self.out.put("), ");
        if !one {
            self.out.put("Simd::mul(");
        }
        self.out.put(&format!("{vector}::iota()"));
        if !one {
            self.out.put(&format!(", {vector}::splat(("));
            self.nat_writer().signed(step, Tight::Not);
            self.out.put(&format!(") as {}))", ty.scalar));
        }
        self.out.put(")");
    }
}

/// A vector of which the lanes are all but one, and the one that is new.
fn replaced_lane(values: &[Value]) -> Option<(&Value, usize)> {
    let kept = |at: usize, value: &Value, base: &Value| matches!(value, Value::Lane(_, lane, x) if *lane as usize == at && **x == *base);
    let base = values.iter().take(2).find_map(|value| match value {
        Value::Lane(_, _, x) if matches!(**x, Value::Var(_)) => Some(&**x),
        _ => None,
    })?;
    let mut new = values.iter().enumerate().filter(|(at, value)| !kept(*at, value, base));
    match (new.next(), new.next()) {
        (Some((at, _)), None) => Some((base, at)),
        _ => None,
    }
}

/// The lanes of the longest vectors.
const MOST_LANES: u32 = 64;

/// The vector whose lanes the two operands fold, where the tree is that of halves by halves. (Of lanes of 32 bits and more
/// compilers make vectors of the trees of several rows, which are as fast.)
fn folded<'a>(op: Binary, a: &'a Value, b: &'a Value) -> Option<&'a Value> {
    fn lanes(op: Binary, value: &Value, at: u32, step: u32) -> Option<&Value> {
        match value {
            Value::Lane(ty, lane, x)
                if *lane == at && ty.lanes == step && ty.scalar.is_integer() && ty.scalar.bytes() <= 2 =>
            {
                Some(x)
            }
            Value::Binary(of, _, a, b) if *of == op && step < MOST_LANES => both(op, a, b, at, step),
            _ => None,
        }
    }
    fn both<'a>(op: Binary, a: &'a Value, b: &'a Value, at: u32, step: u32) -> Option<&'a Value> {
        let vector = lanes(op, a, at, 2 * step)?;
        lanes(op, b, at + step, 2 * step).filter(|other| *other == vector)
    }
    let has_fold = matches!(op, Binary::Add | Binary::Mul | Binary::Min | Binary::Max);
    has_fold.then(|| both(op, a, b, 0, 1))?
}

/// The trait with the functions that masks and vectors share.
pub(super) fn kind(ty: ValueType) -> &'static str {
    if ty.scalar == Scalar::Bool { "Mask" } else { "Simd" }
}

fn unary_trait(op: Unary, ty: ValueType) -> &'static str {
    match op {
        Unary::Neg | Unary::Abs => "Simd",
        Unary::Not if ty.scalar == Scalar::Bool => "Mask",
        Unary::Not => "Int",
        _ => "Float",
    }
}

fn binary_trait(op: Binary, ty: ValueType) -> &'static str {
    match op {
        Binary::And | Binary::Or | Binary::Xor | Binary::Shl | Binary::Shr if ty.scalar != Scalar::Bool => {
            "Int"
        }
        Binary::And | Binary::Or | Binary::Xor => "Mask",
        Binary::Pow => "Float",
        _ => "Simd",
    }
}

/// Rust's operator, where it means the same: symbol, own level, level of the right operand.
fn infix(op: Binary, ty: ValueType) -> Option<(&'static str, Level, Level)> {
    if ty.lanes > 1 {
        return None;
    }
    let float = ty.scalar.is_float();
    Some(match op {
        Binary::Add if float => (" + ", Level::Sum, Level::Product),
        Binary::Sub if float => (" - ", Level::Sum, Level::Product),
        Binary::Mul if float => (" * ", Level::Product, Level::Tight),
        Binary::Div if float => (" / ", Level::Product, Level::Tight),
        Binary::Rem if float => (" % ", Level::Product, Level::Tight),
        Binary::And => (" & ", Level::Any, Level::Tight),
        Binary::Or => (" | ", Level::Any, Level::Tight),
        Binary::Xor => (" ^ ", Level::Any, Level::Tight),
        _ => return None,
    })
}
