//! Entering functions and `let`s: what a bound variable stands for, and whether it has to be computed once.

use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, call, let_in, map_children, proj, substitute, to_mem,
};
use crate::names::Name;
use crate::rewrite::total::count;
use crate::types::DataType;

use super::scope::{Scope, ScopeKind};
use super::source::Source;
use super::uses::uses;
use super::{Lower, Times, copy};

impl Lower {
    /// A function with its body lowered, which runs for each element of an array, if it is given one; its parameters
    /// come from `sources`.
    pub(super) fn function(
        &mut self,
        lambda: &Lambda,
        (form, xs): (Option<MapForm>, Option<&Expr>),
        sources: &[Source],
        body: impl FnOnce(&mut Self, &Expr) -> Expr,
    ) -> Lambda {
        if !self.makes_choices() {
            return lambda.clone();
        }
        let depth = self.sources.len();
        let lowered =
            self.within(Scope::of_lambda(lambda, form, xs.and_then(count).cloned(), self.target), |lower| {
                let mut inner = lambda.body.clone();
                for (param, source) in lambda.params.iter().zip(sources) {
                    inner = lower.once(param, &param.expr(), source, inner);
                }
                body(lower, &inner)
            });
        self.sources.truncate(depth);
        Lambda { nats: lambda.nats.clone(), params: lambda.params.clone(), body: lowered }
    }

    /// Takes care that what `access`, a path of the variable, stands for is computed once at most; returns
    /// the body, perhaps about a new variable.
    fn once(&mut self, param: &Param, access: &Expr, source: &Source, body: Expr) -> Expr {
        if !source.is_computed() || param.nat.is_some() {
            return body;
        }
        if uses(&body, &param.name) != Times::Many {
            self.sources.push((param.name.clone(), source.clone()));
            return body;
        }
        match &param.ty {
            DataType::Tuple(types) => {
                let parts: Vec<Param> =
                    types.iter().map(|ty| Param::fresh(param.name.text(), ty.clone())).collect();
                let mut body = expand(&body, &param.name, &parts);
                for (position, part) in parts.iter().enumerate() {
                    let access = proj(position, access.clone());
                    let source = source.part(position);
                    if source.is_computed() && uses(&body, &part.name) == Times::Many {
                        body = self.once(part, &access, &source, body);
                    } else {
                        body = substitute(&body, part, &access);
                    }
                }
                self.sources.push((param.name.clone(), source.clone()));
                body
            }
            DataType::Array(_, element)
                if matches!(&**element, DataType::Tuple(_)) && source.is_computed_in_part() =>
            {
                // The other half is read where it lies.
                let halves = [0, 1].map(|position| {
                    let half = proj(position, call(Primitive::Unzip, [access.clone()]));
                    match source.part(position).is_computed() {
                        true => self.bound_here(&half, param),
                        false => half,
                    }
                });
                self.sources.push((param.name.clone(), source.clone()));
                substitute(&body, param, &call(Primitive::Zip, halves))
            }
            _ => {
                self.sources.push((param.name.clone(), source.clone()));
                let name = self.bound_here(access, param);
                substitute(&body, param, &name)
            }
        }
    }

    /// The name of a value, like that of the variable, which is computed once at the beginning of this scope; an array
    /// is stored.
    fn bound_here(&mut self, access: &Expr, variable: &Param) -> Expr {
        let fresh = Param::fresh(variable.name.text(), access.ty().clone());
        let name = fresh.expr();
        let value = match access.ty().is_small() {
            true => access.clone(),
            false => to_mem(self.space(self.here()), copy(access.clone())),
        };
        self.bind_here(access, fresh, value);
        name
    }

    /// A `let` whose body is lowered by `inner`.
    pub(super) fn binding(
        &mut self,
        expr: &Expr,
        param: &Param,
        value: &Expr,
        body: &Expr,
        inner: impl FnOnce(&mut Self, &Expr) -> Expr,
    ) -> Expr {
        if let Kind::Prim(Primitive::Tuple, parts) = value.kind()
            && !param.ty.is_small()
        {
            let spread = spread(param, parts, body);
            return inner(self, &spread);
        }
        let (value, source) = self.let_value(param, value, uses(body, &param.name));
        if !param.ty.is_small() && is_view(&value) && uses(body, &param.name) != Times::Many {
            return inner(self, &substitute(body, param, &value));
        }
        let body = self.with_source(&param.name, source, |lower| {
            lower.within(Scope::binding(ScopeKind::Let, param), |lower| inner(lower, body))
        });
        expr.clone().edit(|node| {
            node.ty = body.ty().clone();
            node.kind = Kind::Let(param.clone(), value, body);
        })
    }

    fn let_value(&mut self, param: &Param, value: &Expr, times: Times) -> (Expr, Source) {
        if param.ty.is_small() {
            return (self.read_small(value), Source::Stored);
        }
        let source = self.source(value);
        if source.is_computed() && times == Times::Many {
            let space = self.space(self.here());
            return (to_mem(space, self.write(value)), Source::Stored);
        }
        (self.read(value, times, false), source)
    }
}

/// Whether reading the value costs index arithmetic alone, so that it may stand at its use.
fn is_view(value: &Expr) -> bool {
    !value.any(&|node| matches!(node.kind(), Kind::Let(..) | Kind::Prim(Primitive::ToMem(_), _)))
}

/// `let p = (a, b); body` as one `let` a component.
fn spread(param: &Param, parts: &[Arg], body: &Expr) -> Expr {
    let names: Vec<Param> =
        parts.iter().map(|part| Param::fresh(param.name.text(), part.expr().ty().clone())).collect();
    let body = expand(body, &param.name, &names);
    names
        .into_iter()
        .zip(parts)
        .rev()
        .fold(body, |body, (name, part)| let_in(name, part.expr().clone(), body))
}

/// The term with a tuple variable replaced by a variable for each component.
pub(in crate::rewrite) fn expand(expr: &Expr, name: &Name, parts: &[Param]) -> Expr {
    match expr.kind() {
        Kind::Var(other) if other == name => call(Primitive::Tuple, parts.iter().map(Param::expr)),
        Kind::Prim(Primitive::Proj(position), args) if args[0].expr().is_named(name) => {
            parts.get(*position).map_or_else(|| expr.clone(), Param::expr)
        }
        _ => map_children(expr, &mut |child| expand(child, name, parts)),
    }
}
