//! The checker of the functional language: run after inference and after every rewriting step in tests.
//!
//! It holds a term against the rules of [`synthesize`] and against its binders: every node has the type that
//! its parts give it, every name is bound with the type that it is used at, and a variable has a face in
//! naturals exactly if it is an index. Sizes may differ in form where the kernel's conditions make them equal.

use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::DataType;

use super::primitive::Primitive;
use super::synthesize::{same_type, synthesize};
use super::term::{Arg, Expr, Kernel, Kind, Lambda, Param};

/// What is wrong with a kernel, if anything is.
pub fn check(kernel: &Kernel) -> Result<(), String> {
    let mut scope = Scope { names: Vec::new(), nats: kernel.nats.clone(), facts: kernel.facts() };
    for param in &kernel.params {
        scope.bind(param)?;
    }
    scope.expr(&kernel.body)?;
    for required in &kernel.obligations {
        let open = required.obligation.vars().into_iter().find(|var| !kernel.nats.contains(var));
        if let Some(var) = open {
            return Err(format!("the condition {} speaks of {var}, which is no size", required.obligation));
        }
    }
    Ok(())
}

impl Kernel {
    /// A kernel of which nothing is known or asked.
    pub fn new(name: impl Into<String>, nats: Vec<NatVar>, params: Vec<Param>, body: Expr) -> Self {
        Self {
            name: name.into(),
            nats,
            params,
            body,
            declared: Vec::new(),
            obligations: Vec::new(),
            proved: Vec::new(),
            separable: Vec::new(),
        }
    }

    /// What holds inside the kernel: sizes are naturals, and the entry has checked its conditions.
    pub fn facts(&self) -> Facts {
        let mut facts = Facts::new();
        self.nats.iter().for_each(|nat| facts.size(nat));
        let required = self.obligations.iter().map(|required| &required.obligation);
        self.declared.iter().chain(required).for_each(|condition| condition.assume(&mut facts));
        facts
    }
}

struct Scope {
    names: Vec<(Name, DataType)>,
    nats: Vec<NatVar>,
    facts: Facts,
}

impl Scope {
    fn bind(&mut self, param: &Param) -> Result<(), String> {
        let is_index = matches!(param.ty, DataType::Idx(_) | DataType::Nat);
        if is_index != param.nat.is_some() {
            return Err(format!("{}: {} has the wrong faces", param.name, param.ty));
        }
        self.ty(&param.ty)?;
        if self.names.iter().any(|(name, _)| *name == param.name) {
            return Err(format!("{} is bound twice", param.name));
        }
        self.names.push((param.name.clone(), param.ty.clone()));
        self.nats.extend(param.nat.clone());
        Ok(())
    }

    fn nat(&self, nat: &Nat) -> Result<(), String> {
        match nat.vars().into_iter().find(|var| !self.nats.contains(var)) {
            Some(var) => Err(format!("the natural {nat} speaks of {var}, which is not bound")),
            None => Ok(()),
        }
    }

    fn ty(&mut self, ty: &DataType) -> Result<(), String> {
        match ty {
            DataType::Scalar(_) | DataType::Nat | DataType::Vector(..) => Ok(()),
            DataType::Idx(n) => self.nat(n),
            DataType::Array(n, t) => {
                self.nat(n)?;
                self.ty(t)
            }
            DataType::DepArray(n, i, t) => {
                self.nat(n)?;
                self.nats.push(i.clone());
                let result = self.ty(t);
                self.nats.pop();
                result
            }
            DataType::Tuple(parts) => parts.iter().try_for_each(|part| self.ty(part)),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Result<(), String> {
        self.ty(expr.ty()).map_err(|wrong| format!("{wrong}, in the type {} of\n{expr}", expr.ty()))?;
        match expr.kind() {
            Kind::Var(name) => match self.names.iter().find(|(bound, _)| bound == name) {
                Some((_, ty)) if self.same(ty, expr.ty()) => Ok(()),
                Some((_, ty)) => Err(format!("{name} is bound as {ty} and used as {}", expr.ty())),
                None => Err(format!("{name} is not bound")),
            },
            Kind::Literal(literal) if *expr.ty() == DataType::Scalar(literal.scalar()) => Ok(()),
            Kind::Literal(literal) => Err(format!("the literal {literal:?} has type {}", expr.ty())),
            Kind::Nat(nat) => match expr.ty() {
                DataType::Nat | DataType::Idx(_) => self.nat(nat),
                other => Err(format!("the natural {nat} has type {other}")),
            },
            Kind::Let(param, value, body) => {
                self.expr(value)?;
                self.expect(&param.ty, value.ty(), "the value of a let", expr)?;
                self.expect(expr.ty(), body.ty(), "the body of a let", expr)?;
                let depth = (self.names.len(), self.nats.len());
                self.bind(param)?;
                self.expr(body)?;
                self.names.truncate(depth.0);
                self.nats.truncate(depth.1);
                Ok(())
            }
            Kind::Prim(primitive, args) => self.primitive(expr, primitive, args),
        }
    }

    fn primitive(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg]) -> Result<(), String> {
        for arg in args {
            match arg {
                Arg::Expr(arg) => self.expr(arg)?,
                Arg::Fun(lambda) => self.lambda(lambda)?,
            }
        }
        let ty = synthesize(primitive, args).map_err(|wrong| format!("{wrong}, in\n{expr}"))?;
        self.expect(&ty, expr.ty(), "this node", expr)
    }

    fn lambda(&mut self, lambda: &Lambda) -> Result<(), String> {
        let depth = (self.names.len(), self.nats.len());
        self.nats.extend(lambda.nats.iter().cloned());
        for param in &lambda.params {
            self.bind(param)?;
        }
        self.expr(&lambda.body)?;
        self.names.truncate(depth.0);
        self.nats.truncate(depth.1);
        Ok(())
    }

    fn expect(&self, rule: &DataType, found: &DataType, what: &str, expr: &Expr) -> Result<(), String> {
        if self.same(rule, found) {
            return Ok(());
        }
        Err(format!("{what} has type {found} where the rules give {rule}:\n{expr}"))
    }

    /// Whether both are one type, given what is known of the sizes.
    fn same(&self, a: &DataType, b: &DataType) -> bool {
        same_type(a, b) || {
            let known = |ty: &DataType| ty.map_nats(&|nat| self.facts.simplify(nat));
            same_type(&known(a), &known(b)) || self.same_sizes(a, b)
        }
    }

    fn same_sizes(&self, a: &DataType, b: &DataType) -> bool {
        match (a, b) {
            (DataType::Array(n, s), DataType::Array(m, t)) => self.facts.proves_eq(n, m) && self.same(s, t),
            (DataType::Idx(n), DataType::Idx(m)) => self.facts.proves_eq(n, m),
            (DataType::Tuple(s), DataType::Tuple(t)) => {
                s.len() == t.len() && s.iter().zip(t.iter()).all(|(s, t)| self.same(s, t))
            }
            _ => false,
        }
    }
}
