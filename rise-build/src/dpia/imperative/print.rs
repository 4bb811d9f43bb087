//! Imperative DPIA as text, in the notation of RISE & Shine, listing 10.

use std::fmt::{self, Write};

use crate::dpia::functional::{LoopForm, Operation, View, view_name};
use crate::dpia::notation::{Constant, Ty, infix, operation_name, space_name};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::types::DataType;

use super::{Acc, Block, Comm, Delayed, Exp, For, Kernel};

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer::default();
        printer.kernel(self);
        f.write_str(&printer.out)
    }
}

/// Writes text; names that are in use already get a number.
#[derive(Default)]
struct Printer {
    out: String,
    indent: usize,
    names: Vec<(Name, String)>,
    nats: Vec<(NatVar, NatVar)>,
    /// Where iterations of parallel loops write, by their variables.
    outs: Vec<(NatVar, String)>,
    used: Vec<String>,
}

impl Printer {
    fn kernel(&mut self, kernel: &Kernel) {
        let mut closing = String::new();
        if !kernel.nats.is_empty() {
            let nats: Vec<String> = kernel.nats.iter().map(|nat| format!("{nat}: Nat")).collect();
            let _ = write!(self.out, "depFun(({}) =>", nats.join(", "));
            self.used.extend(kernel.nats.iter().map(|nat| nat.text().to_owned()));
            closing.push(')');
        }
        self.indent += 1;
        for param in &kernel.params {
            self.line();
            let text = self.declare(&param.name);
            let _ = write!(self.out, "fun({text}: {} =>", Ty(&param.ty));
            closing.push(')');
        }
        for output in &kernel.outputs {
            let text = self.fresh(output.name.text());
            self.names.push((output.name.clone(), text));
        }
        self.indent += 1;
        self.line();
        self.block(&kernel.body);
        self.out.push_str(&closing);
    }

    fn line(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    fn fresh(&mut self, text: &str) -> String {
        let mut candidate = text.to_owned();
        let mut number = 0;
        while self.used.contains(&candidate) {
            number += 1;
            candidate = format!("{text}{number}");
        }
        self.used.push(candidate.clone());
        candidate
    }

    fn declare(&mut self, name: &Name) -> String {
        let text = self.fresh(name.text());
        self.names.push((name.clone(), text.clone()));
        text
    }

    fn declare_nat(&mut self, var: &NatVar) -> String {
        let text = self.fresh(var.text());
        self.nats.push((var.clone(), NatVar::new(&text)));
        text
    }

    /// Runs `body` in a scope of its own.
    fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let depth = (self.names.len(), self.nats.len(), self.outs.len(), self.used.len());
        body(self);
        self.names.truncate(depth.0);
        self.nats.truncate(depth.1);
        self.outs.truncate(depth.2);
        self.used.truncate(depth.3);
    }

    fn block(&mut self, block: &[Comm]) {
        let Some((first, rest)) = block.split_first() else {
            self.out.push_str("skip");
            return;
        };
        match first {
            Comm::New(name, ty, space) => {
                let text = self.declare(name);
                let (ty, space) = (self.ty(ty), space_name(*space));
                let _ = write!(self.out, "new({space}, {}, fun(({text}Acc, {text}Exp) =>", Ty(&ty));
                let at = self.names.len() - 1;
                self.names[at].1 = text + "Exp";
                self.inner(rest);
                self.out.push_str(" ))");
            }
            Comm::Comment(text) => {
                let _ = write!(self.out, "// {text}");
                self.line();
                self.block(rest);
            }
            command => {
                self.command(command);
                if !rest.is_empty() {
                    self.out.push_str(" ;");
                    self.line();
                    self.block(rest);
                }
            }
        }
    }

    fn inner(&mut self, block: &[Comm]) {
        self.indent += 1;
        self.line();
        self.block(block);
        self.indent -= 1;
    }

    fn command(&mut self, command: &Comm) {
        match command {
            Comm::Assign(acc, exp) => {
                self.acc(acc);
                self.out.push_str(" = ");
                self.exp(exp, 0);
            }
            Comm::Let(name, ty, exp) => {
                let text = self.declare(name);
                let _ = write!(self.out, "let {text}: {} = ", Ty(&self.ty(ty)));
                self.exp(exp, 0);
            }
            Comm::LetNat(var, exp) => {
                let text = self.declare_nat(var);
                let _ = write!(self.out, "let {text}: Nat = ");
                self.exp(exp, 0);
            }
            Comm::For(looped) => self.scoped(|p| p.loop_(looped)),
            Comm::If(condition, then, otherwise) => {
                self.out.push_str("if ");
                self.exp(condition, 0);
                self.braces(" then {", then);
                self.braces(" else {", otherwise);
            }
            Comm::Swap(a, b) => {
                let _ = write!(self.out, "swap({}, {})", self.text(a), self.text(b));
            }
            Comm::Product(product) => {
                self.acc(&product.acc);
                let _ = write!(self.out, " = {}(", product.library.name);
                self.exp(&product.factors[0].0, 0);
                self.out.push_str(", ");
                self.exp(&product.factors[1].0, 0);
                self.out.push(')');
            }
            Comm::New(..) | Comm::Comment(_) => {}
        }
    }

