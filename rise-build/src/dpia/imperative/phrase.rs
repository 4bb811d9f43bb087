//! Phrases of imperative DPIA (RISE & Shine, listing 7).
//!
//! The papers' continuations are used exactly once, so the translation is written in direct style:
//! reading a phrase appends commands to a block and yields an [`Exp`]. A declaration is visible to the
//! end of its block.

use std::sync::Arc;

use crate::expr::{AddressSpace, Library, Literal, Param};
use crate::names::Name;
use crate::nat::{Nat, NatVar, Obligation};
use crate::types::DataType;

pub use crate::dpia::functional::{LoopForm, Operation, View};

/// Commands in order.
pub type Block = Vec<Comm>;

/// A command.
#[derive(Clone, Debug)]
pub enum Comm {
    /// `acc = exp`, at a type without arrays; tuples component by component.
    Assign(Acc, Exp),
    /// `new(space, ty, …)`: memory to write as [`Acc::Var`] and read as [`Exp::Var`], to the end of the
    /// block.
    New(Name, DataType, AddressSpace),
    /// Computes a small value (scalar, vector, or tuple of such) once; read as [`Exp::Var`].
    Let(Name, DataType, Exp),
    /// Computes an index or natural once; it is used as this variable in naturals.
    LetNat(NatVar, Exp),
    /// `for` and `parFor`, over `0..count`.
    For(For),
    /// Two-way choice.
    If(Exp, Block, Block),
    /// `newDoubleBuffer`'s swap: exchanges the memory behind two names of one type.
    Swap(Name, Name),
    /// Writes the product of two matrices by a library.
    Product(Product),
    /// Names the RISE expression that follows.
    Comment(String),
}

/// `acc = a · b` by a library. Factors are memories, their elements and parts, at most transposed; the result
/// goes to a memory or an element of one.
#[derive(Clone, Debug)]
pub struct Product {
    /// The function.
    pub library: Arc<Library>,
    /// Where the result goes.
    pub acc: Acc,
    /// The factors and their types.
    pub factors: [(Exp, DataType); 2],
}

/// A loop.
#[derive(Clone, Debug)]
pub struct For {
    /// Runs from 0 to `count - 1`.
    pub var: NatVar,
    /// Number of iterations.
    pub count: Nat,
    /// How it runs; never [`LoopForm::Stream`].
    pub form: LoopForm,
    /// One iteration.
    pub body: Block,
}

/// `Exp[ty, Rd]`: something to read, small or array; cloning is cheap.
///
/// Memory of type `Idx` or `Nat` holds unsigned 64-bit integers.
#[derive(Clone, Debug)]
pub enum Exp {
    /// A parameter, a memory, a shared value or the parameter of an enclosing [`Delayed`].
    Var(Name),
    /// A constant.
    Literal(Literal),
    /// A natural of type `Nat` or `Idx`.
    Nat(Nat),
    /// A scalar computation of the given result and operand types.
    Scalar(Operation, DataType, Arc<[(Exp, DataType)]>),
    /// Condition, then, else: both cheap and free of effects; of any type.
    Select(Arc<[Exp; 3]>),
    /// `(a, b, …)`
    Tuple(Arc<[Exp]>),
    /// `.position`
    Proj(usize, Arc<Exp>),
    /// One element.
    Idx(Nat, Arc<Exp>),
    /// A layout of arrays; with each operand its type.
    View(View, Arc<[(Exp, DataType)]>),
    /// `[a, b, …]`
    MakeArray(Arc<[Exp]>),
    /// `mapRead`: element `i` is the delayed computation at element `i` of the array.
    Map(Arc<Delayed>, Arc<Exp>),
    /// `generateCont`: element `i` is the delayed computation at `i`.
    Generate(Arc<Delayed>),
}

/// A computation that happens at each access: commands, then the result. Whoever instantiates it renames
/// everything that it declares.
#[derive(Clone, Debug)]
pub struct Delayed {
    /// What it is given: an element (a view), or an index.
    pub param: Param,
    /// What runs first.
    pub prelude: Block,
    /// The result, a view or small.
    pub result: Exp,
    /// Its type.
    pub ty: DataType,
}

/// `Acc[ty]`: somewhere to write.
#[derive(Clone, Debug)]
pub enum Acc {
    /// A memory or an output.
    Var(Name),
    /// One element of an array acceptor.
    Idx(Nat, Arc<Acc>),
    /// One component of a tuple acceptor.
    Proj(usize, Arc<Acc>),
    /// Each component its own acceptor.
    Tuple(Vec<Acc>),
    /// The acceptor for the operand of a view that is written into the inner acceptor. `operand` says
    /// which operand (`zipAcc1`, `zipAcc2`), `ty` is the operand's type.
    View {
        /// Which view.
        view: View,
        /// Which of its operands is written, its position in the view's operand list (1 for scatter).
        operand: usize,
        /// Indices, for scatter.
        indices: Option<Arc<Exp>>,
        /// The type of the operand that is written.
        ty: DataType,
        /// Where the view's result is written.
        acc: Arc<Acc>,
    },
    /// `mapAcc`: element `i` of the operand is written into `body`, where `param` stands for element `i`
    /// of the inner acceptor.
    Map {
        /// Stands for an element acceptor in `body`.
        param: Name,
        /// Acceptor of the operand's element.
        body: Arc<Acc>,
        /// Where the map's result is written.
        acc: Arc<Acc>,
    },
}

/// A component of the result.
#[derive(Clone, Debug)]
pub struct Output {
    /// The memory, written as [`Acc::Var`]; also readable, for folds that accumulate in it.
    pub name: Name,
    /// Its type, no tuple.
    pub ty: DataType,
}

/// A kernel as commands.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The name of the Rust function.
    pub name: String,
    /// Size parameters in order.
    pub nats: Vec<NatVar>,
    /// Value parameters.
    pub params: Vec<Param>,
    /// Memory for the results, one for each component of a tuple result.
    pub outputs: Vec<Output>,
    /// What runs.
    pub body: Block,
    /// What holds at entry.
    pub assumptions: Vec<Obligation>,
}
