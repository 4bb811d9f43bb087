//! Whether a fold over arrays can overwrite its accumulator while it reads it.
//!
//! In: the step of a fold. Out: whether each element of the new accumulator depends on its own old value alone,
//! or one element is replaced when all that it depends on has been read. The analysis follows what is written from
//! the whole accumulator inwards (the *cursor*) and demands that the old accumulator is only read at the cursor.
//! It is structural: what it does not understand, it rejects.

use crate::dpia::functional::{Access, Fun, Kind, Phrase, View};
use crate::expr::Param;
use crate::names::Name;

/// Whether one memory is enough for this step, or for this function of an element.
pub(super) fn is_in_place(fun: &Fun) -> bool {
    let Some(acc) = fun.params.first() else { return false };
    let vars = vec![(acc.name.clone(), Shape::Here)];
    Analysis { vars, undone: Vec::new(), pristine: true }.steps(&fun.body)
}

/// Whether the function of an update gives a small value that does not depend on the element's old one.
pub(super) fn replaces(fun: &Fun) -> bool {
    let [old] = fun.params.as_slice() else { return false };
    fun.body.ty.is_small() && old.nat.is_none() && !fun.body.any(&|phrase| is_param(phrase, old))
}

/// What a variable holds, as seen from the cursor.
#[derive(Clone)]
enum Shape {
    /// Nothing of the old accumulator.
    Free,
    /// The old value at the cursor.
    Here,
    /// The old array of which the element at these indices, from the outermost on, lies at the cursor.
    Around(Vec<Param>),
    /// Old values at other places.
    Elsewhere,
    /// Component by component; for arrays, those of each element.
    Tuple(Vec<Shape>),
}

/// A view that leads from the old value at the cursor of the variables to the cursor.
#[derive(Clone)]
enum Step {
    View(View),
    Proj(usize),
}

#[derive(Clone)]
struct Analysis {
    vars: Vec<(Name, Shape)>,
    undone: Vec<Step>,
    /// Nothing has been overwritten yet.
    pristine: bool,
}

impl Analysis {
    fn shape_of(&self, name: &Name) -> Shape {
        let found = self.vars.iter().rev().find(|(other, _)| other == name);
        found.map_or(Shape::Free, |(_, shape)| shape.clone())
    }

    fn mentions(&self, phrase: &Phrase) -> bool {
        phrase.any(&|phrase| match &phrase.kind {
            Kind::Var(name) => !matches!(self.shape_of(name), Shape::Free),
            _ => false,
        })
    }

    /// Whether a step may be written at the cursor, whose small values are computed before
    /// ([`Translator::write_step`](super::translate::Translator::write_step)).
    fn steps(&mut self, phrase: &Phrase) -> bool {
        match &phrase.kind {
            Kind::Let(param, value, body) => {
                let shape = match value.ty.is_small() {
                    true => Some(Shape::Free),
                    false => self.shape(value, &self.undone),
                };
                shape.is_some_and(|shape| {
                    self.vars.push((param.name.clone(), shape));
                    self.steps(body)
                })
            }
            Kind::Select(parts) if !phrase.ty.is_small() => {
                let [_, then, otherwise] = &**parts;
                self.clone().steps(then) && self.steps(otherwise)
            }
            _ => self.writes(phrase),
        }
    }

    /// Whether the phrase may be written at the cursor.
    fn writes(&mut self, phrase: &Phrase) -> bool {
        if !self.mentions(phrase) {
            return true;
        }
        if phrase.ty.is_small() {
            return self.reads_here(phrase, &self.undone);
        }
        match &phrase.kind {
            Kind::Map(_, fun, array) if is_index_space(array) => self.writes_at_index(fun),
            Kind::Map(_, fun, array) => {
                self.shape(array, &self.undone).is_some_and(|shape| self.writes_element(fun, shape))
            }
            Kind::Generate(fun) => self.writes_at_index(fun),
            Kind::Update(fun, operands) => self.updates(fun, operands),
            Kind::View(view, operands) => match (inverse(view, operands), operands.as_slice()) {
                (Some(inverse), [operand]) => self.inside(Step::View(inverse), operand),
                _ => false,
            },
            Kind::Tuple(parts) => parts.iter().enumerate().all(|(k, part)| {
                let fine = self.inside(Step::Proj(k), part);
                self.pristine = false;
                fine
            }),
            Kind::Select(parts) => {
                let [condition, then, otherwise] = &**parts;
                (self.pristine || self.reads_here(condition, &self.undone))
                    && self.clone().writes(then)
                    && self.writes(otherwise)
            }
            Kind::Let(param, value, body) => self.bound(value).is_some_and(|shape| {
                if !matches!(shape, Shape::Free) && !self.undone.is_empty() {
                    return false;
                }
                let mut inner = self.clone();
                inner.vars.push((param.name.clone(), shape));
                inner.writes(body)
            }),
            Kind::Reduce { fun, start, array, .. } => {
                // The start is overwritten before the first step, when the array is known.
                !self.mentions(&fun.body) && !self.reads_old(array) && self.writes(start)
            }
            _ => false,
        }
    }

