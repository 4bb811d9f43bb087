//! Functions of vectors that fit a register: what operators, intrinsics and other such functions make of them.

use crate::backend::c_family::unsigned;
use crate::expr::Literal;
use crate::types::Scalar;

use super::super::formula::formula;
use super::super::types::{WORDS, signed};
use super::Vector;

impl Vector {
    /// The body where everything is in registers; `None` is lane by lane.
    pub(super) fn native(self, op: &str) -> Option<String> {
        let name = self.name();
        let value = match op {
            "load" | "store" | "gather" | "splat" | "ramp" => return Some(self.memory(op)),
            "eq" | "ne" | "lt" | "le" | "gt" | "ge" => self.comparison(op),
            "select" => self.selection(),
            _ if self.ty == Scalar::Bool => match self.source(op) {
                Some(from) => format!("{0}_ne(a, {0}_splat(0))", from.name()),
                None => bits(op)?.to_owned(),
            },
            _ if self.source(op).is_some() => self.conversion(op)?,
            _ if self.ty.is_float() => match (self.float(op), formula(self.ty, op)) {
                (Some(value), _) => value,
                (None, formula) => return formula.map(|formula| self.elementary(op, formula)),
            },
            "add" | "sub" | "mul" | "neg" => {
                let u = self.with(unsigned(self.ty)).name();
                match op {
                    "add" => format!("({name})(({u})a + ({u})b)"),
                    "sub" => format!("({name})(({u})a - ({u})b)"),
                    "mul" => format!("({name})(({u})a * ({u})b)"),
                    _ => format!("({name})(-({u})a)"),
                }
            }
            "abs" if !self.ty.is_signed() => "a".to_owned(),
            "abs" => format!("{name}_select({name}_lt(a, {name}_splat(0)), {name}_neg(a), a)"),
            "min" => format!("{name}_select({name}_lt(a, b), a, b)"),
            "max" => format!("{name}_select({name}_gt(a, b), a, b)"),
            "shl" | "shr" => {
                let u = self.with(unsigned(self.ty)).name();
                let mask = self.ty.bytes() * 8 - 1;
                let distance = format!("({name})(({u})b & ({u}_splat({mask})))");
                match op {
                    "shl" => format!("({name})(({u})a << ({u}){distance})"),
                    _ => format!("a >> {distance}"),
                }
            }
            _ => bits(op)?.to_owned(),
        };
        Some(format!("    return {value};\n"))
    }

    fn memory(self, op: &str) -> String {
        let (name, mask) = (self.name(), self.ty == Scalar::Bool);
        let lane = |text: String| self.in_lane(text);
        match op {
            "load" if mask => format!("    return {};\n", self.listed(|l| lane(format!("p[{l}]")))),
            "load" => format!("    return *(const {name}_u *)p;\n"),
            "store" if mask => format!(
                "    for (int l = 0; l < {}; l += 1) {{\n        p[l] = a[l] != 0;\n    }}\n",
                self.lanes
            ),
            "store" => format!("    *({name}_u *)p = a;\n"),
            "gather" => format!("    return {};\n", self.listed(|l| lane(format!("p[{l} * s]")))),
            "ramp" => {
                let steps = self.listed(|l| l.to_string());
                format!("    return {name}_add({name}_splat(a), {name}_mul({steps}, {name}_splat(b)));\n")
            }
            _ => format!("    return {};\n", self.listed(|_| lane("a".into()))),
        }
    }

    fn comparison(self, op: &str) -> String {
        let mask = self.mask().name();
        let symbol = match op {
            "eq" => "==",
            "ne" => "!=",
            "lt" => "<",
            "le" => "<=",
            "gt" => ">",
            _ => ">=",
        };
        match self.ty {
            Scalar::Bool if op == "ne" => "a ^ b".to_owned(),
            Scalar::Bool => "~(a ^ b)".to_owned(),
            _ if self.lane_bytes() == 4 => format!("({mask})(a {symbol} b)"),
            _ => {
                let (wide, found) = (self.with(Scalar::I32).name(), self.with(signed(self.ty)).name());
                format!("({mask}){wide}_from_{found}(a {symbol} b)")
            }
        }
    }

    fn selection(self) -> String {
        let name = self.name();
        if self.ty == Scalar::Bool {
            return "(m & a) | (~m & b)".to_owned();
        }
        let int = self.with(signed(self.ty)).name();
        match self.lane_bytes() {
            4 => format!("({name})((({int})m & ({int})a) | (({int})~m & ({int})b))"),
            _ => {
                let wide = format!("{int}_from_{}(m)", self.with(Scalar::I32).name());
                format!("({name})(({wide} & ({int})a) | (~{wide} & ({int})b))")
            }
        }
    }

