//! Phrases of functional DPIA (RISE & Shine, listing 6): every implementation choice has been made.
//!
//! Unlike `expr` there is no plain reduction or scan, and every phrase says whether it is read or
//! written.

use std::sync::Arc;

use crate::diagnostics::Origin;
use crate::expr::{AddressSpace, Binary, Compare, Foreign, Library, Literal, NatFun, Param, Unary};
use crate::names::{Label, Name};
use crate::nat::{Nat, NatVar, Obligation};
use crate::types::DataType;

/// `Rd` or `Wr` of the papers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// The value can be read, element by element.
    Read,
    /// The value has to be written to memory before anybody can read it.
    Write,
}

/// `Exp[ty, access]`
#[derive(Clone, Debug)]
pub struct Phrase {
    /// Which form.
    pub kind: Kind,
    /// The type of the value.
    pub ty: DataType,
    /// Whether it is read or written here.
    pub access: Access,
    /// Where it came from.
    pub origin: Origin,
    /// The user's names for this place; they become comments.
    pub labels: Vec<Label>,
}

/// A function from phrases to phrases.
#[derive(Clone, Debug)]
pub struct Fun {
    /// Natural parameters.
    pub nats: Vec<NatVar>,
    /// Value parameters; they are read.
    pub params: Vec<Param>,
    /// The result.
    pub body: Box<Phrase>,
}

/// The forms. Operands of scalar operations, indices, conditions and the arrays under loops are read.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A variable.
    Var(Name),
    /// A constant.
    Literal(Literal),
    /// A natural as a value.
    Nat(Nat),
    /// Computes a small value once, or names a view or a memory.
    Let(Param, Box<Phrase>, Box<Phrase>),
    /// A scalar computation.
    Scalar(Operation, Vec<Phrase>),
    /// Condition, then, else; of any type, readable and writable.
    Select(Box<[Phrase; 3]>),
    /// `(a, b, …)`
    Tuple(Vec<Phrase>),
    /// `.position`
    Proj(usize, Box<Phrase>),
    /// A layout of arrays.
    View(View, Vec<Phrase>),
    /// `[a, b, …]`
    MakeArray(Vec<Phrase>),
    /// Index, array.
    Idx(Box<Phrase>, Box<Phrase>),
    /// `map` as a view: read, the function is delayed to each access; written, it changes the layout of
    /// the elements.
    MapView(Fun, Box<Phrase>),
    /// `generate` as a view; written, a loop.
    Generate(Fun),
    /// `map` as a loop; its result is written.
    Map(LoopForm, Fun, Box<Phrase>),
    /// `depMap` as a loop; its result is written.
    DepMap(LoopForm, Fun, Box<Phrase>),
    /// A left fold: function of accumulator and element, start, array.
    Reduce {
        /// Loop or written out.
        form: LoopForm,
        /// Where the accumulator lies.
        space: AddressSpace,
        /// Accumulator and element to new accumulator.
        fun: Fun,
        /// The start, written into the accumulator.
        start: Box<Phrase>,
        /// What is folded.
        array: Box<Phrase>,
    },
    /// A fold in fixed chunks in parallel, then of the chunks' results in order.
    ReducePar(Fun, Box<Phrase>, Box<Phrase>),
    /// An inclusive scan from left to right: function, start, array.
    Scan(Fun, Box<Phrase>, Box<Phrase>),
    /// Repeated application: number of steps, function of the output length, array.
    Iterate(Nat, Fun, Box<Phrase>),
    /// An array of which one element is written anew: function, and index and array, which may itself be updated there.
    Update(Fun, Box<[Phrase; 2]>),
    /// Windows over a stream kept in memory: capacity, window, load function, array.
    CircularBuffer(Nat, Nat, Fun, Box<Phrase>),
    /// Windows over a stream kept in registers: window, write function, array.
    RotateValues(Nat, Fun, Box<Phrase>),
    /// The product of two matrices by a library; its result is written.
    Product(Arc<Library>, Box<[Phrase; 2]>),
    /// Computes into memory; the only way from written to read.
    ToMem(AddressSpace, Box<Phrase>),
}

