//! Schedules of matrix products, stencils and reductions.

use super::{Compiled, compile, input, refused, rewritten, rewritten_for};
use crate::expr::{Failure, Kernel, Literal, Value, interpret};
use crate::machine::{Asked, MACHINES, Machine};

const GEMV: &str = "pub fn gemv<n: Nat, m: Nat>(mat: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
    mat |> 'rows: map(|row| zip(row, x) |> 'mul: map(|(a, b)| a * b) |> 'dot: reduce(add, 0.0))
}";

/// At least four rows.
const GEMV_LARGE: &str = "pub fn gemv<n: Nat, m: Nat>(mat: [[f32; m]; n + 4], x: [f32; m]) -> [f32; n + 4] {
    mat |> 'rows: map(|row| zip(row, x) |> 'mul: map(|(a, b)| a * b) |> 'dot: reduce(add, 0.0))
}";

const MATMUL: &str =
    "pub fn mm<n: Nat, k: Nat, m: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
    a |> 'i: map(|row| b |> transpose |> 'j: map(|col|
        zip(row, col) |> map(|(x, y)| x * y) |> 'k: reduce(add, 0.0)))
}";

const SIZES: &[&[i128]] = &[&[0, 0], &[1, 1], &[3, 2], &[8, 4], &[13, 37]];
const SIZES3: &[&[i128]] = &[&[0, 0, 0], &[1, 1, 1], &[2, 3, 4], &[8, 8, 8], &[9, 7, 13]];

fn gemv(strategy: &str) -> String {
    rewritten(&format!("{GEMV} compile gemv to rust with {strategy};"), SIZES).body.to_string()
}

fn mm(strategy: &str) -> String {
    rewritten(&format!("{MATMUL} compile mm to rust with {strategy};"), SIZES3).body.to_string()
}

#[test]
fn the_listings_of_the_paper() {
    let program =
        "def mv = depFun((n: Nat, m: Nat) => fun(M: Array[n, Array[m, f32]] => fun(x: Array[m, f32] =>
        M |> map(fun(row => zip(row)(x) |> map(fun(p => fst(p) * snd(p))) |> reduce(add)(0.0f))))))
    compile mv to opencl with
        splitJoinMap(4) ~@~ outermost(isMap) ~;~
        toMapWorkGroup ~@~ outermost(isMap) ~;~
        toMapLocal ~@~ outermost(isMap) ~;~
        fuseReduceMap ~@~ every(isReduce) ~;~
        toReduceSeq ~@~ every(isReduce);";
    // Without the length of the pieces, as it is printed, it is 32.
    let printed = program.replace("splitJoinMap(4)", "splitJoinMap");
    assert!(rewritten(&printed, &[&[0, 3], &[64, 5]]).body.to_string().contains("split(32)"));
    let text = rewritten(program, &[&[0, 3], &[4, 5], &[8, 2]]).body.to_string();
    let expected = "M |>
    split(4) |>
    mapWorkGroup(0, |rows| rows |>
        mapLocal(0, |row| zip(row, x) |>
            reduceSeq(|acc, p| acc + p.0 * p.1, 0.0))) |>
    join";
    assert_eq!(text, expected);
}

#[test]
fn rows_in_parallel_and_vectors_of_products() {
    let text = gemv("mapPar @ 'rows ; vectorize(4) @ 'dot ; lower");
    assert!(text.contains("mapPar") && text.contains("mapVec"), "{text}");
}

#[test]
fn fused_rows() {
    let text = gemv("fuse @ 'dot ; split(4) @ 'dot ; lower");
    assert_eq!(text.matches("reduceSeq").count(), 3, "{text}");
}

#[test]
fn a_scan_takes_what_it_reads_from() {
    let program = "pub fn f<n: Nat>(xs: [i32; n]) -> [i32; n] {
            xs |> map(|x| x * 2) |> map(|x| x + 1) |> 'sums: scan(add, 0) }
        compile f to rust with fuse @ 'sums ; lower;";
    let text = rewritten(program, &[&[0], &[1], &[5]]).body.to_string();
    assert!(!text.contains("map"), "{text}");
}

#[test]
fn a_label_that_was_cut_is_told_by_its_parts() {
    let program =
        "pub fn f<n: Nat>(xs: [f32; n]) -> [f32; n] { xs |> 'x: map(|x| x * 2.0) |> 'y: map(|x| x + 1.0) }
        compile f to rust with split(4) @ 'x ; parallel @ 'x ; lower;";
    let message = refused(program);
    assert!(message.contains("no place is named 'x; its parts are 'x.inner, 'x.outer, 'x.rest"), "{message}");
}

