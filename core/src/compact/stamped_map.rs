//! A map from small numbers to values that is cleared in constant time: each entry has the turn in which it was set.

/// A map from small numbers to values.
#[derive(Clone, Debug)]
pub struct StampedMap<T> {
    entries: Vec<(u32, T)>,
    /// The current turn. Entries of other turns do not count.
    turn: u32,
}

impl<T: Copy + Default> StampedMap<T> {
    /// Creates a map for the numbers below `count`.
    pub fn new(count: usize) -> Self {
        Self { entries: vec![(0, T::default()); count], turn: 1 }
    }

    pub fn get(&self, number: usize) -> Option<T> {
        let &(turn, value) = self.entries.get(number)?;
        (turn == self.turn).then_some(value)
    }

    /// Sets an entry, and returns the former value.
    pub fn set(&mut self, number: usize, value: T) -> Option<T> {
        let entry = self.entries.get_mut(number)?;
        let (turn, before) = std::mem::replace(entry, (self.turn, value));
        (turn == self.turn).then_some(before)
    }

    pub fn remove(&mut self, number: usize) -> Option<T> {
        let turn = self.turn;
        let entry = self.entries.get_mut(number).filter(|entry| entry.0 == turn)?;
        entry.0 = 0;
        Some(entry.1)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        if let Some(turn) = self.turn.checked_add(1) {
            self.turn = turn;
        } else {
            self.entries.fill((0, T::default()));
            self.turn = 1;
        }
    }
}
