//! Runs strategies: combinators and traversals (ELEVATE).
//!
//! A strategy takes a term to a term of the same type, or fails and leaves everything as it was, the
//! recorded obligations included. Children stand in the order of [`crate::expr`]: arguments from left to
//! right, a function's body where the function stands, a `let`'s value before its body.

mod walks;

use crate::diagnostics::Origin;
use crate::expr::{
    Binary, Compare, Expr, Literal, Primitive, alpha_equal, binary, call, literal, nat, refresh,
};
use crate::nat::{Nat, Obligation};

use super::context::{Context, Reason};
use super::strategy::{Applied, Strategy, StrategyKind, Walk};
use super::trace::{Step, Trace, Why};

/// How many rules one strategy may apply; more is a repetition without end.
const LIMIT: usize = 100_000;

/// How deep rules may make a program.
const DEEPEST: usize = 240;

/// After so many rules it is looked at how deep the program is.
const LOOKS: usize = 16;

/// Why a strategy failed: the rule, the term, the reason.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The step that failed, as it was written.
    pub origin: Origin,
    /// The rule's name, if a rule failed.
    pub rule: String,
    /// Where it was applied.
    pub at: Option<Expr>,
    /// Why it does not apply there.
    pub reason: Reason,
    /// A place where it would apply.
    pub nearest: Option<Expr>,
}

impl Failure {
    /// A failure without a rule.
    pub fn new(reason: Reason) -> Self {
        Failure { origin: Origin::NONE, rule: String::new(), at: None, reason, nearest: None }
    }

    /// The same with the step it belongs to, if none is known yet.
    #[must_use]
    pub fn at(mut self, origin: Origin) -> Self {
        if self.origin.is_none() {
            self.origin = origin;
        }
        self
    }

    /// The one that says more.
    fn best(self, other: Failure) -> Failure {
        if other.reason.matched && !self.reason.matched { other } else { self }
    }
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Failure::new(reason)
    }
}

/// The result of a strategy.
pub type Outcome = Result<Expr, Failure>;

/// What strategies run in.
pub struct Engine {
    /// What rules know.
    pub context: Context,
    /// What has happened.
    pub trace: Trace,
    /// Whether the term at hand is the kernel's body.
    at_root: bool,
}

impl Engine {
    /// An engine for a kernel's body.
    pub fn new(context: Context) -> Self {
        Engine { context, trace: Trace::default(), at_root: true }
    }

    /// Applies a strategy to a term.
    pub fn run(&mut self, strategy: &Strategy, expr: &Expr) -> Outcome {
        if let Some(reason) = &self.context.exhausted {
            return Err(Failure::from(reason.clone()).at(strategy.origin));
        }
        let (origin, asked) = (self.context.origin, self.context.asked());
        let stops = self.trace.stops.len();
        if !strategy.origin.is_none() {
            self.context.origin = strategy.origin;
        }
        let outcome = self.step(&strategy.kind, expr).map_err(|failure| failure.at(strategy.origin));
        self.context.origin = origin;
        if outcome.is_err() {
            self.context.forgo(asked);
            self.trace.stops.truncate(stops);
        }
        outcome
    }

    fn step(&mut self, kind: &StrategyKind, expr: &Expr) -> Outcome {
        match kind {
            StrategyKind::Id => Ok(expr.clone()),
            StrategyKind::Fail => Err(Reason::refused("`fail` always fails").into()),
            StrategyKind::Lower | StrategyKind::Auto if self.context.below > 0 => {
                Err(Reason::refused("it works on whole kernels, not at a place").into())
            }
            StrategyKind::Lower => {
                Ok(super::lower::lower_body(expr, self.context.target, self.context.facts()))
            }
            StrategyKind::Auto => Ok(super::recipes::auto::auto(self, expr)),
            StrategyKind::Rule(rule) => self.rule(rule, expr),
            StrategyKind::Recipe(recipe, values) => self.recipe_here(recipe, values, expr),
            StrategyKind::Check(predicate) => match predicate.holds(expr) {
                true => Ok(expr.clone()),
                false => Err(Failure {
                    rule: predicate.text(),
                    at: Some(expr.clone()),
                    ..Reason::mismatch("it does not hold here").into()
                }),
            },
            StrategyKind::Seq(steps) => self.sequence(steps, expr),
            StrategyKind::Choice(choices) => self.choice(choices, expr),
            StrategyKind::Try(inner) => Ok(self.run(inner, expr).unwrap_or_else(|_| expr.clone())),
            StrategyKind::Not(inner) => match self.run(inner, expr) {
                Ok(_) => Err(Reason::refused("what must not succeed succeeds").into()),
                Err(_) => Ok(expr.clone()),
            },
            StrategyKind::Repeat(inner, times) => self.repeat(kind, inner, *times, expr),
            StrategyKind::Versions(versions, otherwise) => self.versions(versions, otherwise, expr),
            StrategyKind::Walk(walk, inner) => self.walk(walk, inner, expr),
            StrategyKind::Labels(paths, inner) => self.at_paths(paths, inner, expr),
        }
    }

