//! Random kernels, made top-down: a term of the wanted type, whose leaves are variables in scope or new
//! kernel parameters of exactly that type.

use rise_build::diagnostics::Origin;
use rise_build::expr::{
    AddressSpace, Arg, Binary, Compare, Expr, Kernel, Kind, Lambda, Literal, MapForm, Param, Primitive,
    ReduceForm, Unary, call, let_in, literal, nat, prim,
};
use rise_build::nat::{Nat, NatVar};
use rise_build::types::{DataType, Scalar};

use crate::choices::Choices;

/// A kernel over the sizes `n` and `m`.
#[derive(Debug)]
pub struct Program {
    /// The kernel.
    pub kernel: Kernel,
    /// Whether every target gives the same bits; otherwise the last step rounds as it likes.
    pub exact: bool,
}

/// The program that the choices describe.
pub fn program(choices: &mut Choices<'_>) -> Program {
    let sizes = vec![NatVar::new("n"), NatVar::new("m")];
    let mut maker = Maker { choices, sizes: sizes.clone(), params: Vec::new(), scope: Vec::new() };
    let exact = maker.choices.below(16) != 15;
    let body = match exact {
        true => {
            let ty = maker.result_type();
            maker.term(&ty, 5)
        }
        false => maker.elementary(),
    };
    let params = maker.params;
    let kernel = Kernel::new("random", sizes, params, body);
    Program { kernel, exact }
}

/// Makes terms; every function makes one of its type.
pub(crate) struct Maker<'a, 'b> {
    pub(crate) choices: &'a mut Choices<'b>,
    sizes: Vec<NatVar>,
    params: Vec<Param>,
    scope: Vec<Param>,
}

const SCALARS: [Scalar; 7] =
    [Scalar::I32, Scalar::F32, Scalar::F64, Scalar::U8, Scalar::I64, Scalar::I16, Scalar::U32];

impl Maker<'_, '_> {
    pub(crate) fn nat(&mut self) -> Nat {
        let n = Nat::var(&self.sizes[0]);
        let m = Nat::var(&self.sizes[1]);
        match self.choices.below(7) {
            0 => n,
            1 => m,
            2 => n + Nat::lit(1),
            3 => Nat::lit(3),
            4 => Nat::lit(4),
            5 => m + n,
            _ => Nat::lit(1),
        }
    }

    pub(crate) fn scalar(&mut self) -> DataType {
        DataType::Scalar(self.choices.pick(&SCALARS))
    }

    fn small(&mut self) -> DataType {
        match self.choices.below(4) {
            0..=2 => self.scalar(),
            _ => DataType::pair(self.scalar(), self.scalar()),
        }
    }

    fn result_type(&mut self) -> DataType {
        match self.choices.below(9) {
            0 => self.scalar(),
            1..=3 => {
                let (len, element) = (self.nat(), self.small());
                DataType::array(len, element)
            }
            4 | 5 => {
                let (n, m, element) = (self.nat(), self.nat(), self.scalar());
                DataType::array(n, DataType::array(m, element))
            }
            6 => {
                let (n, s, t) = (self.nat(), self.scalar(), self.scalar());
                DataType::pair(DataType::array(n, s), t)
            }
            7 => {
                let (len, count) = (self.nat(), 2 + self.choices.below(2));
                let arrays: Vec<_> =
                    (0..count).map(|_| DataType::array(len.clone(), self.scalar())).collect();
                DataType::Tuple(arrays.into())
            }
            _ => DataType::array(self.nat(), self.scalar()),
        }
    }

    /// Any element type for an intermediate array.
    pub(crate) fn element(&mut self) -> DataType {
        match self.choices.below(6) {
            0..=3 => self.scalar(),
            4 => self.small(),
            _ => {
                let (len, element) = (self.nat(), self.scalar());
                DataType::array(len, element)
            }
        }
    }

    pub(crate) fn leaf(&mut self, ty: &DataType) -> Expr {
        let fitting: Vec<Param> = self.scope.iter().rev().filter(|param| param.ty == *ty).cloned().collect();
        if !fitting.is_empty() && (self.choices.below(4) < 3 || !can_be_param(ty)) {
            return self.choices.pick(&fitting).expr();
        }
        if let (DataType::Scalar(_), Some(other)) = (ty, self.scalar_in_scope())
            && self.choices.below(3) > 0
        {
            return call(Primitive::Cast(ty.clone()), [other]);
        }
        if let DataType::Scalar(scalar) = ty
            && self.choices.flip()
        {
            let value =
                self.choices.below(7) as i8 - if scalar.is_signed() || scalar.is_float() { 3 } else { 0 };
            return literal(Literal::small(value, *scalar));
        }
        if !can_be_param(ty) {
            return self.forced(ty);
        }
        if let Some(param) = self.params.iter().find(|param| param.ty == *ty)
            && self.choices.flip()
        {
            return param.expr();
        }
        let param = Param::fresh(&format!("p{}", self.params.len()), ty.clone());
        self.params.push(param.clone());
        param.expr()
    }

