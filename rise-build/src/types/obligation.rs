//! What must hold is proved, handed to the kernel's entry, or reported.
//!
//! In: the needs that elaboration collected, with all unknowns known. Out: conditions over size parameters
//! alone that are checked at the entry. A condition on indices is first made one on sizes, by the ranges of
//! the indices. What is checked at the entry may be used for what comes after it.

use crate::diagnostics::{Diagnostic, Origin};
use crate::expr::{Proved, Required};
use crate::nat::{Facts, Nat, NatVar, Obligation};
use crate::syntax::ast::{self, NatKind, NatOp, ObligationKind, Relation};

use super::advice;
use super::data_type::{DataType, Scalar};
use super::elaborate::Infer;
use super::solver::{Condition, Range, Scope, Why};
use super::value::Env;

impl<'a> Infer<'a> {
    /// A condition of a `where` clause.
    pub(super) fn declared(&mut self, obligation: &ast::Obligation, env: &Env<'a>) -> Option<Obligation> {
        let at = self.place(obligation.origin);
        match &obligation.kind {
            ObligationKind::Divides(d, n) => {
                Some(Obligation::Divides(self.natural(d, env), self.natural(n, env)))
            }
            ObligationKind::Compare(relation, a, b) => {
                if let (Relation::Eq, NatKind::Binary(NatOp::Rem, n, d), NatKind::Literal(0)) =
                    (relation, &a.kind, &b.kind)
                {
                    return Some(Obligation::Divides(self.natural(d, env), self.natural(n, env)));
                }
                let (a, b) = (self.natural(a, env), self.natural(b, env));
                match relation {
                    Relation::Eq => Some(Obligation::Eq(a, b)),
                    Relation::Lt => Some(Obligation::Lt(a, b)),
                    Relation::Le => Some(Obligation::Le(a, b)),
                    Relation::Gt => Some(Obligation::Lt(b, a)),
                    Relation::Ge => Some(Obligation::Le(b, a)),
                    Relation::Ne if b.is_zero() => Some(Obligation::Lt(b, a)),
                    Relation::Ne => {
                        let wrong = Diagnostic::limitation(at, "`!=` between sizes, other than `!= 0`");
                        self.report(wrong.help("ask for what is less or greater: `n < 3`, `n > 3`"));
                        None
                    }
                }
            }
            ObligationKind::Predicate(name, _) => {
                self.report(match name.as_str() {
                    "divides" => Diagnostic::error(at, "`divides` stands between two sizes")
                        .help("for example `32 divides n`"),
                    _ => Diagnostic::error(at, format!("`{name}` is a condition of rules, not of functions")),
                });
                None
            }
        }
    }

    /// What the `where` clause of a helper demands of its use.
    pub(super) fn helper_obligations(&mut self, item: &ast::Kernel, env: &Env<'a>, origin: Origin) {
        for obligation in &item.obligations {
            if let Some(obligation) = self.declared(obligation, env) {
                let why = self.why(origin, item.name.as_str());
                self.solver.need(obligation, &why);
            }
        }
    }

    /// Proves what is needed, or makes it a condition at the entry, or reports it. `sizes` is what is known
    /// without the `where` clause.
    pub(super) fn discharge(
        &mut self,
        facts: &mut Facts,
        sizes: &Facts,
        declared: &[Obligation],
    ) -> (Vec<Required>, Vec<Proved>) {
        let mut required: Vec<Required> = Vec::new();
        let mut proved: Vec<Proved> = Vec::new();
        for need in std::mem::take(&mut self.solver.needs) {
            match need.condition {
                Condition::Nat(obligation) => {
                    let obligation = obligation.map(|nat| self.solver.nat(nat));
                    let obligation = self.without_constant_lengths(obligation, &need.why.scope);
                    if self.holds(&obligation, &need.why, facts) {
                        let declared = !declared.is_empty() && !self.holds(&obligation, &need.why, sizes);
                        self.note(&obligation, &need.why, declared, &mut proved);
                    } else {
                        self.settle(&obligation, need.why, facts, &mut required);
                    }
                }
                Condition::Constant(nat) => {
                    let nat = self.solver.nat(&nat);
                    if nat.as_const().is_none() {
                        let message =
                            format!("{} needs a length that is a literal, found {nat}", need.why.quoted());
                        let wrong = Diagnostic::error(need.why.origin, message);
                        self.report(match advice::literal_length(need.why.who()) {
                            Some(help) => wrong.help(help),
                            None => wrong,
                        });
                    }
                }
                Condition::Width(nat) => {
                    let nat = self.solver.nat(&nat);
                    if !DataType::is_width(&nat) {
                        let message = format!("a vector has 1, 2, 4, 8, 16, 32 or 64 elements, not {nat}");
                        self.report(Diagnostic::error(need.why.origin, message));
                    }
                }
                Condition::Inverse(pair, n) => {
                    let n = self.solver.nat(&n);
                    let entry = required.iter().map(|required| &required.obligation);
                    let known: Vec<Obligation> = declared.iter().chain(entry).cloned().collect();
                    self.check_inverse(&pair, &n, &need.why, facts, &known);
                }
            }
        }
        (required, proved)
    }

