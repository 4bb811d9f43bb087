//! Terms of array type: one function for each family of primitives.

use rise_build::diagnostics::Origin;
use rise_build::expr::{
    AddressSpace, Arg, Binary, Compare, Expr, Kind, Lambda, Literal, MapForm, NatFun, Param, Primitive,
    ReduceForm, ScanForm, binary, call, lambda2, let_in, literal, prim, reduce, refresh,
};
use rise_build::nat::{Nat, NatVar};
use rise_build::types::{DataType, Scalar};

use crate::program::Maker;

impl Maker<'_, '_> {
    /// An array, at most so deep.
    pub(crate) fn array_term(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let ty = DataType::array(len.clone(), element.clone());
        let d = depth - 1;
        let of = |element: &DataType, len: Nat| DataType::array(len, element.clone());
        match self.choices.below(27) {
            0 => self.leaf(&ty),
            1..=4 => self.map(len, element, d),
            5 => self.zip_map(len, element, d),
            6 => self.generate(len, element, d),
            7 => {
                let k = self.nat();
                let xs = self.term(&of(element, len + &k), d);
                call(Primitive::Take(len.clone()), [xs])
            }
            8 => {
                let k = self.nat();
                let xs = self.term(&of(element, len + &k), d);
                call(Primitive::Drop(k), [xs])
            }
            9 => self.reversed(len, &ty, d),
            10 => self.select(&ty, depth),
            11 => self.scan(len, element, d),
            12 => call(Primitive::ToMem(AddressSpace::Default), [self.term(&ty, d)]),
            13 => self.gather(len, element, d),
            14 => self.concat_or_pad(len, element, d),
            15 => self.windows(len, element, d),
            16 => self.transposed(len, element, d),
            17 => self.split_or_join(len, element, d),
            18 => self.through_iterate(len, element, d),
            19 => self.unzipped(&ty, len, d),
            20 => self.array_fold(&ty, d),
            21 => self.partitioned(len, element, d),
            22 => self.vectors(len, element, d),
            23 => self.scattered(len, &ty, d),
            24 | 25 => self.updated(len, element, d),
            _ => self.literal_array(len, element, d),
        }
    }

    fn map(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let from = self.element();
        let xs = self.term(&DataType::array(len.clone(), from.clone()), depth);
        let fun = self.function(Vec::new(), vec![Param::fresh("x", from)], element, depth);
        prim(Primitive::Map(MapForm::Plain), vec![fun.into(), xs.into()])
    }

    fn zip_map(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        if let Some([s, t]) = element.as_tuple() {
            let (s, t) = (s.clone(), t.clone());
            let xs = self.term(&DataType::array(len.clone(), s), depth);
            let ys = self.term(&DataType::array(len.clone(), t), depth);
            return call(Primitive::Zip, [xs, ys]);
        }
        let (s, t) = (self.element(), self.scalar());
        let xs = self.term(&DataType::array(len.clone(), s.clone()), depth);
        let ys = self.term(&DataType::array(len.clone(), t.clone()), depth);
        let pair = DataType::pair(s, t);
        let fun = self.function(Vec::new(), vec![Param::fresh("p", pair)], element, depth);
        prim(Primitive::Map(MapForm::Plain), vec![fun.into(), call(Primitive::Zip, [xs, ys]).into()])
    }

    fn reversed(&mut self, len: &Nat, ty: &DataType, depth: usize) -> Expr {
        let var = NatVar::new("i");
        let body = len - &Nat::lit(1) - Nat::var(&var);
        let fun = NatFun { var, body };
        let xs = self.term(ty, depth);
        call(Primitive::Reorder(fun.clone(), fun), [xs])
    }

    fn scan(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let from = self.element();
        let xs = self.term(&DataType::array(len.clone(), from.clone()), depth);
        let start = self.term(element, 1);
        let fun = self.step(element, &from, depth.min(2));
        prim(Primitive::Scan(ScanForm::Plain), vec![fun.into(), start.into(), xs.into()])
    }

    fn gather(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let from = self.nat() + Nat::lit(1);
        let indices = self.leaf(&DataType::array(len.clone(), DataType::Idx(from.clone())));
        let xs = self.term(&DataType::array(from, element.clone()), depth);
        call(Primitive::Gather, [indices, xs])
    }

