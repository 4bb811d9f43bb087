//! Which mappings of a kernel to a device are valid ("Mapping Parallelism in a Functional IR", section 4).
//!
//! In: a kernel whose maps are open. Out: every assignment of levels and dimensions to its maps that all stages
//! accept, and what each would cost. An assignment is built map by map, outer maps first; whatever breaks one of
//! [`CONSTRAINTS`], which speak of the maps around, is not extended. What is complete goes through `lower` and
//! the stages after it, whose reasons therefore are the last word.
//!
//! What they cost is estimated in [`mod@cost`]; the default strategy takes the cheapest one ([`search`]).

mod cost;
mod search;

use std::fmt;

use crate::backend::opencl;
use crate::dpia::functional::{Target, from_expr};
use crate::dpia::imperative::translate;
use crate::expr::{AddressSpace, Arg, Expr, Kernel, Kind, MapForm, Primitive, occurrences};
use crate::loops::passes;
use crate::nat::Nat;
use crate::rewrite::lower;

pub use cost::by_cost;
pub use search::{cheapest, sequential};

/// A map that can be mapped.
#[derive(Clone, Debug)]
pub struct Place {
    /// What the user calls it, or its number.
    pub name: String,
    /// Positions of the maps around it, outermost first.
    pub around: Vec<usize>,
    /// The number of its iterations.
    pub len: Nat,
    /// Whether its elements may be looked at where they are used, so that it needs no loop of its own.
    pub read: bool,
    /// Whether its function gives no arrays.
    gives_values: bool,
    /// How many of the maps around share the memory that it is written to, if that is not a result's.
    stored: Option<usize>,
}

/// The open maps of a kernel, and its folds, for their costs.
#[derive(Default)]
struct Found {
    maps: Vec<Place>,
    folds: Vec<Fold>,
}

impl Found {
    /// Whether no loop is inside.
    fn is_innermost(&self, at: usize, forms: &dyn Fn(usize) -> MapForm) -> bool {
        !self.holds_maps(at, forms) && !self.folds.iter().any(|fold| fold.around.contains(&at))
    }

    /// Whether maps inside are loops.
    fn holds_maps(&self, at: usize, forms: &dyn Fn(usize) -> MapForm) -> bool {
        let mut inside = (at + 1..self.maps.len()).filter(|other| self.maps[*other].around.contains(&at));
        inside.any(|other| forms(other) != MapForm::Plain)
    }

    /// Whether nothing speaks against the form of a map that is easily seen: what is written to memory of a single
    /// work-item is not shared out, and what is written one by one is by the work-items of all groups around.
    fn is_possible(&self, at: usize, forms: &dyn Fn(usize) -> MapForm) -> bool {
        let Place { around, stored, gives_values, .. } = &self.maps[at];
        let sharers = around[..stored.unwrap_or(0)].iter().rev().map(|outer| forms(*outer));
        let owner = sharers.into_iter().find(|form| is_parallel(*form));
        if is_parallel(forms(at)) && matches!(owner, Some(MapForm::Global(_) | MapForm::Local(_))) {
            return false;
        }
        let has = |wanted: MapForm| around.iter().chain([&at]).any(|at| forms(*at) == wanted);
        forms(at) == MapForm::Plain
            || !gives_values && self.holds_maps(at, forms)
            || (0..3).all(|d| has(MapForm::WorkGroup(d)) == has(MapForm::Local(d)))
    }
}

/// A loop that stays sequential.
struct Fold {
    /// Positions of the maps around it, outermost first.
    around: Vec<usize>,
    /// The number of its iterations.
    len: Nat,
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
    loops(kernel).maps
}

fn loops(kernel: &Kernel) -> Found {
    let mut found = Found::default();
    collect(&kernel.body, Use::Written, &mut Vec::new(), &mut found);
    found
}

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is looked at where it is used.
    Read,
    /// It is part of a result.
    Written,
    /// It is written to memory that so many maps around it share.
    Stored(usize),
}

fn collect(expr: &Expr, usage: Use, around: &mut Vec<usize>, found: &mut Found) {
    use Primitive::*;
    if let Some(body) = used(expr) {
        return collect(body, usage, around, found);
    }
    match expr.kind() {
        Kind::Let(_, value, body) => {
            collect(value, Use::Read, around, found);
            collect(body, usage, around, found);
        }
        Kind::Prim(Map(MapForm::Plain), args) => {
            let [Arg::Fun(fun), array] = &args[..] else { return };
            let at = found.maps.len();
            let name =
                expr.labels().first().map_or_else(|| format!("map {}", at + 1), |label| format!("'{label}"));
            found.maps.push(Place {
                name,
                around: around.clone(),
                len: length(array),
                read: usage == Use::Read,
                stored: if let Use::Stored(by) = usage { Some(by) } else { None },
                gives_values: fun.body.ty().is_small(),
            });
            around.push(at);
            collect(&fun.body, usage, around, found);
            around.pop();
            collect(array.expr(), Use::Read, around, found);
        }
        Kind::Prim(primitive, args) => {
            if let (Reduce(_) | Scan(_), Some(array)) = (primitive, args.last()) {
                found.folds.push(Fold { around: around.clone(), len: length(array) });
            }
            // Through these a result is written; whatever else asks for a value looks at it.
            let usage = match primitive {
                ToMem(AddressSpace::Default) => Use::Stored(around.len()),
                ToMem(_) => Use::Written,
                _ if is_written_through(primitive) => usage,
                _ => Use::Read,
            };
            args.iter().for_each(|arg| collect(arg.expr(), usage, around, found));
        }
        _ => {}
    }
}

/// Whether an array that is written may be this of arrays that are written.
fn is_written_through(primitive: &Primitive) -> bool {
    use Primitive::*;
    matches!(
        primitive,
        Join | Split(_)
            | Transpose
            | Reorder(..)
            | AsVector(_)
            | AsScalar
            | Concat
            | PadEmpty(_)
            | MakeArray
            | Select
            | Tuple
            | Zip
            | Unzip
    )
}

fn length(array: &Arg) -> Nat {
    array.expr().ty().as_array().map_or(Nat::lit(1), |(len, _)| len.clone())
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
    let mut forms = if place.read { vec![MapForm::Plain] } else { Vec::new() };
    forms.push(MapForm::Seq);
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
    planned(&lower(&mapped(kernel, mapping), Target::OpenCl)).err()
}

/// What device and host do for a kernel without open choices; the error is why they cannot.
fn planned(kernel: &Kernel) -> Result<opencl::Plan, String> {
    let functional = from_expr(kernel, Target::OpenCl).map_err(|wrong| {
        wrong.iter().map(crate::diagnostics::Diagnostic::headline).next().unwrap_or_default()
    })?;
    let mut loops = crate::loops::lower(&translate(&functional));
    passes::run(&mut loops, &passes::Options::DEVICE).map_err(|large| large.to_string())?;
    opencl::plan(&loops)
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
                MapForm::Plain => f.write_str("map")?,
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
