//! Matching a left side against a term.
//!
//! The walk goes down the left side, which is finite and small, so it ends whatever the term is.

use crate::expr::{
    Arg, Expr, Kind, Lambda, Param, Primitive, ReduceForm, alpha_equal, map_children, refresh_lambda,
};
use crate::names::{Label, Name};
use crate::nat::{Nat, NatVar, Solution, solve};
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::rules::operators;
use crate::rewrite::rules::support::{FoldView, beta_copy, fun1, independent, same_function};
use crate::types::{Condition, DataType, Rule, Sides, apart, path, primitive_nats, variable};

/// What a left side stands for in a term.
pub struct Found {
    /// The values, in order of the rule's parameters.
    pub values: Vec<Expr>,
    /// The functions.
    pub functions: Vec<Lambda>,
    /// The type parameters.
    pub types: Vec<DataType>,
    /// All naturals.
    pub nats: Vec<(NatVar, Nat)>,
    /// Labels of what was matched.
    pub labels: Vec<Label>,
}

/// The parts of the term for which the rule's parameters stand.
pub fn find(
    rule: &Rule,
    sides: &Sides,
    arguments: &[Nat],
    expr: &Expr,
    context: &mut Context,
) -> Result<Found, Reason> {
    let mut matcher = Matcher {
        sides,
        values: vec![None; sides.params.len()],
        functions: vec![None; sides.functions.len()],
        equations: Vec::new(),
        later: Vec::new(),
        pairs: Vec::new(),
        labels: Vec::new(),
    };
    matcher.expr(&sides.pattern, expr)?;
    matcher.known_applications()?;
    let missing = || Reason::refused("the left side does not tell all of its parameters");
    let values: Vec<Expr> = matcher.values.into_iter().collect::<Option<_>>().ok_or_else(missing)?;
    let functions: Vec<Lambda> = matcher.functions.into_iter().collect::<Option<_>>().ok_or_else(missing)?;
    let mut equations = matcher.equations;
    let types = types(rule, &values, &functions)?;
    equate_types(rule, &types, &values, &functions, &mut equations)?;
    let known: Vec<(NatVar, Nat)> = rule.arguments.iter().cloned().zip(arguments.iter().cloned()).collect();
    let nats = solve_all(&rule.nats, known, equations, context)?;
    check_conditions(&rule.conditions, sides, &values, &functions, context)?;
    Ok(Found { values, functions, types, nats, labels: matcher.labels })
}

struct Matcher<'a> {
    sides: &'a Sides,
    values: Vec<Option<Expr>>,
    functions: Vec<Option<Lambda>>,
    /// A natural of the left side, and the one that stands there.
    equations: Vec<(Nat, Nat)>,
    /// Functions applied to other things than variables: known only when everything is matched.
    later: Vec<(usize, Vec<Expr>, Expr, Vec<(Param, Param)>)>,
    /// Variables that the left side binds, each with the term's.
    pairs: Vec<(Param, Param)>,
    labels: Vec<Label>,
}

type Matched = Result<(), Reason>;

const MISMATCH: Reason = Reason::mismatch("the left side of the rule is another pattern");

