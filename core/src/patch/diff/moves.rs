//! Computes the operations that put the items of a list in order.

use super::align::Origin;

/// An operation on a list. Its indexes refer to the list as the earlier operations have left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListEdit {
    /// Removes an item.
    Remove(usize),
    /// Inserts the new item of this index.
    Add(usize, usize),
    /// Moves an item.
    Move(usize, usize),
}

/// Returns the steps that turn a list of `length` items into the list whose items come from `sources`: removals from
/// the end, then insertions and moves from the front.
pub fn steps(length: usize, sources: &[Origin]) -> Vec<ListEdit> {
    let mut list = List::new(length, sources);
    let mut steps: Vec<ListEdit> =
        (0..length).rev().filter(|old| list.is_removed[*old]).map(ListEdit::Remove).collect();
    for (index, source) in sources.iter().enumerate() {
        match *source {
            Origin::Kept(old) => list.pass(old, index),
            Origin::New => steps.push(ListEdit::Add(list.place(index), index)),
            Origin::Moved(old) => {
                let from = list.position(old, index);
                list.waiting.retain(|other| *other != old);
                let to = list.place(index);
                if from != to {
                    steps.push(ListEdit::Move(from, to));
                }
            }
        }
    }
    steps
}

/// The list while it is put in order from the front. The ordered part ends with the item placed last; items that
/// wait to be moved are still between the kept ones.
struct List {
    is_removed: Vec<bool>,
    /// For each old index, the number of kept items before it.
    kept_before: Vec<usize>,
    /// Old indexes of the items that wait to be moved, in order.
    waiting: Vec<usize>,
    /// For each old item that was passed over, the number of ordered items before it.
    passed_at: Vec<usize>,
    /// Every old item before this index is in order or was passed over.
    passed: usize,
}

impl List {
    fn new(length: usize, sources: &[Origin]) -> Self {
        let mut is_removed = vec![true; length];
        let mut kept_before = vec![0; length + 1];
        let mut waiting = Vec::new();
        for source in sources {
            match *source {
                Origin::Kept(old) => {
                    is_removed[old] = false;
                    kept_before[old + 1] = 1;
                }
                Origin::Moved(old) => {
                    is_removed[old] = false;
                    waiting.push(old);
                }
                Origin::New => {}
            }
        }
        waiting.sort_unstable();
        for old in 0..length {
            kept_before[old + 1] += kept_before[old];
        }
        Self { is_removed, kept_before, waiting, passed_at: vec![0; length], passed: 0 }
    }

    /// Makes the kept item `old` the item at `index`. Passes over the waiting items before it.
    fn pass(&mut self, old: usize, index: usize) {
        for waiting in &self.waiting[self.waiting_before(self.passed)..self.waiting_before(old)] {
            self.passed_at[*waiting] = index;
        }
        self.passed = old + 1;
    }

    /// Returns the place for the new item of `index`: after the ordered ones.
    fn place(&self, index: usize) -> usize {
        index + self.waiting_before(self.passed)
    }

    /// Returns the place of the waiting item `old` when `index` items are in order.
    fn position(&self, old: usize, index: usize) -> usize {
        let in_order = if old < self.passed {
            self.passed_at[old]
        } else {
            index + self.kept_before[old] - self.kept_before[self.passed]
        };
        in_order + self.waiting_before(old)
    }

    fn waiting_before(&self, old: usize) -> usize {
        self.waiting.partition_point(|waiting| *waiting < old)
    }
}
