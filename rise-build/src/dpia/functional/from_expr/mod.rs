//! From typed expressions to phrases: what is read, what is written.
//!
//! In: an expression whose implementation forms are chosen. Out: the same term as phrases. The demanded
//! access is pushed from the result down to the operands, so nothing is guessed and nothing has to be
//! taken back. A term that has to be written where it is read lacks memory (RISE & Shine, V-B); one that is
//! only read where it has to be written lacks a way to copy it. Both are errors at that term.

mod blame;
mod crop;
mod layout;
mod memory;
mod pattern;
mod scalar;

use crate::diagnostics::Diagnostics;
use crate::expr;
use crate::expr::{Arg, Expr, Lambda, Primitive};
use crate::names::Name;

use super::mapping;
use super::{Access, Fun, Kernel, Kind, LoopForm, Phrase, Target};

/// The kernel as phrases, or why it says too little about how to compute it on this target.
pub fn from_expr(kernel: &expr::Kernel, target: Target) -> Result<Kernel, Diagnostics> {
    let mut builder = Builder::new(target);
    let body = builder.write(&kernel.body);
    let Some(body) = body else { return Err(builder.diagnostics) };
    let declared = kernel.declared.iter().cloned();
    let required = kernel.obligations.iter().map(|required| required.obligation.clone());
    let kernel = Kernel {
        name: kernel.name.clone(),
        nats: kernel.nats.clone(),
        params: kernel.params.clone(),
        body,
        assumptions: declared.chain(required).collect(),
    };
    let mut diagnostics = builder.diagnostics;
    mapping::check(&kernel, target, &mut diagnostics);
    diagnostics.or(kernel)
}

/// A phrase, unless something was reported.
type Made = Option<Phrase>;

struct Builder {
    diagnostics: Diagnostics,
    target: Target,
    /// The loops around, outermost first.
    nest: Vec<LoopForm>,
    /// Parameters of functions that only change the layout of what is written.
    written: Vec<Name>,
}

impl Builder {
    fn new(target: Target) -> Self {
        Builder { diagnostics: Diagnostics::new(), target, nest: Vec::new(), written: Vec::new() }
    }

    fn read(&mut self, expr: &Expr) -> Made {
        self.demand(expr, Access::Read)
    }

    fn write(&mut self, expr: &Expr) -> Made {
        self.demand(expr, Access::Write)
    }

    /// The phrase for an expression that is used with this access. A small one that is written may come
    /// out as read: it is assigned.
    fn demand(&mut self, expr: &Expr, access: Access) -> Made {
        match expr.kind() {
            expr::Kind::Var(name) => self.variable(expr, name, access),
            expr::Kind::Literal(literal) => self.offer(expr, Kind::Literal(*literal), access),
            expr::Kind::Nat(nat) => self.offer(expr, Kind::Nat(nat.clone()), access),
            expr::Kind::Let(param, value, body) => self.binding(expr, param, value, body, access),
            expr::Kind::Prim(primitive, args) => self.primitive(expr, primitive, args, access),
        }
    }

    fn variable(&mut self, expr: &Expr, name: &Name, access: Access) -> Made {
        match (self.written.contains(name), access) {
            (true, Access::Write) => Some(phrase(expr, Kind::Var(name.clone()), Access::Write)),
            (true, Access::Read) => self.blame_layout(expr),
            (false, _) => self.offer(expr, Kind::Var(name.clone()), access),
        }
    }

    /// One primitive; each arm pushes the demand to the operands.
    fn primitive(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg], access: Access) -> Made {
        use Primitive::*;
        match primitive {
            Unary(_) | Binary(_) | Compare(_) | MulAdd | Fma | Cast(_) | Foreign(_) | VectorFromScalar(_) => {
                self.scalar(expr, primitive, args, access)
            }
            Product(library) => self.product(expr, library, args, access),
            Select => self.select(expr, args, access),
            Tuple => self.tuple(expr, args, access),
            Proj(position) => self.projection(expr, *position, args, access),
            Map(form) => self.map(expr, *form, args, access),
            DepMap(form) => self.dep_map(expr, *form, args, access),
            Reduce(form) => self.reduce(expr, *form, args, access),
            Scan(form) => self.scan(expr, *form, args, access),
            Iterate(times) => self.iterate(expr, times, args, access),
            Generate => self.generate(expr, args, access),
            MakeArray => self.make_array(expr, args, access),
            Idx => self.index(expr, args, access),
            Update => self.update(expr, args, access),
            ToMem(space) => self.to_mem(expr, *space, args, access),
            CircularBuffer(alloc, size) => self.circular_buffer(expr, alloc, size, args, access),
            RotateValues(size) => self.rotate_values(expr, size, args, access),
            Zip | Unzip | Split(_) | Join | Transpose | Slide(..) | Take(_) | Drop(_) | Concat
            | PadClamp(..) | PadCst(..) | PadEmpty(_) | Gather | Scatter | Reorder(..) | AsVector(_)
            | AsScalar | Partition(..) | DepZip | DepJoin => self.layout(expr, primitive, args, access),
        }
    }

    /// What can be read, where `access` is demanded.
    fn offer(&mut self, expr: &Expr, kind: Kind, access: Access) -> Made {
        match access {
            Access::Write if !expr.ty().is_small() => self.blame_copy(expr),
            _ => Some(phrase(expr, kind, Access::Read)),
        }
    }

    /// What has to be written, where `access` is demanded.
    fn require(&mut self, expr: &Expr, kind: Kind, access: Access) -> Made {
        match access {
            Access::Read => self.blame_memory(expr),
            Access::Write => Some(phrase(expr, kind, Access::Write)),
        }
    }

    /// All operands with the same demand; every one is visited, so that all mistakes are reported.
    fn all<'a>(&mut self, args: impl IntoIterator<Item = &'a Arg>, access: Access) -> Option<Vec<Phrase>> {
        let made: Vec<Made> = args.into_iter().map(|arg| self.demand(arg.expr(), access)).collect();
        made.into_iter().collect()
    }

    /// A function of what is read.
    fn function(&mut self, lambda: &Lambda, access: Access) -> Option<Fun> {
        let body = self.demand(&lambda.body, access)?;
        Some(Fun { nats: lambda.nats.clone(), params: lambda.params.clone(), body: Box::new(body) })
    }
}

/// A phrase in the place of an expression.
fn phrase(expr: &Expr, kind: Kind, access: Access) -> Phrase {
    let (ty, origin, labels) = (expr.ty().clone(), expr.origin(), expr.labels().to_vec());
    Phrase { kind, ty, access, origin, labels }
}

/// What takes the access of its parts.
fn follow(expr: &Expr, parts: Vec<Phrase>, make: impl FnOnce(Vec<Phrase>) -> Kind) -> Made {
    let access = joint(&parts);
    Some(phrase(expr, make(parts), access))
}

/// Written if any part is.
fn joint(parts: &[Phrase]) -> Access {
    match parts.iter().any(|part| part.access == Access::Write) {
        true => Access::Write,
        false => Access::Read,
    }
}

/// The function among arguments that synthesis has accepted.
fn fun(args: &[Arg]) -> &Lambda {
    match args.first() {
        Some(Arg::Fun(lambda)) => lambda,
        _ => panic!("bug: a pattern without a function was typed"),
    }
}
