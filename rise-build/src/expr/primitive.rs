//! The table of primitives.
//!
//! Arguments stand in one order everywhere: naturals (kept inside the variant), functions, initial or
//! fill values, other arrays, and the array worked on last. [`TABLE`] is the only place where a
//! primitive's surface name, arity and type scheme are declared.

use std::sync::Arc;

use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

/// A primitive with its naturals; see [`TABLE`] for types and meaning.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Primitive {
    /// One operand of scalar or vector type.
    Unary(Unary),
    /// Two operands of the same scalar or vector type.
    Binary(Binary),
    /// Two operands of the same type, result `bool`; on vectors, lane masks `Simd<bool, n>`.
    Compare(Compare),
    /// `a * b + c`; fused where the hardware is.
    MulAdd,
    /// `a * b + c`, rounded once everywhere.
    Fma,
    /// Conversion with the meaning of Rust's `as`; to `Idx[n]` it clamps.
    Cast(DataType),
    /// `if`: condition, then, else.
    Select,
    /// A call of a foreign scalar function.
    Foreign(Arc<Foreign>),
    /// The product of two matrices by a function of a library.
    Product(Arc<Library>),
    /// `(a, b, …)`
    Tuple,
    /// `.0`, `.1`, …
    Proj(usize),
    /// `zip(a, b)`
    Zip,
    /// `unzip(ab)`
    Unzip,
    /// `map(f, xs)` and its implementations.
    Map(MapForm),
    /// `reduce(f, z, xs)` and its implementations; `f(acc, x)`.
    Reduce(ReduceForm),
    /// Inclusive `scan(f, z, xs)`; `f(acc, x)`.
    Scan(ScanForm),
    /// `iterate(k, f, xs)`; `f` has one natural parameter, the output length, or none where it keeps the length.
    Iterate(Nat),
    /// `generate(f)`; `f` takes an index.
    Generate,
    /// `[a, b, …]`
    MakeArray,
    /// `xs[i]`; index, array.
    Idx,
    /// `update(f, i, xs)`: element `i` is `f` of what it was.
    Update,
    /// Computes its argument into memory.
    ToMem(AddressSpace),
    /// `split(n, xs)`
    Split(Nat),
    /// `join(xss)`
    Join,
    /// `transpose(xss)`
    Transpose,
    /// `slide(size, step, xs)`
    Slide(Nat, Nat),
    /// `take(n, xs)`
    Take(Nat),
    /// `drop(n, xs)`
    Drop(Nat),
    /// `concat(xs, ys)`
    Concat,
    /// `padClamp(l, r, xs)`
    PadClamp(Nat, Nat),
    /// `padCst(l, r, value, xs)`
    PadCst(Nat, Nat),
    /// `padEmpty(r, xs)`: `r` further elements whose values nobody may depend on.
    PadEmpty(Nat),
    /// `gather(indices, xs)`
    Gather,
    /// `scatter(indices, xs)`: element `i` goes to position `indices[i]`.
    Scatter,
    /// `reorder(f, g, xs)`: element `i` of the result is element `f(i)`; `g` is the inverse of `f`.
    Reorder(NatFun, NatFun),
    /// `asVector(n, xs)`
    AsVector(u32),
    /// `asScalar(xs)`
    AsScalar,
    /// `vectorFromScalar(x)` with all lanes equal.
    VectorFromScalar(u32),
    /// `circularBuffer(alloc, size, load, xs)`: windows of `size` of the loaded elements, of which
    /// `alloc` are kept.
    CircularBuffer(Nat, Nat),
    /// `rotateValues(size, write, xs)`: windows of `size` kept in registers.
    RotateValues(Nat),
    /// `depMap(f, xs)`: `f` takes a natural, the position, and the element.
    DepMap(MapForm),
    /// `partition(m, lengths, xs)`: `m` parts of lengths `lengths(i)`.
    Partition(Nat, NatFun),
    /// `depZip(xs, ys)`
    DepZip,
    /// `depJoin(xss)`
    DepJoin,
}

