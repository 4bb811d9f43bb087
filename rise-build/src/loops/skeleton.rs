//! Loops that do the same, but for naturals and memory that one of them could be told.

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

    /// What a loop has to be told to do what another does.
    pub fn told(&self, one: &Skeleton, other: &Skeleton) -> Option<Told> {
        let is_like =
            one.is_whole && other.is_whole && one.counts() == other.counts() && one.body == other.body;
        if !is_like || !registers_are_alike(&one.registers, &other.registers) {
            return None;
        }
        Some(Told { buffers: self.buffers(one, other)?, naturals: one.values(other)? })
    }

    /// What stands in `other` for each buffer from outside, if everywhere the same does, which serves as well.
    fn buffers(&self, one: &Skeleton, other: &Skeleton) -> Option<Vec<(BufferId, BufferId)>> {
        let all = || one.buffers.iter().flatten().copied().zip(other.buffers.iter().flatten().copied());
        let mut told: Vec<(BufferId, BufferId)> = Vec::new();
        for (own, others) in all() {
            match told.iter().find(|(a, b)| *a == own || *b == others) {
                Some(found) if *found != (own, others) => return None,
                Some(_) => {}
                None => told.push((own, others)),
            }
        }
        let is_declared = |id: &BufferId, skeleton: &Skeleton| skeleton.buffers[1].contains(id);
        let serves = |(a, b): &(BufferId, BufferId)| {
            is_declared(a, one) == is_declared(b, other)
                && (a == b || is_alike(self.kernel.buffer(*a), self.kernel.buffer(*b)))
        };
        let all_serve = told.iter().all(serves);
        told.retain(|(a, b)| a != b && !is_declared(a, one));
        all_serve.then_some(told)
    }
}

/// What comes from outside of a loop, and what it is in another one.
pub struct Told {
    /// Naturals.
    pub naturals: Vec<(NatVar, Nat)>,
    /// Memory.
    pub buffers: Vec<(BufferId, BufferId)>,
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
        // What stands in formulas that cannot be solved may stand alone elsewhere.
        let mut unsolved: Vec<(Nat, &Nat)> = Vec::new();
        for (nat, wanted) in self.nats.iter().zip(&other.nats) {
            let nat = nat.subst_all(&declared).subst_all(&told);
            if nat == *wanted {
                continue;
            }
            let is_unknown = |var: &NatVar| !other.vars.contains(var) && !mentioned(var);
            let is_outside = |var: &NatVar| !other.vars.contains(var) && mentioned(var);
            if let Some(mut names) = renamed(&nat, wanted, &is_unknown, &is_outside) {
                told.append(&mut names);
                continue;
            }
            let Solution::Solved(var, value, _) = solve(&nat, wanted, &is_unknown) else {
                unsolved.push((nat, wanted));
                continue;
            };
            if !value.vars().iter().all(is_outside) || nat.subst(&var, &value) != *wanted {
                return None;
            }
            told.push((var, value));
        }
        unsolved.iter().all(|(nat, wanted)| nat.subst_all(&told) == **wanted).then_some(told)
    }
}

/// Which variables of `wanted` unknown ones are, if that is all: those that are called alike, and one that is not.
fn renamed(
    nat: &Nat,
    wanted: &Nat,
    is_unknown: &dyn Fn(&NatVar) -> bool,
    is_outside: &dyn Fn(&NatVar) -> bool,
) -> Option<Vec<(NatVar, Nat)>> {
    let mut others = wanted.vars();
    others.retain(is_outside);
    let (mut names, mut left) = (Vec::new(), Vec::new());
    for var in nat.vars().into_iter().filter(is_unknown) {
        match others.iter().find(|other| other.text() == var.text()) {
            Some(other) => names.push((var, Nat::var(other))),
            None => left.push(var),
        }
    }
    let nat = nat.subst_all(&names);
    if let [var] = &left[..] {
        let other = others.iter().map(Nat::var).find(|other| nat.subst(var, other) == *wanted)?;
        names.push((var.clone(), other));
        return Some(names);
    }
    (nat == *wanted).then_some(names)
}

/// Whether the same registers are used, where each has names of its own for those that it declares.
fn registers_are_alike(
    [used, declared]: &[Vec<Name>; 2],
    [other_used, other_declared]: &[Vec<Name>; 2],
) -> bool {
    let place = |declared: &[Name], name: &Name| declared.iter().position(|own| own == name);
    used.iter().zip(other_used).all(|(a, b)| match (place(declared, a), place(other_declared, b)) {
        (None, None) => a == b,
        (a, b) => a == b,
    })
}

/// Whether one buffer may stand for another; the lengths of temporaries are among the naturals. (Constants are in scope
/// everywhere, and passed to nobody.)
fn is_alike(a: &Buffer, b: &Buffer) -> bool {
    a.role != Role::Constant && (&a.element, a.role, a.goes_round) == (&b.element, b.role, b.goes_round)
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
