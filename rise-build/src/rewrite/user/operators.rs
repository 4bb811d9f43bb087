//! What is known of operators.

use crate::expr::{Binary, Expr, Kind, Lambda, ReduceForm};
use crate::rewrite::rules::folds;
use crate::rewrite::rules::support::FoldView;

/// The function as a fold of it, which is how the rules for folds look at operators.
fn view<'a>(f: &'a Lambda, start: &'a Expr) -> FoldView<'a> {
    FoldView { form: ReduceForm::Plain, f, start, xs: start, expr: start }
}

fn operator(f: &Lambda) -> Option<Binary> {
    folds::operator(view(f, &f.body))
}

/// One of the associative operators, applied to the parameters.
pub fn is_associative(f: &Lambda) -> bool {
    use Binary::{Add, And, Max, Min, Mul, Or, Xor};
    operator(f).is_some_and(|op| matches!(op, Add | Mul | Min | Max | And | Or | Xor))
}

/// One of the commutative operators, applied to the parameters.
pub fn is_commutative(f: &Lambda) -> bool {
    operator(f).is_some_and(Binary::is_commutative)
}

/// Whether the value is the operator's neutral element.
pub fn is_neutral(f: &Lambda, value: &Expr) -> bool {
    match (folds::neutral(view(f, value)).map(|neutral| neutral.kind().clone()), value.kind()) {
        (Ok(Kind::Literal(neutral)), Kind::Literal(value)) => neutral == *value,
        _ => false,
    }
}