impl Matcher<'_> {
    fn expr(&mut self, pattern: &Expr, expr: &Expr) -> Matched {
        match pattern.kind() {
            Kind::Var(name) => self.variable(name, expr),
            Kind::Nat(nat) => match (self.value_of(nat), expr.kind()) {
                (Some(position), _) => self.value(position, expr),
                (None, Kind::Nat(found)) => {
                    self.equations.push((nat.clone(), found.clone()));
                    Ok(())
                }
                _ => Err(MISMATCH),
            },
            Kind::Literal(literal) => match expr.kind() {
                Kind::Literal(found) if found == literal => Ok(()),
                _ => Err(MISMATCH),
            },
            Kind::Let(param, value, body) => match expr.kind() {
                Kind::Let(found, of, inside) => {
                    self.labels.extend(expr.labels().iter().cloned());
                    self.expr(value, of)?;
                    self.under(std::slice::from_ref(param), std::slice::from_ref(found), body, inside)
                }
                _ => Err(MISMATCH),
            },
            Kind::Prim(primitive, args) => match self.function(primitive) {
                Some(position) => self.application(position, args, expr),
                None => self.primitive(primitive, args, expr),
            },
        }
    }

    fn primitive(&mut self, primitive: &Primitive, args: &[Arg], expr: &Expr) -> Matched {
        let Some((found, parts)) = expr.as_prim() else { return Err(MISMATCH) };
        let zero = |_: &Nat| Nat::lit(0);
        let same_form = match (primitive, found) {
            // What a cast goes to is told by the types.
            (Primitive::Cast(a), Primitive::Cast(b)) => a.map_nats(&zero) == b.map_nats(&zero),
            (a, b) => a.map_nats(&zero) == b.map_nats(&zero),
        };
        if !same_form || args.len() != parts.len() {
            return Err(MISMATCH);
        }
        let (mut wanted, mut there) = (Vec::new(), Vec::new());
        primitive_nats(primitive, &mut wanted);
        primitive_nats(found, &mut there);
        self.equations.extend(wanted.into_iter().zip(there));
        self.labels.extend(expr.labels().iter().cloned());
        for (arg, part) in args.iter().zip(parts) {
            match (arg, part) {
                (Arg::Expr(arg), Arg::Expr(part)) => self.expr(arg, part)?,
                (Arg::Fun(arg), Arg::Fun(part)) => {
                    if arg.nats.len() != part.nats.len() || arg.params.len() != part.params.len() {
                        return Err(MISMATCH);
                    }
                    if !arg.nats.is_empty() {
                        return Err(Reason::refused("rules do not look into functions of naturals"));
                    }
                    self.under(&arg.params, &part.params, &arg.body, &part.body)?;
                }
                _ => return Err(MISMATCH),
            }
        }
        Ok(())
    }

    fn under(&mut self, params: &[Param], found: &[Param], body: &Expr, inside: &Expr) -> Matched {
        let depth = self.pairs.len();
        self.pairs.extend(params.iter().cloned().zip(found.iter().cloned()));
        for (param, found) in params.iter().zip(found) {
            if let (Some(nat), Some(found)) = (&param.nat, &found.nat) {
                self.equations.push((Nat::var(nat), Nat::var(found)));
            }
        }
        let result = self.expr(body, inside);
        self.pairs.truncate(depth);
        result
    }

    fn variable(&mut self, name: &Name, expr: &Expr) -> Matched {
        if let Some((_, found)) = self.pairs.iter().rev().find(|(param, _)| param.name == *name) {
            return match expr.kind() {
                Kind::Var(other) if *other == found.name => Ok(()),
                _ => Err(MISMATCH),
            };
        }
        match self.sides.params.iter().position(|param| param.name == *name) {
            Some(position) => self.value(position, expr),
            None => Err(MISMATCH),
        }
    }

    /// The parameter that a natural of the left side is.
    fn value_of(&self, nat: &Nat) -> Option<usize> {
        let var = nat.as_var()?;
        self.sides.params.iter().position(|param| param.nat.as_ref() == Some(var))
    }

    fn value(&mut self, position: usize, expr: &Expr) -> Matched {
        if !self.pairs.iter().all(|(_, found)| independent(expr, &fun1(found.clone(), expr.clone()))) {
            let name = self.sides.params[position].name.text();
            return Err(Reason::refused(format!("`{name}` would depend on a variable that is bound inside")));
        }
        match &self.values[position] {
            Some(known) if alpha_equal(known, expr) => Ok(()),
            Some(_) => {
                let name = self.sides.params[position].name.text();
                Err(Reason::refused(format!("`{name}` would stand for two different terms")))
            }
            None => {
                self.values[position] = Some(expr.clone());
                Ok(())
            }
        }
    }

    fn function(&self, primitive: &Primitive) -> Option<usize> {
        let Primitive::Foreign(foreign) = primitive else { return None };
        self.sides.functions.iter().position(|function| function.name == foreign.name)
    }

    fn application(&mut self, position: usize, args: &[Arg], expr: &Expr) -> Matched {
        let bound: Vec<Param> = self.pairs.iter().map(|(param, _)| param.clone()).collect();
        let paths: Option<Vec<_>> = args.iter().map(|arg| path(arg.as_expr()?, &bound)).collect();
        let Some(paths) = paths.filter(|paths| apart(paths)) else {
            let args = args.iter().filter_map(Arg::as_expr).cloned().collect();
            self.later.push((position, args, expr.clone(), self.pairs.clone()));
            return Ok(());
        };
        let (mut params, mut body) = (Vec::new(), expr.clone());
        for ((place, components), arg) in paths.iter().zip(args) {
            let of = &self.pairs[*place].1;
            params.push(match components.as_slice() {
                [] => of.clone(),
                components => {
                    let param = Param::fresh(of.name.text(), component_type(&of.ty, components, arg));
                    body = with_component(&body, of, components, &param);
                    param
                }
            });
        }
        let is_param = |found: &Param| params.iter().any(|param| param.name == found.name);
        for (_, other) in self.pairs.iter().filter(|(_, found)| !is_param(found)) {
            if !independent(&body, &fun1(other.clone(), body.clone())) {
                let name = &self.sides.functions[position].name;
                return Err(Reason::refused(format!("`{name}` would depend on more than it is applied to")));
            }
        }
        let lambda = refresh_lambda(&Lambda { nats: Vec::new(), params, body });
        match &self.functions[position] {
            Some(known) if same_function(known, &lambda) => Ok(()),
            Some(_) => {
                let name = &self.sides.functions[position].name;
                Err(Reason::refused(format!("`{name}` would stand for two different functions")))
            }
            None => {
                self.functions[position] = Some(lambda);
                Ok(())
            }
        }
    }

    /// Functions applied to other things than variables: what stands there must be what they compute.
    fn known_applications(&mut self) -> Matched {
        for (position, args, expr, pairs) in std::mem::take(&mut self.later) {
            let Some(lambda) = self.functions[position].clone() else { return Err(MISMATCH) };
            let mut values = Vec::new();
            for arg in &args {
                values.push(self.known(arg, &pairs).ok_or(MISMATCH)?);
            }
            if !alpha_equal(&beta_copy(&lambda, &values), &expr) {
                let name = &self.sides.functions[position].name;
                return Err(Reason::refused(format!("`{name}` would stand for two different functions")));
            }
        }
        Ok(())
    }

    /// A variable of the left side as the term has it.
    fn known(&self, arg: &Expr, pairs: &[(Param, Param)]) -> Option<Expr> {
        let bound: Vec<Param> = pairs.iter().map(|(param, _)| param.clone()).collect();
        if let Some(place) = variable(arg, &bound) {
            return Some(pairs[place].1.expr());
        }
        let place = variable(arg, &self.sides.params)?;
        self.values[place].clone()
    }
}

