//! Binders around a place, and the bindings that are to be made there.

use crate::dpia::functional::Target;
use crate::expr::{
    AddressSpace, Arg, Expr, Kind, Lambda, MapForm, Param, alpha_equal, let_in, occurrences, to_mem,
};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::rewrite::total::{is_partial, is_total};
use crate::types::DataType;

use super::Lower;

/// One binder.
pub(super) struct Scope {
    kind: ScopeKind,
    form: Option<MapForm>,
    names: Vec<Name>,
    nats: Vec<NatVar>,
    /// How often what is inside runs, and the bounds of indices that are bound here.
    count: Option<Nat>,
    bounds: Vec<(NatVar, Nat)>,
    pending: Vec<Pending>,
}

/// What a binder means for work inside it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    /// The kernel or a branch: nothing moves out.
    Barrier,
    /// A `let`: what is inside runs once.
    Let,
    /// A function that runs for each element.
    Loop,
    /// The same, and nothing moves out.
    LoopBarrier,
}

/// A binding that is to be made at the beginning of a scope.
struct Pending {
    /// What is bound, before it was lowered.
    original: Expr,
    param: Param,
    value: Expr,
}

impl Scope {
    pub(super) fn new(kind: ScopeKind) -> Self {
        Scope {
            kind,
            form: None,
            names: Vec::new(),
            nats: Vec::new(),
            count: None,
            bounds: Vec::new(),
            pending: Vec::new(),
        }
    }

    pub(super) fn binding(kind: ScopeKind, param: &Param) -> Self {
        let mut scope = Scope::new(kind);
        scope.bind(param);
        scope
    }

    pub(super) fn of_lambda(
        lambda: &Lambda,
        form: Option<MapForm>,
        count: Option<Nat>,
        target: Target,
    ) -> Self {
        let parallel = matches!(
            form,
            Some(MapForm::Global(_) | MapForm::WorkGroup(_) | MapForm::Local(_) | MapForm::Par)
        );
        let kind = match parallel && target == Target::OpenCl {
            true => ScopeKind::LoopBarrier,
            false => ScopeKind::Loop,
        };
        let mut scope = Scope { form, count, ..Scope::new(kind) };
        scope.nats.extend(lambda.nats.iter().cloned());
        lambda.params.iter().for_each(|param| scope.bind(param));
        scope
    }

    fn bind(&mut self, param: &Param) {
        self.names.push(param.name.clone());
        self.nats.extend(param.nat.clone());
        if let (Some(nat), DataType::Idx(bound)) = (&param.nat, &param.ty) {
            self.bounds.push((nat.clone(), bound.clone()));
        }
    }

    fn binds(&self, mentions: &Mentions) -> bool {
        self.names.iter().any(|name| mentions.names.contains(name))
            || self.nats.iter().any(|nat| mentions.nats.contains(nat))
    }

    fn is_barrier(&self) -> bool {
        matches!(self.kind, ScopeKind::Barrier | ScopeKind::LoopBarrier)
    }

    fn is_loop(&self) -> bool {
        matches!(self.kind, ScopeKind::Loop | ScopeKind::LoopBarrier)
    }
}

impl Lower {
    /// Lowers something inside a scope, and binds around the result what the scope has to bind.
    pub(super) fn within(&mut self, scope: Scope, body: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.scopes.push(scope);
        let result = body(self);
        let pending = self.scopes.pop().map(|scope| scope.pending).unwrap_or_default();
        pending.into_iter().rev().fold(result, |body, Pending { param, value, .. }| {
            // A first attempt may have asked for what the second one does not need.
            match occurrences(&body, &param.name) {
                0 if param.nat.is_none() => body,
                _ => let_in(param, value, body),
            }
        })
    }