impl Primitive {
    /// Whether the result is the elements of one array in another order or shape, each at most once.
    pub fn rearranges(&self) -> bool {
        use Primitive::*;
        matches!(self, Split(_) | Join | Transpose | Take(_) | Drop(_) | Reorder(..) | AsVector(_) | AsScalar)
    }

    /// Whether the result is the elements of the operands and nothing else: a view, whatever it is used for.
    pub fn is_view(&self) -> bool {
        use Primitive::*;
        self.rearranges() || matches!(self, Zip | Unzip | Slide(..) | Concat | PadClamp(..) | PadCst(..))
    }
}

/// How a map is carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MapForm {
    /// Not chosen; in read position a view.
    Plain,
    /// A loop.
    Seq,
    /// A loop written out; the length is a constant.
    Unroll,
    /// The lanes of one vector; the length is a constant.
    Vec,
    /// A parallel loop of the CPU.
    Par,
    /// Element by element, as a stream that the consumer pulls.
    Stream,
    /// Over all work-items of dimension `d`.
    Global(u8),
    /// Over the work-groups of dimension `d`.
    WorkGroup(u8),
    /// Over the work-items of a group in dimension `d`.
    Local(u8),
}

/// How a reduction is carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ReduceForm {
    /// Not chosen; the operator is declared associative by whoever writes this.
    Plain,
    /// A loop from left to right with its accumulator in the given space.
    Seq(AddressSpace),
    /// The same, written out.
    Unroll(AddressSpace),
    /// In fixed chunks, in parallel, then the chunks' results in order.
    Par,
}

/// How a scan is carried out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScanForm {
    /// Not chosen.
    Plain,
    /// A loop from left to right.
    Seq,
}

/// Where memory lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressSpace {
    /// The memory planner of a CPU target decides; OpenCL asks for a choice.
    Default,
    /// Memory of the device.
    Global,
    /// Memory of a work-group.
    Local,
    /// Registers or stack of one thread.
    Private,
}

/// A function from naturals to naturals.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NatFun {
    /// The parameter.
    pub var: NatVar,
    /// The result.
    pub body: Nat,
}

impl NatFun {
    /// The result at `arg`.
    pub fn apply(&self, arg: &Nat) -> Nat {
        self.body.subst(&self.var, arg)
    }
}

/// A function of a library that multiplies matrices of `f32` or `f64`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Library {
    /// The name in RISE.
    pub name: String,
    /// The Rust path of a function with the parameters of `gemm::gemm`, if declared.
    pub rust: Option<String>,
    /// The symbol of a function in C with the parameters of `cblas_sgemm`, if declared.
    pub c: Option<String>,
}

/// A foreign scalar function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Foreign {
    /// The name in RISE.
    pub name: String,
    /// The Rust path, if declared.
    pub rust: Option<String>,
    /// The C symbol, if declared.
    pub c: Option<String>,
    /// What computes several lanes at once, where declared.
    pub vectors: Vec<ForeignVectors>,
    /// Parameter types.
    pub params: Vec<DataType>,
    /// Result type.
    pub result: DataType,
}

/// A version of a foreign function for vectors, whose lanes are passed as arrays.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ForeignVectors {
    /// How many at once.
    pub lanes: u32,
    /// The Rust path, if declared: `fn([t; lanes], …) -> [r; lanes]`.
    pub rust: Option<String>,
    /// The C symbol, if declared: `void (const t *, …, r *)`.
    pub c: Option<String>,
}

impl Foreign {
    /// The scalars of parameters and result, if all are numbers: those that vectors can hold.
    pub fn numbers(&self) -> Option<(Vec<Scalar>, Scalar)> {
        let number = |ty: &DataType| ty.scalar().filter(|scalar| *scalar != Scalar::Bool);
        Some((self.params.iter().map(number).collect::<Option<_>>()?, number(&self.result)?))
    }
}

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name as a function in RISE.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

