//! Carrying a plan out on the events that it is of.

use super::compaction::{Compacted, Compaction, joined, made, metadata};
use super::plan::{Action, CompactionPlan};
use super::state;
use crate::types::Event;

impl CompactionPlan {
    /// What becomes of the events it is of, each of which is a row.
    pub(super) fn apply(&self, events: &[Event]) -> Compaction {
        let mut compaction = Compaction::default();
        for (action, rows) in self.actions() {
            match (action, rows) {
                (Action::Keep, &[row]) => compaction.events.push(Compacted::Kept(row)),
                (Action::Start, [starts @ .., named]) => {
                    compaction.events.extend(start(events, starts, *named));
                }
                (Action::Delta, rows) => compaction.events.extend(delta(events, rows)),
                (Action::State, rows) => state::write(events, rows, &mut compaction),
                _ => {}
            }
        }
        compaction
    }
}

/// The first start, with what the others add to it.
fn start(events: &[Event], starts: &[usize], named: usize) -> Option<Compacted> {
    let &first = starts.first()?;
    let mut start = events[first].clone();
    match (&mut start, &events[named]) {
        (Event::TextMessageStart(start), _) => start.metadata = metadata(events, starts),
        (Event::ToolCallStart(start), Event::ToolCallStart(named)) => {
            start.metadata = metadata(events, starts);
            start.tool_call_name.clone_from(&named.tool_call_name);
        }
        _ => {}
    }
    Some(made(start, events, first))
}

/// All deltas as one, under the tag that all have.
fn delta(events: &[Event], rows: &[usize]) -> Option<Compacted> {
    let &first = rows.first()?;
    let delta = rows.iter().map(|&index| text(&events[index])).collect();
    Some(made(joined(&events[first], delta, metadata(events, rows))?, events, first))
}

/// The text that an event adds to its stream; a start adds none.
fn text(event: &Event) -> &str {
    match event {
        Event::TextMessageContent(event) => &event.delta,
        Event::ToolCallArgs(event) => &event.delta,
        _ => "",
    }
}
