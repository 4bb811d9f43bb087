//! How much work a loop is, roughly.

mod vectors;

use crate::expr::Compare;
use crate::loops::{Block, Kernel, Loop, LoopKind, Stmt, Value, walk};
use crate::nat::{Atom, Nat, NatVar};

/// What stands for a natural that is known only inside.
const SOME: i64 = 16;

/// An operation on a scalar or on a vector: what is counted is a fraction of it, since one that the compiler behind
/// does on many elements at once is that much less for each of them.
pub const OPERATION: i64 = 32;

/// For how many sizes a remainder is looked at, and how much it is at most.
const SAMPLES: i64 = 48;
const MANY: i64 = 64;

/// What costs no more than this is done before another thread wakes: the runtime's bound of the same name.
pub const SOON: i64 = OPERATION << 16;

/// Statements that an elementary function takes as long as.
const FUNCTION: i64 = 6;

/// About how much an iteration takes: its statements, times the iterations of the loops inside.
pub fn cost_of_iteration(kernel: &Kernel, parallel: &Loop) -> Nat {
    let cost = match vectors::made_of(kernel, parallel) {
        Some(vectors) => Nat::from(vectors.cost_of_iteration()),
        None => cost(kernel, &parallel.body),
    };
    let cost = rough(&cost.subst(&parallel.var, &Nat::lit(SOME)));
    if reads_what_one_thread_wrote(kernel, parallel) { fraction(&cost, 1, FAR) } else { cost }
}

/// About how much of an iteration lies outside of the parallel loops in it.
pub fn cost_of_own(kernel: &Kernel, parallel: &Loop) -> Nat {
    rough(&cost(kernel, &without_parallel(&parallel.body)).subst(&parallel.var, &Nat::lit(SOME)))
}

/// The parallel loops anywhere inside.
pub fn parallel_loops(block: &Block) -> Block {
    let mut loops = Vec::new();
    each_parallel(block, &mut |inner| loops.push(Stmt::For(inner.clone())));
    loops
}

fn each_parallel(block: &Block, f: &mut dyn FnMut(&Loop)) {
    walk::stmts(block, &mut |stmt| match stmt {
        Stmt::For(inner) if inner.kind == LoopKind::Par => f(inner),
        _ => {}
    });
}

/// What lies outside of them.
pub fn without_parallel(block: &Block) -> Block {
    without(block, &|stmt| matches!(stmt, Stmt::For(inner) if inner.kind == LoopKind::Par))
}

/// A block without some of what is anywhere in it.
pub fn without(block: &Block, is_out: &dyn Fn(&Stmt) -> bool) -> Block {
    let mut block = block.clone();
    block.retain(|stmt| !is_out(stmt));
    for stmt in &mut block {
        match stmt {
            Stmt::For(Loop { body, .. }) | Stmt::Block(body) => *body = without(body, is_out),
            Stmt::If(_, then, otherwise) => {
                *then = without(then, is_out);
                *otherwise = without(otherwise, is_out);
            }
            _ => {}
        }
    }
    block
}

/// So much more has to be done before another thread gains where it reads what one has just written: all of it has to
/// come over from that one's caches, and there is slow to write again. As measured on products of one panel.
const FAR: i64 = 3;

/// So much of a cost.
fn fraction(cost: &Nat, part: i64, of: i64) -> Nat {
    cost.terms().fold(Nat::lit(0), |sum, (coeff, factors)| {
        let coeff = Nat::lit((coeff.saturating_mul(part) + of - 1) / of);
        let term = factors.iter().fold(coeff, |product, (atom, power)| {
            (0..*power).fold(product, |product, _| product * Nat::atom(atom.clone()))
        });
        sum + term
    })
}

