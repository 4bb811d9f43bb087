//! Goals that the compiler meets, and goals that must not be proved.

use super::{Scope, vars};
use crate::nat::{Facts, Nat, NatVar, Obligation};

/// Obligations as text over declared variables; `assumes` and `claim` are in the syntax of [`Scope`].
struct Goal {
    sizes: &'static str,
    /// `name in low..high`, separated by `;`.
    ranges: &'static str,
    assumes: &'static [&'static str],
    claim: &'static str,
}

const fn goal(
    sizes: &'static str,
    ranges: &'static str,
    assumes: &'static [&'static str],
    claim: &'static str,
) -> Goal {
    Goal { sizes, ranges, assumes, claim }
}

impl Goal {
    fn facts(&self) -> (Scope, Facts) {
        let mut scope = Scope::default();
        let mut facts = Facts::new();
        for name in self.sizes.split_whitespace() {
            facts.size(&scope.declare(name));
        }
        for range in self.ranges.split(';').filter(|r| !r.trim().is_empty()) {
            let (name, bounds) = range.split_once(" in ").expect("a range");
            let (low, high) = bounds.split_once("..").expect("two bounds");
            let (low, high) = (scope.nat(low), scope.nat(high));
            facts.range(&scope.declare(name.trim()), &low, &high);
        }
        for assumed in self.assumes {
            scope.obligation(assumed).assume(&mut facts);
        }
        (scope, facts)
    }

    fn is_proved(&self) -> bool {
        let (scope, facts) = self.facts();
        scope.obligation(self.claim).prove(&facts)
    }
}

