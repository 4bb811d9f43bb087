//! Parallel loops: the iterations become a function of their own, with instances for each instruction set;
//! the closure that the runtime gets only calls the instance of the caller's.

use crate::backend::cost::cost_of_iteration;
use crate::backend::memory::{Loops, of_each_task};
use crate::loops::{Access, Block, BufferId, Kernel, Loop, Role, Stmt, Value, ValueType};
use crate::names::Name;
use crate::nat::{Atom, Nat, NatVar};
use crate::table::Table;

use super::emit::{Argument, Emitter, signature};
use crate::backend::text::Text;

/// What a loop uses and does not declare.
#[derive(Default)]
struct Captured {
    values: Table<Name>,
    nats: Table<NatVar>,
    buffers: Table<BufferId>,
}

/// How a captured variable travels through the closure.
enum Way {
    /// By value.
    Copy,
    /// As a pointer that may be sent.
    Pointer,
    /// As the slice that it is; the pointer is taken inside.
    Slice(String),
    /// A vector, behind a pointer to where it lies.
    Vector(ValueType),
}

impl Emitter<'_> {
    /// A parallel loop.
    pub fn parallel(&mut self, inner: &Loop) {
        let captured = self.captured(inner);
        let var = self.names.nat(&inner.var);
        let function = self.names.fresh(&format!("{var}_loop"));
        self.function(inner, &function, &captured);
        self.spawn(inner, &var, &function, &captured);
    }

    fn captured(&mut self, inner: &Loop) -> Vec<(Argument, Way)> {
        let mut found = Captured::default();
        found.block(self.kernel, &inner.body);
        *found.nats.place(inner.var.id()) = None;
        let mut args = Vec::new();
        for nat in found.nats.values() {
            args.push((Argument { ident: self.names.nat(nat), ty: "usize".into() }, Way::Copy));
        }
        for name in found.values.values() {
            let Some(ty) = self.registers.get(name).copied() else { continue };
            let ident = self.names.value(name);
            args.push(match ty.lanes {
                1 => (Argument { ident, ty: ty.scalar.name().into() }, Way::Copy),
                _ => (Argument { ident, ty: format!("*const {}", ty.scalar) }, Way::Vector(ty)),
            });
        }
        for id in found.buffers.values() {
            let arg = self.pointer_argument(*id);
            if self.kernel.buffer(*id).role == Role::Constant {
                continue;
            }
            args.push(match arg.ty.strip_prefix("*const ") {
                Some(element) => {
                    let ty = format!("&[{element}]");
                    (Argument { ident: self.slice_name(*id), ty }, Way::Slice(arg.ident))
                }
                None => (arg, Way::Pointer),
            });
        }
        args
    }

    /// `unsafe fn i_loop<S: Isa>(start, end, …)` and its instances.
    fn function(&mut self, inner: &Loop, function: &str, captured: &[(Argument, Way)]) {
        let outer = std::mem::replace(&mut self.out, Text::at(1));
        let streams = std::mem::take(&mut self.streams);
        let mut args: Vec<Argument> =
            ["start", "end"].map(|ident| Argument { ident: ident.into(), ty: "usize".into() }).into();
        args.extend(captured.iter().map(|(arg, _)| arg.clone()));
        self.open_function(function, &format!("{function}_"), &signature(&args));
        self.out.open("unsafe {");
        self.point_at_constants();
        for (arg, way) in captured {
            match way {
                Way::Vector(ty) => {
                    let name = self.register(*ty);
                    self.out.line(&format!("let {0} = {0}.cast::<{name}>().read_unaligned();", arg.ident));
                }
                Way::Slice(pointer) => self.out.line(&format!("let {pointer} = {}.as_ptr();", arg.ident)),
                Way::Copy | Way::Pointer => {}
            }
        }
        let mut mine = Vec::new();
        of_each_task(self.kernel, inner, Loops::Parallel).list(&mut mine);
        mine.iter().for_each(|id| self.make(*id));
        let outside = std::mem::replace(&mut self.of_task, mine);
        let var = self.names.nat(&inner.var);
        self.out.line(&format!("let mut {var} = start;"));
        self.out.open(&format!("while {var} < end {{"));
        self.iteration(inner);
        self.out.line(&format!("{var} += 1;"));
        self.out.close("}");
        self.end_streams(streams);
        self.out.close("}");
        self.out.close("}");
        self.of_task = outside;
        let text = std::mem::replace(&mut self.out, outer).finish();
        let instances = self.instances(function, &format!("{function}_"), &args);
        self.functions.push_str(&text);
        self.functions.push_str(&instances);
        self.functions.push('\n');
    }

    fn spawn(&mut self, inner: &Loop, var: &str, function: &str, captured: &[(Argument, Way)]) {
        let runtime = self.runtime.clone();
        self.out.open("{");
        let count = self.bound(var, &inner.count);
        let cost = self.saturating(&cost_of_iteration(self.kernel, inner));
        // A call on few elements has no more to do here than to see that.
        self.out.open(&format!("if 0 < {count} {{"));
        self.out.line(&format!("let cost = {cost};"));
        let sent: Vec<String> = captured.iter().map(|(arg, way)| send(arg, way, &runtime)).collect();
        let idents: Vec<&str> = captured.iter().map(|(arg, _)| arg.ident.as_str()).collect();
        let tuple = if idents.len() == 1 { "," } else { "" };
        self.out.line(&format!("let shared = ({}{tuple});", sent.join(", ")));
        self.out.open("let task = |range: ::core::ops::Range<usize>| {");
        self.out.line(&format!("let ({}{tuple}) = shared;", idents.join(", ")));
        let mut values = vec!["range.start".to_owned(), "range.end".to_owned()];
        values.extend(captured.iter().map(|(arg, way)| receive(arg, way)));
        self.out.open("unsafe {");
        self.choose("S::LEVEL", &format!("{function}_"), &values.join(", "));
        self.out.close("}");
        self.out.close("};");
        self.out.line(&format!("{runtime}::for_each({count}, cost, &task);"));
        self.out.close("}");
        self.out.close("}");
    }
}

