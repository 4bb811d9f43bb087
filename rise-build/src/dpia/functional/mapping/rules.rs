//! The table of rules that a phrase can break on its own.

use crate::expr::AddressSpace;

use super::super::{Kind, LoopForm, Operation, Phrase, Target, View};
use super::{Place, form, is_parallel, length, loop_name, space};

/// A condition on every phrase.
pub(super) struct Rule {
    /// Whether the phrase breaks it here.
    pub(super) broken: fn(&Phrase, &Place) -> bool,
    /// Why that is wrong.
    pub(super) reason: fn(&Phrase, &Place) -> String,
    /// What to do instead.
    pub(super) help: &'static str,
}

/// All of them; of several that a phrase breaks the first is reported.
pub(super) const RULES: &[Rule] = &[
    Rule {
        broken: |phrase, place| form(phrase).is_some_and(|form| !place.target.runs(form)),
        reason: |phrase, place| {
            let name = form(phrase).map(loop_name).unwrap_or_default();
            format!("the target `{}` has no `{name}`", place.target.name())
        },
        help: "use `mapPar` or `mapSeq` for CPUs, and `mapGlobal`, `mapWorkGroup` and `mapLocal` in dimensions 0 to 2 for OpenCL",
    },
    Rule {
        broken: |phrase, place| matches!(phrase.kind, Kind::ReducePar(..)) && place.target == Target::OpenCl,
        reason: |_, _| "the target `opencl` has no `reducePar`".into(),
        help: "split the fold, and reduce the parts with `reduceSeq` inside `mapGlobal` or `mapLocal`",
    },
    Rule {
        broken: |phrase, place| match &phrase.kind {
            Kind::Product(library, _) => !place.target.calls(library),
            _ => false,
        },
        reason: |phrase, place| {
            let name = if let Kind::Product(library, _) = &phrase.kind { &library.name } else { "" };
            format!("`{name}` is no function that the target `{}` can call", place.target.name())
        },
        help: "`rust` calls functions like `gemm::gemm`, `c` and `openmp` like `cblas_sgemm`, `opencl` none; an `extern fn … = gemm::gemm, \"cblas_sgemm\";` is for both",
    },
    Rule {
        broken: |phrase, place| match &phrase.kind {
            Kind::Scalar(Operation::Foreign(foreign), _) => match place.target {
                Target::Rust => false,
                Target::C | Target::OpenMp | Target::OpenCl => foreign.c.is_none(),
            },
            _ => false,
        },
        reason: |phrase, place| {
            let name = if let Kind::Scalar(Operation::Foreign(foreign), _) = &phrase.kind {
                &foreign.name
            } else {
                ""
            };
            format!("`{name}` is a function of Rust, which the target `{}` cannot call", place.target.name())
        },
        help: "name a function of C as well: `extern fn f(x: f32) -> f32 = path::f, \"symbol\";`",
    },
    Rule {
        broken: |phrase, place| space(phrase).is_some_and(|space| !place.target.holds(space)),
        reason: |_, place| format!("the target `{}` has no local memory", place.target.name()),
        help: "use `toMem(Global)` or `toMem(Private)`",
    },
    Rule {
        broken: |phrase, _| {
            form(phrase) == Some(LoopForm::Unroll)
                && length(phrase).is_some_and(|len| len.as_const().is_none())
        },
        reason: |phrase, _| {
            let len = length(phrase).map_or_else(String::new, ToString::to_string);
            format!("only a loop of constant length can be written out; this one has length `{len}`")
        },
        help: "split by a constant first",
    },
    Rule {
        broken: |phrase, place| {
            form(phrase).is_some_and(|form| is_work_item(form) && place.nest.contains(&form))
        },
        reason: |phrase, _| {
            let name = form(phrase).map(loop_name).unwrap_or_default();
            format!("`{name}` inside `{name}`: the work-items of one dimension cannot be shared out twice")
        },
        help: "use another dimension, or `mapSeq`",
    },
    Rule {
        broken: |phrase, place| match form(phrase) {
            Some(LoopForm::Local(d)) => !place.nest.contains(&LoopForm::WorkGroup(d)),
            _ => false,
        },
        reason: |phrase, _| {
            let name = form(phrase).map(loop_name).unwrap_or_default();
            format!(
                "`{name}` shares out the work-items of a work-group, but no `mapWorkGroup` of this dimension is around it"
            )
        },
        help: "put a `mapWorkGroup` of the same dimension around it, or use `mapGlobal`",
    },
    Rule {
        broken: |phrase, place| match form(phrase) {
            Some(LoopForm::WorkGroup(_)) => {
                place.inside(|form| matches!(form, LoopForm::Local(_) | LoopForm::Global(_)))
            }
            Some(LoopForm::Global(_)) => {
                place.inside(|form| matches!(form, LoopForm::Local(_) | LoopForm::WorkGroup(_)))
            }
            _ => false,
        },
        reason: |phrase, place| {
            let name = form(phrase).map(loop_name).unwrap_or_default();
            let outer = place.nest.iter().rev().find(|form| is_work_item(**form));
            let outer = outer.map(|form| loop_name(*form)).unwrap_or_default();
            format!("`{name}` inside `{outer}`: the work-items are shared out already")
        },
        help: "work-groups come first, then `mapLocal`; `mapGlobal` stands for both",
    },
    Rule {
        broken: |phrase, place| {
            place.target == Target::OpenCl
                && matches!(phrase.kind, Kind::ToMem(AddressSpace::Default, _))
                && !phrase.ty.is_small()
        },
        reason: |_, _| "this memory holds an array, and OpenCL wants to know where it lies".into(),
        help: "choose `toMem(Global)`, `toMem(Local)` or `toMem(Private)`",
    },
    Rule {
        broken: |phrase, place| {
            space(phrase) == Some(AddressSpace::Local)
                && !phrase.ty.is_small()
                && !place.inside(|form| matches!(form, LoopForm::WorkGroup(_)))
        },
        reason: |_, _| "local memory belongs to a work-group, but no `mapWorkGroup` is around it".into(),
        help: "put it inside a `mapWorkGroup`, or use global memory",
    },
    Rule {
        broken: |phrase, place| {
            space(phrase) == Some(AddressSpace::Local)
                && !phrase.ty.is_small()
                && place.inside(|form| matches!(form, LoopForm::Local(_)))
        },
        reason: |_, _| {
            "local memory is shared by a work-group; inside `mapLocal` each work-item would overwrite it"
                .into()
        },
        help: "use private memory, or compute it before the `mapLocal`",
    },
    Rule {
        broken: |phrase, place| {
            place.target == Target::OpenCl
                && space(phrase) == Some(AddressSpace::Private)
                && writes_in_parallel(phrase)
                && !is_shared_out(phrase, place)
        },
        reason: |_, _| {
            "private memory belongs to one work-item, but others would have to write into it here".into()
        },
        help: "use local or global memory, fill it with `mapSeq`, or use it with the same `mapLocal` of constant length everywhere",
    },
    Rule {
        broken: |phrase, place| {
            space(phrase) == Some(AddressSpace::Global)
                && place.target == Target::OpenCl
                && place.inside(is_work_item)
                && computed(phrase).any(|value| {
                    value
                        .any(&|part| matches!(form(part), Some(LoopForm::Global(_) | LoopForm::WorkGroup(_))))
                })
        },
        reason: |_, _| "work-groups cannot wait for what other work-groups write to global memory".into(),
        help: "store it outside of the parallel loop, so that another launch reads it, or in the memory of one work-group",
    },
    Rule {
        broken: |phrase, place| {
            matches!(space(phrase), Some(AddressSpace::Global | AddressSpace::Local))
                && place.target == Target::OpenCl
                && place.inside(|form| matches!(form, LoopForm::Local(_)))
                && writes_in_parallel(phrase)
        },
        reason: |_, _| {
            "not all work-items of the group reach this place, so they cannot wait for each other here".into()
        },
        help: "compute it before the `mapLocal`, or with `mapSeq`",
    },
    Rule {
        broken: |phrase, _| match &phrase.kind {
            Kind::View(View::Scatter, parts) => {
                form(&parts[1]).is_some_and(is_parallel) && !is_injective(&parts[0])
            }
            _ => false,
        },
        reason: |_, _| {
            "a parallel `scatter` whose indices might repeat would write one element from several threads"
                .into()
        },
        help: "compute the elements with `mapSeq`, or use `reorder` or `gather`",
    },
];