    fn float(self, op: &str) -> Option<String> {
        let (name, bits) = (self.name(), self.with(unsigned(self.ty)).name());
        let sign = if self.ty == Scalar::F32 { "0x80000000u" } else { "UINT64_C(0x8000000000000000)" };
        let before_half = if self.ty == Scalar::F32 { "0x3effffffu" } else { "UINT64_C(0x3fdfffffffffffff)" };
        Some(match op {
            "add" => "a + b".into(),
            "sub" => "a - b".into(),
            "mul" => "a * b".into(),
            "div" => "a / b".into(),
            "neg" => "-a".into(),
            "abs" => format!("({name})(({bits})a & {bits}_splat(~{sign}))"),
            "rsqrt" => format!("{name}_splat(1) / {name}_sqrt(a)"),
            "mul_add" if self.isa.has_fma() => format!("{name}_fma(a, b, c)"),
            "mul_add" => "a * b + c".into(),
            "min" | "max" => match self.intrinsic(op, "a, b") {
                Some(call) => call,
                None => {
                    let test = if op == "min" { "lt" } else { "gt" };
                    format!("{name}_select({name}_{test}(a, b), a, b)")
                }
            },
            "sqrt" => self.intrinsic("sqrt", "a")?,
            "fma" if self.isa.has_fma() => self.intrinsic("fmadd", "a, b, c")?,
            "floor" => self.rounding("a", 9)?,
            "ceil" => self.rounding("a", 10)?,
            "round" => self.rounding(
                &format!("a + ({name})((({bits})a & {bits}_splat({sign})) | {bits}_splat({before_half}))"),
                11,
            )?,
            _ => return None,
        })
    }

    pub(in crate::backend::c) fn intrinsic(self, op: &str, args: &str) -> Option<String> {
        let (prefix, ty) = self.register()?;
        let args: Vec<String> = args.split(", ").map(|arg| format!("({ty}){arg}")).collect();
        Some(format!("({}){prefix}_{op}_{}({})", self.name(), self.suffix(), args.join(", ")))
    }

    fn rounding(self, value: &str, mode: u32) -> Option<String> {
        let (prefix, ty) = self.register()?;
        if !self.isa.has_fma() {
            return None;
        }
        let function = if self.bytes() == 64 { "roundscale" } else { "round" };
        Some(format!("({}){prefix}_{function}_{}(({ty})({value}), {mode})", self.name(), self.suffix()))
    }

    pub(in crate::backend::c) fn suffix(self) -> &'static str {
        match self.ty {
            Scalar::F32 => "ps",
            Scalar::F64 => "pd",
            ty if ty.bytes() == 8 => "epi64",
            _ => "epi32",
        }
    }

    /// Prefix of the intrinsics, and Intel's name of the type.
    pub(in crate::backend::c) fn register(self) -> Option<(&'static str, String)> {
        let (prefix, bits) = match self.bytes() {
            16 => ("_mm", 128),
            32 => ("_mm256", 256),
            64 => ("_mm512", 512),
            _ => return None,
        };
        let kind = match self.ty {
            Scalar::F32 => "",
            Scalar::F64 => "d",
            _ => "i",
        };
        self.isa.is_x86().then(|| (prefix, format!("__m{bits}{kind}")))
    }

    /// Rust's conversion.
    fn conversion(self, op: &str) -> Option<String> {
        let (name, from) = (self.name(), self.source(op)?);
        let source = from.name();
        if from.ty == Scalar::Bool {
            return Some(format!("{name}_select(a, {name}_splat(1), {name}_splat(0))"));
        }
        // GCC would make it of halves.
        if let (Scalar::F32, Scalar::F64, 32 | 64, Some((prefix, _)), Some((_, register))) =
            (from.ty, self.ty, self.bytes(), self.register(), from.register())
        {
            return Some(format!("({name}){prefix}_cvtps_pd(({register})a)"));
        }
        if !from.ty.is_float() {
            return Some(self.from_integers(from.ty));
        }
        if self.ty.is_float() {
            return Some(format!("__builtin_convertvector(a, {name})"));
        }
        // Exact bounds only: the others saturate lane by lane.
        let exact = if from.ty == Scalar::F32 { 2 } else { 4 };
        if self.ty.bytes() > exact {
            return None;
        }
        let (low, high) = crate::expr::scalar::range(self.ty);
        let [low, high] =
            [low as f64, high as f64].map(|bound| WORDS.literal(Literal::Float(bound, from.ty)));
        let number = format!("{source}_select({source}_eq(a, a), a, {source}_splat(0))");
        let clamped =
            format!("{source}_min({source}_max({number}, {source}_splat({low})), {source}_splat({high}))");
        Some(format!("__builtin_convertvector({clamped}, {name})"))
    }

    /// The lanes of `a`, which are integers, converted. GCC finds instructions for lanes that are written out where it
    /// takes `__builtin_convertvector` apart; it knows none for narrow integers and floats.
    fn from_integers(self, from: Scalar) -> String {
        let lanes = self.listed(|lane| format!("a[{lane}]"));
        let i32s = self.with(Scalar::I32);
        match (from, self.ty) {
            (Scalar::I32, Scalar::F64) => lanes,
            (from, to) if to.is_integer() && from.bytes() != to.bytes() => lanes,
            (from, to) if to.is_float() && from.bytes() < 4 => {
                format!(
                    "{}_from_{}({}_from_{}(a))",
                    self.name(),
                    i32s.name(),
                    i32s.name(),
                    self.with(from).name()
                )
            }
            _ => format!("__builtin_convertvector(a, {})", self.name()),
        }
    }
}

fn bits(op: &str) -> Option<&'static str> {
    Some(match op {
        "and" => "a & b",
        "or" => "a | b",
        "xor" => "a ^ b",
        "not" => "~a",
        _ => return None,
    })
}
