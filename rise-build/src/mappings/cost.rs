//! What a mapping costs: an estimate, written down.
//!
//! Naturals that nobody knows count as [`UNKNOWN`], or as what they are at most. A chain is a loop with no loop inside,
//! and the loops around it. Its cost is the number of its iterations divided by how many of them run at once: the product
//! of its parallel lengths, at most [`ITEMS`]. Work-items beside each other (dimension 0) run in step: where the
//! innermost parallel loop is of another dimension they touch memory that is apart, and the cost doubles; where that
//! loop is shorter than [`WIDTH`], the rest of them idle. A chain that does not share out a dimension which others in
//! its launch do is run by all work-items of that dimension. Lanes of a vector count as [`LANES_GAIN`] iterations at
//! once. What is looked at where it is used costs nothing of its own. A kernel costs the sum over its chains,
//! [`LAUNCH`] for each launch of a kernel on the device, and [`GROUPS`] more where it forms work-groups.

use crate::expr::{Kernel, MapForm};
use crate::nat::Nat;

use super::{Found, Mapping, is_parallel, loops};

/// What a size counts as that is no constant.
pub const UNKNOWN: f64 = 1024.0;
/// Sizes for which it is seen whether a natural stays small: what is left over of a division does.
const SAMPLES: [i128; 3] = [1021, 100_003, 10_000_019];
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
                cost += if self.found.is_innermost(at, &|at| self.forms[at]) {
                    self.chain(&chain, 1.0)
                } else {
                    0.0
                };
            }
        }
        for fold in folds.iter().filter(|fold| own(&fold.around)) {
            cost += self.chain(&fold.around, number(&fold.len));
        }
        let groups = (0..maps.len()).any(|at| wanted(at) && matches!(self.forms[at], MapForm::WorkGroup(_)));
        cost + if groups { GROUPS } else { 0.0 }
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
        let at_once = f64::min(f64::max(at_once, 1.0), ITEMS / self.copies(maps));
        self.iterations(maps) * inner * waste / at_once / lanes
    }

    /// How many work-items do the same: those beside each other in dimensions that others in the launch share out.
    fn copies(&self, chain: &[usize]) -> f64 {
        let forms = |maps: &[usize]| maps.iter().map(|at| self.forms[*at]).collect::<Vec<_>>();
        let Some(launch) = chain.iter().find(|at| is_parallel(self.forms[**at])) else { return 1.0 };
        let own = forms(chain);
        let others = (0..3).flat_map(|d| [MapForm::Global(d), MapForm::Local(d)]);
        others.filter(|form| !own.contains(form)).map(|form| self.items(form, *launch)).product()
    }

    /// How many work-items the maps of a form inside of another ask for; constants say that for groups.
    fn items(&self, form: MapForm, launch: usize) -> f64 {
        let maps = self.forms.iter().zip(&self.found.maps);
        let inside = maps.filter(|(own, place)| **own == form && place.around.contains(&launch));
        let all: Vec<&Nat> = inside.map(|(_, place)| &place.len).collect();
        let is_fixed = |len: &&&Nat| matches!(form, MapForm::Local(_)) && len.as_const().is_some();
        let fixed: Vec<&Nat> = all.iter().filter(is_fixed).copied().collect();
        let asked = if fixed.is_empty() { all } else { fixed };
        asked.into_iter().map(number).fold(1.0, f64::max)
    }
}

fn number(size: &Nat) -> f64 {
    if let Some(size) = size.as_const() {
        return size as f64;
    }
    let values = SAMPLES.map(|sample| size.eval(&|_| Some(sample)).map_or(UNKNOWN, |value| value as f64));
    values.into_iter().fold(1.0, f64::max).min(UNKNOWN)
}
