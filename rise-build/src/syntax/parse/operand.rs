//! What operators apply to: names, literals, groups, labels, blocks, `if`.

use std::sync::Arc;

use proc_macro2::Delimiter;

use super::parser::{Parsed, Parser, Reported};
use crate::syntax::ast::{
    Block, Expr, ExprKind, Ident, Label, LabelPath, Let, Literal, LiteralValue, Pattern, PatternKind, Scalar,
};
use crate::syntax::token::TokenKind;

/// What an operator is called as a function.
fn function(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "+" => "add",
        "-" => "sub",
        "*" => "mul",
        "/" => "div",
        "%" => "rem",
        "&" | "&&" => "and",
        "|" | "||" => "or",
        "^" => "xor",
        _ => return None,
    })
}

impl Parser {
    /// An operand without what may follow it.
    pub(super) fn operand(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        if self.is_open(0, Delimiter::Parenthesis) {
            return self.parenthesised();
        }
        if self.is_ident(0) {
            return self.word();
        }
        if self.op(0) == "|>" {
            let help = "a pipe stands between a value and a function: `x |> f`";
            return Err(self.expected_help("an expression", help));
        }
        let kind = if self.is_char(0, '\'') {
            self.labelled()?
        } else if self.is_char(0, '|') {
            return self.rust_lambda();
        } else if self.is_open(0, Delimiter::Bracket) {
            self.array_literal()?
        } else if self.is_open(0, Delimiter::Brace) {
            let block = self.inside(Self::block)?;
            return Ok(Expr { parens: true, ..self.plain(start, block) });
        } else if self.text(0).is_empty() {
            return Err(self.no_expression());
        } else {
            ExprKind::Literal(self.literal()?)
        };
        Ok(Expr::new(kind, self.origin(start)))
    }

    fn no_expression(&mut self) -> Reported {
        match (self.op(0), function(self.op(0))) {
            (".", _) => self.expected_help("an expression", "a number begins with a digit: `0.5`"),
            ("~", _) => self.expected_help("an expression", "all bits are flipped by `!x`"),
            (_, Some(function)) => {
                let help = format!("as a function the operator is called `{function}`: `reduce(add, 0.0)`");
                self.expected_help("an expression", &help)
            }
            _ => self.expected("an expression"),
        }
    }

    /// Where an operator stands alone, as an argument: says how it is called.
    pub(super) fn no_lone_operator(&mut self) -> Parsed<()> {
        let operator = self.op(0);
        let is_alone = self.is_char(operator.len(), ',') || self.kind(operator.len()) == TokenKind::End;
        match function(operator) {
            Some(_) if is_alone => Err(self.no_expression()),
            _ => Ok(()),
        }
    }

    fn word(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        let word = Arc::<str>::from(self.text(0));
        let group = self.is_open(1, Delimiter::Parenthesis);
        let kind = match &*word {
            "true" | "false" => {
                self.bump();
                ExprKind::Literal(Literal { value: LiteralValue::Bool(&*word == "true"), suffix: None })
            }
            "if" => self.conditional()?,
            "fun" if group => return self.papers_lambda(),
            "depFun" if group => return self.papers_dep_lambda(),
            "Array" | "Tuple" | "Idx" | "DepArray" if self.is_open(1, Delimiter::Bracket) => {
                return self.type_argument();
            }
            _ if self.op(1) == "::" && self.is_ident(3) && Scalar::from_name(&word).is_some() => {
                self.scalar_constant()?
            }
            "fun" | "lambda" | "fn" if self.is_ident(1) => {
                self.bump();
                let message = format!("RISE has no `{word}`");
                return Err(self.wrong(start, &message, "a function is written `|x| x + 1.0`"));
            }
            "as" => {
                let help = "a conversion stands behind a value: `map(|v| v as i32)`";
                return Err(self.expected_help("an expression", help));
            }
            "_" => {
                return Err(self
                    .expected_help("an expression", "`_` is a pattern; a function is written `|x| x + 1`"));
            }
            _ if self.op(1) == "!" && matches!(self.kind(2), TokenKind::Open(..)) => {
                self.bump();
                self.bump();
                let message = format!("RISE has no macros, such as `{word}!`");
                let help = match &*word {
                    "vec" => "an array of equal elements is `[0.0; n]`",
                    _ => "kernels compute values of their arguments alone",
                };
                return Err(self.wrong(start, &message, help));
            }
            _ => {
                if let Some((message, help)) = foreign_word(&word) {
                    self.bump();
                    return Err(self.wrong(start, message, help));
                }
                ExprKind::Name(self.ident("an expression")?)
            }
        };
        Ok(Expr::new(kind, self.origin(start)))
    }

