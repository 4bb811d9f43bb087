//! The end of inference: terms whose unknowns are known become expressions.
//!
//! Sharing is decided here: a `let` that is used at most once outside functions, or that only rearranges
//! data, is put in its place. What is still unknown is reported.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Diagnostics, Origin};
use crate::expr::{
    Arg, Expr, Foreign, Kind, Lambda, Literal, MapForm, NatFun, Param, Primitive, StaticArg,
    literal as constant, refresh,
};
use crate::names::Name;
use crate::nat::{Nat, NatVar};

use super::natural::{NEGATIVE, of_literals};
use super::solver::Solver;
use super::term::{Number, TArg, TForeign, TLambda, TParam, TPrim, Term, TermKind};
use super::ty::Ty;
use super::usage::Usage;
use super::{DataType, Scalar};

/// The state of finishing one kernel.
pub(super) struct Finish<'s> {
    pub(super) solver: &'s Solver,
    pub(super) diagnostics: Diagnostics,
    /// Something wrong was met that was reported before, by the parser perhaps.
    pub(super) broken: bool,
    usage: Usage,
    /// What the type parameters of a rule stand for.
    types: Vec<DataType>,
    /// Bindings that are put in place of their names, and whether that happened already.
    inlined: BTreeMap<Name, (Expr, bool)>,
    /// Faces of variables whose types were not known to be indices when they were bound.
    faces: BTreeMap<Name, NatVar>,
}

impl<'s> Finish<'s> {
    pub(super) fn new(solver: &'s Solver, body: &Term) -> Self {
        Finish {
            solver,
            diagnostics: Diagnostics::new(),
            broken: false,
            usage: Usage::of(body, solver),
            types: Vec::new(),
            inlined: BTreeMap::new(),
            faces: BTreeMap::new(),
        }
    }

    /// The same where type parameters stand for these types.
    pub(super) fn at(self, types: &[DataType]) -> Self {
        Finish { types: types.to_vec(), ..self }
    }

    fn nat(&self, nat: &Nat) -> Nat {
        self.solver.nat(nat)
    }

    /// The type without unknowns.
    pub(super) fn ty(&mut self, ty: &Ty, origin: Origin) -> DataType {
        match self.solver.shallow(ty) {
            Ty::Var(_) => {
                self.diagnostics.push(
                    Diagnostic::error(origin, "the type of this expression cannot be determined")
                        .help("give it: `{ let x: f32 = …; … }`, or a suffix to a literal"),
                );
                DataType::Scalar(Scalar::I32)
            }
            Ty::Given(_, position) => self.types[position].clone(),
            Ty::Error => {
                self.broken = true;
                DataType::Scalar(Scalar::I32)
            }
            Ty::Scalar(scalar) => DataType::Scalar(scalar),
            Ty::Nat => DataType::Nat,
            Ty::Idx(bound) => DataType::Idx(self.nat(&bound)),
            Ty::Vector(element, lanes) => self.vector(&element, &lanes, origin),
            Ty::Array(len, element) => DataType::array(self.nat(&len), self.ty(&element, origin)),
            Ty::DepArray(len, var, element) => {
                DataType::DepArray(self.nat(&len), var, Arc::new(self.ty(&element, origin)))
            }
            Ty::Tuple(parts) => DataType::Tuple(parts.iter().map(|part| self.ty(part, origin)).collect()),
        }
    }

    fn vector(&mut self, element: &Ty, lanes: &Nat, origin: Origin) -> DataType {
        let element = self.ty(element, origin);
        let lanes = self.nat(lanes);
        match (&element, lanes.as_const().and_then(|lanes| u32::try_from(lanes).ok())) {
            (DataType::Scalar(scalar), Some(lanes)) => DataType::Vector(*scalar, lanes),
            (DataType::Scalar(_), None) => {
                let message = format!("the number of lanes of a vector is a literal, found {lanes}");
                self.diagnostics.error(origin, message);
                element
            }
            _ => {
                self.diagnostics.error(origin, format!("lanes of vectors are scalars, found `{element}`"));
                element
            }
        }
    }