/// A scalar computation; operands have the types that `expr` gives them.
#[derive(Clone, PartialEq, Debug)]
pub enum Operation {
    /// See [`Unary`].
    Unary(Unary),
    /// See [`Binary`].
    Binary(Binary),
    /// See [`Compare`]; also of naturals.
    Compare(Compare),
    /// `a * b + c`
    MulAdd,
    /// `a * b + c`, rounded once.
    Fma,
    /// To the type of the phrase.
    Cast,
    /// All lanes equal.
    VectorFromScalar,
    /// A foreign function.
    Foreign(Arc<Foreign>),
}

/// A layout: index arithmetic, no computation. The array worked on is the last operand.
#[derive(Clone, PartialEq, Debug)]
pub enum View {
    /// Two arrays.
    Zip,
    /// An array of pairs.
    Unzip,
    /// Pieces of length `n`.
    Split(Nat),
    /// Back to one array.
    Join,
    /// Swaps the two outer dimensions.
    Transpose,
    /// Windows: size, step. Only read.
    Slide(Nat, Nat),
    /// The first elements.
    Take(Nat),
    /// All but the first elements.
    Drop(Nat),
    /// Two arrays, one after the other.
    Concat,
    /// Clamped index: left, right. Only read.
    PadClamp(Nat, Nat),
    /// Guarded read: left, right; operands value and array. Only read.
    PadCst(Nat, Nat),
    /// Further elements without a value.
    PadEmpty(Nat),
    /// Operands indices and array; read.
    Gather,
    /// Operands indices and array; written.
    Scatter,
    /// Index function and inverse.
    Reorder(NatFun, NatFun),
    /// Scalars as vectors.
    AsVector(u32),
    /// Vectors as scalars.
    AsScalar,
    /// Parts of given lengths.
    Partition(Nat, NatFun),
    /// Two dependent arrays.
    DepZip,
    /// Back to one array.
    DepJoin,
}

impl View {
    /// The view with its naturals replaced by `f` of them.
    #[must_use]
    pub fn map_nats(&self, f: &dyn Fn(&Nat) -> Nat) -> View {
        let fun = |fun: &NatFun| NatFun { var: fun.var.clone(), body: f(&fun.body) };
        match self {
            View::Split(n) => View::Split(f(n)),
            View::Slide(size, step) => View::Slide(f(size), f(step)),
            View::Take(n) => View::Take(f(n)),
            View::Drop(n) => View::Drop(f(n)),
            View::PadClamp(l, r) => View::PadClamp(f(l), f(r)),
            View::PadCst(l, r) => View::PadCst(f(l), f(r)),
            View::PadEmpty(r) => View::PadEmpty(f(r)),
            View::Reorder(to, back) => View::Reorder(fun(to), fun(back)),
            View::Partition(parts, lengths) => View::Partition(f(parts), fun(lengths)),
            View::Zip
            | View::Unzip
            | View::Join
            | View::Transpose
            | View::Concat
            | View::Gather
            | View::Scatter
            | View::AsVector(_)
            | View::AsScalar
            | View::DepZip
            | View::DepJoin => self.clone(),
        }
    }
}

/// How a loop runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopForm {
    /// One after the other.
    Seq,
    /// Written out.
    Unroll,
    /// The lanes of vectors.
    Vec,
    /// The threads of a CPU.
    Par,
    /// Element by element, pulled by the consumer.
    Stream,
    /// Over all work-items of a dimension.
    Global(u8),
    /// Over work-groups.
    WorkGroup(u8),
    /// Over the work-items of a group.
    Local(u8),
}

/// A kernel whose every choice has been made.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The name of the Rust function.
    pub name: String,
    /// Size parameters in order.
    pub nats: Vec<NatVar>,
    /// Value parameters; read.
    pub params: Vec<Param>,
    /// The result; written.
    pub body: Phrase,
    /// What holds at entry.
    pub assumptions: Vec<Obligation>,
}
