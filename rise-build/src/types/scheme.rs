//! Type schemes of primitives, read from the text in the table.
//!
//! A scheme is read when its primitive is first used and kept for the thread. Schemes that speak of
//! functions of naturals are not read here; their primitives have rules of their own in `dependent`.

use std::cell::RefCell;
use std::sync::Arc;

use crate::expr::Row;
use crate::nat::Nat;

use super::solver::Solver;
use super::ty::{Class, Ty};

/// The type scheme of a primitive without its naturals.
pub(super) struct Scheme {
    pub(super) params: Vec<SchemeParam>,
    pub(super) result: SchemeTy,
}

/// What a primitive takes.
pub(super) enum SchemeParam {
    /// A value.
    Data(SchemeTy),
    /// A function of values.
    Fun(Vec<SchemeTy>, SchemeTy),
}

/// A data type with letters.
#[derive(Clone)]
pub(super) enum SchemeTy {
    Var(u8),
    Idx(SchemeNat),
    Array(SchemeNat, Box<SchemeTy>),
    Tuple(Vec<SchemeTy>),
    Simd(Box<SchemeTy>, SchemeNat),
}

/// A natural with letters: a signed sum of products.
#[derive(Clone)]
pub(super) struct SchemeNat(Vec<(i64, Vec<u8>)>);

thread_local! {
    static SCHEMES: RefCell<Vec<(&'static str, Arc<Scheme>)>> = const { RefCell::new(Vec::new()) };
}

/// Primitives whose schemes speak of functions of naturals, with the number of arguments besides naturals.
const DEPENDENT: [(&str, usize); 7] = [
    ("iterate", 2),
    ("depMap", 2),
    ("depMapSeq", 2),
    ("depMapPar", 2),
    ("partition", 1),
    ("depZip", 2),
    ("depJoin", 1),
];

/// Whether the primitive has a rule of its own.
pub(super) fn is_dependent(row: &Row) -> bool {
    DEPENDENT.iter().any(|(name, _)| *name == row.names[0])
}

/// How many functions and values a primitive takes.
pub(super) fn arity(row: &'static Row) -> usize {
    match DEPENDENT.iter().find(|(name, _)| *name == row.names[0]) {
        Some((_, arity)) => *arity,
        None => of(row).params.len(),
    }
}

/// The scheme of a primitive that is not dependent.
pub(super) fn of(row: &'static Row) -> Arc<Scheme> {
    SCHEMES.with_borrow_mut(|schemes| {
        if let Some((_, scheme)) = schemes.iter().find(|(name, _)| *name == row.names[0]) {
            return scheme.clone();
        }
        let scheme = Arc::new(Reader { text: row.scheme.as_bytes(), at: 0 }.scheme());
        schemes.push((row.names[0], scheme.clone()));
        scheme
    })
}

/// The scheme of `unzip` for so many parts.
pub(super) fn unzip(parts: usize) -> Arc<Scheme> {
    let letters = || (0..parts).map(|part| SchemeTy::Var(part as u8));
    let array = |element| SchemeTy::Array(SchemeNat(vec![(1, vec![b'n'])]), Box::new(element));
    let params = vec![SchemeParam::Data(array(SchemeTy::Tuple(letters().collect())))];
    Arc::new(Scheme { params, result: SchemeTy::Tuple(letters().map(array).collect()) })
}

/// The letters of a scheme with what they stand for at one use.
pub(super) struct Instance {
    types: Vec<(u8, Ty)>,
    nats: Vec<(u8, Nat)>,
    rule: Arc<str>,
    origin: crate::diagnostics::Origin,
}

impl Instance {
    pub(super) fn new(rule: Arc<str>, origin: crate::diagnostics::Origin) -> Self {
        Instance { types: Vec::new(), nats: Vec::new(), rule, origin }
    }

    pub(super) fn set(&mut self, letter: &str, nat: Nat) {
        self.nats.push((letter.as_bytes()[0], nat));
    }

    /// The natural that a letter stands for, if it occurred.
    pub(super) fn get(&self, letter: u8) -> Option<&Nat> {
        self.nats.iter().find(|(known, _)| *known == letter).map(|(_, nat)| nat)
    }

    pub(super) fn ty(&mut self, scheme: &SchemeTy, solver: &mut Solver) -> Ty {
        match scheme {
            SchemeTy::Var(letter) => {
                if let Some((_, ty)) = self.types.iter().find(|(known, _)| known == letter) {
                    return ty.clone();
                }
                let ty = solver.fresh(Class::Any);
                self.types.push((*letter, ty.clone()));
                ty
            }
            SchemeTy::Idx(n) => Ty::Idx(self.nat(n, solver)),
            SchemeTy::Array(n, t) => Ty::array(self.nat(n, solver), self.ty(t, solver)),
            SchemeTy::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.ty(part, solver)).collect()),
            SchemeTy::Simd(t, n) => Ty::Vector(Arc::new(self.ty(t, solver)), self.nat(n, solver)),
        }
    }

    pub(super) fn nat(&mut self, scheme: &SchemeNat, solver: &mut Solver) -> Nat {
        let mut sum = Nat::lit(0);
        for (factor, letters) in &scheme.0 {
            let product = letters
                .iter()
                .fold(Nat::lit(*factor), |product, letter| product * self.letter(*letter, solver));
            sum = sum + product;
        }
        sum
    }

    fn letter(&mut self, letter: u8, solver: &mut Solver) -> Nat {
        if let Some(nat) = self.get(letter) {
            return nat.clone();
        }
        let nat = solver.fresh_nat(&self.rule, self.origin);
        self.nats.push((letter, nat.clone()));
        nat
    }
}

