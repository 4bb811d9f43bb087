//! Folds side by side whose accumulators are registers, and where their results go.

use crate::names::Name;

use super::super::super::ir::*;
use super::super::super::walk;
use super::super::transpose::only_loop;

/// Registers, a loop that folds into them, and what is written after it.
pub struct Tile<'a> {
    /// The loop.
    pub fold: &'a Loop,
    /// Where it stands in its block.
    pub at: usize,
    /// The registers that it sets.
    accumulators: Vec<(&'a Name, ValueType)>,
    /// What is made of each.
    stores: Vec<Written>,
    /// Where these are to a small array: loops that write results, and what they make of each element of it.
    results: Option<(&'a Loop, Written)>,
}

/// A store.
struct Written {
    to: Access,
    /// What comes from the fold: a register, or an element of the array.
    from: Value,
    /// Whether nothing is made of that.
    as_it_is: bool,
}

impl<'a> Tile<'a> {
    /// The tile that a block is, if it is one.
    pub fn of(body: &'a [Stmt]) -> Option<Tile<'a>> {
        use Stmt::{Alloc, Comment, For, Let, LetNat, Set, Var};
        let at = body.iter().position(|stmt| matches!(stmt, For(_)))?;
        let (before, For(fold), after) = (&body[..at], &body[at], &body[at + 1..]) else { return None };
        let register = |stmt: &'a Stmt| match stmt {
            Var(name, ty, _) => Some((name, *ty)),
            _ => None,
        };
        let registers: Vec<_> = before.iter().filter_map(register).collect();
        let is_own =
            |stmt: &Stmt| matches!(stmt, Set(name, _) if registers.iter().any(|(own, _)| *own == name));
        let is_set = |name: &Name| fold.body.iter().any(|stmt| matches!(stmt, Set(set, _) if set == name));
        let starts = |stmt: &Stmt| {
            is_own(stmt) || matches!(stmt, Alloc(_) | Comment(_) | Var(..) | Let(..) | LetNat(..))
        };
        let steps = |stmt: &Stmt| is_own(stmt) || matches!(stmt, Comment(_) | Let(..));
        if fold.kind != LoopKind::Seq || !before.iter().all(starts) || !fold.body.iter().all(steps) {
            return None;
        }
        let accumulators: Vec<_> = registers.iter().copied().filter(|(name, _)| is_set(name)).collect();
        let mut tile = Tile { fold, at, accumulators, stores: Vec::new(), results: None };
        tile.ends(after)?;
        let once = |name: &Name| {
            let of = |store: &&Written| matches!(&store.from, Value::Var(of) if of == name);
            tile.stores.iter().filter(of).count() == 1
        };
        tile.accumulators.iter().all(|(name, _)| once(name)).then_some(tile)
    }

    /// Takes in what is written behind the fold.
    fn ends(&mut self, after: &'a [Stmt]) -> Option<()> {
        let mut names: Vec<(&Name, &Name)> =
            self.accumulators.iter().map(|(name, _)| (*name, *name)).collect();
        for stmt in after.iter().filter(|stmt| !matches!(stmt, Stmt::Comment(_))) {
            match stmt {
                _ if self.results.is_some() => return None,
                // Another name for it.
                Stmt::Set(name, Value::Var(of)) => {
                    let (_, of) = *names.iter().find(|(name, _)| *name == of)?;
                    names.push((name, of));
                }
                Stmt::Store(to, value) => {
                    let used = walk::reads(std::slice::from_ref(stmt));
                    let mut of = names.iter().filter(|(name, _)| used.get(name.id()).is_some());
                    let (Some((_, of)), None) = (of.next(), of.next()) else { return None };
                    let (from, as_it_is) = (Value::Var((*of).clone()), matches!(value, Value::Var(_)));
                    self.stores.push(Written { to: to.clone(), from, as_it_is });
                }
                Stmt::For(loops) => {
                    let array = self.stores.first()?.to.buffer;
                    let same = |store: &Written| store.as_it_is && store.to.buffer == array;
                    self.results =
                        Some((loops, written(loops, array)?)).filter(|_| self.stores.iter().all(same));
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Whether accumulators can wait where results will be, in buffers for which that holds: `moves` says whether all
    /// loops around write elsewhere in each iteration.
    pub fn may_stop(
        &self,
        buffers: &[Buffer],
        is_free: &dyn Fn(BufferId) -> bool,
        moves: &dyn Fn(&Access) -> bool,
    ) -> bool {
        let ty = |access: &Access| {
            let scalar = buffers[access.buffer.0 as usize].scalar(&access.path);
            ValueType { scalar, lanes: access.lanes }
        };
        let fits = |store: &Written| match &store.from {
            Value::Var(name) => self.accumulators.contains(&(name, ty(&store.to))),
            Value::Load(from) => ty(from) == ty(&store.to),
            _ => false,
        };
        let can_wait = |store: &Written| fits(store) && is_free(store.to.buffer) && moves(&store.to);
        match &self.results {
            None => self.stores.iter().all(can_wait),
            Some((loops, result)) => {
                let each = nest(loops).0.into_iter().all(|looped| is_elsewhere(&result.to, looped));
                self.stores.iter().all(fits) && can_wait(result) && each
            }
        }
    }

    /// Fetches the accumulators from there.
    pub fn resumed(&self) -> Block {
        let back = self.results.iter().filter_map(|(loops, result)| match &result.from {
            Value::Load(from) => {
                Some(with_body(loops, Stmt::Store(from.clone(), Value::Load(result.to.clone()))))
            }
            _ => None,
        });
        let set = self.stores.iter().filter_map(|store| match &store.from {
            Value::Var(name) => Some(Stmt::Set(name.clone(), Value::Load(store.to.clone()))),
            _ => None,
        });
        back.chain(set).collect()
    }

    /// Stores them there, unless they are the results.
    pub fn stopped(&self) -> Option<Block> {
        let as_it_is = |store: &Written| Stmt::Store(store.to.clone(), store.from.clone());
        if self.results.is_none() && self.stores.iter().all(|store| store.as_it_is) {
            return None;
        }
        let results = self.results.iter().map(|(loops, result)| with_body(loops, as_it_is(result)));
        Some(self.stores.iter().map(as_it_is).chain(results).collect())
    }
}

/// Whether each iteration of a loop writes elsewhere.
pub fn is_elsewhere(to: &Access, looped: &Loop) -> bool {
    to.index.affine_in(&looped.var).is_some_and(|(step, _)| !step.is_zero())
}

/// The loops around what a loop does, from itself inwards, and that.
pub fn nest(outer: &Loop) -> (Vec<&Loop>, &Block) {
    let (mut loops, mut body) = (vec![outer], &outer.body);
    while let Some(inner) = only_loop(body) {
        loops.push(inner);
        body = &inner.body;
    }
    (loops, body)
}

/// Whether a loop is one over a known number.
pub fn is_known(looped: &Loop) -> bool {
    matches!(looped.kind, LoopKind::Seq | LoopKind::Par) && looped.count.as_const().is_some()
}

/// What loops do, if that is to write what is made of one element of an array.
fn written(loops: &Loop, array: BufferId) -> Option<Written> {
    let (around, body) = nest(loops);
    let straight = |stmt: &Stmt| matches!(stmt, Stmt::Comment(_) | Stmt::Let(..) | Stmt::Store(..));
    let mut stores = body.iter().filter_map(|stmt| match stmt {
        Stmt::Store(to, _) => Some(to),
        _ => None,
    });
    let (Some(to), None) = (stores.next(), stores.next()) else { return None };
    let mut loads = Vec::new();
    walk::values(body, &mut |value| match value {
        Value::Load(from) | Value::Gather(from, ..) if from.buffer == array => loads.push(value.clone()),
        _ => {}
    });
    match (<[Value; 1]>::try_from(loads), around.into_iter().all(is_known) && body.iter().all(straight)) {
        (Ok([from]), true) => Some(Written { to: to.clone(), from, as_it_is: false }),
        _ => None,
    }
}

/// The loops around another statement.
fn with_body(loops: &Loop, body: Stmt) -> Stmt {
    let inner = match only_loop(&loops.body) {
        Some(inner) => with_body(inner, body),
        None => body,
    };
    Stmt::For(Loop { kind: LoopKind::Seq, body: vec![inner], ..loops.clone() })
}
