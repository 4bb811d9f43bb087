//! Folds over arrays accumulate where their result goes, if each element depends on its own old value alone.

use super::*;

/// A fold of rows whose step is `step(acc, row)`.
fn fold(step: impl FnOnce(Expr, Expr) -> Expr) -> String {
    let (n, m) = (NatVar::new("n"), NatVar::new("m"));
    let len = Nat::var(&m) * Nat::lit(4);
    let row = DataType::array(len.clone(), f32());
    let rows = Param::fresh("rows", DataType::array(Nat::var(&n), row.clone()));
    let start = prim(Primitive::Generate, vec![lambda("i", DataType::Idx(len), |_| zero()).into()]);
    let step = lambda2(["acc", "row"], [row.clone(), row], step);
    let body = reduce(ReduceForm::Seq(AddressSpace::Default), step, start, rows.expr());
    commands(&kernel(&[&n, &m], &[&rows], body))
}

fn sum(pair: Expr) -> Expr {
    binary(Binary::Add, proj(0, pair.clone()), proj(1, pair))
}

fn assert_in_place(text: &str, wanted: bool) {
    let found = !text.contains("swap(") && !text.contains("new(");
    assert_eq!(found, wanted, "{text}");
}

#[test]
fn element_by_element_is_in_place() {
    let text = fold(|acc, row| map_with(MapForm::Seq, "p", zip(acc, row), sum));
    assert_in_place(&text, true);
    assert!(text.contains("idxAcc(i1, output) = fst("), "{text}");
}

#[test]
fn through_matching_layouts_is_in_place() {
    let text = fold(|acc, row| {
        let tiles = split(Nat::lit(4), zip(acc, row));
        join(map_with(MapForm::Seq, "tile", tiles, |tile| map_with(MapForm::Seq, "p", tile, sum)))
    });
    assert_in_place(&text, true);
    let text = fold(|acc, row| {
        let (acc, row) = (split(Nat::lit(4), acc), split(Nat::lit(4), row));
        join(map_with(MapForm::Seq, "t", zip(acc, row), |t| {
            map_with(MapForm::Seq, "p", zip(proj(0, t.clone()), proj(1, t)), sum)
        }))
    });
    assert_in_place(&text, true);
}

#[test]
fn other_places_are_double_buffered() {
    let reversed = |acc: Expr| {
        let len = length(&acc);
        let i = NatVar::new("i");
        let mirror = NatFun { body: len - Nat::lit(1) - Nat::var(&i), var: i };
        call(Primitive::Reorder(mirror.clone(), mirror), [acc])
    };
    let text = fold(|acc, row| map_with(MapForm::Seq, "p", zip(reversed(acc), row), sum));
    assert_in_place(&text, false);
    let text = fold(|acc, row| {
        let first = Expr::new(Kind::Nat(Nat::lit(0)), DataType::Nat, crate::diagnostics::Origin::NONE);
        map_with(MapForm::Seq, "x", row, |x| {
            binary(Binary::Add, x, call(Primitive::Idx, [first, acc.clone()]))
        })
    });
    assert_in_place(&text, false);
}

#[test]
fn memory_that_a_later_step_fills_is_no_old_value() {
    let copy = |xs: Expr| map_with(MapForm::Seq, "x", xs, |x| x);
    let text = fold(|acc, row| {
        let inner = lambda2(["new", "x"], [row.ty().clone(), f32()], |_, _| {
            copy(to_mem(AddressSpace::Default, copy(acc)))
        });
        reduce(ReduceForm::Seq(AddressSpace::Default), inner, copy(row.clone()), row)
    });
    assert!(text.contains("swap("), "{text}");
}

#[test]
fn memory_for_a_tile_is_filled_before_the_tile_is_overwritten() {
    let text = fold(|acc, row| {
        let tiles = split(Nat::lit(4), zip(acc, row));
        join(map_with(MapForm::Seq, "tile", tiles, |tile| {
            let sums = to_mem(AddressSpace::Default, map_with(MapForm::Seq, "p", tile, sum));
            map_with(MapForm::Seq, "x", sums, |x| x)
        }))
    });
    assert!(!text.contains("swap("), "{text}");
}

#[test]
fn a_tile_that_is_folded_in_memory_of_its_own_is_overwritten_afterwards() {
    let copy = |xs: Expr| map_with(MapForm::Seq, "x", xs, |x| x);
    let folded = |start: &dyn Fn(&Expr, &Expr) -> Expr| {
        fold(|acc, row| {
            let tiles = zip(split(Nat::lit(4), acc.clone()), split(Nat::lit(4), row));
            join(map_with(MapForm::Seq, "tile", tiles, |tile| {
                let (old, new) = (proj(0, tile.clone()), proj(1, tile));
                let step = lambda2(["sums", "x"], [old.ty().clone(), f32()], |sums, x| {
                    map_with(MapForm::Seq, "sum", sums, |sum| binary(Binary::Add, sum, x))
                });
                copy(reduce(ReduceForm::Seq(AddressSpace::Private), step, copy(start(&acc, &old)), new))
            }))
        })
    };
    let text = folded(&|_, old| old.clone());
    assert!(!text.contains("swap("), "{text}");
    // Tiles before this one are overwritten already.
    let text = folded(&|acc, _| call(Primitive::Take(Nat::lit(4)), [acc.clone()]));
    assert!(text.contains("swap("), "{text}");
}

