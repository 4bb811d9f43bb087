//! Expressions as RISE text: data flow as pipes, functions as lambdas, one pattern a line.

use std::fmt::{self, Write};

use crate::types::Scalar;

use super::capture::Scope;
use super::primitive::{AddressSpace, Binary, MapForm, Primitive, ReduceForm, ScanForm, Unary};
use super::term::{Arg, Expr, Kernel, Kind, Lambda, Literal};

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { out: String::new(), indent: 0, scope: Scope::around(self) };
        printer.expr(self, Level::Pipe);
        f.write_str(&printer.out)
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Lambda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { out: String::new(), indent: 0, scope: Scope::around(&self.body) };
        printer.lambda(self);
        f.write_str(&printer.out)
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fn {}", self.name)?;
        if !self.nats.is_empty() {
            let nats: Vec<String> = self.nats.iter().map(|nat| format!("{nat}: Nat")).collect();
            write!(f, "<{}>", nats.join(", "))?;
        }
        let params: Vec<String> =
            self.params.iter().map(|param| format!("{}: {}", param.name, param.ty)).collect();
        writeln!(f, "({}) -> {} {{", params.join(", "), self.body.ty())?;
        let mut printer =
            Printer { out: String::new(), indent: 1, scope: Scope::of(&self.nats, &self.params) };
        printer.expr(&self.body, Level::Pipe);
        write!(f, "    {}\n}}", printer.out)
    }
}

/// How tightly the context binds; what binds less is put in parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Pipe,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Sum,
    Product,
    Cast,
    Unary,
    Postfix,
}

struct Printer {
    out: String,
    indent: usize,
    scope: Scope,
}

