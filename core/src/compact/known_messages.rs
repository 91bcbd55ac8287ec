//! The messages and calls that exist when an event arrives, as far as the earlier events show.

use super::event_table::{EventTable, Listed};
use super::numbers::{ACTIVITY, ASSISTANT, Number, REASONING};
use super::row::{Kind, List, Row};
use crate::collections::HashMap;

/// The knowledge about a message. A replay may start with messages, so a message with the id may exist before the event
/// that begins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// A message of the assistant, which can hold calls.
    Assistant,
    /// An activity or reasoning. A snapshot without it may or may not remove it.
    Lasting,
    /// A message of any other kind.
    Other,
    /// The message exists. It may be of any kind except reasoning, which text replaces.
    Begun,
    /// The message exists, and may be of any kind.
    Any,
    /// The message may exist, and may be of any kind.
    Unsure,
}

/// The messages and calls that the events so far have created. Changes by trials can be undone.
#[derive(Clone, Debug)]
pub struct KnownMessages {
    messages: Vec<Option<(Versions, MessageKind)>>,
    calls: Vec<Option<KnownCall>>,
    versions: Versions,
    /// True if there were chunks. Their messages are unknown, so any message may exist.
    has_gaps: bool,
    /// The entries before a trial, for undoing it.
    before: Vec<Before>,
}

/// Number of times that a kind of knowledge became uncertain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Versions {
    messages: usize,
    calls: usize,
}

/// A call. Without versions it may or may not exist.
#[derive(Clone, Copy, Debug)]
struct KnownCall(Option<Versions>);

#[derive(Clone, Copy, Debug)]
enum Before {
    Message(Number, Option<(Versions, MessageKind)>),
    Call(Number, Option<KnownCall>),
}

/// A point to which changes can be undone.
#[derive(Clone, Copy, Debug)]
pub struct Mark(Versions);

impl KnownMessages {
    /// Creates empty knowledge for this many numbers.
    pub fn new(count: usize) -> Self {
        Self {
            messages: vec![None; count],
            calls: vec![None; count],
            versions: Versions::default(),
            has_gaps: false,
            before: Vec::new(),
        }
    }

    /// Sets a mark.
    pub fn mark(&mut self) -> Mark {
        self.before.clear();
        Mark(self.versions)
    }

    /// Undoes all changes since the mark. It must be the last mark.
    pub fn go_back(&mut self, Mark(versions): Mark) {
        for before in self.before.drain(..).rev() {
            match before {
                Before::Message(id, kind) => _ = replaced(&mut self.messages, id, kind),
                Before::Call(id, call) => _ = replaced(&mut self.calls, id, call),
            }
        }
        self.versions = versions;
    }

    /// Returns the kind of the message; `None` if no event has created it.
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

    /// Returns whether a call exists: `true` if it certainly does, `false` if it may, `None` if no
    /// event has created it.
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

    /// Records an event that keeps its place.
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

    /// Makes all knowledge uncertain.
    fn upset(&mut self) {
        self.versions.messages += 1;
        self.versions.calls += 1;
    }

    /// Records that a message was replaced, with its calls.
    pub fn lose_calls(&mut self) {
        self.versions.calls += 1;
    }

    /// Records that a snapshot has replaced the messages.
    pub fn replace(&mut self, list: List, table: &EventTable) {
        self.upset();
        let mut times: HashMap<Number, usize> = HashMap::default();
        for message in table.messages(list) {
            *times.entry(message.id).or_default() += 1;
        }
        for message in table.messages(list) {
            // If several messages have one id, this code cannot know which one remains.
            let is_one = times[&message.id] == 1;
            self.set_message(message.id, if is_one { kind(&message) } else { MessageKind::Any });
            message.calls().iter().for_each(|&call| self.note_call(call, is_one.then_some(self.versions)));
        }
    }

    /// Records that a run has begun. The messages of its input exist now, unless messages with their
    /// ids existed before.
    fn begin_run(&mut self, list: List, table: &EventTable) {
        for message in table.messages(list) {
            if matches!(self.message(message.id), None | Some(MessageKind::Unsure)) {
                self.set_message(message.id, MessageKind::Any);
                message.calls().iter().for_each(|&call| self.note_call(call, None));
            }
        }
    }
}

/// Replaces an entry, and returns the former one. A number out of range has none.
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
