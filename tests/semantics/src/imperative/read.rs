//! What expressions are worth.

use rise_build::dpia::functional::{Operation, View};
use rise_build::dpia::imperative::{Delayed, Exp};
use rise_build::expr::{Literal, Value, scalar};
use rise_build::nat::Nat;
use rise_build::types::{DataType, Scalar};

use super::Machine;

impl Machine {
    pub(super) fn eval(&mut self, exp: &Exp) -> Value {
        match exp {
            Exp::Var(name) => self.value(name),
            Exp::Literal(literal) => Value::Scalar(*literal),
            Exp::Nat(nat) => Value::Nat(self.nat(nat)),
            Exp::Scalar(operation, ty, operands) => {
                let operands = operands.iter().map(|(operand, _)| self.eval(operand)).collect();
                self.scalar(operation, ty, operands)
            }
            Exp::Select(parts) => match self.eval(&parts[0]) {
                Value::Scalar(Literal::Bool(c)) => self.eval(&parts[if c { 1 } else { 2 }]),
                Value::Vector(cs) => {
                    let (Value::Vector(ts), Value::Vector(es)) = (self.eval(&parts[1]), self.eval(&parts[2]))
                    else {
                        return Value::Undefined;
                    };
                    let lanes = cs.iter().zip(ts.into_iter().zip(es));
                    let choose = |(c, (t, e)): (&Literal, _)| if *c == Literal::Bool(true) { t } else { e };
                    Value::Vector(lanes.map(choose).collect())
                }
                _ => Value::Undefined,
            },
            Exp::Tuple(parts) => Value::Tuple(parts.iter().map(|part| self.eval(part)).collect()),
            Exp::Proj(position, inner) => match self.eval(inner) {
                Value::Tuple(mut parts) => parts.swap_remove(*position),
                Value::Undefined => Value::Undefined,
                other => panic!("component {position} of {other:?}"),
            },
            Exp::Idx(index, inner) => {
                let index = self.size(index);
                self.element(inner, index)
            }
            Exp::View(view, operands) => {
                let values = operands.iter().map(|(operand, _)| self.eval(operand)).collect();
                self.view(view, values, operands)
            }
            Exp::MakeArray(parts) => Value::Array(parts.iter().map(|part| self.eval(part)).collect()),
            Exp::Map(delayed, inner) => match self.eval(inner) {
                Value::Array(elements) => {
                    Value::Array(elements.into_iter().map(|element| self.delayed(delayed, element)).collect())
                }
                other => panic!("map over {other:?}"),
            },
            Exp::Generate(delayed) => {
                let DataType::Idx(bound) = &delayed.param.ty else { panic!("generate of no index") };
                let len = self.size(bound);
                Value::Array((0..len).map(|i| self.delayed(delayed, Value::Nat(i as i128))).collect())
            }
        }
    }

    /// One element; the others are not computed where that is easy.
    pub(super) fn element(&mut self, array: &Exp, index: usize) -> Value {
        match array {
            Exp::Map(delayed, inner) => {
                let element = self.element(inner, index);
                self.delayed(delayed, element)
            }
            Exp::Generate(delayed) => self.delayed(delayed, Value::Nat(index as i128)),
            Exp::View(View::Zip, operands) => {
                Value::Tuple(operands.iter().map(|(operand, _)| self.element(operand, index)).collect())
            }
            array => match self.eval(array) {
                Value::Array(mut elements) => {
                    assert!(index < elements.len(), "element {index} of {} in {array:?}", elements.len());
                    elements.swap_remove(index)
                }
                other => panic!("element {index} of {other:?}"),
            },
        }
    }

    pub(super) fn delayed(&mut self, delayed: &Delayed, arg: Value) -> Value {
        let depth = (self.nats.len(), self.values.len());
        if let Some(var) = &delayed.param.nat {
            self.bind_nat(var, &arg);
        }
        self.values.push((delayed.param.name.clone(), arg));
        delayed.prelude.iter().for_each(|comm| self.command(comm));
        let result = self.eval(&delayed.result);
        self.nats.truncate(depth.0);
        self.values.truncate(depth.1);
        result
    }

