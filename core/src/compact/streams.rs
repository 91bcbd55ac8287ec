//! What can be joined: the events from the start to the end of a text message or a tool call.

use crate::types::Event;

/// Which message or call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamId<'e> {
    /// A text message.
    Text(&'e str),
    /// A tool call.
    Tool(&'e str),
}

/// Where an event stands in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamPart {
    Start,
    Delta,
    End,
}

/// The stream that an event is part of.
pub fn part(event: &Event) -> Option<(StreamId<'_>, StreamPart)> {
    Some(match event {
        Event::TextMessageStart(event) => (StreamId::Text(&event.message_id), StreamPart::Start),
        Event::TextMessageContent(event) => (StreamId::Text(&event.message_id), StreamPart::Delta),
        Event::TextMessageEnd(event) => (StreamId::Text(&event.message_id), StreamPart::End),
        Event::ToolCallStart(event) => (StreamId::Tool(&event.tool_call_id), StreamPart::Start),
        Event::ToolCallArgs(event) => (StreamId::Tool(&event.tool_call_id), StreamPart::Delta),
        Event::ToolCallEnd(event) => (StreamId::Tool(&event.tool_call_id), StreamPart::End),
        _ => return None,
    })
}
