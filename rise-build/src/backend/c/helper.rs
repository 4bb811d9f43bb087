//! Functions that generated C calls, written where they are used.
//!
//! In: a text. Out: the definitions of all helpers whose identifiers occur in it, each after those that it
//! needs itself. The form of an identifier says what it is: `size_min`, `i32_div`, `f32x16_add`.

use crate::backend::c_family::{self, naturals};
use crate::expr::Literal;
use crate::types::Scalar;

use super::formula::{formula, scalar_definition};
use super::isa::Isa;
use super::types::{WORDS, scalar};
use super::vector;

/// The definitions in order.
pub fn definitions(text: &str, isa: Isa) -> String {
    c_family::definitions(text, |ident| define(ident, isa))
}

fn define(ident: &str, isa: Isa) -> Option<String> {
    let plain = naturals(ident, "RISE_INLINE").or_else(|| Some(format!("{}\n", own(ident)?)));
    if let Some(text) = plain.or_else(|| scalar_definition(ident)) {
        return Some(text);
    }
    let (head, op) = ident.split_once('_').unwrap_or((ident, ""));
    match head.split_once('x') {
        Some((ty, lanes)) => vector::define(Scalar::from_name(ty)?, lanes.parse().ok()?, op, isa),
        None => {
            let ty = Scalar::from_name(head)?;
            let (params, body) = match formula(ty, op) {
                Some(formula) => {
                    let params: Vec<_> =
                        formula.params().map(|param| format!("{} {param}", scalar(ty))).collect();
                    (params.join(", "), formula.of_scalars(isa))
                }
                None => scalar_helper(ty, op).map(|(params, body)| (params, format!("    {body}\n")))?,
            };
            Some(format!("RISE_INLINE {} {ident}({params}) {{\n{body}}}\n\n", scalar(ty)))
        }
    }
}

/// What C alone needs.
fn own(ident: &str) -> Option<&'static str> {
    Some(match ident {
        "RISE_INLINE" => "#define RISE_INLINE static inline __attribute__((always_inline))\n",
        // Only GCC makes vectors of what is added one by one.
        "RISE_IN_ORDER" => {
            "#if defined(__GNUC__) && !defined(__clang__)\n\
             #define RISE_IN_ORDER(x) __asm__(\"\" : \"+x\"(x))\n\
             #else\n#define RISE_IN_ORDER(x) ((void)0)\n#endif\n"
        }
        // No compiler makes vectors of what it cannot read, though nothing is there.
        "RISE_ONE_BY_ONE" => {
            "#if defined(__GNUC__)\n#define RISE_ONE_BY_ONE __asm__(\"\")\n\
             #else\n#define RISE_ONE_BY_ONE ((void)0)\n#endif\n"
        }
        "size_to_line" => {
            "// elements up to where vectors lie in one line of the cache\n\
             RISE_INLINE size_t size_to_line(const void *at, size_t size, size_t lanes, size_t count) {\n    \
             const size_t beyond = (size_t)((uintptr_t)at % (lanes * size)) / size;\n    \
             return count < 16 * lanes ? 0 : (lanes - beyond) % lanes;\n}\n"
        }
        "size_place" => {
            "// Where so many elements lie after `at` bytes; too much makes `at` the greatest size.\n\
             RISE_INLINE size_t size_place(size_t *at, size_t count, size_t element) {\n    \
             const size_t place = *at;\n    \
             const size_t most = (SIZE_MAX - 63) / 2;\n    \
             if (place > most || count > (most - place) / element) {\n        *at = SIZE_MAX;\n    \
             } else {\n        *at = (place + count * element + 63) / 64 * 64;\n    }\n    return place;\n}\n"
        }
        "size_align" => {
            "// The first multiple of 64 in memory that has 63 bytes to spare.\n\
             RISE_INLINE unsigned char *size_align(void *memory) {\n    \
             return (unsigned char *)(((uintptr_t)memory + 63) / 64 * 64);\n}\n"
        }
        _ => return None,
    })
}

/// Parameters and body of a function of scalars.
fn scalar_helper(ty: Scalar, op: &str) -> Option<(String, String)> {
    if let Some(from) = op.strip_prefix("from_") {
        let from = Scalar::from_name(from)?;
        return (from.is_float() && ty.is_integer()).then(|| saturating(ty, from));
    }
    let (t, bits) = (scalar(ty), ty.bytes() * 8);
    let wide = if bits == 64 { "uint64_t" } else { "uint32_t" };
    let one = || format!("{t} a");
    let two = || format!("{t} a, {t} b");
    let body = match op {
        "min" => return Some((two(), "return a < b ? a : b;".into())),
        "max" => return Some((two(), "return a > b ? a : b;".into())),
        "rsqrt" => return Some((one(), format!("return {};", reciprocal_root(ty)))),
        _ if !ty.is_integer() => return None,
        "neg" => return Some((one(), format!("return ({t})(0 - ({wide})a);"))),
        "add" | "sub" | "mul" if ty.is_signed() => return Some((two(), wrapping(op, t, wide))),
        "abs" if ty.is_signed() => return Some((one(), format!("return a < 0 ? ({t})(0 - ({wide})a) : a;"))),
        "abs" => return Some((one(), "return a;".into())),
        "not" => return Some((one(), format!("return ({t})~a;"))),
        "add" => format!("return ({t})(({wide})a + ({wide})b);"),
        "sub" => format!("return ({t})(({wide})a - ({wide})b);"),
        "mul" => format!("return ({t})(({wide})a * ({wide})b);"),
        "div" if ty.is_signed() => {
            format!("return b == 0 ? 0 : b == -1 ? ({t})(0 - ({wide})a) : ({t})(a / b);")
        }
        "div" => format!("return b == 0 ? 0 : ({t})(a / b);"),
        "rem" if ty.is_signed() => format!("return b == 0 ? a : b == -1 ? 0 : ({t})(a % b);"),
        "rem" => format!("return b == 0 ? a : ({t})(a % b);"),
        "shl" => format!("return ({t})(({wide})a << (({wide})b & {}));", bits - 1),
        "shr" => format!("return ({t})(a >> (({wide})b & {}));", bits - 1),
        _ => return None,
    };
    Some((two(), body))
}

