//! Computations as expressions of OpenCL C.
//!
//! Floats use the language's operators, on vectors too; everything that it leaves open goes through helpers.

use crate::backend::c_family::{NATURALS, bitwise, short};
use crate::backend::nat::{NatWriter, Tight};
use crate::backend::text::Text;
use crate::expr::{Binary, Compare, Literal, Unary};
use crate::loops::{Access, Element, Value, ValueType};
use crate::nat::Nat;
use crate::types::{DataType, Scalar};

use super::emit::Emitter;
use super::types::{WORDS, mask, register, scalar, stored};

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

fn grouped(group: bool, text: String) -> String {
    if group { format!("({text})") } else { text }
}

impl Emitter<'_> {
    /// A natural as text.
    pub fn nat(&mut self, nat: &Nat, tight: Tight) -> String {
        self.written(|writer| writer.unsigned(nat, tight))
    }

    pub(super) fn written(&mut self, write: impl FnOnce(&mut NatWriter)) -> String {
        let mut out = Text::default();
        write(&mut NatWriter {
            dialect: &NATURALS,
            functions: &mut self.functions,
            out: &mut out,
            names: &mut self.names,
            known: &mut self.known,
        });
        out.finish()
    }

    /// A value as an expression.
    pub fn value(&mut self, value: &Value, level: Level) -> String {
        match value {
            Value::Literal(constant) => WORDS.literal(*constant),
            Value::Var(name) => self.names.value(name),
            Value::Nat(nat) | Value::Apart(nat) => self.nat(nat, Tight::Product),
            Value::Load(access) => self.load(access),
            Value::Gather(access, stride, lanes) => self.gather(access, stride, *lanes),
            Value::Unary(op, ty, x) => self.unary(*op, *ty, x, level),
            Value::Binary(op, ty, a, b) => self.binary(*op, *ty, a, b, level),
            Value::Compare(op, ty, a, b) => self.compare(*op, *ty, a, b, level),
            // Here nothing goes past the cache.
            Value::Large(_) | Value::Past(_) | Value::InLines => "false".into(),
            Value::CompareNat(op, a, b) => self.compare_nat(*op, a, b, level),
            Value::MulAdd(ty, args) => self.call(&format!("{}_mul_add", short(*ty)), &args.each_ref()),
            Value::Fma(ty, args) if ty.scalar.is_float() => self.call("fma", &args.each_ref()),
            Value::Fma(ty, args) => self.call(&format!("{}_fma", short(*ty)), &args.each_ref()),
            Value::Cast(from, to, x) => self.cast(*from, *to, x, level),
            Value::FromNat(scalar, nat) => self.from_nat(*scalar, nat),
            Value::ClampIndex(scalar, bound, x) => self.clamp_index(*scalar, bound, x),
            // Where lines begin makes no difference to what is computed.
            Value::ToLine(..) => "0".into(),
            Value::Select(ty, args) => self.select(*ty, args, level),
            Value::Broadcast(ty, x) if ty.lanes == 1 => self.value(x, level),
            Value::Broadcast(ty, x) if ty.scalar == Scalar::Bool => {
                format!("({})({} ? -1 : 0)", register(*ty), self.value(x, Level::Tight))
            }
            Value::Broadcast(ty, x) => format!("({})({})", register(*ty), self.value(x, Level::Any)),
            Value::Lane(ty, _, x) if ty.lanes == 1 => self.value(x, level),
            Value::Lane(ty, lane, x) => self.lane(*ty, *lane, x, level),
            Value::Half(_, upper, x) => self.half(*upper, x),
            Value::Lanes(ty, values) => self.lanes(*ty, values, level),
            Value::Ramp(ty, start, step) => {
                let lanes =
                    (0..ty.lanes).map(|lane| Value::FromNat(ty.scalar, start + step * i64::from(lane)));
                self.lanes(*ty, &lanes.collect::<Vec<_>>(), level)
            }
            Value::Foreign(foreign, _, args) => {
                self.limit(format!("the foreign function `{}` on a device", foreign.name));
                self.call(&foreign.name, &args.iter().collect::<Vec<_>>())
            }
        }
    }

    fn call(&mut self, function: &str, args: &[&Value]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.value(arg, Level::Any)).collect();
        format!("{function}({})", args.join(", "))
    }

    /// The element itself, as a place.
    fn place(&mut self, access: &Access) -> String {
        let (base, index) = (self.pointer_name(access.buffer), self.nat(&access.index, Tight::Not));
        let path: String = access.path.iter().map(|step| format!("._{step}")).collect();
        format!("{base}[{index}]{path}")
    }

    /// Arguments of `vload` and `vstore`: a multiple of the lanes, and a pointer.
    fn vector_place(&mut self, access: &Access) -> String {
        let (base, lanes) = (self.pointer_name(access.buffer), i64::from(access.lanes));
        if !access.path.is_empty() {
            return format!("0, {}", self.place(&Access { lanes: 1, ..access.clone() }));
        }
        let aligned = access.index.terms().all(|(coeff, _)| coeff % lanes == 0);
        if aligned {
            let index = access.index.div(&Nat::lit(lanes));
            return format!("{}, {base}", self.nat(&index, Tight::Not));
        }
        format!("0, {base} + {}", self.nat(&access.index, Tight::Sum))
    }

    /// The vector itself as a place, in an array of vectors.
    fn vector(&mut self, access: &Access) -> Option<String> {
        let lanes = self.vectors.get(&access.buffer)?;
        let index = access.index.div(&Nat::lit(i64::from(*lanes)));
        Some(format!("{}[{}]", self.pointer_name(access.buffer), self.nat(&index, Tight::Not)))
    }

    fn accessed(&self, access: &Access) -> ValueType {
        let scalar = self.kernel.buffer(access.buffer).scalar(&access.path);
        ValueType { scalar, lanes: access.lanes }
    }

    /// Whether the elements that a vector access covers lie side by side.
    fn is_contiguous(&self, access: &Access) -> bool {
        let buffer = self.kernel.buffer(access.buffer);
        let side_by_side = access.path.is_empty()
            || matches!(component(&buffer.element, &access.path), Some(DataType::Vector(..)));
        side_by_side && buffer.scalar(&access.path) != Scalar::Bool
    }

    fn load(&mut self, access: &Access) -> String {
        let ty = self.accessed(access);
        if let Some(vector) = self.vector(access) {
            return vector;
        }
        match access.lanes {
            1 if ty.scalar == Scalar::Bool => format!("({} != 0)", self.place(access)),
            1 => self.place(access),
            lanes if self.is_contiguous(access) => format!("vload{lanes}({})", self.vector_place(access)),
            lanes => self.gather(access, &Nat::lit(1), lanes),
        }
    }

    fn gather(&mut self, access: &Access, stride: &Nat, lanes: u32) -> String {
        let ty = ValueType { lanes, ..self.accessed(access) };
        let lane = |lane: u32| {
            let index = &access.index + stride * i64::from(lane);
            Value::Load(Access { index, lanes: 1, ..access.clone() })
        };
        let lanes: Vec<Value> = (0..lanes).map(lane).collect();
        self.lanes(ty, &lanes, Level::Any)
    }

    /// The statements that write a value.
    pub fn store(&mut self, access: &Access, value: &Value) -> Vec<String> {
        let ty = self.accessed(access);
        if let Some(vector) = self.vector(access) {
            return vec![format!("{vector} = {};", self.value(value, Level::Any))];
        }
        if access.lanes > 1 && self.is_contiguous(access) {
            let value = self.value(value, Level::Any);
            return vec![format!("vstore{}({value}, {});", access.lanes, self.vector_place(access))];
        }
        if access.lanes > 1 {
            return self.store_lanes(access, ty, value);
        }
        let place = self.place(access);
        let text = match value {
            Value::Nat(_) | Value::Apart(_) | Value::ClampIndex(..) => {
                format!("({})({})", stored(ty.scalar), self.nat_value(value, Level::Any))
            }
            _ => self.value(value, Level::Any),
        };
        vec![format!("{place} = {text};")]
    }

    fn store_lanes(&mut self, access: &Access, ty: ValueType, value: &Value) -> Vec<String> {
        let lanes = self.names.fresh("lanes");
        let mut lines = vec![format!("const {} {lanes} = {};", register(ty), self.value(value, Level::Any))];
        for lane in 0..access.lanes {
            let place =
                self.place(&Access { index: &access.index + i64::from(lane), lanes: 1, ..access.clone() });
            let truth = if ty.scalar == Scalar::Bool { " != 0" } else { "" };
            lines.push(format!("{place} = {lanes}.s{lane:x}{truth};"));
        }
        lines
    }

    /// A value that is used in indices, as `size_t`.
    pub fn nat_value(&mut self, value: &Value, level: Level) -> String {
        match value {
            Value::Nat(_) | Value::Apart(_) | Value::ClampIndex(..) | Value::ToLine(..) => {
                self.value(value, level)
            }
            Value::Select(_, args) => {
                let condition = self.value(&args[0], Level::Tight);
                let (a, b) = (self.nat_value(&args[1], Level::Tight), self.nat_value(&args[2], Level::Tight));
                grouped(level > Level::Any, format!("{condition} ? {a} : {b}"))
            }
            _ => format!("(size_t){}", self.value(value, Level::Tight)),
        }
    }

    fn unary(&mut self, op: Unary, ty: ValueType, x: &Value, level: Level) -> String {
        let sign = match op {
            Unary::Neg if ty.scalar.is_float() => "-",
            Unary::Not if ty.scalar == Scalar::Bool => {
                if ty.lanes == 1 {
                    "!"
                } else {
                    "~"
                }
            }
            _ => return self.function(ty, op.name(), &[x]),
        };
        let x = self.value(x, Level::Tight);
        grouped(level == Level::Tight, format!("{sign}{x}"))
    }

    /// A function of the library, or a helper.
    fn function(&mut self, ty: ValueType, op: &str, args: &[&Value]) -> String {
        match library(op).filter(|_| ty.scalar.is_float()) {
            Some(function) => self.call(function, args),
            None => self.call(&format!("{}_{op}", short(ty)), args),
        }
    }

    fn binary(&mut self, op: Binary, ty: ValueType, a: &Value, b: &Value, level: Level) -> String {
        if let Some((symbol, own, right)) = infix(op, ty) {
            let a = self.value(a, if own == Level::Any { Level::Tight } else { own });
            let b = self.value(b, right);
            return grouped(level > own, format!("{a}{symbol}{b}"));
        }
        if let Some(symbol) = bitwise(op) {
            let (a, b) = (self.value(a, Level::Tight), self.value(b, Level::Tight));
            return match ty.lanes {
                1 => format!("({})({a}{symbol}{b})", scalar(ty.scalar)),
                _ => format!("({a}{symbol}{b})"),
            };
        }
        self.function(ty, op.name(), &[a, b])
    }

    fn compare(&mut self, op: Compare, ty: ValueType, a: &Value, b: &Value, level: Level) -> String {
        let text = format!("{} {} {}", self.value(a, Level::Tight), op.symbol(), self.value(b, Level::Tight));
        match (ty.lanes, mask(ty.scalar)) {
            (1, _) => grouped(level > Level::Any, text),
            (_, "int") => format!("({text})"),
            (lanes, _) => format!("convert_int{lanes}({text})"),
        }
    }

    /// Compilers warn of what is always so: nothing unsigned is negative.
    fn compare_nat(&mut self, op: Compare, a: &Nat, b: &Nat, level: Level) -> String {
        match (op, a.is_zero(), b.is_zero()) {
            (Compare::Le, true, _) | (Compare::Ge, _, true) => "true".into(),
            (Compare::Gt, true, _) | (Compare::Lt, _, true) => "false".into(),
            _ => {
                let text = self.written(|writer| writer.compare(op.symbol(), a, b));
                grouped(level > Level::Any, text)
            }
        }
    }

    fn cast(&mut self, from: ValueType, to: Scalar, x: &Value, level: Level) -> String {
        let target = ValueType { scalar: to, lanes: from.lanes };
        match (from.lanes, from.scalar, to) {
            (_, a, b) if a == b => self.value(x, level),
            (1, _, Scalar::Bool) => format!("({} != 0)", self.value(x, Level::Tight)),
            (_, a, b) if a.is_float() && b.is_integer() => {
                self.call(&format!("{}_from_{}", short(target), short(from)), &[x])
            }
            (1, _, _) => format!("({}){}", scalar(to), self.value(x, Level::Tight)),
            (lanes, _, Scalar::Bool) => {
                let zero = register(from);
                format!("convert_int{lanes}({} != ({zero})(0))", self.value(x, Level::Tight))
            }
            (_, Scalar::Bool, _) => format!("convert_{}(-{})", register(target), self.value(x, Level::Tight)),
            _ => format!("convert_{}({})", register(target), self.value(x, Level::Any)),
        }
    }

    fn from_nat(&mut self, ty: Scalar, nat: &Nat) -> String {
        if let Some(value) = nat.as_const() {
            return WORDS.literal(match ty {
                Scalar::Bool => Literal::Bool(value != 0),
                _ if ty.is_float() => Literal::Float(value as f64, ty),
                _ => crate::expr::scalar::from_int(i128::from(value), ty),
            });
        }
        format!("({}){}", scalar(ty), self.nat(nat, Tight::Postfix))
    }

    fn clamp_index(&mut self, ty: Scalar, bound: &Nat, x: &Value) -> String {
        let x = match ty.is_signed() {
            true => format!("{ty}_max({}, 0)", self.value(x, Level::Any)),
            false => self.value(x, Level::Tight),
        };
        let most = self.written(|writer| writer.saturating(&(bound - 1)));
        format!("size_min((size_t){x}, {most})")
    }

    fn select(&mut self, ty: ValueType, args: &[Value; 3], level: Level) -> String {
        if ty.lanes == 1 {
            let [condition, a, b] = args.each_ref().map(|arg| self.value(arg, Level::Tight));
            return grouped(level > Level::Any, format!("{condition} ? {a} : {b}"));
        }
        let [condition, a, b] = args.each_ref().map(|arg| self.value(arg, Level::Any));
        match mask(ty.scalar) {
            "int" => format!("select({b}, {a}, {condition})"),
            own => format!("select({b}, {a}, convert_{own}{}({condition}))", ty.lanes),
        }
    }

    /// What a part of is taken by a name behind a dot.
    fn whole(&mut self, x: &Value) -> String {
        match x {
            Value::Var(_) => self.value(x, Level::Tight),
            _ => format!("({})", self.value(x, Level::Any)),
        }
    }

    fn half(&mut self, upper: bool, x: &Value) -> String {
        format!("{}.{}", self.whole(x), if upper { "hi" } else { "lo" })
    }

    fn lane(&mut self, ty: ValueType, lane: u32, x: &Value, level: Level) -> String {
        let text = format!("{}.s{lane:x}", self.whole(x));
        if ty.scalar == Scalar::Bool { grouped(level > Level::Any, format!("{text} != 0")) } else { text }
    }

    fn lanes(&mut self, ty: ValueType, values: &[Value], level: Level) -> String {
        if let [value] = values {
            return self.value(value, level);
        }
        let truth = ty.scalar == Scalar::Bool;
        let values: Vec<String> = values
            .iter()
            .map(|value| match truth {
                true => format!("{} ? -1 : 0", self.value(value, Level::Tight)),
                false => self.value(value, Level::Any),
            })
            .collect();
        format!("({})({})", register(ty), values.join(", "))
    }
}

