//! What a term reads: arrays in memory, and how far apart their elements are along dimensions and variables.

use crate::names::Name;
use crate::nat::Nat;

/// The distance between the elements that two consecutive iterations read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    /// The same element.
    Same,
    /// Neighbours.
    Next,
    /// Any other distance, or one that depends on data.
    Far,
}

/// Compilers load whole vectors of elements that are at most so far apart, and take from these what they need.
pub const FEW: i64 = 4;

/// How elements lie along a dimension or a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dim {
    pub stride: Stride,
    /// The distance as a number, where it is known.
    pub by: Option<Nat>,
    /// After so many elements comes a greater distance: rows that lie apart are joined.
    pub run: Option<Nat>,
    /// Whether they begin windows that go on by so few elements that compilers load them well one by one.
    pub is_close: bool,
    /// Whether compilers load those badly. What lies between the beginnings of two windows they load at once, as they do
    /// a part of two or four elements, but not what is one more.
    pub is_uneven: bool,
    /// Whether they are parts of neighbouring tuples or rows of so few numbers that loads and shuffles fetch a vector of
    /// them.
    pub is_shuffled: bool,
}

impl Dim {
    /// Of a distance that is not known as a number.
    pub fn of(stride: Stride) -> Dim {
        Dim { stride, by: None, run: None, is_close: false, is_uneven: false, is_shuffled: false }
    }

    /// The distance between elements so many of these apart.
    pub fn times(&self, step: Stride) -> Dim {
        match (self.stride, step) {
            (Stride::Same, _) | (_, Stride::Next) => self.clone(),
            (_, step) => Dim::of(step),
        }
    }

    /// The dimension of the elements of all rows, which are so long, where this is the one of the rows.
    pub fn joined(self, row: Dim, length: &Nat) -> Dim {
        let stride = match (self.stride, row.stride) {
            (outer, Stride::Same) if outer != Stride::Same => Stride::Far,
            (_, inner) => inner,
        };
        let (by, run) = match (self.by, row.by) {
            (_, by) if row.run.is_some() => (by, row.run),
            (Some(outer), Some(inner)) if outer == length * &inner => {
                (Some(inner), self.run.map(|run| run * length))
            }
            (Some(_), Some(inner)) => (Some(inner), Some(length.clone())),
            _ => (None, None),
        };
        Dim { by, run, is_shuffled: row.is_shuffled, ..Dim::of(stride) }
    }

    /// The dimension of windows of that size, of which each begins so many elements behind the one before.
    pub fn windows(&self, size: &Nat, step: &Nat) -> Dim {
        if step.is_one() || self.stride == Stride::Same {
            return self.clone();
        }
        let is_few = step.as_const().is_some_and(|step| step <= FEW);
        let is_close = is_few && self.stride == Stride::Next;
        let are_even = |size: i64, step: i64| size % step == 0 || size < step && step % 2 == 0;
        let is_uneven = match (size.as_const(), step.as_const()) {
            (Some(size), Some(step)) => is_close && !are_even(size, step),
            _ => false,
        };
        Dim { is_close, is_uneven, ..Dim::of(Stride::Far) }
    }

    /// The dimensions of pieces of that length, and of the elements of each.
    pub fn split(self, length: &Nat) -> [Dim; 2] {
        let outer = if self.stride == Stride::Same { Stride::Same } else { Stride::Far };
        let by = self.by.as_ref().filter(|_| self.run.is_none()).map(|by| by * length);
        let run = self.run.clone().filter(|run| run != length);
        let is_shuffled =
            self.stride == Stride::Next && length.as_const().is_some_and(|length| length <= FEW);
        [Dim { by, is_shuffled, ..Dim::of(outer) }, Dim { run, ..self }]
    }
}

/// An array in memory, as a term sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// Along the dimensions that the term still has, outermost first.
    pub dims: Vec<Dim>,
    /// Along the variables around, those that matter.
    pub at: Vec<(Name, Dim)>,
}

