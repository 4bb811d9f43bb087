//! Where the elements of a readable value come from: memory, or a computation at each access.

use crate::expr::{Expr, Kind, Primitive};
use crate::names::Name;
use crate::types::Scalar;

use super::Lower;

/// Where elements come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// From memory or for free: reading them again costs no computation.
    Stored,
    /// Computed at each access.
    Computed,
    /// By component.
    Parts(Vec<Source>),
}

impl Source {
    /// Whether anything is computed at an access.
    pub(super) fn is_computed(&self) -> bool {
        match self {
            Source::Stored => false,
            Source::Computed => true,
            Source::Parts(parts) => parts.iter().any(Source::is_computed),
        }
    }

    /// Whether the elements are pairs of which one half alone is computed.
    pub(super) fn is_computed_in_part(&self) -> bool {
        matches!(self, Source::Parts(parts) if parts.len() == 2 && parts[0].is_computed() != parts[1].is_computed())
    }

    /// The source of a component.
    pub(super) fn part(&self, position: usize) -> Source {
        match self {
            Source::Parts(parts) => parts.get(position).cloned().unwrap_or(Source::Stored),
            whole => whole.clone(),
        }
    }

    fn or(self, other: Source) -> Source {
        match (self, other) {
            (Source::Stored, source) | (source, Source::Stored) => source,
            (Source::Parts(a), Source::Parts(b)) => {
                Source::Parts(a.into_iter().zip(b).map(|(a, b)| a.or(b)).collect())
            }
            _ => Source::Computed,
        }
    }
}

impl Lower {
    /// The source of a value that is read.
    pub(super) fn source(&mut self, expr: &Expr) -> Source {
        match expr.kind() {
            Kind::Var(name) => self.source_of(name),
            Kind::Literal(_) | Kind::Nat(_) => Source::Stored,
            Kind::Let(param, value, body) => {
                let value = self.source(value);
                self.with_source(&param.name, value, |lower| lower.source(body))
            }
            Kind::Prim(primitive, args) => {
                let args: Vec<&Expr> = args.iter().map(|arg| arg.expr()).collect();
                self.source_of_prim(expr, primitive, &args)
            }
        }
    }

    fn source_of_prim(&mut self, expr: &Expr, primitive: &Primitive, args: &[&Expr]) -> Source {
        use Primitive::*;
        match (primitive, args) {
            (Tuple | Zip | DepZip, parts) => {
                Source::Parts(parts.iter().map(|part| self.source(part)).collect())
            }
            (Proj(position), [tuple]) => self.source(tuple).part(*position),
            (Map(_), [body, xs]) => {
                let elements = self.source(xs);
                match parameter(expr) {
                    Some(name) => self.with_source(&name, elements, |lower| lower.source(body)),
                    None => Source::Computed,
                }
            }
            (Generate, [body]) => self.source(body),
            (MakeArray, parts) => {
                let parts: Vec<Source> = parts.iter().map(|part| self.source(part)).collect();
                parts.into_iter().fold(Source::Stored, Source::or)
            }
            // What is read through these gets memory, if it is computed.
            (Slide(..) | PadClamp(..) | Gather | ToMem(_) | CircularBuffer(..) | RotateValues(_), _) => {
                Source::Stored
            }
            (PadCst(..) | Concat, [first, second]) => {
                let first = self.source(first);
                first.or(self.source(second))
            }
            (Idx, [_, array]) => self.source(array),
            (Unzip | Partition(..) | DepJoin, [array]) => self.source(array),
            (_, [array]) if primitive.rearranges() => self.source(array),
            (VectorFromScalar(_), [scalar]) => self.source(scalar),
            // A number that counts is at hand.
            (Cast(to), [index])
                if matches!(index.kind(), Kind::Nat(_)) && !to.scalar().is_some_and(Scalar::is_float) =>
            {
                Source::Stored
            }
            _ => Source::Computed,
        }
    }

    fn source_of(&self, name: &Name) -> Source {
        let known = self.sources.iter().rev().find(|(other, _)| other == name);
        known.map_or(Source::Stored, |(_, source)| source.clone())
    }

    /// Runs `f` where the variable has the source.
    pub(super) fn with_source<T>(
        &mut self,
        name: &Name,
        source: Source,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let depth = self.sources.len();
        if source != Source::Stored {
            self.sources.push((name.clone(), source));
        }
        let result = f(self);
        self.sources.truncate(depth);
        result
    }
}

fn parameter(expr: &Expr) -> Option<Name> {
    let (_, args) = expr.as_prim()?;
    let lambda = args.first()?.as_fun()?;
    lambda.params.first().map(|param| param.name.clone())
}
