//! How far apart the elements are that a computation reads in consecutive iterations of a loop.
//!
//! In: a readable term. Out: for every array in memory that it reads, the distance between elements along
//! each of its dimensions and along each variable of a map or fold around. Distances are classes, not
//! numbers: what is not understood is [`Stride::Far`].

mod reads;

use crate::expr::{Arg, Expr, Kind, Lambda, Param, Primitive};
use crate::names::Name;
use crate::nat::{Atom, Nat, NatVar};
use crate::rewrite::context::Context;
use crate::types::DataType;

use super::before::in_memory;
use reads::{Dim, array, element, far, take_first};
pub use reads::{FEW, Leaf, Reads, Stride};

/// What goes round by so much or more does so seldom.
const LONG: i64 = 16;

/// What is known about variables.
#[derive(Default)]
pub struct Known {
    values: Vec<(Param, Value)>,
    nats: Vec<Index>,
    /// Whether what lies where data say is as good as close.
    gathers: bool,
    /// Whether what goes round seldom is as good as close.
    rounds: bool,
    /// Whether results of the loop around will be lanes.
    lanes: bool,
    small: Small,
}

/// Lanes for numbers of 8 and 16 bits.
#[derive(Default)]
struct Small {
    /// Whether there are none.
    are_lacking: bool,
    /// Whether anybody asked.
    are_asked_for: bool,
}

/// What a variable stands for.
enum Value {
    /// This.
    Reads(Reads),
    /// The elements of an array, in which nobody was interested yet.
    Elements {
        /// The array.
        xs: Expr,
        /// How many naturals were known then, and what was said of data.
        nats: usize,
        gathers: bool,
    },
}

/// The term with its operands and the bodies of its functions changed by a walker, which knows the variables there.
pub fn descend<W>(
    walker: &mut W,
    known: fn(&mut W) -> &mut Known,
    expr: &Expr,
    change: fn(&mut W, &Expr) -> Expr,
) -> Expr {
    let kind = match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => return expr.clone(),
        Kind::Let(param, value, body) => {
            let reads = known(walker).named(value);
            let value = change(walker, value);
            known(walker).push(param, reads);
            let body = change(walker, body);
            known(walker).pop();
            Kind::Let(param.clone(), value, body)
        }
        Kind::Prim(primitive, args) => {
            let xs = args.last().and_then(Arg::as_expr);
            let args = args.iter().map(|arg| match arg {
                Arg::Expr(inner) => Arg::Expr(change(walker, inner)),
                Arg::Fun(f) => {
                    let entered = known(walker).enter(primitive, f, xs);
                    let body = change(walker, &f.body);
                    if entered {
                        known(walker).pop();
                    }
                    Arg::Fun(Lambda { body, ..f.clone() })
                }
            });
            Kind::Prim(primitive.clone(), args.collect())
        }
    };
    expr.clone().with_kind(kind)
}

impl Known {
    /// For a pass that may [ask](Known::has_small) for lanes of small numbers, and what it makes.
    pub fn asking<T>(cx: &mut Context, pass: impl FnOnce(&mut Known) -> T) -> T {
        let mut known = Known::default();
        known.small.are_lacking = !cx.would_have_small();
        let made = pass(&mut known);
        if known.small.are_asked_for {
            cx.has_small();
        }
        made
    }

    /// Whether there are lanes for numbers of 8 and 16 bits.
    pub fn has_small(&mut self) -> bool {
        self.small.are_asked_for = true;
        !self.small.are_lacking
    }

    /// What the term reads; memory lies row by row.
    pub fn reads(&mut self, expr: &Expr) -> Reads {
        match expr.kind() {
            Kind::Literal(_) => Reads::none(),
            Kind::Nat(nat) => self.natural(nat),
            Kind::Var(name) => self.variable(name).unwrap_or_else(|| stored(expr.ty())),
            Kind::Let(param, value, body) => {
                let value = self.named(value);
                self.with(param, value, |known| known.reads(body))
            }
            Kind::Prim(primitive, args) => self.primitive(expr, primitive, args),
        }
    }

    /// What is read through a name for the term.
    pub fn named(&mut self, value: &Expr) -> Reads {
        self.reads(&in_memory(value))
    }

    /// What is read for a natural: that of which data say its value.
    fn natural(&mut self, nat: &Nat) -> Reads {
        let is_part = |(param, _): &&(Param, Value)| param.nat.as_ref().is_some_and(|var| nat.mentions(var));
        let parts: Vec<Name> =
            self.values.iter().filter(is_part).map(|(param, _)| param.name.clone()).collect();
        let reads = parts.iter().filter_map(|name| self.variable(name));
        Reads::of(reads.flat_map(|reads| reads.leaves()).collect::<Vec<_>>())
    }