    pub(super) fn scalar(&mut self, operation: &Operation, ty: &DataType, mut operands: Vec<Value>) -> Value {
        if operands.contains(&Value::Undefined) {
            return Value::Undefined;
        }
        match (operation, operands.as_slice()) {
            (Operation::Compare(op), [Value::Nat(a), Value::Nat(b)]) => {
                let int = |x: i128| Literal::Int(x, Scalar::I64);
                Value::Scalar(Literal::Bool(scalar::compare(*op, int(*a), int(*b))))
            }
            (Operation::Cast, [Value::Nat(x)]) => self.cast(ty, *x),
            (Operation::Cast, [Value::Scalar(Literal::Int(x, _))])
                if matches!(ty, DataType::Nat | DataType::Idx(_)) =>
            {
                self.cast(ty, *x)
            }
            (Operation::VectorFromScalar, [Value::Scalar(x)]) => match ty {
                DataType::Vector(_, lanes) => Value::Vector(vec![*x; *lanes as usize]),
                other => panic!("{other} is no vector"),
            },
            (_, [Value::Vector(first), ..]) => {
                let lanes = first.len();
                let lane = |k: usize| {
                    let lane: Vec<Literal> = operands
                        .iter()
                        .map(|operand| match operand {
                            Value::Vector(lanes) => lanes[k],
                            other => panic!("{other:?} is no vector"),
                        })
                        .collect();
                    compute(operation, ty, &lane)
                };
                Value::Vector((0..lanes).map(lane).collect())
            }
            _ => {
                let literals: Vec<Literal> = operands
                    .drain(..)
                    .map(|operand| match operand {
                        Value::Scalar(literal) => literal,
                        other => panic!("{other:?} is no scalar"),
                    })
                    .collect();
                Value::Scalar(compute(operation, ty, &literals))
            }
        }
    }

    pub(super) fn cast(&mut self, ty: &DataType, x: i128) -> Value {
        match ty {
            DataType::Scalar(to) => Value::Scalar(scalar::from_int(x, *to)),
            DataType::Nat => Value::Nat(x.max(0)),
            DataType::Idx(bound) => Value::Nat(x.clamp(0, (self.nat(bound) - 1).max(0))),
            other => panic!("cast to {other}"),
        }
    }

