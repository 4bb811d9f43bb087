//! Unknown types and naturals, and the equations between them.
//!
//! In: pairs of types that must be equal, each with the reason why. Out: values of the unknowns, obligations
//! under which the equations hold, and the equations that no values satisfy. An equation that cannot be
//! solved yet waits until another one is solved. Nothing is assumed: two different known sizes become an
//! obligation.

use std::sync::Arc;

use crate::diagnostics::Origin;
use crate::nat::{Nat, NatVar, Obligation, Solution, solve};

use super::Scalar;
use super::ty::{Class, Ty, TyVar};

/// Who asks for something, and where.
#[derive(Clone)]
pub(super) struct Why {
    /// The guilty term if it cannot be had.
    pub(super) origin: Origin,
    /// The primitive that asks, as text for messages.
    pub(super) rule: Arc<str>,
    /// The helper of the prelude that the user called and that asks by this primitive.
    pub(super) helper: Option<Arc<str>>,
    /// The index variables in scope.
    pub(super) scope: Scope,
}

/// What the bound of an index is, unless something else decides.
#[derive(Clone)]
pub(super) struct Hint {
    pub(super) bound: Nat,
    pub(super) len: Nat,
    pub(super) why: Why,
    /// The index goes backwards, as in `x[n - 1 - i]`: what indexes forwards decides before.
    pub(super) mirrored: bool,
}

impl Why {
    /// Who asks, as the user knows it.
    pub(super) fn who(&self) -> &str {
        self.helper.as_ref().unwrap_or(&self.rule)
    }

    /// The same as messages begin: a name in quotes, or a phrase as it is.
    pub(super) fn quoted(&self) -> String {
        let who = self.who();
        if who.contains('`') { who.to_owned() } else { format!("`{who}`") }
    }
}

/// Index variables with their ranges, innermost first.
pub(super) type Scope = Option<Arc<Ranged>>;

/// One index variable in scope.
pub(super) struct Ranged {
    pub(super) var: NatVar,
    pub(super) range: Option<Range>,
    pub(super) outer: Scope,
}

/// What is known of an index variable.
#[derive(Clone)]
pub(super) enum Range {
    /// It is less than this.
    Below(Nat),
    /// It is what a step of `iterate` makes of a length that is `factor` times as large; the last step gives
    /// `least` and the first is given `most`.
    Step { least: Nat, most: Nat, factor: Nat },
}

/// Something that must hold.
#[derive(Clone)]
pub(super) struct Need {
    pub(super) condition: Condition,
    pub(super) why: Why,
}

/// What must hold.
#[derive(Clone)]
pub(super) enum Condition {
    /// A relation of naturals.
    Nat(Obligation),
    /// The natural is a literal.
    Constant(Nat),
    /// Vectors of so many elements exist.
    Width(Nat),
    /// Both are inverse permutations of the numbers below the natural.
    Inverse(Arc<(crate::expr::NatFun, crate::expr::NatFun)>, Nat),
}

/// How two types agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Agree {
    /// They are the same type.
    Same,
    /// They are the same type if an obligation holds or a waiting equation is solved.
    Perhaps,
}

/// Why two types do not agree.
#[derive(Clone, Debug)]
pub(super) enum Misfit {
    /// Different forms.
    Form,
    /// These sizes are never equal.
    Size(Nat, Nat),
}

#[derive(Clone)]
enum TyCell {
    Free(Class),
    Known(Ty),
}

#[derive(Clone)]
struct NatCell {
    var: NatVar,
    value: Option<Nat>,
    origin: Origin,
    what: Arc<str>,
}

#[derive(Clone)]
struct Equation {
    lhs: Nat,
    rhs: Nat,
    why: Why,
}

#[derive(Clone, Default)]
pub(super) struct Solver {
    types: Vec<TyCell>,
    nats: Vec<NatCell>,
    waiting: Vec<Equation>,
    /// What must hold, in the order in which it was asked for.
    pub(super) needs: Vec<Need>,
    /// Waiting equations that turned out to have no solution.
    pub(super) contradictions: Vec<(Nat, Nat, Why)>,
    /// Index bounds that may be chosen as the length of the indexed array if nothing decides.
    pub(super) hints: Vec<Hint>,
}

