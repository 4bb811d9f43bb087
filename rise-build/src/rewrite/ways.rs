//! The ways to the components of tuples.

use crate::expr::{Arg, Expr, Kind, Primitive};
use crate::names::Name;

/// Which components of a tuple of this name the term has, each by the way to it.
pub fn components(expr: &Expr, name: &Name) -> Vec<Vec<usize>> {
    match way(expr, name) {
        Some(way) => vec![way],
        None => expr.children().into_iter().flat_map(|child| components(child, name)).collect(),
    }
}

/// The way to the component of the named tuple that the term is; none is the tuple itself.
pub fn way(expr: &Expr, name: &Name) -> Option<Vec<usize>> {
    path(expr).filter(|(own, _)| *own == name).map(|(_, way)| way)
}

/// The name of a tuple, or of anything else, and the way to the component of it that the term is.
pub fn path(expr: &Expr) -> Option<(&Name, Vec<usize>)> {
    match (expr.kind(), expr.as_prim()) {
        (Kind::Var(name), _) => Some((name, Vec::new())),
        (_, Some((Primitive::Proj(at), [Arg::Expr(tuple)]))) => {
            let (name, mut way) = path(tuple)?;
            way.push(*at);
            Some((name, way))
        }
        _ => None,
    }
}