    /// A permutation that writes: the reversal by indices.
    fn scattered(&mut self, len: &Nat, ty: &DataType, depth: usize) -> Expr {
        let param = Param::fresh("i", DataType::Idx(len.clone()));
        let Kind::Nat(index) = param.expr().kind().clone() else { return self.leaf(ty) };
        let target = len - &Nat::lit(1) - index;
        let body = Expr::new(Kind::Nat(target), DataType::Idx(len.clone()), Origin::NONE);
        let indices =
            prim(Primitive::Generate, vec![Arg::Fun(Lambda { nats: Vec::new(), params: vec![param], body })]);
        let xs = self.term(ty, depth);
        call(Primitive::Scatter, [indices, xs])
    }

    fn concat_or_pad(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        // `len` must be at least 1 for certain: strip a literal part.
        let Some(rest) = strip_literal(len) else {
            return self.leaf(&DataType::array(len.clone(), element.clone()));
        };
        let (literal_part, rest) = rest;
        match self.choices.below(4) {
            0 => {
                let xs = self.term(&DataType::array(rest, element.clone()), depth);
                let ys = self.term(&DataType::array(Nat::lit(literal_part), element.clone()), depth);
                if self.choices.flip() {
                    call(Primitive::Concat, [xs, ys])
                } else {
                    call(Primitive::Concat, [ys, xs])
                }
            }
            1 => {
                let value = self.term(element, 1);
                let xs = self.term(&DataType::array(rest, element.clone()), depth);
                let l = self.choices.below(literal_part as usize + 1) as i64;
                call(Primitive::PadCst(Nat::lit(l), Nat::lit(literal_part - l)), [value, xs])
            }
            2 => {
                let xs = self.term(&DataType::array(len.clone(), element.clone()), depth);
                call(Primitive::Take(len.clone()), [call(Primitive::PadEmpty(Nat::lit(2)), [xs])])
            }
            _ => {
                let xs = self.term(&DataType::array(len.clone(), element.clone()), depth);
                let padded = call(Primitive::PadClamp(Nat::lit(2), Nat::lit(1)), [xs]);
                match self.choices.below(2) {
                    0 => call(Primitive::Take(len.clone()), [padded]),
                    _ => call(Primitive::Drop(Nat::lit(3)), [padded]),
                }
            }
        }
    }

    /// Windows, summed up by the consumer: `[e; len]` from the windows of `[s; len - 1 + size]`.
    fn windows(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let Some((literal_part, _)) = strip_literal(len) else { return self.map(len, element, depth) };
        if literal_part < 1 {
            return self.map(len, element, depth);
        }
        let from = self.scalar();
        let size = 1 + self.choices.below(3) as i64;
        let step = 1 + self.choices.below(2) as i64;
        let input = (len - &Nat::lit(1)) * Nat::lit(step) + Nat::lit(size);
        let windows = match self.choices.below(4) {
            0 if step == 1 => self.buffered(&input, &from, size, depth),
            _ => {
                let xs = self.term(&DataType::array(input, from.clone()), depth);
                call(Primitive::Slide(Nat::lit(size), Nat::lit(step)), [xs])
            }
        };
        let window = DataType::array(Nat::lit(size), from);
        if *element == window {
            return windows;
        }
        let fun = self.function(Vec::new(), vec![Param::fresh("w", window)], element, depth);
        prim(Primitive::Map(MapForm::Plain), vec![fun.into(), windows.into()])
    }

    /// Windows at distance 1 whose elements are computed once.
    fn buffered(&mut self, input: &Nat, element: &DataType, size: i64, depth: usize) -> Expr {
        let from = self.scalar();
        let xs = self.term(&DataType::array(input.clone(), from.clone()), depth);
        let load = self.function(Vec::new(), vec![Param::fresh("x", from)], element, depth.min(2));
        let primitive = match self.choices.below(3) {
            0 => Primitive::CircularBuffer(Nat::lit(size), Nat::lit(size)),
            1 => Primitive::CircularBuffer(Nat::lit(size + 1), Nat::lit(size)),
            _ => Primitive::RotateValues(Nat::lit(size)),
        };
        prim(primitive, vec![load.into(), xs.into()])
    }

