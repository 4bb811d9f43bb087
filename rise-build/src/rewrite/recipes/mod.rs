//! Recipes: what users ask for by name, as compositions of rules at labels.

pub mod auto;
pub(in crate::rewrite) mod loops;
mod memory;
pub(in crate::rewrite) mod nests;
mod separate;
mod stage;
mod stream;
pub(in crate::rewrite) mod support;

use super::strategy::Recipe;

/// Words that are arguments of recipes and not strategies.
pub const WORDS: &[&str] =
    &["exact", "peel", "pad", "shift", "mask", "Global", "Local", "Private", "Default"];

/// All recipes.
pub const ALL: &[Recipe] = &[
    Recipe {
        name: "split",
        usage: "split(b, …, tail = peel) @ 'l",
        sentence: "Cuts a map or a fold into pieces: `'l.outer`, `'l.inner`, with two sizes `'l.middle` between them, and what is left over is `'l.rest`.",
        run: loops::split,
    },
    Recipe {
        name: "tile",
        usage: "tile(a, b, …, tail = peel) @ ('i, 'j, …)",
        sentence: "Splits every pattern of a nest and moves the outer parts outwards. At one place, `tile(32, 32) @ 'i` or `@ outermost(mapNest(2))`, the nest is that of the maps directly inside, which are called `'i.level2`, `'i.level3`.",
        run: nests::tile,
    },
    Recipe {
        name: "swap",
        usage: "swap @ ('i, 'j)",
        sentence: "Swaps two neighbouring patterns of a nest: two maps, or a map and the fold inside it.",
        run: nests::interchange,
    },
    Recipe {
        name: "reorder",
        usage: "reorder(['k, 'i, 'j])",
        sentence: "Sorts a nest into the given order by swapping neighbours.",
        run: nests::reorder,
    },
    Recipe {
        name: "parallel",
        usage: "parallel @ 'l",
        sentence: "Runs a map or a reduction in parallel.",
        run: loops::parallel,
    },
    Recipe {
        name: "vectorize",
        usage: "vectorize(w, tail = peel) @ 'l",
        sentence: "Computes pieces of w elements as the lanes of vectors; a reduction gets w accumulators.",
        run: loops::vectorize,
    },
    Recipe {
        name: "unrollBy",
        usage: "unrollBy(n) @ 'l",
        sentence: "Cuts a pattern into pieces of n and writes the pieces out.",
        run: loops::unroll_by,
    },
    Recipe {
        name: "fuse",
        usage: "fuse @ 'l",
        sentence: "Fuses a pattern with the maps that it reads from.",
        run: loops::fuse,
    },
    Recipe {
        name: "blockReduce",
        usage: "blockReduce(n) @ 'l",
        sentence: "Folds blocks of n elements, then their results.",
        run: loops::block_reduce,
    },
    Recipe {
        name: "mulAdd",
        usage: "mulAdd @ 'l",
        sentence: "Contracts every product and sum inside.",
        run: loops::contract_all,
    },
    Recipe {
        name: "separate",
        usage: "separate @ 'l",
        sentence: "Makes two passes of a convolution, `slide2D(…) |> map2D(…)` around the labelled sum of products: `'l.inner` along the rows `'l.row` of `'l.rows`, then `'l.outer` down the columns. The weights must be separable: those that are written out are looked at now, those of a parameter at every call, which `Error::Separable` refuses otherwise. ≈",
        run: separate::separate,
    },
    Recipe {
        name: "stream",
        usage: "stream @ 'l",
        sentence: "Makes a sequential loop of a map over windows, `slide(n, 1) |> 'l: map(f)`, that keeps the elements of one window: lines in memory, scalars in registers. What computes them is fused, and computes each once.",
        run: stream::stream,
    },
    Recipe {
        name: "pack",
        usage: "pack @ 'l",
        sentence: "Copies the pieces that a map works on, so that what its inner maps read lies side by side.",
        run: auto::pack::pack,
    },
    Recipe {
        name: "stage",
        usage: "stage(Local) @ 'l",
        sentence: "Copies the pieces that a map or a fold works on into memory: `'l.copy` goes over their first dimension, `'l.copy.inner` over the next, for the work-items of a group to share out.",
        run: stage::stage,
    },
    Recipe {
        name: "storeIn",
        usage: "storeIn(Private, at = 'm) @ 'l",
        sentence: "Stores the labelled value in memory, bound inside `'m` or at the outermost place where its variables are known.",
        run: memory::store_in,
    },
];

/// The recipe with this name.
pub fn lookup(name: &str) -> Option<&'static Recipe> {
    ALL.iter().find(|recipe| recipe.name == name || other_name(recipe.name) == Some(name))
}

fn other_name(name: &str) -> Option<&'static str> {
    match name {
        "swap" => Some("interchange"),
        "mulAdd" => Some("contractAll"),
        "unrollBy" => Some("unrollInner"),
        _ => None,
    }
}
