//! Messages: one mistake a program, and where and how it is reported.

use super::super::parse_file;
use super::messages;
use crate::diagnostics::{Origin, Session, to_text};

#[track_caller]
fn says(text: &str, expected: &str) {
    let found = messages(text);
    assert_eq!(found.trim_end(), expected.trim_end(), "\n{found}");
}

/// The message (and help) of a mistake in an expression.
fn in_body(body: &str) -> String {
    let found = messages(&format!("fn f(x: f32) -> f32 {{ {body} }}"));
    found
        .lines()
        .filter(|line| !line.contains(" | "))
        .map(|line| {
            line.trim_start_matches("t:1:")
                .trim_start_matches(|ch: char| ch.is_ascii_digit())
                .trim_start_matches(": ")
        })
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" / ")
}

#[test]
fn a_message_quotes_its_line() {
    says(
        "pub fn f<n: Nat>(x: [f32; n]) -> f32 {\n    x |> map(|a| a *) |> reduce(add, 0.0)\n}",
        "t:2:21: expected an expression, found `)`
  2 |     x |> map(|a| a *) |> reduce(add, 0.0)
    |                     ^",
    );
    says(
        "pub fn f(x: [f32; n]) -> f32 { x }\n\npub fn f(x: f32) -> f32 { x }",
        "t:3:8: `f` is defined twice
  3 | pub fn f(x: f32) -> f32 { x }
    |        ^
  note: line 1, column 8: the first one is here",
    );
    says(
        "pub fn f(x: f32) -> f32 where n % 32 = 0 { x }",
        "t:1:31: `=` does not compare
  1 | pub fn f(x: f32) -> f32 where n % 32 = 0 { x }
    |                               ^^^^^^^^^^
  help: write `==`",
    );
}