    fn transposed(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        match element {
            DataType::Array(m, t) => {
                let ty = DataType::array(m.clone(), DataType::array(len.clone(), (**t).clone()));
                call(Primitive::Transpose, [self.term(&ty, depth)])
            }
            _ => self.map(len, element, depth),
        }
    }

    fn split_or_join(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        if let Some(m) = len.as_const()
            && m == 4
        {
            let rows = DataType::array(Nat::lit(2), DataType::array(Nat::lit(2), element.clone()));
            return call(Primitive::Join, [self.term(&rows, depth)]);
        }
        match element {
            DataType::Array(m, t) if m.as_const().is_some_and(|m| m > 0) => {
                let flat = DataType::array(len * m, (**t).clone());
                call(Primitive::Split(m.clone()), [self.term(&flat, depth)])
            }
            _ => {
                let rows = DataType::array(len.clone(), DataType::array(Nat::lit(1), element.clone()));
                call(Primitive::Join, [self.term(&rows, depth)])
            }
        }
    }

    /// `k` steps of any function from arrays of this length to such.
    fn through_steps(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let k = i64::from(self.choices.below(4) as u32);
        let ty = DataType::array(len.clone(), element.clone());
        let xs = self.term(&ty, depth);
        let step = self.function(Vec::new(), vec![Param::fresh("xs", ty.clone())], &ty, depth.min(2));
        prim(Primitive::Iterate(Nat::lit(k)), vec![step.into(), xs.into()])
    }

    /// `[t; len]` by `k` halvings of `[t; len · 2^k]`.
    fn through_iterate(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        if self.choices.flip() {
            return self.through_steps(len, element, depth);
        }
        let DataType::Scalar(scalar) = element else { return self.map(len, element, depth) };
        let k = self.choices.below(4) as u32;
        let input = len * &Nat::lit(1 << k);
        let xs = self.term(&DataType::array(input, element.clone()), depth);
        let l = NatVar::new("l");
        let long = DataType::array(Nat::var(&l) * Nat::lit(2), element.clone());
        let op = if *scalar == Scalar::Bool {
            Binary::Xor
        } else {
            self.choices.pick(&[Binary::Add, Binary::Max])
        };
        let param = Param::fresh("xs", long);
        let pairs = call(Primitive::Split(Nat::lit(2)), [param.expr()]);
        let at = |i: i64| Expr::new(Kind::Nat(Nat::lit(i)), DataType::Idx(Nat::lit(2)), Origin::NONE);
        let body = rise_build::expr::map_with(MapForm::Plain, "p", pairs, |p| {
            call(
                Primitive::Binary(op),
                [call(Primitive::Idx, [at(0), p.clone()]), call(Primitive::Idx, [at(1), p])],
            )
        });
        let fun = Lambda { nats: vec![l], params: vec![param], body };
        prim(Primitive::Iterate(Nat::lit(i64::from(k))), vec![fun.into(), xs.into()])
    }

    /// A part of an array of tuples.
    fn unzipped(&mut self, ty: &DataType, len: &Nat, depth: usize) -> Expr {
        let Some((_, element)) = ty.as_array() else { return self.leaf(ty) };
        let mut parts: Vec<DataType> = (0..2 + self.choices.below(2)).map(|_| self.scalar()).collect();
        let position = self.choices.below(parts.len());
        parts[position] = element.clone();
        let tuples = self.term(&DataType::array(len.clone(), DataType::Tuple(parts.into())), depth);
        call(Primitive::Proj(position), [call(Primitive::Unzip, [tuples])])
    }

    /// Arrays of one length, as the parts of one of tuples, in this order or the other way round.
    pub(crate) fn taken_apart(&mut self, arrays: &[DataType], depth: usize) -> Option<Expr> {
        let elements = arrays.iter().map(|array| array.as_array()).collect::<Option<Vec<_>>>()?;
        let len = elements.first()?.0.clone();
        if elements.iter().any(|(other, _)| **other != len) || self.choices.flip() {
            return None;
        }
        let backwards = self.choices.flip();
        let mut parts: Vec<DataType> = elements.into_iter().map(|(_, element)| element.clone()).collect();
        if backwards {
            parts.reverse();
        }
        let last = parts.len() - 1;
        let tuples = self.map(&len, &DataType::Tuple(parts.into()), depth - 1);
        if !backwards && self.choices.flip() {
            return Some(call(Primitive::Unzip, [tuples]));
        }
        let whole = Param::fresh("r", tuples.ty().clone());
        let part = |position: usize| {
            rise_build::expr::map_with(MapForm::Plain, "p", whole.expr(), |p| {
                call(Primitive::Proj(position), [p])
            })
        };
        let arrays: Vec<Expr> = (0..=last).map(|at| part(if backwards { last - at } else { at })).collect();
        Some(let_in(whole, tuples, call(Primitive::Tuple, arrays)))
    }

