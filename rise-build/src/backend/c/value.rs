//! Computations as C expressions.
//!
//! Floats use C's operators; everything that C leaves open goes through helpers.

use crate::backend::c_family::{bitwise, short};
use crate::backend::nat::Tight;
use crate::expr::{Binary, Compare, Literal, Unary};
use crate::loops::{Access, Cache, Element, Value, ValueType};
use crate::nat::Nat;
use crate::types::{DataType, Scalar};

use super::emit::Emitter;
use super::helper::library;
use super::types::{WORDS, scalar};

/// More bytes than these are large: C asks no CPU for its caches.
const LARGE: u32 = 8 << 20;

/// How tightly the context of a value binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub enum Level {
    /// Anything stands here.
    Any,
    /// Beside `+`.
    Sum,
    /// Beside `*`.
    Product,
    /// After a prefix.
    Tight,
}

impl Emitter<'_> {
    /// A value as an expression.
    pub fn value(&mut self, value: &Value, level: Level) {
        match value {
            Value::Literal(constant) => self.out.put(&WORDS.literal(*constant)),
            Value::Var(name) => {
                let ident = self.names.value(name);
                self.out.put(&ident);
            }
            Value::Nat(nat) | Value::Apart(nat) => self.nat(nat, Tight::Product),
            Value::Load(access) => self.load(access),
            Value::Gather(access, stride, lanes) => self.gather(access, stride, *lanes),
            Value::Unary(op, ty, x) => self.unary(*op, *ty, x, level),
            Value::Binary(op, ty, a, b) => match lanes_folded(value) {
                Some((ty, x)) => self.call(&format!("{}_fold_{}", short(ty), op.name()), &[x]),
                None => self.binary(*op, *ty, a, b, level),
            },
            Value::Compare(op, ty, a, b) => self.compare(*op, *ty, a, b, level),
            Value::Large(bytes) | Value::Past(bytes) => self.grouped(level > Level::Any, |e| {
                e.nat(bytes, Tight::Sum);
                e.out.put(&format!(" > {LARGE}"));
            }),
            Value::InLines => self.out.put("0"),
            Value::CompareNat(op, a, b) => self.compare_nat(*op, a, b, level),
            Value::MulAdd(ty, args) => self.mul_add(*ty, args, level),
            Value::Fma(ty, args) => self.function(*ty, "fma", &args.each_ref()),
            Value::Cast(from, to, x) => self.cast(*from, *to, x),
            Value::FromNat(scalar, nat) => self.from_nat(*scalar, nat),
            Value::ClampIndex(scalar, bound, x) => self.clamp_index(*scalar, bound, x),
            Value::ToLine(access, count) => self.to_line(access, count),
            Value::Select(ty, args) => self.select(*ty, args, level),
            Value::Broadcast(ty, x) if ty.lanes == 1 => self.value(x, level),
            Value::Broadcast(ty, x) => self.call(&format!("{}_splat", short(*ty)), &[x]),
            Value::Lane(ty, _, x) if ty.lanes == 1 => self.value(x, level),
            Value::Lane(ty, lane, x) => self.call(&format!("{}_lane{lane}", short(*ty)), &[x]),
            Value::Half(ty, upper, x) => {
                self.call(&format!("{}_{}", short(*ty), if *upper { "hi" } else { "lo" }), &[x]);
            }
            Value::Lanes(ty, values) => self.lanes(*ty, values, level),
            Value::Ramp(ty, start, step) => self.ramp(*ty, start, step),
            Value::Foreign(foreign, 1, args) => self.foreign(foreign, args),
            Value::Foreign(foreign, lanes, args) => self.foreign_lanes(foreign, *lanes, args),
        }
    }

    fn grouped(&mut self, group: bool, body: impl FnOnce(&mut Self)) {
        if group {
            self.out.put("(");
        }
        body(self);
        if group {
            self.out.put(")");
        }
    }

    pub(super) fn call(&mut self, function: &str, args: &[&Value]) {
        self.out.put(function);
        self.out.put("(");
        for (position, arg) in args.iter().enumerate() {
            self.out.put(if position > 0 { ", " } else { "" });
            self.value(arg, Level::Any);
        }
        self.out.put(")");
    }

    /// An operation of C's library, or a helper.
    fn function(&mut self, ty: ValueType, op: &str, args: &[&Value]) {
        match library(ty.scalar, op).filter(|_| ty.lanes == 1 && ty.scalar.is_float()) {
            Some(function) => self.call(&function, args),
            None => self.call(&format!("{}_{op}", short(ty)), args),
        }
    }

    /// The element itself, as a place.
    fn place(&mut self, access: &Access) {
        let base = self.pointer_name(access.buffer);
        self.out.put(&base);
        self.out.put("[");
        self.nat(&access.index, Tight::Not);
        self.out.put("]");
        for step in &access.path {
            self.out.put(&format!("._{step}"));
        }
    }

    /// A pointer to the scalar that the access begins with.
    pub(super) fn pointer(&mut self, access: &Access) {
        if !access.path.is_empty() {
            return self.place(access);
        }
        let base = self.pointer_name(access.buffer);
        self.out.put(&base);
        if !access.index.is_zero() {
            self.out.put(" + ");
            self.nat(&access.index, Tight::Sum);
        }
    }

    /// Asks for the line of an element that may lie beyond the array, which is no address in C then.
    pub(super) fn ask(&mut self, access: &Access, cache: Cache) {
        let kept = if cache == Cache::First { 3 } else { 2 };
        let base = self.pointer_name(access.buffer);
        let bytes = self.kernel.buffer(access.buffer).scalar(&[]).bytes();
        self.out.begin();
        self.out.put(&format!("__builtin_prefetch((const void *)((uintptr_t){base} + {bytes} * "));
        self.nat(&access.index, Tight::Product);
        self.out.end(&format!("), 0, {kept});"));
    }

    /// How far it is to where vectors lie in one line of the cache.
    fn to_line(&mut self, access: &Access, count: &Nat) {
        self.out.put("size_to_line(");
        self.pointer(access);
        self.out.put(&format!(", {}, {}, ", self.accessed(access).scalar.bytes(), access.lanes));
        self.nat(count, Tight::Not);
        self.out.put(")");
    }

    /// Whether the elements that a vector access covers lie side by side.
    fn is_contiguous(&self, access: &Access) -> bool {
        let element = &self.kernel.buffer(access.buffer).element;
        access.path.is_empty() || matches!(component(element, &access.path), Some(DataType::Vector(..)))
    }

    fn accessed(&self, access: &Access) -> ValueType {
        let scalar = self.kernel.buffer(access.buffer).scalar(&access.path);
        ValueType { scalar, lanes: access.lanes }
    }

    fn load(&mut self, access: &Access) {
        if access.lanes == 1 {
            return self.place(access);
        }
        if !self.is_contiguous(access) {
            return self.gather(access, &Nat::lit(1), access.lanes);
        }
        self.out.put(&format!("{}_load(", short(self.accessed(access))));
        self.pointer(access);
        self.out.put(")");
    }

    fn gather(&mut self, access: &Access, stride: &Nat, lanes: u32) {
        let ty = ValueType { lanes, ..self.accessed(access) };
        if access.path.is_empty() {
            self.out.put(&format!("{}_gather(", short(ty)));
            self.pointer(access);
            self.out.put(", ");
            self.nat_writer().signed(stride, Tight::Not);
            return self.out.put(")");
        }
        let lane = |lane: u32| {
            let index = &access.index + stride * i64::from(lane);
            Value::Load(Access { index, lanes: 1, ..access.clone() })
        };
        let lanes: Vec<Value> = (0..lanes).map(lane).collect();
        self.lanes(ty, &lanes, Level::Any);
    }

    /// The statement that writes a value.
    pub fn store(&mut self, access: &Access, value: &Value) {
        let ty = self.accessed(access);
        if access.lanes > 1 && self.is_contiguous(access) {
            self.out.put(&format!("{}_store(", short(ty)));
            self.pointer(access);
            self.out.put(", ");
            self.value(value, Level::Any);
            return self.out.put(");");
        }
        if access.lanes > 1 {
            return self.store_lanes(access, ty, value);
        }
        self.place(access);
        self.out.put(" = ");
        match value {
            Value::Nat(_) | Value::Apart(_) | Value::ClampIndex(..) => {
                self.out.put(&format!("({})", scalar(ty.scalar)));
                self.grouped(true, |e| e.nat_value(value, Level::Any));
            }
            _ => self.value(value, Level::Any),
        }
        self.out.put(";");
    }

    fn store_lanes(&mut self, access: &Access, ty: ValueType, value: &Value) {
        let lanes = self.names.fresh("lanes");
        self.out.put(&format!("const {0} {lanes} = ", short(ty)));
        self.value(value, Level::Any);
        self.out.put(";");
        for lane in 0..access.lanes {
            self.out.put(" ");
            let index = &access.index + i64::from(lane);
            self.place(&Access { index, lanes: 1, ..access.clone() });
            self.out.put(&format!(" = {}_lane{lane}({lanes});", short(ty)));
        }
    }

    /// A value that is used in indices, as `size_t`.
    pub fn nat_value(&mut self, value: &Value, level: Level) {
        match value {
            Value::Nat(_) | Value::Apart(_) | Value::ClampIndex(..) | Value::ToLine(..) => {
                self.value(value, level);
            }
            Value::FromNat(Scalar::U64, nat) => self.nat(nat, Tight::Product),
            Value::Select(_, args) => self.grouped(level > Level::Any, |e| {
                e.value(&args[0], Level::Tight);
                e.out.put(" ? ");
                e.nat_value(&args[1], Level::Tight);
                e.out.put(" : ");
                e.nat_value(&args[2], Level::Tight);
            }),
            _ => {
                self.out.put("(size_t)");
                self.value(value, Level::Tight);
            }
        }
    }

    fn unary(&mut self, op: Unary, ty: ValueType, x: &Value, level: Level) {
        let sign = match op {
            Unary::Neg if ty.lanes == 1 && ty.scalar.is_float() => "-",
            Unary::Not if ty.lanes == 1 && ty.scalar == Scalar::Bool => "!",
            _ => return self.function(ty, op.name(), &[x]),
        };
        self.grouped(level == Level::Tight, |e| {
            e.out.put(sign);
            e.value(x, Level::Tight);
        });
    }

    fn binary(&mut self, op: Binary, ty: ValueType, a: &Value, b: &Value, level: Level) {
        match infix(op, ty) {
            Some((symbol, own, right)) => self.grouped(level > own, |e| {
                e.value(a, if own == Level::Any { Level::Tight } else { own });
                e.out.put(symbol);
                e.value(b, right);
            }),
            None if ty.lanes == 1 && bitwise(op).is_some() => {
                self.out.put(&format!("({})(", scalar(ty.scalar)));
                self.value(a, Level::Tight);
                self.out.put(bitwise(op).unwrap_or_default());
                self.value(b, Level::Tight);
                self.out.put(")");
            }
            None => self.function(ty, op.name(), &[a, b]),
        }
    }

    fn compare(&mut self, op: Compare, ty: ValueType, a: &Value, b: &Value, level: Level) {
        if ty.lanes > 1 {
            return self.function(ty, op.name(), &[a, b]);
        }
        self.grouped(level > Level::Any, |e| {
            e.value(a, Level::Tight);
            e.out.put(&format!(" {} ", op.symbol()));
            e.value(b, Level::Tight);
        });
    }

    /// Compilers warn of what is always so: nothing unsigned is negative.
    fn compare_nat(&mut self, op: Compare, a: &Nat, b: &Nat, level: Level) {
        match (op, a.is_zero(), b.is_zero()) {
            (Compare::Le, true, _) | (Compare::Ge, _, true) => self.out.put("true"),
            (Compare::Gt, true, _) | (Compare::Lt, _, true) => self.out.put("false"),
            _ => self.grouped(level > Level::Any, |e| e.nat_writer().compare(op.symbol(), a, b)),
        }
    }

    fn mul_add(&mut self, ty: ValueType, args: &[Value; 3], level: Level) {
        let [a, b, c] = args.each_ref();
        if ty.lanes > 1 || self.settings.isa.has_fma() {
            return self.function(ty, "mul_add", &[a, b, c]);
        }
        self.grouped(level > Level::Sum, |e| {
            e.value(a, Level::Product);
            e.out.put(" * ");
            e.value(b, Level::Tight);
            e.out.put(" + ");
            e.value(c, Level::Product);
        });
    }

    fn cast(&mut self, from: ValueType, to: Scalar, x: &Value) {
        let target = ValueType { scalar: to, lanes: from.lanes };
        match (from.lanes, from.scalar, to) {
            (_, a, b) if a == b => self.value(x, Level::Tight),
            (1, _, Scalar::Bool) => self.grouped(true, |e| {
                e.value(x, Level::Tight);
                e.out.put(" != 0");
            }),
            (1, a, b) if !(a.is_float() && b.is_integer()) => {
                self.out.put(&format!("({})", scalar(to)));
                self.value(x, Level::Tight);
            }
            _ => self.call(&format!("{}_from_{}", short(target), short(from)), &[x]),
        }
    }

    fn from_nat(&mut self, ty: Scalar, nat: &Nat) {
        if let Some(value) = nat.as_const() {
            let constant = match ty {
                Scalar::Bool => Literal::Bool(value != 0),
                _ if ty.is_float() => Literal::Float(value as f64, ty),
                _ => crate::expr::scalar::from_int(i128::from(value), ty),
            };
            return self.out.put(&WORDS.literal(constant));
        }
        self.out.put(&format!("({})", scalar(ty)));
        self.nat(nat, Tight::Postfix);
    }

    fn clamp_index(&mut self, ty: Scalar, bound: &Nat, x: &Value) {
        self.out.put("size_min((size_t)");
        if ty.is_signed() {
            self.out.put(&format!("{ty}_max("));
            self.value(x, Level::Any);
            self.out.put(", 0)");
        } else {
            self.value(x, Level::Tight);
        }
        self.out.put(", ");
        self.nat_writer().saturating(&(bound - 1));
        self.out.put(")");
    }

    fn select(&mut self, ty: ValueType, args: &[Value; 3], level: Level) {
        if ty.lanes > 1 {
            return self.function(ty, "select", &args.each_ref());
        }
        self.grouped(level > Level::Any, |e| {
            e.value(&args[0], Level::Tight);
            e.out.put(" ? ");
            e.value(&args[1], Level::Tight);
            e.out.put(" : ");
            e.value(&args[2], Level::Tight);
        });
    }

    fn lanes(&mut self, ty: ValueType, values: &[Value], level: Level) {
        match values {
            [value] => self.value(value, level),
            _ => self.call(&format!("{}_lanes", short(ty)), &values.iter().collect::<Vec<_>>()),
        }
    }

    /// Integers wrap lane by lane; floats are converted from whole numbers, so that each is rounded once.
    fn ramp(&mut self, ty: ValueType, start: &Nat, step: &Nat) {
        if ty.scalar.is_float() || ty.scalar == Scalar::Bool {
            let lanes = (0..ty.lanes).map(|lane| Value::FromNat(ty.scalar, start + step * i64::from(lane)));
            return self.lanes(ty, &lanes.collect::<Vec<_>>(), Level::Any);
        }
        self.out.put(&format!("{}_ramp(", short(ty)));
        self.from_nat(ty.scalar, start);
        self.out.put(&format!(", ({})", scalar(ty.scalar)));
        self.grouped(true, |e| e.nat_writer().signed(step, Tight::Not));
        self.out.put(")");
    }
}