    /// The expression of a term.
    pub(super) fn expr(&mut self, term: &Term) -> Expr {
        let origin = term.origin();
        match term.kind() {
            TermKind::Var(name) => self.variable(name, term),
            TermKind::Nat(nat) => {
                let ty = self.ty(term.ty(), origin);
                Expr::new(Kind::Nat(self.nat(nat)), ty, origin)
            }
            TermKind::Literal(number) => self.literal(number, term.ty(), origin),
            TermKind::Let(param, value, body) => self.binding(term, param, value, body),
            TermKind::Prim(primitive, args) => match (of_literals(term), self.ty(term.ty(), term.origin())) {
                (Some(nat), ty @ (DataType::Nat | DataType::Idx(_))) => {
                    Expr::new(Kind::Nat(nat), ty, term.origin())
                }
                _ => self.primitive(term, primitive, args),
            },
            TermKind::Conform(inner) => {
                // The sizes are equal wherever the obligations hold, so either type is right; the context's is
                // the one that its neighbours have.
                let ty = self.ty(term.ty(), origin);
                let expr = self.expr(inner);
                if *expr.ty() == ty { expr } else { expr.edit(|node| node.ty = ty) }
            }
            TermKind::Error => {
                self.broken = true;
                constant(Literal::small(0, Scalar::I32))
            }
        }
    }

    fn variable(&mut self, name: &Name, term: &Term) -> Expr {
        if let Some((value, used)) = self.inlined.get_mut(name) {
            // A copy must not share bound variables with the first use.
            return if std::mem::replace(used, true) { refresh(value) } else { value.clone() };
        }
        let ty = self.ty(term.ty(), term.origin());
        let kind = match self.faces.get(name) {
            Some(var) => Kind::Nat(Nat::var(var)),
            None => Kind::Var(name.clone()),
        };
        Expr::new(kind, ty, term.origin())
    }

    fn literal(&mut self, number: &Number, ty: &Ty, origin: Origin) -> Expr {
        let ty = self.ty(ty, origin);
        let literal = match (number, &ty) {
            (Number::Bool(value), _) => Some(Literal::Bool(*value)),
            (Number::Int(false, value), DataType::Nat | DataType::Idx(_)) => {
                let nat = i64::try_from(*value).map_or_else(|_| Nat::overflow(), Nat::lit);
                return Expr::new(Kind::Nat(nat), ty, origin);
            }
            (Number::Int(sign, value), DataType::Scalar(scalar)) => int_literal(*sign, *value, *scalar),
            (Number::Float(sign, digits), DataType::Scalar(scalar)) => float_literal(*sign, digits, *scalar),
            _ => None,
        };
        match literal {
            Some(literal) => Expr::new(Kind::Literal(literal), ty, origin),
            None => {
                let message = match (number, &ty) {
                    (Number::Int(true, _), DataType::Nat | DataType::Idx(_)) => NEGATIVE.to_owned(),
                    (Number::Float(..), DataType::Scalar(scalar)) if scalar.is_integer() => {
                        format!("expected `{scalar}`, found a float")
                    }
                    (_, DataType::Scalar(scalar)) if scalar.is_integer() => {
                        let (least, greatest) = integer_range(*scalar);
                        format!(
                            "this literal does not fit `{scalar}`, which has the values {least} to {greatest}"
                        )
                    }
                    _ => format!("this literal does not fit `{ty}`"),
                };
                let wrong = Diagnostic::error(origin, message);
                self.diagnostics.push(match (number, &ty) {
                    (Number::Int(true, _), DataType::Idx(len)) => {
                        wrong.help(format!("the last index is `{}`", len - 1))
                    }
                    _ => wrong,
                });
                Expr::new(Kind::Literal(Literal::small(0, Scalar::I32)), ty, origin)
            }
        }
    }

