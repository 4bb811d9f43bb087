//! Strategies of the papers and of Shine that have no name here: what there is in their place.

/// Names, and what to write or why nothing is needed.
pub const NAMES: &[(&[&str], &str)] = &[
    (
        &["etaReduction", "etaAbstraction", "DFNF", "RNF", "CNF", "fmap"],
        "patterns have all their arguments, and programs have one form, that of data flow; what is inside a map is at `body`",
    ),
    (
        &[
            "mapFstFusion",
            "mapSndFusion",
            "mapFstBeforeMapSnd",
            "zipFstAfter",
            "zipSndAfter",
            "takeOutsidePair",
            "asScalarOutsidePair",
        ],
        "functions of a part of a pair are lambdas that take it apart, which `mapFusion` fuses like others",
    ),
    (
        &[
            "mapSeqCompute",
            "mapParCompute",
            "specializeSeq",
            "addRequiredCopies",
            "idToCopy",
            "materializeGenerate",
            "materializeInitOfReduce",
            "copyAfterReduce",
            "copyAfterReduceInit",
            "mapSeqUnrollWrite",
            "storeTempsAsScalars",
            "storeTempsAsVectors",
        ],
        "`lower` makes all choices that are open and stores what needs memory; by hand there are `mapSeq`, `toMem`, `copyAfter` and `storeIn(Private) @ 'l`",
    ),
    (&["storeInMemory"], "`storeIn(Private) @ 'l`"),
    (
        &[
            "beforeMap",
            "beforeMapReduce",
            "beforeMapDot",
            "mapAfterShuffle",
            "alignSlide",
            "asScalarOutsideZip",
        ],
        "`vectorize(w) @ 'l`",
    ),
    (&["separateDotHV", "separateDotVH", "separateSumHV", "separateSumVH"], "`separate @ 'l`"),
    (&["circularBufferLoadFusion"], "`stream @ 'l`"),
    (&["tileND", "tileNDList"], "`tile(a, b, …) @ ('i, 'j, …)`"),
    (&["iterateStream"], "`mapStream`"),
    (&["oncetd", "alltd", "sometd"], "`s @ topDown`, `s @ every`, `some(s)`"),
    (
        &["subexpressionElimination"],
        "`let` shares values; equal numbers of one iteration are left to the compiler behind",
    ),
    (
        &[
            "mapOutsideGenerateSelect",
            "fOutsideMakeArray",
            "transposeBeforeMapZip",
            "padEmptyBeforeSlide",
            "padEmptyBeforeZip",
            "letSame",
            "letSwap",
            "reduceSeqOne",
            "undoReduceSeqForAdd",
        ],
        "no schedule needed it so far: declare it as a `rule`",
    ),
];

/// What there is in place of a name.
pub fn instead(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(names, _)| names.contains(&name)).map(|(_, instead)| *instead)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::catalog;
    use crate::rewrite::recipes;

    #[test]
    fn names_are_told_once_and_are_none_of_ours() {
        let names: Vec<&str> = NAMES.iter().flat_map(|(names, _)| names.iter().copied()).collect();
        for (at, name) in names.iter().enumerate() {
            assert!(!names[..at].contains(name), "{name}");
            assert!(catalog::lookup(name).is_none() && recipes::lookup(name).is_none(), "{name}");
        }
        assert_eq!(instead("storeInMemory"), Some("`storeIn(Private) @ 'l`"));
        assert_eq!(instead("mapSeq"), None);
    }
}
