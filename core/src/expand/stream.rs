//! Chunked streams: how a chunk opens or continues one, and its expansion.

use crate::error::{Error, quoted};
use crate::rule::Rule;
use crate::types::{
    Event, EventType, ReasoningMessageChunkEvent, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageRole, ReasoningMessageStartEvent, TextMessageChunkEvent, TextMessageContentEvent,
    TextMessageEndEvent, TextMessageRole, TextMessageStartEvent, ToolCallArgsEvent, ToolCallChunkEvent,
    ToolCallEndEvent, ToolCallStartEvent,
};
use crate::verify::Owner;
use crate::{Object, Value};

/// An open stream.
#[derive(Clone, Debug)]
pub struct Stream {
    pub id: String,
    pub opener: Opener,
    /// Its place in the order of opening.
    pub place: u64,
}

/// The kind of a stream, with the members that only its opening needs; a chunk that continues it may repeat them.
#[derive(Clone, Debug)]
pub enum Opener {
    Text { role: Option<TextMessageRole>, name: Option<String> },
    ToolCall { name: Option<String>, parent: Option<String> },
    Reasoning,
}

/// The kind of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    Text,
    ToolCall,
    Reasoning,
}

/// Members that events of every kind share.
#[derive(Debug, Default)]
pub struct Shared {
    pub timestamp: Option<i64>,
    pub raw_event: Option<Value>,
    pub metadata: Option<Object>,
    pub tag: Option<String>,
    pub extra: Object,
}

/// A chunk event of any kind.
#[derive(Debug)]
pub struct Chunk {
    pub id: Option<String>,
    pub opener: Opener,
    pub delta: Option<String>,
    pub shared: Shared,
}

/// Converts chunk events of one type to `Chunk`s.
macro_rules! chunk {
    ($type:ident, $id:ident, $chunk:ident => $opener:expr) => {
        impl From<$type> for Chunk {
            fn from($chunk: $type) -> Self {
                let shared = Shared {
                    timestamp: $chunk.timestamp,
                    raw_event: $chunk.raw_event,
                    metadata: $chunk.metadata,
                    tag: $chunk.subagent_run_id,
                    extra: $chunk.extra,
                };
                Self { id: $chunk.$id, opener: $opener, delta: $chunk.delta, shared }
            }
        }
    };
}

chunk!(TextMessageChunkEvent, message_id, chunk => Opener::Text { role: chunk.role, name: chunk.name });
chunk!(ToolCallChunkEvent, tool_call_id, chunk => Opener::ToolCall {
    name: chunk.tool_call_name,
    parent: chunk.parent_message_id
});
chunk!(ReasoningMessageChunkEvent, message_id, chunk => Opener::Reasoning);

/// An event of the given type.
macro_rules! event {
    ($type:ident, $shared:expr, $($member:ident: $value:expr),+) => {{
        let Shared { timestamp, raw_event, metadata, tag: subagent_run_id, extra } = $shared;
        Event::from($type { timestamp, raw_event, metadata, subagent_run_id, extra, $($member: $value),+ })
    }};
}

impl Stream {
    pub fn kind(&self) -> StreamKind {
        self.opener.kind()
    }

    pub fn start(&self, mut shared: Shared) -> Event {
        let id = self.id.clone();
        match &self.opener {
            Opener::Text { role, name } => {
                event!(TextMessageStartEvent, shared, message_id: id, role: *role, name: name.clone())
            }
            Opener::ToolCall { name, parent } => {
                let (name, parent) = (name.clone().unwrap_or_default(), parent.clone());
                event!(ToolCallStartEvent, shared,
                    tool_call_id: id, tool_call_name: name, parent_message_id: parent)
            }
            Opener::Reasoning => {
                // The START declares this member, the chunk does not.
                shared.extra.remove("role");
                event!(ReasoningMessageStartEvent, shared, message_id: id, role: ReasoningMessageRole::Reasoning)
            }
        }
    }

    /// Returns a content event with `delta`. The caller may give the stream's `id` to save a copy.
    pub fn content(&self, id: Option<String>, delta: Option<String>, shared: Shared) -> Event {
        let id = id.unwrap_or_else(|| self.id.clone());
        let delta = delta.unwrap_or_default();
        match self.kind() {
            StreamKind::Text => event!(TextMessageContentEvent, shared, message_id: id, delta: delta),
            StreamKind::ToolCall => event!(ToolCallArgsEvent, shared, tool_call_id: id, delta: delta),
            StreamKind::Reasoning => {
                event!(ReasoningMessageContentEvent, shared, message_id: id, delta: delta)
            }
        }
    }

    pub fn end(self, tag: Option<String>) -> Event {
        let shared = Shared { tag, ..Shared::default() };
        match self.kind() {
            StreamKind::Text => event!(TextMessageEndEvent, shared, message_id: self.id),
            StreamKind::ToolCall => event!(ToolCallEndEvent, shared, tool_call_id: self.id),
            StreamKind::Reasoning => event!(ReasoningMessageEndEvent, shared, message_id: self.id),
        }
    }
}

