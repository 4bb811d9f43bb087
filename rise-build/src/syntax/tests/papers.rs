//! Listings of the papers, pasted as printed (without line numbers; listing 5 lacks
//! a closing parenthesis there).

use super::super::ast::{Item, Notation, StrategyKind};
use super::{expr, kernel, parsed, strategy};

const LISTING_1: &str = "def mv = depFun((n: Nat, m: Nat) =>
  fun(M: Array[n, Array[m, f32]] =>
    fun(x: Array[m, f32] =>
      M |> map(fun(row =>
        zip(row)(x) |>
        map(fun(ax => fst(ax) * snd(ax))) |>
        reduce(add)(0.0f) )) )) )";

const LISTING_3: &str = "splitJoinMap  ~@~ outermost(isMap)  ~;~
toMapWorkGroup ~@~ outermost(isMap)  ~;~
toMapLocal    ~@~ outermost(isMap)  ~;~
fuseReduceMap ~@~ every(isReduce)    ~;~
toReduceSeq   ~@~ every(isReduce)";

const LISTING_4: &str = "def mvOpt = depFun((n: Nat, m: Nat) =>
  fun(M: Array[n, Array[m, f32]] =>
    fun(x: Array[m, f32] =>
      M |> split(s) |> mapWorkGroup(fun(rows =>
        rows |> mapLocal(fun(row =>
          zip(row)(x) |>
            reduceSeq(Private)(fun(acc, ax =>
              acc + (fst(ax) * snd(ax))))(0.0f) ))
        )) |> join
     )) )";

const LISTING_5: &str = "depFun((n: Nat, m: Nat) =>
  fun(M: Array[n, Array[m, f32]] =>
    M |> mapWorkGroup(fun(row =>
      row |> mapLocal(f) |> mapLocal(g) ))))";

const PRODUCT: &str = "fun( (A: N.K.f32, B: K.M.f32),
  A |> map(fun(arrow,
    B |> transpose |> map(fun(bcol,
      zip(arrow,bcol) |> map(mult) |> reduce(add,0))))))";

#[test]
fn listing_1() {
    let mv = kernel(parsed(LISTING_1));
    assert!(mv.is_kernel() && mv.notation == Notation::Papers && mv.result.is_none());
    let kinds: Vec<&str> = mv.kinds.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(kinds, ["n", "m"]);
    let params: Vec<String> = mv.params.iter().map(|param| param.pattern.to_string()).collect();
    assert_eq!(params, ["M", "x"]);
    assert_eq!(
        mv.body.to_string(),
        "M |> map(|row| zip(row)(x) |> map(|ax| fst(ax) * snd(ax)) |> reduce(add)(0.0f32))"
    );
}

#[test]
fn listing_3() {
    let StrategyKind::Seq(steps) = strategy(LISTING_3).kind else { panic!("five steps") };
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    assert_eq!(
        steps,
        [
            "splitJoinMap @ outermost(isMap)",
            "toMapWorkGroup @ outermost(isMap)",
            "toMapLocal @ outermost(isMap)",
            "fuseReduceMap @ every(isReduce)",
            "toReduceSeq @ every(isReduce)",
        ]
    );
}

#[test]
fn listing_4() {
    let mv = kernel(parsed(LISTING_4));
    assert_eq!(
        mv.body.to_string(),
        "M |> split(s) |> mapWorkGroup(|rows| rows |> mapLocal(|row| zip(row)(x) \
         |> reduceSeq(Private)(|acc, ax| acc + (fst(ax) * snd(ax)))(0.0f32))) |> join"
    );
}

#[test]
fn listing_5() {
    let text =
        "|n: Nat, m: Nat| |M: [[f32; m]; n]| M |> mapWorkGroup(|row| row |> mapLocal(f) |> mapLocal(g))";
    assert_eq!(expr(LISTING_5), expr(text));
    let nomem = kernel(parsed(&format!("def nomem = {LISTING_5}")));
    assert_eq!((nomem.kinds.len(), nomem.params.len()), (2, 1));
}

#[test]
fn matrix_product() {
    let product = kernel(parsed(&format!("def mm = {PRODUCT}")));
    let kinds: Vec<&str> = product.kinds.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(kinds, ["N", "K", "M"], "free naturals are bound in order of appearance");
    assert_eq!(product.params.len(), 2);
    assert_eq!(
        product.body.to_string(),
        "A |> map(|arrow| B |> transpose |> map(|bcol| zip(arrow, bcol) |> map(mult) |> reduce(add, 0)))"
    );
}

#[test]
fn all_spellings_of_a_function_are_one() {
    for (text, same) in [
        ("fun(x => x + 1)", "|x| x + 1"),
        ("fun(a, b => a * b)", "|a, b| a * b"),
        ("fun((a, b) => a * b)", "|a, b| a * b"),
        ("fun(((a, b)) => a * b)", "|(a, b)| a * b"),
        ("fun(x, x + 1)", "|x| x + 1"),
        ("fun(a, b, a * b)", "|a, b| a * b"),
        ("fun((x: f32, y: t), x)", "|x: f32, y: t| x"),
        ("fun(x: Simd<f32, 4>, x)", "|x: Simd<f32, 4>| x"),
        ("fun(x: f32 => fun(y => x))", "|x: f32| |y| x"),
        ("fun(x, reduce(|a, b| a + b, x))", "|x| reduce(|a, b| a + b, x)"),
        ("fun(x, |a, b| a + b)", "|x| |a, b| a + b"),
        ("depFun((n: Nat) => fun(x => x))", "|n: Nat| |x| x"),
        ("depFun(n: Nat => n)", "|n: Nat| n"),
        ("fun(x => x)(y)", "(|x| x)(y)"),
        ("0.0f + 1.5f", "0.0f32 + 1.5f32"),
    ] {
        assert_eq!(expr(text), expr(same), "{text}");
    }
}

#[test]
fn several_definitions_need_no_semicolons() {
    let module =
        parsed(&format!("{LISTING_1}\n{LISTING_4}\nstrategy s = {LISTING_3}\n;compile mv to rust with s;"));
    assert_eq!(module.items.len(), 4);
    assert!(matches!(module.items[3], Item::Compile(_)));
}