    /// What a variable stands for, if that is known.
    fn variable(&mut self, name: &Name) -> Option<Reads> {
        let at = self.values.iter().rposition(|(param, _)| param.name == *name)?;
        if let Value::Elements { xs, nats, gathers } = &self.values[at].1 {
            let (xs, nats, gathers) = (xs.clone(), *nats, *gathers);
            // Where the array stands, nothing is known that came later.
            let (later, later_nats) = (self.values.split_off(at), self.nats.split_off(nats));
            let reads = self.gathering(gathers, |known| element(known.reads(&xs), name));
            self.values.extend(later);
            self.nats.extend(later_nats);
            self.values[at].1 = Value::Reads(reads);
        }
        match &self.values[at].1 {
            Value::Reads(reads) => Some(reads.clone()),
            Value::Elements { .. } => None,
        }
    }

    /// From now on the variable stands for the value.
    pub fn push(&mut self, param: &Param, value: Reads) {
        self.values.push((param.clone(), Value::Reads(value)));
    }

    /// From now on a function's variable stands for what it is given of the primitive's last argument: its elements,
    /// or in each step of `iterate` an array in memory. Whether there is something to forget.
    fn enter(&mut self, primitive: &Primitive, f: &Lambda, xs: Option<&Expr>) -> bool {
        let Some(param) = f.params.last() else { return false };
        let value = match xs {
            _ if matches!(primitive, Primitive::Iterate(_)) => return false,
            None if !matches!(primitive, Primitive::Generate) => return false,
            None => Value::Reads(Reads::none()),
            Some(xs) => Value::Elements { xs: xs.clone(), nats: self.nats.len(), gathers: self.gathers },
        };
        self.values.push((param.clone(), value));
        self.counts(param, xs);
        true
    }

    /// The variable is the number of the iteration, if it is that of a `generate` or of a map over indices.
    fn counts(&mut self, param: &Param, xs: Option<&Expr>) {
        if let (Some(nat), None | Some(true)) = (&param.nat, xs.map(are_indices)) {
            let below = if let DataType::Idx(below) = &param.ty { Some(below.clone()) } else { None };
            self.nats.push(Index { var: nat.clone(), name: param.name.clone(), below });
        }
    }

    /// Forgets the latest variable.
    pub fn pop(&mut self) {
        let Some((param, _)) = self.values.pop() else { return };
        self.nats.pop_if(|index| index.name == param.name);
    }

    /// What `inner` reads where the variable stands for the value.
    pub fn with<R>(&mut self, param: &Param, value: Reads, inner: impl FnOnce(&mut Self) -> R) -> R {
        self.push(param, value);
        let result = inner(self);
        self.pop();
        result
    }

    /// The same where the variable stands for the elements of an array.
    pub fn under<R>(&mut self, f: &Lambda, xs: &Expr, inner: impl FnOnce(&mut Self) -> R) -> R {
        let reads = self.reads(xs);
        match f.params.last() {
            Some(param) => {
                self.push(param, element(reads, &param.name));
                self.counts(param, Some(xs));
                let result = inner(self);
                self.pop();
                result
            }
            None => inner(self),
        }
    }

