//! Elementary functions, of scalars and of vectors that a register holds.
//!
//! The formulas are what the runtime's functions do, written down by a test of it: so C gives the bits of Rust, and
//! those of a vector are those of a scalar. What large angles take beyond is in `angles.c`.

use crate::expr::Literal;
use crate::types::Scalar;

use super::helper::apply;
use super::isa::Isa;
use super::types::{literal, scalar};
use super::vector::{Vector, signed};

/// A paragraph for each function of each type: a line with its name, type and parameters, then a line for each step.
const FORMULAS: &str = include_str!("formulas.in");

/// What large angles take, of scalars.
const ANGLES: &str = include_str!("angles.c");

/// A function in steps.
#[derive(Clone, Copy)]
pub(super) struct Formula {
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
        Some(Formula { params, steps })
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
            "RISE_INLINE void f64_large_angles(double a, uint64_t *n, double *y, double *z) {\n    \
             if (fabs(a) >= 1048576.0) {\n        f64_turns(1, &a, n, y, z);\n    }\n}\n\n"
                .to_owned()
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
    fn value(&self, ty: &str, op: &str, args: &[&str]) -> String;
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
        for line in self.steps.lines() {
            let (place, step) = line.trim_start().split_once(" = ").unwrap_or(("", line));
            let mut step = words(step);
            let op = step.next().unwrap_or_default();
            let args: Vec<String> = step.map(|arg| argument(arg, writer)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let (ty, name) = place.split_once(' ').unwrap_or_default();
            body.push_str(&match op {
                "return" => format!("    return {};\n", args.concat()),
                "copy" => format!("    {} {name} = {};\n", writer.ty(ty), args.concat()),
                "large_angles" => {
                    format!("    {}({}, &{});\n", writer.large_angles(), args[0], args[1..].join(", &"))
                }
                _ => format!("    const {} {name} = {};\n", writer.ty(ty), writer.value(ty, op, &args)),
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
        literal(value)
    }

    fn value(&self, ty: &str, op: &str, args: &[&str]) -> String {
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
    /// The vector of `f32`, `u64` …, and for truth values of integers that are all ones or all zeros: other than masks
    /// elsewhere as wide as what is compared.
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
        let (lanes, n, name) = (self.lanes, self.of("u64").name(), self.name());
        let large = self.of("m64").name();
        let (mut arrays, mut back) = (String::new(), String::new());
        for (ty, local, from) in
            [("double", "as", "&a"), ("uint64_t", "ns", "n"), ("double", "ys", "y"), ("double", "zs", "z")]
        {
            arrays.push_str(&format!(
                "        {ty} {local}[{lanes}];\n        memcpy({local}, {from}, sizeof {local});\n"
            ));
            if !from.starts_with('&') {
                back.push_str(&format!("        memcpy({from}, {local}, sizeof {local});\n"));
            }
        }
        let body = format!(
            "    const {large} large = ({large})({name}_abs(a) >= {name}_splat(1048576.0));\n    \
             if ({large}_fold_or(large) != 0) {{\n{arrays}        f64_turns({lanes}, as, ns, ys, zs);\n{back}    }}\n"
        );
        self.inline("void", "large_angles", &format!("{name} a, {n} *n, {name} *y, {name} *z"), &body)
    }
}

impl Writer for Vector {
    fn ty(&self, ty: &str) -> String {
        self.of(ty).name()
    }

    fn constant(&self, value: Literal) -> String {
        let ty = if let Literal::Int(_, ty) | Literal::Float(_, ty) = value { ty } else { self.ty };
        format!("{}_splat({})", self.with(ty).name(), literal(value))
    }

    fn value(&self, ty: &str, op: &str, args: &[&str]) -> String {
        let (vector, name) = (self.of(ty), self.ty(ty));
        let symbol = match op {
            "add" => "+",
            "sub" => "-",
            "mul" => "*",
            "div" => "/",
            "and" => "&",
            "or" => "|",
            "xor" => "^",
            "shl" => "<<",
            "shr" => ">>",
            "eq" => "==",
            "ne" => "!=",
            "lt" => "<",
            "le" => "<=",
            "gt" => ">",
            "ge" => ">=",
            _ => "",
        };
        match (op, args) {
            ("neg", [a]) => format!("-{a}"),
            ("not", [a]) => format!("~{a}"),
            ("bits", [a]) => format!("({name}){a}"),
            ("cast", [a]) => format!("__builtin_convertvector({a}, {name})"),
            ("select", [m, a, b]) => {
                let bits = vector.with(signed(vector.ty)).name();
                format!("({name})(({m} & ({bits}){a}) | (~{m} & ({bits}){b}))")
            }
            (_, [a, b]) if ty.starts_with('m') => format!("({name})({a} {symbol} {b})"),
            (_, [a, b]) if !symbol.is_empty() => format!("{a} {symbol} {b}"),
            _ => format!("{name}_{op}({})", args.join(", ")),
        }
    }

    fn large_angles(&self) -> String {
        format!("{}_large_angles", self.of("f64").name())
    }
}