    /// What a bound value holds. A small one may be computed as late as where it is used.
    fn bound(&self, value: &Phrase) -> Option<Shape> {
        match value.ty.is_small() && self.mentions(value) {
            true => Some(Shape::Elsewhere),
            false => self.shape(value, &self.undone),
        }
    }

    /// One element is overwritten, when all that is needed for it is known; the others lie at the cursor. Where these are
    /// updated before, all but its own old value has been read before that.
    fn updates(&self, fun: &Fun, [index, array]: &[Phrase; 2]) -> bool {
        if array.access == Access::Write {
            let is_known = match replaces(fun) {
                true => self.is_before(&fun.body),
                false => self.writes_element(fun, Shape::Here),
            };
            return is_known && self.is_before(index) && self.clone().writes(array);
        }
        let shape = match self.shape(array, &self.undone) {
            Some(shape @ (Shape::Here | Shape::Tuple(_))) if shape.is_here() => shape,
            Some(Shape::Free) => return !self.mentions(index) && !self.mentions(&fun.body),
            _ => return false,
        };
        self.is_before(index)
            && (fun.body.ty.is_small() && self.is_before(&fun.body) || self.writes_element(fun, shape))
    }

    /// Whether all that the phrase reads is as it was, at a cursor where nothing has been overwritten.
    fn is_before(&self, phrase: &Phrase) -> bool {
        let is_elsewhere = |phrase: &Phrase| match &phrase.kind {
            Kind::Var(name) => !self.shape_of(name).is_here(),
            _ => false,
        };
        self.pristine || !self.mentions(phrase) || self.undone.is_empty() && !phrase.any(&is_elsewhere)
    }

    /// Whether the function of elements may write to where each of them lies.
    fn writes_element(&self, fun: &Fun, shape: Shape) -> bool {
        let mut inner = self.vars.clone();
        inner.iter_mut().for_each(|(_, shape)| *shape = shape.elsewhere());
        inner.push((fun.params[0].name.clone(), shape));
        Analysis { vars: inner, undone: Vec::new(), pristine: false }.writes(&fun.body)
    }

    /// The same of a function of the element's index.
    fn writes_at_index(&self, fun: &Fun) -> bool {
        let index = &fun.params[0];
        let mut vars = self.vars.clone();
        for (_, shape) in &mut vars {
            *shape = if self.undone.is_empty() { shape.around(index) } else { shape.elsewhere() };
        }
        Analysis { vars, undone: Vec::new(), pristine: false }.writes(&fun.body)
    }

    fn inside(&self, step: Step, operand: &Phrase) -> bool {
        let mut inner = self.clone();
        inner.undone.push(step);
        inner.writes(operand)
    }

    /// Where the old values in a phrase lie, if `undone` leads from the variables to the cursor; `None` if
    /// that is not known, or some lie elsewhere.
    fn shape(&self, phrase: &Phrase, undone: &[Step]) -> Option<Shape> {
        if !self.mentions(phrase) {
            return Some(Shape::Free);
        }
        match (&phrase.kind, undone.split_last()) {
            (Kind::Var(name), last) => match (self.shape_of(name), last) {
                (Shape::Elsewhere, _) | (Shape::Here | Shape::Around(_) | Shape::Tuple(_), Some(_)) => None,
                (shape, None) => Some(shape),
                (Shape::Free, _) => Some(Shape::Free),
            },
            (Kind::View(view, parts), Some((Step::View(last), rest))) if view == last && parts.len() == 1 => {
                self.shape(&parts[0], rest)
            }
            (Kind::Proj(k, tuple), Some((Step::Proj(last), rest))) if k == last => self.shape(tuple, rest),
            (Kind::Proj(k, tuple), _) => match self.shape(tuple, undone)? {
                Shape::Tuple(mut parts) => {
                    Some(parts.swap_remove(*k)).filter(|part| !matches!(part, Shape::Elsewhere))
                }
                Shape::Free => Some(Shape::Free),
                Shape::Here | Shape::Around(_) | Shape::Elsewhere => None,
            },
            (Kind::Idx(index, array), None) => match self.shape(array, undone)? {
                Shape::Around(indices) if is_param(index, &indices[0]) => {
                    Some(Shape::at(indices[1..].to_vec()))
                }
                _ => None,
            },
            (Kind::View(View::Zip, parts), _) => {
                let shapes: Option<Vec<Shape>> = parts.iter().map(|part| self.shape(part, undone)).collect();
                shapes.map(Shape::Tuple)
            }
            // Computed before anything is overwritten at the cursor.
            (Kind::ToMem(..) | Kind::Reduce { .. }, _)
                if self.pristine || self.operands_read_here(phrase, undone) =>
            {
                Some(Shape::Free)
            }
            _ => None,
        }
    }

