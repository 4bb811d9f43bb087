//! The texts of kernels, and what compilers say to them.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use proc_macro2::TokenStream;

use crate::pipeline::{Options, Unit, compile, units};
use crate::types::Scalar;

use super::helper::definitions;
use super::{Isa, Settings, dispatcher, emit};

const ISAS: [Isa; 4] = [Isa::Plain, Isa::Baseline(cfg!(target_arch = "x86_64")), Isa::Avx2, Isa::Avx512];

fn all(source: &str) -> Vec<Unit> {
    let tokens: TokenStream = source.parse().unwrap();
    units(tokens, &|_| Err("no files here".into())).compiled
}

/// Compilers that are installed.
fn compilers() -> Vec<&'static str> {
    let runs =
        |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
    ["gcc", "clang"].into_iter().filter(runs).collect()
}

/// Lets every compiler check the text with all warnings as errors.
fn accepted(name: &str, text: &str, isa: Isa, flags: &[&str]) {
    let folder = std::env::temp_dir().join(format!("rise-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Tests run side by side and may call their kernels alike.
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let file = folder.join(format!("{name}_{}_{number}.c", isa.name()));
    std::fs::write(&file, text).unwrap();
    for compiler in compilers() {
        let out = Command::new(compiler)
            .args([
                "-std=c99",
                "-Wall",
                "-Wextra",
                "-Wpedantic",
                "-Werror",
                "-O1",
                "-ffp-contract=off",
                "-fno-math-errno",
            ])
            .args(isa.flags())
            .args(flags)
            .args(if compiler == "clang" { &["-fsyntax-only"][..] } else { &["-S", "-o", "/dev/null"] })
            .arg(&file)
            .output()
            .unwrap();
        assert!(
            out.status.success(),
            "{compiler}, {}:\n{}\n{text}",
            isa.name(),
            String::from_utf8_lossy(&out.stderr)
        );
    }
    let _ = std::fs::remove_file(file);
}

#[test]
fn the_text_is_readable() {
    let units = all(
        "pub fn scal<n: Nat>(a: f32, x: [f32; n]) -> [f32; n] { x |> map(|x| a * x) } compile scal to c with lower;",
    );
    let text = emit(units[0].loops.best(), "rise1_0", &Settings { isa: Isa::Avx2, openmp: false });
    assert!(
        text.contains(
            "size_t rise1_0_avx2(size_t n, float a, const float *restrict x, float *restrict output) {"
        ),
        "{text}"
    );
    assert!(text.contains("output[i] = a * x[i];"), "{text}");
}

#[test]
fn every_helper_compiles_everywhere() {
    let unary = [
        "neg", "abs", "not", "sqrt", "rsqrt", "exp", "ln", "sin", "cos", "tan", "tanh", "floor", "ceil",
        "round",
    ];
    let binary = ["add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr", "pow"];
    let float = |op: &str| {
        ["sqrt", "rsqrt", "exp", "ln", "sin", "cos", "tan", "tanh", "floor", "ceil", "round", "pow"]
            .contains(&op)
    };
    let integer = |op: &str| ["not", "and", "or", "xor", "shl", "shr"].contains(&op);
    for isa in ISAS {
        let mut words = String::from(
            "size_min size_max diff_min diff_max size_monus size_div size_rem diff_div diff_rem size_pow size_place size_align ",
        );
        for ty in Scalar::ALL {
            let bool = ty == Scalar::Bool;
            let fits = |op: &&str| match bool {
                true => ["not", "and", "or", "xor"].contains(op),
                false => !(ty.is_float() && integer(op) || !ty.is_float() && float(op)),
            };
            for lanes in [1, 2, 3, 4, 8, 16, 32] {
                let name = if lanes == 1 { ty.to_string() } else { format!("{ty}x{lanes}") };
                for op in unary.iter().chain(&binary).filter(|op| fits(op)) {
                    words.push_str(&format!("{name}_{op} "));
                }
                for from in Scalar::ALL.into_iter().filter(|from| *from != ty && lanes > 1) {
                    words.push_str(&format!("{name}_from_{from}x{lanes} "));
                }
                if lanes > 1 {
                    for op in ["min", "add", "mul", "max"].into_iter().filter(|_| !bool) {
                        words.push_str(&format!("{name}_fold_{op} "));
                    }
                    for op in ["eq", "ne", "select", "splat", "load", "store", "gather", "lanes", "lane1"] {
                        words.push_str(&format!("{name}_{op} "));
                    }
                    if !bool {
                        words.push_str(&format!("{name}_lt {name}_ge "));
                    }
                    if ty.is_float() {
                        words.push_str(&format!("{name}_fma {name}_mul_add "));
                    }
                    if ty.is_integer() {
                        words.push_str(&format!("{name}_ramp "));
                    }
                }
            }
        }
        let head = "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <string.h>\n";
        let x86 = if isa.is_x86() { "#include <immintrin.h>\n" } else { "" };
        accepted(
            "helpers",
            &format!("{head}{x86}{}", definitions(&words, isa)),
            isa,
            &["-Wno-unused-function"],
        );
    }
}

#[test]
fn the_basic_programs_compile_without_warnings() {
    let block = include_str!("../../../../tests/cases/basics.rise");
    let names: Vec<&str> =
        block.split("pub fn ").skip(1).filter_map(|rest| rest.split(['<', '(']).next()).collect();
    let compiled: String = names
        .iter()
        .map(|name| {
            format!("compile {name} to c with lower; compile {name} to openmp with lower as {name}_par;")
        })
        .collect();
    let units = all(&format!("{block}{compiled}"));
    assert_eq!(units.len(), 2 * names.len());
    let mut dispatchers = String::new();
    for unit in units {
        let openmp = unit.target == crate::dpia::functional::Target::OpenMp;
        let isa = if openmp { Isa::Plain } else { Isa::Avx2 };
        let text = emit(unit.loops.on(isa.name()), unit.symbol.text(), &Settings { isa, openmp });
        accepted(&unit.name, &text, isa, if openmp { &["-fopenmp"] } else { &[] });
        let all = dispatcher(unit.loops.best(), unit.symbol.text(), &ISAS[1..]);
        let structs = dispatchers.contains("typedef") && all.contains("typedef");
        dispatchers.push_str(if structs { "" } else { &all });
    }
    accepted("dispatchers", &dispatchers, Isa::Plain, &[]);
}

/// The text for OpenMP of the kernel in these items; both compilers accept it with and without OpenMP.
fn openmp(items: &str) -> String {
    let unit = all(items).remove(0);
    let text = emit(unit.loops.on("avx2"), unit.symbol.text(), &Settings { isa: Isa::Avx2, openmp: true });
    accepted(&unit.name, &text, Isa::Avx2, &["-fopenmp"]);
    accepted(&unit.name, &text, Isa::Avx2, &[]);
    text
}

#[test]
fn independent_iterations_may_be_lanes() {
    let map =
        "pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> 'l: map(|x| x + 1.0) } compile f to openmp with";
    let text = openmp(&format!("{map} mapPar @ 'l ; lower;"));
    assert!(text.contains("#pragma omp parallel for simd schedule(static) if (n"), "{text}");
    assert!(openmp(&format!("{map} lower;")).contains("#pragma omp simd"));
    let text = openmp(&format!("{map} vectorize(8) @ 'l ; lower;"));
    assert!(!text.contains("simd"), "the strategy has chosen vectors\n{text}");
    let rows = "pub fn g<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; n] { a |> 'l: map(|row| row |> reduce(add, 0.0)) }
        compile g to openmp with mapPar @ 'l ; lower;";
    let text = openmp(rows);
    assert!(text.contains("#pragma omp parallel for schedule(static)"), "{text}");
    let scan =
        "pub fn h<n: Nat>(x: [f32; n]) -> [f32; n] { x |> scan(add, 0.0) } compile h to openmp with lower;";
    assert!(!openmp(scan).contains("simd"), "each sum needs the one before");
}

#[test]
fn sums_in_order_stay_scalar_beside_wide_vectors() {
    let units =
        all("pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> reduceSeq(add, 0.0) } compile f to c with lower;");
    for isa in [Isa::Avx2, Isa::Avx512] {
        let text = emit(units[0].loops.on(isa.name()), "rise1_0", &Settings { isa, openmp: false });
        accepted("in_order", &text, isa, &[]);
        assert_eq!(text.contains("RISE_IN_ORDER(accum);"), isa == Isa::Avx512, "{text}");
    }
}

#[test]
fn all_lanes_are_added_by_halves() {
    let units = all("pub fn f<n: Nat>(x: [f32; n]) -> f32 { x |> reduce(add, 0.0) } compile f to c;");
    let text = emit(units[0].loops.best(), "rise1_0", &Settings { isa: Isa::Avx512, openmp: false });
    assert!(text.contains("f32x4_fold_add(") && !text.contains("f32x4_lane"), "{text}");
    accepted("halves", &text, Isa::Avx512, &[]);
}

#[test]
fn memory_is_taken_once_for_each_thread() {
    let items = "pub fn f<n: Nat, m: Nat>(a: [[f32; m + 1]; n]) -> [[f32; m]; n] {
            a |> 'l: map(|row| row |> map(|x| x * x) |> toMem |> slide(2, 1) |> map(|w| w[0] + w[1]))
        }
        compile f to TARGET with mapPar @ 'l ; lower;";
    let text = openmp(&items.replace("TARGET", "openmp"));
    let (before, inside) = text.split_once("for (size_t i = 0; i < n; i += 1) {").expect(&text);
    assert!(before.contains("#pragma omp parallel if (") && before.contains("#pragma omp for"), "{text}");
    assert!(before.contains("malloc(") && !inside.contains("malloc("), "{text}");
    assert!(inside.contains("#pragma omp atomic write"), "{text}");
    // One thread shares the allocation of the call.
    let units = all(&items.replace("TARGET", "c"));
    let text = emit(units[0].loops.on("avx2"), "rise1_0", &Settings { isa: Isa::Avx2, openmp: false });
    assert!(text.find("malloc(") < text.find("for (size_t i") && !text.contains("missing"), "{text}");
}

#[test]
fn products_by_a_library_compile_without_warnings() {
    let units = all("
        extern fn sgemm<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] = cblas_sgemm;
        extern fn dgemm<n: Nat, m: Nat, k: Nat>(a: [[f64; k]; n], b: [[f64; m]; k]) -> [[f64; m]; n] = cblas_dgemm;
        pub fn f<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; k]; m]) -> [[f32; m]; n] {
            a |> 'l: map(|row| b |> map(|col| zip(row, col) |> map(mult) |> reduce(add, 0.0)))
        }
        pub fn g(a: [[f64; 1]; 5], b: [[f64; 7]; 1]) -> [[f64; 7]; 5] { dgemm(a, b) }
        pub fn h<n: Nat>(a: [[[f64; 4]; n]; n], b: [[f64; 6]; n]) -> [[[f64; 6]; 4]; n] {
            a |> mapPar(|m| dgemm(transpose(m), b))
        }
        compile f to c with call(sgemm) @ 'l ; lower;
        compile g to c with lower;
        compile h to openmp with lower;
    ");
    assert_eq!(units.len(), 3);
    for (unit, openmp) in units.iter().zip([false, false, true]) {
        let text = emit(unit.loops.on("avx2"), unit.symbol.text(), &Settings { isa: Isa::Avx2, openmp });
        accepted(&unit.name, &text, Isa::Avx2, if openmp { &["-fopenmp"] } else { &[] });
        let called = match unit.name.as_str() {
            "f" => {
                "cblas_sgemm(101, 111, 112, (int)n, (int)m, (int)k, 1.0f, a, (int)k, b, (int)k, 0.0f, output, (int)m);"
            }
            "g" => {
                "cblas_dgemm(101, 111, 111, (int)5, (int)7, (int)1, 1.0, a, (int)1, b, (int)7, 0.0, output, (int)7);"
            }
            _ => "cblas_dgemm(101, 112, 111, (int)4, (int)6, (int)n, 1.0, a + ",
        };
        assert!(text.contains(called), "{text}");
    }
}

