//! Mappings that a target cannot run.

use super::*;

fn one_map(form: MapForm, target: Target) -> Vec<String> {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    errors(&kernel(&[&n], &[&xs], map_with(form, "x", xs.expr(), doubled)), target)
}

/// Two nested maps for OpenCL, around `body`.
fn nest(outer: MapForm, body: impl FnOnce(Expr) -> Expr) -> Vec<String> {
    let (n, m) = (NatVar::new("n"), NatVar::new("m"));
    let rows = matrix("rows", &n, &m);
    let mapped = map_with(outer, "row", rows.expr(), body);
    errors(&kernel(&[&n, &m], &[&rows], mapped), Target::OpenCl)
}

fn inner(form: MapForm) -> impl FnOnce(Expr) -> Expr {
    move |row| map_with(form, "x", row, doubled)
}

#[test]
fn targets_have_their_own_loops() {
    for target in [Target::Rust, Target::C, Target::OpenMp] {
        assert!(one_map(MapForm::Global(0), target)[0].contains("has no `mapGlobal(0)`"));
        assert!(one_map(MapForm::Par, target).is_empty());
    }
    assert!(one_map(MapForm::Par, Target::OpenCl)[0].contains("the target `opencl` has no `mapPar`"));
    assert!(one_map(MapForm::Global(3), Target::OpenCl)[0].contains("has no `mapGlobal(3)`"));
    assert!(one_map(MapForm::Global(2), Target::OpenCl).is_empty());
}

#[test]
fn only_constant_lengths_are_written_out() {
    assert!(one_map(MapForm::Unroll, Target::Rust)[0].contains("this one has length `n`"));
    assert!(one_map(MapForm::Vec, Target::Rust).is_empty());
}

#[test]
fn local_memory_is_for_opencl() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let tmp = to_mem(AddressSpace::Local, map_with(MapForm::Seq, "x", xs.expr(), doubled));
    let body = map_with(MapForm::Seq, "x", tmp, doubled);
    assert!(errors(&kernel(&[&n], &[&xs], body), Target::C)[0].contains("no local memory"));
}

#[test]
fn work_items_are_shared_out_once() {
    assert!(nest(MapForm::Global(0), inner(MapForm::Global(0)))[0].contains("cannot be shared out twice"));
    assert!(nest(MapForm::Global(0), inner(MapForm::Global(1))).is_empty());
    assert!(nest(MapForm::WorkGroup(0), inner(MapForm::Local(0))).is_empty());
    assert!(nest(MapForm::Seq, inner(MapForm::Local(0)))[0].contains("no `mapWorkGroup` of this dimension"));
    assert!(nest(MapForm::WorkGroup(1), inner(MapForm::Local(0)))[0].contains("no `mapWorkGroup` of this"));
    assert!(nest(MapForm::WorkGroup(0), inner(MapForm::Global(1)))[0].contains("shared out already"));
    assert!(nest(MapForm::WorkGroup(0), inner(MapForm::Seq))[0].contains("by every work-item of the group"));
}

#[test]
fn memory_lies_where_those_who_use_it_can_reach_it() {
    let through = |space, form| {
        nest(MapForm::WorkGroup(0), move |row| {
            let tmp = to_mem(space, map_with(form, "x", row, doubled));
            map_with(MapForm::Local(0), "y", tmp, doubled)
        })
    };
    assert!(through(AddressSpace::Local, MapForm::Local(0)).is_empty());
    assert!(through(AddressSpace::Global, MapForm::Local(0)).is_empty());
    assert!(through(AddressSpace::Private, MapForm::Seq).is_empty());
    assert!(through(AddressSpace::Private, MapForm::Local(0))[0].contains("belongs to one work-item"));
    assert!(through(AddressSpace::Local, MapForm::Seq)[0].contains("by every work-item of the group"));
    assert!(through(AddressSpace::Default, MapForm::Local(0))[0].contains("where it lies"));
    let alone = nest(MapForm::Global(0), |row| {
        let tmp = to_mem(AddressSpace::Local, map_with(MapForm::Seq, "x", row, doubled));
        map_with(MapForm::Seq, "y", tmp, doubled)
    });
    assert!(alone[0].contains("no `mapWorkGroup` is around it"));
}

#[test]
fn a_parallel_scatter_needs_distinct_indices() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let bound = DataType::Idx(Nat::var(&n));
    let indices = Param::fresh("indices", DataType::array(Nat::var(&n), bound.clone()));
    let scattered =
        |form, indices: Expr| call(Primitive::Scatter, [indices, map_with(form, "x", xs.expr(), doubled)]);
    let check = |body| errors(&kernel(&[&n], &[&xs, &indices], body), Target::Rust);
    assert!(check(scattered(MapForm::Par, indices.expr()))[0].contains("indices might repeat"));
    assert!(check(scattered(MapForm::Seq, indices.expr())).is_empty());
    let mirror = lambda("i", bound.clone(), |i| {
        let Kind::Nat(i) = i.kind() else { panic!("an index is a natural") };
        Expr::new(Kind::Nat(Nat::var(&n) - 1 - i), bound, crate::diagnostics::Origin::NONE)
    });
    assert!(check(scattered(MapForm::Par, prim(Primitive::Generate, vec![mirror.into()]))).is_empty());
}
