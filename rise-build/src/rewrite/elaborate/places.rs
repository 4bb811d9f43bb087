//! Where strategies go: labels, traversals and predicates.
//!
//! `s @ place` and `place(s)` are one thing.

use std::rc::Rc;

use crate::diagnostics::{Diagnostic, Origin, suggest};
use crate::names::Label;
use crate::rewrite::predicate::{NAMED, Predicate};
use crate::rewrite::strategy::{Path, Strategy, StrategyKind, Value, Walk};
use crate::syntax::ast::{self, ArgValue, PlaceKind, StrategyKind as Syntax};

use super::{Elaborator, Result, taken};

/// Traversals that need nothing but a strategy.
const TRAVERSALS: &[(&str, Walk)] = &[
    ("all", Walk::All),
    ("one", Walk::One),
    ("some", Walk::Some),
    ("topDown", Walk::TopDown),
    ("topdown", Walk::TopDown),
    ("bottomUp", Walk::BottomUp),
    ("bottomup", Walk::BottomUp),
    ("allTopDown", Walk::AllTopDown),
    ("allTopdown", Walk::AllTopDown),
    ("allBottomUp", Walk::AllBottomUp),
    ("allBottomup", Walk::AllBottomUp),
    ("tryAll", Walk::TryAll),
    ("everywhere", Walk::Everywhere),
    ("normalize", Walk::Everywhere),
    ("body", Walk::Body),
    ("function", Walk::Function),
    ("argument", Walk::Argument(None)),
];

/// Traversals that say where by a predicate or a number.
const CHOOSING: &[(&str, &str)] = &[
    ("outermost", "a predicate"),
    ("innermost", "a predicate"),
    ("every", "a predicate"),
    ("position", "a number"),
];

/// Predicates of something.
const PREDICATES: &[(&str, &str)] =
    &[("isApplied", "a predicate"), ("isNot", "a predicate"), ("mapNest", "a number")];

/// The names of all traversals.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TRAVERSALS.iter().map(|(name, _)| *name).chain(CHOOSING.iter().map(|(name, _)| *name))
}