    /// Applies one rule at the root of the term.
    pub fn rule(&mut self, rule: &Applied, expr: &Expr) -> Outcome {
        let asked = self.context.asked();
        if self.trace.rules >= LIMIT {
            let reason = Reason::refused(format!("the strategy did not end within {LIMIT} rules"));
            self.context.exhausted = Some(reason.clone());
            return Err(reason.into());
        }
        if self.context.rule != *rule.name {
            self.context.rule = rule.name.to_string();
        }
        match (rule.run)(expr, &mut self.context) {
            Ok(result) if result.ty() == expr.ty() => {
                self.trace.rules += 1;
                if self.trace.rules.is_multiple_of(LOOKS)
                    && result.is_deeper_than(DEEPEST.saturating_sub(self.context.below))
                {
                    let reason =
                        Reason::refused("it applies to its own results and makes the program ever deeper");
                    self.context.exhausted = Some(reason.clone());
                    return Err(Failure { rule: rule.name.to_string(), ..reason.into() });
                }
                Ok(super::place::keep_labels(expr, result))
            }
            Ok(result) => Err(Failure {
                rule: rule.name.to_string(),
                at: Some(expr.clone()),
                ..Reason::refused(format!("the result would have type {}", result.ty())).into()
            }),
            Err(reason) => {
                self.context.forgo(asked);
                let rule = rule.name.to_string();
                Err(Failure { rule, at: Some(expr.clone()), ..reason.into() })
            }
        }
    }

    fn sequence(&mut self, steps: &[Strategy], expr: &Expr) -> Outcome {
        let record = std::mem::replace(&mut self.at_root, false);
        let mut current = expr.clone();
        for step in steps {
            self.at_root = record && matches!(step.kind, StrategyKind::Seq(_));
            match self.run(step, &current) {
                Ok(next) => current = next,
                Err(failure) => {
                    self.at_root = record;
                    let nearest = if record { self.elsewhere(step, &current) } else { None };
                    return Err(Failure { nearest: failure.nearest.clone().or(nearest), ..failure });
                }
            }
            if record && !matches!(step.kind, StrategyKind::Seq(_)) {
                let (name, stops) = (step.kind.name(), std::mem::take(&mut self.trace.stops));
                let notes = std::mem::take(&mut self.context.notes);
                let body = current.clone();
                self.trace.steps.push(Step { name, body, stops, notes });
            }
        }
        self.at_root = record;
        Ok(current)
    }

    /// The first place where a step that failed would have succeeded.
    fn elsewhere(&mut self, step: &Strategy, expr: &Expr) -> Option<Expr> {
        let inner = match &step.kind {
            StrategyKind::Labels(_, inner)
            | StrategyKind::Walk(Walk::Outermost(_) | Walk::Innermost(_) | Walk::Position(_), inner) => inner,
            StrategyKind::Rule(_) | StrategyKind::Recipe(..) | StrategyKind::Check(_) => step,
            _ => return None,
        };
        if !matches!(inner.kind, StrategyKind::Rule(_) | StrategyKind::Recipe(..) | StrategyKind::Check(_)) {
            return None;
        }
        let (asked, rules, stops) = (self.context.asked(), self.trace.rules, self.trace.stops.len());
        let mut found = None;
        let _ = self.top_down(expr, &mut |engine, node| {
            let result = engine.run(inner, node)?;
            found = Some(node.clone());
            Ok(result)
        });
        self.context.forgo(asked);
        self.trace.rules = rules;
        self.trace.stops.truncate(stops);
        found
    }

    fn choice(&mut self, choices: &[Strategy], expr: &Expr) -> Outcome {
        let mut first: Option<Failure> = None;
        for choice in choices {
            match self.run(choice, expr) {
                Ok(result) => return Ok(result),
                Err(failure) => first = Some(first.map_or(failure.clone(), |first| first.best(failure))),
            }
        }
        Err(first.unwrap_or_else(|| Reason::refused("there is nothing to choose from").into()))
    }