    /// `f32::INFINITY`, `i32::MAX`
    fn scalar_constant(&mut self) -> Parsed<ExprKind> {
        let start = self.mark();
        let ty = self.text(0).to_string();
        let name = self.text(3).to_string();
        self.bump();
        self.eat_op("::");
        self.bump();
        match Scalar::from_name(&ty).and_then(|scalar| constant(scalar, &name)) {
            Some(kind) => Ok(kind),
            None if name.starts_with(char::is_lowercase) => {
                let help = format!(
                    "functions of numbers are called by their plain names, such as `sqrt`; one that RISE does not have is declared: `extern fn f(v: {ty}) -> {ty} = {ty}::{name};`"
                );
                Err(self.wrong(start, "RISE has no paths", &help))
            }
            None => Err(self.wrong(
                start,
                "RISE has no such constant",
                "there are `MIN` and `MAX` of every number type, and `EPSILON`, `INFINITY`, `NEG_INFINITY`, `NAN` of floats",
            )),
        }
    }

    /// `(e)`, `(a, b)`
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        let comma = self.tuple_ahead_or_trailing();
        let mut parts = self.inside(|p| p.comma_list(Self::expr, Expr::error));
        let origin = self.origin(start);
        match (parts.len(), parts.pop()) {
            (1, Some(Expr { kind: ExprKind::Name(name), .. }))
                if self.word_follows() && Scalar::meant(name.as_str()).is_some() =>
            {
                let ty = Scalar::meant(name.as_str()).map_or("", Scalar::name);
                let help = format!("write `x as {ty}`");
                Err(self.wrong(start, "a type in parentheses converts nothing", &help))
            }
            (1, Some(only)) if !comma => Ok(Expr { kind: only.kind, origin, parens: true }),
            (1, Some(_)) => {
                Err(self.wrong(start, "a tuple has at least two components", "leave the comma out"))
            }
            (_, Some(last)) => {
                parts.push(last);
                Ok(Expr::new(ExprKind::Tuple(parts), origin))
            }
            _ => Err(self.wrong(
                start,
                "RISE has no unit value `()`",
                "every expression gives a number, a tuple or an array",
            )),
        }
    }

    /// Whether what follows is a value rather than the next part of a form.
    fn word_follows(&self) -> bool {
        self.is_ident(0) && !matches!(self.text(0), "as" | "where")
    }

    fn tuple_ahead_or_trailing(&self) -> bool {
        let behind = self.behind_group(0);
        // The token before the closing one.
        behind >= 3 && self.is_char(behind - 2, ',')
    }

    /// `[a, b]`, `[a; n]`
    fn array_literal(&mut self) -> Parsed<ExprKind> {
        self.inside(|p| {
            if p.at_end() {
                return Err(p.expected_help("an element", "an array of length 0 is `take(0, x)`"));
            }
            let mut parts = vec![p.expr_or(|p| p.is_char(0, ',') || p.is_char(0, ';'))];
            if p.eat_char(';') {
                let length = p.nat()?;
                return Ok(ExprKind::Repeat(Box::new(parts.swap_remove(0)), length));
            }
            if p.is_word(0, "for") {
                return Err(
                    p.expected_help("`,` or `;`", "an array is computed by `generate(|i| e)` or `map(f)`")
                );
            }
            if p.at_end() || p.eat_char(',') {
                parts.extend(p.comma_list(Self::expr, Expr::error));
                return Ok(ExprKind::Array(parts));
            }
            Err(p.expected("`,` or `;`"))
        })
    }

    /// An expression, or an error node after which `stop` holds or the group is read.
    pub(super) fn expr_or(&mut self, stop: impl Fn(&Self) -> bool) -> Expr {
        let start = self.mark();
        match self.expr() {
            Ok(expr) => expr,
            Err(Reported) => {
                self.skip_until(stop);
                Expr::error(self.origin(start))
            }
        }
    }

    /// `'rows: e`
    fn labelled(&mut self) -> Parsed<ExprKind> {
        let label = self.label()?;
        if !self.eat_op(":") {
            let help = format!("a label names a pattern: `{label}: map(f)`");
            return Err(self.expected_help("`:`", &help));
        }
        let value = self.deeper(Self::postfix)?;
        Ok(ExprKind::Label(label, Box::new(value)))
    }

    /// `'rows`, `'rows.outer`
    pub(super) fn label(&mut self) -> Parsed<Label> {
        let start = self.mark();
        if !self.eat_char('\'') {
            return Err(self.expected_help("a label", "labels begin with a quote: `'rows`"));
        }
        let mut text = self.ident("the name of the label")?.text.to_string();
        while self.op(0) == "." && self.is_ident(1) {
            self.bump();
            text.push('.');
            text.push_str(self.text(0));
            self.bump();
        }
        Ok(Label::new(text, self.origin(start)))
    }

    /// `'rows.rest/'cols`
    pub(super) fn label_path(&mut self) -> Parsed<LabelPath> {
        let start = self.mark();
        let mut labels = vec![self.label()?];
        while self.eat_char('/') {
            labels.push(self.label()?);
        }
        Ok(LabelPath { labels, origin: self.origin(start) })
    }

    /// `if c { a } else { b }`
    fn conditional(&mut self) -> Parsed<ExprKind> {
        let start = self.mark();
        self.bump();
        if self.is_word(0, "let") {
            self.bump();
            let help = "bind with `let`, and test with a comparison";
            return Err(self.wrong(start, "RISE has no `if let`", help));
        }
        let condition = self.expr()?;
        let then = self.braced("`{` and the value if the condition holds")?;
        if !self.eat_word("else") {
            let help = "an `if` is a value: `if c { a } else { b }`";
            return Err(self.expected_help("`else`", help));
        }
        let otherwise = if self.is_word(0, "if") {
            let start = self.mark();
            let kind = self.deeper(Self::conditional)?;
            Expr::new(kind, self.origin(start))
        } else {
            self.braced("`{` and the value if the condition fails")?
        };
        Ok(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    /// A branch: a block without bindings is its value.
    fn braced(&mut self, what: &str) -> Parsed<Expr> {
        let start = self.mark();
        if !self.is_open(0, Delimiter::Brace) {
            return Err(self.expected_help(what, "branches stand in braces: `if c { a } else { b }`"));
        }
        let block = self.inside(Self::block)?;
        Ok(self.plain(start, block))
    }

    fn plain(&self, start: usize, block: Block) -> Expr {
        if block.lets.is_empty() {
            return *block.value;
        }
        Expr::new(ExprKind::Block(block), self.origin(start))
    }

    /// The contents of `{ let p = e; … e }`.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let mut lets = Vec::new();
        while self.is_word(0, "let") {
            if self.is_word(1, "mut") {
                return Err(self.no_variable());
            }
            let start = self.mark();
            match self.binding() {
                Ok(binding) => lets.push(binding),
                Err(Reported) => {
                    self.skip_until(|p| p.is_char(0, ';'));
                    self.eat_char(';');
                    let pattern = Pattern { kind: PatternKind::Error, origin: self.origin(start) };
                    let value = Expr::error(self.origin(start));
                    lets.push(Let { pattern, ty: None, value, origin: self.origin(start) });
                }
            }
        }
        let value = Box::new(self.block_value());
        Ok(Block { lets, value })
    }

    /// `let mut`: what follows would be told of as well, since it changes the variable.
    fn no_variable(&mut self) -> Reported {
        self.bump();
        let start = self.mark();
        self.bump();
        let help =
            "names are bound once; `reduce(f, z)`, `scan(f, z)` and `iterate(k, f)` carry a value along";
        self.wrong(start, "RISE has no variables that change", help)
    }

    fn block_value(&mut self) -> Expr {
        let start = self.mark();
        if self.at_end() {
            self.expected_help("an expression", "a block ends with its value: `{ let y = e; y }`");
            return Expr::error(self.here());
        }
        let known = self.diagnostics.len();
        let value = self.expr_or_error();
        if !self.at_end() && !matches!(value.kind, ExprKind::Error) {
            // What could not be read may have been meant to go on.
            if self.diagnostics.len() == known {
                self.after_value();
            }
            self.skip_until(|_| false);
            return Expr::error(self.origin(start));
        }
        value
    }

    fn after_value(&mut self) {
        if self.is_char(0, ';') {
            let help = "leave the `;` out: the last expression of a block is its value; others are bound with `let x = …;`";
            self.expected_help("`}`", help);
        } else if self.is_ident(0) && self.op(1) == "=" {
            let help = format!("a name is bound by `let {} = e;`", self.text(0));
            self.expected_help("`}`, `|>` or another operator", &help);
        } else if self.is_ident(0) || self.is_char(0, '\'') {
            self.expected_help("`}`, `|>` or another operator", APPLIED);
        } else if self.is_char(0, ',') {
            self.expected_help("`}`, `|>` or another operator", "several values are a tuple: `(a, b)`");
        } else if self.is_open(0, Delimiter::Brace) {
            let help = "arguments stand in parentheses: `map(|x| x + 1.0)`";
            self.expected_help("`}`, `|>` or another operator", help);
        } else {
            self.expected("`}`, `|>` or another operator");
        }
    }

    /// `let p: t = e;`
    fn binding(&mut self) -> Parsed<Let> {
        let start = self.mark();
        self.bump();
        let pattern = self.pattern()?;
        let ty = if self.eat_op(":") { Some(self.ty()?) } else { None };
        // The equals sign may touch a `>` before or a `-` behind it.
        if self.is_char(0, '=') && self.op(0) == "==" || !self.eat_char('=') {
            let what = "`=` and a value";
            return Err(match self.is_open(0, Delimiter::Parenthesis) {
                true => self.expected_help(what, "a function is written `let f = |x| e;`"),
                false if self.is_char(0, ',') => {
                    self.expected_help(what, "a tuple is taken apart by `let (a, b) = e;`")
                }
                false => self.expected(what),
            });
        }
        let mut value = self.expr_or(|p| p.is_char(0, ';'));
        let origin = self.origin(start);
        if self.is_word(0, "in") {
            self.expected_help("`;`", "a `let` ends with `;`, and the block's value follows");
            self.bump();
        } else if self.is_applied_by_space(&value) {
            self.expected_help("`;`", APPLIED);
            self.skip_until(|p| p.is_char(0, ';'));
            self.eat_char(';');
            // What it lacks has been told.
            value = Expr::error(value.origin);
        } else if !self.eat_char(';') {
            self.expected_help("`;`", "a `let` ends with `;`, and the block's value follows");
            // Where no other `;` comes, the block's value begins here.
            if self.comes(';') {
                self.skip_until(|p| p.is_char(0, ';') || p.is_word(0, "let"));
                self.eat_char(';');
            }
        }
        Ok(Let { pattern, ty, value, origin })
    }

    /// `map(f) x;`, as other languages apply functions: the binding ends behind the argument.
    fn is_applied_by_space(&self, function: &Expr) -> bool {
        let called = match &function.kind {
            ExprKind::Pipe(_, last) => &last.kind,
            kind => kind,
        };
        let is_argument = self.is_ident(0) && !self.is_word(0, "let") || self.kind(0) == TokenKind::Literal;
        matches!(called, ExprKind::Name(_) | ExprKind::Call(..)) && is_argument && self.comes(';')
    }

    /// `x`, `_`, `(p, q)`
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        let start = self.mark();
        let broken = |origin| Pattern { kind: PatternKind::Error, origin };
        let kind = if self.eat_word("_") {
            PatternKind::Wild
        } else if self.is_open(0, Delimiter::Parenthesis) {
            let mut parts = self.deeper(|p| Ok(p.inside(|p| p.comma_list(Self::pattern, broken))))?;
            match (parts.len(), parts.pop()) {
                (1, Some(only)) => only.kind,
                (_, Some(last)) => {
                    parts.push(last);
                    PatternKind::Tuple(parts)
                }
                _ => return Err(self.wrong(start, "RISE has no unit pattern `()`", "`_` ignores a value")),
            }
        } else if self.is_word(0, "mut") || self.is_char(0, '&') || self.is_word(0, "ref") {
            self.bump();
            let help = "leave it out: names are bound once and never change";
            self.wrong(start, "RISE has no references and no variables that change", help);
            return self.deeper(Self::pattern);
        } else if self.is_open(0, Delimiter::Bracket) {
            let help = "elements are `x[0]`, `x[1]`; a pattern takes tuples apart";
            return Err(self.expected_help("a name, `_` or a tuple of patterns", help));
        } else {
            PatternKind::Name(self.binder()?)
        };
        Ok(Pattern { kind, origin: self.origin(start) })
    }

    fn binder(&mut self) -> Parsed<Ident> {
        self.name_of_own("a name, `_` or a tuple of patterns")
    }

    /// A name for something, which is no word of Rust.
    pub(super) fn name_of_own(&mut self, what: &str) -> Parsed<Ident> {
        let start = self.mark();
        let name = self.ident(what)?;
        match foreign_word(name.as_str()) {
            None if !matches!(name.as_str(), "true" | "false" | "if" | "as") => Ok(name),
            _ => Err(self.wrong(start, &format!("`{name}` is a keyword"), "choose another name")),
        }
    }
}

