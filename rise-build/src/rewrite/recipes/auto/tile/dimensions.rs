//! Rows or columns of several dimensions, which are those of one product.
//!
//! ```text
//! map (λx. map f e) xs                     →  split n (map f (join (map (λx. e) xs))), a nest
//! map (λk. map (λrow. map f row) rows) ks  →  map (split n) (map (λk. map f (join rows)) ks)
//! ```

use crate::expr::{Expr, Lambda, MapForm, Primitive, map_children};
use crate::rewrite::recipes::auto::before::takes_loops;
use crate::rewrite::recipes::auto::flat::flattened;
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::support::{make, make_map, map_over, plain_map, retyped};

use super::{Finder, slides};

impl Finder<'_> {
    /// The nest that is left where maps around its rows are one map with them.
    pub(super) fn flat_nest(&mut self, expr: &Expr) -> Option<Expr> {
        let (flat, length) = flattened(expr)?;
        let nest = self.nest(&flat).or_else(|| self.flat_nest(&flat))?;
        Some(retyped(make(Primitive::Split(length), [nest]).ok()?, expr.ty()))
    }

    /// The nest that is left where maps around its columns are one map with them. Windows whose rows are columns take
    /// longer to copy than to fold.
    pub(super) fn flat_columns(&mut self, expr: &Expr) -> Option<Expr> {
        let outer = plain_map(expr).ok()?;
        let (body, length) = flattened(&with_what_follows(&outer.f.body))?;
        if slides(&body) > 0 {
            return None;
        }
        let flat = make_map(MapForm::Plain, Lambda { body, ..outer.f.clone() }, outer.xs.clone()).ok()?;
        let flat = flat.with_labels(expr.labels().to_vec()).with_origin(expr.origin());
        let nest = self.nest(&flat).or_else(|| self.flat_columns(&flat))?;
        let rows = map_over(MapForm::Plain, "row", nest, |row| make(Primitive::Split(length), [row])).ok()?;
        Some(retyped(rows, expr.ty()))
    }
}

/// The maps with what is done to their elements alone.
fn with_what_follows(expr: &Expr) -> Expr {
    let Ok(map) = plain_map(expr) else { return expr.clone() };
    if let Ok(fused) = fuse_maps(expr)
        && !takes_loops(&map.f.body)
    {
        return with_what_follows(&fused);
    }
    map_children(expr, &mut with_what_follows)
}