    /// The innermost variable of another scalar type, or a component of one.
    fn scalar_in_scope(&self) -> Option<Expr> {
        self.scope.iter().rev().find_map(|param| match &param.ty {
            DataType::Scalar(_) | DataType::Idx(_) => Some(param.expr()),
            DataType::Tuple(parts) => {
                let position = parts.iter().position(|part| matches!(part, DataType::Scalar(_)))?;
                Some(call(Primitive::Proj(position), [param.expr()]))
            }
            _ => None,
        })
    }

    /// A leaf of a type that no parameter can have because it mentions a bound variable.
    fn forced(&mut self, ty: &DataType) -> Expr {
        match ty {
            DataType::Scalar(scalar) => literal(Literal::small(1, *scalar)),
            DataType::Tuple(parts) => {
                let parts: Vec<Expr> = parts.iter().map(|part| self.forced(part)).collect();
                call(Primitive::Tuple, parts)
            }
            DataType::Array(len, element) => {
                let element = (**element).clone();
                self.generate(len, &element, 0)
            }
            other => panic!("no leaf of type {other}"),
        }
    }

    /// A term of the type, at most so deep.
    pub(crate) fn term(&mut self, ty: &DataType, depth: usize) -> Expr {
        if depth == 0 || self.choices.is_empty() {
            return self.leaf(ty);
        }
        if self.choices.below(12) == 11 {
            return self.shared(ty, depth);
        }
        match ty {
            DataType::Scalar(scalar) => self.scalar_term(*scalar, depth),
            DataType::Tuple(parts) => {
                if self.choices.below(4) == 0 {
                    return self.leaf(ty);
                }
                if self.choices.below(4) == 0 {
                    return self.select(ty, depth);
                }
                if let Some(apart) = self.taken_apart(parts, depth) {
                    return apart;
                }
                let parts: Vec<Expr> = parts.iter().map(|part| self.term(part, depth - 1)).collect();
                call(Primitive::Tuple, parts)
            }
            DataType::Array(len, element) => self.array_term(&len.clone(), &(**element).clone(), depth),
            _ => self.leaf(ty),
        }
    }

    fn shared(&mut self, ty: &DataType, depth: usize) -> Expr {
        let value_ty =
            if self.choices.flip() { self.scalar() } else { DataType::array(self.nat(), self.scalar()) };
        let value = self.term(&value_ty, depth - 1);
        let param = Param::fresh("s", value_ty);
        self.scope.push(param.clone());
        let body = self.term(ty, depth - 1);
        self.scope.pop();
        let_in(param, value, body)
    }

    /// An array to whose elements an elementary function is applied at last.
    fn elementary(&mut self) -> Expr {
        let (len, ty) = (self.nat(), DataType::Scalar(self.choices.pick(&[Scalar::F32, Scalar::F64])));
        let xs = self.term(&DataType::array(len, ty.clone()), 3);
        let other = self.leaf(&ty);
        let choice = self.choices.below(10);
        rise_build::expr::map_with(MapForm::Plain, "x", xs, |x| match choice {
            0 => call(Primitive::Binary(Binary::Pow), [call(Primitive::Unary(Unary::Abs), [x]), other]),
            1 => call(Primitive::MulAdd, [x.clone(), x, other]),
            2 => call(Primitive::Unary(Unary::Exp), [x]),
            3 => call(Primitive::Unary(Unary::Ln), [x]),
            4 => call(Primitive::Unary(Unary::Sin), [x]),
            5 => call(Primitive::Unary(Unary::Cos), [x]),
            6 => call(Primitive::Unary(Unary::Tan), [x]),
            7 => call(Primitive::Unary(Unary::Tanh), [x]),
            _ => call(Primitive::Unary(Unary::Rsqrt), [x]),
        })
    }

    pub(crate) fn select(&mut self, ty: &DataType, depth: usize) -> Expr {
        let condition = self.condition(depth - 1);
        let (then, otherwise) = (self.term(ty, depth - 1), self.term(ty, depth - 1));
        call(Primitive::Select, [condition, then, otherwise])
    }

