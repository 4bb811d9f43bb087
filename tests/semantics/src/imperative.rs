//! Runs imperative DPIA on trees of values, so that stages 4 and 5 are held against the interpreter alone.
//!
//! Iterations of parallel loops run backwards: what depends on their order does not survive. Reading an
//! element that nobody has written gives [`Value::Undefined`].

use rise_build::dpia::functional::{LoopForm, Operation, View};
use rise_build::dpia::imperative::{Acc, Block, Comm, Delayed, Exp, Kernel};
use rise_build::expr::{Literal, Value, scalar};
use rise_build::names::Name;
use rise_build::nat::{Nat, NatVar};
use rise_build::types::{DataType, Scalar};

/// The result of a kernel, in the shape of its body's type.
pub fn execute(kernel: &Kernel, result: &DataType, sizes: &[i128], args: &[Value]) -> Value {
    let mut machine = Machine { nats: Vec::new(), values: Vec::new(), types: Vec::new() };
    machine.nats.extend(kernel.nats.iter().cloned().zip(sizes.iter().copied()));
    for (param, value) in kernel.params.iter().zip(args) {
        if let (Some(var), Value::Nat(value)) = (&param.nat, value) {
            machine.nats.push((var.clone(), *value));
        }
        machine.values.push((param.name.clone(), value.clone()));
    }
    for output in &kernel.outputs {
        let blank = machine.blank(&output.ty);
        machine.values.push((output.name.clone(), blank));
        machine.types.push((output.name.clone(), output.ty.clone()));
    }
    machine.block(&kernel.body);
    let mut outputs = kernel.outputs.iter().map(|output| machine.value(&output.name));
    gather_outputs(result, &mut outputs)
}

fn gather_outputs(ty: &DataType, outputs: &mut dyn Iterator<Item = Value>) -> Value {
    match ty {
        DataType::Tuple(parts) => {
            Value::Tuple(parts.iter().map(|part| gather_outputs(part, outputs)).collect())
        }
        _ => outputs.next().expect("an output for each leaf"),
    }
}

struct Machine {
    nats: Vec<(NatVar, i128)>,
    values: Vec<(Name, Value)>,
    /// Types of memories.
    types: Vec<(Name, DataType)>,
}

/// One step from a memory to a part of it.
#[derive(Clone, Copy, Debug)]
enum Step {
    Index(usize),
    Component(usize),
}

impl Machine {
    fn nat(&self, nat: &Nat) -> i128 {
        nat.eval(&|var| self.nats.iter().rev().find(|(other, _)| other == var).map(|(_, value)| *value))
            .unwrap_or_else(|error| panic!("{nat}: {error:?}"))
    }

    fn size(&self, nat: &Nat) -> usize {
        usize::try_from(self.nat(nat)).unwrap_or_else(|_| panic!("{nat} is negative"))
    }

    fn value(&self, name: &Name) -> Value {
        let found = self.values.iter().rev().find(|(other, _)| other == name);
        found.unwrap_or_else(|| panic!("{name:?} is not declared")).1.clone()
    }

    fn slot(&mut self, name: &Name) -> &mut Value {
        let found = self.values.iter_mut().rev().find(|(other, _)| other == name);
        &mut found.unwrap_or_else(|| panic!("{name:?} is not declared")).1
    }

    /// Memory that nobody has written.
    fn blank(&mut self, ty: &DataType) -> Value {
        match ty {
            DataType::Array(len, element) => {
                let element = self.blank(element);
                Value::Array(vec![element; self.size(len)])
            }
            DataType::DepArray(len, var, element) => Value::Array(
                (0..self.size(len)).map(|i| self.blank(&element.subst(var, &Nat::from(i)))).collect(),
            ),
            DataType::Tuple(parts) => Value::Tuple(parts.iter().map(|part| self.blank(part)).collect()),
            _ => Value::Undefined,
        }
    }

    fn block(&mut self, block: &Block) {
        let depth = (self.nats.len(), self.values.len(), self.types.len());
        block.iter().for_each(|comm| self.command(comm));
        self.nats.truncate(depth.0);
        self.values.truncate(depth.1);
        self.types.truncate(depth.2);
    }

