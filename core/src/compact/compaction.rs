//! What a list of events was compacted to.

use crate::Object;
use crate::types::{Event, ReasoningMessageContentEvent, TextMessageContentEvent, ToolCallArgsEvent};
use crate::warning::Warning;

/// What a list of events was compacted to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// The events, in order.
    pub events: Vec<Compacted>,
    /// State deltas that did not apply and are left out.
    pub warnings: Vec<Warning>,
}

/// One event of a compacted list.
#[derive(Clone, Debug, PartialEq)]
pub enum Compacted {
    /// The event at this index of the input, as it was.
    Kept(usize),
    /// An event that stands for several, or for one that carried more than a replay needs.
    Made(Box<Event>),
}

impl Compaction {
    /// The compacted events themselves; `events` is the list that was compacted.
    pub fn into_events(self, events: &[Event]) -> Vec<Event> {
        let event = |compacted| match compacted {
            Compacted::Kept(index) => events[index].clone(),
            Compacted::Made(event) => *event,
        };
        self.events.into_iter().map(event).collect()
    }
}

/// An event that was made; the one it was made from if it is no different.
pub fn made(event: Event, events: &[Event], from: usize) -> Compacted {
    if event == events[from] { Compacted::Kept(from) } else { Compacted::Made(Box::new(event)) }
}

/// The delta that stands for several, which are of one entity and one tag: of the first it has those. `timestamp` and `rawEvent`
/// are lost.
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

/// The metadata of several events: per key the last value.
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
