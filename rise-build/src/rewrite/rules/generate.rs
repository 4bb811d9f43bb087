//! Arrays that are generated: each element is a function of its index.

use crate::diagnostics::Origin;
use crate::expr::{
    Arg, Expr, Kind, Lambda, MapForm, Param, Primitive, alpha_equal, map_children, substitute,
};
use crate::nat::{Facts, Nat, NatVar};
use crate::rewrite::catalog::{Row, nat};
use crate::rewrite::context::Reason;
use crate::rewrite::place::labelled_as;
use crate::rewrite::total::is_total;
use crate::types::DataType;

use super::row;
use super::split::divides;
use super::support::{
    Rewritten, beta, beta_copy, fun1, independent, len, make, make_map, map_over, occurs, param1, parts,
    plain_map, retyped, zip_all,
};

/// The rules of this family.
pub const ROWS: &[Row] = &[
    row!("mapGenerate" ["fuseMapGenerate"] () "generate g ≫ map f → generate (g ≫ f)" "A map of a generated array generates its results." "generate(g) |> map(f)" => "generate(|i| f(g(i)))" |e, _, _| over_generated(e)),
    row!("generateMap" ["generateAsMap"] () "generate f → map f (generate (λi. i))" "A generated array is a map over its indices." "generate(f)" => "generate(|i| i) |> map(f)" |e, _, _| over_indices(e, MapForm::Plain)),
    row!("generateZip" ["generateAsZip"] () "generate (λi. f xs[i + c] ys[i]) → map f (zip (take n (drop c xs)) (take n ys))" "What is generated of the elements of arrays is a map over these; the index must not be used otherwise. Dimensions are transposed to the front where the index is not the first one. What the index and another one inside choose together is an element of a window." "generate(|i| xs[i] + ys[i])" => "zip(xs, ys) |> map(|(x, y)| x + y)" |e, _, cx| over_elements(e, &cx.facts())),
    row!("generateSplit" [] (Nat) "generate f → generate (λq. [f (n·q), …, f (n·q + n − 1)]) ≫ join" "Generates pieces of n elements, a small number that must divide the length: what the index is divided by is then known." "generate(f)" => "generate(|q| [f(2 * q), f(2 * q + 1)]) |> join" |e, v, cx| {
        let size = nat(v, 0)?;
        divides(cx, &size, &len(e)?)?;
        let few = size.as_const().filter(|size| (1..=MOST).contains(size));
        let few = few.ok_or(Reason::refused("each element of a piece is written out: it needs few of them"))?;
        Ok(retyped(in_pieces(e, few)?, e.ty()))
    }),
];

/// `generate g ≫ map f → generate (g ≫ f)`; also used by `auto`.
pub fn over_generated(expr: &Expr) -> Rewritten {
    let map = plain_map(expr)?;
    let g = generated(map.xs).map_err(|_| Reason::mismatch("the array is not generated"))?;
    let body = beta(map.f, std::slice::from_ref(&g.body));
    let fused = Lambda { nats: Vec::new(), params: g.params.clone(), body };
    let new = crate::expr::apply(Primitive::Generate, vec![fused.into()])?;
    Ok(labelled_as(new, &[expr, map.xs]))
}

/// Most elements of a piece that is written out.
const MOST: i64 = 64;

/// `generate f → generate (λq. [f (n·q), …, f (n·q + n − 1)]) ≫ join`, of as many whole pieces as there are.
pub fn in_pieces(expr: &Expr, size: i64) -> Rewritten {
    let f = generated(expr)?;
    let count = len(expr)?.div(&Nat::lit(size));
    let piece = Param::fresh("q", DataType::Idx(count));
    let first = piece.nat.as_ref().map_or_else(|| Nat::lit(0), Nat::var) * size;
    let elements = (0..size).map(|at| element(f, &first + at));
    let pieces = make(Primitive::MakeArray, elements.collect::<Vec<_>>())?;
    let pieces = crate::expr::apply(Primitive::Generate, vec![fun1(piece, pieces).into()])?;
    Ok(make(Primitive::Join, [pieces])?.with_labels(expr.labels().to_vec()).with_origin(expr.origin()))
}

/// The element of that index.
pub fn element(f: &Lambda, index: Nat) -> Expr {
    let ty = f.params.first().map_or(DataType::Nat, |param| param.ty.clone());
    beta_copy(f, &[Expr::new(Kind::Nat(index), ty, Origin::NONE)])
}