const PROVED: &[Goal] = &[
    // Signs and constants.
    goal("n", "", &[], "0 <= n"),
    goal("n m", "", &[], "0 <= n * m + 3"),
    goal("n", "", &["3 <= n"], "1 <= n"),
    goal("n", "", &["3 <= 2 * n"], "2 <= n"),
    goal("n m", "", &["n = m + 1"], "1 <= n"),
    goal("n m", "", &["n <= m", "m <= n"], "n = m"),
    goal("k", "", &[], "k / 8 - 2 * (k / 16) <= 1"),
    goal("k", "", &[], "k / 4 - 2 * (k / 8) <= 1"),
    // Loops.
    goal("n", "i in 0..n", &[], "i < n"),
    goal("n", "i in 0..n", &[], "0 <= n - 1 - i"),
    goal("n", "i in 0..n", &[], "n - 1 - i < n"),
    goal("n", "i in 0..n", &[], "1 <= n"),
    goal("n", "i in 0..n - 1", &[], "i + 1 < n"),
    goal("n", "i in 1..n", &[], "0 <= i - 1"),
    goal("n", "i in 0..n; j in 0..i", &[], "j + 1 < n"),
    goal("n", "i in 0..n; j in i..n", &[], "j - i < n"),
    goal("n m", "i in 0..n", &["n <= m"], "i < m"),
    goal("n", "i in 0..2 * n", &[], "i < 2 * n + 1"),
    // Windows.
    goal("n", "i in 0..(n - 3) + 1; k in 0..3", &["3 <= n"], "i + k < n"),
    goal("n", "i in 0..n - 2; k in 0..3", &[], "i + k < n"),
    goal("m", "i in 0..m + 1; k in 0..5", &[], "2 * i + k < 2 * m + 5"),
    goal("s m", "i in 0..m + 1; k in 0..5", &[], "s * i + k < s * m + 5"),
    goal("n", "i in 0..(n - 3) / 2 + 1; k in 0..3", &["3 <= n"], "2 * i + k < n"),
    goal("n", "i in 0..(n - 3) / 2 + 1; k in 0..3", &["3 <= n", "2 divides n - 3"], "2 * i + k < n"),
    // Splits and joins.
    goal("n", "i in 0..n / 32; j in 0..32", &["32 divides n"], "i * 32 + j < n"),
    goal("n", "i in 0..n / 32; j in 0..32", &[], "i * 32 + j < n"),
    goal("n m", "i in 0..n; j in 0..m", &[], "i * m + j < n * m"),
    goal("n m", "i in 0..n; j in 0..m", &[], "j * n + i < n * m"),
    goal("n m p", "i in 0..n; j in 0..m; k in 0..p", &[], "(i * m + j) * p + k < n * m * p"),
    goal("n", "x in 0..n", &[], "x / 32 < (n + 31) / 32"),
    goal("n", "x in 0..n", &["32 divides n"], "x / 32 < n / 32"),
    goal("n m", "x in 0..n * m", &["1 <= m"], "x / m < n"),
    goal("n m", "x in 0..n * m", &["1 <= m"], "x % m < m"),
    goal("n m", "x in 0..n * m", &["1 <= m"], "m * (x / m) <= x"),
    goal("s q", "i in 0..s * q / 16; l in 0..16", &["1 <= q"], "(16 * i + l) / q < s"),
    goal("s q", "i in 0..s * q % 16", &["1 <= q"], "(i + 16 * (s * q / 16)) / q < s"),
    goal("s q", "x in 0..s * q", &["1 <= q"], "s * (x % q) + x / q < s * q"),
    goal("s q", "i in 0..s * q / 16; l in 0..16", &[], "(16 * i + l) / q < s"),
    goal("s q", "i in 0..s * q / 16; l in 0..16", &[], "s * ((16 * i + l) % q) + (16 * i + l) / q < s * q"),
    goal("s q", "i in 0..s * q % 16", &[], "1 <= q"),
    goal("n m", "i in 0..n / m; j in 0..m", &["1 <= m"], "i * m + j < n"),
    goal("n m", "i in 0..n / m; j in 0..m", &["m divides n", "1 <= m"], "i * m + j < n"),
    goal("n", "i in 0..n / 4; j in 0..4", &["16 divides n"], "4 * i + j < n"),
    goal("h w", "i in 0..h + 2; j in 0..w + 2", &[], "i * (w + 2) + j < (h + 2) * (w + 2)"),
    goal("n", "i in 0..n / 8; j in 0..4; k in 0..2", &["8 divides n"], "(i * 4 + j) * 2 + k < n"),
    goal("n m", "i in 0..n / 32; j in 0..32; k in 0..m", &["32 divides n"], "(i * 32 + j) * m + k < n * m"),
    goal("n m", "i in 0..n; j in 0..m - 2", &[], "i * (m - 2) + j < n * (m - 2)"),
    goal("n m", "i in 0..n - 2; j in 0..m - 2", &[], "i * (m - 2) + j < (n - 2) * (m - 2)"),
    goal("n m", "i in 0..n - 2; j in 0..m - 2; a in 0..3; b in 0..3", &[], "(i + a) * m + j + b < n * m"),
    goal(
        "n m",
        "i in 0..n - 2; j in 0..(m - 2) / 8",
        &["8 divides m - 2"],
        "i * (m - 2) + j * 8 + 7 < (n - 2) * (m - 2)",
    ),
    // Remainders and peels.
    goal("n", "", &[], "n - n % 32 <= n"),
    goal("n", "", &[], "0 <= n - n % 32"),
    goal("n", "", &[], "n % 32 <= n"),
    goal("n", "", &[], "n % 32 < 32"),
    goal("n", "", &[], "32 divides n - n % 32"),
    goal("n", "", &[], "32 divides (n / 32) * 32"),
    goal("n", "", &["32 divides n"], "8 divides n"),
    goal("n", "", &["6 divides 4 * n"], "3 divides n"),
    goal("n m", "", &["32 divides n"], "32 divides n * m"),
    goal("n m", "", &["m divides n"], "m divides n * 3"),
    goal("n m", "", &["32 divides n * m"], "32 divides n * m + 64"),
    goal("n", "", &["2 divides n - 3"], "2 divides n - 1"),
    goal("n m", "", &[], "m divides n - n % m"),
    goal("n m", "", &["32 divides n * m"], "32 divides 3 * n * m"),
    goal("n", "", &["2 divides n", "3 divides n"], "6 divides n"),
    goal("n", "i in 0..n % 32", &[], "32 * (n / 32) + i < n"),
    goal("n", "i in 0..n / 32; j in 0..32", &[], "i * 32 + j < n - n % 32"),
    goal("n", "", &[], "n <= 32 * ((n + 31) / 32)"),
    goal("n", "", &[], "32 * ((n + 31) / 32) < n + 32"),
    goal("n", "", &["1 <= n"], "n / 2 < n"),
    goal("n", "", &[], "n / 2 <= n"),
    goal("n m", "", &["n <= m"], "n / 32 <= m / 32"),
    // Minima and maxima.
    goal("n", "i in 0..n + 4", &["1 <= n"], "min(i, n - 1) < n"),
    goal("n", "i in 0..n + 2", &["1 <= n"], "min(max(i - 1, 0), n - 1) < n"),
    goal("n", "i in 0..n + 2", &["1 <= n"], "0 <= min(max(i - 1, 0), n - 1)"),
    goal("n m", "", &[], "min(n, m) <= n"),
    goal("n m", "", &[], "n <= max(n, m)"),
    goal("n m p", "", &["p <= n", "p <= m"], "p <= min(n, m)"),
    goal("n m", "", &[], "min(n, m) <= max(n, m)"),
    goal("n", "i in 0..(n + 31) / 32; j in 0..min(32, n - 32 * i)", &[], "32 * i + j < n"),
    goal("n", "i in 0..(n + 31) / 32", &["32 <= n"], "min(32 * i, n - 32) + 31 < n"),
    goal("n", "i in 0..(n + 31) / 32", &[], "1 <= min(32, n - 32 * i)"),
    // Powers.
    goal("b k", "", &["1 <= b"], "1 <= b ^ k"),
    goal("m k", "i in 0..m", &[], "i * 2 ^ k + 2 ^ k <= m * 2 ^ k"),
    goal("m k", "i in 0..m", &[], "i < m * 2 ^ k"),
];

