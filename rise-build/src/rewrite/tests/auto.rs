//! What the default strategy makes of common programs, held against the interpreter.

mod between;
mod chains;
mod columns;
mod device;
mod folds;
mod lanes;
mod layers;
mod nested;
mod parts;
mod pipelines;
mod products;
mod runs;
mod scattered;
mod stages;
mod strips;
mod sums;
mod tables;
mod thinned;
mod thirds;
mod updates;
mod upright;
mod windows;

use super::rewritten;

const SIZES: &[&[i128]] =
    &[&[0, 0, 0], &[1, 1, 1], &[3, 5, 2], &[8, 3, 32], &[17, 7, 35], &[9, 2, 64], &[7, 3, 150]];

const SIZES1: &[&[i128]] = &[&[0], &[1], &[7], &[30]];
const SIZES2: &[&[i128]] = &[&[0, 0], &[1, 1], &[13, 37], &[3, 130]];
fn auto(program: &str, sizes: &[&[i128]]) -> String {
    rewritten(program, sizes).body.to_string()
}