    pub(super) fn view(&mut self, view: &View, values: Vec<Value>, operands: &[(Exp, DataType)]) -> Value {
        let mut values = values.into_iter();
        let mut next = || values.next().expect("an operand");
        match view {
            View::Zip | View::DepZip => {
                let arrays: Vec<Vec<Value>> = operands.iter().map(|_| elements(next())).collect();
                assert!(arrays.iter().all(|array| array.len() == arrays[0].len()), "zip");
                let tuple = |i: usize| Value::Tuple(arrays.iter().map(|array| array[i].clone()).collect());
                Value::Array((0..arrays[0].len()).map(tuple).collect())
            }
            View::Unzip => {
                let element = operands[0].1.as_array().expect("an array").1;
                let count = element.as_tuple().expect("tuples").len();
                let parts = |tuple| match tuple {
                    Value::Tuple(parts) => parts,
                    _ => vec![Value::Undefined; count],
                };
                let tuples: Vec<Vec<Value>> = elements(next()).into_iter().map(parts).collect();
                let array = |k: usize| Value::Array(tuples.iter().map(|tuple| tuple[k].clone()).collect());
                Value::Tuple((0..count).map(array).collect())
            }
            View::Split(n) => {
                let n = self.size(n);
                Value::Array(elements(next()).chunks(n).map(|chunk| Value::Array(chunk.to_vec())).collect())
            }
            View::Join | View::DepJoin => {
                Value::Array(elements(next()).into_iter().flat_map(elements).collect())
            }
            View::Transpose => {
                let DataType::Array(_, row) = &operands[0].1 else { panic!("transpose of no array") };
                let DataType::Array(m, _) = &**row else { panic!("transpose of no matrix") };
                let (m, rows) = (self.size(m), elements(next()));
                let rows: Vec<Vec<Value>> = rows.into_iter().map(elements).collect();
                let column = |j: usize| Value::Array(rows.iter().map(|row| row[j].clone()).collect());
                Value::Array((0..m).map(column).collect())
            }
            View::Slide(size, step) => {
                let (size, step, xs) = (self.size(size), self.size(step), elements(next()));
                assert!(size <= xs.len(), "slide({size}) of {}", xs.len());
                let windows = (xs.len() - size) / step + 1;
                let window = |w: usize| Value::Array(xs[w * step..w * step + size].to_vec());
                Value::Array((0..windows).map(window).collect())
            }
            View::Take(n) => {
                let (n, mut xs) = (self.size(n), elements(next()));
                assert!(n <= xs.len(), "take({n}) of {}", xs.len());
                xs.truncate(n);
                Value::Array(xs)
            }
            View::Drop(n) => {
                let (n, mut xs) = (self.size(n), elements(next()));
                assert!(n <= xs.len(), "drop({n}) of {}", xs.len());
                Value::Array(xs.split_off(n))
            }
            View::Concat => Value::Array(elements(next()).into_iter().chain(elements(next())).collect()),
            View::PadClamp(l, r) => {
                let (l, r, xs) = (self.size(l), self.size(r), elements(next()));
                let (first, last) = (xs.first().cloned(), xs.last().cloned());
                let (first, last) = (first.expect("an element"), last.expect("an element"));
                padded(first, l, xs, last, r)
            }
            View::PadCst(l, r) => {
                let (l, r) = (self.size(l), self.size(r));
                let value = next();
                padded(value.clone(), l, elements(next()), value, r)
            }
            View::PadEmpty(r) => {
                let r = self.size(r);
                let DataType::Array(_, element) = &operands[0].1 else { panic!("padding of no array") };
                let blank = self.blank(element);
                padded(blank.clone(), 0, elements(next()), blank, r)
            }
            View::Gather => {
                let (indices, xs) = (elements(next()), elements(next()));
                let pick = |i: Value| match i {
                    Value::Nat(i) => xs[i as usize].clone(),
                    _ => Value::Undefined,
                };
                Value::Array(indices.into_iter().map(pick).collect())
            }
            View::Reorder(f, _) => {
                let xs = elements(next());
                let from = |i: usize| xs[self.size(&f.apply(&Nat::from(i)))].clone();
                Value::Array((0..xs.len()).map(from).collect())
            }
            View::AsVector(lanes) => {
                let xs = elements(next());
                Value::Array(xs.chunks(*lanes as usize).map(vector).collect())
            }
            View::AsScalar => {
                let lanes = |x: Value| match x {
                    Value::Vector(lanes) => lanes.into_iter().map(Value::Scalar).collect(),
                    Value::Undefined => vec![],
                    other => panic!("{other:?} is no vector"),
                };
                Value::Array(elements(next()).into_iter().flat_map(lanes).collect())
            }
            View::Partition(parts, lengths) => {
                let mut xs = elements(next());
                let mut part = |i: usize| {
                    let len = self.size(&lengths.apply(&Nat::from(i)));
                    let rest = xs.split_off(len);
                    Value::Array(std::mem::replace(&mut xs, rest))
                };
                Value::Array((0..self.size(parts)).map(&mut part).collect())
            }
            View::Scatter => panic!("scatter is read"),
        }
    }
}

fn elements(value: Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements,
        other => panic!("{other:?} is no array"),
    }
}

fn vector(lanes: &[Value]) -> Value {
    let literals: Option<Vec<Literal>> = lanes
        .iter()
        .map(|lane| match lane {
            Value::Scalar(x) => Some(*x),
            _ => None,
        })
        .collect();
    literals.map_or(Value::Undefined, Value::Vector)
}

fn padded(left: Value, l: usize, xs: Vec<Value>, right: Value, r: usize) -> Value {
    let left = std::iter::repeat_n(left, l);
    Value::Array(left.chain(xs).chain(std::iter::repeat_n(right, r)).collect())
}

fn compute(operation: &Operation, ty: &DataType, operands: &[Literal]) -> Literal {
    match (operation, operands) {
        (Operation::Unary(op), [x]) => scalar::unary(*op, *x),
        (Operation::Binary(op), [a, b]) => scalar::binary(*op, *a, *b),
        (Operation::Compare(op), [a, b]) => Literal::Bool(scalar::compare(*op, *a, *b)),
        (Operation::MulAdd, [a, b, c]) => scalar::mul_add(*a, *b, *c, false),
        (Operation::Fma, [a, b, c]) => scalar::mul_add(*a, *b, *c, true),
        (Operation::Cast, [x]) => scalar::cast(*x, ty.scalar().expect("a scalar type")),
        other => panic!("{other:?} has no meaning"),
    }
}
