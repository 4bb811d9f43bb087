//! Random programs as text in Rust and C, compiled in batches and run in processes of their own.
//!
//! In: loops of many kernels and tasks, each a kernel with sizes and arguments. Out: what each task gave, as a
//! `Value`, or how it went wrong: an error of the kernel, a write outside its memory, a crash. The macro and
//! the wrapper take no part: the runner of the target is called with raw memory.

mod batch;
mod cargo;
mod text;
mod wire;

pub use batch::{Batch, Build, Compiling, Outcome, Task, supported};
pub use cargo::{Libraries, libraries};
pub use text::Text;