    /// The same where what lies where data say may be as good as close.
    pub fn gathering<R>(&mut self, gathers: bool, inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.gathers, gathers);
        let result = inner(self);
        self.gathers = before;
        result
    }

    /// The same where what goes round seldom is as good as close.
    pub fn in_rounds<R>(&mut self, inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.rounds, true);
        let result = inner(self);
        self.rounds = before;
        result
    }

    /// The same where results of the loop around will be lanes, or may not.
    pub fn in_lanes<R>(&mut self, lanes: bool, inner: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.lanes, lanes);
        let result = inner(self);
        self.lanes = before;
        result
    }

    /// Whether they will.
    pub fn are_lanes(&self) -> bool {
        self.lanes
    }

    /// The same inside a function of a primitive with that last argument.
    pub fn inside<R>(
        &mut self,
        primitive: &Primitive,
        f: &Lambda,
        xs: Option<&Expr>,
        inner: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let entered = self.enter(primitive, f, xs);
        let result = inner(self);
        if entered {
            self.pop();
        }
        result
    }

    fn primitive(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg]) -> Reads {
        use Primitive::*;
        let operand = |known: &mut Self, position: usize| known.reads(args[position].expr());
        match (primitive, args) {
            (Map(_), [Arg::Fun(f), _]) if is_scan(&f.body) => stored(expr.ty()),
            (Map(_), [Arg::Fun(f), Arg::Expr(xs)]) => {
                let reads = self.under(f, xs, |known| known.reads(&f.body));
                f.params.first().map_or(Reads::none(), |param| array(reads, &param.name))
            }
            (Reduce(_), [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)]) => {
                let start = self.reads(start).leaves();
                let inside = self.folded(f, xs);
                let has_array = expr.ty().as_array().is_some();
                let mut leaves: Vec<Leaf> = inside.into_iter().chain(start).collect();
                if has_array {
                    leaves
                        .iter_mut()
                        .for_each(|leaf| leaf.dims.iter_mut().for_each(|dim| *dim = Dim::of(Stride::Far)));
                }
                Reads::of(leaves)
            }
            (Generate, [Arg::Fun(f)]) => {
                let Some(param) = f.params.first() else { return Reads::none() };
                array(self.inside(primitive, f, None, |known| known.reads(&f.body)), &param.name)
            }
            (Idx, [index, xs]) => self.indexed(index.expr(), xs.expr()),
            (Zip | Tuple, _) => {
                Reads::Parts((0..args.len()).map(|position| operand(self, position)).collect())
            }
            (Proj(position), _) => operand(self, 0).part(*position),
            (Transpose, _) => operand(self, 0).dims(|dims| {
                if dims.len() > 1 {
                    dims.swap(0, 1);
                }
            }),
            (Split(length), _) => operand(self, 0).dims(|dims| {
                let pieces = take_first(dims).split(length);
                dims.splice(0..0, pieces);
            }),
            (Join, [rows]) => {
                let length = inner_length(rows.expr().ty());
                operand(self, 0).dims(|dims| {
                    let (outer, row) = (take_first(dims), take_first(dims));
                    dims.insert(0, outer.joined(row, &length));
                })
            }
            (Slide(size, step), _) => operand(self, 0).dims(|dims| {
                let first = take_first(dims);
                dims.splice(0..0, [first.windows(size, step), first]);
            }),
            // Rows of any length, which begin where the one before ends.
            (Partition(..), _) => operand(self, 0).dims(|dims| dims.insert(0, Dim::of(Stride::Far))),
            (ToMem(_), _) => stored(expr.ty()),
            (Drop(first), _) => {
                let reads = operand(self, 0);
                self.shifted(reads, first)
            }
            (Take(_) | PadClamp(..), _) => operand(self, args.len() - 1),
            (PadCst(..), [_, Arg::Expr(xs)]) => self.reads(xs),
            (Reorder(..) | Gather, _) => operand(self, args.len() - 1).dims(|dims| far(dims)),
            _ if expr.ty().is_small() => {
                Reads::of(args.iter().flat_map(|arg| self.reads(arg.expr()).leaves()))
            }
            _ => unknown(expr.ty(), args.iter().flat_map(|arg| self.reads(arg.expr()).leaves()).collect()),
        }
    }

    /// Whether some elements lie side by side along a variable around.
    pub fn are_beside_others(&self, leaves: &[Leaf]) -> bool {
        self.values.iter().any(|(param, _)| leaves.iter().any(|leaf| leaf.along(&param.name) == Stride::Next))
    }

    /// What the steps of a fold read; along the variable of the elements.
    pub fn folded(&mut self, f: &Lambda, xs: &Expr) -> Vec<Leaf> {
        let Some(acc) = f.params.first() else { return Vec::new() };
        self.with(acc, Reads::none(), |known| known.under(f, xs, |known| known.reads(&f.body)).leaves())
    }

    /// What lies so many elements further on.
    fn shifted(&self, reads: Reads, by: &Nat) -> Reads {
        let steps = self.steps(Some(by));
        reads.each(&mut |mut leaf| {
            steps.iter().for_each(|(name, step)| leaf.push(name, leaf.first_dim().times(*step)));
            leaf
        })
    }

    /// How far such a position moves with each variable that it depends on; without a position all that may matter.
    fn steps(&self, position: Option<&Nat>) -> Vec<(Name, Stride)> {
        (self.nats.iter())
            .filter(|index| position.is_none_or(|nat| nat.mentions(&index.var)))
            .map(|index| (index.name.clone(), index.step(position, self.rounds)))
            .collect()
    }

    fn indexed(&mut self, index: &Expr, xs: &Expr) -> Reads {
        let used = self.reads(index).leaves();
        let position = match index.kind() {
            Kind::Nat(nat) => Some(nat.clone()),
            _ => None,
        };
        let steps = self.steps(position.as_ref());
        let data: Vec<Name> =
            used.iter().flat_map(|leaf| leaf.at.iter().map(|(name, _)| name.clone())).collect();
        let gathers = self.gathers;
        self.reads(xs).each(&mut |mut leaf| {
            let first = take_first(&mut leaf.dims);
            steps.iter().for_each(|(name, step)| leaf.push(name, first.times(*step)));
            if !gathers {
                data.iter().for_each(|name| leaf.push(name, Dim::of(Stride::Far)));
            }
            leaf
        })
    }
}

