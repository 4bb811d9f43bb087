//! One mistake each: what is guilty, and what is said.

use super::wrong;
use crate::diagnostics::Session;

/// Bodies of `pub fn f<n: Nat>(x: [f32; n], y: [f32; n + 1], a: f32, k: i32, p: [(f32, i32); n]) -> [f32; n]`.
const BODIES: &[(&str, &str)] = &[
    ("xs |> map(|x| x)", "xs: unknown name `xs`"),
    ("x |> fold(add, 0.0)", "fold: unknown name `fold`"),
    ("x |> sort", "sort: unknown name `sort`"),
    ("x |> map(|u| u - max(x))", "max(x): expected a value, found a function: `max` lacks 1 argument"),
    (
        "x |> iterate(2, |v| concat(v, v))",
        "concat(v, v): the function given to `iterate` needs equal sizes, found 2 * n and n",
    ),
    ("x |> mapp(|x| x)", "mapp: unknown name `mapp`"),
    ("x |> map(|u| makeArray(u, u)) |> join |> take(n)", "makeArray: unknown name `makeArray`"),
    (
        "x |> iterate(2, |v| zip(v, y) |> map(|(a, b)| a + b))",
        "zip(v, y): `zip` needs arrays of one length, found `[f32; n]` and `[f32; n + 1]`",
    ),
    (
        "zip(x, y) |> map(|(a, b)| a + b)",
        "zip(x, y): `zip` needs arrays of one length, found `[f32; n]` and `[f32; n + 1]`",
    ),
    ("x |> map(|u| u + k)", "+: `+` needs operands of one type, found `f32` and `i32`"),
    ("x |> map(|u| u * (u > a))", "*: `*` needs operands of one type, found `f32` and `bool`"),
    ("transpose(1, 0, x)", "1: `transpose` needs an array, found an integer"),
    ("x |> map(|u| is_nan(u))", "is_nan: unknown name `is_nan`"),
    ("x + x", "+: `+` needs scalars, found `[f32; n]`"),
    ("generate(|i| x[i ^ 1])", "^: `^` is power on naturals, and this one is i"),
    ("x |> map(|u| u * (((6 ^ 3) as i32) as f32))", "(6 ^ 3): a power of numbers, 216, becomes an integer"),
    ("x |> map(|u| u + x)", "+: `+` needs scalars, found `[f32; n]`"),
    ("p |> map(|q| q * 2.0)", "*: `*` needs scalars, found `(f32, i32)`"),
    ("p |> map(|q| q.2)", "q.2: `(f32, i32)` has no component 2"),
    ("p |> map(|(a, b, c)| a)", "(a, b, c): this pattern takes a tuple of 3, found `(f32, i32)`"),
    ("p |> map(|(a, b)| b)", "map(|(a, b)| b): expected `[f32; n]`, found `[i32; n]`"),
    ("a |> map(|u| u)", "a: `map` needs an array, found `f32`"),
    ("x |> join", "join: `join` needs an array of arrays here, found `[f32; n]`"),
    ("x |> map(a)", "a: `map` needs a function here, found a value of type `f32`"),
    ("x |> map(|u, v| u + v)", "|u, v| u + v: this function takes 2 values, `map` gives it 1"),
    ("x |> map(|u| u, x, x)", "map(|u| u, x, x): `map` takes 2 arguments here, 3 given"),
    ("map(|u| u)", "map(|u| u): expected a value, found a function: `map` lacks 1 argument"),
    ("x |> map(|u| |v| u)", "|u| |v| u: this function takes 2 values, `map` gives it 1"),
    ("x |> map(|u| a(u))", "a(u): expected a function, found a value of type `f32`"),
    ("x |> map(|u| u >> 3)", "u: `>>` composes functions, found `f32`"),
    ("x |> map(sqrt >> a)", "a: `>>` composes functions, found `f32`"),
    ("a + x |> reduce(add, 0.0)", "+: `+` needs scalars, found `[f32; n]`"),
    (
        "x |> reduce(add, 0.0) + a",
        "reduce(add, 0.0): expected a value, found a function: `reduce` lacks 1 argument",
    ),
    ("x |> map(|u| sqrt(k))", "sqrt(k): `sqrt` does not take `i32`"),
    ("x |> map(|u| if u { 1.0 } else { u })", "u: a condition is `bool`, found `f32`"),
    ("x |> map(|u| if u > 0 { true } else { u })", "u: the branches of `if` differ: `bool` and `f32`"),
    ("x |> map(|u| u && true)", "&&: expected `bool`, found `f32`"),
    ("x |> map(|u| x[k])", "k: an index is a natural, found `i32`"),
    ("x |> map(|u| a[0])", "a[0]: only arrays can be indexed, found `f32`"),
    ("generate(|i| x[i + 1])", "i + 1: this index may be out of range: i + 1 < n does not follow"),
    ("generate(|i| x[i - 1])", "i - 1: this index may be out of range: 0 <= i - 1 does not follow"),
    (
        "generate(|i| (i - 1) as f32)",
        "(i - 1) as f32: this natural may be negative: 0 <= i - 1 does not follow",
    ),
    ("generate(|i| x[i] * i)", "*: `*` needs operands of one type, found `f32` and `Idx[_]`"),
    ("x |> map(|u| u * n)", "*: `*` needs operands of one type, found `f32` and `Nat`"),
    ("x |> map(|u| u as bool)", "u as bool: `f32` cannot be converted to `bool`"),
    ("x as i32", "x as i32: `[f32; n]` cannot be converted to `i32`"),
    ("x |> split(0) |> join", "split(0): `split(0)` needs at least 1 element a piece"),
    ("x |> slide(1, 0) |> join", "slide(1, 0): `slide(1, 0)` needs a step of at least 1"),
    ("x |> split(a) |> join", "a: expected a natural, but `a` is a value of type `f32`"),
    ("x |> split(m) |> join", "m: unknown name `m`"),
    ("x |> split(2.0) |> join", "2.0: `split` needs a natural here, found a float"),
    ("x |> padClamp(-1, 1)", "-1: `padClamp` needs a natural here, found a negative number"),
    ("x |> split(2) |> map(sum)", "map(sum): the sizes n / 2 and n differ"),
    ("concat(x, x)", "concat(x, x): the sizes 2 * n and n differ"),
    ("[dot(x, y)]", "dot(x, y): `dot` needs arrays of one length, found `[f32; n]` and `[f32; n + 1]`"),
    ("x |> split(2) |> sum", "sum: `sum` needs numbers, found `[f32; 2]`"),
    ("x |> sum(0.0)", "sum(0.0): `sum` needs an array, found a float"),
    ("p |> map(|q| sum([true]))", "sum([true]): `sum` needs numbers, found `bool`"),
    ("map(x, |u| u)", "|u| u: expected a value, found a function"),
    ("[reduce(x, add, 0.0)]", "0.0: `reduce` needs an array, found a float"),
    ("x |> gather(y)", "y: `gather` needs `[Idx[n]; _]` here, found `[f32; n + 1]`"),
    ("x |> map(|u| u + 1e400)", "1e400: this literal does not fit `f32`"),
    ("x |> map(|u| 300u8 as f32)", "300u8: this literal does not fit `u8`, which has the values 0 to 255"),
    ("x |> drop(1)", "drop(1): expected `[f32; n]`, found `[f32; n - 1]`: the sizes n - 1 and n differ"),
    (
        "x |> map(|u| generate(|i| 1.0) |> sum)",
        "generate(|i| 1.0): the length of `generate` cannot be determined",
    ),
    (
        "x |> mapSeqUnroll(|u| u)",
        "mapSeqUnroll(|u| u): `mapSeqUnroll` needs a length that is a literal, found n",
    ),
    ("x |> mapGlobal(3)(|u| u)", "3: a dimension is 0, 1 or 2"),
    (
        "x |> reduce(|u, v| u < v, 0.0)",
        "u < v: the function given to `reduce` must give `f32`, it gives `bool`",
    ),
    ("'l: x", "'l: the label `'l` names no pattern"),
    ("x |> map(|u| [u, true][0])", "true: the elements of an array have one type, found `f32` and `bool`"),
    (
        "x |> reorder(|i| n - 1 - i, |i| i)",
        "reorder(|i| n - 1 - i, |i| i): `reorder` needs a permutation of the numbers below n and its inverse: \
         |i| i is not known to undo |i| n - i - 1",
    ),
    (
        "generate(|i| x |> take(i)) |> map(|t| 1.0)",
        "generate(|i| x |> take(i)): the size of the result depends on the index `i`, in `[[f32; i]; n]`",
    ),
    (
        "x |> map(|u| sum([u, true, false]))",
        "true: the elements of an array have one type, found `f32` and `bool`",
    ),
    (
        "{ let (u, v) = (a, k, x); x }",
        "(u, v): this pattern takes a tuple of 2, found `(f32, i32, [f32; n])`",
    ),
    ("{ let z: i32 = a; x }", "a: expected `i32`, found `f32`"),
    ("x |> map(|u: i32| u as f32)", "u: expected `i32`, found `f32`"),
];

