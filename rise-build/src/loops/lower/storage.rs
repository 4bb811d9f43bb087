//! Parameters, results and temporaries: which buffers and registers hold a type, and where a path leads in
//! them.

use std::sync::Arc;

use crate::dpia::imperative;
use crate::expr;
use crate::nat::Nat;
use crate::types::DataType;

use super::super::ir::*;
use super::env::{Env, Held, Meaning, Storage};
use super::{Lowering, Path, Step, bug, layout};
use crate::names::Name;

/// Where a path leads.
#[derive(Clone)]
pub(super) enum Place {
    /// Memory, its type if it holds naturals, and one lane of a vector that is a component of a tuple.
    Memory(Access, Option<DataType>, Option<Nat>),
    /// A register, or one lane of it.
    Register(Name, ValueType, Option<DataType>, Option<Nat>),
    /// A natural of the caller.
    Nat(Nat),
}

impl Lowering {
    pub(super) fn param(&mut self, param: &expr::Param, env: &mut Env) -> Param {
        let mut arrived = Vec::new();
        let held = (layout::parts(&param.ty).iter().enumerate())
            .map(|(position, ty)| {
                let held = match ty {
                    DataType::Array(..) | DataType::DepArray(..) => {
                        let name = part_name(param, position);
                        Held::Buffer(self.buffer(callers(name, ty, Role::Input)))
                    }
                    DataType::Nat | DataType::Idx(_) => {
                        let var =
                            param.nat.clone().unwrap_or_else(|| crate::nat::NatVar::new(param.name.text()));
                        self.natural_fact(&var, ty);
                        Held::Nat(var)
                    }
                    small => {
                        let (scalar, lanes) = layout::held(small);
                        Held::Register(param.name.refresh(), ValueType { scalar, lanes })
                    }
                };
                arrived.push(match &held {
                    Held::Buffer(id) => Part::Buffer(*id),
                    Held::Nat(var) => Part::Nat(var.clone()),
                    Held::Register(name, ty) => Part::Scalar(name.clone(), *ty),
                });
                held
            })
            .collect();
        let storage = Storage { ty: param.ty.clone(), parts: held, packed: true };
        *env = env.with(&param.name, Meaning::Storage(Arc::new(storage)));
        Param { name: param.name.text().into(), ty: param.ty.clone(), parts: arrived }
    }

    pub(super) fn output(&mut self, output: &imperative::Output, env: &mut Env) -> Output {
        let buffer = self.buffer(callers(output.name.text().into(), &output.ty, Role::Output));
        let storage = Storage { ty: output.ty.clone(), parts: vec![Held::Buffer(buffer)], packed: true };
        *env = env.with(&output.name, Meaning::Storage(Arc::new(storage)));
        Output { ty: output.ty.clone(), buffer }
    }

    /// Where a path leads in a memory.
    pub(super) fn locate(&self, storage: &Storage, path: Path) -> Place {
        let (part, ty, steps) =
            if storage.packed { caller_part(storage, path) } else { temporary_part(storage, path) };
        let (leaf, offset, component, lane) = walk(&ty, &steps);
        let natural = layout::is_natural(&leaf).then(|| leaf.clone());
        match &storage.parts[part] {
            Held::Nat(var) => Place::Nat(Nat::var(var)),
            Held::Register(name, ty) => Place::Register(name.clone(), *ty, natural, lane),
            Held::Buffer(buffer) => {
                let lanes = layout::held(&leaf).1;
                let (index, lanes, lane) = match lane {
                    Some(lane) if lanes > 1 && component.is_empty() => (offset + lane, 1, None),
                    lane => (offset, lanes, lane.filter(|_| lanes > 1)),
                };
                let index = self.facts.simplify(&index);
                Place::Memory(
                    Access { buffer: *buffer, index, path: component, lanes, streams: false },
                    natural,
                    lane,
                )
            }
        }
    }
}

fn part_name(param: &expr::Param, position: usize) -> String {
    match param.ty.as_tuple() {
        Some(_) => format!("{}_{position}", param.name.text()),
        None => param.name.text().into(),
    }
}

/// The caller's memory for an array, or for a result of any type but a tuple.
fn callers(name: String, ty: &DataType, role: Role) -> Buffer {
    Buffer {
        name,
        element: callers_element(ty),
        len: layout::size(ty),
        role,
        values: Vec::new(),
        goes_round: false,
    }
}

fn callers_element(ty: &DataType) -> Element {
    match ty {
        DataType::Array(_, element) | DataType::DepArray(_, _, element) => callers_element(element),
        DataType::Scalar(scalar) | DataType::Vector(scalar, _) => Element::Scalar(*scalar),
        DataType::Nat | DataType::Idx(_) => Element::Index,
        DataType::Tuple(parts) => Element::Tuple(parts.clone()),
    }
}

/// Which part of a parameter the path is in, the part's type and the rest of the path.
fn caller_part(storage: &Storage, mut path: Path) -> (usize, DataType, Path) {
    let (mut part, mut ty) = (0, storage.ty.clone());
    while let DataType::Tuple(components) = &ty {
        let Some(Step::Proj(position)) = path.pop() else { bug(format_args!("a whole {ty} is read")) };
        part += components[..position].iter().map(|ty| layout::parts(ty).len()).sum::<usize>();
        let component = components[position].clone();
        ty = component;
    }
    (part, ty, path)
}

/// Which leaf of a temporary the path is in, the leaf's type and the path without components.
fn temporary_part(storage: &Storage, path: Path) -> (usize, DataType, Path) {
    let mut part = 0;
    let mut components = path.iter().rev().filter_map(|step| match step {
        Step::Proj(position) => Some(*position),
        _ => None,
    });
    let ty = leaf_type(&storage.ty, &mut components, &mut part);
    let steps = path.iter().filter(|step| !matches!(step, Step::Proj(_))).cloned().collect();
    (part, ty, steps)
}

fn leaf_type(ty: &DataType, components: &mut dyn Iterator<Item = usize>, part: &mut usize) -> DataType {
    match ty {
        DataType::Tuple(parts) => {
            let Some(position) = components.next() else { bug(format_args!("a whole {ty} is read")) };
            *part += parts[..position].iter().map(|ty| layout::leaves(ty).len()).sum::<usize>();
            leaf_type(&parts[position], components, part)
        }
        DataType::Array(len, element) => DataType::array(len.clone(), leaf_type(element, components, part)),
        DataType::DepArray(len, var, element) => {
            DataType::DepArray(len.clone(), var.clone(), Arc::new(leaf_type(element, components, part)))
        }
        small => small.clone(),
    }
}

/// The type, the flat offset, the component inside an element, and the lane at the end of a path.
fn walk(ty: &DataType, path: &[Step]) -> (DataType, Nat, Vec<usize>, Option<Nat>) {
    let (mut ty, mut offset, mut component, mut lane) = (ty.clone(), Nat::lit(0), Vec::new(), None);
    for step in path.iter().rev() {
        match (step, &ty) {
            (Step::Index(index), _) => {
                offset = offset + layout::skip(&ty, index);
                ty = layout::element(&ty, index);
            }
            (Step::Proj(position), DataType::Tuple(parts)) => {
                component.push(*position);
                let part = parts[*position].clone();
                ty = part;
            }
            (Step::Lane(index), _) => lane = Some(index.clone()),
            (step, ty) => bug(format_args!("{step:?} of {ty}")),
        }
    }
    if !ty.is_small() || ty.as_tuple().is_some() {
        bug(format_args!("a whole {ty} is read"));
    }
    (ty, offset, component, lane)
}
