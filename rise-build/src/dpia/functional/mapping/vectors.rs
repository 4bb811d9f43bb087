//! The lanes of a vector have to lie side by side, where they are read and where they are written
//! ("Mapping Parallelism in a Functional IR", mapping M5).
//!
//! Every phrase is followed through its layouts down to memory: how far apart neighbouring elements lie there, in
//! each dimension. What cannot be followed (an index that is looked up, padding) is accepted.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::names::Name;
use crate::nat::Nat;
use crate::types::DataType;

use super::super::{Kind, LoopForm, Phrase, View};

/// The distances in each dimension of one memory; none where that is not known.
type Distances = Vec<Option<Nat>>;

/// The memories behind a value.
#[derive(Clone)]
enum Lies {
    /// All that are read for an element, or written with it.
    In(Vec<Distances>),
    /// Those of each component.
    Tuple(Vec<Lies>),
}

/// Reports vectors whose lanes are apart.
pub(super) fn check(body: &Phrase, params: &[crate::expr::Param], diagnostics: &mut Diagnostics) {
    let known = params.iter().map(|param| (param.name.clone(), in_order(&param.ty))).collect();
    Walk { known, diagnostics }.phrase(body, &in_order(&body.ty));
}

impl Lies {
    fn unknown() -> Self {
        Lies::In(Vec::new())
    }

    fn map(&self, change: &dyn Fn(&[Option<Nat>]) -> Distances) -> Lies {
        match self {
            Lies::In(memories) => Lies::In(memories.iter().map(|memory| change(memory)).collect()),
            Lies::Tuple(parts) => Lies::Tuple(parts.iter().map(|part| part.map(change)).collect()),
        }
    }

    /// An element of the array.
    fn element(&self) -> Lies {
        self.map(&|memory| memory.get(1..).unwrap_or_default().to_vec())
    }

    fn part(&self, position: usize) -> Lies {
        match self {
            Lies::Tuple(parts) => parts.get(position).cloned().unwrap_or(Lies::unknown()),
            Lies::In(_) => self.clone(),
        }
    }

    fn memories(&self) -> Vec<Distances> {
        match self {
            Lies::In(memories) => memories.clone(),
            Lies::Tuple(parts) => parts.iter().flat_map(Lies::memories).collect(),
        }
    }

    fn split(&self, pieces: &Nat) -> Lies {
        self.map(&|memory| match memory.split_first() {
            Some((first, rest)) => {
                let outer = first.as_ref().map(|first| first * pieces);
                [&[outer, first.clone()], rest].concat()
            }
            None => Distances::new(),
        })
    }

    fn join(&self, inner: Option<&Nat>) -> Lies {
        self.map(&|memory| match memory {
            [outer, first, rest @ ..] => {
                let fits = match (outer, first, inner) {
                    (Some(outer), Some(first), Some(inner)) => *outer == first * inner,
                    _ => false,
                };
                [&[first.clone().filter(|_| fits)], rest].concat()
            }
            _ => Distances::new(),
        })
    }

    fn transposed(&self) -> Lies {
        self.map(&|memory| match memory {
            [a, b, rest @ ..] => [&[b.clone(), a.clone()], rest].concat(),
            other => other.to_vec(),
        })
    }

    /// With an outer dimension that is lost.
    fn scattered(&self) -> Lies {
        self.map(&|memory| match memory {
            [_, rest @ ..] => [&[None], rest].concat(),
            [] => Distances::new(),
        })
    }
}

/// Memory of a type, one row after the other.
fn in_order(ty: &DataType) -> Lies {
    match ty {
        DataType::Tuple(parts) => Lies::Tuple(parts.iter().map(in_order).collect()),
        DataType::Array(_, element) => match (&**element, in_order(element)) {
            (DataType::Scalar(_), _) => Lies::In(vec![vec![Some(Nat::lit(1))]]),
            (DataType::Array(inner, _), below) => below.map(&|memory| {
                let outer = memory.first().cloned().flatten().map(|distance| distance * inner);
                [&[outer], memory].concat()
            }),
            _ => Lies::unknown(),
        },
        DataType::Scalar(_) => Lies::In(vec![Distances::new()]),
        _ => Lies::unknown(),
    }
}

struct Walk<'d> {
    known: Vec<(Name, Lies)>,
    diagnostics: &'d mut Diagnostics,
}