/// Whether it is a scan, or a map of scans: the whole lies in memory before anything is read of it.
fn is_scan(expr: &Expr) -> bool {
    match expr.as_prim() {
        Some((Primitive::Scan(_), _)) => true,
        Some((Primitive::Map(_), [Arg::Fun(f), _])) => is_scan(&f.body),
        _ => false,
    }
}

/// Whether each element is its index.
fn are_indices(xs: &Expr) -> bool {
    let Some((Primitive::Generate, [Arg::Fun(f)])) = xs.as_prim() else { return false };
    let index = f.params.first().and_then(|param| param.nat.as_ref());
    matches!((f.body.kind(), index), (Kind::Nat(nat), Some(index)) if nat.as_var() == Some(index))
}

/// A variable that counts iterations.
struct Index {
    var: NatVar,
    name: Name,
    /// How many there are.
    below: Option<Nat>,
}

impl Index {
    fn step(&self, position: Option<&Nat>, rounds: bool) -> Stride {
        match position.and_then(|nat| self.inside(nat, rounds).affine_in(&self.var)) {
            Some((step, _)) if step.is_one() => Stride::Next,
            _ => Stride::Far,
        }
    }

    /// Whether what goes round by so much does so at the last iterations alone, or, if that is good enough, seldom.
    fn goes_on(&self, by: &Nat, rounds: bool) -> bool {
        let is_long = !by.mentions(&self.var) && by.as_const().is_none_or(|by| by >= LONG);
        rounds && is_long || Some(by) == self.below.as_ref()
    }

    /// The position away from where it goes round, which it does seldom, or is clamped.
    fn inside(&self, position: &Nat, rounds: bool) -> Nat {
        position.map_atoms(&mut |atom| match atom {
            Atom::Mod(x, by) if self.goes_on(by, rounds) => Some(self.inside(x, rounds)),
            Atom::Min(a, b) | Atom::Max(a, b) => match (a.mentions(&self.var), b.mentions(&self.var)) {
                (true, false) => Some(self.inside(a, rounds)),
                (false, true) => Some(self.inside(b, rounds)),
                _ => None,
            },
            _ => None,
        })
    }
}

/// Memory, row by row.
fn stored(ty: &DataType) -> Reads {
    let (mut lengths, mut element) = (Vec::new(), ty);
    while let Some((length, inner)) = element.as_array() {
        lengths.push(length);
        element = inner;
    }
    let is_scalar = matches!(element, DataType::Scalar(_));
    let is_shuffled = is_few_numbers(element);
    let (mut dims, mut by) = (Vec::new(), Nat::lit(1));
    for (position, length) in lengths.iter().rev().enumerate() {
        let stride = if position == 0 && is_scalar { Stride::Next } else { Stride::Far };
        let whole = &by * *length;
        let is_row = is_scalar && by.as_const().is_some_and(|by| (2..=FEW).contains(&by));
        let is_shuffled = is_row || position == 0 && is_shuffled;
        let by = Some(std::mem::replace(&mut by, whole));
        dims.insert(0, Dim { by, is_shuffled, ..Dim::of(stride) });
    }
    match (element, dims.is_empty()) {
        (DataType::Tuple(parts), true) => Reads::Parts(parts.iter().map(stored).collect()),
        (_, true) => Reads::none(),
        _ => Reads::Leaves(vec![Leaf { dims, at: Vec::new() }]),
    }
}

/// Whether the type is a tuple of few numbers of one type.
fn is_few_numbers(ty: &DataType) -> bool {
    let Some(parts) = ty.as_tuple() else { return false };
    let is_few = i64::try_from(parts.len()).is_ok_and(|count| count <= FEW);
    is_few && parts.iter().all(|part| matches!(part, DataType::Scalar(_)) && *part == parts[0])
}

/// The length of the rows of an array of arrays.
fn inner_length(ty: &DataType) -> Nat {
    let row = ty.as_array().and_then(|(_, row)| row.as_array());
    row.map_or(Nat::lit(0), |(length, _)| length.clone())
}

/// Arrays in a form that is not followed.
fn unknown(ty: &DataType, leaves: Vec<Leaf>) -> Reads {
    let mut count = 0;
    let mut inner = ty;
    while let Some((_, element)) = inner.as_array() {
        count += 1;
        inner = element;
    }
    let dims = vec![Dim::of(Stride::Far); count];
    Reads::of(leaves.into_iter().map(|leaf| Leaf { dims: dims.clone(), ..leaf }))
}
