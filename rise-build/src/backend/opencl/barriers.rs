//! Where work-items of a group wait for each other.
//!
//! In: the statements of a launch. Out: the same with barriers. A barrier stands before a statement that
//! touches what another work-item may have written since the last one (or writes what another may still
//! read), and at the end of a loop whose next iteration would. Places are uniform: outside of `mapLocal`, where
//! all work-items of a group come by equally often. Elements that the same work-item touches in two loops of
//! equal form need none; this is proved by index arithmetic or not believed. A dependence inside `mapLocal`
//! cannot be waited for and is reported.

use crate::loops::walk;
use crate::loops::{Access, Block, BufferId, Kernel, Loop, LoopKind, Role, Stmt, Value, iterating};
use crate::nat::{Facts, Nat, NatVar};

/// Places barriers; what cannot be waited for is returned in words.
pub fn place(kernel: &Kernel, block: &mut Block) -> Result<(), String> {
    let mut placer = Placer { kernel, facts: kernel.facts.clone(), around: Vec::new(), wrong: None };
    placer.uniform(block, &mut Vec::new());
    placer.wrong.map_or(Ok(()), Err)
}

/// An access of the work-items of a group.
#[derive(Clone)]
struct Touch {
    buffer: BufferId,
    write: bool,
    /// Unknown for gathers.
    index: Option<Nat>,
    lanes: u32,
    /// The loops over work-items around it; none means that all of them come by.
    items: Vec<(u8, NatVar, Nat)>,
    /// Loops around those that have been left: iterations of any number.
    rounds: Vec<(NatVar, Nat)>,
    /// Loops inside those.
    inner: Vec<(NatVar, Nat)>,
}

struct Placer<'k> {
    kernel: &'k Kernel,
    facts: Facts,
    /// The loops around, which all work-items run equally often.
    around: Vec<(NatVar, Nat)>,
    wrong: Option<String>,
}

/// Accesses since the last barrier, and whether there was one.
type Pending = Vec<Touch>;

