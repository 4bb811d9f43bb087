//! Names of Rust and of other languages that RISE does not have, and what to write in their place.

/// What RISE calls the same pattern or function.
pub(super) fn ours(name: &str) -> Option<&'static str> {
    OURS.iter().find(|(foreign, _)| *foreign == name).map(|(_, ours)| *ours)
}

/// What to do where RISE has no such function.
pub(super) fn instead(name: &str) -> Option<String> {
    if let Some((_, usage)) = STRATEGIES.iter().find(|(strategy, _)| *strategy == name) {
        return Some(format!(
            "it is a strategy, which says how a labelled pattern is computed: `compile f to rust with {usage} ; lower;`"
        ));
    }
    INSTEAD.iter().find(|(absent, _)| *absent == name).map(|(_, instead)| (*instead).to_owned())
}

const OURS: &[(&str, &str)] = &[
    ("scanl", "scan"),
    ("scanInclusive", "scan"),
    ("accumulate", "scan"),
    ("chunks", "split"),
    ("windows", "slide"),
    ("flatten", "join"),
    ("skip", "drop"),
    ("head", "first"),
    ("par_map", "mapPar"),
    ("for_each", "map"),
    ("forEach", "map"),
    ("rev", "reverse"),
    ("flip", "reverse"),
    ("concatenate", "concat"),
    ("append", "concat"),
    ("hstack", "concat"),
    ("tabulate", "generate"),
    ("range", "generate"),
    ("log", "ln"),
    ("powf", "pow"),
    ("powi", "pow"),
    ("makeArray", "[a, b]"),
    ("fabs", "abs"),
    ("INFINITY", "f32::INFINITY"),
    ("NEG_INFINITY", "f32::NEG_INFINITY"),
    ("EPSILON", "f32::EPSILON"),
    ("MAX", "f32::MAX"),
    ("MIN", "f32::MIN"),
    ("inf", "f32::INFINITY"),
    ("infinity", "f32::INFINITY"),
];

const ZIPPED: &str = "zip the arrays: `zip(x, y) |> map(|(a, b)| a + b)`";
const CHOSEN: &str = "choose for each element: `zip(a, b) |> map(|(a, b)| if a > b { a } else { b })`";
const RESHAPED: &str = "`split(m)` makes rows of m elements, and `join` puts rows one behind the other";
const FOLDED_WITH_INDEX: &str = "fold pairs of a value and its index: `zip(x, generate(|i| i)) |> reduce(…)`";
const INDICES: &str = "the indices of an array are `generate(|i| i)`";
const WITH_INDICES: &str = "zip the indices: `zip(generate(|i| i), x) |> map(|(i, v)| …)`";
const COUNTED: &str =
    "write `k |> reduceSeq(|h, k| h |> update(|c| c + 1, k), generate(|j| 0))` of indices `k`";
const ADDED: &str =
    "write `zip(k, w) |> reduceSeq(|h, (k, w)| h |> update(|s| s + w, k), generate(|j| 0.0))`";
const REPLACED: &str = "an array with another element at `k` is `x |> update(|old| v, k)`";
const SMALLEST: &str = "write `x |> reduce(min, f32::INFINITY)`";
const LARGEST: &str = "write `x |> reduce(max, f32::NEG_INFINITY)`";
const FOLDED: &str = "the function stands first: `x |> reduce(add, 0.0)`; into a value of another type than the elements, such as pairs, `zip(x, y) |> reduceSeq(|s, (a, b)| s + a * b, 0.0)`";
const ROLLED: &str = "write `concat(drop(1, x), take(1, x))`";
const BORDER: &str = "`padCst(1, 1, 0.0)` adds a number before and behind the array, `padClamp(1, 1)` its first and its last element again";
const MEAN: &str = "write `sum(x) / (n as f32)`";
const SORTED: &str =
    "no pattern sorts: take the order of the elements as a parameter `[Idx[n]; n]`, for `gather`";
