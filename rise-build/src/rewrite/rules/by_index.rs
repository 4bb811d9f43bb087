//! Arrays of which one element changes, and folds of those elements that have an index.

use crate::diagnostics::Origin;
use crate::expr::{
    Arg, Binary, Compare, Expr, Kind, Lambda, Param, Primitive, alpha_equal, apply, binary, call, let_in,
    map_children, nat, refresh, substitute,
};
use crate::nat::{Facts, Nat, Obligation};
use crate::rewrite::catalog::Row;
use crate::rewrite::context::Reason;
use crate::rewrite::engine::holds;
use crate::rewrite::place::labelled_as;
use crate::rewrite::total::{inside, is_total};
use crate::types::{DataType, Scalar};

use super::chosen::is_unnoticed;
use super::row;
use super::support::{
    FoldView, Rewritten, beta_copy, bind, fold, fun1, independent, len, make, make_fold, occurs, param1,
    plain_map, retyped, sequential,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("updateElement" [] () "generate (λj. if j = k then f xs[j] else xs[j]) → update f k xs" "An array that differs from another one in one element. On one side of the comparison stands the index, or the index as an integer; the other does not depend on it." "generate(|j| if j == k { f(xs[j]) } else { xs[j] })" => "xs |> update(f, k)" |e, _, cx| updated(e, &cx.facts())),
    row!("foldByIndex" [] () "generate (λj. map (λx. if k x = j then f x else e) xs ≫ reduce op z) → reduceSeq (λacc x. update (λa. op a (f x)) (k x) acc) (generate (λj. z)) xs" "For each index a fold of the elements that have it, as histograms are, becomes one fold, in which each element changes what its own index has: e is the operator's neutral element. What is generated may be rows of such folds, and the array may be generated as well." "generate(|j| xs |> map(|x| if k(x) == j { f(x) } else { 0.0 }) |> sum)" => "xs |> reduceSeq(|acc, x| acc |> update(|a| a + f(x), k(x)), generate(|j| 0.0))" |e, _, cx| folded_by_index(e, &cx.facts())),
];

/// `generate (λj. if j = k then f xs[j] else xs[j]) → update f k xs`; also used by `auto`.
pub fn updated(expr: &Expr, facts: &Facts) -> Rewritten {
    let f = generated(expr)?;
    let index = param1(f)?;
    let body = without_names(&f.body);
    let choice = Choice::of(&body, index)?;
    let xs = element_of(choice.otherwise, index)
        .filter(|xs| !occurs(xs, index) && xs.ty() == expr.ty() && is_total(xs, facts))
        .ok_or(Reason::refused("other elements are none of one array at the index"))?;
    let count = len(expr)?;
    let changed = choice.key.chosen(&count, facts, xs.clone(), |at| {
        let old = Param::fresh("old", choice.then.ty().clone());
        let then = substitute(&choice.then, index, &nat(at.clone()));
        let new = named(&then, &at, xs, &old.expr());
        update(fun1(old, new), at, xs.clone())
    })?;
    let changed = where_loops_run(&[count], choice.key.number(), changed, xs.clone(), facts)?;
    Ok(labelled_as(choice.key.where_numbers_differ(changed, expr, facts)?, &[expr])
        .with_origin(expr.origin()))
}

