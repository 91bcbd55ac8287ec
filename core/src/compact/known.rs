//! What is there for certain at some point of a list: messages and calls that its events have made so far.

use std::collections::HashMap;

use crate::types::{Event, Message, RunStartedEvent};

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// The assistant's: it can hold calls.
    Assistant,
    /// An activity, or reasoning: a snapshot that leaves it out may or may not remove it.
    Lasting,
    /// Any other.
    Other,
    /// It may be there or not, and may be anything.
    Unsure,
}

/// Knowledge in layers: what the events before a stretch have made, and what those of the stretch add in one of the
/// orders that are tried.
#[derive(Clone, Debug, Default)]
pub struct KnownMessages<'e> {
    messages: HashMap<&'e str, (Eras, MessageKind)>,
    /// Calls; without an era they may be there or not.
    calls: HashMap<&'e str, Option<Eras>>,
    eras: Eras,
    /// Chunks have come: what they make is not known, so anything may be there.
    has_gaps: bool,
}

/// How often a kind of knowledge has been upset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Eras {
    messages: usize,
    calls: usize,
}

impl<'e> KnownMessages<'e> {
    /// An empty layer over this one.
    pub fn layer(&self) -> Self {
        Self { eras: self.eras, has_gaps: self.has_gaps, ..Self::default() }
    }

    /// Takes over what a layer has added.
    pub fn absorb(&mut self, layer: Self) {
        self.messages.extend(layer.messages);
        self.calls.extend(layer.calls);
        self.eras = layer.eras;
    }

    /// What the message is; nothing if no event has made it.
    pub fn message(&self, below: &Self, id: &str) -> Option<MessageKind> {
        let Some(&(eras, kind)) = self.messages.get(id).or_else(|| below.messages.get(id)) else {
            return self.has_gaps.then_some(MessageKind::Unsure);
        };
        match kind {
            kind if eras.messages == self.eras.messages => Some(kind),
            MessageKind::Assistant | MessageKind::Other if !self.has_gaps => None,
            _ => Some(MessageKind::Unsure),
        }
    }

    /// Whether the call is there: certainly, perhaps (`false`), or nothing if no event has made it.
    pub fn call(&self, below: &Self, id: &str) -> Option<bool> {
        match self.calls.get(id).or_else(|| below.calls.get(id)) {
            Some(eras) => Some(eras.is_some_and(|eras| eras.calls == self.eras.calls)),
            None => self.has_gaps.then_some(false),
        }
    }

    pub fn set_message(&mut self, id: &'e str, kind: MessageKind) {
        self.messages.insert(id, (self.eras, kind));
    }

    pub fn set_call(&mut self, id: &'e str) {
        self.calls.insert(id, Some(self.eras));
    }

    /// An event that nothing passes has come: the start of a run, or a chunk.
    pub fn pass(&mut self, event: &'e Event) {
        match event {
            Event::RunStarted(event) => self.begin_run(event),
            Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_) => {
                self.has_gaps = true;
                self.upset();
            }
            _ => {}
        }
    }

    /// Nothing is certain any more.
    fn upset(&mut self) {
        self.eras.messages += 1;
        self.eras.calls += 1;
    }

    /// A message has been replaced, its calls with it, if it had any.
    pub fn lose_calls(&mut self) {
        self.eras.calls += 1;
    }

    /// A snapshot has replaced the messages.
    pub fn replace(&mut self, messages: &'e [Message]) {
        self.upset();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for message in messages {
            *times.entry(message.id()).or_default() += 1;
        }
        for message in messages {
            // Of several with one id it depends on more than is known here which are there.
            let is_one = times[message.id()] == 1;
            self.set_message(message.id(), if is_one { kind(message) } else { MessageKind::Unsure });
            let eras = is_one.then_some(self.eras);
            self.calls.extend(message.tool_calls().iter().map(|call| (call.id.as_str(), eras)));
        }
    }

    /// A run has begun: messages of its input that are new are there now.
    fn begin_run(&mut self, event: &'e RunStartedEvent) {
        let below = Self::default();
        for message in event.input.iter().flat_map(|input| &input.messages) {
            if self.message(&below, message.id()).is_none() {
                self.set_message(message.id(), kind(message));
                message.tool_calls().iter().for_each(|call| self.set_call(&call.id));
            }
        }
    }
}

fn kind(message: &Message) -> MessageKind {
    match message {
        Message::Assistant(_) => MessageKind::Assistant,
        Message::Activity(_) | Message::Reasoning(_) => MessageKind::Lasting,
        _ => MessageKind::Other,
    }
}