const FLATTENED: &str = "write `x |> map(|v| [v, v]) |> join`, with as many of each";
const UNIT: &str = "write `generate(|i| generate(|j| if i == j { 1.0 } else { 0.0 }))`";
const CHANCE: &str = "kernels compute from their arguments alone: random numbers are a parameter";
const CIRCLE: &str = "write the number: `3.14159265358979`";
const LENGTH: &str =
    "the length is the natural in the array's type: declare it as `<n: Nat>` and write `n`, or `n as f32`";
const A_VALUE: &str = "arrays are values: leave it out";
const PLAIN: &str = "functions are called by their names alone, `sum(x)`";
const NOT_A_NUMBER: &str = "write `v != v`, which holds of NaN alone";
const A_NAN: &str = "write `f32::NAN` or `f64::NAN`; that `v` is one, and nothing else, is said by `v != v`";
const SIGN: &str = "write `if v > 0.0 { 1.0 } else { if v < 0.0 { -1.0 } else { 0.0 } }`";
const WRAPPED: &str = "integers wrap: write `x + y`, `x - y` or `x * y`";
const ROTATED: &str = "write `shl(x, k) | shr(x, 32 - k)`, here of 32 bits";
const SATURATED: &str = "write `min((x as i32) + (y as i32), 255) as u8`, here of bytes";
const BITS: &str = "declare `fn ones(v: u32) -> u32 { let a = v - (shr(v, 1) & 0x55555555); let b = (a & 0x33333333) + (shr(a, 2) & 0x33333333); shr((b + shr(b, 4) & 0x0f0f0f0f) * 0x01010101, 24) }`, here of 32 bits, or take that of Rust: `extern fn ones(v: u64) -> u32 = u64::count_ones;`";
const OTHER_FUNCTION: &str = "there are `exp`, `ln`, `sin`, `cos`, `tan`, `tanh`, `sqrt` and `pow`; what else there is in Rust is declared as an external function";
const NO_OPTION: &str = "leave it out: RISE has no `Option` and no `Result`";

