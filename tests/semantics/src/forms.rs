//! Other implementation forms for the loops of a program, with the same meaning.

use rise_build::expr::{AddressSpace, Arg, Expr, Kernel, Kind, MapForm, Primitive, ReduceForm, map_children};

use crate::choices::Choices;

/// Some reductions with an associative operator run in parallel.
pub fn parallel_reductions(kernel: &Kernel, choices: &mut Choices<'_>) -> Kernel {
    change(kernel, &mut |primitive, _| match primitive {
        Primitive::Reduce(ReduceForm::Plain) if choices.flip() => Some(Primitive::Reduce(ReduceForm::Par)),
        _ => None,
    })
}

/// Loops that were chosen already run in other ways.
pub fn other_loops(kernel: &Kernel, choices: &mut Choices<'_>) -> Kernel {
    reform(kernel, choices, false)
}

/// The same, and some of constant length as lanes of vectors.
pub fn other_loops_and_vectors(kernel: &Kernel, choices: &mut Choices<'_>) -> Kernel {
    reform(kernel, choices, true)
}

/// Memory lies in this space where nothing was said.
pub fn memory_in(kernel: &Kernel, space: AddressSpace) -> Kernel {
    change(kernel, &mut |primitive, _| match primitive {
        Primitive::ToMem(AddressSpace::Default) => Some(Primitive::ToMem(space)),
        _ => None,
    })
}

fn reform(kernel: &Kernel, choices: &mut Choices<'_>, vectors: bool) -> Kernel {
    change(kernel, &mut |primitive, args| {
        let len = args.last().and_then(|array| array.expr().ty().as_array()?.0.as_const());
        let constant = len.is_some_and(|len| len <= 8);
        match primitive {
            Primitive::Map(MapForm::Seq)
                if vectors && matches!(len, Some(1 | 2 | 4 | 8)) && choices.flip() =>
            {
                Some(Primitive::Map(MapForm::Vec))
            }
            Primitive::Map(MapForm::Seq) => match choices.below(4) {
                0 => None,
                1 => Some(Primitive::Map(MapForm::Par)),
                2 => Some(Primitive::Map(MapForm::Stream)),
                _ => constant.then_some(Primitive::Map(MapForm::Unroll)),
            },
            Primitive::Reduce(ReduceForm::Seq(_)) => match choices.below(3) {
                0 => None,
                1 => constant.then_some(Primitive::Reduce(ReduceForm::Unroll(AddressSpace::Default))),
                _ => Some(Primitive::Reduce(ReduceForm::Seq(AddressSpace::Global))),
            },
            _ => None,
        }
    })
}

fn change(kernel: &Kernel, f: &mut dyn FnMut(&Primitive, &[Arg]) -> Option<Primitive>) -> Kernel {
    Kernel { body: rebuild(&kernel.body, f), ..kernel.clone() }
}

fn rebuild(expr: &Expr, f: &mut dyn FnMut(&Primitive, &[Arg]) -> Option<Primitive>) -> Expr {
    let mapped = map_children(expr, &mut |child| rebuild(child, f));
    let changed = match mapped.kind() {
        Kind::Prim(primitive, args) => f(primitive, args).map(|new| Kind::Prim(new, args.clone())),
        _ => None,
    };
    match changed {
        Some(kind) => mapped.with_kind(kind),
        None => mapped,
    }
}