/// Whether a loop reads a temporary that belongs to an iteration of a parallel loop around it.
fn reads_what_one_thread_wrote(kernel: &Kernel, parallel: &Loop) -> bool {
    let mut around = Vec::new();
    each_parallel(&kernel.body, &mut |outer| around.append(&mut walk::allocated(&outer.body)));
    let inside = walk::allocated(&parallel.body);
    let mut reads = false;
    walk::touches(&parallel.body, &mut |id, write| {
        reads |= !write && around.contains(&id) && !inside.contains(&id);
    });
    reads
}

fn cost(kernel: &Kernel, block: &Block) -> Nat {
    let mut total = Nat::lit(0);
    let mut held = block.iter().filter(|stmt| is_in_registers(stmt)).count();
    for stmt in block {
        // What registers are to hold is read meanwhile.
        if held > 0 && matches!(stmt, Stmt::Let(_, ty, _) if ty.lanes > 1) {
            held -= 1;
            continue;
        }
        total = total
            + match stmt {
                Stmt::For(inner) => cost_of_loop(kernel, inner).subst(&inner.var, &rough(&inner.count)),
                // What is large takes long either way.
                Stmt::If(Value::Large(_), _, otherwise) => cost(kernel, otherwise),
                Stmt::If(_, then, otherwise) => greater(&cost(kernel, then), &cost(kernel, otherwise)),
                Stmt::Product(product) => {
                    product.sizes.iter().fold(Nat::lit(2 * OPERATION), |product, size| product * rough(size))
                }
                // Whole vectors at a time.
                Stmt::Transpose(transpose) => Nat::from(transpose.rows() * transpose.side / 4) * OPERATION,
                Stmt::Block(block) => cost(kernel, block),
                Stmt::LetNat(..) | Stmt::Comment(_) | Stmt::Alloc(_) | Stmt::Barrier { .. } => Nat::lit(0),
                stmt if is_in_registers(stmt) => Nat::lit(OPERATION),
                _ => Nat::lit((1 + functions(stmt)) * 2 * OPERATION),
            };
    }
    // What is declared later may be made of what is declared before.
    let declared = block.iter().rev().filter_map(|stmt| match stmt {
        Stmt::LetNat(var, value) => Some((var, value)),
        _ => None,
    });
    declared.fold(total, |total, (var, value)| total.subst(var, &rough_value(value)))
}

/// About as much as a declared natural.
fn rough_value(value: &Value) -> Nat {
    match (left_over(value), value) {
        (Some((_, nat)), _) | (None, Value::Nat(nat) | Value::Apart(nat)) => rough(nat),
        _ => Nat::lit(SOME),
    }
}

/// The number of blocks and what is left over in the last one, if a natural is how much there is in a block.
fn left_over(value: &Value) -> Option<(&Nat, &Nat)> {
    let Value::Select(_, args) = value else { return None };
    match &**args {
        [Value::CompareNat(Compare::Eq, _, blocks), Value::FromNat(_, rest), _] => Some((blocks, rest)),
        _ => None,
    }
}

/// How often a loop runs; once over blocks, the last of which counts as all of them.
fn times(looped: &Loop) -> Nat {
    match looped.body.first() {
        Some(Stmt::LetNat(_, value))
            if left_over(value).is_some_and(|(blocks, _)| *blocks == looped.count) =>
        {
            Nat::lit(1)
        }
        _ => rough(&looped.count),
    }
}

/// At least as much as either, and no more than both.
fn greater(a: &Nat, b: &Nat) -> Nat {
    a + rough(&(b - a))
}

/// Whether vectors that registers hold are multiplied and added, which is done twice as often as something is written.
fn is_in_registers(stmt: &Stmt) -> bool {
    let Stmt::Set(_, Value::MulAdd(ty, args) | Value::Fma(ty, args)) = stmt else { return false };
    let held = |arg: &Value| matches!(arg, Value::Var(_) | Value::Literal(_) | Value::Broadcast(..));
    ty.lanes > 1 && args.iter().all(held)
}

