//! Kernels, helpers and foreign functions. Whatever is wrong in a signature or a body, the function is in
//! the result, so that its Rust function can be declared.

use proc_macro2::Delimiter;

use super::item::Head;
use super::literal::unquote;
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostics::Diagnostic;
use crate::syntax::ast::{
    Expr, ExprKind, ExternFn, ExternPath, Ident, Kernel, Kind, KindParam, Notation, Param, Pattern,
    PatternKind, Scalar, Type, TypeKind, Visibility,
};

impl Parser {
    /// `fn name<kinds>(params) -> type where … { body }`
    pub(super) fn function(&mut self, head: Head) -> Parsed<Kernel> {
        self.bump();
        let name = self.name_of_own("the name of the function")?;
        let known = self.diagnostics.len();
        let kinds = self.kind_params();
        let mut params = self.signature_params();
        let mut result = self.result_type();
        if self.at_end() && self.diagnostics.len() > known {
            // It is being typed: what it gives comes later.
            result = result.or_else(|| Some(Type::error(self.here())));
        }
        let obligations = self.where_clause();
        if result.is_none() && self.op(0) == "->" {
            let start = self.mark();
            result = self.result_type();
            self.wrong(
                start,
                "the result type stands before `where`",
                "write `fn f(x: t) -> u where … { … }`",
            );
        }
        let origin = self.origin(head.start);
        let kernel = head.visibility != Visibility::Helper;
        if kernel {
            self.require_types(&mut params);
        }
        let body = self.function_body(kernel);
        Ok(Kernel {
            docs: head.docs,
            attributes: head.attributes,
            visibility: head.visibility,
            name,
            kinds,
            params,
            result,
            obligations,
            body,
            notation: Notation::Rust,
            origin,
        })
    }

    /// `<n: Nat, t: Data>`, or nothing.
    fn kind_params(&mut self) -> Vec<KindParam> {
        let mut kinds = Vec::new();
        if !self.eat_char('<') {
            return kinds;
        }
        while !self.at_end() && !self.is_char(0, '>') && !self.is_open(0, Delimiter::Parenthesis) {
            match self.declared_kind() {
                Ok(param) => kinds.push(param),
                Err(Reported) => {
                    self.skip_until(|p| {
                        p.is_char(0, ',')
                            || p.is_char(0, '>')
                            || p.is_open(0, Delimiter::Parenthesis)
                            || p.at_item()
                    });
                }
            }
            if !self.eat_char(',') {
                break;
            }
        }
        self.close_kinds();
        kinds
    }

    fn close_kinds(&mut self) {
        if !self.eat_char('>') {
            self.expected("`,` or `>`");
            self.skip_until(|p| p.is_char(0, '>') || p.is_open(0, Delimiter::Parenthesis) || p.at_item());
            self.eat_char('>');
        }
    }

    /// `n: Nat`; a name alone counts as a natural after it was reported.
    fn declared_kind(&mut self) -> Parsed<KindParam> {
        let start = self.mark();
        if self.is_char(0, '\'') {
            self.bump();
            self.bump();
            return Err(self.wrong(
                start,
                "RISE has no lifetimes",
                "leave it out: the Rust function gets what it needs",
            ));
        }
        if self.eat_word("const") {
            let name = self.ident("a name")?;
            self.skip_until(|p| p.is_char(0, ',') || p.is_char(0, '>'));
            self.wrong(
                start,
                "sizes are no `const` parameters",
                &format!("write `{name}: Nat`: it need not be known when compiling"),
            );
            return Ok(KindParam { name, kind: Kind::Nat });
        }
        let name = self.ident("the name of a natural, data type or address space")?;
        let kind = if self.op(0) == ":" {
            self.bump();
            self.kind_of_param()
        } else {
            Err(self.expected_help(
                "`:` and a kind",
                &format!("write `{name}: Nat`, or `{name}: Data` for a type"),
            ))
        };
        // It may be a type.
        self.incomplete |= kind.is_err();
        Ok(KindParam { name, kind: kind.unwrap_or(Kind::Nat) })
    }

    /// The `(params)` of a signature.
    fn signature_params(&mut self) -> Vec<Param> {
        if self.is_open(0, Delimiter::Parenthesis) {
            return self.value_params();
        }
        let help = "write `fn f<n: Nat>(x: [f32; n])`";
        self.expected_help("`(` and the parameters", help);
        // Sizes may stand in what is passed.
        self.incomplete = true;
        self.skip_until(|p| {
            p.is_open(0, Delimiter::Parenthesis)
                || p.is_open(0, Delimiter::Brace)
                || p.op(0) == "->"
                || p.at_item()
        });
        if self.is_open(0, Delimiter::Parenthesis) { self.value_params() } else { Vec::new() }
    }

