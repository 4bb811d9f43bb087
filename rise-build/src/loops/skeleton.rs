//! Loops that do the same, but for naturals that one of them could be told.

use crate::names::Name;
use crate::nat::{Nat, NatVar, Solution, solve};

use super::ir::*;
use super::walk::{VisitMut, walk_stmt_mut, walk_value_mut};

/// An iteration with holes for what it names, and what is in them, in order.
pub struct Skeleton {
    body: Block,
    /// Registers that it reads or writes, and all those that it declares.
    registers: [Vec<Name>; 2],
    /// Naturals that it evaluates, and all variables that it declares, its own first.
    nats: Vec<Nat>,
    vars: Vec<NatVar>,
    /// Buffers that it reads or writes, and all those that it declares.
    buffers: [Vec<BufferId>; 2],
    /// Whether there are holes for all that is named.
    is_whole: bool,
}

/// The skeletons of a kernel's loops.
pub struct Skeletons<'k> {
    kernel: &'k Kernel,
    /// What holes for registers and variables are called.
    holes: (Name, NatVar),
}

impl<'k> Skeletons<'k> {
    /// Those of the kernel.
    pub fn new(kernel: &'k Kernel) -> Self {
        Self { kernel, holes: (Name::fresh("hole"), NatVar::new("hole")) }
    }

    /// The skeleton of a loop.
    pub fn of(&self, looped: &Loop) -> Skeleton {
        let mut body = looped.body.clone();
        let mut holes = Holes { skeletons: self, found: Skeleton::empty(looped) };
        holes.block(&mut body);
        Skeleton { body, ..holes.found }
    }

    /// What a loop has to be told to do what another does: values of naturals that come from outside.
    pub fn told(&self, one: &Skeleton, other: &Skeleton) -> Option<Vec<(NatVar, Nat)>> {
        let alike = |(a, b): (&BufferId, &BufferId)| is_alike(self.kernel.buffer(*a), self.kernel.buffer(*b));
        let is_like =
            one.is_whole && other.is_whole && one.counts() == other.counts() && one.body == other.body;
        let is_named_alike = is_like
            && are_alike(&one.registers, &other.registers)
            && are_alike(&one.buffers, &other.buffers)
            && one.buffers[1].iter().zip(&other.buffers[1]).all(alike);
        is_named_alike.then(|| one.values(other))?
    }
}

impl Skeleton {
    /// Of nothing yet.
    fn empty(looped: &Loop) -> Self {
        Self {
            body: Block::new(),
            registers: Default::default(),
            nats: Vec::new(),
            vars: vec![looped.var.clone()],
            buffers: Default::default(),
            is_whole: true,
        }
    }

    /// How many holes of each kind there are.
    fn counts(&self) -> [usize; 6] {
        let ([a, b], [c, d]) = (&self.registers, &self.buffers);
        [a.len(), b.len(), c.len(), d.len(), self.nats.len(), self.vars.len()]
    }

    /// The values of variables from outside with which all naturals are those of `other`.
    fn values(&self, other: &Skeleton) -> Option<Vec<(NatVar, Nat)>> {
        let declared = self.vars.iter().cloned().zip(other.vars.iter().map(Nat::var)).collect::<Vec<_>>();
        let mentioned = |var: &NatVar| other.nats.iter().any(|nat| nat.mentions(var));
        let mut told: Vec<(NatVar, Nat)> = Vec::new();
        for (nat, wanted) in self.nats.iter().zip(&other.nats) {
            let nat = nat.subst_all(&declared).subst_all(&told);
            if nat == *wanted {
                continue;
            }
            let is_unknown = |var: &NatVar| !other.vars.contains(var) && !mentioned(var);
            let Solution::Solved(var, value, _) = solve(&nat, wanted, &is_unknown) else { return None };
            let is_from_outside =
                value.vars().iter().all(|inner| !other.vars.contains(inner) && mentioned(inner));
            if !is_from_outside || nat.subst(&var, &value) != *wanted {
                return None;
            }
            told.push((var, value));
        }
        Some(told)
    }
}

/// Whether what is used is the same, where each has names of its own for what it declares.
fn are_alike<T: PartialEq>(
    [used, declared]: &[Vec<T>; 2],
    [other_used, other_declared]: &[Vec<T>; 2],
) -> bool {
    let place = |declared: &[T], name: &T| declared.iter().position(|own| own == name);
    used.iter().zip(other_used).all(|(a, b)| match (place(declared, a), place(other_declared, b)) {
        (None, None) => a == b,
        (a, b) => a == b,
    })
}

/// Whether two temporaries are alike; their lengths are among the naturals.
fn is_alike(a: &Buffer, b: &Buffer) -> bool {
    (&a.element, a.role, a.goes_round) == (&b.element, b.role, b.goes_round)
}

/// Makes the holes.
struct Holes<'p> {
    skeletons: &'p Skeletons<'p>,
    found: Skeleton,
}

impl Holes<'_> {
    fn register(&mut self, name: &mut Name, declares: bool) {
        let name = std::mem::replace(name, self.skeletons.holes.0.clone());
        self.found.registers[usize::from(declares)].push(name);
    }

    fn variable(&mut self, var: &mut NatVar) {
        self.found.vars.push(std::mem::replace(var, self.skeletons.holes.1.clone()));
    }

    fn buffer(&mut self, id: &mut BufferId, declares: bool) {
        let id = std::mem::replace(id, BufferId(0));
        self.found.buffers[usize::from(declares)].push(id);
    }
}

impl VisitMut for Holes<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        walk_stmt_mut(self, stmt);
        match stmt {
            Stmt::Comment(text) => text.clear(),
            Stmt::Let(name, ..) | Stmt::Var(name, ..) => self.register(name, true),
            Stmt::Set(name, _) => self.register(name, false),
            Stmt::LetNat(var, _) => self.variable(var),
            Stmt::For(inner) => self.variable(&mut inner.var),
            Stmt::Alloc(id) => {
                self.found.nats.push(self.skeletons.kernel.buffer(*id).len.clone());
                self.buffer(id, true);
            }
            Stmt::Swap(..) | Stmt::Lend(_) => self.found.is_whole = false,
            _ => {}
        }
    }

    fn value(&mut self, value: &mut Value) {
        walk_value_mut(self, value);
        if let Value::Var(name) = value {
            self.register(name, false);
        }
    }

    fn nat(&mut self, nat: &mut Nat) {
        self.found.nats.push(std::mem::replace(nat, Nat::lit(0)));
    }

    fn access(&mut self, access: &mut Access, _: bool) {
        self.nat(&mut access.index);
        self.buffer(&mut access.buffer, false);
    }
}
