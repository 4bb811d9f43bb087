//! What helps against mistakes that are often made with one function or another.

use crate::expr::{Binary, Primitive, StaticArg};
use crate::nat::Nat;
use crate::syntax::ast::{self, ExprKind};

use super::Scalar;
use super::elaborate::pattern_text;
use super::primitive::call_text;
use super::term::{TArg, TPrim, Term, TermKind};
use super::ty::Ty;
use super::value::{Argument, Env, Fun, Value};

/// What to do with further arguments of a function that takes fewer.
pub(super) fn further_arguments(function: &str) -> Option<String> {
    const ADVICE: &[(&[&str], &str)] = &[
        (&["zip"], "make pairs of pairs: `zip(a, zip(b, c)) |> map(|(x, (y, z))| x + y + z)`"),
        (&["concat", "min", "max", "add", "mul"], "call it twice: `f(a, f(b, c))`"),
        (&["map"], "a function of several arrays' elements takes pairs: `zip(a, b) |> map(|(x, y)| x + y)`"),
        (&["sum"], "of rows it is `map(sum)`, of columns `transpose(a) |> map(sum)`"),
        (&["round", "floor", "ceil"], "decimals are kept by a factor: `f(v * 100.0) / 100.0` keeps two"),
        (&["ln"], "a logarithm of another base is a quotient: `ln(v) / ln(2.0)`"),
        (&["transpose"], "it swaps the two outer dimensions; `map(transpose)` swaps those inside"),
    ];
    let row = ADVICE.iter().find(|(functions, _)| functions.contains(&function));
    row.map(|(_, advice)| advice.replace("f(", &format!("{function}(")))
}

/// What to do where the primitive was given a function in the place of an array.
pub(super) fn function_for_array(primitive: &str) -> Option<&'static str> {
    match primitive {
        "gather" => Some(
            "write `generate(|i| x[n - 1 - i])`, or make an array of indices: `gather(generate(|i| n - 1 - i))`",
        ),
        "scatter" => Some("make an array of indices: `scatter(generate(|i| n - 1 - i))`"),
        _ => None,
    }
}

/// What to do where an operator or a scalar function was given an array.
pub(super) fn array_for_number(symbol: &str, arity: usize, found: &Ty) -> String {
    let nested = matches!(found, Ty::Array(_, element) if matches!(**element, Ty::Array(..)));
    let (map, zip) = if nested { ("map2D", "zip2D") } else { ("map", "zip") };
    let product = if nested && symbol == "*" { format!("; {MATRICES}") } else { String::new() };
    let is_name = symbol.starts_with(char::is_alphabetic);
    match arity {
        1 if is_name => {
            format!("`map({symbol})` goes through an array, `map2D({symbol})` through an array of arrays")
        }
        1 => format!("apply it to elements: `{map}(|x| {symbol}x)`"),
        2 if is_name => {
            format!("apply it to elements: `|a, b| {zip}(a, b) |> {map}(|(x, y)| {symbol}(x, y))`")
        }
        2 => format!(
            "apply it to elements: `{zip}(a, b) |> {map}(|(x, y)| x {symbol} y)`, `{map}(|x| x {symbol} c)`{product}"
        ),
        _ => format!("apply it to elements, in a function given to `{map}`"),
    }
}

/// What to do where a function of arrays of numbers was given an array of arrays.
pub(super) fn array_for_numbers(helper: &str) -> String {
    match helper {
        "dot" => format!("it takes two arrays of numbers; {MATRICES}"),
        _ => format!("apply it to elements, with `map({helper})`, or after `join`"),
    }
}

/// What to do where a function of arrays of numbers was given truth values.
pub(super) fn truth_values(helper: &str) -> String {
    let call = match helper {
        "dot" => "zip(x, y) |> map(|(a, b)| (a && b) as u32) |> sum".to_owned(),
        _ => format!("x |> map(|b| b as u32) |> {helper}"),
    };
    format!("make numbers of the truth values, 1 where one holds: `{call}`")
}

const MATRICES: &str = "the product of matrices is `matMul(a, b)`, of `use \"rise/blas.rise\";`";