#[test]
fn a_tuple_in_a_register_is_replaced_at_once() {
    let n = NatVar::new("n");
    let xs = vector("xs", &n);
    let pair_ty = DataType::pair(f32(), f32());
    let step = lambda2(["acc", "x"], [pair_ty, f32()], |acc, x| {
        pair(binary(Binary::Add, proj(1, acc.clone()), x), proj(0, acc))
    });
    let body = reduce(ReduceForm::Seq(AddressSpace::Private), step, pair(zero(), zero()), xs.expr());
    let text = commands(&kernel(&[&n], &[&xs], proj(0, body)));
    assert!(text.contains("let value"), "{text}");
}

#[test]
fn a_fold_that_goes_on_with_the_accumulator_copies_nothing() {
    let (n, m) = (NatVar::new("n"), NatVar::new("m"));
    let rows = matrix("rows", &n, &m);
    let row = DataType::array(Nat::var(&m), f32());
    let copy = |acc: Expr| map_with(MapForm::Seq, "x", acc, |x| x);
    let add = || {
        lambda2(["acc", "row"], [row.clone(), row.clone()], |acc, row| {
            map_with(MapForm::Seq, "p", zip(acc, row), sum)
        })
    };
    let blocks = split(Nat::lit(1), rows.expr());
    let outer = lambda2(["acc", "block"], [row.clone(), element_type(&blocks)], |acc, block| {
        reduce(ReduceForm::Seq(AddressSpace::Default), add(), copy(acc), block)
    });
    let start = prim(Primitive::Generate, vec![lambda("i", DataType::Idx(Nat::var(&m)), |_| zero()).into()]);
    let body = reduce(ReduceForm::Seq(AddressSpace::Default), outer, start, blocks);
    let text = commands(&kernel(&[&n, &m], &[&rows], body));
    assert_in_place(&text, true);
    assert_eq!(text.matches("for(").count(), 4, "{text}");
}

#[test]
fn steps_of_a_fold_inside_run_when_the_accumulator_is_overwritten() {
    let copy = |xs: Expr| map_with(MapForm::Seq, "x", xs, |x| x);
    let again = |acc: &Expr, step: &dyn Fn(Expr) -> Expr, row: Expr| {
        let step = lambda2(["inner", "x"], [acc.ty().clone(), f32()], |inner, _| step(inner));
        reduce(ReduceForm::Seq(AddressSpace::Default), step, copy(row.clone()), row)
    };
    // The old value in a step, as the result of another fold and in a sum.
    let text =
        fold(|acc, row| again(&acc, &|_| again(&acc, &|_| copy(acc.clone()), row.clone()), row.clone()));
    assert!(text.contains("new("), "{text}");
    let add = || lambda2(["a", "b"], [f32(), f32()], |a, b| binary(Binary::Add, a, b));
    let total = |acc: &Expr| reduce(ReduceForm::Seq(AddressSpace::Default), add(), zero(), acc.clone());
    let text = fold(|acc, row| {
        let step = |inner| map_with(MapForm::Seq, "v", inner, |v| binary(Binary::Add, v, total(&acc)));
        again(&acc, &step, row)
    });
    assert!(text.contains("new("), "{text}");
}

#[test]
fn one_element_is_overwritten_when_all_is_read() {
    let at = |i: i64, xs: &Expr| {
        let index = Kind::Nat(Nat::lit(i));
        Expr::new(index, DataType::Idx(length(xs)), crate::diagnostics::Origin::NONE)
    };
    let updated = |value: &dyn Fn(Expr, Expr) -> Expr, is_step: bool| {
        fold(|acc, row| {
            let other = call(Primitive::Idx, [at(2, &acc), acc.clone()]);
            let f = lambda("old", f32(), |old| value(old, other.clone()));
            let new = prim(Primitive::Update, vec![f.into(), at(1, &acc).into(), acc.clone().into()]);
            match is_step {
                true => call(
                    Primitive::Select,
                    [literal(Literal::Bool(true)), new, map_with(MapForm::Seq, "x", acc, |x| x)],
                ),
                false => map_with(MapForm::Seq, "p", zip(to_mem(AddressSpace::Default, new), row), sum),
            }
        })
    };
    let both = |old, other| binary(Binary::Add, old, other);
    assert_in_place(&updated(&|old, _| old, true), true);
    assert_in_place(&updated(&both, true), true);
    // The others are no longer what they were.
    assert!(updated(&both, false).contains("new("));
}

