//! Expressions with operators: pipes, composition, binary operators, casts, prefixes and postfixes.

use proc_macro2::Delimiter;

use super::literal::integer;
use super::operand::APPLIED;
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostics::{Diagnostic, Origin};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Type, UnaryOp};
use crate::syntax::token::TokenKind;

impl Parser {
    /// An expression, as far as it extends.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.deeper(Self::pipe)
    }

    /// `e |> f |> g`
    fn pipe(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        let mut left = self.compose()?;
        let mut count = 0;
        while self.eat_op("|>") {
            self.link(&mut count)?;
            if matches!(self.op(0), "+" | "*" | "/" | "%") {
                let help = "what follows an operator stands outside of the pipe: `(x |> f) / y`";
                return Err(self.expected_help("a function", help));
            }
            let right = self.compose()?;
            left = Expr::new(ExprKind::Pipe(Box::new(left), Box::new(right)), self.origin(start));
        }
        self.refuse_foreign_operator()?;
        Ok(left)
    }

    /// `f >> g`
    fn compose(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        let mut left = self.binary(3)?;
        let mut count = 0;
        while self.eat_op(">>") {
            self.link(&mut count)?;
            let right = self.binary(3)?;
            left = Expr::new(ExprKind::Compose(Box::new(left), Box::new(right)), self.origin(start));
        }
        Ok(left)
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let start = self.mark();
        let mut left = self.cast()?;
        let mut count = 0;
        while let Some(op) = binary_op(self.op(0)).filter(|op| op.precedence() >= least) {
            self.link(&mut count)?;
            let at = self.mark();
            self.eat_op(op.symbol());
            if op == BinaryOp::Add && self.eat_char('+') {
                return Err(self.wrong(
                    at,
                    "RISE has no operator `++`",
                    "`x + 1` is one more, `concat(a, b)` joins arrays",
                ));
            }
            if op == BinaryOp::Mul && self.eat_char('*') {
                let help = "a power of floats is `pow(x, 2.0)`, one of sizes `n ^ 2`; a square is `x * x`";
                return Err(self.wrong(at, "RISE has no operator `**`", help));
            }
            let at = self.origin(at);
            let right = self.binary(op.precedence() + 1)?;
            left = Expr::new(ExprKind::Binary(op, at, Box::new(left), Box::new(right)), self.origin(start));
            self.refuse_chain(op, &left)?;
        }
        Ok(left)
    }

    /// `a < b < c`, and `f<n>(x)`, which reads like one.
    fn refuse_chain(&mut self, op: BinaryOp, left: &Expr) -> Parsed<()> {
        let next = binary_op(self.op(0));
        if !(op.is_comparison() && next.is_some_and(BinaryOp::is_comparison)) {
            return Ok(());
        }
        let generics = op == BinaryOp::Lt && next == Some(BinaryOp::Gt);
        let is_bitwise = |expr: &Expr| {
            !expr.parens && matches!(expr.kind, ExprKind::Binary(BinaryOp::BitAnd | BinaryOp::BitOr, ..))
        };
        let help = match &left.kind {
            _ if generics => "arguments of a helper's `<…>` are inferred, or written `f::<n>(x)`",
            ExprKind::Binary(_, _, _, right) if is_bitwise(right) => {
                "`&` and `|` bind tighter than comparisons: between these stands `&&` or `||`"
            }
            _ => "write `a < b && b < c`",
        };
        let diagnostic = Diagnostic::error(self.here(), "comparisons do not chain").help(help);
        Err(self.report(diagnostic.label(left.origin, "this is a comparison already")))
    }

    /// Operators of Rust and of the papers' mathematics that RISE spells otherwise.
    fn refuse_foreign_operator(&mut self) -> Parsed<()> {
        if let Some(operator) = operator_word(self.text(0)) {
            return Err(self.expected_help("an operator of RISE", &format!("it is written `{operator}`")));
        }
        let help = match self.op(0) {
            "<<" => "shifts are functions: `shl(a, b)`, `shr(a, b)`",
            "=" => "`==` compares; a name is bound by `let x = e;`, a rule is `a => b`",
            "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "|=" | ">>=" | "<<=" => {
                "RISE has no assignment: sums are `reduce(add, 0.0)`, running sums `scan(add, 0.0)`, and one element \
                 changes by `xs |> update(|x| x + 1, i)`"
            }
            ".." | "..=" => {
                "a part of an array is `x |> drop(1) |> take(n)`; the indices 0 to n-1 come from `generate(|i| e)`"
            }
            "?" if self.is_ident(1) || self.text(1).starts_with(|ch: char| ch.is_ascii_digit()) => {
                "a choice is written `if c { a } else { b }`"
            }
            "->" => "a pipe is written `x |> f`, a function `|x| e`, a rule `a => b`",
            "@" => "the product of two matrices is `matMul(a, b)`, of `use \"rise/blas.rise\";`",
            ":" => "a label is written with a quote: `'i: map(f)`",
            "?" => "RISE has no `?`: every kernel gives a value, and sizes are checked at its entry",
            _ => return Ok(()),
        };
        Err(self.expected_help("an operator of RISE", help))
    }

    /// `e as t`
    fn cast(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        let mut value = self.unary()?;
        let mut count = 0;
        while self.eat_word("as") {
            self.link(&mut count)?;
            let ty = self.data_type()?;
            value = Expr::new(ExprKind::Cast(Box::new(value), ty), self.origin(start));
        }
        Ok(value)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        self.no_lone_operator()?;
        let start = self.mark();
        let op = match self.kind(0) {
            _ if self.is_char(0, '-') => UnaryOp::Neg,
            _ if self.is_char(0, '!') => UnaryOp::Not,
            _ if self.is_char(0, '&') || self.is_char(0, '*') => {
                self.bump();
                let help =
                    "write the plain name: arrays are values in RISE, and nothing is copied by naming them";
                return Err(self.wrong(start, "RISE has no references", help));
            }
            _ => return self.postfix(),
        };
        self.bump();
        let value = self.deeper(Self::unary)?;
        Ok(Expr::new(ExprKind::Unary(op, Box::new(value)), self.origin(start)))
    }

    /// `f(a)`, `a[i]`, `p.0`, `f::<n>`
    pub(super) fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.mark();
        let mut value = self.operand()?;
        let mut count = 0;
        // A lambda's body has taken all that could follow.
        while !matches!(value.kind, ExprKind::Lambda(..) | ExprKind::DepLambda(..)) || value.parens {
            let kind = if self.is_open(0, Delimiter::Parenthesis) {
                let args = self.inside(|p| p.comma_list(Self::argument, Expr::error));
                ExprKind::Call(Box::new(value), args)
            } else if self.is_open(0, Delimiter::Bracket) {
                self.index(value)?
            } else if self.op(0) == "." {
                self.bump();
                self.member(value)?
            } else if self.op(0) == "::" {
                self.turbofish(value)?
            } else {
                break;
            };
            value = Expr::new(kind, self.origin(start));
            self.link(&mut count)?;
        }
        Ok(value)
    }

    /// An argument of a function; `axis = 1` is told of.
    fn argument(&mut self) -> Parsed<Expr> {
        if !(self.is_ident(0) && self.op(1) == "=") {
            let value = self.expr()?;
            return match self.is_ident(0) && !self.is_word(0, "if") {
                true => Err(self.expected_help("`,`", APPLIED)),
                false => Ok(value),
            };
        }
        let start = self.mark();
        self.bump();
        self.bump();
        let help = "arguments stand in one order: numbers, functions, values, and the array last";
        Err(self.wrong(start, "arguments have no names", help))
    }

    fn index(&mut self, array: Expr) -> Parsed<ExprKind> {
        let start = self.mark();
        if self.slice_ahead() {
            self.bump();
            let help = "`drop(1, x)` leaves the first element out, `take(4, x)` has the first four";
            return Err(self.wrong(start, "a part of an array is no index", help));
        }
        let mut indices = self.inside(|p| p.comma_list(Self::expr, Expr::error));
        match (indices.pop(), indices.is_empty()) {
            (Some(index), true) => Ok(ExprKind::Index(Box::new(array), Box::new(index))),
            (None, _) => Err(self.wrong(start, "an index is missing", "an element is `x[i]`")),
            _ => Err(self.wrong(start, "an array is indexed by one index at a time", "write `a[i][j]`")),
        }
    }

    /// Whether the brackets hold `1:`, `..n` and the like.
    fn slice_ahead(&self) -> bool {
        let bound = self.is_ident(1) || self.kind(1) == TokenKind::Literal;
        matches!(self.op(1 + usize::from(bound)), ":" | ".." | "..=")
    }

    /// What follows a dot: a component, or (wrongly) a field or a method.
    fn member(&mut self, value: Expr) -> Parsed<ExprKind> {
        if !self.is_ident(0) {
            let number = Some(self.text(0)).filter(|text| !text.is_empty()).and_then(integer);
            let index = number.filter(|(_, suffix)| suffix.is_empty());
            let Some(index) = index.and_then(|(index, _)| u32::try_from(index).ok()) else {
                return Err(self
                    .expected_help("the number of a component", "components of a tuple are `.0`, `.1`, …"));
            };
            self.bump();
            return Ok(ExprKind::Field(Box::new(value), index));
        }
        let name = self.ident("a component")?;
        let args = self
            .is_open(0, Delimiter::Parenthesis)
            .then(|| self.inside(|p| p.comma_list(Self::expr, Expr::error)));
        Ok(ExprKind::Member(Box::new(value), name, args))
    }

    fn turbofish(&mut self, func: Expr) -> Parsed<ExprKind> {
        let start = self.mark();
        self.eat_op("::");
        if !self.eat_char('<') {
            while self.is_ident(0) && self.op(1) == "::" {
                self.bump();
                self.eat_op("::");
            }
            let help = match self.text(0).chars().all(|ch| ch.is_uppercase() || ch == '_') {
                true => "constants of Rust are not seen here: write the number, or take it as a parameter",
                false => "a function of Rust is declared as `extern fn name(x: f32) -> f32 = path::name;`",
            };
            self.bump();
            return Err(self.wrong(start, "RISE has no paths", help));
        }
        let mut args = Vec::new();
        while !self.is_char(0, '>') {
            args.push(self.kind_arg()?);
            if !self.eat_char(',') {
                break;
            }
        }
        if !self.eat_char('>') {
            return Err(self.expected("`>`"));
        }
        Ok(ExprKind::Instantiate(Box::new(func), args))
    }

    /// A type that stands as an argument.
    pub(super) fn type_argument(&mut self) -> Parsed<Expr> {
        let ty: Type = self.data_type()?;
        let origin: Origin = ty.origin;
        Ok(Expr::new(ExprKind::Type(ty), origin))
    }

    /// An expression, or an error node after which the group is read.
    pub(super) fn expr_or_error(&mut self) -> Expr {
        let start = self.mark();
        match self.expr() {
            Ok(expr) => expr,
            Err(Reported) => {
                self.skip_until(|_| false);
                Expr::error(self.origin(start))
            }
        }
    }
}

/// The operator that is a word in other languages.
fn operator_word(word: &str) -> Option<&'static str> {
    match word {
        "and" => Some("&&"),
        "or" => Some("||"),
        "mod" => Some("%"),
        "div" => Some("/"),
        _ => None,
    }
}

fn binary_op(op: &str) -> Option<BinaryOp> {
    match op {
        "+" => Some(BinaryOp::Add),
        "-" => Some(BinaryOp::Sub),
        "*" => Some(BinaryOp::Mul),
        "/" => Some(BinaryOp::Div),
        "%" => Some(BinaryOp::Rem),
        "==" => Some(BinaryOp::Eq),
        "!=" => Some(BinaryOp::Ne),
        "<" => Some(BinaryOp::Lt),
        "<=" => Some(BinaryOp::Le),
        ">" => Some(BinaryOp::Gt),
        ">=" => Some(BinaryOp::Ge),
        "&&" => Some(BinaryOp::And),
        "||" => Some(BinaryOp::Or),
        "&" => Some(BinaryOp::BitAnd),
        "|" => Some(BinaryOp::BitOr),
        "^" => Some(BinaryOp::BitXor),
        _ => None,
    }
}