operators! {
    /// Functions of one scalar.
    Unary {
        /// `-x`; wraps.
        Neg = "neg",
        /// `!x`, on `bool` and integers.
        Not = "not",
        /// Absolute value; wraps.
        Abs = "abs",
        /// Square root.
        Sqrt = "sqrt",
        /// `1 / sqrt(x)`
        Rsqrt = "rsqrt",
        /// The exponential function.
        Exp = "exp",
        /// The natural logarithm.
        Ln = "ln",
        /// Sine.
        Sin = "sin",
        /// Cosine.
        Cos = "cos",
        /// Tangent.
        Tan = "tan",
        /// Hyperbolic tangent.
        Tanh = "tanh",
        /// Largest integer not above.
        Floor = "floor",
        /// Smallest integer not below.
        Ceil = "ceil",
        /// Nearest integer, halves away from zero.
        Round = "round",
    }
}

operators! {
    /// Functions of two scalars of one type.
    Binary {
        /// `a + b`
        Add = "add",
        /// `a - b`
        Sub = "sub",
        /// `a * b`
        Mul = "mul",
        /// `a / b`; for integers `a / 0 = 0` and `MIN / -1 = MIN`.
        Div = "div",
        /// `a % b`; for integers `a % 0 = a`.
        Rem = "rem",
        /// `if a < b { a } else { b }`
        Min = "min",
        /// `if a > b { a } else { b }`
        Max = "max",
        /// `a & b` and `a && b`
        And = "and",
        /// `a | b` and `a || b`
        Or = "or",
        /// `a ^ b`
        Xor = "xor",
        /// Shift left; the distance is masked.
        Shl = "shl",
        /// Shift right; the distance is masked.
        Shr = "shr",
        /// `a` to the power of `b`, floats.
        Pow = "pow",
    }
}

operators! {
    /// Comparisons.
    Compare {
        /// `a == b`
        Eq = "eq",
        /// `a != b`
        Ne = "ne",
        /// `a < b`
        Lt = "lt",
        /// `a <= b`
        Le = "le",
        /// `a > b`
        Gt = "gt",
        /// `a >= b`
        Ge = "ge",
    }
}

impl Unary {
    /// Which scalar types it takes.
    pub fn accepts(self, scalar: Scalar) -> bool {
        match self {
            Unary::Neg | Unary::Abs => scalar != Scalar::Bool,
            Unary::Not => !scalar.is_float(),
            _ => scalar.is_float(),
        }
    }
}

impl Binary {
    /// Which scalar types it takes.
    pub fn accepts(self, scalar: Scalar) -> bool {
        match self {
            Binary::And | Binary::Or | Binary::Xor => !scalar.is_float(),
            Binary::Shl | Binary::Shr => scalar.is_integer(),
            Binary::Pow => scalar.is_float(),
            _ => scalar != Scalar::Bool,
        }
    }

    /// What it makes of naturals, if it takes them; `^` between naturals is the power.
    pub fn of_naturals(self, a: &Nat, b: &Nat) -> Option<Nat> {
        Some(match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a.div(b),
            Binary::Rem => a.rem(b),
            Binary::Min => Nat::min(a, b),
            Binary::Max => Nat::max(a, b),
            Binary::Pow | Binary::Xor => a.pow(b),
            Binary::And | Binary::Or | Binary::Shl | Binary::Shr => return None,
        })
    }

    /// `a ∘ b = b ∘ a`, as numbers.
    pub fn is_commutative(self) -> bool {
        use Binary::*;
        matches!(self, Add | Mul | Min | Max | And | Or | Xor)
    }
}

impl Compare {
    /// Which scalar types it takes.
    pub fn accepts(self, scalar: Scalar) -> bool {
        scalar != Scalar::Bool || matches!(self, Compare::Eq | Compare::Ne)
    }

    /// Its operator, in RISE and in all targets.
    pub fn symbol(self) -> &'static str {
        match self {
            Compare::Eq => "==",
            Compare::Ne => "!=",
            Compare::Lt => "<",
            Compare::Le => "<=",
            Compare::Gt => ">",
            Compare::Ge => ">=",
        }
    }
}

