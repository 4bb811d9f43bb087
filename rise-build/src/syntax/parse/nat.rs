//! Naturals and obligations.

use proc_macro2::Delimiter;

use super::literal::integer;
use super::parser::{Parsed, Parser};
use crate::syntax::ast::{Ident, Nat, NatCall, NatKind, NatOp, Obligation, ObligationKind, Relation};

impl Parser {
    /// A natural.
    pub(super) fn nat(&mut self) -> Parsed<Nat> {
        self.deeper(|p| p.nat_above(1))
    }

    fn nat_above(&mut self, least: u8) -> Parsed<Nat> {
        let start = self.mark();
        let mut left = self.nat_atom()?;
        let mut count = 0;
        while let Some(op) = nat_op(self.op(0)).filter(|op| op.precedence() >= least) {
            self.link(&mut count)?;
            self.bump();
            let tighter = if op == NatOp::Pow { op.precedence() } else { op.precedence() + 1 };
            let right = self.nat_above(tighter)?;
            left = Nat::new(NatKind::Binary(op, Box::new(left), Box::new(right)), self.origin(start));
        }
        Ok(left)
    }

    /// A natural without operators around it.
    pub(super) fn nat_atom(&mut self) -> Parsed<Nat> {
        let start = self.mark();
        if self.is_open(0, Delimiter::Parenthesis) {
            let inner = self.inside(Self::nat)?;
            return Ok(Nat::new(inner.kind, self.origin(start)));
        }
        if self.is_char(0, '-') {
            self.bump();
            return Err(self.wrong(
                start,
                "naturals have no sign",
                "write `a - b` where `a` is at least `b`",
            ));
        }
        let kind = if self.eat_word("_") {
            NatKind::Hole
        } else if self.is_ident(0) {
            return self.nat_name();
        } else {
            self.nat_literal()?
        };
        Ok(Nat::new(kind, self.origin(start)))
    }

    fn nat_literal(&mut self) -> Parsed<NatKind> {
        let start = self.mark();
        let text = self.text(0).to_string();
        if !text.starts_with(|ch: char| ch.is_ascii_digit()) {
            return Err(match self.is_char(0, '*') {
                true => self.expected_help("a natural number", "a power of sizes is `n ^ 2`"),
                false => self.expected("a natural number"),
            });
        }
        let parsed = integer(&text);
        self.bump();
        match parsed {
            // What reads the natural says that it is too large.
            Some((value, "")) => Ok(NatKind::Literal(u64::try_from(value).unwrap_or(u64::MAX))),
            Some((_, suffix)) => {
                let help =
                    format!("write `{}`, or `{} * {suffix}` for a product", digits(&text), digits(&text));
                Err(self.wrong(start, "a natural has no suffix", &help))
            }
            None => Err(self.wrong(start, &format!("`{text}` is not a natural number"), "write digits only")),
        }
    }

    fn nat_name(&mut self) -> Parsed<Nat> {
        let start = self.mark();
        let name = self.ident("a natural number")?;
        if !self.is_open(0, Delimiter::Parenthesis) {
            return Ok(Nat::new(NatKind::Name(name), self.origin(start)));
        }
        if name.as_str() == "sum" {
            let kind = self.inside(Self::nat_sum)?;
            return Ok(Nat::new(kind, self.origin(start)));
        }
        let args = self.inside(|p| p.comma_list(Self::nat, Nat::error));
        let kind = self.nat_call(start, name, args)?;
        Ok(Nat::new(kind, self.origin(start)))
    }

    fn nat_call(&mut self, start: usize, name: Ident, args: Vec<Nat>) -> Parsed<NatKind> {
        let Some(call) = NatCall::from_name(name.as_str()) else { return Ok(NatKind::Apply(name, args)) };
        let mut args = args.into_iter().map(Box::new);
        match (args.next(), args.next(), args.next()) {
            (Some(a), Some(b), None) => Ok(NatKind::Call(call, a, b)),
            _ => {
                let message = format!("`{name}` takes two naturals");
                Err(self.wrong(start, &message, &format!("write `{name}(a, b)`")))
            }
        }
    }

    /// `i in from..to, body`
    fn nat_sum(&mut self) -> Parsed<NatKind> {
        let form = "a sum is written `sum(i in 0..n, body)`";
        let name = self.ident("the variable of the sum")?;
        if !self.eat_word("in") {
            return Err(self.expected_help("`in`", form));
        }
        let from = Box::new(self.nat()?);
        if !self.eat_op("..") {
            return Err(self.expected_help("`..`", form));
        }
        let to = Box::new(self.nat()?);
        if !self.eat_char(',') {
            return Err(self.expected_help("`,` and what is added up", form));
        }
        let body = Box::new(self.nat()?);
        self.eat_char(',');
        Ok(NatKind::Sum { name, from, to, body })
    }

    /// The conditions behind `where`, up to where `stop` says or the group ends.
    pub(super) fn obligations(&mut self, stop: impl Fn(&Self) -> bool) -> Vec<Obligation> {
        self.obligations_before("the end of the `where` clause", stop).0
    }