impl Printer {
    fn line(&mut self) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n("    ", self.indent));
    }

    fn grouped(&mut self, own: Level, context: Level, body: impl FnOnce(&mut Self)) {
        let group = own < context;
        if group {
            self.out.push('(');
        }
        body(self);
        if group {
            self.out.push(')');
        }
    }

    fn expr(&mut self, expr: &Expr, context: Level) {
        match expr.kind() {
            Kind::Var(name) => {
                let text = self.scope.text(name).to_owned();
                self.out.push_str(&text);
            }
            Kind::Literal(literal) => self.literal(*literal),
            Kind::Nat(nat) => {
                let nat = self.scope.nat(nat);
                match nat.as_var().is_some() || nat.as_const().is_some() {
                    true => self.show(&nat),
                    false => self.grouped(Level::Sum, context, |p| p.show(&nat)),
                }
            }
            Kind::Let(param, value, body) => {
                self.out.push('{');
                self.indent += 1;
                self.line();
                self.labels(expr);
                let shown = self.scope.shown(param, body);
                let _ = write!(self.out, "let {shown} = ");
                self.expr(value, Level::Pipe);
                self.out.push(';');
                self.line();
                let outside = self.scope.enter(shown);
                self.expr(body, Level::Pipe);
                self.scope.leave(outside);
                self.indent -= 1;
                self.line();
                self.out.push('}');
            }
            Kind::Prim(primitive, args) => {
                let primitive = self.scope.primitive(primitive);
                self.primitive(expr, &primitive, args, context);
            }
        }
    }

    fn show(&mut self, what: &dyn fmt::Display) {
        let _ = write!(self.out, "{what}");
    }

    fn labels(&mut self, expr: &Expr) {
        for label in expr.labels() {
            let _ = write!(self.out, "{label}: ");
        }
    }

    fn literal(&mut self, literal: Literal) {
        match literal {
            Literal::Bool(value) => self.show(&value),
            Literal::Int(value, scalar) => {
                let _ = write!(self.out, "{value}");
                if scalar != Scalar::I32 {
                    self.show(&scalar);
                }
            }
            Literal::Float(value, Scalar::F64) => {
                let _ = write!(self.out, "{value:?}f64");
            }
            Literal::Float(value, _) => {
                let _ = write!(self.out, "{:?}", value as f32);
            }
        }
    }

    fn primitive(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg], context: Level) {
        match (primitive, args) {
            (Primitive::Unary(Unary::Neg), [x]) => self.prefix("-", x, context),
            (Primitive::Unary(Unary::Not), [x]) => self.prefix("!", x, context),
            (Primitive::Binary(op), [a, b]) if infix(*op).is_some() => {
                let (text, own) = infix(*op).unwrap_or(("", Level::Sum));
                self.infix(text, own, a, b, context);
            }
            (Primitive::Compare(op), [a, b]) => self.infix(op.symbol(), Level::Compare, a, b, context),
            (Primitive::Cast(ty), [x]) => self.grouped(Level::Cast, context, |p| {
                p.expr(x.expr(), Level::Cast);
                let _ = write!(p.out, " as {ty}");
            }),
            (Primitive::Select, [c, t, e]) => self.select(c, t, e, context),
            (Primitive::Tuple, _) => self.list('(', args, ')'),
            (Primitive::MakeArray, _) => self.list('[', args, ']'),
            (Primitive::Proj(position), [x]) => {
                self.expr(x.expr(), Level::Postfix);
                let _ = write!(self.out, ".{position}");
            }
            (Primitive::Idx, [index, array]) => {
                self.expr(array.expr(), Level::Postfix);
                self.out.push('[');
                self.expr(index.expr(), Level::Pipe);
                self.out.push(']');
            }
            _ if pipes(primitive) => self.pipe(expr, primitive, args, context),
            _ => {
                self.labels(expr);
                self.head(primitive);
                self.list('(', args, ')');
            }
        }
    }

    fn prefix(&mut self, op: &str, x: &Arg, context: Level) {
        self.grouped(Level::Unary, context, |p| {
            p.out.push_str(op);
            p.expr(x.expr(), Level::Unary);
        });
    }

    fn infix(&mut self, op: &str, own: Level, a: &Arg, b: &Arg, context: Level) {
        self.grouped(own, context, |p| {
            p.expr(a.expr(), own);
            let _ = write!(p.out, " {op} ");
            p.expr(b.expr(), next(own));
        });
    }

    fn select(&mut self, c: &Arg, t: &Arg, e: &Arg, context: Level) {
        self.grouped(Level::Pipe, context, |p| {
            p.out.push_str("if ");
            p.expr(c.expr(), Level::Or);
            p.out.push_str(" { ");
            p.expr(t.expr(), Level::Pipe);
            p.out.push_str(" } else { ");
            p.expr(e.expr(), Level::Pipe);
            p.out.push_str(" }");
        });
    }

    fn list(&mut self, open: char, args: &[Arg], close: char) {
        self.out.push(open);
        for (position, arg) in args.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.arg(arg);
        }
        self.out.push(close);
    }

    fn arg(&mut self, arg: &Arg) {
        match arg {
            Arg::Expr(expr) => self.expr(expr, Level::Pipe),
            Arg::Fun(lambda) => self.lambda(lambda),
        }
    }

    fn lambda(&mut self, lambda: &Lambda) {
        let outside = self.scope.depth();
        let mut binders = Vec::new();
        for nat in &lambda.nats {
            let shown = self.scope.shown_nat(nat, &lambda.body);
            binders.push(format!("{shown}: Nat"));
            self.scope.enter(shown);
        }
        for param in &lambda.params {
            let shown = self.scope.shown(param, &lambda.body);
            binders.push(shown.to_string());
            self.scope.enter(shown);
        }
        let _ = write!(self.out, "|{}| ", binders.join(", "));
        self.expr(&lambda.body, Level::Pipe);
        self.scope.leave(outside);
    }

    /// `source |> pattern(other arguments)`
    fn pipe(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg], context: Level) {
        let Some((source, others)) = args.split_last() else { return };
        self.grouped(Level::Pipe, context, |p| {
            p.expr(source.expr(), Level::Pipe);
            p.out.push_str(" |>");
            p.indent += 1;
            p.line();
            p.labels(expr);
            p.head(primitive);
            p.rest(primitive, others);
            p.indent -= 1;
        });
    }

    fn rest(&mut self, primitive: &Primitive, others: &[Arg]) {
        if others.is_empty() {
            return;
        }
        match head_takes_arguments(primitive) {
            // The naturals are already written: `padCst(1, 1` lacks its values.
            true => {
                self.out.pop();
                for arg in others {
                    self.out.push_str(", ");
                    self.arg(arg);
                }
                self.out.push(')');
            }
            false => self.list('(', others, ')'),
        }
    }

    fn head(&mut self, primitive: &Primitive) {
        self.out.push_str(&head(primitive));
    }
}

fn next(level: Level) -> Level {
    match level {
        Level::Or => Level::And,
        Level::And => Level::Compare,
        Level::Compare => Level::BitOr,
        Level::BitOr => Level::BitXor,
        Level::BitXor => Level::BitAnd,
        Level::BitAnd => Level::Sum,
        Level::Sum => Level::Product,
        _ => Level::Cast,
    }
}

