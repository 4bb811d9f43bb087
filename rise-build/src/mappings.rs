//! Which mappings of a kernel to a device are valid ("Mapping Parallelism in a Functional IR", section 4).
//!
//! In: a kernel whose maps are open. Out: every assignment of levels and dimensions to its maps that all stages
//! accept, and what each would cost. An assignment is built map by map, outer maps first; whatever breaks one of
//! [`CONSTRAINTS`], which speak of the maps around, is not extended. What is complete goes through `lower` and
//! the stages after it, whose reasons therefore are the last word.
//!
//! # The cost model
//!
//! Sizes that nobody knows count as [`UNKNOWN`]. A chain is a map with no map inside, and the maps around it. Its
//! cost is the number of its iterations divided by how many of them run at once: the product of its parallel
//! lengths, at most [`ITEMS`]. Where neighbouring work-items (dimension 0) do not run the innermost parallel map
//! they touch memory that is apart, and the cost doubles; lanes of a vector count as [`LANES_GAIN`] iterations at
//! once. A kernel costs the sum over its chains and [`GROUPS`] more where it forms work-groups.

use std::fmt;

use crate::backend::opencl;
use crate::dpia::functional::{Target, from_expr};
use crate::dpia::imperative::translate;
use crate::expr::{AddressSpace, Arg, Expr, Kernel, Kind, MapForm, Primitive, occurrences};
use crate::loops::{self, passes};
use crate::nat::Nat;
use crate::rewrite::lower;

/// What a size counts as that is no constant.
pub const UNKNOWN: f64 = 1024.0;
/// Work-items that run at once.
pub const ITEMS: f64 = 4096.0;
/// Iterations that a vector computes at once, whatever its width.
pub const LANES_GAIN: f64 = 2.0;
/// What work-groups cost.
pub const GROUPS: f64 = 64.0;

/// A map that can be mapped.
#[derive(Clone, Debug)]
pub struct Place {
    /// What the user calls it, or its number.
    pub name: String,
    /// Positions of the maps around it, outermost first.
    pub around: Vec<usize>,
    /// The number of its iterations.
    pub len: Nat,
}

/// A form for each map, in the order of [`places`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mapping(pub Vec<MapForm>);

/// What has to hold between a map and the maps around it.
pub struct Constraint {
    /// For readers.
    pub name: &'static str,
    /// Whether the form is right inside these, outermost first.
    pub holds: fn(MapForm, &[MapForm]) -> bool,
}

/// The constraints that can be checked before a mapping is complete.
pub const CONSTRAINTS: &[Constraint] = &[
    Constraint {
        name: "no level is used twice in one dimension of a nest",
        holds: |form, around| !is_parallel(form) || !around.contains(&form),
    },
    Constraint {
        name: "work-items of a group are inside the groups of their dimension",
        holds: |form, around| match form {
            MapForm::Local(d) => around.contains(&MapForm::WorkGroup(d)),
            _ => true,
        },
    },
    Constraint {
        name: "groups are outside of their work-items, and neither is mixed with global work-items",
        holds: |form, around| match form {
            MapForm::WorkGroup(_) => {
                !around.iter().any(|outer| matches!(outer, MapForm::Local(_) | MapForm::Global(_)))
            }
            MapForm::Global(_) => {
                !around.iter().any(|outer| matches!(outer, MapForm::Local(_) | MapForm::WorkGroup(_)))
            }
            _ => true,
        },
    },
];

fn is_parallel(form: MapForm) -> bool {
    matches!(form, MapForm::Global(_) | MapForm::WorkGroup(_) | MapForm::Local(_))
}

/// The maps of a kernel whose form is open, outside in and from left to right.
pub fn places(kernel: &Kernel) -> Vec<Place> {
    let mut found = Vec::new();
    collect(&kernel.body, &mut Vec::new(), &mut found);
    found
}