/// The function of the index.
pub fn generated(expr: &Expr) -> Result<&Lambda, Reason> {
    match expr.as_prim() {
        Some((Primitive::Generate, [Arg::Fun(f)])) => Ok(f),
        _ => Err(Reason::mismatch("it is no generate")),
    }
}

/// `generate (λi. i)`
fn indices(index: &Param) -> Rewritten {
    let index = Param::fresh("i", index.ty.clone());
    let body = index.expr();
    Ok(crate::expr::apply(Primitive::Generate, vec![fun1(index, body).into()])?)
}

/// `generate f → map f (generate (λi. i))`, in the given form; also used by `lower`.
pub fn over_indices(expr: &Expr, form: MapForm) -> Rewritten {
    let f = generated(expr)?;
    if matches!(f.body.kind(), Kind::Nat(nat) if nat.as_var().is_some()) {
        return Err(Reason::refused("it generates its indices"));
    }
    make_map(form, f.clone(), indices(param1(f)?)?)
}

/// `generate (λi. f xs[i + c] ys[i]) → map f (zip (take n (drop c xs)) (take n ys))`; also used by `auto`.
pub fn over_elements(expr: &Expr, facts: &Facts) -> Rewritten {
    let f = generated(expr)?;
    let index = param1(f)?;
    let var = index.nat.as_ref().ok_or(Reason::mismatch("its index is no natural"))?;
    let mut elements = Elements { var, count: len(expr)?, facts, inside: variables(f), found: Vec::new() };
    let body = elements.named(&f.body);
    let found = elements.found;
    if found.is_empty() || occurs(&body, index) {
        return Err(Reason::refused("its index does more than choose elements of arrays"));
    }
    let (params, arrays): (Vec<Param>, Vec<Expr>) = found.into_iter().unzip();
    let map = map_over(MapForm::Plain, "x", zip_all(arrays)?, |all| {
        let parts = parts(&all, params.len());
        Ok(params.iter().zip(&parts).fold(body, |body, (param, part)| substitute(&body, param, part)))
    })?;
    Ok(labelled_as(retyped(map, expr.ty()).with_origin(expr.origin()), &[expr]))
}

/// All variables that are bound by the function and inside it, as those of one function.
pub fn variables(f: &Lambda) -> Lambda {
    let mut all = Lambda { nats: f.nats.clone(), params: f.params.clone(), body: f.body.clone() };
    f.body.visit(&mut |node| match node.kind() {
        Kind::Let(param, ..) => all.params.push(param.clone()),
        Kind::Prim(_, args) => args.iter().filter_map(Arg::as_fun).for_each(|f| {
            all.nats.extend(f.nats.iter().cloned());
            all.params.extend(f.params.iter().cloned());
        }),
        _ => {}
    });
    all
}

/// The elements that an index chooses.
struct Elements<'a> {
    /// The index.
    var: &'a NatVar,
    /// How many values it takes.
    count: Nat,
    facts: &'a Facts,
    /// What is bound where the index is.
    inside: Lambda,
    /// A name for each element, and the array of which it is one.
    found: Vec<(Param, Expr)>,
}