fn infix(op: Binary) -> Option<(&'static str, Level)> {
    Some(match op {
        Binary::Add => ("+", Level::Sum),
        Binary::Sub => ("-", Level::Sum),
        Binary::Mul => ("*", Level::Product),
        Binary::Div => ("/", Level::Product),
        Binary::Rem => ("%", Level::Product),
        Binary::And => ("&", Level::BitAnd),
        Binary::Or => ("|", Level::BitOr),
        Binary::Xor => ("^", Level::BitXor),
        _ => return None,
    })
}

/// Patterns and layouts read best behind their last argument.
fn pipes(primitive: &Primitive) -> bool {
    use Primitive::*;
    !matches!(
        primitive,
        Unary(_)
            | Binary(_)
            | MulAdd
            | Fma
            | Foreign(_)
            | Product(_)
            | Zip
            | DepZip
            | Concat
            | Generate
            | VectorFromScalar(_)
    )
}

fn head_takes_arguments(primitive: &Primitive) -> bool {
    head(primitive).ends_with(')')
}

/// The primitive as it is written, with its naturals.
pub(super) fn head(primitive: &Primitive) -> String {
    use Primitive::*;
    match primitive {
        Unary(op) => op.name().into(),
        Binary(op) => op.name().into(),
        Compare(op) => op.name().into(),
        MulAdd => "mul_add".into(),
        Fma => "fma".into(),
        Cast(ty) => format!("as {ty}"),
        Select => "select".into(),
        Foreign(foreign) => foreign.name.clone(),
        Product(library) => library.name.clone(),
        Tuple => "tuple".into(),
        Proj(position) => format!(".{position}"),
        Zip => "zip".into(),
        Unzip => "unzip".into(),
        Map(form) => map_name(*form),
        Reduce(form) => reduce_name(*form),
        Scan(ScanForm::Plain) => "scan".into(),
        Scan(ScanForm::Seq) => "scanSeq".into(),
        Iterate(k) => format!("iterate({k})"),
        Generate => "generate".into(),
        MakeArray => "makeArray".into(),
        Idx => "idx".into(),
        Update => "update".into(),
        ToMem(space) => format!("toMem{}", space_text(*space)),
        Split(n) => format!("split({n})"),
        Join => "join".into(),
        Transpose => "transpose".into(),
        Slide(size, step) => format!("slide({size}, {step})"),
        Take(n) => format!("take({n})"),
        Drop(n) => format!("drop({n})"),
        Concat => "concat".into(),
        PadClamp(l, r) => format!("padClamp({l}, {r})"),
        PadCst(l, r) => format!("padCst({l}, {r})"),
        PadEmpty(r) => format!("padEmpty({r})"),
        Gather => "gather".into(),
        Scatter => "scatter".into(),
        Reorder(f, g) => format!("reorder(|{}| {}, |{}| {})", f.var, f.body, g.var, g.body),
        AsVector(n) => format!("asVector({n})"),
        AsScalar => "asScalar".into(),
        VectorFromScalar(n) => format!("vectorFromScalar({n})"),
        CircularBuffer(alloc, size) => format!("circularBuffer({alloc}, {size})"),
        RotateValues(size) => format!("rotateValues({size})"),
        DepMap(MapForm::Plain) => "depMap".into(),
        DepMap(MapForm::Par) => "depMapPar".into(),
        DepMap(_) => "depMapSeq".into(),
        Partition(parts, lengths) => format!("partition({parts}, |{}| {})", lengths.var, lengths.body),
        DepZip => "depZip".into(),
        DepJoin => "depJoin".into(),
    }
}

fn map_name(form: MapForm) -> String {
    match form {
        MapForm::Plain => "map".into(),
        MapForm::Seq => "mapSeq".into(),
        MapForm::Unroll => "mapSeqUnroll".into(),
        MapForm::Vec => "mapVec".into(),
        MapForm::Par => "mapPar".into(),
        MapForm::Stream => "mapStream".into(),
        MapForm::Global(d) => format!("mapGlobal({d})"),
        MapForm::WorkGroup(d) => format!("mapWorkGroup({d})"),
        MapForm::Local(d) => format!("mapLocal({d})"),
    }
}

fn reduce_name(form: ReduceForm) -> String {
    match form {
        ReduceForm::Plain => "reduce".into(),
        ReduceForm::Seq(space) => format!("reduceSeq{}", space_text(space)),
        ReduceForm::Unroll(space) => format!("reduceSeqUnroll{}", space_text(space)),
        ReduceForm::Par => "reducePar".into(),
    }
}

fn space_text(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Default => "",
        AddressSpace::Global => "(Global)",
        AddressSpace::Local => "(Local)",
        AddressSpace::Private => "(Private)",
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&head(self))
    }
}