#[test]
fn mistakes_in_bodies_are_reported_where_they_are() {
    for (body, expected) in BODIES {
        let text = format!(
            "pub fn f<n: Nat>(x: [f32; n], y: [f32; n + 1], a: f32, k: i32, p: [(f32, i32); n]) -> [f32; n] {{ {body} }}"
        );
        assert_eq!(wrong(&text), [*expected], "{body}");
    }
}

const LOOSE: &str = "`|>` binds loosest: with operators, `as`, `.0` or `[i]` behind it a pipe needs parentheses, `(x |> f) + y`";
const FOLDED: &str = "the function stands first: `x |> reduce(add, 0.0)`; into a value of another type than the elements, such as pairs, `zip(x, y) |> reduceSeq(|s, (a, b)| s + a * b, 0.0)`";
const OTHERS: &str = "there are `exp`, `ln`, `sin`, `cos`, `tan`, `tanh`, `sqrt` and `pow`; what else there is in Rust is declared as an external function";

/// Bodies as above, and what is said of a way out.
const HELPS: &[(&str, &str)] = &[
    ("softmax(x)", "it is in `use \"rise/nn.rise\";`"),
    ("matMul(x, x)", "it is in `use \"rise/blas.rise\";`"),
    ("map2(|u, v| u + v, x, x)", "zip the arrays: `zip(x, y) |> map(|(a, b)| a + b)`"),
    ("iota(n) |> map(|i| x[i])", "the indices of an array are `generate(|i| i)`"),
    ("enumerate(x)", "zip the indices: `zip(generate(|i| i), x) |> map(|(i, v)| …)`"),
    ("where(x, x, x)", "choose for each element: `zip(a, b) |> map(|(a, b)| if a > b { a } else { b })`"),
    ("x |> reshape(2)", "`split(m)` makes rows of m elements, and `join` puts rows one behind the other"),
    ("map(|u| u + np.pi, x)", "functions are called by their names alone, `sum(x)`"),
    ("map(|u| float(u), x)", "a number is converted by `x as f32`"),
    (
        "x |> sum(x)",
        "a pipe gives the last argument of `sum`, which is left out behind it: `x |> map(f)`, `x |> sum`",
    ),
    ("reduce(add, x, 0.0)", "it is written `reduce(f, value, xs)`"),
    (
        "generate(n, |i| x[i])",
        "it takes a function alone, and its length from where the array is used: `generate(|i| i as f32)`",
    ),
    ("x |> map(|i| x[i])", "elements are no indices: these come from `generate(|i| x[i])`"),
    ("x |> map(|u| x(0))", "an element is `x[i]`, or `x[i][j]`"),
    ("x |> map(|u| x[-1])", "the last index is `n - 1`"),
    ("x |> map(|u| pow(u))", "it is called as `pow(a, b)`"),
    ("x |> split(2) |> map(|(a, b)| a + b)", "the elements of an array are `p[0]`, `p[1]`"),
    (
        "x |> split(2) |> map(sqrt)",
        "`map(sqrt)` goes through an array, `map2D(sqrt)` through an array of arrays",
    ),
    ("zip(x, x) |> map(|p| p[0])", "components of a tuple are `p.0`, `p.1`"),
    ("x |> map(|u| u > 0.0)", "numbers are made of them by `map(|c| if c { 1 } else { 0 })`"),
    ("x |> map(|u| if u { 1.0 } else { 0.0 })", "compare it: `x != 0`"),
    ("matmul(x, x)", "did you mean `matMul`, of `use \"rise/blas.rise\";`?"),
    ("x |> windows(3, 1)", "did you mean `slide`?"),
    (
        "x |> split(2)",
        "its elements are arrays: `join` puts them one behind the other, `map(sum)` adds each up",
    ),
    (
        "zip(x, sum(x)) |> map(|(u, v)| u + v)",
        "a number is beside each element by itself: `y |> map(|v| v + c)`",
    ),
    (
        "x |> reduceSeq(|count, u| count + 1, 0)",
        "a fold gives one value; `map(f)` gives one for each element, `scan(f, z)` all that come before",
    ),
    ("-x", "apply it to elements: `map(|x| -x)`"),
    ("max(x, 0.0)", "apply it to elements: `|a, b| zip(a, b) |> map(|(x, y)| max(x, y))`"),
    ("mul_add(x, x, x)", "apply it to elements, in a function given to `map`"),
    ("x |> map|v| v", "arguments stand in parentheses: `map(|x| x + 1.0)`"),
    (
        "map(|u| foo(u) + foo(u) + cumsum(u), x)",
        "write `scan(add, 0.0, x)`, or `scan(add, 0, x)` of integers",
    ),
    ("x |> map(map(|u| u))", "a number goes into the function itself, without `map`: `x |> f`"),
    ("zip(x, map) |> map(|(u, v)| u)", "`map(f, xs)`: Applies the function to every element."),
    ("map(|u| u + add, x)", "it is called as `add(a, b)`"),
    ("generate(|i| i * 2.0)", "a natural is converted by `as f32`"),
    (
        "x |> map(|u| { let c = x |> map(|v| if v < u { 1 } else { 0 }) |> sum; if c == n / 2 { u } else { 0.0 } })",
        "a natural is converted by `as i32`",
    ),
    ("generate(|i| i)", "convert the elements with `map(|i| i as f32)`"),
    ("(x, x)", "`[a, b]` is an array, `(a, b)` a tuple"),
    ("x |> split(2) |> map(reduce(add))", "a fold begins with a value: `reduce(add, 0.0)`"),
    ("x |> iterate(|v| v, 3)", "naturals stand first, then functions, then values, and the array last"),
    ("x |> map(|u| min(u, inf))", "did you mean `f32::INFINITY`?"),
    (
        "x |> map(|u| u - std(x))",
        "with `let m = sum(x) / (n as f32);` write `sqrt(sum(map(|v| (v - m) * (v - m), x)) / (n as f32))`",
    ),
    (
        "x |> vectorize(8)",
        "it is a strategy, which says how a labelled pattern is computed: `compile f to rust with vectorize(16) @ 'l ; lower;`",
    ),
    ("x | map(|u| u)", "a pipe is written `|>`, not `|`"),
    (
        "x |> split(2) |> sum",
        "it takes one array of numbers: `a |> map(sum)` for each row, `transpose(a) |> map(sum)` for each column",
    ),
    ("generate(|i| (i - 1) as f32)", "subtract after the cast: `(i as f32) - 1`"),
    (
        "generate(|i| (2 * i - 3 - n) as f32)",
        "subtract after the cast: `((2 * i) as f32) - ((n + 3) as f32)`",
    ),
    ("x.map(|u| u)", "write `x |> map(…)` or `map(…, x)`"),
    ("x.iter().map(|u| u).collect()", "arrays are values: leave it out"),
    (
        "x.len()",
        "the length is the natural in the array's type: declare it as `<n: Nat>` and write `n`, or `n as f32`",
    ),
    ("x.fold(0.0, add)", FOLDED),
    ("x |> fold(0.0, |a, b| a + b)", FOLDED),
    ("x |> map(|u| u.powf(2.0))", "write `pow(x, …)`"),
    ("x |> map(|u| u.mul_add(2.0, 1.0))", "write `mul_add(x, …)`"),
    ("x |> map(|u| u.sqrt())", "write `sqrt(x)` or `x |> sqrt`"),
    ("{ let s = x |> sum / 2.0; map(|u| u * s, x) }", LOOSE),
    ("{ let s = x |> reduce(add, 0.0) * 2.0 + 1.0; map(|u| u * s, x) }", LOOSE),
    ("{ let s = x |> sum as i32; map(|u| u + (s as f32), x) }", LOOSE),
    ("{ let s = x |> reduceSeq(|(a, b), u| (a + u, b * u), (0.0, 1.0)).0; map(|u| u + s, x) }", LOOSE),
    ("x |> map(|u| u * sum())", "it is called as `sum(xs)`"),
    ("x |> map(|u| 2.0 * dot(x))", "it is called as `dot(a, b)`"),
    (
        "{ let p: (f32, i32) = zip(x, generate(|i| i)) |> reduce(|a, b| a, (0.0, 0)); map(|u| u + p.0, x) }",
        "an index is made a number by `as i32`, as in `generate(|i| i as i32)`",
    ),
    (
        "x |> map(|u| if u == NaN { 0.0 } else { u })",
        "write `f32::NAN` or `f64::NAN`; that `v` is one, and nothing else, is said by `v != v`",
    ),
    ("x |> map(|u| atan2(u, 1.0))", OTHERS),
    ("x |> map(|u| u.wrapping_add(1))", "integers wrap: write `x + y`, `x - y` or `x * y`"),
    ("x.clamp(0.0, 1.0)", "write `min(max(x, low), high)`"),
    ("x.softmax()", "it is in `use \"rise/nn.rise\";`"),
    (
        "x |> slide(3, 1) |> map(sum)",
        "windows are 2 fewer than elements: `padClamp` or `padCst` before them gives the array a border",
    ),
    (
        "x |> map(|u| u * ((1i32 + (6 ^ 3)) as f32))",
        "`^` is power between sizes, and exclusive or between integers: `6u32 ^ 3`; or write the number itself",
    ),
    ("concat([0.0], x |> scan(add, 0.0))", "`take` and `drop` leave elements out"),
    (
        "zip(zip(x, x), zip(x, x)) |> map(|(a, b, c, d)| a)",
        "tuples in a tuple are patterns in a pattern: `|((a, b), (c, d))|`",
    ),
    (
        "x |> iterate(2, |v| v |> slide(2, 1) |> map(sum))",
        "a step keeps the length, or divides it by a number: where windows leave fewer, `padClamp` gives a border",
    ),
    (
        "x.leading_zeros()",
        "functions are called as `f(x)` or `x |> f`, and there is none named `leading_zeros`",
    ),
    (
        "x.count_ones()",
        "declare `fn ones(v: u32) -> u32 { let a = v - (shr(v, 1) & 0x55555555); let b = (a & 0x33333333) + (shr(a, 2) & 0x33333333); shr((b + shr(b, 4) & 0x0f0f0f0f) * 0x01010101, 24) }`, here of 32 bits, or take that of Rust: `extern fn ones(v: u64) -> u32 = u64::count_ones;`",
    ),
    ("x.saturating_add(x)", "write `min((x as i32) + (y as i32), 255) as u8`, here of bytes"),
    (
        "x.to_bits()",
        "`v as u32` converts the value; bits are seen by a function of Rust: `extern fn bits(v: f32) -> u32 = f32::to_bits;`",
    ),
    ("x.sum", "write `sum(x)` or `x |> sum`"),
    ("x.T", "write `transpose(a)`"),
    ("zip(x, x).first", "write `first(x)` or `x |> first`"),
    ("map(|u| u + sum(x).re, x)", "components of a tuple are `.0`, `.1`, …"),
    ("x >> map(|u| u)", "a value is piped into a function: `x |> f`"),
    ("map(|u| u >> 2, x)", "a value is piped into a function: `x |> f`"),
    ("x | map(|u| u) | map(|u| u)", "a pipe is written `|>`, not `|`"),
    ("sum::<f32>(x)", "write `sum` alone: types and sizes are inferred"),
    ("map(sqrt::<f32>, x)", "write `sqrt` alone: types and sizes are inferred"),
    ("x |> take::<n, 4>", "types and sizes that are left out are inferred"),
    ("generate(|i| 1.0) |> take(n)", "say it before: `{ let xs: [f32; n] = …; xs |> take(n) }`"),
    (
        "x |> gather(|i| n - 1 - i)",
        "write `generate(|i| x[n - 1 - i])`, or make an array of indices: `gather(generate(|i| n - 1 - i))`",
    ),
    (
        "generate(|i, j| x[i])",
        "each dimension is one `generate`: `generate(|i| generate(|j| (i + j) as f32))`",
    ),
    (
        "x |> reduce(add, 0.0)",
        "a fold gives one value; `map(f)` gives one for each element, `scan(f, z)` all that come before",
    ),
    (
        "x |> split(2) |> reduce(|a, b| zip(a, b) |> map(|(a, b)| a + b), 0.0)",
        "the elements are arrays, and their fold begins with one, such as `[0.0; 2]`; `join` before makes one array of numbers",
    ),
    ("x |> mapVec(|u| u)", "rows have one: `x |> split(8) |> map(|row| row |> mapVec(f)) |> join`"),
    (
        "{ let s = x |> reduceSeqUnroll(add, 0.0); x |> map(|u| u + s) }",
        "rows have one: `x |> split(8) |> map(|row| row |> reduceSeqUnroll(f, z))`",
    ),
    ("x |> map(|u| x[u as Idx[n]])", "make an integer of it first: `(x as u32) as Idx[n]`"),
    ("x |> map(|u| generate(|i| 1.0) |> sum)", "give it to the index: `generate(|i: Idx[n]| …)`"),
    ("concat(x, x, x)", "call it twice: `concat(a, concat(b, c))`"),
    ("zip(x, x, x)", "make pairs of pairs: `zip(a, zip(b, c)) |> map(|(x, (y, z))| x + y + z)`"),
    ("x |> map(|u| exp2(u))", "write `pow(2.0, v)`"),
    ("x |> map(|u| round(u, 2))", "decimals are kept by a factor: `round(v * 100.0) / 100.0` keeps two"),
    ("x |> map(|u| ln(u, 2.0))", "a logarithm of another base is a quotient: `ln(v) / ln(2.0)`"),
    ("zip(x, x) |> map(mul)", "a pair is taken apart by a pattern: `zip(a, b) |> map(|(x, y)| mul(x, y))`"),
    ("x |> map(|u| u + x[n])", "the last index is `n - 1`"),
    ("x.first", "write `first(x)` or `x |> first`"),
    ("map(|u| u + x.r, x)", "the elements of an array are `p[0]`, `p[1]`"),
    ("zip(x, x) |> map(|p| p.re)", "the components of a tuple are `p.0`, `p.1`"),
    ("zip(x, x).re", "the array's elements are tuples; use `map(|p| p.0)` or `unzip`"),
    (
        "x |> map(|u| if !u > 0.0 { u } else { 0.0 })",
        "it takes what is compared in parentheses: `!(x > 0.0)`",
    ),
    (
        "x |> iterate(|v| v |> map(|u| u * 2.0))",
        "`iterate(k, f, xs)`: Applies a length-dividing function `k` times; one that keeps the length need not take others.",
    ),
    (
        "x |> map(|u| u |> iterate(3, |v| v * v))",
        "a value is stepped by a fold of indices: `generate(|i: Idx[k]| i) |> reduceSeq(|v, i| …, v)`",
    ),
    (
        "{ let s = n |> reduceSeq(|u, i| u, 1.0); x |> map(|u| u + s) }",
        "the numbers below a natural are `generate(|i: Idx[n]| i)`",
    ),
    (
        "x |> map(|u| sum(u))",
        "an array as a whole is given to it alone, `x |> sum`; parts of m elements are `x |> split(m)`",
    ),
    (
        "x |> map(|u| dot(u, u))",
        "an array as a whole is given to it alone, `dot(x, y)`; parts of m elements are `x |> split(m)`",
    ),
    ("x |> map2D(|u| u)", "it goes through an array of arrays: `map(f)` goes through an array"),
    ("zip(x, generate(|i| i)) |> map(|(u, i)| x[u] * 2.0)", "the index here is `i`"),
    (
        "{ let (a, s): ([f32; n], f32) = x |> map(|u| (u, sum(x))); a }",
        "`unzip` makes two arrays of an array of pairs; what is one value is computed beside: `(map(f, x), sum(x))`",
    ),
    (
        "{ let c: u32 = x |> reduce(|c, u| if u > 0.0 { c + 1 } else { c }, 0); x }",
        "convert with `as u32`; `reduce` folds elements into one of their type, `reduceSeq` into a value of any type",
    ),
    (
        "{ let c = zip(x, zip(x, x)) |> reduce(|(s, t, u), (a, (b, c))| (s + a, t + b, u + c), (0.0, 0.0, 0.0)); x }",
        "`reduce` folds elements into one of their type, `reduceSeq` into a value of any type",
    ),
    (
        "{ let c: u32 = x |> reduceSeq(|u, c| if u > 0.0 { c + 1 } else { c }, 0); x }",
        "convert with `as u32`; the function of `reduceSeq` takes first what is folded so far, then an element",
    ),
    ("{ let c: u32 = x |> reduce(add, 0.0); x }", "convert with `as u32`"),
    (
        "x |> reduce(min)",
        "the value to begin with stands behind the function: `reduce(add, 0.0)`, `reduce(min, f32::INFINITY)`",
    ),
];

