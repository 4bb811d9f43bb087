//! A finite list of decisions; when it is used up every further decision is the first alternative.

/// Decisions to consume.
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    /// All decisions that a generator will ask for, in order.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Whether every further decision is the first alternative.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                usize::from(*first) % bound
            }
            None => 0,
        }
    }

    /// One of the alternatives.
    pub fn pick<T: Clone>(&mut self, alternatives: &[T]) -> T {
        alternatives[self.below(alternatives.len())].clone()
    }

    /// Yes or no; no when the list is used up.
    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }
}
