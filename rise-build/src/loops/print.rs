//! Loops as pseudo-code for people: what `RISE_DUMP` and the documentation of a kernel show.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use crate::expr::{Binary, Literal, Unary};
use crate::names::Name;
use crate::nat::{Nat, NatVar};

use super::ir::*;
use super::walk::{self, VisitMut};

/// Of more statements in a row without loops or conditions, an outline shows the first.
const SHOWN: usize = 4;

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self))
    }
}

/// A kernel as pseudo-code.
pub fn print(kernel: &Kernel) -> String {
    printed(kernel, usize::MAX)
}

/// The loops of a kernel as pseudo-code, with what is written out in them cut short.
pub fn outline(kernel: &Kernel) -> String {
    printed(kernel, SHOWN)
}

fn printed(kernel: &Kernel, shown: usize) -> String {
    let mut body = kernel.body.clone();
    let scope = kernel.nats.iter().map(|nat| nat.text().to_string()).collect();
    Apart { scope, renamed: Vec::new(), shown }.block(&mut body);
    let mut printer = Printer { kernel, out: String::new(), depth: 0, shown, names: Names::default() };
    printer.head();
    printer.depth = 1;
    printer.block(&body);
    printer.out
}

/// Gives variables of naturals other texts than those in scope have: `i`, inside it `j`, and so on.
struct Apart {
    scope: Vec<String>,
    renamed: Vec<(NatVar, Nat)>,
    /// How many statements in a row are shown.
    shown: usize,
}

impl Apart {
    fn declare(&mut self, var: &mut NatVar) {
        let text = self.free(var.text());
        if text != var.text() {
            let new = NatVar::new(&text);
            self.renamed.push((var.clone(), Nat::var(&new)));
            *var = new;
        }
        self.scope.push(text);
    }

    fn free(&self, text: &str) -> String {
        let is_free = |text: &String| !self.scope.contains(text);
        let letters = ["i", "j", "k", "l"];
        let letter = letters.iter().position(|letter| *letter == text);
        let next = letter.into_iter().flat_map(|at| letters[at..].iter().map(ToString::to_string));
        let numbered = (2..).map(|number| format!("{text}{number}"));
        let candidates = std::iter::once(text.to_string()).chain(next).chain(numbered);
        candidates.into_iter().find(is_free).unwrap_or_default()
    }
}

impl VisitMut for Apart {
    fn block(&mut self, block: &mut Block) {
        let depth = self.scope.len();
        let mut row = 0;
        for stmt in block {
            row = if matches!(stmt, Stmt::For(_) | Stmt::If(..) | Stmt::Block(_)) { 0 } else { row + 1 };
            if row <= self.shown || matches!(stmt, Stmt::LetNat(..)) {
                self.stmt(stmt);
            }
        }
        self.scope.truncate(depth);
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::For(looped) => {
                self.nat(&mut looped.count);
                self.declare(&mut looped.var);
                self.block(&mut looped.body);
                self.scope.pop();
            }
            Stmt::LetNat(var, value) => {
                self.value(value);
                self.declare(var);
            }
            _ => walk::walk_stmt_mut(self, stmt),
        }
    }

    fn nat(&mut self, nat: &mut Nat) {
        if nat.as_const().is_none() && !self.renamed.is_empty() {
            *nat = nat.subst_all(&self.renamed);
        }
    }
}

struct Printer<'a> {
    kernel: &'a Kernel,
    out: String,
    depth: usize,
    /// How many statements in a row are shown.
    shown: usize,
    names: Names,
}

/// Texts of registers: the user's, with a number where two registers have the same.
#[derive(Default)]
struct Names {
    known: BTreeMap<Name, String>,
    used: BTreeSet<String>,
    /// The last number behind each text.
    numbers: BTreeMap<String, usize>,
}

