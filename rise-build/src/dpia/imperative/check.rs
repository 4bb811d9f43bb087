//! Checks that commands are well formed: names declared, types right, streams gone.
//!
//! In: a kernel from stage 5. Out: what is wrong, each a bug of the compiler. Lengths are compared by
//! nobody here: equal lengths may be written in different ways.

use crate::dpia::functional::{LoopForm, Operation, View, alike};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::{Acc, Comm, Delayed, Exp, Kernel};

/// What is wrong with a kernel; nothing, if all is well.
pub fn check(kernel: &Kernel) -> Vec<String> {
    let mut checker = Checker { nats: kernel.nats.clone(), ..Checker::default() };
    for param in &kernel.params {
        checker.nats.extend(param.nat.clone());
        checker.scope.push((param.name.clone(), param.ty.clone(), Role::Value));
    }
    for output in &kernel.outputs {
        checker.scope.push((output.name.clone(), output.ty.clone(), Role::Memory));
        checker.expect(output.ty.as_tuple().is_none(), || format!("output {} is a tuple", output.name));
    }
    checker.block(&kernel.body);
    checker.wrong
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Value,
    Memory,
}

#[derive(Default)]
struct Checker {
    scope: Vec<(Name, DataType, Role)>,
    nats: Vec<NatVar>,
    wrong: Vec<String>,
}

