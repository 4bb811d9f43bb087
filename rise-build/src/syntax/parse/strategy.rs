//! Strategies and places.

use proc_macro2::Delimiter;

use super::parser::{Parsed, Parser, Reported};
use crate::syntax::ast::{Ident, Obligation, Place, PlaceKind, Strategy, StrategyKind, Version};

impl Parser {
    /// `s ; t`: as far as it extends. A `;` before an item or the end of the group is passed and ends it.
    pub(super) fn strategy(&mut self) -> Parsed<Strategy> {
        self.deeper(|p| {
            let start = p.mark();
            let first = p.choice()?;
            let mut steps = vec![first];
            while p.joined() {
                steps.push(p.choice()?);
            }
            Ok(p.join(start, steps, StrategyKind::Seq))
        })
    }

    fn join(
        &self,
        start: usize,
        mut parts: Vec<Strategy>,
        kind: fn(Vec<Strategy>) -> StrategyKind,
    ) -> Strategy {
        match (parts.pop(), parts.is_empty()) {
            (Some(only), true) => only,
            (Some(last), false) => {
                let origin = parts.first().map_or(last.origin, |first| first.origin.to(last.origin));
                parts.push(last);
                Strategy::new(kind(parts), origin)
            }
            (None, _) => Strategy::error(self.origin(start)),
        }
    }

    /// Passes `;` and tells whether another step follows.
    fn joined(&mut self) -> bool {
        if self.eat_op("~;~") {
            return true;
        }
        if !self.is_char(0, ';') {
            return false;
        }
        while self.eat_char(';') {}
        !(self.at_end() || self.at_item() || self.is_word(0, "as") || self.is_word(0, "when"))
    }

    /// `s <+ t`
    fn choice(&mut self) -> Parsed<Strategy> {
        let start = self.mark();
        let mut parts = vec![self.placed()?];
        while self.eat_op("<+") {
            parts.push(self.placed()?);
        }
        Ok(self.join(start, parts, StrategyKind::Choice))
    }

    /// `s @ place`
    fn placed(&mut self) -> Parsed<Strategy> {
        let start = self.mark();
        let mut strategy = self.step()?;
        let mut count = 0;
        while self.eat_op("@") || self.eat_op("~@~") {
            self.link(&mut count)?;
            let place = self.place()?;
            strategy = Strategy::new(StrategyKind::At(Box::new(strategy), place), self.origin(start));
        }
        Ok(strategy)
    }

    /// A name, a call, or a strategy in parentheses.
    fn step(&mut self) -> Parsed<Strategy> {
        let start = self.mark();
        if self.is_open(0, Delimiter::Parenthesis) {
            let inner = self.inside(Self::strategy)?;
            return Ok(Strategy::new(inner.kind, self.origin(start)));
        }
        if self.is_char(0, '\'') {
            self.bump();
            let help = "say what is to be done there: `vectorize(16) @ 'rows`";
            return Err(self.expected_here(start, "a strategy", help));
        }
        if self.is_word(0, "versions") && self.is_open(1, Delimiter::Brace) {
            self.bump();
            let kind = StrategyKind::Versions(self.inside(Self::versions));
            return Ok(Strategy::new(kind, self.origin(start)));
        }
        let name = self.strategy_name()?;
        self.refuse_rust_call(&name)?;
        if !self.is_open(0, Delimiter::Parenthesis) {
            return Ok(Strategy::new(StrategyKind::Name(name), self.origin(start)));
        }
        let mut args = Vec::new();
        while self.is_open(0, Delimiter::Parenthesis) {
            args.extend(self.strategy_args());
        }
        Ok(Strategy::new(StrategyKind::Call(name, args), self.origin(start)))
    }

    fn strategy_name(&mut self) -> Parsed<Ident> {
        if self.is_ident(0) && !self.at_item() && self.text(0) != "as" {
            return self.ident("a strategy");
        }
        let help = match self.is_open(0, Delimiter::Brace) {
            true => "steps stand without braces: `split(8) @ 'rows ; lower`",
            false => "for example `vectorize(16) @ 'rows ; lower`",
        };
        Err(self.expected_help("a strategy", help))
    }

