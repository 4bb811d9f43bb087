//! Temporaries: one allocation of the call, allocations inside loops, arrays on the stack.

use crate::backend::memory::{Scope, on_stack};
use crate::backend::nat::Tight;
use crate::loops::{BufferId, Stmt};

use super::emit::Emitter;
use super::types::WORDS;
use super::value::Level;

/// The identifiers of one allocation.
struct Allocation {
    /// Where the next temporary lies.
    at: String,
    /// How much is needed.
    bytes: String,
    /// What `malloc` gave.
    memory: String,
    /// The first aligned byte in it.
    scratch: String,
}

impl Emitter<'_> {
    /// The body, with memory for its temporaries around.
    pub fn with_memory(&mut self) {
        let scope = std::mem::take(&mut self.temporaries.hoisted);
        let own = Allocation {
            at: "at".into(),
            bytes: "bytes".into(),
            memory: "memory".into(),
            scratch: "scratch".into(),
        };
        if !scope.is_empty() {
            self.allocate(&scope, &own);
            self.out.open("if (memory == NULL) {");
            self.out.line("return bytes;");
            self.out.close("}");
            self.out.line("unsigned char *const scratch = size_align(memory);");
        }
        let body = &self.kernel.body;
        self.block(body);
        if !scope.is_empty() {
            self.out.line("free(memory);");
        }
        let result = if self.allocates { "missing" } else { "0" };
        self.out.line(&format!("return {result};"));
    }

    /// What every thread does, with memory of its own; `body` gets what tells whether it is there, which all
    /// iterations have to ask, since all threads have to come to a loop that they share.
    pub fn with_memory_of_thread(&mut self, scope: &Scope, body: impl FnOnce(&mut Self, &str)) {
        self.allocates = true;
        let [at, bytes, memory, scratch] =
            ["at", "bytes", "memory", "scratch"].map(|ident| self.names.fresh(ident));
        let own = Allocation { at, bytes, memory, scratch };
        let Allocation { bytes, memory, scratch, .. } = &own;
        self.allocate(scope, &own);
        self.out.line(&format!(
            "unsigned char *const {scratch} = {memory} == NULL ? NULL : size_align({memory});"
        ));
        body(self, &format!("{scratch} != NULL"));
        self.out.line(&format!("free({memory});"));
        self.out.open(&format!("if ({memory} == NULL) {{"));
        self.note_missing(bytes);
        self.out.close("}");
    }

    /// Plans and makes an allocation.
    fn allocate(&mut self, scope: &Scope, own: &Allocation) {
        let Allocation { at, bytes, memory, .. } = own;
        self.out.line(&format!("size_t {at} = 0;"));
        self.out.line(&format!("size_t {bytes} = 0;"));
        self.plan(scope, own);
        self.out.line(&format!("void *const {memory} = {bytes} == SIZE_MAX ? NULL : malloc({bytes} + 63);"));
    }

    /// Temporaries of inner scopes begin where those of the outer end.
    fn plan(&mut self, scope: &Scope, own: &Allocation) {
        let Allocation { at, bytes, scratch, .. } = own;
        for id in &scope.buffers {
            let (ident, buffer) = (self.pointer_name(*id), self.kernel.buffer(*id));
            self.out.begin();
            self.out.put(&format!("const size_t {ident}_at = size_place(&{at}, "));
            self.nat_writer().saturating(&buffer.len);
            self.out.end(&format!(", sizeof({}));", WORDS.element(&buffer.element)));
            self.placed.insert(*id, scratch.clone());
        }
        if !scope.buffers.is_empty() {
            self.when(scope, |e| e.out.line(&format!("{bytes} = size_max({bytes}, {at});")));
        }
        for inner in &scope.inner {
            if inner.buffers.is_empty() {
                self.plan(inner, own);
                continue;
            }
            let outer = self.names.fresh("outer");
            self.out.line(&format!("const size_t {outer} = {at};"));
            self.plan(inner, own);
            self.out.line(&format!("{at} = {outer};"));
        }
    }

    /// What is written for a scope, where it is entered.
    fn when(&mut self, scope: &Scope, body: impl FnOnce(&mut Self)) {
        let Some(when) = &scope.when else { return body(self) };
        self.out.begin();
        self.out.put("if (");
        self.value(when, Level::Any);
        self.out.end_open(") {");
        body(self);
        self.out.close("}");
    }

    /// Whether the declaration takes memory of its own, which may fail.
    pub fn is_allocated_here(&self, id: BufferId) -> bool {
        !self.placed.contains_key(&id) && !on_stack(self.kernel.buffer(id))
    }

    fn restrict(&self, id: BufferId) -> &'static str {
        if self.temporaries.swapped.contains(&id) { "*" } else { "*restrict " }
    }

    /// A declaration in memory that is there.
    pub fn declare(&mut self, id: BufferId) {
        let buffer = self.kernel.buffer(id);
        let (ident, ty, restrict) =
            (self.pointer_name(id), WORDS.element(&buffer.element), self.restrict(id));
        if let Some(scratch) = self.placed.get(&id) {
            let line = format!("{ty} {restrict}{ident} = ({ty} *)(void *)({scratch} + {ident}_at);");
            return self.out.line(&line);
        }
        let len = buffer.len.as_const().unwrap_or(1).max(1);
        let aligned = if self.settings.isa.bytes() > 0 { " __attribute__((aligned(64)))" } else { "" };
        if self.temporaries.swapped.contains(&id) {
            let memory = self.names.fresh(&format!("{ident}_memory"));
            self.out.line(&format!("{ty} {memory}[{len}]{aligned};"));
            self.out.line(&format!("{ty} *{ident} = {memory};"));
        } else {
            self.out.line(&format!("{ty} {ident}[{len}]{aligned};"));
        }
    }

    /// The rest of a block where there is memory; else a note for the end.
    pub fn with_allocation(&mut self, id: BufferId, rest: &[Stmt]) {
        self.allocates = true;
        let buffer = self.kernel.buffer(id);
        let (ident, ty, restrict) =
            (self.pointer_name(id), WORDS.element(&buffer.element), self.restrict(id));
        let (count, wanted) =
            (self.names.fresh(&format!("{ident}_len")), self.names.fresh(&format!("{ident}_bytes")));
        let memory = self.names.fresh(&format!("{ident}_memory"));
        self.out.begin();
        self.out.put(&format!("const size_t {count} = "));
        self.nat(&buffer.len, Tight::Not);
        self.out.end(";");
        self.out.line(&format!("size_t {wanted} = 0;"));
        self.out.line(&format!("size_place(&{wanted}, {count}, sizeof({ty}));"));
        self.out
            .line(&format!("void *const {memory} = {wanted} == SIZE_MAX ? NULL : malloc({wanted} + 63);"));
        self.out.open(&format!("if ({memory} != NULL) {{"));
        self.out.line(&format!("{ty} {restrict}{ident} = ({ty} *)(void *)size_align({memory});"));
        self.block(rest);
        self.out.line(&format!("free({memory});"));
        self.out.reopen("} else {");
        self.note_missing(&wanted);
        self.out.close("}");
    }

    /// Memory that could not be had, as the kernel's result.
    fn note_missing(&mut self, bytes: &str) {
        if self.parallel {
            self.pragma("#pragma omp atomic write");
        }
        self.out.line(&format!("missing = {bytes};"));
    }
}
