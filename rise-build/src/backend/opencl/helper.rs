//! Functions that kernels call, written where they are used.
//!
//! In: a text. Out: the definitions of all helpers whose identifiers occur in it, each after those that it
//! needs itself. The form of an identifier says what it is: `size_min`, `i32_div`, `f32x4_min`.

use crate::backend::c_family::{self, naturals, short, unsigned};
use crate::expr::Literal;
use crate::loops::ValueType;
use crate::types::Scalar;

use super::types::{WORDS, mask, register, scalar};

/// The definitions in order.
pub fn definitions(text: &str) -> String {
    c_family::definitions(text, define)
}

fn define(ident: &str) -> Option<String> {
    if let Some(text) = naturals(ident, "static inline") {
        return Some(text);
    }
    let (head, op) = ident.split_once('_')?;
    let (scalar, lanes) = match head.split_once('x') {
        Some((scalar, lanes)) => (scalar, lanes.parse().ok()?),
        None => (head, 1),
    };
    let ty = ValueType { scalar: Scalar::from_name(scalar)?, lanes };
    let (params, body) = helper(ty, op)?;
    let params: Vec<String> = params.iter().map(|(ty, name)| format!("{} {name}", register(*ty))).collect();
    Some(format!("static inline {} {ident}({}) {{\n    {body}\n}}\n\n", register(ty), params.join(", ")))
}

