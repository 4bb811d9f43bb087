//! Lambdas of both notations.

use proc_macro2::Delimiter;

use super::parser::{Parsed, Parser, Reported};
use super::ty::broken_kind;
use crate::diagnostics::Origin;
use crate::syntax::ast::{Expr, ExprKind, KindParam, Param, Pattern, PatternKind};

/// A parameter of either sort.
enum Either {
    Kinded(KindParam),
    Value(Param),
}

impl Parser {
    /// `|x, (a, b)| e`
    pub(super) fn rust_lambda(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        self.bump();
        let mut params = Vec::new();
        while !self.is_char(0, '|') {
            params.push(self.either()?);
            if !self.eat_char(',') {
                break;
            }
        }
        if !self.eat_char('|') {
            return Err(self.expected("`,` or `|`"));
        }
        if params.is_empty() {
            let help = "write `|x| e`, or `|_| e` where the argument does not matter";
            return Err(self.wrong(start, "a function of RISE has at least one parameter", help));
        }
        if self.op(0) == "->" {
            return Err(
                self.expected_help("an expression", "a lambda does not tell its result type: write `|x| e`")
            );
        }
        let body = self.expr()?;
        Ok(lambda(params, body, self.origin(start)))
    }

    /// `x`, `x: t`, `n: Nat`
    fn either(&mut self) -> Parsed<Either> {
        if self.is_ident(0) && self.op(1) == ":" && self.at_kind(2) {
            return Ok(Either::Kinded(self.kind_param()?));
        }
        Ok(Either::Value(self.lambda_param()?))
    }

    fn lambda_param(&mut self) -> Parsed<Param> {
        let pattern = self.pattern()?;
        let ty = if self.eat_op(":") { Some(self.ty()?) } else { None };
        Ok(Param { pattern, ty })
    }

    /// `fun(x => e)`, `fun(a, b => e)`, `fun(x, e)`, `fun((x: t, y: u), e)`
    pub(super) fn papers_lambda(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        self.bump();
        let (params, body) = self.inside(|p| {
            let read = if p.arrow_ahead() { p.arrow_params() } else { p.comma_params() };
            let params = read.inspect_err(|_| p.skip_until(|_| false))?;
            let body = p.expr_or(Self::at_end);
            p.eat_char(',');
            Ok((params, body))
        })?;
        Ok(Expr { parens: true, ..lambda(params, body, self.origin(start)) })
    }

    /// Whether `=>` stands in this group.
    fn arrow_ahead(&self) -> bool {
        let mut ahead = 0;
        loop {
            match self.op(ahead) {
                "=>" => return true,
                "" if self.kind(ahead) == super::super::token::TokenKind::End => return false,
                "" => ahead = self.behind_group(ahead),
                op => ahead += op.len(),
            }
        }
    }

    /// Parameters up to `=>`.
    fn arrow_params(&mut self) -> Parsed<Vec<Either>> {
        let mut params = Vec::new();
        while self.op(0) != "=>" {
            if params.is_empty()
                && self.is_open(0, Delimiter::Parenthesis)
                && self.op(self.behind_group(0)) == "=>"
            {
                params = self.grouped_params();
            } else {
                params.push(self.either()?);
            }
            if !self.eat_char(',') {
                break;
            }
        }
        if params.is_empty() {
            return Err(self.expected_help("a parameter", "write `fun(x => e)`"));
        }
        self.need_op("=>")?;
        Ok(params)
    }

    /// Parameters before the last comma.
    fn comma_params(&mut self) -> Parsed<Vec<Either>> {
        let mut params = Vec::new();
        while params.is_empty() || self.comma_ahead() {
            if params.is_empty() && self.is_open(0, Delimiter::Parenthesis) {
                params = self.grouped_params();
            } else {
                params.push(self.either()?);
            }
            if !self.eat_char(',') {
                return Err(self.expected_help("`,` and the body", "write `fun(x => e)` or `fun(x, e)`"));
            }
        }
        Ok(params)
    }

    /// Whether a comma separates something here, before any lambda begins.
    fn comma_ahead(&self) -> bool {
        let mut ahead = 0;
        loop {
            match self.op(ahead) {
                "," => return self.kind(ahead + 1) != super::super::token::TokenKind::End,
                "|" | "||" => return false,
                "" if self.kind(ahead) == super::super::token::TokenKind::End => return false,
                "" => ahead = self.behind_group(ahead),
                op => ahead += op.len(),
            }
        }
    }

    /// `(x: t, y: u)`: the parameters themselves, not a pair.
    fn grouped_params(&mut self) -> Vec<Either> {
        let broken =
            |origin| Either::Value(Param { pattern: Pattern { kind: PatternKind::Error, origin }, ty: None });
        self.inside(|p| p.comma_list(Self::either, broken))
    }

    /// `depFun((n: Nat, m: Nat) => e)`
    pub(super) fn papers_dep_lambda(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        self.bump();
        let (params, body) = self.inside(|p| {
            let params = p.dep_params().inspect_err(|Reported| p.skip_until(|_| false))?;
            let body = p.expr_or(Self::at_end);
            p.eat_char(',');
            Ok((params, body))
        })?;
        let kind = ExprKind::DepLambda(params, Box::new(body));
        Ok(Expr { kind, origin: self.origin(start), parens: true })
    }

    fn dep_params(&mut self) -> Parsed<Vec<KindParam>> {
        let mut params = Vec::new();
        if self.is_open(0, Delimiter::Parenthesis) {
            params = self.inside(|p| p.comma_list(Self::kind_param, broken_kind));
        } else {
            params.push(self.kind_param()?);
            while self.eat_char(',') && self.is_ident(0) && self.op(1) == ":" {
                params.push(self.kind_param()?);
            }
        }
        self.eat_char(',');
        if params.is_empty() {
            return Err(self.expected_help("a parameter", "write `depFun((n: Nat) => e)`"));
        }
        if !self.eat_op("=>") && self.at_end() {
            return Err(self.expected("`=>` and the body"));
        }
        Ok(params)
    }
}

/// Nests one lambda for each run of parameters of one sort.
fn lambda(params: Vec<Either>, body: Expr, origin: Origin) -> Expr {
    let mut body = body;
    let (mut kinds, mut values) = (Vec::new(), Vec::new());
    for param in params.into_iter().rev() {
        match param {
            Either::Kinded(param) => {
                body = close(&mut kinds, &mut values, body, origin, true);
                kinds.push(param);
            }
            Either::Value(param) => {
                body = close(&mut kinds, &mut values, body, origin, false);
                values.push(param);
            }
        }
    }
    body = close(&mut kinds, &mut values, body, origin, true);
    close(&mut kinds, &mut values, body, origin, false)
}

/// Makes the lambda of the other sort than the parameter that comes, if one is open.
fn close(
    kinds: &mut Vec<KindParam>,
    values: &mut Vec<Param>,
    body: Expr,
    origin: Origin,
    kinded: bool,
) -> Expr {
    let kind = if kinded && !values.is_empty() {
        values.reverse();
        ExprKind::Lambda(std::mem::take(values), Box::new(body))
    } else if !kinded && !kinds.is_empty() {
        kinds.reverse();
        ExprKind::DepLambda(std::mem::take(kinds), Box::new(body))
    } else {
        return body;
    };
    Expr::new(kind, origin)
}