impl Placer<'_> {
    /// A block that all work-items run. Returns the accesses before its first barrier.
    fn uniform(&mut self, block: &mut Block, pending: &mut Pending) -> (Pending, bool) {
        let (mut head, mut waited) = (Pending::new(), false);
        let mut out = Block::with_capacity(block.len());
        for mut stmt in std::mem::take(block) {
            let (first, inside) = self.first(&stmt);
            if let Some(barrier) = self.barrier(pending, &first) {
                out.push(barrier);
                pending.clear();
                waited = true;
            }
            if !waited {
                head.extend(first.iter().cloned());
            }
            match &mut stmt {
                Stmt::For(looped) if is_uniform(looped) => self.looped(looped, pending),
                Stmt::If(_, then, otherwise) => {
                    let mut second = pending.clone();
                    self.uniform(then, pending);
                    self.uniform(otherwise, &mut second);
                    pending.extend(second);
                }
                Stmt::Block(inner) => {
                    self.uniform(inner, pending);
                }
                Stmt::For(looped) => {
                    self.apart(&looped.body);
                    pending.extend(first);
                }
                _ => pending.extend(first),
            }
            waited |= inside;
            out.push(stmt);
        }
        *block = out;
        (head, waited)
    }

    /// A loop that all work-items run equally often.
    fn looped(&mut self, looped: &mut Loop, pending: &mut Pending) {
        let before = pending.clone();
        let (head, _) = self.iteration(looped, pending);
        leave(looped, pending);
        // Groups work on different elements, but in the same local memory.
        let reused = |touch: &&Touch| {
            looped.kind == LoopKind::Seq || self.kernel.buffer(touch.buffer).role == Role::Local
        };
        let [after, next] =
            [&*pending, &head].map(|touches| touches.iter().filter(reused).cloned().collect::<Pending>());
        if let Some(barrier) = self.barrier(&after, &next) {
            looped.body.push(barrier);
            pending.clear();
        }
        // It may not run at all.
        pending.extend(before);
    }

    /// An iteration of such a loop, with what it touches before its first barrier, and whether it has one inside.
    fn iteration(&mut self, looped: &mut Loop, pending: &mut Pending) -> (Pending, bool) {
        let inside = iterating(&self.facts, looped);
        let facts = std::mem::replace(&mut self.facts, inside);
        self.around.push((looped.var.clone(), looped.count.clone()));
        let (mut head, waited) = self.uniform(&mut looped.body, pending);
        self.around.pop();
        self.facts = facts;
        leave(looped, &mut head);
        (head, waited)
    }

    /// What a statement touches before its first barrier, and whether it has one inside.
    fn first(&mut self, stmt: &Stmt) -> (Pending, bool) {
        match stmt {
            Stmt::For(looped) if is_uniform(looped) => {
                self.iteration(&mut looped.clone(), &mut Pending::new())
            }
            Stmt::If(_, then, otherwise) => {
                let (mut head, a) = self.uniform(&mut then.clone(), &mut Pending::new());
                let (other, b) = self.uniform(&mut otherwise.clone(), &mut Pending::new());
                head.extend(other);
                (head, a && b)
            }
            Stmt::Block(inner) => self.uniform(&mut inner.clone(), &mut Pending::new()),
            other => (self.touches(std::slice::from_ref(other)), false),
        }
    }

    fn touches(&self, block: &[Stmt]) -> Pending {
        let mut found = Vec::new();
        self.collect(block, &mut Vec::new(), &mut Vec::new(), &mut found);
        // What is computed on the way may be different for each work-item.
        let computed = naturals(block);
        for touch in &mut found {
            touch.index =
                touch.index.take().filter(|index| !index.mentions_any(&|var| computed.contains(var)));
        }
        found
    }

    fn collect(
        &self,
        block: &[Stmt],
        items: &mut Vec<(u8, NatVar, Nat)>,
        inner: &mut Vec<(NatVar, Nat)>,
        found: &mut Pending,
    ) {
        for stmt in block {
            match stmt {
                Stmt::For(looped) => {
                    let (var, count) = (looped.var.clone(), looped.count.clone());
                    if let LoopKind::Local(d) = looped.kind {
                        items.push((d, var, count));
                        self.collect(&looped.body, items, inner, found);
                        items.pop();
                    } else {
                        inner.push((var, count));
                        self.collect(&looped.body, items, inner, found);
                        inner.pop();
                    }
                }
                Stmt::If(condition, then, otherwise) => {
                    self.values(condition, items, inner, found);
                    self.collect(then, items, inner, found);
                    self.collect(otherwise, items, inner, found);
                }
                Stmt::Block(block) => self.collect(block, items, inner, found),
                Stmt::Swap(a, b) => {
                    for buffer in [*a, *b] {
                        let (items, inner) = (items.clone(), inner.clone());
                        let rounds = Vec::new();
                        found.push(Touch {
                            buffer,
                            write: true,
                            index: None,
                            lanes: 1,
                            items,
                            rounds,
                            inner,
                        });
                    }
                }
                other => {
                    let mut gathered = Vec::new();
                    walk::values(std::slice::from_ref(other), &mut |value| {
                        if let Value::Gather(access, ..) = value {
                            gathered.push(access.clone());
                        }
                    });
                    walk::accesses(std::slice::from_ref(other), &mut |access, write| {
                        self.touch(access, write, gathered.contains(access), items, inner, found);
                    });
                }
            }
        }
    }

    fn values(
        &self,
        value: &Value,
        items: &[(u8, NatVar, Nat)],
        inner: &[(NatVar, Nat)],
        found: &mut Pending,
    ) {
        let stmt = Stmt::LetNat(NatVar::new("_"), value.clone());
        walk::accesses(&[stmt], &mut |access, write| self.touch(access, write, true, items, inner, found));
    }

    fn touch(
        &self,
        access: &Access,
        write: bool,
        unknown: bool,
        items: &[(u8, NatVar, Nat)],
        inner: &[(NatVar, Nat)],
        found: &mut Pending,
    ) {
        // Nothing writes inputs, and what is private is nobody else's.
        if matches!(self.kernel.buffer(access.buffer).role, Role::Input | Role::Constant | Role::Stack) {
            return;
        }
        found.push(Touch {
            buffer: access.buffer,
            write,
            index: (!unknown).then(|| access.index.clone()),
            lanes: access.lanes,
            items: items.to_vec(),
            rounds: Vec::new(),
            inner: inner.to_vec(),
        });
    }

    /// The barrier between two sets of accesses, if one is needed.
    fn barrier(&self, before: &[Touch], after: &[Touch]) -> Option<Stmt> {
        let (mut local, mut global) = (false, false);
        for b in after {
            for a in before.iter().filter(|a| a.buffer == b.buffer && (a.write || b.write)) {
                let in_local = self.kernel.buffer(b.buffer).role == Role::Local;
                if (if in_local { local } else { global }) || self.same_item(a, b) {
                    continue;
                }
                *(if in_local { &mut local } else { &mut global }) = true;
            }
        }
        (local || global).then_some(Stmt::Barrier { local, global })
    }

    /// Whether elements that both touch are touched by one work-item.
    fn same_item(&self, a: &Touch, b: &Touch) -> bool {
        // Writes of all work-items are done by the first one, and so are two in a row.
        if a.items.is_empty() && b.items.is_empty() {
            return a.write && b.write;
        }
        if self.apart_in_memory(a, b) {
            return true;
        }
        // The loops around are in the same iteration for both, or else do not matter.
        self.same_owner(a, b, &[]) || self.same_owner(a, b, &self.around)
    }

    /// Whether all that one touches lies in front of all that the other touches.
    fn apart_in_memory(&self, a: &Touch, b: &Touch) -> bool {
        let (Some(first), Some(second)) = (&a.index, &b.index) else { return false };
        let mut facts = self.facts.clone();
        let mut renamed = Vec::new();
        for touch in [a, b] {
            let items = touch.items.iter().map(|(_, var, count)| (var, count));
            let loops = touch.rounds.iter().chain(&touch.inner).map(|(var, count)| (var, count));
            for (var, count) in items.chain(loops) {
                // Two iterations of one loop are two variables.
                let own = if std::ptr::eq(touch, a) { var.clone() } else { NatVar::new(var.text()) };
                facts.range(&own, &Nat::lit(0), count);
                renamed.push((var.clone(), Nat::var(&own)));
            }
            if std::ptr::eq(touch, a) {
                renamed.clear();
            }
        }
        let second = second.subst_all(&renamed);
        let ends = |touch: &Touch, index: &Nat| index + i64::from(touch.lanes) - 1;
        facts.proves_lt(&ends(a, first), &second) || facts.proves_lt(&ends(b, &second), first)
    }

    fn same_owner(&self, a: &Touch, b: &Touch, around: &[(NatVar, Nat)]) -> bool {
        let (Some(first), Some(second)) = (self.owner(a, around), self.owner(b, around)) else {
            return false;
        };
        first.shared == second.shared
            && a.items.len() == b.items.len()
            && a.items.iter().all(|(d, _, count)| {
                let Some((_, _, other)) = b.items.iter().find(|(other, ..)| other == d) else { return false };
                self.agree((&first, count), (&second, other), *d)
            })
    }

    /// Whether two ways to find a dimension's iteration in an index give the same one.
    fn agree(&self, a: (&Owner, &Nat), b: (&Owner, &Nat), d: u8) -> bool {
        let (Some((factor_a, above_a)), Some((factor_b, above_b))) = (a.0.digit(d), b.0.digit(d)) else {
            return false;
        };
        let fits = |count: &Nat, above: &Nat| self.facts.proves_le(&(count * factor_a), above);
        factor_a == factor_b
            && match (above_a, above_b) {
                (Some(a), Some(b)) => a == b,
                (None, Some(above)) => fits(a.1, above),
                (Some(above), None) => fits(b.1, above),
                (None, None) => true,
            }
    }

    /// How an index tells its work-item; none where two work-items might have the same index.
    fn owner(&self, touch: &Touch, around: &[(NatVar, Nat)]) -> Option<Owner> {
        let index = touch.index.as_ref()?;
        let mut facts = self.facts.clone();
        let loops = || touch.rounds.iter().chain(&touch.inner).chain(around).map(|(var, count)| (var, count));
        for (var, count) in touch.items.iter().map(|(_, var, count)| (var, count)).chain(loops()) {
            facts.range(var, &Nat::lit(0), count);
        }
        // What is the same for all work-items; the rest is taken apart, the greatest factor first.
        let items = touch.items.iter().map(|(d, var, _)| (Some(*d), var.clone()));
        let mut left: Vec<(Option<u8>, NatVar)> =
            items.chain(loops().map(|(var, _)| (None, var.clone()))).collect();
        let zeros: Vec<(NatVar, Nat)> = left.iter().map(|(_, var)| (var.clone(), Nat::lit(0))).collect();
        let shared = index.subst_all(&zeros);
        let mut rest = index - &shared;
        let mut digits = Vec::new();
        while left.iter().any(|(d, _)| d.is_some()) {
            let found = left.iter().enumerate().find_map(|(at, (_, var))| {
                let (factor, other) = rest.affine_in(var)?;
                let fits = !factor.is_zero()
                    && facts.proves_ge0(&other)
                    && facts.proves_lt(&(&other + i64::from(touch.lanes) - 1), &factor);
                fits.then_some((at, factor, other))
            });
            let (at, factor, other) = found?;
            digits.push((left.remove(at).0, factor));
            rest = other;
        }
        Some(Owner { digits, shared })
    }

    /// Dependences between work-items inside a loop over work-items.
    fn apart(&mut self, body: &Block) {
        let mut nested = false;
        walk::stmts(body, &mut |stmt| {
            nested |= matches!(stmt, Stmt::For(looped) if matches!(looped.kind, LoopKind::Local(_)));
        });
        if !nested || self.wrong.is_some() {
            return;
        }
        let mut before: Pending = Vec::new();
        for stmt in body {
            let touched = self.touches(std::slice::from_ref(stmt));
            if self.barrier(&before, &touched).is_some() {
                self.wrong =
                    Some("work-items that would have to wait for each other inside `mapLocal`".into());
            }
            before.extend(touched);
        }
    }
}