/// What to do where an argument stands behind a function without parentheses.
pub(super) const APPLIED: &str =
    "is a `|>` or a `,` missing? A function is applied as `map(f, x)` or `x |> map(f)`";

fn constant(scalar: Scalar, name: &str) -> Option<ExprKind> {
    let float = |text: &str| {
        let value = LiteralValue::Float(text.into());
        Some(ExprKind::Literal(Literal { value, suffix: Some(scalar) }))
    };
    let int = |value: u128| Literal { value: LiteralValue::Int(value), suffix: Some(scalar) };
    let (bits, signed) = match scalar {
        Scalar::I8 => (8, true),
        Scalar::I16 => (16, true),
        Scalar::I32 => (32, true),
        Scalar::I64 => (64, true),
        Scalar::U8 => (8, false),
        Scalar::U16 => (16, false),
        Scalar::U32 => (32, false),
        Scalar::U64 => (64, false),
        Scalar::Bool => return None,
        Scalar::F32 | Scalar::F64 => {
            let wide = scalar == Scalar::F64;
            return match name {
                "MAX" if wide => float("1.7976931348623157e308"),
                "MAX" => float("3.40282347e38"),
                "MIN" if wide => Some(negated(constant(scalar, "MAX")?)),
                "MIN" => Some(negated(constant(scalar, "MAX")?)),
                "EPSILON" if wide => float("2.2204460492503131e-16"),
                "EPSILON" => float("1.1920929e-7"),
                "INFINITY" => float("inf"),
                "NEG_INFINITY" => Some(negated(constant(scalar, "INFINITY")?)),
                "NAN" => float("nan"),
                _ => None,
            };
        }
    };
    match (name, signed) {
        ("MAX", true) => Some(ExprKind::Literal(int((1 << (bits - 1)) - 1))),
        ("MIN", true) => Some(negated(ExprKind::Literal(int(1 << (bits - 1))))),
        ("MAX", false) => Some(ExprKind::Literal(int((1 << bits) - 1))),
        ("MIN", false) => Some(ExprKind::Literal(int(0))),
        _ => None,
    }
}

