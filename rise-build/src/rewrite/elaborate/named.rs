//! What users have named: strategies with their parameters, and rules.

use crate::diagnostics::{Diagnostic, Origin};
use crate::rewrite::strategy::{Strategy, StrategyKind};
use crate::rewrite::user::UserRule;
use crate::syntax::ast;

use super::{DEEPEST, Elaborator, Result, counted};

/// The strategy of that name.
pub(super) fn item<'a>(module: &'a ast::Module, name: &str) -> Option<&'a ast::StrategyItem> {
    module.items.iter().find_map(|item| match item {
        ast::Item::Strategy(item) if item.name.as_str() == name => Some(item),
        _ => None,
    })
}

impl<'a> Elaborator<'a> {
    pub(super) fn item(&self, name: &str) -> Option<&'a ast::StrategyItem> {
        item(self.module, name)
    }

    pub(super) fn rule_item(&self, name: &str) -> Option<&'a ast::Rule> {
        self.module.items.iter().find_map(|item| match item {
            ast::Item::Rule(item) if item.name.as_str() == name => Some(item),
            _ => None,
        })
    }

    pub(super) fn user_rule(
        &mut self,
        item: &'a ast::Rule,
        args: &[ast::Arg],
        origin: Origin,
    ) -> Result<Strategy> {
        let rule = UserRule::new(self.module, item).map_err(|wrong| match wrong.into_iter().next() {
            Some(diagnostic) => diagnostic,
            None => Diagnostic::error(item.name.origin, format!("the rule `{}` is wrong", item.name)),
        })?;
        let wanted = rule.arguments();
        if args.len() != wanted.len() {
            let message = format!(
                "the rule `{}` takes {}, {} given",
                item.name,
                counted(wanted.len(), "natural", "naturals"),
                args.len()
            );
            let error = Diagnostic::error(origin, message);
            return Err(match wanted.is_empty() {
                true => error.help("its left side determines everything that it speaks of"),
                false => error.help(format!("its left side does not determine `{}`", wanted.join("`, `"))),
            });
        }
        let values = args.iter().map(|arg| self.nat(arg)).collect::<Result<Vec<_>>>()?;
        Ok(Strategy { kind: StrategyKind::Rule(rule.with(values)), origin })
    }

    pub(super) fn named(
        &mut self,
        item: &ast::StrategyItem,
        args: &[ast::Arg],
        origin: Origin,
    ) -> Result<Strategy> {
        if self.depth >= DEEPEST {
            return Err(Diagnostic::error(
                origin,
                format!("the strategy `{}` calls itself without end", item.name),
            ));
        }
        if args.len() > item.params.len() {
            let most = counted(item.params.len(), "argument", "arguments");
            let message = format!("the strategy `{}` takes {most}, {} given", item.name, args.len());
            return Err(Diagnostic::error(origin, message));
        }
        for (at, arg) in args.iter().enumerate() {
            let Some(name) = &arg.name else { continue };
            let message = match item.params.iter().any(|param| param.name == *name) {
                true if args[..at].iter().all(|before| before.name.as_ref() != Some(name)) => continue,
                true => format!("`{name}` is given twice"),
                false => format!("the strategy `{}` has no parameter `{name}`", item.name),
            };
            return Err(Diagnostic::error(arg.origin, message));
        }
        let mut positional = args.iter().filter(|arg| arg.name.is_none());
        let mut env = Vec::new();
        for param in &item.params {
            let named =
                args.iter().find(|arg| arg.name.as_ref().is_some_and(|name| name.text == param.name.text));
            let given = named.or_else(|| positional.next()).or(param.default.as_ref());
            let Some(arg) = given else {
                let shown = |param: &ast::StrategyParam| {
                    format!("{}{}", if param.is_label { "'" } else { "" }, param.name)
                };
                let message = format!("the strategy `{}` lacks its argument `{}`", item.name, shown(param));
                let all: Vec<String> = item.params.iter().map(shown).collect();
                let form =
                    format!("its arguments follow in parentheses: `{}({})`", item.name, all.join(", "));
                return Err(Diagnostic::error(origin, message).help(form));
            };
            env.push((param.name.text.clone(), self.value(arg)?.unnamed()));
        }
        let (body, depth) = (item.body.clone(), self.depth + 1);
        let inner = Elaborator { env, depth, ..*self }.strategy(&body)?;
        Ok(Strategy { kind: inner.kind, origin })
    }
}
