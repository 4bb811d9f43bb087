//! What a sequential loop takes its elements from: an array, or a stream that keeps its last elements.

use std::sync::Arc;

use crate::dpia::functional::{Fun, Kind, LoopForm, Phrase, View};
use crate::expr::{AddressSpace, Param};
use crate::names::Name;
use crate::nat::Nat;
use crate::types::DataType;

use super::translate::{Mark, Translator, array};
use super::{Acc, Block, Delayed, Exp};

/// Where elements come from. Elements are asked for once each, in order.
pub(super) enum Source<'a> {
    /// Any array.
    Array(Exp),
    /// Two at a time.
    Zip(Box<[Source<'a>; 2]>),
    /// Each through a function.
    Mapped(&'a Fun, Box<Source<'a>>),
    /// Windows whose elements lie in a ring.
    Ring {
        /// Computes an element.
        load: &'a Fun,
        /// What elements are computed from.
        from: Box<Source<'a>>,
        /// The memory.
        buffer: Name,
        /// Its capacity.
        capacity: Nat,
        /// Length of a window.
        size: Nat,
        /// Type of an element.
        ty: DataType,
    },
    /// Windows whose elements move on after each step.
    Rotating {
        /// Computes an element.
        load: &'a Fun,
        /// What elements are computed from.
        from: Box<Source<'a>>,
        /// The memory.
        buffer: Name,
        /// Length of a window.
        size: Nat,
        /// Type of an element.
        ty: DataType,
    },
}

impl Translator {
    /// Prepares to loop over a phrase in this form.
    pub(super) fn source<'a>(&mut self, phrase: &'a Phrase, form: LoopForm, out: &mut Block) -> Source<'a> {
        let in_order = matches!(form, LoopForm::Seq | LoopForm::Stream);
        match &phrase.kind {
            Kind::Map(_, fun, inner) if in_order => {
                Source::Mapped(fun, Box::new(self.source(inner, form, out)))
            }
            Kind::View(View::Zip, parts) if in_order && parts.iter().any(is_stream) => {
                let first = self.source(&parts[0], form, out);
                let second = self.source(&parts[1], form, out);
                Source::Zip(Box::new([first, second]))
            }
            Kind::CircularBuffer(capacity, size, load, inner) if in_order => {
                Self::comment(phrase, "circularBuffer", out);
                let from = Box::new(self.source(inner, form, out));
                let (size, ty) = (self.nat(size), self.ty(&load.body.ty));
                let capacity = Nat::max(&self.nat(capacity), &size);
                let buffer = self.buffer(&ty, &capacity, AddressSpace::Default, out);
                let ring = Source::Ring { load, from, buffer, capacity, size: size.clone(), ty };
                self.fill(&ring, &size, LoopForm::Seq, out);
                ring
            }
            Kind::RotateValues(size, load, inner) if in_order => {
                Self::comment(phrase, "rotateValues", out);
                let from = Box::new(self.source(inner, form, out));
                let (size, ty) = (self.nat(size), self.ty(&load.body.ty));
                let buffer = self.buffer(&ty, &size, AddressSpace::Private, out);
                let rotating = Source::Rotating { load, from, buffer, size: size.clone(), ty };
                self.fill(&rotating, &size, unrolled(&size), out);
                rotating
            }
            _ => Source::Array(self.read(phrase, out)),
        }
    }

    fn buffer(&mut self, ty: &DataType, len: &Nat, space: AddressSpace, out: &mut Block) -> Name {
        self.declare("window", &DataType::array(len.clone(), ty.clone()), space, out)
    }

    /// All elements of the first window but the last.
    fn fill(&mut self, source: &Source, size: &Nat, form: LoopForm, out: &mut Block) {
        self.each(form, size - 1, out, |this, i, out| this.load(source, &i, &i, out));
    }

    /// Computes element `i` into slot `slot`.
    fn load(&mut self, source: &Source, i: &Nat, slot: &Nat, out: &mut Block) {
        let (Source::Ring { load, from, buffer, .. } | Source::Rotating { load, from, buffer, .. }) = source
        else {
            panic!("bug: a stream without memory is loaded");
        };
        let mark = self.mark();
        let element = self.next(from, i, out);
        self.apply(load, &[], vec![element], out);
        let acc = Acc::Idx(slot.clone(), Arc::new(Acc::Var(buffer.clone())));
        self.write(&load.body, &acc, out);
        self.release(mark);
        self.finish(from, out);
    }

    /// Element number `i`.
    pub(super) fn next(&mut self, source: &Source, i: &Nat, out: &mut Block) -> Exp {
        match source {
            Source::Array(exp) => Exp::Idx(i.clone(), Arc::new(exp.clone())),
            Source::Zip(parts) => Exp::Tuple(parts.iter().map(|part| self.next(part, i, out)).collect()),
            Source::Mapped(fun, from) => {
                let element = self.next(from, i, out);
                let mark: Mark = self.mark();
                let (exp, _) = self.applied(fun, element, out);
                self.release(mark);
                exp
            }
            Source::Ring { buffer, capacity, size, ty, .. } => {
                let last = i + size - 1;
                self.load(source, &last, &last.rem(capacity), out);
                ring_window(buffer, i, capacity, size, ty)
            }
            Source::Rotating { buffer, size, .. } => {
                self.load(source, &(i + size - 1), &(size - 1), out);
                Exp::Var(buffer.clone())
            }
        }
    }

    /// After the element has been used.
    pub(super) fn finish(&mut self, source: &Source, out: &mut Block) {
        match source {
            Source::Array(_) | Source::Ring { .. } => {}
            Source::Zip(parts) => parts.iter().for_each(|part| self.finish(part, out)),
            Source::Mapped(_, from) => self.finish(from, out),
            Source::Rotating { buffer, size, ty, .. } => {
                let memory = Arc::new(Acc::Var(buffer.clone()));
                self.each(unrolled(size), size - 1, out, |this, j, out| {
                    let next = Exp::Idx(&j + 1, Arc::new(Exp::Var(buffer.clone())));
                    this.copy(ty, &Acc::Idx(j, memory), next, out);
                });
            }
        }
    }
}

fn unrolled(size: &Nat) -> LoopForm {
    if size.as_const().is_some() { LoopForm::Unroll } else { LoopForm::Seq }
}

fn is_stream(phrase: &Phrase) -> bool {
    match &phrase.kind {
        Kind::Map(..) | Kind::CircularBuffer(..) | Kind::RotateValues(..) => true,
        Kind::View(View::Zip, parts) => parts.iter().any(is_stream),
        _ => false,
    }
}

/// Element `j` of window `i` lies in slot `(i + j) % capacity`.
fn ring_window(buffer: &Name, i: &Nat, capacity: &Nat, size: &Nat, ty: &DataType) -> Exp {
    let param = Param::fresh("j", DataType::Idx(size.clone()));
    let j = param.nat.as_ref().map_or_else(|| Nat::lit(0), Nat::var);
    let slot = (i + &j).rem(capacity);
    let result = Exp::Idx(slot, Arc::new(Exp::Var(buffer.clone())));
    Exp::Generate(Arc::new(Delayed { param, prelude: Block::new(), result, ty: ty.clone() }))
}

/// The number of elements of an array phrase.
pub(super) fn count(ty: &DataType) -> Nat {
    array(ty).0.clone()
}
