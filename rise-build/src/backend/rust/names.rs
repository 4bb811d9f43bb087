//! Words that are no Rust identifiers, or are taken.

use crate::backend::names::Names;

/// Rust's words.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "Self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield", "union",
];

/// What the generated code uses itself.
const RESERVED: &[&str] = &[
    "_",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "f32",
    "f64",
    "usize",
    "isize",
    "str",
    "S",
    "Cost",
    "Isa",
    "Simd",
    "Float",
    "Int",
    "Mask",
    "Level",
    "MaybeUninit",
    "Stack",
    "V",
    "Avx512",
    "Avx2",
    "Baseline",
    "body",
    "avx512",
    "avx2",
    "baseline",
    "level",
    "plan",
    "scratch",
    "Range",
    "SendPtr",
    "Share",
    "private",
    "range",
    "share",
    "task",
    "cost",
    "own",
    "past",
    "is_roomy",
    "size",
    "rise",
    "core",
    "std",
    "apart",
    "ask",
    "ask_by_room",
    "div",
    "rem",
    "floor_div",
    "floor_rem",
    "for_each",
    "min",
    "max",
];

/// No identifiers given.
pub fn names() -> Names {
    Names::new(&[KEYWORDS, RESERVED]).no_constants()
}

/// Whether Rust keeps this word for itself.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word) && word != "union"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Name;
    use crate::nat::NatVar;

    #[test]
    fn equal_texts_of_different_names_are_told_apart() {
        let (a, b) = (Name::fresh("x"), Name::fresh("x"));
        let mut names = names();
        assert_eq!(names.value(&a), "x");
        assert_eq!(names.value(&b), "x_2");
        assert_eq!(names.value(&a), "x");
        assert_eq!(names.nat(&NatVar::new("x")), "x_3");
    }

    #[test]
    fn what_a_function_gives_up_belongs_to_nobody() {
        let (row, other, column) = (NatVar::new("i"), NatVar::new("i"), NatVar::new("i"));
        let mut names = names();
        assert_eq!(names.nat(&row), "i");
        let outside = names.enter(["i"]);
        assert_eq!(names.nat(&row), "i");
        assert_eq!(names.nat(&column), "i_2");
        names.leave(outside);
        assert_eq!(names.nat(&row), "i");
        // The same again where it is free, and another one where it is not.
        let outside = names.enter(["i"]);
        assert_eq!(names.nat(&column), "i_2");
        names.leave(outside);
        assert_eq!(names.nat(&other), "i_2");
        assert_eq!(names.nat(&column), "i_3");
    }

    #[test]
    fn functions_that_are_passed_nothing_have_all_identifiers() {
        let (row, column) = (NatVar::new("i"), NatVar::new("i"));
        let mut names = names();
        assert_eq!(names.nat(&row), "i");
        let outside = names.enter([]);
        assert_eq!(names.nat(&column), "i");
        names.leave(outside);
        assert_eq!((names.nat(&row), names.nat(&column)), ("i".into(), "i_2".into()));
    }

    #[test]
    #[should_panic(expected = "i stands for two things in a function")]
    fn nothing_is_read_in_a_function_that_is_not_passed_it() {
        let (row, column) = (NatVar::new("i"), NatVar::new("i"));
        let mut names = names();
        names.nat(&row);
        let _outside = names.enter([]);
        names.nat(&column);
        names.nat(&row);
    }

    #[test]
    fn keywords_and_odd_letters_are_avoided() {
        let mut names = names();
        assert_eq!(names.fresh("loop"), "loop_2");
        assert_eq!(names.fresh("a.b"), "a_b");
        assert_eq!(names.fresh("1"), "v1");
        assert_eq!(names.fresh("r#type"), "type_2");
        assert_eq!(names.fresh("level"), "level_2");
        assert_eq!(names.fresh("N"), "v_N");
    }
}
