//! The cheapest valid mapping of a kernel, found without trying all.
//!
//! The cost of a kernel is the sum over its outermost maps, and constraints speak of nests, so each outermost map is
//! searched on its own; the stages then see the best of them together, the cheapest combination first.

use crate::backend::opencl::Plan;
use crate::dpia::functional::Target;
use crate::expr::{Kernel, MapForm};
use crate::loops::Role;
use crate::rewrite::lower;

use super::cost::Costs;
use super::{CONSTRAINTS, Found, Mapping, Place, forms, loops, mapped, planned};

/// Maps of a nest that are not sequential from the start.
const SEARCHED: usize = 5;
/// How often all stages are asked.
const TRIES: usize = 24;
/// Elements of a group's memory: every device has room for so many.
const LOCAL: i64 = 2048;

/// The kernel with the cheapest mapping that all stages accept, lowered, if one of the best is.
pub fn cheapest(kernel: &Kernel) -> Option<Kernel> {
    let found = loops(kernel);
    let roots: Vec<usize> = (0..found.maps.len()).filter(|at| found.maps[*at].around.is_empty()).collect();
    // Costs and forms of each nest, the cheapest first.
    let nests: Vec<Vec<(f64, Vec<MapForm>)>> = roots
        .iter()
        .enumerate()
        .map(|(at, root)| nest(&found, *root, roots.get(at + 1).copied().unwrap_or(found.maps.len())))
        .collect();
    let lowered = |forms: Vec<MapForm>| lower(&mapped(kernel, &Mapping(forms)), Target::OpenCl);
    combinations(&nests).into_iter().find_map(|ranks| {
        let lowered =
            lowered(nests.iter().zip(ranks).flat_map(|(nest, rank)| nest[rank].1.clone()).collect());
        planned(&lowered).is_ok_and(|plan| fits(&plan)).then_some(lowered)
    })
}

/// The kernel on one work-item, lowered.
pub fn sequential(kernel: &Kernel) -> Kernel {
    let form = |place: &Place| if place.read { MapForm::Plain } else { MapForm::Seq };
    lower(&mapped(kernel, &Mapping(loops(kernel).maps.iter().map(form).collect())), Target::OpenCl)
}

/// Whether every device has enough memory for a group, whatever the sizes.
fn fits(plan: &Plan) -> bool {
    let local = plan.kernel.buffers.iter().filter(|buffer| buffer.role == Role::Local);
    let all = local.map(|buffer| buffer.len.as_const()).try_fold(0_i64, |all, len| all.checked_add(len?));
    all.is_some_and(|all| all <= LOCAL)
}

/// The best forms of the maps from `root` to `end`.
fn nest(found: &Found, root: usize, end: usize) -> Vec<(f64, Vec<MapForm>)> {
    let mut all = vec![Vec::new()];
    let mut open = 0;
    for place in &found.maps[root..end] {
        let alternatives = alternatives(place, open < SEARCHED);
        open += usize::from(alternatives.len() > 1);
        let longer = |chosen: Vec<MapForm>| {
            let around: Vec<MapForm> = place.around.iter().map(|at| chosen[at - root]).collect();
            let fitting = alternatives
                .iter()
                .filter(move |form| CONSTRAINTS.iter().all(|constraint| (constraint.holds)(**form, &around)));
            fitting.map(|form| [&chosen[..], &[*form]].concat()).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all.push(in_groups(&found.maps[root..end], root));
    all.retain(|chosen| has_first_dimensions(chosen));
    all.retain(|chosen| (root..end).all(|at| found.is_possible(at, &|at| chosen[at - root])));
    let mut forms = vec![MapForm::Plain; found.maps.len()];
    let mut priced: Vec<(f64, Vec<MapForm>)> = all
        .into_iter()
        .map(|chosen| {
            forms[root..end].copy_from_slice(&chosen);
            (Costs::of(found, &forms).within(&|at| (root..end).contains(&at)), chosen)
        })
        .collect();
    priced.sort_by(|a, b| a.0.total_cmp(&b.0));
    priced.truncate(TRIES);
    priced
}

/// A group for each iteration of the outermost map, and a work-item for each of those in it: what a search of a few maps
/// does not come to where there are many in a row.
fn in_groups(maps: &[Place], root: usize) -> Vec<MapForm> {
    let form = |place: &Place| match &place.around[..] {
        _ if place.read => MapForm::Plain,
        [] => MapForm::WorkGroup(0),
        [outermost] if *outermost == root => MapForm::Local(0),
        _ => MapForm::Seq,
    };
    maps.iter().map(form).collect()
}

/// Whether work-items are beside each other in dimension 0 if they are in another.
fn has_first_dimensions(forms: &[MapForm]) -> bool {
    let all = [MapForm::Global, MapForm::WorkGroup, MapForm::Local];
    all.into_iter().all(|form| !forms.contains(&form(1)) || forms.contains(&form(0)))
}

/// What may become of a map: dimension 2 is as good as 1.
fn alternatives(place: &Place, searched: bool) -> Vec<MapForm> {
    if place.read {
        return vec![MapForm::Plain];
    }
    if !searched {
        return vec![MapForm::Seq];
    }
    let third = [MapForm::Global(2), MapForm::WorkGroup(2), MapForm::Local(2)];
    forms(place).into_iter().filter(|form| !third.contains(form)).collect()
}

/// Ranks of one mapping for each nest, those of the least cost first.
fn combinations(nests: &[Vec<(f64, Vec<MapForm>)>]) -> Vec<Vec<usize>> {
    let mut all: Vec<(f64, Vec<usize>)> = vec![(0.0, Vec::new())];
    for nest in nests {
        let longer = |(cost, ranks): (f64, Vec<usize>)| {
            let more = nest.iter().enumerate();
            more.map(|(rank, (own, _))| (cost + own, [&ranks[..], &[rank]].concat())).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(longer).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.truncate(TRIES);
    }
    all.into_iter().map(|(_, ranks)| ranks).collect()
}