/// What to do where the primitive was given a value in the place of an array.
pub(super) fn value_for_array(primitive: &str, found: &Ty) -> Option<&'static str> {
    match (primitive, found) {
        ("concat", _) => Some("`[x]` is an array of one element"),
        ("zip", Ty::Scalar(_)) => Some("a number is beside each element by itself: `y |> map(|v| v + c)`"),
        ("map", Ty::Scalar(_)) => Some("a number goes into the function itself, without `map`: `x |> f`"),
        ("transpose", _) => {
            Some("it swaps the two outer dimensions of an array; `map(transpose)` swaps those inside")
        }
        ("slide2D" | "slide3D", _) => {
            Some("its windows are squares: `slide2D(3, 1)` makes those of 3 by 3, one at each place")
        }
        ("iterate", _) => Some(
            "a value is stepped by a fold of indices: `generate(|i: Idx[k]| i) |> reduceSeq(|v, i| …, v)`",
        ),
        (_, Ty::Tuple(_)) => parts(found),
        (_, Ty::Nat) => Some("the numbers below a natural are `generate(|i: Idx[n]| i)`"),
        _ => None,
    }
}

/// What to do where a function of one array, or of two, was given a number of an array.
pub(super) fn number_for_array(helper: &str) -> String {
    match helper {
        "map2D" => "it goes through an array of arrays: `map(f)` goes through an array".to_owned(),
        _ => {
            let call = if helper == "dot" { "dot(x, y)".to_owned() } else { format!("x |> {helper}") };
            format!(
                "an array as a whole is given to it alone, `{call}`; parts of m elements are `x |> split(m)`"
            )
        }
    }
}

/// What to do where an element stands in the place of an index.
pub(super) fn element_for_index(env: &Env<'_>) -> String {
    let is_index =
        |name: &&str| matches!(env.get(name), Some(Value::Data(term)) if matches!(term.ty(), Ty::Idx(_)));
    match env.names().into_iter().find(is_index) {
        Some(index) => format!("the index here is `{index}`"),
        None => "elements are no indices: these come from `generate(|i| x[i])`".to_owned(),
    }
}

/// What to do where the primitive was given a value in the place of a function.
pub(super) fn value_for_function(primitive: &str) -> Option<&'static str> {
    match primitive {
        "generate" => Some(
            "it takes a function alone, and its length from where the array is used: `generate(|i| i as f32)`",
        ),
        "map" => Some("functions come first: `map(|v| v + 1.0, x)`"),
        _ => None,
    }
}

/// What to do about a pipe into a call, if that has all its arguments.
pub(super) fn piped_call(function: &ast::Expr) -> Option<String> {
    let ExprKind::Call(called, _) = &function.kind else { return None };
    let ExprKind::Name(name) = &called.kind else { return None };
    Some(format!(
        "a pipe gives the last argument of `{name}`, which is left out behind it: `x |> map(f)`, `x |> sum`"
    ))
}

/// What to do about a function where a value belongs; `known` is what its place says.
pub(super) fn unwanted_function(fun: &Fun, known: Option<String>) -> String {
    let usual = || "functions cannot be stored or returned".to_owned();
    match (fun, known) {
        (Fun::Operator { op, args }, _) if op.arity() == 2 && args.len() == 1 => match op.name() {
            name @ ("add" | "mul" | "min" | "max" | "and" | "or" | "xor") => {
                format!("`x |> reduce({name}, z)` folds an array with it, from `z` on")
            }
            name => format!("it is called as `{name}(a, b)`"),
        },
        (_, Some(known)) => known,
        (Fun::Operator { op, .. }, None) => {
            let args = ["a", "b", "c"];
            format!("it is called as `{}({})`", op.name(), args[..op.arity().min(3)].join(", "))
        }
        (Fun::Prim { row, args }, None) => fold_without_start(row.names[0], args)
            .unwrap_or_else(|| format!("`{}`: {}", call_text(row), row.doc)),
        (Fun::Item { item, .. }, None) => {
            let params: Vec<String> = item.params.iter().map(|param| pattern_text(&param.pattern)).collect();
            format!("it is called as `{}({})`", item.name, params.join(", "))
        }
        (_, None) => usual(),
    }
}

/// The first operand of what a value is piped into: a pipe that ended there would be one.
pub(super) fn end_of_pipe(function: &ast::Expr) -> Option<&ast::Expr> {
    match &function.kind {
        ExprKind::Binary(_, _, first, _)
        | ExprKind::Cast(first, _)
        | ExprKind::Field(first, _)
        | ExprKind::Index(first, _) => Some(end_of_pipe(first).unwrap_or(first)),
        _ => None,
    }
}

