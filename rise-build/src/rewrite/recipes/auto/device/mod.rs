//! On a device the maps are shared out as the cheapest valid mapping says ([`mappings`]).
//!
//! In: any term. Out: the same, lowered. Before maps are shared out there have to be maps for what takes long: folds go
//! in stages ([`folds`]), and what is copied, generated or stored outside of all maps is maps as well ([`open_body`]). Then
//! long [`rows`] become work for groups, long [`columns`] come in pieces, and products of both in [`tiles`]. Where
//! somebody has shared out maps by hand, nothing is added.

mod columns;
mod folds;
mod rows;
mod tiles;

use crate::expr::{Expr, Kernel, MapForm, Primitive};
use crate::mappings;
use crate::rewrite::engine::Engine;
use crate::rewrite::lower::open_body;

use super::{elementwise, invariant};

/// The body with its maps shared out, lowered.
pub fn lowered(engine: &mut Engine, body: &Expr) -> Expr {
    let body = if is_shared_out(body) { body.clone() } else { opened(engine, body) };
    mappings::cheapest(&Kernel { body, ..engine.context.kernel.clone() }).body
}

fn opened(engine: &mut Engine, body: &Expr) -> Expr {
    let facts = engine.context.facts();
    let body = invariant::everywhere(&elementwise::everywhere(body), &facts);
    let body = open_body(&folds::everywhere(&body, &mut engine.context), facts);
    rows::everywhere(&body, &mut engine.context)
}

/// Whether work-items have maps to share already.
fn is_shared_out(body: &Expr) -> bool {
    body.any(&|node| {
        let shared = |form: &MapForm| {
            matches!(form, MapForm::Global(_) | MapForm::WorkGroup(_) | MapForm::Local(_) | MapForm::Par)
        };
        matches!(node.as_prim(), Some((Primitive::Map(form) | Primitive::DepMap(form), _)) if shared(form))
    })
}
