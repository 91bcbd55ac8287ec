//! Writes a reply as events of a run and, at the same time, as messages.

use super::reply::Reply;
use crate::collections::HashSet;
use crate::encode::to_json;
use crate::json::Value;
use crate::types::{
    AssistantMessage, Event, FunctionCall, Message, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, ReasoningEndEvent, ReasoningMessage, ReasoningMessageContentEvent,
    ReasoningMessageEndEvent, ReasoningMessageRole, ReasoningMessageStartEvent, ReasoningStartEvent,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageRole, TextMessageStartEvent, TokenUsage,
    ToolCall, ToolCallArgsEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallResultRole,
    ToolCallStartEvent, ToolMessage,
};

/// The reply so far. One message at most is open, and any number of calls.
#[derive(Debug)]
pub(super) struct Output {
    message_id: String,
    /// The count of the ids that were made.
    made_ids: usize,
    /// The ids of all messages and calls.
    ids: HashSet<String>,
    events: Vec<Event>,
    messages: Vec<Message>,
    /// The kind of the last message, if it is open.
    open: Option<Open>,
    calls: Vec<Call>,
    /// All calls before this number have ended.
    ended_calls: usize,
    pub is_refusal: bool,
    finish_reason: Option<String>,
    /// True if the provider has said that the reply is complete.
    pub is_complete: bool,
    pub model: Option<String>,
    pub usage: Option<TokenUsage>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Text,
    Reasoning,
}

/// A call: the places of its message, and among the calls of that.
#[derive(Debug)]
struct Call {
    message: usize,
    place: usize,
    is_open: bool,
    /// True if the provider runs the tool.
    is_of_provider: bool,
}

impl Output {
    pub fn new(message_id: String) -> Self {
        Self {
            message_id,
            made_ids: 0,
            ids: HashSet::default(),
            events: Vec::new(),
            messages: Vec::new(),
            open: None,
            calls: Vec::new(),
            ended_calls: 0,
            is_refusal: false,
            finish_reason: None,
            is_complete: false,
            model: None,
            usage: None,
        }
    }

    /// The events since the last `take_events`.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Appends to the text.
    pub fn text(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if self.open != Some(Open::Text) {
            self.end_message();
            let id = self.new_id();
            self.send(TextMessageStartEvent::new(&id).with_role(TextMessageRole::Assistant));
            self.messages.push(AssistantMessage::new(id).with_content(String::new()).into());
            self.open = Some(Open::Text);
        }
        if let Some(Message::Assistant(message)) = self.messages.last_mut() {
            message.content.get_or_insert_default().push_str(delta);
            let event = TextMessageContentEvent::new(&message.id, delta);
            self.send(event);
        }
    }

    /// Appends to the text, which is a refusal.
    pub fn refusal(&mut self, delta: &str) {
        self.is_refusal |= !delta.is_empty();
        self.text(delta);
    }

    /// Opens a reasoning message; an id of the provider's is kept, unless the reply has it already.
    pub fn start_reasoning(&mut self, id: Option<&str>) {
        self.end_message();
        let id = id.filter(|id| self.ids.insert((*id).to_owned()));
        let id = id.map_or_else(|| self.new_id(), str::to_owned);
        self.send(ReasoningStartEvent::new(&id));
        self.send(ReasoningMessageStartEvent::new(&id, ReasoningMessageRole::Reasoning));
        self.messages.push(ReasoningMessage::new(id, "").into());
        self.open = Some(Open::Reasoning);
    }

    /// True if a reasoning message is open.
    pub fn is_reasoning(&self) -> bool {
        self.open == Some(Open::Reasoning)
    }

    /// Appends to the reasoning.
    pub fn reasoning(&mut self, delta: &str) {
        if delta.is_empty() {
            return;
        }
        if !self.is_reasoning() {
            self.start_reasoning(None);
        }
        if let Some(Message::Reasoning(message)) = self.messages.last_mut() {
            message.content.push_str(delta);
            let event = ReasoningMessageContentEvent::new(&message.id, delta);
            self.send(event);
        }
    }

    /// Attaches the provider's encrypted value to the open reasoning message.
    pub fn encrypted_value(&mut self, value: &str, value_type: &str) {
        let Some(Message::Reasoning(message)) = self.messages.last_mut() else { return };
        message.encrypted_value = Some(value.to_owned());
        message.encrypted_value_type = Some(value_type.to_owned());
        let subtype = ReasoningEncryptedValueSubtype::Message;
        let event = ReasoningEncryptedValueEvent::new(subtype, &message.id, value);
        self.send(event.with_encrypted_value_type(value_type));
    }

    /// Ends the open message.
    pub fn end_message(&mut self) {
        let Some(id) = self.messages.last().map(|message| message.id().to_owned()) else { return };
        match self.open.take() {
            Some(Open::Text) => self.send(TextMessageEndEvent::new(id)),
            Some(Open::Reasoning) => {
                self.send(ReasoningMessageEndEvent::new(&id));
                self.send(ReasoningEndEvent::new(id));
            }
            None => {}
        }
    }

