//! Statements.

use crate::backend::c_family::short;
use crate::backend::cost::{OPERATION, cost_of_iteration};
use crate::backend::memory::{Loops, of_each_task};
use crate::backend::nat::Tight;
use crate::loops::{
    Block, BufferId, Lend, Loop, LoopKind, Shape, Stmt, StorePart, Transpose, Value, ValueType,
    is_independent, looked_up,
};
use crate::nat::Nat;

use super::emit::Emitter;
use super::isa::Isa;
use super::types::{WORDS, register};
use super::value::Level;

/// Parallel loops of less work than this run on one thread: it takes some ten microseconds.
const SERIAL: i64 = OPERATION << 16;

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
            Stmt::Comment(text) => text.lines().for_each(|line| self.out.comment(line)),
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
                self.known.define(var, value);
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
            Stmt::Lend(lend) => self.lend(lend),
            Stmt::Product(product) => self.product(product),
            Stmt::Transpose(transpose) => self.transpose(transpose),
            Stmt::StorePart(store) => self.store_part(store),
            Stmt::Ask(access, cache) => self.ask(access, *cache),
        }
    }

    /// Lane by lane. (No pass asks for it: only what is written past the cache is, and C does not do that.)
    fn store_part(&mut self, store: &StorePart) {
        let scalar = self.kernel.buffer(store.to.buffer).scalar(&store.to.path);
        self.block(&store.by_lanes(scalar));
    }

    /// Narrow elements go one by one: registers hold more of them than a square has rows. Slants are for targets that
    /// write past the cache.
    fn transpose(&mut self, transpose: &Transpose) {
        let Transpose { from, to, strides, side, shape } = transpose;
        let scalar = self.kernel.buffer(from.buffer).scalar(&from.path);
        if scalar.bytes() < 4 || *shape != Shape::Square {
            return self.block(&transpose.as_loops());
        }
        self.out.begin();
        self.out.put(&format!("{}_transpose(", short(ValueType { scalar, lanes: *side })));
        self.pointer(from);
        self.out.put(", ");
        self.nat_writer().signed(&strides[0], Tight::Not);
        self.out.put(", ");
        self.pointer(to);
        self.out.put(", ");
        self.nat_writer().signed(&strides[1], Tight::Not);
        self.out.end(");");
    }

    fn lend(&mut self, lend: &Lend) {
        let ty = WORDS.element(&self.kernel.buffer(lend.rows).element);
        let [rows, copy, from] = [lend.rows, lend.copy, lend.from.buffer].map(|id| self.pointer_name(id));
        self.out.begin();
        self.out.put(&format!("const {ty} *const {rows} = "));
        self.value(&lend.is_copy, Level::Tight);
        self.out.put(&format!(" ? {copy} : {from} + "));
        self.nat(&lend.from.index, Tight::Sum);
        self.out.end(";");
    }

    fn swap(&mut self, a: BufferId, b: BufferId) {
        let ty = WORDS.element(&self.kernel.buffer(a).element);
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
        self.known_where(condition, true, then);
        if !otherwise.is_empty() {
            self.out.reopen("} else {");
            self.known_where(condition, false, otherwise);
        }
        self.out.close("}");
    }

    /// A block in which a condition holds, or does not.
    fn known_where(&mut self, condition: &Value, holds: bool, block: &Block) {
        let depth = self.known.depth();
        self.known.assume(condition, holds);
        self.block(block);
        self.known.pop_to(depth);
    }

    fn counted(&mut self, inner: &Loop) {
        if inner.count.is_zero() {
            return;
        }
        let ident = self.names.nat(&inner.var);
        let end = self.bound(&ident, &inner.count);
        if inner.kind == LoopKind::Par && self.settings.openmp && !self.parallel {
            return self.shared(inner, &ident, &end);
        }
        if self.settings.openmp && self.is_simd(inner) {
            self.pragma("#pragma omp simd");
        }
        self.iterations(inner, &ident, &end, None);
    }

    /// The loop itself; with a condition all its iterations ask for that.
    fn iterations(&mut self, inner: &Loop, ident: &str, end: &str, condition: Option<&str>) {
        self.out.open(&format!("for (size_t {ident} = 0; {ident} < {end}; {ident} += 1) {{"));
        let depth = self.known.depth();
        self.known.push(&inner.var, Some(&inner.count));
        if let Some(condition) = condition {
            self.out.open(&format!("if ({condition}) {{"));
        }
        if looked_up(inner, &self.kernel.buffers).is_some() {
            self.out.line("RISE_ONE_BY_ONE;");
        }
        self.block(&inner.body);
        self.in_order(&inner.body);
        if condition.is_some() {
            self.out.close("}");
        }
        self.known.pop_to(depth);
        self.out.close("}");
    }

    /// Keeps the compiler from making vectors of what a fold adds one by one: with operations of 512 bits besides,
    /// each addition takes half as long again.
    fn in_order(&mut self, body: &Block) {
        let inner = body.iter().any(|stmt| matches!(stmt, Stmt::For(_)));
        if inner || self.settings.isa != Isa::Avx512 {
            return;
        }
        for stmt in body {
            let Stmt::Set(name, _) = stmt else { continue };
            let own = |stmt: &Stmt| matches!(stmt, Stmt::Var(own, ..) if own == name);
            let is_fold = |ty: &ValueType| ty.lanes == 1 && ty.scalar.is_float() && !body.iter().any(own);
            if self.registers.get(name).is_some_and(is_fold) {
                let ident = self.names.value(name);
                self.out.line(&format!("RISE_IN_ORDER({ident});"));
            }
        }
    }

    /// A loop whose iterations threads share. Parallel loops inside run on one thread.
    fn shared(&mut self, inner: &Loop, ident: &str, end: &str) {
        let simd = if self.is_simd(inner) { " simd" } else { "" };
        let condition = self.is_worth_it(inner);
        let scope = of_each_task(self.kernel, inner, Loops::Serial);
        self.parallel = true;
        if scope.is_empty() {
            self.pragma(&format!("#pragma omp parallel for{simd} schedule(static){condition}"));
            self.iterations(inner, ident, end, None);
        } else {
            self.pragma(&format!("#pragma omp parallel{condition}"));
            self.out.open("{");
            self.with_memory_of_thread(&scope, |this, memory| {
                this.pragma("#pragma omp for schedule(static)");
                this.iterations(inner, ident, end, Some(memory));
            });
            self.out.close("}");
        }
        self.parallel = false;
    }

    /// Compilers without OpenMP warn about its pragmas.
    pub fn pragma(&mut self, text: &str) {
        self.out.raw("#ifdef _OPENMP");
        self.out.line(text);
        self.out.raw("#endif");
    }

    /// The clause that leaves small loops to one thread.
    fn is_worth_it(&mut self, inner: &Loop) -> String {
        let work = &inner.count * cost_of_iteration(self.kernel, inner);
        if work.as_const().is_some_and(|work| work > SERIAL) {
            return String::new();
        }
        let outer = std::mem::take(&mut self.out);
        self.out.begin();
        self.out.put(" if (");
        self.nat_writer().compare(">", &work, &Nat::lit(SERIAL));
        self.out.end(")");
        std::mem::replace(&mut self.out, outer).finish().trim_end().to_owned()
    }

    /// Whether the compiler may make vectors of the iterations, which it cannot always prove itself. Where the
    /// strategy has chosen vectors, the other loops are what was left over.
    fn is_simd(&self, inner: &Loop) -> bool {
        !self.vectors
            && is_independent(inner)
            && looked_up(inner, &self.kernel.buffers).is_none()
            && inner.count.as_const().is_none_or(|count| count > 4)
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