impl Solver {
    /// A new unknown type.
    pub(super) fn fresh(&mut self, class: Class) -> Ty {
        self.types.push(TyCell::Free(class));
        Ty::Var(TyVar((self.types.len() - 1) as u32))
    }

    /// A new unknown natural; `what` says what it is, for the message if it stays unknown.
    pub(super) fn fresh_nat(&mut self, what: &Arc<str>, origin: Origin) -> Nat {
        let var = NatVar::new("_");
        let nat = Nat::var(&var);
        self.nats.push(NatCell { var, value: None, origin, what: what.clone() });
        nat
    }

    fn cell(&self, var: &NatVar) -> Option<usize> {
        self.nats.binary_search_by_key(&var.id(), |cell| cell.var.id()).ok()
    }

    pub(super) fn is_unknown(&self, var: &NatVar) -> bool {
        self.cell(var).is_some_and(|cell| self.nats[cell].value.is_none())
    }

    /// The natural with known unknowns replaced.
    pub(super) fn nat(&self, nat: &Nat) -> Nat {
        if self.nats.is_empty() || !nat.mentions_any(&|var| self.cell(var).is_some()) {
            return nat.clone();
        }
        nat.map_vars(&mut |var| {
            let cell = self.cell(var)?;
            self.nats[cell].value.as_ref().map(|value| self.nat(value))
        })
    }

    /// Whether the natural has unknowns left.
    pub(super) fn has_unknown(&self, nat: &Nat) -> bool {
        nat.mentions_any(&|var| self.is_unknown(var))
    }

