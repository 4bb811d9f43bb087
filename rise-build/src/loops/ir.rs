//! The loop language: statements over flat buffers, before any target is chosen.
//!
//! There are no views and no tuples here: each access is a buffer, a flat index in elements, and for
//! buffers of the caller that hold tuples the path to the component. Naturals are indices; scalar
//! computations are [`Value`]s. Backends transcribe this language and decide nothing.

use std::sync::Arc;

use crate::expr::{Binary, Compare, Foreign, Library, Literal, Unary};
use crate::names::Name;
use crate::nat::{Facts, Nat, NatVar};
use crate::types::{DataType, Scalar};

/// A compiled kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The name of the Rust function.
    pub name: String,
    /// Size parameters in order of declaration.
    pub nats: Vec<NatVar>,
    /// The caller's values, in order.
    pub params: Vec<Param>,
    /// The memory of results, one for each component of the result type.
    pub outputs: Vec<Output>,
    /// All buffers, those of the caller and temporaries; [`BufferId`] is the position.
    pub buffers: Vec<Buffer>,
    /// What runs.
    pub body: Block,
    /// What holds of naturals at entry.
    pub facts: Facts,
    /// How many work-items a device is to start, where the user has said so.
    pub work: WorkSizes,
}

/// Numbers of work-items in each dimension, made of sizes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkSizes {
    /// In a group.
    pub local: Option<[Nat; 3]>,
    /// In all.
    pub global: Option<[Nat; 3]>,
}

/// A parameter of the kernel as the loops see it.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name the user wrote.
    pub name: String,
    /// The RISE type.
    pub ty: DataType,
    /// How its parts arrive, in order of the tuple's components (one part if it is no tuple).
    pub parts: Vec<Part>,
}

/// One component of a parameter.
#[derive(Clone, Debug)]
pub enum Part {
    /// An array, in a buffer of role [`Role::Input`].
    Buffer(BufferId),
    /// A scalar or short vector, by value.
    Scalar(Name, ValueType),
    /// An index or natural, by value.
    Nat(NatVar),
}

/// One component of the result.
#[derive(Clone, Debug)]
pub struct Output {
    /// The type of the component: an array, or a scalar (then the buffer has one element).
    pub ty: DataType,
    /// Where it is written.
    pub buffer: BufferId,
}

/// Position in [`Kernel::buffers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BufferId(pub u32);

/// A flat piece of memory.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// For readers of the generated code.
    pub name: String,
    /// What an element is.
    pub element: Element,
    /// Number of elements.
    pub len: Nat,
    /// Whose memory it is, and where it lies.
    pub role: Role,
    /// The elements of [`Role::Constant`]; empty for all others.
    pub values: Vec<Literal>,
    /// Whether it is a row that begins again behind its end: a vector from `i mod c` on holds the elements at
    /// `i mod c`, `(i + 1) mod c` and so on.
    pub goes_round: bool,
}

impl Buffer {
    /// Memory for `len` scalars.
    pub fn scalars(name: impl Into<String>, scalar: Scalar, len: Nat, role: Role) -> Buffer {
        let element = Element::Scalar(scalar);
        Buffer { name: name.into(), element, len, role, values: Vec::new(), goes_round: false }
    }
}

/// The elements of a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// Scalars; all temporaries are of this kind. Vectors are stored as their lanes.
    Scalar(Scalar),
    /// Indices in the caller's memory, `u32` each; loads and stores see the scalar `u32`. (Temporaries of
    /// naturals are scalars `u64`.)
    Index,
    /// Tuples of small types in the caller's memory; accesses carry a path.
    Tuple(Arc<[DataType]>),
}

/// Whose memory a buffer is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The caller's, only read.
    Input,
    /// The caller's; also read where the result serves as accumulator.
    Output,
    /// Allocated for the call on the heap, or in global memory of a device.
    Heap,
    /// On the stack of the thread that declares it; the length is a constant.
    Stack,
    /// Memory of a work-group.
    Local,
    /// Known elements, in the program itself: no statement allocates or writes it.
    Constant,
}

/// Statements in order. A declaration is visible to the end of its block.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// Names the RISE expression that follows.
    Comment(String),
    /// A loop over `0..count`.
    For(Loop),
    /// An immutable scalar or vector.
    Let(Name, ValueType, Value),
    /// A natural that is computed at run time, for use in indices: an unsigned integer scalar, or
    /// [`Value::Nat`], [`Value::ClampIndex`] or [`Value::ToLine`], which are naturals already.
    LetNat(NatVar, Value),
    /// A mutable scalar or vector: a register. Without a value it is written before it is read.
    Var(Name, ValueType, Option<Value>),
    /// Assigns a register.
    Set(Name, Value),
    /// Writes memory.
    Store(Access, Value),
    /// Makes a temporary available, with undefined contents, to the end of the block.
    Alloc(BufferId),
    /// Two-way choice.
    If(Value, Block, Block),
    /// A block of its own for scoping.
    Block(Block),
    /// All work-items of a group wait; `local` and `global` say which memory must be consistent.
    Barrier {
        /// Local memory.
        local: bool,
        /// Global memory.
        global: bool,
    },
    /// Exchanges the memory behind two temporaries of equal length.
    Swap(BufferId, BufferId),
    /// Names memory that is there, to be read to the end of the block.
    Lend(Box<Lend>),
    /// Writes the product of two matrices by a library.
    Product(Box<Product>),
    /// Copies a square with its rows and columns exchanged.
    Transpose(Box<Transpose>),
    /// Writes some lanes of a vector.
    StorePart(Box<StorePart>),
    /// Asks for a line of memory to be brought to a cache. The buffer may end before it.
    Ask(Access, Cache),
}

