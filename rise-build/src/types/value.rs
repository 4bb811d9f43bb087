//! What an expression is worth while it is elaborated: a term, or a function that waits for its arguments.
//!
//! Functions are never stored, so elaboration applies them on the spot, as an interpreter would: that inlines
//! helpers, applies compositions and expands partial applications without substitution.

use std::sync::Arc;

use crate::diagnostics::Origin;
use crate::expr::{AddressSpace, Binary, Compare, NatFun, Row, Unary};
use crate::names::Label;
use crate::nat::NatVar;
use crate::syntax::ast;

use super::term::Term;
use super::ty::Ty;

/// What a name or an expression stands for.
#[derive(Clone)]
pub(super) enum Value<'a> {
    /// A value.
    Data(Term),
    /// A function.
    Fun(Arc<Fun<'a>>),
    /// A data type.
    Type(Ty),
    /// A function of naturals.
    NatFun(NatFun),
    /// A function from naturals to data types.
    NatToData(NatVar, Ty),
    /// An address space.
    Space(AddressSpace),
}

/// A function and the arguments that it has already.
pub(super) enum Fun<'a> {
    /// `|x, y| e`
    Lambda { params: &'a [ast::Param], body: &'a ast::Expr, env: Env<'a> },
    /// `|n: Nat| e`
    DepLambda { kinds: &'a [ast::KindParam], body: &'a ast::Expr, env: Env<'a> },
    /// A helper.
    Item { item: &'a ast::Kernel, within: Within<'a>, kinds: Arc<[KindValue<'a>]>, args: Args<'a> },
    /// A primitive of the table.
    Prim { row: &'static Row, args: Args<'a> },
    /// An operator or a scalar function.
    Operator { op: Operator, args: Args<'a> },
    /// A foreign function.
    Foreign { item: &'a ast::ExternFn, args: Args<'a> },
    /// A function parameter of a rule.
    Given { fun: Arc<GivenFun>, args: Args<'a> },
    /// `f >> g`
    Compose(Value<'a>, Value<'a>),
    /// `'label: f`
    Labelled(Label, Arc<Fun<'a>>),
    /// A function with a given type.
    Ascribed(Arc<Fun<'a>>, Arc<Sig<'a>>),
}

/// A function that a rule speaks of: its name, what it takes and what it gives.
pub(super) struct GivenFun {
    pub(super) name: String,
    pub(super) params: Vec<Ty>,
    pub(super) result: Ty,
}

/// A kinded argument given explicitly; none for `_`.
pub(super) type KindValue<'a> = Option<Value<'a>>;

/// Arguments that a function has.
pub(super) type Args<'a> = Arc<[Argument<'a>]>;

/// An argument, elaborated when it is known what is wanted.
#[derive(Clone)]
pub(super) enum Argument<'a> {
    /// As written.
    Ast(&'a ast::Expr, Env<'a>),
    /// Elaborated.
    Value(Value<'a>, Origin),
}

impl Argument<'_> {
    pub(super) fn origin(&self) -> Origin {
        match self {
            Argument::Ast(expr, _) => expr.origin,
            Argument::Value(_, origin) => *origin,
        }
    }
}

/// The type that an annotation gives.
pub(super) enum Sig<'a> {
    /// A data type.
    Data(Ty),
    /// `s -> t`
    Fun(Arc<Sig<'a>>, Arc<Sig<'a>>),
    /// `(n: Nat) => t`, instantiated when applied.
    Dep(&'a [ast::KindParam], &'a ast::Type, Env<'a>),
}

/// Scalar functions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Unary(Unary),
    Binary(Binary),
    Compare(Compare),
    MulAdd,
    Fma,
    /// `select(c, a, b)`
    Select,
}

impl Operator {
    /// The operator of that name.
    pub(super) fn from_name(name: &str) -> Option<Operator> {
        let unary = Unary::ALL.iter().find(|op| op.name() == name).map(|op| Operator::Unary(*op));
        let binary = || Binary::ALL.iter().find(|op| op.name() == name).map(|op| Operator::Binary(*op));
        let compare = || Compare::ALL.iter().find(|op| op.name() == name).map(|op| Operator::Compare(*op));
        unary.or_else(binary).or_else(compare).or(match name {
            "mul_add" => Some(Operator::MulAdd),
            "fma" => Some(Operator::Fma),
            "select" => Some(Operator::Select),
            "mod" => Some(Operator::Binary(Binary::Rem)),
            "equal" => Some(Operator::Compare(Compare::Eq)),
            _ => None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Operator::Unary(op) => op.name(),
            Operator::Binary(op) => op.name(),
            Operator::Compare(op) => op.name(),
            Operator::MulAdd => "mul_add",
            Operator::Fma => "fma",
            Operator::Select => "select",
        }
    }

    pub(super) fn arity(self) -> usize {
        match self {
            Operator::Unary(_) => 1,
            Operator::Binary(_) | Operator::Compare(_) => 2,
            Operator::MulAdd | Operator::Fma | Operator::Select => 3,
        }
    }
}

/// Whose names an item sees besides its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// The user's module, then primitives and prelude.
    User,
    /// The same, in an item of a file that ships: its own places mean nothing to the user.
    Shipped,
    /// Primitives and prelude alone.
    Prelude,
}

/// Where an item is named: whose names are seen there, and in the bodies of which items that is.
#[derive(Clone)]
pub(super) struct Within<'a> {
    pub(super) home: Home,
    pub(super) inside: Option<Arc<Inside<'a>>>,
}

pub(super) struct Inside<'a> {
    item: &'a ast::Kernel,
    outer: Option<Arc<Inside<'a>>>,
}