/// The type of a component of components.
fn component_type(ty: &DataType, components: &[usize], arg: &Arg) -> DataType {
    let component = |ty: DataType, at: &usize| ty.as_tuple().and_then(|parts| parts.get(*at)).cloned();
    let found = components.iter().try_fold(ty.clone(), component);
    found.unwrap_or_else(|| arg.expr().ty().clone())
}

/// The term with a name for a component of a variable.
fn with_component(expr: &Expr, of: &Param, components: &[usize], name: &Param) -> Expr {
    match path(expr, std::slice::from_ref(of)) {
        Some((_, found)) if found == components => name.expr(),
        _ => map_children(expr, &mut |child| with_component(child, of, components, name)),
    }
}

fn types(rule: &Rule, values: &[Expr], functions: &[Lambda]) -> Result<Vec<DataType>, Reason> {
    let mut types = vec![None; rule.types.len()];
    let fit = values.iter().enumerate().all(|(at, value)| rule.types_of(at, value.ty(), &mut types))
        && functions.iter().enumerate().all(|(at, lambda)| {
            let params: Vec<DataType> = lambda.params.iter().map(|param| param.ty.clone()).collect();
            rule.types_of_function(at, (&params, lambda.body.ty()), &mut types)
        });
    match fit {
        true => types.into_iter().collect::<Option<_>>().ok_or(MISMATCH),
        false => Err(Reason::refused("the rule is about other types")),
    }
}

/// The sizes in the types of the parameters, as declared and as found.
fn equate_types(
    rule: &Rule,
    types: &[DataType],
    values: &[Expr],
    functions: &[Lambda],
    equations: &mut Vec<(Nat, Nat)>,
) -> Matched {
    let sides = rule.at(types).map_err(|_| Reason::refused("the rule has no meaning at these types"))?;
    for (param, value) in sides.params.iter().zip(values) {
        equate(&param.ty, value.ty(), equations);
    }
    for (unknown, lambda) in sides.functions.iter().zip(functions) {
        for (ty, param) in unknown.params.iter().zip(&lambda.params) {
            equate(ty, &param.ty, equations);
        }
        equate(&unknown.result, lambda.body.ty(), equations);
    }
    Ok(())
}

