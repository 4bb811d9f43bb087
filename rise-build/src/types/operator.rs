//! Literals, operators and scalar functions.
//!
//! Operators work on scalars, vectors and naturals; which is meant is known when the operands are, because
//! functions are elaborated where they are applied.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Origin};
use crate::expr::{Binary, Compare, Primitive, Unary};
use crate::syntax::ast::{self, BinaryOp, ExprKind, LiteralValue, UnaryOp};

use super::Scalar;
use super::access::signs;
use super::advice;
use super::elaborate::Infer;
use super::natural::{NEGATIVE, of_literals};
use super::term::{Number, TArg, TPrim, Term, TermKind};
use super::ty::{Class, Ty};
use super::value::{Argument, Env, Operator};

/// An operand whose type is to be checked when it is known.
#[derive(Clone)]
pub(super) struct OperandCheck<'a> {
    pub(super) op: Operator,
    pub(super) symbol: Arc<str>,
    pub(super) ty: Ty,
    pub(super) origin: Origin,
    /// The helper of the prelude that the operator stands in.
    pub(super) site: Option<(Origin, &'a str)>,
}

impl<'a> Infer<'a> {
    /// A literal; without suffix its type is open.
    pub(super) fn literal(&mut self, literal: &ast::Literal, origin: Origin) -> Term {
        let suffix = literal.suffix.map(Ty::Scalar);
        let (number, class) = match &literal.value {
            LiteralValue::Bool(value) => {
                return Term::new(TermKind::Literal(Number::Bool(*value)), Ty::BOOL, origin);
            }
            LiteralValue::Int(value) => (Number::Int(false, *value), Class::Integer),
            LiteralValue::Float(digits) => (Number::Float(false, digits.clone()), Class::Float),
        };
        let ty = suffix.unwrap_or_else(|| self.solver.fresh(class));
        Term::new(TermKind::Literal(number), ty, origin)
    }

    pub(super) fn unary_ast(
        &mut self,
        op: UnaryOp,
        operand: &'a ast::Expr,
        env: &Env<'a>,
        want: Option<&Ty>,
        origin: Origin,
    ) -> Term {
        let term = self.data(operand, env, want);
        if op == UnaryOp::Neg {
            // A sign belongs to its literal: `-128i8` is in range.
            let number = match term.kind() {
                TermKind::Literal(Number::Int(sign, value)) => Some(Number::Int(!sign, *value)),
                TermKind::Literal(Number::Float(sign, digits)) => Some(Number::Float(!sign, digits.clone())),
                _ => None,
            };
            if let Some(number) = number {
                return Term::new(TermKind::Literal(number), term.ty().clone(), origin);
            }
        }
        let (op, symbol) = match op {
            UnaryOp::Neg => (Unary::Neg, "-"),
            UnaryOp::Not => (Unary::Not, "!"),
        };
        self.unary(op, symbol, term, origin)
    }

    fn unary(&mut self, op: Unary, symbol: &str, term: Term, origin: Origin) -> Term {
        let ty = self.solver.shallow(term.ty());
        if matches!(ty, Ty::Nat | Ty::Idx(_)) {
            let message = format!("`{symbol}` does not take naturals");
            return self.wrong(Diagnostic::error(origin, message).help("convert with `as i32` or `as f32`"));
        }
        if !self.check_operand(Operator::Unary(op), symbol, &ty, origin) {
            return Term::error(origin);
        }
        Term::prim(Primitive::Unary(op), vec![term], ty, origin)
    }

    pub(super) fn binary_ast(&mut self, expr: &'a ast::Expr, env: &Env<'a>, want: Option<&Ty>) -> Term {
        let ExprKind::Binary(op, at, left, right) = &expr.kind else { return Term::error(expr.origin) };
        let origin = self.place(expr.origin);
        if let Some(power) = self.power(expr, env) {
            return power;
        }
        let want = if op.is_comparison() { None } else { want };
        let want = want.filter(|want| !matches!(self.solver.shallow(want), Ty::Idx(_) | Ty::Nat)).cloned();
        let a = self.operand_data(*op, left, env, want.as_ref());
        // Of a chain the first mistake is told.
        if *op == BinaryOp::BitOr && a.ty().is_error() {
            return Term::error(origin);
        }
        let b = self.operand_data(*op, right, env, want.as_ref());
        let at = self.place(*at);
        match binary_of(*op) {
            Operator::Compare(op) => self.compare(op, a, b, at, origin),
            Operator::Binary(binary) => {
                let logical = matches!(op, BinaryOp::And | BinaryOp::Or);
                let (a, b) = if logical { (self.boolean(a, at), self.boolean(b, at)) } else { (a, b) };
                self.binary(binary, op.symbol(), a, b, at, origin)
            }
            _ => Term::error(origin),
        }
    }