/// `generate (λj. map (λx. if k x = j then f x else e) xs ≫ reduce op z)` as one fold; also used by `auto`.
pub fn folded_by_index(expr: &Expr, facts: &Facts) -> Rewritten {
    let f = generated(expr)?;
    let index = param1(f)?;
    let (rows, found) = rows(&f.body);
    let view = fold(found)?;
    let (x, element, xs) = elements(view.xs)?;
    let indices = Lambda {
        nats: Vec::new(),
        params: rows.iter().chain([index]).cloned().collect(),
        body: f.body.clone(),
    };
    if ![&xs, view.start, &view.f.body].iter().all(|part| independent(part, &indices)) {
        return Err(Reason::refused("what is folded depends on the index"));
    }
    if !is_total(&xs, facts) {
        return Err(Reason::refused("what is folded has a value only where there is an index"));
    }
    let (mut shared, mut own, mut rest) = (Vec::new(), indices, &element);
    let mut names = Vec::new();
    while let Kind::Let(param, value, body) = rest.kind() {
        match independent(value, &own) {
            true => shared.push((param, value)),
            false => {
                own.params.push(param.clone());
                names.push((param, value));
            }
        }
        rest = body;
    }
    let choice = Choice::of(rest, index)?;
    if !choice.key.is_independent(&own) {
        return Err(Reason::refused("which elements are folded depends on more than their index"));
    }
    if !is_unnoticed(choice.otherwise, view) {
        return Err(Reason::refused("the operator notices what is folded for other indices"));
    }
    let named = |body: Expr, names: &[(&Param, &Expr)]| {
        names.iter().rev().fold(body, |body, (param, value)| bind(param, value, body))
    };
    let acc = Param::fresh("acc", expr.ty().clone());
    let before = [&x].into_iter().chain(shared.iter().map(|(param, _)| *param)).cloned().collect();
    let known = inside(&Lambda { nats: Vec::new(), params: before, body: element.clone() }, None, facts);
    let body = choice.key.chosen(&len(expr)?, &known, acc.expr(), |at| {
        let value = substitute(&named(choice.then.clone(), &names), index, &nat(at.clone()));
        let old = Param::fresh("old", f.body.ty().clone());
        let new = in_rows(&rows, old.expr(), &|old| noticed(view, old, &value))?;
        update(fun1(old, new), at, acc.expr())
    })?;
    let all: Vec<Param> = [index].into_iter().chain(&rows).cloned().collect();
    let counts: Vec<Nat> = all.iter().filter_map(count_of).collect();
    let first = shared.iter().map(|(_, value)| *value).chain(choice.key.number());
    let body = where_loops_run(&counts, first, named(body, &shared), acc.expr(), facts)?;
    let step = Lambda { nats: Vec::new(), params: vec![acc, x], body };
    let start = generate_all(&all, view.start.clone())?;
    let whole = make_fold(sequential(view.form), step, start, xs)?;
    let whole = retyped(refresh(&whole), expr.ty());
    Ok(labelled_as(choice.key.where_numbers_differ(whole, expr, facts)?, &[expr]).with_origin(expr.origin()))
}

/// The term where all loops run that the parts of it have left, unless these have values anyway.
fn where_loops_run<'a>(
    counts: &[Nat],
    parts: impl IntoIterator<Item = &'a Expr>,
    then: Expr,
    otherwise: Expr,
    facts: &Facts,
) -> Rewritten {
    if parts.into_iter().all(|part| is_total(part, facts)) {
        return Ok(then);
    }
    let runs = counts.iter().map(|count| holds(&Obligation::Le(Nat::lit(1), count.clone())));
    match runs.reduce(|a, b| binary(Binary::And, a, b)) {
        Some(run) => make(Primitive::Select, [run, then, otherwise]),
        None => Ok(then),
    }
}

/// How many values an index takes.
fn count_of(index: &Param) -> Option<Nat> {
    match &index.ty {
        DataType::Idx(count) => Some(count.clone()),
        _ => None,
    }
}

/// The function of a `generate`.
fn generated(expr: &Expr) -> Result<&Lambda, Reason> {
    match expr.as_prim() {
        Some((Primitive::Generate, [Arg::Fun(f)])) => Ok(f),
        _ => Err(Reason::mismatch("it is no generate")),
    }
}

/// The term with what it names in the place of the names.
fn without_names(expr: &Expr) -> Expr {
    match expr.kind() {
        Kind::Let(param, value, body) if param.nat.is_none() => {
            without_names(&substitute(body, param, value))
        }
        _ => expr.clone(),
    }
}

/// The array of which the term is the element of that index.
fn element_of<'a>(expr: &'a Expr, index: &Param) -> Option<&'a Expr> {
    match expr.as_prim() {
        Some((Primitive::Idx, [Arg::Expr(at), Arg::Expr(xs)])) if is_index(at, index) => Some(xs),
        _ => None,
    }
}

fn is_index(expr: &Expr, index: &Param) -> bool {
    matches!((expr.kind(), &index.nat), (Kind::Nat(nat), Some(var)) if nat.as_var() == Some(var))
}

