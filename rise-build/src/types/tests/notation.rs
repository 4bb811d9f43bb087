//! Ways to write one program: the papers' notation, calls, compositions, helpers, sharing.

use super::{body, typed, wrong};

#[test]
fn papers_and_rust_notation_are_one() {
    let expected = "fn dotp<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 {\n    zip(x, y) |>\n        map(|x| x.0 * x.1) |>\n        \
                    reduceSeq(Private, |a, b| a + b, 0.0)\n}";
    for text in [
        "def dotp = depFun((n: Nat) => fun((x: Array[n, f32], y: Array[n, f32]) =>
            reduceSeq(Private)(fun(a, b => a + b))(0.0f)(map(mult)(zip(x)(y)))))",
        "def dotp = fun((x: n.f32, y: n.f32) => zip(x)(y) |> map(mult) |> toReduceSeq(Private)(fun(a, b => a + b), 0.0f))",
        "pub fn dotp<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 {
            zip(x, y) |> map(mult) |> reduceSeq(Private, |a, b| a + b, 0.0)
        }",
        "fn d(f, x, y) { zip(x, y) |> (map(mult) >> reduceSeq(Private, f, 0)) }
         pub fn dotp<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 { d(|a, b| a + b, x, y) }",
    ] {
        assert_eq!(typed(text), expected, "{text }");
    }
}

#[test]
fn naturals_of_a_def_come_in_order_of_appearance() {
    let text = "def mm = fun((a: N.K.f32, b: K.M.f32) => a |> map(fun(r => transpose(b) |> map(fun(c =>
        zip(r)(c) |> map(mult) |> reduce(add)(0.0f))))))";
    assert!(
        typed(text).starts_with(
            "fn mm<N: Nat, K: Nat, M: Nat>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N]"
        )
    );
}

#[test]
fn partial_applications_and_compositions_become_lambdas() {
    let text = "fn twice(f: f32 -> f32, x: f32) -> f32 { f(f(x)) }
         fn plus(c: f32, x: f32) -> f32 { x + c }
         pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(twice(plus(1.0))) |> map(twice(|x| x * 2.0) >> plus(3.0)) }";
    assert_eq!(body(text), "x |> map(|x| x + 1.0 + 1.0) |> map(|x| x * 2.0 * 2.0 + 3.0)");
}

#[test]
fn helpers_are_polymorphic() {
    let text =
        "fn pair<n: Nat, s: Data, t: Data>(f: s -> t, xs: [s; n]) -> [(s, t); n] { xs |> map(|x| (x, f(x))) }
         pub fn f<n: Nat>(x: [f32; n], y: [i32; 4]) -> ([(f32, f32); n], [(i32, f32); 4]) {
             (pair(|x| x + 1, x), pair(|y| y as f32, y))
         }";
    assert_eq!(body(text), "(x |> map(|x| (x, x + 1.0)), y |> map(|x| (x, x as f32)))");
}

#[test]
fn helpers_take_functions_of_naturals() {
    let text =
        "fn more<g: Nat -> Nat, n: Nat>(x: [f32; n]) -> [f32; g(n)] { generate(|i| g(i) as f32 + sum(x)) }
         fn same<t: Nat -> Data, n: Nat>(x: t(n)) -> t(n) { x }
         pub fn f<n: Nat>(x: [f32; n]) -> [f32; 2 * n + 1] {
             same::<|i| [f32; i], 2 * n + 1>(more::<|i| 2 * i + 1>(same::<|i| [f32; n], 3>(x)))
         }";
    assert!(body(text).contains("2 * i + 1"), "{}", body(text));
    for (call, wanted) in [
        ("more(x)", "`g` of `more` cannot be inferred"),
        ("more::<|i| _>(x)", "`g` of `more` cannot be inferred"),
        ("more::<|i| f32>(x)", "expected an argument of kind `Nat -> Nat`"),
        ("same::<|i| i + 1, 3>(more::<|i| 2 * i + 1>(x))", "expected an argument of kind `Nat -> Data`"),
        ("more::<2>(x)", "expected an argument of kind `Nat -> Nat`"),
    ] {
        let (head, _) = text.split_once("same::").unwrap();
        let found = wrong(&format!("{head} {call} }}"));
        assert!(found.len() == 1 && found[0].contains(wanted), "{found:?}");
    }
}