    /// `&&` and `||` take booleans alone.
    fn boolean(&mut self, term: Term, at: Origin) -> Term {
        match self.solver.shallow(term.ty()) {
            Ty::Error => term,
            Ty::Scalar(Scalar::Bool) => term,
            Ty::Vector(element, _) if matches!(*element, Ty::Scalar(Scalar::Bool)) => term,
            found => {
                let found = self.shown(&found);
                self.wrong(Diagnostic::error(at, format!("expected `bool`, found {found}")))
            }
        }
    }

    /// A chain of operators with `^` between naturals, read with the binding of naturals.
    fn power(&mut self, expr: &'a ast::Expr, env: &Env<'a>) -> Option<Term> {
        let nat = expr.to_nat().ok().filter(|_| has_power(expr) && self.all_naturals(expr, env))?;
        let nat = self.natural(&nat, env);
        if let ExprKind::Binary(BinaryOp::BitXor, at, _, exponent) = &expr.kind
            && is_bit(exponent)
        {
            let message = format!("`^` is power on naturals, and this one is {}", self.solver.nat(&nat));
            let help = "exclusive or is one of integers: `((i as u32) ^ 1) as Idx[n]`";
            return Some(self.wrong(Diagnostic::error(self.place(*at), message).help(help)));
        }
        let origin = self.place(expr.origin);
        if self.site.is_none() && is_of_numbers(expr) {
            self.powers_of_numbers.push(origin);
        }
        Some(Term::nat(nat, Ty::Nat, origin))
    }

    /// Whether the term is [a power of numbers](is_of_numbers).
    pub(super) fn is_power_of_numbers(&self, term: &Term) -> bool {
        self.powers_of_numbers.iter().any(|power| power.same(term.origin()))
    }

    fn all_naturals(&self, expr: &ast::Expr, env: &Env<'a>) -> bool {
        match &expr.kind {
            ExprKind::Literal(_) => true,
            ExprKind::Name(name) => match env.get(name.as_str()) {
                Some(super::value::Value::Data(term)) => {
                    matches!(self.solver.shallow(term.ty()), Ty::Nat | Ty::Idx(_))
                }
                _ => false,
            },
            ExprKind::Binary(_, _, a, b) => self.all_naturals(a, env) && self.all_naturals(b, env),
            ExprKind::Call(_, args) => args.iter().all(|arg| self.all_naturals(arg, env)),
            _ => false,
        }
    }

    /// A scalar function with all its arguments.
    pub(super) fn operator(&mut self, op: Operator, args: &[Argument<'a>], origin: Origin) -> Term {
        let origin = self.place(origin);
        let mut terms: Vec<Term> = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.argument(arg, None);
            terms.push(self.expect_data(value, arg.origin()));
        }
        match (op, terms.as_slice()) {
            (Operator::Unary(op), [x]) => self.unary(op, op.name(), x.clone(), origin),
            (Operator::Binary(op), [a, b]) => {
                self.binary(op, op.name(), a.clone(), b.clone(), origin, origin)
            }
            (Operator::Compare(op), [a, b]) => self.compare(op, a.clone(), b.clone(), origin, origin),
            (Operator::Select, [c, a, b]) => self.select(c.clone(), a.clone(), b.clone(), origin),
            (Operator::MulAdd, [a, b, c]) => self.fused(Primitive::MulAdd, op, [a, b, c], origin),
            (Operator::Fma, [a, b, c]) => self.fused(Primitive::Fma, op, [a, b, c], origin),
            _ => Term::error(origin),
        }
    }

