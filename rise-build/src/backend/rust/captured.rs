//! What a function that is made of a part of the program uses, and how it gets there.

use crate::loops::walk::{Visit, walk_stmt, walk_value};
use crate::loops::{Access, Block, BufferId, Kernel, Role, Stmt, Value, ValueType};
use crate::names::Name;
use crate::nat::{Nat, NatVar};
use crate::table::Table;

use super::emit::{Argument, Emitter, past};

/// How a captured variable travels.
#[derive(Clone)]
pub enum Way {
    /// By value.
    Copy,
    /// As a pointer.
    Pointer,
    /// As the slice that it is; the pointer is taken inside.
    Slice(String),
    /// A vector, behind a pointer to where it lies.
    Vector(ValueType),
}

/// What statements use and do not declare.
struct Captured<'k> {
    kernel: &'k Kernel,
    /// Temporaries whose declarations make nothing: they have memory before.
    made: Vec<BufferId>,
    /// How many bytes say at the function's end whether it wrote past the cache.
    large: Option<Nat>,
    values: Table<Name>,
    nats: Table<NatVar>,
    buffers: Table<BufferId>,
    past: bool,
}

impl Emitter<'_> {
    /// What statements use and do not declare, but for the variable that their function declares.
    pub fn captured(&mut self, block: &Block, own: Option<&NatVar>) -> Vec<(Argument, Way)> {
        let mut made = self.temporaries.order.clone();
        made.extend(&self.of_task);
        let mut found = Captured {
            kernel: self.kernel,
            made,
            large: self.large.clone(),
            values: Table::default(),
            nats: Table::default(),
            buffers: Table::default(),
            past: false,
        };
        found.block(block);
        if let Some(own) = own {
            *found.nats.place(own.id()) = None;
        }
        let nats = found.nats.values().map(|nat| {
            let arg = Argument { ident: self.names.nat(nat), ty: "usize".into() };
            (arg, Way::Copy)
        });
        let mut args: Vec<(Argument, Way)> = nats.collect();
        for name in found.values.values() {
            let Some(ty) = self.registers.get(name).copied() else { continue };
            args.push(self.captured_value(name, ty));
        }
        args.extend(found.past.then(|| (past(), Way::Copy)));
        args.extend(found.buffers.values().filter_map(|id| self.captured_buffer(*id)));
        args
    }

    fn captured_value(&mut self, name: &Name, ty: ValueType) -> (Argument, Way) {
        let ident = self.names.value(name);
        match ty.lanes {
            1 => (Argument { ident, ty: ty.scalar.name().into() }, Way::Copy),
            _ => (Argument { ident, ty: format!("*const {}", ty.scalar) }, Way::Vector(ty)),
        }
    }

    /// A buffer as it travels, but for constants, which are in scope everywhere.
    pub fn captured_buffer(&mut self, id: BufferId) -> Option<(Argument, Way)> {
        if self.kernel.buffer(id).role == Role::Constant {
            return None;
        }
        let arg = self.pointer_argument(id);
        Some(match arg.ty.strip_prefix("*const ") {
            Some(element) => {
                let ty = format!("&[{element}]");
                (Argument { ident: self.slice_name(id), ty }, Way::Slice(arg.ident))
            }
            None => (arg, Way::Pointer),
        })
    }

    /// At the beginning of the function: everything as it is named outside.
    pub fn unpack(&mut self, captured: &[(Argument, Way)]) {
        self.point_at_constants();
        for (arg, way) in captured {
            let at = &arg.ident;
            match way {
                Way::Vector(ty) => {
                    let ty = self.register(*ty);
                    self.out.line(&format!("let {at} = {at}.cast::<{ty}>().read_unaligned();"));
                }
                Way::Slice(pointer) => self.out.line(&format!("let {pointer} = {at}.as_ptr();")),
                Way::Copy | Way::Pointer => {}
            }
        }
    }
}

impl Captured<'_> {
    fn name(&mut self, name: &Name) {
        self.values.place(name.id()).get_or_insert_with(|| name.clone());
    }

    fn buffer(&mut self, id: BufferId) {
        *self.buffers.place(id.0) = Some(id);
    }

    /// What a statement declares is captured from nowhere.
    fn declared(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(name, ..) | Stmt::Var(name, ..) => *self.values.place(name.id()) = None,
            Stmt::LetNat(var, _) => *self.nats.place(var.id()) = None,
            Stmt::Lend(lend) => *self.buffers.place(lend.rows.0) = None,
            Stmt::Alloc(id) if !self.made.contains(id) => *self.buffers.place(id.0) = None,
            _ => {}
        }
    }
}

impl Visit for Captured<'_> {
    fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|stmt| self.stmt(stmt));
        block.iter().for_each(|stmt| self.declared(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
        match stmt {
            Stmt::Alloc(id) => self.nat(&self.kernel.buffer(*id).len),
            Stmt::Set(name, _) => self.name(name),
            Stmt::Swap(a, b) => [a, b].into_iter().for_each(|id| self.buffer(*id)),
            Stmt::Lend(lend) => [lend.copy, lend.from.buffer].into_iter().for_each(|id| self.buffer(id)),
            Stmt::For(inner) => *self.nats.place(inner.var.id()) = None,
            _ => {}
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Var(name) => self.name(name),
            Value::Past(_) => self.past = true,
            _ => {}
        }
        walk_value(self, value);
    }

    fn nat(&mut self, nat: &Nat) {
        nat.each_var(&mut |var| {
            self.nats.place(var.id()).get_or_insert_with(|| var.clone());
        });
    }

    fn access(&mut self, access: &Access, _: bool) {
        self.buffer(access.buffer);
        self.nat(&access.index);
        if access.streams
            && let Some(large) = self.large.clone()
        {
            self.nat(&large);
        }
    }
}
