//! Stage 1: tokens to syntax tree.
//!
//! In: the tokens of a `rise!` block, or the text of a `.rise` file. Out: an [`ast::Module`] and the
//! diagnostics. Parsing never fails: what cannot be read becomes an `Error` node, and every kernel whose name
//! can be read is in the result, with as much of its signature as there is. Names are not resolved and
//! nothing is typed.
//!
//! The grammar, where it is not plain:
//!
//! * `(s, t) -> u` is a function of a pair; a function of two arguments is `s -> t -> u` or `fn(s, t) -> u`.
//! * `fun((a, b) => e)` has two parameters, as in the papers; `fun(((a, b)) => e)` takes a pair.
//! * `|n: Nat, x| e` nests a lambda over naturals and one over values.
//! * `^` binds tightest in naturals and as in Rust in expressions; an argument that turns out to be a natural
//!   is regrouped by [`ast::Expr::to_nat`].
//! * Arguments of a helper's `<…>` are inferred, or written `f::<n, [f32; n]>(x)`.
//! * `f32::INFINITY`, `i32::MAX` and their like are literals.
//! * `[e; n]` is an array of `n` equal elements.
//! * A natural may hold `sum(i in 0..n, e)`, `ceil_div(a, b)`, `min`, `max` and `_`.
//! * `DepArray[n, |i| t]` is an array whose element type depends on the position.
//! * In a strategy, `versions { when n < 32 => s ; t }` chooses at run time; a parameter `'l` is a label, and
//!   `tail = peel` a default.
//! * Forms nest at most 64 deep, and at most 320 operators stand in one chain.

pub mod ast;
mod check;
mod locate;
mod parse;
mod print;
mod token;
mod walk;

pub use locate::unbalanced;
pub use parse::{parse, parse_file, parse_str};

#[cfg(test)]
mod tests;
