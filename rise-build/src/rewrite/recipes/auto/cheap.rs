//! What is computed in a few operations is computed again where it is used, instead of stored and read.
//!
//! ```text
//! let r = map f xs in e  →  e with map f xs in place of r
//! ```
//!
//! In: any term. Out: the same, where `f` only adds, multiplies, compares and converts, and the arrays that are read again
//! cost less than to write `r` and read that. What a result itself is, what windows look at and what is used in each
//! iteration of a loop stays stored; but not what is converted alone and read by indices, of which each iteration has its
//! own.

use crate::expr::{self, Arg, Binary, Expr, Kind, Lambda, MapForm, Param, Primitive, Unary, map_children};
use crate::names::Name;
use crate::rewrite::rules::support::{again, beta, beta_copy, is_path, occurs};
use crate::types::DataType;

use crate::rewrite::ways::path;

/// Most operations that are done again, for each element.
const OPERATIONS: usize = 4;

/// What writing an array takes, in reads of one: its lines are fetched first.
const WRITTEN: usize = 2;

/// All such arrays inside.
pub fn everywhere(expr: &Expr) -> Expr {
    if let Kind::Let(param, value, body) = expr.kind() {
        if is_converted(value) && is_read_apart(body, param, &mut Vec::new()) {
            return everywhere(&where_read(body, &param.name, value));
        }
        if uses(body, &param.name, true).is_some_and(|uses| is_cheap(value, uses)) {
            return everywhere(&instead(body, &param.name, value));
        }
    }
    map_children(expr, &mut everywhere)
}

/// Whether it takes less to compute an array so many times than to store it.
fn is_cheap(value: &Expr, uses: usize) -> bool {
    let is_loop = matches!(value.as_prim(), Some((Primitive::Map(MapForm::Plain), _)));
    // Folds of several rows at once would store them converted.
    let has_rows = value.ty().as_array().is_some_and(|(_, element)| element.as_array().is_some());
    let converts = |node: &Expr| matches!(node.as_prim(), Some((Primitive::Cast(_), _)));
    let mut taken = Taken::default();
    if !is_loop || uses < 2 || has_rows && value.any(&converts) || !taken.add(value, &mut Vec::new()) {
        return false;
    }
    let (read, own) = (taken.arrays.iter().map(|(.., bytes)| bytes).sum::<usize>(), bytes(value.ty()));
    let (again, stored) = (uses * read, read + (WRITTEN + uses) * own);
    (uses - 1) * taken.operations <= OPERATIONS && again <= stored
}

/// Those of an element.
fn bytes(ty: &DataType) -> usize {
    match ty {
        DataType::Array(_, element) => bytes(element),
        DataType::Tuple(parts) => parts.iter().map(bytes).sum(),
        ty => ty.scalar().map_or(size_of::<usize>(), |scalar| scalar.bytes() as usize),
    }
}

/// What it takes to compute an element.
#[derive(Default)]
struct Taken {
    operations: usize,
    /// Arrays that are read, by their names and the ways to them in tuples, with the bytes of an element.
    arrays: Vec<(Name, Vec<usize>, usize)>,
}

impl Taken {
    /// With what the term takes; `false` where that is more than a few operations on what lies in order. Names that the
    /// term binds itself are no arrays.
    fn add(&mut self, expr: &Expr, bound: &mut Vec<Name>) -> bool {
        if let Some((name, way)) = path(expr) {
            let is_array = !expr.ty().is_small() && !bound.contains(name);
            if is_array && self.arrays.iter().all(|(other, to, _)| other != name || *to != way) {
                self.arrays.push((name.clone(), way, bytes(expr.ty())));
            }
            return true;
        }
        let (primitive, args) = match expr.kind() {
            Kind::Literal(_) | Kind::Nat(_) | Kind::Var(_) => return true,
            Kind::Let(param, value, body) => {
                bound.push(param.name.clone());
                return self.add(value, bound) && self.add(body, bound);
            }
            Kind::Prim(primitive, args) => (primitive, args),
        };
        match primitive {
            Primitive::Map(MapForm::Plain) | Primitive::Zip | Primitive::Proj(_) | Primitive::Tuple => {}
            Primitive::Take(_) | Primitive::Drop(_) | Primitive::Split(_) | Primitive::Join => {}
            // Of a row the elements lie in order.
            Primitive::Idx if !expr.ty().is_small() => {}
            primitive if is_short(primitive) => self.operations += 1,
            _ => return false,
        }
        args.iter().all(|arg| {
            bound.extend(arg.as_fun().iter().flat_map(|f| f.params.iter().map(|param| param.name.clone())));
            self.add(arg.expr(), bound)
        })
    }
}

/// Whether processors compute it in one of the shortest instructions there are.
fn is_short(primitive: &Primitive) -> bool {
    match primitive {
        Primitive::Binary(op) => !matches!(op, Binary::Div | Binary::Rem | Binary::Pow),
        Primitive::Unary(op) => matches!(op, Unary::Neg | Unary::Not | Unary::Abs),
        Primitive::Compare(_) | Primitive::MulAdd | Primitive::Select | Primitive::Cast(_) => true,
        _ => false,
    }
}

