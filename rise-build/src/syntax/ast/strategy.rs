//! Strategies: how a program is to be rewritten.

use super::{Expr, Ident, LabelPath, Obligation, Origin};

/// A strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// What it is.
    pub kind: StrategyKind,
    /// Where it was written.
    pub origin: Origin,
}

/// The forms of strategies. Combinators, traversals, rules and recipes are all names and calls; the
/// elaborator knows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyKind {
    /// `id`, `fail`, a rule, a recipe, a named strategy, a predicate.
    Name(Ident),
    /// `split(32, tail = peel)`; `f(a)(b)` is read as `f(a, b)`.
    Call(Ident, Vec<Arg>),
    /// `s ; t`, at least two.
    Seq(Vec<Strategy>),
    /// `s <+ t`, at least two.
    Choice(Vec<Strategy>),
    /// `s @ place`
    At(Box<Strategy>, Place),
    /// `versions { when n < 32 => s ; t }`
    Versions(Vec<Version>),
    /// Could not be read.
    Error,
}

/// One version of a kernel, chosen at run time; the first whose condition holds runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Conditions on sizes, all of which must hold; none for the last version.
    pub conditions: Vec<Obligation>,
    /// How this version is made.
    pub strategy: Strategy,
}

/// Where a strategy is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What it is.
    pub kind: PlaceKind,
    /// Where it was written.
    pub origin: Origin,
}

/// The forms of places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// `'rows`, `'rows.rest/'cols`, and for a nest `('rows, 'cols)`.
    Labels(Vec<LabelPath>),
    /// A traversal (`outermost(isMap)`, `everywhere`), a predicate (`isMap`) or a parameter.
    Traversal(Box<Strategy>),
}

/// An argument of a strategy, or an option of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    /// `tail` of `tail = peel`.
    pub name: Option<Ident>,
    /// Its value.
    pub value: ArgValue,
    /// Where it was written.
    pub origin: Origin,
}

/// The value of an argument. A bare name or a call of names (`peel`, `lanes(f32)`, `b`) is a `Strategy` here;
/// [`Arg::to_nat`] and [`Arg::to_expr`] read it as a natural or an expression where one is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgValue {
    /// A strategy, a predicate, or a name.
    Strategy(Strategy),
    /// A natural or another expression: `32`, `n / 2`, `|x| x + 1`, `0.0`.
    Expr(Expr),
    /// `'rows`
    Labels(LabelPath),
    /// `['a, 'b]`
    List(Vec<Arg>),
    /// `"avx2"`
    Text(String),
}

impl Strategy {
    /// A strategy at a place.
    pub fn new(kind: StrategyKind, origin: Origin) -> Self {
        Strategy { kind, origin }
    }

    /// The node that stands for what could not be read.
    pub fn error(origin: Origin) -> Self {
        Self::new(StrategyKind::Error, origin)
    }

    /// Whether `holds` of it or of a strategy in it.
    pub fn any<'a>(&'a self, holds: &mut dyn FnMut(&'a Strategy) -> bool) -> bool {
        holds(self)
            || match &self.kind {
                StrategyKind::Name(_) | StrategyKind::Error => false,
                StrategyKind::Call(_, args) => args.iter().any(|arg| arg.value.any(holds)),
                StrategyKind::Seq(parts) | StrategyKind::Choice(parts) => {
                    parts.iter().any(|part| part.any(holds))
                }
                StrategyKind::At(inner, place) => {
                    let traversal = match &place.kind {
                        PlaceKind::Traversal(traversal) => Some(traversal),
                        PlaceKind::Labels(_) => None,
                    };
                    inner.any(holds) || traversal.is_some_and(|traversal| traversal.any(holds))
                }
                StrategyKind::Versions(versions) => {
                    versions.iter().any(|version| version.strategy.any(holds))
                }
            }
    }
}

impl ArgValue {
    fn any<'a>(&'a self, holds: &mut dyn FnMut(&'a Strategy) -> bool) -> bool {
        match self {
            ArgValue::Strategy(strategy) => strategy.any(holds),
            ArgValue::List(args) => args.iter().any(|arg| arg.value.any(holds)),
            ArgValue::Expr(_) | ArgValue::Labels(_) | ArgValue::Text(_) => false,
        }
    }
}
