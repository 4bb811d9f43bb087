//! Memory for temporaries: planned and allocated by the runner, or declared in the body.

use crate::backend::memory::{Scope, on_stack};
use crate::backend::nat::Tight;
use crate::loops::BufferId;

use super::emit::{Argument, Emitter};
use super::literal::element;
use super::value::Level;

/// How a plan is asked for places.
#[derive(Clone, Copy)]
struct Asks {
    place: &'static str,
    end: &'static str,
}

impl Emitter<'_> {
    /// The temporaries of the one allocation, as arguments of the body.
    pub fn hoisted(&mut self) -> Vec<Argument> {
        let order = self.temporaries.order.clone();
        order.into_iter().map(|id| self.pointer_argument(id)).collect()
    }

    /// Plans and makes the one allocation.
    pub fn allocate(&mut self) {
        let scope = std::mem::take(&mut self.temporaries.hoisted);
        if scope.is_empty() {
            return;
        }
        self.planned(&scope, Asks { place: "place", end: ")?;" });
        self.out.line("let scratch = private::Scratch::new(size)?;");
    }

    /// One allocation for the temporaries that a task needs once.
    pub fn memory_of_task(&mut self, scope: &Scope) -> Vec<BufferId> {
        let mut all = Vec::new();
        scope.list(&mut all);
        if let [one] = all[..] {
            self.make(one);
        } else if !all.is_empty() {
            self.asks_for_memory = true;
            self.planned(scope, Asks { place: "part", end: ");" });
            self.out.line("let scratch = private::temporary::<u8>(size);");
            all.iter().for_each(|id| self.bind(*id, self.mutable(*id)));
        }
        all
    }

    /// What is needed, as `size`, and where each temporary begins.
    fn planned(&mut self, scope: &Scope, asks: Asks) {
        self.out.line("let mut plan = private::Plan::new();");
        self.out.line("let mut size = 0usize;");
        self.plan(scope, asks);
    }

    /// Temporaries of inner scopes begin where those of the outer end.
    fn plan(&mut self, scope: &Scope, asks: Asks) {
        let Asks { place, end } = asks;
        for id in &scope.buffers {
            let (ident, buffer) = (self.pointer_name(*id), self.kernel.buffer(*id));
            self.out.begin();
            self.out.put(&format!("let {ident} = plan.{place}::<{}>(", element(&buffer.element)));
            self.nat_writer().saturating(&buffer.len);
            self.out.end(end);
        }
        if !scope.buffers.is_empty() {
            self.when(scope, |e| e.out.line("size = size.max(plan.bytes());"));
        }
        for inner in &scope.inner {
            if inner.buffers.is_empty() {
                self.plan(inner, asks);
                continue;
            }
            let outer = self.names.local("outer");
            self.out.line(&format!("let {outer} = plan;"));
            self.plan(inner, asks);
            self.out.line(&format!("plan = {outer};"));
        }
    }

    /// What is written for a scope, where it is entered.
    fn when(&mut self, scope: &Scope, body: impl FnOnce(&mut Self)) {
        let Some(when) = &scope.when else { return body(self) };
        self.out.begin();
        self.out.put("if ");
        self.value(when, Level::Any);
        self.out.end_open(" {");
        body(self);
        self.out.close("}");
    }

    /// Pointers to inputs become slices.
    pub fn borrow_inputs(&mut self) {
        for (id, pointer, slice) in self.inputs() {
            self.out.begin();
            self.out.put(&format!("let {slice} = ::core::slice::from_raw_parts({pointer}, "));
            let len = &self.kernel.buffer(id).len;
            self.nat_writer().saturating(len);
            self.out.end(");");
        }
    }

    /// Offsets become pointers.
    pub fn bind_hoisted(&mut self) {
        self.temporaries.order.clone().into_iter().for_each(|id| self.bind(id, ""));
    }

    fn bind(&mut self, id: BufferId, mutable: &str) {
        let (ident, buffer) = (self.pointer_name(id), self.kernel.buffer(id));
        self.out
            .line(&format!("let {mutable}{ident} = scratch.at::<{}>({ident});", element(&buffer.element)));
    }

    fn mutable(&self, id: BufferId) -> &'static str {
        if self.temporaries.swapped.contains(&id) { "mut " } else { "" }
    }

    /// A declaration inside the body, unless it was made before.
    pub fn declare(&mut self, id: BufferId) {
        if !self.temporaries.order.contains(&id) && !self.of_task.contains(&id) {
            self.make(id);
        }
    }

    /// Memory for a temporary, here.
    pub fn make(&mut self, id: BufferId) {
        let buffer = self.kernel.buffer(id);
        let (ident, ty) = (self.pointer_name(id), element(&buffer.element));
        let storage = self.names.local(&format!("{ident}_memory"));
        let mutable = self.mutable(id);
        match buffer.len.as_const().filter(|_| on_stack(buffer)) {
            Some(len) => {
                let uninit = format!("::core::mem::MaybeUninit::<{ty}>::uninit()");
                self.out.line(&format!("let mut {storage} = Stack([{uninit}; {len}]);"));
                self.out.line(&format!("let {mutable}{ident} = (&raw mut {storage}).cast::<{ty}>();"));
            }
            None => {
                self.asks_for_memory = true;
                self.out.begin();
                self.out.put(&format!("let {storage} = private::temporary::<{ty}>("));
                self.nat(&buffer.len, Tight::Not);
                self.out.end(");");
                self.out.line(&format!("let {mutable}{ident} = {storage}.at::<{ty}>(0);"));
            }
        }
    }
}
