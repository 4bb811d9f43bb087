//! The normal form by example: what is equal, and how it prints.

use super::{nats, vars};
use crate::nat::{Nat, NatVar};

#[test]
fn prints_as_users_write() {
    let [n, m, k] = &nats("n m k");
    let lit = Nat::lit;
    let table = [
        (n * 2 + 1, "2 * n + 1"),
        (n - 1, "n - 1"),
        (lit(1) - n, "1 - n"),
        (-n, "-n"),
        (n.div(&lit(32)), "n / 32"),
        ((n + 1).div(&lit(32)) * 2, "2 * ((n + 1) / 32)"),
        ((n + 1).rem(&lit(32)), "(n + 1) % 32"),
        (n.rem(&lit(32)), "n % 32"),
        (n.ceil_div(&lit(32)), "(n + 31) / 32"),
        (n.div(&(m * k)), "n / (m * k)"),
        ((n * m).div(k), "n * m / k"),
        (n.div(m).div(k), "(n / m) / k"),
        (n.min(&(m - 1)), "min(n, m - 1)"),
        (n.max(&lit(1)), "max(1, n)"),
        (lit(2).pow(n), "2 ^ n"),
        (m * n.pow(k), "m * n ^ k"),
        ((n + 1).pow(k), "(n + 1) ^ k"),
        (n * n, "n ^ 2"),
        (lit(0), "0"),
        (lit(-3), "-3"),
        (n * i64::MAX * 2, "(too large)"),
    ];
    for (nat, text) in table {
        assert_eq!(nat.to_string(), text);
    }
}

#[test]
fn equal_naturals_have_one_form() {
    let [n, m, k] = &nats("n m k");
    let lit = Nat::lit;
    let table = [
        ((n + 1) * (n - 1), n * n - 1),
        ((n * 32 + m * 64).div(&lit(32)), n + m * 2),
        ((n * 33 + 70).div(&lit(32)), n + (n + 6).div(&lit(32)) + 2),
        ((n * 8).div(&lit(32)), n.div(&lit(4))),
        ((n * 8 + 3).div(&lit(32)), n.div(&lit(4))),
        ((n * 8 + 3).rem(&lit(32)), n.rem(&lit(4)) * 8 + 3),
        (n.div(&lit(4)).div(&lit(8)), n.div(&lit(32))),
        ((n.div(&lit(4)) + 3).div(&lit(8)), (n + 12).div(&lit(32))),
        (n.rem(&lit(64)).rem(&lit(32)), n.rem(&lit(32))),
        ((n - n.rem(&lit(32))).rem(&lit(32)), lit(0)),
        ((n.rem(m) * 2 + k).rem(m), (n * 2 + k).rem(m)),
        ((n - n.rem(m)).rem(m), lit(0)),
        ((n * m + k).rem(m), k.rem(m)),
        (n.rem(n), lit(0)),
        (n.div(&lit(0)), lit(0)),
        (n.rem(&lit(0)), n.clone()),
        (lit(-1).div(&lit(2)), lit(-1)),
        (lit(-1).rem(&lit(32)), lit(31)),
        (n.min(&(n + 1)), n.clone()),
        (Nat::min(&n.min(m), n), m.min(n)),
        (Nat::min(&n.min(m), k), m.min(&k.min(n))),
        (n.max(&(n - 2)), n.clone()),
        (lit(2).pow(k) * 2, lit(2).pow(&(k + 1))),
        (lit(2).pow(k) + lit(2).pow(k), lit(2).pow(&(k + 1))),
        (n.pow(k) * n, n.pow(&(k + 1))),
        (n.pow(k) * n.pow(m), n.pow(&(k + m))),
        ((n * m).pow(k), n.pow(k) * m.pow(k)),
        (n.pow(&lit(3)), n * n * n),
        (n.pow(&(k - 1)) * n, n.pow(k)),
        (lit(2).pow(&(k - 1)) * lit(2).pow(&(-k)) * 2, lit(1)),
        (lit(2).pow(&lit(10)), lit(1024)),
        (lit(2).pow(&lit(100)), Nat::overflow()),
        (Nat::overflow() * lit(0), Nat::overflow()),
        (n - n, lit(0)),
    ];
    for (left, right) in table {
        assert_eq!(left, right);
    }
    assert_ne!(n.div(n), lit(1), "n may be 0");
    assert_ne!((n * m).div(n), *m, "n may be 0");
}

#[test]
fn sums_have_closed_forms() {
    let [i, j, n] = vars("i j n");
    let [x, y, z] = [&i, &j, &n].map(Nat::var);
    let zero = Nat::lit(0);
    assert_eq!(Nat::sum(&i, &zero, &z, &Nat::lit(3)), &z * 3);
    assert_eq!(Nat::sum(&i, &zero, &z, &x), (&z * (&z - 1)).div(&Nat::lit(2)));
    assert_eq!(Nat::sum(&i, &zero, &z, &(&x * 2 + 1)), &z * &z);
    assert_eq!(Nat::sum(&i, &Nat::lit(1), &Nat::lit(4), &(&x * &x)), Nat::lit(14));
    let nested = Nat::sum(&j, &zero, &z, &Nat::sum(&i, &zero, &y, &x.rem(&y)));
    let [k, l] = vars::<2>("k l");
    let renamed =
        Nat::sum(&l, &zero, &z, &Nat::sum(&k, &zero, &Nat::var(&l), &Nat::var(&k).rem(&Nat::var(&l))));
    assert_eq!(nested, renamed);
    assert_eq!(nested.vars(), vec![n.clone()]);
    assert_eq!(nested.eval(&|_| Some(4)).ok(), Some(4));
    assert_eq!(nested.subst(&n, &Nat::lit(20)).subst(&n, &zero), nested.subst(&n, &Nat::lit(20)));
}

#[test]
fn substitution_is_simultaneous() {
    let [a, b] = vars("a b");
    let [x, y] = [&a, &b].map(Nat::var);
    let e = &x * 2 + &y + x.div(&y);
    let swapped = e.subst_all(&[(a.clone(), y.clone()), (b.clone(), x.clone())]);
    assert_eq!(swapped, &y * 2 + &x + y.div(&x));
    assert_eq!(e.subst(&b, &Nat::lit(0)), &x * 2);
    assert_eq!(e.affine_in(&a), None);
    assert_eq!((&x * &y * 3 - &y + 1).affine_in(&a), Some((&y * 3, -&y + 1)));
    assert_eq!((&x * &x).affine_in(&a), None);
}

#[test]
fn accidental_ord_minimum_means_the_value() {
    let n = Nat::var(&NatVar::new("n"));
    let by_value: Nat = n.clone().min(n.clone() + 1);
    assert_eq!(by_value, n);
}