#[test]
fn rust_that_rise_does_not_have() {
    for (body, expected) in [
        (
            "&x",
            "RISE has no references / help: write the plain name: arrays are values in RISE, and nothing is copied by naming them",
        ),
        (
            "let mut y = x; y",
            "RISE has no variables that change / help: names are bound once; `reduce(f, z)`, `scan(f, z)` and `iterate(k, f)` carry a value along",
        ),
        (
            "let mut s = x; for i in 0..n { s += x; } s",
            "RISE has no variables that change / help: names are bound once; `reduce(f, z)`, `scan(f, z)` and `iterate(k, f)` carry a value along",
        ),
        (
            "x |> |> f",
            "expected an expression, found `|>` / help: a pipe stands between a value and a function: `x |> f`",
        ),
        (
            "for i in x { i }",
            "RISE has no loops / help: use `map(f)`, `reduce(f, z)`, `scan(f, z)` or `iterate(k, f)`",
        ),
        (
            "x << 2",
            "expected an operator of RISE, found `<<` / help: shifts are functions: `shl(a, b)`, `shr(a, b)`",
        ),
        (
            "x += 1",
            "expected an operator of RISE, found `+=` / help: RISE has no assignment: sums are `reduce(add, 0.0)`, running sums `scan(add, 0.0)`, and one element changes by `xs |> update(|x| x + 1, i)`",
        ),
        (
            "map(|| 1)",
            "a function of RISE has at least one parameter / help: write `|x| e`, or `|_| e` where the argument does not matter",
        ),
        (
            "sum(x, axis = 1)",
            "arguments have no names / help: arguments stand in one order: numbers, functions, values, and the array last",
        ),
        (
            "x[1..]",
            "a part of an array is no index / help: `drop(1, x)` leaves the first element out, `take(4, x)` has the first four",
        ),
        (
            "x[:n]",
            "a part of an array is no index / help: `drop(1, x)` leaves the first element out, `take(4, x)` has the first four",
        ),
        ("map(lambda v: v, x)", "RISE has no `lambda` / help: a function is written `|x| x + 1.0`"),
        ("(int) x", "a type in parentheses converts nothing / help: write `x as i32`"),
        ("x++", "RISE has no operator `++` / help: `x + 1` is one more, `concat(a, b)` joins arrays"),
        (".5 * x", "expected an expression, found `.` / help: a number begins with a digit: `0.5`"),
        (
            "map(|v| 0.0 if v else v)",
            "expected `,`, found `if` / help: a choice is written `if c { a } else { b }`",
        ),
        (
            "map(as i32)",
            "expected an expression, found `as` / help: a conversion stands behind a value: `map(|v| v as i32)`",
        ),
        (
            "var s = sum(x); s",
            "expected `}`, `|>` or another operator, found `s` / help: a name is bound by `let s = e;`",
        ),
        (
            "sum(x), x",
            "expected `}`, `|>` or another operator, found `,` / help: several values are a tuple: `(a, b)`",
        ),
        (
            "let a, b = x; a",
            "expected `=` and a value, found `,` / help: a tuple is taken apart by `let (a, b) = e;`",
        ),
        ("map(mod(2.0))", "RISE has no `mod` / help: a remainder is `a % b`"),
        ("x[]", "an index is missing / help: an element is `x[i]`"),
        ("~x", "expected an expression, found `~` / help: all bits are flipped by `!x`"),
        ("a and b", "expected an operator of RISE, found `and` / help: it is written `&&`"),
        (
            "if x > 0 or x < 1 { x } else { x }",
            "expected an operator of RISE, found `or` / help: it is written `||`",
        ),
        (
            "if x > 0 & x < 1 { x } else { x }",
            "comparisons do not chain / note: line 1, column 26: this is a comparison already / help: `&` and `|` bind tighter than comparisons: between these stands `&&` or `||`",
        ),
        (
            "x |> sum |> / 2.0",
            "expected a function, found `/` / help: what follows an operator stands outside of the pipe: `(x |> f) / y`",
        ),
        (
            "let f(v) = v * 2.0; f(x)",
            "expected `=` and a value, found `(` / help: a function is written `let f = |x| e;`",
        ),
        (
            "let y = map(|v| v + 1.0) x; y",
            "expected `;`, found `x` / help: is a `|>` or a `,` missing? A function is applied as `map(f, x)` or `x |> map(f)`",
        ),
        (
            "let y = f(x) y",
            "expected `;`, found `y` / help: a `let` ends with `;`, and the block's value follows",
        ),
        (
            "reduce (+) 0.0 x",
            "expected an expression, found `+` / help: as a function the operator is called `add`: `reduce(add, 0.0)`",
        ),
        (
            "let y = x in y",
            "expected `;`, found `in` / help: a `let` ends with `;`, and the block's value follows",
        ),
        (
            "let [a, b] = x; a",
            "expected a name, `_` or a tuple of patterns, found `[` / help: elements are `x[0]`, `x[1]`; a pattern takes tuples apart",
        ),
        (
            "[i for i in x]",
            "expected `,` or `;`, found `for` / help: an array is computed by `generate(|i| e)` or `map(f)`",
        ),
        (
            "x.|> f",
            "expected the number of a component, found `|>` / help: components of a tuple are `.0`, `.1`, …",
        ),
        (
            "map { |x| x }",
            "expected `}`, `|>` or another operator, found `{` / help: arguments stand in parentheses: `map(|x| x + 1.0)`",
        ),
        (
            "std::f32::consts::PI",
            "RISE has no paths / help: constants of Rust are not seen here: write the number, or take it as a parameter",
        ),
        ("if a { b }", "expected `else`, found `}` / help: an `if` is a value: `if c { a } else { b }`"),
        (
            "reduce(+, 0.0, x)",
            "expected an expression, found `+` / help: as a function the operator is called `add`: `reduce(add, 0.0)`",
        ),
        (
            "reduce(||, false, x)",
            "expected an expression, found `||` / help: as a function the operator is called `or`: `reduce(add, 0.0)`",
        ),
        (
            "zipWith(&&)",
            "expected an expression, found `&&` / help: as a function the operator is called `and`: `reduce(add, 0.0)`",
        ),
        (
            "map(_ + 1, x)",
            "expected an expression, found `_` / help: `_` is a pattern; a function is written `|x| x + 1`",
        ),
        ("|(a, b), a| a", "`a` is declared twice / note: line 1, column 25: the first one is here"),
        ("{ let (a, a) = x; a }", "`a` is declared twice / note: line 1, column 30: the first one is here"),
        (
            "f(x);",
            "expected `}`, found `;` / help: leave the `;` out: the last expression of a block is its value; others are bound with `let x = …;`",
        ),
        (
            "a < b < c",
            "comparisons do not chain / note: line 1, column 23: this is a comparison already / help: write `a < b && b < c`",
        ),
        (
            "split<32>(x)",
            "comparisons do not chain / note: line 1, column 23: this is a comparison already / help: arguments of a helper's `<…>` are inferred, or written `f::<n>(x)`",
        ),
        ("a[i, j]", "an array is indexed by one index at a time / help: write `a[i][j]`"),
        (
            "std::cmp::max(x)",
            "RISE has no paths / help: a function of Rust is declared as `extern fn name(x: f32) -> f32 = path::name;`",
        ),
        (
            "a ** 2",
            "RISE has no operator `**` / help: a power of floats is `pow(x, 2.0)`, one of sizes `n ^ 2`; a square is `x * x`",
        ),
        (
            "f32::sqrt(x)",
            "RISE has no paths / help: functions of numbers are called by their plain names, such as `sqrt`; one that RISE does not have is declared: `extern fn f(v: f32) -> f32 = f32::sqrt;`",
        ),
        (
            "println!(\"{}\", x)",
            "RISE has no macros, such as `println!` / help: kernels compute values of their arguments alone",
        ),
        ("\"text\"", "RISE has no strings / help: kernels compute on numbers and arrays of numbers"),
        ("()", "RISE has no unit value `()` / help: every expression gives a number, a tuple or an array"),
        (
            "1usize",
            "RISE has no type `usize` / help: leave the suffix out: an unsuffixed integer takes the type that its context wants, also a natural",
        ),
        (
            "match x { _ => 1 }",
            "RISE has no `match` / help: use `if c { a } else { b }`, which may be chained",
        ),
        (
            "x map(f)",
            "expected `}`, `|>` or another operator, found `map` / help: is a `|>` or a `,` missing? A function is applied as `map(f, x)` or `x |> map(f)`",
        ),
        (
            "map(|x| x y)",
            "expected `,`, found `y` / help: is a `|>` or a `,` missing? A function is applied as `map(f, x)` or `x |> map(f)`",
        ),
        ("'rows map(f)", "expected `:`, found `map` / help: a label names a pattern: `'rows: map(f)`"),
        (
            "a @ b",
            "expected an operator of RISE, found `@` / help: the product of two matrices is `matMul(a, b)`, of `use \"rise/blas.rise\";`",
        ),
        (
            "map(x -> x + 1.0, y)",
            "expected an operator of RISE, found `->` / help: a pipe is written `x |> f`, a function `|x| e`, a rule `a => b`",
        ),
        ("map(v => v + 1.0, x)", "expected `,`, found `=>` / help: a function is written `|v| v + 1.0`"),
        (
            "x |> i: map(f)",
            "expected an operator of RISE, found `:` / help: a label is written with a quote: `'i: map(f)`",
        ),
        (
            "{ let y = x * 2.0 y + 1.0 }",
            "expected `;`, found `y` / help: a `let` ends with `;`, and the block's value follows",
        ),
        (
            "{ let y = x * 2.0 y; y }",
            "expected `;`, found `y` / help: a `let` ends with `;`, and the block's value follows",
        ),
        (
            "x as usize",
            "RISE has no type `usize` / help: an index is an `Idx[n]`; sizes are naturals, declared as `<n: Nat>`",
        ),
    ] {
        assert_eq!(in_body(body), expected, "{body}");
    }
}

