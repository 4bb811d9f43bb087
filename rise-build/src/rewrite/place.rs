//! Labels as places: finding them, acting on them, carrying them through rules.

use std::fmt;

use crate::diagnostics::suggest;
use crate::expr::{Expr, Kind, MapForm, Primitive};
use crate::names::Label;
use crate::nat::Facts;

use super::context::Reason;
use super::engine::{Engine, Failure, Outcome};
use super::rules::generate::{over_elements, over_indices};
use super::strategy::{Path, Recipe, Strategy, StrategyKind, Value};

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, label) in self.labels.iter().enumerate() {
            let slash = if position == 0 { "" } else { "/" };
            write!(f, "{slash}{label}")?;
        }
        Ok(())
    }
}

/// The label that stands for the place of a recipe that was given none.
const HERE: &str = "here";

impl Engine {
    /// Acts on every place with the label path, inside out; all must succeed.
    pub fn at_path(
        &mut self,
        expr: &Expr,
        path: &Path,
        f: &mut dyn FnMut(&mut Self, &Expr) -> Outcome,
    ) -> Outcome {
        let mut found = 0;
        let result = self.labelled(expr, &path.labels, &mut found, f)?;
        if found > 0 { Ok(result) } else { Err(unknown(expr, path)) }
    }

    fn labelled(
        &mut self,
        expr: &Expr,
        path: &[Label],
        found: &mut usize,
        f: &mut dyn FnMut(&mut Self, &Expr) -> Outcome,
    ) -> Outcome {
        let Some((first, rest)) = path.split_first() else {
            *found += 1;
            return f(self, expr);
        };
        let here = expr.labels().contains(first);
        let closed = !here && is_closed(expr, path);
        let inner = if here && !rest.is_empty() { rest } else { path };
        let main = main_part(expr);
        let inside = self.children(expr, usize::MAX, true, &mut |engine, child| {
            // The main part of a fold is where its remainder starts from.
            let shut = closed && !main.as_ref().is_some_and(|main| main.same(child));
            match shut || !holds(child, &inner[0]) {
                true => Ok(child.clone()),
                false => engine.labelled(child, inner, found, f),
            }
        })?;
        match here && rest.is_empty() {
            true => {
                *found += 1;
                f(self, &inside)
            }
            false => Ok(inside),
        }
    }

    pub(super) fn at_paths(&mut self, paths: &[Path], inner: &Strategy, expr: &Expr) -> Outcome {
        if let StrategyKind::Recipe(recipe, values) = &inner.kind {
            for path in paths.iter().chain(values.iter().filter_map(Value::as_option)) {
                if !names(expr, path) {
                    return Err(unknown(expr, path).at(inner.origin));
                }
            }
            return self.recipe(recipe, values, paths, expr);
        }
        let mut current = expr.clone();
        for path in paths {
            current = self.at_path(&current, path, &mut |engine, node| engine.run(inner, node))?;
        }
        Ok(current)
    }

    fn recipe(&mut self, recipe: &Recipe, values: &[Value], paths: &[Path], expr: &Expr) -> Outcome {
        let named = values.iter().filter_map(Value::as_labels).flatten();
        let expr = paths.iter().chain(named).fold(expr.clone(), |expr, path| self.with_maps(&expr, path));
        (recipe.run)(self, &expr, paths, values).map_err(|mut failure| {
            if failure.rule.is_empty() || failure.rule == recipe.name {
                recipe.name.clone_into(&mut failure.rule);
            } else {
                failure.rule = format!("{}, a step of {}", failure.rule, recipe.name);
            }
            failure
        })
    }

    /// The term, where what is generated, at the place or for it to read, is a map: to recipes they are the same.
    fn with_maps(&mut self, expr: &Expr, path: &Path) -> Expr {
        let maps = self.at_path(expr, path, &mut |engine, node| {
            let facts = engine.context.facts();
            Ok(as_map(node, &facts).or_else(|| over_map(node, &facts)).unwrap_or_else(|| node.clone()))
        });
        maps.unwrap_or_else(|_| expr.clone())
    }

    /// A recipe at the place itself: its root is labelled for as long as the recipe runs.
    pub(super) fn recipe_here(&mut self, recipe: &Recipe, values: &[Value], expr: &Expr) -> Outcome {
        let here = Label::new(HERE);
        let mut labels = expr.labels().to_vec();
        labels.push(here.clone());
        let labelled = expr.clone().with_labels(labels);
        let result = self.recipe(recipe, values, &[Path::new(vec![here])], &labelled)?;
        Ok(without_here(&result))
    }
}

/// What is generated, as a map over elements or indices.
fn as_map(expr: &Expr, facts: &Facts) -> Option<Expr> {
    let map = over_elements(expr, facts).or_else(|_| over_indices(expr, MapForm::Plain)).ok()?;
    Some(keep_labels(expr, map))
}

/// The pattern over an array that is generated, as one over a map.
fn over_map(expr: &Expr, facts: &Facts) -> Option<Expr> {
    let (primitive @ (Primitive::Map(_) | Primitive::Reduce(_) | Primitive::Scan(_)), args) =
        expr.as_prim()?
    else {
        return None;
    };
    let (xs, others) = args.split_last()?;
    let xs = as_map(xs.as_expr()?, facts)?;
    let args = others.iter().cloned().chain([xs.into()]).collect();
    Some(expr.clone().with_kind(Kind::Prim(primitive.clone(), args)))
}