    fn condition(&mut self, depth: usize) -> Expr {
        let indices = self.indices();
        if !indices.is_empty() && self.choices.flip() {
            return self.range(&indices);
        }
        let ty = self.scalar();
        let op = self.choices.pick(Compare::ALL);
        let (a, b) = (self.term(&ty, depth.min(1)), self.term(&ty, 0));
        call(Primitive::Compare(op), [a, b])
    }

    /// One or two comparisons of indices.
    fn range(&mut self, indices: &[(Nat, Nat)]) -> Expr {
        let one = self.bound(indices);
        match self.choices.flip() {
            true => one,
            false => call(Primitive::Binary(Binary::And), [one, self.bound(indices)]),
        }
    }

    /// A comparison of the innermost index, or another one, with a size, a number or another index.
    fn bound(&mut self, indices: &[(Nat, Nat)]) -> Expr {
        let innermost = indices.len() - 1;
        let (index, length) =
            indices[if self.choices.flip() { innermost } else { self.choices.below(indices.len()) }].clone();
        let other = match self.choices.below(4) {
            0 => Nat::lit(0),
            1 => length,
            2 => self.nat(),
            _ => self.choices.pick(indices).0,
        };
        let op = self.choices.pick(Compare::ALL);
        let sides = [index, other].map(|side| nat(side + self.choices.below(3) as i64));
        call(Primitive::Compare(op), sides)
    }

    fn scalar_term(&mut self, scalar: Scalar, depth: usize) -> Expr {
        let ty = DataType::Scalar(scalar);
        match self.choices.below(10) {
            0 => self.leaf(&ty),
            1 | 2 => {
                let ops: Vec<Binary> = Binary::ALL
                    .iter()
                    .copied()
                    .filter(|op| op.accepts(scalar) && *op != Binary::Pow)
                    .collect();
                let op = self.choices.pick(&ops);
                let (a, b) = (self.term(&ty, depth - 1), self.term(&ty, depth - 1));
                call(Primitive::Binary(op), [a, b])
            }
            3 => {
                let exact = [
                    Unary::Neg,
                    Unary::Abs,
                    Unary::Not,
                    Unary::Floor,
                    Unary::Ceil,
                    Unary::Round,
                    Unary::Sqrt,
                ];
                let ops: Vec<Unary> = exact.into_iter().filter(|op| op.accepts(scalar)).collect();
                let op = self.choices.pick(&ops);
                call(Primitive::Unary(op), [self.term(&ty, depth - 1)])
            }
            4 if scalar.is_float() && self.choices.below(3) == 0 => {
                let parts = [depth - 1, 0, 0].map(|depth| self.term(&ty, depth));
                call(Primitive::Fma, parts)
            }
            4 => {
                let from = self.scalar();
                call(Primitive::Cast(ty), [self.term(&from, depth - 1)])
            }
            5 => self.select(&ty, depth),
            6 => {
                let other = self.scalar();
                let (pair, position) = match self.choices.flip() {
                    false => (DataType::pair(ty, other), 0),
                    true => (DataType::pair(other, ty), 1),
                };
                call(Primitive::Proj(position), [self.term(&pair, depth - 1)])
            }
            7 | 8 => self.fold(&ty, depth),
            _ => {
                let (index, len) = self.index();
                let array = self.term(&DataType::array(len.clone(), ty), depth - 1);
                let index = Expr::new(Kind::Nat(index), DataType::Idx(len), Origin::NONE);
                call(Primitive::Idx, [index, array])
            }
        }
    }

    /// An index and the length of an array that it fits: a number, or that of a `generate` around and a number, or what is
    /// left of a multiple of it when that is divided.
    fn index(&mut self) -> (Nat, Nat) {
        let around = self.indices();
        let more = self.choices.below(3) as i64;
        if around.is_empty() || self.choices.below(4) == 0 {
            let beyond = 1 + self.choices.below(2) as i64;
            return (Nat::lit(more), Nat::lit(more + beyond));
        }
        let (index, bound) = around[self.choices.below(around.len())].clone();
        if self.choices.below(3) > 0 {
            return (index + more, bound + more);
        }
        let (step, by) = (1 + self.choices.below(3) as i64, Nat::lit(2 + self.choices.below(5) as i64));
        ((index * step + more).div(&by), (bound * step + more).div(&by) + 1)
    }