#[test]
fn elements_are_overwritten_one_after_the_other() {
    let at = |i: i64, xs: &Expr| {
        let index = Kind::Nat(Nat::lit(i));
        Expr::new(index, DataType::Idx(length(xs)), crate::diagnostics::Origin::NONE)
    };
    let twice = |second: &dyn Fn(Expr, Expr) -> Expr| {
        fold(|acc, _| {
            let other = call(Primitive::Idx, [at(1, &acc), acc.clone()]);
            let first = lambda("old", f32(), |_| other.clone());
            let second = lambda("old", f32(), |old| second(old, other.clone()));
            let new = prim(Primitive::Update, vec![first.into(), at(2, &acc).into(), acc.clone().into()]);
            prim(Primitive::Update, vec![second.into(), at(1, &acc).into(), new.into()])
        })
    };
    assert_in_place(&twice(&|old, _| binary(Binary::Add, old, zero())), true);
    // Read before the first one is overwritten.
    assert_in_place(&twice(&|_, other| other), true);
    // One that is to be read after that, and one that is to be read before.
    assert_in_place(&twice(&|old, other| binary(Binary::Add, old, other)), false);
}

#[test]
fn what_has_a_name_is_computed_before() {
    let at = |i: i64, xs: &Expr| {
        let index = Kind::Nat(Nat::lit(i));
        Expr::new(index, DataType::Idx(length(xs)), crate::diagnostics::Origin::NONE)
    };
    let text = fold(|acc, _| {
        let other = Param::fresh("other", f32());
        let add = || lambda("old", f32(), |old| binary(Binary::Add, old, other.expr()));
        let new = prim(Primitive::Update, vec![add().into(), at(2, &acc).into(), acc.clone().into()]);
        let new = prim(Primitive::Update, vec![add().into(), at(1, &acc).into(), new.into()]);
        let_in(other.clone(), call(Primitive::Idx, [at(1, &acc), acc]), new)
    });
    assert_in_place(&text, true);
    let named = text.find("let other: f32 = idx(1, output) ;").expect(&text);
    assert!(named < text.find("idxAcc(2, output) = ").expect(&text), "{text}");
}

#[test]
fn components_are_updated_one_after_the_other() {
    let (n, m) = (NatVar::new("n"), NatVar::new("m"));
    let (xs, row) = (vector("xs", &n), DataType::array(Nat::var(&m), f32()));
    let first =
        Expr::new(Kind::Nat(Nat::lit(0)), DataType::Idx(Nat::var(&m)), crate::diagnostics::Origin::NONE);
    let folded = |added: &dyn Fn(Expr) -> Expr| {
        let step = lambda2(["acc", "x"], [DataType::pair(row.clone(), row.clone()), f32()], |acc, _| {
            let (a, b) = (proj(0, acc.clone()), proj(1, acc));
            let other = added(call(Primitive::Idx, [first.clone(), a.clone()]));
            let [f, g] =
                [zero(), other].map(|term| lambda("old", f32(), |old| binary(Binary::Add, old, term)));
            pair(
                prim(Primitive::Update, vec![f.into(), first.clone().into(), a.into()]),
                prim(Primitive::Update, vec![g.into(), first.clone().into(), b.into()]),
            )
        });
        let zeros =
            || prim(Primitive::Generate, vec![lambda("i", DataType::Idx(Nat::var(&m)), |_| zero()).into()]);
        let body = reduce(ReduceForm::Seq(AddressSpace::Default), step, pair(zeros(), zeros()), xs.expr());
        commands(&kernel(&[&n, &m], &[&xs], body))
    };
    assert!(!folded(&|_| zero()).contains("swap("));
    // What the first one was is no longer there.
    assert!(folded(&|of_the_first| of_the_first).contains("swap("));
}

#[test]
fn elements_by_their_index_are_in_place() {
    let chosen = |at: &dyn Fn(Expr, &Expr) -> Expr| {
        fold(|acc, row| {
            let indices =
                prim(Primitive::Generate, vec![lambda("i", DataType::Idx(length(&acc)), |i| i).into()]);
            map_with(MapForm::Seq, "j", indices, |j| {
                let [old, new] = [&acc, &row].map(|xs| call(Primitive::Idx, [at(j.clone(), xs), xs.clone()]));
                binary(Binary::Add, old, new)
            })
        })
    };
    assert_in_place(&chosen(&|j, _| j), true);
    let first = |xs: &Expr| {
        Expr::new(Kind::Nat(Nat::lit(0)), DataType::Idx(length(xs)), crate::diagnostics::Origin::NONE)
    };
    assert_in_place(&chosen(&|_, xs| first(xs)), false);
}
