//! Agreement of a term with the type that its context demands.
//!
//! Naturals become indices where they are in range, literals become lanes; everything else must have the
//! very type.

use crate::diagnostics::{Diagnostic, Origin};
use crate::names::Name;
use crate::nat::{Nat, NatVar, Obligation};
use crate::syntax::ast;

use super::Scalar;
use super::advice;
use super::elaborate::{Infer, pattern_text};
use super::solver::{Agree, Misfit, Range, Why};
use super::term::{TArg, TParam, TPrim, Term, TermKind};
use super::ty::{Class, Ty};

impl Infer<'_> {
    /// The term as one of the wanted type. `origin` is where a misfit is reported.
    pub(super) fn coerce(&mut self, term: Term, want: &Ty, origin: Origin, why: &Why) -> Term {
        let (found, wanted) = (self.solver.shallow(term.ty()), self.solver.shallow(want));
        match (&found, &wanted) {
            (Ty::Error, _) | (_, Ty::Error) => return term,
            (Ty::Idx(n), Ty::Idx(m)) => return self.index_below(term, n, m, why),
            (Ty::Nat, Ty::Idx(m)) => return self.natural_below(&term, m, why),
            (Ty::Idx(_), Ty::Nat) => return self.index_as_nat(&term),
            (Ty::Var(_), Ty::Idx(_) | Ty::Nat) if self.solver.class(&found) == Some(Class::Integer) => {
                if let Some(nat) = self.as_natural(&term) {
                    let term = Term::nat(nat, Ty::Nat, term.origin());
                    return self.coerce(term, want, origin, why);
                }
            }
            (Ty::Var(_), Ty::Vector(element, lanes)) if self.is_literal(&found) => {
                let lanes = lanes.clone();
                let term = self.coerce(term, element, origin, why);
                return Self::broadcast(term, lanes);
            }
            _ => {}
        }
        match self.solver.unify(&found, &wanted, why) {
            Ok(Agree::Same) => term,
            Ok(Agree::Perhaps) => {
                let at = term.origin();
                Term::new(TermKind::Conform(term), wanted, at)
            }
            Err(misfit) => self.misfit(&term, &wanted, &misfit, origin, why),
        }
    }

    /// The term as its context would like it, where that is a matter of indices and literals alone.
    pub(super) fn as_wanted(&mut self, term: Term, want: Option<&Ty>) -> Term {
        let Some(want) = want else { return term };
        let (found, wanted) = (self.solver.shallow(term.ty()), self.solver.shallow(want));
        match (&found, &wanted) {
            (Ty::Nat | Ty::Idx(_) | Ty::Var(_), Ty::Idx(_)) => {
                let why = self.why(term.origin(), "index");
                let at = term.origin();
                self.coerce(term, &wanted, at, &why)
            }
            _ => term,
        }
    }

    pub(super) fn is_literal(&self, ty: &Ty) -> bool {
        matches!(self.solver.class(ty), Some(Class::Integer | Class::Float))
    }

    /// A scalar in all lanes.
    pub(super) fn broadcast(term: Term, lanes: Nat) -> Term {
        let (scalar, origin) = (term.ty().clone(), term.origin());
        let ty = Ty::Vector(scalar.into(), lanes.clone());
        Term::new(TermKind::Prim(TPrim::Broadcast(lanes), vec![TArg::Expr(term)]), ty, origin)
    }

    /// An index below `n` as an index below `m`.
    fn index_below(&mut self, term: Term, n: &Nat, m: &Nat, why: &Why) -> Term {
        let (n, m) = (self.solver.nat(n), self.solver.nat(m));
        if n == m {
            return term;
        }
        if self.solver.has_unknown(&n) || self.solver.has_unknown(&m) {
            let same = self.solver.equate(&n, &m, why).is_ok();
            if same {
                return Self::retyped(&term, Ty::Idx(m));
            }
        }
        self.natural_below(&term, &m, why)
    }

    /// A natural as an index: an obligation.
    fn natural_below(&mut self, term: &Term, bound: &Nat, why: &Why) -> Term {
        let Some(nat) = self.as_natural(term) else { return Term::error(term.origin()) };
        let why = Why { origin: term.origin(), ..why.clone() };
        self.need_index(&nat, bound, &why);
        Term::nat(nat, Ty::Idx(bound.clone()), term.origin())
    }

    /// Records that `0 <= nat < bound`.
    pub(super) fn need_index(&mut self, nat: &Nat, bound: &Nat, why: &Why) {
        let why = &Why { scope: self.scope.clone(), ..why.clone() };
        if nat.as_const().is_none_or(|value| value < 0) && nat.as_var().is_none() {
            self.solver.need(Obligation::Le(Nat::lit(0), nat.clone()), why);
        }
        self.solver.need(Obligation::Lt(nat.clone(), bound.clone()), why);
    }

    fn index_as_nat(&mut self, term: &Term) -> Term {
        match self.as_natural(term) {
            Some(nat) => Term::nat(nat, Ty::Nat, term.origin()),
            None => Term::error(term.origin()),
        }
    }

    fn retyped(term: &Term, ty: Ty) -> Term {
        match term.kind() {
            TermKind::Nat(nat) => Term::nat(nat.clone(), ty, term.origin()),
            _ => term.clone(),
        }
    }

    /// An index that was computed gets a name, by which naturals may speak of it.
    pub(super) fn name_index(&mut self, term: &Term, text: &str) -> Term {
        let ty = self.solver.shallow(term.ty());
        let bound = match &ty {
            Ty::Idx(bound) => Some(bound.clone()),
            _ => None,
        };
        let var = NatVar::new(text);
        self.enter(var.clone(), bound.map(Range::Below));
        let param = TParam { name: Name::fresh(text), nat: Some(var), ty };
        let shared = param.term(term.origin());
        self.add_let(param, term.clone());
        shared
    }

    /// Reports that a term does not fit.
    fn misfit(&mut self, term: &Term, want: &Ty, misfit: &Misfit, origin: Origin, why: &Why) -> Term {
        let (found, want) = (self.solver.full(term.ty()), self.solver.full(want));
        if let Some((part, want, misfit)) = self.guilty_component(term, &want, origin, why) {
            return self.misfit(&part, &want, &misfit, part.origin(), why);
        }
        if let (Some((_, helper)), Misfit::Form, true) = (self.site, misfit, self.is_literal(&found)) {
            let (message, help) = self.literal_in_helper(helper, &found, &want);
            let wrong = help.into_iter().fold(Diagnostic::error(origin, message), Diagnostic::help);
            return self.wrong(wrong);
        }
        let found_text = self.shown(&found);
        let want_text = self.shown(&want);
        let message = misfit_text(why, misfit, &want, &want_text, &found, &found_text);
        let mut diagnostic = Diagnostic::error(origin, message);
        if !term.origin().same(origin) && !term.origin().is_none() {
            let verb = if found_text.starts_with('`') { "has type" } else { "is" };
            diagnostic = diagnostic.label(term.origin(), format!("this {verb} {found_text}"));
        }
        let help = rule_help(&why.rule, &found, &want)
            .or_else(|| advice::fold_of_others(term, &found, &want))
            .or_else(|| advice::narrow_sum(term, &found, &want))
            .or_else(|| conversion_help(&found, &want))
            .or_else(|| advice::other_form(term, &found, &want))
            .or_else(|| self.size_for_array(&why.rule, &found, &want))
            .or_else(|| match misfit {
                Misfit::Size(found, want) => advice::lengths_apart(term, found, want),
                Misfit::Form => None,
            });
        diagnostic = help.into_iter().fold(diagnostic, Diagnostic::help);
        self.wrong(diagnostic)
    }

    /// What is said of a literal that a helper of the prelude has or is given, and that does not fit.
    fn literal_in_helper(&self, helper: &str, found: &Ty, want: &Ty) -> (String, Option<String>) {
        let numbers = format!("needs numbers, found `{want}`");
        match want {
            // The user gives a literal where the helper goes through an array.
            Ty::Array(_, element) if matches!(**element, Ty::Var(_)) => {
                let message = format!("`{helper}` needs an array, found {}", self.shown(found));
                (message, advice::value_for_array(helper, found).map(str::to_owned))
            }
            // The literal stands in what the helper was given, as in `map2D(sum)`.
            Ty::Array(..) if helper.starts_with("map") => {
                let help =
                    format!("it is given arrays of arrays: `{helper}(|w| w |> join |> sum)` adds up those");
                (format!("the function given to `{helper}` {numbers}"), Some(help))
            }
            // The literal stands in the helper: what it is held against is the user's.
            Ty::Array(_, element) if matches!(**element, Ty::Scalar(_)) => {
                let help = format!(
                    "it takes one array of numbers: `a |> map({helper})` for each row, `transpose(a) |> map({helper})` for each column"
                );
                (format!("`{helper}` {numbers}"), Some(help))
            }
            Ty::Scalar(Scalar::Bool) => (format!("`{helper}` {numbers}"), Some(advice::truth_values(helper))),
            _ => (format!("`{helper}` {numbers}"), None),
        }
    }

    /// What to do where a literal stands in the place of a helper's array: it may be one of the helper's sizes.
    fn size_for_array(&self, helper: &str, found: &Ty, want: &Ty) -> Option<String> {
        if self.solver.class(found) != Some(Class::Integer) || !matches!(want, Ty::Array(..)) {
            return None;
        }
        let item = self.module.items.iter().find_map(|item| match item {
            ast::Item::Kernel(item) if item.name.as_str() == helper => Some(item),
            _ => None,
        })?;
        let sizes: Vec<&str> = item.kinds.iter().map(|kind| kind.name.as_str()).collect();
        let params: Vec<String> = item.params.iter().map(|param| pattern_text(&param.pattern)).collect();
        let (sizes, params) = (sizes.join(", "), params.join(", "));
        (!sizes.is_empty()).then(|| {
            format!("sizes are inferred, or stand between `<` and `>`: `{helper}::<{sizes}>({params})`")
        })
    }

    /// The first component that does not fit, of a tuple that is written there.
    fn guilty_component(
        &mut self,
        tuple: &Term,
        want: &Ty,
        origin: Origin,
        why: &Why,
    ) -> Option<(Term, Ty, Misfit)> {
        let (Some(parts), Ty::Tuple(wants)) = (tuple.as_tuple(), want) else { return None };
        if parts.len() != wants.len() || !tuple.origin().same(origin) {
            return None;
        }
        parts.iter().zip(wants.iter()).find_map(|(part, want)| {
            let misfit = self.solver.unify(part.ty(), want, why).err()?;
            Some((part.clone(), want.clone(), misfit))
        })
    }

    /// A type for messages: what literals are is said in words.
    pub(super) fn shown(&self, ty: &Ty) -> String {
        match self.solver.class(ty) {
            Some(Class::Integer) => "an integer".to_owned(),
            Some(Class::Float) => "a float".to_owned(),
            _ => format!("`{}`", self.solver.spelt(ty)),
        }
    }
}