    /// Of the arrays themselves where steps of `iterate` keep their length.
    fn without_constant_lengths(&self, mut obligation: Obligation, scope: &Scope) -> Obligation {
        let mut ranged = scope.as_deref();
        while let Some(entry) = ranged {
            if let Some(Range::Step { least, factor, .. }) = &entry.range
                && self.solver.nat(factor).is_one()
            {
                obligation = obligation.subst(&entry.var, &self.solver.nat(least));
            }
            ranged = entry.outer.as_deref();
        }
        obligation
    }

    fn holds(&self, obligation: &Obligation, why: &Why, facts: &Facts) -> bool {
        obligation.prove(facts)
            || obligation.prove(&with_ranges(facts, &why.scope, &|nat| self.solver.nat(nat)))
    }

    /// Keeps what holds for readers, if it says anything and has not been said.
    fn note(&self, obligation: &Obligation, why: &Why, declared: bool, proved: &mut Vec<Proved>) {
        let (rule, indices) = (why.who().to_owned(), self.ranges_of(obligation, &why.scope));
        let known = |p: &Proved| p.rule == rule && p.obligation == *obligation && p.indices == indices;
        if !obligation.vars().is_empty() && !proved.iter().any(known) {
            proved.push(Proved { obligation: obligation.clone(), rule, indices, declared });
        }
    }

    /// Makes what is not proved a condition at the entry, or reports it.
    fn settle(&mut self, obligation: &Obligation, why: Why, facts: &mut Facts, required: &mut Vec<Required>) {
        let indices = indices_in(obligation, &why.scope);
        let condition = if indices.is_empty() {
            Some(obligation.clone())
        } else {
            let scoped = with_ranges(facts, &why.scope, &|nat| self.solver.nat(nat));
            on_sizes(obligation, &scoped, &indices)
        };
        match condition {
            Some(condition)
                if self.on_kernel(&condition)
                    && !refuted(&condition, facts)
                    && !is_for_trivial_sizes_alone(&condition, !indices.is_empty(), facts) =>
            {
                for condition in condition.parts() {
                    if !condition.prove(facts) {
                        condition.assume(facts);
                        let rule = why.who().to_owned();
                        required.push(Required { obligation: condition, rule });
                    }
                }
            }
            _ => self.report_unmet(obligation, &why),
        }
    }

    /// Whether a condition speaks of the kernel's sizes alone.
    fn on_kernel(&self, condition: &Obligation) -> bool {
        condition.vars().iter().all(|var| self.sizes.contains(var))
    }