    fn fused(&mut self, primitive: Primitive, op: Operator, terms: [&Term; 3], origin: Origin) -> Term {
        let [a, b, c] = terms.map(Term::clone);
        let Some((a, b)) = self.same_operands(op.name(), a, b, origin) else { return Term::error(origin) };
        let Some((c, a)) = self.same_operands(op.name(), c, a, origin) else { return Term::error(origin) };
        let ty = self.solver.shallow(a.ty());
        if !self.check_operand(op, op.name(), &ty, origin) {
            return Term::error(origin);
        }
        Term::prim(primitive, vec![a, b, c], ty, origin)
    }

    /// `a ∘ b`; `at` is the operator, `origin` the whole.
    pub(super) fn binary(
        &mut self,
        op: Binary,
        symbol: &str,
        a: Term,
        b: Term,
        at: Origin,
        origin: Origin,
    ) -> Term {
        if self.are_naturals(&a, &b) {
            return self.nat_binary(op, symbol, &a, &b, at, origin);
        }
        let Some((a, b)) = self.same_operands(symbol, a, b, at) else { return Term::error(origin) };
        let ty = self.solver.shallow(a.ty());
        let term = Term::prim(Primitive::Binary(op), vec![a, b], ty.clone(), origin);
        if of_literals(&term).is_some() || self.check_operand(Operator::Binary(op), symbol, &ty, at) {
            term
        } else {
            Term::error(origin)
        }
    }

    /// Whether an operator works on naturals here: one operand is a natural, the other one or a literal.
    fn are_naturals(&self, a: &Term, b: &Term) -> bool {
        let (s, t) = (self.solver.shallow(a.ty()), self.solver.shallow(b.ty()));
        let natural = |ty: &Ty| matches!(ty, Ty::Nat | Ty::Idx(_));
        let literal = |ty: &Ty| self.solver.class(ty) == Some(Class::Integer);
        (natural(&s) && (natural(&t) || literal(&t))) || (literal(&s) && natural(&t))
    }

    fn nat_binary(
        &mut self,
        op: Binary,
        symbol: &str,
        a: &Term,
        b: &Term,
        at: Origin,
        origin: Origin,
    ) -> Term {
        let (Some(a), Some(b)) = (self.as_natural(a), self.as_natural(b)) else {
            return self.wrong(self.no_naturals(symbol, [a, b], at));
        };
        let Some(nat) = op.of_naturals(&a, &b) else {
            let message = format!("`{symbol}` does not take naturals");
            return self.wrong(Diagnostic::error(at, message).help("convert with `as u32`"));
        };
        Term::nat(nat, Ty::Nat, origin)
    }

    /// Of a natural and something else, which is a literal below 0, or a number that is computed.
    fn no_naturals(&self, symbol: &str, operands: [&Term; 2], at: Origin) -> Diagnostic {
        if operands.iter().any(|term| is_made_of_literals(term)) {
            return Diagnostic::error(at, NEGATIVE);
        }
        let [a, b] = operands.map(|term| self.shown(&self.solver.shallow(term.ty())));
        let message = format!("`{symbol}` needs operands of one type, found {a} and {b}");
        Diagnostic::error(at, message).help("a natural is converted by `as i32`")
    }

    fn compare(&mut self, op: Compare, a: Term, b: Term, at: Origin, origin: Origin) -> Term {
        if self.are_naturals(&a, &b) {
            let (Some(a), Some(b)) = (self.as_natural(&a), self.as_natural(&b)) else {
                return self.wrong(self.no_naturals(op.symbol(), [&a, &b], at));
            };
            // `i - 1 < n` is `i < n + 1`: what is compared is never negative.
            let difference = a - b;
            let (negative, positive) = signs(&difference);
            let terms = [positive, negative].map(|nat| Term::nat(nat, Ty::Nat, origin)).to_vec();
            return Term::prim(Primitive::Compare(op), terms, Ty::BOOL, origin);
        }
        let symbol = op.symbol();
        let Some((a, b)) = self.same_operands(symbol, a, b, at) else { return Term::error(origin) };
        let ty = self.solver.shallow(a.ty());
        if !self.check_operand(Operator::Compare(op), symbol, &ty, at) {
            return Term::error(origin);
        }
        let result = match ty {
            Ty::Vector(_, lanes) => Ty::Vector(Ty::BOOL.into(), lanes),
            _ => Ty::BOOL,
        };
        Term::prim(Primitive::Compare(op), vec![a, b], result, origin)
    }

