//! What `lower` makes of programs that would repeat work.

use crate::dpia::functional::Target;
use crate::expr::*;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

use super::lower;

fn f32s(len: &Nat) -> DataType {
    DataType::array(len.clone(), DataType::Scalar(Scalar::F32))
}

fn kernel(nats: Vec<NatVar>, params: Vec<Param>, body: Expr) -> Kernel {
    Kernel::new("k", nats, params, body)
}

fn zero() -> Expr {
    literal(Literal::zero(Scalar::F32))
}

fn sum(xs: Expr) -> Expr {
    let f32 = DataType::Scalar(Scalar::F32);
    let add = lambda2(["acc", "x"], [f32.clone(), f32], |a, b| binary(Binary::Add, a, b));
    reduce(ReduceForm::Plain, add, zero(), xs)
}

fn twice(xs: Expr) -> Expr {
    map_with(MapForm::Plain, "x", xs, |x| binary(Binary::Add, x.clone(), x))
}

fn vector() -> (NatVar, Param) {
    let n = NatVar::new("n");
    let xs = Param::fresh("xs", f32s(&Nat::var(&n)));
    (n, xs)
}

fn lowered(nats: Vec<NatVar>, params: Vec<Param>, body: Expr) -> String {
    lower(&kernel(nats, params, body), Target::Rust).body.to_string()
}

#[test]
fn a_window_over_a_computed_array_reads_memory() {
    let (n, xs) = vector();
    let windows = call(Primitive::Slide(Nat::lit(3), Nat::lit(1)), [twice(xs.expr())]);
    let text = lowered(vec![n], vec![xs], map_with(MapForm::Plain, "w", windows, sum));
    let expected = "{
    let t = xs |>
        mapSeq(|x| x + x) |>
        toMem;
    t |>
        slide(3, 1) |>
        mapSeq(|w| w |>
            reduceSeq(|acc, x| acc + x, 0.0))
}";
    assert_eq!(text, expected);
}

#[test]
fn what_a_loop_does_not_bind_moves_out() {
    let (n, xs) = vector();
    let body = map_with(MapForm::Plain, "x", xs.expr(), |x| binary(Binary::Div, x, sum(twice(xs.expr()))));
    let text = lowered(vec![n], vec![xs.clone()], body);
    let expected = "{
    let t = xs |>
        map(|x| x + x) |>
        reduceSeq(|acc, x| acc + x, 0.0);
    xs |>
        mapSeq(|x| x / t)
}";
    assert_eq!(text, expected);
}

#[test]
fn pointwise_stages_fuse_and_share_scalars() {
    let (n, xs) = vector();
    let text = lowered(vec![n], vec![xs.clone()], twice(twice(xs.expr())));
    let expected = "xs |>
    map(|x| x + x) |>
    mapSeq(|x| {
        let x = x;
        x + x
    })";
    assert_eq!(text, expected);
}

#[test]
fn work_of_a_row_is_not_repeated_for_its_elements() {
    let (n, m) = (NatVar::new("n"), NatVar::new("m"));
    let rows = DataType::array(Nat::var(&n), f32s(&Nat::var(&m)));
    let mat = Param::fresh("mat", rows);
    let scaled = map_with(MapForm::Plain, "row", mat.expr(), |row| {
        let total = sum(row.clone());
        map_with(MapForm::Plain, "x", row, |x| binary(Binary::Div, x, total))
    });
    let text = lowered(vec![n, m], vec![mat], sum(join(scaled)));
    let expected = "{
    let t = mat |>
        mapSeq(|row| {
            let t = row |>
                reduceSeq(|acc, x| acc + x, 0.0);
            row |>
                mapSeq(|x| x / t)
        }) |>
        toMem;
    t |>
        join |>
        reduceSeq(|acc, x| acc + x, 0.0)
}";
    assert_eq!(text, expected);
}

#[test]
fn a_chosen_form_under_an_open_one_gets_memory() {
    let (n, xs) = vector();
    let chosen = map_with(MapForm::Par, "x", xs.expr(), |x| binary(Binary::Add, x.clone(), x));
    let text = lowered(vec![n], vec![xs], twice(chosen));
    assert_eq!(text.matches("toMem").count(), 1, "{text}");
}