    fn report_unmet(&mut self, obligation: &Obligation, why: &Why) {
        let never = indices_in(obligation, &why.scope).is_empty();
        let diagnostic = match (&*why.rule, obligation) {
            ("index", Obligation::Lt(index, len)) if never => {
                let message = format!("index {index} is out of range: the array has {len} elements");
                let diagnostic = Diagnostic::error(why.origin, message);
                match len.as_const() {
                    Some(_) => diagnostic,
                    None => diagnostic.help(format!("the last index is `{}`", len - 1)),
                }
            }
            (rule, _) if rule == "index" || !never && becomes_index(rule, obligation) => {
                let message = format!("this index may be out of range: {obligation} does not follow");
                let diagnostic =
                    self.with_known(Diagnostic::error(why.origin, message), obligation, &why.scope);
                diagnostic.help(match rule {
                    "index" => "`e as Idx[n]` clamps an index, which an `if` does not; `padClamp` and `padCst` give arrays a border",
                    _ => "`e as Idx[n]` clamps an index, `e % n` goes round: `(i + 1) % n`, `(i + n - 1) % n`",
                })
            }
            (rule, Obligation::Le(_, nat)) if rule.starts_with(CAST) => {
                let message = format!("this natural may be negative: {obligation} does not follow");
                let diagnostic = Diagnostic::error(why.origin, message);
                match subtracted(nat, rule) {
                    Some(text) => diagnostic.help(format!("subtract after the cast: `{text}`")),
                    None => diagnostic,
                }
            }
            (rule, Obligation::Eq(a, b)) => {
                let message = match rule {
                    "let" | "argument" | "function" | "result" | "as" => {
                        format!("the sizes {a} and {b} differ")
                    }
                    _ => format!("{} needs equal sizes, found {a} and {b}", why.quoted()),
                };
                Diagnostic::error(why.origin, message)
            }
            _ => {
                let message = format!("{} needs {obligation}, which does not hold", why.quoted());
                let diagnostic = Diagnostic::error(why.origin, message);
                match lengths_in(obligation, &why.scope).first() {
                    Some(length) => diagnostic.label(
                        Origin::NONE,
                        format!("{length} is the length that a step of `iterate` gives"),
                    ),
                    None if never => diagnostic,
                    None => self
                        .with_known(diagnostic, obligation, &why.scope)
                        .help("it has to hold at all indices, whatever the arrays hold: lengths depend on sizes alone"),
                }
            }
        };
        self.report(diagnostic);
    }

    /// The message with what is known of the indices in the condition.
    fn with_known(&self, diagnostic: Diagnostic, obligation: &Obligation, scope: &Scope) -> Diagnostic {
        let ranges = self.ranges_of(obligation, scope);
        let texts: Vec<String> =
            ranges.iter().map(|(index, bound)| format!("0 <= {index} < {bound}")).collect();
        match texts.is_empty() {
            true => diagnostic,
            false => diagnostic.label(Origin::NONE, format!("it is known that {}", texts.join(", "))),
        }
    }

    /// The indices that a condition speaks of and their bounds, outermost first.
    fn ranges_of(&self, obligation: &Obligation, scope: &Scope) -> Vec<(NatVar, Nat)> {
        let mentioned = indices_in(obligation, scope);
        let mut ranged = scope.as_deref();
        let mut ranges = Vec::new();
        while let Some(entry) = ranged {
            if let (true, Some(Range::Below(bound))) = (mentioned.contains(&entry.var), &entry.range) {
                ranges.push((entry.var.clone(), self.solver.nat(bound)));
            }
            ranged = entry.outer.as_deref();
        }
        ranges.reverse();
        ranges
    }
}

/// Whether the condition is that of a natural given where an index is wanted, as a value.
fn becomes_index(rule: &str, obligation: &Obligation) -> bool {
    let is_range = match obligation {
        Obligation::Le(least, _) => least.is_zero(),
        Obligation::Lt(..) => true,
        Obligation::Eq(..) | Obligation::Divides(..) => false,
    };
    is_range
        && (rule.starts_with("the function")
            || ["let", "argument", "result", "array literal"].contains(&rule))
}

/// The index variables that a condition speaks of.
fn indices_in(obligation: &Obligation, scope: &Scope) -> Vec<NatVar> {
    let mut indices = Vec::new();
    let mut ranged = scope.as_deref();
    let (a, b) = obligation.sides();
    while let Some(entry) = ranged {
        if a.mentions(&entry.var) || b.mentions(&entry.var) {
            indices.push(entry.var.clone());
        }
        ranged = entry.outer.as_deref();
    }
    indices
}