const INSTEAD: &[(&str, &str)] = &[
    ("np", PLAIN),
    ("numpy", PLAIN),
    ("jnp", PLAIN),
    ("torch", PLAIN),
    ("fold", FOLDED),
    ("foldl", FOLDED),
    ("len", LENGTH),
    ("length", LENGTH),
    ("size", LENGTH),
    ("shape", LENGTH),
    ("T", "write `transpose(a)`"),
    ("t", "write `transpose(a)`"),
    ("last", "write `x[n - 1]`"),
    ("iter", A_VALUE),
    ("into_iter", A_VALUE),
    ("par_iter", A_VALUE),
    ("collect", A_VALUE),
    ("to_vec", A_VALUE),
    ("clone", A_VALUE),
    ("copied", A_VALUE),
    ("cloned", A_VALUE),
    ("unwrap", NO_OPTION),
    ("expect", NO_OPTION),
    ("astype", "write `x as f32`, or `map(|v| v as f32)` of an array"),
    (
        "filter",
        "lengths are part of types: keep all elements, and give those that do not count a neutral value by `if`",
    ),
    ("sort", SORTED),
    ("median", SORTED),
    ("clamp", "write `min(max(x, low), high)`"),
    ("minimum", SMALLEST),
    ("amin", SMALLEST),
    ("maximum", LARGEST),
    ("amax", LARGEST),
    ("norm", "write `sqrt(dot(x, x))`"),
    ("any", "write `x |> map(|v| v > 0.0) |> reduce(or, false)`"),
    ("all", "write `x |> map(|v| v > 0.0) |> reduce(and, true)`"),
    ("count", "write `x |> map(|v| if v > 0.0 { 1 } else { 0 }) |> sum`"),
    ("pad", BORDER),
    ("roll", ROLLED),
    ("shift", ROLLED),
    ("rotate", ROLLED),
    ("tail", "write `drop(1, x)`"),
    ("flat_map", FLATTENED),
    ("flatMap", FLATTENED),
    ("diff", "write `x |> slide(2, 1) |> map(|w| w[1] - w[0])`"),
    ("fft", "no pattern is a Fourier transform: compute it beside the kernel, which takes its result"),
    ("eye", UNIT),
    ("identity", UNIT),
    ("random", CHANCE),
    ("rand", CHANCE),
    ("trunc", "write `if v < 0.0 { ceil(v) } else { floor(v) }`"),
    ("cbrt", "write `pow(v, 1.0 / 3.0)` of what is not negative"),
    ("square", "write `v * v`"),
    ("lerp", "write `low + (high - low) * v`"),
    ("abs_diff", "write `max(x, y) - min(x, y)`"),
    ("outer", "write `x |> map(|u| y |> map(|v| u * v))`"),
    ("convolve", "write `x |> slide(3, 1) |> map(|w| dot(w, [0.25, 0.5, 0.25]))`"),
    ("linspace", "write `generate(|i| low + (high - low) * (i as f32) / ((n as f32) - 1.0))`"),
    ("log2", "write `ln(v) / ln(2.0)`"),
    ("log10", "write `ln(v) / ln(10.0)`"),
    ("exp2", "write `pow(2.0, v)`"),
    ("exp_m1", "write `exp(v) - 1.0`"),
    ("expm1", "write `exp(v) - 1.0`"),
    ("ln_1p", "write `ln(1.0 + v)`"),
    ("log1p", "write `ln(1.0 + v)`"),
    ("recip", "write `1.0 / v`"),
    ("fract", "write `v - floor(v)`, which is not below 0"),
    ("signum", SIGN),
    ("sign", SIGN),
    ("mean", MEAN),
    ("average", MEAN),
    ("var", "with `let m = sum(x) / (n as f32);` write `sum(map(|v| (v - m) * (v - m), x)) / (n as f32)`"),
    (
        "std",
        "with `let m = sum(x) / (n as f32);` write `sqrt(sum(map(|v| (v - m) * (v - m), x)) / (n as f32))`",
    ),
    ("argmax", FOLDED_WITH_INDEX),
    ("argmin", FOLDED_WITH_INDEX),
    ("histogram", COUNTED),
    ("bincount", COUNTED),
    ("scatter_add", ADDED),
    ("scatterAdd", ADDED),
    ("index_add", ADDED),
    ("segment_sum", ADDED),
    ("groupby", ADDED),
    ("with", REPLACED),
    ("set", REPLACED),
    ("cumsum", "write `scan(add, 0.0, x)`, or `scan(add, 0, x)` of integers"),
    ("scanExclusive", "write `concat([0.0], scan(add, 0.0, x)) |> take(n)`"),
    ("map2", ZIPPED),
    ("zipWith", ZIPPED),
    ("zip_with", ZIPPED),
    ("where", CHOSEN),
    ("reshape", RESHAPED),
    ("view", RESHAPED),
    ("unflatten", RESHAPED),
    ("iota", INDICES),
    ("arange", INDICES),
    ("indices", INDICES),
    ("zip3", "make pairs of pairs: `zip(x, zip(y, a)) |> map(|(u, (v, w))| u + v + w)`"),
    ("enumerate", WITH_INDICES),
    ("mapi", WITH_INDICES),
    ("imap", WITH_INDICES),
    ("PI", CIRCLE),
    ("pi", CIRCLE),
    ("zeros", "write `[0.0; n]`"),
    ("is_nan", NOT_A_NUMBER),
    ("NAN", A_NAN),
    ("nan", A_NAN),
    ("NaN", A_NAN),
    ("wrapping_add", WRAPPED),
    ("wrapping_sub", WRAPPED),
    ("wrapping_mul", WRAPPED),
    ("saturating_add", SATURATED),
    ("saturating_sub", "write `max((x as i32) - (y as i32), 0) as u8`, here of bytes"),
    (
        "to_bits",
        "`v as u32` converts the value; bits are seen by a function of Rust: `extern fn bits(v: f32) -> u32 = f32::to_bits;`",
    ),
    (
        "from_bits",
        "`v as f32` converts the value; bits are seen by a function of Rust: `extern fn float(v: u32) -> f32 = f32::from_bits;`",
    ),
    ("rotate_left", ROTATED),
    ("rotate_right", "write `shr(x, k) | shl(x, 32 - k)`, here of 32 bits"),
    ("count_ones", BITS),
    ("popcount", BITS),
    ("hypot", "write `sqrt(x * x + y * y)`"),
    ("assert", "what must hold of sizes is said before the body: `where n >= 1, …`"),
    ("isnan", NOT_A_NUMBER),
    ("erf", OTHER_FUNCTION),
    ("asin", OTHER_FUNCTION),
    ("acos", OTHER_FUNCTION),
    ("atan", OTHER_FUNCTION),
    ("atan2", OTHER_FUNCTION),
    ("sinh", OTHER_FUNCTION),
    ("cosh", OTHER_FUNCTION),
    ("erfc", OTHER_FUNCTION),
    ("ones", "write `[1.0; n]`"),
];