    /// Whether a phrase that is computed after the cursor was overwritten reads any old value. Memory that
    /// it fills is filled too late as well.
    fn reads_old(&self, phrase: &Phrase) -> bool {
        let fills = phrase.any(&|phrase| matches!(phrase.kind, Kind::ToMem(..)));
        if !self.mentions(phrase) || (!fills && matches!(self.shape(phrase, &[]), Some(Shape::Free))) {
            return false;
        }
        let mut found = matches!(phrase.kind, Kind::Var(_));
        // What functions compute is computed at each access.
        phrase.for_each_child(&mut |child, delayed| {
            found = found || if delayed { self.mentions(child) } else { self.reads_old(child) };
        });
        found
    }

    /// Whether all old values that a phrase reads lie at the cursor.
    fn reads_here(&self, phrase: &Phrase, undone: &[Step]) -> bool {
        if !self.mentions(phrase) || self.shape(phrase, undone).is_some_and(|shape| shape.is_here()) {
            return true;
        }
        !matches!(phrase.kind, Kind::Var(_)) && self.operands_read_here(phrase, undone)
    }

    fn operands_read_here(&self, phrase: &Phrase, undone: &[Step]) -> bool {
        let mut fine = true;
        phrase.for_each_child(&mut |child, _| fine = fine && self.reads_here(child, undone));
        fine
    }
}

impl Shape {
    fn elsewhere(&self) -> Shape {
        match self {
            Shape::Free => Shape::Free,
            Shape::Tuple(parts) => Shape::Tuple(parts.iter().map(Shape::elsewhere).collect()),
            Shape::Here | Shape::Around(_) | Shape::Elsewhere => Shape::Elsewhere,
        }
    }

    /// As seen from the element at an index.
    fn around(&self, index: &Param) -> Shape {
        match self {
            Shape::Here => Shape::Around(vec![index.clone()]),
            Shape::Around(indices) => Shape::Around([indices, std::slice::from_ref(index)].concat()),
            Shape::Tuple(parts) if parts.iter().all(|part| matches!(part, Shape::Free)) => self.clone(),
            other => other.elsewhere(),
        }
    }

    fn at(indices: Vec<Param>) -> Shape {
        if indices.is_empty() { Shape::Here } else { Shape::Around(indices) }
    }

    fn is_here(&self) -> bool {
        match self {
            Shape::Here | Shape::Free => true,
            Shape::Around(_) | Shape::Elsewhere => false,
            Shape::Tuple(parts) => parts.iter().all(Shape::is_here),
        }
    }
}

/// Whether an array holds its own indices.
fn is_index_space(array: &Phrase) -> bool {
    match &array.kind {
        Kind::Generate(fun) => is_param(&fun.body, &fun.params[0]),
        _ => false,
    }
}

/// Whether a phrase is a parameter, as a value or as a natural.
fn is_param(phrase: &Phrase, param: &Param) -> bool {
    match &phrase.kind {
        Kind::Var(name) => *name == param.name,
        Kind::Nat(nat) => nat.as_var().is_some() && nat.as_var() == param.nat.as_ref(),
        _ => false,
    }
}

/// The view that reads what this one has written.
fn inverse(view: &View, operands: &[Phrase]) -> Option<View> {
    Some(match view {
        View::Split(_) => View::Join,
        View::Join => {
            let (_, row) = operands.first()?.ty.as_array()?;
            View::Split(row.as_array()?.0.clone())
        }
        View::Transpose => View::Transpose,
        View::Reorder(f, g) => View::Reorder(g.clone(), f.clone()),
        _ => return None,
    })
}