fn negated(kind: ExprKind) -> ExprKind {
    let value = Expr::new(kind, crate::diagnostics::Origin::NONE);
    ExprKind::Unary(crate::syntax::ast::UnaryOp::Neg, Box::new(value))
}

/// Words of Rust that RISE does not have, and what it has instead.
fn foreign_word(word: &str) -> Option<(&'static str, &'static str)> {
    let found = match word {
        "for" | "while" | "loop" => {
            ("RISE has no loops", "use `map(f)`, `reduce(f, z)`, `scan(f, z)` or `iterate(k, f)`")
        }
        "match" => ("RISE has no `match`", "use `if c { a } else { b }`, which may be chained"),
        "return" | "break" | "continue" => {
            ("RISE has no jumps", "the last expression of a block is its value")
        }
        "mut" | "ref" => {
            ("RISE has no variables that change", "use `reduce` or `scan` to carry a value along")
        }
        "move" => ("RISE has no `move`", "leave it out: arrays are values"),
        "unsafe" | "async" | "await" | "dyn" | "box" => {
            ("RISE has no such thing", "leave it out: kernels are safe functions of their arguments")
        }
        "let" => ("a `let` stands at the start of a block", "write `{ let x = e; … }`"),
        "else" => ("`else` without `if`", "write `if c { a } else { b }`"),
        "const" | "static" => ("a constant is bound by `let`", "write `{ let x = e; … }`"),
        "mod" => ("RISE has no `mod`", "a remainder is `a % b`"),
        "fn" | "struct" | "enum" | "trait" | "impl" | "type" | "use" | "pub" | "extern" => (
            "an item cannot stand inside an expression",
            "write helpers as items of the block, beside the kernel",
        ),
        "self" | "Self" | "super" | "crate" => {
            ("RISE has no paths and no `self`", "name a parameter or an item of the block")
        }
        _ => return None,
    };
    Some(found)
}
