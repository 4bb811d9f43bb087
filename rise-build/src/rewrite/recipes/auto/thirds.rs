//! What is generated at indices that are divided by three, five and the like is generated in pieces of so many: nothing is
//! divided any more.
//!
//! ```text
//! generate (λi. x[2·i / 3])  →  generate (λq. [x[2·q], x[2·q], x[2·q + 1]]) ≫ join
//! ```
//!
//! In: any term. Out: the same, where such arrays of scalars are results, and read others at such indices. What takes
//! elementary functions is computed in vectors, whatever it reads. (Powers of two divide the pieces of which parallel
//! loops are made, and vectors; loops are split by them.)

use crate::expr::{Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, apply};
use crate::nat::{Atom, Nat, NatVar, gcd};
use crate::rewrite::context::Reason;
use crate::rewrite::rules::generate::{element, generated, in_pieces, over_generated};
use crate::rewrite::rules::support::{Rewritten, fun1, len, make, make_map, param1, plain_map, retyped};
use crate::types::DataType;

use super::abreast::is_elementary;
use super::lanes::is_light;

/// Most elements of a piece.
const MOST: i64 = 15;

/// The largest pieces, in terms of the language.
const LARGEST: usize = 500;

/// All results that are such.
pub fn of_result(expr: &Expr) -> Expr {
    let of_arg = |arg: &Arg| match arg {
        Arg::Expr(part) => Arg::Expr(of_result(part)),
        Arg::Fun(f) => Arg::Fun(Lambda { body: of_result(&f.body), ..f.clone() }),
    };
    let (primitive, args) = match expr.kind() {
        Kind::Let(param, value, body) => {
            let kind = Kind::Let(param.clone(), value.clone(), of_result(body));
            return expr.clone().with_kind(kind);
        }
        Kind::Prim(primitive, args) => (primitive, args),
        _ => return expr.clone(),
    };
    let args: Vec<Arg> = match (primitive, args.as_slice()) {
        (Primitive::Generate | Primitive::Map(MapForm::Plain), _) if is_row(expr) => {
            return split(expr).unwrap_or_else(|_| expr.clone());
        }
        (Primitive::Map(MapForm::Plain), [f, xs]) => vec![of_arg(f), xs.clone()],
        (Primitive::Select, [condition, branches @ ..]) => {
            std::iter::once(condition.clone()).chain(branches.iter().map(of_arg)).collect()
        }
        (Primitive::Generate | Primitive::Tuple | Primitive::Concat, args) => {
            args.iter().map(of_arg).collect()
        }
        (primitive, args) if primitive.rearranges() => args.iter().map(of_arg).collect(),
        _ => return expr.clone(),
    };
    expr.clone().with_kind(Kind::Prim(primitive.clone(), args))
}

/// Whether it is an array of scalars.
fn is_row(expr: &Expr) -> bool {
    expr.ty().as_array().is_some_and(|(_, element)| matches!(element, DataType::Scalar(_)))
}

/// The array in pieces, and what is left over.
fn split(expr: &Expr) -> Rewritten {
    let whole = &with_index(expr)?;
    let f = generated(whole)?;
    let index = param1(f)?;
    let size = index.nat.as_ref().map_or(1, |var| divided_by(&f.body, var));
    let terms = f.body.nodes().saturating_mul(size.unsigned_abs() as usize);
    if size == 1 || terms > LARGEST || !is_light(&f.body) || f.body.any(&is_elementary) {
        return Err(Reason::refused("nothing is read in it at what is divided by no power of two"));
    }
    let (length, pieces) = (len(whole)?, in_pieces(whole, size)?);
    let done = len(&pieces)?;
    if done == length {
        return Ok(retyped(pieces, expr.ty()));
    }
    let rest = Param::fresh("r", DataType::Idx(length.rem(&Nat::lit(size))));
    let at = rest.nat.as_ref().map_or_else(|| Nat::lit(0), Nat::var);
    let last = element(f, done + at);
    let last = apply(Primitive::Generate, vec![fun1(rest, last).into()])?;
    Ok(retyped(make(Primitive::Concat, [pieces, last])?, expr.ty()))
}

/// What is generated, with all maps of it in its function.
fn with_index(expr: &Expr) -> Rewritten {
    match plain_map(expr) {
        Ok(map) => over_generated(&make_map(map.form, map.f.clone(), with_index(map.xs)?)?),
        Err(_) => Ok(expr.clone()),
    }
}

/// The least number of steps of the index in which everything that it is divided by comes round; 1 if no array is read at
/// what is divided, if that are powers of two alone, or takes too many.
fn divided_by(body: &Expr, index: &NatVar) -> i64 {
    let (mut steps, mut reads) = (1, false);
    let mut of_nat = |nat: &Nat| {
        nat.each_atom(&mut |atom| {
            if let Atom::Div(x, by) | Atom::Mod(x, by) = atom
                && let (Some((step, _)), Some(by)) = (x.affine_in(index), by.as_const())
                && let Some(step) = step.as_const().filter(|step| *step != 0 && by > 0)
            {
                let of = by / gcd(step, by);
                steps = (steps / gcd(steps, of)).saturating_mul(of);
            }
        });
    };
    body.visit(&mut |node| match node.kind() {
        Kind::Nat(nat) => of_nat(nat),
        Kind::Prim(Primitive::Idx, args) => reads |= is_divided(args[0].expr(), index),
        _ => {}
    });
    if !reads || steps > MOST || steps & (steps - 1) == 0 { 1 } else { steps }
}

/// Whether it is the index divided.
fn is_divided(at: &Expr, index: &NatVar) -> bool {
    let Kind::Nat(nat) = at.kind() else { return false };
    let mut found = false;
    nat.each_atom(&mut |atom| {
        found |= matches!(atom, Atom::Div(x, _) | Atom::Mod(x, _) if x.mentions(index));
    });
    found
}
