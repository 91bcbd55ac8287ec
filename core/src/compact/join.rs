//! Joining: what stands together of one stream becomes a start, a delta and an end.

use super::compaction::{Compacted, made};
use super::streams::{StreamId, StreamPart, part};

use crate::Object;
use crate::types::{Event, TextMessageContentEvent, ToolCallArgsEvent};

/// Writes the events at `order`, those of one stream that stand together joined.
pub fn write(events: &[Event], order: &[usize], compacted: &mut Vec<Compacted>) {
    let mut together = Together::default();
    for &index in order {
        let Some((stream, part)) = part(&events[index]) else {
            std::mem::take(&mut together).write(events, compacted);
            compacted.push(Compacted::Kept(index));
            continue;
        };
        if !together.takes(events, index, stream, part) {
            std::mem::take(&mut together).write(events, compacted);
        }
        together.stream = Some(stream);
        match part {
            StreamPart::Start if together.body.is_empty() => together.starts.push(index),
            StreamPart::Start | StreamPart::Delta => together.body.push(index),
            StreamPart::End => together.end = Some(index),
        }
    }
    together.write(events, compacted);
}

/// Events of one stream that stand together. To what is open already, another start adds metadata; to a call, also a
/// new name.
#[derive(Default)]
struct Together<'e> {
    stream: Option<StreamId<'e>>,
    starts: Vec<usize>,
    /// From the first delta on: deltas, and starts between them.
    body: Vec<usize>,
    end: Option<usize>,
}

impl Together<'_> {
    fn takes(&self, events: &[Event], index: usize, stream: StreamId<'_>, part: StreamPart) -> bool {
        let is_begun = part != StreamPart::Start || !self.starts.is_empty();
        self.stream == Some(stream) && self.end.is_none() && is_begun && self.has_tag(events, index, part)
    }

    /// Whether the event is of the same subagent as what it would be joined with. It says whose open chunks end, and what is
    /// joined has only one.
    fn has_tag(&self, events: &[Event], index: usize, part: StreamPart) -> bool {
        let joined = match part {
            StreamPart::Start if self.body.is_empty() => &self.starts,
            StreamPart::Start | StreamPart::Delta => &self.body,
            StreamPart::End => return true,
        };
        joined.first().is_none_or(|&first| events[first].subagent_run_id() == events[index].subagent_run_id())
    }

    fn write(self, events: &[Event], compacted: &mut Vec<Compacted>) {
        compacted.extend(self.start(events));
        compacted.extend(self.delta(events));
        compacted.extend(self.end.map(Compacted::Kept));
    }

    /// The first start, with what the others add to it.
    fn start(&self, events: &[Event]) -> Option<Compacted> {
        let &first = self.starts.first()?;
        let mut start = events[first].clone();
        match &mut start {
            Event::TextMessageStart(start) => start.metadata = metadata(events, &self.starts),
            Event::ToolCallStart(start) => {
                start.metadata = metadata(events, &self.starts);
                self.last_name(events).unwrap_or_default().clone_into(&mut start.tool_call_name);
            }
            _ => {}
        }
        Some(made(start, events, first))
    }

    fn last_name<'e>(&self, events: &'e [Event]) -> Option<&'e str> {
        self.starts.iter().chain(&self.body).rev().find_map(|&index| match &events[index] {
            Event::ToolCallStart(event) => Some(event.tool_call_name.as_str()),
            _ => None,
        })
    }

    /// All deltas as one, under the tag that all have.
    fn delta(&self, events: &[Event]) -> Option<Compacted> {
        let &first = self.body.first()?;
        let delta = self.body.iter().map(|&index| delta(&events[index])).collect();
        let metadata = metadata(events, &self.body);
        let subagent_run_id = events[first].subagent_run_id().map(str::to_owned);
        let joined = match self.stream? {
            StreamId::Text(id) => {
                let message_id = id.to_owned();
                TextMessageContentEvent { metadata, subagent_run_id, message_id, delta, ..Default::default() }
                    .into()
            }
            StreamId::Tool(id) => {
                let tool_call_id = id.to_owned();
                ToolCallArgsEvent { metadata, subagent_run_id, tool_call_id, delta, ..Default::default() }
                    .into()
            }
        };
        Some(made(joined, events, first))
    }
}

/// The text that an event adds to its stream; a start adds none.
fn delta(event: &Event) -> &str {
    match event {
        Event::TextMessageContent(event) => &event.delta,
        Event::ToolCallArgs(event) => &event.delta,
        _ => "",
    }
}

/// The metadata of several events: per key the last value.
pub fn metadata(events: &[Event], indices: &[usize]) -> Option<Object> {
    let mut merged: Option<Object> = None;
    for new in indices.iter().filter_map(|&index| events[index].metadata()) {
        let members = new.iter().map(|(key, value)| (key.to_owned(), value.clone()));
        merged.get_or_insert_default().extend(members);
    }
    merged
}