    /// The program rewritten in several ways, of which one is chosen at run time.
    fn versions(
        &mut self,
        versions: &[(Vec<Obligation>, Strategy)],
        otherwise: &Strategy,
        expr: &Expr,
    ) -> Outcome {
        if self.context.below > 0 {
            return Err(Reason::refused("versions are of whole kernels, not of a place").into());
        }
        let mut results = Vec::new();
        for (conditions, strategy) in versions {
            let asked = self.context.asked();
            let before = self.context.knowing(conditions);
            let result = self.run(strategy, &refresh(expr));
            self.context.forget(before);
            let result = result?;
            if let Some(demand) = self.context.separable.get(asked[1]) {
                let text = format!("a version cannot demand that `{}` is separable", demand.shown);
                let failure = Failure { rule: demand.rule.clone(), ..Reason::refused(text).into() };
                return Err(failure.at(strategy.origin));
            }
            if let Some(required) = self.context.required.get(asked[0]) {
                let text =
                    format!("`{}` has to follow from the conditions of this version", required.obligation);
                let failure = Failure { rule: required.rule.clone(), ..Reason::refused(text).into() };
                return Err(failure.at(strategy.origin));
            }
            results.push((conditions, result));
        }
        let rest = self.run(otherwise, expr)?;
        let choose = |rest, (conditions, version): (&Vec<Obligation>, Expr)| {
            let holds = conditions.iter().map(holds).reduce(|a, b| binary(Binary::And, a, b));
            call(Primitive::Select, [holds.unwrap_or_else(|| literal(Literal::Bool(true))), version, rest])
        };
        Ok(results.into_iter().rev().fold(rest, choose))
    }

    fn repeat(&mut self, whole: &StrategyKind, inner: &Strategy, times: u32, expr: &Expr) -> Outcome {
        let mut current = expr.clone();
        let most = walks::most_nodes(expr);
        for rounds in 0..times {
            let why = match self.run(inner, &current) {
                Ok(next) if is_unchanged(&next, &current) => Why::Unchanged,
                Ok(next) if next.nodes() > most => {
                    return self.exhaust("it applies again and again to its own result");
                }
                Ok(next) => {
                    current = next;
                    continue;
                }
                Err(failure) if self.context.exhausted.is_some() => return Err(failure),
                Err(failure) => failure.into(),
            };
            self.trace.stopped(|| whole.name(), rounds, why);
            return Ok(current);
        }
        match times {
            u32::MAX => Err(Reason::refused("the repetition does not end").into()),
            _ => {
                self.trace.stopped(|| whole.name(), times, Why::Bound);
                Ok(current)
            }
        }
    }
}

/// Whether a step would find the same: the term, made anew or not, under the same labels.
fn is_unchanged(next: &Expr, current: &Expr) -> bool {
    next.same(current) || alpha_equal(next, current) && has_same_labels(next, current)
}

/// Whether terms of one shape are labelled in the same places.
fn has_same_labels(a: &Expr, b: &Expr) -> bool {
    let inside = || a.children().into_iter().zip(b.children()).all(|(a, b)| has_same_labels(a, b));
    !a.is_labelled() && !b.is_labelled() || a.labels() == b.labels() && inside()
}

/// Whether a condition on sizes holds, as a value.
pub fn holds(condition: &Obligation) -> Expr {
    let compare = |op, a: &Nat, b: &Nat| call(Primitive::Compare(op), [nat(a.clone()), nat(b.clone())]);
    match condition {
        Obligation::Le(a, b) => compare(Compare::Le, a, b),
        Obligation::Lt(a, b) => compare(Compare::Lt, a, b),
        Obligation::Eq(a, b) => compare(Compare::Eq, a, b),
        Obligation::Divides(d, n) => compare(Compare::Eq, &n.rem(d), &Nat::lit(0)),
    }
}

impl StrategyKind {
    /// A short name for the trace.
    pub fn name(&self) -> String {
        match self {
            StrategyKind::Id => "id".into(),
            StrategyKind::Fail => "fail".into(),
            StrategyKind::Lower => "lower".into(),
            StrategyKind::Auto => "auto".into(),
            StrategyKind::Rule(rule) => rule.name.to_string(),
            StrategyKind::Recipe(recipe, _) => recipe.name.into(),
            StrategyKind::Check(predicate) => predicate.text(),
            StrategyKind::Seq(_) => "sequence".into(),
            StrategyKind::Versions(..) => "versions".into(),
            StrategyKind::Choice(choices) => choices.first().map_or(String::new(), |first| first.kind.name()),
            StrategyKind::Try(inner) => format!("try({})", inner.kind.name()),
            StrategyKind::Not(inner) => format!("not({})", inner.kind.name()),
            StrategyKind::Repeat(inner, u32::MAX) => format!("repeat({})", inner.kind.name()),
            StrategyKind::Repeat(inner, times) => format!("repeat({times}, {})", inner.kind.name()),
            StrategyKind::Walk(_, inner) => inner.kind.name(),
            StrategyKind::Labels(paths, inner) => {
                let places: Vec<String> = paths.iter().map(ToString::to_string).collect();
                format!("{} @ {}", inner.kind.name(), places.join(", "))
            }
        }
    }
}
