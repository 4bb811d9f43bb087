//! The rules, by family: each is an equation read from left to right, with its side conditions as code.

pub mod by_index;
pub mod chosen;
pub mod fission;
pub mod folds;
pub mod fusion;
pub mod generate;
pub mod identity;
pub mod library;
pub mod lowering;
pub mod memory;
pub mod movement;
pub mod nest;
pub mod operators;
pub mod pairs;
pub mod split;
pub mod support;
pub mod transpose;
pub mod vector;

/// One row of the catalogue.
macro_rules! row {
    ($name:literal [$($alias:literal),*] ($($wants:ident),*) $equation:literal $sentence:literal
     $before:literal => $after:literal $apply:expr) => {
        $crate::rewrite::catalog::Row {
            name: $name,
            aliases: &[$($alias),*],
            wants: &[$($crate::rewrite::catalog::Wants::$wants),*],
            equation: $equation,
            sentence: $sentence,
            example: [$before, $after],
            apply: $apply,
        }
    };
}
pub(crate) use row;
