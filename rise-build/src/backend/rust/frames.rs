//! Large loops as functions of their own, for the sake of unoptimised builds.
//!
//! There, every operation on vectors has places of its own in the frame of the function that it is in, since all of
//! them are inlined whatever the build (see the runtime's `simd`). The loops of a large kernel in one function would
//! fill the stack of a thread. In optimised builds such a function is inlined where it is called.

use crate::backend::text::Text;
use crate::loops::walk::{Visit, walk_stmt, walk_value};
use crate::loops::{Loop, LoopKind, Stmt, Value, ValueType};

use super::captured::Way;
use super::emit::{Argument, Emitter, signature};

/// From how many bytes of vectors on, the results of all its operations, a loop is a function of its own. In the frame
/// an operation takes about ten times its result, or thirty times where a vector has many registers.
const LARGE: u32 = 4096;

/// Whether a sequential loop is a function of its own.
pub fn is_large(inner: &Loop) -> bool {
    Frame::of(inner).is_large()
}

/// What lies in the frame of a function, but for large loops inside.
#[derive(Default)]
struct Frame {
    /// The bytes of all vectors that are computed.
    bytes: u32,
    /// Whether pointers are exchanged, of which others know.
    swaps: bool,
}

impl Frame {
    fn of(inner: &Loop) -> Frame {
        let mut frame = Frame::default();
        frame.block(&inner.body);
        frame
    }

    fn is_large(&self) -> bool {
        self.bytes >= LARGE && !self.swaps
    }

    fn add(&mut self, ty: ValueType) {
        self.bytes += ty.lanes * ty.scalar.bytes();
    }
}

impl Visit for Frame {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For(inner) if inner.kind == LoopKind::Par => {}
            Stmt::For(inner) => {
                let inner = Frame::of(inner);
                if !inner.is_large() {
                    self.bytes += inner.bytes;
                    self.swaps |= inner.swaps;
                }
            }
            Stmt::Swap(..) => self.swaps = true,
            _ => walk_stmt(self, stmt),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Unary(_, ty, _)
            | Value::Binary(_, ty, ..)
            | Value::Compare(_, ty, ..)
            | Value::MulAdd(ty, _)
            | Value::Fma(ty, _)
            | Value::Cast(ty, ..)
            | Value::Select(ty, _)
            | Value::Broadcast(ty, _)
            | Value::Lanes(ty, _)
            | Value::Ramp(ty, ..) => self.add(*ty),
            _ => {}
        }
        walk_value(self, value);
    }
}

impl Emitter<'_> {
    /// A sequential loop as a function of its own, and a call.
    pub fn apart(&mut self, inner: &Loop) {
        let captured = self.captured(inner, Some(&inner.count));
        let var = self.names.nat(&inner.var);
        let function = self.names.fresh(&format!("{var}_loop"));
        let args: Vec<Argument> = captured.iter().map(|(arg, _)| arg.clone()).collect();
        self.define(inner, &function, &captured, &args);
        let values: Vec<String> = captured.iter().map(|(arg, way)| way.passed(arg)).collect();
        let values = values.join(", ");
        self.out.line("#[cfg(not(debug_assertions))]");
        let isa = if self.only().is_some() { "" } else { "::<S>" };
        self.out.line(&format!("{function}{isa}({values});"));
        self.out.line("#[cfg(debug_assertions)]");
        self.out.open("{");
        self.choose("S::LEVEL", &format!("{function}_"), &values);
        self.out.close("}");
    }

    fn define(&mut self, inner: &Loop, function: &str, captured: &[(Argument, Way)], args: &[Argument]) {
        let outer = std::mem::replace(&mut self.out, Text::at(1));
        self.out.line("#[inline(always)]");
        let isa = if self.only().is_some() { "" } else { "<S: Isa>" };
        self.out.open(&format!("unsafe fn {function}{isa}({}) {{", signature(args)));
        self.out.open("unsafe {");
        self.unpack(captured);
        self.sequential(inner);
        self.hand_back(captured);
        self.out.close("}");
        self.out.close("}");
        let text = std::mem::replace(&mut self.out, outer).finish();
        self.functions.push_str(&text);
        self.functions.push_str(&self.unoptimised_instances(function, &format!("{function}_"), args));
        self.functions.push('\n');
    }
}