/// What a term reads, component by component where it is a tuple.
#[derive(Clone, Debug)]
pub enum Reads {
    /// All arrays together.
    Leaves(Vec<Leaf>),
    /// Those of each component.
    Parts(Vec<Reads>),
}

impl Leaf {
    /// The elements lie as far apart as that along the variable, beside what is known of it.
    pub fn push(&mut self, name: &Name, dim: Dim) {
        match self.at.iter_mut().find(|(other, _)| other == name) {
            _ if dim.stride == Stride::Same => {}
            Some((_, known)) => *known = Dim::of(Stride::Far),
            None => self.at.push((name.clone(), dim)),
        }
    }

    /// The distance along the outermost dimension.
    pub fn first(&self) -> Stride {
        self.dims.first().map_or(Stride::Far, |dim| dim.stride)
    }

    pub fn first_dim(&self) -> Dim {
        self.dims.first().cloned().unwrap_or(Dim::of(Stride::Far))
    }

    pub fn dim(&self, name: &Name) -> Option<&Dim> {
        self.at.iter().find(|(other, _)| other == name).map(|(_, dim)| dim)
    }

    /// The distance along a variable.
    pub fn along(&self, name: &Name) -> Stride {
        self.dim(name).map_or(Stride::Same, |dim| dim.stride)
    }

    /// How many elements follow each other along a variable, if rows that lie apart are joined there.
    pub fn run(&self, name: &Name) -> Option<&Nat> {
        self.dim(name)?.run.as_ref()
    }
}

impl Reads {
    /// All arrays.
    pub fn leaves(self) -> Vec<Leaf> {
        match self {
            Reads::Leaves(leaves) => leaves,
            Reads::Parts(parts) => parts.into_iter().flat_map(Reads::leaves).collect(),
        }
    }

    pub fn each(self, f: &mut dyn FnMut(Leaf) -> Leaf) -> Reads {
        match self {
            Reads::Leaves(leaves) => Reads::of(leaves.into_iter().map(f)),
            Reads::Parts(parts) => Reads::Parts(parts.into_iter().map(|part| part.each(f)).collect()),
        }
    }

    pub fn dims(self, f: impl Fn(&mut Vec<Dim>)) -> Reads {
        self.each(&mut |mut leaf| {
            f(&mut leaf.dims);
            leaf
        })
    }

    pub fn part(self, position: usize) -> Reads {
        match self {
            Reads::Parts(mut parts) if position < parts.len() => parts.swap_remove(position),
            whole => whole,
        }
    }

    pub fn none() -> Reads {
        Reads::Leaves(Vec::new())
    }

    /// Equal ones once: what is used twice does not count twice.
    pub fn of(leaves: impl IntoIterator<Item = Leaf>) -> Reads {
        let mut distinct: Vec<Leaf> = Vec::new();
        for leaf in leaves {
            if !distinct.contains(&leaf) {
                distinct.push(leaf);
            }
        }
        Reads::Leaves(distinct)
    }
}

/// The dimension before all others, which is looked at by a variable.
pub fn element(reads: Reads, by: &Name) -> Reads {
    reads.each(&mut |mut leaf| {
        let dim = take_first(&mut leaf.dims);
        leaf.push(by, dim);
        leaf
    })
}

/// The reverse: what is read along the variable becomes the first dimension.
pub fn array(reads: Reads, by: &Name) -> Reads {
    reads.each(&mut |mut leaf| {
        let dim = leaf.dim(by).cloned().unwrap_or(Dim { by: Some(Nat::lit(0)), ..Dim::of(Stride::Same) });
        leaf.at.retain(|(name, _)| name != by);
        leaf.dims.insert(0, dim);
        leaf
    })
}

pub fn take_first(dims: &mut Vec<Dim>) -> Dim {
    if dims.is_empty() { Dim::of(Stride::Far) } else { dims.remove(0) }
}

pub fn far(dims: &mut [Dim]) {
    if let Some(first) = dims.first_mut() {
        let stride = if first.stride == Stride::Same { Stride::Same } else { Stride::Far };
        *first = Dim::of(stride);
    }
}