    /// Conditions and what follows them, and whether that does.
    pub(super) fn obligations_before(
        &mut self,
        end: &str,
        stop: impl Fn(&Self) -> bool,
    ) -> (Vec<Obligation>, Parsed<()>) {
        let (mut list, mut ends) = (Vec::new(), Ok(()));
        while !self.at_end() && !stop(self) {
            match self.obligation() {
                Ok(obligation) => list.push(obligation),
                Err(_) => self.skip_until(|p| p.is_char(0, ',') || p.op(0) == "&&" || stop(p)),
            }
            if !(self.eat_char(',') || self.eat_op("&&") || self.at_end() || stop(self)) {
                ends = Err(self.expected(&format!("`,` or {end}")));
                self.skip_until(&stop);
            }
        }
        (list, ends)
    }

    /// One condition.
    pub(super) fn obligation(&mut self) -> Parsed<Obligation> {
        let start = self.mark();
        if self.is_open(0, Delimiter::Parenthesis) && self.relates(0) {
            self.bump();
            return Err(self.wrong(start, "a condition stands in no parentheses", "leave them out"));
        }
        let kind = match self.predicate()? {
            Some(kind) => kind,
            None => self.comparison()?,
        };
        Ok(Obligation { kind, origin: self.origin(start) })
    }

    /// Whether the group that opens there holds a comparison.
    fn relates(&self, ahead: usize) -> bool {
        (ahead + 1..self.behind_group(ahead)).any(|inside| relation(self.op(inside)).is_some())
    }

    /// `associative(f)`: a call that no comparison follows.
    fn predicate(&mut self) -> Parsed<Option<ObligationKind>> {
        if !(self.is_ident(0) && self.is_open(1, Delimiter::Parenthesis)) {
            return Ok(None);
        }
        let behind = self.behind_group(1);
        if relation(self.op(behind)).is_some()
            || nat_op(self.op(behind)).is_some()
            || self.is_word(behind, "divides")
        {
            return Ok(None);
        }
        let name = self.ident("a condition")?;
        let args = self.inside(|p| p.comma_list(Self::expr, crate::syntax::ast::Expr::error));
        Ok(Some(ObligationKind::Predicate(name, args)))
    }

    fn comparison(&mut self) -> Parsed<ObligationKind> {
        let start = self.mark();
        let left = self.nat()?;
        if self.eat_word("divides") {
            return Ok(ObligationKind::Divides(left, self.nat()?));
        }
        if self.is_char(0, '=') && self.op(0) == "=" {
            self.bump();
            let _ = self.nat();
            return Err(self.wrong(start, "`=` does not compare", "write `==`"));
        }
        if self.is_char(0, ':') {
            self.skip_until(|p| p.is_char(0, ',') || p.is_open(0, Delimiter::Brace));
            return Err(self.wrong(
                start,
                "a `where` clause of RISE speaks of sizes, not of kinds",
                "write the kind where the parameter is declared: `<n: Nat>`",
            ));
        }
        let Some(found) = relation(self.op(0)) else {
            let what = "`==`, `<=`, `<`, `>=`, `>`, `!=` or `divides`";
            if !self.eat_char('|') {
                let help = match self.is_open(0, Delimiter::Bracket) {
                    true => {
                        "conditions are on sizes, such as `n >= 3`; what depends on elements is chosen in the body by `if`"
                    }
                    false => "for example `n % 32 == 0`, `n >= 3`",
                };
                return Err(self.expected_help(what, help));
            }
            let divided = self.nat()?;
            let help = format!("write `{left} divides {divided}` or `{divided} % {left} == 0`");
            return Err(self.wrong(start, "`|` does not compare", &help));
        };
        self.eat_op(found.symbol());
        let right = self.nat()?;
        if relation(self.op(0)).is_some() {
            return Err(self.expected_help("`,` or `{`", "comparisons do not chain: write `a <= n, n <= b`"));
        }
        Ok(ObligationKind::Compare(found, left, right))
    }
}

fn digits(text: &str) -> &str {
    let end = text.find(|ch: char| !ch.is_ascii_digit() && ch != '_').unwrap_or(text.len());
    &text[..end]
}

fn nat_op(op: &str) -> Option<NatOp> {
    match op {
        "+" => Some(NatOp::Add),
        "-" => Some(NatOp::Sub),
        "*" => Some(NatOp::Mul),
        "/" => Some(NatOp::Div),
        "%" => Some(NatOp::Rem),
        "^" => Some(NatOp::Pow),
        _ => None,
    }
}

fn relation(op: &str) -> Option<Relation> {
    match op {
        "==" => Some(Relation::Eq),
        "!=" => Some(Relation::Ne),
        "<" => Some(Relation::Lt),
        "<=" => Some(Relation::Le),
        ">" => Some(Relation::Gt),
        ">=" => Some(Relation::Ge),
        _ => None,
    }
}
