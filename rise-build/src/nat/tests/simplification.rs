//! What is known makes index expressions short.

use super::Scope;
use crate::nat::Facts;

/// Sizes, ranges, assumptions, an expression, and what becomes of it.
type Row = (&'static str, &'static str, &'static [&'static str], &'static str, &'static str);

const TABLE: &[Row] = &[
    ("n", "i in 0..n; j in 0..32", &[], "(i * 32 + j) / 32", "i"),
    ("n", "i in 0..n; j in 0..32", &[], "(i * 32 + j) % 32", "j"),
    ("n m", "i in 0..n; j in 0..m", &[], "(i * m + j) / m", "i"),
    ("n m", "i in 0..n; j in 0..m", &[], "(i * m + j) % m", "j"),
    ("n m p", "i in 0..n; j in 0..m; k in 0..p", &[], "(i * m * p + j * p + k) / p", "m * i + j"),
    ("n m p", "i in 0..n; j in 0..m; k in 0..p", &[], "(i * m * p + j * p + k) / (m * p)", "i"),
    ("n m p", "i in 0..n; j in 0..m; k in 0..p", &[], "((i * m * p + j * p + k) / p) % m", "j"),
    ("n m p", "i in 0..n; j in 0..m; k in 0..p", &[], "(i * m * p + j * p + k) % (m * p)", "p * j + k"),
    ("h w", "i in 0..h + 2; j in 0..w + 2", &[], "(i * (w + 2) + j) / (w + 2)", "i"),
    ("h w", "i in 0..h + 2; j in 0..w + 2", &[], "(i * (w + 2) + j) % (w + 2)", "j"),
    ("n", "i in 0..n", &[], "i / n", "0"),
    ("n", "i in 0..n", &[], "i % n", "i"),
    ("n", "i in 0..n", &[], "(i + n) / n", "1"),
    ("n", "i in 0..n", &[], "(i - n) % n", "i"),
    ("n", "", &["1 <= n"], "n / n", "1"),
    ("n", "", &[], "n / n", "n / n"),
    ("n m", "", &["1 <= m"], "(n * m) / m", "n"),
    ("n", "", &["32 divides n"], "(n / 32) * 32", "n"),
    ("n", "", &["32 divides n"], "n / 2", "n / 2"),
    ("n", "", &["32 divides n"], "n % 16", "0"),
    ("n", "", &["32 divides n"], "(n + 5) % 16", "5"),
    ("n m", "i in 0..n / m; j in 0..m", &["m divides n"], "(i * m + j) / m", "i"),
    ("n m", "", &["m divides n", "1 <= m"], "(n / m) * m", "n"),
    ("n", "", &["2 divides n - 3"], "((n - 3) / 2) * 2 + 3", "n"),
    ("x", "", &[], "32 * (x / 32) + x % 32", "x"),
    ("x m", "", &[], "m * (x / m) + x % m", "x"),
    ("x m", "", &["1 <= m"], "(m * (x / m) + x % m) * 3 + 1", "3 * x + 1"),
    ("n", "", &[], "(n - n % 32) / 32", "n / 32"),
    ("n m", "", &["1 <= m"], "(n - n % m) / m", "n / m"),
    ("n", "i in 0..n; j in 0..32", &[], "(i * 32 + j) / 64", "i / 2"),
    ("n", "i in 0..n; j in 0..32", &[], "(i * 32 + j) % 64", "32 * (i % 2) + j"),
    ("n m", "i in 0..n; j in 0..m", &[], "(i * m + j) / (4 * m)", "i / 4"),
    ("n", "i in 0..n", &[], "min(i, n - 1)", "i"),
    ("n", "i in 0..n", &[], "max(i - n, 0)", "0"),
    ("n", "i in 0..n", &[], "min(max(i, 0), n)", "i"),
    ("n", "i in 0..n + 2", &[], "min(max(i - 1, 0), n - 1)", "min(n - 1, max(0, i - 1))"),
    ("n", "i in 1..n", &[], "min(max(i - 1, 0), n - 1)", "i - 1"),
    ("n m p", "", &["n <= m"], "min(m, min(n, p))", "min(n, p)"),
    ("n m", "", &["m = 2 * n"], "m / 2", "n"),
    ("n m", "", &[], "n / m", "n / m"),
    ("n", "i in 0..n; j in 0..8", &[], "((i * 8 + j) / 8) * 8 + (i * 8 + j) % 8", "8 * i + j"),
    ("n", "i in 0..n", &["4 divides n"], "(i * n + n / 4) / n", "i"),
    ("n", "i in 0..n", &["32 divides n"], "7 * i / (n + 1)", "7 * i / (n + 1)"),
    (
        "n m",
        "",
        &["32 divides n", "8 divides n"],
        "(n / 32) * m * 32 + n * n / 8 + m / n",
        "n * m + n * (n / 8) + m / n",
    ),
    ("n", "", &["32 divides n", "64 divides n"], "(n / 64) * 64 + n / 32 * 32", "2 * n"),
    ("n", "", &["2 divides n", "3 divides n"], "6 * (n / 6) + n % 6", "n"),
    ("n m", "i in 0..n; j in 0..m - 2", &[], "(i * (m - 2) + j) / (m - 2)", "i"),
    ("n m", "i in 0..n; j in 0..m - 2", &[], "(i * (m - 2) + j) % (m - 2)", "j"),
    ("n", "i in 0..128", &[], "(i / 4) / 32", "0"),
    ("n h w", "i in 0..h * w", &[], "((h * w * n + i) / w) / h", "n"),
    ("n h w", "i in 0..h * w - 16 * (h * w / 16)", &[], "(h * w * n + i + 16 * (h * w / 16)) / w / h", "n"),
    ("n", "i in 0..128", &[], "(i % 4 + 4 * n) / 4", "n"),
];

#[test]
fn simplifies_with_facts() {
    let mut wrong = Vec::new();
    for (sizes, ranges, assumes, text, expected) in TABLE {
        let mut scope = Scope::default();
        let mut facts = Facts::new();
        for name in sizes.split_whitespace() {
            facts.size(&scope.declare(name));
        }
        for (name, bounds) in ranges.split(';').filter_map(|r| r.split_once(" in ")) {
            let (low, high) = bounds.split_once("..").expect("two bounds");
            let (low, high) = (scope.nat(low), scope.nat(high));
            facts.range(&scope.declare(name.trim()), &low, &high);
        }
        assumes.iter().for_each(|a| scope.obligation(a).assume(&mut facts));
        let simple = facts.simplify(&scope.nat(text)).to_string();
        let again = facts.simplify(&scope.nat(&simple)).to_string();
        if simple != scope.nat(expected).to_string() || again != simple {
            wrong.push(format!("{text} gives {simple}, then {again}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
