//! Expressions and patterns.

use super::Printer;
use crate::syntax::ast::{
    BinaryOp, Block, Expr, ExprKind, Literal, LiteralValue, Param, Pattern, PatternKind, Scalar, Type,
    TypeKind,
};

/// How tightly forms bind; those of binary operators lie between.
const OPEN: u8 = 0;
const PIPE: u8 = 1;
const COMPOSE: u8 = 2;
const CAST: u8 = 11;
const UNARY: u8 = 12;
const POSTFIX: u8 = 13;

fn level(kind: &ExprKind) -> u8 {
    match kind {
        ExprKind::Lambda(..) | ExprKind::DepLambda(..) => OPEN,
        ExprKind::Pipe(..) => PIPE,
        ExprKind::Compose(..) => COMPOSE,
        ExprKind::Binary(op, ..) => op.precedence(),
        ExprKind::Cast(..) => CAST,
        ExprKind::Unary(..) | ExprKind::Label(..) => UNARY,
        _ => POSTFIX,
    }
}

impl Printer {
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.expr_above(expr, OPEN);
    }

    /// In parentheses if it binds less tightly than `least`; and where the user grouped operators, which
    /// bind otherwise if they turn out to be a natural's.
    fn expr_above(&mut self, expr: &Expr, least: u8) {
        let kept = expr.parens && matches!(expr.kind, ExprKind::Binary(..));
        self.grouped(kept || level(&expr.kind) < least, |p| p.expr_kind(&expr.kind));
    }

    fn expr_kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Name(name) => self.word(name.as_str()),
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Array(parts) => self.bracketed("[", parts, "]"),
            ExprKind::Repeat(value, length) => {
                self.word("[");
                self.expr(value);
                self.word("; ");
                self.nat(length);
                self.word("]");
            }
            ExprKind::Tuple(parts) => self.bracketed("(", parts, ")"),
            ExprKind::Lambda(params, body) => {
                self.word("|");
                self.list(params, Self::param);
                self.word("| ");
                self.expr(body);
            }
            ExprKind::DepLambda(params, body) => {
                self.word("|");
                self.list(params, Self::kind_param);
                self.word("| ");
                self.expr(body);
            }
            ExprKind::Call(func, args) => {
                self.expr_above(func, POSTFIX);
                self.bracketed("(", args, ")");
            }
            ExprKind::Instantiate(func, args) => {
                self.expr_above(func, POSTFIX);
                self.word("::<");
                self.list(args, Self::kind_arg);
                self.word(">");
            }
            ExprKind::Pipe(value, func) => self.infix(value, PIPE, "|>", func, COMPOSE),
            ExprKind::Compose(first, second) => self.infix(first, COMPOSE, ">>", second, COMPOSE + 1),
            ExprKind::Block(block) => self.block(block),
            ExprKind::If(condition, then, otherwise) => {
                self.word("if ");
                self.expr(condition);
                self.word(" ");
                self.branch(then);
                self.word(" else ");
                self.branch(otherwise);
            }
            ExprKind::Field(value, index) => {
                let literal = matches!(value.kind, ExprKind::Literal(_));
                self.grouped(literal, |p| p.expr_above(value, POSTFIX));
                self.word(&format!(".{index}"));
            }
            ExprKind::Member(value, name, args) => {
                self.expr_above(value, POSTFIX);
                self.word(&format!(".{name}"));
                if let Some(args) = args {
                    self.bracketed("(", args, ")");
                }
            }
            ExprKind::Index(array, index) => {
                self.expr_above(array, POSTFIX);
                self.word("[");
                self.expr(index);
                self.word("]");
            }
            ExprKind::Cast(value, ty) => {
                self.expr_above(value, CAST);
                self.word(" as ");
                self.data_type(ty);
            }
            ExprKind::Label(label, value) => {
                self.word(&format!("{label}: "));
                self.expr_above(
                    value,
                    if matches!(value.kind, ExprKind::Label(..)) { UNARY } else { POSTFIX },
                );
            }
            ExprKind::Unary(op, value) => {
                self.word(op.symbol());
                self.expr_above(value, UNARY);
            }
            ExprKind::Binary(op, _, left, right) => self.binary(*op, left, right),
            ExprKind::Type(ty) => self.type_argument(ty),
            ExprKind::Error => self.word("<error>"),
        }
    }

    fn bracketed(&mut self, open: &str, parts: &[Expr], close: &str) {
        self.word(open);
        self.list(parts, Self::expr);
        self.word(close);
    }

    fn infix(&mut self, left: &Expr, left_level: u8, op: &str, right: &Expr, right_level: u8) {
        self.expr_above(left, left_level);
        self.word(&format!(" {op} "));
        self.expr_above(right, right_level);
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let level = op.precedence();
        let left_level = if op.is_comparison() { level + 1 } else { level };
        self.infix(left, left_level, op.symbol(), right, level + 1);
    }

    fn block(&mut self, block: &Block) {
        self.word("{ ");
        for binding in &block.lets {
            self.word("let ");
            self.pattern(&binding.pattern);
            if let Some(ty) = &binding.ty {
                self.word(": ");
                self.ty(ty);
            }
            self.word(" = ");
            self.expr(&binding.value);
            self.word("; ");
        }
        self.expr(&block.value);
        self.word(" }");
    }

    /// The value in braces, which a block brings itself.
    pub(super) fn branch(&mut self, value: &Expr) {
        if let ExprKind::Block(block) = &value.kind {
            return self.block(block);
        }
        self.word("{ ");
        self.expr(value);
        self.word(" }");
    }

    /// A type where an expression stands: only the papers' forms are read as one.
    fn type_argument(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Array(element, length) => {
                self.word("Array[");
                self.nat(length);
                self.word(", ");
                self.ty(element);
                self.word("]");
            }
            TypeKind::Tuple(parts) => {
                self.word("Tuple[");
                self.list(parts, Self::ty);
                self.word("]");
            }
            _ => self.ty(ty),
        }
    }

    fn literal(&mut self, literal: &Literal) {
        let suffix = literal.suffix.map_or("", Scalar::name);
        match &literal.value {
            LiteralValue::Bool(value) => self.word(if *value { "true" } else { "false" }),
            LiteralValue::Int(value) => self.word(&format!("{value}{suffix}")),
            LiteralValue::Float(digits) => match &**digits {
                "inf" => self.word(&format!("{suffix}::INFINITY")),
                "nan" => self.word(&format!("{suffix}::NAN")),
                digits => self.word(&format!("{digits}{suffix}")),
            },
        }
    }

    pub(super) fn param(&mut self, param: &Param) {
        self.pattern(&param.pattern);
        if let Some(ty) = &param.ty {
            self.word(": ");
            self.ty(ty);
        }
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Name(name) => self.word(name.as_str()),
            PatternKind::Wild => self.word("_"),
            PatternKind::Tuple(parts) => {
                self.word("(");
                self.list(parts, Self::pattern);
                self.word(")");
            }
            PatternKind::Error => self.word("<error>"),
        }
    }
}
