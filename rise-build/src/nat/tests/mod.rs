//! Tests of naturals: the normal form, what is proved, what is simplified, what is solved.

mod normal_form;
mod proofs;
mod random;
mod simplification;
mod solutions;

use super::{Nat, NatVar, Obligation};

/// Fresh variables of these names.
pub(super) fn vars<const N: usize>(names: &str) -> [NatVar; N] {
    let mut names = names.split_whitespace();
    std::array::from_fn(|_| NatVar::new(names.next().unwrap_or("?")))
}

/// Fresh variables of these names, as naturals.
pub(super) fn nats<const N: usize>(names: &str) -> [Nat; N] {
    vars(names).map(|v| Nat::var(&v))
}

/// Variables by name, and a reader of naturals and obligations in the syntax that they print in.
#[derive(Default)]
pub(super) struct Scope(Vec<NatVar>);

impl Scope {
    pub fn declare(&mut self, name: &str) -> NatVar {
        let var = NatVar::new(name);
        self.0.push(var.clone());
        var
    }

    pub fn var(&self, name: &str) -> NatVar {
        self.0.iter().find(|v| v.text() == name).unwrap_or_else(|| panic!("{name} is declared")).clone()
    }

    pub fn nat(&self, text: &str) -> Nat {
        let mut reader = Reader { scope: self, rest: text.trim() };
        let nat = reader.sum();
        assert!(reader.rest.is_empty(), "{} is left of {text}", reader.rest);
        nat
    }

    pub fn obligation(&self, text: &str) -> Obligation {
        type Make = fn(Nat, Nat) -> Obligation;
        let make: [(&str, Make); 4] = [
            (" divides ", Obligation::Divides),
            (" <= ", Obligation::Le),
            (" < ", Obligation::Lt),
            (" = ", Obligation::Eq),
        ];
        let found = make.iter().find_map(|(word, make)| {
            let (a, b) = text.split_once(word)?;
            Some(make(self.nat(a), self.nat(b)))
        });
        found.unwrap_or_else(|| panic!("{text} is an obligation"))
    }
}

struct Reader<'a> {
    scope: &'a Scope,
    rest: &'a str,
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest.strip_prefix(token);
        if let Some(rest) = found {
            self.rest = rest.trim_start();
        }
        found.is_some()
    }

    fn sum(&mut self) -> Nat {
        let mut sum = self.product();
        loop {
            if self.eat("+") {
                sum = sum + self.product();
            } else if self.eat("-") {
                sum = sum - self.product();
            } else {
                return sum;
            }
        }
    }

    fn product(&mut self) -> Nat {
        let mut product = self.power();
        loop {
            if self.eat("*") {
                product = product * self.power();
            } else if self.eat("/") {
                product = product.div(&self.power());
            } else if self.eat("%") {
                product = product.rem(&self.power());
            } else {
                return product;
            }
        }
    }

    fn power(&mut self) -> Nat {
        let base = self.primary();
        if self.eat("^") { base.pow(&self.power()) } else { base }
    }

    fn primary(&mut self) -> Nat {
        if self.eat("-") {
            return -self.power();
        }
        if self.eat("(") {
            let inner = self.sum();
            assert!(self.eat(")"));
            return inner;
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        if let Ok(value) = word.parse::<i64>() {
            return Nat::lit(value);
        }
        if !matches!(word, "min" | "max") {
            return Nat::var(&self.scope.var(word));
        }
        assert!(self.eat("("));
        let a = self.sum();
        assert!(self.eat(","));
        let b = self.sum();
        assert!(self.eat(")"));
        if word == "min" { Nat::min(&a, &b) } else { Nat::max(&a, &b) }
    }
}

#[test]
fn a_tile_that_exists_fits() {
    let (m, i) = (NatVar::new("m"), NatVar::new("i"));
    let mut facts = crate::nat::Facts::new();
    facts.size(&m);
    facts.range(&i, &Nat::lit(0), &Nat::var(&m).div(&Nat::lit(48)));
    assert!(facts.proves_ge0(&(Nat::var(&m) - 48)));
    assert!(facts.proves_ge0(&(Nat::var(&m) * 7 - 48)));
    assert!(facts.proves_ge0(&(Nat::var(&m) - Nat::var(&i) * 48 - 48)));
    assert!(!facts.proves_ge0(&(Nat::var(&m) - 49)));
}

#[test]
fn what_is_there_as_long_as_something_is_small_says_so() {
    let [m, k, i] = ["m", "k", "i"].map(NatVar::new);
    let mut facts = crate::nat::Facts::new();
    [&m, &k].into_iter().for_each(|size| facts.size(size));
    let is_small = Nat::min(&Nat::lit(1), &Nat::lit(1281).div(&(Nat::var(&k) + 1)));
    facts.range(&i, &Nat::lit(0), &(Nat::var(&m).div(&Nat::lit(128)) * is_small));
    assert!(facts.proves_le(&Nat::var(&k), &Nat::lit(1280)));
    assert!(!facts.proves_le(&Nat::var(&k), &Nat::lit(1279)));
}
