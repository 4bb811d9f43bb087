//! From the syntax of strategies to strategies: names are resolved, arguments get their kinds.
//!
//! Both notations arrive as one syntax. A user's strategy goes before the built-in ones; its parameters stand
//! for naturals, strategies, predicates, labels and words.

mod named;
mod versions;

use std::rc::Rc;

use crate::diagnostics::{Diagnostic, Origin, suggest};
use crate::names::Label;
use crate::nat::{Nat, NatVar};
use crate::syntax::ast::{self, ArgValue, PlaceKind, StrategyKind as Syntax};
use crate::types::{LARGEST, TOO_LARGE};

use super::catalog::{self, Row, Wants};
use super::predicate::{NAMED, Predicate};
use super::recipes;
use super::strategy::{Path, Recipe, Strategy, StrategyKind, Value, Walk};

type Result<T> = std::result::Result<T, Diagnostic>;

/// The length of pieces where none is given.
const PIECES: i64 = 32;

/// How deep strategies may call each other.
const DEEPEST: usize = 64;

/// Resolves a strategy for a kernel with these sizes.
pub fn elaborate(strategy: &ast::Strategy, module: &ast::Module, nats: &[NatVar]) -> Result<Strategy> {
    Elaborator { module, nats, env: Vec::new(), depth: 0 }.strategy(strategy)
}

/// Whether the strategy and those that it names could be read; the parser has told about others.
pub fn is_readable(strategy: &ast::Strategy, module: &ast::Module) -> bool {
    let (mut known, mut open) = (Vec::new(), vec![strategy]);
    while let Some(next) = open.pop() {
        let broken = next.any(&mut |part| {
            if let Syntax::Name(name) | Syntax::Call(name, _) = &part.kind
                && !known.contains(&name.as_str())
            {
                known.push(name.as_str());
                open.extend(named::item(module, name.as_str()).map(|item| &item.body));
            }
            part.kind == Syntax::Error
        });
        if broken {
            return false;
        }
    }
    true
}

/// Reads an argument as a natural made of numbers and these sizes.
pub fn natural(arg: &ast::Arg, module: &ast::Module, nats: &[NatVar]) -> Result<Nat> {
    Elaborator { module, nats, env: Vec::new(), depth: 0 }.nat(arg)
}

struct Elaborator<'a> {
    module: &'a ast::Module,
    nats: &'a [NatVar],
    env: Vec<(Rc<str>, Value)>,
    depth: usize,
}

/// Combinators and traversals that take strategies, and how many.
const COMBINATORS: &[(&str, usize)] = &[
    ("try", 1),
    ("repeat", 1),
    ("normalize", 1),
    ("not", 1),
    ("seq", 2),
    ("all", 1),
    ("one", 1),
    ("some", 1),
    ("topDown", 1),
    ("bottomUp", 1),
    ("allTopdown", 1),
    ("allBottomup", 1),
    ("tryAll", 1),
    ("everywhere", 1),
    ("body", 1),
    ("function", 1),
    ("argument", 1),
];

/// Steps without arguments.
const STEPS: &[&str] = &["id", "fail", "lower", "auto"];

