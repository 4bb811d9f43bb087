//! Elementary functions, of scalars and of vectors that a register holds.
//!
//! The formulas are what the runtime's functions do, written down by a test of it: so C gives the bits of Rust, and
//! those of a vector are those of a scalar. What large angles take beyond is in `angles.c`.

use std::collections::BTreeMap;

use crate::expr::Literal;
use crate::types::Scalar;

use super::helper::apply;
use super::isa::Isa;
use super::types::{WORDS, scalar};
use super::vector::Vector;

/// A paragraph for each function of each type: a line with its name, type and parameters, then a line for each step.
const FORMULAS: &str = include_str!("formulas.in");

/// What large angles take, of scalars.
const ANGLES: &str = include_str!("angles.c");

/// Angles from here on are large, as in `angles.c`.
const LARGE: &str = "1048576.0";

/// A function in steps.
#[derive(Clone, Copy)]
pub(super) struct Formula {
    ty: &'static str,
    params: &'static str,
    steps: &'static str,
}

/// The formula of an operation.
pub(super) fn formula(ty: Scalar, op: &str) -> Option<Formula> {
    let known = matches!(op, "exp" | "ln" | "sin" | "cos" | "tan" | "tanh" | "pow" | "scaled");
    if !known || !ty.is_float() {
        return None;
    }
    FORMULAS.split("\n\n").find_map(|paragraph| {
        let (head, steps) = paragraph.split_once('\n')?;
        let params = head.strip_prefix(op)?.strip_prefix(' ')?.strip_prefix(ty.name())?.trim();
        Some(Formula { ty: ty.name(), params, steps })
    })
}

/// A function of scalars that only formulas use: its definition with its name.
pub(super) fn scalar_definition(ident: &str) -> Option<String> {
    Some(match ident {
        "u32_bits" => reinterpreted("uint32_t", ident, "float"),
        "u64_bits" => reinterpreted("uint64_t", ident, "double"),
        "f32_bits" => reinterpreted("float", ident, "uint32_t"),
        "f64_bits" => reinterpreted("double", ident, "uint64_t"),
        "f64_turns" => format!("{ANGLES}\n"),
        "f64_large_angles" => {
            format!(
                "RISE_INLINE void f64_large_angles(double a, uint64_t *n, double *y, double *z) {{\n    \
                 if (fabs(a) >= {LARGE}) {{\n        f64_turns(1, &a, n, y, z);\n    }}\n}}\n\n"
            )
        }
        _ => return None,
    })
}

fn reinterpreted(to: &str, ident: &str, from: &str) -> String {
    format!(
        "RISE_INLINE {to} {ident}({from} a) {{\n    {to} bits;\n    memcpy(&bits, &a, sizeof bits);\n    return bits;\n}}\n\n"
    )
}

/// How the steps of a formula are written.
trait Writer {
    /// The type of `f32`, `u64`, `m32` …
    fn ty(&self, ty: &str) -> String;
    fn constant(&self, value: Literal) -> String;
    /// `of` is the type of the first operand.
    fn value(&self, ty: &str, op: &str, of: &str, args: &[&str]) -> String;
    fn large_angles(&self) -> String;
}

impl Formula {
    /// Whether it computes with numbers of this type.
    pub(super) fn mentions(self, ty: Scalar) -> bool {
        self.steps.lines().any(|line| line.trim_start().starts_with(ty.name()))
    }

    /// Names of the parameters.
    pub(super) fn params(self) -> impl Iterator<Item = &'static str> {
        self.params.split(' ')
    }

    /// The body of the function of scalars.
    pub(super) fn of_scalars(self, isa: Isa) -> String {
        self.body(&Scalars { isa })
    }

    fn body(self, writer: &impl Writer) -> String {
        let mut body = String::new();
        let words = |line: &'static str| line.split(' ').filter(|word| !word.is_empty());
        for param in
            self.params().filter(|param| !self.steps.lines().flat_map(words).any(|word| word == *param))
        {
            body.push_str(&format!("    (void){param};\n"));
        }
        let mut types: BTreeMap<&str, &str> = self.params().map(|param| (param, self.ty)).collect();
        for line in self.steps.lines() {
            let (place, step) = line.trim_start().split_once(" = ").unwrap_or(("", line));
            let mut step = words(step);
            let op = step.next().unwrap_or_default();
            let first = step.clone().next().unwrap_or_default();
            let of =
                types.get(first).copied().or(first.split_once('_').map(|(_, ty)| ty)).unwrap_or_default();
            let args: Vec<String> = step.map(|arg| argument(arg, writer)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let (ty, name) = place.split_once(' ').unwrap_or_default();
            types.insert(name, ty);
            body.push_str(&match op {
                "return" => format!("    return {};\n", args.concat()),
                "copy" => format!("    {} {name} = {};\n", writer.ty(ty), args.concat()),
                "large_angles" => {
                    format!("    {}({}, &{});\n", writer.large_angles(), args[0], args[1..].join(", &"))
                }
                _ => format!("    const {} {name} = {};\n", writer.ty(ty), writer.value(ty, op, of, &args)),
            });
        }
        body
    }
}

