//! Items of a `rise!` block.

use super::{Arg, Expr, Ident, KindParam, Obligation, Origin, Param, Strategy, Type};

/// The items of one `rise!` block or file, in the order in which they were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The items.
    pub items: Vec<Item>,
    /// Whether some could not be read, which was reported.
    pub incomplete: bool,
}

impl Module {
    /// Whether an item or a file that it uses could not be read: a name that is missing may stand there.
    pub fn lacks_items(&self) -> bool {
        self.incomplete || self.items.iter().any(|item| matches!(item, Item::Import(_)))
    }
}

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `crate = my_name;`
    Crate(Ident),
    /// `use "path.rise";`
    Import(Import),
    /// `fn` and `def`: a kernel or a helper.
    Kernel(Kernel),
    /// `extern fn`.
    Extern(ExternFn),
    /// `strategy name(params) = s;`
    Strategy(StrategyItem),
    /// `rule name<…>: pattern => expr where …;`
    Rule(Rule),
    /// `compile kernel to target with s as name;`
    Compile(Compile),
}

/// `use "path.rise";`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The path as written, without quotes.
    pub path: String,
    /// The string literal.
    pub origin: Origin,
}

/// Who sees an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// A helper: other items of the block use it, no Rust function is made.
    Helper,
    /// A kernel: becomes a `pub` Rust function.
    Public,
    /// A kernel whose Rust function is visible in a part of the crate: the text between the parentheses of
    /// `pub(crate)`, `pub(super)`, `pub(in a::b)`.
    Restricted(String),
}

/// The notation in which an item was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `fn name(x: t) -> t { e }`
    Rust,
    /// `def name = depFun(…)`: the result type is inferred and free naturals are bound by their use.
    Papers,
}

/// An attribute other than documentation: `#[commutative]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its first name (`cfg` of `#[cfg(test)]`).
    pub name: Ident,
    /// All tokens between the brackets.
    pub text: String,
}

/// A kernel (`pub`) or a helper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Documentation, one string a `///` line, as written after the slashes.
    pub docs: Vec<String>,
    /// Attributes other than documentation.
    pub attributes: Vec<Attribute>,
    /// Kernel or helper.
    pub visibility: Visibility,
    /// Its name.
    pub name: Ident,
    /// `<n: Nat, t: Data>`; for `def` also the naturals that are free in the types of its parameters.
    pub kinds: Vec<KindParam>,
    /// The value parameters.
    pub params: Vec<Param>,
    /// The result type; absent in the papers' notation and where a helper leaves it out.
    pub result: Option<Type>,
    /// What `where` promises.
    pub obligations: Vec<Obligation>,
    /// What it computes; [`super::ExprKind::Error`] where it could not be read.
    pub body: Expr,
    /// How it was written.
    pub notation: Notation,
    /// The signature.
    pub origin: Origin,
}

/// Attributes that the Rust functions of a kernel carry.
pub const CARRIED: [&str; 9] =
    ["cfg", "cfg_attr", "deprecated", "doc", "must_use", "allow", "warn", "deny", "expect"];

/// Attributes that an item may have and that change nothing of its functions.
pub const UNDERSTOOD: [&str; 6] = ["commutative", "associative", "inline", "cold", "rustfmt", "clippy"];

impl Kernel {
    /// Whether it becomes a Rust function.
    pub fn is_kernel(&self) -> bool {
        self.visibility != Visibility::Helper
    }
}

/// `extern fn name(args) -> type = path;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternFn {
    /// Documentation lines.
    pub docs: Vec<String>,
    /// Attributes other than documentation.
    pub attributes: Vec<Attribute>,
    /// Its name in RISE.
    pub name: Ident,
    /// Kinded parameters, for library functions over arrays.
    pub kinds: Vec<KindParam>,
    /// The parameters.
    pub params: Vec<Param>,
    /// The result.
    pub result: Type,
    /// What `where` promises.
    pub obligations: Vec<Obligation>,
    /// What is called; the function's own name where nothing was given.
    pub path: ExternPath,
    /// The signature.
    pub origin: Origin,
}

impl ExternFn {
    /// Whether it takes and gives vectors, and so is a vector version of the function of the same name.
    pub fn is_of_vectors(&self) -> bool {
        let mut types = self.params.iter().filter_map(|param| param.ty.as_ref()).chain([&self.result]);
        types.any(|ty| matches!(ty.kind, super::TypeKind::Simd(..)))
    }
}

/// The foreign function behind an `extern fn`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternPath {
    /// A Rust path: `crate::fast::exp`, `f32::hypot`; a path of one segment is a symbol of C as well.
    pub rust: Option<String>,
    /// A C symbol; in quotes it is not a Rust path.
    pub c: Option<String>,
    /// Where the segments of the Rust path were written.
    pub segments: Vec<Origin>,
}

/// `strategy name(params) = s;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyItem {
    /// Documentation lines.
    pub docs: Vec<String>,
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<StrategyParam>,
    /// What it does.
    pub body: Strategy,
}

/// A parameter of a strategy: `b`, `b: Nat`, `'l`, `tail = peel`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyParam {
    /// Its name, without the quote of a label.
    pub name: Ident,
    /// Written `'l`: stands for a label and is used as one.
    pub is_label: bool,
    /// `Nat`, `Strategy`, `Label`, `Predicate`, … if the user says so.
    pub kind: Option<Ident>,
    /// The value where the call leaves it out.
    pub default: Option<Arg>,
}

/// `rule name<…>: pattern => expr where …;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Documentation lines.
    pub docs: Vec<String>,
    /// Attributes other than documentation.
    pub attributes: Vec<Attribute>,
    /// Its name.
    pub name: Ident,
    /// Naturals, data types and address spaces that it is about.
    pub kinds: Vec<KindParam>,
    /// Functions and values that it is about, with their types: `f: s -> t`.
    pub params: Vec<Param>,
    /// The left-hand side.
    pub pattern: Expr,
    /// The right-hand side.
    pub result: Expr,
    /// When it holds.
    pub obligations: Vec<Obligation>,
}

/// `compile kernel to target(options) with s as name;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compile {
    /// The kernel.
    pub kernel: Ident,
    /// What it is compiled to.
    pub target: Target,
    /// How; `auto` where it is left out.
    pub strategy: Option<Strategy>,
    /// The name of the Rust function, if it is not the kernel's.
    pub alias: Option<Ident>,
    /// From `compile` to the name of the target.
    pub origin: Origin,
}

/// A target and its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// `rust`, `c`, `openmp`, `opencl` (not checked here).
    pub name: Ident,
    /// What stands in parentheses.
    pub options: Vec<Arg>,
}