#[test]
fn ways_out_of_mistakes_are_told() {
    for (body, help) in HELPS {
        let text = format!("pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ {body} }}");
        assert_eq!(helps(&text), [*help], "{body}");
    }
}

fn helps(text: &str) -> Vec<String> {
    let _session = Session::start();
    let (_, diagnostics) = super::infer(text);
    diagnostics.iter().flat_map(|diagnostic| diagnostic.helps.clone()).collect()
}

const COUNTED_VALUES: &str = "lengths depend on sizes alone, not on values: take as many elements as there may be, and let `if` choose those that count";
const FOLDED_VALUES: &str = "it gives what is folded so far and an element: `|s, v| s + v`";
const GOES_ROUND: &str =
    "`e as Idx[n]` clamps an index, `e % n` goes round: `(i + 1) % n`, `(i + n - 1) % n`";

/// Signatures behind `pub fn f<n: Nat>` with bodies, and what is said of a way out.
const HELPS_WITH_SIGNATURES: &[(&str, &str)] = &[
    (
        "(x: [bool; n]) -> u32 { x |> sum }",
        "make numbers of the truth values, 1 where one holds: `x |> map(|b| b as u32) |> sum`",
    ),
    (
        "(x: [bool; n]) -> u32 { dot(x, x) }",
        "make numbers of the truth values, 1 where one holds: `zip(x, y) |> map(|(a, b)| (a && b) as u32) |> sum`",
    ),
    ("(p: [f32; 3]) -> f32 { p.x }", "the elements of an array are `p[0]`, `p[1]`"),
    ("(x: [Idx[n]; n]) -> [Idx[n]; n] { x |> map(|i| i + 1) }", GOES_ROUND),
    ("(x: [Idx[n]; n]) -> [Idx[n]; n] { x |> map(|i| i - 1) }", GOES_ROUND),
    ("(k: [u32; n], x: [f32; n]) -> f32 { x |> take(k[0]) |> sum }", COUNTED_VALUES),
    ("(k: [u32; n], x: [f32; n]) -> f32 { x |> drop(k[0] + 1) |> sum }", COUNTED_VALUES),
    (
        "(k: [Idx[n]; n], x: [f32; n]) -> [f32; n] { k |> map(|k| x |> take(k + 2) |> sum) }",
        "it has to hold at all indices, whatever the arrays hold: lengths depend on sizes alone",
    ),
    ("(x: [f32; n]) -> [(f32, f32); n] { x |> map(|v| [v, v]) }", "`[a, b]` is an array, `(a, b)` a tuple"),
    (
        "(x: [f32; n]) -> [f32; n] { g(1, x) } fn g<m: Nat, k: Nat>(xs: [f32; k]) -> [f32; k] where k > m { xs }",
        "sizes are inferred, or stand between `<` and `>`: `g::<m, k>(xs)`",
    ),
    (
        "(x: [[f32; n]; n]) -> [[f32; n]; n] { x |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(sum) }",
        "it is given arrays of arrays: `map2D(|w| w |> join |> sum)` adds up those",
    ),
    (
        "(x: [[f32; n]; n]) -> [[f32; n]; n] { x |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(map(sum)) }",
        "its elements are arrays: `join` puts them one behind the other, `map(sum)` adds each up",
    ),
    (
        "(x: [f32; 2 * n]) -> [f32; n] { x |> slide(n, 1) |> map(sum) }",
        "`slide(n, 1)` makes windows of n elements, of which each begins 1 after the one before",
    ),
    (
        "(x: [[f32; n]; n]) -> [[f32; n]; n] { zip(x, x) |> map2D(|(a, b)| a + b) }",
        "`zip2D(a, b)` pairs the elements of rows; the components of a tuple are `p.0`, `p.1`",
    ),
    (
        "(x: [f32; n], k: [Idx[n]; n]) -> [f32; n] { x[k] }",
        "`gather(indices, x)` takes an element for each of them",
    ),
    (
        "(x: [[f32; n]; n]) -> [[f32; n]; n] { x |> slide2D(3, 1) |> map2D(|w| w |> join |> sum) }",
        "windows are 2 fewer than elements: `padClamp` or `padCst` before them gives the array a border",
    ),
    (
        "(x: [[f32; n]; n]) -> [[f32; n]; n] { x |> slide2D(3, 3, 1, 1) |> map2D(|w| w[1][1]) }",
        "its windows are squares: `slide2D(3, 1)` makes those of 3 by 3, one at each place",
    ),
    (
        "(x: [f32; n]) -> [f32; n + 1] { x |> scan(add, 0.0) }",
        "what comes before the first element is put in front: `concat([0.0], scan(add, 0.0, x))`",
    ),
    (
        "(x: [(u8, u8, u8); n]) -> [u8; n] { x |> map(|(r, g)| r) }",
        "all components have a name, or `_`: `|(a, b, c)|`",
    ),
    (
        "(x: [f32; n]) -> [f32; n] { map(x, |v| v) }",
        "functions come first, the array worked on last: `map(f, xs)`",
    ),
    ("(x: [f32; n]) -> f32 { average(x) }", "write `sum(x) / (n as f32)`"),
    ("(x: [f32; n]) -> [f32; n] { x |> skip(1) }", "did you mean `drop`?"),
    ("(x: u32) -> u32 { x.abs_diff(2) }", "write `max(x, y) - min(x, y)`"),
    ("(x: [f32; n]) -> f32 { sum(x) * PI }", "write the number: `3.14159265358979`"),
    (
        "(x: [f32; n]) -> [f32; n] { cut(x) } fn cut(x) { min(max(x, 0), 6) }",
        "apply it to elements, with `map(cut)`, or after `join`",
    ),
    (
        "(a: [[f32; n]; n], x: [f32; n]) -> [f32; n] { matMul(a, x) |> map(sum) } fn matMul<m: Nat>(a: [[f32; m]; m], b: [[f32; m]; m]) { a }",
        "the product with one array of numbers is `matVec(a, x)`",
    ),
    (
        "(x: [f32; n], i: [Idx[n]; n]) -> [f32; n] { gather(x, i) }",
        "indices come first, the array worked on last: `gather(indices, xs)`",
    ),
    (
        "(x: [u8; n]) -> [u32; 9] { x |> reduceSeq(|h, v| h |> update(|c| c + 1, v), generate(|j| 0)) }",
        "an integer becomes an index by `as Idx[n]`, which clamps",
    ),
    (
        "(x: [f32; n]) -> [f32; n] { x |> asVector(4) |> map(|v| v * 2.0) }",
        "`asScalar` makes numbers of vectors",
    ),
    ("(x: [f32; n]) -> f32 { x |> reduceSeq(|v| v, 0.0) }", FOLDED_VALUES),
    ("(x: [f32; n]) -> f32 { x |> reduce(|s, v, i| s + v, 0.0) }", FOLDED_VALUES),
    (
        "(x: [f32; n]) -> f32 { x |> reduceSeq(|(s, v)| s + v, 0.0) }",
        "two values are `|a, b|`, the components of one pair `|(a, b)|`",
    ),
    (
        "(x: [f32; n]) -> f32 { x |> reduceSeq(|s, v| s + v) }",
        "the value to begin with stands behind the function: `reduceSeq(add, 0.0)`, `reduceSeq(min, f32::INFINITY)`",
    ),
    ("(x: [f32; n]) -> f32 { x |> map(|v| v * 2.0)[0] }", LOOSE),
    (
        "(x: [f32; n]) -> [u32; n] { x |> map(|v| v & 1) }",
        "bits are those of integers: convert with `as u32`",
    ),
    ("(x: float64) -> f32 { 1.0 }", "did you mean `f64`?"),
    (
        "(x: complex) -> f32 { 1.0 }",
        "scalars are bool, i8 to i64, u8 to u64, f32 and f64; arrays are `[f32; n]`, tuples `(f32, f32)`",
    ),
    ("(x: [u32; n]) -> bool { sum(x) == n / 2 }", "a natural is converted by `as u32`"),
    ("(x: [f32; n]) -> bool { sum(x) < n }", "a natural is converted by `as f32`"),
];