    fn braces(&mut self, open: &str, block: &Block) {
        self.out.push_str(open);
        self.scoped(|p| p.inner(block));
        self.out.push_str(" }");
    }

    fn loop_(&mut self, looped: &For) {
        let count = self.nat(&looped.count);
        let (name, out) = loop_name(looped.form);
        let _ = write!(self.out, "{name}({count}, ");
        let written = out.and_then(|out| Some((out, written_by(&looped.body, &looped.var)?)));
        match written {
            Some((out, acc)) => {
                self.acc(&acc);
                let (var, out) = (self.declare_nat(&looped.var), self.fresh(out));
                let _ = write!(self.out, ", fun(({var}, {out}) =>");
                self.outs.push((looped.var.clone(), out));
            }
            None => {
                let var = self.declare_nat(&looped.var);
                let _ = write!(self.out, "fun({var} =>");
            }
        }
        self.inner(&looped.body);
        self.out.push_str(" ))");
    }

    fn nat(&self, nat: &Nat) -> Nat {
        nat.map_vars(&mut |var| {
            let found = self.nats.iter().rev().find(|(other, _)| other == var);
            found.map(|(_, shown)| Nat::var(shown))
        })
    }

    fn ty(&self, ty: &DataType) -> DataType {
        ty.map_nats(&|nat| self.nat(nat))
    }

    fn text(&self, name: &Name) -> String {
        let found = self.names.iter().rev().find(|(other, _)| other == name);
        found.map_or_else(|| name.text().to_owned(), |(_, text)| text.clone())
    }

    fn acc(&mut self, acc: &Acc) {
        match acc {
            Acc::Var(name) => {
                let text = self.text(name);
                match text.strip_suffix("Exp") {
                    Some(stem) => self.out.extend([stem, "Acc"]),
                    None => self.out.push_str(&text),
                }
            }
            Acc::Idx(index, inner) => {
                let out = index.as_var().and_then(|var| self.outs.iter().find(|(other, _)| other == var));
                if let Some((_, text)) = out {
                    self.out.push_str(&text.clone());
                    return;
                }
                let _ = write!(self.out, "idxAcc({}, ", self.nat(index));
                self.acc(inner);
                self.out.push(')');
            }
            Acc::Proj(position, inner) => {
                let _ = write!(self.out, "pairAcc{}(", position + 1);
                self.acc(inner);
                self.out.push(')');
            }
            Acc::Tuple(parts) => {
                self.out.push_str("pairAcc(");
                for (k, part) in parts.iter().enumerate() {
                    self.comma(k);
                    self.acc(part);
                }
                self.out.push(')');
            }
            Acc::View { view, operand, indices, acc, .. } => {
                let name = self.view_name(view);
                let (stem, args) = name.split_once('(').unwrap_or((&name, ""));
                let side = match view {
                    View::Zip | View::Concat | View::DepZip => (operand + 1).to_string(),
                    _ => String::new(),
                };
                let _ = write!(self.out, "{stem}Acc{side}({args}");
                if let Some(indices) = indices {
                    self.exp(indices, 0);
                    self.out.push_str(", ");
                }
                self.acc(acc);
                self.out.push(')');
            }
            Acc::Map { param, body, acc } => self.scoped(|p| {
                let text = p.declare(param);
                let _ = write!(p.out, "mapAcc(fun({text} => ");
                p.acc(body);
                p.out.push_str("), ");
                p.acc(acc);
                p.out.push(')');
            }),
        }
    }

    fn comma(&mut self, position: usize) {
        if position > 0 {
            self.out.push_str(", ");
        }
    }

    /// `name(arguments, ` without the operands.
    fn view_name(&self, view: &View) -> String {
        view_name(&view.map_nats(&|nat| self.nat(nat)))
    }