#[test]
fn types_and_signatures() {
    for (text, expected) in [
        ("fn f(x: [f32]) -> f32 { x }", "t:1:9: an array type tells its length"),
        (
            "fn f(x: [f32; 4; n]) -> f32 { x }",
            "t:1:9: the type of the elements stands inside the brackets, with one length",
        ),
        ("fn f(f32 x) -> f32 { x }", "t:1:6: the type of a parameter stands behind its name"),
        ("fn f(x: f32 = 1.0) -> f32 { x }", "t:1:13: expected `,`, found `=`"),
        ("fn f(x: f32) -> f32, f32 { (x, x) }", "t:1:17: a function gives one value"),
        ("fn f(x: f32) -> (a: f32, b: [f32; 4]) { x }", "t:1:17: components of a tuple have no names"),
        ("fn f(x: [f32, n]) -> f32 { x }", "t:1:13: expected `;` and the length of the array, found `,`"),
        ("fn f(x: [f32, f32]) -> f32 { x }", "t:1:13: expected `;` and the length of the array, found `,`"),
        ("fn f(x: [n]f32) -> f32 { x }", "t:1:9: the length of an array stands behind its elements"),
        ("fn f(x: [n][4]f32) -> f32 { x }", "t:1:9: the length of an array stands behind its elements"),
        ("fn f(x: f32) -> f32 where 4 | n { x }", "t:1:27: `|` does not compare"),
        ("fn f(x: &[f32]) -> f32 { x }", "t:1:9: expected a type, found `&`"),
        ("fn f(x: Vec<f32>) -> f32 { x }", "t:1:9: RISE has no type `Vec`"),
        ("fn f(x: usize) -> f32 { x }", "t:1:9: RISE has no type `usize`"),
        ("fn f(x: Array[f32, n]) -> f32 { x }", "t:1:15: expected the length of the array, found `f32`"),
        ("fn f(x: [f32; -1]) -> f32 { x }", "t:1:15: naturals have no sign"),
        ("fn f(x: [f32; 2.5]) -> f32 { x }", "t:1:15: `2.5` is not a natural number"),
        ("fn f(x: [f32; 2n]) -> f32 { x }", "t:1:15: a natural has no suffix"),
        ("fn f<const N: usize>(x: [f32; N]) -> f32 { x }", "t:1:6: sizes are no `const` parameters"),
        ("fn f<T>(x: T) -> f32 { x }", "t:1:7: expected `:` and a kind, found `>`"),
        ("fn f<n: Nut>(x: f32) -> f32 { x }", "t:1:9: expected a kind, found `Nut`"),
        ("fn f<'a>(x: f32) -> f32 { x }", "t:1:6: RISE has no lifetimes"),
        (
            "fn f(x: f32) -> f32 where T: Nat { x }",
            "t:1:27: a `where` clause of RISE speaks of sizes, not of kinds",
        ),
        ("fn f(x: f32) -> f32 where 1 <= n <= 5 { x }", "t:1:34: expected `,` or `{`, found `<=`"),
        ("fn f(x: f32, x: f32) -> f32 { x }", "t:1:14: `x` is declared twice"),
        ("fn f<n: Nat>(n: f32) -> f32 { n }", "t:1:14: `n` is declared twice"),
        ("pub fn f(x: f32) { x }", "t:1:1: the kernel `f` does not say its result type"),
        ("pub fn f(self) -> f32 { x }", "t:1:10: RISE has no `self`"),
        ("pub unsafe fn f(x: f32) -> f32 { x }", "t:1:5: a kernel has no `const`, `unsafe` or `async`"),
        ("fn f(if: f32) -> f32 { x }", "t:1:6: `if` is a keyword"),
        ("fn box(x: f32) -> f32 { x }", "t:1:4: `box` is a keyword"),
    ] {
        let found = messages(text);
        assert_eq!(found.lines().next(), Some(expected), "{text}\n{found}");
        assert_eq!(found.lines().filter(|line| line.starts_with("t:")).count(), 1, "{found}");
    }
}

