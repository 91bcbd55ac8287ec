//! What can be joined: the events from the start to the end of a text message or a tool call.

use crate::types::Event;

/// Which message or call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream<'e> {
    /// A text message.
    Text(&'e str),
    /// A tool call.
    Tool(&'e str),
}

/// Where an event stands in its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Start,
    Delta,
    End,
}

/// The stream that an event is part of.
pub fn part(event: &Event) -> Option<(Stream<'_>, Part)> {
    Some(match event {
        Event::TextMessageStart(event) => (Stream::Text(&event.message_id), Part::Start),
        Event::TextMessageContent(event) => (Stream::Text(&event.message_id), Part::Delta),
        Event::TextMessageEnd(event) => (Stream::Text(&event.message_id), Part::End),
        Event::ToolCallStart(event) => (Stream::Tool(&event.tool_call_id), Part::Start),
        Event::ToolCallArgs(event) => (Stream::Tool(&event.tool_call_id), Part::Delta),
        Event::ToolCallEnd(event) => (Stream::Tool(&event.tool_call_id), Part::End),
        _ => return None,
    })
}
