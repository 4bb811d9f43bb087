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

const OURS: [(&str, &str); 21] = [
    ("fold", "reduce"),
    ("foldl", "reduceSeq"),
    ("scanl", "scan"),
    ("scanInclusive", "scan"),
    ("accumulate", "scan"),
    ("chunks", "split"),
    ("windows", "slide"),
    ("flatten", "join"),
    ("rev", "reverse"),
    ("range", "generate"),
    ("log", "ln"),
    ("powf", "pow"),
    ("powi", "pow"),
    ("makeArray", "[a, b]"),
    ("fabs", "abs"),
    ("product", "reduce"),
    ("pad", "padClamp"),
    ("inf", "f32::INFINITY"),
    ("infinity", "f32::INFINITY"),
    ("nan", "f32::NAN"),
    ("NaN", "f32::NAN"),
];

const ZIPPED: &str = "zip the arrays: `zip(x, y) |> map(|(a, b)| a + b)`";
const CHOSEN: &str = "choose for each element: `zip(a, b) |> map(|(a, b)| if a > b { a } else { b })`";
const RESHAPED: &str = "`split(m)` makes rows of m elements, and `join` puts rows one behind the other";
const FOLDED_WITH_INDEX: &str = "fold pairs of a value and its index: `zip(x, generate(|i| i)) |> reduce(…)`";
const INDICES: &str = "the indices of an array are `generate(|i| i)`";

const INSTEAD: [(&str, &str); 25] = [
    ("len", "the length is the size in the array's type, which is a number as `n as f32`"),
    (
        "filter",
        "lengths are part of types: keep all elements, and give those that do not count a neutral value by `if`",
    ),
    ("sort", "no pattern sorts: take the order of the elements as a parameter `[Idx[n]; n]`, for `gather`"),
    ("clamp", "write `min(max(x, low), high)`"),
    ("mean", "write `sum(x) / (n as f32)`"),
    ("var", "with `let m = sum(x) / (n as f32);` write `sum(map(|v| (v - m) * (v - m), x)) / (n as f32)`"),
    (
        "std",
        "with `let m = sum(x) / (n as f32);` write `sqrt(sum(map(|v| (v - m) * (v - m), x)) / (n as f32))`",
    ),
    ("argmax", FOLDED_WITH_INDEX),
    ("argmin", FOLDED_WITH_INDEX),
    ("cumsum", "write `scan(add, 0.0, x)`, or `scan(add, 0, x)` of integers"),
    ("scanExclusive", "write `concat([0.0], scan(add, 0.0, x)) |> take(n)`"),
    ("map2", ZIPPED),
    ("zipWith", ZIPPED),
    ("zip_with", ZIPPED),
    ("where", CHOSEN),
    ("select", CHOSEN),
    ("reshape", RESHAPED),
    ("view", RESHAPED),
    ("unflatten", RESHAPED),
    ("iota", INDICES),
    ("arange", INDICES),
    ("indices", INDICES),
    ("enumerate", "zip the indices: `zip(generate(|i| i), x) |> map(|(i, v)| …)`"),
    ("zeros", "write `[0.0; n]`"),
    ("ones", "write `[1.0; n]`"),
];

/// Strategies that other languages write as functions, and how they are used.
const STRATEGIES: [(&str, &str); 11] = [
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
    use super::STRATEGIES;
    use crate::diagnostics::Session;
    use crate::syntax::parse_str;

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
