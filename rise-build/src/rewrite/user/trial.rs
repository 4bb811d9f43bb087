//! A rule on trial: both sides are run by the interpreter on random sizes, types, functions and values.

use std::fmt::Write as _;

use crate::expr::{
    AddressSpace, Arg, Binary, Compare, Expr, Kernel, Kind, Lambda, Literal, MapForm, Param, Primitive,
    ReduceForm, Value, binary, call, interpret, lambda2, literal, map_with, pair, prim, proj, reduce,
};
use crate::nat::{Nat, NatVar};
use crate::types::{Condition, DataType, Scalar, Unknown};

use super::UserRule;
use super::build;

/// What became of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// So many random instances gave the same on both sides.
    Holds(u32),
    /// An instance on which the sides differ.
    Fails(String),
    /// No instance was found for which the conditions hold.
    Untried,
}

/// How many sizes are drawn below which bound before an instance is given up; the last are few because large
/// arrays take long.
const DRAWS: [(u32, u64); 3] = [(120, 9), (60, 40), (40, LARGEST + 1)];

/// The largest size that is tried where conditions demand large ones.
pub const LARGEST: u64 = 2000;

/// How many elements a program may have for each of its arrays, about.
const ELEMENTS: i128 = 20_000;

/// Runs both sides of the rule on so many random instances; the same ones each time.
pub fn trial(rule: &UserRule, instances: u32) -> Verdict {
    let mut held = 0;
    for seed in 0..instances {
        let mut numbers = Numbers::new(u64::from(seed));
        match instance(rule, &mut numbers) {
            Some(Ok(())) => held += 1,
            Some(Err(text)) => return Verdict::Fails(text),
            None => {}
        }
    }
    if held == 0 { Verdict::Untried } else { Verdict::Holds(held) }
}

/// A rule with something for each of its parameters.
pub struct Instance {
    /// Both sides; naturals stay open.
    pub left: Expr,
    /// The right one.
    pub right: Expr,
    /// The values that the sides speak of.
    pub params: Vec<Param>,
    /// For each of them the value that a condition demands.
    fixed: Vec<Option<Value>>,
}

impl Instance {
    /// Random types and functions, which look at the values of `scope` too.
    pub fn random(rule: &UserRule, scope: &[Expr], numbers: &mut Numbers) -> Option<Self> {
        let typed = &rule.rule;
        let operators = operators(rule);
        let pool = [
            DataType::Scalar(Scalar::I32),
            DataType::pair(DataType::Scalar(Scalar::I32), DataType::Scalar(Scalar::I32)),
            DataType::Scalar(Scalar::F32),
            DataType::Scalar(Scalar::I64),
        ];
        // Operators are made for the first two.
        let choices = if operators.is_empty() { pool.len() } else { 2 };
        let mut any = || pool[numbers.below(choices as u64) as usize].clone();
        let types: Vec<DataType> = typed.types.iter().map(|_| any()).collect();
        let sides = typed.at(&types).ok()?;
        let mut functions = Vec::new();
        let mut neutral = Vec::new();
        for unknown in &sides.functions {
            let demand = operators.iter().find(|(name, _)| *name == unknown.name).map(|(_, demand)| *demand);
            let (lambda, start) = match demand {
                Some(demand) => operator(unknown, demand, numbers)?,
                None => (function(unknown, scope, numbers), None),
            };
            functions.push(lambda);
            neutral.push((unknown.name.as_str(), start));
        }
        let fixed = sides.params.iter().map(|param| fixed(rule, param, &neutral)).collect();
        let put = |side: &Expr| build::with_functions(side, &sides.functions, &functions);
        Some(Self {
            left: put(&sides.pattern),
            right: put(&sides.result),
            params: sides.params.clone(),
            fixed,
        })
    }

    /// Random values for the parameters at given sizes.
    pub fn arguments(&self, sizes: &[(NatVar, i128)], numbers: &mut Numbers) -> Vec<Value> {
        let random = |(param, fixed): (&Param, &Option<Value>)| match fixed {
            Some(value) => value.clone(),
            None => value(&param.ty, sizes, numbers),
        };
        self.params.iter().zip(&self.fixed).map(random).collect()
    }
}

