//! The acceptor translation (RISE & Shine, listing 8): writes the value of a phrase somewhere.

mod layout;
mod pattern;

use crate::dpia::functional::{Kind, Phrase};

use super::copy::component_acc;
use super::translate::Translator;
use super::{Acc, Block, Comm};

impl Translator {
    /// Appends what writes the value of a phrase into `acc`.
    pub(super) fn write(&mut self, phrase: &Phrase, acc: &Acc, out: &mut Block) {
        let mark = self.mark();
        if phrase.ty.is_small() {
            self.write_small(phrase, acc, out);
        } else {
            self.write_arrays(phrase, acc, out);
        }
        self.release(mark);
    }

    /// The new accumulator of a fold, where the old one lies: small values that have names are computed before any of it is
    /// overwritten.
    pub(super) fn write_step(&mut self, phrase: &Phrase, acc: &Acc, out: &mut Block) {
        let mark = self.mark();
        match &phrase.kind {
            Kind::Let(param, value, body) if !phrase.ty.is_small() => {
                let is_small = value.ty.is_small();
                let value = self.read(value, out);
                match is_small {
                    true => self.bind_now(param, value, out),
                    false => self.bind(param, value, body, out),
                }
                self.write_step(body, acc, out);
            }
            Kind::Select(parts) if !phrase.ty.is_small() => {
                let condition = self.read(&parts[0], out);
                let (mut then, mut otherwise) = (Block::new(), Block::new());
                self.write_step(&parts[1], acc, &mut then);
                self.write_step(&parts[2], acc, &mut otherwise);
                out.push(Comm::If(condition, then, otherwise));
            }
            _ => self.write(phrase, acc, out),
        }
        self.release(mark);
    }

    /// A value without arrays: computed, then assigned.
    fn write_small(&mut self, phrase: &Phrase, acc: &Acc, out: &mut Block) {
        match &phrase.kind {
            Kind::Let(param, value, body) => {
                let value = self.read(value, out);
                self.bind(param, value, body, out);
                self.write_small(body, acc, out);
            }
            Kind::Select(parts) => {
                let ty = self.ty(&phrase.ty);
                match self.branches(parts, out).simple() {
                    Ok(select) => Self::assign(&ty, acc, select, out),
                    Err(branches) => Self::join(*branches, &ty, acc, out),
                }
            }
            _ => {
                let exp = self.read(phrase, out);
                Self::assign(&self.ty(&phrase.ty), acc, exp, out);
            }
        }
    }

    /// A value with arrays: each form says how.
    fn write_arrays(&mut self, phrase: &Phrase, acc: &Acc, out: &mut Block) {
        match &phrase.kind {
            Kind::Let(param, value, body) => {
                let value = self.read(value, out);
                self.bind(param, value, body, out);
                self.write_arrays(body, acc, out);
            }
            Kind::Select(parts) => {
                let condition = self.read(&parts[0], out);
                let (mut then, mut otherwise) = (Block::new(), Block::new());
                self.write(&parts[1], acc, &mut then);
                self.write(&parts[2], acc, &mut otherwise);
                out.push(Comm::If(condition, then, otherwise));
            }
            Kind::Tuple(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    self.write(part, &component_acc(k, acc), out);
                }
            }
            Kind::View(view, operands) => self.write_view(view, operands, acc, out),
            Kind::MakeArray(parts) => self.write_array(parts, acc, out),
            Kind::MapView(fun, array) => self.write_map_view(fun, array, acc, out),
            Kind::Generate(fun) => self.write_generate(phrase, fun, acc, out),
            Kind::Map(form, fun, array) => self.write_map(phrase, *form, fun, array, acc, out),
            Kind::DepMap(form, fun, array) => self.write_dep_map(phrase, *form, fun, array, acc, out),
            Kind::Reduce { form, space, fun, start, array } => {
                Self::comment(phrase, "reduceSeq", out);
                self.write_reduce((*form, *space), fun, start, array, acc, out);
            }
            Kind::ReducePar(fun, start, array) => {
                Self::comment(phrase, "reducePar", out);
                let exp = self.read_reduce_par(fun, start, array, out);
                let ty = self.ty(&phrase.ty);
                self.copy(&ty, acc, exp, out);
            }
            Kind::Scan(fun, start, array) => {
                Self::comment(phrase, "scanSeq", out);
                self.write_scan(fun, start, array, acc, out);
            }
            Kind::Iterate(times, fun, array) => {
                Self::comment(phrase, "iterate", out);
                self.write_iterate((times, &phrase.ty), fun, array, acc, out);
            }
            Kind::Update(fun, operands) => self.write_update(phrase, fun, operands, acc, out),
            Kind::Product(library, factors) => self.write_product(phrase, (library, factors), acc, out),
            Kind::Var(_)
            | Kind::Literal(_)
            | Kind::Nat(_)
            | Kind::Scalar(..)
            | Kind::Proj(..)
            | Kind::Idx(..)
            | Kind::ToMem(..)
            | Kind::CircularBuffer(..)
            | Kind::RotateValues(..) => panic!("bug: nothing says how to copy {:?}", phrase.kind),
        }
    }
}
