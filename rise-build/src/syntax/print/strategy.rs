//! Strategies, places and their arguments.

use super::Printer;
use crate::syntax::ast::{Arg, ArgValue, Expr, ExprKind, PlaceKind, Strategy, StrategyKind, Version};

fn level(kind: &StrategyKind) -> u8 {
    match kind {
        StrategyKind::Seq(_) => 0,
        StrategyKind::Choice(_) => 1,
        StrategyKind::At(..) => 2,
        _ => 3,
    }
}

impl Printer {
    pub(super) fn strategy(&mut self, strategy: &Strategy) {
        self.strategy_above(strategy, 0);
    }

    fn strategy_above(&mut self, strategy: &Strategy, least: u8) {
        self.grouped(level(&strategy.kind) < least, |p| match &strategy.kind {
            StrategyKind::Name(name) => p.word(name.as_str()),
            StrategyKind::Call(name, args) => {
                p.word(name.as_str());
                p.args(args);
            }
            StrategyKind::Seq(steps) => p.joined(steps, " ; ", 1),
            StrategyKind::Choice(parts) => p.joined(parts, " <+ ", 2),
            StrategyKind::At(inner, place) => {
                p.strategy_above(inner, 2);
                p.word(" @ ");
                p.place(&place.kind);
            }
            StrategyKind::Versions(versions) => p.versions(versions),
            StrategyKind::Error => p.word("<error>"),
        });
    }

    fn joined(&mut self, parts: &[Strategy], separator: &str, least: u8) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.word(separator);
            }
            self.strategy_above(part, least);
        }
    }

    fn place(&mut self, place: &PlaceKind) {
        match place {
            PlaceKind::Labels(paths) => {
                self.grouped(paths.len() > 1, |p| p.list(paths, |p, path| p.word(&path.to_string())));
            }
            PlaceKind::Traversal(strategy) => self.strategy_above(strategy, 3),
        }
    }

    fn versions(&mut self, versions: &[Version]) {
        self.word("versions { ");
        for (index, version) in versions.iter().enumerate() {
            if index > 0 {
                self.word(" ; ");
            }
            if !version.conditions.is_empty() {
                self.word("when ");
                self.list(&version.conditions, Self::obligation);
                self.word(" => ");
            }
            self.strategy(&version.strategy);
        }
        self.word(" }");
    }

    /// `(a, b)`
    pub(super) fn args(&mut self, args: &[Arg]) {
        self.word("(");
        self.list(args, Self::arg);
        self.word(")");
    }

    pub(super) fn arg(&mut self, arg: &Arg) {
        if let Some(name) = &arg.name {
            self.word(&format!("{name} = "));
        }
        match &arg.value {
            ArgValue::Strategy(strategy) => self.strategy(strategy),
            ArgValue::Expr(expr) => self.arg_expr(expr),
            ArgValue::Labels(path) => self.word(&path.to_string()),
            ArgValue::List(args) => {
                self.word("[");
                self.list(args, Self::arg);
                self.word("]");
            }
            ArgValue::Text(text) => self.word(&format!("{text:?}")),
        }
    }

    /// What looks like a strategy or a list is put in braces, which only expressions have.
    fn arg_expr(&mut self, expr: &Expr) {
        let kind = &expr.kind;
        if matches!(kind, ExprKind::Name(_) | ExprKind::Call(..) | ExprKind::Array(_) | ExprKind::Repeat(..))
        {
            self.branch(expr);
        } else {
            self.expr(expr);
        }
    }
}