/// Whether both sides agree on one instance; none if its conditions cannot be met.
fn instance(rule: &UserRule, numbers: &mut Numbers) -> Option<Result<(), String>> {
    let typed = &rule.rule;
    let instance = Instance::random(rule, &[], numbers)?;
    let sizes = sizes(rule, numbers)?;
    let kernel = |side: &Expr| {
        Kernel::new(typed.name.clone(), typed.nats.clone(), instance.params.clone(), side.clone())
    };
    let env: Vec<(NatVar, i128)> = typed.nats.iter().cloned().zip(sizes.iter().copied()).collect();
    let args = instance.arguments(&env, numbers);
    let (left, right) = (kernel(&instance.left), kernel(&instance.right));
    let before = interpret(&left, &sizes, &args).ok()?;
    let told = |what: &str| {
        let mut text = what.to_owned();
        for (nat, size) in &env {
            let _ = write!(text, "\n  {nat} = {size}");
        }
        for (param, arg) in instance.params.iter().zip(&args) {
            let _ = write!(text, "\n  {}: {} = {}", param.name, param.ty, show(arg));
        }
        let _ = write!(text, "\nleft side:\n{left}\nright side:\n{right}");
        text
    };
    Some(match interpret(&right, &sizes, &args) {
        Ok(after) if agree(&before, &after) => Ok(()),
        Ok(after) => Err(told(&format!(
            "the left side gives {}, the right side gives {}, where",
            show(&before),
            show(&after)
        ))),
        Err(failure) => Err(told(&format!("the right side has no value ({failure}), where"))),
    })
}

/// What is demanded of an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Demand {
    commutative: bool,
    neutral: bool,
}

/// The functions that must be associative, since `reduce` says so, with what the rule demands besides.
fn operators(rule: &UserRule) -> Vec<(String, Demand)> {
    let mut names: Vec<String> = Vec::new();
    for side in [&rule.sides.pattern, &rule.sides.result] {
        side.visit(&mut |node| {
            if let Some((Primitive::Reduce(ReduceForm::Plain | ReduceForm::Par), args)) = node.as_prim()
                && let [Arg::Fun(f), ..] = args
                && let Some((Primitive::Foreign(foreign), _)) = f.body.as_prim()
            {
                names.push(foreign.name.clone());
            }
        });
    }
    let conditions = &rule.rule.conditions;
    for condition in conditions {
        match condition {
            Condition::Associative(f) | Condition::Commutative(f) | Condition::Neutral(f, _) => {
                names.push(f.clone());
            }
        }
    }
    names.sort();
    names.dedup();
    let demand = |name: &String| Demand {
        commutative: conditions.iter().any(|c| matches!(c, Condition::Commutative(f) if f == name)),
        neutral: conditions.iter().any(|c| matches!(c, Condition::Neutral(f, _) if f == name)),
    };
    names.into_iter().map(|name| (name.clone(), demand(&name))).collect()
}

/// The parameters that a condition says to be neutral have that value.
fn fixed(rule: &UserRule, param: &Param, neutral: &[(&str, Option<Value>)]) -> Option<Value> {
    rule.rule.conditions.iter().find_map(|condition| match condition {
        Condition::Neutral(f, z) if param.name.text() == z => {
            neutral.iter().find(|(name, _)| name == f).and_then(|(_, value)| value.clone())
        }
        _ => None,
    })
}

/// An associative operator and its neutral element, if there is one: `add`, `max`, for pairs the composition of
/// affine functions, which is not commutative; and the projections.
fn operator(unknown: &Unknown, demand: Demand, numbers: &mut Numbers) -> Option<(Lambda, Option<Value>)> {
    let [a, b] = unknown.params.as_slice() else { return None };
    if a != b || *a != unknown.result {
        return Some((function(unknown, &[], numbers), None));
    }
    let types = || [a.clone(), b.clone()];
    let by = |make: &dyn Fn(Expr, Expr) -> Expr| lambda2(["a", "b"], types(), make);
    let free = !demand.commutative && !demand.neutral;
    match a {
        _ if free && numbers.below(4) == 0 => Some((by(&|a, _| a), None)),
        _ if free && numbers.below(4) == 0 => Some((by(&|_, b| b), None)),
        DataType::Scalar(scalar) if *scalar != Scalar::Bool => {
            // Floats are added alone: sums of small integers are exact.
            let op = match scalar.is_float() {
                true => Binary::Add,
                false => [Binary::Add, Binary::Mul][numbers.below(2) as usize],
            };
            let neutral = Literal::small(i8::from(op == Binary::Mul), *scalar);
            Some((by(&|a, b| binary(op, a, b)), Some(Value::Scalar(neutral))))
        }
        DataType::Tuple(parts) => match parts.as_ref() {
            [DataType::Scalar(s), DataType::Scalar(t)] if !demand.commutative && s == t && s.is_integer() => {
                // (a, b) stands for x ↦ a·x + b.
                let f = by(&|f, g| {
                    let product = binary(Binary::Mul, proj(0, f.clone()), proj(0, g.clone()));
                    let moved = binary(Binary::Mul, proj(0, g.clone()), proj(1, f));
                    pair(product, binary(Binary::Add, moved, proj(1, g)))
                });
                let one = [1, 0].map(|value| Value::Scalar(Literal::small(value, *s)));
                Some((f, Some(Value::Tuple(one.to_vec()))))
            }
            _ if demand.commutative => None,
            _ => Some((by(&|a, _| a), None)),
        },
        _ => None,
    }
}

