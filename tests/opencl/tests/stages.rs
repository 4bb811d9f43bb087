//! What the default makes of folds and copies that no map is around, of long rows and columns, and of products: many
//! work-items, with the interpreter's results. Rows go in groups here, and products in tiles, as on a GPU.

use rise::opencl::Device;
use rise_build::expr::interpret;
use rise_opencl_tests::cases::{Case, cases};
use rise_opencl_tests::device;
use rise_opencl_tests::execute::{execute, planned};
use rise_opencl_tests::simulator;
use rise_opencl_tests::values::{close, small_arguments};

/// Programs of one length: folds, by operators that commute or do not, have a neutral element or none that is known.
const FOLDS: &str = "
    fn later(a: (i32, i32), b: (i32, i32)) -> (i32, i32) { if a.0 < b.0 { b } else { a } }
    fn last(a: i32, b: i32) -> i32 { if b == 0 { a } else { b } }
    pub fn dots<n: Nat>(x: [f32; n], y: [f32; n]) -> f32 { dot(x, y) }
    pub fn started<n: Nat>(x: [i32; n], start: i32) -> i32 { x |> map(|v| v * v) |> reduce(add, start) }
    pub fn greatest<n: Nat>(x: [f32; n]) -> f32 { x |> map(abs) |> reduce(max, f32::NEG_INFINITY) }
    pub fn both<n: Nat>(x: [i32; n]) -> (i32, i32) {
        x |> map(|v| (v, v * v)) |> reduce(|(a, b), (c, d)| (a + c, max(b, d)), (1, 0))
    }
    pub fn place<n: Nat>(x: [i32; n]) -> (i32, i32) {
        zip(x, generate(|i| i as i32)) |> reduce(later, (0 - 100, 0 - 1))
    }
    pub fn lasting<n: Nat>(x: [i32; n]) -> i32 { x |> reduce(last, 77) }
    pub fn in_order<n: Nat>(x: [i32; n]) -> i32 { x |> reduceSeq(|a, b| 3 * a + b, 1) }
    pub fn shares<n: Nat>(x: [f32; n]) -> [f32; n] {
        let squares = x |> map(|v| v * v + 1.0);
        let all = sum(squares);
        squares |> map(|v| v / all)
    }
";

/// Arrays of one length.
const ARRAYS: &str = "
    pub fn offsets<n: Nat>(x: [i32; n]) -> [i32; n] { x |> map(|v| v + sum(x)) }
    pub fn backwards<n: Nat>(x: [i32; n]) -> [i32; n] { generate(|i| x[n - 1 - i]) }
    pub fn windows<n: Nat>(x: [i32; n + 2]) -> [[i32; 3]; n] { x |> slide(3, 1) }
    pub fn chosen<n: Nat>(x: [i32; n], at: [Idx[n]; n]) -> [i32; n] { x |> gather(at) }
";

/// Programs of two lengths.
const COPIES: &str = "
    pub fn turned<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; h]; w] { a |> transpose }
    pub fn joined<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [f32; h * w] { a |> join }
    pub fn cut<h: Nat, w: Nat>(a: [f32; h * w]) -> [[f32; w]; h] { a |> split(w) }
    pub fn padded<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w + 3]; h + 3] { a |> padClamp2D(1, 2) }
    pub fn after<h: Nat, w: Nat>(a: [[f32; w]; h], b: [[f32; w]; h]) -> [[f32; w]; h + h] {
        concat(a |> map(map(|x| x + 1.0)), b)
    }
    pub fn several<h: Nat, w: Nat>(a: [[f32; w]; h]) -> ([[f32; h]; w], [[f32; w]; h]) {
        (transpose(a), a |> map(map(|x| 2.0 * x)))
    }
    pub fn stored<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; h]; w] {
        a |> transpose |> toMem |> map(map(|x| x + 1.0))
    }
    pub fn rows<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] { 
        a |> map(|row| row |> reorder(|i| w - 1 - i, |i| w - 1 - i))
    }
    pub fn made<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] {
        generate(|i: Idx[h]| generate(|j: Idx[w]| a[h - 1 - i][j] + i as f32))
    }
    pub fn smooth<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] {
        a |> map(map(|x| x * x)) |> padClamp2D(1, 1) |> slide2D(3, 1) |> map2D(|s| s[0][1] + s[2][1] + s[1][1])
    }
    pub fn largest<h: Nat, w: Nat>(a: [[f32; w]; h]) -> f32 { a |> map(sum) |> reduce(max, f32::NEG_INFINITY) }
    pub fn product<h: Nat, w: Nat>(a: [[f32; w]; h], x: [f32; w]) -> [f32; w] {
        let y = a |> map(|row| dot(row, x));
        transpose(a) |> map(|column| dot(column, y))
    }
