//! Names of naturals: equal by number, printed by text.
//!
//! Numbers come from a counter of this thread and only order variables among themselves; no output depends
//! on their absolute value. Numbers from [`BOUND`] up belong to the bound variables of sums, and number 0 to what a
//! device knows.

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The first number of the variables that [`Nat::sum`](super::Nat::sum) binds.
const BOUND: u32 = u32::MAX - 0xFFFF;

/// The number of [`NatVar::in_step`].
const IN_STEP: u32 = 0;

/// The number of the first variable of a thread.
const FIRST: u32 = IN_STEP + 1;

/// What [`NatVar::in_step`] is where there is no device.
pub(super) const IN_STEP_OF_GPU: i128 = 32;

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(FIRST) };
}

/// A variable that stands for a natural.
#[derive(Clone)]
pub struct NatVar(Arc<Name>);

struct Name {
    text: Box<str>,
    id: u32,
}

impl NatVar {
    /// A variable different from all others of this thread, printed as `text`.
    pub fn new(text: &str) -> Self {
        let id = NEXT.get();
        NEXT.set(((id + 1) % BOUND).max(FIRST));
        Self::with_id(text, id)
    }

    /// The number of the next variable of this thread.
    pub(crate) fn given() -> u32 {
        NEXT.get()
    }

    /// Gives the next variable of this thread that number.
    pub(crate) fn go_on(next: u32) {
        NEXT.set(next);
    }

    /// How many work-items of a device run in step, so that those beside each other read as one: [some](IN_STEP_OF_GPU)
    /// on a GPU, 1 on a CPU. The host knows it, and no kernel; where nothing is run on a device it is that of a GPU.
    pub fn in_step() -> Self {
        Self::with_id("inStep", IN_STEP)
    }

    /// Whether it is that of a device.
    pub fn is_in_step(&self) -> bool {
        self.0.id == IN_STEP
    }

    /// The bound variable of a sum that holds `level` sums below it.
    pub(super) fn bound(level: u32) -> Self {
        let level = level.min(0xFFFF);
        Self::with_id(&format!("s{level}"), BOUND + level)
    }

    /// How many sums stand below the one that binds this variable, if a sum binds it.
    pub fn bound_level(&self) -> Option<u32> {
        self.0.id.checked_sub(BOUND)
    }

    fn with_id(text: &str, id: u32) -> Self {
        Self(Arc::new(Name { text: text.into(), id }))
    }

    /// How users know this variable.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The number that tells this variable from others of the same text.
    pub fn id(&self) -> u32 {
        self.0.id
    }
}

impl PartialEq for NatVar {
    fn eq(&self, other: &Self) -> bool {
        self.0.id == other.0.id
    }
}

impl Eq for NatVar {}

impl PartialOrd for NatVar {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NatVar {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.id.cmp(&other.0.id)
    }
}

impl Hash for NatVar {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl fmt::Display for NatVar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for NatVar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.0.text, self.0.id)
    }
}