/// A function that looks at all of its arguments.
fn function(unknown: &Unknown, outer: &[Expr], numbers: &mut Numbers) -> Lambda {
    let params: Vec<Param> = unknown.params.iter().map(|ty| Param::fresh("x", ty.clone())).collect();
    let scope: Vec<Expr> = params.iter().map(Param::expr).chain(outer.iter().cloned()).collect();
    let body = term(&unknown.result, &scope, numbers);
    Lambda { nats: Vec::new(), params, body }
}

fn term(ty: &DataType, scope: &[Expr], numbers: &mut Numbers) -> Expr {
    match ty {
        DataType::Scalar(scalar) => scalar_term(*scalar, scope, numbers),
        DataType::Tuple(parts) => {
            let parts: Vec<Expr> = parts.iter().map(|part| term(part, scope, numbers)).collect();
            call(Primitive::Tuple, parts)
        }
        DataType::Array(len, element) => {
            let same = scope.iter().find(|e| e.ty().as_array().is_some_and(|(other, _)| other == len));
            match same {
                Some(xs) => map_with(MapForm::Plain, "y", xs.clone(), |y| {
                    let scope: Vec<Expr> = scope.iter().cloned().chain([y]).collect();
                    term(element, &scope, numbers)
                }),
                None => {
                    let index = Param::fresh("i", DataType::Idx(len.clone()));
                    let inner: Vec<Expr> = scope.iter().cloned().chain([index.expr()]).collect();
                    let body = term(element, &inner, numbers);
                    let f = Lambda { nats: Vec::new(), params: vec![index], body };
                    prim(Primitive::Generate, vec![f.into()])
                }
            }
        }
        DataType::Vector(scalar, lanes) => {
            call(Primitive::VectorFromScalar(*lanes), [scalar_term(*scalar, scope, numbers)])
        }
        other => Expr::new(Kind::Nat(Nat::lit(0)), other.clone(), crate::diagnostics::Origin::NONE),
    }
}

fn scalar_term(scalar: Scalar, scope: &[Expr], numbers: &mut Numbers) -> Expr {
    let inner = if scalar == Scalar::Bool { Scalar::I32 } else { scalar };
    let mut sum = literal(Literal::small(numbers.below(5) as i8, inner));
    for (position, e) in scope.iter().enumerate() {
        let Some(leaf) = leaf(e, inner, numbers) else { continue };
        let factor = literal(Literal::small(1 + ((position as i8) + numbers.below(3) as i8) % 3, inner));
        let op = [Binary::Add, Binary::Sub][numbers.below(2) as usize];
        sum = binary(op, sum, binary(Binary::Mul, factor, leaf));
    }
    match scalar {
        Scalar::Bool => call(Primitive::Compare(Compare::Lt), [sum, literal(Literal::small(3, inner))]),
        _ => sum,
    }
}

/// A scalar made of the value.
fn leaf(e: &Expr, scalar: Scalar, numbers: &mut Numbers) -> Option<Expr> {
    let ty = DataType::Scalar(scalar);
    match e.ty() {
        found if *found == ty => Some(e.clone()),
        DataType::Scalar(_) | DataType::Nat | DataType::Idx(_) => {
            Some(call(Primitive::Cast(ty), [e.clone()]))
        }
        DataType::Tuple(parts) => {
            leaf(&proj(numbers.below(parts.len() as u64) as usize, e.clone()), scalar, numbers)
        }
        DataType::Array(_, element) => {
            let acc = Param::fresh("acc", ty.clone());
            let x = Param::fresh("x", (**element).clone());
            let body = binary(Binary::Add, acc.expr(), leaf(&x.expr(), scalar, numbers)?);
            let f = Lambda { nats: Vec::new(), params: vec![acc, x], body };
            let start = literal(Literal::small(0, scalar));
            Some(reduce(ReduceForm::Seq(AddressSpace::Default), f, start, e.clone()))
        }
        DataType::Vector(..) | DataType::DepArray(..) => None,
    }
}