    /// A fold whose accumulator is an array.
    fn array_fold(&mut self, ty: &DataType, depth: usize) -> Expr {
        let (len, element) = (self.nat(), self.element());
        let xs = self.term(&DataType::array(len, element.clone()), depth);
        let start = self.term(ty, 1);
        let fun = self.step(ty, &element, depth.min(2));
        let form = Primitive::Reduce(ReduceForm::Seq(AddressSpace::Default));
        prim(form, vec![fun.into(), start.into(), xs.into()])
    }

    /// An array that differs from another one in at most one element, by a number: updated, or written as a choice for
    /// each index; or for each index a fold of those that have it.
    fn updated(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let scalar = self.choices.pick(&[Scalar::I32, Scalar::U32, Scalar::U8, Scalar::I64]);
        let of = DataType::Scalar(scalar);
        let index = Param::fresh("j", DataType::Idx(len.clone()));
        let is_key = |key: Expr, index: &Param| {
            let number = call(Primitive::Cast(of.clone()), [index.expr()]);
            call(Primitive::Compare(Compare::Eq), [key, number])
        };
        let by_index = |body: Expr| {
            let f = Lambda { nats: Vec::new(), params: vec![index.clone()], body };
            prim(Primitive::Generate, vec![f.into()])
        };
        let form = self.choices.below(3);
        if let (0, DataType::Scalar(sum)) = (form, element)
            && sum.is_integer()
        {
            let (from, count) = (self.scalar(), self.nat());
            let xs = self.term(&DataType::array(count, from.clone()), depth);
            let x = Param::fresh("x", from);
            let [key, value] =
                [&of, element].map(|ty| self.function(Vec::new(), vec![x.clone()], ty, depth.min(2)).body);
            let zero = literal(Literal::zero(*sum));
            let chosen = call(Primitive::Select, [is_key(key, &index), value, zero.clone()]);
            let f = Lambda { nats: Vec::new(), params: vec![x], body: chosen };
            let chosen = prim(Primitive::Map(MapForm::Plain), vec![f.into(), xs.into()]);
            let add =
                lambda2(["a", "b"], [element.clone(), element.clone()], |a, b| binary(Binary::Add, a, b));
            return by_index(reduce(ReduceForm::Plain, add, zero, chosen));
        }
        let key = self.term(&of, 1);
        let old = self.term(&DataType::array(len.clone(), element.clone()), depth);
        let f = self.function(Vec::new(), vec![Param::fresh("old", element.clone())], element, depth.min(2));
        let xs = Param::fresh("xs", old.ty().clone());
        let body = if form < 2 {
            let at = |expr: Expr| call(Primitive::Idx, [index.expr(), expr]);
            let new = let_in(f.params[0].clone(), at(xs.expr()), f.body);
            by_index(call(Primitive::Select, [is_key(key, &index), new, at(xs.expr())]))
        } else {
            let at = Param::fresh("at", DataType::Idx(len.clone()));
            let wide = |expr: Expr| call(Primitive::Cast(DataType::Scalar(Scalar::U64)), [expr]);
            let count = Expr::new(Kind::Nat(len.clone()), DataType::Nat, Origin::NONE);
            let is_one = call(Primitive::Compare(Compare::Lt), [wide(key.clone()), wide(count)]);
            let mut new = prim(Primitive::Update, vec![f.into(), at.expr().into(), xs.expr().into()]);
            if self.choices.flip() {
                // The same element or another one, after it.
                let old = Param::fresh("old", element.clone());
                let f = self.function(Vec::new(), vec![old], element, depth.min(2));
                let mirrored = at.nat.as_ref().map_or(Nat::lit(0), |at| len - &Nat::lit(1) - Nat::var(at));
                let index = Expr::new(Kind::Nat(mirrored), at.ty.clone(), Origin::NONE);
                new = prim(Primitive::Update, vec![f.into(), index.into(), new.into()]);
            }
            let new = let_in(at.clone(), call(Primitive::Cast(at.ty), [refresh(&key)]), new);
            call(Primitive::Select, [is_one, new, xs.expr()])
        };
        let_in(xs, old, body)
    }

