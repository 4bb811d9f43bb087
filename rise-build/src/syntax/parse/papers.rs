//! `def name = depFun((n: Nat) => fun(x: Array[n, f32] => e))`: the papers' notation for a kernel.

use super::item::Head;
use super::parser::{Parsed, Parser};
use super::ty::free_nats;
use crate::syntax::ast::{
    Expr, ExprKind, Ident, Kernel, Kind, KindParam, Notation, Param, PatternKind, Visibility,
};

impl Parser {
    /// A `def`: a `pub` kernel whose parameters are the outermost lambdas of its body.
    pub(super) fn definition(&mut self, head: Head) -> Parsed<Kernel> {
        self.bump();
        let name = self.ident("the name of the kernel")?;
        let start = self.mark();
        let body = match self.eat_op("=") {
            true => self.expr_or(|p| p.is_char(0, ';') || p.at_item()),
            false => {
                let help = format!(
                    "write `pub fn {name}<n: Nat>(x: [f32; n]) -> f32 {{ … }}`, or as the papers, `def {name} = fun(x: Array[n, f32] => …)`"
                );
                self.expected_help("`=`", &help);
                self.skip_until(|p| p.is_char(0, ';') || p.at_item());
                Expr::error(self.origin(start))
            }
        };
        if !(self.eat_char(';') || self.at_end() || self.at_item()) {
            self.semicolon("a `def`");
        }
        let (mut kinds, mut params) = (Vec::new(), Vec::new());
        let body = peel(body, &mut kinds, &mut params);
        // What stands for one that could not be read is no size of the Rust function.
        kinds.retain(|param| param.name.as_str() != "_");
        bind_free(&mut kinds, &params);
        let visibility = match head.visibility {
            Visibility::Helper => Visibility::Public,
            given => given,
        };
        Ok(Kernel {
            docs: head.docs,
            attributes: head.attributes,
            visibility,
            origin: name.origin,
            name,
            kinds,
            params,
            result: None,
            obligations: Vec::new(),
            body,
            notation: Notation::Papers,
        })
    }
}

/// Turns the outermost lambdas into parameters.
fn peel(body: Expr, kinds: &mut Vec<KindParam>, params: &mut Vec<Param>) -> Expr {
    match body.kind {
        ExprKind::DepLambda(more, inner) => {
            kinds.extend(more);
            peel(*inner, kinds, params)
        }
        ExprKind::Lambda(more, inner) => {
            params.extend(more);
            peel(*inner, kinds, params)
        }
        _ => body,
    }
}

/// Binds naturals that are free in the parameters' types, in order of appearance.
fn bind_free(kinds: &mut Vec<KindParam>, params: &[Param]) {
    let mut bound: Vec<Ident> = kinds.iter().map(|param| param.name.clone()).collect();
    // A parameter of the same name is no size.
    bound.extend(params.iter().filter_map(|param| match &param.pattern.kind {
        PatternKind::Name(name) => Some(name.clone()),
        _ => None,
    }));
    let mut found = Vec::new();
    for ty in params.iter().filter_map(|param| param.ty.as_ref()) {
        free_nats(ty, &mut bound, &mut found);
    }
    kinds.extend(found.into_iter().map(|name| KindParam { name, kind: Kind::Nat }));
}
