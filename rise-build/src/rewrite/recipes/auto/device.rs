//! On a device the maps are shared out as the cheapest valid mapping says ([`mappings`]).

use crate::expr::{Expr, Kernel};
use crate::mappings;

/// The body with its maps shared out, lowered.
pub fn lowered(kernel: &Kernel, body: &Expr) -> Expr {
    mappings::cheapest(&Kernel { body: body.clone(), ..kernel.clone() }).body
}
