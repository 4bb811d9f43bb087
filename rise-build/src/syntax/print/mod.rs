//! The syntax tree back to RISE text, in the Rust-shaped notation.
//!
//! Reading the text again gives an equal tree (`Error` nodes apart, which no program without diagnostics
//! has); so the text stands for the program where macro and build script compare what they saw.

mod expr;
mod item;
mod nat;
mod strategy;
mod ty;

use std::fmt;

use super::ast::{Expr, Item, Module, Nat, Obligation, Pattern, Strategy, Type};

/// Collects text.
struct Printer {
    text: String,
}

impl Printer {
    fn word(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Parts between commas.
    fn list<T>(&mut self, parts: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.word(", ");
            }
            print(self, part);
        }
    }

    /// In parentheses if `needed`.
    fn grouped(&mut self, needed: bool, print: impl FnOnce(&mut Self)) {
        if needed {
            self.word("(");
        }
        print(self);
        if needed {
            self.word(")");
        }
    }
}

fn show(f: &mut fmt::Formatter<'_>, print: impl FnOnce(&mut Printer)) -> fmt::Result {
    let mut printer = Printer { text: String::new() };
    print(&mut printer);
    f.write_str(&printer.text)
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, |p| {
            for (index, item) in self.items.iter().enumerate() {
                if index > 0 {
                    p.word("\n");
                }
                p.item(item);
            }
        })
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, |p| p.item(self))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, |p| p.expr(self))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, |p| p.pattern(self))
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, |p| p.ty(self))
    }
}

impl fmt::Display for Nat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, |p| p.nat(self))
    }
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, |p| p.obligation(self))
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, |p| p.strategy(self))
    }
}