";

/// Programs of long rows, or of long columns.
const ROWS: &str = "
    pub fn times<h: Nat, w: Nat>(a: [[f32; w]; h], x: [f32; w]) -> [f32; h] { a |> map(|row| dot(row, x)) }
    pub fn started<h: Nat, w: Nat>(a: [[i32; w]; h], z: [i32; h]) -> [i32; h] {
        zip(a, z) |> map(|(row, z)| 2 * (row |> map(|x| x * x) |> reduce(add, z)) + z)
    }
    pub fn extremes<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [(f32, f32); h] {
        a |> map(|row| (row |> reduce(min, 1000.0), row |> reduce(max, -1000.0)))
    }
    pub fn soft<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] where w >= 1 {
        a |> map(|row| {
            let greatest = reduce(max, row[0], row);
            let powers = toMem(map(|x| exp(x - greatest), row));
            let total = sum(powers);
            powers |> map(|p| p / total)
        })
    }
    pub fn normed<h: Nat, w: Nat>(a: [[f32; w]; h]) -> [[f32; w]; h] {
        a |> map(|row| {
            let squares = row |> map(|x| x * x + 1.0);
            let norm = sqrt(sum(squares));
            zip(row, squares) |> map(|(x, square)| x / norm + square)
        })
    }
    pub fn batch<h: Nat, w: Nat>(a: [[[f32; w]; 3]; h], x: [f32; w]) -> [[f32; 3]; h] {
        a |> map(map(|row| dot(row, x)))
    }
    pub fn all<h: Nat, w: Nat>(a: [[f32; w]; h]) -> f32 { a |> map(|row| row |> reduce(max, -1000.0)) |> sum }
    pub fn by_columns<h: Nat, w: Nat>(a: [[f32; w]; h], x: [f32; h]) -> [f32; w] {
        transpose(a) |> map(|column| 2.0 * dot(column, x) + 1.0)
    }
    pub fn last<h: Nat, w: Nat>(a: [[i32; w]; h], z: [i32; w]) -> [i32; w] {
        zip(transpose(a), z) |> map(|(column, z)| column |> map(|x| x + z) |> reduce(max, z))
    }
";

/// Products of so many results, 900000 and more, that they are computed in tiles.
const PRODUCTS: &str = "
    pub fn product<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
        a |> map(|row| transpose(b) |> map(|column| dot(row, column)))
    }
    pub fn by_rows<n: Nat, k: Nat, m: Nat>(a: [[i32; k]; n], b: [[i32; k]; m], c: [i32; m]) -> [[i32; m]; n] {
        a |> map(|row| zip(b, c) |> map(|(other, c)| 3 * (zip(row, other) |> map(|(x, y)| x * y) |> reduce(add, c)) + c))
    }
    pub fn computed<n: Nat, k: Nat, m: Nat>(a: [[i32; k]; n], b: [[i32; k]; m]) -> [[i32; m]; n] {
        a |> map(map(|x| x + 1)) |> map(|row| b |> map(map(|y| 2 * y)) |> map(|other| zip(row, other) |> map(mult) |> reduce(add, 7)))
    }