/// What to do about a function that takes more values than the primitive gives it.
pub(super) fn too_many_values(primitive: &str, function: &Value) -> String {
    let fun = match function {
        Value::Fun(fun) => Some(&**fun),
        _ => None,
    };
    let advice = match (primitive, fun) {
        (_, Some(Fun::Prim { row, args })) if row.names[0].starts_with("reduce") && args.len() == 1 => {
            "a fold begins with a value: `reduce(add, 0.0)`"
        }
        ("map", Some(Fun::Operator { op, args })) if op.arity() == 2 && args.is_empty() => {
            return format!(
                "a pair is taken apart by a pattern: `zip(a, b) |> map(|(x, y)| {}(x, y))`",
                op.name()
            );
        }
        ("generate", _) => "each dimension is one `generate`: `generate(|i| generate(|j| (i + j) as f32))`",
        _ => "a pattern takes a tuple apart, `|(x, y)|`; `zip(a, b)` makes pairs of two arrays' elements",
    };
    advice.to_owned()
}

/// What to do about the function of a fold that takes another number of values.
pub(super) fn values_of_fold(primitive: &str) -> Option<String> {
    let is_fold = ["reduce", "scan"].iter().any(|family| primitive.starts_with(family));
    is_fold.then(|| "it gives what is folded so far and an element: `|s, v| s + v`".to_owned())
}

/// What to do about a fold that was given its array, but no value to begin with.
fn fold_without_start(primitive: &str, args: &[Argument<'_>]) -> Option<String> {
    let is_fold = ["reduce", "scan"].iter().any(|family| primitive.starts_with(family));
    let [.., _, second] = args else { return None };
    (is_fold && is_array(second)).then(|| {
        format!(
            "the value to begin with stands behind the function: `{primitive}(add, 0.0)`, `{primitive}(min, f32::INFINITY)`"
        )
    })
}

fn is_array(arg: &Argument<'_>) -> bool {
    match arg {
        Argument::Ast(expr, env) => match &expr.kind {
            ExprKind::Pipe(..) | ExprKind::Array(_) | ExprKind::Repeat(..) => true,
            ExprKind::Name(name) => match env.get(name.as_str()) {
                Some(Value::Data(term)) => matches!(term.ty(), Ty::Array(..)),
                _ => false,
            },
            _ => false,
        },
        Argument::Value(..) => false,
    }
}

/// An unknown natural in words; `what` has it: a primitive, or a phrase.
pub(super) fn length_of(what: &str) -> String {
    match what.split_once('(') {
        _ if what.contains(' ') && what.contains('`') || what.starts_with('`') => what.to_owned(),
        Some(("take" | "drop", _)) => format!("the length of the array given to `{what}`"),
        _ => format!("the length of `{what}`"),
    }
}

/// What to do about a length that nothing tells; `what` has it.
pub(super) fn unknown_length(what: &str) -> String {
    let name = what.split('(').next().unwrap_or(what);
    match name {
        "take" | "drop" => format!("say it before: `{{ let xs: [f32; n] = …; xs |> {what} }}`"),
        "generate" => "give it to the index: `generate(|i: Idx[n]| …)`".to_owned(),
        _ if what.starts_with("the size") => "give it: `f::<n>(…)`".to_owned(),
        _ => "give it: by a result type, or by `let x: [f32; n] = …`".to_owned(),
    }
}

/// How what needs a literal length is given one; `who` needs it.
pub(super) fn literal_length(who: &str) -> Option<String> {
    match who.split('(').next()? {
        map @ ("mapVec" | "mapSeqUnroll") => {
            Some(format!("rows have one: `x |> split(8) |> map(|row| row |> {map}(f)) |> join`"))
        }
        fold @ "reduceSeqUnroll" => {
            Some(format!("rows have one: `x |> split(8) |> map(|row| row |> {fold}(f, z))`"))
        }
        _ => None,
    }
}

/// How the parts of a value are written, if it has some.
pub(super) fn parts(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Array(_, element) if matches!(**element, Ty::Tuple(_)) => {
            Some("the array's elements are tuples; use `map(|p| p.0)` or `unzip`")
        }
        Ty::Array(..) => Some("the elements of an array are `p[0]`, `p[1]`"),
        Ty::Tuple(parts) if parts.iter().all(|part| matches!(part, Ty::Array(..))) => {
            Some("`zip2D(a, b)` pairs the elements of rows; the components of a tuple are `p.0`, `p.1`")
        }
        Ty::Tuple(_) => Some("the components of a tuple are `p.0`, `p.1`"),
        _ => None,
    }
}