    fn binding(&mut self, term: &Term, param: &TParam, value: &Term, body: &Term) -> Expr {
        let uses = self.usage.of_let(&param.name);
        if uses.count == 0 {
            return inherit(term, self.expr(body));
        }
        let value = self.expr(value);
        let once = uses.count == 1 && !uses.under_function;
        if param.nat.is_none() && (once || is_layout(&value)) {
            self.inlined.insert(param.name.clone(), (value, false));
            return inherit(term, self.expr(body));
        }
        let param = self.param(param, value.ty().clone());
        let body = self.expr(body);
        let ty = body.ty().clone();
        let labels = term.labels().to_vec();
        Expr::new(Kind::Let(param, value, body), ty, term.origin()).with_labels(labels)
    }

    pub(super) fn param(&mut self, param: &TParam, ty: DataType) -> Param {
        let wants_face = matches!(ty, DataType::Idx(_) | DataType::Nat);
        let nat = match (&param.nat, wants_face) {
            (Some(var), true) => Some(var.clone()),
            (None, true) => {
                let var = NatVar::new(param.name.text());
                self.faces.insert(param.name.clone(), var.clone());
                Some(var)
            }
            (_, false) => None,
        };
        Param { name: param.name.clone(), nat, ty }
    }

    fn lambda(&mut self, lambda: &TLambda) -> Lambda {
        let params = lambda
            .params
            .iter()
            .map(|param| {
                let ty = self.ty(&param.ty, lambda.body.origin());
                self.param(param, ty)
            })
            .collect();
        Lambda { nats: lambda.nats.clone(), params, body: self.expr(&lambda.body) }
    }

    fn primitive(&mut self, term: &Term, primitive: &TPrim, args: &[TArg]) -> Expr {
        let origin = term.origin();
        let args: Vec<Arg> = args
            .iter()
            .map(|arg| match arg {
                TArg::Expr(term) => Arg::Expr(self.expr(term)),
                TArg::Fun(lambda) => Arg::Fun(self.lambda(lambda)),
            })
            .collect();
        let ty = self.ty(term.ty(), origin);
        let primitive = match primitive {
            TPrim::Known(primitive) => primitive.map_nats(&|nat| self.nat(nat)),
            TPrim::Row(row, statics) => {
                let statics: Vec<StaticArg> = statics.iter().map(|arg| self.static_arg(arg)).collect();
                (row.make)(&statics)
            }
            TPrim::Cast(target) => {
                let target = self.ty(target, origin);
                if let [Arg::Expr(value)] = args.as_slice()
                    && *value.ty() == ty
                {
                    return value.clone();
                }
                Primitive::Cast(target)
            }
            TPrim::Foreign(foreign) => Primitive::Foreign(Arc::new(self.foreign(foreign, origin))),
            TPrim::Broadcast(lanes) => {
                let lanes = self.nat(lanes).as_const().and_then(|lanes| u32::try_from(lanes).ok());
                Primitive::VectorFromScalar(lanes.unwrap_or(1))
            }
        };
        self.check_escape(&primitive, &args, &ty, origin);
        Expr::new(Kind::Prim(primitive, args), ty, origin).with_labels(term.labels().to_vec())
    }

    /// A size may depend on an index only inside the function that binds the index.
    fn check_escape(&mut self, primitive: &Primitive, args: &[Arg], ty: &DataType, origin: Origin) {
        if matches!(primitive, Primitive::DepMap(_)) {
            return;
        }
        for lambda in args.iter().filter_map(Arg::as_fun) {
            let faces = lambda.params.iter().filter_map(|param| param.nat.as_ref()).chain(&lambda.nats);
            for var in faces {
                if mentions(ty, var) {
                    let message = format!("the size of the result depends on the index `{var}`, in `{ty}`");
                    let diagnostic = Diagnostic::error(origin, message).help(
                        "the elements of an array have one size; `partition` and `depMap` are for others",
                    );
                    self.diagnostics.push(diagnostic);
                    return;
                }
            }
        }
    }

