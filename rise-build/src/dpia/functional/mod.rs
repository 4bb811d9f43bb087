//! Stage 4: fully chosen expressions, each annotated as something to read or something to write.

mod check;
mod from_expr;
mod mapping;
mod phrase;
mod print;
mod target;
mod traverse;

pub(super) use check::alike;
pub use check::check;
pub use from_expr::from_expr;
pub use phrase::*;
pub(super) use print::view_name;
pub use target::Target;
