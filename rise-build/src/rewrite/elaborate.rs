//! From the syntax of strategies to strategies: names are resolved, arguments get their kinds.
//!
//! Both notations arrive as one syntax. A user's strategy goes before the built-in ones; its parameters stand
//! for naturals, strategies, predicates, labels and words.

mod arguments;
mod named;
mod places;
mod unused;
mod versions;

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Origin, suggest};
use crate::library;
use crate::machine::{Asked, Machine};
use crate::nat::{Nat, NatVar};
use crate::syntax::ast::{self, ArgValue, StrategyKind as Syntax};

pub use unused::check;

use super::catalog;
use super::elsewhere;
use super::predicate::NAMED;
use super::recipes;
use super::strategy::{Strategy, StrategyKind, Value};

type Result<T> = std::result::Result<T, Diagnostic>;

/// How deep strategies may call each other.
const DEEPEST: usize = 64;

/// Resolves a strategy for a kernel with these sizes, to be run on a machine; and whether its registers matter.
pub fn elaborate(
    strategy: &ast::Strategy,
    module: &ast::Module,
    nats: &[NatVar],
    machine: &'static Machine,
) -> Result<(Strategy, Asked)> {
    let hardware = Hardware { machine, asked: Cell::default() };
    let hardware = &hardware;
    let strategy = Elaborator { module, nats, hardware: Some(hardware), env: Vec::new(), depth: 0 }
        .strategy(strategy)?;
    Ok((strategy, hardware.asked.get()))
}

/// Whether the strategy and those that it names could be read; the parser has told about others.
pub fn is_readable(strategy: &ast::Strategy, module: &ast::Module) -> bool {
    if module.lacks_items() {
        return false;
    }
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
    Elaborator { module, nats, hardware: None, env: Vec::new(), depth: 0 }.nat(arg)
}

/// The machine that a strategy is for.
struct Hardware {
    machine: &'static Machine,
    asked: Cell<Asked>,
}

struct Elaborator<'a> {
    module: &'a ast::Module,
    nats: &'a [NatVar],
    /// What `registers` and `lanes(t)` stand for; no words where naturals are the same on all machines.
    hardware: Option<&'a Hardware>,
    env: Vec<(Arc<str>, Value)>,
    depth: usize,
}

/// Steps without arguments.
const STEPS: &[(&str, StrategyKind)] = &[
    ("id", StrategyKind::Id),
    ("skip", StrategyKind::Id),
    ("fail", StrategyKind::Fail),
    ("lower", StrategyKind::Lower),
    ("lowerToC", StrategyKind::Lower),
    ("auto", StrategyKind::Auto),
];

/// Combinators and what they take.
const COMBINATORS: &[(&str, &str)] = &[
    ("try", "one strategy"),
    ("not", "one strategy"),
    ("repeat", "one strategy, and how often at most"),
    ("repeatNTimes", "a number and one strategy"),
    ("seq", "2 strategies"),
];

impl<'a> Elaborator<'a> {
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

    fn variable(&self, name: &str) -> Option<&Value> {
        self.env.iter().rev().find(|(other, _)| **other == *name).map(|(_, value)| value)
    }

    fn call(&mut self, name: &ast::Ident, args: &[ast::Arg], origin: Origin) -> Result<Strategy> {
        let text = name.as_str();
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
        let kind = if let Some((_, step)) = STEPS.iter().find(|(other, _)| *other == text) {
            match args {
                [] => step.clone(),
                _ => return Err(taken(text, "no argument", args.len(), origin)),
            }
        } else if let Some((_, wanted)) = COMBINATORS.iter().find(|(other, _)| *other == text) {
            let kind = self.combinator(text, args)?;
            kind.ok_or_else(|| taken(text, wanted, args.len(), origin))?
        } else if let Some(kind) = self.walking(text, args, origin)? {
            kind
        } else if let Some(predicate) = self.maybe_predicate(text, args)? {
            StrategyKind::Check(predicate)
        } else if let Some(takes) = places::taken_by_predicate(text) {
            return Err(taken(text, takes, args.len(), origin));
        } else if let Some(recipe) = recipes::lookup(text) {
            StrategyKind::Recipe(recipe, self.recipe_args(recipe, args)?.into())
        } else if let Some(row) = catalog::lookup(text) {
            StrategyKind::Rule(row.with(self.rule_args(row, args, origin)?))
        } else {
            return Err(self.unknown(name));
        };
        Ok(Strategy { kind, origin })
    }