fn is_work_item(form: LoopForm) -> bool {
    matches!(form, LoopForm::Global(_) | LoopForm::WorkGroup(_) | LoopForm::Local(_))
}

/// What a phrase writes into the memory that it allocates.
fn computed(phrase: &Phrase) -> impl Iterator<Item = &Phrase> {
    let parts: Vec<&Phrase> = match &phrase.kind {
        Kind::ToMem(_, value) => vec![value],
        Kind::Reduce { fun, start, .. } => vec![start, &fun.body],
        _ => Vec::new(),
    };
    parts.into_iter()
}

/// Whether a parallel loop writes into the memory that a phrase allocates.
fn writes_in_parallel(phrase: &Phrase) -> bool {
    !phrase.ty.is_small()
        && computed(phrase).any(|value| value.any(&|part| form(part).is_some_and(is_parallel)))
}

/// Whether only the work-items of a group write, in numbers that are known: then each keeps its own share, if it
/// reads no other.
fn is_shared_out(phrase: &Phrase, place: &Place) -> bool {
    let fine = |part: &Phrase| match form(part) {
        Some(LoopForm::Local(_)) => length(part).is_some_and(|len| len.as_const().is_some()),
        Some(other) => !is_parallel(other),
        None => true,
    };
    place.inside(|form| matches!(form, LoopForm::WorkGroup(_)))
        && !place.inside(|form| matches!(form, LoopForm::Local(_)))
        && !computed(phrase).any(|value| value.any(&|part| !fine(part)))
}

/// Whether indices are computed as `±i + c`, so that none repeats.
fn is_injective(indices: &Phrase) -> bool {
    let Kind::Generate(fun) = &indices.kind else { return false };
    let (Some(var), Kind::Nat(nat)) =
        (fun.params.first().and_then(|param| param.nat.as_ref()), &fun.body.kind)
    else {
        return false;
    };
    nat.affine_in(var).is_some_and(|(factor, _)| matches!(factor.as_const(), Some(1 | -1)))
}