/// `a + b` and the like of signed numbers, which wrap: where the compiler is told so (`-fwrapv`) without conversions, of
/// which gcc 12 loses some when it adds or multiplies several sums at once in vectors.
fn wrapping(op: &str, ty: &str, wide: &str) -> String {
    let symbol = match op {
        "add" => '+',
        "sub" => '-',
        _ => '*',
    };
    format!(
        "#if defined(__GNUC__)\n    return ({ty})(a {symbol} b);\n#else\n    \
         return ({ty})(({wide})a {symbol} ({wide})b);\n#endif"
    )
}

fn reciprocal_root(ty: Scalar) -> &'static str {
    if ty == Scalar::F32 { "1.0f / sqrtf(a)" } else { "1.0 / sqrt(a)" }
}

/// Rust's conversion of a float: to the nearest value there is, and 0 for what is no number. Floats are chosen before
/// the conversion, so that there is no branch around it. What is nearer to 0 than 1 is made 0 first: gcc takes a
/// conversion there and back for a truncation, which keeps the sign of -0.5.
fn saturating(ty: Scalar, from: Scalar) -> (String, String) {
    let (low, high) = crate::expr::scalar::range(ty);
    let beyond = (high + 1) as f64;
    // The greatest float that has a value; where that is not the greatest value, floats beyond it are told apart.
    let (last, is_exact) = match from {
        Scalar::F32 => last_below(f64::from((beyond as f32).next_down()), high),
        _ => last_below(beyond.next_down(), high),
    };
    let float = |value| WORDS.literal(Literal::Float(value, from));
    let (f, t) = (scalar(from), scalar(ty));
    let mut body = match low < 0 {
        true => format!(
            "{f} b = a <= {} || a >= {} ? a : {}; b = b > {least} ? b : {least};",
            float(-1.0),
            float(1.0),
            float(0.0),
            least = float(low as f64)
        ),
        false => format!("{f} b = a >= {} ? a : {};", float(1.0), float(0.0)),
    };
    body.push_str(&format!(" b = b < {last} ? b : {last};", last = float(last)));
    body.push_str(&match is_exact {
        true => format!(" return ({t})b;"),
        false => {
            format!(" return a >= {} ? {} : ({t})b;", float(beyond), WORDS.literal(Literal::Int(high, ty)))
        }
    });
    (format!("{f} a"), body)
}

/// The greatest value if it is a float, and otherwise the float below; and which it is.
fn last_below(below: f64, greatest: i128) -> (f64, bool) {
    if below as i128 >= greatest { (greatest as f64, true) } else { (below, false) }
}

/// An operation on scalars that are identifiers, as an expression of the tightest kind.
pub fn apply(ty: Scalar, op: &str, args: &[&str], isa: Isa) -> String {
    let [a, b, c] = [0, 1, 2].map(|at| args.get(at).copied().unwrap_or_default());
    match op {
        "eq" => return format!("({a} == {b})"),
        "ne" => return format!("({a} != {b})"),
        "lt" => return format!("({a} < {b})"),
        "le" => return format!("({a} <= {b})"),
        "gt" => return format!("({a} > {b})"),
        "ge" => return format!("({a} >= {b})"),
        "select" => return format!("({a} ? {b} : {c})"),
        "splat" => return a.to_owned(),
        _ => {}
    }
    match (ty, op) {
        (Scalar::Bool, "and") => format!("({a} && {b})"),
        (Scalar::Bool, "or") => format!("({a} || {b})"),
        (Scalar::Bool, "xor") => format!("({a} != {b})"),
        (Scalar::Bool, "not") => format!("(!{a})"),
        (Scalar::F32 | Scalar::F64, "add") => format!("({a} + {b})"),
        (Scalar::F32 | Scalar::F64, "sub") => format!("({a} - {b})"),
        (Scalar::F32 | Scalar::F64, "mul") => format!("({a} * {b})"),
        (Scalar::F32 | Scalar::F64, "div") => format!("({a} / {b})"),
        (Scalar::F32 | Scalar::F64, "neg") => format!("(-{a})"),
        (Scalar::F32 | Scalar::F64, "mul_add") if !isa.has_fma() => format!("({a} * {b} + {c})"),
        (Scalar::F32 | Scalar::F64, _) => match library(ty, op) {
            Some(function) => format!("{function}({})", args.join(", ")),
            None => format!("{ty}_{op}({})", args.join(", ")),
        },
        (_, "and") => format!("({})({a} & {b})", scalar(ty)),
        (_, "or") => format!("({})({a} | {b})", scalar(ty)),
        (_, "xor") => format!("({})({a} ^ {b})", scalar(ty)),
        (_, "mul_add" | "fma") => format!("{ty}_add({ty}_mul({a}, {b}), {c})"),
        _ => format!("{ty}_{op}({})", args.join(", ")),
    }
}

/// The function of C's library.
pub fn library(ty: Scalar, op: &str) -> Option<String> {
    let name = match op {
        "abs" => "fabs",
        "rem" => "fmod",
        "mul_add" => "fma",
        "sqrt" | "floor" | "ceil" | "round" | "fma" => op,
        _ => return None,
    };
    Some(if ty == Scalar::F32 { format!("{name}f") } else { name.to_owned() })
}
