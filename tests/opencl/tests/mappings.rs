//! Which mappings are accepted, and that those run.

use rise_build::dpia::functional::Target;
use rise_build::expr::{Arg, Expr, MapForm, Primitive, interpret};
use rise_build::mappings::{Mapping, Place, by_cost, forms, mapped, places, refusal, valid_among};
use rise_build::rewrite::lower;
use rise_opencl_tests::cases::{Case, cases};
use rise_opencl_tests::device;
use rise_opencl_tests::execute::{execute, planned};
use rise_opencl_tests::values::{close, small_arguments};
use rise_semantics::values::Numbers;
use rise_semantics::{Choices, program};

/// Listing 1 of "Mapping Parallelism in a Functional IR" with forms for its loops A to E and a memory.
fn listing(name: &str, [a, b, c, d, e]: [&str; 5], space: &str) -> String {
    format!(
        "pub fn {name}<n: Nat>(input: [[[f32; 4]; 8]; n]) -> [[[f32; 4]; 8]; n] {{
            input |> {a}(|rows|
                rows |> {b}(|row| row |> {c}(|x| x + 1.0)) |> toMem({space})
                     |> transpose |> {d}(|column| column |> {e}(|x| x * 2.0)) |> transpose)
        }}
        compile {name} to opencl with id;\n"
    )
}

fn only(text: &str) -> Case {
    cases(text).pop().expect("there is one kernel")
}

/// Runs an accepted mapping and returns its program.
fn runs(text: &str) -> String {
    let case = only(text);
    let plan = planned(&case.chosen).unwrap_or_else(|reason| panic!("{reason}\n{}", case.chosen));
    let Some(device) = device() else { return plan.program };
    for n in [0, 1, 3, 7] {
        let args = small_arguments(&case.kernel, &[n]);
        let expected = interpret(&case.kernel, &[n], &args).unwrap_or_else(|wrong| panic!("{wrong}"));
        let found = execute(&plan, &[n], &args, device).unwrap_or_else(|wrong| panic!("{wrong}"));
        assert!(close(&expected, &found), "{n}: {expected:?}, but found {found:?}\n{}", plan.program);
    }
    plan.program
}

fn refused(text: &str) -> String {
    let case = only(text);
    planned(&case.chosen).map(|plan| plan.program).expect_err("the mapping is invalid")
}

const G0: &str = "mapGlobal(0)";
const G1: &str = "mapGlobal(1)";
const W0: &str = "mapWorkGroup(0)";
const L0: &str = "mapLocal(0)";
const S: &str = "mapSeq";
const V: &str = "mapVec";

fn form(text: &str) -> MapForm {
    match text {
        G0 => MapForm::Global(0),
        G1 => MapForm::Global(1),
        W0 => MapForm::WorkGroup(0),
        L0 => MapForm::Local(0),
        V => MapForm::Vec,
        _ => MapForm::Seq,
    }
}

#[test]
fn the_valid_mappings_of_the_paper_are_found() {
    let few = |_: &Place| [S, G0, G1, W0, L0, V].map(form).to_vec();
    let found: Vec<Mapping> = ["Private", "Local"]
        .iter()
        .flat_map(|space| valid_among(&only(&listing("open", ["map"; 5], space)).kernel, &few))
        .collect();
    // Loops in order of the program's text: A, then what reads, E inside D, then B and C.
    let holds = |[a, b, c, d, e]: [&str; 5]| found.contains(&Mapping([a, d, e, b, c].map(form).to_vec()));
    assert!(holds([G0, S, S, S, S]) && holds([W0, L0, S, L0, S]) && holds([W0, L0, V, S, L0]));
    assert!(!holds([G1, G0, S, G0, S]) && !holds([S, W0, L0, W0, L0]) && !holds([W0, L0, S, L0, V]));
}

/// All assignments of forms.
fn assignments(places: &[Place], forms: &dyn Fn(&Place) -> Vec<MapForm>) -> Vec<Mapping> {
    places.iter().fold(vec![Mapping(Vec::new())], |all, place| {
        let longer = |mapping: Mapping| {
            forms(place).into_iter().map(move |form| Mapping([&mapping.0[..], &[form]].concat()))
        };
        all.into_iter().flat_map(longer).collect()
    })
}

/// Whether a component of a tuple that is written out is not looked at: stages do not look at what it maps either.
fn discards(body: &Expr) -> bool {
    let written_out = |arg: &Arg| matches!(arg.expr().as_prim(), Some((Primitive::Tuple, _)));
    body.any(&|node| match node.as_prim() {
        Some((Primitive::Proj(_), args)) => args.iter().any(written_out),
        _ => false,
    })
}

