//! Arguments of strategies, and options of targets.
//!
//! Whether an argument is a natural, a strategy or an expression is for the elaborator to say. Here only its
//! shape counts: an operator of strategies in it makes it a strategy, one of expressions an expression, and a
//! name or a call of names stays a strategy, which can be read as an expression later.

use proc_macro2::Delimiter;

use super::literal::unquote;
use super::parser::{Parsed, Parser};
use crate::syntax::ast::{Arg, ArgValue, Strategy};
use crate::syntax::token::TokenKind;

/// What an argument looks like.
enum Shape {
    Strategy,
    Expr,
}

impl Parser {
    /// The arguments in the parentheses that open here.
    pub(super) fn strategy_args(&mut self) -> Vec<Arg> {
        self.inside(|p| p.comma_list(Self::strategy_arg, broken_arg))
    }

    /// `tail = peel`, `32`, `'rows`, `['a, 'b]`, a strategy or an expression.
    pub(super) fn strategy_arg(&mut self) -> Parsed<Arg> {
        self.deeper(|p| {
            let start = p.mark();
            let mut name = None;
            if p.is_ident(0) && p.op(1) == "=" {
                name = Some(p.ident("an option")?);
                p.eat_op("=");
            }
            if p.is_ident(0) && p.op(1) == ":" {
                p.bump();
                return Err(p.expected_help("`=`", "an option is written `tail = peel`"));
            }
            let value = p.arg_value()?;
            Ok(Arg { name, value, origin: p.origin(start) })
        })
    }

    fn arg_value(&mut self) -> Parsed<ArgValue> {
        if let Some(text) = unquote(self.text(0)) {
            self.bump();
            return Ok(ArgValue::Text(text));
        }
        if self.is_char(0, '\'') && !self.labels_expression() {
            return Ok(ArgValue::Labels(self.label_path()?));
        }
        let behind = self.behind_group(0);
        let alone = matches!(self.kind(behind), TokenKind::End) || self.is_char(behind, ',');
        if self.is_open(0, Delimiter::Bracket) && alone && !self.repeats() {
            return Ok(ArgValue::List(self.inside(|p| p.comma_list(Self::strategy_arg, broken_arg))));
        }
        match self.shape(0, usize::MAX) {
            Shape::Strategy => Ok(ArgValue::Strategy(self.strategy()?)),
            Shape::Expr => Ok(ArgValue::Expr(self.expr()?)),
        }
    }

    /// Whether the label that stands here names an expression: `'k: reduce(f, z)`.
    fn labels_expression(&self) -> bool {
        let mut ahead = 2;
        while self.op(ahead) == "." && self.is_ident(ahead + 1) {
            ahead += 2;
        }
        self.op(ahead) == ":"
    }

    /// Whether the bracket that opens here is `[e; n]` and no list of strategies.
    fn repeats(&self) -> bool {
        let behind = self.behind_group(0);
        let mut ahead = 1;
        while ahead + 1 < behind {
            if self.is_char(ahead, ';') {
                let one = self.is_char(1, '|') || !self.tuple_at(0);
                return one && matches!(self.shape(1, ahead), Shape::Expr);
            }
            ahead = self.behind_group(ahead);
        }
        false
    }

    /// What stands from `ahead` to the next comma, or to `stop`.
    fn shape(&self, ahead: usize, stop: usize) -> Shape {
        let first_is_word = self.is_ident(ahead);
        let first_is_group = self.is_open(ahead, Delimiter::Parenthesis);
        let keyword = ["if", "fun", "depFun", "true", "false"].contains(&self.text(ahead));
        if !(first_is_word || first_is_group) || keyword {
            return Shape::Expr;
        }
        let mut at = ahead;
        while at < stop && self.kind(at) != TokenKind::End && !self.is_char(at, ',') {
            match self.op(at) {
                ";" | "@" | "<+" | "~@~" | "~;~" => return Shape::Strategy,
                "" if self.is_open(at, Delimiter::Bracket) || self.is_word(at, "as") => return Shape::Expr,
                "" => at = self.behind_group(at),
                _ => return Shape::Expr,
            }
        }
        if !first_is_group {
            return Shape::Strategy;
        }
        if self.behind_group(ahead) < at || self.tuple_at(ahead) {
            return Shape::Expr;
        }
        self.shape(ahead + 1, at.saturating_sub(1))
    }

    /// Whether the group that opens there has a comma of its own, or is empty.
    pub(super) fn tuple_at(&self, ahead: usize) -> bool {
        let behind = self.behind_group(ahead);
        let mut at = ahead + 1;
        while at + 1 < behind {
            if self.is_char(at, ',') {
                return true;
            }
            at = self.behind_group(at);
        }
        behind == ahead + 2
    }
}

fn broken_arg(origin: crate::diagnostics::Origin) -> Arg {
    Arg { name: None, value: ArgValue::Strategy(Strategy::error(origin)), origin }
}