impl Checker {
    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(what());
        }
    }

    fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let depth = (self.scope.len(), self.nats.len());
        let result = body(self);
        self.scope.truncate(depth.0);
        self.nats.truncate(depth.1);
        result
    }

    fn block(&mut self, block: &[Comm]) {
        self.scoped(|this| block.iter().for_each(|comm| this.command(comm)));
    }

    fn command(&mut self, comm: &Comm) {
        match comm {
            Comm::Assign(acc, exp) => {
                let (to, from) = (self.acc(acc), self.exp(exp));
                let fine = matches!((&to, &from), (Some(to), Some(from)) if alike(to, from) && to.is_small());
                self.expect(fine || to.is_none() || from.is_none(), || {
                    format!("{from:?} is assigned to {to:?}: {acc:?} = {exp:?}")
                });
            }
            Comm::New(name, ty, _) => self.declare(name, ty, Role::Memory),
            Comm::Let(name, ty, exp) => {
                let found = self.exp(exp);
                self.expect(ty.is_small() && found.is_none_or(|found| alike(&found, ty)), || {
                    format!("let {name} of type {ty} is {exp:?}")
                });
                self.declare(name, ty, Role::Value);
            }
            Comm::LetNat(var, exp) => {
                let found = self.exp(exp);
                self.expect(found.as_ref().is_none_or(is_nat), || format!("{exp:?} is no natural"));
                self.nats.push(var.clone());
            }
            Comm::For(looped) => {
                self.nat(&looped.count);
                self.expect(looped.form != LoopForm::Stream, || "a stream is left".into());
                self.scoped(|this| {
                    this.nats.push(looped.var.clone());
                    this.block(&looped.body);
                });
            }
            Comm::If(condition, then, otherwise) => {
                let found = self.exp(condition);
                let bool = DataType::Scalar(Scalar::Bool);
                self.expect(found.is_none_or(|ty| ty == bool), || format!("{condition:?} is no condition"));
                self.block(then);
                self.block(otherwise);
            }
            Comm::Swap(a, b) => {
                let (s, t) = (self.memory(a), self.memory(b));
                self.expect(s == t, || format!("{a:?} and {b:?} change places, {s:?} and {t:?}"));
            }
            Comm::Product(product) => {
                let to = self.acc(&product.acc);
                for (exp, ty) in &product.factors {
                    let found = self.exp(exp);
                    self.expect(found.is_none_or(|found| alike(&found, ty)), || {
                        format!("{exp:?} is no {ty}")
                    });
                    self.expect(to.as_ref().is_none_or(|to| alike(to, ty)), || {
                        format!("{to:?} is a product of {ty}")
                    });
                }
            }
            Comm::Comment(_) => {}
        }
    }

    fn declare(&mut self, name: &Name, ty: &DataType, role: Role) {
        let repeated = self.scope.iter().any(|(other, ..)| other == name);
        self.expect(!repeated, || format!("{name:?} is declared twice"));
        self.scope.push((name.clone(), ty.clone(), role));
    }

    fn nat(&mut self, nat: &Nat) {
        for var in nat.vars() {
            let known = self.nats.contains(&var);
            self.expect(known, || format!("{var:?} is not declared, in {nat}"));
        }
    }

    fn memory(&mut self, name: &Name) -> Option<DataType> {
        let found = self.scope.iter().rev().find(|(other, ..)| other == name).cloned();
        let fine = matches!(found, Some((_, _, Role::Memory)));
        self.expect(fine, || format!("{name:?} is no memory"));
        found.map(|(_, ty, _)| ty)
    }

    /// The type of what an acceptor takes.
    fn acc(&mut self, acc: &Acc) -> Option<DataType> {
        match acc {
            Acc::Var(name) => self.memory(name),
            Acc::Idx(index, inner) => {
                self.nat(index);
                let ty = self.acc(inner)?;
                self.element(&ty, index)
            }
            Acc::Proj(position, inner) => {
                let ty = self.acc(inner)?;
                self.component(&ty, *position)
            }
            Acc::Tuple(parts) => {
                parts.iter().map(|part| self.acc(part)).collect::<Option<_>>().map(DataType::Tuple)
            }
            Acc::View { view, operand, indices, ty, acc } => {
                let whole = self.acc(acc)?;
                if let Some(indices) = indices {
                    self.exp(indices);
                }
                self.expect(indices.is_some() == (*view == View::Scatter), || format!("indices of {view:?}"));
                self.expect(*operand < 2 && !whole.is_small(), || format!("{view:?} writes a {whole}"));
                Some(ty.clone())
            }
            Acc::Map { param, body, acc } => {
                let DataType::Array(len, element) = self.acc(acc)? else {
                    self.wrong.push(format!("{acc:?} takes no array"));
                    return None;
                };
                let body = self.scoped(|this| {
                    this.scope.push((param.clone(), (*element).clone(), Role::Memory));
                    this.acc(body)
                })?;
                Some(DataType::array(len, body))
            }
        }
    }

    fn element(&mut self, ty: &DataType, index: &Nat) -> Option<DataType> {
        match ty {
            DataType::Array(_, element) => Some((**element).clone()),
            DataType::DepArray(_, var, element) => Some(element.subst(var, index)),
            DataType::Vector(scalar, _) => Some(DataType::Scalar(*scalar)),
            other => {
                self.wrong.push(format!("{other} has no elements"));
                None
            }
        }
    }

    fn component(&mut self, ty: &DataType, position: usize) -> Option<DataType> {
        let part = ty.as_tuple().and_then(|parts| parts.get(position)).cloned();
        self.expect(part.is_some(), || format!("{ty} has no component {position}"));
        part
    }

    /// The type of an expression, where it is easily told.
    fn exp(&mut self, exp: &Exp) -> Option<DataType> {
        match exp {
            Exp::Var(name) => {
                let found = self.scope.iter().rev().find(|(other, ..)| other == name);
                let ty = found.map(|(_, ty, _)| ty.clone());
                self.expect(ty.is_some(), || format!("{name:?} is not declared"));
                ty
            }
            Exp::Literal(literal) => Some(DataType::Scalar(literal.scalar())),
            Exp::Nat(nat) => {
                self.nat(nat);
                Some(DataType::Nat)
            }
            Exp::Scalar(operation, ty, operands) => {
                let foreign = matches!(operation, Operation::Foreign(_));
                self.operands(operands);
                let small = operands.iter().all(|(_, ty)| ty.is_small());
                self.expect(small || foreign, || format!("{operation:?} computes with arrays"));
                Some(ty.clone())
            }
            Exp::Select(parts) => {
                let condition = self.exp(&parts[0]);
                let fine = condition.is_none_or(|ty| ty.scalar() == Some(Scalar::Bool));
                self.expect(fine, || format!("{:?} is no condition", parts[0]));
                let (then, otherwise) = (self.exp(&parts[1]), self.exp(&parts[2]));
                if let (Some(then), Some(otherwise)) = (&then, &otherwise) {
                    self.expect(alike(then, otherwise), || format!("{then} or {otherwise}"));
                }
                then.or(otherwise)
            }
            Exp::Tuple(parts) => {
                parts.iter().map(|part| self.exp(part)).collect::<Option<_>>().map(DataType::Tuple)
            }
            Exp::Proj(position, inner) => {
                let ty = self.exp(inner)?;
                self.component(&ty, *position)
            }
            Exp::Idx(index, inner) => {
                self.nat(index);
                let ty = self.exp(inner)?;
                self.element(&ty, index)
            }
            Exp::View(view, operands) => {
                self.operands(operands);
                self.expect(*view != View::Scatter, || "scatter is read".into());
                view_ty(view, operands)
            }
            Exp::MakeArray(parts) => {
                let types: Vec<_> = parts.iter().map(|part| self.exp(part)).collect();
                types.into_iter().next()?.map(|ty| DataType::array(Nat::from(parts.len()), ty))
            }
            Exp::Map(delayed, inner) => {
                let ty = self.exp(inner);
                let result = self.delayed(delayed);
                let DataType::Array(len, element) = ty? else { return None };
                self.expect(alike(&element, &delayed.param.ty), || {
                    format!("a function of {} is mapped over {element}", delayed.param.ty)
                });
                Some(DataType::array(len, result))
            }
            Exp::Generate(delayed) => {
                let result = self.delayed(delayed);
                match &delayed.param.ty {
                    DataType::Idx(len) => Some(DataType::array(len.clone(), result)),
                    other => {
                        self.wrong.push(format!("an array is generated from {other}"));
                        None
                    }
                }
            }
        }
    }

    fn operands(&mut self, operands: &[(Exp, DataType)]) {
        for (operand, ty) in operands {
            let found = self.exp(operand);
            self.expect(found.as_ref().is_none_or(|found| alike(found, ty)), || {
                format!("{operand:?} has type {found:?}, not {ty}")
            });
        }
    }

    fn delayed(&mut self, delayed: &Delayed) -> DataType {
        self.scoped(|this| {
            this.nats.extend(delayed.param.nat.clone());
            this.scope.push((delayed.param.name.clone(), delayed.param.ty.clone(), Role::Value));
            delayed.prelude.iter().for_each(|comm| this.command(comm));
            let result = this.exp(&delayed.result);
            this.expect(result.as_ref().is_none_or(|result| alike(result, &delayed.ty)), || {
                format!("a delayed {} is {result:?}", delayed.ty)
            });
        });
        delayed.ty.clone()
    }
}

