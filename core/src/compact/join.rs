//! Joins adjacent events of one stream to a start, a delta and an end.

use super::plan::{Action, CompactionPlan};
use super::row::{Kind, Part, Row, Stream};

/// Adds the rows at `order` to the plan, and joins adjacent rows of one stream. `chains` has the rows of each delta.
pub fn write(rows: &[Row], order: &[usize], chains: &Chains, plan: &mut CompactionPlan) {
    let mut together = Together::default();
    for &index in order {
        let Some((stream, part)) = rows[index].part() else {
            together.write(rows, plan);
            plan.keep(index);
            continue;
        };
        if !together.takes(rows, index, stream, part) {
            together.write(rows, plan);
        }
        together.stream = Some(stream);
        match part {
            Part::Start if together.body.is_empty() => together.starts.push(index),
            Part::Start => together.body.push(index),
            Part::Delta => together.body.extend(chains.of(index)),
            Part::End => together.end = Some(index),
        }
    }
    together.write(rows, plan);
}

/// Adjacent events of one stream. Another start of an open stream adds metadata; for a call, it also sets a new
/// name.
#[derive(Default)]
struct Together {
    stream: Option<Stream>,
    starts: Vec<usize>,
    /// The deltas, and the starts between them.
    body: Vec<usize>,
    end: Option<usize>,
}

impl Together {
    fn takes(&self, rows: &[Row], index: usize, stream: Stream, part: Part) -> bool {
        let is_begun = part != Part::Start || !self.starts.is_empty();
        self.stream == Some(stream) && self.end.is_none() && is_begun && self.has_tag(rows, index, part)
    }

    /// True if the event belongs to the same subagent as the events that it would join. A joined event has only one tag,
    /// and the tag decides whose open chunks end.
    fn has_tag(&self, rows: &[Row], index: usize, part: Part) -> bool {
        let joined = match part {
            Part::Start if self.body.is_empty() => &self.starts,
            Part::Start | Part::Delta => &self.body,
            Part::End => return true,
        };
        joined.first().is_none_or(|&first| rows[first].tag == rows[index].tag)
    }

    /// Writes the collected events to the plan, and drops them.
    fn write(&mut self, rows: &[Row], plan: &mut CompactionPlan) {
        if let Some(&last) = self.starts.last() {
            let is_start = |row: &&usize| matches!(rows[**row].part(), Some((_, Part::Start)));
            let named = self.body.iter().rev().find(is_start).copied().unwrap_or(last);
            match self.starts[..] {
                [start] if start == named || !matches!(rows[start].kind, Kind::CallStart { .. }) => {
                    plan.keep(start);
                }
                _ => plan.add(Action::Start, self.starts.iter().copied().chain([named])),
            }
        }
        match self.body[..] {
            [] => {}
            [delta] if !rows[delta].is_dressed => plan.keep(delta),
            _ => plan.add(Action::Delta, self.body.iter().copied()),
        }
        if let Some(end) = self.end {
            plan.keep(end);
        }
        self.starts.clear();
        self.body.clear();
        (self.stream, self.end) = (None, None);
    }
}

/// Deltas of one stream and tag with only other deltas between them. Until they are joined they count as one, since other deltas do
/// not affect them.
#[derive(Debug)]
pub struct Chains {
    /// For each row, the next row of its chain; 0 for the last one.
    next: Vec<usize>,
    /// The last row of each stream's open chain. An event that is not a delta ends all chains.
    last: super::stamped_map::StampedMap<usize>,
}

impl Chains {
    /// Creates empty chains for this many rows and streams.
    pub fn new(rows: usize, streams: usize) -> Self {
        Self { next: vec![0; rows], last: super::stamped_map::StampedMap::new(streams) }
    }

    /// Adds the row to a chain. Returns whether it continues one.
    pub fn take(&mut self, rows: &[Row], index: usize) -> bool {
        let Some((stream, Part::Delta)) = rows[index].part() else {
            self.end();
            return false;
        };
        match self.last.set(stream, index) {
            Some(before) if rows[index].continues(&rows[before]) => {
                self.next[before] = index;
                true
            }
            _ => false,
        }
    }

    /// Ends all chains.
    pub fn end(&mut self) {
        self.last.clear();
    }

    fn of(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), |&row| Some(self.next[row]).filter(|&next| next != 0))
    }
}