#[test]
fn items_and_strategies() {
    for (text, expected) in [
        ("struct S;", "t:1:1: expected an item, found `struct`"),
        ("fun(x => x)", "t:1:1: expected an item, found `fun`"),
        ("use rise::map;", "t:1:1: `use` in a `rise!` block names a file"),
        ("fn f(x: f32) -> f32 { x } crate = r;", "t:1:35: `crate = …` stands first in its block"),
        ("pub strategy s = a;", "t:1:5: a strategy has no visibility"),
        ("strategy s = a strategy t = b;", "t:1:16: expected `;`, found `strategy`"),
        ("strategy s = a b;", "t:1:16: expected `;`, found `b`"),
        ("strategy s = a.b();", "t:1:15: expected `;`, `<+` or `@`, found `.`"),
        ("strategy s = a |> b;", "t:1:16: expected `;`, `<+` or `@`, found `|>`"),
        ("strategy s = 'rows;", "t:1:14: expected a strategy, found a label"),
        ("strategy s = a @ 3;", "t:1:18: expected a place, found `3`"),
        ("strategy s = a; strategy s = b;", "t:1:26: the strategy `s` is defined twice"),
        ("compile f to rust; compile f to c;", "t:1:28: two compilations make a function `f`"),
        ("compile f to rsut;", "t:1:14: there is no target `rsut`"),
        ("compile f with s;", "t:1:11: expected `to` and a target, found `with`"),
        ("compile f to rust(isa = a, isa = b);", "t:1:28: `isa` is declared twice"),
        ("rule r: a + 0.0 -> a;", "t:1:17: expected an operator of RISE, found `->`"),
        ("fn f<n: usize>(x: f32) -> f32 { x }", "t:1:9: expected a kind, found `usize`"),
        ("fn f(n: usize) -> f32 { n }", "t:1:9: RISE has no type `usize`"),
        ("fn f(x: f32): f32 { x }", "t:1:13: expected `->` and the result type, found `:`"),
        ("fn f(x [f32; 4]) -> f32 { x }", "t:1:8: expected `:` and a type, found `[`"),
        ("pub fn f(out: &mut f32) { x }", "t:1:15: expected a type, found `&`"),
        ("fn f(x: f32) -> f32 where (n > 4) { x }", "t:1:27: a condition stands in no parentheses"),
        ("compile f to rust with split(8, tail: peel) ; lower;", "t:1:37: expected `=`, found `:`"),
        ("strategy s { lower }", "t:1:12: expected `=`, found `{`"),
        ("fn f(x: Array<f32, n>) -> f32 { x }", "t:1:15: expected the length of the array, found `f32`"),
        ("fn f(x: ndarray::Array2<f32>) -> f32 { x }", "t:1:9: RISE has no types with paths"),
        ("fn f(x: [f32; n ** 2]) -> f32 { x }", "t:1:18: expected a natural number, found `*`"),
        (
            "strategy s(b: usize) = split(b);",
            "t:1:15: expected `Nat`, `Strategy`, `Label`, `Predicate` or `Data`, found `usize`",
        ),
        (
            "extern \"C\" { fn g(x: f32) -> f32; }",
            "t:1:8: an `extern fn` of RISE names no calling convention",
        ),
        ("rule r(x: f32): x + 0.0 = x;", "t:1:25: expected an operator of RISE, found `=`"),
        ("fn f::<n: Nat>(x: [f32; n]) -> f32 { x }", "t:1:5: expected `(` and the parameters, found `::`"),
        ("pub f(x: f32) -> f32 { x }", "t:1:5: expected an item, found `f`"),
        ("def f [n] = x;", "t:1:7: expected `=`, found `[`"),
        ("rule r: a >> b;", "t:1:15: expected `=>`, found `;`"),
        ("extern \"C\" fn f(x: f32) -> f32;", "t:1:8: an `extern fn` of RISE names no calling convention"),
        ("#[foo] fn f(x: f32) -> f32 { x }", "t:1:3: the attribute `foo` means nothing here"),
        ("#[cfg(test)] compile f to rust;", "t:1:3: the attribute `cfg` means nothing here"),
        ("fn f(mut x: f32) -> f32 { x }", "t:1:6: RISE has no references and no variables that change"),
        (
            "pub fn f<n: Nat>(x: f32) where n > 1 -> f32 { x }",
            "t:1:38: the result type stands before `where`",
        ),
        ("def f = depFun((n: Nt) => fun(x: f32 => x));", "t:1:20: expected a kind, found `Nt`"),
        ("#![allow(x)] fn f(x: f32) -> f32 { x }", "t:1:1: this is no attribute of an item"),
    ] {
        let found = messages(text);
        assert_eq!(found.lines().next(), Some(expected), "{text}\n{found}");
        assert_eq!(found.lines().filter(|line| line.starts_with("t:")).count(), 1, "{found}");
    }
}