    /// Both operands with one type; reports if they have none.
    fn same_operands(&mut self, symbol: &str, a: Term, b: Term, at: Origin) -> Option<(Term, Term)> {
        let (s, t) = (self.solver.shallow(a.ty()), self.solver.shallow(b.ty()));
        if s.is_error() || t.is_error() {
            return None;
        }
        for ty in [&s, &t] {
            if matches!(ty, Ty::Array(..) | Ty::DepArray(..) | Ty::Tuple(_)) {
                let arity = Operator::from_name(symbol).map_or(2, Operator::arity);
                self.array_operand(symbol, arity, ty, at);
                return None;
            }
        }
        match (&s, &t) {
            (Ty::Vector(element, lanes), _) if self.is_literal(&t) => {
                let why = self.why(at, symbol);
                let b = self.coerce(b, element, at, &why);
                let b = Self::broadcast(b, lanes.clone());
                return Some((a, b));
            }
            (_, Ty::Vector(element, lanes)) if self.is_literal(&s) => {
                let why = self.why(at, symbol);
                let a = self.coerce(a, element, at, &why);
                let a = Self::broadcast(a, lanes.clone());
                return Some((a, b));
            }
            _ => {}
        }
        let why = self.why(at, symbol);
        if self.solver.unify(&s, &t, &why).is_ok() {
            return Some((a, b));
        }
        let (found, other) = (self.shown(&s), self.shown(&t));
        let who = self.subject(symbol);
        let message = format!("`{who}` needs operands of one type, found {found} and {other}");
        let diagnostic = Diagnostic::error(at, message);
        let diagnostic = match (&s, &t) {
            (Ty::Nat, Ty::Scalar(scalar)) | (Ty::Scalar(scalar), Ty::Nat)
                if scalar.is_integer() && [&a, &b].iter().any(|term| self.is_power_of_numbers(term)) =>
            {
                diagnostic.help(WHICH)
            }
            (Ty::Nat | Ty::Idx(_), Ty::Scalar(scalar)) | (Ty::Scalar(scalar), Ty::Nat | Ty::Idx(_)) => {
                diagnostic.help(format!("a natural is converted by `as {scalar}`"))
            }
            (Ty::Scalar(Scalar::Bool), Ty::Scalar(number))
            | (Ty::Scalar(number), Ty::Scalar(Scalar::Bool)) => {
                diagnostic.help(format!("`c as {number}` is 1 where `c` is true, and 0 elsewhere"))
            }
            (Ty::Vector(_, lanes), Ty::Scalar(_)) | (Ty::Scalar(_), Ty::Vector(_, lanes)) => {
                diagnostic.help(format!("`vectorFromScalar({lanes})` puts a scalar into all lanes"))
            }
            (Ty::Scalar(from), Ty::Scalar(to)) if *from != Scalar::Bool && *to != Scalar::Bool => {
                let narrow = advice::narrow_sum(&a, &s, &t).or_else(|| advice::narrow_sum(&b, &t, &s));
                diagnostic
                    .help(narrow.unwrap_or_else(|| format!("convert one of them: `as {from}` or `as {to}`")))
            }
            (Ty::Scalar(scalar), literal) | (literal, Ty::Scalar(scalar))
                if scalar.is_integer() && self.solver.class(literal) == Some(Class::Float) =>
            {
                let float = Ty::Scalar(Scalar::F32);
                let narrow =
                    advice::narrow_sum(&a, &s, &float).or_else(|| advice::narrow_sum(&b, &t, &float));
                diagnostic.help(narrow.unwrap_or_else(|| "convert the integer: `as f32`".to_owned()))
            }
            (Ty::Nat | Ty::Idx(_), literal) | (literal, Ty::Nat | Ty::Idx(_))
                if self.solver.class(literal) == Some(Class::Float) =>
            {
                diagnostic.help("a natural is converted by `as f32`")
            }
            _ => diagnostic,
        };
        self.report(diagnostic);
        None
    }