    fn exp(&mut self, exp: &Exp, level: u8) {
        match exp {
            Exp::Var(name) => {
                let text = self.text(name);
                self.out.push_str(&text);
            }
            Exp::Literal(literal) => {
                let _ = write!(self.out, "{}", Constant(*literal));
            }
            Exp::Nat(nat) => {
                let _ = write!(self.out, "{}", self.nat(nat));
            }
            Exp::Scalar(operation, ty, operands) => self.scalar(operation, ty, operands, level),
            Exp::Select(parts) => {
                self.call("select");
                self.list(parts.iter());
            }
            Exp::Tuple(parts) => {
                self.call("tuple");
                self.list(parts.iter());
            }
            Exp::Proj(0, inner) => self.wrapped("fst", inner),
            Exp::Proj(1, inner) => self.wrapped("snd", inner),
            Exp::Proj(position, inner) => self.wrapped(&format!("proj{position}"), inner),
            Exp::Idx(index, inner) => {
                let _ = write!(self.out, "idx({}, ", self.nat(index));
                self.list(std::iter::once(&**inner));
            }
            Exp::View(view, operands) => {
                let name = self.view_name(view);
                let open = if name.ends_with(", ") { "" } else { "(" };
                let _ = write!(self.out, "{name}{open}");
                self.list(operands.iter().map(|(operand, _)| operand));
            }
            Exp::MakeArray(parts) => {
                self.call("makeArray");
                self.list(parts.iter());
            }
            Exp::Map(delayed, inner) => {
                self.delayed("mapRead", delayed);
                self.out.push_str(", ");
                self.list(std::iter::once(&**inner));
            }
            Exp::Generate(delayed) => {
                self.delayed("generate", delayed);
                self.out.push(')');
            }
        }
    }

    fn call(&mut self, name: &str) {
        self.out.push_str(name);
        self.out.push('(');
    }

    /// Operands, and the closing parenthesis.
    fn list<'a>(&mut self, parts: impl Iterator<Item = &'a Exp>) {
        for (k, part) in parts.enumerate() {
            self.comma(k);
            self.exp(part, 0);
        }
        self.out.push(')');
    }

    fn wrapped(&mut self, name: &str, inner: &Exp) {
        self.call(name);
        self.list(std::iter::once(inner));
    }

    fn delayed(&mut self, name: &str, delayed: &Delayed) {
        self.call(name);
        self.scoped(|p| {
            let text = match &delayed.param.nat {
                Some(var) => p.declare_nat(var),
                None => p.declare(&delayed.param.name),
            };
            let _ = write!(p.out, "fun({text} => ");
            if !delayed.prelude.is_empty() {
                p.out.push('{');
                p.inner(&delayed.prelude);
                p.out.push_str(" ; ");
            }
            p.exp(&delayed.result, 0);
            if !delayed.prelude.is_empty() {
                p.out.push_str(" }");
            }
            p.out.push(')');
        });
    }

    fn scalar(&mut self, op: &Operation, ty: &DataType, operands: &[(Exp, DataType)], level: u8) {
        if let (Some((symbol, own)), [(a, _), (b, _)]) = (infix(op), operands) {
            let group = own < level;
            self.out.push_str(if group { "(" } else { "" });
            self.exp(a, own);
            let _ = write!(self.out, " {symbol} ");
            self.exp(b, own + 1);
            self.out.push_str(if group { ")" } else { "" });
            return;
        }
        let name = operation_name(op, ty);
        self.call(&name);
        self.list(operands.iter().map(|(operand, _)| operand));
    }
}

/// The name of a loop, and what its iterations write if they run in parallel.
fn loop_name(form: LoopForm) -> (String, Option<&'static str>) {
    let dimension = |name: &str, d: u8| if d == 0 { name.to_owned() } else { format!("{name}({d})") };
    match form {
        LoopForm::Seq | LoopForm::Stream => ("for".into(), None),
        LoopForm::Unroll => ("forUnroll".into(), None),
        LoopForm::Vec => ("forVec".into(), Some("laneOut")),
        LoopForm::Par => ("parFor".into(), Some("out")),
        LoopForm::Global(d) => (dimension("parForGlobal", d), Some("gOut")),
        LoopForm::WorkGroup(d) => (dimension("parForWorkGroup", d), Some("wgOut")),
        LoopForm::Local(d) => (dimension("parForLocal", d), Some("lOut")),
    }
}

/// What the iterations of a loop write elements of.
fn written_by(block: &[Comm], var: &NatVar) -> Option<Acc> {
    block.iter().find_map(|comm| match comm {
        Comm::Assign(acc, _) => element_of(acc, var),
        Comm::For(looped) => written_by(&looped.body, var),
        Comm::If(_, then, otherwise) => written_by(then, var).or_else(|| written_by(otherwise, var)),
        _ => None,
    })
}

fn element_of(acc: &Acc, var: &NatVar) -> Option<Acc> {
    match acc {
        Acc::Idx(index, inner) if index.as_var() == Some(var) => Some((**inner).clone()),
        Acc::Idx(_, inner) | Acc::Proj(_, inner) => element_of(inner, var),
        Acc::View { acc, .. } | Acc::Map { acc, .. } => element_of(acc, var),
        Acc::Tuple(parts) => parts.iter().find_map(|part| element_of(part, var)),
        Acc::Var(_) => None,
    }
}