    /// Parts of lengths 0, 1, 2, …, mapped and joined again.
    fn partitioned(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        if len.as_const() != Some(3) || !matches!(element, DataType::Scalar(_)) {
            return self.map(len, element, depth);
        }
        let i = NatVar::new("i");
        let lengths = NatFun { body: Nat::var(&i), var: i };
        let xs = self.term(&DataType::array(len.clone(), element.clone()), depth);
        let parts = call(Primitive::Partition(Nat::lit(3), lengths.clone()), [xs]);
        if self.choices.flip() {
            return self.two_partitions(element, lengths, parts, depth);
        }
        let j = NatVar::new("j");
        let param = Param::fresh("part", DataType::array(Nat::var(&j), element.clone()));
        let x = Param::fresh("x", element.clone());
        let inner = self.function(Vec::new(), vec![x], element, depth.min(2));
        let body = prim(Primitive::Map(MapForm::Plain), vec![inner.into(), param.expr().into()]);
        let fun = Lambda { nats: vec![j], params: vec![param], body };
        let mapped = prim(Primitive::DepMap(MapForm::Plain), vec![fun.into(), parts.into()]);
        call(Primitive::DepJoin, [mapped])
    }

    /// Two arrays of parts side by side.
    fn two_partitions(&mut self, element: &DataType, lengths: NatFun, parts: Expr, depth: usize) -> Expr {
        let other = self.scalar();
        let ys = self.term(&DataType::array(Nat::lit(3), other.clone()), depth);
        let pairs = call(Primitive::DepZip, [parts, call(Primitive::Partition(Nat::lit(3), lengths), [ys])]);
        let j = NatVar::new("j");
        let part = |element: &DataType| DataType::array(Nat::var(&j), element.clone());
        let param = Param::fresh("parts", DataType::pair(part(element), part(&other)));
        let [xs, ys] = [0, 1].map(|at| call(Primitive::Proj(at), [param.expr()]));
        let pair = Param::fresh("p", DataType::pair(element.clone(), other));
        let inner = self.function(Vec::new(), vec![pair], element, depth.min(2));
        let zipped = call(Primitive::Zip, [xs, ys]);
        let body = prim(Primitive::Map(MapForm::Plain), vec![inner.into(), zipped.into()]);
        let fun = Lambda { nats: vec![j], params: vec![param], body };
        call(Primitive::DepJoin, [prim(Primitive::DepMap(MapForm::Plain), vec![fun.into(), pairs.into()])])
    }

    fn vectors(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let (DataType::Scalar(scalar), Some(4)) = (element, len.as_const()) else {
            return self.map(len, element, depth);
        };
        let xs = self.term(&DataType::array(len.clone(), element.clone()), depth);
        let vectors = call(Primitive::AsVector(4), [xs]);
        let factor = self.term(element, 1);
        let op = if *scalar == Scalar::Bool { Binary::And } else { Binary::Add };
        let mapped = rise_build::expr::map_with(MapForm::Plain, "v", vectors, |v| {
            call(Primitive::Binary(op), [v, call(Primitive::VectorFromScalar(4), [factor])])
        });
        call(Primitive::AsScalar, [mapped])
    }

    fn literal_array(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        match len.as_const() {
            Some(count) if (1..=4).contains(&count) => {
                let elements: Vec<Expr> = (0..count).map(|_| self.term(element, depth.min(1))).collect();
                call(Primitive::MakeArray, elements)
            }
            _ => self.map(len, element, depth),
        }
    }
}

/// `n + c` with a literal `c ≥ 1` as `(c, n)`; `None` where no element is certain.
fn strip_literal(len: &Nat) -> Option<(i64, Nat)> {
    if let Some(constant) = len.as_const() {
        return (constant >= 1).then(|| (constant, Nat::lit(0)));
    }
    let rest = len - &Nat::lit(1);
    let has_literal = len.terms().any(|(_, factors)| factors.is_empty());
    has_literal.then_some((1, rest))
}
