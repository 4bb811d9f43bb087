//! Tables by number, and numbers for what has none.

use std::hash::Hasher;

/// Values for names, variables or buffers, by their numbers. Those of one kernel lie close together, so that a place for
/// each takes less time than a search.
#[derive(Clone, Debug)]
pub struct Table<T> {
    /// The number of the first place.
    first: u32,
    places: Vec<Option<T>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { first: 0, places: Vec::new() }
    }
}

impl<T> Table<T> {
    /// The value of a number.
    pub fn get(&self, id: u32) -> Option<&T> {
        self.places.get(id.wrapping_sub(self.first) as usize)?.as_ref()
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        self.places.get_mut(id.wrapping_sub(self.first) as usize)?.as_mut()
    }

    /// All values, in order of their numbers.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.places.iter().flatten()
    }

    /// The place of a number's value.
    pub fn place(&mut self, id: u32) -> &mut Option<T> {
        if self.places.is_empty() {
            self.first = id;
        }
        if id < self.first {
            let more = (self.first - id) as usize;
            self.places.splice(..0, std::iter::repeat_with(|| None).take(more));
            self.first = id;
        }
        let at = (id - self.first) as usize;
        if at >= self.places.len() {
            self.places.resize_with(at + 1, || None);
        }
        &mut self.places[at]
    }
}

/// A number that mostly tells one sequence of numbers from another; the same in every run.
#[derive(Clone, Copy, Default)]
pub struct Digest(u64);

impl Hasher for Digest {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, part: u64) {
        self.0 = (self.0 ^ part).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn numbers_come_in_any_order() {
        let mut table = Table::default();
        let numbers = [7, 3, 3000, 4, 0, u32::MAX - 1];
        for id in &numbers[..5] {
            assert_eq!(table.get(*id), None);
            *table.place(*id) = Some(*id + 1);
        }
        for id in &numbers[..5] {
            assert_eq!(table.get(*id), Some(&(*id + 1)));
        }
        assert_eq!(table.get(5), None);
        assert_eq!(table.get(numbers[5]), None);
        assert_eq!(table.values().copied().collect::<Vec<u32>>(), [1, 4, 5, 8, 3001]);
        *table.place(7) = None;
        assert_eq!(table.get(7), None);
    }
}