fn collect(expr: &Expr, around: &mut Vec<usize>, found: &mut Vec<Place>) {
    if let Some(body) = used(expr) {
        return collect(body, around, found);
    }
    let Some((Primitive::Map(MapForm::Plain), [Arg::Fun(fun), array])) = expr.as_prim() else {
        return expr.children().into_iter().for_each(|child| collect(child, around, found));
    };
    let at = found.len();
    let len = array.expr().ty().as_array().map_or(Nat::lit(1), |(len, _)| len.clone());
    let name = expr.labels().first().map_or_else(|| format!("map {}", at + 1), |label| format!("'{label}"));
    found.push(Place { name, around: around.clone(), len });
    around.push(at);
    collect(&fun.body, around, found);
    around.pop();
    collect(array.expr(), around, found);
}

/// The body of a `let` whose value nobody wants: what is in there is never run.
fn used(expr: &Expr) -> Option<&Expr> {
    match expr.kind() {
        Kind::Let(param, _, body) if param.nat.is_none() && occurrences(body, &param.name) == 0 => Some(body),
        _ => None,
    }
}

/// Every form that a map may take.
pub fn forms(place: &Place) -> Vec<MapForm> {
    let mut forms = vec![MapForm::Seq];
    forms.extend((0..3).map(MapForm::Global));
    forms.extend((0..3).map(MapForm::WorkGroup));
    forms.extend((0..3).map(MapForm::Local));
    if matches!(place.len.as_const(), Some(2 | 3 | 4 | 8 | 16)) {
        forms.push(MapForm::Vec);
    }
    forms
}

/// All valid mappings.
pub fn valid(kernel: &Kernel) -> Vec<Mapping> {
    valid_among(kernel, &forms)
}

/// All valid mappings with these forms.
pub fn valid_among(kernel: &Kernel, forms: &dyn Fn(&Place) -> Vec<MapForm>) -> Vec<Mapping> {
    let places = places(kernel);
    let mut found = Vec::new();
    extend(kernel, &places, forms, &mut Vec::new(), &mut found);
    found
}

fn extend(
    kernel: &Kernel,
    places: &[Place],
    forms: &dyn Fn(&Place) -> Vec<MapForm>,
    chosen: &mut Vec<MapForm>,
    found: &mut Vec<Mapping>,
) {
    let Some(place) = places.get(chosen.len()) else {
        let mapping = Mapping(chosen.clone());
        if refusal(kernel, &mapping).is_none() {
            found.push(mapping);
        }
        return;
    };
    let around: Vec<MapForm> = place.around.iter().map(|at| chosen[*at]).collect();
    for form in forms(place) {
        if CONSTRAINTS.iter().all(|constraint| (constraint.holds)(form, &around)) {
            chosen.push(form);
            extend(kernel, places, forms, chosen, found);
            chosen.pop();
        }
    }
}

/// Why a mapping cannot be compiled, if it cannot.
pub fn refusal(kernel: &Kernel, mapping: &Mapping) -> Option<String> {
    let lowered = lower(&mapped(kernel, mapping), Target::OpenCl);
    let functional = match from_expr(&lowered, Target::OpenCl) {
        Ok(functional) => functional,
        Err(wrong) => {
            return Some(
                wrong.iter().map(crate::diagnostics::Diagnostic::headline).next().unwrap_or_default(),
            );
        }
    };
    let mut loops = loops::lower(&translate(&functional));
    if let Err(large) = passes::run(&mut loops, &passes::Options::DEVICE) {
        return Some(large.to_string());
    }
    opencl::plan(&loops).err()
}

/// The kernel with forms for its maps; memory that was not given a place lies where those around share it.
pub fn mapped(kernel: &Kernel, mapping: &Mapping) -> Kernel {
    let mut forms = mapping.0.iter().copied();
    Kernel { body: choose(&kernel.body, &mut forms, &mut Vec::new()), ..kernel.clone() }
}