/// Statements that the elementary functions in one take as long as.
fn functions(stmt: &Stmt) -> i64 {
    let mut found = 0;
    walk::values(std::slice::from_ref(stmt), &mut |value| found += i64::from(value.is_formula()));
    found * FUNCTION
}

/// Where vectors are made of iterations, those that fill none are left over, half a vector of them if nobody knows.
fn cost_of_loop(kernel: &Kernel, looped: &Loop) -> Nat {
    let count = times(looped);
    let alone = cost(kernel, &looped.body);
    let Some(vectors) = vectors::made_of(kernel, looped) else {
        return few(&looped.count).map_or(count * &alone, |few| fraction(&alone, few, SAMPLES));
    };
    let rest = count.as_const().map_or(vectors.lanes / 2, |count| count % vectors.lanes);
    let whole = if count.as_const().is_some() { count - rest } else { count };
    whole * vectors.cost_of_iteration() + alone * rest
}

/// About as much, as a plain polynomial: nothing else would be worth computing.
fn rough(nat: &Nat) -> Nat {
    let (halves, rest) = remainders(nat);
    if let Some(few) = few(&rest) {
        return Nat::lit(halves + (few + SAMPLES - 1) / SAMPLES);
    }
    let positive = rest.terms().filter(|(coeff, _)| *coeff > 0);
    positive.fold(Nat::lit(halves), |sum, (coeff, factors)| {
        let product = factors.iter().fold(Nat::lit(coeff), |product, (atom, power)| {
            (0..*power).fold(product, |product, _| product * rough_atom(atom))
        });
        sum + product
    })
}

/// A remainder is half of what it may be: of `n - 8 * (n / 8)`, 4. Behind it stands what is no remainder.
fn remainders(nat: &Nat) -> (i64, Nat) {
    let (mut halves, mut rest) = (0, nat.clone());
    for (coeff, factors) in nat.terms() {
        if let [(quotient @ Atom::Div(a, by), 1)] = factors
            && let Some(by) = by.as_const()
            && coeff < 0
            && by % coeff == 0
        {
            halves -= coeff / 2;
            rest = rest - Nat::atom(quotient.clone()) * coeff - a.div(&Nat::lit(by / -coeff));
        }
    }
    (halves, rest)
}

/// What is left over of several quotients stays few however much there is: `(n - 2 * (n / 6)) / 4 - n / 6` is 0 or 1. If
/// that is so for [`SAMPLES`] sizes, so many in all of these.
fn few(nat: &Nat) -> Option<i64> {
    let vars = nat.vars();
    if vars.is_empty() || nat.terms().all(|(coeff, _)| coeff > 0) {
        return None;
    }
    let size = |sample: i64, var: &NatVar| {
        let place = vars.iter().position(|other| other == var)? as i64;
        let magnitude = [3, 97, 1009, 100_003][sample as usize % 4];
        Some(i128::from(magnitude * (1 + place) + sample * (7 + 2 * place)))
    };
    let value = |sample| i64::try_from(nat.eval(&|var| size(sample, var)).ok()?).ok();
    (0..SAMPLES).map(|sample| value(sample).filter(|value| (0..=MANY).contains(value))).sum()
}

fn rough_atom(atom: &Atom) -> Nat {
    match atom {
        Atom::Var(var) => Nat::var(var),
        Atom::Min(a, b) if a.as_const().is_none() => rough(b),
        Atom::Min(a, _) => rough(a),
        Atom::Max(a, b) if a.as_const().is_some() => rough(b),
        Atom::Max(a, _) => rough(a),
        Atom::Div(a, b) => match b.as_const() {
            Some(by) if by > 0 => rough(a).div(&Nat::lit(by)),
            _ => Nat::lit(SOME),
        },
        Atom::Mod(_, b) => rough(b),
        Atom::Pow(..) | Atom::Sum(_) => Nat::lit(SOME),
    }
}

#[cfg(test)]
mod tests;