    fn command(&mut self, comm: &Comm) {
        match comm {
            Comm::Assign(acc, exp) => {
                let value = self.eval(exp);
                self.assign(acc, &value, Vec::new());
            }
            Comm::New(name, ty, _) => {
                let blank = self.blank(ty);
                self.values.push((name.clone(), blank));
                self.types.push((name.clone(), ty.clone()));
            }
            Comm::Let(name, ty, exp) => {
                assert!(ty.is_small(), "a let of type {ty}");
                let value = self.eval(exp);
                self.values.push((name.clone(), value));
            }
            Comm::LetNat(var, exp) => {
                let value = self.eval(exp);
                self.bind_nat(var, &value);
            }
            Comm::For(looped) => {
                let count = self.nat(&looped.count).max(0);
                let backwards = !matches!(looped.form, LoopForm::Seq | LoopForm::Unroll);
                assert!(looped.form != LoopForm::Stream, "streams are gone");
                for i in 0..count {
                    let i = if backwards { count - 1 - i } else { i };
                    self.nats.push((looped.var.clone(), i));
                    self.block(&looped.body);
                    self.nats.pop();
                }
            }
            Comm::If(condition, then, otherwise) => match self.eval(condition) {
                Value::Scalar(Literal::Bool(true)) => self.block(then),
                Value::Scalar(Literal::Bool(false)) => self.block(otherwise),
                Value::Undefined => self.block(otherwise),
                other => panic!("{other:?} is no condition"),
            },
            Comm::Scope(block) => self.block(block),
            Comm::Swap(a, b) => {
                let (first, second) = (self.value(a), self.value(b));
                *self.slot(a) = second;
                *self.slot(b) = first;
            }
            Comm::Comment(_) => {}
        }
    }

    fn bind_nat(&mut self, var: &NatVar, value: &Value) {
        match value {
            Value::Nat(value) => self.nats.push((var.clone(), *value)),
            Value::Undefined => self.nats.push((var.clone(), 0)),
            other => panic!("{other:?} is no natural"),
        }
    }

    fn assign(&mut self, acc: &Acc, value: &Value, path: Vec<Step>) {
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
    fn store(&mut self, acc: &Acc, value: &Value, mut path: Vec<Step>) {
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

    fn store_view(
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
    fn length_of(&mut self, acc: &Acc) -> usize {
        match self.acc_ty(acc) {
            DataType::Array(len, _) => self.size(&len),
            ty => panic!("{ty} has no length"),
        }
    }

    fn acc_ty(&mut self, acc: &Acc) -> DataType {
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

    fn eval(&mut self, exp: &Exp) -> Value {
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
    fn element(&mut self, array: &Exp, index: usize) -> Value {
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

    fn delayed(&mut self, delayed: &Delayed, arg: Value) -> Value {
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

    fn scalar(&mut self, operation: &Operation, ty: &DataType, mut operands: Vec<Value>) -> Value {
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

    fn cast(&mut self, ty: &DataType, x: i128) -> Value {
        match ty {
            DataType::Scalar(to) => Value::Scalar(scalar::from_int(x, *to)),
            DataType::Nat => Value::Nat(x.max(0)),
            DataType::Idx(bound) => Value::Nat(x.clamp(0, (self.nat(bound) - 1).max(0))),
            other => panic!("cast to {other}"),
        }
    }

    fn view(&mut self, view: &View, values: Vec<Value>, operands: &[(Exp, DataType)]) -> Value {
        let mut values = values.into_iter();
        let mut next = || values.next().expect("an operand");
        match view {
            View::Zip | View::DepZip => {
                let (a, b) = (elements(next()), elements(next()));
                assert_eq!(a.len(), b.len(), "zip");
                Value::Array(a.into_iter().zip(b).map(|(a, b)| Value::Tuple(vec![a, b])).collect())
            }
            View::Unzip => {
                let pairs: Vec<Vec<Value>> = elements(next())
                    .into_iter()
                    .map(|pair| match pair {
                        Value::Tuple(parts) => parts,
                        _ => vec![Value::Undefined; 2],
                    })
                    .collect();
                let half = |k: usize| Value::Array(pairs.iter().map(|pair| pair[k].clone()).collect());
                Value::Tuple(vec![half(0), half(1)])
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
    let inner = |acc: &Acc| std::rc::Rc::new(replace(acc, param, by));
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

/// Whether everything that has a value was written.
pub fn complete(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Undefined, _) => true,
        (_, Value::Undefined) => false,
        (Value::Array(a), Value::Array(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
            a.iter().zip(b).all(|(a, b)| complete(a, b))
        }
        _ => true,
    }
}
