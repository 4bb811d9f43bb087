//! Linear arithmetic: does one inequality follow from others, monomials taken as independent numbers?
//!
//! `goal >= 0` follows from `rows >= 0` if some combination `sum of weight * row`, with weights that are at
//! least 0, stays below the goal wherever monomials have their known signs. The best combination is found
//! by the criss-cross method on a tableau of integers with a common denominator, so every answer is exact;
//! a number that does not fit gives up. All quantities are integers, hence above -1 is enough.

use super::mono::{Factors, Mono};
use super::poly::Nat;

/// Pivots after which the search gives up.
const MOST_PIVOTS: usize = 48;

/// No weight exceeds this, so that rows which contradict each other do not make the optimum infinite.
const GREATEST_WEIGHT: i128 = 1 << 20;

/// Whether `goal >= 0` follows from `rows`, where `nonneg` knows the monomials that are never negative, and
/// `spend` is asked before each step whether it may cost so much.
pub(super) fn follows(
    goal: &Nat,
    rows: &[Nat],
    nonneg: &dyn Fn(&Factors) -> bool,
    spend: &dyn Fn(u64) -> bool,
) -> bool {
    let addends: usize = rows.iter().map(|row| row.poly().len()).sum();
    if !spend(8 * addends as u64) {
        return false;
    }
    let monomials = monomials(goal, rows);
    if !spend((monomials.len() * addends) as u64) {
        return false;
    }
    let mut tableau = Tableau::new(rows.len());
    for monomial in &monomials {
        let coeffs: Vec<i128> = rows.iter().map(|row| coefficient(row, monomial)).collect();
        let bound = coefficient(goal, monomial);
        if !nonneg(monomial) {
            tableau.constrain(coeffs.iter().map(|c| -c), -bound);
        }
        tableau.constrain(coeffs.into_iter(), bound);
    }
    tableau.constrain(rows.iter().map(|_| 1), GREATEST_WEIGHT);
    let constants = rows.iter().map(|row| i128::from(row.constant_part()));
    tableau.constrain(constants, i128::from(goal.constant_part()));
    tableau.solve(spend) == Some(true)
}

fn monomials(goal: &Nat, rows: &[Nat]) -> Vec<Factors> {
    let all = rows.iter().chain([goal]).flat_map(Nat::poly);
    let mut monomials: Vec<Factors> =
        all.filter(|m| !m.factors.is_empty()).map(|m| m.factors.clone()).collect();
    monomials.sort_by(Factors::order);
    monomials.dedup();
    monomials
}

fn coefficient(row: &Nat, of: &Factors) -> i128 {
    let found = |m: &&Mono| m.factors == *of;
    row.poly().iter().find(found).map_or(0, |m| i128::from(m.coeff))
}

/// Rows `basic + sum of entry * nonbasic = bound`, the last one for the objective; all over `denominator`.
struct Tableau {
    columns: usize,
    /// Each row ends in its bound.
    rows: Vec<Vec<i128>>,
    denominator: i128,
    /// Numbers of the variables that rows and columns stand for; weights come before slacks.
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
}

impl Tableau {
    fn new(columns: usize) -> Self {
        let nonbasic = (0..columns).collect();
        Self { columns, rows: Vec::new(), denominator: 1, basic: Vec::new(), nonbasic }
    }

    fn constrain(&mut self, coeffs: impl Iterator<Item = i128>, bound: i128) {
        self.basic.push(self.columns + self.rows.len());
        self.rows.push(coeffs.chain([bound]).collect());
    }

    /// Whether the last row's bound can be made greater than -1; `None` when a number does not fit, or the
    /// search costs too much.
    fn solve(&mut self, spend: &dyn Fn(u64) -> bool) -> Option<bool> {
        let objective = self.rows.len() - 1;
        for _ in 0..MOST_PIVOTS {
            if !spend((self.rows.len() * (self.columns + 1)) as u64) {
                return None;
            }
            let feasible = self.rows[..objective].iter().all(|row| row[self.columns] >= 0);
            if feasible && self.rows[objective][self.columns] > -self.denominator {
                return Some(true);
            }
            let row =
                (0..objective).filter(|r| self.rows[*r][self.columns] < 0).min_by_key(|r| self.basic[*r]);
            let column =
                (0..self.columns).filter(|c| self.rows[objective][*c] < 0).min_by_key(|c| self.nonbasic[*c]);
            let by_row = match (row, column) {
                (None, None) => return Some(false),
                (Some(r), Some(c)) => self.basic[r] < self.nonbasic[c],
                (row, _) => row.is_some(),
            };
            let (r, c) = if by_row { self.leave(row?)? } else { self.enter(column?, objective)? };
            self.pivot(r, c)?;
        }
        None
    }

    /// The pivot that makes the bound of `row` positive.
    fn leave(&self, row: usize) -> Option<(usize, usize)> {
        let columns = (0..self.columns).filter(|c| self.rows[row][*c] < 0);
        Some((row, columns.min_by_key(|c| self.nonbasic[*c])?))
    }

    /// The pivot that improves the objective by `column`.
    fn enter(&self, column: usize, objective: usize) -> Option<(usize, usize)> {
        let rows = (0..objective).filter(|r| self.rows[*r][column] > 0);
        Some((rows.min_by_key(|r| self.basic[*r])?, column))
    }

    /// Exchanges a basic and a nonbasic variable; divisions are exact.
    fn pivot(&mut self, r: usize, c: usize) -> Option<()> {
        let pivot = self.rows[r][c];
        let sign = pivot.signum();
        let pivot_row = self.rows[r].clone();
        for (i, row) in self.rows.iter_mut().enumerate() {
            let factor = row[c];
            if i == r {
                for entry in row.iter_mut() {
                    *entry = entry.checked_mul(sign)?;
                }
                row[c] = self.denominator * sign;
                continue;
            }
            for (entry, other) in row.iter_mut().zip(&pivot_row) {
                if factor != 0 && *other != 0 {
                    let product = entry.checked_mul(pivot)?.checked_sub(factor.checked_mul(*other)?)?;
                    *entry = (product / self.denominator).checked_mul(sign)?;
                } else if *entry != 0 {
                    *entry = (entry.checked_mul(pivot)? / self.denominator).checked_mul(sign)?;
                }
            }
            row[c] = factor.checked_mul(-sign)?;
        }
        self.denominator = pivot.checked_mul(sign)?;
        std::mem::swap(&mut self.basic[r], &mut self.nonbasic[c]);
        Some(())
    }
}