fn equate(declared: &DataType, found: &DataType, equations: &mut Vec<(Nat, Nat)>) {
    match (declared, found) {
        (DataType::Idx(a), DataType::Idx(b)) => equations.push((a.clone(), b.clone())),
        (DataType::Array(a, s), DataType::Array(b, t)) => {
            equations.push((a.clone(), b.clone()));
            equate(s, t, equations);
        }
        (DataType::DepArray(a, ..), DataType::DepArray(b, ..)) => equations.push((a.clone(), b.clone())),
        (DataType::Tuple(a), DataType::Tuple(b)) => {
            a.iter().zip(b.iter()).for_each(|(a, b)| equate(a, b, equations));
        }
        _ => {}
    }
}

/// The naturals that make all equations hold; what cannot be seen to hold is refused.
fn solve_all(
    nats: &[NatVar],
    mut known: Vec<(NatVar, Nat)>,
    mut equations: Vec<(Nat, Nat)>,
    context: &mut Context,
) -> Result<Vec<(NatVar, Nat)>, Reason> {
    // Each round decides a variable or is the last one.
    loop {
        let before = known.len();
        let mut left = Vec::new();
        for (wanted, found) in std::mem::take(&mut equations) {
            let now = wanted.subst_all(&known);
            let open = |var: &NatVar| now.mentions(var) && !found.mentions(var);
            if let (Some(var), true) = (now.as_var(), now.as_var().is_some_and(open)) {
                known.push((var.clone(), found));
                continue;
            }
            match solve(&now, &found, &|var| nats.contains(var)) {
                Solution::Trivial => {}
                Solution::Unsolvable => return Err(unequal(&now, &found)),
                Solution::Solved(var, value, obligations) if nats.contains(&var) => {
                    if nats.iter().any(|nat| value.mentions(nat)) {
                        left.push((wanted, found));
                        continue;
                    }
                    for obligation in obligations {
                        context.require(obligation)?;
                    }
                    known.push((var, value));
                }
                _ => left.push((wanted, found)),
            }
        }
        equations = left;
        if equations.is_empty() || known.len() == before {
            break;
        }
    }
    let facts = context.facts();
    for (wanted, found) in &equations {
        let now = wanted.subst_all(&known);
        if !facts.proves_eq(&now, found) {
            return Err(unequal(&now, found));
        }
    }
    Ok(known)
}

fn unequal(wanted: &Nat, found: &Nat) -> Reason {
    Reason::refused(format!("{found} is not known to be {wanted}"))
}

fn check_conditions(
    conditions: &[Condition],
    sides: &Sides,
    values: &[Expr],
    functions: &[Lambda],
    context: &mut Context,
) -> Matched {
    let function = |name: &str| sides.functions.iter().position(|function| function.name == name);
    let value = |name: &str| sides.params.iter().position(|param| param.name.text() == name);
    for condition in conditions {
        let (holds, text) = match condition {
            Condition::Associative(f) => (
                is_reduced(&sides.pattern, f)
                    || function(f).is_some_and(|at| operators::is_associative(&functions[at], context)),
                format!("`{f}` is not known to be associative"),
            ),
            Condition::Commutative(f) => (
                function(f).is_some_and(|at| operators::is_commutative(&functions[at], context)),
                format!("`{f}` is not known to be commutative"),
            ),
            Condition::Neutral(f, z) => (
                function(f).zip(value(z)).is_some_and(|(f, z)| is_neutral(&functions[f], &values[z])),
                format!("`{z}` is not known to be neutral for `{f}`"),
            ),
        };
        if !holds {
            return Err(Reason::refused(text));
        }
    }
    Ok(())
}

/// Whether the side has a `reduce` by the function, which declares it associative.
fn is_reduced(side: &Expr, function: &str) -> bool {
    side.any(&|node| match node.as_prim() {
        Some((Primitive::Reduce(ReduceForm::Plain), [Arg::Fun(f), ..])) => {
            matches!(f.body.as_prim(), Some((Primitive::Foreign(foreign), _)) if foreign.name == function)
        }
        _ => false,
    })
}

/// Whether the value is the operator's known neutral element.
fn is_neutral(f: &Lambda, start: &Expr) -> bool {
    operators::starts_neutral(FoldView { form: ReduceForm::Plain, f, start, xs: start, expr: start })
        .unwrap_or(false)
}
