//! What is noted about each of many small numbers, and forgotten of all at once.

/// A cell for each number.
#[derive(Clone, Debug)]
pub struct Cells<T> {
    cells: Vec<(u32, T)>,
    /// What was written in another turn is forgotten.
    turn: u32,
}

impl<T: Copy + Default> Cells<T> {
    /// Cells for the numbers below `count`.
    pub fn new(count: usize) -> Self {
        Self { cells: vec![(0, T::default()); count], turn: 1 }
    }

    pub fn get(&self, number: usize) -> Option<T> {
        let &(turn, value) = self.cells.get(number)?;
        (turn == self.turn).then_some(value)
    }

    /// Sets a cell, and returns what was there.
    pub fn set(&mut self, number: usize, value: T) -> Option<T> {
        let cell = self.cells.get_mut(number)?;
        let (turn, before) = std::mem::replace(cell, (self.turn, value));
        (turn == self.turn).then_some(before)
    }

    pub fn remove(&mut self, number: usize) -> Option<T> {
        let turn = self.turn;
        let cell = self.cells.get_mut(number).filter(|cell| cell.0 == turn)?;
        cell.0 = 0;
        Some(cell.1)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if let Some(turn) = self.turn.checked_add(1) {
            self.turn = turn;
        } else {
            self.cells.fill((0, T::default()));
            self.turn = 1;
        }
    }
}
