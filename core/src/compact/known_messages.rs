//! What is there when an event comes, as far as the events before it tell.

use super::event_table::{EventTable, Listed};
use super::numbers::{ACTIVITY, ASSISTANT, Number, REASONING};
use super::row::{Kind, List, Row};
use crate::maps::HashMap;

/// What is known of a message. An event that begins one may have found one of its id, where a replay starts with that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// The assistant's: it can hold calls.
    Assistant,
    /// An activity, or reasoning: a snapshot that leaves it out may or may not remove it.
    Lasting,
    /// Any other.
    Other,
    /// It is there, and may be anything but a thought that gives way to text.
    Begun,
    /// It is there, and may be anything.
    Any,
    /// It may be there or not, and may be anything.
    Unsure,
}

/// What the events so far have made; what those add that are only tried can be taken back.
#[derive(Clone, Debug)]
pub struct KnownMessages {
    messages: Vec<Option<(Versions, MessageKind)>>,
    calls: Vec<Option<KnownCall>>,
    versions: Versions,
    /// Chunks have come: what they make is not known, so anything may be there.
    has_gaps: bool,
    /// What was there before what is tried.
    before: Vec<Before>,
}

/// How often a kind of knowledge has been upset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Versions {
    messages: usize,
    calls: usize,
}

/// A call; without a version it may be there or not.
#[derive(Clone, Copy, Debug)]
struct KnownCall(Option<Versions>);

#[derive(Clone, Copy, Debug)]
enum Before {
    Message(Number, Option<(Versions, MessageKind)>),
    Call(Number, Option<KnownCall>),
}

/// What can be gone back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark(Versions);

impl KnownMessages {
    /// Nothing, about so many numbers.
    pub fn new(count: usize) -> Self {
        Self {
            messages: vec![None; count],
            calls: vec![None; count],
            versions: Versions::default(),
            has_gaps: false,
            before: Vec::new(),
        }
    }

    /// What is known now.
    pub fn mark(&mut self) -> Mark {
        self.before.clear();
        Mark(self.versions)
    }

    /// Forgets what has been learnt since the mark was set, which must be the last one.
    pub fn go_back(&mut self, Mark(versions): Mark) {
        for before in self.before.drain(..).rev() {
            match before {
                Before::Message(id, kind) => _ = replaced(&mut self.messages, id, kind),
                Before::Call(id, call) => _ = replaced(&mut self.calls, id, call),
            }
        }
        self.versions = versions;
    }

    /// What the message is; nothing if no event has made it.
    pub fn message(&self, id: Number) -> Option<MessageKind> {
        let Some((versions, kind)) = self.messages.get(id as usize).copied().flatten() else {
            return self.has_gaps.then_some(MessageKind::Unsure);
        };
        match kind {
            kind if versions.messages == self.versions.messages => Some(kind),
            MessageKind::Assistant | MessageKind::Other if !self.has_gaps => None,
            _ => Some(MessageKind::Unsure),
        }
    }

    /// Whether the call is there: certainly, perhaps (`false`), or nothing if no event has made it.
    pub fn call(&self, id: Number) -> Option<bool> {
        match self.calls.get(id as usize).copied().flatten() {
            Some(KnownCall(versions)) => {
                Some(versions.is_some_and(|versions| versions.calls == self.versions.calls))
            }
            None => self.has_gaps.then_some(false),
        }
    }

    pub fn set_message(&mut self, id: Number, kind: MessageKind) {
        let before = replaced(&mut self.messages, id, Some((self.versions, kind)));
        self.before.push(Before::Message(id, before));
    }

    pub fn set_call(&mut self, id: Number) {
        self.note_call(id, Some(self.versions));
    }

    fn note_call(&mut self, id: Number, versions: Option<Versions>) {
        let before = replaced(&mut self.calls, id, Some(KnownCall(versions)));
        self.before.push(Before::Call(id, before));
    }

    /// An event that nothing passes has come.
    pub fn pass(&mut self, row: &Row, table: &EventTable) {
        match row.kind {
            Kind::RunStart(list) => self.begin_run(list, table),
            Kind::Chunk => {
                self.has_gaps = true;
                self.upset();
            }
            _ => {}
        }
    }

    /// Nothing is certain any more.
    fn upset(&mut self) {
        self.versions.messages += 1;
        self.versions.calls += 1;
    }

    /// A message has been replaced, its calls with it, if it had any.
    pub fn lose_calls(&mut self) {
        self.versions.calls += 1;
    }

    /// A snapshot has replaced the messages.
    pub fn replace(&mut self, list: List, table: &EventTable) {
        self.upset();
        let mut times: HashMap<Number, usize> = HashMap::default();
        for message in table.messages(list) {
            *times.entry(message.id).or_default() += 1;
        }
        for message in table.messages(list) {
            // Of several with one id it depends on more than is known here which are there.
            let is_one = times[&message.id] == 1;
            self.set_message(message.id, if is_one { kind(&message) } else { MessageKind::Any });
            message.calls().iter().for_each(|&call| self.note_call(call, is_one.then_some(self.versions)));
        }
    }

    /// A run has begun: messages of its input are there now, unless others of their ids were.
    fn begin_run(&mut self, list: List, table: &EventTable) {
        for message in table.messages(list) {
            if matches!(self.message(message.id), None | Some(MessageKind::Unsure)) {
                self.set_message(message.id, MessageKind::Any);
                message.calls().iter().for_each(|&call| self.note_call(call, None));
            }
        }
    }
}

/// What stood at a place before; a number that is none has none.
fn replaced<T>(places: &mut [Option<T>], number: Number, value: Option<T>) -> Option<T> {
    places.get_mut(number as usize).and_then(|place| std::mem::replace(place, value))
}

fn kind(message: &Listed<'_>) -> MessageKind {
    match message.role {
        ASSISTANT => MessageKind::Assistant,
        ACTIVITY | REASONING => MessageKind::Lasting,
        _ => MessageKind::Other,
    }
}