/// The term without the labels that stand for the place of a recipe.
pub(super) fn without_here(expr: &Expr) -> Expr {
    let inside = crate::expr::map_children(expr, &mut |child| without_here(child));
    let temporary = |label: &Label| label.text().split('.').next() == Some(HERE);
    match inside.labels().iter().any(temporary) {
        true => {
            let labels = inside.labels().iter().filter(|label| !temporary(label)).cloned().collect();
            inside.with_labels(labels)
        }
        false => inside,
    }
}

/// Whether the label occurs.
fn holds(expr: &Expr, label: &Label) -> bool {
    expr.is_labelled() && (expr.labels().contains(label) || expr.any_child(&mut |child| holds(child, label)))
}

/// Whether the place is a remainder that the path does not name: it keeps its labels to itself.
fn is_closed(expr: &Expr, path: &[Label]) -> bool {
    let is_rest = |label: &Label| label.text().ends_with(".rest");
    expr.labels().iter().any(is_rest) && !path.iter().any(|label| label.text().contains(".rest."))
}

/// Where a remainder holds the main part: the start of a fold.
pub fn main_part(expr: &Expr) -> Option<Expr> {
    match expr.as_prim() {
        Some((Primitive::Reduce(_), args)) => args.get(1).map(|start| start.expr().clone()),
        _ => None,
    }
}

/// Whether the path names a place.
pub fn names(expr: &Expr, path: &Path) -> bool {
    fn find(expr: &Expr, path: &[Label]) -> bool {
        let Some((first, rest)) = path.split_first() else { return true };
        let here = expr.labels().contains(first);
        if here && rest.is_empty() {
            return true;
        }
        if !here && is_closed(expr, path) {
            return main_part(expr).is_some_and(|main| find(&main, path));
        }
        let inner = if here { rest } else { path };
        expr.children().into_iter().any(|child| find(child, inner))
    }
    find(expr, &path.labels)
}

/// All labels in a term, sorted.
pub fn labels(expr: &Expr) -> Vec<Label> {
    let mut all = Vec::new();
    expr.visit(&mut |node| {
        for label in node.labels() {
            if !all.contains(label) {
                all.push(label.clone());
            }
        }
    });
    all.sort();
    all
}

/// That no place has this name.
pub fn unknown(expr: &Expr, path: &Path) -> Failure {
    let written = labels(expr).into_iter().filter(|label| label.text() != HERE);
    let known: Vec<String> = written.map(|label| label.to_string()).collect();
    let name = path.to_string();
    let parts: Vec<&str> = known.iter().map(String::as_str).filter(|label| is_part(label, &name)).collect();
    // The quote is no letter that two labels share.
    let bare = known.iter().map(|label| label.trim_start_matches('\''));
    let nearest = suggest(name.trim_start_matches('\''), bare).map(|near| format!("'{near}"));
    let text = match (known.is_empty(), nearest) {
        _ if !parts.is_empty() => format!("no place is named {path}; its parts are {}", parts.join(", ")),
        (true, _) => format!("no place is named {path}: the program has no labels here"),
        (false, Some(near)) => {
            format!("no place is named {path}; did you mean {near}? There are {}", known.join(", "))
        }
        (false, None) => format!("no place is named {path}; there are {}", known.join(", ")),
    };
    Failure::from(Reason::refused(text)).at(path.origin)
}

/// The labels of a term on what a rule made of it, unless the rule has placed them itself.
pub fn keep_labels(before: &Expr, after: Expr) -> Expr {
    let lost: Vec<Label> = before.labels().iter().filter(|label| !mentions(&after, label)).cloned().collect();
    if lost.is_empty() || !matches!(after.kind(), Kind::Prim(..) | Kind::Let(..)) {
        return after;
    }
    with_labels(after, &lost)
}

/// Whether the label or a part of it occurs.
fn mentions(expr: &Expr, label: &Label) -> bool {
    let part_of = |other: &Label| other == label || is_part(other.text(), label.text());
    expr.is_labelled() && expr.any(&|node| node.labels().iter().any(part_of))
}

/// Whether the first label names a part of what the second one names.
fn is_part(part: &str, whole: &str) -> bool {
    part.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.'))
}

/// The term with further labels.
pub fn with_labels(expr: Expr, more: &[Label]) -> Expr {
    let mut labels = expr.labels().to_vec();
    labels.extend(more.iter().filter(|label| !expr.labels().contains(label)).cloned());
    if labels.len() == expr.labels().len() { expr } else { expr.with_labels(labels) }
}

/// The term with the labels of another one.
pub fn labelled_as(expr: Expr, others: &[&Expr]) -> Expr {
    others.iter().fold(expr, |expr, other| with_labels(expr, other.labels()))
}

/// The term named as a part of another one: `'rows` and `"outer"` give `'rows.outer`.
pub fn labelled_part(expr: Expr, whole: &Expr, part: &str) -> Expr {
    let parts: Vec<Label> = whole.labels().iter().map(|label| label.part(part)).collect();
    with_labels(expr, &parts)
}