/// What a misfit means for who demands the type.
fn misfit_text(
    why: &Why,
    misfit: &Misfit,
    want: &Ty,
    want_text: &str,
    found: &Ty,
    found_text: &str,
) -> String {
    let (rule, who) = (&*why.rule, why.who());
    let plain = matches!(rule, "let" | "argument" | "function" | "result" | "as");
    match (rule, misfit) {
        ("zip", Misfit::Size(..)) => {
            format!("`{who}` needs arrays of one length, found {want_text} and {found_text}")
        }
        ("if", _) => format!("the branches of `if` differ: {want_text} and {found_text}"),
        ("array literal", _) => {
            format!("the elements of an array have one type, found {want_text} and {found_text}")
        }
        (_, Misfit::Form) if plain => format!("expected {want_text}, found {found_text}"),
        (_, Misfit::Size(a, b)) if plain => {
            format!("expected {want_text}, found {found_text}: the sizes {a} and {b} differ")
        }
        (rule, _) if rule.starts_with("the function") => {
            format!("{rule} must give {want_text}, it gives {found_text}")
        }
        (rule, Misfit::Form) => {
            format!("`{who}` needs {} here, found {found_text}", described(rule, want, want_text))
        }
        (rule, Misfit::Size(a, b)) => match (length_needed(rule), found) {
            (Some(needed), Ty::Array(len, _)) => format!("`{who}` needs {needed}, found {len} elements"),
            _ => format!("`{who}` needs {want_text} here, found {found_text}: the sizes {a} and {b} differ"),
        },
    }
}

