//! Application of functions: parameters become values, and small ones are computed once.

use std::sync::Arc;

use crate::dpia::functional::{Fun, Phrase};
use crate::expr::Param;
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use super::cost::{is_atomic, is_path};
use super::translate::Translator;
use super::uses::Uses;
use super::{Block, Comm, Delayed, Exp};
use crate::names::Name;

/// A value on its way into a variable.
struct Shared<'a> {
    uses: &'a Uses,
    text: &'a str,
    /// The value stands for something that may be expensive although it looks like a variable.
    opaque: bool,
}

impl Translator {
    /// `param` stands for `exp` in `body`, from here to the end of the scope.
    pub(super) fn bind(&mut self, param: &Param, exp: Exp, body: &Phrase, out: &mut Block) {
        self.bind_with(param, exp, body, false, out);
    }

    fn bind_with(&mut self, param: &Param, exp: Exp, body: &Phrase, opaque: bool, out: &mut Block) {
        if let Some(var) = &param.nat {
            let nat = Self::as_nat(exp, var.text(), out);
            self.names.push((param.name.clone(), Exp::Nat(nat.clone())));
            self.nats.push((var.clone(), nat));
            return;
        }
        let ty = self.ty(&param.ty);
        let uses = Uses::of(&param.name, body);
        let shared = Shared { uses: &uses, text: param.name.text(), opaque };
        let exp = shared.share(&ty, exp, &mut Vec::new(), out);
        self.names.push((param.name.clone(), exp));
    }

    /// The same for a small value, which is computed here whatever comes of it.
    pub(super) fn bind_now(&mut self, param: &Param, exp: Exp, out: &mut Block) {
        let exp = match &param.nat {
            Some(var) => {
                let nat = Self::as_nat(exp, var.text(), out);
                self.nats.push((var.clone(), nat.clone()));
                Exp::Nat(nat)
            }
            None => computed(&self.ty(&param.ty), exp, param.name.text(), out),
        };
        self.names.push((param.name.clone(), exp));
    }

    /// Binds the parameters of a function to values.
    pub(super) fn apply(&mut self, fun: &Fun, nats: &[Nat], args: Vec<Exp>, out: &mut Block) {
        self.nats.extend(fun.nats.iter().cloned().zip(nats.iter().cloned()));
        for (param, arg) in fun.params.iter().zip(args) {
            self.bind(param, arg, &fun.body, out);
        }
    }

    /// An index or natural as a natural; computed once if it is no natural already.
    pub(super) fn as_nat(exp: Exp, text: &str, out: &mut Block) -> Nat {
        match exp {
            Exp::Nat(nat) => nat,
            exp => {
                let var = NatVar::new(text);
                out.push(Comm::LetNat(var.clone(), exp));
                Nat::var(&var)
            }
        }
    }

    /// A function of one value, computed at each access.
    pub(super) fn delay(&mut self, fun: &Fun) -> Arc<Delayed> {
        let [inner] = fun.params.as_slice() else { panic!("bug: a view has a function of one value") };
        let param = Param::fresh(inner.name.text(), self.ty(&inner.ty));
        let mark = self.mark();
        let mut prelude = Block::new();
        let value = match &param.nat {
            Some(var) => Exp::Nat(Nat::var(var)),
            None => Exp::Var(param.name.clone()),
        };
        self.bind_with(inner, value, &fun.body, true, &mut prelude);
        let result = self.read(&fun.body, &mut prelude);
        let ty = self.ty(&fun.body.ty);
        self.release(mark);
        Arc::new(Delayed { param, prelude, result, ty })
    }
}

impl Shared<'_> {
    /// The value, with those parts in variables that would be computed twice.
    fn share(&self, ty: &DataType, exp: Exp, path: &mut Vec<usize>, out: &mut Block) -> Exp {
        let by_parts = !ty.is_small() || (!self.opaque && is_path(&exp)) || matches!(exp, Exp::Tuple(_));
        match ty {
            DataType::Tuple(parts) if by_parts => self.share_parts(parts, exp, path, out),
            _ if !ty.is_small() || !self.is_worth_it(&exp, path) => exp,
            _ => {
                let name = Name::fresh(self.text);
                out.push(Comm::Let(name.clone(), ty.clone(), exp));
                Exp::Var(name)
            }
        }
    }

    fn share_parts(&self, parts: &[DataType], exp: Exp, path: &mut Vec<usize>, out: &mut Block) -> Exp {
        let before = out.len();
        let shared = parts.iter().enumerate().map(|(k, part)| {
            path.push(k);
            let part = self.share(part, project(k, &exp), path, out);
            path.pop();
            part
        });
        let shared: Arc<[Exp]> = shared.collect();
        if out.len() == before { exp } else { Exp::Tuple(shared) }
    }

    fn is_worth_it(&self, exp: &Exp, path: &[usize]) -> bool {
        let uses = self.uses.count(path);
        uses > 1 && (self.opaque || !is_atomic(exp))
    }
}

/// A small value, of which each number is in a variable.
fn computed(ty: &DataType, exp: Exp, text: &str, out: &mut Block) -> Exp {
    match ty {
        DataType::Tuple(parts) => {
            let part = |(k, ty)| computed(ty, project(k, &exp), text, out);
            Exp::Tuple(parts.iter().enumerate().map(part).collect())
        }
        _ => {
            let name = Name::fresh(text);
            out.push(Comm::Let(name.clone(), ty.clone(), exp));
            Exp::Var(name)
        }
    }
}

/// A component.
pub(super) fn project(position: usize, exp: &Exp) -> Exp {
    match exp {
        Exp::Tuple(parts) => parts[position].clone(),
        exp => Exp::Proj(position, Arc::new(exp.clone())),
    }
}