    /// The type, known as far as its outermost form.
    pub(super) fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Var(var) = ty {
            match &self.types[var.0 as usize] {
                TyCell::Known(known) => ty = known,
                TyCell::Free(_) => break,
            }
        }
        ty.clone()
    }

    /// The type as far as it is known.
    pub(super) fn full(&self, ty: &Ty) -> Ty {
        self.filled(ty, &|other| other)
    }

    /// The same for messages, in which literals that nothing decides are called as Rust calls them.
    pub(super) fn spelt(&self, ty: &Ty) -> Ty {
        self.filled(ty, &|other| match self.class(&other) {
            Some(Class::Integer) => Ty::Given("{integer}".into(), usize::MAX),
            Some(Class::Float) => Ty::Given("{float}".into(), usize::MAX),
            _ => other,
        })
    }

    fn filled(&self, ty: &Ty, leaf: &dyn Fn(Ty) -> Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Idx(n) => Ty::Idx(self.nat(&n)),
            Ty::Vector(t, n) => Ty::Vector(Arc::new(self.filled(&t, leaf)), self.nat(&n)),
            Ty::Array(n, t) => Ty::array(self.nat(&n), self.filled(&t, leaf)),
            Ty::DepArray(n, i, t) => Ty::DepArray(self.nat(&n), i, Arc::new(self.filled(&t, leaf))),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|part| self.filled(part, leaf)).collect()),
            other => leaf(other),
        }
    }

    /// What an unknown type can become; none if the type is known.
    pub(super) fn class(&self, ty: &Ty) -> Option<Class> {
        match self.shallow(ty) {
            Ty::Var(var) => match self.types[var.0 as usize] {
                TyCell::Free(class) => Some(class),
                TyCell::Known(_) => None,
            },
            _ => None,
        }
    }

    /// Gives literals that nothing decides their default types.
    pub(super) fn default_literals(&mut self) {
        for cell in &mut self.types {
            match cell {
                TyCell::Free(Class::Integer) => *cell = TyCell::Known(Ty::Scalar(Scalar::I32)),
                TyCell::Free(Class::Float) => *cell = TyCell::Known(Ty::Scalar(Scalar::F32)),
                _ => {}
            }
        }
    }

    /// Makes two types equal.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty, why: &Why) -> Result<Agree, Misfit> {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Error, _) | (_, Ty::Error) | (Ty::Nat, Ty::Nat) => Ok(Agree::Same),
            (Ty::Var(x), Ty::Var(y)) if x == y => Ok(Agree::Same),
            (Ty::Var(x), _) => self.bind(*x, &b),
            (_, Ty::Var(y)) => self.bind(*y, &a),
            (Ty::Scalar(s), Ty::Scalar(t)) if s == t => Ok(Agree::Same),
            (Ty::Given(_, s), Ty::Given(_, t)) if s == t => Ok(Agree::Same),
            (Ty::Idx(n), Ty::Idx(m)) => self.equate(n, m, why),
            (Ty::Vector(s, n), Ty::Vector(t, m)) | (Ty::Array(n, s), Ty::Array(m, t)) => {
                let elements = self.unify(s, t, why)?;
                Ok(both(elements, self.equate(n, m, why)?))
            }
            (Ty::DepArray(n, i, s), Ty::DepArray(m, j, t)) => {
                let renamed = t.map_nats(&|nat| nat.subst(j, &Nat::var(i)));
                let elements = self.unify(s, &renamed, why)?;
                Ok(both(elements, self.equate(n, m, why)?))
            }
            (Ty::Tuple(ss), Ty::Tuple(ts)) if ss.len() == ts.len() => {
                let mut agree = Agree::Same;
                for (s, t) in ss.iter().zip(ts.iter()) {
                    agree = both(agree, self.unify(s, t, why)?);
                }
                Ok(agree)
            }
            _ => Err(Misfit::Form),
        }
    }

    fn bind(&mut self, var: TyVar, ty: &Ty) -> Result<Agree, Misfit> {
        let TyCell::Free(class) = self.types[var.0 as usize] else { return Err(Misfit::Form) };
        if let Ty::Var(other) = ty {
            let TyCell::Free(theirs) = self.types[other.0 as usize] else { return Err(Misfit::Form) };
            // A float literal beside an integer literal makes both floats.
            let joint = match (class, theirs) {
                (Class::Float, _) | (_, Class::Float) => Class::Float,
                (Class::Integer, _) | (_, Class::Integer) => Class::Integer,
                (Class::Any, Class::Any) => Class::Any,
            };
            self.types[other.0 as usize] = TyCell::Free(joint);
            self.types[var.0 as usize] = TyCell::Known(ty.clone());
            return Ok(Agree::Same);
        }
        let fits = match (class, ty) {
            (Class::Any, _) | (Class::Integer, Ty::Nat | Ty::Idx(_)) => true,
            (Class::Integer, Ty::Scalar(scalar)) => *scalar != Scalar::Bool,
            (Class::Float, Ty::Scalar(scalar)) => scalar.is_float(),
            _ => false,
        };
        if !fits || self.occurs(var, ty) {
            return Err(Misfit::Form);
        }
        self.types[var.0 as usize] = TyCell::Known(ty.clone());
        Ok(Agree::Same)
    }

    fn occurs(&self, var: TyVar, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(other) => other == var,
            Ty::Array(_, t) | Ty::DepArray(_, _, t) | Ty::Vector(t, _) => self.occurs(var, &t),
            Ty::Tuple(parts) => parts.iter().any(|part| self.occurs(var, part)),
            _ => false,
        }
    }

    /// Makes two naturals equal.
    pub(super) fn equate(&mut self, a: &Nat, b: &Nat, why: &Why) -> Result<Agree, Misfit> {
        let (a, b) = (self.nat(a), self.nat(b));
        if a == b {
            return Ok(Agree::Same);
        }
        if let (Some(x), Some(y)) = (a.as_var(), b.as_var())
            && self.is_unknown(x)
            && self.is_unknown(y)
        {
            // What makes an array stays unknown rather than what takes it, and what is further inside rather
            // than what is outside: that is where a message helps most.
            let keep_a = self.makes(x) || (x > y && !self.makes(y));
            let (gone, kept) = if keep_a { (y, &a) } else { (x, &b) };
            self.set(gone, kept.clone());
            self.retry();
            return Ok(Agree::Same);
        }
        match solve(&a, &b, &|var| self.is_unknown(var)) {
            Solution::Trivial => Ok(Agree::Same),
            Solution::Unsolvable => Err(Misfit::Size(a, b)),
            Solution::Solved(var, value, obligations) => {
                self.set(&var, value);
                for obligation in obligations {
                    self.need(obligation, why);
                }
                self.retry();
                Ok(Agree::Same)
            }
            Solution::Deferred => {
                if self.has_unknown(&a) || self.has_unknown(&b) {
                    self.waiting.push(Equation { lhs: a, rhs: b, why: why.clone() });
                } else {
                    self.need(Obligation::Eq(a, b), why);
                }
                Ok(Agree::Perhaps)
            }
        }
    }

    /// Whether the unknown is the length of a `generate`.
    fn makes(&self, var: &NatVar) -> bool {
        self.cell(var).is_some_and(|cell| &*self.nats[cell].what == "generate")
    }

    fn set(&mut self, var: &NatVar, value: Nat) {
        if let Some(cell) = self.cell(var) {
            self.nats[cell].value = Some(value);
        }
    }

    /// Looks again at the equations that wait.
    fn retry(&mut self) {
        let mut progress = true;
        while progress && !self.waiting.is_empty() {
            progress = false;
            for equation in std::mem::take(&mut self.waiting) {
                let (a, b) = (self.nat(&equation.lhs), self.nat(&equation.rhs));
                match solve(&a, &b, &|var| self.is_unknown(var)) {
                    Solution::Trivial => {}
                    Solution::Unsolvable => self.contradictions.push((a, b, equation.why)),
                    Solution::Solved(var, value, obligations) => {
                        self.set(&var, value);
                        for obligation in obligations {
                            self.need(obligation, &equation.why);
                        }
                        progress = true;
                    }
                    Solution::Deferred if self.has_unknown(&a) || self.has_unknown(&b) => {
                        self.waiting.push(Equation { lhs: a, rhs: b, why: equation.why });
                    }
                    Solution::Deferred => self.need(Obligation::Eq(a, b), &equation.why),
                }
            }
        }
    }

    /// Records what must hold.
    pub(super) fn need(&mut self, obligation: Obligation, why: &Why) {
        self.needs.push(Need { condition: Condition::Nat(obligation), why: why.clone() });
    }

    /// Chooses what nothing else decides: the range of a `generate` that only indexes arrays.
    pub(super) fn use_hints(&mut self) {
        self.use_hints_of(&|_| true);
    }

    /// The same for the unknowns that are chosen here.
    pub(super) fn use_hints_of(&mut self, chosen: &dyn Fn(&NatVar) -> bool) {
        let mut hints = std::mem::take(&mut self.hints);
        hints.sort_by_key(|hint| hint.mirrored);
        for hint in hints {
            match self.nat(&hint.bound).as_var() {
                Some(var) if self.is_unknown(var) && chosen(var) => {
                    // An equation of a lone unknown is always solved.
                    let _ = self.equate(&hint.bound, &hint.len, &hint.why);
                }
                Some(var) if self.is_unknown(var) => self.hints.push(hint),
                _ => {}
            }
        }
    }

    /// What an unknown natural is, and where.
    pub(super) fn unknown(&self, var: &NatVar) -> Option<(Origin, Arc<str>)> {
        let cell = &self.nats[self.cell(var)?];
        cell.value.is_none().then(|| (cell.origin, cell.what.clone()))
    }

    /// The unknowns that nothing decides, each with where and what it is.
    pub(super) fn undecided(&self) -> impl Iterator<Item = (&NatVar, Origin, &str)> {
        self.nats.iter().filter(|cell| cell.value.is_none()).map(|cell| (&cell.var, cell.origin, &*cell.what))
    }
}

fn both(a: Agree, b: Agree) -> Agree {
    if a == Agree::Same { b } else { a }
}