/// The component of a tuple element that a path leads to.
fn component<'t>(element: &'t Element, path: &[usize]) -> Option<&'t DataType> {
    let Element::Tuple(parts) = element else { return None };
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(parts.get(*first)?, |ty, step| ty.as_tuple()?.get(*step))
}

/// The function of the library for floats of any width.
fn library(op: &str) -> Option<&'static str> {
    Some(match op {
        "abs" => "fabs",
        "ln" => "log",
        "rem" => "fmod",
        "sqrt" => "sqrt",
        "exp" => "exp",
        "sin" => "sin",
        "cos" => "cos",
        "tan" => "tan",
        "tanh" => "tanh",
        "floor" => "floor",
        "ceil" => "ceil",
        "round" => "round",
        "pow" => "pow",
        _ => return None,
    })
}

/// The operator that means the same: symbol, own level, level of the right operand.
fn infix(op: Binary, ty: ValueType) -> Option<(&'static str, Level, Level)> {
    let bool = ty.scalar == Scalar::Bool;
    // Unsigned integers wrap; narrow scalars would be computed as `int`.
    let wraps = matches!(ty.scalar, Scalar::U32 | Scalar::U64);
    let plain = ty.scalar.is_float() || wraps;
    Some(match op {
        Binary::Add if plain => (" + ", Level::Sum, Level::Product),
        Binary::Sub if plain => (" - ", Level::Sum, Level::Product),
        Binary::Mul if plain => (" * ", Level::Product, Level::Tight),
        Binary::Div if ty.scalar.is_float() => (" / ", Level::Product, Level::Tight),
        Binary::And if bool && ty.lanes == 1 => (" && ", Level::Any, Level::Tight),
        Binary::Or if bool && ty.lanes == 1 => (" || ", Level::Any, Level::Tight),
        Binary::Xor if bool && ty.lanes == 1 => (" != ", Level::Any, Level::Tight),
        _ => return None,
    })
}