/// A pattern that takes apart all tuples in a tuple, and how many names it has.
pub(super) fn pattern_of(ty: &Ty) -> Option<(String, usize)> {
    let mut letters = 'a'..='z';
    let pattern = pattern_with(ty, &mut letters)?;
    Some((pattern, 26 - letters.count()))
}

fn pattern_with(ty: &Ty, letters: &mut dyn Iterator<Item = char>) -> Option<String> {
    match ty {
        Ty::Tuple(parts) => {
            let parts: Vec<String> =
                parts.iter().map(|part| pattern_with(part, letters)).collect::<Option<_>>()?;
            Some(format!("({})", parts.join(", ")))
        }
        _ => letters.next().map(String::from),
    }
}

/// What to do about an array whose length differs from the wanted one by a number.
pub(super) fn lengths_apart(term: &Term, found: &Nat, want: &Nat) -> Option<String> {
    let missing = (want - found).as_const().filter(|missing| *missing != 0)?;
    let apart = missing.unsigned_abs();
    if let Some(windows) = made_by(term, "slide") {
        let [size, step] = [0, 1].map(|at| match windows.get(at) {
            Some(StaticArg::Nat(nat)) => Some(nat),
            _ => None,
        });
        let (size, step) = (size?, step?);
        if step.is_one() && (size - 1).as_const() == Some(missing) {
            return Some(format!(
                "windows are {apart} fewer than elements: `padClamp` or `padCst` before them gives the array a border"
            ));
        }
        let is_told = !step.is_one() || size.as_const().is_none();
        return is_told.then(|| {
            format!(
                "`slide({size}, {step})` makes windows of {size} elements, of which each begins {step} after the one before"
            )
        });
    }
    if made_by(term, "scan").is_some() && apart == 1 {
        return Some(
            "what comes before the first element is put in front: `concat([0.0], scan(add, 0.0, x))`"
                .to_owned(),
        );
    }
    made_by(term, "concat").map(|_| "`take` and `drop` leave elements out".to_owned())
}

/// The leading arguments of the primitive of a family that gives an array, of which functions may be applied to the
/// elements.
fn made_by<'t>(term: &'t Term, family: &str) -> Option<&'t [StaticArg]> {
    match term.kind() {
        TermKind::Prim(TPrim::Row(row, leading), _) if row.names[0].starts_with(family) => Some(leading),
        TermKind::Prim(TPrim::Row(row, _), args) if row.names[0].starts_with("map") => {
            args.iter().find_map(|arg| match arg {
                TArg::Expr(term) => made_by(term, family),
                TArg::Fun(_) => None,
            })
        }
        TermKind::Let(_, value, body) => made_by(body, family).or_else(|| made_by(value, family)),
        _ => None,
    }
}

/// What to do about a value of one form where one of another is wanted.
pub(super) fn other_form(term: &Term, found: &Ty, want: &Ty) -> Option<String> {
    match (found, want) {
        (Ty::Scalar(_) | Ty::Var(_), Ty::Array(..)) if is_fold(term) => Some(
            "a fold gives one value; `map(f)` gives one for each element, `scan(f, z)` all that come before"
                .to_owned(),
        ),
        (Ty::Array(_, element), Ty::Scalar(_)) if matches!(**element, Ty::Scalar(_)) => {
            Some("`reduce(add, 0.0)` makes one value of an array, `x[0]` is one of its elements".to_owned())
        }
        (Ty::Array(_, found), Ty::Array(_, want)) => match (&**found, &**want) {
            (Ty::Array(..), Ty::Scalar(_)) => Some(
                "its elements are arrays: `join` puts them one behind the other, `map(sum)` adds each up"
                    .to_owned(),
            ),
            (Ty::Scalar(_), Ty::Array(..)) => {
                Some("its elements are numbers: `split(m)` makes arrays of m elements".to_owned())
            }
            (Ty::Vector(..), Ty::Scalar(_)) => Some("`asScalar` makes numbers of vectors".to_owned()),
            (Ty::Array(..), Ty::Array(..)) => other_form(term, found, want),
            (Ty::Array(..), Ty::Tuple(_)) | (Ty::Tuple(_), Ty::Array(..)) => Some(ARRAY_OR_TUPLE.to_owned()),
            _ => None,
        },
        (Ty::Array(_, element), Ty::Tuple(wants)) if matches!(&**element, Ty::Tuple(parts) if parts.len() == wants.len()) => {
            Some("`unzip` makes two arrays of an array of pairs; what is one value is computed beside: `(map(f, x), sum(x))`".to_owned())
        }
        (Ty::Array(..), Ty::Tuple(_)) | (Ty::Tuple(_), Ty::Array(..)) => Some(ARRAY_OR_TUPLE.to_owned()),
        _ => None,
    }
}