/// A name as it is, or a constant like `1.5_f32`.
fn argument(arg: &str, writer: &impl Writer) -> String {
    let Some((number, ty)) = arg.split_once('_') else { return arg.to_owned() };
    let Some(ty) = Scalar::from_name(ty) else { return arg.to_owned() };
    writer.constant(match (number.parse(), number.parse()) {
        (Ok(value), _) if ty.is_integer() => Literal::Int(value, ty),
        (_, Ok(value)) => Literal::Float(value, ty),
        _ => Literal::Float(f64::NAN, ty),
    })
}

/// Truth values are `bool`.
struct Scalars {
    isa: Isa,
}

/// The type of numbers, or `bool`.
fn named(ty: &str) -> Scalar {
    Scalar::from_name(ty).unwrap_or(Scalar::Bool)
}

impl Writer for Scalars {
    fn ty(&self, ty: &str) -> String {
        scalar(named(ty)).to_owned()
    }

    fn constant(&self, value: Literal) -> String {
        WORDS.literal(value)
    }

    fn value(&self, ty: &str, op: &str, _: &str, args: &[&str]) -> String {
        match op {
            "cast" => format!("({}){}", self.ty(ty), args.concat()),
            _ => apply(named(ty), op, args, self.isa),
        }
    }

    fn large_angles(&self) -> String {
        "f64_large_angles".to_owned()
    }
}

impl Vector {
    /// The vector of `f32`, `u64` …, and for truth values of integers as wide.
    fn of(self, ty: &str) -> Self {
        self.with(match ty {
            "m32" => Scalar::I32,
            "m64" => Scalar::I64,
            _ => named(ty),
        })
    }

    /// Whether a register holds each vector of the formula.
    pub(super) fn holds(self, formula: Formula) -> bool {
        let is_held = |ty| !formula.mentions(ty) || self.with(ty).is_native();
        self.is_native() && is_held(Scalar::F64)
    }

    /// The body of an elementary function: an instruction, or the formula.
    pub(super) fn elementary(self, op: &str, formula: Formula) -> String {
        match self.intrinsic("scalef", "a, b").filter(|_| op == "scaled" && self.isa == Isa::Avx512) {
            Some(value) => format!("    (void)c;\n    return {value};\n"),
            None => formula.body(&self),
        }
    }

    /// The definition of `large_angles`.
    pub(super) fn large_angles(self) -> String {
        let (lanes, name, n) = (self.lanes, self.name(), self.of("u64"));
        let (mut before, mut after) = (String::new(), String::new());
        for (ty, array, vector) in [
            ("double", "as", "a"),
            ("uint64_t", "ns", "(*n)"),
            ("double", "ys", "(*y)"),
            ("double", "zs", "(*z)"),
        ] {
            let values: Vec<String> = (0..lanes).map(|lane| format!("{vector}[{lane}]")).collect();
            before.push_str(&format!("        {ty} {array}[{lanes}] = {{{}}};\n", values.join(", ")));
        }
        for (place, vector) in [("n", n), ("y", self), ("z", self)] {
            let values = vector.listed(|lane| format!("{place}s[{lane}]"));
            after.push_str(&format!("        *{place} = {values};\n"));
        }
        let large = self.compared("ge", [&format!("{name}_abs(a)"), &format!("{name}_splat({LARGE})")]);
        let any = match self.truth() {
            truth if truth.starts_with("__") => large.unwrap_or_default(),
            truth => format!("{truth}_fold_or({})", large.unwrap_or_default()),
        };
        let body = format!(
            "    if ({any} != 0) {{\n{before}        f64_turns({lanes}, as, ns, ys, zs);\n{after}    }}\n"
        );
        let n = n.name();
        self.inline("void", "large_angles", &format!("{name} a, {n} *n, {name} *y, {name} *z"), &body)
    }
}

impl Writer for Vector {
    fn ty(&self, ty: &str) -> String {
        if ty.starts_with('m') { self.of(ty).truth() } else { self.of(ty).name() }
    }

    fn constant(&self, value: Literal) -> String {
        let ty = if let Literal::Int(_, ty) | Literal::Float(_, ty) = value { ty } else { self.ty };
        format!("{}_splat({})", self.with(ty).name(), WORDS.literal(value))
    }

    fn value(&self, ty: &str, op: &str, of: &str, args: &[&str]) -> String {
        let name = self.ty(ty);
        let symbol = match (op, args) {
            ("select", [m, a, b]) => return self.of(ty).chosen([m, a, b]),
            ("cast", [a]) => return format!("{name}_from_{}({a})", self.of(of).name()),
            (_, [a, b]) if of != ty => return self.of(of).compared(op, [a, b]).unwrap_or_default(),
            _ if ty.starts_with('m') => return self.of(ty).joined_truths(op, args).unwrap_or_default(),
            ("bits", [a]) => return format!("({name}){a}"),
            ("neg", [a]) => return format!("-{a}"),
            ("add", _) => "+",
            ("sub", _) => "-",
            ("mul", _) => "*",
            ("div", _) => "/",
            ("and", _) => "&",
            ("or", _) => "|",
            ("xor", _) => "^",
            ("shl", _) => "<<",
            ("shr", _) => ">>",
            _ => return format!("{name}_{op}({})", args.join(", ")),
        };
        args.join(&format!(" {symbol} "))
    }

    fn large_angles(&self) -> String {
        format!("{}_large_angles", self.of("f64").name())
    }
}
