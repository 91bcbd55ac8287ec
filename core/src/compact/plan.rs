//! What a list of events is compacted to, as a plan: which stay, and which become one.

/// What becomes of the rows of a table, in order.
#[derive(Clone, Debug, Default)]
pub struct CompactionPlan {
    actions: Vec<(Action, usize)>,
    /// The rows of all actions, one behind the other.
    rows: Vec<usize>,
}

/// What one or several rows become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// One stays as it is.
    Keep,
    /// Starts of the same stream become the first of them, with all their metadata. Of a call, it has the name of the last row, which is
    /// named beside them.
    Start,
    /// Deltas of the same stream and tag become one. There may be starts between them, which add only metadata.
    Delta,
    /// A state and its deltas become one state.
    State,
}

impl Action {
    /// All, by the numbers that hosts know them by.
    pub const ALL: [Self; 4] = [Self::Keep, Self::Start, Self::Delta, Self::State];
}

impl CompactionPlan {
    /// An empty one with room for so many rows.
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

    /// Each action and its rows.
    pub fn actions(&self) -> impl Iterator<Item = (Action, &[usize])> {
        let mut start = 0;
        self.actions.iter().map(move |&(action, end)| {
            let rows = &self.rows[start..end];
            start = end;
            (action, rows)
        })
    }

    /// True if every event comes out behind those that it came behind.
    pub(super) fn is_in_order(&self) -> bool {
        let mut last = None;
        self.actions().all(|(action, rows)| {
            // The row whose name it is stands among those of a start or of the delta behind it.
            let rows = if action == Action::Start { &rows[..rows.len() - 1] } else { rows };
            rows.iter().all(|&row| last.replace(row).is_none_or(|before| before < row))
        })
    }

    /// The plan in numbers, as hosts read it that have handed over numbers: of each action `number of the action + 4 * count`, and so many rows. Rows
    /// that stay and stand together are one action, of which only the first row is written.
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