#[test]
fn a_tile_of_outer_products() {
    let text = mm("fuse @ 'k ; tile(4, 4, tail = peel) @ ('i, 'j) ; lower");
    assert!(text.contains("split(4)"), "{text}");
}

#[test]
fn every_tail() {
    for tail in ["exact", "peel", "pad", "shift", "mask"] {
        for program in [
            format!("split(4, tail = {tail}) @ 'rows ; lower"),
            format!("vectorize(4, tail = {tail}) @ 'rows ; lower"),
            // Nothing is left over.
            format!("split(8, tail = peel) @ 'rows ; vectorize(4, tail = {tail}) @ 'rows.inner ; lower"),
            format!("mapPar @ 'rows ; vectorize(4, tail = {tail}) @ 'dot ; lower"),
            format!("split(4, tail = {tail}) @ 'dot ; lower"),
        ] {
            let text = format!("{GEMV_LARGE} compile gemv to rust with {program};");
            if tail == "shift" && program.contains("'dot") {
                assert!(refused(&text).contains("twice"), "{program}");
            } else {
                rewritten(&text, SIZES);
            }
        }
    }
    // Empty arrays have no element to repeat.
    assert!(gemv("split(4, tail = mask) @ 'rows ; lower").contains("padClamp"));
    let shifted = gemv_large("split(4, tail = shift) @ 'rows ; lower");
    assert!(shifted.contains("drop(n)") && shifted.contains("toMem"), "{shifted}");
    // Without a least length it is `peel`, and the story of the rewriting says so.
    assert_eq!(gemv("split(4, tail = shift) @ 'rows ; lower"), gemv("split(4, tail = peel) @ 'rows ; lower"));
    let notes = |declared: &str| {
        let program = GEMV.replace("-> [f32; n]", &format!("-> [f32; n] {declared}"));
        let after =
            compile(&format!("{program} compile gemv to rust with split(4, tail = shift) @ 'rows ; lower;"))
                .after;
        after.unwrap_or_else(|message| panic!("{message}")).1.steps[0].notes.clone()
    };
    let text = "what is left over is peeled and not shifted, since 4 <= n is not known; `where` or `versions` can say so";
    assert_eq!(notes(""), [text]);
    assert_eq!(notes("where 4 <= n"), [""; 0]);
    let chosen = gemv("versions { when n >= 4 => split(4, tail = shift) @ 'rows ; lower ; lower }");
    assert!(chosen.contains("if 4 <= n") && chosen.contains("drop(n - 4)"), "{chosen}");
}

fn gemv_large(strategy: &str) -> String {
    rewritten(&format!("{GEMV_LARGE} compile gemv to rust with {strategy};"), SIZES).body.to_string()
}

