//! The elementary functions as text, for C.
//!
//! Each function is run on lanes that write down what is done with them. The backends of C compute what is written
//! there, so that both give the same bits and no formula stands in two places. `RISE_BLESS=1` writes the file anew.

use super::*;
use std::cell::RefCell;
use std::fmt::Write;

/// Where the formulas lie.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../rise-build/src/backend/c/formulas.in");

/// One step: `f32 t3 = add t1 t2`.
struct Step {
    /// `f32`, `u64` …, or `m32` and `m64` for truth values of lanes as wide.
    ty: String,
    op: &'static str,
    args: Vec<u32>,
    /// The text of a constant or a parameter.
    own: Option<String>,
}

thread_local! {
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

fn write_down(step: Step) -> u32 {
    STEPS.with_borrow_mut(|steps| {
        steps.push(step);
        steps.len() as u32 - 1
    })
}

fn step(ty: &str, op: &'static str, args: &[u32]) -> u32 {
    write_down(Step { ty: ty.to_owned(), op, args: args.to_vec(), own: None })
}

fn given(ty: &str, text: String) -> u32 {
    write_down(Step { ty: ty.to_owned(), op: "", args: Vec::new(), own: Some(text) })
}

fn type_of(at: u32) -> String {
    STEPS.with_borrow(|steps| steps[at as usize].ty.clone())
}

/// A truth value: the number of the step that gives it.
#[derive(Clone, Copy)]
struct Truth(u32);

impl Truth {
    fn of(op: &'static str, a: u32, b: u32) -> Truth {
        let ty = type_of(a);
        Truth(step(&format!("m{}", &ty[1..]), op, &[a, b]))
    }
}

impl Mask for Truth {
    type Half = Truth;
    const LANES: usize = 1;

    fn halves(self) -> (Truth, Truth) {
        (self, self)
    }

    fn join(lower: Truth, _: Truth) -> Truth {
        lower
    }

    fn and(self, other: Truth) -> Truth {
        Truth(step(&type_of(self.0), "and", &[self.0, other.0]))
    }

    fn or(self, other: Truth) -> Truth {
        Truth(step(&type_of(self.0), "or", &[self.0, other.0]))
    }

    fn xor(self, other: Truth) -> Truth {
        Truth(step(&type_of(self.0), "xor", &[self.0, other.0]))
    }

    fn not(self) -> Truth {
        Truth(step(&type_of(self.0), "not", &[self.0]))
    }
}

macro_rules! functions {
    ($written:ident $ty:literal: $($name:ident($($b:ident)?))*) => {$(
        fn $name(self $(, $b: Self)?) -> Self {
            $written(step($ty, stringify!($name), &[self.0 as u32 $(, $b.0 as u32)?]).into())
        }
    )*};
}

macro_rules! truths {
    ($($name:ident)*) => {$(
        fn $name(self, other: Self) -> Truth {
            Truth::of(stringify!($name), self.0 as u32, other.0 as u32)
        }
    )*};
}

/// Lanes of a type that are written down: each is the number of a step, as large as the lane itself.
macro_rules! written {
    ($($written:ident($number:ident) $elem:ident $ty:literal: $($float:ident)?;)*) => {$(
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        struct $written($number);

        // SAFETY: one lane of the size of its element, and any number will do.
        unsafe impl Simd for $written {
            type Elem = $elem;
            type Mask = Truth;
            type Half = Self;
            const LANES: usize = 1;

            fn halves(self) -> (Self, Self) {
                (self, self)
            }

            fn join(lower: Self, _: Self) -> Self {
                lower
            }

            fn splat(value: $elem) -> Self {
                $written(given($ty, format!("{value:?}_{}", $ty)).into())
            }

            fn select(mask: Truth, a: Self, b: Self) -> Self {
                $written(step($ty, "select", &[mask.0, a.0 as u32, b.0 as u32]).into())
            }

            fn cast<B: Simd<Mask = Truth>>(self) -> B {
                let of_float = self.0 as u32;
                let (ty, size) = (std::any::type_name::<B::Elem>(), size_of::<B>());
                let number = u64::from(step(ty, "cast", &[of_float]));
                assert!(size <= size_of::<u64>() && cfg!(target_endian = "little"));
                // SAFETY: any number is a lane, and the low bytes of this one come first.
                unsafe { B::load((&raw const number).cast()) }
            }

            functions! { $written $ty: add(b) sub(b) mul(b) div(b) min(b) max(b) neg() abs() }
            truths! { eq ne lt le gt ge }
        }
    )*};
}

written! {
    WrittenF32(u32) f32 "f32":;
    WrittenF64(u64) f64 "f64":;
    WrittenU32(u32) u32 "u32":;
    WrittenU64(u64) u64 "u64":;
}

macro_rules! written_ints {
    ($($written:ident $ty:literal;)*) => {$(
        impl Int for $written {
            type LowerHalf = Self;
            functions! { $written $ty: and(b) or(b) xor(b) shl(b) shr(b) }
        }
    )*};
}

written_ints! {
    WrittenU32 "u32";
    WrittenU64 "u64";
}

macro_rules! written_floats {
    ($($written:ident $bits:ident $ty:literal $bits_ty:literal;)*) => {$(
        impl Float for $written {
            type LowerHalf = Self;
            type Bits = $bits;
            type Double = WrittenF64;

            fn to_bits(self) -> $bits {
                $bits(step($bits_ty, "bits", &[self.0 as u32]).into())
            }

            fn from_bits(bits: $bits) -> Self {
                $written(step($ty, "bits", &[bits.0 as u32]).into())
            }

            fn scaled(self, n: Self, rounded: Self) -> Option<Self> {
                Some($written(step($ty, "scaled", &[self.0 as u32, n.0 as u32, rounded.0 as u32]).into()))
            }

            fn with_large_angles(self, n: $bits, y: Self, z: Self) -> ($bits, Self, Self) {
                // The copies are what is written to.
                let n = $bits(step($bits_ty, "copy", &[n.0 as u32]).into());
                let y = $written(step($ty, "copy", &[y.0 as u32]).into());
                let z = $written(step($ty, "copy", &[z.0 as u32]).into());
                step("", "large_angles", &[self.0 as u32, n.0 as u32, y.0 as u32, z.0 as u32]);
                (n, y, z)
            }

            functions! { $written $ty: floor() exp() }
        }
    )*};
}

written_floats! {
    WrittenF32 WrittenU32 "f32" "u32";
    WrittenF64 WrittenU64 "f64" "u64";
}

/// The steps that the result needs. What is written to is needed with what writes.
fn needed(steps: &[Step], result: u32) -> Vec<bool> {
    let mut needed = vec![false; steps.len()];
    needed[result as usize] = true;
    for (at, step) in steps.iter().enumerate().rev() {
        needed[at] |= step.op == "large_angles" && step.args.iter().any(|arg| needed[*arg as usize]);
        if needed[at] {
            step.args.iter().for_each(|arg| needed[*arg as usize] = true);
        }
    }
    needed
}

/// A function with its parameters, step by step.
fn formula(name: &str, ty: &str, params: &[&str], body: impl FnOnce(&[u32]) -> u32) -> String {
    STEPS.take();
    let arguments: Vec<u32> = params.iter().map(|param| given(ty, (*param).to_owned())).collect();
    let result = body(&arguments);
    let steps = STEPS.take();
    let needed = needed(&steps, result);
    let mut text = format!("{name} {ty} {}\n", params.join(" "));
    let mut names: Vec<String> = Vec::new();
    let mut count = 0;
    for (step, needed) in steps.iter().zip(needed) {
        let name = step.own.clone().unwrap_or_else(|| format!("t{count}"));
        if needed && step.own.is_none() {
            let args: Vec<&str> = step.args.iter().map(|arg| names[*arg as usize].as_str()).collect();
            let place = if step.ty.is_empty() { String::new() } else { format!("{} {name} = ", step.ty) };
            writeln!(text, "    {place}{} {}", step.op, args.join(" ")).unwrap();
            count += 1;
        }
        names.push(name);
    }
    writeln!(text, "    return {}", names[result as usize]).unwrap();
    text
}

macro_rules! formulas {
    ($($ty:ident $written:ident: $($name:ident)*;)*) => {[
        $($(formula(stringify!($name), stringify!($ty), &["a"], |args| {
            <$ty as FloatElement>::$name($written(args[0].into())).0 as u32
        }),)*)*
        $(formula("pow", stringify!($ty), &["a", "b"], |args| {
            <$ty as FloatElement>::pow($written(args[0].into()), $written(args[1].into())).0 as u32
        }),)*
    ]};
}

fn all() -> String {
    let mut all = formulas! {
        f32 WrittenF32: exp ln sin cos tan tanh;
        f64 WrittenF64: exp ln sin cos tan tanh;
    }
    .to_vec();
    all.push(formula("scaled", "f32", &["a", "b", "c"], |args| {
        math::scaled_by_bits_f32(WrittenF32(args[0]), WrittenF32(args[2])).0
    }));
    all.push(formula("scaled", "f64", &["a", "b", "c"], |args| {
        math::scaled_by_bits_f64(WrittenF64(args[0].into()), WrittenF64(args[2].into())).0 as u32
    }));
    all.join("\n")
}

#[test]
fn formulas_for_c_are_up_to_date() {
    if std::env::var_os("RISE_BLESS").is_some() {
        std::fs::write(FILE, all()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(FILE).unwrap_or_default(), all(), "RISE_BLESS=1 writes {FILE} anew");
}
