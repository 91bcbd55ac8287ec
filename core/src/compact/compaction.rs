//! The result of compacting a list of events.

use crate::Object;
use crate::types::{Event, ReasoningMessageContentEvent, TextMessageContentEvent, ToolCallArgsEvent};
use crate::warning::Warning;

/// The result of compacting a list of events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// The events, in order.
    pub events: Vec<Compacted>,
    /// Warnings about state deltas that did not apply and were dropped.
    pub warnings: Vec<Warning>,
}

/// One event of a compacted list.
#[derive(Clone, Debug, PartialEq)]
pub enum Compacted {
    /// The unchanged event at this index of the input.
    Kept(usize),
    /// An event that replaces several, or one that carried more than a replay needs.
    Made(Box<Event>),
}

impl Compaction {
    /// Returns the compacted events themselves; `events` is the list that was compacted.
    pub fn into_events(self, events: &[Event]) -> Vec<Event> {
        let event = |compacted| match compacted {
            Compacted::Kept(index) => events[index].clone(),
            Compacted::Made(event) => *event,
        };
        self.events.into_iter().map(event).collect()
    }
}

/// Returns a new event, or the one that it was made from if they are equal.
pub fn made(event: Event, events: &[Event], from: usize) -> Compacted {
    if event == events[from] { Compacted::Kept(from) } else { Compacted::Made(Box::new(event)) }
}

/// Makes one delta for several of one entity and tag, which it takes from the first; `timestamp` and `rawEvent` are lost.
pub fn joined(first: &Event, delta: String, metadata: Option<Object>) -> Option<Event> {
    let subagent_run_id = first.subagent_run_id().map(str::to_owned);
    Some(match first {
        Event::TextMessageContent(first) => {
            let message_id = first.message_id.clone();
            TextMessageContentEvent { metadata, subagent_run_id, message_id, delta, ..Default::default() }
                .into()
        }
        Event::ToolCallArgs(first) => {
            let tool_call_id = first.tool_call_id.clone();
            ToolCallArgsEvent { metadata, subagent_run_id, tool_call_id, delta, ..Default::default() }.into()
        }
        Event::ReasoningMessageContent(first) => {
            let message_id = first.message_id.clone();
            ReasoningMessageContentEvent {
                metadata,
                subagent_run_id,
                message_id,
                delta,
                ..Default::default()
            }
            .into()
        }
        _ => return None,
    })
}

/// Returns the merged metadata of several events: the last value of a key counts.
pub fn metadata(events: &[Event], indices: &[usize]) -> Option<Object> {
    let mut merged = None;
    for &index in indices {
        merge(&mut merged, events[index].metadata());
    }
    merged
}

/// Merges the metadata of one more event.
pub fn merge(merged: &mut Option<Object>, more: Option<&Object>) {
    if let Some(more) = more {
        let members = more.iter().map(|(key, value)| (key.to_owned(), value.clone()));
        merged.get_or_insert_default().extend(members);
    }
}
