//! The value of a natural for given variables, in `i128`.

use std::fmt;

use super::atom::{Atom, Summation};
use super::poly::Nat;
use super::var::{IN_STEP_OF_GPU, NatVar};

/// Why a natural has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// A variable without a value.
    Unbound(NatVar),
    /// A number that does not fit, or a sum over too many values.
    Overflow,
    /// A power with a negative exponent.
    NegativeExponent,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unbound(var) => write!(f, "`{var}` has no value"),
            EvalError::Overflow => f.write_str("the value does not fit"),
            EvalError::NegativeExponent => f.write_str("an exponent is negative"),
        }
    }
}

/// How many values a sum is added up over.
const MOST_ADDENDS: i128 = 1 << 16;

type Env<'a> = &'a dyn Fn(&NatVar) -> Option<i128>;

impl Nat {
    /// The value when each variable has the value that `env` gives.
    pub fn eval(&self, env: Env) -> Result<i128, EvalError> {
        if self.is_overflow() {
            return Err(EvalError::Overflow);
        }
        let mut sum = 0_i128;
        for (coeff, factors) in self.terms() {
            let mut product = i128::from(coeff);
            for (atom, power) in factors {
                let value = power_of(atom.eval(env)?, i128::from(*power))?;
                product = product.checked_mul(value).ok_or(EvalError::Overflow)?;
            }
            sum = sum.checked_add(product).ok_or(EvalError::Overflow)?;
        }
        Ok(sum)
    }
}

impl Atom {
    fn eval(&self, env: Env) -> Result<i128, EvalError> {
        match self {
            Atom::Var(var) if var.is_in_step() => Ok(IN_STEP_OF_GPU),
            Atom::Var(var) => env(var).ok_or_else(|| EvalError::Unbound(var.clone())),
            Atom::Div(a, b) => floor_div(a.eval(env)?, b.eval(env)?),
            Atom::Mod(a, b) => {
                let (a, b) = (a.eval(env)?, b.eval(env)?);
                let whole = floor_div(a, b)?.checked_mul(b);
                whole.and_then(|whole| a.checked_sub(whole)).ok_or(EvalError::Overflow)
            }
            Atom::Pow(a, b) => power_of(a.eval(env)?, b.eval(env)?),
            Atom::Min(a, b) => Ok(a.eval(env)?.min(b.eval(env)?)),
            Atom::Max(a, b) => Ok(a.eval(env)?.max(b.eval(env)?)),
            Atom::Sum(sum) => sum.eval(env),
        }
    }
}

impl Summation {
    fn eval(&self, env: Env) -> Result<i128, EvalError> {
        let (from, upto) = (self.from.eval(env)?, self.upto.eval(env)?);
        let (low, high, sign) = if from <= upto { (from, upto, 1) } else { (upto, from, -1) };
        if high.checked_sub(low).is_none_or(|count| count > MOST_ADDENDS) {
            return Err(EvalError::Overflow);
        }
        let mut total = 0_i128;
        for i in low..high {
            let value = self.body.eval(&|v| if *v == self.var { Some(i) } else { env(v) })?;
            total = total.checked_add(value).ok_or(EvalError::Overflow)?;
        }
        total.checked_mul(sign).ok_or(EvalError::Overflow)
    }
}

fn floor_div(a: i128, b: i128) -> Result<i128, EvalError> {
    if b == 0 {
        return Ok(0);
    }
    let quotient = a.checked_div(b).ok_or(EvalError::Overflow)?;
    let inexact = a.checked_rem(b).ok_or(EvalError::Overflow)? != 0;
    Ok(if inexact && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn power_of(base: i128, exponent: i128) -> Result<i128, EvalError> {
    match (base, u32::try_from(exponent)) {
        _ if exponent < 0 => Err(EvalError::NegativeExponent),
        (0, _) => Ok(i128::from(exponent == 0)),
        (1, _) => Ok(1),
        (-1, _) => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
        (_, Ok(exponent)) => base.checked_pow(exponent).ok_or(EvalError::Overflow),
        (_, Err(_)) => Err(EvalError::Overflow),
    }
}