impl<'a> Within<'a> {
    /// Inside no item.
    pub(super) fn new(home: Home) -> Self {
        Within { home, inside: None }
    }

    /// In the body of an item that is named here.
    pub(super) fn body(&self, item: &'a ast::Kernel) -> Self {
        Within { home: self.home, inside: Some(Arc::new(Inside { item, outer: self.inside.clone() })) }
    }

    /// Whether this is in the item's body itself, not in that of a helper.
    pub(super) fn is_body_of(&self, item: &ast::Kernel) -> bool {
        self.inside.as_deref().is_some_and(|inside| std::ptr::eq(inside.item, item))
    }

    /// The parameter of the item with this name.
    pub(super) fn param(&self, name: &ast::Ident) -> Option<&'a ast::Param> {
        let mut params = self.inside.iter().flat_map(|inside| &inside.item.params);
        params.find(|param| param.pattern.names().contains(&name))
    }

    /// Whether this is a part of the item's body.
    pub(super) fn is_inside(&self, item: &ast::Kernel) -> bool {
        let mut inside = self.inside.as_deref();
        while let Some(entry) = inside {
            if std::ptr::eq(entry.item, item) {
                return true;
            }
            inside = entry.outer.as_deref();
        }
        false
    }
}

/// Local names; cloning is a reference count.
#[derive(Clone)]
pub(super) struct Env<'a> {
    pub(super) within: Within<'a>,
    locals: Option<Arc<Local<'a>>>,
}

struct Local<'a> {
    name: Arc<str>,
    value: Value<'a>,
    outer: Option<Arc<Local<'a>>>,
}

impl<'a> Env<'a> {
    pub(super) fn new(within: Within<'a>) -> Self {
        Env { within, locals: None }
    }

    /// The scope with one more name.
    #[must_use]
    pub(super) fn with(&self, name: &Arc<str>, value: Value<'a>) -> Self {
        let outer = self.locals.clone();
        Env {
            within: self.within.clone(),
            locals: Some(Arc::new(Local { name: name.clone(), value, outer })),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value<'a>> {
        let mut local = self.locals.as_deref();
        while let Some(entry) = local {
            if &*entry.name == name {
                return Some(&entry.value);
            }
            local = entry.outer.as_deref();
        }
        None
    }

    /// All local names, innermost first.
    pub(super) fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let mut local = self.locals.as_deref();
        while let Some(entry) = local {
            names.push(&*entry.name);
            local = entry.outer.as_deref();
        }
        names
    }
}
