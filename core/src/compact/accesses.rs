//! What each event touches, in a replay and in verification.

use std::collections::{HashMap, HashSet};

use super::known::{KnownMessages, MessageKind};
use super::streams::{StreamId, StreamPart, part};
use crate::types::{ActivitySnapshotEvent, Event, TextMessageRole, ToolCallStartEvent};

/// Something that events read and write, in a replay or in verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing<'e> {
    /// All messages and calls together.
    Conversation,
    /// Which messages there are, in which order.
    List,
    /// That a message is there, and what it is.
    Message(&'e str),
    /// To which subagent a message belongs.
    Owner(&'e str),
    /// That a message has been started.
    Start(&'e str),
    /// A message's text and metadata.
    Text(&'e str),
    /// In which order calls begin.
    Calls,
    /// That a call is there, in which message, and whose.
    Call(&'e str),
    /// A call's arguments, name and metadata.
    Arguments(&'e str),
    /// The order of all that is part of no stream.
    Others,
}

/// How a thing is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access<'e> {
    Read,
    Write(Trace<'e>),
}

/// What was written. Events that would leave equal marks can do so for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace<'e> {
    /// What only this event writes.
    Event(usize),
    /// A message that was not there.
    Made(MessageShape<'e>),
    /// A claim on a message by a subagent or the agent itself.
    Claim(Option<&'e str>),
}

/// A message as it is once its first delta has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageShape<'e> {
    id: &'e str,
    role: &'static str,
    name: Option<&'e str>,
    tag: Option<&'e str>,
    has_content: bool,
}

const ASSISTANT: &str = "assistant";
const REASONING: &str = "reasoning";

/// What an event touches.
pub type Touched<'e> = Vec<(Thing<'e>, Access<'e>)>;

/// What events touch, one after the other: that depends on what is there for certain when they come.
pub struct Accesses<'k, 'e> {
    events: &'e [Event],
    starts: Starts,
    below: &'k KnownMessages<'e>,
    known: KnownMessages<'e>,
    /// The last claim on each message.
    claims: HashMap<&'e str, Option<&'e str>>,
    index: usize,
    touched: Touched<'e>,
}

impl<'k, 'e> Accesses<'k, 'e> {
    /// For the events at `order`, over what is known when they begin.
    pub fn new(events: &'e [Event], order: &[usize], below: &'k KnownMessages<'e>) -> Self {
        let starts = Starts::of(events, order);
        Self {
            events,
            starts,
            below,
            known: below.layer(),
            claims: HashMap::new(),
            index: 0,
            touched: Vec::new(),
        }
    }

    /// What the next event touches, the one at `index`.
    pub fn of(&mut self, index: usize) -> Touched<'e> {
        self.index = index;
        let event = &self.events[index];
        self.touch(event);
        if !self.touched.is_empty() {
            self.read(Thing::Conversation);
        }
        if part(event).is_none() {
            self.write(Thing::Others);
        }
        std::mem::take(&mut self.touched)
    }

    /// What the events have made known.
    pub fn into_known(self) -> KnownMessages<'e> {
        self.known
    }

    fn touch(&mut self, event: &'e Event) {
        let tag = event.subagent_run_id();
        match event {
            Event::TextMessageStart(event) => {
                let role = event.role.map_or(ASSISTANT, TextMessageRole::as_str);
                let (id, name) = (event.message_id.as_str(), event.name.as_deref());
                let has_content = self.starts.filled.contains(&self.index);
                self.make(MessageShape { id, role, name, tag, has_content });
                self.claim(id, tag);
                self.write(Thing::Start(id));
                self.merge(Thing::Text(id), event.metadata.is_some());
            }
            Event::TextMessageContent(event) => self.append(&event.message_id),
            Event::TextMessageEnd(event) => {
                let id = event.message_id.as_str();
                self.look(Thing::Message(id), tag.is_some() || event.metadata.is_some());
                self.merge(Thing::Text(id), event.metadata.is_some());
            }
            Event::ToolCallStart(event) => self.call(event),
            Event::ToolCallArgs(event) => {
                self.read(Thing::Call(&event.tool_call_id));
                self.write(Thing::Arguments(&event.tool_call_id));
            }
            Event::ToolCallEnd(event) => {
                let id = event.tool_call_id.as_str();
                self.look(Thing::Call(id), tag.is_some() || event.metadata.is_some());
                self.merge(Thing::Arguments(id), event.metadata.is_some());
            }
            Event::ToolCallResult(event) => {
                let id = event.message_id.as_str();
                // Behind its call, it stands there whatever else is appended.
                if self.known.call(self.below, &event.tool_call_id) != Some(true) {
                    self.write(Thing::List);
                }
                self.write(Thing::Message(id));
                self.take(id, tag);
                self.read(Thing::Call(&event.tool_call_id));
                if self.kind(id).is_none() {
                    self.known.set_message(id, MessageKind::Other);
                }
            }
            Event::ReasoningMessageStart(event) => {
                let id = event.message_id.as_str();
                self.make(MessageShape { id, role: REASONING, name: None, tag, has_content: true });
                self.merge(Thing::Text(id), event.metadata.is_some());
            }
            Event::ReasoningMessageContent(event) => self.append(&event.message_id),
            Event::ReasoningMessageEnd(event) => self.append(&event.message_id),
            Event::ReasoningEncryptedValue(event) => {
                self.read(Thing::Message(&event.entity_id));
                self.read(Thing::Call(&event.entity_id));
                // Until its start, verification looks for a reasoning message of this id.
                self.look(Thing::Start(&event.entity_id), tag.is_some());
                self.look(Thing::Owner(&event.entity_id), tag.is_some());
            }
            Event::ActivitySnapshot(event) => self.activity(event),
            Event::ActivityDelta(event) => self.append(&event.message_id),
            Event::MessagesSnapshot(event) => {
                self.write(Thing::Conversation);
                self.known.replace(&event.messages);
            }
            _ => {}
        }
    }

    fn call(&mut self, event: &'e ToolCallStartEvent) {
        let (id, tag) = (event.tool_call_id.as_str(), event.subagent_run_id.as_deref());
        let known = self.known.call(self.below, id);
        self.write(Thing::Arguments(id));
        if self.is_repeated() && known == Some(true) {
            return self.read(Thing::Call(id));
        }
        self.write(Thing::Call(id));
        if !self.is_repeated() {
            self.write(Thing::Calls);
            match &event.parent_message_id {
                // Verification asks for the owner that the call had before, which may be another.
                Some(parent) if known.is_some() && tag.is_none() => self.take(parent, tag),
                Some(parent) => self.claim(parent, tag),
                None => {}
            }
        }
        if known == Some(true) {
            return;
        }
        // Verification takes an empty id for one, a replay does not.
        let parent = event.parent_message_id.as_deref().filter(|parent| !parent.is_empty());
        self.known.set_call(id);
        if known == Some(false) {
            // It may have been there, and then the event makes nothing.
            return [Some(id), parent].into_iter().flatten().for_each(|id| self.make_perhaps(id));
        }
        if let Some(parent) = parent {
            self.make(MessageShape { id: parent, role: ASSISTANT, name: None, tag, has_content: true });
        }
        if parent.is_none_or(|parent| self.kind(parent) != Some(MessageKind::Assistant)) {
            self.write(Thing::List);
            self.write(Thing::Message(id));
            let kind = if self.kind(id).is_none() { MessageKind::Assistant } else { MessageKind::Unsure };
            self.known.set_message(id, kind);
        }
    }

    fn activity(&mut self, event: &'e ActivitySnapshotEvent) {
        let id = event.message_id.as_str();
        self.write(Thing::List);
        self.append(id);
        self.write(Thing::Message(id));
        match self.kind(id) {
            None => self.known.set_message(id, MessageKind::Lasting),
            Some(MessageKind::Lasting) => {}
            Some(_) if event.replace == Some(false) => {}
            Some(_) => {
                self.write(Thing::Conversation);
                self.known.lose_calls();
                self.known.set_message(id, MessageKind::Lasting);
            }
        }
    }

    fn kind(&self, id: &str) -> Option<MessageKind> {
        self.known.message(self.below, id)
    }

    /// Makes a message, unless one of its id is there already.
    fn make(&mut self, shape: MessageShape<'e>) {
        match self.kind(shape.id) {
            None => {
                let made = Access::Write(Trace::Made(shape));
                self.touched.extend([(Thing::List, made), (Thing::Message(shape.id), made)]);
                let kind = match shape.role {
                    ASSISTANT => MessageKind::Assistant,
                    REASONING => MessageKind::Lasting,
                    _ => MessageKind::Other,
                };
                self.known.set_message(shape.id, kind);
            }
            Some(MessageKind::Unsure) => self.make_perhaps(shape.id),
            Some(_) => {}
        }
        self.read(Thing::Message(shape.id));
    }

    fn make_perhaps(&mut self, id: &'e str) {
        self.write(Thing::List);
        self.write(Thing::Message(id));
        self.known.set_message(id, MessageKind::Unsure);
    }

    /// The message belongs to `tag`, if it belongs to anyone.
    fn claim(&mut self, id: &'e str, tag: Option<&'e str>) {
        if self.is_repeated() {
            return;
        }
        if self.claims.insert(id, tag) != Some(tag) {
            self.touched.push((Thing::Owner(id), Access::Write(Trace::Claim(tag))));
        }
        self.read(Thing::Owner(id));
    }

    /// The message belongs to `tag` from now on.
    fn take(&mut self, id: &'e str, tag: Option<&'e str>) {
        self.write(Thing::Owner(id));
        self.claims.insert(id, tag);
    }

    fn is_repeated(&self) -> bool {
        self.starts.repeated.contains(&self.index)
    }

    fn append(&mut self, id: &'e str) {
        self.read(Thing::Message(id));
        self.write(Thing::Text(id));
    }

    fn merge(&mut self, thing: Thing<'e>, has_metadata: bool) {
        if has_metadata {
            self.write(thing);
        }
    }

    fn look(&mut self, thing: Thing<'e>, minds: bool) {
        if minds {
            self.read(thing);
        }
    }

    fn read(&mut self, thing: Thing<'e>) {
        self.touched.push((thing, Access::Read));
    }

    fn write(&mut self, thing: Thing<'e>) {
        self.touched.push((thing, Access::Write(Trace::Event(self.index))));
    }
}

/// What later events make of starts.
#[derive(Default)]
struct Starts {
    /// Those of text messages that get a delta.
    filled: HashSet<usize>,
    /// Those of streams that are open already.
    repeated: HashSet<usize>,
}

impl Starts {
    fn of(events: &[Event], order: &[usize]) -> Self {
        let mut starts = Self::default();
        let mut open: HashMap<StreamId<'_>, usize> = HashMap::new();
        for &index in order {
            match part(&events[index]) {
                Some((stream, StreamPart::Start)) => {
                    let first = *open.entry(stream).or_insert(index);
                    starts.repeated.extend((first != index).then_some(index));
                }
                Some((stream, StreamPart::Delta)) => starts.filled.extend(open.get(&stream)),
                Some((stream, StreamPart::End)) => _ = open.remove(&stream),
                None => {}
            }
        }
        starts
    }
}
