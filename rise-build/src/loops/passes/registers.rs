//! Small arrays become registers, one for each element or aligned group of elements.
//!
//! ```text
//! stack acc: [f32; 32]                 var acc0: f32x16
//! acc[0 ..16] = zero              →    var acc1: f32x16
//! acc[16 ..16] = zero                  acc0 = zero
//! …                                    acc1 = zero
//! ```
//!
//! An array is replaced if every access has a constant index; vectors must fall into aligned groups, whose width is
//! that of the widest access. Shorter ones that are read are halves of a register, or halves of these.

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::Literal;
use crate::names::Name;
use crate::types::Scalar;

use super::super::ir::*;
use super::super::walk::{self, VisitMut};
use super::{Options, TooLarge};

pub(super) fn run(kernel: &mut Kernel, options: &Options) -> Result<(), TooLarge> {
    let tiles = tiles(kernel, options);
    if !tiles.is_empty() {
        let mut loaded = BTreeSet::new();
        walk::accesses(&kernel.body, &mut |access, write| {
            if !write {
                loaded.insert(access.buffer);
            }
        });
        Replacer { tiles, loaded }.block(&mut kernel.body);
    }
    Ok(())
}

/// The registers that replace an array.
struct Tile {
    scalar: Scalar,
    /// Lanes of each register.
    width: u32,
    /// Whether elements may be read before they are written: other lanes of one that is written alone, and all
    /// in an exchange.
    zeroed: bool,
    registers: Vec<Name>,
}

impl Tile {
    fn ty(&self) -> ValueType {
        ValueType { scalar: self.scalar, lanes: self.width }
    }

    fn declare(&self, name: &Name) -> Stmt {
        let zero = || {
            let zero = Value::Literal(Literal::zero(self.scalar));
            if self.width == 1 { zero } else { Value::Broadcast(self.ty(), Box::new(zero)) }
        };
        Stmt::Var(name.clone(), self.ty(), self.zeroed.then(zero))
    }

    /// The register of an access, and the lane where that begins.
    fn find(&self, access: &Access) -> (Name, u32) {
        let index = access.index.as_const().unwrap_or(0) as u32;
        (self.registers[(index / self.width) as usize].clone(), index % self.width)
    }

    /// What an access reads.
    fn read(&self, access: &Access) -> Value {
        let (name, lane) = self.find(access);
        let register = Value::Var(name);
        match access.lanes {
            1 if self.width > 1 => Value::Lane(self.ty(), lane, Box::new(register)),
            lanes => part(register, self.ty(), lane, lanes),
        }
    }
}

/// So many lanes of a vector, from one on that is a multiple of them.
fn part(value: Value, ty: ValueType, lane: u32, lanes: u32) -> Value {
    if lanes == ty.lanes {
        return value;
    }
    let (half, upper) = (ty.half(), lane >= ty.lanes / 2);
    let value = Value::Half(ty, upper, Box::new(value));
    part(value, half, if upper { lane - half.lanes } else { lane }, lanes)
}

/// How an array is accessed so far.
struct Pattern {
    width: u32,
    /// Some element is written alone.
    scalar_writes: bool,
    possible: bool,
}

const IMPOSSIBLE: Pattern = Pattern { width: 1, scalar_writes: false, possible: false };

fn tiles(kernel: &Kernel, options: &Options) -> BTreeMap<BufferId, Tile> {
    let mut patterns: BTreeMap<BufferId, Pattern> = BTreeMap::new();
    let mut swaps = Vec::new();
    walk::stmts(&kernel.body, &mut |stmt| match stmt {
        Stmt::Swap(a, b) => swaps.push((*a, *b)),
        Stmt::Product(product) => {
            patterns.extend(product.matrices().map(|matrix| (matrix.first.buffer, IMPOSSIBLE)));
        }
        Stmt::Transpose(transpose) => {
            patterns.extend([&transpose.from, &transpose.to].map(|access| (access.buffer, IMPOSSIBLE)));
        }
        Stmt::StorePart(store) => drop(patterns.insert(store.to.buffer, IMPOSSIBLE)),
        _ => {}
    });
    walk::values(&kernel.body, &mut |value| {
        if let Value::Gather(access, ..) = value {
            patterns.insert(access.buffer, IMPOSSIBLE);
        }
    });
    let mut note = |access: &Access, write: bool, aligned: bool| {
        let buffer = kernel.buffer(access.buffer);
        let pattern = patterns.entry(access.buffer).or_insert(Pattern { possible: true, ..IMPOSSIBLE });
        let len = buffer.len.as_const().unwrap_or(i64::MAX);
        let inside = access.index.as_const().is_some_and(|i| i >= 0 && i + i64::from(access.lanes) <= len);
        pattern.scalar_writes |= write && access.lanes == 1;
        pattern.possible &= inside && buffer.role == Role::Stack && access.path.is_empty();
        if aligned {
            let index = access.index.as_const().unwrap_or(0);
            let (lanes, width) = (access.lanes, pattern.width);
            let halves = !write && lanes.is_power_of_two() && width.is_power_of_two();
            let fits = lanes == 1 || lanes == width || halves;
            pattern.possible &= fits && index % i64::from(lanes) == 0;
        } else {
            pattern.width = pattern.width.max(access.lanes);
        }
    };
    walk::accesses(&kernel.body, &mut |access, write| note(access, write, false));
    walk::accesses(&kernel.body, &mut |access, write| note(access, write, true));
    agree(&swaps, &mut patterns, kernel);
    let mut tiles = BTreeMap::new();
    for (id, pattern) in patterns {
        let buffer = kernel.buffer(id);
        let (Element::Scalar(scalar), Some(len)) = (&buffer.element, buffer.len.as_const()) else { continue };
        let count = (len + i64::from(pattern.width) - 1) / i64::from(pattern.width);
        if pattern.possible && count <= i64::from(options.registers) {
            let registers = (0..count).map(|i| match count {
                1 => Name::fresh(&buffer.name),
                _ => Name::fresh(&format!("{}{i}", buffer.name)),
            });
            let registers = registers.collect();
            let exchanged = swaps.iter().any(|(a, b)| [*a, *b].contains(&id));
            let zeroed = exchanged || pattern.width > 1 && pattern.scalar_writes;
            tiles.insert(id, Tile { scalar: *scalar, width: pattern.width, zeroed, registers });
        }
    }
    tiles
}

