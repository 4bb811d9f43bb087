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
    let mut ways = vec![body.clone()];
    if !is_shared_out(body) {
        let opened = opened(engine, body);
        ways = vec![rows::everywhere(&opened, &mut engine.context), opened];
    }
    let kernels = ways.into_iter().map(|body| Kernel { body, ..engine.context.kernel.clone() });
    let kernels: Vec<Kernel> = kernels.collect();
    // What groups and tiles store may be nothing that work-items can share.
    let best = kernels.iter().find_map(mappings::cheapest);
    best.or_else(|| kernels.last().map(mappings::sequential))
        .map_or_else(|| body.clone(), |kernel| kernel.body)
}

fn opened(engine: &mut Engine, body: &Expr) -> Expr {
    let facts = engine.context.facts();
    let body = invariant::everywhere(&elementwise::everywhere(body), &facts);
    open_body(&folds::everywhere(&body, &mut engine.context), facts)
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
