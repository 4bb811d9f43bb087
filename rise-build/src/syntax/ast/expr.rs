//! Expressions and patterns.

use std::sync::Arc;

use super::{Ident, KindArg, KindParam, Label, Nat, Origin, Scalar, Type};

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// From its first to its last token.
    pub origin: Origin,
    /// Whether it stood in parentheses of its own; equality ignores this. `^` binds differently in naturals
    /// than in expressions, so that [`Expr::to_nat`] needs to know.
    pub parens: bool,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A variable, function, primitive, address space or type variable.
    Name(Ident),
    /// A literal.
    Literal(Literal),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[a; n]`
    Repeat(Box<Expr>, Nat),
    /// `(a, b)`, at least two.
    Tuple(Vec<Expr>),
    /// `|x, (a, b)| e`, `fun(x => e)`: at least one parameter; several are as good as nested lambdas.
    Lambda(Vec<Param>, Box<Expr>),
    /// `depFun((n: Nat) => e)`, `|n: Nat| e`.
    DepLambda(Vec<KindParam>, Box<Expr>),
    /// `f(a, b)`; `f(a)(b)` is a call whose function is a call.
    Call(Box<Expr>, Vec<Expr>),
    /// `f::<n, t>`
    Instantiate(Box<Expr>, Vec<KindArg>),
    /// `e |> f`
    Pipe(Box<Expr>, Box<Expr>),
    /// `f >> g`: first `f`.
    Compose(Box<Expr>, Box<Expr>),
    /// `{ let p = e; e }`
    Block(Block),
    /// `if c { a } else { b }`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `e.0`
    Field(Box<Expr>, u32),
    /// `e.f`, `e.f(a)`, which RISE does not have: which of its functions is meant is said where names are known.
    Member(Box<Expr>, Ident, Option<Vec<Expr>>),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `e as t`
    Cast(Box<Expr>, Type),
    /// `'rows: e`
    Label(Label, Box<Expr>),
    /// `-e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`; the origin is that of the operator.
    Binary(BinaryOp, Origin, Box<Expr>, Box<Expr>),
    /// A type where an expression stands, as the papers apply functions to types: `f([f32; 4])`.
    Type(Type),
    /// Could not be read; a diagnostic tells why.
    Error,
}

impl Expr {
    /// An expression at a place.
    pub fn new(kind: ExprKind, origin: Origin) -> Self {
        Expr { kind, origin, parens: false }
    }

    /// The node that stands for what could not be read.
    pub fn error(origin: Origin) -> Self {
        Self::new(ExprKind::Error, origin)
    }

    /// A use of a name.
    pub fn name(name: Ident) -> Self {
        let origin = name.origin;
        Self::new(ExprKind::Name(name), origin)
    }
}

/// `{ let p = e; … value }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The bindings, each visible in those after it.
    pub lets: Vec<Let>,
    /// What the block is worth.
    pub value: Box<Expr>,
}

/// `let p: t = e;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Let {
    /// What is bound.
    pub pattern: Pattern,
    /// Its type, if given.
    pub ty: Option<Type>,
    /// The value.
    pub value: Expr,
    /// From `let` to the value's end.
    pub origin: Origin,
}

/// A value parameter of a function or a lambda.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// What it binds.
    pub pattern: Pattern,
    /// Its type; always there in kernels and `extern fn`, optional in lambdas and helpers.
    pub ty: Option<Type>,
}

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where it was written.
    pub origin: Origin,
}

/// The forms of patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// `x`
    Name(Ident),
    /// `_`
    Wild,
    /// `(p, q)`, at least two.
    Tuple(Vec<Pattern>),
    /// Could not be read.
    Error,
}

impl Pattern {
    /// All names that it binds, from left to right.
    pub fn names(&self) -> Vec<&Ident> {
        match &self.kind {
            PatternKind::Name(name) => vec![name],
            PatternKind::Tuple(parts) => parts.iter().flat_map(Pattern::names).collect(),
            PatternKind::Wild | PatternKind::Error => Vec::new(),
        }
    }
}

/// A literal and the type that its suffix gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The value.
    pub value: LiteralValue,
    /// `f32` of `1.0f32` (and of `1.0f`).
    pub suffix: Option<Scalar>,
}

/// The value of a literal; a minus sign is an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiteralValue {
    /// `true`, `false`.
    Bool(bool),
    /// An integer without a float's suffix.
    Int(u128),
    /// The digits of a float, without underscores and suffix, so that it is rounded once, to its type.
    Float(Arc<str>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`: of booleans and integers.
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`: exclusive or of integers, power of naturals.
    BitXor,
}

impl BinaryOp {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
        }
    }

    /// How tightly it binds in expressions; Rust's order.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 10,
            BinaryOp::Add | BinaryOp::Sub => 9,
            BinaryOp::BitAnd => 8,
            BinaryOp::BitXor => 7,
            BinaryOp::BitOr => 6,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 5,
            BinaryOp::And => 4,
            BinaryOp::Or => 3,
        }
    }

    /// Whether it is `== != < <= > >=`, which do not chain.
    pub fn is_comparison(self) -> bool {
        self.precedence() == 5
    }
}

impl UnaryOp {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
        }
    }
}
