//! Rows or columns of several dimensions, which are those of one product.
//!
//! ```text
//! map (λx. map f e) xs                     →  split n (map f (join (map (λx. e) xs))), a nest
//! map (λk. map (λrow. map f row) rows) ks  →  map (split n) (map (λk. map f (join rows)) ks)
//! ```
//!
//! Where columns are windows in rows of several, such a row is one product with all filters: it reads them where they lie.
//!
//! ```text
//! map (λk. map (λrow. map (f k) row) rows) ks  →  transpose (map (λrow. map (λk. map (f k) row) ks) rows)
//! ```

use crate::expr::{Expr, Lambda, MapForm, Param, Primitive, map_children};
use crate::nat::Nat;
use crate::rewrite::recipes::auto::before::takes_loops;
use crate::rewrite::recipes::auto::flat::{flattened, sums};
use crate::rewrite::recipes::auto::nest::BLOCK;
use crate::rewrite::recipes::auto::strides::{Known, Leaf, Stride};
use crate::rewrite::recipes::auto::{When, all_hold};
use crate::rewrite::recipes::loops::natural_width;
use crate::rewrite::rules::fusion::fuse_maps;
use crate::rewrite::rules::support::{MapView, fold, len, make, make_map, map_over, plain_map, retyped};

use super::{Finder, exchanged, only_fold, slides};

/// Vectors in a row of the largest tile.
const VECTORS: i64 = super::PANELS[1];

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

    /// The nests that are left where a map between rows and columns goes around them, for each row of windows one. Rows
    /// and columns that are too few for the largest tiles stay as they are: tiles of them would have few accumulators,
    /// which wait for each other.
    pub(super) fn nest_for_each(&mut self, expr: &Expr) -> Option<Expr> {
        let outer = plain_map(expr).ok()?;
        let body = with_what_follows(&outer.f.body);
        if slides(&body) == 0 {
            return None;
        }
        let folds = Folds::of_rows(&mut self.known, outer, plain_map(&body).ok()?)?;
        let few_columns = (folds.columns.clone(), Nat::lit(VECTORS * folds.width - 1));
        let few = all_hold([(len(outer.xs).ok()?, Nat::lit(BLOCK - 1)), few_columns]);
        if matches!(few, When::Always) || !folds.share_columns(outer) {
            return None;
        }
        let whole = make_map(MapForm::Plain, Lambda { body, ..outer.f.clone() }, outer.xs.clone()).ok()?;
        let each = self.expr(&exchanged(&whole).ok()?);
        let each = retyped(make(Primitive::Transpose, [each]).ok()?, expr.ty());
        few.select(|| Ok(expr.clone()), &each).ok()
    }
}

/// The folds for each element of two or more dimensions.
struct Folds {
    /// What they read.
    leaves: Vec<Leaf>,
    /// What chooses one, from the outermost dimension on.
    params: Vec<Param>,
    /// How many lie side by side.
    columns: Nat,
    /// In a vector.
    width: i64,
}

impl Folds {
    /// Those of each row.
    fn of_rows(known: &mut Known, outer: MapView<'_>, inner: MapView<'_>) -> Option<Folds> {
        known.under(outer.f, outer.xs, |known| Folds::of(known, inner, Vec::new()))
    }

    fn of(known: &mut Known, map: MapView<'_>, mut params: Vec<Param>) -> Option<Folds> {
        params.push(map.f.params.first()?.clone());
        known.under(map.f, map.xs, |known| {
            if let Ok(next) = plain_map(&map.f.body) {
                return Folds::of(known, next, params);
            }
            let found = only_fold(&sums(&map.f.body)).filter(|_| params.len() > 1)?;
            let view = fold(&found).ok()?;
            let (columns, width) = (len(map.xs).ok()?, natural_width(&found));
            Some(Folds { leaves: known.folded(view.f, view.xs), params, columns, width })
        })
    }

    /// Whether they read something of each row, and what is the same for all rows.
    fn share_columns(&self, outer: MapView<'_>) -> bool {
        let by = |leaf: &Leaf, params: &[Param]| {
            params.iter().any(|param| leaf.along(&param.name) != Stride::Same)
        };
        let (of_rows, of_columns): (Vec<_>, Vec<_>) = self
            .leaves
            .iter()
            .map(|leaf| (by(leaf, &outer.f.params), by(leaf, &self.params)))
            .filter(|of| *of != (false, false))
            .partition(|(of_rows, _)| *of_rows);
        !of_rows.is_empty() && !of_columns.is_empty() && !of_rows.iter().any(|(_, of_columns)| *of_columns)
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
