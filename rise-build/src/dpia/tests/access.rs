//! What access inference accepts, and what it says about the rest.

use super::*;

#[test]
fn a_result_between_two_loops_needs_memory() {
    let (n, m) = (NatVar::new("n"), NatVar::new("m"));
    let matrix = matrix("M", &n, &m);
    let body = map_with(MapForm::WorkGroup(0), "row", matrix.expr(), |row| {
        let first = map_with(MapForm::Local(0), "x", row, doubled);
        map_with(MapForm::Local(0), "y", first, doubled)
    });
    let found = errors(&kernel(&[&n, &m], &[&matrix], body), Target::OpenCl);
    let message = "`mapLocal(0)` has to be written to memory before it can be read here; \
                   needs memory: put `toMem(Local)` around this `mapLocal(0)`";
    assert_eq!(found, [message]);
}

#[test]
fn memory_behind_a_scan_is_advised_for_functions_too() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let sums = |xs: Expr| {
        let sum = lambda2(["a", "b"], [f32(), f32()], |a, b| binary(Binary::Add, a, b));
        prim(Primitive::Scan(ScanForm::Seq), vec![sum.into(), zero().into(), xs.into()])
    };
    let found = errors(&kernel(&[&n], &[&xs], sums(sums(xs.expr()))), Target::Rust);
    let advice = "put `toMem(…)` around this `scanSeq`, or `>> toMem` behind it where it is a function; \
                  `scan` leaves the choice to the strategy";
    assert!(found.len() == 1 && found[0].ends_with(advice), "{found:?}");
}

#[test]
fn a_view_as_result_needs_a_copy() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let windows = call(Primitive::PadClamp(Nat::lit(1), Nat::lit(1)), [xs.expr()]);
    let found = errors(&kernel(&[&n], &[&xs], windows), Target::Rust);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("the program does not say how to write the result of `padClamp(1, 1)`"));
    assert!(found[0].contains("mapSeq(|x| x)"));
    let found = errors(&kernel(&[&n], &[&xs], xs.expr()), Target::Rust);
    assert!(found[0].starts_with("the program does not say how to write the result of `xs`"));
}

#[test]
fn open_choices_are_errors() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let sum = || lambda2(["a", "b"], [f32(), f32()], |a, b| binary(Binary::Add, a, b));
    let open = reduce(ReduceForm::Plain, sum(), zero(), xs.expr());
    assert!(errors(&kernel(&[&n], &[&xs], open), Target::Rust)[0].contains("left open"));
    let open = map_with(MapForm::Plain, "x", xs.expr(), doubled);
    assert!(errors(&kernel(&[&n], &[&xs], open), Target::Rust)[0].contains("how this `map` writes"));
    let open = prim(Primitive::Scan(ScanForm::Plain), vec![sum().into(), zero().into(), xs.expr().into()]);
    assert!(errors(&kernel(&[&n], &[&xs], open), Target::Rust)[0].contains("left open"));
}

#[test]
fn every_mistake_is_reported() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let loops = || map_with(MapForm::Seq, "x", xs.expr(), doubled);
    let body = map_with(MapForm::Seq, "p", zip(loops(), xs.expr()), |p| proj(0, p));
    let both = pair(body.clone(), xs.expr());
    assert_eq!(errors(&kernel(&[&n], &[&xs], both), Target::Rust).len(), 2);
}

#[test]
fn a_map_of_layouts_over_a_loop_is_written() {
    let (n, m) = (NatVar::new("n"), NatVar::new("m"));
    let matrix = matrix("M", &n, &m);
    let rows = map_with(MapForm::Seq, "row", matrix.expr(), |row| map_with(MapForm::Seq, "x", row, doubled));
    let body = map_with(MapForm::Plain, "row", rows, |row| split(Nat::lit(1), row));
    let text = commands(&kernel(&[&n, &m], &[&matrix], body));
    assert!(text.contains("mapAcc(fun(row => splitAcc(1, row)), output)"), "{text}");
    assert!(!text.contains("new("), "{text}");
}

#[test]
fn take_of_a_loop_computes_only_what_is_taken() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let loops = map_with(MapForm::Seq, "x", xs.expr(), doubled);
    let text = commands(&kernel(&[&n], &[&xs], call(Primitive::Take(Nat::lit(3)), [loops])));
    assert!(text.contains("for(3, "), "{text}");
}

#[test]
fn a_computed_element_is_computed_once() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let exp = map_with(MapForm::Plain, "x", xs.expr(), |x| call(Primitive::Unary(Unary::Exp), [x]));
    let body = map_with(MapForm::Seq, "y", exp, doubled);
    let text = commands(&kernel(&[&n], &[&xs], body));
    assert!(text.contains("let y: f32 = idx(i, mapRead(fun(x => exp(x)), xs))"), "{text}");
    assert!(text.contains("= y + y"), "{text}");
}

#[test]
fn nested_choices_do_not_duplicate_code() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let nested = |x: Expr, depth: usize| {
        (0..depth).fold(x.clone(), |e, _| {
            let condition = call(Primitive::Compare(Compare::Lt), [x.clone(), zero()]);
            let sum = lambda2(["a", "b"], [f32(), f32()], |a, b| binary(Binary::Add, a, b));
            let fold = reduce(ReduceForm::Seq(AddressSpace::Private), sum, e, xs.expr());
            call(Primitive::Select, [condition, fold, x.clone()])
        })
    };
    let size = |depth: usize| {
        let body = map_with(MapForm::Seq, "x", xs.expr(), |x| nested(x, depth));
        let text = commands(&kernel(&[&n], &[&xs], body));
        text.split_whitespace().count()
    };
    assert!(size(20) < 25 * size(1), "{} {}", size(1), size(20));
}