const UNPROVED: &[Goal] = &[
    goal("n", "", &[], "1 <= n"),
    goal("n m", "", &[], "n <= m"),
    goal("n", "i in 0..n", &[], "i + 1 < n"),
    goal("n", "i in 0..n / 32; j in 0..33", &["32 divides n"], "i * 32 + j < n"),
    goal("n m", "", &[], "n / m <= n - 1"),
    goal("n m", "", &[], "n % m < m"),
    goal("n m", "x in 0..n * m", &[], "x < n"),
    goal("n m", "", &[], "n = m"),
    goal("n m", "", &["32 divides n * m"], "32 divides n"),
    goal("n", "", &["4 divides n"], "8 divides n"),
    goal("n", "", &[], "0 divides n"),
    goal("n", "", &[], "2 divides n * n + n + 1"),
    goal("n", "i in 0..n + 4", &[], "min(i, n - 1) < n - 1"),
    goal("b k", "", &[], "1 <= b ^ k"),
    goal("n", "", &["2 divides n"], "n / 2 < n"),
    goal("n", "", &[], "n % 32 < 31"),
    goal("n", "", &[], "1 <= n % 32"),
    goal("n", "", &[], "n % 32 < n"),
    goal("n", "", &[], "32 * (n / 32) < n"),
    goal("n", "", &[], "n < 32 * (n / 32) + 31"),
    goal("n", "", &[], "n <= 32 * ((n + 30) / 32)"),
    goal("n m", "x in 0..n * m", &["1 <= m"], "x / m < n - 1"),
    goal("n m", "x in 0..n * m", &["1 <= m"], "x % m < m - 1"),
    goal("n m", "", &[], "min(n, m) < max(n, m)"),
    goal("n m", "i in 0..n; j in 0..m - 2", &[], "i * (m - 2) + j < n * (m - 2) - 1"),
    goal("m k", "i in 0..m", &[], "i * 2 ^ k + 2 ^ k < m * 2 ^ k"),
    goal("n", "", &[], "9223372036854775807 * 4 <= n"),
];

