//! Vectors: types and functions, by the extensions of GCC and Clang where a register holds one, else by halves.
//!
//! A mask has lanes of 32 bits, all ones or all zeros. Whatever needs several vectors is native only if all of
//! them fit a register; otherwise it is done for both halves, down to scalars.

mod native;

use crate::expr::Literal;
use crate::types::Scalar;

use super::formula::formula;
use super::helper::apply;
use super::isa::Isa;
use super::types::{WORDS, scalar};

/// A vector type on an instruction set.
#[derive(Clone, Copy)]
pub(super) struct Vector {
    pub(super) ty: Scalar,
    pub(super) lanes: u32,
    pub(super) isa: Isa,
}

/// A parameter of a helper: its C type and name, and the vector that it is.
struct Param {
    name: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Vector(Vector),
    Scalar(Scalar),
    From(Scalar),
    To(Scalar),
    Stride,
}

/// The definition of `ty x lanes`, or of a function of it.
pub fn define(ty: Scalar, lanes: u32, op: &str, isa: Isa) -> Option<String> {
    let vector = Vector { ty, lanes, isa };
    if lanes < 2 {
        return None;
    }
    match op {
        "" => Some(vector.definition()),
        "u" => Some(format!(
            "typedef {0} {0}_u __attribute__((aligned({1}), may_alias));\n\n",
            vector.name(),
            vector.lane_bytes()
        )),
        _ => vector.function(op),
    }
}

impl Vector {
    pub(super) fn with(self, ty: Scalar) -> Self {
        Self { ty, ..self }
    }

    fn mask(self) -> Self {
        self.with(Scalar::Bool)
    }

    fn lane_bytes(self) -> u32 {
        if self.ty == Scalar::Bool { 4 } else { self.ty.bytes() }
    }

    fn bytes(self) -> u32 {
        self.lanes * self.lane_bytes()
    }

    pub(super) fn is_native(self) -> bool {
        self.lanes.is_power_of_two() && self.lanes > 1 && (4..=self.isa.bytes()).contains(&self.bytes())
    }

    /// `f32x16`, or the scalar's C type for one lane.
    pub(super) fn name(self) -> String {
        if self.lanes == 1 { scalar(self.ty).to_owned() } else { format!("{}x{}", self.ty, self.lanes) }
    }