impl Walk<'_> {
    /// A phrase that is read, or whose elements go to `out`. Returns where what can be read lies.
    fn phrase(&mut self, phrase: &Phrase, out: &Lies) -> Lies {
        match &phrase.kind {
            Kind::Var(name) => {
                let found = self.known.iter().rev().find(|(other, _)| other == name);
                found.map_or(Lies::unknown(), |(_, lies)| lies.clone())
            }
            Kind::Literal(_) | Kind::Nat(_) => Lies::unknown(),
            Kind::Let(param, value, body) => {
                let value = self.phrase(value, &Lies::unknown());
                self.within(vec![(param.name.clone(), value)], body, out)
            }
            Kind::Scalar(_, parts) | Kind::MakeArray(parts) => self.all(parts),
            Kind::Product(_, factors) => self.all(&**factors),
            Kind::Select(parts) => {
                let parts: Vec<Lies> = parts.iter().map(|part| self.phrase(part, out)).collect();
                Lies::In(parts.iter().flat_map(Lies::memories).collect())
            }
            Kind::Tuple(parts) => {
                let part = |(at, part): (usize, &Phrase)| self.phrase(part, &out.part(at));
                Lies::Tuple(parts.iter().enumerate().map(part).collect())
            }
            Kind::Proj(position, inner) => self.phrase(inner, &Lies::unknown()).part(*position),
            Kind::View(view, parts) => self.view(phrase, view, parts, out),
            Kind::Idx(index, array) => {
                self.phrase(index, &Lies::unknown());
                self.phrase(array, &Lies::unknown()).element()
            }
            Kind::MapView(fun, array) => {
                let array = self.phrase(array, out);
                let param = fun.params[0].name.clone();
                let first = array.memories().first().and_then(|memory| memory.first().cloned()).flatten();
                let element = self.within(vec![(param, array.element())], &fun.body, &Lies::unknown());
                element.map(&|memory| [std::slice::from_ref(&first), memory].concat())
            }
            Kind::Map(form, fun, array) => {
                let array = self.phrase(array, &Lies::unknown());
                if *form == LoopForm::Vec {
                    self.lanes(phrase, &array, "read");
                    self.lanes(phrase, out, "written");
                }
                self.within(vec![(fun.params[0].name.clone(), array.element())], &fun.body, &out.element());
                Lies::unknown()
            }
            Kind::Reduce { fun, start, array, .. } | Kind::Scan(fun, start, array) => {
                let array = self.phrase(array, &Lies::unknown());
                self.phrase(start, &Lies::unknown());
                let params = [Lies::unknown(), array.element()];
                let params = fun.params.iter().map(|param| param.name.clone()).zip(params).collect();
                self.within(params, &fun.body, &Lies::unknown());
                Lies::unknown()
            }
            Kind::ToMem(_, value) => {
                let lies = in_order(&value.ty);
                self.phrase(value, &lies);
                lies
            }
            Kind::Generate(_)
            | Kind::DepMap(..)
            | Kind::ReducePar(..)
            | Kind::Iterate(..)
            | Kind::Update(..)
            | Kind::CircularBuffer(..)
            | Kind::RotateValues(..) => {
                phrase.for_each_child(&mut |child, _| _ = self.phrase(child, &Lies::unknown()));
                Lies::unknown()
            }
        }
    }

    fn within(&mut self, names: Vec<(Name, Lies)>, body: &Phrase, out: &Lies) -> Lies {
        let depth = self.known.len();
        self.known.extend(names);
        let lies = self.phrase(body, out);
        self.known.truncate(depth);
        lies
    }

    fn all(&mut self, parts: &[Phrase]) -> Lies {
        let parts: Vec<Lies> = parts.iter().map(|part| self.phrase(part, &Lies::unknown())).collect();
        Lies::In(parts.iter().flat_map(Lies::memories).collect())
    }

    /// A layout: `out` is changed on the way down, what is read on the way up.
    fn view(&mut self, phrase: &Phrase, view: &View, parts: &[Phrase], out: &Lies) -> Lies {
        let Some((last, others)) = parts.split_last() else { return Lies::unknown() };
        let inner = |ty: &DataType| Some(ty.as_array()?.1.as_array()?.0.clone());
        match view {
            View::Zip => Lies::Tuple(
                parts.iter().enumerate().map(|(at, part)| self.phrase(part, &out.part(at))).collect(),
            ),
            View::Unzip => self.phrase(last, out),
            View::Split(pieces) => self.phrase(last, &out.join(Some(pieces))).split(pieces),
            View::Join => {
                let pieces = inner(&last.ty);
                let written = pieces.as_ref().map_or(Lies::unknown(), |pieces| out.split(pieces));
                self.phrase(last, &written).join(pieces.as_ref())
            }
            View::Transpose => self.phrase(last, &out.transposed()).transposed(),
            View::Slide(_, step) => self.phrase(last, &Lies::unknown()).split(step),
            View::Take(_) | View::Drop(_) => self.phrase(last, out),
            _ => {
                others.iter().for_each(|other| _ = self.phrase(other, &Lies::unknown()));
                let read = self.phrase(last, &Lies::unknown());
                let same =
                    phrase.ty.as_array().is_some() && !matches!(view, View::AsVector(_) | View::AsScalar);
                if same { read.scattered() } else { Lies::unknown() }
            }
        }
    }

    /// The lanes of a vector are neighbours in the outer dimension.
    fn lanes(&mut self, phrase: &Phrase, lies: &Lies, what: &str) {
        let apart = lies.memories().into_iter().find_map(|memory| {
            memory.first().cloned().flatten().filter(|distance| !distance.is_zero() && !distance.is_one())
        });
        if let Some(distance) = apart {
            let message = format!(
                "`mapVec` takes lanes that are {what} `{distance}` elements apart; a vector covers elements side by side"
            );
            let help = "vectorise the loop over the innermost dimension of the memory, or use `mapSeq`";
            self.diagnostics.push(Diagnostic::error(phrase.origin, message).help(help));
        }
    }
}
