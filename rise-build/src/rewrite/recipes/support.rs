//! What recipes are written with: rules at labels, arguments, renaming of labels.

use std::rc::Rc;

use crate::expr::{Expr, map_children};
use crate::names::Label;
use crate::nat::Nat;
use crate::rewrite::context::{Context, Reason};
use crate::rewrite::engine::{Engine, Failure, Outcome};
use crate::rewrite::strategy::{Applied, Path, Value};

/// Applies a rule at every place with the label.
pub fn at(
    engine: &mut Engine,
    expr: &Expr,
    path: &Path,
    name: &str,
    run: impl Fn(&Expr, &mut Context) -> Result<Expr, Reason> + 'static,
) -> Outcome {
    let rule = Applied { name: name.into(), run: Rc::new(run) };
    engine.at_path(expr, path, &mut |engine, node| engine.rule(&rule, node))
}

/// The only place, where a recipe works on one.
pub fn each(paths: &[Path], expr: &Expr, mut f: impl FnMut(&Expr, &Path) -> Outcome) -> Outcome {
    paths.iter().try_fold(expr.clone(), |expr, path| f(&expr, path))
}

/// How what is left over is dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// The size divides, or there is an obligation.
    Exact,
    /// A main part and a remainder.
    Peel,
    /// Padding to whole pieces with anything.
    Pad,
    /// A last piece that begins further in front and overlaps the one before.
    Shift,
    /// Padding with elements that are there, or that a fold does not notice.
    Mask,
}

impl Tail {
    /// The policy of that name.
    pub fn named(word: &str) -> Option<Tail> {
        Some(match word {
            "exact" => Tail::Exact,
            "peel" => Tail::Peel,
            "pad" => Tail::Pad,
            "shift" => Tail::Shift,
            "mask" => Tail::Mask,
            _ => return None,
        })
    }
}

/// The tail policy among the arguments; `peel` if none is given.
pub fn tail(values: &[Value]) -> Tail {
    let policy = values.iter().find_map(|value| match value {
        Value::Named(name, value) if &**name == "tail" => Tail::named(value.as_word()?),
        value => Tail::named(value.as_word()?),
    });
    policy.unwrap_or(Tail::Peel)
}

/// The naturals among the arguments.
pub fn nats(values: &[Value]) -> Vec<Nat> {
    values.iter().filter_map(Value::as_nat).cloned().collect()
}

/// The only natural.
pub fn one_nat(values: &[Value], what: &str) -> Result<Nat, Failure> {
    match nats(values).as_slice() {
        [one] => Ok(one.clone()),
        _ => Err(Reason::refused(format!("it takes {what}")).into()),
    }
}

/// The path with a part of its last label.
pub fn part(path: &Path, part: &str) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.labels.last_mut() {
        *last = last.part(part);
    }
    path
}

/// The last label of the path.
pub fn last(path: &Path) -> Result<Label, Failure> {
    match path.labels.last() {
        Some(label) => Ok(label.clone()),
        None => Err(Reason::refused("a label is missing").into()),
    }
}

/// Renames labels everywhere inside.
pub fn rename(expr: &Expr, names: &[(Label, Label)]) -> Expr {
    let inside = map_children(expr, &mut |child| rename(child, names));
    let new_name = |label: &Label| {
        names.iter().find(|(old, _)| old == label).map_or_else(|| label.clone(), |(_, new)| new.clone())
    };
    match inside.labels().iter().any(|label| names.iter().any(|(old, _)| old == label)) {
        true => {
            let labels = inside.labels().iter().map(new_name).collect();
            inside.with_labels(labels)
        }
        false => inside,
    }
}