";

fn compiled(text: &str) -> Vec<Case> {
    let names = rise_opencl_tests::cases::kernel_names(text);
    let compile = |name: &str| format!("compile {name} to opencl with auto;\n");
    cases(&names.into_iter().map(compile).fold(text.to_owned(), |text, item| text + &item))
}

fn run(text: &str, sizes: &[&[i128]], device: Device) {
    for case in compiled(text) {
        let plan = planned(&case.chosen).unwrap_or_else(|reason| panic!("{reason}\n{}", case.chosen));
        for sizes in sizes {
            let args = small_arguments(&case.kernel, sizes);
            // Without a value the sizes break what the kernel demands of them.
            let Ok(expected) = interpret(&case.kernel, sizes, &args) else { continue };
            match execute(&plan, sizes, &args, device) {
                Ok(found) if close(&expected, &found) => {}
                Ok(_) => panic!("{} at {sizes:?} is wrong\n{}\n{}", case.name, case.chosen, plan.program),
                Err(wrong) => panic!("{} at {sizes:?}: {wrong}\n{}", case.name, plan.program),
            }
        }
    }
}

#[test]
fn folds_and_copies_run() {
    let Some(device) = device() else { return };
    let few: &[&[i128]] = &[&[0], &[1], &[2], &[79], &[80], &[81], &[161], &[2319], &[2401], &[16385]];
    run(FOLDS, few, device);
    run(FOLDS, &[&[67280 + 2320 + 80 + 1], &[2 * 67280 - 1]], device);
    run(ARRAYS, &[&[0], &[1], &[2], &[300]], device);
    let long: &[&[i128]] = &[&[3, 255], &[1, 256], &[2, 259], &[5, 300], &[2, 519], &[600, 2], &[1029, 1]];
    run(ROWS, long, device);
    run(PRODUCTS, &[&[5, 3, 6], &[950, 2, 951]], device);
    run(
        COPIES,
        &[&[0, 0], &[0, 3], &[3, 0], &[1, 1], &[1, 7], &[7, 1], &[5, 9], &[70, 33], &[33, 70]],
        device,
    );
}

#[test]
fn no_fold_or_copy_races_or_leaves_its_memory() {
    simulator::clean("under_oclgrind");
}

#[test]
#[ignore = "started by `no_fold_or_copy_races_or_leaves_its_memory` with Oclgrind as the only device"]
fn under_oclgrind() {
    let device = simulator::device();
    run(FOLDS, &[&[0], &[131]], device);
    run(ARRAYS, &[&[0], &[131]], device);
    run(COPIES, &[&[1, 7], &[6, 5]], device);
    run(ROWS, &[&[2, 267], &[530, 2]], device);
}

/// Whether each launch of the program is one of many work-items, but for one that folds what is left.
#[test]
fn nothing_long_is_left_to_one_work_item() {
    for case in [FOLDS, ARRAYS, COPIES].into_iter().flat_map(compiled) {
        let plan = planned(&case.chosen).unwrap_or_else(|reason| panic!("{reason}\n{}", case.chosen));
        let launches: Vec<&str> = plan.program.split("kernel void ").skip(1).collect();
        let is_shared_out =
            |launch: &&&str| launch.contains("get_global_id(") || launch.contains("get_group_id(");
        let alone = launches.len() - launches.iter().filter(is_shared_out).count();
        let folds = case
            .kernel
            .body
            .any(&|node| matches!(node.as_prim(), Some((rise_build::expr::Primitive::Reduce(_), _))));
        let is_fine = match case.name.as_str() {
            "in_order" => launches.len() == 1,
            _ => alone <= usize::from(folds) && launches.len() > alone,
        };
        assert!(is_fine, "{}\n{}", case.name, plan.program);
    }
}