#[test]
fn enumeration_finds_what_the_stages_accept() {
    let mut numbers = Numbers::new(3);
    let (mut kernels, mut accepted) = (0, 0);
    while kernels < 100 {
        let kernel = program(&mut Choices::new(&numbers.bytes())).kernel;
        let places = places(&kernel);
        if places.is_empty() || places.len() > 3 || discards(&kernel.body) {
            continue;
        }
        kernels += 1;
        let few = |place: &Place| match places.len() {
            1 => forms(place),
            2 => [S, G0, G1, W0, L0].map(form).to_vec(),
            _ => [S, G0, W0, L0].map(form).to_vec(),
        };
        let valid = valid_among(&kernel, &few);
        let all = assignments(&places, &few);
        let fine: Vec<Mapping> =
            all.into_iter().filter(|mapping| refusal(&kernel, mapping).is_none()).collect();
        accepted += fine.len();
        assert_eq!(valid, fine, "{kernel}");
    }
    assert!(accepted > 100, "{accepted}");
}

/// What the default strategy makes of a kernel that has none.
fn auto(text: &str) -> Case {
    let name = text.split(['<', ' ']).nth(2).expect("a kernel has a name").to_owned();
    only(&format!("{text}\ncompile {name} to opencl with auto;"))
}

#[test]
fn the_default_is_the_cheapest_valid_mapping() {
    for text in [
        "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] { x |> map(map(|x| x * 2.0)) }",
        "pub fn f<n: Nat>(x: [[f32; 3]; n]) -> [[f32; 3]; n] { x |> map(map(|x| x * 2.0)) }",
        "pub fn f<n: Nat>(a: [[f32; 100]; n], x: [f32; 100]) -> [f32; n] { a |> map(|row| dot(row, x)) }",
        "pub fn f<n: Nat>(a: [[f32; n]; 90], b: [[f32; n]; 90]) -> [[f32; 90]; 90] {
            a |> map(|row| b |> map(|column| dot(row, column))) }",
        "pub fn f<n: Nat>(x: [[f32; 64]; n]) -> [[f32; 64]; n] {
            x |> map(|row| row |> map(|x| x * 2.0) |> toMem |> reorder(|i| 63 - i, |i| 63 - i) |> map(|x| x + 1.0)) }",
    ] {
        let Case { kernel, chosen, .. } = auto(text);
        let all = by_cost(&kernel, valid_among(&kernel, &forms));
        let (_, cheapest) = all.first().unwrap_or_else(|| panic!("no mapping of {kernel}"));
        let expected = lower(&mapped(&kernel, cheapest), Target::OpenCl);
        assert_eq!(chosen.body.to_string(), expected.body.to_string(), "{cheapest:?}");
    }
    // A group's memory of unknown length would ask some devices for too much.
    let Case { chosen, .. } = auto(
        "pub fn f<n: Nat, m: Nat>(x: [[f32; m]; n]) -> [[f32; m]; n] {
            x |> map(|row| row |> map(|x| x * 2.0) |> toMem |> reorder(|i| m - 1 - i, |i| m - 1 - i) |> map(|x| x + 1.0)) }",
    );
    assert!(!chosen.body.to_string().contains("Local"), "{}", chosen.body);
}

#[test]
fn no_map_over_work_items_is_computed_inside_another_one_over_them() {
    let nested = |outer: &str, inner: &str| {
        format!(
            "pub fn f<n: Nat, m: Nat>(x: [i32; m]) -> [i32; n] {{
                generate(|i: Idx[n]| x |> {inner}(|v| v * i as i32) |> reduce(add, 0))
                    |> {outer}(|v| v + 1)
            }}
            compile f to opencl with lower;"
        )
    };
    let wrong = refused(&nested(G0, G0));
    assert!(wrong.contains("inside another one over the same"), "{wrong}");
    assert!(runs(&nested(G0, "map")).contains("get_global_id(0)"));
}

#[test]
fn the_six_mappings_of_the_paper() {
    for space in ["Global", "Private"] {
        assert!(!runs(&listing("m1", [G0, S, S, S, S], space)).contains("barrier"));
    }
    let m2 = refused(&listing("m2", [G1, G0, S, G0, S], "Global"));
    assert!(m2.contains("cannot wait for what other work-groups write"), "{m2}");
    let m3 = refused(&listing("m3", [S, W0, L0, W0, L0], "Local"));
    assert!(m3.contains("no `mapWorkGroup` is around it"), "{m3}");
    assert!(runs(&listing("m4", [W0, L0, S, L0, S], "Local")).contains("barrier(CLK_LOCAL_MEM_FENCE)"));
    let m5 = refused(&listing("m5", [W0, L0, S, L0, V], "Local"));
    assert!(m5.contains("`mapVec` takes lanes that are read `4` elements apart"), "{m5}");
    let m6 = runs(&listing("m6", [W0, L0, V, S, L0], "Local"));
    assert!(!m6.contains("barrier"), "each work-item reads what it wrote itself\n{m6}");
    assert!(m6.contains("global float4 *restrict input"), "{m6}");
}