/// How often the array is read, if by maps and folds alone, and once by each. `shown` where what the term gives is itself
/// part of the result, or has a name.
fn uses(expr: &Expr, array: &Name, shown: bool) -> Option<usize> {
    match expr.kind() {
        Kind::Var(name) if name == array => (!shown).then_some(1),
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => Some(0),
        Kind::Let(_, value, body) => Some(uses(value, array, true)? + uses(body, array, shown)?),
        Kind::Prim(primitive, args) => {
            let reads = match primitive {
                Primitive::Map(MapForm::Plain) | Primitive::Reduce(_) => true,
                Primitive::Slide(..) | Primitive::PadClamp(..) | Primitive::PadCst(..) => false,
                Primitive::Gather | Primitive::Idx | Primitive::Scan(_) | Primitive::Iterate(_) => false,
                Primitive::Product(_) => false,
                _ => true,
            };
            let is_loop = matches!(primitive, Primitive::Map(MapForm::Plain) | Primitive::Reduce(_));
            let of = |arg: &Arg| match (arg, uses(arg.expr(), array, shown && !is_loop)?) {
                (_, 0) => Some(0),
                (Arg::Expr(_), times) if reads => Some(times),
                _ => None,
            };
            args.iter().map(of).sum()
        }
    }
}

/// Whether it is an array with its elements converted, no matter how deep they lie.
fn is_converted(value: &Expr) -> bool {
    let Some((Primitive::Map(MapForm::Plain), [Arg::Fun(f), Arg::Expr(xs)])) = value.as_prim() else {
        return false;
    };
    let is_element = |arg: &Arg| f.params.first().is_some_and(|param| arg.expr().is_named(&param.name));
    let is_deeper = || match f.body.as_prim() {
        Some((Primitive::Cast(_), [number])) => is_element(number) && f.body.ty().scalar().is_some(),
        Some((_, [_, rows])) => is_element(rows) && is_converted(&f.body),
        _ => false,
    };
    is_path(xs) && is_deeper()
}

/// Whether the array is mapped over outside of loops, or read by indices, one for each loop around at least. `loops` are
/// what these bind.
fn is_read_apart(expr: &Expr, array: &Param, loops: &mut Vec<Param>) -> bool {
    let (indices, root) = indices(expr);
    if root.is_named(&array.name) {
        let is_met = |param: &Param| indices.iter().any(|index| occurs(index, param));
        return !indices.is_empty() && loops.iter().all(is_met) && !is_met(array);
    }
    match expr.kind() {
        Kind::Let(_, value, body) => is_read_apart(value, array, loops) && is_read_apart(body, array, loops),
        Kind::Prim(primitive, args) => args.iter().all(|arg| match arg {
            Arg::Expr(xs) if xs.is_named(&array.name) => {
                matches!(primitive, Primitive::Map(MapForm::Plain)) && loops.is_empty() && reads_apart(args)
            }
            Arg::Expr(expr) => is_read_apart(expr, array, loops),
            Arg::Fun(f) => {
                let around = loops.len();
                loops.extend(f.params.iter().cloned());
                let apart = is_read_apart(&f.body, array, loops);
                loops.truncate(around);
                apart
            }
        }),
        _ => true,
    }
}

/// The term with a copy of the value in each place of the array.
fn instead(expr: &Expr, array: &Name, value: &Expr) -> Expr {
    match expr.kind() {
        Kind::Var(name) if name == array => again(value),
        _ => map_children(expr, &mut |child| instead(child, array, value)),
    }
}

/// Whether the function reads its argument so, if that is an array.
fn reads_apart(args: &[Arg]) -> bool {
    let params = args.first().and_then(Arg::as_fun).map(|f| (&f.body, &f.params[..]));
    match params {
        Some((body, [param])) => param.ty.scalar().is_some() || is_read_apart(body, param, &mut Vec::new()),
        _ => false,
    }
}

/// The indices of an element, the outermost first, and the array that they go into.
fn indices(expr: &Expr) -> (Vec<&Expr>, &Expr) {
    match expr.as_prim() {
        Some((Primitive::Idx, [index, xs])) => {
            let (mut around, root) = indices(xs.expr());
            around.push(index.expr());
            (around, root)
        }
        _ => (Vec::new(), expr),
    }
}

/// The term with the elements of the array converted where they are read.
fn where_read(expr: &Expr, array: &Name, value: &Expr) -> Expr {
    let (indices, root) = indices(expr);
    if root.is_named(array) && !indices.is_empty() {
        return indices.into_iter().fold(value.clone(), |value, index| element(&value, index));
    }
    match (expr.as_prim(), value.as_prim()) {
        (
            Some((Primitive::Map(form), [Arg::Fun(f), Arg::Expr(of)])),
            Some((_, [Arg::Fun(converted), Arg::Expr(xs)])),
        ) if of.is_named(array) => {
            let ty = converted.params[0].ty.clone();
            let f = expr::lambda("x", ty, |x| of_converted(f, &beta_copy(converted, &[x])));
            expr::map(*form, f, xs.clone())
        }
        _ => map_children(expr, &mut |child| where_read(child, array, value)),
    }
}

/// The function of a converted value.
fn of_converted(f: &Lambda, value: &Expr) -> Expr {
    match &f.params[..] {
        [param] if is_converted(value) => where_read(&f.body, &param.name, value),
        _ => beta(f, std::slice::from_ref(value)),
    }
}

/// One element of an array with its elements converted.
fn element(converted: &Expr, index: &Expr) -> Expr {
    match converted.as_prim() {
        Some((Primitive::Map(_), [Arg::Fun(f), Arg::Expr(xs)])) => {
            beta_copy(f, &[expr::call(Primitive::Idx, [index.clone(), xs.clone()])])
        }
        _ => expr::call(Primitive::Idx, [index.clone(), converted.clone()]),
    }
}