#[test]
fn ways_out_of_mistakes_in_items() {
    for (text, help) in [
        ("schedule s = lower;", "how a kernel is computed is said by `strategy name = …;`"),
        ("compile f to rust with { lower };", "steps stand without braces: `split(8) @ 'rows ; lower`"),
        ("fn f(f32 x) -> f32 { x }", "write `x: f32`"),
        ("fn f(x: f32 = 1.0) -> f32 { x }", "parameters have no defaults: each call gives all arguments"),
        ("fn f(x: f32) -> f32, f32 { (x, x) }", "several are a tuple: `-> (f32, f32)`"),
        (
            "fn f(x: f32) -> (a: f32, b: f32) { x }",
            "write the types alone, `(f32, f32)`: components are `.0`, `.1`",
        ),
        ("fn f(x: [f32; 4; n]) -> f32 { x }", "write `[[f32; n]; 4]`"),
        ("fn f(x: f32) -> f32 { x };", "a function ends with its body: leave the `;` out"),
        (
            "fn f(x: f32) -> f32 where x[0] > 1 { x }",
            "conditions are on sizes, such as `n >= 3`; what depends on elements is chosen in the body by `if`",
        ),
        ("compile f to cuda;", "targets are `rust`, `c`, `openmp` and, for devices, `opencl`"),
    ] {
        let found = messages(text);
        assert!(found.contains(&format!("help: {help}\n")), "{text}\n{found}");
    }
}