/// Reads the text of a scheme; the table is part of the compiler, so a mistake in it is a bug.
struct Reader {
    text: &'static [u8],
    at: usize,
}

impl Reader {
    fn scheme(mut self) -> Scheme {
        let mut parts = vec![self.param()];
        while self.eat("->") {
            parts.push(self.param());
        }
        match parts.pop() {
            Some(SchemeParam::Data(result)) => Scheme { params: parts, result },
            _ => panic!("bug in the table of primitives: a scheme ends with a function"),
        }
    }

    fn spaces(&mut self) {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.spaces();
        let found = self.text[self.at..].starts_with(token.as_bytes());
        if found {
            self.at += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.eat(token), "bug in the table of primitives: expected {token} at column {}", self.at);
    }

    /// A type, or a function in parentheses.
    fn param(&mut self) -> SchemeParam {
        let start = self.at;
        if !self.eat("(") {
            return SchemeParam::Data(self.ty());
        }
        let mut parts = vec![self.ty()];
        if self.eat(",") {
            self.at = start;
            return SchemeParam::Data(self.ty());
        }
        while self.eat("->") {
            parts.push(self.ty());
        }
        self.expect(")");
        let result = parts.pop().unwrap_or(SchemeTy::Var(b't'));
        SchemeParam::Fun(parts, result)
    }

    fn ty(&mut self) -> SchemeTy {
        if self.eat("[") {
            let element = self.ty();
            self.expect(";");
            let len = self.nat();
            self.expect("]");
            return SchemeTy::Array(len, Box::new(element));
        }
        if self.eat("(") {
            let mut parts = vec![self.ty()];
            while self.eat(",") {
                parts.push(self.ty());
            }
            self.expect(")");
            return SchemeTy::Tuple(parts);
        }
        if self.eat("Simd<") {
            let element = self.ty();
            self.expect(",");
            let lanes = self.nat();
            self.expect(">");
            return SchemeTy::Simd(Box::new(element), lanes);
        }
        if self.eat("Idx[") {
            let bound = self.nat();
            self.expect("]");
            return SchemeTy::Idx(bound);
        }
        self.spaces();
        let letter = self.text[self.at];
        self.at += 1;
        SchemeTy::Var(letter)
    }

    fn nat(&mut self) -> SchemeNat {
        let mut terms = vec![self.product(1)];
        loop {
            if self.eat("+") {
                terms.push(self.product(1));
            } else if self.eat("- ") {
                terms.push(self.product(-1));
            } else {
                return SchemeNat(terms);
            }
        }
    }

    fn product(&mut self, sign: i64) -> (i64, Vec<u8>) {
        let (mut factor, mut letters) = (sign, Vec::new());
        loop {
            self.spaces();
            let byte = self.text[self.at];
            self.at += 1;
            if byte.is_ascii_digit() {
                factor *= i64::from(byte - b'0');
            } else {
                letters.push(byte);
            }
            if !self.eat("*") {
                return (factor, letters);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::TABLE;

    #[test]
    fn every_scheme_can_be_read() {
        for row in TABLE.iter().filter(|row| !is_dependent(row)) {
            assert!(!of(row).params.is_empty() || row.names[0] == "?", "{}", row.names[0]);
        }
    }
}
