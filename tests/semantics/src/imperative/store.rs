//! What acceptors do: a value goes to a part of a memory.

use rise_build::dpia::functional::View;
use rise_build::dpia::imperative::{Acc, Exp};
use rise_build::expr::Value;
use rise_build::names::Name;
use rise_build::nat::Nat;
use rise_build::types::DataType;

use super::{Machine, Step};

impl Machine {
    pub(super) fn assign(&mut self, acc: &Acc, value: &Value, path: Vec<Step>) {
        match value {
            Value::Tuple(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    let mut path = path.clone();
                    path.push(Step::Component(k));
                    self.assign(acc, part, path);
                }
            }
            Value::Array(_) => panic!("an array is assigned"),
            value => self.store(acc, value, path),
        }
    }

    /// Stores a scalar or vector at a path inside what the acceptor takes.
    pub(super) fn store(&mut self, acc: &Acc, value: &Value, mut path: Vec<Step>) {
        match acc {
            Acc::Var(name) => put(self.slot(name), &path, value),
            Acc::Idx(index, inner) => {
                path.insert(0, Step::Index(self.size(index)));
                self.store(inner, value, path);
            }
            Acc::Proj(position, inner) => {
                path.insert(0, Step::Component(*position));
                self.store(inner, value, path);
            }
            Acc::Tuple(parts) => {
                let Step::Component(k) = path.remove(0) else { panic!("a tuple is indexed") };
                self.store(&parts[k], value, path);
            }
            Acc::View { view, operand, indices, ty, acc } => {
                self.store_view((view, *operand, ty), indices.as_deref(), acc, value, path);
            }
            Acc::Map { param, body, acc } => {
                let Step::Index(i) = path.remove(0) else { panic!("elements are projected") };
                let element = Acc::Idx(Nat::from(i), acc.clone());
                let body = replace(body, param, &element);
                self.store(&body, value, path);
            }
        }
    }

    pub(super) fn store_view(
        &mut self,
        (view, operand, ty): (&View, usize, &DataType),
        indices: Option<&Exp>,
        acc: &Acc,
        value: &Value,
        path: Vec<Step>,
    ) {
        use Step::{Component, Index};
        let len = match ty {
            DataType::Array(len, _) => self.size(len),
            _ => 0,
        };
        let (head, rest): (Vec<Step>, &[Step]) = match (view, path.as_slice()) {
            (View::Zip | View::DepZip, [i, rest @ ..]) => (vec![*i, Component(operand)], rest),
            (View::Unzip, [i, k, rest @ ..]) => (vec![*k, *i], rest),
            (View::Split(n), [Index(i), rest @ ..]) => {
                let n = self.size(n);
                (vec![Index(i / n), Index(i % n)], rest)
            }
            (View::Join, [Index(i), Index(j), rest @ ..]) => {
                let DataType::Array(_, row) = ty else { panic!("join of {ty}") };
                let DataType::Array(m, _) = &**row else { panic!("join of {ty}") };
                (vec![Index(i * self.size(m) + j)], rest)
            }
            (View::Transpose, [i, j, rest @ ..]) => (vec![*j, *i], rest),
            (View::PadEmpty(_), path) => (Vec::new(), path),
            // What is cropped goes nowhere.
            (View::Take(n), [Index(i), ..]) if *i >= self.size(n) => return,
            (View::Take(_), path) => (Vec::new(), path),
            (View::Drop(n), [Index(i), rest @ ..]) => match i.checked_sub(self.size(n)) {
                Some(i) => (vec![Index(i)], rest),
                None => return,
            },
            (View::Concat, path) if operand == 0 => (Vec::new(), path),
            (View::Concat, [Index(i), rest @ ..]) => {
                let whole = self.length_of(acc);
                (vec![Index(whole - len + i)], rest)
            }
            (View::Scatter, [Index(i), rest @ ..]) => {
                let at = self.eval(&Exp::Idx(Nat::from(*i), indices.expect("indices").clone().into()));
                let Value::Nat(at) = at else { panic!("{at:?} is no index") };
                (vec![Index(at as usize)], rest)
            }
            (View::Reorder(_, g), [Index(i), rest @ ..]) => {
                (vec![Index(self.size(&g.apply(&Nat::from(*i))))], rest)
            }
            (View::AsVector(n), [Index(i), rest @ ..]) => {
                let n = *n as usize;
                (vec![Index(i / n), Index(i % n)], rest)
            }
            (View::AsScalar, [Index(i), Index(lane), rest @ ..]) => {
                let DataType::Array(_, element) = ty else { panic!("asScalar of {ty}") };
                let DataType::Vector(_, lanes) = &**element else { panic!("asScalar of {ty}") };
                (vec![Index(i * *lanes as usize + lane)], rest)
            }
            (View::AsScalar, [Index(i), rest @ ..]) => {
                let Value::Vector(lanes) = value else { panic!("{value:?} is no vector") };
                assert!(rest.is_empty());
                for (k, lane) in lanes.iter().enumerate() {
                    let path = vec![Index(i * lanes.len() + k)];
                    self.store(acc, &Value::Scalar(*lane), path);
                }
                return;
            }
            (View::DepJoin, [Index(i), Index(j), rest @ ..]) => {
                let DataType::DepArray(_, var, element) = ty else { panic!("depJoin of {ty}") };
                let DataType::Array(part, _) = &**element else { panic!("depJoin of {ty}") };
                let before: usize = (0..*i).map(|k| self.size(&part.subst(var, &Nat::from(k)))).sum();
                (vec![Index(before + j)], rest)
            }
            (view, path) => panic!("{view:?} at {path:?} is written"),
        };
        let path = head.into_iter().chain(rest.iter().copied()).collect();
        self.store(acc, value, path);
    }

    /// The number of elements that an acceptor takes.
    pub(super) fn length_of(&mut self, acc: &Acc) -> usize {
        match self.acc_ty(acc) {
            DataType::Array(len, _) => self.size(&len),
            ty => panic!("{ty} has no length"),
        }
    }

    pub(super) fn acc_ty(&mut self, acc: &Acc) -> DataType {
        match acc {
            Acc::Var(name) => {
                let found = self.types.iter().rev().find(|(other, _)| other == name);
                found.unwrap_or_else(|| panic!("{name:?} is no memory")).1.clone()
            }
            Acc::Idx(index, inner) => match self.acc_ty(inner) {
                DataType::Array(_, element) => (*element).clone(),
                DataType::DepArray(_, var, element) => element.subst(&var, index),
                ty => panic!("{ty} has no elements"),
            },
            Acc::Proj(position, inner) => match self.acc_ty(inner) {
                DataType::Tuple(parts) => parts[*position].clone(),
                ty => panic!("{ty} has no components"),
            },
            Acc::Tuple(parts) => DataType::Tuple(parts.iter().map(|part| self.acc_ty(part)).collect()),
            Acc::View { ty, .. } => ty.clone(),
            Acc::Map { param, body, acc } => match self.acc_ty(acc) {
                DataType::Array(len, element) => {
                    self.types.push((param.clone(), (*element).clone()));
                    DataType::Array(len, self.acc_ty(body).into())
                }
                ty => panic!("{ty} has no elements"),
            },
        }
    }
}