/// The term with a name for the element at a place.
fn named(expr: &Expr, at: &Nat, xs: &Expr, name: &Expr) -> Expr {
    match expr.as_prim() {
        Some((Primitive::Idx, [Arg::Expr(index), Arg::Expr(array)]))
            if matches!(index.kind(), Kind::Nat(nat) if nat == at) && alpha_equal(array, xs) =>
        {
            name.clone()
        }
        _ => map_children(expr, &mut |child| named(child, at, xs, name)),
    }
}

/// The indices of arrays that are generated inside each other, and what is generated innermost.
fn rows(expr: &Expr) -> (Vec<Param>, &Expr) {
    match expr.as_prim() {
        Some((Primitive::Generate, [Arg::Fun(f)])) if f.params.len() == 1 => {
            let (mut inner, found) = rows(&f.body);
            inner.insert(0, f.params[0].clone());
            (inner, found)
        }
        _ => (Vec::new(), expr),
    }
}

/// Each element of nested arrays changed.
fn in_rows(indices: &[Param], old: Expr, change: &dyn Fn(Expr) -> Rewritten) -> Rewritten {
    let Some((index, rest)) = indices.split_first() else { return change(old) };
    let element = make(Primitive::Idx, [index.expr(), old])?;
    generate_all(std::slice::from_ref(index), in_rows(rest, element, change)?)
}

/// What the accumulator becomes of a value, which it may not notice.
fn noticed(view: FoldView<'_>, old: Expr, value: &Expr) -> Rewritten {
    let folded = |value: &Expr| beta_copy(view.f, &[old.clone(), value.clone()]);
    match value.as_prim() {
        Some((Primitive::Select, [condition, then, otherwise])) if is_unnoticed(otherwise.expr(), view) => {
            make(Primitive::Select, [condition.expr().clone(), folded(then.expr()), old.clone()])
        }
        _ => Ok(folded(value)),
    }
}

fn generate_all(indices: &[Param], element: Expr) -> Rewritten {
    indices.iter().rev().try_fold(element, |element, index| {
        Ok(apply(Primitive::Generate, vec![fun1(index.clone(), element).into()])?)
    })
}

/// What is folded: a name and a term for each element, and the array that it is made of.
fn elements(xs: &Expr) -> Result<(Param, Expr, Expr), Reason> {
    if let Ok(f) = generated(xs) {
        let (index, all) = (param1(f)?, Param::fresh("i", param1(f)?.ty.clone()));
        return Ok((index.clone(), f.body.clone(), generate_all(std::slice::from_ref(&all), all.expr())?));
    }
    let map = plain_map(xs)?;
    Ok((param1(map.f)?.clone(), map.f.body.clone(), map.xs.clone()))
}

fn update(f: Lambda, at: Nat, xs: Expr) -> Rewritten {
    let index = Expr::new(Kind::Nat(at), DataType::Idx(len(&xs)?), Origin::NONE);
    Ok(apply(Primitive::Update, vec![f.into(), index.into(), xs.into()])?)
}

/// One value for one index, another one for all others.
struct Choice<'a> {
    key: Key,
    then: Expr,
    otherwise: &'a Expr,
}

/// Which index it is.
enum Key {
    /// This one.
    Index(Nat),
    /// The one that is this number, of the type.
    Number(Expr, Scalar),
}

impl<'a> Choice<'a> {
    fn of(expr: &'a Expr, index: &Param) -> Result<Self, Reason> {
        const NOTHING: Reason = Reason::mismatch("nothing is chosen by its index");
        let Some((Primitive::Select, [Arg::Expr(condition), Arg::Expr(then), Arg::Expr(otherwise)])) =
            expr.as_prim()
        else {
            return Err(NOTHING);
        };
        if let Some(key) = Key::of(condition, Compare::Ne, index) {
            return Ok(Choice { key, then: otherwise.clone(), otherwise: then });
        }
        let mut said = conjuncts(condition);
        let keys = said.iter().map(|said| Key::of(said, Compare::Eq, index));
        let (at, key) = keys.enumerate().find_map(|(at, key)| Some((at, key?))).ok_or(NOTHING)?;
        said.remove(at);
        let then = match said.into_iter().cloned().reduce(|a, b| binary(Binary::And, a, b)) {
            Some(rest) => make(Primitive::Select, [rest, then.clone(), otherwise.clone()])?,
            None => then.clone(),
        };
        Ok(Choice { key, then, otherwise })
    }
}