impl Emitter<'_> {
    /// A cost: it grows with sizes that no memory has to hold.
    fn saturating(&mut self, cost: &Nat) -> String {
        let mut sum = String::new();
        for (coeff, factors) in cost.terms() {
            let mut product: Vec<String> = Vec::new();
            for (atom, power) in factors {
                let factor = self.factor_of_cost(atom);
                product.extend((0..*power).map(|_| factor.clone()));
            }
            if coeff != 1 || product.is_empty() {
                product.push(coeff.to_string());
            }
            // A literal begins no method call: where it stands alone, it is all that there is.
            let first = product.remove(0);
            let first = if first.contains(' ') { format!("({first})") } else { first };
            let times = product.iter().map(|factor| format!(".saturating_mul({factor})"));
            let product = format!("{first}{}", times.collect::<String>());
            sum = if sum.is_empty() { product } else { format!("{sum}.saturating_add({product})") };
        }
        if sum.is_empty() { "0".into() } else { sum }
    }

    fn factor_of_cost(&mut self, atom: &Atom) -> String {
        match atom {
            Atom::Var(var) => self.names.nat(var),
            Atom::Div(a, b) => format!("{} / {}", self.saturating(a), b.as_const().unwrap_or(1)),
            _ => "usize::MAX".into(),
        }
    }
}

fn send(arg: &Argument, way: &Way, runtime: &str) -> String {
    match way {
        Way::Copy | Way::Slice(_) => arg.ident.clone(),
        Way::Pointer => format!("{runtime}::SendPtr::new({})", arg.ident),
        Way::Vector(ty) => {
            format!("{runtime}::SendPtr::of((&raw const {}).cast::<{}>())", arg.ident, ty.scalar)
        }
    }
}

fn receive(arg: &Argument, way: &Way) -> String {
    match way {
        Way::Copy | Way::Slice(_) => arg.ident.clone(),
        Way::Pointer | Way::Vector(_) => format!("{}.get()", arg.ident),
    }
}