/// Arrays that are exchanged become registers of one shape, or none of them does.
fn agree(swaps: &[(BufferId, BufferId)], patterns: &mut BTreeMap<BufferId, Pattern>, kernel: &Kernel) {
    loop {
        let mut changed = false;
        for (a, b) in swaps {
            let shape =
                |id: &BufferId| patterns.get(id).filter(|p| p.possible).map(|p| (p.width, p.scalar_writes));
            let same_length = kernel.buffer(*a).len == kernel.buffer(*b).len;
            match (shape(a), shape(b)) {
                (None, None) => {}
                (Some((v, x)), Some((w, y))) if v == w && same_length => {
                    for id in [a, b] {
                        patterns.entry(*id).and_modify(|pattern| pattern.scalar_writes |= x || y);
                    }
                    changed |= x != y;
                }
                _ => {
                    for id in [a, b] {
                        patterns.insert(*id, IMPOSSIBLE);
                    }
                    changed = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

struct Replacer {
    tiles: BTreeMap<BufferId, Tile>,
    /// Arrays that are read by themselves, not only after an exchange.
    loaded: BTreeSet<BufferId>,
}

impl VisitMut for Replacer {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in std::mem::take(block) {
            match &stmt {
                Stmt::Alloc(id) => match self.tiles.get(id) {
                    Some(tile) => out.extend(tile.registers.iter().map(|name| tile.declare(name))),
                    None => out.push(stmt),
                },
                Stmt::Store(access, _) if self.tiles.contains_key(&access.buffer) => {
                    let Stmt::Store(access, mut value) = stmt else { continue };
                    self.value(&mut value);
                    let tile = &self.tiles[&access.buffer];
                    let (name, lane) = tile.find(&access);
                    let value = match access.lanes == tile.width {
                        true => value,
                        false => with_lane(&name, tile.ty(), lane, value),
                    };
                    out.push(Stmt::Set(name, value));
                }
                Stmt::Swap(a, b) if self.tiles.contains_key(a) => self.exchange(*a, *b, &mut out),
                _ => {
                    self.stmt(&mut stmt);
                    out.push(stmt);
                }
            }
        }
        *block = out;
    }

    fn value(&mut self, value: &mut Value) {
        if let Value::Load(access) = value {
            if let Some(tile) = self.tiles.get(&access.buffer) {
                *value = tile.read(access);
            }
            return;
        }
        walk::walk_value_mut(self, value);
    }
}

impl Replacer {
    /// Exchanges the values of registers; what nobody sees is not moved.
    fn exchange(&self, a: BufferId, b: BufferId, out: &mut Block) {
        if self.is_fresh(a, out) && !self.is_fresh(b, out) {
            return self.exchange(b, a, out);
        }
        let (first, second) = (&self.tiles[&a], &self.tiles[&b]);
        let fresh = self.is_fresh(b, out);
        for (x, y) in first.registers.iter().zip(&second.registers) {
            if fresh {
                out.push(Stmt::Set(x.clone(), Value::Var(y.clone())));
                continue;
            }
            let old = x.refresh();
            out.push(Stmt::Let(old.clone(), first.ty(), Value::Var(x.clone())));
            out.push(Stmt::Set(x.clone(), Value::Var(y.clone())));
            out.push(Stmt::Set(y.clone(), Value::Var(old)));
        }
    }

    /// Whether an array is only ever filled, completely and in this block, before it is exchanged: then what it gets
    /// in exchange is never seen.
    fn is_fresh(&self, id: BufferId, before: &[Stmt]) -> bool {
        let filled = |name: &Name| before.iter().any(|stmt| matches!(stmt, Stmt::Set(set, _) if set == name));
        !self.loaded.contains(&id) && self.tiles[&id].registers.iter().all(filled)
    }
}

/// A register with one lane replaced.
fn with_lane(name: &Name, ty: ValueType, lane: u32, value: Value) -> Value {
    let old = |lane| Value::Lane(ty, lane, Box::new(Value::Var(name.clone())));
    let lanes = (0..ty.lanes).map(|other| if other == lane { value.clone() } else { old(other) });
    Value::Lanes(ty, lanes.collect())
}