impl Elements<'_> {
    /// The term with the elements by their names.
    fn named(&mut self, expr: &Expr) -> Expr {
        let named = self.element(expr);
        let named = named.unwrap_or_else(|| map_children(expr, &mut |child| self.named(child)));
        retyped(named, expr.ty())
    }

    /// An element of an array that is there outside.
    fn element(&mut self, expr: &Expr) -> Option<Expr> {
        let (root, indices) = chain(expr)?;
        let is_ours = |index: &&Expr| matches!(index.kind(), Kind::Nat(nat) if nat.mentions(self.var));
        let at = indices.iter().position(is_ours)?;
        let rest: Vec<&Expr> =
            indices.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, index)| *index).collect();
        let is_outside = |expr: &Expr| independent(expr, &self.inside);
        let outside = rest[..at].iter().take_while(|index| is_outside(index)).count();
        if !is_outside(root) || rest.iter().any(is_ours) {
            return None;
        }
        let array = rest[..outside].iter().try_fold(root.clone(), looked_up).ok()?;
        let array = in_front(array, at - outside).ok()?;
        let (view, within) = match self.cropped(&array, indices[at]) {
            Some(view) => (view, None),
            None => self.windows(&array, indices[at]).map(|(view, within)| (view, Some(within)))?,
        };
        // Where nothing is generated it is looked at all the same.
        if !is_total(&view, self.facts) {
            return None;
        }
        let name = self.name(view);
        let rest: Vec<Expr> = rest[outside..].iter().map(|index| self.named(index)).collect();
        within.iter().chain(&rest).try_fold(name, |array, index| looked_up(array, &index)).ok()
    }

    /// As many elements as there are indices, from that of the first index on.
    fn cropped(&self, array: &Expr, index: &Expr) -> Option<Expr> {
        let Kind::Nat(index) = index.kind() else { return None };
        let (step, first) = index.affine_in(self.var)?;
        let length = len(array).ok()?;
        if !step.is_one() || !self.is_outside(&first) {
            return None;
        }
        // Elements that are looked at are there, but where none is the first index may lie anywhere.
        let rest = &length - &self.count;
        let first = self.facts.simplify(&Nat::min(&Nat::max(&first, &Nat::lit(0)), &rest));
        let end = &first + &self.count;
        part(array, first, end).ok()
    }

    /// Whether a number is known where the index is not.
    fn is_outside(&self, nat: &Nat) -> bool {
        !self.inside.params.iter().filter_map(|param| param.nat.as_ref()).any(|own| nat.mentions(own))
            && !self.inside.nats.iter().any(|own| nat.mentions(own))
    }

    /// The windows of which an index chooses one together with another index inside, which chooses in it.
    fn windows(&self, array: &Expr, index: &Expr) -> Option<(Expr, Expr)> {
        let Kind::Nat(index) = index.kind() else { return None };
        let (step, within) = index.affine_in(self.var)?;
        let is_in = |param: &&Param| param.nat.as_ref().is_some_and(|own| within.mentions(own));
        let other = self.inside.params.iter().find(is_in)?;
        let (along, first) = within.affine_in(other.nat.as_ref()?)?;
        let DataType::Idx(size) = &other.ty else { return None };
        let step_is_known = step.as_const().is_some_and(|step| step > 0);
        if !step_is_known || !along.is_one() || !self.is_outside(&first) || !self.is_outside(size) {
            return None;
        }
        let end = &first + &step * &self.count + size - &step;
        if !self.facts.proves_ge0(&first) || !self.facts.proves_le(&end, &len(array).ok()?) {
            return None;
        }
        let windows = Primitive::Slide(size.clone(), step);
        Some((make(windows, [part(array, first, end).ok()?]).ok()?, other.expr()))
    }

    /// The name of an element of the array.
    fn name(&mut self, array: Expr) -> Expr {
        if let Some((param, _)) = self.found.iter().find(|(_, other)| alpha_equal(other, &array)) {
            return param.expr();
        }
        let param = Param::fresh("x", crate::expr::element_type(&array));
        let name = param.expr();
        self.found.push((param, array));
        name
    }
}

/// The elements from one on and before another.
fn part(array: &Expr, first: Nat, end: Nat) -> Rewritten {
    let (length, count) = (len(array)?, &end - &first);
    let dropped = match first.is_zero() {
        true => array.clone(),
        false => make(Primitive::Drop(first), [array.clone()])?,
    };
    if end == length { Ok(dropped) } else { make(Primitive::Take(count), [dropped]) }
}

/// `xs[i][j]` as `xs` and both indices, the first one first.
fn chain(expr: &Expr) -> Option<(&Expr, Vec<&Expr>)> {
    let (Primitive::Idx, [Arg::Expr(index), Arg::Expr(array)]) = expr.as_prim()? else { return None };
    let (root, mut indices) = chain(array).unwrap_or((array, Vec::new()));
    indices.push(index);
    Some((root, indices))
}

fn looked_up(array: Expr, index: &&Expr) -> Rewritten {
    make(Primitive::Idx, [(*index).clone(), array])
}

/// The array with a dimension in front of those around it.
fn in_front(array: Expr, dimension: usize) -> Rewritten {
    match dimension {
        0 => Ok(array),
        1 => make(Primitive::Transpose, [array]),
        _ => {
            let rows = map_over(MapForm::Plain, "rows", array, |rows| in_front(rows, dimension - 1))?;
            make(Primitive::Transpose, [rows])
        }
    }
}
