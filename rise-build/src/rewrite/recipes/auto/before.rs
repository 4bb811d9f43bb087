//! What takes loops of its own is stored before the nest that reads it.
//!
//! ```text
//! map f (map (reduce g z) xs)  →  let rows = toMem (map (reduce g z) xs) in map f rows
//! ```
//!
//! In: an operand of a nest whose copies read it many times, or a fold. Out: views of memory and of what costs no loop,
//! and the values to store. Only what is computed is stored, not the windows or pieces that are taken of it.

use crate::expr::{AddressSpace, Arg, Expr, Kind, Param, Primitive, let_in, to_mem};
use crate::nat::Facts;
use crate::rewrite::context::Reason;
use crate::rewrite::rules::folds::associative;
use crate::rewrite::rules::support::{FoldView, Rewritten, fold, len, map_operands, plain_map};
use crate::rewrite::total::may_leave;

use super::lanes::LONG;
use super::own::{columns, of_row, with_columns};

/// What is stored before, in the order in which it is needed.
#[derive(Default)]
pub struct Before(pub Vec<(Param, Expr)>);

impl Before {
    /// The two maps of a nest with operands that cost no loop. The inner one's stays where it is if it has a value only
    /// because the outer one runs.
    pub fn nest(&mut self, expr: &Expr, facts: &Facts) -> Rewritten {
        let outer = plain_map(expr)?;
        let all = plain_map(&outer.f.body)?.xs;
        let shared = columns(expr).ok();
        let own = match (of_row(expr)?, &shared) {
            (Some([_, own]), _) => Some(own),
            (None, shared) => shared.is_none().then_some(all),
        };
        if own.is_some_and(takes_loops) {
            return Err(Reason::refused("what each row has for itself takes loops"));
        }
        let nest = match shared {
            Some(shared) if may_leave(&shared, outer.xs, facts).is_ok() => {
                with_columns(expr, self.operand(&shared), Ok)?
            }
            _ => expr.clone(),
        };
        Ok(with_operand(&nest, self.operand(outer.xs)))
    }

    /// The operand, where what takes loops has a name.
    fn operand(&mut self, expr: &Expr) -> Expr {
        with_stored(expr, &mut |value| {
            let param = Param::fresh("before", value.ty().clone());
            let name = param.expr();
            self.0.push((param, value));
            name
        })
    }
}

/// The term, where what takes loops lies in memory: so it is by the time that anything reads it by a name.
pub fn in_memory(expr: &Expr) -> Expr {
    with_stored(expr, &mut |value| value)
}

/// The term with something in place of each stored array: what takes loops is stored.
fn with_stored(expr: &Expr, instead: &mut dyn FnMut(Expr) -> Expr) -> Expr {
    match expr.as_prim() {
        _ if !takes_loops(expr) => expr.clone(),
        Some((Primitive::Map(_), [Arg::Fun(f), Arg::Expr(xs)])) if !takes_loops(&f.body) => {
            with_operand(expr, with_stored(xs, instead))
        }
        // What lies in one piece is read more easily than what does in two.
        Some((primitive, args)) if primitive.is_view() && !matches!(primitive, Primitive::Concat) => {
            let args = args.iter().map(|arg| Arg::Expr(with_stored(arg.expr(), instead))).collect();
            expr.clone().with_kind(Kind::Prim(primitive.clone(), args))
        }
        Some((Primitive::ToMem(_), _)) => instead(expr.clone()),
        _ if expr.ty().as_array().is_some() => instead(to_mem(AddressSpace::Default, expr.clone())),
        _ => expr.clone(),
    }
}

/// The values, and then the term.
pub fn around(values: Vec<(Param, Expr)>, expr: Expr) -> Expr {
    values.into_iter().rev().fold(expr, |body, (param, value)| let_in(param, value, body))
}

/// The fold of what is stored, or of sums so far, which have a name: so it goes in lanes.
pub fn named(expr: &Expr) -> Option<Expr> {
    let view = associative(expr).ok()?;
    if !is_behind(view.xs) {
        return None;
    }
    let mut before = Before::default();
    let xs = before.operand(view.xs);
    let args = vec![view.f.clone().into(), view.start.clone().into(), xs.into()];
    Some(around(before.0, expr.clone().with_kind(Kind::Prim(Primitive::Reduce(view.form), args))))
}

/// The map of what is stored, which has a name, where its function takes long folds: it is computed once, however its rows
/// are shared out.
pub fn named_rows(expr: &Expr) -> Option<Expr> {
    let map = plain_map(expr).ok().filter(|map| map.f.body.any(&takes_long))?;
    let mut values = Vec::new();
    let rows = with_operand(expr, with_names(map.xs, &mut values));
    (!values.is_empty()).then(|| around(values, rows))
}

/// The operand with names for what is stored.
fn with_names(expr: &Expr, values: &mut Vec<(Param, Expr)>) -> Expr {
    if let Some((Primitive::ToMem(_), _)) = expr.as_prim() {
        let param = Param::fresh("stored", expr.ty().clone());
        let name = param.expr();
        values.push((param, expr.clone()));
        return name;
    }
    map_operands(expr, &mut |operand| with_names(operand, values))
}

/// Whether the term is a fold that may be long.
pub fn takes_long(expr: &Expr) -> bool {
    fold(expr).is_ok_and(|view| may_fold(view, LONG))
}

/// Whether the fold may be of so many elements.
pub fn may_fold(view: FoldView<'_>, count: i64) -> bool {
    len(view.xs).is_ok_and(|length| length.as_const().is_none_or(|length| length >= count))
}

/// Whether the operand is made of something that is stored, and not in its elements.
fn is_behind(xs: &Expr) -> bool {
    match xs.as_prim() {
        Some((Primitive::ToMem(_) | Primitive::Scan(_), _)) => true,
        Some((_, args)) => args.iter().filter_map(Arg::as_expr).any(is_behind),
        None => false,
    }
}

/// The map with another array.
fn with_operand(map: &Expr, xs: Expr) -> Expr {
    match map.as_prim() {
        Some((primitive, [f, _])) => {
            map.clone().with_kind(Kind::Prim(primitive.clone(), vec![f.clone(), xs.into()]))
        }
        _ => map.clone(),
    }
}

/// Whether an element of the term, or of an array in it, is more than a few operations.
pub fn takes_loops(expr: &Expr) -> bool {
    expr.any(&|node| {
        matches!(
            node.as_prim(),
            Some((
                Primitive::Reduce(_) | Primitive::Scan(_) | Primitive::Iterate(_) | Primitive::ToMem(_),
                _
            ))
        )
    })
}
