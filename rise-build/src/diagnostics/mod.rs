//! Messages for the user.
//!
//! In: what a stage noticed, with the [`Origin`] of the guilty term. Out: `compile_error!` tokens (macro) or
//! plain text with the line quoted (build script, command line). Stages collect into a [`Diagnostics`] bag
//! and the driver stops at the stage border. Nothing here decides what is wrong; nothing here does IO.

mod diagnostic;
mod origin;
mod render;
mod suggest;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use origin::{FilePlace, Origin, Place, Session, SourceFile};
pub use render::{to_text, to_tokens};
pub use suggest::suggest;