type Helper = (Vec<(ValueType, &'static str)>, String);

/// Parameters and body of a function of scalars or vectors.
fn helper(ty: ValueType, op: &str) -> Option<Helper> {
    if let Some(from) = op.strip_prefix("from_") {
        let from = ValueType { scalar: Scalar::from_name(from.split('x').next()?)?, ..ty };
        return (from.scalar.is_float() && ty.scalar.is_integer())
            .then(|| (vec![(from, "a")], saturating(ty, from.scalar)));
    }
    let (one, two) = (vec![(ty, "a")], vec![(ty, "a"), (ty, "b")]);
    let three = vec![(ty, "a"), (ty, "b"), (ty, "c")];
    let (t, one_lane) = (short(ty), ty.lanes == 1);
    Some(match op {
        "min" => (two, format!("return {};", choose(ty, "a < b", "a", "b"))),
        "max" => (two, format!("return {};", choose(ty, "a > b", "a", "b"))),
        "rsqrt" => (one, format!("return {} / sqrt(a);", WORDS.literal(Literal::small(1, ty.scalar)))),
        // Fused where the hardware does it.
        "mul_add" if ty.scalar.is_float() => {
            let fast = if ty.scalar == Scalar::F32 { "FP_FAST_FMAF" } else { "FP_FAST_FMA" };
            (
                three,
                format!("\n#ifdef {fast}\n    return fma(a, b, c);\n#else\n    return a * b + c;\n#endif"),
            )
        }
        _ if !ty.scalar.is_integer() => return None,
        "mul_add" | "fma" => (three, format!("return {t}_add({t}_mul(a, b), c);")),
        "neg" => (one, format!("return {};", computed(ty, "-", None))),
        "not" => {
            (one, if one_lane { format!("return ({})~a;", scalar(ty.scalar)) } else { "return ~a;".into() })
        }
        "abs" if !ty.scalar.is_signed() => (one, "return a;".into()),
        "abs" => {
            let negative = format!("a < {}", splat(ty, "0"));
            (one, format!("return {};", choose(ty, &negative, &format!("{t}_neg(a)"), "a")))
        }
        "add" => (two, format!("return {};", computed(ty, "+", Some("b")))),
        "sub" => (two, format!("return {};", computed(ty, "-", Some("b")))),
        "mul" => (two, format!("return {};", computed(ty, "*", Some("b")))),
        "div" | "rem" => (two, division(ty, op)),
        "shl" => (two, format!("return {};", shifted(ty, unsigned(ty.scalar), "<<"))),
        "shr" => (two, format!("return {};", shifted(ty, ty.scalar, ">>"))),
        _ => return None,
    })
}

/// `condition ? then : otherwise`, lane by lane; the condition compares values of the type.
fn choose(ty: ValueType, condition: &str, then: &str, otherwise: &str) -> String {
    if ty.lanes == 1 {
        return format!("{condition} ? {then} : {otherwise}");
    }
    format!("select({otherwise}, {then}, {condition})")
}

/// A constant for each lane: a bare one is an `int`, which vectors of narrower lanes do not take.
fn splat(ty: ValueType, value: &str) -> String {
    if ty.lanes == 1 { value.to_owned() } else { format!("({})({value})", register(ty)) }
}

/// An operation that wraps, computed without a sign; narrow scalars are computed as `uint`.
fn computed(ty: ValueType, op: &str, right: Option<&str>) -> String {
    let wide = match (ty.lanes, ty.scalar.bytes()) {
        (1, 1 | 2 | 4) => Scalar::U32,
        (1, _) => Scalar::U64,
        _ => unsigned(ty.scalar),
    };
    let computed = register(ValueType { scalar: wide, ..ty });
    let cast =
        |x: &str| if ty.lanes == 1 { format!("({computed}){x}") } else { format!("as_{computed}({x})") };
    let result = match right {
        Some(right) => format!("{} {op} {}", cast("a"), cast(right)),
        None => format!("{} {op} {}", splat(ValueType { scalar: wide, ..ty }, "0"), cast("a")),
    };
    let own = register(ty);
    if ty.lanes == 1 { format!("({own})({result})") } else { format!("as_{own}({result})") }
}

/// Division that is defined everywhere.
fn division(ty: ValueType, op: &str) -> String {
    let (own, t, sign) = (register(ty), short(ty), if op == "div" { "/" } else { "%" });
    let zero = if op == "div" { "0" } else { "a" };
    let minus = if op == "div" { format!("{t}_neg(a)") } else { "0".into() };
    if ty.lanes == 1 {
        return match ty.scalar.is_signed() {
            true => format!("return b == 0 ? {zero} : b == -1 ? {minus} : ({own})(a {sign} b);"),
            false => format!("return b == 0 ? {zero} : ({own})(a {sign} b);"),
        };
    }
    let select =
        |other: &str, value: &str, mask: &str| format!("select(({own})({other}), ({own})({value}), {mask})");
    let (zeros, minuses) = (format!("b == {}", splat(ty, "0")), format!("b == {}", splat(ty, "-1")));
    if !ty.scalar.is_signed() {
        let quotient = format!("a {sign} {}", select("b", "1", &zeros));
        return format!("return {};", select(&quotient, zero, &zeros));
    }
    let quotient = format!("a {sign} {}", select("b", "1", &format!("{zeros} | {minuses}")));
    let signed = select(&quotient, &minus, &minuses);
    format!("return {};", select(&signed, zero, &zeros))
}

fn shifted(ty: ValueType, computed: Scalar, op: &str) -> String {
    let bits = ty.scalar.bytes() * 8 - 1;
    let (own, wide) = (register(ty), register(ValueType { scalar: computed, ..ty }));
    if ty.lanes == 1 {
        return format!("({own})(({wide})a {op} (b & {bits}))");
    }
    format!("as_{own}(as_{wide}(a) {op} as_{wide}(b & ({own})({bits})))")
}

/// Rust's conversion of a float: to the nearest value there is, and 0 for what is no number.
fn saturating(ty: ValueType, from: Scalar) -> String {
    let own = register(ty);
    if ty.lanes == 1 {
        return format!("return a != a ? 0 : convert_{own}_sat_rtz(a);");
    }
    let lanes = ty.lanes;
    let unordered = match from.bytes() == ty.scalar.bytes() {
        true => "a != a".to_owned(),
        false => format!("convert_{}{lanes}(a != a)", mask(ty.scalar)),
    };
    format!("return select(convert_{own}_sat_rtz(a), ({own})(0), {unordered});")
}
