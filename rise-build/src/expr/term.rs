//! Nodes of the typed functional language.

use std::sync::Arc;

use crate::diagnostics::Origin;
use crate::names::{Label, Name};
use crate::nat::{Nat, NatVar, Obligation};
use crate::types::{DataType, Scalar};

use super::primitive::Primitive;

/// An expression; cloning is a reference count.
#[derive(Clone)]
pub struct Expr(Arc<Node>);

/// What an [`Expr`] points to.
#[derive(Clone, Debug)]
pub struct Node {
    /// Which form.
    pub kind: Kind,
    /// The type of the value.
    pub ty: DataType,
    /// Where it came from; not part of its identity.
    pub origin: Origin,
    /// The places that the user named; only primitives and bindings carry any.
    pub labels: Vec<Label>,
    /// Whether there are labels here or inside.
    labelled: bool,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A kernel parameter, or a name bound by a [`Lambda`] or [`Kind::Let`].
    Var(Name),
    /// A constant.
    Literal(Literal),
    /// A natural as a value, of type `Nat` or `Idx`.
    /// A variable of type `Idx` occurs here as the [`NatVar`] of its [`Param`].
    Nat(Nat),
    /// Strict sharing: the value is computed once, then the body.
    Let(Param, Expr, Expr),
    /// A fully applied primitive.
    Prim(Primitive, Vec<Arg>),
}

impl Kind {
    fn is_labelled(&self) -> bool {
        match self {
            Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => false,
            Kind::Let(_, value, body) => value.is_labelled() || body.is_labelled(),
            Kind::Prim(_, args) => args.iter().any(|arg| arg.expr().is_labelled()),
        }
    }
}

/// An argument of a primitive.
#[derive(Clone, Debug)]
pub enum Arg {
    /// A value.
    Expr(Expr),
    /// A function.
    Fun(Lambda),
}

/// A function; parameters are bound in the body.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// Naturals, for `iterate` (none where a step keeps the length) and the dependent maps.
    pub nats: Vec<NatVar>,
    /// Values.
    pub params: Vec<Param>,
    /// The result.
    pub body: Expr,
}

impl Lambda {
    /// Of a step of `iterate`: how much longer the array is that it takes than the one that it gives.
    pub fn factor(&self) -> Option<Nat> {
        let (longer, _) = self.params.first()?.ty.as_array()?;
        Some(step_factor(&self.nats, longer))
    }
}

/// How much longer `longer` is than what a step of `iterate` makes of it, whose length the step takes; a step that
/// takes none keeps the length.
pub fn step_factor(nats: &[NatVar], longer: &Nat) -> Nat {
    nats.first().map_or(Nat::lit(1), |l| longer.subst(l, &Nat::lit(1)))
}

/// A bound variable.
///
/// A variable of type `Idx` or `Nat` may occur in naturals, also inside types; there it is `nat`.
/// Both faces belong together: who replaces one replaces the other.
#[derive(Clone, Debug)]
pub struct Param {
    /// The variable as an expression.
    pub name: Name,
    /// The variable in naturals; present exactly if the type is `Idx` or `Nat`.
    pub nat: Option<NatVar>,
    /// Its type.
    pub ty: DataType,
}

impl Param {
    /// A fresh variable.
    pub fn fresh(text: &str, ty: DataType) -> Self {
        let nat = matches!(ty, DataType::Idx(_) | DataType::Nat).then(|| NatVar::new(text));
        Self { name: Name::fresh(text), nat, ty }
    }

    /// The variable as an expression: a natural if it has that face.
    pub fn expr(&self) -> Expr {
        let kind = match &self.nat {
            Some(nat) => Kind::Nat(Nat::var(nat)),
            None => Kind::Var(self.name.clone()),
        };
        Expr::new(kind, self.ty.clone(), Origin::NONE)
    }
}

/// A constant.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// `true`, `false`
    Bool(bool),
    /// An integer, in range of its type.
    Int(i128, Scalar),
    /// A float as its bits in its own type (widened `f32` for `Scalar::F32`, rounded once).
    Float(f64, Scalar),
}

impl Literal {
    /// The type.
    pub fn scalar(self) -> Scalar {
        match self {
            Literal::Bool(_) => Scalar::Bool,
            Literal::Int(_, scalar) | Literal::Float(_, scalar) => scalar,
        }
    }

    /// Zero of the type.
    pub fn zero(scalar: Scalar) -> Self {
        Self::small(0, scalar)
    }

    /// A small integer value in any type.
    pub fn small(value: i8, scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool => Literal::Bool(value != 0),
            Scalar::F32 | Scalar::F64 => Literal::Float(f64::from(value), scalar),
            _ => Literal::Int(i128::from(value), scalar),
        }
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Literal::Bool(a), Literal::Bool(b)) => a == b,
            (Literal::Int(a, s), Literal::Int(b, t)) => a == b && s == t,
            (Literal::Float(a, s), Literal::Float(b, t)) => a.to_bits() == b.to_bits() && s == t,
            _ => false,
        }
    }
}