impl Elaborator<'_> {
    fn strategy(&mut self, strategy: &ast::Strategy) -> Result<Strategy> {
        let origin = strategy.origin;
        let kind = match &strategy.kind {
            Syntax::Name(name) => return self.call(name, &[], origin),
            Syntax::Call(name, args) => return self.call(name, args, origin),
            Syntax::Seq(steps) => StrategyKind::Seq(self.several(steps)?),
            Syntax::Choice(choices) => StrategyKind::Choice(self.several(choices)?),
            Syntax::At(inner, place) => {
                let inner = self.strategy(inner)?;
                self.place(place, inner)?
            }
            Syntax::Versions(versions) => self.versions(versions, origin)?,
            // Such strategies are not run: see `is_readable`.
            Syntax::Error => StrategyKind::Lower,
        };
        Ok(Strategy { kind, origin })
    }

    fn several(&mut self, strategies: &[ast::Strategy]) -> Result<Vec<Strategy>> {
        strategies.iter().map(|strategy| self.strategy(strategy)).collect()
    }

    fn place(&mut self, place: &ast::Place, inner: Strategy) -> Result<StrategyKind> {
        match &place.kind {
            PlaceKind::Labels(paths) => {
                let paths = paths.iter().flat_map(|path| self.paths(path)).collect();
                Ok(StrategyKind::Labels(paths, Rc::new(inner)))
            }
            PlaceKind::Traversal(traversal) => self.traversal(traversal, inner),
        }
    }

    /// A label path; a label that is a parameter stands for its argument.
    fn paths(&self, path: &ast::LabelPath) -> Vec<Path> {
        let mut paths = vec![Path(Vec::new())];
        for label in &path.labels {
            let found = self.labels(label.as_str());
            paths = paths
                .iter()
                .flat_map(|path| {
                    found.iter().map(move |more| Path(path.0.iter().chain(&more.0).cloned().collect()))
                })
                .collect();
        }
        paths
    }

    fn labels(&self, text: &str) -> Vec<Path> {
        let (first, rest) = text.split_once('.').map_or((text, None), |(first, rest)| (first, Some(rest)));
        let part = |path: &Path| {
            let mut path = path.clone();
            if let (Some(rest), Some(last)) = (rest, path.0.last_mut()) {
                *last = last.part(rest);
            }
            path
        };
        match self.variable(first) {
            Some(Value::Label(path)) => vec![part(path)],
            Some(Value::Labels(paths)) => paths.iter().map(part).collect(),
            _ => vec![Path(vec![Label::new(text)])],
        }
    }

    fn traversal(&mut self, traversal: &ast::Strategy, inner: Strategy) -> Result<StrategyKind> {
        let (name, args): (&ast::Ident, &[ast::Arg]) = match &traversal.kind {
            Syntax::Name(name) => (name, &[]),
            Syntax::Call(name, args) => (name, args),
            _ => {
                return Err(Diagnostic::error(
                    traversal.origin,
                    "a place is a label, a traversal or a predicate",
                ));
            }
        };
        let inner = Rc::new(inner);
        match self.variable(name.as_str()) {
            Some(Value::Label(path)) => return Ok(StrategyKind::Labels(vec![path.clone()], inner)),
            Some(Value::Labels(paths)) => return Ok(StrategyKind::Labels(paths.clone(), inner)),
            _ => {}
        }
        if let Some(predicate) = self.maybe_predicate(traversal)? {
            return Ok(StrategyKind::Walk(Walk::Outermost(predicate), inner));
        }
        // A place in a place: `s @ body(argument)` is `body(argument(s))`.
        if let (Some(walk), [ast::Arg { value: ArgValue::Strategy(place), .. }]) = (walk(name.as_str()), args)
            && is_traversal(place)
        {
            let kind = self.traversal(place, Strategy::clone(&inner))?;
            return Ok(StrategyKind::Walk(walk, Rc::new(Strategy { kind, origin: inner.origin })));
        }
        let walk = match (name.as_str(), args) {
            ("outermost", [arg]) => Walk::Outermost(self.predicate_arg(arg)?),
            ("innermost", [arg]) => Walk::Innermost(self.predicate_arg(arg)?),
            ("every", [arg]) => Walk::Every(self.predicate_arg(arg)?),
            ("every", []) => Walk::TryAll,
            ("argument", [arg]) => Walk::Argument(Some(self.count(arg)?)),
            ("position", [arg]) => Walk::Position(self.count(arg)?),
            (text, []) => match walk(text) {
                Some(walk) => walk,
                None => return Err(self.unknown_place(name)),
            },
            _ => return Err(self.unknown_place(name)),
        };
        Ok(StrategyKind::Walk(walk, inner))
    }

    fn unknown_place(&self, name: &ast::Ident) -> Diagnostic {
        let places = [
            "outermost",
            "innermost",
            "every",
            "everywhere",
            "topDown",
            "bottomUp",
            "all",
            "one",
            "some",
            "argument",
        ];
        let known = places.into_iter().chain(NAMED.iter().map(|(name, _)| *name));
        let error = Diagnostic::error(name.origin, format!("there is no place or traversal `{name}`"));
        match suggest(name.as_str(), known) {
            Some(near) => error.help(format!("there is `{near}`")),
            None => error.help(format!("a label is written `'{name}`")),
        }
    }

    fn variable(&self, name: &str) -> Option<&Value> {
        self.env.iter().rev().find(|(other, _)| **other == *name).map(|(_, value)| value)
    }

    fn call(&mut self, name: &ast::Ident, args: &[ast::Arg], origin: Origin) -> Result<Strategy> {
        let text = name.as_str();
        let at = |kind| Ok(Strategy { kind, origin });
        if let Some(value) = self.variable(text) {
            return match value {
                Value::Strategy(strategy) if args.is_empty() => Ok((**strategy).clone()),
                _ => Err(Diagnostic::error(origin, format!("`{name}` is no strategy"))),
            };
        }
        if let Some(item) = self.item(text) {
            return self.named(item, args, origin);
        }
        if let Some(item) = self.rule_item(text) {
            return self.user_rule(item, args, origin);
        }
        match (text, args) {
            ("id" | "skip", []) => return at(StrategyKind::Id),
            ("fail", []) => return at(StrategyKind::Fail),
            ("lower" | "lowerToC", []) => return at(StrategyKind::Lower),
            ("auto", []) => return at(StrategyKind::Auto),
            ("repeat" | "repeatNTimes", [first, second]) => {
                let (count, inner) = match first.to_nat() {
                    Some(_) => (self.count(first)?, second),
                    None => (self.count(second)?, first),
                };
                let inner = self.strategy_arg(inner)?;
                return at(StrategyKind::Repeat(
                    Rc::new(inner),
                    u32::try_from(count).unwrap_or(u32::MAX - 1),
                ));
            }
            ("argument", [position, inner]) => {
                let walk = Walk::Argument(Some(self.count(position)?));
                return at(StrategyKind::Walk(walk, Rc::new(self.strategy_arg(inner)?)));
            }
            ("position", [position, inner]) => {
                let walk = Walk::Position(self.count(position)?);
                return at(StrategyKind::Walk(walk, Rc::new(self.strategy_arg(inner)?)));
            }
            ("outermost", [p, s]) => {
                let walk = Walk::Outermost(self.predicate_arg(p)?);
                return at(StrategyKind::Walk(walk, Rc::new(self.strategy_arg(s)?)));
            }
            ("innermost", [p, s]) => {
                let walk = Walk::Innermost(self.predicate_arg(p)?);
                return at(StrategyKind::Walk(walk, Rc::new(self.strategy_arg(s)?)));
            }
            _ => {}
        }
        if let Some((_, wanted)) = COMBINATORS.iter().find(|(other, _)| *other == text) {
            return self.combinator(text, *wanted, args, origin);
        }
        let call = ast::Strategy::new(Syntax::Call(name.clone(), args.to_vec()), origin);
        if let Some(predicate) = self.maybe_predicate(&call)? {
            return at(StrategyKind::Check(predicate));
        }
        if let Some(recipe) = recipes::lookup(text) {
            let values = args.iter().map(|arg| self.value(arg)).collect::<Result<Vec<_>>>()?;
            are_taken(recipe, args, &values)?;
            return at(StrategyKind::Recipe(recipe, values.into()));
        }
        match catalog::lookup(text) {
            Some(row) => {
                let values = self.rule_args(row, args, origin)?;
                at(StrategyKind::Rule(row.with(values)))
            }
            None => Err(self.unknown(name)),
        }
    }

    fn unknown(&self, name: &ast::Ident) -> Diagnostic {
        let own = self.module.items.iter().filter_map(|item| match item {
            ast::Item::Strategy(item) => Some(item.name.as_str()),
            ast::Item::Rule(item) => Some(item.name.as_str()),
            _ => None,
        });
        let rows = catalog::rows().flat_map(|row| std::iter::once(&row.name).chain(row.aliases).copied());
        let known = own
            .chain(STEPS.iter().copied())
            .chain(COMBINATORS.iter().map(|(name, _)| *name))
            .chain(recipes::ALL.iter().map(|recipe| recipe.name))
            .chain(rows)
            .chain(NAMED.iter().map(|(name, _)| *name));
        let error = Diagnostic::error(name.origin, format!("there is no strategy `{name}`"));
        match suggest(name.as_str(), known) {
            Some(near) => error.help(format!("there is `{near}`")),
            None => error,
        }
    }

    fn combinator(
        &mut self,
        name: &str,
        wanted: usize,
        args: &[ast::Arg],
        origin: Origin,
    ) -> Result<Strategy> {
        if args.len() != wanted {
            let message = format!(
                "`{name}` takes {}, here are {}",
                counted(wanted, "strategy", "strategies"),
                args.len()
            );
            return Err(Diagnostic::error(origin, message));
        }
        let mut inner = args.iter().map(|arg| self.strategy_arg(arg)).collect::<Result<Vec<_>>>()?;
        if name == "seq" {
            return Ok(Strategy { kind: StrategyKind::Seq(inner), origin });
        }
        let Some(inner) = inner.pop().map(Rc::new) else {
            return Ok(Strategy { kind: StrategyKind::Id, origin });
        };
        let kind = match name {
            "try" => StrategyKind::Try(inner),
            "repeat" => StrategyKind::Repeat(inner, u32::MAX),
            "not" => StrategyKind::Not(inner),
            other => StrategyKind::Walk(walk(other).unwrap_or(Walk::TopDown), inner),
        };
        Ok(Strategy { kind, origin })
    }

    fn strategy_arg(&mut self, arg: &ast::Arg) -> Result<Strategy> {
        match &arg.value {
            ArgValue::Strategy(strategy) => self.strategy(strategy),
            _ => Err(Diagnostic::error(arg.origin, "expected a strategy")),
        }
    }

    fn predicate_arg(&mut self, arg: &ast::Arg) -> Result<Predicate> {
        let ArgValue::Strategy(strategy) = &arg.value else {
            return Err(Diagnostic::error(arg.origin, "expected a predicate"));
        };
        match self.maybe_predicate(strategy)? {
            Some(predicate) => Ok(predicate),
            None => {
                let error = Diagnostic::error(arg.origin, "expected a predicate");
                let name = match &strategy.kind {
                    Syntax::Name(name) | Syntax::Call(name, _) => name.as_str(),
                    _ => "",
                };
                Err(match suggest(name, NAMED.iter().map(|(name, _)| *name)) {
                    Some(near) => error.help(format!("there is `{near}`")),
                    None => error.help("there are `isMap`, `isReduce`, …"),
                })
            }
        }
    }

    fn maybe_predicate(&mut self, strategy: &ast::Strategy) -> Result<Option<Predicate>> {
        let (name, args): (&str, &[ast::Arg]) = match &strategy.kind {
            Syntax::Name(name) => (name.as_str(), &[]),
            Syntax::Call(name, args) => (name.as_str(), args),
            _ => return Ok(None),
        };
        if let Some(Value::Strategy(strategy)) = self.variable(name) {
            return Ok(match &strategy.kind {
                StrategyKind::Check(predicate) => Some(predicate.clone()),
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

    fn count(&mut self, arg: &ast::Arg) -> Result<usize> {
        let count = self.nat(arg)?.as_const().and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| Diagnostic::error(arg.origin, "expected a number"))
    }

    fn rule_args(&mut self, row: &Row, args: &[ast::Arg], origin: Origin) -> Result<Vec<Value>> {
        let least = row.wants.iter().filter(|wants| matches!(wants, Wants::Nat | Wants::Library)).count();
        if args.len() < least || args.len() > row.wants.len() {
            let message = format!(
                "`{}` takes {}, here are {}",
                row.name,
                counted(row.wants.len(), "argument", "arguments"),
                args.len()
            );
            return Err(Diagnostic::error(origin, message).help(row.equation.to_owned()));
        }
        let given = args.iter().zip(row.wants).map(|(arg, wants)| match wants {
            Wants::Nat | Wants::Pieces | Wants::Dimension => Ok(Value::Nat(self.nat(arg)?)),
            Wants::Space => match &arg.value {
                ArgValue::Strategy(ast::Strategy { kind: Syntax::Name(word), .. })
                    if matches!(word.as_str(), "Global" | "Local" | "Private" | "Default") =>
                {
                    Ok(Value::Word(word.text.clone()))
                }
                _ => Err(Diagnostic::error(arg.origin, "expected `Global`, `Local` or `Private`")),
            },
            Wants::Library => self.library(arg),
        });
        let mut values = given.collect::<Result<Vec<Value>>>()?;
        if values.is_empty() && row.wants == [Wants::Pieces] {
            values.push(Value::Nat(Nat::lit(PIECES)));
        }
        Ok(values)
    }

    /// The `extern fn` with a name.
    fn library(&self, arg: &ast::Arg) -> Result<Value> {
        let ArgValue::Strategy(ast::Strategy { kind: Syntax::Name(name), .. }) = &arg.value else {
            return Err(Diagnostic::error(arg.origin, "expected the name of an `extern fn`"));
        };
        if let Some(Value::Library(library)) = self.variable(name.as_str()) {
            return Ok(Value::Library(library.clone()));
        }
        let item = self.module.items.iter().find_map(|item| match item {
            ast::Item::Extern(item) if item.name.text == name.text => Some(item),
            _ => None,
        });
        match item.map(crate::types::library) {
            Some(Ok(library)) => Ok(Value::Library(Rc::new(library))),
            Some(Err(wrong)) => Err(*wrong),
            None => Err(Diagnostic::error(arg.origin, format!("there is no `extern fn {name}`"))),
        }
    }

    fn value(&mut self, arg: &ast::Arg) -> Result<Value> {
        let value = match &arg.value {
            ArgValue::Labels(path) => match self.paths(path).as_slice() {
                [path] => Value::Label(path.clone()),
                paths => Value::Labels(paths.to_vec()),
            },
            ArgValue::List(args) => {
                let mut paths = Vec::new();
                for arg in args {
                    match self.value(arg)? {
                        Value::Label(path) => paths.push(path),
                        Value::Labels(more) => paths.extend(more),
                        _ => return Err(Diagnostic::error(arg.origin, "expected a label")),
                    }
                }
                Value::Labels(paths)
            }
            ArgValue::Text(text) => Value::Text(text.as_str().into()),
            ArgValue::Expr(_) => Value::Nat(self.nat(arg)?),
            ArgValue::Strategy(ast::Strategy { kind: Syntax::Name(word), .. })
                if arg.name.as_ref().is_some_and(|name| name.as_str() == "tail")
                    && self.variable(word.as_str()).is_none() =>
            {
                Value::Word(word.text.clone())
            }
            ArgValue::Strategy(strategy) => self.word(arg, strategy)?,
        };
        Ok(match &arg.name {
            Some(name) => Value::Named(name.text.clone(), Box::new(value)),
            None => value,
        })
    }

    /// A name: a parameter, a size, a word that recipes know, or else a strategy.
    fn word(&mut self, arg: &ast::Arg, strategy: &ast::Strategy) -> Result<Value> {
        let (Syntax::Name(name) | Syntax::Call(name, _)) = &strategy.kind else {
            return Ok(Value::Strategy(Rc::new(self.strategy(strategy)?)));
        };
        let alone = matches!(strategy.kind, Syntax::Name(_));
        if let (true, Some(value)) = (alone, self.variable(name.as_str())) {
            return Ok(value.clone());
        }
        if recipes::WORDS.contains(&name.as_str()) {
            let text = match &strategy.kind {
                Syntax::Call(_, args) => match args.first().and_then(ast::Arg::to_expr) {
                    Some(ast::Expr { kind: ast::ExprKind::Name(inner), .. }) => format!("{name}({inner})"),
                    _ => name.to_string(),
                },
                _ => name.to_string(),
            };
            return Ok(Value::Word(text.as_str().into()));
        }
        if self.nats.iter().any(|nat| nat.text() == name.as_str()) {
            return Ok(Value::Nat(self.nat(arg)?));
        }
        Ok(Value::Strategy(Rc::new(self.strategy(strategy)?)))
    }

    fn nat(&mut self, arg: &ast::Arg) -> Result<Nat> {
        match arg.to_nat() {
            Some(nat) => self.natural(&nat),
            None => Err(Diagnostic::error(arg.origin, "expected a natural")),
        }
    }

    fn natural(&self, nat: &ast::Nat) -> Result<Nat> {
        use ast::{NatCall, NatKind, NatOp};
        Ok(match &nat.kind {
            NatKind::Literal(value) => match i64::try_from(*value) {
                Ok(value) => Nat::lit(value),
                Err(_) => return Err(Diagnostic::error(nat.origin, TOO_LARGE).help(LARGEST)),
            },
            NatKind::Name(name) => match self.variable(name.as_str()) {
                Some(Value::Nat(value)) => value.clone(),
                Some(_) => return Err(Diagnostic::error(nat.origin, format!("`{name}` is no natural"))),
                None => match self.nats.iter().find(|var| var.text() == name.as_str()) {
                    Some(var) => Nat::var(var),
                    None => {
                        let message = format!("the kernel has no size `{name}`");
                        return Err(Diagnostic::error(nat.origin, message));
                    }
                },
            },
            NatKind::Binary(op, a, b) => {
                let (a, b) = (self.natural(a)?, self.natural(b)?);
                match op {
                    NatOp::Add => a + b,
                    NatOp::Sub => a - b,
                    NatOp::Mul => a * b,
                    NatOp::Div => a.div(&b),
                    NatOp::Rem => a.rem(&b),
                    NatOp::Pow => a.pow(&b),
                }
            }
            NatKind::Call(call, a, b) => {
                let (a, b) = (self.natural(a)?, self.natural(b)?);
                match call {
                    NatCall::Min => Nat::min(&a, &b),
                    NatCall::Max => Nat::max(&a, &b),
                    NatCall::CeilDiv => a.ceil_div(&b),
                }
            }
            _ => return Err(Diagnostic::error(nat.origin, "expected a natural made of numbers and sizes")),
        })
    }
}

/// Whether the recipe is written with such arguments.
fn are_taken(recipe: &Recipe, args: &[ast::Arg], values: &[Value]) -> Result<()> {
    let (most, options) = (recipe.most_arguments(), recipe.options());
    let mut given = 0;
    for (arg, value) in args.iter().zip(values) {
        let wrong = match value {
            Value::Named(name, _) if !options.contains(&&**name) => {
                format!("`{}` has no option `{name}`", recipe.name)
            }
            // A word may stand for the option that has it.
            Value::Word(_) if !options.is_empty() => continue,
            Value::Named(..) => continue,
            _ => {
                given += 1;
                match most.filter(|most| given > *most) {
                    Some(0) => format!("`{}` takes no argument", recipe.name),
                    Some(most) => {
                        format!(
                            "`{}` takes {} and no more",
                            recipe.name,
                            counted(most, "argument", "arguments")
                        )
                    }
                    None => continue,
                }
            }
        };
        return Err(Diagnostic::error(arg.origin, wrong).help(format!("it is written `{}`", recipe.usage)));
    }
    Ok(())
}

/// Whether it names a traversal, and so can stand in the place of another one.
fn is_traversal(place: &ast::Strategy) -> bool {
    match &place.kind {
        Syntax::Name(name) | Syntax::Call(name, _) => {
            walk(name.as_str()).is_some()
                || ["outermost", "innermost", "every", "position"].contains(&name.as_str())
        }
        _ => false,
    }
}

fn walk(name: &str) -> Option<Walk> {
    Some(match name {
        "all" => Walk::All,
        "one" => Walk::One,
        "some" => Walk::Some,
        "topDown" | "topdown" => Walk::TopDown,
        "bottomUp" | "bottomup" => Walk::BottomUp,
        "allTopdown" | "allTopDown" => Walk::AllTopDown,
        "allBottomup" | "allBottomUp" => Walk::AllBottomUp,
        "tryAll" => Walk::TryAll,
        "everywhere" | "normalize" => Walk::Everywhere,
        "body" => Walk::Body,
        "function" => Walk::Function,
        "argument" => Walk::Argument(None),
        _ => return None,
    })
}

fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        0 => format!("no {one}"),
        1 => format!("one {one}"),
        count => format!("{count} {many}"),
    }
}
