//! Equations as type inference meets them.

use super::Scope;
use crate::nat::{Obligation, Solution, solve};

/// Known and unknown variables are lower and upper case.
fn solved(equation: &str) -> String {
    let mut scope = Scope::default();
    for name in ["b", "k", "l", "m", "n", "s", "B", "K", "M", "N"] {
        scope.declare(name);
    }
    let Obligation::Eq(left, right) = scope.obligation(equation) else { panic!("an equation") };
    match solve(&left, &right, &|v| v.text().chars().all(char::is_uppercase)) {
        Solution::Solved(var, value, needs) => {
            let needs = needs.iter().map(|o| format!(", {o}"));
            needs.fold(format!("{var} = {value}"), |text, need| text + &need)
        }
        Solution::Trivial => "trivial".into(),
        Solution::Unsolvable => "unsolvable".into(),
        Solution::Deferred => "deferred".into(),
    }
}

#[test]
fn solves_for_one_unknown() {
    let table = [
        ("N = n", "N = n"),
        ("n = N", "N = n"),
        ("N = N", "trivial"),
        ("n + 1 = 1 + n", "trivial"),
        ("n = m", "deferred"),
        ("n + 1 = n", "unsolvable"),
        ("2 * n = 2 * m + 1", "unsolvable"),
        ("n + 1 = 0", "unsolvable"),
        ("N + 3 = 2", "unsolvable"),
        ("M * 32 = n", "M = n / 32, 32 divides n"),
        ("M * 32 = 64 * n", "M = 2 * n"),
        ("M * n = n * m", "M = m"),
        ("M * n = m", "M = m / n, n divides m"),
        ("N + 3 = n", "N = n - 3, 3 <= n"),
        ("2 * N + 3 = n", "N = (n + 1) / 2 - 2, 2 divides n - 3, 3 <= n"),
        ("s * N + 3 = n", "N = (n - 3) / s, s divides n - 3, 3 <= n"),
        ("N + 3 = n + 5", "N = n + 2"),
        ("M * N = n", "deferred"),
        ("M + N = n", "N = n - M, M <= n"),
        ("l * B = l * 2", "B = 2"),
        ("l * B / 2 = l", "B = 2"),
        ("(l * B) / 2 = l", "B = 2"),
        ("l = l * B / 4", "B = 4"),
        ("M * b ^ k = n * b ^ k", "M = n"),
        ("M * 2 ^ k = n", "M = n / (2 ^ k), 2 ^ k divides n"),
        ("M * 2 ^ 3 = 8 * n", "M = n"),
        ("N % 32 = 3", "deferred"),
        ("N / 32 = n", "deferred"),
        ("n * (m + 1) = N * (m + 1)", "N = n"),
        ("N - 1 = n", "N = n + 1"),
        ("3 * N = 7", "unsolvable"),
        ("3 * N = 9", "N = 3"),
    ];
    for (equation, expected) in table {
        assert_eq!(solved(equation), expected, "{equation}");
    }
}

#[test]
fn obligations_read_well() {
    let mut scope = Scope::default();
    scope.declare("n");
    let texts = ["32 divides n", "3 <= n", "n < 2 * n", "n = 4"];
    for text in texts {
        assert_eq!(scope.obligation(text).to_string(), text);
    }
}