/// A wanted type in words where its sizes and elements do not matter.
fn described(rule: &str, want: &Ty, want_text: &str) -> String {
    match (rule, want) {
        ("join" | "transpose", _) => "an array of arrays".to_owned(),
        ("unzip", _) => "an array of tuples".to_owned(),
        ("asScalar", _) => "an array of vectors".to_owned(),
        _ => want_text.to_owned(),
    }
}

/// What a primitive demands of the length of its array.
fn length_needed(rule: &str) -> Option<String> {
    let (name, rest) = rule.split_once('(')?;
    let args = rest.trim_end_matches(')');
    match name {
        "split" | "asVector" => Some(format!("a length that {args} divides")),
        "take" | "drop" => Some(format!("at least {args} elements")),
        "slide" => {
            let (size, step) = args.rsplit_once(", ")?;
            Some(match step {
                "1" => format!("at least {size} elements"),
                _ => format!("a length of {size} plus a multiple of {step}"),
            })
        }
        _ => None,
    }
}

/// What helps where a primitive is often taken for another.
fn rule_help(rule: &str, found: &Ty, want: &Ty) -> Option<String> {
    let is_tuple = |ty: &Ty| matches!(ty, Ty::Tuple(_));
    match (rule, found, want) {
        ("the function given to `iterate`", Ty::Array(..), Ty::Array(..)) => Some(
            "a step keeps the length, or divides it by a number: where windows leave fewer, `padClamp` gives a border"
                .to_owned(),
        ),
        ("join", Ty::Array(_, element), _) if is_tuple(element) => {
            Some("`[a, b]` makes an array of elements, `(a, b)` a tuple".to_owned())
        }
        ("join", Ty::Array(_, element), _) if matches!(**element, Ty::Scalar(_)) => {
            Some("it is one array already: leave `join` out".to_owned())
        }
        ("reduce", Ty::Var(_), Ty::Scalar(Scalar::Bool)) => Some(
            "what it folds are truth values: `map(|x| if x { 1 } else { 0 })` makes numbers of them"
                .to_owned(),
        ),
        ("reduce", Ty::Var(_), Ty::Array(..)) => advice::zeros(want)
            .map(|zeros| format!("the elements are arrays, and their fold begins with one, such as `{zeros}`; `join` before makes one array of numbers")),
        ("gather" | "scatter", Ty::Array(_, found), Ty::Array(_, want))
            if matches!((&**found, &**want), (Ty::Scalar(found), Ty::Idx(_)) if found.is_float()) =>
        {
            Some(format!("indices come first, the array worked on last: `{rule}(indices, xs)`"))
        }
        ("matMul", Ty::Array(_, element), Ty::Array(..)) if matches!(**element, Ty::Scalar(_)) => {
            Some("the product with one array of numbers is `matVec(a, x)`".to_owned())
        }
        // The literal of another number.
        ("reduce", Ty::Var(_), Ty::Scalar(_)) => None,
        ("reduce", found, want) if are_unlike(found, want) => Some(
            "`reduce` folds elements into one of their type, `reduceSeq` into a value of any type".to_owned(),
        ),
        _ => None,
    }
}

