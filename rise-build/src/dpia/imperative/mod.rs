//! Stage 5: commands, acceptors to write into and expressions to read from. No pattern is left; layouts
//! are still views.

mod acceptor;
mod alias;
mod bind;
mod check;
mod continuation;
mod copy;
mod cost;
mod fold;
mod in_place;
mod iterate;
mod memory;
mod phrase;
mod print;
mod product;
mod stream;
mod translate;
mod uses;

pub use check::check;
pub use phrase::*;
pub use translate::translate;