    fn expected_here(&mut self, start: usize, what: &str, help: &str) -> Reported {
        self.skip_until(|p| !p.is_ident(0) && p.op(0) != ".");
        self.wrong(start, &format!("expected {what}, found a label"), help)
    }

    fn refuse_rust_call(&mut self, name: &Ident) -> Parsed<()> {
        match self.op(0) {
            "." => Err(self.expected_help(
                "`;`, `<+` or `@`",
                "a step says behind `@` where it works, and the next one follows `;`: `vectorize(8) @ 'i ; lower`",
            )),
            "|>" | ">>" => Err(self.expected_help(
                "`;`, `<+` or `@`",
                "strategies are joined by `;`, expressions by `|>` and `>>`",
            )),
            "!" => Err(self.expected_help("`;`, `<+` or `@`", &format!("`{name}` is called as `{name}(…)`"))),
            _ => Ok(()),
        }
    }

    fn versions(&mut self) -> Vec<Version> {
        let mut versions = Vec::new();
        while !self.at_end() {
            let start = self.mark();
            let version = self.version().unwrap_or_else(|Reported| {
                self.skip_until(|p| p.is_word(0, "when"));
                Version { conditions: Vec::new(), strategy: Strategy::error(self.origin(start)) }
            });
            versions.push(version);
        }
        versions
    }

    /// `when n < 32 => s ; t`
    fn version(&mut self) -> Parsed<Version> {
        let conditions = if self.eat_word("when") { self.version_conditions()? } else { Vec::new() };
        let strategy = self.strategy()?;
        if !self.at_end() && !self.is_word(0, "when") {
            return Err(self.expected("`;` and another version, or `}`"));
        }
        Ok(Version { conditions, strategy })
    }

    fn version_conditions(&mut self) -> Parsed<Vec<Obligation>> {
        let ends = |p: &Self| p.op(0) == "=>" || p.is_word(0, "when");
        let (conditions, ends) = self.obligations_before("`=>` and a strategy", ends);
        if !self.eat_op("=>") {
            ends?;
            return Err(self.expected_help("`=>` and a strategy", "a version is `when n < 32 => s ;`"));
        }
        Ok(conditions)
    }

    /// What stands behind `@`.
    fn place(&mut self) -> Parsed<Place> {
        let start = self.mark();
        let kind = if self.is_char(0, '\'') {
            PlaceKind::Labels(vec![self.label_path()?])
        } else if self.is_open(0, Delimiter::Parenthesis) {
            self.inside(Self::grouped_place)?
        } else if self.is_ident(0) && self.op(1) == "." {
            return Err(self.unmarked_label());
        } else if self.is_ident(0) && !self.at_item() {
            PlaceKind::Traversal(Box::new(self.step()?))
        } else {
            let help = "places are labels (`'rows`, `('rows, 'cols)`), traversals (`outermost(isMap)`, `everywhere`) and predicates (`isMap`)";
            return Err(self.expected_help("a place", help));
        };
        Ok(Place { kind, origin: self.origin(start) })
    }

    /// `rows.outer`, which lacks the mark of a label.
    fn unmarked_label(&mut self) -> Reported {
        let start = self.mark();
        let mut label = self.text(0).to_owned();
        self.bump();
        while self.op(0) == "." && self.is_ident(1) {
            label = format!("{label}.{}", self.text(1));
            self.bump();
            self.bump();
        }
        self.wrong(start, "expected a place", &format!("a label is written `'{label}`"))
    }

    /// `('rows, 'cols)`, or a place in parentheses.
    fn grouped_place(&mut self) -> Parsed<PlaceKind> {
        if !self.is_char(0, '\'') {
            return Ok(self.deeper(Self::place)?.kind);
        }
        let mut labels = vec![self.label_path()?];
        while self.eat_char(',') && !self.at_end() {
            labels.push(self.label_path()?);
        }
        Ok(PlaceKind::Labels(labels))
    }
}