#[test]
fn labels_stand_on_what_they_name() {
    let text = "fn rows(f, m) { m |> 'rows: map(f) }
         pub fn f<n: Nat>(m: [[f32; n]; n]) -> [f32; n] { m |> rows(|r| r |> 'sum: (map(|x| x * x) >> reduce(add, 0.0))) }";
    assert_eq!(body(text), "m |> 'rows: map(|r| r |> map(|x| x * x) |> 'sum: reduce(|acc, x| acc + x, 0.0))");
    // The argument of a helper is a binding, which disappears.
    let text = "pub fn f<n: Nat>(m: [[f32; n]; n]) -> [f32; n] { generate(|i| 'sum: sum(m[i])) }";
    assert_eq!(body(text), "generate(|i| m[i] |> 'sum: reduce(|acc, x| acc + x, 0.0))");
}

#[test]
fn lets_share_what_is_used_twice_or_inside_functions() {
    let share =
        |body: &str| super::body(&format!("pub fn f<n: Nat>(x: [f32; n], a: f32) -> [f32; n] {{ {body} }}"));
    assert_eq!(
        share("let s = sum(x); x |> map(|y| y / s)"),
        "{ let s = x |> reduce(|acc, x| acc + x, 0.0); x |> map(|y| y / s) }"
    );
    assert_eq!(
        share("let y = x |> map(|x| x * a); y |> scan(add, 0)"),
        "x |> map(|x| x * a) |> scan(|acc, x| acc + x, 0.0)"
    );
    assert_eq!(share("let unused = sum(x); x"), "x");
    assert_eq!(
        share("let p = x |> drop(0); zip(p, p) |> map(|(a, b)| a + b)"),
        "zip(x |> drop(0), x |> drop(0)) |> map(|ab| ab.0 + ab.1)"
    );
    assert_eq!(
        share("x |> map(|x| { let (p, q) = (x * a, x); p * p + q })"),
        "x |> map(|x| { let p = x * a; p * p + x })"
    );
}

#[test]
fn literals_take_the_type_of_their_context() {
    let of = |ty: &str, body: &str| super::body(&format!("pub fn f(x: {ty}) -> {ty} {{ {body} }}"));
    assert_eq!(of("f64", "x + 1"), "x + 1.0f64");
    assert_eq!(of("u8", "x + 255"), "x + 255u8");
    assert_eq!(of("i8", "-128 + x"), "-128i8 + x");
    assert_eq!(of("f32", "x * 0.1"), "x * 0.1");
    assert_eq!(of("f32", "if x > 1 { 2 } else { 0.5 }"), "if x > 1.0 { 2.0 } else { 0.5 }");
    assert_eq!(of("f32", "max(x, f32::NEG_INFINITY)"), "max(x, -inf)");
    assert_eq!(of("(f32, i64)", "(x.0 + 1, x.1 + 1)"), "(x.0 + 1.0, x.1 + 1i64)");
    assert_eq!(of("Simd<f32, 4>", "2 * x + 1.5"), "vectorFromScalar(4)(2.0) * x + vectorFromScalar(4)(1.5)");
}

#[test]
fn a_users_name_shadows_primitives_and_prelude() {
    let text = "fn sum(x: f32) -> f32 { x + 1 }
         fn map(x: f32) -> f32 { x * 2 }
         pub fn f(x: f32) -> f32 { sum(map(x)) }";
    assert_eq!(body(text), "x * 2.0 + 1.0");
    // There is no recursion: in its own body the name is RISE's.
    let text = "pub fn map<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|a| a + 1) }";
    assert_eq!(body(text), "x |> map(|a| a + 1.0)");
}

#[test]
fn foreign_functions_are_called_with_their_types() {
    let text = "extern fn hyp(x: f32, y: f32) -> f32 = f32::hypot;
         pub fn f<n: Nat>(x: [(f32, f32); n]) -> [f32; n] { x |> map(|(a, b)| hyp(a, 2) + b) }";
    assert_eq!(body(text), "x |> map(|ab| hyp(ab.0, 2.0) + ab.1)");
}

#[test]
fn forms_take_dimensions_and_spaces_or_leave_them_out() {
    let of = |body: &str| super::body(&format!("pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ {body} }}"));
    assert_eq!(of("x |> mapGlobal(1)(|x| x)"), of("x |> mapGlobal(1, |x| x)"));
    assert_eq!(of("x |> mapGlobal(|x| x)"), of("mapGlobal(0, |x| x, x)"));
    assert_eq!(of("x |> toMapWorkGroup(0)(id)"), of("x |> mapWorkGroup(|x| x)"));
    assert_eq!(of("x |> toMem(Local)"), "x |> toMem(Local)");
    assert_eq!(of("x |> toMem"), "x |> toMem");
}

#[test]
fn what_an_inner_name_hides_is_told_apart() {
    // Numbered names are told apart from those that users number, and indices from indices.
    let numbered = "fn both(x, f) { map(|x| f(x), x) } fn add_to(x, f) { map(|x1| f(x1) + x, [x, x]) }
        pub fn f(x: [f32; 2]) -> [[[f32; 2]; 2]; 2] { x |> map(|x| both([x, x], |y| add_to(y, |z| z + x))) }";
    assert_eq!(body(numbered), "x |> map(|x| [x, x] |> map(|x1| [x1, x1] |> map(|x11| x11 + x + x1)))");
    let indexed =
        "fn turned<n: Nat>(a: [f32; n], k: Idx[n]) -> [f32; n] { generate(|i: Idx[n]| a[(i + k) % n]) }
        pub fn f<n: Nat>(x: [f32; n]) -> [[f32; n]; n] { generate(|i| turned(x, i)) }";
    assert_eq!(body(indexed), "generate(|i| generate(|i1| x[(i + i1) % n]))");
    let text = "pub fn f<n: Nat>(x: [f32; n], a: [[f32; n]; n]) -> [f32; n] { a |> map(dot(x)) }";
    assert_eq!(
        body(text),
        "a |> map(|x1| zip(x, x1) |> map(|xy| xy.0 * xy.1) |> reduce(|acc, x| acc + x, 0.0))"
    );
}

#[test]
fn names_of_types_elsewhere_are_names_here() {
    assert_eq!(body("pub fn f(int: i32) -> f32 { (int) as f32 }"), "int as f32");
}
