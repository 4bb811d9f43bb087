//! Types as written: names get their meaning.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, suggest};
use crate::nat::{Nat, NatVar};
use crate::syntax::ast::{self, NatToData, TypeKind};

use super::Scalar;
use super::elaborate::Infer;
use super::solver::Condition;
use super::term::Term;
use super::ty::{Class, Ty};
use super::value::{Env, Sig, Value};

impl<'a> Infer<'a> {
    /// What an annotation demands: a data type or a function.
    pub(super) fn signature(&mut self, ty: &'a ast::Type, env: &Env<'a>) -> Sig<'a> {
        match &ty.kind {
            TypeKind::Fun(param, result) => {
                Sig::Fun(Arc::new(self.signature(param, env)), Arc::new(self.signature(result, env)))
            }
            TypeKind::DepFun(kinds, body) => Sig::Dep(kinds, body, env.clone()),
            _ => Sig::Data(self.data_type(ty, env)),
        }
    }

    /// A data type as written.
    pub(super) fn data_type(&mut self, ty: &ast::Type, env: &Env<'a>) -> Ty {
        match &ty.kind {
            TypeKind::Scalar(kind) => Ty::Scalar(*kind),
            TypeKind::Array(element, len) => {
                let element = self.data_type(element, env);
                let size = self.natural(len, env);
                if size.as_const().is_some_and(|size| size < 0) {
                    let message = format!("a size is never negative, this one is {size}");
                    let at = self.place(len.origin);
                    self.report(Diagnostic::error(at, message));
                    return Ty::Error;
                }
                let array = Ty::array(size, element);
                if elements(&array).is_none() {
                    let at = self.place(ty.origin);
                    let message = format!("no memory holds an array of so many elements: `{array}`");
                    self.report(Diagnostic::error(at, message));
                    return Ty::Error;
                }
                array
            }
            TypeKind::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.data_type(part, env)).collect()),
            TypeKind::Simd(element, lanes) => {
                let element = self.data_type(element, env);
                let lanes = self.natural(lanes, env);
                let shallow = self.solver.shallow(&element);
                if !matches!(shallow, Ty::Scalar(_) | Ty::Var(_) | Ty::Given(..) | Ty::Error) {
                    let at = self.place(ty.origin);
                    let found = self.solver.full(&shallow);
                    let message = format!("lanes of vectors are scalars, found `{found}`");
                    self.report(Diagnostic::error(at, message));
                    return Ty::Error;
                }
                let why = self.why(ty.origin, "Simd");
                self.demand(Condition::Width(lanes.clone()), &why);
                Ty::Vector(Arc::new(element), lanes)
            }
            TypeKind::Idx(bound) => Ty::Idx(self.natural(bound, env)),
            TypeKind::DepArray(len, element) => self.dep_array(len, element, env),
            TypeKind::Name(name) => self.named_type(name, env),
            TypeKind::Apply(name, args) => self.applied_type(name, args, env),
            TypeKind::Fun(..) | TypeKind::DepFun(..) => {
                let at = self.place(ty.origin);
                let diagnostic = Diagnostic::error(at, "expected a data type, found the type of a function")
                    .help("functions cannot be stored or returned");
                self.report(diagnostic);
                Ty::Error
            }
            TypeKind::Hole => self.solver.fresh(Class::Any),
            TypeKind::Error => {
                self.told = true;
                Ty::Error
            }
        }
    }

    fn dep_array(&mut self, len: &ast::Nat, element: &NatToData, env: &Env<'a>) -> Ty {
        let len = self.natural(len, env);
        match element {
            NatToData::Name(name) => match env.get(name.as_str()) {
                Some(Value::NatToData(var, ty)) => Ty::DepArray(len, var.clone(), Arc::new(ty.clone())),
                _ => self.no_nat_to_data(name),
            },
            NatToData::Lambda(name, body) => {
                let var = NatVar::new(name.as_str());
                let bound = Value::Data(Term::nat(Nat::var(&var), Ty::Nat, name.origin));
                let element = self.data_type(body, &env.with(&name.text, bound));
                Ty::DepArray(len, var, Arc::new(element))
            }
        }
    }

    fn named_type(&mut self, name: &ast::Ident, env: &Env<'a>) -> Ty {
        match env.get(name.as_str()) {
            Some(Value::Type(ty)) => return ty.clone(),
            Some(Value::Data(term)) if term.ty().is_error() => return Ty::Error,
            Some(Value::Data(_)) if self.module.lacks_items() => {
                self.told = true;
                return Ty::Error;
            }
            Some(Value::Data(_)) => {
                let at = self.place(name.origin);
                self.report(Diagnostic::error(at, format!("expected a type, but `{name}` is a value")));
                return Ty::Error;
            }
            None if name.as_str() == "Nat" => return Ty::Nat,
            None if self.module.lacks_items() => {
                self.told = true;
                return Ty::Error;
            }
            _ => {}
        }
        let scalars = Scalar::ALL.iter().map(|scalar| scalar.name());
        let known: Vec<&str> = env.names();
        let at = self.place(name.origin);
        let diagnostic = Diagnostic::error(at, format!("unknown type `{name}`"));
        let near = Scalar::meant(name.as_str()).map(Scalar::name);
        self.report(match near.or_else(|| suggest(name.as_str(), scalars.chain(known))) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(Scalar::THERE_ARE),
        });
        Ty::Error
    }

    fn applied_type(&mut self, name: &ast::Ident, args: &[ast::Nat], env: &Env<'a>) -> Ty {
        match (env.get(name.as_str()).cloned(), args) {
            (Some(Value::NatToData(var, ty)), [arg]) => {
                let arg = self.natural(arg, env);
                ty.map_nats(&|nat| nat.subst(&var, &arg))
            }
            // That has been told.
            (Some(Value::Data(term)), _) if term.ty().is_error() => Ty::Error,
            _ => self.no_nat_to_data(name),
        }
    }

    fn no_nat_to_data(&mut self, name: &ast::Ident) -> Ty {
        let at = self.place(name.origin);
        self.report(Diagnostic::error(at, format!("`{name}` is no function from naturals to types")));
        Ty::Error
    }
}

/// How many elements there are at least where no dimension is 0; none where that is no size.
fn elements(ty: &Ty) -> Option<i64> {
    match ty {
        Ty::Array(size, element) => elements(element)?.checked_mul(size.as_const().unwrap_or(1).max(1)),
        _ => Some(1),
    }
}