/// The lengths of steps that a condition speaks of.
fn lengths_in(obligation: &Obligation, scope: &Scope) -> Vec<NatVar> {
    let mut lengths = indices_in(obligation, scope);
    let mut ranged = scope.as_deref();
    while let Some(entry) = ranged {
        if !matches!(entry.range, Some(Range::Step { .. })) {
            lengths.retain(|var| *var != entry.var);
        }
        ranged = entry.outer.as_deref();
    }
    lengths
}

/// The facts and the ranges of the indices in scope, outermost first.
pub(super) fn with_ranges(facts: &Facts, scope: &Scope, known: &dyn Fn(&Nat) -> Nat) -> Facts {
    let mut entries = Vec::new();
    let mut ranged = scope.as_deref();
    while let Some(entry) = ranged {
        entries.push(entry);
        ranged = entry.outer.as_deref();
    }
    let mut facts = facts.clone();
    for entry in entries.into_iter().rev() {
        match &entry.range {
            Some(Range::Below(bound)) => facts.range(&entry.var, &Nat::lit(0), &known(bound)),
            Some(Range::Step { least, most, factor })
                if known(factor).as_const().is_some_and(|by| by > 0) =>
            {
                facts.range(&entry.var, &known(least), &(known(most) + 1));
            }
            Some(Range::Step { .. }) | None => facts.size(&entry.var),
        }
    }
    facts
}

/// A condition on sizes under which the condition holds for all values of the indices.
fn on_sizes(obligation: &Obligation, facts: &Facts, indices: &[NatVar]) -> Option<Obligation> {
    let difference = match obligation {
        Obligation::Le(a, b) => b - a,
        Obligation::Lt(a, b) => b - a - 1,
        Obligation::Eq(..) | Obligation::Divides(..) => return None,
    };
    let least = facts.simplify(&facts.eliminate(&difference, indices)?);
    let free = indices.iter().all(|index| !least.mentions(index));
    free.then(|| Obligation::ge0(&least))
}

/// Whether a condition holds for sizes alone for which there is nothing to compute: a mistake, not a condition on
/// the caller. Two sizes may be equal where one is 0; what is asked `at_each_index` may hold where there is but one.
fn is_for_trivial_sizes_alone(condition: &Obligation, at_each_index: bool, facts: &Facts) -> bool {
    let least = match condition {
        _ if at_each_index => 2,
        Obligation::Eq(..) => 1,
        _ => return false,
    };
    let mut larger = facts.clone();
    for var in condition.vars() {
        let is_larger = Obligation::Le(Nat::lit(least), Nat::var(&var));
        // Who declared that a size is trivial wants it so.
        if !refuted(&is_larger, facts) {
            is_larger.assume(&mut larger);
        }
    }
    refuted(condition, &larger)
}

/// How the rules of casts begin, which need a natural that is not negative; what follows is the type.
pub(super) const CAST: &str = "as ";

/// The difference in which each side is cast by itself, if the type has negative numbers.
fn subtracted(nat: &Nat, cast: &str) -> Option<String> {
    let scalar = cast.strip_prefix(CAST).and_then(Scalar::from_name)?;
    let side = |nat: &Nat| match nat.as_var() {
        _ if nat.as_const().is_some() => nat.to_string(),
        Some(var) => format!("({var} {cast})"),
        None => format!("(({nat}) {cast})"),
    };
    let (added, taken) = nat.sides();
    (scalar.is_float() || scalar.is_signed()).then(|| format!("{} - {}", side(&added), side(&taken)))
}

/// Whether no sizes at all satisfy the condition.
pub(super) fn refuted(obligation: &Obligation, facts: &Facts) -> bool {
    match obligation {
        Obligation::Le(a, b) => facts.proves_lt(b, a),
        Obligation::Lt(a, b) => facts.proves_le(b, a),
        Obligation::Eq(a, b) => facts.proves_lt(a, b) || facts.proves_lt(b, a),
        Obligation::Divides(d, n) => match (d.as_const(), n.as_const()) {
            (Some(d), Some(n)) => !(n == 0 || (d != 0 && n % d == 0)),
            _ => false,
        },
    }
}