impl Names {
    fn text(&mut self, name: &Name) -> String {
        if let Some(text) = self.known.get(name) {
            return text.clone();
        }
        let number = self.numbers.entry(name.text().to_string()).or_default();
        let text = loop {
            *number += 1;
            let text = match *number {
                1 => name.text().to_string(),
                number => format!("{}{number}", name.text()),
            };
            if !self.used.contains(&text) {
                break text;
            }
        };
        self.used.insert(text.clone());
        self.known.insert(name.clone(), text.clone());
        text
    }
}

impl Printer<'_> {
    fn head(&mut self) {
        let mut head = format!("kernel {}(", self.kernel.name);
        let nats: Vec<&str> = self.kernel.nats.iter().map(NatVar::text).collect();
        head += &nats.join(", ");
        for (position, param) in self.kernel.params.iter().enumerate() {
            let separator = match (position, nats.is_empty()) {
                (0, true) => "",
                (0, false) => "; ",
                _ => ", ",
            };
            let _ = write!(head, "{separator}{}: {}", param.name, param.ty);
        }
        head += ")";
        for (position, output) in self.kernel.outputs.iter().enumerate() {
            let separator = if position == 0 { " -> " } else { ", " };
            let _ = write!(head, "{separator}{}: {}", self.buffer(output.buffer), output.ty);
        }
        self.out += &head;
        self.out.push('\n');
        for buffer in self.kernel.buffers.iter().filter(|buffer| buffer.role == Role::Constant) {
            let values: Vec<String> = buffer.values.iter().map(|value| literal(*value)).collect();
            let _ = writeln!(self.out, "  const {} = [{}]", buffer.name, values.join(", "));
        }
    }

    fn buffer(&self, id: BufferId) -> String {
        let name = &self.kernel.buffer(id).name;
        let same = self.kernel.buffers[..id.0 as usize].iter().filter(|other| other.name == *name).count();
        if same == 0 { name.clone() } else { format!("{name}.{same}") }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn block(&mut self, block: &[Stmt]) {
        let mut comment: Option<&str> = None;
        let mut row = 0;
        for (position, stmt) in block.iter().enumerate() {
            // The comment of a loop stands beside it.
            match (stmt, block.get(position + 1)) {
                (Stmt::Comment(text), Some(Stmt::For(_))) => comment = Some(text),
                (Stmt::For(looped), _) => {
                    self.more(&mut row);
                    self.looped(looped, comment.take());
                }
                (Stmt::If(..) | Stmt::Block(_), _) => {
                    self.more(&mut row);
                    self.stmt(stmt);
                }
                _ => {
                    row += 1;
                    if row <= self.shown {
                        self.stmt(stmt);
                    }
                }
            }
        }
        self.more(&mut row);
    }

    /// Ends a row of statements, not all of which may have been shown.
    fn more(&mut self, row: &mut usize) {
        if *row > self.shown {
            self.line(&format!("… {} more", *row - self.shown));
        }
        *row = 0;
    }

    fn nested(&mut self, block: &[Stmt]) {
        self.depth += 1;
        self.block(block);
        self.depth -= 1;
    }

    fn looped(&mut self, looped: &Loop, comment: Option<&str>) {
        let kind = match looped.kind {
            LoopKind::Seq => "for".into(),
            LoopKind::Unroll => "for unrolled".into(),
            LoopKind::Vec => "for lanes".into(),
            LoopKind::Par => "for parallel".into(),
            LoopKind::Global(d) => format!("for global({d})"),
            LoopKind::WorkGroup(d) => format!("for work-group({d})"),
            LoopKind::Local(d) => format!("for local({d})"),
        };
        let comment = comment.map(|text| format!("  // {text}")).unwrap_or_default();
        self.line(&format!("{kind} {} in 0..{}{comment}", looped.var, looped.count));
        self.nested(&looped.body);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Comment(text) => self.line(&format!("// {text}")),
            Stmt::For(looped) => self.looped(looped, None),
            Stmt::Let(name, _, value) => {
                let text = format!("let {} = {}", self.names.text(name), self.value(value));
                self.line(&text);
            }
            Stmt::LetNat(var, value) => {
                let text = format!("let {var} = {}", self.value(value));
                self.line(&text);
            }
            Stmt::Var(name, ty, value) => {
                let mut text = format!("var {}: {}", self.names.text(name), value_type(*ty));
                if let Some(value) = value {
                    let _ = write!(text, " = {}", self.value(value));
                }
                self.line(&text);
            }
            Stmt::Set(name, value) => {
                let text = format!("{} = {}", self.names.text(name), self.value(value));
                self.line(&text);
            }
            Stmt::Store(access, value) => {
                let text = format!("{} = {}", self.access(access), self.value(value));
                self.line(&text);
            }
            Stmt::Alloc(id) => self.alloc(*id),
            Stmt::If(condition, then, otherwise) => {
                let text = format!("if {}", self.value(condition));
                self.line(&text);
                self.nested(then);
                if !otherwise.is_empty() {
                    self.line("else");
                    self.nested(otherwise);
                }
            }
            Stmt::Block(block) => {
                self.line("block");
                self.nested(block);
            }
            Stmt::Barrier { local, global } => {
                let text = match (local, global) {
                    (true, true) => "barrier local, global",
                    (true, false) => "barrier local",
                    _ => "barrier global",
                };
                self.line(text);
            }
            Stmt::Product(product) => {
                let [result, a, b] = product.matrices().map(|matrix| {
                    let [down, right] = &matrix.strides;
                    format!("{}[{}; {down}, {right}]", self.buffer(matrix.first.buffer), matrix.first.index)
                });
                let [rows, columns, inner] = &product.sizes;
                let name = &product.library.name;
                self.line(&format!("{result} = {name}({a}, {b}), {rows} × {inner} × {columns}"));
            }
            Stmt::Transpose(transpose) => {
                let Transpose { from, to, strides: [down, right], side, shape } = &**transpose;
                let [from, to] = [(from, down), (to, right)].map(|(access, stride)| {
                    format!("{}[{}; {stride}]", self.buffer(access.buffer), access.index)
                });
                let stream = if transpose.to.streams { "stream " } else { "" };
                let slanted = if *shape == Shape::Slant { ", slanted" } else { "" };
                let rows = transpose.rows();
                self.line(&format!("{stream}{to} = transpose({from}), {rows} × {side}{slanted}"));
            }
            Stmt::StorePart(store) => {
                let part = match &store.part {
                    LanesPart::Until(end) => format!("0..{end}"),
                    LanesPart::From(start) => format!("{start}.."),
                };
                let (to, value) = (self.access(&store.to), self.value(&store.value));
                self.line(&format!("{to} = lanes {part} of {value}"));
            }
            Stmt::Ask(access, cache) => {
                let near = if *cache == Cache::First { " near" } else { "" };
                let text = format!("ask{near} {}[{}]", self.buffer(access.buffer), access.index);
                self.line(&text);
            }
            Stmt::Lend(lend) => {
                let Lend { rows, is_copy, copy, from } = &**lend;
                let [rows, copy, source] = [rows, copy, &from.buffer].map(|id| self.buffer(*id));
                let text = format!(
                    "lend {rows} = {copy} if {} else {source}[{}..]",
                    self.value(is_copy),
                    from.index
                );
                self.line(&text);
            }
            Stmt::Swap(a, b) => {
                let text = format!("swap {}, {}", self.buffer(*a), self.buffer(*b));
                self.line(&text);
            }
        }
    }

    fn alloc(&mut self, id: BufferId) {
        let buffer = self.kernel.buffer(id);
        let place = match buffer.role {
            Role::Stack => "stack",
            Role::Local => "local",
            _ => "heap",
        };
        let element = match &buffer.element {
            Element::Scalar(scalar) => scalar.name(),
            Element::Index => "index",
            Element::Tuple(_) => "tuple",
        };
        let text = format!("{place} {}: [{element}; {}]", self.buffer(id), buffer.len);
        self.line(&text);
    }

    fn access(&mut self, access: &Access) -> String {
        let by = if access.streams { "stream " } else { "" };
        let mut text = format!("{by}{}[{}", self.buffer(access.buffer), access.index);
        if access.lanes > 1 {
            let _ = write!(text, " ..{}", access.lanes);
        }
        text.push(']');
        for step in &access.path {
            let _ = write!(text, ".{step}");
        }
        text
    }

    fn value(&mut self, value: &Value) -> String {
        match value {
            Value::Literal(value) => literal(*value),
            Value::Var(name) => self.names.text(name),
            Value::Nat(nat) => nat.to_string(),
            Value::Apart(nat) => format!("apart({nat})"),
            Value::Load(access) => self.access(access),
            Value::Gather(access, stride, lanes) => {
                let access = self.access(access);
                format!("gather({access}, stride {stride}, {lanes})")
            }
            Value::Unary(op, _, x) => self.unary(*op, x),
            Value::Binary(op, _, a, b) => self.binary(*op, a, b),
            Value::Compare(op, _, a, b) => {
                format!("{} {} {}", self.operand(a), op.symbol(), self.operand(b))
            }
            Value::Large(bytes) => format!("large({bytes})"),
            Value::Past(bytes) => format!("past({bytes})"),
            Value::InLines => "in_lines".to_owned(),
            Value::CompareNat(op, a, b) => format!("{a} {} {b}", op.symbol()),
            Value::MulAdd(_, args) => self.call("mul_add", &args[..]),
            Value::Fma(_, args) => self.call("fma", &args[..]),
            Value::Cast(_, to, x) => format!("{} as {to}", self.operand(x)),
            Value::FromNat(to, nat) => format!("({nat}) as {to}"),
            Value::ClampIndex(_, bound, x) => format!("{} as Idx[{bound}]", self.operand(x)),
            Value::ToLine(access, count) => {
                let Access { buffer, index, lanes, .. } = access;
                format!("to_line({}[{index} ..{lanes}], {count})", self.buffer(*buffer))
            }
            Value::Select(_, args) => self.call("select", &args[..]),
            Value::Broadcast(ty, x) => format!("{}({})", value_type(*ty), self.value(x)),
            Value::Lane(_, lane, x) => format!("{}.lane({lane})", self.operand(x)),
            Value::Half(_, upper, x) => {
                format!("{}.{}", self.operand(x), if *upper { "upper" } else { "lower" })
            }
            Value::Lanes(_, values) => self.call("lanes", values),
            Value::Ramp(_, start, step) => format!("ramp({start}, {step})"),
            Value::Foreign(foreign, 1, args) => self.call(&foreign.name, args),
            Value::Foreign(foreign, lanes, args) => self.call(&format!("{}_x{lanes}", foreign.name), args),
        }
    }

    fn operand(&mut self, value: &Value) -> String {
        let text = self.value(value);
        match value {
            Value::Binary(..) | Value::Compare(..) | Value::CompareNat(..) | Value::Cast(..) => {
                format!("({text})")
            }
            _ => text,
        }
    }

    fn unary(&mut self, op: Unary, x: &Value) -> String {
        match op {
            Unary::Neg => format!("-{}", self.operand(x)),
            Unary::Not => format!("!{}", self.operand(x)),
            _ => self.call(op.name(), std::slice::from_ref(x)),
        }
    }

    fn binary(&mut self, op: Binary, a: &Value, b: &Value) -> String {
        let symbol = match op {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::Min | Binary::Max | Binary::Shl | Binary::Shr | Binary::Pow => {
                return format!("{}({}, {})", op.name(), self.value(a), self.value(b));
            }
        };
        format!("{} {symbol} {}", self.operand(a), self.operand(b))
    }

    fn call(&mut self, function: &str, args: &[Value]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.value(arg)).collect();
        format!("{function}({})", args.join(", "))
    }
}

fn value_type(ty: ValueType) -> String {
    if ty.lanes == 1 { ty.scalar.name().into() } else { format!("{}x{}", ty.scalar, ty.lanes) }
}

fn literal(literal: Literal) -> String {
    match literal {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value, _) => value.to_string(),
        Literal::Float(value, _) => format!("{value:?}"),
    }
}
