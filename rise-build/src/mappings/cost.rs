//! What a mapping costs: an estimate, written down.
//!
//! Sizes that nobody knows count as [`UNKNOWN`]. A chain is a loop with no loop inside, and the loops around it. Its
//! cost is the number of its iterations divided by how many of them run at once: the product of its parallel
//! lengths, at most [`ITEMS`]. Work-items beside each other (dimension 0) run in step: where the innermost parallel
//! loop is of another dimension they touch memory that is apart, and the cost doubles; where that loop is shorter
//! than [`WIDTH`], the rest of them idle. Lanes of a vector count as [`LANES_GAIN`] iterations at once. What is looked
//! at where it is used costs nothing of its own. A kernel costs the sum over its chains, [`LAUNCH`] for each launch
//! of a kernel on the device, and [`GROUPS`] more where it forms work-groups.

use crate::expr::{Kernel, MapForm};
use crate::nat::Nat;

use super::{Found, Mapping, is_parallel, loops};

/// What a size counts as that is no constant.
pub const UNKNOWN: f64 = 1024.0;
/// Work-items that run at once.
pub const ITEMS: f64 = 4096.0;
/// Work-items that run in step.
pub const WIDTH: f64 = 32.0;
/// Iterations that a vector computes at once, whatever its width.
pub const LANES_GAIN: f64 = 2.0;
/// What starting a kernel costs.
pub const LAUNCH: f64 = 256.0;
/// What work-groups cost.
pub const GROUPS: f64 = 64.0;

/// The mappings with the least cost first; equal ones stay in order.
pub fn by_cost(kernel: &Kernel, mappings: Vec<Mapping>) -> Vec<(f64, Mapping)> {
    let found = loops(kernel);
    let mut all: Vec<(f64, Mapping)> =
        mappings.into_iter().map(|mapping| (Costs::of(&found, &mapping.0).all(), mapping)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// The costs of some forms.
pub(super) struct Costs<'a> {
    found: &'a Found,
    forms: &'a [MapForm],
}

impl<'a> Costs<'a> {
    /// For these forms, one for each map.
    pub(super) fn of(found: &'a Found, forms: &'a [MapForm]) -> Self {
        Costs { found, forms }
    }

    fn all(&self) -> f64 {
        self.within(&|_| true)
    }

    /// The cost of the maps that `wanted` names by their position, and of what is inside them.
    pub(super) fn within(&self, wanted: &dyn Fn(usize) -> bool) -> f64 {
        let Found { maps, folds } = self.found;
        let own = |around: &[usize]| around.first().is_some_and(|at| wanted(*at));
        let mut cost = 0.0;
        for (at, place) in maps.iter().enumerate() {
            let chain: Vec<usize> = place.around.iter().copied().chain([at]).collect();
            if own(&chain) && self.forms[at] != MapForm::Plain {
                let first = is_parallel(self.forms[at]) && !self.any(&place.around, is_parallel);
                cost += if first { LAUNCH * self.iterations(&place.around) } else { 0.0 };
                cost += if self.is_innermost(at) { self.chain(&chain, 1.0) } else { 0.0 };
            }
        }
        for fold in folds.iter().filter(|fold| own(&fold.around)) {
            cost += self.chain(&fold.around, number(&fold.len));
        }
        let groups = (0..maps.len()).any(|at| wanted(at) && matches!(self.forms[at], MapForm::WorkGroup(_)));
        cost + if groups { GROUPS } else { 0.0 }
    }

    fn is_innermost(&self, at: usize) -> bool {
        let Found { maps, folds } = self.found;
        let inner = |(other, around): (usize, &[usize])| {
            around.contains(&at) && self.forms.get(other) != Some(&MapForm::Plain)
        };
        let folds = folds.iter().map(|fold| (usize::MAX, &fold.around[..]));
        !maps.iter().enumerate().map(|(other, map)| (other, &map.around[..])).chain(folds).any(inner)
    }

    fn any(&self, maps: &[usize], holds: fn(MapForm) -> bool) -> bool {
        maps.iter().any(|at| holds(self.forms[*at]))
    }

    fn iterations(&self, maps: &[usize]) -> f64 {
        maps.iter().map(|at| number(&self.found.maps[*at].len)).product()
    }

    /// A chain of maps, the innermost last, around so many iterations.
    fn chain(&self, maps: &[usize], inner: f64) -> f64 {
        let (mut at_once, mut lanes, mut nearest) = (1.0, 1.0, None);
        for at in maps {
            let len = number(&self.found.maps[*at].len);
            match self.forms[*at] {
                form if is_parallel(form) => {
                    at_once *= len;
                    nearest = Some((form, len));
                }
                MapForm::Vec => lanes = LANES_GAIN,
                _ => {}
            }
        }
        let waste = match nearest {
            Some((MapForm::Global(0) | MapForm::Local(0) | MapForm::WorkGroup(0), len)) => {
                f64::max(WIDTH / len.max(1.0), 1.0)
            }
            Some(_) => 2.0,
            None => 1.0,
        };
        self.iterations(maps) * inner * waste / f64::min(at_once, ITEMS).max(1.0) / lanes
    }
}

fn number(size: &Nat) -> f64 {
    size.as_const().map_or(UNKNOWN, |size| size as f64)
}