const CONVOLUTION: &str =
    "pub fn conv<h: Nat, w: Nat>(img: [[f32; w]; h]) -> [[f32; w]; h] where w >= 1, h >= 1 {
    img |> padClamp2D(1, 1) |> slide2D(3, 1) |> 'y: map(|row| row |> 'x: map(|nbh|
        (zip(join([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]), join(nbh))
            |> map(|(a, b)| a * b) |> 'dot: reduce(add, 0.0)) / 16.0))
}";

#[test]
fn separable_convolution() {
    let sizes: &[&[i128]] = &[&[1, 1], &[3, 5], &[8, 19]];
    for strategy in [
        "separate @ 'dot ; lower",
        "separate @ 'dot ; vectorize(4) @ 'x ; vectorize(4) @ 'dot.row ; fuse @ 'dot.inner ; fuse @ 'dot.outer ; lower",
    ] {
        let text = rewritten(&format!("{CONVOLUTION} compile conv to rust with {strategy};"), sizes)
            .body
            .to_string();
        assert!(text.contains("[1.0, 2.0, 1.0]") && !text.contains("4.0, 2.0"), "{text}");
    }
    let text = rewritten(&format!("{CONVOLUTION} compile conv to rust with separate @ 'dot ; stream @ 'y ; stream @ 'dot.row ; lower;"), sizes).body.to_string();
    assert!(text.contains("circularBuffer(3") && text.contains("rotateValues(3"), "{text}");
    let text = refused(&format!("{GEMV} compile gemv to rust with stream @ 'rows ; lower;"));
    assert!(text.contains("windows"), "{text}");
    let other = CONVOLUTION.replace("4.0, 2.0", "5.0, 2.0");
    let text = refused(&format!("{other} compile conv to rust with separate @ 'dot ; lower;"));
    assert!(text.contains("not separable"), "{text}");
    let text = refused(&format!("{GEMV} compile gemv to rust with separate @ 'dot ; lower;"));
    assert!(text.contains("slide2D"), "{text}");
}

const WEIGHTED: &str =
    "pub fn conv<h: Nat, w: Nat>(image: [[f32; w]; h], k: [[f32; 3]; 3]) -> [[f32; w]; h] where 1 <= h, 1 <= w {
        image |> padClamp2D(1, 1) |> slide2D(3, 1) |> 'y: map(|row| row |> 'x: map(|nbh|
            zip(join(nbh), join(k)) |> map(|(a, b)| a * b) |> 'dot: reduce(add, 0.0)))
    }";

#[test]
fn weights_of_a_parameter_are_checked_when_the_kernel_runs() {
    let Compiled { before, after, .. } =
        compile(&format!("{WEIGHTED} compile conv to rust with separate @ 'dot ; lower;"));
    let (after, _) = after.unwrap_or_else(|message| panic!("{message}"));
    assert_eq!(after.separable.len(), 1);
    assert_eq!((after.separable[0].shown.as_str(), after.separable[0].rule.as_str()), ("k", "separate"));
    let sizes = [4, 5];
    let image = input(&before.params[0].ty, &before.nats, &sizes);
    let run = |kernel: &Kernel, weights: [[f64; 3]; 3]| {
        let scalar = |value: f64| Value::Scalar(Literal::Float(value, crate::types::Scalar::F32));
        let row = |row: [f64; 3]| Value::Array(row.map(scalar).to_vec());
        interpret(kernel, &sizes, &[image.clone(), Value::Array(weights.map(row).to_vec())])
    };
    for weights in [
        [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]],
        [[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]],
        [[0.0; 3], [0.0, 0.0, -4.0], [0.0; 3]],
        [[0.0; 3]; 3],
    ] {
        assert_eq!(run(&before, weights), run(&after, weights), "{weights:?}");
    }
    let laplace = [[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]];
    assert_eq!(run(&after, laplace), Err(Failure::Obligation("k is separable".into())));
    let integers = WEIGHTED.replace("f32", "i32").replace("0.0", "0");
    let text = refused(&format!("{integers} compile conv to rust with separate @ 'dot ; lower;"));
    assert!(text.contains("integers as weights"), "{text}");
    let computed = WEIGHTED.replace("join(k)", "join(k |> map(map(|x| x * 2.0)))");
    let text = refused(&format!("{computed} compile conv to rust with separate @ 'dot ; lower;"));
    assert!(text.contains("neither written out nor a parameter"), "{text}");
    let text = refused(&format!(
        "{WEIGHTED} compile conv to rust with versions {{ when h < 8 => separate @ 'dot ; lower ; lower }};"
    ));
    assert!(text.contains("cannot demand"), "{text}");
}

#[test]
fn the_fold_moves_outwards() {
    let text = mm("fuse @ 'k ; reorder(['k, 'i, 'j]) ; lower");
    assert!(text.contains("reduceSeq"), "{text}");
}

