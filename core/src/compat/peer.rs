//! Adapts input and events to a peer of an older version.

use super::{ProtocolVersion, note};
use crate::error::{Code, Issue};
use crate::types::{Content, ContentPart, Event, Message, RunAgentInput, RunFinishedOutcome};
use crate::{Object, Value};

/// The last version whose content is always text.
const TEXT_ONLY: ProtocolVersion = ProtocolVersion::new(0, 0, 39);
/// The last version without subagents.
const NO_SUBAGENTS: ProtocolVersion = ProtocolVersion::new(0, 0, 57);

/// The first version that declares a version, allows absent members, and has all types except for newer members.
const FIRST: ProtocolVersion = ProtocolVersion::new(1, 0, 0);
/// The first version that gives encrypted values a type.
const TYPED_VALUES: ProtocolVersion = ProtocolVersion::new(1, 1, 0);

/// The advice about members that an older peer neither accepts nor sends.
const RAISE_PEER: &str = "name a newer version, if the peer speaks one";

impl RunAgentInput {
    /// Adapts the input to a peer of the given version. Returns an issue for each loss: the types of encrypted values, for a peer
    /// of 1.0 and older; media, for a peer that knows only text. Members that the peer does not know (owners of messages, the
    /// parent run, the version) are dropped without a warning. Members that it requires (state, tools, context, forwarded
    /// properties) are filled with empty values.
    pub fn downgrade(&mut self, peer: ProtocolVersion) -> Vec<Issue> {
        let mut issues = Vec::new();
        if peer < TYPED_VALUES {
            self.forget_value_types(peer, &mut issues);
        }
        if peer < FIRST {
            self.protocol_version = None;
            for object in [&mut self.state, &mut self.forwarded_props] {
                object.get_or_insert_with(|| Value::from(Object::default()));
            }
            self.tools.get_or_insert_default();
            self.context.get_or_insert_default();
        }
        if peer <= NO_SUBAGENTS {
            self.messages.iter_mut().for_each(Message::clear_subagent_run_id);
        }
        if peer <= TEXT_ONLY {
            self.parent_run_id = None;
            for (index, message) in self.messages.iter_mut().enumerate() {
                if let Some(lost) = reduce_to_text(message) {
                    let path = format!("/messages/{index}/content");
                    let detail = format!("left out for {peer}: {lost}");
                    note(&mut issues, Issue::new(Code::ForeignVersion, path, detail).advise(RAISE_PEER));
                }
            }
        }
        issues
    }
}

impl RunAgentInput {
    /// Drops the types of encrypted values from messages and calls.
    fn forget_value_types(&mut self, peer: ProtocolVersion, issues: &mut Vec<Issue>) {
        let mut forget = |value_type: &mut Option<String>, holder: &dyn Fn() -> String| {
            if value_type.take().is_some() {
                let path = format!("{}/encryptedValueType", holder());
                let issue = Issue::new(Code::ForeignVersion, path, format!("left out for {peer}"));
                note(issues, issue.advise(RAISE_PEER));
            }
        };
        for (index, message) in self.messages.iter_mut().enumerate() {
            if let Some(value_type) = message.encrypted_value_type_mut() {
                forget(value_type, &|| format!("/messages/{index}"));
            }
            let Message::Assistant(message) = message else { continue };
            for (call, at) in message.tool_calls.iter_mut().flatten().zip(0..) {
                forget(&mut call.encrypted_value_type, &|| format!("/messages/{index}/toolCalls/{at}"));
            }
        }
    }
}

/// Reduces a message's content to text. Returns the kinds of the lost parts.
fn reduce_to_text(message: &mut Message) -> Option<String> {
    let content = match message {
        Message::Assistant(message) => {
            message.content.get_or_insert_default();
            return None;
        }
        Message::User(message) => &mut message.content,
        Message::Tool(message) => &mut message.content,
        _ => return None,
    };
    let lost = match &content {
        Content::Text(_) => return None,
        Content::Parts(parts) => media(parts),
    };
    *content = Content::Text(content.to_text());
    (!lost.is_empty()).then(|| lost.join(", "))
}

/// Returns the kinds of parts that are not text, each once.
fn media(parts: &[ContentPart]) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for part in parts {
        let kind = match part {
            ContentPart::Text(_) => continue,
            ContentPart::Image(_) => "image",
            ContentPart::Audio(_) => "audio",
            ContentPart::Video(_) => "video",
            ContentPart::Document(_) => "document",
            ContentPart::Unknown(_) => "a part of unknown type",
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// Adapts an event to a peer of the given version: owners that the peer cannot know are dropped. An event about
/// subagents is refused with a warning.
pub fn receive(mut event: Event, peer: ProtocolVersion) -> Result<Event, Issue> {
    if peer > NO_SUBAGENTS {
        return Ok(event);
    }
    if let Some(tag) = event.subagent_run_id_mut() {
        *tag = None;
    }
    match &mut event {
        Event::SubagentStarted(_) | Event::SubagentFinished(_) | Event::SubagentError(_) => {
            let detail = format!("{} is left out: {peer} knows no subagents", event.tag());
            return Err(Issue::new(Code::ForeignVersion, "/type", detail).advise(RAISE_PEER));
        }
        Event::MessagesSnapshot(event) => {
            event.messages.iter_mut().for_each(Message::clear_subagent_run_id);
        }
        Event::RunStarted(event) => {
            let messages = event.input.iter_mut().flat_map(|input| &mut input.messages);
            messages.for_each(Message::clear_subagent_run_id);
        }
        Event::RunFinished(event) => {
            if let Some(RunFinishedOutcome::Interrupt(outcome)) = &mut event.outcome {
                outcome.interrupts.iter_mut().for_each(|interrupt| interrupt.subagent_run_id = None);
            }
        }
        Event::Unknown(object) => {
            object.remove("subagentRunId");
        }
        _ => {}
    }
    Ok(event)
}