/// One row of the table: a primitive as users write it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The names in the language; the first is the one that is printed.
    pub names: &'static [&'static str],
    /// Kinds of the leading explicit arguments that are no values.
    pub kinds: &'static [ArgKind],
    /// Type scheme: `s t` are data types, other small letters naturals; inferred unless in `kinds`.
    pub scheme: &'static str,
    /// The denotation in one sentence.
    pub doc: &'static str,
    /// Makes the primitive from its leading arguments.
    pub make: fn(&[StaticArg]) -> Primitive,
}

/// The kind of an explicit argument that is part of the primitive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgKind {
    /// A natural, bound to this letter in the scheme.
    Nat(&'static str),
    /// A function from naturals to naturals, bound to this letter.
    NatFun(&'static str),
    /// A dimension 0, 1 or 2 that may be left out.
    Dimension,
    /// An address space that may be left out.
    Space,
}

/// The value of such an argument.
#[derive(Clone, Debug)]
pub enum StaticArg {
    /// A natural.
    Nat(Nat),
    /// A function from naturals to naturals.
    NatFun(NatFun),
    /// A dimension.
    Dimension(u8),
    /// An address space.
    Space(AddressSpace),
}

fn nat(args: &[StaticArg], position: usize) -> Nat {
    match &args[position] {
        StaticArg::Nat(nat) => nat.clone(),
        other => bug_arg(other),
    }
}

fn nat_fun(args: &[StaticArg], position: usize) -> NatFun {
    match &args[position] {
        StaticArg::NatFun(fun) => fun.clone(),
        other => bug_arg(other),
    }
}

fn dimension(args: &[StaticArg]) -> u8 {
    match &args[0] {
        StaticArg::Dimension(dimension) => *dimension,
        other => bug_arg(other),
    }
}

fn space(args: &[StaticArg]) -> AddressSpace {
    match &args[0] {
        StaticArg::Space(space) => *space,
        other => bug_arg(other),
    }
}

fn lanes(args: &[StaticArg]) -> u32 {
    nat(args, 0).as_const().and_then(|lanes| u32::try_from(lanes).ok()).unwrap_or(0)
}

fn bug_arg(arg: &StaticArg) -> ! {
    panic!("bug in the table of primitives: unexpected static argument {arg:?}")
}

macro_rules! table {
    ($($names:literal [$($kind:expr),*] $scheme:literal $doc:literal $make:expr;)*) => {
        &[$(Row {
            names: &split_names($names),
            kinds: &[$($kind),*],
            scheme: $scheme,
            doc: $doc,
            make: $make,
        },)*]
    };
}

const fn split_names(names: &'static str) -> [&'static str; 2] {
    let bytes = names.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b' ' {
            let (first, rest) = names.split_at(at);
            let (_, second) = rest.split_at(1);
            return [first, second];
        }
        at += 1;
    }
    [names, names]
}

use ArgKind::{Dimension as D, Nat as N, NatFun as NF, Space as A};

