//! Strategies that a block names, whether it uses them or not.

use crate::diagnostics::{Diagnostics, Place};
use crate::machine::Machine;
use crate::nat::NatVar;
use crate::rewrite::catalog;
use crate::rewrite::predicate::Predicate;
use crate::rewrite::recipes;
use crate::syntax::ast::{self, ArgValue, StrategyKind as Syntax};

use super::{COMBINATORS, Elaborator, elaborate, is_readable, places};

/// What is wrong with the strategies of a module, whether they are used or not.
pub fn check(module: &ast::Module) -> Diagnostics {
    let nats = sizes(module);
    let mut diagnostics = Diagnostics::new();
    for item in &module.items {
        let ast::Item::Strategy(item) = item else { continue };
        // What files hold may be meant for sizes and rules of others.
        if !matches!(item.name.origin.place(), Place::Tokens(..)) || !is_readable(&item.body, module) {
            continue;
        }
        if !item.params.is_empty() {
            let elaborator = Elaborator { module, nats: &nats, hardware: None, env: Vec::new(), depth: 0 };
            elaborator.check_names(&item.body, &item.params, &mut diagnostics);
        } else if let Err(wrong) = elaborate(&item.body, module, &nats, Machine::BEST) {
            diagnostics.push(wrong);
        }
    }
    diagnostics
}

/// The sizes of all kernels: a strategy may be meant for any of them.
fn sizes(module: &ast::Module) -> Vec<NatVar> {
    let kinds = module.items.iter().flat_map(|item| match item {
        ast::Item::Kernel(kernel) => kernel.kinds.as_slice(),
        _ => &[],
    });
    kinds.map(|kind| NatVar::new(kind.name.as_str())).collect()
}

impl Elaborator<'_> {
    /// Of a strategy with parameters its names alone can be checked, where they must be those of strategies.
    fn check_names(
        &self,
        strategy: &ast::Strategy,
        params: &[ast::StrategyParam],
        diagnostics: &mut Diagnostics,
    ) {
        match &strategy.kind {
            Syntax::Name(name) | Syntax::Call(name, _) => {
                if !self.is_known(name.as_str()) && params.iter().all(|param| param.name != *name) {
                    diagnostics.push(self.unknown(name));
                }
                for inner in operands(strategy) {
                    self.check_names(inner, params, diagnostics);
                }
            }
            Syntax::Seq(parts) | Syntax::Choice(parts) => {
                parts.iter().for_each(|part| self.check_names(part, params, diagnostics));
            }
            Syntax::At(inner, _) => self.check_names(inner, params, diagnostics),
            Syntax::Versions(versions) => {
                versions.iter().for_each(|part| self.check_names(&part.strategy, params, diagnostics));
            }
            Syntax::Error => {}
        }
    }

    fn is_known(&self, name: &str) -> bool {
        let predicate = |name: &str| Predicate::named(name).is_some();
        self.names().any(|known| known == name)
            || predicate(name)
            || name.strip_prefix("isApplied").is_some_and(|plain| predicate(&format!("is{plain}")))
            || places::taken_by_predicate(name).is_some()
            || recipes::lookup(name).is_some()
            || catalog::lookup(name).is_some()
    }
}

/// The strategies that a combinator or a traversal is given.
fn operands(strategy: &ast::Strategy) -> impl Iterator<Item = &ast::Strategy> {
    let (name, args): (&str, &[ast::Arg]) = match &strategy.kind {
        Syntax::Call(name, args) => (name.as_str(), args),
        _ => ("", &[]),
    };
    let takes_strategies =
        COMBINATORS.iter().any(|(other, _)| *other == name) || places::names().any(|other| other == name);
    args.iter().filter(move |_| takes_strategies).filter_map(|arg| match &arg.value {
        ArgValue::Strategy(inner) => Some(inner),
        _ => None,
    })
}