    /// The type of a lane in a native vector.
    fn lane(self) -> &'static str {
        if self.ty == Scalar::Bool { "int32_t" } else { scalar(self.ty) }
    }

    pub(super) fn low(self) -> Self {
        Self { lanes: self.lanes / 2, ..self }
    }

    fn high(self) -> Self {
        Self { lanes: self.lanes - self.lanes / 2, ..self }
    }

    fn definition(self) -> String {
        let name = self.name();
        if self.is_native() {
            format!("typedef {} {name} __attribute__((vector_size({})));\n\n", self.lane(), self.bytes())
        } else {
            format!(
                "typedef struct {{\n    {} lo;\n    {} hi;\n}} {name};\n\n",
                self.low().name(),
                self.high().name()
            )
        }
    }

    fn half(self, value: &str, high: bool) -> String {
        let half = if high { "hi" } else { "lo" };
        if self.is_native() { format!("{}_{half}({value})", self.name()) } else { format!("{value}.{half}") }
    }

    fn joined(self, low: &str, high: &str) -> String {
        let name = self.name();
        if self.is_native() {
            format!("{name}_join({low}, {high})")
        } else {
            format!("({name}){{{low}, {high}}}")
        }
    }

    /// `{f(0), f(1), …}`
    pub(super) fn listed(self, lane: impl Fn(u32) -> String) -> String {
        let lanes: Vec<String> = (0..self.lanes).map(lane).collect();
        format!("({}){{{}}}", self.name(), lanes.join(", "))
    }

    fn function(self, op: &str) -> Option<String> {
        if let Some(lane) = op.strip_prefix("lane").and_then(|lane| lane.parse::<u32>().ok()) {
            return Some(self.one_lane(lane));
        }
        if let Some(op) = op.strip_prefix("fold_") {
            return self.lanes.is_power_of_two().then(|| self.fold(op));
        }
        match op {
            "transpose" => return self.transpose(),
            "large_angles" => return self.with(Scalar::F64).is_native().then(|| self.large_angles()),
            _ => {}
        }
        if let Some(exchange) = self.exchange(op) {
            return Some(exchange);
        }
        match op {
            "lanes" => return Some(self.from_lanes()),
            "lo" | "hi" => return Some(self.half_of(op)),
            "join" => return Some(self.join()),
            _ => {}
        }
        let (result, params) = self.signature(op)?;
        let result_name = result.map_or("void".to_owned(), Vector::name);
        let list: Vec<String> = params.iter().map(Param::declare).collect();
        let native = params.iter().filter_map(Param::vector).chain(result).all(Vector::is_native)
            && formula(self.ty, op).is_none_or(|formula| self.holds(formula));
        let body = if native { self.native(op) } else { None };
        let body = match body {
            Some(body) => body,
            None if native => self.each(op, &params),
            None => self.halves(op, result, &params),
        };
        Some(self.inline(&result_name, op, &list.join(", "), &body))
    }

    pub(super) fn inline(self, result: &str, op: &str, params: &str, body: &str) -> String {
        format!("RISE_INLINE {result} {}_{op}({params}) {{\n{body}}}\n\n", self.name())
    }

    /// The value of a lane of a native vector.
    fn of_lane(self, lane: u32) -> String {
        let test = if self.ty == Scalar::Bool { " != 0" } else { "" };
        format!("a[{lane}]{test}")
    }

    /// What a lane of a native vector holds of a value.
    fn in_lane(self, value: String) -> String {
        if self.ty == Scalar::Bool { format!("-(int32_t){value}") } else { value }
    }

    fn one_lane(self, lane: u32) -> String {
        let value = if self.is_native() {
            self.of_lane(lane)
        } else {
            let (part, half, at) = if lane < self.low().lanes {
                (self.low(), "a.lo", lane)
            } else {
                (self.high(), "a.hi", lane - self.low().lanes)
            };
            if part.lanes == 1 { half.to_owned() } else { format!("{}_lane{at}({half})", part.name()) }
        };
        let params = format!("{} a", self.name());
        self.inline(scalar(self.ty), &format!("lane{lane}"), &params, &format!("    return {value};\n"))
    }

    /// One half. Copied as bytes it would go through memory.
    fn half_of(self, op: &str) -> String {
        let (name, part) = (self.name(), self.low());
        let (half, at) = (part.name(), u32::from(op == "hi"));
        let body = match part.is_native() {
            _ if !self.is_native() => format!("    return a.{op};\n"),
            true => format!("    return ((const {half}_u *)(const void *)&a)[{at}];\n"),
            false if part.lanes == 1 => format!("    return {};\n", self.of_lane(at)),
            false => format!(
                "    {half} half;\n    memcpy(&half, (const {half} *)(const void *)&a + {at}, sizeof half);\n    return half;\n"
            ),
        };
        self.inline(&half, op, &format!("{name} a"), &body)
    }

    fn join(self) -> String {
        let (name, half) = (self.name(), self.low().name());
        let copied = format!(
            "    {name} a;\n    memcpy(&a, &lo, sizeof lo);\n    memcpy((unsigned char *)&a + sizeof lo, &hi, sizeof hi);\n    return a;\n"
        );
        let lanes: Vec<String> = (0..self.lanes).map(|lane| lane.to_string()).collect();
        let body = match self.low().is_native() {
            true => format!(
                "#if defined(__clang__) || __GNUC__ >= 12\n    return __builtin_shufflevector(lo, hi, {});\n#else\n{copied}#endif\n",
                lanes.join(", ")
            ),
            false if self.lanes == 2 => {
                let halves = ["lo", "hi"].map(|half| self.in_lane(half.to_owned()));
                format!("    return ({name}){{{}}};\n", halves.join(", "))
            }
            false => copied,
        };
        self.inline(&name, "join", &format!("{half} lo, {half} hi"), &body)
    }

    /// All lanes by one operation: each of the low half with the one of the high half, and so on.
    fn fold(self, op: &str) -> String {
        let (name, half) = (self.name(), self.low().name());
        let value = match self.lanes {
            2 => apply(self.ty, op, &[&format!("{name}_lane0(a)"), &format!("{name}_lane1(a)")], self.isa),
            _ => {
                format!("{half}_fold_{op}({half}_{op}({}, {}))", self.half("a", false), self.half("a", true))
            }
        };
        let op = format!("fold_{op}");
        self.inline(scalar(self.ty), &op, &format!("{name} a"), &format!("    return {value};\n"))
    }

    fn from_lanes(self) -> String {
        let params: Vec<String> =
            (0..self.lanes).map(|lane| format!("{} x{lane}", scalar(self.ty))).collect();
        let lane = |lane: u32| self.in_lane(format!("x{lane}"));
        let value = if self.is_native() {
            self.listed(lane)
        } else {
            let part = |part: Vector, from: u32| {
                let lanes: Vec<String> = (from..from + part.lanes).map(|lane| format!("x{lane}")).collect();
                if part.lanes == 1 {
                    lanes.concat()
                } else {
                    format!("{}_lanes({})", part.name(), lanes.join(", "))
                }
            };
            self.joined(&part(self.low(), 0), &part(self.high(), self.low().lanes))
        };
        self.inline(&self.name(), "lanes", &params.join(", "), &format!("    return {value};\n"))
    }

    /// Result and parameters; no result for what writes memory.
    fn signature(self, op: &str) -> Option<(Option<Vector>, Vec<Param>)> {
        let vectors = |names: &[&'static str]| {
            names.iter().map(|name| Param { name, kind: Kind::Vector(self) }).collect::<Vec<_>>()
        };
        let param = |name, kind| Param { name, kind };
        let this = Some(self);
        Some(match op {
            "neg" | "abs" | "not" | "sqrt" | "rsqrt" | "exp" | "ln" | "sin" | "cos" | "tan" | "tanh"
            | "floor" | "ceil" | "round" => (this, vectors(&["a"])),
            "add" | "sub" | "mul" | "div" | "rem" | "min" | "max" | "and" | "or" | "xor" | "shl" | "shr"
            | "pow" => (this, vectors(&["a", "b"])),
            "fma" | "mul_add" | "scaled" => (this, vectors(&["a", "b", "c"])),
            "eq" | "ne" | "lt" | "le" | "gt" | "ge" => (Some(self.mask()), vectors(&["a", "b"])),
            "select" => {
                let mut params = vec![param("m", Kind::Vector(self.mask()))];
                params.extend(vectors(&["a", "b"]));
                (this, params)
            }
            "splat" => (this, vec![param("a", Kind::Scalar(self.ty))]),
            "load" => (this, vec![param("p", Kind::From(self.ty))]),
            "gather" => (this, vec![param("p", Kind::From(self.ty)), param("s", Kind::Stride)]),
            "store" => (None, vec![param("p", Kind::To(self.ty)), param("a", Kind::Vector(self))]),
            "ramp" => (this, vec![param("a", Kind::Scalar(self.ty)), param("b", Kind::Scalar(self.ty))]),
            _ => {
                let from = self.source(op)?;
                (this, vec![param("a", Kind::Vector(from))])
            }
        })
    }

    /// The vector that `from_i32x8` converts.
    fn source(self, op: &str) -> Option<Vector> {
        let (ty, lanes) = op.strip_prefix("from_")?.split_once('x')?;
        (lanes.parse() == Ok(self.lanes)).then_some(self.with(Scalar::from_name(ty)?))
    }

    /// For both halves.
    fn halves(self, op: &str, result: Option<Vector>, params: &[Param]) -> String {
        let part = |high: bool| {
            let this = if high { self.high() } else { self.low() };
            let args: Vec<String> =
                params.iter().map(|param| param.half(high, self.low().lanes, op)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            if this.lanes == 1 {
                this.single(op, &args)
            } else {
                format!("{}_{}({})", this.name(), this.op(op), args.join(", "))
            }
        };
        match result {
            Some(result) => format!("    return {};\n", result.joined(&part(false), &part(true))),
            None => format!("    {};\n    {};\n", part(false), part(true)),
        }
    }

    /// The name of an operation, for as many lanes.
    fn op(self, op: &str) -> String {
        match op.strip_prefix("from_").and_then(|from| from.split_once('x')) {
            Some((ty, _)) => format!("from_{ty}x{}", self.lanes),
            None => op.to_owned(),
        }
    }

    /// The operation on one lane.
    fn single(self, op: &str, args: &[&str]) -> String {
        let a = args.first().copied().unwrap_or_default();
        match op {
            "load" | "gather" => format!("*({a})"),
            "store" => format!("*({a}) = {}", args.get(1).copied().unwrap_or_default()),
            "ramp" => a.to_owned(),
            _ => match op.strip_prefix("from_").and_then(|from| from.split_once('x')) {
                Some((from, _)) => converted(Scalar::from_name(from).unwrap_or(self.ty), self.ty, a),
                None => apply(self.ty, op, args, self.isa),
            },
        }
    }

    /// Lane by lane, through arrays: some versions of GCC fail on loops over the lanes of a vector.
    fn each(self, op: &str, params: &[Param]) -> String {
        let (mut arrays, mut args) = (String::new(), Vec::new());
        for param in params {
            let Some(vector) = param.vector() else { continue };
            let (name, lane) = (param.name, vector.lane());
            arrays.push_str(&format!(
                "    {lane} {name}s[{}];\n    memcpy({name}s, &{name}, sizeof {name}s);\n",
                self.lanes
            ));
            args.push(format!("{name}s[l]"));
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (value, lanes) = (self.single(op, &args), self.lanes);
        format!(
            "{arrays}    {} rs[{lanes}];\n    for (int l = 0; l < {lanes}; l += 1) {{\n        rs[l] = {value};\n    }}\n    \
             {} r;\n    memcpy(&r, rs, sizeof r);\n    return r;\n",
            self.lane(),
            self.name()
        )
    }
}

impl Param {
    fn vector(&self) -> Option<Vector> {
        if let Kind::Vector(vector) = self.kind { Some(vector) } else { None }
    }

    fn declare(&self) -> String {
        let name = self.name;
        match self.kind {
            Kind::Vector(vector) => format!("{} {name}", vector.name()),
            Kind::Scalar(ty) => format!("{} {name}", scalar(ty)),
            Kind::From(ty) => format!("const {} *{name}", scalar(ty)),
            Kind::To(ty) => format!("{} *{name}", scalar(ty)),
            Kind::Stride => format!("ptrdiff_t {name}"),
        }
    }

    /// The argument for one half.
    fn half(&self, high: bool, lanes: u32, op: &str) -> String {
        let name = self.name;
        match self.kind {
            Kind::Vector(vector) => vector.half(name, high),
            Kind::From(_) if high && op == "gather" => format!("{name} + {lanes} * s"),
            Kind::From(_) | Kind::To(_) if high => format!("{name} + {lanes}"),
            // `a, a + b, …`
            Kind::Scalar(ty) if high && op == "ramp" && name == "a" => {
                let steps = WORDS.literal(Literal::Int(i128::from(lanes), ty));
                format!("{ty}_add(a, {ty}_mul({steps}, b))")
            }
            _ => name.to_owned(),
        }
    }
}

/// A scalar converted as Rust does.
pub fn converted(from: Scalar, to: Scalar, value: &str) -> String {
    match (from, to) {
        (a, b) if a == b => value.to_owned(),
        (_, Scalar::Bool) => format!("({value} != 0)"),
        (a, b) if a.is_float() && b.is_integer() => format!("{to}_from_{from}({value})"),
        _ => format!("({}){value}", scalar(to)),
    }
}