/// Whether all work-items of the group run it equally often.
fn is_uniform(looped: &Loop) -> bool {
    !matches!(looped.kind, LoopKind::Local(_) | LoopKind::Global(_))
}

/// How an index tells its work-item.
struct Owner {
    /// Factors from the greatest on, of dimensions of work-items and of other loops.
    digits: Vec<(Option<u8>, Nat)>,
    /// What is the same for all work-items.
    shared: Nat,
}

impl Owner {
    /// The factor of a dimension, and the one above it.
    fn digit(&self, d: u8) -> Option<(&Nat, Option<&Nat>)> {
        let at = self.digits.iter().position(|(other, _)| *other == Some(d))?;
        let above = at.checked_sub(1).map(|above| &self.digits[above].1);
        Some((&self.digits[at].1, above))
    }
}

/// Accesses of a loop that has been left: of any of its iterations.
fn leave(looped: &Loop, touches: &mut Pending) {
    let computed = naturals(&looped.body);
    for touch in touches {
        touch.rounds.push((looped.var.clone(), looped.count.clone()));
        touch.index = touch.index.take().filter(|index| !index.mentions_any(&|var| computed.contains(var)));
    }
}

/// What is computed by statements inside.
fn naturals(block: &[Stmt]) -> Vec<NatVar> {
    let mut found = Vec::new();
    walk::stmts(block, &mut |stmt| {
        if let Stmt::LetNat(var, _) = stmt {
            found.push(var.clone());
        }
    });
    found
}