#[test]
fn proves_what_the_compiler_needs() {
    let missing: Vec<_> = PROVED.iter().filter(|g| !g.is_proved()).map(|g| (g.claim, g.ranges)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn leaves_unproved_what_may_fail() {
    let wrong: Vec<_> = UNPROVED.iter().filter(|g| g.is_proved()).map(|g| g.claim).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Every goal of both tables, for all small values: what is proved holds, what is not fails somewhere.
#[test]
fn tables_agree_with_small_values() {
    for (goal, expected) in
        PROVED.iter().map(|g| (g, true)).chain(UNPROVED[..UNPROVED.len() - 1].iter().map(|g| (g, false)))
    {
        let (scope, _) = goal.facts();
        let claim = scope.obligation(goal.claim);
        let holds = all_values(goal, &scope, &mut |env| claim.eval(env).unwrap_or(true));
        assert_eq!(holds, expected, "{}", goal.claim);
    }
}

/// Values of variables.
type Env<'a> = &'a dyn Fn(&NatVar) -> Option<i128>;

/// What is asked of each assignment.
type Visit<'a> = &'a mut dyn FnMut(&[(NatVar, i128)]) -> bool;

/// Whether `claim` holds for all small values that satisfy the assumptions of `goal`.
fn all_values(goal: &Goal, scope: &Scope, claim: &mut dyn FnMut(Env) -> bool) -> bool {
    let sizes: Vec<NatVar> = goal.sizes.split_whitespace().map(|n| scope.var(n)).collect();
    let most: i128 = [70, 70, 11, 5][sizes.len()];
    let ranges: Vec<(NatVar, Nat, Nat)> = goal
        .ranges
        .split(';')
        .filter_map(|r| r.split_once(" in "))
        .map(|(name, bounds)| {
            let (low, high) = bounds.split_once("..").expect("two bounds");
            (scope.var(name.trim()), scope.nat(low), scope.nat(high))
        })
        .collect();
    let assumes: Vec<Obligation> = goal.assumes.iter().map(|a| scope.obligation(a)).collect();
    let mut values: Vec<(NatVar, i128)> = Vec::new();
    walk(&sizes, &ranges, most, &mut values, &mut |values| {
        let env = |v: &NatVar| values.iter().find(|(var, _)| var == v).map(|(_, value)| *value);
        !assumes.iter().all(|a| a.eval(&env).unwrap_or(false)) || claim(&env)
    })
}

fn walk(
    sizes: &[NatVar],
    ranges: &[(NatVar, Nat, Nat)],
    most: i128,
    values: &mut Vec<(NatVar, i128)>,
    visit: Visit,
) -> bool {
    let env = |v: &NatVar| values.iter().find(|(var, _)| var == v).map(|(_, value)| *value);
    let (var, low, high, sizes, ranges) = match (sizes.split_first(), ranges.split_first()) {
        (Some((size, sizes)), _) => (size, 0, most, sizes, ranges),
        (None, Some(((var, low, high), ranges))) => {
            (var, low.eval(&env).unwrap_or(0), high.eval(&env).unwrap_or(0), sizes, ranges)
        }
        (None, None) => return visit(values),
    };
    let mut holds = true;
    for value in low..high {
        values.push((var.clone(), value));
        holds = holds && walk(sizes, ranges, most, values, visit);
        values.pop();
    }
    holds
}

#[test]
fn eliminates_loop_variables() {
    let [n, m, i, k] = vars("n m i k");
    let [x, y, a, b] = [&n, &m, &i, &k].map(Nat::var);
    let mut facts = Facts::new();
    facts.size(&n);
    facts.size(&m);
    facts.range(&i, &Nat::lit(0), &x);
    facts.range(&k, &Nat::lit(0), &(&a + 1));
    let both = [i.clone(), k.clone()];
    let cases = [
        (&y - &a - 1, "m - n"),
        (&y - &b - 1, "m - n"),
        (&a - &b, "0"),
        (a.clone(), "0"),
        (&y - &a * 3 - &b, "m + 4 - 4 * n"),
        (y.clone() - Nat::min(&a, &Nat::lit(7)), "m - min(7, n - 1)"),
        (y.clone() - a.div(&Nat::lit(2)), "m + 1 - (n + 1) / 2"),
        (&y - &a * &a, "2 * n + m - n ^ 2 - 1"),
        (&a * &y - &x * &a, "min(0, n * m + n - n ^ 2 - m)"),
    ];
    for (e, expected) in cases {
        assert_eq!(facts.eliminate(&e, &both).map(|e| e.to_string()).as_deref(), Some(expected), "{e}");
    }
    assert_eq!(facts.eliminate(&Nat::lit(2).pow(&a), &both), None);
    let (low, high) = facts.bounds(&(&a * 2 + &b));
    assert_eq!((low, high), (Some(Nat::lit(0)), Some(&x * 3 - 3)));
}

#[test]
fn conditions_on_the_least_of_several_come_apart() {
    let [n, m] = vars("n m");
    let [x, y] = [&n, &m].map(Nat::var);
    let parts =
        |obligation: Obligation| obligation.parts().iter().map(ToString::to_string).collect::<Vec<_>>();
    let least = Nat::min(&(&x - 3), &(&y - 1));
    assert_eq!(parts(Obligation::Le(Nat::lit(0), least.clone())), ["3 <= n", "1 <= m"]);
    assert_eq!(parts(Obligation::Lt(Nat::max(&x, &y), Nat::lit(9))), ["n <= 8", "m <= 8"]);
    // Of the greatest of several one is enough.
    let whole = Obligation::Le(Nat::lit(1), Nat::max(&x, &y));
    assert_eq!(parts(whole.clone()), [whole.to_string()]);
    assert_eq!(parts(Obligation::Divides(x, least)).len(), 1);
}

#[test]
fn facts_of_a_scope_stay_there() {
    let [n] = vars("n");
    let outer = Facts::new();
    let mut inner = outer.clone();
    inner.size(&n);
    assert!(inner.proves_ge0(&Nat::var(&n)));
    assert!(!outer.proves_ge0(&Nat::var(&n)));
}

#[test]
fn numbers_are_found_for_facts_that_sizes_must_be_chosen_for() {
    let few_rows = ["5 <= m", "n <= 5", "786432 * n <= o * m", "512 * (m / 512) + 16 <= m"];
    for (assumes, refuted) in [
        (&few_rows[..], vec!["m <= 511", "n = 0", "o <= n", "16 * (m / 16) = m"]),
        (&["n = 6 * m + 3", "64 <= m"], vec!["n <= 400", "n % 12 = 3"]),
        (&["8 divides n", "n % 3 = 1", "100 <= n"], vec!["16 divides n", "n <= m"]),
    ] {
        let goal = Goal { sizes: "o n m", ranges: "i in 0..n", assumes: &[], claim: "" };
        let (scope, mut facts) = goal.facts();
        for assumed in assumes {
            scope.obligation(assumed).assume(&mut facts);
        }
        for claim in refuted {
            assert!(facts.has_witnesses(), "{assumes:?}");
            assert!(!scope.obligation(claim).prove(&facts), "{claim}");
        }
        // Nothing is both.
        facts.assume_lt(&scope.nat("n"), &scope.nat("n"));
        assert!(!facts.has_witnesses());
    }
}