/// Sizes for which everything holds that the rule says of them.
fn sizes(rule: &UserRule, numbers: &mut Numbers) -> Option<Vec<i128>> {
    let typed = &rule.rule;
    let required = typed.given.iter().chain(&typed.needed).map(|required| &required.obligation);
    let conditions: Vec<_> = typed.declared.iter().chain(required).collect();
    DRAWS.iter().flat_map(|(count, bound)| std::iter::repeat_n(*bound, *count as usize)).find_map(|bound| {
        // Where one size must be large others may have to be small.
        let size = |_: &NatVar| match numbers.below(2) {
            0 => i128::from(numbers.below(DRAWS[0].1)),
            _ => i128::from(numbers.below(bound)),
        };
        let sizes: Vec<i128> = typed.nats.iter().map(size).collect();
        let value = |var: &NatVar| typed.nats.iter().position(|nat| nat == var).map(|at| sizes[at]);
        let hold = conditions.iter().all(|condition| condition.eval(&value) == Ok(true));
        (hold && sizes.iter().map(|size| size.max(&1)).product::<i128>() <= ELEMENTS).then_some(sizes)
    })
}

fn value(ty: &DataType, sizes: &[(NatVar, i128)], numbers: &mut Numbers) -> Value {
    let size = |nat: &Nat| {
        nat.eval(&|var| sizes.iter().find(|(other, _)| other == var).map(|(_, size)| *size)).unwrap_or(0)
    };
    match ty {
        DataType::Scalar(scalar) => Value::Scalar(number(*scalar, numbers)),
        DataType::Vector(scalar, lanes) => {
            Value::Vector((0..*lanes).map(|_| number(*scalar, numbers)).collect())
        }
        DataType::Nat => Value::Nat(i128::from(numbers.below(8))),
        DataType::Idx(bound) => Value::Nat(i128::from(numbers.below(size(bound).max(1) as u64))),
        DataType::Array(len, element) | DataType::DepArray(len, _, element) => {
            Value::Array((0..size(len)).map(|_| value(element, sizes, numbers)).collect())
        }
        DataType::Tuple(parts) => {
            Value::Tuple(parts.iter().map(|part| value(part, sizes, numbers)).collect())
        }
    }
}

/// Mostly a small integer; sometimes what overflows, does not fit another type or is no integer.
fn number(scalar: Scalar, numbers: &mut Numbers) -> Literal {
    let signed = scalar.is_signed() || scalar.is_float();
    let value = numbers.below(9) as i8 - if signed { 4 } else { 0 };
    match scalar {
        Scalar::Bool => Literal::small(value % 2, scalar),
        _ if numbers.below(4) > 0 => Literal::small(value, scalar),
        // Sums and products of few quarters are exact, so that rules may re-associate.
        Scalar::F32 | Scalar::F64 => {
            Literal::Float(f64::from(value) + 0.25 * numbers.below(4) as f64, scalar)
        }
        _ => Literal::Int(extreme(scalar, numbers), scalar),
    }
}

/// A value at an end of an integer type, or just behind that of a smaller one.
fn extreme(scalar: Scalar, numbers: &mut Numbers) -> i128 {
    let bits = scalar.bytes() * 8;
    let widths: Vec<u32> =
        [7, 8, 15, 16, 31, 32, 63, 64].into_iter().filter(|width| *width <= bits).collect();
    let power = 1i128 << widths[numbers.below(widths.len() as u64) as usize];
    let value = [power - 1, power, -power, power - 2][numbers.below(4) as usize];
    let (least, most) = match scalar.is_signed() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    };
    value.clamp(least, most)
}

/// Equal up to rounding; what has no value on the left may have any on the right.
/// Whether both are the same but for rounding.
pub(super) fn agree(left: &Value, right: &Value) -> bool {
    let same = |a: &Literal, b: &Literal| match (a, b) {
        (Literal::Float(a, _), Literal::Float(b, _)) => {
            (a.is_nan() && b.is_nan()) || a == b || (a - b).abs() <= 1e-3 * (1.0 + a.abs())
        }
        (a, b) => a == b,
    };
    match (left, right) {
        (Value::Undefined, _) => true,
        (Value::Scalar(a), Value::Scalar(b)) => same(a, b),
        (Value::Vector(a), Value::Vector(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b))
        }
        (a, b) => a == b,
    }
}

fn show(value: &Value) -> String {
    let scalar = |literal: &Literal| match literal {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value, _) => value.to_string(),
        Literal::Float(value, _) => format!("{value:?}"),
    };
    let list = |values: &[Value]| values.iter().map(show).collect::<Vec<_>>().join(", ");
    match value {
        Value::Scalar(literal) => scalar(literal),
        Value::Nat(nat) => nat.to_string(),
        Value::Vector(lanes) => format!("<{}>", lanes.iter().map(scalar).collect::<Vec<_>>().join(", ")),
        Value::Array(values) => format!("[{}]", list(values)),
        Value::Tuple(values) => format!("({})", list(values)),
        Value::Undefined => "undefined".into(),
    }
}

/// Small pseudo-random numbers, the same on every run.
pub struct Numbers(u64);

impl Numbers {
    /// A sequence for each seed.
    pub fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below the bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 8) % bound
    }
}