    fn static_arg(&self, arg: &StaticArg) -> StaticArg {
        match arg {
            StaticArg::Nat(nat) => StaticArg::Nat(self.nat(nat)),
            StaticArg::NatFun(fun) => {
                StaticArg::NatFun(NatFun { var: fun.var.clone(), body: self.nat(&fun.body) })
            }
            StaticArg::Dimension(_) | StaticArg::Space(_) => arg.clone(),
        }
    }

    fn foreign(&mut self, foreign: &TForeign, origin: Origin) -> Foreign {
        let params = foreign.params.iter().map(|ty| self.ty(ty, origin)).collect();
        let result = self.ty(&foreign.result, origin);
        Foreign {
            name: foreign.name.clone(),
            rust: foreign.rust.clone(),
            c: foreign.c.clone(),
            vectors: foreign.vectors.clone(),
            params,
            result,
        }
    }
}

fn mentions(ty: &DataType, var: &NatVar) -> bool {
    match ty {
        DataType::Scalar(_) | DataType::Nat | DataType::Vector(..) => false,
        DataType::Idx(n) => n.mentions(var),
        DataType::Array(n, t) | DataType::DepArray(n, _, t) => n.mentions(var) || mentions(t, var),
        DataType::Tuple(parts) => parts.iter().any(|part| mentions(part, var)),
    }
}

/// The body of a binding that disappears, with its labels: a helper's argument is such a binding.
fn inherit(binding: &Term, body: Expr) -> Expr {
    if binding.labels().is_empty() || !matches!(body.kind(), Kind::Prim(..) | Kind::Let(..)) {
        return body;
    }
    let labels = body.labels().iter().chain(binding.labels()).cloned().collect();
    body.with_labels(labels)
}

/// Whether nothing is computed, whatever it is used for.
fn is_layout(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => true,
        Kind::Let(..) => false,
        Kind::Prim(primitive, args) => {
            let is_constant = *primitive == Primitive::MakeArray && is_constant(expr);
            let is_view = primitive.is_view()
                || matches!(
                    primitive,
                    Primitive::Tuple | Primitive::Proj(_) | Primitive::Map(MapForm::Plain)
                );
            (is_constant || is_view) && args.iter().all(|arg| is_layout(arg.expr()))
        }
    }
}

/// An array written out whose elements are constants.
fn is_constant(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Literal(_) => true,
        Kind::Prim(Primitive::MakeArray, args) => args.iter().all(|arg| is_constant(arg.expr())),
        _ => false,
    }
}

fn int_literal(negative: bool, value: u128, scalar: Scalar) -> Option<Literal> {
    if scalar == Scalar::Bool {
        return None;
    }
    if scalar.is_float() {
        let value = if scalar == Scalar::F32 { f64::from(value as f32) } else { value as f64 };
        return Some(Literal::Float(if negative { -value } else { value }, scalar));
    }
    let value = i128::try_from(value).ok()?;
    let value = if negative { -value } else { value };
    let (least, greatest) = integer_range(scalar);
    (least <= value && value <= greatest).then_some(Literal::Int(value, scalar))
}

/// The least and the greatest value of an integer type.
fn integer_range(scalar: Scalar) -> (i128, i128) {
    let bits = scalar.bytes() * 8;
    match scalar.is_signed() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// Rounded once, from the digits.
fn float_literal(negative: bool, digits: &str, scalar: Scalar) -> Option<Literal> {
    let value = match scalar {
        Scalar::F32 => f64::from(digits.parse::<f32>().ok()?),
        Scalar::F64 => digits.parse::<f64>().ok()?,
        _ => return None,
    };
    let value = if negative { -value } else { value };
    // The constants `INFINITY` and `NAN` are words; digits must not grow beyond the type.
    let named = !digits.starts_with(|c: char| c.is_ascii_digit());
    (named || value.is_finite()).then_some(Literal::Float(value, scalar))
}