impl Eq for Literal {}

impl Expr {
    /// A node without labels.
    pub fn new(kind: Kind, ty: DataType, origin: Origin) -> Self {
        let labelled = kind.is_labelled();
        Self(Arc::new(Node { kind, ty, origin, labels: Vec::new(), labelled }))
    }

    /// The form.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The type of the value.
    pub fn ty(&self) -> &DataType {
        &self.0.ty
    }

    /// Where it came from.
    pub fn origin(&self) -> Origin {
        self.0.origin
    }

    /// The names that the user gave this place.
    pub fn labels(&self) -> &[Label] {
        &self.0.labels
    }

    /// The same node under other labels.
    #[must_use]
    pub fn with_labels(self, labels: Vec<Label>) -> Self {
        self.edit(|node| node.labels = labels)
    }

    /// The same node from another place.
    #[must_use]
    pub fn with_origin(self, origin: Origin) -> Self {
        self.edit(|node| node.origin = origin)
    }

    /// The same node with another form of the same type.
    #[must_use]
    pub fn with_kind(self, kind: Kind) -> Self {
        let Node { ty, origin, labels, .. } = &*self.0;
        let labelled = !labels.is_empty() || kind.is_labelled();
        Self(Arc::new(Node { kind, ty: ty.clone(), origin: *origin, labels: labels.clone(), labelled }))
    }

    /// The same node with its parts changed; in place if nobody else holds it.
    #[must_use]
    pub fn edit(mut self, change: impl FnOnce(&mut Node)) -> Self {
        let node = Arc::make_mut(&mut self.0);
        change(node);
        node.labelled = !node.labels.is_empty() || node.kind.is_labelled();
        self
    }

    /// Whether there are labels here or inside.
    pub fn is_labelled(&self) -> bool {
        self.0.labelled
    }

    /// Whether it is an array of which an element is updated, behind its definitions.
    pub fn is_updated(&self) -> bool {
        match self.kind() {
            Kind::Let(_, _, body) => body.is_updated(),
            Kind::Prim(primitive, _) => *primitive == Primitive::Update,
            _ => false,
        }
    }

    /// Primitive and arguments, if it is one.
    pub fn as_prim(&self) -> Option<(&Primitive, &[Arg])> {
        match self.kind() {
            Kind::Prim(primitive, args) => Some((primitive, args)),
            _ => None,
        }
    }

    /// Whether it is the variable of that name.
    pub fn is_named(&self, name: &Name) -> bool {
        matches!(self.kind(), Kind::Var(own) if own == name)
    }

    /// Whether both are the very same node.
    pub fn same(&self, other: &Expr) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Arg {
    /// The value, if it is one.
    pub fn as_expr(&self) -> Option<&Expr> {
        match self {
            Arg::Expr(expr) => Some(expr),
            Arg::Fun(_) => None,
        }
    }

    /// The function, if it is one.
    pub fn as_fun(&self) -> Option<&Lambda> {
        match self {
            Arg::Fun(lambda) => Some(lambda),
            Arg::Expr(_) => None,
        }
    }
}

/// A kernel after type inference, and after every rewriting step.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The name of the Rust function.
    pub name: String,
    /// Size parameters, in order of declaration.
    pub nats: Vec<NatVar>,
    /// Value parameters, in order.
    pub params: Vec<Param>,
    /// What it computes; its type is the result type.
    pub body: Expr,
    /// What the `where` clause declares.
    pub declared: Vec<Obligation>,
    /// What must hold for the body to be defined, with who asks for it.
    pub obligations: Vec<Required>,
    /// What else the body needs and is known to hold, for readers.
    pub proved: Vec<Proved>,
    /// What must hold of the values of parameters.
    pub separable: Vec<Separable>,
}

/// A demand on the values of a parameter: the matrix is the outer product of a column and a row.
#[derive(Clone, Debug)]
pub struct Separable {
    /// The parameter or a component of it.
    pub value: Expr,
    /// The same as users write it: `p.0`.
    pub shown: String,
    /// The rule that needs it.
    pub rule: String,
}

/// An obligation that holds for all sizes that the kernel accepts.
#[derive(Clone, Debug)]
pub struct Proved {
    /// What holds.
    pub obligation: Obligation,
    /// The primitive that needs it.
    pub rule: String,
    /// The indices that it speaks of, each with its exclusive bound, outermost first.
    pub indices: Vec<(NatVar, Nat)>,
    /// Whether it takes the `where` clause to prove it.
    pub declared: bool,
}

/// An obligation and the place that asks for it.
#[derive(Clone, Debug)]
pub struct Required {
    /// What must hold, over the size parameters alone.
    pub obligation: Obligation,
    /// The primitive or rule that needs it, as text for the message: `split(32)`.
    pub rule: String,
}