    /// Nothing where the combinator takes other arguments.
    fn combinator(&mut self, name: &str, args: &[ast::Arg]) -> Result<Option<StrategyKind>> {
        Ok(Some(match (name, args) {
            ("try", [inner]) => StrategyKind::Try(Rc::new(self.strategy_arg(inner)?)),
            ("not", [inner]) => StrategyKind::Not(Rc::new(self.strategy_arg(inner)?)),
            ("seq", [first, second]) => {
                StrategyKind::Seq(vec![self.strategy_arg(first)?, self.strategy_arg(second)?])
            }
            ("repeat", [inner]) => StrategyKind::Repeat(Rc::new(self.strategy_arg(inner)?), u32::MAX),
            ("repeat" | "repeatNTimes", [first, second]) => {
                // A strategy may look like a natural too: `topDown(mapSeq)`.
                let (count, inner) = match self.nat(first) {
                    Ok(_) => (self.count(first)?, second),
                    Err(_) => (self.count(second)?, first),
                };
                let count = u32::try_from(count).unwrap_or(u32::MAX - 1);
                StrategyKind::Repeat(Rc::new(self.strategy_arg(inner)?), count)
            }
            _ => return Ok(None),
        }))
    }

    fn unknown(&self, name: &ast::Ident) -> Diagnostic {
        let error = Diagnostic::error(name.origin, format!("there is no strategy `{name}`"));
        if let Some(file) = library::file_of_strategy(name.as_str()) {
            return error.help(format!("it is in `use \"{file}\";`"));
        }
        if let Some(instead) = elsewhere::instead(name.as_str()) {
            return error.help(format!("here: {instead}"));
        }
        match suggest(name.as_str(), self.names()) {
            Some(near) => error.help(format!("there is `{near}`")),
            None => error,
        }
    }

    /// The names of all strategies.
    fn names(&self) -> impl Iterator<Item = &'a str> {
        let own = self.module.items.iter().filter_map(|item| match item {
            ast::Item::Strategy(item) => Some(item.name.as_str()),
            ast::Item::Rule(item) => Some(item.name.as_str()),
            _ => None,
        });
        let rows = catalog::rows().flat_map(|row| std::iter::once(&row.name).chain(row.aliases).copied());
        let ours = STEPS.iter().map(|(name, _)| *name);
        let ours = ours.chain(COMBINATORS.iter().map(|(name, _)| *name)).chain(places::names());
        let ours = ours.chain(recipes::ALL.iter().map(|recipe| recipe.name)).chain(rows);
        let ours = ours.chain(NAMED.iter().map(|(name, _)| *name));
        own.chain(ours.map(|name: &'static str| -> &'a str { name }))
    }

    fn strategy_arg(&mut self, arg: &ast::Arg) -> Result<Strategy> {
        match &arg.value {
            ArgValue::Strategy(strategy) => self.strategy(strategy),
            _ => Err(Diagnostic::error(arg.origin, "expected a strategy")),
        }
    }
}

/// What is to be said of a strategy that takes something else.
fn taken(name: &str, takes: &str, given: usize, origin: Origin) -> Diagnostic {
    Diagnostic::error(origin, format!("`{name}` takes {takes}, {given} given"))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        0 => format!("no {one}"),
        1 => format!("one {one}"),
        count => format!("{count} {many}"),
    }
}