#[test]
fn several_mistakes_are_all_reported() {
    let found =
        messages("fn f(x: &f32) -> f32 { x |> } fn g(y: f32) -> f32 { f(&y, y ** 2) } strategy s = ;");
    assert_eq!(found.lines().filter(|line| line.starts_with("t:")).count(), 5, "{found}");
}

#[test]
fn mistakes_in_an_imported_file_tell_its_lines() {
    let _session = Session::start();
    let text = "/// é /* no comment\nfn g(x: f32) -> f32 { // comment (\n    'é: map(|p| p.0.1 + ) }\nfn g(x: f32) -> f32 { x }";
    let (module, diagnostics) = parse_file("lib/g.rise", text, Origin::NONE);
    assert_eq!(module.items.len(), 2);
    assert_eq!(
        to_text(&diagnostics, "main.rs", ""),
        "lib/g.rise:3:25: expected an expression, found `)`\n  3 |     'é: map(|p| p.0.1 + ) }\n    |                         ^\n\
         lib/g.rise:4:4: `g` is defined twice\n  4 | fn g(x: f32) -> f32 { x }\n    |    ^\n\
         \x20 note: lib/g.rise:2:4: the first one is here\n"
    );
    let (module, diagnostics) = parse_file("lib/g.rise", "fn g(", Origin::NONE);
    assert!(module.items.is_empty() && module.lacks_items());
    assert_eq!(
        to_text(&diagnostics, "main.rs", ""),
        "lib/g.rise:1:5: `(` is not closed\n  1 | fn g(\n    |     ^\n"
    );
}