impl Captured {
    fn block(&mut self, kernel: &Kernel, block: &Block) {
        for stmt in block {
            self.stmt(kernel, stmt);
        }
        for stmt in block {
            match stmt {
                Stmt::Let(name, ..) | Stmt::Var(name, ..) => *self.values.place(name.id()) = None,
                Stmt::LetNat(var, _) => *self.nats.place(var.id()) = None,
                Stmt::Alloc(id) => *self.buffers.place(id.0) = None,
                _ => {}
            }
        }
    }

    fn stmt(&mut self, kernel: &Kernel, stmt: &Stmt) {
        match stmt {
            Stmt::Alloc(id) => self.nat(&kernel.buffer(*id).len),
            Stmt::Comment(_) | Stmt::Barrier { .. } | Stmt::Var(_, _, None) => {}
            Stmt::For(inner) => {
                self.nat(&inner.count);
                self.block(kernel, &inner.body);
                *self.nats.place(inner.var.id()) = None;
            }
            Stmt::Let(_, _, value) | Stmt::LetNat(_, value) | Stmt::Var(_, _, Some(value)) => {
                self.value(value);
            }
            Stmt::Set(name, value) => {
                self.name(name);
                self.value(value);
            }
            Stmt::Ask(access) => self.access(access),
            Stmt::Store(access, value) => {
                self.access(access);
                self.value(value);
            }
            Stmt::StorePart(store) => {
                self.access(&store.to);
                self.value(&store.value);
                self.nat(store.part.bound());
            }
            Stmt::If(condition, then, otherwise) => {
                self.value(condition);
                self.block(kernel, then);
                self.block(kernel, otherwise);
            }
            Stmt::Block(block) => self.block(kernel, block),
            Stmt::Swap(a, b) => [a, b].into_iter().for_each(|id| self.buffer(*id)),
            Stmt::Product(product) => {
                product.sizes.iter().for_each(|size| self.nat(size));
                for matrix in product.matrices() {
                    self.access(&matrix.first);
                    matrix.strides.iter().for_each(|stride| self.nat(stride));
                }
            }
            Stmt::Transpose(transpose) => {
                transpose.strides.iter().for_each(|stride| self.nat(stride));
                self.access(&transpose.from);
                self.access(&transpose.to);
            }
        }
    }

    fn access(&mut self, access: &Access) {
        self.buffer(access.buffer);
        self.nat(&access.index);
    }

    fn buffer(&mut self, id: BufferId) {
        *self.buffers.place(id.0) = Some(id);
    }

    fn name(&mut self, name: &Name) {
        self.values.place(name.id()).get_or_insert_with(|| name.clone());
    }

    fn nat(&mut self, nat: &Nat) {
        nat.each_var(&mut |var| {
            self.nats.place(var.id()).get_or_insert_with(|| var.clone());
        });
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Literal(_) => {}
            Value::Var(name) => self.name(name),
            Value::Nat(nat) | Value::Apart(nat) | Value::FromNat(_, nat) | Value::Large(nat) => self.nat(nat),
            Value::Load(access) => self.access(access),
            Value::Gather(access, stride, _) => {
                self.access(access);
                self.nat(stride);
            }
            Value::CompareNat(_, a, b) | Value::Ramp(_, a, b) => {
                self.nat(a);
                self.nat(b);
            }
            Value::Unary(_, _, x) | Value::Cast(_, _, x) | Value::Broadcast(_, x) | Value::Lane(_, _, x) => {
                self.value(x);
            }
            Value::ToLine(access, count) => {
                self.access(access);
                self.nat(count);
            }
            Value::ClampIndex(_, bound, x) => {
                self.nat(bound);
                self.value(x);
            }
            Value::Binary(_, _, a, b) | Value::Compare(_, _, a, b) => {
                self.value(a);
                self.value(b);
            }
            Value::MulAdd(_, args) | Value::Fma(_, args) | Value::Select(_, args) => {
                args.iter().for_each(|arg| self.value(arg));
            }
            Value::Lanes(_, args) | Value::Foreign(_, _, args) => args.iter().for_each(|arg| self.value(arg)),
        }
    }
}