#[test]
fn ways_out_of_mistakes_with_other_types_are_told() {
    for (text, help) in HELPS_WITH_SIGNATURES {
        assert_eq!(helps(&format!("pub fn f<n: Nat>{text}")), [*help], "{text}");
    }
}

/// Whole texts.
pub(super) const TEXTS: &[(&str, &str)] = &[
    ("pub fn f(x: [f32; 4]) -> f32 { x[4] }", "4: index 4 is out of range: the array has 4 elements"),
    (
        "pub fn f<n: Nat>(x: [[[f32; 10 ^ 12]; n]; 10 ^ 12]) -> f32 { 1.0 }",
        "[[[f32; 10 ^ 12]; n]; 10 ^ 12]: no memory holds an array of so many elements: `[[[f32; 1000000000000]; n]; 1000000000000]`",
    ),
    (
        "pub fn f(x: [f32; 10]) -> [f32; 10] { x |> split(4) |> join }",
        "split(4): `split(4)` needs a length that 4 divides, found 10 elements",
    ),
    (
        "pub fn f(x: [f32; 4]) -> [f32; 5] { x |> take(5) }",
        "take(5): `take(5)` needs at least 5 elements, found 4 elements",
    ),
    ("pub fn f<n: Nat>(x: [f32; m]) -> f32 { sum(x) }", "m: unknown name `m`"),
    ("pub fn f<n: Nat>(x: [n; 3]) -> f32 { 1.0 }", "n: expected a type, but `n` is a value"),
    ("pub fn f(x: [f32; 3 - 5]) -> f32 { 1.0 }", "3 - 5: a size is never negative, this one is -2"),
    ("pub fn f<n: Nat>(x: [f32; n % 0]) -> f32 { 1.0 }", "0: a size is divided by 0"),
    (
        "pub fn f<n: Nat>(x: [Simd<(f32, f32), 4>; n]) -> f32 { 1.0 }",
        "Simd<(f32, f32), 4>: lanes of vectors are scalars, found `(f32, f32)`",
    ),
    (
        "pub fn f<m: Nat>(x: Simd<f32, m>) -> f32 { 1.0 }",
        "Simd<f32, m>: a vector has 1, 2, 4, 8, 16, 32 or 64 elements, not m",
    ),
    ("pub fn f(x: [f32; 2 ^ 70]) -> f32 { sum(x) }", "2 ^ 70: this natural is too large"),
    (
        "pub fn f<n: Nat>(x: [f32; n ^ 1000000000]) -> f32 { sum(x) }",
        "n ^ 1000000000: this natural is too large",
    ),
    (
        "pub fn f<n: Nat>(x: [f32; n]) -> (f32, [f32; n], i32) { (sum(x), x, 1.5) }",
        "1.5: expected `i32`, found a float",
    ),
    (
        "pub fn f<n: Nat>(x: [f32; n], y: [f32; n + 1]) -> ([f32; n], [f32; n]) { (x, y) }",
        "y: expected `[f32; n]`, found `[f32; n + 1]`: the sizes n + 1 and n differ",
    ),
    (
        "pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> reduce(min) }",
        "reduce(min): expected a value, found a function: `reduce` lacks 1 argument",
    ),
    (
        "pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> sum::<f32> }",
        "f32: `sum` takes no arguments between `<` and `>`",
    ),
    ("pub fn f(x: float) -> f32 { x }", "float: unknown type `float`"),
    (
        "pub fn f<t: Data>(x: t) -> t { x }",
        "t: a kernel has naturals as parameters alone; `t` is of kind Data",
    ),
    ("pub fn f(g: f32 -> f32) -> f32 { g(1.0) }", "f32 -> f32: a kernel takes values, not functions"),
    (
        "pub fn f(k: Nat) -> f32 { k as f32 }",
        "k: a natural is declared between `<` and `>`, not as a parameter",
    ),
    ("pub fn f(x: f32) -> i32 { x }", "x: expected `i32`, found `f32`"),
    (
        "pub fn f<n: Nat>(x: [i32; n]) -> [i32; n] { x |> map(|v| if v > 3 { 1 } else { 0.0 }) }",
        "map(|v| if v > 3 { 1 } else { 0.0 }): expected `[i32; n]`, found `[{float}; n]`",
    ),
    ("fn g(x: f32) -> f32 { g(x) } pub fn f(x: f32) -> f32 { g(x) }", "g(x): `g` calls itself"),
    (
        "fn g(x: f32) -> f32 { h(x) + h(x) } fn h(x: f32) -> f32 { g(x) * g(x) } pub fn f(x: f32) -> f32 { g(x) }",
        "g(x): `g` calls itself",
    ),
    ("pub fn f<n: Nat>(x: [f32; n]) -> f32 where 3 <= 2 { sum(x) }", "3 <= 2: no sizes satisfy 3 <= 2"),
    (
        "pub fn f<n: Nat>(x: [f32; n]) -> f32 where n >= 3, n <= 2 { sum(x) }",
        "n <= 2: no sizes satisfy n <= 2 and what is asked before it",
    ),
    (
        "fn g<n: Nat, m: Nat>(x: [f32; n]) -> f32 { sum(x) } pub fn f(x: [f32; 4]) -> f32 { g(x) }",
        "g(x): the size `m` of `g` cannot be determined",
    ),
];

#[test]
fn mistakes_in_signatures_and_helpers_are_reported() {
    for (text, expected) in TEXTS {
        assert_eq!(wrong(text), [*expected], "{text}");
    }
}

#[test]
fn a_mistake_in_one_kernel_does_not_hide_the_others() {
    let text =
        "pub fn f(x: f32) -> f32 { y } pub fn g(x: f32) -> f32 { x } pub fn h(x: f32) -> f32 { x + true }";
    let (kernels, diagnostics) = super::infer(text);
    assert_eq!(kernels.iter().map(|kernel| kernel.name.as_str()).collect::<Vec<_>>(), ["g"]);
    assert_eq!(diagnostics.len(), 2);
}

#[test]
fn helpers_that_double_with_each_level_are_refused() {
    let levels: String =
        (0..30).map(|i| format!("fn f{}(x: f32) -> f32 {{ f{i}(f{i}(x)) }} ", i + 1)).collect();
    let text = format!("fn f0(x: f32) -> f32 {{ x + 1.0 }} {levels} pub fn f(x: f32) -> f32 {{ f30(x) }}");
    let said = wrong(&text);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("with helpers written out this kernel has more than 131072 terms"), "{said:?}");
}
