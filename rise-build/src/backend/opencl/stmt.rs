//! Statements.

use crate::backend::nat::Tight;
use crate::loops::{Access, Block, BufferId, Loop, LoopKind, Role, Stmt, Value, ValueType};
use crate::nat::Nat;

use super::emit::{Emitter, Spread};
use super::types::{WORDS, register};
use super::value::Level;

/// The work-items that a loop shares out.
pub fn spread(kind: LoopKind) -> Option<Spread> {
    match kind {
        LoopKind::Global(d) => Some(Spread::Global(d)),
        LoopKind::Local(d) => Some(Spread::Local(d)),
        _ => None,
    }
}

impl Emitter<'_> {
    /// Statements in order; what they declare ends with them.
    pub fn block(&mut self, block: &[Stmt]) {
        let depth = self.known.depth();
        for stmt in block {
            self.stmt(stmt);
        }
        self.known.pop_to(depth);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Comment(text) => text.lines().for_each(|line| self.out.comment(line)),
            Stmt::For(inner) => self.counted(inner),
            Stmt::Let(name, ty, value) => {
                let ident = self.declared(name, *ty);
                let value = self.value(value, Level::Any);
                self.out.line(&format!("const {} {ident} = {value};", register(*ty)));
            }
            Stmt::LetNat(var, value) => {
                let value = self.nat_value(value, Level::Any);
                let ident = self.names.nat(var);
                self.out.line(&format!("const size_t {ident} = {value};"));
                self.known.push(var, None);
            }
            Stmt::Var(name, ty, value) => {
                let ident = self.declared(name, *ty);
                match value {
                    Some(value) => {
                        let value = self.value(value, Level::Any);
                        self.out.line(&format!("{} {ident} = {value};", register(*ty)));
                    }
                    None => self.out.line(&format!("{} {ident};", register(*ty))),
                }
            }
            Stmt::Set(name, value) => {
                let (ident, value) = (self.names.value(name), self.value(value, Level::Any));
                self.out.line(&format!("{ident} = {value};"));
            }
            Stmt::Store(access, value) => self.stored(access, value),
            Stmt::Alloc(id) => self.allocated(*id),
            Stmt::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            Stmt::Block(block) => {
                self.out.open("{");
                self.block(block);
                self.out.close("}");
            }
            Stmt::Barrier { local, global } => {
                let fences = [(local, "CLK_LOCAL_MEM_FENCE"), (global, "CLK_GLOBAL_MEM_FENCE")];
                let fences: Vec<&str> =
                    fences.into_iter().filter(|(on, _)| **on).map(|(_, fence)| fence).collect();
                self.out.line(&format!("barrier({});", fences.join(" | ")));
            }
            Stmt::Swap(a, b) => self.swap(*a, *b),
            // A device has no libraries.
            Stmt::Product(product) => self.block(&product.as_loops()),
            Stmt::Transpose(transpose) => self.block(&transpose.as_loops()),
            Stmt::StorePart(store) => {
                let scalar = self.kernel.buffer(store.to.buffer).scalar(&store.to.path);
                self.block(&store.by_lanes(scalar));
            }
            // Nothing is lent where the strategy alone chooses memory.
            Stmt::Lend(_) => {}
            // Its other work-items hide how far memory is.
            Stmt::Ask(..) => {}
        }
    }

    fn declared(&mut self, name: &crate::names::Name, ty: ValueType) -> String {
        self.check_lanes(ty);
        self.registers.insert(name.clone(), ty);
        self.names.value(name)
    }

    fn space(&self, id: BufferId) -> &'static str {
        match self.kernel.buffer(id).role {
            Role::Local => "local ",
            Role::Stack => "",
            _ => "global ",
        }
    }

    fn swap(&mut self, a: BufferId, b: BufferId) {
        let (ty, space) = (WORDS.element(&self.kernel.buffer(a).element), self.space(a));
        let (a, b) = (self.pointer_name(a), self.pointer_name(b));
        let swapped = self.names.fresh("swapped");
        self.out.line(&format!("{space}{ty} *const {swapped} = {a};"));
        self.out.line(&format!("{a} = {b};"));
        self.out.line(&format!("{b} = {swapped};"));
    }

    /// Memory that several work-items share is written once: by the first of those that come by.
    fn stored(&mut self, access: &Access, value: &Value) {
        self.check_lanes(ValueType {
            scalar: self.kernel.buffer(access.buffer).scalar(&access.path),
            lanes: access.lanes,
        });
        let shared = self.kernel.buffer(access.buffer).role != Role::Stack;
        let mut idle: Vec<String> = Vec::new();
        for spread in self.all.clone() {
            let test = match spread {
                Spread::Global(d) => format!("get_global_id({d}) == 0"),
                Spread::Local(d) => format!("get_local_id({d}) == 0"),
            };
            if shared && !self.spread.contains(&spread) && !idle.contains(&test) {
                idle.push(test);
            }
        }
        let lines = self.store(access, value);
        if !idle.is_empty() {
            self.out.open(&format!("if ({}) {{", idle.join(" && ")));
        }
        lines.iter().for_each(|line| self.out.line(line));
        if !idle.is_empty() {
            self.out.close("}");
        }
    }

    fn allocated(&mut self, id: BufferId) {
        let buffer = self.kernel.buffer(id);
        let (ident, ty, space) = (self.pointer_name(id), WORDS.element(&buffer.element), self.space(id));
        let swapped = self.swapped.contains(&id);
        let constant = if swapped { "" } else { "const " };
        match buffer.role {
            Role::Heap => {
                let start = self.parts.get(&id).cloned().unwrap_or(Nat::lit(0));
                let start = match start.is_zero() {
                    true => String::new(),
                    false => format!(" + {}", self.nat(&start, Tight::Sum)),
                };
                self.out.line(&format!("global {ty} *{constant}{ident} = {ident}_memory{start};"));
            }
            Role::Local if swapped => self.out.line(&format!("local {ty} *{ident} = {ident}_memory;")),
            Role::Stack => {
                let array = self.array(id, buffer.len.as_const().unwrap_or(1));
                self.out.line(&format!("{array};"));
                if swapped {
                    let memory = self.memory_name(id);
                    self.out.line(&format!("{space}{ty} *{ident} = {memory};"));
                }
            }
            _ => {}
        }
    }

    fn branch(&mut self, condition: &Value, then: &Block, otherwise: &Block) {
        let condition = self.value(condition, Level::Any);
        self.out.open(&format!("if ({condition}) {{"));
        self.block(then);
        if !otherwise.is_empty() {
            self.out.reopen("} else {");
            self.block(otherwise);
        }
        self.out.close("}");
    }

    fn counted(&mut self, inner: &Loop) {
        if inner.count.is_zero() {
            return;
        }
        let ident = self.names.nat(&inner.var);
        let head = match inner.kind {
            LoopKind::Local(d)
                if self.group.is_some_and(|group| inner.count.as_const() == Some(group[usize::from(d)])) =>
            {
                self.out.open("{");
                self.item(inner, &ident, d);
                None
            }
            // Not `if`, where there are fewer iterations than work-items: PoCL 3.1 may lose what is written under such a
            // condition between barriers.
            LoopKind::Local(d) => Some((format!("get_local_id({d})"), format!("get_local_size({d})"))),
            LoopKind::WorkGroup(d) => Some((format!("get_group_id({d})"), format!("get_num_groups({d})"))),
            LoopKind::Global(d) => Some((format!("get_global_id({d})"), format!("get_global_size({d})"))),
            _ => Some(("0".into(), "1".into())),
        };
        if let Some((start, step)) = head {
            let end = self.bound(&ident, &inner.count);
            self.out.open(&format!("for (size_t {ident} = {start}; {ident} < {end}; {ident} += {step}) {{"));
        }
        let depth = self.known.depth();
        self.known.push(&inner.var, Some(&inner.count));
        let spread = self.spread.len();
        self.spread.extend(self::spread(inner.kind));
        self.block(&inner.body);
        self.spread.truncate(spread);
        self.known.pop_to(depth);
        self.out.close("}");
    }

    /// Declares the number of a work-item that comes by once, where the loop asks for it.
    fn item(&mut self, inner: &Loop, ident: &str, d: u8) {
        if super::emit::uses(&inner.body, &inner.var) {
            self.out.line(&format!("const size_t {ident} = get_local_id({d});"));
        }
    }

    /// The number of iterations as an operand; computed once if it is not at hand.
    fn bound(&mut self, ident: &str, count: &Nat) -> String {
        if count.as_const().is_some() || count.as_var().is_some() {
            return self.nat(count, Tight::Sum);
        }
        let end = self.names.fresh(&format!("{ident}_end"));
        let count = self.nat(count, Tight::Not);
        self.out.line(&format!("const size_t {end} = {count};"));
        end
    }
}