/// All array primitives of the language. Operators and scalar functions are in [`Unary`], [`Binary`],
/// [`Compare`]; `if`, tuples, projections, casts, array literals and indexing have syntax of their own.
pub const TABLE: &[Row] = table! {
    "map" [] "(s -> t) -> [s; n] -> [t; n]" "Applies the function to every element." |_| Primitive::Map(MapForm::Plain);
    "mapSeq toMapSeq" [] "(s -> t) -> [s; n] -> [t; n]" "`map` as a loop." |_| Primitive::Map(MapForm::Seq);
    "mapSeqUnroll toMapSeqUnroll" [] "(s -> t) -> [s; n] -> [t; n]" "`map` as a loop that is written out; the length is a constant." |_| Primitive::Map(MapForm::Unroll);
    "mapVec toMapVec" [] "(s -> t) -> [s; n] -> [t; n]" "`map` in vectors, one lane for each element; longer and symbolic lengths are cut into vectors." |_| Primitive::Map(MapForm::Vec);
    "mapPar toMapPar" [] "(s -> t) -> [s; n] -> [t; n]" "`map` as a parallel loop." |_| Primitive::Map(MapForm::Par);
    "mapStream toMapStream" [] "(s -> t) -> [s; n] -> [t; n]" "`map` whose results are consumed one by one." |_| Primitive::Map(MapForm::Stream);
    "mapGlobal toMapGlobal" [D] "(s -> t) -> [s; n] -> [t; n]" "`map` over all work-items of a dimension." |a| Primitive::Map(MapForm::Global(dimension(a)));
    "mapWorkGroup toMapWorkGroup" [D] "(s -> t) -> [s; n] -> [t; n]" "`map` over the work-groups of a dimension." |a| Primitive::Map(MapForm::WorkGroup(dimension(a)));
    "mapLocal toMapLocal" [D] "(s -> t) -> [s; n] -> [t; n]" "`map` over the work-items of a group in a dimension." |a| Primitive::Map(MapForm::Local(dimension(a)));
    "reduce" [] "(t -> t -> t) -> t -> [t; n] -> t" "Folds with an operator that is declared associative; not commutative." |_| Primitive::Reduce(ReduceForm::Plain);
    "reduceSeq toReduceSeq" [A] "(t -> s -> t) -> t -> [s; n] -> t" "Folds from left to right." |a| Primitive::Reduce(ReduceForm::Seq(space(a)));
    "reduceSeqUnroll toReduceSeqUnroll" [A] "(t -> s -> t) -> t -> [s; n] -> t" "Folds from left to right, written out; the length is a constant." |a| Primitive::Reduce(ReduceForm::Unroll(space(a)));
    "reducePar toReducePar" [] "(t -> t -> t) -> t -> [t; n] -> t" "Folds in parallel, in chunks that depend on the length alone." |_| Primitive::Reduce(ReduceForm::Par);
    "scan" [] "(t -> s -> t) -> t -> [s; n] -> [t; n]" "Element `i` is the fold of elements `0..=i`; the initial value is not emitted." |_| Primitive::Scan(ScanForm::Plain);
    "scanSeq toScanSeq" [] "(t -> s -> t) -> t -> [s; n] -> [t; n]" "`scan` as a loop." |_| Primitive::Scan(ScanForm::Seq);
    "iterate" [N("k")] "((l: Nat) => [t; l * b] -> [t; l]) -> [t; m * b ^ k] -> [t; m]" "Applies a length-dividing function `k` times; one that keeps the length need not take others." |a| Primitive::Iterate(nat(a, 0));
    "generate" [] "(Idx[n] -> t) -> [t; n]" "Element `i` is the function at `i`." |_| Primitive::Generate;
    "zip" [] "[s; n] -> [t; n] -> [(s, t); n]" "Pairs elements of the same position." |_| Primitive::Zip;
    "unzip" [] "[(s, t); n] -> ([s; n], [t; n])" "The inverse of `zip`; of longer tuples, an array of each of their parts." |_| Primitive::Unzip;
    "idx" [] "Idx[n] -> [t; n] -> t" "One element." |_| Primitive::Idx;
    "update" [] "(t -> t) -> Idx[n] -> [t; n] -> [t; n]" "Element `i` is the function of what it was, and all others stay." |_| Primitive::Update;
    "toMem" [A] "t -> t" "Computes the argument into memory." |a| Primitive::ToMem(space(a));
    "split" [N("n")] "[t; m * n] -> [[t; n]; m]" "Cuts into pieces of length `n`." |a| Primitive::Split(nat(a, 0));
    "join" [] "[[t; m]; n] -> [t; n * m]" "The inverse of `split`." |_| Primitive::Join;
    "transpose" [] "[[t; m]; n] -> [[t; n]; m]" "Swaps the two outer dimensions." |_| Primitive::Transpose;
    "slide" [N("a"), N("b")] "[t; b * n + a] -> [[t; a]; n + 1]" "Windows of length `a` at distance `b`." |a| Primitive::Slide(nat(a, 0), nat(a, 1));
    "take" [N("n")] "[t; n + m] -> [t; n]" "The first `n` elements." |a| Primitive::Take(nat(a, 0));
    "drop" [N("n")] "[t; n + m] -> [t; m]" "All but the first `n` elements." |a| Primitive::Drop(nat(a, 0));
    "concat" [] "[t; n] -> [t; m] -> [t; n + m]" "The first array, then the second." |_| Primitive::Concat;
    "padClamp" [N("a"), N("b")] "[t; n] -> [t; a + n + b]" "Repeats the first element `a` times in front and the last `b` times behind." |a| Primitive::PadClamp(nat(a, 0), nat(a, 1));
    "padCst" [N("a"), N("b")] "t -> [t; n] -> [t; a + n + b]" "The value `a` times in front and `b` times behind." |a| Primitive::PadCst(nat(a, 0), nat(a, 1));
    "padEmpty" [N("a")] "[t; n] -> [t; n + a]" "Appends `a` elements without a defined value." |a| Primitive::PadEmpty(nat(a, 0));
    "gather" [] "[Idx[n]; m] -> [t; n] -> [t; m]" "Element `i` is the element at the `i`-th index." |_| Primitive::Gather;
    "scatter" [] "[Idx[m]; n] -> [t; n] -> [t; m]" "Element `i` goes to the `i`-th index; the indices are a permutation." |_| Primitive::Scatter;
    "reorder" [NF("f"), NF("g")] "[t; n] -> [t; n]" "Element `i` of the result is element `f(i)`; `g` is the inverse of `f`." |a| Primitive::Reorder(nat_fun(a, 0), nat_fun(a, 1));
    "asVector" [N("n")] "[t; m * n] -> [Simd<t, n>; m]" "Groups scalars into vectors." |a| Primitive::AsVector(lanes(a));
    "asScalar" [] "[Simd<t, n>; m] -> [t; m * n]" "The inverse of `asVector`." |_| Primitive::AsScalar;
    "vectorFromScalar" [N("n")] "t -> Simd<t, n>" "A vector with equal lanes." |a| Primitive::VectorFromScalar(lanes(a));
    "circularBuffer" [N("a"), N("b")] "(s -> t) -> [s; n + b - 1] -> [[t; b]; n]" "Windows of length `b` of loaded elements, of which the last `a` are kept in memory." |a| Primitive::CircularBuffer(nat(a, 0), nat(a, 1));
    "rotateValues" [N("b")] "(s -> t) -> [s; n + b - 1] -> [[t; b]; n]" "Windows of length `b` that move through registers." |a| Primitive::RotateValues(nat(a, 0));
    "depMap" [] "((i: Nat) => s(i) -> t(i)) -> [i => s(i); n] -> [i => t(i); n]" "Applies a function that knows the position." |_| Primitive::DepMap(MapForm::Plain);
    "depMapSeq" [] "((i: Nat) => s(i) -> t(i)) -> [i => s(i); n] -> [i => t(i); n]" "`depMap` as a loop." |_| Primitive::DepMap(MapForm::Seq);
    "depMapPar" [] "((i: Nat) => s(i) -> t(i)) -> [i => s(i); n] -> [i => t(i); n]" "`depMap` as a parallel loop." |_| Primitive::DepMap(MapForm::Par);
    "partition" [N("m"), NF("f")] "[t; sum(i in 0..m, f(i))] -> [i => [t; f(i)]; m]" "Cuts into `m` parts of lengths `f(i)`." |a| Primitive::Partition(nat(a, 0), nat_fun(a, 1));
    "depZip" [] "[i => s(i); n] -> [i => t(i); n] -> [i => (s(i), t(i)); n]" "Pairs elements of the same position." |_| Primitive::DepZip;
    "depJoin" [] "[i => [t; f(i)]; n] -> [t; sum(i in 0..n, f(i))]" "The inverse of `partition`." |_| Primitive::DepJoin;
};

/// The row of a primitive by one of its names.
pub fn lookup(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.names.contains(&name))
}