/// All conditions that have to hold.
fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match condition.as_prim() {
        Some((Primitive::Binary(Binary::And), [Arg::Expr(a), Arg::Expr(b)])) => {
            [conjuncts(a), conjuncts(b)].concat()
        }
        _ => vec![condition],
    }
}

impl Key {
    /// What the condition compares with the index.
    fn of(condition: &Expr, by: Compare, index: &Param) -> Option<Key> {
        match condition.as_prim() {
            Some((Primitive::Compare(op), [Arg::Expr(a), Arg::Expr(b)])) if *op == by => {
                Key::beside(a, b, index).or_else(|| Key::beside(b, a, index))
            }
            _ => None,
        }
    }

    /// What stands on the other side of the index.
    fn beside(this: &Expr, other: &Expr, index: &Param) -> Option<Key> {
        if occurs(other, index) {
            return None;
        }
        match (this.as_prim(), other.kind()) {
            (Some((Primitive::Cast(DataType::Scalar(scalar)), [Arg::Expr(inner)])), _)
                if scalar.is_integer() && is_index(inner, index) =>
            {
                Some(Key::Number(other.clone(), *scalar))
            }
            (None, Kind::Nat(at)) if is_index(this, index) => Some(Key::Index(at.clone())),
            _ => None,
        }
    }

    /// What is computed for it.
    fn number(&self) -> Option<&Expr> {
        match self {
            Key::Index(_) => None,
            Key::Number(number, _) => Some(number),
        }
    }

    fn is_independent(&self, f: &Lambda) -> bool {
        match self {
            Key::Index(at) => independent(&nat(at.clone()), f),
            Key::Number(number, _) => independent(number, f),
        }
    }

    /// `then` at the index, where there is that one among so many.
    fn chosen(
        &self,
        count: &Nat,
        facts: &Facts,
        otherwise: Expr,
        then: impl FnOnce(Nat) -> Rewritten,
    ) -> Rewritten {
        match self {
            // No variable is negative.
            Key::Index(at) if at.as_var().is_none() && !facts.proves_ge0(at) => {
                Err(Reason::refused("the index is compared with what may be negative"))
            }
            Key::Index(at) if facts.proves_lt(at, count) => then(at.clone()),
            Key::Index(at) => {
                let is_one = holds(&Obligation::Lt(at.clone(), count.clone()));
                make(Primitive::Select, [is_one, then(at.clone())?, otherwise])
            }
            Key::Number(number, scalar) => {
                let name = Param::fresh("key", DataType::Scalar(*scalar));
                let index = Param::fresh("at", DataType::Idx(count.clone()));
                let at = index.nat.as_ref().map(Nat::var).ok_or(Reason::mismatch("no index"))?;
                let clamped = make(Primitive::Cast(index.ty.clone()), [name.expr()])?;
                let then = let_in(index, clamped, then(at)?);
                if !scalar.is_signed() && values(*scalar).is_some_and(|all| facts.proves_le(&all, count)) {
                    return Ok(bind(&name, number, then));
                }
                // What is negative is great as well.
                let wide = |expr: Expr| call(Primitive::Cast(DataType::Scalar(Scalar::U64)), [expr]);
                let is_one =
                    call(Primitive::Compare(Compare::Lt), [wide(name.expr()), wide(nat(count.clone()))]);
                Ok(bind(&name, number, make(Primitive::Select, [is_one, then, otherwise])?))
            }
        }
    }

    /// The new term where no two indices are the same number, else the old one.
    fn where_numbers_differ(&self, new: Expr, old: &Expr, facts: &Facts) -> Rewritten {
        let Key::Number(_, scalar) = self else { return Ok(new) };
        let Some(most) = values(*scalar) else { return Ok(new) };
        let count = len(old)?;
        match facts.proves_le(&count, &most) {
            true => Ok(new),
            false => make(Primitive::Select, [holds(&Obligation::Le(count, most)), new, refresh(old)]),
        }
    }
}

/// How many numbers of the type are no negative ones; `None` if these are more than there can be elements.
fn values(scalar: Scalar) -> Option<Nat> {
    let bits = scalar.bytes() * 8 - u32::from(scalar.is_signed());
    (bits < 63).then(|| Nat::lit(1 << bits))
}
