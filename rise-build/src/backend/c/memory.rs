//! Temporaries: one allocation of the call, allocations inside loops, arrays on the stack.

use crate::backend::memory::{Scope, on_stack};
use crate::backend::nat::Tight;
use crate::loops::{BufferId, Stmt};

use super::emit::Emitter;
use super::types::element;

impl Emitter<'_> {
    /// The body, with memory for its temporaries around.
    pub fn with_memory(&mut self) {
        let scope = std::mem::take(&mut self.temporaries.hoisted);
        let hoisted = !scope.is_empty();
        if hoisted {
            self.out.line("size_t at = 0;");
            self.out.line("size_t bytes = 0;");
            self.plan(&scope);
            self.out.line("void *const memory = bytes == SIZE_MAX ? NULL : malloc(bytes + 63);");
            self.out.open("if (memory == NULL) {");
            self.out.line("return bytes;");
            self.out.close("}");
            self.out.line("unsigned char *const scratch = size_align(memory);");
        }
        let body = &self.kernel.body;
        self.block(body);
        if hoisted {
            self.out.line("free(memory);");
        }
        let result = if self.allocates { "missing" } else { "0" };
        self.out.line(&format!("return {result};"));
    }

    /// Temporaries of inner scopes begin where those of the outer end.
    fn plan(&mut self, scope: &Scope) {
        for id in &scope.buffers {
            let (ident, buffer) = (self.pointer_name(*id), self.kernel.buffer(*id));
            self.out.begin();
            self.out.put(&format!("const size_t {ident}_at = size_place(&at, "));
            self.nat_writer().saturating(&buffer.len);
            self.out.end(&format!(", sizeof({}));", element(&buffer.element)));
        }
        self.out.line("bytes = size_max(bytes, at);");
        for inner in &scope.inner {
            let outer = self.names.fresh("outer");
            self.out.line(&format!("const size_t {outer} = at;"));
            self.plan(inner);
            self.out.line(&format!("at = {outer};"));
        }
    }

    /// Whether the declaration takes memory of its own, which may fail.
    pub fn is_allocated_here(&self, id: BufferId) -> bool {
        !self.temporaries.order.contains(&id) && !on_stack(self.kernel.buffer(id))
    }

    fn restrict(&self, id: BufferId) -> &'static str {
        if self.temporaries.swapped.contains(&id) { "*" } else { "*restrict " }
    }

    /// A declaration in memory that is there.
    pub fn declare(&mut self, id: BufferId) {
        let buffer = self.kernel.buffer(id);
        let (ident, ty, restrict) = (self.pointer_name(id), element(&buffer.element), self.restrict(id));
        if self.temporaries.order.contains(&id) {
            return self
                .out
                .line(&format!("{ty} {restrict}{ident} = ({ty} *)(void *)(scratch + {ident}_at);"));
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
        let (ident, ty, restrict) = (self.pointer_name(id), element(&buffer.element), self.restrict(id));
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
        if self.settings.openmp && self.parallel {
            self.out.raw("#ifdef _OPENMP");
            self.out.line("#pragma omp atomic write");
            self.out.raw("#endif");
        }
        self.out.line(&format!("missing = {wanted};"));
        self.out.close("}");
    }
}
