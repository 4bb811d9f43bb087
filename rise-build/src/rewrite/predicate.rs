//! Predicates: where a strategy is to be applied.

use crate::expr::{Expr, Kind, MapForm, Primitive, ReduceForm, ScanForm};

/// A property of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// One of [`NAMED`], by position.
    Named(usize),
    /// Primitives are always applied here, so this is the predicate itself.
    Applied(Box<Predicate>),
    /// At least so many maps directly inside each other.
    MapNest(usize),
    /// Neither.
    Not(Box<Predicate>),
}

type Test = fn(&Expr) -> bool;

/// Predicates by name.
pub const NAMED: &[(&str, Test)] = &[
    ("isMap", |expr| is(expr, |p| matches!(p, Primitive::Map(MapForm::Plain)))),
    ("isMapSeq", |expr| is(expr, |p| matches!(p, Primitive::Map(MapForm::Seq)))),
    ("isMapSeqUnroll", |expr| is(expr, |p| matches!(p, Primitive::Map(MapForm::Unroll)))),
    ("isMapPar", |expr| is(expr, |p| matches!(p, Primitive::Map(MapForm::Par)))),
    ("isMapVec", |expr| is(expr, |p| matches!(p, Primitive::Map(MapForm::Vec)))),
    ("isAnyMap", |expr| is(expr, |p| matches!(p, Primitive::Map(_)))),
    ("isReduce", |expr| is(expr, |p| matches!(p, Primitive::Reduce(ReduceForm::Plain)))),
    ("isReduceSeq", |expr| is(expr, |p| matches!(p, Primitive::Reduce(ReduceForm::Seq(_))))),
    ("isReduceSeqUnroll", |expr| is(expr, |p| matches!(p, Primitive::Reduce(ReduceForm::Unroll(_))))),
    ("isReduceX", |expr| is(expr, |p| matches!(p, Primitive::Reduce(_)))),
    ("isScan", |expr| is(expr, |p| matches!(p, Primitive::Scan(ScanForm::Plain)))),
    ("isScanSeq", |expr| is(expr, |p| matches!(p, Primitive::Scan(ScanForm::Seq)))),
    ("isIterate", |expr| is(expr, |p| matches!(p, Primitive::Iterate(_)))),
    ("isGenerate", |expr| is(expr, |p| matches!(p, Primitive::Generate))),
    ("isZip", |expr| is(expr, |p| matches!(p, Primitive::Zip))),
    ("isSplit", |expr| is(expr, |p| matches!(p, Primitive::Split(_)))),
    ("isJoin", |expr| is(expr, |p| matches!(p, Primitive::Join))),
    ("isTranspose", |expr| is(expr, |p| matches!(p, Primitive::Transpose))),
    ("isSlide", |expr| is(expr, |p| matches!(p, Primitive::Slide(..)))),
    ("isPadClamp", |expr| is(expr, |p| matches!(p, Primitive::PadClamp(..)))),
    ("isMakeArray", |expr| is(expr, |p| matches!(p, Primitive::MakeArray))),
    ("isToMem", |expr| is(expr, |p| matches!(p, Primitive::ToMem(_)))),
    ("isSelect", |expr| is(expr, |p| matches!(p, Primitive::Select))),
    ("isLet", |expr| matches!(expr.kind(), Kind::Let(..))),
    ("isIdentifier", |expr| matches!(expr.kind(), Kind::Var(_))),
    ("isLiteral", |expr| matches!(expr.kind(), Kind::Literal(_))),
    ("isPrimitive", |expr| matches!(expr.kind(), Kind::Prim(..))),
    ("isApply", |expr| matches!(expr.kind(), Kind::Prim(..))),
    ("isArray", |expr| expr.ty().as_array().is_some()),
    ("isComputation", |expr| is(expr, computes)),
];

fn is(expr: &Expr, test: fn(&Primitive) -> bool) -> bool {
    expr.as_prim().is_some_and(|(primitive, _)| test(primitive))
}

/// Whether it computes a number from numbers.
pub(super) fn computes(primitive: &Primitive) -> bool {
    use Primitive::*;
    matches!(primitive, Unary(_) | Binary(_) | Compare(_) | MulAdd | Fma | Cast(_) | Foreign(_))
}

impl Predicate {
    /// The predicate with this name.
    pub fn named(name: &str) -> Option<Self> {
        NAMED.iter().position(|(other, _)| *other == name).map(Predicate::Named)
    }

    /// Whether it holds at the root of the term.
    pub fn holds(&self, expr: &Expr) -> bool {
        match self {
            Predicate::Named(position) => (NAMED[*position].1)(expr),
            Predicate::Applied(inner) => inner.holds(expr),
            Predicate::MapNest(depth) => nest(expr) >= *depth,
            Predicate::Not(inner) => !inner.holds(expr),
        }
    }

    /// As it is written.
    pub fn text(&self) -> String {
        match self {
            Predicate::Named(position) => NAMED[*position].0.to_owned(),
            Predicate::Applied(inner) => format!("isApplied({})", inner.text()),
            Predicate::MapNest(depth) => format!("mapNest({depth})"),
            Predicate::Not(inner) => format!("not({})", inner.text()),
        }
    }
}

/// How many maps stand directly inside each other.
fn nest(expr: &Expr) -> usize {
    match expr.as_prim() {
        Some((Primitive::Map(_), args)) => 1 + args.first().map_or(0, |f| nest(f.expr())),
        _ => 0,
    }
}
