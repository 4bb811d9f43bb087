//! Padding and concatenation: an index is clamped where the array has an element, else the read is guarded.
//!
//! A clamped index is written `min(max(i, l) - l, n - 1)`, so that no part of it is below zero.

use crate::dpia::imperative::{Acc, Exp};
use crate::expr::{Binary, Compare, Literal};
use crate::nat::Nat;
use crate::types::{DataType, Scalar};

use super::super::super::ir::*;
use super::super::env::Env;
use super::super::{Lowering, Path, Small, Step};
use super::{array_len, pop_index};

type Typed<'a> = (&'a Exp, &'a DataType);

impl Lowering {
    /// The index `i` clamped between `left` and the last of `len` elements after it, counted from `left`.
    fn clamped(&self, i: &Nat, left: &Nat, len: &Nat) -> Nat {
        let from_left = match self.facts.proves_le(left, i) {
            true => i - left,
            false => Nat::max(i, left) - left,
        };
        match self.facts.proves_lt(i, &(left + len)) {
            true => from_left,
            false => Nat::min(&from_left, &(len - 1)),
        }
    }

    pub(super) fn pad_clamp(
        &mut self,
        left: &Nat,
        (array, ty): Typed,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        let i = self.facts.simplify(&pop_index(&mut path));
        let index = self.clamped(&i, left, &array_len(ty));
        path.push(Step::Index(index));
        self.read(array, env, path, out)
    }

    pub(super) fn pad_constant(
        &mut self,
        (left, right): (Nat, Nat),
        value: &Exp,
        (array, ty): Typed,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        let i = self.facts.simplify(&pop_index(&mut path));
        let len = array_len(ty);
        let end = &left + &len;
        let after_left = left.is_zero() || self.facts.proves_le(&left, &i);
        let before_right = right.is_zero() || self.facts.proves_lt(&i, &end);
        let at = |index: Nat| {
            let mut path = path.clone();
            path.push(Step::Index(index));
            path
        };
        if after_left && before_right {
            return self.read(array, env, at(&i - &left), out);
        }
        if self.facts.proves_lt(&i, &left) || self.facts.proves_le(&end, &i) {
            return self.read(value, env, path, out);
        }
        let condition = match (after_left, before_right) {
            (true, _) => Value::CompareNat(Compare::Lt, i.clone(), end),
            (_, true) => Value::CompareNat(Compare::Le, left.clone(), i.clone()),
            _ => Value::Binary(
                Binary::And,
                ValueType::scalar(Scalar::Bool),
                Box::new(Value::CompareNat(Compare::Le, left.clone(), i.clone())),
                Box::new(Value::CompareNat(Compare::Lt, i.clone(), end)),
            ),
        };
        if self.facts.proves_positive(&len) {
            let inside = self.read(array, env, at(self.clamped(&i, &left, &len)), out);
            let outside = self.read(value, env, path, out);
            return self.choose((condition, ValueType::scalar(Scalar::Bool)), inside, outside, out);
        }
        self.join(
            condition,
            &mut |this, out| this.read(array, env, at(&i - &left), out),
            &mut |this, out| this.read(value, env, path.clone(), out),
            out,
        )
    }

    /// Elements behind the end have no value; some element stands for them, or zero if there is none.
    pub(super) fn pad_empty(
        &mut self,
        (array, ty): Typed,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        let i = self.facts.simplify(&pop_index(&mut path));
        let len = array_len(ty);
        let at = |index: Nat| {
            let mut path = path.clone();
            path.push(Step::Index(index));
            path
        };
        if self.facts.proves_positive(&len) || self.facts.proves_lt(&i, &len) {
            return self.read(array, env, at(self.clamped(&i, &Nat::lit(0), &len)), out);
        }
        let zero = zero_at(ty, &at(i.clone()));
        self.join(
            Value::CompareNat(Compare::Lt, i.clone(), len),
            &mut |this, out| this.read(array, env, at(i.clone()), out),
            &mut |_, _| zero.clone(),
            out,
        )
    }

    pub(super) fn concat(
        &mut self,
        first: &Exp,
        second: &Exp,
        first_ty: &DataType,
        env: &Env,
        mut path: Path,
        out: &mut Block,
    ) -> Small {
        let i = self.facts.simplify(&pop_index(&mut path));
        let len = array_len(first_ty);
        let at = |index: Nat| {
            let mut path = path.clone();
            path.push(Step::Index(index));
            path
        };
        if self.facts.proves_lt(&i, &len) {
            return self.read(first, env, at(i), out);
        }
        if self.facts.proves_le(&len, &i) {
            return self.read(second, env, at(i - len), out);
        }
        self.join(
            Value::CompareNat(Compare::Lt, i.clone(), len.clone()),
            &mut |this, out| this.read(first, env, at(i.clone()), out),
            &mut |this, out| this.read(second, env, at(&i - &len), out),
            out,
        )
    }

    /// The second operand begins where the first ends: its own length before the end of the whole.
    pub(super) fn concat_target(
        &mut self,
        operand: usize,
        ty: &DataType,
        acc: &Acc,
        env: &Env,
        path: &mut Path,
    ) {
        if operand == 0 {
            return;
        }
        let i = pop_index(path);
        let whole = array_len(&self.acc_type(acc, env));
        path.push(Step::Index(i + (whole - array_len(ty))));
    }

    /// Elements that `take` leaves out are not stored.
    pub(super) fn take_target(&mut self, n: &Nat, path: &Path) -> Option<Value> {
        match path.last() {
            Some(Step::Index(i)) if !self.facts.proves_lt(i, n) => {
                Some(Value::CompareNat(Compare::Lt, self.facts.simplify(i), n.clone()))
            }
            _ => None,
        }
    }

    pub(super) fn drop_target(&mut self, n: &Nat, path: &mut Path) -> Option<Value> {
        let i = self.facts.simplify(&pop_index(path));
        path.push(Step::Index(&i - n));
        (!self.facts.proves_le(n, &i)).then(|| Value::CompareNat(Compare::Le, n.clone(), i))
    }
}

/// Zero, of the type at a path.
fn zero_at(ty: &DataType, path: &Path) -> Small {
    let mut ty = ty.clone();
    let mut lane = false;
    for step in path.iter().rev() {
        ty = match (step, &ty) {
            (Step::Index(index), _) => super::super::layout::element(&ty, index),
            (Step::Proj(position), DataType::Tuple(parts)) => parts[*position].clone(),
            _ => {
                lane = true;
                ty
            }
        };
    }
    let zero = |scalar| Value::Literal(Literal::zero(scalar));
    match ty {
        DataType::Scalar(scalar) => Small::Value(zero(scalar), ValueType::scalar(scalar)),
        DataType::Vector(scalar, _) if lane => Small::Value(zero(scalar), ValueType::scalar(scalar)),
        DataType::Vector(scalar, lanes) => {
            let ty = ValueType { scalar, lanes };
            Small::Value(Value::Broadcast(ty, Box::new(zero(scalar))), ty)
        }
        _ => Small::Nat(Nat::lit(0)),
    }
}