    /// Has a binding made at the beginning of the innermost scope.
    pub(super) fn bind_here(&mut self, original: &Expr, param: Param, value: Expr) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.bind(&param);
            scope.pending.push(Pending { original: original.clone(), param, value });
        }
    }

    /// The outermost scope at whose beginning all variables of `expr` are known, and it has a value.
    fn home(&self, expr: &Expr) -> usize {
        let mut mentions = Mentions::default();
        mentions.expr(expr);
        let fits = |scope: &Scope| scope.is_barrier() || scope.binds(&mentions);
        let outermost = self.scopes.iter().rposition(fits).unwrap_or(0);
        let leaves_loops = self.scopes[outermost + 1..].iter().any(Scope::is_loop);
        if !leaves_loops || !is_partial(expr) {
            return outermost;
        }
        (outermost..self.here()).find(|home| is_total(expr, &self.facts_in(*home))).unwrap_or(self.here())
    }

    /// What is known at the beginning of a scope: all loops around it run.
    fn facts_in(&self, home: usize) -> Facts {
        let mut facts = self.facts.clone();
        for scope in &self.scopes[..=home] {
            scope.bounds.iter().for_each(|(nat, bound)| facts.range(nat, &Nat::lit(0), bound));
            if let Some(count) = &scope.count {
                facts.assume_le(&Nat::lit(1), count);
            }
        }
        facts
    }

    /// Whether a loop around this place does not bind any variable of `expr`.
    pub(super) fn is_invariant(&self, expr: &Expr) -> bool {
        match self.scopes.iter().rposition(Scope::is_loop) {
            Some(innermost) => self.home(expr) < innermost,
            None => false,
        }
    }

    /// The array computed into memory at the outermost place, as a variable.
    pub(super) fn store(&mut self, expr: &Expr) -> Expr {
        let home = self.home(expr);
        let space = self.space(home);
        self.hoist(home, expr, |lower| to_mem(space, lower.write(expr)))
    }

    /// The small value computed once at the outermost place, as a variable.
    pub(super) fn share(&mut self, expr: &Expr) -> Expr {
        let home = self.home(expr);
        self.hoist(home, expr, |lower| lower.read_small(expr))
    }

    fn hoist(&mut self, home: usize, expr: &Expr, lowered: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let known = &self.scopes[home].pending;
        if let Some(old) = known.iter().find(|old| alpha_equal(&old.original, expr)) {
            return old.param.expr();
        }
        let inner = self.scopes.split_off(home + 1);
        let value = lowered(self);
        let param = Param::fresh("t", expr.ty().clone());
        self.bind_here(expr, param.clone(), value);
        self.scopes.extend(inner);
        param.expr()
    }

    /// Where memory that is bound in scope `home` lies.
    pub(super) fn space(&self, home: usize) -> AddressSpace {
        if self.target != Target::OpenCl {
            return AddressSpace::Default;
        }
        let form = self.scopes.iter().take(home + 1).rev().find_map(|scope| match scope.form {
            Some(form @ (MapForm::Global(_) | MapForm::Local(_) | MapForm::WorkGroup(_))) => Some(form),
            _ => None,
        });
        match form {
            Some(MapForm::WorkGroup(_)) => AddressSpace::Local,
            Some(_) => AddressSpace::Private,
            None => AddressSpace::Global,
        }
    }

    /// The innermost scope.
    pub(super) fn here(&self) -> usize {
        self.scopes.len().saturating_sub(1)
    }
}

/// All variables in a term; those bound inside do no harm, for no scope outside binds them.
#[derive(Default)]
struct Mentions {
    names: Vec<Name>,
    nats: Vec<NatVar>,
}

impl Mentions {
    fn expr(&mut self, expr: &Expr) {
        self.ty(expr.ty());
        expr.visit(&mut |node| match node.kind() {
            Kind::Var(name) => {
                if !self.names.contains(name) {
                    self.names.push(name.clone());
                }
            }
            Kind::Nat(nat) => self.nat(nat),
            Kind::Let(param, ..) => self.ty(&param.ty),
            Kind::Literal(_) => {}
            Kind::Prim(primitive, args) => {
                let collected = std::cell::RefCell::new(&mut *self);
                let _ = primitive.map_nats(&|nat| {
                    collected.borrow_mut().nat(nat);
                    nat.clone()
                });
                for param in args.iter().filter_map(Arg::as_fun).flat_map(|lambda| &lambda.params) {
                    self.ty(&param.ty);
                }
            }
        });
    }

    fn nat(&mut self, nat: &Nat) {
        for var in nat.vars() {
            if !self.nats.contains(&var) {
                self.nats.push(var);
            }
        }
    }

    fn ty(&mut self, ty: &DataType) {
        match ty {
            DataType::Scalar(_) | DataType::Nat | DataType::Vector(..) => {}
            DataType::Idx(bound) => self.nat(bound),
            DataType::Array(len, element) | DataType::DepArray(len, _, element) => {
                self.nat(len);
                self.ty(element);
            }
            DataType::Tuple(parts) => parts.iter().for_each(|part| self.ty(part)),
        }
    }
}
