//! Terms while types are inferred: the normal form of `expr`, with unknowns in types.
//!
//! Elaboration builds them bottom-up; when all unknowns are known they become `expr::Expr`.

use std::sync::Arc;

use crate::diagnostics::Origin;
use crate::expr::{ForeignVectors, Primitive, Row, StaticArg};
use crate::names::{Label, Name};
use crate::nat::{Nat, NatVar};

use super::ty::Ty;

/// A value-typed term; cloning is a reference count.
#[derive(Clone)]
pub(super) struct Term(Arc<TermNode>);

#[derive(Clone)]
pub(super) struct TermNode {
    pub(super) kind: TermKind,
    pub(super) ty: Ty,
    pub(super) origin: Origin,
    pub(super) labels: Vec<Label>,
}

#[derive(Clone)]
pub(super) enum TermKind {
    /// A kernel parameter, or bound by a function or a `let`.
    Var(Name),
    /// A natural.
    Nat(Nat),
    /// A constant whose type may be unknown.
    Literal(Number),
    /// Strict sharing.
    Let(TParam, Term, Term),
    /// A fully applied primitive.
    Prim(TPrim, Vec<TArg>),
    /// The term, whose type is the node's if an obligation holds.
    Conform(Term),
    /// Wrong, and reported.
    Error,
}

/// A constant as written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Number {
    Bool(bool),
    /// Sign and magnitude.
    Int(bool, u128),
    /// Sign and digits.
    Float(bool, Arc<str>),
}

/// A primitive whose parts may be unknown.
#[derive(Clone)]
pub(super) enum TPrim {
    /// Nothing in it is unknown but naturals.
    Known(Primitive),
    /// A row of the table with its leading arguments.
    Row(&'static Row, Arc<[StaticArg]>),
    /// A conversion.
    Cast(Ty),
    /// A foreign function.
    Foreign(Arc<TForeign>),
    /// A scalar broadcast to lanes.
    Broadcast(Nat),
}

/// A foreign function at one use.
pub(super) struct TForeign {
    pub(super) name: String,
    pub(super) rust: Option<String>,
    pub(super) c: Option<String>,
    pub(super) vectors: Vec<ForeignVectors>,
    pub(super) params: Vec<Ty>,
    pub(super) result: Ty,
}

#[derive(Clone)]
pub(super) enum TArg {
    Expr(Term),
    Fun(TLambda),
}

#[derive(Clone)]
pub(super) struct TLambda {
    pub(super) nats: Vec<NatVar>,
    pub(super) params: Vec<TParam>,
    pub(super) body: Term,
}

/// A bound variable; `nat` is its face in naturals.
#[derive(Clone)]
pub(super) struct TParam {
    pub(super) name: Name,
    pub(super) nat: Option<NatVar>,
    pub(super) ty: Ty,
}

impl Term {
    pub(super) fn new(kind: TermKind, ty: Ty, origin: Origin) -> Self {
        Self(Arc::new(TermNode { kind, ty, origin, labels: Vec::new() }))
    }

    pub(super) fn error(origin: Origin) -> Self {
        Self::new(TermKind::Error, Ty::Error, origin)
    }

    pub(super) fn nat(nat: Nat, ty: Ty, origin: Origin) -> Self {
        Self::new(TermKind::Nat(nat), ty, origin)
    }

    pub(super) fn prim(primitive: Primitive, args: Vec<Term>, ty: Ty, origin: Origin) -> Self {
        let args = args.into_iter().map(TArg::Expr).collect();
        Self::new(TermKind::Prim(TPrim::Known(primitive), args), ty, origin)
    }

    pub(super) fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    pub(super) fn ty(&self) -> &Ty {
        &self.0.ty
    }

    pub(super) fn origin(&self) -> Origin {
        self.0.origin
    }

    pub(super) fn labels(&self) -> &[Label] {
        &self.0.labels
    }

    pub(super) fn edit(mut self, change: impl FnOnce(&mut TermNode)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Costs nothing to repeat: a name, a constant, a projection of one.
    pub(super) fn is_trivial(&self) -> bool {
        match self.kind() {
            TermKind::Var(_) | TermKind::Nat(_) | TermKind::Literal(_) | TermKind::Error => true,
            TermKind::Prim(TPrim::Known(Primitive::Proj(_)), args) => {
                matches!(args.as_slice(), [TArg::Expr(tuple)] if tuple.is_trivial())
            }
            _ => false,
        }
    }

    /// The components, if the term is a tuple written out.
    pub(super) fn as_tuple(&self) -> Option<Vec<Term>> {
        match self.kind() {
            TermKind::Prim(TPrim::Known(Primitive::Tuple), args) => {
                Some(args.iter().map(|arg| arg.term().clone()).collect())
            }
            _ => None,
        }
    }
}

impl TArg {
    pub(super) fn term(&self) -> &Term {
        match self {
            TArg::Expr(term) => term,
            TArg::Fun(lambda) => &lambda.body,
        }
    }
}

impl TParam {
    /// The variable as a term.
    pub(super) fn term(&self, origin: Origin) -> Term {
        match &self.nat {
            Some(nat) => Term::nat(Nat::var(nat), self.ty.clone(), origin),
            None => Term::new(TermKind::Var(self.name.clone()), self.ty.clone(), origin),
        }
    }
}