    fn array_operand(&mut self, symbol: &str, arity: usize, ty: &Ty, at: Origin) {
        let found = self.solver.full(ty);
        let who = self.subject(symbol);
        let diagnostic = Diagnostic::error(at, format!("`{who}` needs scalars, found `{found}`"));
        let of_numbers = self.calls.last().map(|(_, helper)| *helper).filter(|name| self.is_of_scalars(name));
        let help = match (found, self.site.map(|(_, helper)| helper).or(of_numbers)) {
            (Ty::Tuple(_), _) => "take the components: `p.0`, `p.1`".to_owned(),
            (_, Some(helper)) => advice::array_for_numbers(helper),
            (found, None) => advice::array_for_number(symbol, arity, &found),
        };
        self.report(diagnostic.help(help));
    }

    /// Whether the helper of that name does nothing but compute a scalar from scalars.
    fn is_of_scalars(&self, helper: &str) -> bool {
        let mut items = self.module.items.iter();
        items.any(|item| matches!(item, ast::Item::Kernel(item) if item.name.as_str() == helper && is_scalar(&item.body)))
    }

    /// Whether an operator takes a type, as far as the type is known; what is not known is checked later.
    fn check_operand(&mut self, op: Operator, symbol: &str, ty: &Ty, at: Origin) -> bool {
        let ty = self.solver.shallow(ty);
        let scalar = match &ty {
            Ty::Error => return false,
            Ty::Var(_) => {
                let symbol = Arc::from(symbol);
                self.operands.push(OperandCheck { op, symbol, ty, origin: at, site: self.site });
                return true;
            }
            Ty::Array(..) | Ty::DepArray(..) | Ty::Tuple(_) => {
                self.array_operand(symbol, op.arity(), &ty, at);
                return false;
            }
            Ty::Given(name, _) => {
                let who = self.subject(symbol);
                let message = format!("`{who}` needs scalars, found `{name}`, which is any type");
                let help = "say which: `x: f32`; or take the operation as a parameter: `f: t -> t -> t`";
                self.report(Diagnostic::error(at, message).help(help));
                return false;
            }
            Ty::Scalar(scalar) => *scalar,
            Ty::Vector(element, _) => match self.solver.shallow(element) {
                Ty::Scalar(scalar) => scalar,
                _ => return true,
            },
            Ty::Nat | Ty::Idx(_) => {
                let message = format!("`{}` does not take naturals here", self.subject(symbol));
                self.report(Diagnostic::error(at, message).help("convert with `as i32` or `as f32`"));
                return false;
            }
        };
        if accepts(op, scalar) {
            return true;
        }
        let takes: Vec<&str> =
            Scalar::ALL.iter().filter(|scalar| accepts(op, **scalar)).map(|scalar| scalar.name()).collect();
        let message = format!("`{}` does not take `{scalar}`", self.subject(symbol));
        let mut diagnostic = Diagnostic::error(at, message);
        if takes == ["f32", "f64"] && scalar != Scalar::Bool {
            diagnostic = diagnostic.help("it takes floats; convert with `as f32`");
        }
        if let (Some((_, helper)), Scalar::Bool) = (self.site, scalar) {
            diagnostic = diagnostic.help(advice::truth_values(helper));
        }
        if matches!(symbol, "&" | "|" | "shl" | "shr") && scalar.is_float() {
            diagnostic = diagnostic.help("bits are those of integers: convert with `as u32`");
        }
        if symbol == "!" && scalar.is_float() {
            diagnostic = diagnostic.help("it takes what is compared in parentheses: `!(x > 0.0)`");
        }
        if symbol == "^" && scalar.is_float() {
            diagnostic = diagnostic.help(
                "a power of floats is `pow(x, 2.0)`; `^` is one of sizes, and exclusive or of integers",
            );
        }
        self.report(diagnostic);
        false
    }

    /// Checks the operands whose types were not known when their operators were met.
    pub(super) fn check_operands(&mut self) {
        for check in std::mem::take(&mut self.operands) {
            if !matches!(self.solver.shallow(&check.ty), Ty::Var(_)) {
                self.site = check.site;
                self.check_operand(check.op, &check.symbol, &check.ty, check.origin);
            }
        }
        self.site = None;
    }
}

