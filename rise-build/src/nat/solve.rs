//! One equation between naturals, solved for one unknown.
//!
//! A solution is an unknown, its value, and the obligations under which the value is a natural and makes
//! both sides equal. Every natural that satisfies the equation is found that way, up to factors that might
//! be 0 and divisions that lose a remainder; nothing is assumed.

use super::atom::Atom;
use super::obligation::Obligation;
use super::poly::Nat;
use super::var::NatVar;

/// What an equation says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solution {
    /// The unknown has this value, if the obligations hold.
    Solved(NatVar, Nat, Vec<Obligation>),
    /// Both sides are equal.
    Trivial,
    /// Both sides differ, whatever values the variables take.
    Unsolvable,
    /// Nothing can be said yet; without unknowns the equation is an obligation.
    Deferred,
}

/// Solves `lhs = rhs` for a variable that `is_unknown`. All variables stand for naturals.
pub fn solve(lhs: &Nat, rhs: &Nat, is_unknown: &dyn Fn(&NatVar) -> bool) -> Solution {
    let difference = lhs - rhs;
    if difference.is_overflow() {
        return Solution::Deferred;
    }
    match difference.as_const() {
        Some(0) => return Solution::Trivial,
        Some(_) => return Solution::Unsolvable,
        None if never_zero(&difference) => return Solution::Unsolvable,
        None => {}
    }
    let unknowns: Vec<NatVar> = difference.vars().into_iter().filter(|v| is_unknown(v)).collect();
    let candidates = unknowns.iter().rev().filter_map(|u| candidate(&difference, u, is_unknown));
    let best = candidates.min_by_key(|(rank, ..)| *rank);
    match best {
        Some((_, unknown, value, needs)) if !needs.contains(&never()) => {
            Solution::Solved(unknown, value, needs)
        }
        Some(_) => Solution::Unsolvable,
        None => undo_division(&difference, &unknowns, is_unknown),
    }
}

/// What no values satisfy.
fn never() -> Obligation {
    Obligation::Le(Nat::lit(1), Nat::lit(0))
}

/// Whether no naturals make `e` zero: a literal divides all but the constant, or all have one sign.
fn never_zero(e: &Nat) -> bool {
    let constant = e.constant_part();
    let content = e.content();
    if constant == 0 || content == 0 {
        return false;
    }
    constant % content != 0 || is_natural(e) || is_natural(&-e)
}

/// Whether `e` is a natural whatever naturals its variables are.
fn is_natural(e: &Nat) -> bool {
    !e.is_overflow() && e.terms().all(|(coeff, factors)| coeff > 0 && factors.iter().all(|(a, _)| natural(a)))
}

fn natural(atom: &Atom) -> bool {
    match atom {
        Atom::Var(_) => true,
        Atom::Div(a, b) | Atom::Mod(a, b) | Atom::Min(a, b) => is_natural(a) && is_natural(b),
        Atom::Pow(a, _) => is_natural(a),
        Atom::Max(a, b) => is_natural(a) || is_natural(b),
        Atom::Sum(_) => false,
    }
}

type Candidate = (u32, NatVar, Nat, Vec<Obligation>);

/// The value of `unknown` where `coefficient * unknown + rest = 0`; the rank prefers fewer conditions.
fn candidate(difference: &Nat, unknown: &NatVar, is_unknown: &dyn Fn(&NatVar) -> bool) -> Option<Candidate> {
    let (coefficient, rest) = difference.affine_in(unknown)?;
    let negative = coefficient.terms().next().is_some_and(|(lead, _)| lead < 0);
    let (coefficient, wanted) = if negative { (-coefficient, rest) } else { (coefficient, -rest) };
    // A coefficient that may be 0 makes any value right.
    let fixed = coefficient.as_const().is_some();
    let sound = |needs: &Vec<Obligation>| fixed || !needs.contains(&never());
    if let Some(value) = wanted.exact_quotient(&coefficient) {
        let needs = Some(must_be_natural(&value)).filter(sound)?;
        let rank = u32::from(!coefficient.is_one()) + u32::from(!needs.is_empty());
        return Some((rank, unknown.clone(), value, needs));
    }
    if coefficient.mentions_any(is_unknown) {
        return None;
    }
    let mut needs = vec![Obligation::Divides(coefficient.clone(), wanted.clone())];
    // Only a quotient of two naturals is one for sure.
    needs.extend(must_be_natural(&coefficient));
    needs.extend(must_be_natural(&wanted));
    let needs = Some(needs).filter(sound)?;
    Some((4, unknown.clone(), wanted.div(&coefficient), needs))
}

/// The obligation that `value` is at least 0, unless that is plain.
fn must_be_natural(value: &Nat) -> Vec<Obligation> {
    match value.as_const() {
        _ if is_natural(value) => Vec::new(),
        Some(_) => vec![never()],
        None if is_natural(&(-value - 1)) => vec![never()],
        None => vec![Obligation::ge0(value)],
    }
}

/// `x / k = y` for a literal `k` where the unknown stands in `x` alone: `x = k * y` makes both sides equal.
/// Taken only where the unknown is the factor of a known variable, and then determined without conditions:
/// `l * b / 2 = l` gives `b = 2`, but `b / 2 = l` leaves open whether `b` is odd.
fn undo_division(difference: &Nat, unknowns: &[NatVar], is_unknown: &dyn Fn(&NatVar) -> bool) -> Solution {
    let single = |mono: &super::mono::Mono| match (mono.coeff, mono.factors.as_slice()) {
        (sign @ (1 | -1), [(Atom::Div(x, k), 1)]) if k.as_const().is_some_and(|k| k > 0) => {
            let quotient = Nat::mono(mono.clone());
            let other = (&quotient - difference) * sign;
            let apart = unknowns.iter().all(|u| !other.mentions(u));
            apart.then(|| (x.clone(), other * k))
        }
        _ => None,
    };
    let Some((x, wanted)) = difference.poly().iter().find_map(single) else { return Solution::Deferred };
    let is_factor = |u: &NatVar| x.affine_in(u).is_some_and(|(by, _)| by.as_const().is_none());
    if !unknowns.iter().all(is_factor) {
        return Solution::Deferred;
    }
    match solve(&x, &wanted, is_unknown) {
        solved @ Solution::Solved(..) => match &solved {
            Solution::Solved(_, _, needs) if needs.is_empty() => solved,
            _ => Solution::Deferred,
        },
        _ => Solution::Deferred,
    }
}
