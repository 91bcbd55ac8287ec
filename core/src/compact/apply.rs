//! Applies a plan to the events that it was made for.

use super::compaction::{Compacted, Compaction, joined, made, metadata};
use super::plan::{Action, CompactionPlan};
use super::state;
use crate::types::Event;

impl CompactionPlan {
    /// Applies the plan to its events, of which each is a row.
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

/// Returns the first start, with the metadata and the name of the others.
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

/// Makes one delta of all of them, with their common tag.
fn delta(events: &[Event], rows: &[usize]) -> Option<Compacted> {
    let &first = rows.first()?;
    let delta = rows.iter().map(|&index| text(&events[index])).collect();
    Some(made(joined(&events[first], delta, metadata(events, rows))?, events, first))
}

/// Returns the text that an event adds to its stream; a start adds none.
fn text(event: &Event) -> &str {
    match event {
        Event::TextMessageContent(event) => &event.delta,
        Event::ToolCallArgs(event) => &event.delta,
        _ => "",
    }
}