/// A cache of a core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cache {
    /// The one that vectors are loaded from.
    First,
    /// The one behind it, or the first where that has room.
    Second,
}

/// A name for a copy that was made, or, where it was not, for what it would have been made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Lend {
    /// The name.
    pub rows: BufferId,
    /// Whether the copy was made.
    pub is_copy: Value,
    /// The copy, which stays where it is.
    pub copy: BufferId,
    /// The first element of what it would have been made of: memory of the caller, only read.
    pub from: Access,
}

/// A copy of scalars from rows to columns: element `j` of row `i` of the target is element `i` of row `j` of the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Transpose {
    /// The first element that is read; the elements of a row lie side by side.
    pub from: Access,
    /// The first element that is written, in other memory; here too.
    pub to: Access,
    /// From a row to the next, in the source and in the target.
    pub strides: [Nat; 2],
    /// Elements of a row of the target: 8 or 16.
    pub side: u32,
    /// Which elements.
    pub shape: Shape,
}

/// Which elements are transposed together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// As many rows as columns.
    Square,
    /// Twice as many rows, each of which begins one element before the one above: from column `-i` on.
    ///
    /// What lies between the first and the last element in the source is readable.
    Slant,
}

/// A store of some lanes of a vector, in memory that has room for all of them.
#[derive(Clone, PartialEq, Debug)]
pub struct StorePart {
    /// Where all lanes would be written.
    pub to: Access,
    /// All lanes.
    pub value: Value,
    /// Those that are written.
    pub part: LanesPart,
}

/// Lanes at an end of a vector. There may be none of them, and bounds beyond the last one.
#[derive(Clone, PartialEq, Debug)]
pub enum LanesPart {
    /// Those before a lane.
    Until(Nat),
    /// Those from a lane on.
    From(Nat),
}

/// A product of matrices: `rows × inner` by `inner × columns`.
#[derive(Clone, PartialEq, Debug)]
pub struct Product {
    /// The function.
    pub library: Arc<Library>,
    /// The elements, `f32` or `f64`.
    pub scalar: Scalar,
    /// Rows and columns of the result, and what is summed over.
    pub sizes: [Nat; 3],
    /// What is written; overlaps neither factor.
    pub result: Matrix,
    /// What is read.
    pub factors: [Matrix; 2],
}

/// A matrix in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    /// Its first element, whose index counts even where the matrix is empty.
    pub first: Access,
    /// From a row to the next, and from a column to the next; one of them is 1.
    pub strides: [Nat; 2],
}

/// A counted loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Runs from 0 to `count - 1`.
    pub var: NatVar,
    /// Number of iterations.
    pub count: Nat,
    /// How it runs.
    pub kind: LoopKind,
    /// One iteration.
    pub body: Block,
}

/// How a loop runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// One after the other.
    Seq,
    /// Written out; `count` is a constant. Removed by the pass `unroll`.
    Unroll,
    /// Iterations are the lanes of vectors; `count` is a constant. Removed by the pass `vectorize`.
    Vec,
    /// Iterations are independent and run on the threads of the CPU.
    Par,
    /// Over all work-items of a dimension.
    Global(u8),
    /// Over work-groups.
    WorkGroup(u8),
    /// Over the work-items of a group.
    Local(u8),
}

/// A place in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Which buffer.
    pub buffer: BufferId,
    /// Flat index of the (first) element.
    pub index: Nat,
    /// Component path inside a tuple element; empty for scalar elements.
    pub path: Vec<usize>,
    /// Number of consecutive elements that the access covers: 1, or the lanes of the value.
    pub lanes: u32,
    /// Whether memory is gone by: a vector is written past the cache, and where one is read, what lies some lines
    /// further on is asked for.
    pub streams: bool,
}

/// The type of a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ValueType {
    /// The element.
    pub scalar: Scalar,
    /// 1 for a scalar.
    pub lanes: u32,
}

impl ValueType {
    /// One scalar.
    pub fn scalar(scalar: Scalar) -> Self {
        Self { scalar, lanes: 1 }
    }

    /// Half of the lanes.
    pub fn half(self) -> Self {
        Self { lanes: self.lanes / 2, ..self }
    }
}