/// The component of a tuple element that a path leads to.
fn component<'t>(element: &'t Element, path: &[usize]) -> Option<&'t DataType> {
    let Element::Tuple(parts) = element else { return None };
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(parts.get(*first)?, |ty, step| ty.as_tuple()?.get(*step))
}

/// The register all of whose lanes are put together by one operation, each of the low half with the one of the high
/// half, and so on. Not every compiler sees by itself that half a vector is added to the other half.
fn lanes_folded(value: &Value) -> Option<(ValueType, &Value)> {
    let Value::Binary(op, ty, first, _) = value else { return None };
    let mut first = &**first;
    while let Value::Binary(_, _, inner, _) = first {
        first = inner;
    }
    let Value::Lane(vector, 0, x) = first else { return None };
    let fits = vector.lanes.is_power_of_two() && vector.scalar == ty.scalar && ty.scalar != Scalar::Bool;
    let folds = fits && matches!(**x, Value::Var(_)) && is_fold(value, *op, (*vector, x), 0, 1);
    folds.then_some((*vector, x))
}

/// Whether the value is the fold of every lane that is `first` modulo `step`.
fn is_fold(value: &Value, op: Binary, of: (ValueType, &Value), first: u32, step: u32) -> bool {
    match value {
        Value::Binary(own, _, a, b) if step < of.0.lanes => {
            let half = |value, first| is_fold(value, op, of, first, 2 * step);
            *own == op && half(a, first) && half(b, first + step)
        }
        Value::Lane(ty, lane, x) => (*ty, &**x) == of && *lane == first && step == of.0.lanes,
        _ => false,
    }
}

/// C's operator, where it means the same: symbol, own level, level of the right operand.
fn infix(op: Binary, ty: ValueType) -> Option<(&'static str, Level, Level)> {
    if ty.lanes > 1 {
        return None;
    }
    let (float, bool) = (ty.scalar.is_float(), ty.scalar == Scalar::Bool);
    Some(match op {
        Binary::Add if float => (" + ", Level::Sum, Level::Product),
        Binary::Sub if float => (" - ", Level::Sum, Level::Product),
        Binary::Mul if float => (" * ", Level::Product, Level::Tight),
        Binary::Div if float => (" / ", Level::Product, Level::Tight),
        // Both operands are computed: loops without branches become vectors.
        Binary::And if bool => (" & ", Level::Any, Level::Tight),
        Binary::Or if bool => (" | ", Level::Any, Level::Tight),
        Binary::Xor if bool => (" != ", Level::Any, Level::Tight),
        _ => return None,
    })
}