/// Writes into a part of a memory; one lane of a vector that does not exist yet makes the vector.
fn put(memory: &mut Value, path: &[Step], value: &Value) {
    match (memory, path) {
        (memory, []) => *memory = value.clone(),
        (Value::Array(elements), [Step::Index(i), rest @ ..]) => put(&mut elements[*i], rest, value),
        (Value::Tuple(parts), [Step::Component(k), rest @ ..]) => put(&mut parts[*k], rest, value),
        (Value::Vector(lanes), [Step::Index(k)]) => {
            let Value::Scalar(x) = value else { panic!("{value:?} is no scalar") };
            lanes.resize(lanes.len().max(k + 1), *x);
            lanes[*k] = *x;
        }
        (memory @ Value::Undefined, [Step::Index(k)]) => {
            let Value::Scalar(x) = value else { panic!("{value:?} is no scalar") };
            *memory = Value::Vector(vec![*x; k + 1]);
        }
        (memory, path) => panic!("{memory:?} has no part {path:?}"),
    }
}

/// An acceptor with an element's acceptor for a parameter.
fn replace(body: &Acc, param: &Name, by: &Acc) -> Acc {
    let inner = |acc: &Acc| std::sync::Arc::new(replace(acc, param, by));
    match body {
        Acc::Var(name) if name == param => by.clone(),
        Acc::Var(_) => body.clone(),
        Acc::Idx(index, acc) => Acc::Idx(index.clone(), inner(acc)),
        Acc::Proj(position, acc) => Acc::Proj(*position, inner(acc)),
        Acc::Tuple(parts) => Acc::Tuple(parts.iter().map(|part| replace(part, param, by)).collect()),
        Acc::View { view, operand, indices, ty, acc } => Acc::View {
            view: view.clone(),
            operand: *operand,
            indices: indices.clone(),
            ty: ty.clone(),
            acc: inner(acc),
        },
        Acc::Map { param: other, body, acc } => {
            Acc::Map { param: other.clone(), body: inner(body), acc: inner(acc) }
        }
    }
}