    /// The indices of each `generate` around, and how many values each takes.
    fn indices(&self) -> Vec<(Nat, Nat)> {
        let around = self.scope.iter().filter_map(|param| match (&param.nat, &param.ty) {
            (Some(nat), DataType::Idx(bound)) => Some((Nat::var(nat), bound.clone())),
            _ => None,
        });
        around.collect()
    }

    /// A fold from left to right, or a reduction with an associative operator.
    fn fold(&mut self, ty: &DataType, depth: usize) -> Expr {
        let len = self.nat();
        let integer = matches!(ty, DataType::Scalar(scalar) if scalar.is_integer());
        if integer && self.choices.flip() {
            let op = self.choices.pick(&[Binary::Add, Binary::Mul, Binary::Max, Binary::Xor]);
            let fun = self.fun2(ty, ty, |a, b| call(Primitive::Binary(op), [a, b]));
            let array = match self.choices.below(3) {
                0 => self.chosen(op, &len, ty, depth - 1),
                _ => self.term(&DataType::array(len, ty.clone()), depth - 1),
            };
            let start = self.leaf(ty);
            return prim(Primitive::Reduce(ReduceForm::Plain), vec![fun.into(), start.into(), array.into()]);
        }
        let element = self.element();
        let array = self.term(&DataType::array(len, element.clone()), depth - 1);
        let start = self.term(ty, 1);
        let fun = self.step(ty, &element, depth - 1);
        let form = Primitive::Reduce(ReduceForm::Seq(AddressSpace::Default));
        prim(form, vec![fun.into(), start.into(), array.into()])
    }

    /// Elements that are chosen by their index, in place of what is mostly the operator's neutral element.
    fn chosen(&mut self, op: Binary, len: &Nat, ty: &DataType, depth: usize) -> Expr {
        let DataType::Scalar(scalar) = *ty else {
            return self.leaf(&DataType::array(len.clone(), ty.clone()));
        };
        let other = literal(Literal::small(i8::from(op == Binary::Mul), scalar));
        let param = Param::fresh("i", DataType::Idx(len.clone()));
        self.scope.push(param.clone());
        let condition = self.range(&self.indices());
        let element = self.term(ty, depth.min(2));
        self.scope.pop();
        let [then, otherwise] = if self.choices.flip() { [element, other] } else { [other, element] };
        let body = call(Primitive::Select, [condition, then, otherwise]);
        prim(Primitive::Generate, vec![Arg::Fun(Lambda { nats: Vec::new(), params: vec![param], body })])
    }

    fn fun2(&mut self, s: &DataType, t: &DataType, body: impl FnOnce(Expr, Expr) -> Expr) -> Lambda {
        rise_build::expr::lambda2(["a", "b"], [s.clone(), t.clone()], body)
    }

    pub(crate) fn step(&mut self, acc: &DataType, element: &DataType, depth: usize) -> Lambda {
        let params = vec![Param::fresh("acc", acc.clone()), Param::fresh("x", element.clone())];
        self.function(Vec::new(), params, acc, depth)
    }

    pub(crate) fn function(
        &mut self,
        nats: Vec<NatVar>,
        params: Vec<Param>,
        result: &DataType,
        depth: usize,
    ) -> Lambda {
        let count = self.scope.len();
        self.scope.extend(params.iter().cloned());
        let body = self.term(result, depth);
        self.scope.truncate(count);
        Lambda { nats, params, body }
    }

    pub(crate) fn generate(&mut self, len: &Nat, element: &DataType, depth: usize) -> Expr {
        let param = Param::fresh("i", DataType::Idx(len.clone()));
        let index = param.expr();
        let count = self.scope.len();
        self.scope.push(param.clone());
        let body = match element {
            DataType::Scalar(scalar) if scalar.is_integer() => {
                let ty = DataType::Scalar(*scalar);
                let index = call(Primitive::Cast(ty.clone()), [index]);
                let other = self.term(&ty, depth.saturating_sub(1).min(2));
                call(Primitive::Binary(Binary::Add), [index, other])
            }
            _ => self.term(element, depth.saturating_sub(1)),
        };
        self.scope.truncate(count);
        prim(Primitive::Generate, vec![Arg::Fun(Lambda { nats: Vec::new(), params: vec![param], body })])
    }
}

/// Parameters have types over sizes alone, and no tuples of arrays inside arrays.
pub fn can_be_param(ty: &DataType) -> bool {
    match ty {
        DataType::Array(_, element) => {
            can_be_param(element)
                && !matches!(&**element, DataType::Tuple(parts) if parts.iter().any(|part| !part.is_small()))
        }
        DataType::Tuple(parts) => parts.iter().all(can_be_param),
        _ => true,
    }
}