/// Whether types are not of one kind, or tuples have components that are not.
fn are_unlike(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Tuple(a), Ty::Tuple(b)) => {
            let is_open = |ty: &Ty| matches!(ty, Ty::Var(_));
            let unlike = |(a, b): (&Ty, &Ty)| !is_open(a) && !is_open(b) && are_unlike(a, b);
            a.len() != b.len() || a.iter().zip(b.iter()).any(unlike)
        }
        _ => std::mem::discriminant(a) != std::mem::discriminant(b),
    }
}

fn conversion_help(found: &Ty, want: &Ty) -> Option<String> {
    match (found, want) {
        (Ty::Nat | Ty::Idx(_), Ty::Scalar(scalar)) => {
            Some(format!("a natural is converted by `as {scalar}`"))
        }
        (Ty::Scalar(from), Ty::Idx(_)) if from.is_integer() => {
            let want = want.to_string().replace('_', "n");
            Some(format!("an integer becomes an index by `as {want}`, which clamps"))
        }
        (Ty::Scalar(from), Ty::Scalar(to)) if *from != Scalar::Bool && *to != Scalar::Bool => {
            Some(format!("convert with `as {to}`"))
        }
        (Ty::Scalar(Scalar::Bool), Ty::Scalar(_)) => {
            Some("a number is made of it by `if c { 1 } else { 0 }`".to_owned())
        }
        (Ty::Scalar(_), Ty::Vector(_, lanes)) => {
            Some(format!("`vectorFromScalar({lanes})` puts a scalar into all lanes"))
        }
        (Ty::Tuple(found), Ty::Tuple(want)) => {
            let is_index = |(found, want): (&Ty, &Ty)| match (found, want) {
                (Ty::Nat | Ty::Idx(_), Ty::Scalar(to)) if *to != Scalar::Bool => Some(*to),
                _ => None,
            };
            let to = found.iter().zip(want.iter()).find_map(is_index)?;
            Some(format!("an index is made a number by `as {to}`, as in `generate(|i| i as {to})`"))
        }
        (Ty::DepArray(_, _, element), Ty::Array(..)) => Some(match &**element {
            Ty::Array(..) | Ty::DepArray(..) => "`depJoin` puts the elements one behind the other".to_owned(),
            _ => "let each element be an array of one, `depMap(|i, xs| [f(xs)])`, and join them by `depJoin`"
                .to_owned(),
        }),
        (Ty::Array(_, found), Ty::Array(_, want)) => match (&**found, &**want) {
            (Ty::Nat, Ty::Idx(_)) => {
                Some(format!("the elements are not known to be in range; use `as {want}`"))
            }
            (Ty::Nat | Ty::Idx(_), Ty::Scalar(to)) if *to != Scalar::Bool => {
                Some(format!("convert the elements with `map(|i| i as {to})`"))
            }
            (Ty::Scalar(from), Ty::Idx(_)) if from.is_integer() => {
                let index = want.to_string().replace('_', "n");
                Some(format!(
                    "declare the elements as `{index}`, which is checked at the entry, or convert them, `|> map(|i| i as {index})`, which clamps"
                ))
            }
            (Ty::Scalar(from), Ty::Scalar(to)) if from != to && ![from, to].contains(&&Scalar::Bool) => {
                Some(format!("convert the elements with `map(|x| x as {to})`"))
            }
            (Ty::Scalar(Scalar::Bool), Ty::Scalar(_)) => {
                Some("numbers are made of them by `map(|c| if c { 1 } else { 0 })`".to_owned())
            }
            _ => None,
        },
        _ => None,
    }
}
