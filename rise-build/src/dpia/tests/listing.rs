//! The papers' example: listing 4 becomes listing 10.

use crate::dpia::functional::{Target, from_expr};
use crate::dpia::imperative::translate;
use crate::expr::*;
use crate::nat::{Nat, NatVar};
use crate::types::{DataType, Scalar};

/// Matrix times vector, rows in groups of `s`.
fn listing_4() -> Kernel {
    let f32 = DataType::Scalar(Scalar::F32);
    let [n, m, s] = ["n", "m", "s"].map(NatVar::new);
    let row = DataType::array(Nat::var(&m), f32.clone());
    let matrix = Param::fresh("M", DataType::array(Nat::var(&n), row.clone()));
    let x = Param::fresh("x", row);
    let groups = split(Nat::var(&s), matrix.expr());
    let body = map_with(MapForm::WorkGroup(0), "rows", groups, |rows| {
        map_with(MapForm::Local(0), "row", rows, |row| {
            let pairs = zip(row, x.expr());
            let step = lambda2(["acc", "ax"], [f32.clone(), element_type(&pairs)], |acc, ax| {
                binary(Binary::Add, acc, binary(Binary::Mul, proj(0, ax.clone()), proj(1, ax)))
            });
            let zero = literal(Literal::zero(Scalar::F32));
            reduce(ReduceForm::Seq(AddressSpace::Private), step, zero, pairs)
        })
    });
    Kernel::new("mv", vec![n, m, s], vec![matrix, x], join(body))
}

#[test]
fn listing_4_becomes_listing_10() {
    let phrase = from_expr(&listing_4(), Target::OpenCl).unwrap();
    let text = translate(&phrase).to_string();
    let text: Vec<&str> = text.lines().filter(|line| !line.trim().starts_with("//")).collect();
    let expected = "\
depFun((n: Nat, m: Nat, s: Nat) =>
  fun(M: Array[n, Array[m, f32]] =>
  fun(x: Array[m, f32] =>
    parForWorkGroup(n / s, joinAcc(output), fun((wgId, wgOut) =>
      parForLocal(s, wgOut, fun((lId, lOut) =>
        new(Private, f32, fun((accumAcc, accumExp) =>
          accumAcc = 0.0f ;
          for(m, fun(i =>
            accumAcc = accumExp + fst(idx(i, zip(idx(lId, idx(wgId, split(s, M))), x))) * snd(idx(i, zip(idx(lId, idx(wgId, split(s, M))), x))) )) ;
          lOut = accumExp )) )) )))))";
    assert_eq!(text.join("\n"), expected);
}