impl Elaborator<'_> {
    pub(super) fn place(&mut self, place: &ast::Place, inner: Strategy) -> Result<StrategyKind> {
        match &place.kind {
            PlaceKind::Labels(paths) => {
                let paths = paths.iter().flat_map(|path| self.paths(path)).collect();
                Ok(StrategyKind::Labels(paths, Rc::new(inner)))
            }
            PlaceKind::Traversal(traversal) => self.traversal(traversal, inner),
        }
    }

    /// A label path; a label that is a parameter stands for its argument.
    pub(super) fn paths(&self, path: &ast::LabelPath) -> Vec<Path> {
        if let [label] = path.labels.as_slice() {
            return self.labels(label);
        }
        let mut paths = vec![Path { labels: Vec::new(), origin: path.origin }];
        for label in &path.labels {
            let found = self.labels(label);
            paths = paths.iter().flat_map(|path| found.iter().map(|more| path.then(more))).collect();
        }
        paths
    }

    fn labels(&self, label: &ast::Label) -> Vec<Path> {
        let text = label.as_str();
        let (first, rest) = text.split_once('.').map_or((text, None), |(first, rest)| (first, Some(rest)));
        let part = |path: &Path| {
            let mut path = path.clone();
            if let (Some(rest), Some(last)) = (rest, path.labels.last_mut()) {
                *last = last.part(rest);
            }
            path
        };
        match self.variable(first) {
            Some(Value::Label(path)) => vec![part(path)],
            Some(Value::Labels(paths)) => paths.iter().map(part).collect(),
            _ => vec![Path { labels: vec![Label::new(text)], origin: label.origin }],
        }
    }

    fn traversal(&mut self, place: &ast::Strategy, inner: Strategy) -> Result<StrategyKind> {
        let (name, args): (&ast::Ident, &[ast::Arg]) = match &place.kind {
            Syntax::Name(name) => (name, &[]),
            Syntax::Call(name, args) => (name, args),
            _ => {
                return Err(Diagnostic::error(
                    place.origin,
                    "a place is a label, a traversal or a predicate",
                ));
            }
        };
        let inner = Rc::new(inner);
        match (self.variable(name.as_str()), args) {
            (Some(Value::Label(path)), []) => return Ok(StrategyKind::Labels(vec![path.clone()], inner)),
            (Some(Value::Labels(paths)), []) => return Ok(StrategyKind::Labels(paths.clone(), inner)),
            _ => {}
        }
        if let Some(predicate) = self.maybe_predicate(name.as_str(), args)? {
            return Ok(StrategyKind::Walk(Walk::Outermost(predicate), inner));
        }
        if self.variable(name.as_str()).is_some() {
            return Err(Diagnostic::error(place.origin, format!("`{name}` is no place")));
        }
        // A place in a place: `s @ body(argument)` is `body(argument(s))`.
        if let Some(walk) = traversal(name.as_str())
            && let [ast::Arg { value: ArgValue::Strategy(place), .. }] = args
            && is_traversal(place)
        {
            let kind = self.traversal(place, Strategy::clone(&inner))?;
            return Ok(StrategyKind::Walk(walk.clone(), Rc::new(Strategy { kind, origin: inner.origin })));
        }
        let walk = match (name.as_str(), args) {
            ("every", []) => Walk::TryAll,
            (text, args) => self.walk(text, args)?.ok_or_else(|| no_place(name, place.origin))?,
        };
        Ok(StrategyKind::Walk(walk, inner))
    }

    /// `place(s)` and `place(p, s)`; nothing where there is no such place.
    pub(super) fn walking(
        &mut self,
        name: &str,
        args: &[ast::Arg],
        origin: Origin,
    ) -> Result<Option<StrategyKind>> {
        if let Some((inner, place)) = args.split_last()
            && let Some(walk) = self.walk(name, place)?
        {
            return Ok(Some(StrategyKind::Walk(walk, Rc::new(self.strategy_arg(inner)?))));
        }
        let takes = match CHOOSING.iter().find(|(other, _)| *other == name) {
            Some((_, chosen)) => format!("{chosen} and a strategy"),
            None if traversal(name).is_some() => "one strategy".to_owned(),
            None => return Ok(None),
        };
        Err(taken(name, &takes, args.len(), origin))
    }

    fn walk(&mut self, name: &str, args: &[ast::Arg]) -> Result<Option<Walk>> {
        Ok(Some(match (name, args) {
            ("outermost", [arg]) => Walk::Outermost(self.predicate_arg(arg)?),
            ("innermost", [arg]) => Walk::Innermost(self.predicate_arg(arg)?),
            ("every", [arg]) => Walk::Every(self.predicate_arg(arg)?),
            ("argument", [arg]) => Walk::Argument(Some(self.count(arg)?)),
            ("position", [arg]) => Walk::Position(self.count(arg)?),
            (name, []) => return Ok(traversal(name).cloned()),
            _ => return Ok(None),
        }))
    }

    pub(super) fn predicate_arg(&mut self, arg: &ast::Arg) -> Result<Predicate> {
        let ArgValue::Strategy(strategy) = &arg.value else {
            return Err(Diagnostic::error(arg.origin, "expected a predicate"));
        };
        let (name, args): (&str, &[ast::Arg]) = match &strategy.kind {
            Syntax::Name(name) => (name.as_str(), &[]),
            Syntax::Call(name, args) => (name.as_str(), args),
            _ => ("", &[]),
        };
        self.maybe_predicate(name, args)?.ok_or_else(|| {
            let error = Diagnostic::error(arg.origin, "expected a predicate");
            match suggest(name, NAMED.iter().map(|(name, _)| *name)) {
                Some(near) => error.help(format!("there is `{near}`")),
                None => error.help("there are `isMap`, `isReduce`, …"),
            }
        })
    }

    /// The predicate with a name, if it is one.
    pub(super) fn maybe_predicate(&mut self, name: &str, args: &[ast::Arg]) -> Result<Option<Predicate>> {
        if let Some(Value::Strategy(strategy)) = self.variable(name) {
            return Ok(match (&strategy.kind, args) {
                (StrategyKind::Check(predicate), []) => Some(predicate.clone()),
                _ => None,
            });
        }
        Ok(match (name, args) {
            ("isApplied", [arg]) => Some(Predicate::Applied(Box::new(self.predicate_arg(arg)?))),
            ("isNot", [arg]) => Some(Predicate::Not(Box::new(self.predicate_arg(arg)?))),
            ("mapNest", [arg]) => Some(Predicate::MapNest(self.count(arg)?)),
            (name, []) => Predicate::named(name).or_else(|| {
                let plain = name.strip_prefix("isApplied")?;
                Predicate::named(&format!("is{plain}"))
            }),
            _ => None,
        })
    }
}

/// What a predicate takes.
pub(super) fn taken_by_predicate(name: &str) -> Option<&'static str> {
    let found = PREDICATES.iter().find(|(other, _)| *other == name).map(|(_, takes)| *takes);
    found.or_else(|| Predicate::named(name).map(|_| "no argument"))
}

/// What is to be said of a place that is none, or is given something else than it takes.
fn no_place(name: &ast::Ident, origin: Origin) -> Diagnostic {
    let text = name.as_str();
    let takes = CHOOSING.iter().find(|(other, _)| *other == text).map(|(_, takes)| *takes);
    let takes = takes.or_else(|| traversal(text).map(|_| "another traversal or nothing"));
    if let Some(takes) = takes.or_else(|| taken_by_predicate(text)) {
        return Diagnostic::error(origin, format!("as a place, `{name}` takes {takes}"));
    }
    let known = names().chain(NAMED.iter().map(|(name, _)| *name));
    let error = Diagnostic::error(name.origin, format!("there is no place or traversal `{name}`"));
    match suggest(name.as_str(), known) {
        Some(near) => error.help(format!("there is `{near}`")),
        None => error.help(format!("a label is written `'{name}`")),
    }
}

/// Whether it names a traversal, and so can stand in the place of another one.
fn is_traversal(place: &ast::Strategy) -> bool {
    match &place.kind {
        Syntax::Name(name) | Syntax::Call(name, _) => names().any(|known| known == name.as_str()),
        _ => false,
    }
}

fn traversal(name: &str) -> Option<&'static Walk> {
    TRAVERSALS.iter().find(|(other, _)| *other == name).map(|(_, walk)| walk)
}