impl Shared {
    /// Returns the members for the START in front of a content event. Only the content event carries the provider's
    /// event and unknown members.
    pub fn for_start(&self) -> Self {
        let (metadata, tag) = (self.metadata.clone(), self.tag.clone());
        Self { timestamp: self.timestamp, metadata, tag, ..Self::default() }
    }
}

impl Chunk {
    pub fn kind(&self) -> StreamKind {
        self.opener.kind()
    }

    /// True if the chunk belongs to the stream. A chunk without an id continues the stream of its
    /// lane.
    pub fn continues(&self, stream: &Stream) -> bool {
        self.kind() == stream.kind() && self.id.as_ref().is_none_or(|id| *id == stream.id)
    }

    pub fn has_content(&self) -> bool {
        self.delta.is_some() || self.shared.raw_event.is_some()
    }

    /// Returns the expansion of a chunk that continues a stream.
    pub fn resume(mut self, owner: Owner<'_>, stream: &Stream) -> Result<Vec<Event>, Error> {
        if let Some((member, now, before)) = self.opener.contradiction(&stream.opener) {
            let (stream, now) = (stream.kind().named(&stream.id), quoted(now));
            let before = before.map_or("none".into(), quoted);
            return Err(Error::broken(Rule::C03, format!("{stream}, {member} {now} after {before}")));
        }
        if !self.has_content() && self.shared.metadata.is_none() && self.shared.extra.is_empty() {
            return Ok(Vec::new());
        }
        self.shared.tag = self.shared.tag.or_else(|| owner.0.map(str::to_owned));
        Ok(vec![stream.content(self.id, self.delta, self.shared)])
    }
}

impl Opener {
    pub fn kind(&self) -> StreamKind {
        match self {
            Self::Text { .. } => StreamKind::Text,
            Self::ToolCall { .. } => StreamKind::ToolCall,
            Self::Reasoning => StreamKind::Reasoning,
        }
    }

    /// Fills in optional members of the chunk that opens the stream `id`. Fails if a required one
    /// is missing.
    pub fn complete(&mut self, id: &str) -> Result<(), Error> {
        match self {
            Self::Text { role, .. } => {
                role.get_or_insert(TextMessageRole::Assistant);
            }
            Self::ToolCall { name: None, .. } => {
                return Err(Error::broken(Rule::C06, StreamKind::ToolCall.named(id)));
            }
            Self::ToolCall { .. } | Self::Reasoning => {}
        }
        Ok(())
    }

    /// Returns the names and ids of the opener.
    pub fn names(&self) -> [Option<&String>; 2] {
        match self {
            Self::Text { name, .. } => [name.as_ref(), None],
            Self::ToolCall { name, parent } => [name.as_ref(), parent.as_ref()],
            Self::Reasoning => [None, None],
        }
    }

    /// Returns the first member that differs from the one that opened the stream: its key, its value, the former
    /// value.
    fn contradiction<'a>(&'a self, opened: &'a Self) -> Option<(&'static str, &'a str, Option<&'a str>)> {
        let members = match (self, opened) {
            (Self::Text { role, name }, Self::Text { role: old_role, name: old_name }) => [
                ("role", role.map(TextMessageRole::as_str), old_role.map(TextMessageRole::as_str)),
                ("name", name.as_deref(), old_name.as_deref()),
            ],
            (Self::ToolCall { name, parent }, Self::ToolCall { name: old_name, parent: old_parent }) => [
                ("toolCallName", name.as_deref(), old_name.as_deref()),
                ("parentMessageId", parent.as_deref(), old_parent.as_deref()),
            ],
            _ => return None,
        };
        let contradicts =
            |(key, now, before): (_, Option<&'a str>, _)| Some((key, now?, before)).filter(|_| now != before);
        members.into_iter().find_map(contradicts)
    }
}

impl StreamKind {
    /// Returns a description of a stream of this kind, for error messages.
    pub fn named(self, id: &str) -> String {
        let noun = match self {
            Self::Text => "message",
            Self::ToolCall => "tool call",
            Self::Reasoning => "reasoning message",
        };
        format!("{noun} {}", quoted(id))
    }

    pub fn id_member(self) -> &'static str {
        match self {
            Self::Text | Self::Reasoning => "messageId",
            Self::ToolCall => "toolCallId",
        }
    }

    /// Returns the rule that requires an id for opening a stream.
    pub fn id_missing(self) -> Rule {
        match self {
            Self::Text => Rule::C04,
            Self::ToolCall => Rule::C05,
            Self::Reasoning => Rule::C07,
        }
    }

    pub fn chunk_type(self) -> EventType {
        match self {
            Self::Text => EventType::TextMessageChunk,
            Self::ToolCall => EventType::ToolCallChunk,
            Self::Reasoning => EventType::ReasoningMessageChunk,
        }
    }
}
