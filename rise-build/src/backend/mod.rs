//! Stage 7: loops become the text of a target language, and every kernel gets its safe Rust function.
//!
//! A target supplies one `unsafe fn` (the *runner*) whose arguments [`wrapper`] passes after all checks:
//! naturals in order of declaration, then the parts of the parameters, then the results. Nothing here
//! decides how a program runs.

pub mod c;
mod c_family;
mod cost;
mod memory;
mod names;
mod nat;
pub mod opencl;
pub mod rust;
mod shared;
mod text;
pub mod wrapper;

pub use c_family::{Layout, layout};
pub use memory::counts;
