//! Memory: where results are stored, and where bindings stand.

use crate::expr::{Arg, Expr, Kind, Lambda, Param, Primitive, let_in, to_mem};
use crate::rewrite::catalog::Row;
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::lower::copy;
use crate::rewrite::total::may_leave;

use super::lowering::space;
use super::row;
use super::support::{Rewritten, independent, operand};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("toMem" ["store", "toMemAfter"] (Space) "e → toMem e" "The value is computed into memory where it stands." "xs |> map(f)" => "xs |> map(f) |> toMem" |e, v, _| {
        if e.ty().is_small() {
            return Err(Reason::refused("a value without arrays is shared by `let`, not by memory"));
        }
        Ok(to_mem(space(v), e.clone()))
    }),
    row!("copyToMem" ["toMemBefore"] (Space) "e → toMem (copy e)" "The value is copied into memory by loops." "xs" => "xs |> mapSeq(|x| x) |> toMem" |e, v, _| {
        if e.ty().is_small() {
            return Err(Reason::refused("a value without arrays is shared by `let`, not by memory"));
        }
        Ok(to_mem(space(v), copy(e.clone())))
    }),
    row!("copyAfter" ["insertCopyAfter"] () "e → copy e" "The value is copied by loops, one for each dimension." "xs" => "xs |> mapSeq(|x| x)" |e, _, _| match e.ty().is_small() {
        true => Err(Reason::refused("it has no arrays")),
        false => Ok(copy(e.clone())),
    }),
    row!("removeToMem" [] () "toMem e → e" "The value is not stored." "xs |> toMem" => "xs" |e, _, _| {
        Ok(operand(e, |p| matches!(p, Primitive::ToMem(_)))?.clone())
    }),
    row!("letMem" ["nameMemory"] () "f (toMem e) → let x = toMem e; f x" "A memory gets a name." "xs |> toMem |> slide(3, 1)" => "{ let x = xs |> toMem; x |> slide(3, 1) }" |e, _, _| {
        let Some((primitive, args)) = e.as_prim() else { return Err(Reason::mismatch("it is no pattern")) };
        let is_memory = |arg: &Arg| matches!(arg, Arg::Expr(inner) if matches!(inner.kind(), Kind::Prim(Primitive::ToMem(_), _)));
        let Some(position) = args.iter().position(is_memory) else {
            return Err(Reason::mismatch("no operand is stored in memory"));
        };
        let memory = args[position].expr().clone();
        let param = Param::fresh("m", memory.ty().clone());
        let mut args = args.to_vec();
        args[position] = Arg::Expr(param.expr());
        Ok(let_in(param, memory, e.clone().with_kind(Kind::Prim(primitive.clone(), args))))
    }),
    row!("hoistLet" ["letHoist"] () "f (λx. let y = e; b) … → let y = e; f (λx. b) …" "A binding moves out of a function that it does not mention, and out of an operand; never out of a branch." "xs |> map(|x| { let y = sum(ys); x / y })" => "{ let y = sum(ys); xs |> map(|x| x / y) }" |e, _, cx| hoist_let(e, cx)),
];

/// Moves the first binding among the operands and functions of a pattern in front of it.
fn hoist_let(expr: &Expr, cx: &Context) -> Rewritten {
    let (primitive, args) = match expr.kind() {
        Kind::Prim(Primitive::Select, _) => {
            return Err(Reason::refused("a binding does not move out of a branch"));
        }
        Kind::Prim(primitive, args) => (primitive, args),
        _ => return Err(Reason::mismatch("it is no pattern")),
    };
    let mut reason = Reason::mismatch("there is no binding directly inside");
    for (position, arg) in args.iter().enumerate() {
        let Kind::Let(param, value, body) = arg.expr().kind() else { continue };
        let moved = match arg {
            Arg::Expr(_) => Arg::Expr(body.clone()),
            Arg::Fun(f) if independent(value, f) => {
                may_leave(value, args[args.len() - 1].expr(), &cx.facts())?;
                Arg::Fun(Lambda { body: body.clone(), ..f.clone() })
            }
            Arg::Fun(_) => {
                reason = Reason::refused("the bound value mentions the function's variable");
                continue;
            }
        };
        let mut args = args.clone();
        args[position] = moved;
        let inner = expr.clone().with_kind(Kind::Prim(primitive.clone(), args));
        return Ok(let_in(param.clone(), value.clone(), inner));
    }
    Err(reason)
}
