//! The plan of a compaction: which rows stay, and which are joined.

/// The actions on the rows of a table, in order.
#[derive(Clone, Debug, Default)]
pub struct CompactionPlan {
    actions: Vec<(Action, usize)>,
    /// The rows of all actions, one after the other.
    rows: Vec<usize>,
}

/// The action on one or more rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// One row stays unchanged.
    Keep,
    /// Starts of one stream become the first of them, with the metadata of all. The last row of the action is the start whose name
    /// a call gets.
    Start,
    /// Deltas of one stream and tag become one. Starts between them add only metadata.
    Delta,
    /// A state and its deltas become one state.
    State,
}

impl Action {
    /// All actions, in the order of their numbers for hosts.
    pub const ALL: [Self; 4] = [Self::Keep, Self::Start, Self::Delta, Self::State];
}

impl CompactionPlan {
    /// Creates an empty plan with room for this many rows.
    pub(super) fn with_capacity(rows: usize) -> Self {
        Self { actions: Vec::with_capacity(rows), rows: Vec::with_capacity(rows) }
    }

    pub(super) fn keep(&mut self, row: usize) {
        self.add(Action::Keep, [row]);
    }

    pub(super) fn add(&mut self, action: Action, rows: impl IntoIterator<Item = usize>) {
        self.rows.extend(rows);
        self.actions.push((action, self.rows.len()));
    }

    /// Returns each action with its rows.
    pub fn actions(&self) -> impl Iterator<Item = (Action, &[usize])> {
        let mut start = 0;
        self.actions.iter().map(move |&(action, end)| {
            let rows = &self.rows[start..end];
            start = end;
            (action, rows)
        })
    }

    /// True if every event comes after the events that were before it.
    pub(super) fn is_in_order(&self) -> bool {
        let mut last = None;
        self.actions().all(|(action, rows)| {
            // The row with the name is also among those of a start or of the delta after it.
            let rows = if action == Action::Start { &rows[..rows.len() - 1] } else { rows };
            rows.iter().all(|&row| last.replace(row).is_none_or(|before| before < row))
        })
    }

    /// Writes the plan as numbers, for hosts that handed over numbers: for each action `number of the action + 4 * count`, then its
    /// rows. Adjacent rows that stay are one action with only the first row.
    pub fn write(&self, out: &mut Vec<u32>) {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let mut kept: Option<(usize, usize)> = None;
        for (action, rows) in self.actions() {
            match (action, kept) {
                (Action::Keep, Some((head, next))) if rows == [next] => {
                    out[head] += 4;
                    kept = Some((head, next + 1));
                }
                (Action::Keep, _) => {
                    kept = Some((out.len(), rows[0] + 1));
                    out.extend([4, number(rows[0])]);
                }
                _ => {
                    kept = None;
                    out.push(action as u32 + 4 * number(rows.len()));
                    out.extend(rows.iter().map(|&row| number(row)));
                }
            }
        }
    }
}