#[test]
fn between_chosen_forms_nothing_is_inserted() {
    let (n, xs) = vector();
    let inner = map_with(MapForm::Par, "x", xs.expr(), |x| binary(Binary::Add, x.clone(), x));
    let outer = map_with(MapForm::Par, "x", inner, |x| binary(Binary::Add, x, zero()));
    let text = lowered(vec![n], vec![xs], outer);
    assert!(!text.contains("toMem"), "{text}");
}

/// Of pairs of which one half is computed that half alone is stored; the other lies in memory already.
#[test]
fn what_lies_beside_computed_elements_is_not_copied() {
    let (n, xs) = vector();
    let pairs = call(Primitive::Zip, [xs.expr(), twice(xs.expr())]);
    let groups = call(Primitive::Split(Nat::lit(4)), [pairs]);
    let body = map_with(MapForm::Plain, "pairs", groups, |pairs| {
        let windows = call(Primitive::Slide(Nat::lit(3), Nat::lit(1)), [pairs]);
        map_with(MapForm::Plain, "w", windows, |w| {
            sum(map_with(MapForm::Plain, "p", w, |p| binary(Binary::Mul, proj(0, p.clone()), proj(1, p))))
        })
    });
    let text = lowered(vec![n], vec![xs], body);
    let expected = "zip(xs, xs |>
    map(|x| x + x)) |>
    split(4) |>
    mapSeq(|pairs| {
        let pairs1 = (pairs |>
            unzip).1 |>
            mapSeq(|x| x) |>
            toMem;
        zip((pairs |>
            unzip).0, pairs1) |>
            slide(3, 1) |>
            mapSeq(|w| w |>
                map(|p| p.0 * p.1) |>
                reduceSeq(|acc, x| acc + x, 0.0))
    })";
    assert_eq!(text, expected);
}

#[test]
fn rows_of_pairs_of_which_one_half_is_computed_are_stored() {
    let (n, xs) = vector();
    let pairs = call(Primitive::Zip, [xs.expr(), twice(xs.expr())]);
    let rows = call(Primitive::Split(Nat::lit(2)), [call(Primitive::Split(Nat::lit(4)), [pairs])]);
    let body = map_with(MapForm::Plain, "rows", rows, |rows| {
        let windows = call(Primitive::Slide(Nat::lit(2), Nat::lit(1)), [rows]);
        map_with(MapForm::Plain, "w", windows, |w| {
            let product = |p: Expr| binary(Binary::Mul, proj(0, p.clone()), proj(1, p));
            sum(map_with(MapForm::Plain, "p", call(Primitive::Join, [w]), product))
        })
    });
    let text = lowered(vec![n], vec![xs], body);
    assert_eq!(text.matches("toMem").count(), 1, "{text}");
}

/// Each half is looked at once.
#[test]
fn rows_of_pairs_are_no_reason_to_store_what_they_are_made_of() {
    let (n, m) = (NatVar::new("n"), NatVar::new("m"));
    let rows = DataType::array(Nat::var(&n), f32s(&Nat::var(&m)));
    let [xs, ys] = ["xs", "ys"].map(|name| Param::fresh(name, rows.clone()));
    let doubled = map_with(MapForm::Plain, "row", ys.expr(), twice);
    let pairs = map_with(MapForm::Plain, "xy", call(Primitive::Zip, [xs.expr(), doubled]), |xy| {
        call(Primitive::Zip, [proj(0, xy.clone()), proj(1, xy)])
    });
    let body = map_with(MapForm::Plain, "row", pairs, |row| {
        map_with(MapForm::Plain, "p", row, |p| {
            let second = proj(1, p.clone());
            binary(Binary::Mul, binary(Binary::Add, proj(0, p), second.clone()), second)
        })
    });
    let text = lowered(vec![n, m], vec![xs, ys], body);
    let expected = "zip(xs, ys |>
    map(|row| row |>
        map(|x| x + x))) |>
    map(|xy| zip(xy.0, xy.1)) |>
    mapSeq(|row| row |>
        mapSeq(|p| {
            let p1 = p.1;
            (p.0 + p1) * p1
        }))";
    assert_eq!(text, expected);
}