/// Strategies that other languages write as functions, and how they are used.
const STRATEGIES: &[(&str, &str)] = &[
    ("parallel", "parallel @ 'l"),
    ("vectorize", "vectorize(16) @ 'l"),
    ("tile", "tile(32, 32) @ ('i, 'j)"),
    ("unroll", "unroll @ 'l"),
    ("unrollBy", "unrollBy(4) @ 'l"),
    ("interchange", "interchange @ ('i, 'j)"),
    ("fuse", "fuse @ 'l"),
    ("pack", "pack @ 'l"),
    ("stage", "stage(Local) @ 'l"),
    ("stream", "stream @ 'l"),
    ("storeIn", "storeIn(Private) @ 'l"),
];

#[cfg(test)]
mod tests {
    use super::{INSTEAD, OURS, STRATEGIES};
    use crate::diagnostics::Session;
    use crate::syntax::parse_str;
    use crate::types::infer;

    /// Whether some name in the expression is unknown, among parameters with the names that the tables use.
    fn has_unknown_name(expr: &str) -> bool {
        let arrays = ["x", "y", "a", "b"].map(|name| format!("{name}: [f32; n]")).join(", ");
        let text = format!(
            "pub fn f<n: Nat, m: Nat>({arrays}, k: [Idx[m]; n], w: [f32; n], low: f32, high: f32, v: f32) -> f32 {{ let u = {expr}; u }}"
        );
        let (module, parsed) = parse_str(&text);
        assert!(parsed.is_empty(), "{expr}: {parsed:?}");
        infer(&module).1.iter().any(|wrong| wrong.message.starts_with("unknown name"))
    }

    #[test]
    fn foreign_names_are_unknown_and_ours_are_known() {
        let _session = Session::start();
        for (foreign, ours) in OURS {
            assert!(has_unknown_name(foreign) && !has_unknown_name(ours), "{foreign}, {ours}");
        }
        for (foreign, _) in INSTEAD {
            assert!(has_unknown_name(foreign), "{foreign}");
        }
    }

    #[test]
    fn what_is_to_be_written_instead_has_no_unknown_names() {
        let _session = Session::start();
        for (foreign, instead) in INSTEAD {
            let written = instead.split('`').skip(1).step_by(2);
            // Types, parts of statements and what is left out with dots are no expressions.
            let is_expression = |text: &&str| {
                text.starts_with(char::is_lowercase) && !text.contains(['…', ';', '<']) && *text != "if"
            };
            for expr in written.filter(is_expression) {
                assert!(!has_unknown_name(expr), "{foreign}: {expr}");
            }
        }
    }

    #[test]
    fn strategies_are_shown_as_they_are_written() {
        for (strategy, usage) in STRATEGIES {
            let _session = Session::start();
            let (module, diagnostics) = parse_str(&format!("strategy s = {usage} ; lower;"));
            assert!(
                usage.starts_with(strategy) && module.items.len() == 1 && diagnostics.is_empty(),
                "{usage}"
            );
        }
    }
}