fn choose(expr: &Expr, forms: &mut dyn Iterator<Item = MapForm>, around: &mut Vec<MapForm>) -> Expr {
    if let Some(body) = used(expr) {
        return choose(body, forms, around);
    }
    match expr.as_prim() {
        Some((Primitive::Map(MapForm::Plain), [fun, array])) => {
            let form = forms.next().unwrap_or(MapForm::Plain);
            around.push(form);
            let fun = fun.with_expr(choose(fun.expr(), forms, around));
            around.pop();
            let array = array.with_expr(choose(array.expr(), forms, around));
            expr.clone().with_kind(Kind::Prim(Primitive::Map(form), vec![fun, array]))
        }
        Some((Primitive::ToMem(AddressSpace::Default), [value])) => {
            let space = shared_by(around);
            let value = value.with_expr(choose(value.expr(), forms, around));
            expr.clone().with_kind(Kind::Prim(Primitive::ToMem(space), vec![value]))
        }
        _ => crate::expr::map_children(expr, &mut |child| choose(child, forms, around)),
    }
}

fn shared_by(around: &[MapForm]) -> AddressSpace {
    match around.iter().rev().find(|form| is_parallel(**form)) {
        Some(MapForm::WorkGroup(_)) => AddressSpace::Local,
        Some(_) => AddressSpace::Private,
        None => AddressSpace::Global,
    }
}

/// The estimated cost of a mapping; see the module's text.
pub fn cost(kernel: &Kernel, mapping: &Mapping) -> f64 {
    let places = places(kernel);
    let inner = |at: usize| places.iter().any(|place| place.around.contains(&at));
    let chains = (0..places.len()).filter(|at| !inner(*at));
    let groups = mapping.0.iter().any(|form| matches!(form, MapForm::WorkGroup(_)));
    chains.map(|at| chain_cost(&places, mapping, at)).sum::<f64>() + if groups { GROUPS } else { 0.0 }
}

fn chain_cost(places: &[Place], mapping: &Mapping, innermost: usize) -> f64 {
    let chain: Vec<usize> = places[innermost].around.iter().copied().chain([innermost]).collect();
    let (mut all, mut at_once, mut lanes, mut nearest) = (1.0, 1.0, 1.0, None);
    for at in chain {
        let len = places[at].len.as_const().map_or(UNKNOWN, |len| len as f64);
        all *= len;
        match mapping.0[at] {
            form @ (MapForm::Global(_) | MapForm::WorkGroup(_) | MapForm::Local(_)) => {
                at_once *= len;
                nearest = Some(form);
            }
            MapForm::Vec => lanes = LANES_GAIN,
            _ => {}
        }
    }
    let apart = match nearest {
        Some(MapForm::Global(d) | MapForm::Local(d) | MapForm::WorkGroup(d)) => d != 0,
        _ => false,
    };
    all / f64::min(at_once, ITEMS) / lanes * if apart { 2.0 } else { 1.0 }
}

/// The mappings with the least cost first; equal ones stay in order.
pub fn by_cost(kernel: &Kernel, mappings: Vec<Mapping>) -> Vec<(f64, Mapping)> {
    let mut all: Vec<(f64, Mapping)> =
        mappings.into_iter().map(|mapping| (cost(kernel, &mapping), mapping)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// The strategy that chooses these forms, for maps with labels.
pub struct Shown<'a>(pub &'a [Place], pub &'a Mapping);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (place, form)) in self.0.iter().zip(&self.1.0).enumerate() {
            if at > 0 {
                f.write_str(" ; ")?;
            }
            match form {
                MapForm::Global(d) => write!(f, "mapGlobal({d})")?,
                MapForm::WorkGroup(d) => write!(f, "mapWorkGroup({d})")?,
                MapForm::Local(d) => write!(f, "mapLocal({d})")?,
                MapForm::Vec => f.write_str("mapVec")?,
                _ => f.write_str("mapSeq")?,
            }
            write!(f, " @ {}", place.name)?;
        }
        Ok(())
    }
}

/// All valid mappings with their costs, one a line, the cheapest first.
pub fn listed(kernel: &Kernel) -> String {
    let places = places(kernel);
    let all = by_cost(kernel, valid(kernel));
    let lines = all.iter().map(|(cost, mapping)| format!("{cost:>12.0}  {}\n", Shown(&places, mapping)));
    let count = format!("{} valid mappings of {} maps\n", all.len(), places.len());
    lines.fold(count, |text, line| text + &line)
}