const ARRAY_OR_TUPLE: &str = "`[a, b]` is an array, `(a, b)` a tuple";

/// What to do about a fold whose result is a number of another type than is wanted, if its function is the user's.
pub(super) fn fold_of_others(term: &Term, found: &Ty, want: &Ty) -> Option<String> {
    let is_number = |ty: &Ty| matches!(ty, Ty::Scalar(scalar) if *scalar != Scalar::Bool);
    let (TermKind::Prim(TPrim::Row(row, _), args), true) = (term.kind(), is_number(found) && is_number(want))
    else {
        return None;
    };
    let is_operator = |body: &Term| match body.kind() {
        TermKind::Prim(_, args) => {
            args.iter().all(|arg| matches!(arg, TArg::Expr(term) if matches!(term.kind(), TermKind::Var(_))))
        }
        _ => false,
    };
    let is_own = args.iter().any(|arg| matches!(arg, TArg::Fun(function) if !is_operator(&function.body)));
    let convert = format!("convert with `as {want}`");
    match row.names[0] {
        _ if !is_own => None,
        "reduce" => Some(format!(
            "{convert}; `reduce` folds elements into one of their type, `reduceSeq` into a value of any type"
        )),
        fold if fold.starts_with("reduceSeq") => Some(format!(
            "{convert}; the function of `{fold}` takes first what is folded so far, then an element"
        )),
        _ => None,
    }
}

/// What to do about a sum or a product of narrow integers where a wider number is wanted: converted itself it would have wrapped before.
pub(super) fn narrow_sum(term: &Term, found: &Ty, want: &Ty) -> Option<String> {
    let (Some(from), Some(to)) = (number(found), number(want)) else { return None };
    let is_wider = if to.is_float() { from.bytes() <= 2 } else { to.bytes() > from.bytes() };
    let wraps = from.is_integer() && to != Scalar::Bool && is_wider;
    (wraps && adds_up(term))
        .then(|| format!("in `{from}` sums and products wrap: convert elements before anything is computed of them, `map(|x| x as {to})`"))
}

/// The number that the type is, or that the elements of the array are.
fn number(ty: &Ty) -> Option<Scalar> {
    match ty {
        Ty::Scalar(scalar) => Some(*scalar),
        Ty::Array(_, element) => number(element),
        _ => None,
    }
}

/// Whether the term is a sum or a product of elements, or an array of such.
fn adds_up(term: &Term) -> bool {
    let any = |args: &[TArg], is: &dyn Fn(&Term) -> bool| {
        args.iter().any(|arg| matches!(arg, TArg::Fun(function) if is(&function.body)))
    };
    match term.kind() {
        TermKind::Prim(TPrim::Row(row, _), args) if row.names[0].starts_with("map") => any(args, &adds_up),
        TermKind::Prim(_, args) => is_fold(term) && any(args, &is_sum_or_product),
        TermKind::Let(_, _, body) => adds_up(body),
        _ => false,
    }
}

fn is_sum_or_product(term: &Term) -> bool {
    matches!(term.kind(), TermKind::Prim(TPrim::Known(Primitive::Binary(Binary::Add | Binary::Mul)), _))
}

fn is_fold(term: &Term) -> bool {
    match term.kind() {
        TermKind::Prim(TPrim::Row(row, _), _) => row.names[0].starts_with("reduce"),
        TermKind::Let(_, _, body) => is_fold(body),
        _ => false,
    }
}

/// An array of this type whose elements are 0.
pub(super) fn zeros(ty: &Ty) -> Option<String> {
    match ty {
        Ty::Array(len, element) => Some(format!("[{}; {len}]", zeros(element)?)),
        Ty::Scalar(scalar) if scalar.is_float() => Some("0.0".to_owned()),
        Ty::Scalar(scalar) if scalar.is_integer() => Some("0".to_owned()),
        _ => None,
    }
}