/// A computation without side effects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A constant.
    Literal(Literal),
    /// A register or parameter.
    Var(Name),
    /// A natural, as a machine integer of pointer size; only under [`Stmt::LetNat`].
    Nat(Nat),
    /// The same, of which the compiler behind is to know nothing, so that it keeps in a register what begins there;
    /// only under [`Stmt::LetNat`].
    Apart(Nat),
    /// Reads memory.
    Load(Access),
    /// Reads `lanes` elements at distance `stride` from a scalar access.
    Gather(Access, Nat, u32),
    /// One operand.
    Unary(Unary, ValueType, Box<Value>),
    /// Two operands of the type.
    Binary(Binary, ValueType, Box<Value>, Box<Value>),
    /// Compares operands of the type; the result is `bool` with as many lanes.
    Compare(Compare, ValueType, Box<Value>, Box<Value>),
    /// Compares naturals.
    CompareNat(Compare, Nat, Nat),
    /// Whether so many bytes are more than a core keeps in its cache.
    Large(Nat),
    /// Whether results are written past the caches where so many bytes are gone through: they are large, and no result
    /// lies in memory fresh from the system, which has just been cleared and is in the caches.
    Past(Nat),
    /// Whether vectors are lines of the cache, and the CPU writes them in one step.
    InLines,
    /// `a * b + c`, fused where the hardware is.
    MulAdd(ValueType, Box<[Value; 3]>),
    /// `a * b + c`, rounded once.
    Fma(ValueType, Box<[Value; 3]>),
    /// From a type to a scalar of as many lanes.
    Cast(ValueType, Scalar, Box<Value>),
    /// A natural as a scalar.
    FromNat(Scalar, Nat),
    /// An integer scalar of the type as a natural, clamped to `0..bound`: `x as Idx[n]`; only under
    /// [`Stmt::LetNat`].
    ClampIndex(Scalar, Nat, Box<Value>),
    /// The elements up to the first that lies as vectors of the access do in lines of the cache: fewer than
    /// its lanes, and 0 where there are few in all. Nothing is read; only under [`Stmt::LetNat`].
    ToLine(Access, Nat),
    /// Condition, then, else: all evaluated.
    Select(ValueType, Box<[Value; 3]>),
    /// All lanes equal.
    Broadcast(ValueType, Box<Value>),
    /// One lane.
    Lane(ValueType, u32, Box<Value>),
    /// The upper half of the lanes of a vector of the type, or the lower one: a power of two that is no single lane.
    Half(ValueType, bool, Box<Value>),
    /// A vector from its lanes.
    Lanes(ValueType, Vec<Value>),
    /// `start, start + step, …`: a natural that depends on the lane, as a vector of the scalar. Each lane is
    /// [`Value::FromNat`] of its natural.
    Ramp(ValueType, Nat, Nat),
    /// A foreign function in so many lanes.
    Foreign(Arc<Foreign>, u32, Vec<Value>),
}

impl Value {
    /// Whether there is any of so many.
    pub fn any(count: Nat) -> Self {
        Value::CompareNat(Compare::Lt, Nat::lit(0), count)
    }

    /// Whether it is a function that is computed by a formula of many operations, its operands apart.
    pub fn is_formula(&self) -> bool {
        use Unary::{Cos, Exp, Ln, Sin, Tan, Tanh};
        matches!(self, Value::Unary(Exp | Ln | Sin | Cos | Tan | Tanh, ..) | Value::Binary(Binary::Pow, ..))
    }

    /// Whether the way to memory is short beside it, on all cores: a power or a tangent takes ten times an exponential.
    pub fn is_long_formula(&self) -> bool {
        matches!(self, Value::Unary(Unary::Tan, ..) | Value::Binary(Binary::Pow, ..))
    }
}

impl Access {
    /// One scalar element.
    pub fn scalar(buffer: BufferId, index: Nat) -> Self {
        Self { buffer, index, path: Vec::new(), lanes: 1, streams: false }
    }
}

impl Buffer {
    /// The scalar that an access with this component path sees; indices are `u32`.
    pub fn scalar(&self, path: &[usize]) -> Scalar {
        match &self.element {
            Element::Scalar(scalar) => *scalar,
            Element::Index => Scalar::U32,
            Element::Tuple(parts) => component_scalar(parts, path),
        }
    }

    /// Bytes of a scalar of the buffer, all of whose elements are scalars. (Where they are tuples, of a guess.)
    pub fn scalar_bytes(&self) -> i64 {
        i64::from(self.scalar(&[]).bytes())
    }
}

fn component_scalar(parts: &[DataType], path: &[usize]) -> Scalar {
    match path.split_first().and_then(|(first, rest)| Some((parts.get(*first)?, rest))) {
        Some((DataType::Tuple(parts), rest)) => component_scalar(parts, rest),
        Some((DataType::Scalar(scalar) | DataType::Vector(scalar, _), _)) => *scalar,
        _ => Scalar::U32,
    }
}

impl Kernel {
    /// The buffer with this number.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.0 as usize]
    }

    /// Whether something depends on where results lie: see [`Value::Past`].
    pub fn asks_for_past(&self) -> bool {
        let mut found = false;
        super::walk::values(&self.body, &mut |value| found |= matches!(value, Value::Past(_)));
        found
    }
}