/// Whether it is an exponent that nobody writes: a bit is meant, that of an index beside another.
fn is_bit(exponent: &ast::Expr) -> bool {
    matches!(&exponent.kind, ExprKind::Literal(number) if matches!(number.value, LiteralValue::Int(0 | 1)))
}

/// Whether it is made of names and numbers by operators and scalar functions alone.
fn is_scalar(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Literal(_) => true,
        ExprKind::Unary(_, x) | ExprKind::Cast(x, _) => is_scalar(x),
        ExprKind::Binary(_, _, a, b) => is_scalar(a) && is_scalar(b),
        ExprKind::If(c, a, b) => [c, a, b].into_iter().all(|part| is_scalar(part)),
        ExprKind::Block(block) => {
            block.lets.iter().all(|binding| is_scalar(&binding.value)) && is_scalar(&block.value)
        }
        ExprKind::Call(function, args) => {
            let is_operator = matches!(&function.kind, ExprKind::Name(name) if Operator::from_name(name.as_str()).is_some());
            is_operator && args.iter().all(is_scalar)
        }
        _ => false,
    }
}

/// Either may be meant by `6 ^ 3`.
pub(super) const WHICH: &str =
    "`^` is power between sizes, and exclusive or between integers: `6u32 ^ 3`; or write the number itself";

/// Whether it is a chain of operators on nothing but numbers with `^` between some, which is a power of naturals where no
/// number says its type.
fn is_of_numbers(expr: &ast::Expr) -> bool {
    fn are_numbers(expr: &ast::Expr) -> bool {
        match &expr.kind {
            ExprKind::Literal(number) => matches!(number.value, LiteralValue::Int(_)),
            ExprKind::Binary(_, _, a, b) => are_numbers(a) && are_numbers(b),
            _ => false,
        }
    }
    has_power(expr) && are_numbers(expr)
}

fn has_power(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::BitXor, ..) => true,
        ExprKind::Binary(_, _, a, b) => (!a.parens && has_power(a)) || (!b.parens && has_power(b)),
        _ => false,
    }
}

fn binary_of(op: BinaryOp) -> Operator {
    match op {
        BinaryOp::Add => Operator::Binary(Binary::Add),
        BinaryOp::Sub => Operator::Binary(Binary::Sub),
        BinaryOp::Mul => Operator::Binary(Binary::Mul),
        BinaryOp::Div => Operator::Binary(Binary::Div),
        BinaryOp::Rem => Operator::Binary(Binary::Rem),
        BinaryOp::Eq => Operator::Compare(Compare::Eq),
        BinaryOp::Ne => Operator::Compare(Compare::Ne),
        BinaryOp::Lt => Operator::Compare(Compare::Lt),
        BinaryOp::Le => Operator::Compare(Compare::Le),
        BinaryOp::Gt => Operator::Compare(Compare::Gt),
        BinaryOp::Ge => Operator::Compare(Compare::Ge),
        BinaryOp::And | BinaryOp::BitAnd => Operator::Binary(Binary::And),
        BinaryOp::Or | BinaryOp::BitOr => Operator::Binary(Binary::Or),
        BinaryOp::BitXor => Operator::Binary(Binary::Xor),
    }
}

fn accepts(op: Operator, scalar: Scalar) -> bool {
    match op {
        Operator::Unary(op) => op.accepts(scalar),
        Operator::Binary(op) => op.accepts(scalar),
        Operator::Compare(op) => op.accepts(scalar),
        Operator::MulAdd => scalar != Scalar::Bool,
        Operator::Fma => scalar.is_float(),
        Operator::Select => true,
    }
}

/// Whether the term is a literal, or what operators make of some.
fn is_made_of_literals(term: &Term) -> bool {
    match term.kind() {
        TermKind::Literal(_) => true,
        TermKind::Prim(TPrim::Known(Primitive::Binary(_) | Primitive::Unary(_)), args) => {
            args.iter().all(|arg| matches!(arg, TArg::Expr(term) if is_made_of_literals(term)))
        }
        _ => false,
    }
}
