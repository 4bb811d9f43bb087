//! From functional to imperative DPIA (RISE & Shine, listings 8 and 9), in direct style.
//!
//! In: a kernel whose accesses agree. Out: commands that write its result into the outputs. `write` is the
//! acceptor translation; `read` is the continuation translation, which appends what has to run first to a
//! block and yields what can be read afterwards. Invariants: every name that is declared is new, a
//! computation is emitted once for each place that asks for it, and no memory is read after it was
//! overwritten. What lies where, and how indices look, is decided later.

use crate::dpia::functional;
use crate::dpia::functional::{LoopForm, Phrase};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use super::{Acc, Block, Comm, Exp, For, Kernel, Output};

/// The kernel as commands.
pub fn translate(kernel: &functional::Kernel) -> Kernel {
    let mut translator = Translator::default();
    let mut outputs = Vec::new();
    let acc = outputs_of(&kernel.body.ty, "output", &mut outputs);
    for output in &outputs {
        translator.memories.push((output.name.clone(), output.ty.clone()));
    }
    translator.params = kernel.params.iter().map(|param| (param.name.clone(), param.ty.clone())).collect();
    let mut body = Block::new();
    translator.write(&kernel.body, &acc, &mut body);
    Kernel {
        name: kernel.name.clone(),
        nats: kernel.nats.clone(),
        params: kernel.params.clone(),
        outputs,
        body,
        assumptions: kernel.assumptions.clone(),
    }
}

/// Memory for a result; one output for each leaf of a tuple.
fn outputs_of(ty: &DataType, text: &str, outputs: &mut Vec<Output>) -> Acc {
    match ty {
        DataType::Tuple(parts) => Acc::Tuple(
            parts
                .iter()
                .enumerate()
                .map(|(k, part)| outputs_of(part, &format!("{text}{k}"), outputs))
                .collect(),
        ),
        _ => {
            let name = Name::fresh(text);
            outputs.push(Output { name: name.clone(), ty: ty.clone() });
            Acc::Var(name)
        }
    }
}

/// What is known about the variables in scope.
#[derive(Default)]
pub(super) struct Translator {
    /// Values of variables; a variable that is missing stands for itself.
    pub(super) names: Vec<(Name, Exp)>,
    /// Values of naturals; a natural that is missing stands for itself.
    pub(super) nats: Vec<(NatVar, Nat)>,
    /// Types of memories.
    pub(super) memories: Vec<(Name, DataType)>,
    /// Types of the kernel's parameters.
    pub(super) params: Vec<(Name, DataType)>,
}

/// Lengths of a translator's lists.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize, usize);

impl Translator {
    /// Where a scope begins.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.names.len(), self.nats.len())
    }

    /// Forgets what was bound since.
    pub(super) fn release(&mut self, mark: Mark) {
        self.names.truncate(mark.0);
        self.nats.truncate(mark.1);
    }

    /// A natural of the phrase, in variables of the commands.
    pub(super) fn nat(&self, nat: &Nat) -> Nat {
        if self.nats.is_empty() || nat.as_const().is_some() {
            return nat.clone();
        }
        // The innermost binding counts: a function may be applied twice in one scope.
        nat.map_vars(&mut |var| {
            let found = self.nats.iter().rev().find(|(other, _)| other == var);
            found.map(|(_, value)| value.clone())
        })
    }

    /// A type of the phrase, in variables of the commands.
    pub(super) fn ty(&self, ty: &DataType) -> DataType {
        if self.nats.is_empty() {
            return ty.clone();
        }
        ty.map_nats(&|nat| self.nat(nat))
    }

    /// The value of a variable.
    pub(super) fn lookup(&self, name: &Name) -> Exp {
        let found = self.names.iter().rev().find(|(other, _)| other == name);
        found.map_or_else(|| Exp::Var(name.clone()), |(_, exp)| exp.clone())
    }

    /// A loop: `body` gets the variable and the block of one iteration.
    pub(super) fn each(
        &mut self,
        form: LoopForm,
        count: Nat,
        out: &mut Block,
        body: impl FnOnce(&mut Self, Nat, &mut Block),
    ) {
        let var = NatVar::new(loop_variable(form));
        let mark = self.mark();
        let mut block = Block::new();
        body(self, Nat::var(&var), &mut block);
        self.release(mark);
        out.push(Comm::For(For { var, count, form, body: block }));
    }

    /// A loop one after the other.
    pub(super) fn each_seq(
        &mut self,
        count: Nat,
        out: &mut Block,
        body: impl FnOnce(&mut Self, Nat, &mut Block),
    ) {
        self.each(LoopForm::Seq, count, out, body);
    }

    /// Names the pattern that follows.
    pub(super) fn comment(phrase: &Phrase, text: &str, out: &mut Block) {
        let labels = phrase.labels.iter().map(|label| format!("{label}: "));
        out.push(Comm::Comment(labels.collect::<String>() + text));
    }
}

fn loop_variable(form: LoopForm) -> &'static str {
    match form {
        LoopForm::WorkGroup(_) => "wgId",
        LoopForm::Local(_) => "lId",
        LoopForm::Global(_) => "gId",
        LoopForm::Vec => "lane",
        LoopForm::Seq | LoopForm::Unroll | LoopForm::Par | LoopForm::Stream => "i",
    }
}

/// Length and element type of an array.
pub(super) fn array(ty: &DataType) -> (&Nat, &DataType) {
    ty.as_array().unwrap_or_else(|| panic!("bug: {ty} was translated as an array"))
}