#[test]
fn foreign_functions_of_vectors_compile_without_warnings() {
    let units = all("
        extern fn mix(x: f64, y: i32) -> f64 = mix;
        extern fn mix(x: Simd<f64, 4>, y: Simd<i32, 4>) -> Simd<f64, 4> = mix4;
        extern fn mix(x: Simd<f64, 2>, y: Simd<i32, 2>) -> Simd<f64, 2> = mix2;
        pub fn f<n: Nat>(x: [f64; n], y: [i32; n]) -> [f64; n] { zip(x, y) |> 'l: map(|(x, y)| mix(x, y) + mix(x, 3)) }
        compile f to c with vectorize(16) @ 'l ; lower;
    ");
    for isa in ISAS {
        let text = emit(units[0].loops.on(isa.name()), "rise1_0", &Settings { isa, openmp: false });
        assert!(text.contains("mix4(x0s + l, x1s + l, rs + l);") && !text.contains("mix2"), "{text}");
        accepted("mixed", &text, isa, &[]);
    }
}

#[test]
fn functions_of_the_other_world_are_refused() {
    let options = Options::new(&|_| Err("no files here".into()));
    let said = |items: &str| compile(items.parse().unwrap(), &options).tokens.to_string();
    let hypotenuse = "extern fn hyp(x: f32, y: f32) -> f32 = f32::hypot;
        pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] { x |> map(|x| hyp(x, x)) }";
    let text = said(&format!("{hypotenuse} compile f to c with lower;"));
    assert!(text.contains("`hyp` is a function of Rust, which the target `c` cannot call"), "{text}");
    let version = |types: &str| {
        said(&format!(
            "extern fn hyp(x: f32, y: f32) -> f32 = hypotf; extern fn hyp({types}) -> Simd<f32, 4> = hypot4;
        pub fn f<n: Nat>(x: [f32; n]) -> [f32; n] {{ x |> map(|x| hyp(x, x)) }} compile f to c with lower;"
        ))
    };
    assert!(!version("x: Simd<f32, 4>, y: Simd<f32, 4>").contains("compile_error"));
    for wrong in [
        "x: Simd<f32, 4>",
        "x: Simd<f32, 4>, y: Simd<f32, 8>",
        "x: Simd<f32, 4>, y: Simd<f64, 4>",
        "x: Simd<f32, 4>, y: f32",
    ] {
        let text = version(wrong);
        assert!(text.contains("this is no version of `hyp` for vectors"), "{wrong}: {text}");
    }
    let product = "extern fn sgemm<n: Nat, m: Nat, k: Nat>(a: [[f32; k]; n], b: [[f32; m]; k]) -> [[f32; m]; n] = cblas_sgemm;
        pub fn f<n: Nat>(a: [[f32; n]; n]) -> [[f32; n]; n] { sgemm(a, a) }";
    let text = said(&format!("{product} compile f to rust with lower;"));
    assert!(text.contains("`sgemm` is no function that the target `rust` can call"), "{text}");
    let text = said(
        "extern fn total<n: Nat>(a: [f32; n]) -> f32 = cblas_sasum;
        pub fn f<n: Nat>(a: [f32; n]) -> f32 { total(a) } compile f to c with lower;",
    );
    assert!(text.contains("`total` is no function that kernels can call"), "{text}");
    let text = said(
        "pub fn f<n: Nat>(a: [[f32; n]; n]) -> [[f32; n]; n] { a } compile f to c with call(sgemm) ; lower;",
    );
    assert!(text.contains("there is no `extern fn sgemm`"), "{text}");
}

#[test]
fn far_rows_are_asked_for_where_memory_is_large() {
    let units = all("pub fn f<n: Nat, m: Nat>(a: [[f32; m]; n]) -> [f32; m] {
            transpose(a) |> map(|column| column |> reduce(add, 0.0))
        }
        compile f to c;");
    for isa in ISAS {
        let text = emit(units[0].loops.best(), "rise1_0", &Settings { isa, openmp: false });
        assert!(text.contains("if (n * m * 4 > 8388608) {"), "{text}");
        assert!(text.contains("__builtin_prefetch((const void *)((uintptr_t)a + 4 * ("), "{text}");
        accepted("far_rows", &text, isa, &[]);
    }
}

#[test]
fn integers_are_widened_by_lanes_that_are_written_out() {
    let units = all("pub fn f<n: Nat>(x: [u8; n]) -> [f32; n] { x |> 'x: map(|x| x as f32) }
        compile f to c with vectorize(8) @ 'x ; lower;");
    let text = emit(units[0].loops.best(), "rise1_0", &Settings { isa: Isa::Avx2, openmp: false });
    assert!(text.contains("return f32x8_from_i32x8(i32x8_from_u8x8(a));"), "{text}");
    assert!(text.contains("return (i32x8){a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]};"), "{text}");
}

#[test]
fn both_operands_of_conditions_are_computed() {
    let units = all("pub fn f<n: Nat>(a: [bool; n], b: [bool; n]) -> [u8; n] {
            zip(a, b) |> map(|(a, b)| if a && !b || b && !a { 1 } else { 0 })
        }
        compile f to c with lower;");
    for isa in ISAS {
        let text = emit(units[0].loops.best(), "rise1_0", &Settings { isa, openmp: false });
        assert!(text.contains("((ab & (!ab_2)) | (ab_2 & (!ab))) ? "), "{text}");
        accepted("conditions", &text, isa, &[]);
    }
}

#[test]
fn squares_are_transposed_in_registers() {
    for (ty, side) in [("f32", Some("f32x16")), ("f64", Some("f64x8")), ("u32", Some("u32x16")), ("u8", None)]
    {
        let units = all(&format!(
            "pub fn f<n: Nat, m: Nat>(a: [[{ty}; m]; n]) -> [[{ty}; n]; m] {{ transpose(a) }}
            compile f to c with auto;"
        ));
        for isa in ISAS {
            let text = emit(units[0].loops.best(), "rise1_0", &Settings { isa, openmp: false });
            let called = side.is_some_and(|side| text.contains(&format!("{side}_transpose(a + ")));
            assert_eq!(called, side.is_some(), "{text}");
            accepted("squares", &text, isa, &[]);
        }
    }
}
