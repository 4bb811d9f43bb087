//! Functional DPIA as text, in the notation of RISE & Shine, section V: fully applied primitives, and
//! whether what they make is read or written.

use std::fmt::{self, Write};

use crate::dpia::notation::{Constant, Ty, dep_map_name, infix, map_name, operation_name, space_name};

use super::{Access, Fun, Kernel, Kind, Phrase, View};

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer::default();
        let mut closing = String::new();
        if !self.nats.is_empty() {
            let nats: Vec<String> = self.nats.iter().map(|nat| format!("{nat}: Nat")).collect();
            let _ = write!(printer.out, "depFun(({}) =>", nats.join(", "));
            closing.push(')');
            printer.indent += 1;
        }
        for param in &self.params {
            printer.line();
            let _ = write!(printer.out, "fun({}: Exp[{}, Rd] =>", param.name, Ty(&param.ty));
            closing.push(')');
        }
        printer.indent += 1;
        printer.line();
        printer.phrase(&self.body, 0);
        printer.out.push_str(&closing);
        f.write_str(&printer.out)
    }
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer::default();
        printer.phrase(self, 0);
        f.write_str(&printer.out)
    }
}

#[derive(Default)]
struct Printer {
    out: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n("  ", self.indent));
    }

    fn phrase(&mut self, phrase: &Phrase, level: u8) {
        for label in &phrase.labels {
            let _ = write!(self.out, "{label}: ");
        }
        match &phrase.kind {
            Kind::Var(name) => self.out.push_str(name.text()),
            Kind::Literal(literal) => self.show(&Constant(*literal)),
            Kind::Nat(nat) => self.show(nat),
            Kind::Let(param, value, body) => {
                let _ = write!(self.out, "let {} = ", param.name);
                self.phrase(value, 0);
                self.out.push(';');
                self.line();
                self.phrase(body, 0);
            }
            Kind::Scalar(op, operands) => match (infix(op), operands.as_slice()) {
                (Some((symbol, own)), [a, b]) => self.operator(symbol, own, a, b, level),
                _ => self.call(&operation_name(op, &phrase.ty), operands),
            },
            Kind::Select(parts) => self.call("select", &parts[..]),
            Kind::Tuple(parts) => self.call("tuple", parts),
            Kind::Proj(0, tuple) => self.call("fst", [&**tuple]),
            Kind::Proj(1, tuple) => self.call("snd", [&**tuple]),
            Kind::Proj(k, tuple) => self.call(&format!("proj{k}"), [&**tuple]),
            Kind::View(view, operands) => self.call(&view_name(view), operands),
            Kind::MakeArray(parts) => self.call("makeArray", parts),
            Kind::Idx(index, array) => self.call("idx", [&**index, &**array]),
            Kind::ToMem(space, value) => self.call(&format!("toMem({}, ", space_name(*space)), [&**value]),
            Kind::Product(library, factors) => self.call(&library.name, &**factors),
            _ => self.pattern(phrase),
        }
    }

    fn pattern(&mut self, phrase: &Phrase) {
        let (name, operands): (String, Vec<&Phrase>) = match &phrase.kind {
            Kind::MapView(_, array) => ("map".into(), vec![array]),
            Kind::Generate(_) => ("generate".into(), vec![]),
            Kind::Map(form, _, array) => (map_name(*form), vec![array]),
            Kind::DepMap(form, _, array) => (dep_map_name(*form).into(), vec![array]),
            Kind::Reduce { space, start, array, .. } => {
                (format!("reduceSeq({}, ", space_name(*space)), vec![start, array])
            }
            Kind::ReducePar(_, start, array) => ("reducePar".into(), vec![start, array]),
            Kind::Scan(_, start, array) => ("scanSeq".into(), vec![start, array]),
            Kind::Iterate(times, _, array) => (format!("iterate({times}, "), vec![array]),
            Kind::Update(_, operands) => ("update".into(), operands.iter().collect()),
            Kind::CircularBuffer(alloc, size, _, array) => {
                (format!("circularBuffer({alloc}, {size}, "), vec![array])
            }
            Kind::RotateValues(size, _, array) => (format!("rotateValues({size}, "), vec![array]),
            _ => return,
        };
        self.open(&name);
        if let Some(fun) = phrase.fun() {
            self.fun(fun);
        }
        for operand in operands {
            self.out.push_str(", ");
            self.phrase(operand, 0);
        }
        let access = if phrase.access == Access::Read { "Rd" } else { "Wr" };
        let _ = write!(self.out, ") : Exp[{}, {access}]", Ty(&phrase.ty));
    }

    fn fun(&mut self, fun: &Fun) {
        let nats = fun.nats.iter().map(|nat| format!("{nat}: Nat"));
        let params = fun.params.iter().map(|param| param.name.text().to_owned());
        let _ = write!(self.out, "fun({} =>", nats.chain(params).collect::<Vec<_>>().join(", "));
        self.indent += 1;
        self.line();
        self.phrase(&fun.body, 0);
        self.indent -= 1;
        self.out.push(')');
    }

    fn show(&mut self, what: &dyn fmt::Display) {
        let _ = write!(self.out, "{what}");
    }

    /// `name(`, if the name has no parenthesis of its own.
    fn open(&mut self, name: &str) {
        self.out.push_str(name);
        if !name.ends_with(", ") {
            self.out.push('(');
        }
    }

    fn call<'a>(&mut self, name: &str, operands: impl IntoIterator<Item = &'a Phrase>) {
        self.open(name);
        for (k, operand) in operands.into_iter().enumerate() {
            self.out.push_str(if k == 0 { "" } else { ", " });
            self.phrase(operand, 0);
        }
        self.out.push(')');
    }

    fn operator(&mut self, symbol: &str, own: u8, a: &Phrase, b: &Phrase, level: u8) {
        self.out.push_str(if own < level { "(" } else { "" });
        self.phrase(a, own);
        let _ = write!(self.out, " {symbol} ");
        self.phrase(b, own + 1);
        self.out.push_str(if own < level { ")" } else { "" });
    }
}

/// A view with its naturals; open, if it has any.
pub(in crate::dpia) fn view_name(view: &View) -> String {
    match view {
        View::Zip => "zip".into(),
        View::Unzip => "unzip".into(),
        View::Split(n) => format!("split({n}, "),
        View::Join => "join".into(),
        View::Transpose => "transpose".into(),
        View::Slide(size, step) => format!("slide({size}, {step}, "),
        View::Take(n) => format!("take({n}, "),
        View::Drop(n) => format!("drop({n}, "),
        View::Concat => "concat".into(),
        View::PadClamp(l, r) => format!("padClamp({l}, {r}, "),
        View::PadCst(l, r) => format!("padCst({l}, {r}, "),
        View::PadEmpty(r) => format!("padEmpty({r}, "),
        View::Gather => "gather".into(),
        View::Scatter => "scatter".into(),
        View::Reorder(f, g) => {
            format!("reorder(fun({} => {}), fun({} => {}), ", f.var, f.body, g.var, g.body)
        }
        View::AsVector(lanes) => format!("asVector({lanes}, "),
        View::AsScalar => "asScalar".into(),
        View::Partition(parts, lengths) => {
            format!("partition({parts}, fun({} => {}), ", lengths.var, lengths.body)
        }
        View::DepZip => "depZip".into(),
        View::DepJoin => "depJoin".into(),
    }
}
