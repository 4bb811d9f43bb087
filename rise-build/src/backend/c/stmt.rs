//! Statements.

use crate::backend::cost::cost_of_iteration;
use crate::backend::nat::Tight;
use crate::loops::{Block, BufferId, Loop, LoopKind, Stmt, Value};
use crate::nat::Nat;

use super::emit::Emitter;
use super::types::{element, register};
use super::value::Level;

/// Parallel loops of less work than this run on one thread.
const SERIAL: i64 = 1 << 15;

impl Emitter<'_> {
    /// Statements in order; what they declare ends with them.
    pub fn block(&mut self, block: &[Stmt]) {
        let depth = self.known.depth();
        for (at, stmt) in block.iter().enumerate() {
            if let Stmt::Alloc(id) = stmt
                && self.is_allocated_here(*id)
            {
                self.with_allocation(*id, &block[at + 1..]);
                break;
            }
            self.stmt(stmt);
        }
        self.known.pop_to(depth);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Comment(text) => text.lines().for_each(|line| self.comment(line)),
            Stmt::For(inner) => self.counted(inner),
            Stmt::Let(name, ty, value) => {
                let ident = self.names.value(name);
                self.registers.insert(name.clone(), *ty);
                self.assign(&format!("const {} {ident} = ", register(*ty)), value);
                self.void_if_unused(&ident);
            }
            Stmt::LetNat(var, value) => {
                let ident = self.names.nat(var);
                self.out.begin();
                self.out.put(&format!("const size_t {ident} = "));
                self.nat_value(value, Level::Any);
                self.out.end(";");
                self.void_if_unused(&ident);
                self.known.push(var, None);
            }
            Stmt::Var(name, ty, value) => {
                let ident = self.names.value(name);
                self.registers.insert(name.clone(), *ty);
                match value {
                    Some(value) => self.assign(&format!("{} {ident} = ", register(*ty)), value),
                    None => self.out.line(&format!("{} {ident};", register(*ty))),
                }
                self.void_if_unused(&ident);
            }
            Stmt::Set(name, value) => {
                let ident = self.names.value(name);
                self.assign(&format!("{ident} = "), value);
            }
            Stmt::Store(access, value) => {
                self.out.begin();
                self.store(access, value);
                self.out.end("");
            }
            Stmt::Alloc(id) => self.declare(*id),
            Stmt::If(condition, then, otherwise) => self.branch(condition, then, otherwise),
            Stmt::Block(block) => {
                self.out.open("{");
                self.block(block);
                self.out.close("}");
            }
            // The CPU has one memory and no groups.
            Stmt::Barrier { .. } => {}
            Stmt::Swap(a, b) => self.swap(*a, *b),
            Stmt::Product(product) => self.product(product),
        }
    }

    /// A comment must not continue on the next line.
    fn comment(&mut self, line: &str) {
        self.out.line(format!("// {}", line.trim_end_matches(['\\', ' '])).trim_end());
    }

    fn swap(&mut self, a: BufferId, b: BufferId) {
        let ty = element(&self.kernel.buffer(a).element);
        let (a, b) = (self.pointer_name(a), self.pointer_name(b));
        let swapped = self.names.fresh("swapped");
        self.out.line(&format!("{ty} *const {swapped} = {a};"));
        self.out.line(&format!("{a} = {b};"));
        self.out.line(&format!("{b} = {swapped};"));
    }

    fn assign(&mut self, start: &str, value: &Value) {
        self.out.begin();
        self.out.put(start);
        self.value(value, Level::Any);
        self.out.end(";");
    }

    /// Tells compilers that a value is left alone on purpose, where that turns out to be so.
    fn void_if_unused(&mut self, ident: &str) {
        self.out.line(&format!("{MARK}{ident}"));
    }

    fn branch(&mut self, condition: &Value, then: &Block, otherwise: &Block) {
        self.out.begin();
        self.out.put("if (");
        self.value(condition, Level::Any);
        self.out.end_open(") {");
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
        let outermost = inner.kind == LoopKind::Par && !self.parallel;
        let ident = self.names.nat(&inner.var);
        let end = self.bound(&ident, &inner.count);
        if outermost && self.settings.openmp {
            self.pragma(inner);
        }
        let before = self.parallel;
        self.parallel |= outermost;
        self.out.open(&format!("for (size_t {ident} = 0; {ident} < {end}; {ident} += 1) {{"));
        let depth = self.known.depth();
        self.known.push(&inner.var, Some(&inner.count));
        self.block(&inner.body);
        self.known.pop_to(depth);
        self.out.close("}");
        self.parallel = before;
    }

    /// Compilers without OpenMP warn about its pragmas.
    fn pragma(&mut self, inner: &Loop) {
        let work = &inner.count * cost_of_iteration(inner);
        self.out.raw("#ifdef _OPENMP");
        self.out.begin();
        self.out.put("#pragma omp parallel for schedule(static)");
        if work.as_const().is_none_or(|work| work <= SERIAL) {
            self.out.put(" if (");
            self.nat_writer().compare(" > ", &work, &Nat::lit(SERIAL));
            self.out.put(")");
        }
        self.out.end("");
        self.out.raw("#endif");
    }

    /// The number of iterations as an operand; computed once if it is not at hand.
    fn bound(&mut self, ident: &str, count: &Nat) -> String {
        if let Some(value) = count.as_const() {
            return value.to_string();
        }
        if let Some(var) = count.as_var() {
            return self.names.nat(var);
        }
        let end = self.names.fresh(&format!("{ident}_end"));
        self.out.begin();
        self.out.put(&format!("const size_t {end} = "));
        self.nat(count, Tight::Not);
        self.out.end(";");
        end
    }
}

/// Begins a line that stays only if its identifier is never read.
pub const MARK: char = '\u{1}';