fn is_nat(ty: &DataType) -> bool {
    matches!(ty, DataType::Nat | DataType::Idx(_))
}

/// The type of what a view makes of its operands, lengths only where they are at hand.
fn view_ty(view: &View, operands: &[(Exp, DataType)]) -> Option<DataType> {
    let element = |k: usize| operands.get(k)?.1.as_array().map(|(_, element)| element.clone());
    let len = |k: usize| operands.get(k)?.1.as_array().map(|(len, _)| len.clone());
    Some(match view {
        View::Zip => {
            let parts = (0..operands.len()).map(element).collect::<Option<Vec<_>>>()?;
            DataType::array(len(0)?, DataType::Tuple(parts.into()))
        }
        View::Unzip => {
            let element = element(0)?;
            let halves = element.as_tuple()?.iter().map(|part| Some(DataType::array(len(0)?, part.clone())));
            DataType::Tuple(halves.collect::<Option<_>>()?)
        }
        View::Split(n) | View::Slide(n, _) => {
            DataType::array(len(0)?, DataType::array(n.clone(), element(0)?))
        }
        View::Join => DataType::array(len(0)?, element(0)?.as_array()?.1.clone()),
        View::Transpose => {
            let row = element(0)?;
            let (m, t) = row.as_array()?;
            DataType::array(m.clone(), DataType::array(len(0)?, t.clone()))
        }
        View::Take(_) | View::Drop(_) | View::Concat | View::PadClamp(..) | View::PadEmpty(_) => {
            operands.first()?.1.clone()
        }
        View::PadCst(..) | View::Gather => operands.get(1)?.1.clone(),
        View::Reorder(..) => operands.first()?.1.clone(),
        View::AsVector(lanes) => DataType::array(len(0)?, DataType::Vector(element(0)?.scalar()?, *lanes)),
        View::AsScalar => DataType::array(len(0)?, DataType::Scalar(element(0)?.scalar()?)),
        View::Scatter | View::Partition(..) | View::DepZip | View::DepJoin => return None,
    })
}