    /// Begins a call, and returns its number. A call belongs to the text before it, which ends. An id that is empty, or that the
    /// reply has already, is replaced.
    pub fn start_call(&mut self, id: &str, name: &str) -> usize {
        self.end_message();
        if !matches!(self.messages.last(), Some(Message::Assistant(_))) {
            let id = self.new_id();
            self.messages.push(AssistantMessage::new(id).into());
        }
        let number = self.calls.len();
        let id = if id.is_empty() || !self.ids.insert(id.to_owned()) {
            format!("{}-call-{number}", self.message_id)
        } else {
            id.to_owned()
        };
        let message = self.messages.len() - 1;
        if let Message::Assistant(parent) = &mut self.messages[message] {
            let calls = parent.tool_calls.get_or_insert_default();
            calls.push(ToolCall::new(&id, FunctionCall::new(name, "")));
            self.calls.push(Call { message, place: calls.len() - 1, is_open: true, is_of_provider: false });
            let event = ToolCallStartEvent::new(id, name).with_parent_message_id(&parent.id);
            self.send(event);
        }
        number
    }

    /// Begins a call of a tool that the provider runs, and returns its number. The agent does not answer it.
    pub fn start_provider_call(&mut self, id: &str, name: &str) -> usize {
        let number = self.start_call(id, name);
        if let Some(call) = self.calls.get_mut(number) {
            call.is_of_provider = true;
        }
        number
    }

    /// Ends a call with its result, and keeps the provider's own form of both.
    pub fn provider_result(&mut self, number: usize, content: &str, own: &Value, own_type: &str) {
        self.end_message();
        self.end_call(number);
        let id = self.new_id();
        let Some(call) = self.call_mut(number) else { return };
        let message = ToolMessage::new(&id, content, &call.id);
        let event = ToolCallResultEvent::new(&id, &call.id, content).with_role(ToolCallResultRole::Tool);
        self.send(event);
        let own = to_json(own);
        let subtype = ReasoningEncryptedValueSubtype::Message;
        let event = ReasoningEncryptedValueEvent::new(subtype, &id, &own);
        self.send(event.with_encrypted_value_type(own_type));
        self.messages.push(message.with_encrypted_value(own).with_encrypted_value_type(own_type).into());
    }

    /// Appends to the arguments of a call that is open.
    pub fn arguments(&mut self, number: usize, delta: &str) {
        if delta.is_empty() || !self.calls.get(number).is_some_and(|call| call.is_open) {
            return;
        }
        if let Some(call) = self.call_mut(number) {
            call.function.arguments.push_str(delta);
            let event = ToolCallArgsEvent::new(&call.id, delta);
            self.send(event);
        }
    }

    /// The arguments of a call so far.
    pub fn arguments_of(&mut self, number: usize) -> &str {
        self.call_mut(number).map_or("", |call| &call.function.arguments)
    }

    /// Ends a whole call. Models may write no arguments for a tool without parameters: then they are an empty object.
    pub fn end_call(&mut self, number: usize) {
        if self.arguments_of(number).is_empty() {
            self.arguments(number, "{}");
        }
        self.close_call(number);
    }

    fn close_call(&mut self, number: usize) {
        let Some(call) = self.calls.get_mut(number) else { return };
        if std::mem::take(&mut call.is_open)
            && let Some(call) = self.call_mut(number)
        {
            let event = ToolCallEndEvent::new(&call.id);
            self.send(event);
        }
    }

    /// Ends what is open, of a reply that may be cut.
    pub fn close(&mut self) {
        self.end_message();
        self.end_calls(Self::close_call);
    }

    /// Ends the reply, for this reason. A model that has called tools stops for them, whatever its server says.
    pub fn complete(&mut self, reason: &str) {
        let is_for_calls = reason == "stop" && self.calls.iter().any(|call| !call.is_of_provider);
        self.finish_reason = Some(if is_for_calls { "tool_calls" } else { reason }.to_owned());
        self.is_complete = true;
        self.end_message();
        self.end_calls(Self::end_call);
    }

    fn end_calls(&mut self, end: fn(&mut Self, usize)) {
        let all = self.calls.len();
        for number in std::mem::replace(&mut self.ended_calls, all)..all {
            end(self, number);
        }
    }

    /// The reply.
    pub fn reply(&self) -> Reply {
        let texts = self.messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => message.content.as_deref(),
            _ => None,
        });
        let texts: Vec<_> = texts.collect();
        Reply {
            text: texts.join("\n\n"),
            is_refusal: self.is_refusal,
            tool_calls: self.agent_calls().cloned().collect(),
            finish_reason: self.finish_reason.clone().unwrap_or_default(),
            messages: self.messages.clone(),
        }
    }

    /// The calls that the agent answers.
    fn agent_calls(&self) -> impl Iterator<Item = &ToolCall> {
        let own = self.calls.iter().filter(|call| !call.is_of_provider);
        own.filter_map(|call| self.messages.get(call.message)?.tool_calls().get(call.place))
    }

    fn call_mut(&mut self, number: usize) -> Option<&mut ToolCall> {
        let Call { message, place, .. } = *self.calls.get(number)?;
        match self.messages.get_mut(message)? {
            Message::Assistant(parent) => parent.tool_calls.as_mut()?.get_mut(place),
            _ => None,
        }
    }

    fn send(&mut self, event: impl Into<Event>) {
        self.events.push(event.into());
    }

    /// A new id of a message. The same chunks have the same ids.
    fn new_id(&mut self) -> String {
        let number = self.made_ids;
        self.made_ids += 1;
        let id = if number == 0 { self.message_id.clone() } else { format!("{}-{number}", self.message_id) };
        self.ids.insert(id.clone());
        id
    }
}
