//! What helps against mistakes that are often made with one function or another.

use super::term::{TPrim, Term, TermKind};
use super::ty::Ty;
use super::value::{Argument, Value};
use crate::syntax::ast::ExprKind;

/// What to do with further arguments of a function that takes fewer.
pub(super) fn further_arguments(function: &str) -> Option<String> {
    const ADVICE: &[(&[&str], &str)] = &[
        (&["zip"], "make pairs of pairs: `zip(a, zip(b, c)) |> map(|(x, (y, z))| x + y + z)`"),
        (&["concat", "min", "max", "add", "mul"], "call it twice: `f(a, f(b, c))`"),
        (&["map"], "a function of several arrays' elements takes pairs: `zip(a, b) |> map(|(x, y)| x + y)`"),
        (&["sum"], "of rows it is `map(sum)`, of columns `transpose(a) |> map(sum)`"),
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

/// What to do about a fold that was given its array, but no value to begin with.
pub(super) fn fold_without_start(primitive: &str, args: &[Argument<'_>]) -> Option<String> {
    let is_fold = ["reduce", "scan"].iter().any(|family| primitive.starts_with(family));
    let [_, second] = args else { return None };
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
        _ if what.starts_with("the size") => "give it: `f::<n>(…)`".to_owned(),
        _ => "give it: by a result type, or by `let x: [f32; n] = …`".to_owned(),
    }
}

/// What to do about a value of one form where one of another is wanted.
pub(super) fn other_form(term: &Term, found: &Ty, want: &Ty) -> Option<String> {
    match (found, want) {
        (Ty::Scalar(_), Ty::Array(..)) if is_fold(term) => Some(
            "`reduce` gives one value; `map(f)` gives one for each element, `scan(f, z)` all that come before".to_owned(),
        ),
        (Ty::Array(_, element), Ty::Scalar(_)) if matches!(**element, Ty::Scalar(_)) => {
            Some("`reduce(add, 0.0)` makes one value of an array, `x[0]` is one of its elements".to_owned())
        }
        _ => None,
    }
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