    /// `(x: t, (y, z): (u, v))`
    pub(super) fn value_params(&mut self) -> Vec<Param> {
        let params = self.inside(|p| {
            p.comma_list(Self::value_param, |origin| Param {
                pattern: Pattern { kind: PatternKind::Error, origin },
                ty: Some(Type::error(origin)),
            })
        });
        self.incomplete |= params.iter().any(|param| param.pattern.kind == PatternKind::Error);
        params
    }

    fn value_param(&mut self) -> Parsed<Param> {
        let start = self.mark();
        if self.is_word(0, "self") {
            self.bump();
            return Err(self.wrong(
                start,
                "RISE has no `self`",
                "name the parameter and give its type: `x: [f32; n]`",
            ));
        }
        if let (Some(scalar), true) = (Scalar::from_name(self.text(0)), self.is_ident(1)) {
            return self.type_first(scalar);
        }
        let pattern = self.pattern()?;
        if !self.eat_op(":") {
            if self.at_end() || self.is_char(0, ',') {
                return Ok(Param { pattern, ty: None });
            }
            self.expected_help("`:` and a type", &format!("write `{pattern}: [f32; n]`"));
            let start = self.mark();
            self.skip_until(|p| p.is_char(0, ','));
            return Ok(Param { pattern, ty: Some(Type::error(self.origin(start))) });
        }
        let start = self.mark();
        if self.eat_word("usize") {
            let help = format!("a size is declared behind the function's name: `<{pattern}: Nat>`");
            self.wrong(start, "RISE has no type `usize`", &help);
            return Ok(Param { pattern, ty: Some(Type::error(self.origin(start))) });
        }
        let ty = self.ty().unwrap_or_else(|Reported| {
            self.skip_until(|p| p.is_char(0, ','));
            Type::error(self.origin(start))
        });
        if self.op(0) == "=" {
            self.expected_help("`,`", "parameters have no defaults: each call gives all arguments");
            self.skip_until(|p| p.is_char(0, ','));
        }
        Ok(Param { pattern, ty: Some(ty) })
    }

    /// `f32 x`, which other languages write. It is told of once, and read as it is meant.
    fn type_first(&mut self, scalar: Scalar) -> Parsed<Param> {
        let start = self.mark();
        self.bump();
        let ty = Type::new(TypeKind::Scalar(scalar), self.origin(start));
        let pattern = self.pattern()?;
        let help = format!("write `{pattern}: {scalar}`");
        self.wrong(start, "the type of a parameter stands behind its name", &help);
        Ok(Param { pattern, ty: Some(ty) })
    }

    /// The parameters of kernels and foreign functions have types.
    fn require_types(&mut self, params: &mut [Param]) {
        for param in params.iter_mut().filter(|param| param.ty.is_none()) {
            let origin = param.pattern.origin;
            let message = format!("the parameter `{}` has no type", param.pattern);
            let help = format!("for example `{}: [f32; n]`", param.pattern);
            self.report(Diagnostic::error(origin, message).help(help));
            param.ty = Some(Type::error(origin));
        }
    }

    /// `-> type`, or nothing.
    fn result_type(&mut self) -> Option<Type> {
        if self.op(0) != "->" {
            if self.op(0) == ":" || self.op(0) == "=>" {
                self.expected_help("`->` and the result type", "write `fn f(x: f32) -> f32 { … }`");
                self.bump();
                self.eat_char('>');
            } else {
                return None;
            }
        }
        self.eat_op("->");
        let start = self.mark();
        let read = self.ty().and_then(|ty| match self.is_char(0, ',') {
            true => {
                Err(self.wrong(start, "a function gives one value", "several are a tuple: `-> (f32, f32)`"))
            }
            false => Ok(ty),
        });
        Some(read.unwrap_or_else(|Reported| {
            self.skip_until(Self::signature_ends);
            Type::error(self.origin(start))
        }))
    }

    fn signature_ends(&self) -> bool {
        self.is_open(0, Delimiter::Brace)
            || self.is_word(0, "where")
            || self.is_char(0, ';')
            || self.at_item()
    }

    fn where_clause(&mut self) -> Vec<crate::syntax::ast::Obligation> {
        if !self.eat_word("where") {
            return Vec::new();
        }
        self.obligations(|p| {
            p.is_open(0, Delimiter::Brace) || p.is_char(0, ';') || p.op(0) == "->" || p.at_item()
        })
    }