#[test]
fn register_tiles() {
    mm("fuse @ 'k ; tile(4, 8, tail = peel) @ ('i, 'j) ; split(4) @ 'k ;
        reorder(['i.outer, 'j.outer, 'k.outer, 'k.inner, 'i.inner, 'j.inner]) ;
        mapVec @ 'j.inner ; mapSeqUnroll @ 'i.inner ; parallel @ 'i.outer ; lower");
}

#[test]
fn cache_blocks() {
    mm("fuse @ 'k ; split(4, 2, tail = exact) @ 'i ; split(8, 4, tail = exact) @ 'j ; split(4, tail = exact) @ 'k ;
        reorder(['j.outer, 'k.outer, 'i.outer, 'j.middle, 'i.middle, 'k.inner, 'i.inner, 'j.inner]) ; lower");
}

#[test]
fn pieces_are_copied_for_loops_that_are_shared_out() {
    let text = mm("split(4) @ 'i ; stage(Private) @ 'i.outer ; mapPar @ 'i.outer ; lower");
    assert!(text.contains("'i.outer.copy: map") && text.contains("'i.outer.copy.inner: map"), "{text}");
    assert!(text.contains("toMem(Private)"), "{text}");
    let text = mm("fuse @ 'k ; split(3) @ 'k ; stage @ 'k.outer ; lower");
    assert_eq!(text.matches("'k.outer.copy: map").count(), 2, "{text}");
    let wrong = refused(&format!("{GEMV} compile gemv to rust with stage @ 'dot ; lower;"));
    assert!(wrong.contains("no pieces of arrays"), "{wrong}");
}

#[test]
fn steps_that_fail_say_why() {
    let text = refused(&format!("{GEMV} compile gemv to rust with mapPar @ 'row ; lower;"));
    assert!(text.contains("did you mean 'rows"), "{text}");
    let text = refused(&format!("{GEMV} compile gemv to rust with mapPar @ 'dot ; lower;"));
    assert!(text.contains("it is no map"), "{text}");
    let text = refused(&format!("{GEMV} compile gemv to rust with vectorise(4) @ 'dot ; lower;"));
    assert!(text.contains("vectorise"), "{text}");
    let text =
        refused(&format!("{GEMV} compile gemv to rust with fuse @ 'dot ; vectorize(4) @ 'dot ; lower;"));
    assert!(text.contains("associative"), "{text}");
}

#[test]
fn auto_of_everything() {
    gemv("auto");
    mm("auto");
}

#[test]
fn recipes_take_what_is_generated_for_maps() {
    let program = "pub fn mm<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
            'i: generate(|i| 'j: generate(|j| 'k: sum(generate(|l| a[i][l] * b[l][j])) + (i + j) as f32))
        }";
    for (strategy, form) in [
        ("parallel @ 'i ; lower", "mapPar"),
        ("vectorize(4) @ 'j ; lower", "mapVec"),
        ("tile(2, 4) @ ('i, 'j) ; lower", "transpose"),
        ("vectorize(4) @ 'k ; parallel @ 'i ; lower", "mapVec"),
        ("fuse @ 'k ; unrollBy(2) @ 'k ; lower", "reduceSeqUnroll"),
    ] {
        let text =
            rewritten(&format!("{program} compile mm to rust with {strategy};"), SIZES3).body.to_string();
        assert!(text.contains(form), "{strategy}: {text}");
    }
    let plain = program.replace(" + (i + j) as f32", "");
    let strategy = "fuse @ 'k ; reorder(['i, 'k, 'j]) ; vectorize(16) @ 'j ; lower";
    let text = rewritten(&format!("{plain} compile mm to rust with {strategy};"), SIZES3).body.to_string();
    assert!(text.contains("mapVec"), "{text}");
}

#[test]
fn naturals_of_the_machine_are_read_for_each() {
    let program = |strategy: &str| {
        format!(
            "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ x |> 'r: map(|v| v + 1.0) }} compile f to rust with {strategy};"
        )
    };
    for (strategy, widths) in [
        ("vectorize(lanes(f32)) @ 'r ; lower", ["split(16)", "split(8)"]),
        ("vectorize(2 * lanes(f64)) @ 'r ; lower", ["split(16)", "split(8)"]),
        ("split(registers, tail = exact) @ 'r ; lower", ["split(32)", "split(16)"]),
        ("split(registers / 4 + lanes(u8), tail = exact) @ 'r ; lower", ["split(72)", "split(36)"]),
    ] {
        for (machine, width) in MACHINES.iter().zip(widths) {
            let (kernel, asked) = rewritten_for(&program(strategy), &[&[0], &[144], &[147]], machine);
            let text = kernel.body.to_string();
            assert!(text.contains(width), "{strategy}: {text}");
            assert_eq!(asked, Asked { registers: true, small: false }, "{strategy}");
        }
    }
    // A size of that name is the kernel's own.
    let own = "pub fn f<registers: Nat>(x: [f32; 2 * registers]) -> [f32; 2 * registers] { x |> 'r: map(|v| v + 1.0) }
        compile f to rust with split(registers, tail = exact) @ 'r ; lower;";
    assert_eq!(rewritten_for(own, &[&[3]], Machine::BEST).1, Asked::default());
    for (strategy, wanted) in [
        ("split(lanes) @ 'r ; lower", "lanes"),
        ("vectorize(2 * lanes(text)) @ 'r ; lower", "expected a natural made of numbers and sizes"),
    ] {
        let text = refused(&program(strategy));
        assert!(text.contains(wanted), "{text}");
    }
}

#[test]
fn nests_are_tiled_at_one_place() {
    let program = "pub fn mm<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] {
            a |> 'i: map(|row| transpose(b) |> map(|col| dot(row, col)))
        }";
    for strategy in [
        "tile(2, 3) @ outermost(mapNest(2)) ; lower",
        "tile(2, 3) @ 'i ; reorder(['i.outer, 'i.level2.outer, 'i.level2.inner, 'i.inner]) ; lower",
        "tile(2, 3) @ 'i ; mapPar @ 'i.outer ; vectorize(4) @ 'i.inner ; lower",
    ] {
        let (kernel, _) =
            rewritten_for(&format!("{program} compile mm to rust with {strategy};"), SIZES3, Machine::BEST);
        assert!(!kernel.body.to_string().contains("'here"), "{}", kernel.body);
    }
    let text = refused(&format!("{program} compile mm to rust with tile(2, 3, 4) @ 'i ; lower;"));
    assert!(text.contains("there are no 3 maps directly inside each other"), "{text}");
}