    fn function_body(&mut self, kernel: bool) -> Expr {
        let what = if kernel { "the kernel's body" } else { "the helper's body" };
        if !self.is_open(0, Delimiter::Brace) {
            let help = match self.op(0) {
                "=" => "write `fn f(x: f32) -> f32 { e }`",
                _ if self.is_ident(0) => {
                    "a condition stands in a `where` clause, `where n >= 3`, and the body in braces"
                }
                _ => "the body stands in braces: `{ x |> map(f) }`",
            };
            self.expected_help(&format!("`{{` and {what}"), help);
            self.skip_until(|p| p.is_open(0, Delimiter::Brace) || p.is_char(0, ';') || p.at_item());
            if !self.is_open(0, Delimiter::Brace) {
                let origin = self.here();
                self.eat_char(';');
                return Expr::error(origin);
            }
        }
        let start = self.mark();
        match self.inside(Self::block) {
            Ok(block) if block.lets.is_empty() => *block.value,
            Ok(block) => Expr::new(ExprKind::Block(block), self.origin(start)),
            Err(Reported) => Expr::error(self.origin(start)),
        }
    }

    /// `extern fn name(params) -> type = path;`
    pub(super) fn extern_function(&mut self, head: Head) -> Parsed<ExternFn> {
        self.bump();
        if unquote(self.text(0)).is_some() {
            let start = self.mark();
            self.bump();
            self.wrong(
                start,
                "an `extern fn` of RISE names no calling convention",
                "write `extern fn name(x: f32) -> f32 = symbol;`",
            );
            if self.is_open(0, Delimiter::Brace) {
                return Err(Reported);
            }
        }
        if !self.is_word(0, "fn") {
            return Err(self.expected_help("`fn`", "write `extern fn name(x: f32) -> f32 = path;`"));
        }
        self.bump();
        let name = self.ident("the name of the function")?;
        let kinds = self.kind_params();
        let mut params = self.signature_params();
        self.require_types(&mut params);
        let result = self.result_type();
        let obligations = if self.eat_word("where") {
            self.obligations(|p| p.op(0) == "=" || p.is_char(0, ';') || p.at_item())
        } else {
            Vec::new()
        };
        let origin = self.origin(head.start);
        let result = result.unwrap_or_else(|| {
            self.expected("`->` and the result type");
            Type::error(origin)
        });
        let path = self.extern_path(&name);
        self.semicolon("`extern fn`");
        Ok(ExternFn {
            docs: head.docs,
            attributes: head.attributes,
            name,
            kinds,
            params,
            result,
            obligations,
            path,
            origin,
        })
    }

    /// `= path`, `= "symbol"`, or both with a comma; the function's own name without.
    fn extern_path(&mut self, name: &Ident) -> ExternPath {
        let own = || {
            let text = Some(name.text.to_string());
            ExternPath { rust: text.clone(), c: text, segments: vec![name.origin] }
        };
        if !self.eat_op("=") {
            return own();
        }
        let (mut rust, mut segments) = (None, Vec::new());
        if unquote(self.text(0)).is_none() {
            let Some((path, places)) = self.rust_path() else { return own() };
            if !self.eat_char(',') {
                let c = (!path.contains("::")).then(|| path.clone());
                return ExternPath { rust: Some(path), c, segments: places };
            }
            (rust, segments) = (Some(path), places);
        }
        let c = unquote(self.text(0));
        if c.is_some() {
            self.bump();
        } else {
            self.expected("a symbol of C in quotes");
        }
        ExternPath { rust, c, segments }
    }

    /// A path, and where its segments stand.
    fn rust_path(&mut self) -> Option<(String, Vec<crate::diagnostics::Origin>)> {
        let mut text = String::from(if self.eat_op("::") { "::" } else { "" });
        let mut places = Vec::new();
        while let Ok(segment) = self.ident("a path, such as `f32::hypot` or `cblas_sdot`") {
            text.push_str(segment.as_str());
            places.push(segment.origin);
            if !self.eat_op("::") {
                return Some((text, places));
            }
            text.push_str("::");
        }
        None
    }

    /// `<n: Nat, f: s -> t>` of a rule: what is about sizes and types, and what is about values.
    pub(super) fn rule_params(&mut self) -> (Vec<KindParam>, Vec<Param>) {
        let (mut kinds, mut params) = (Vec::new(), Vec::new());
        if !self.eat_char('<') {
            return (kinds, params);
        }
        while !self.at_end() && !self.is_char(0, '>') {
            let read = if self.is_ident(0) && self.op(1) == ":" && !self.at_kind(2) {
                self.value_param().map(|param| params.push(param))
            } else {
                self.declared_kind().map(|param| kinds.push(param))
            };
            if read.is_err() {
                self.skip_until(|p| {
                    p.is_char(0, ',') || p.is_char(0, '>') || p.op(0) == ":" || p.is_char(0, ';')
                });
            }
            if !self.eat_char(',') {
                break;
            }
        }
        if !self.eat_char('>') {
            self.expected("`,` or `>`");
            self.skip_until(|p| p.is_char(0, '>') || p.op(0) == ":" || p.is_char(0, ';') || p.at_item());
            self.eat_char('>');
        }
        (kinds, params)
    }
}
