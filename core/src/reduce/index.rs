//! The reducer's index of the messages: ids, kinds and places, never text.

use std::collections::hash_map::Entry;

use super::change::{Place, Slot};
use crate::collections::{HashMap, HashSet};
use crate::types::{Content, Message, Role};
use crate::{Object, Value};

/// The messages of a conversation by place, by id and by the calls they hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    slots: Vec<MessageEntry>,
    /// Slots in the order of the list.
    order: Vec<Slot>,
    /// The first message of each id.
    by_id: HashMap<String, Slot>,
    /// The first call of each id: its message, and its index there.
    by_call: HashMap<String, (Slot, usize)>,
    /// The metadata members that events have added.
    gathered: HashMap<Place, HashSet<String>>,
}

/// A message.
#[derive(Clone, Debug)]
pub(super) struct MessageEntry {
    pub id: String,
    pub role: Option<Role>,
    pub holds: ContentForm,
    pub activity_type: Option<String>,
    /// Ids and names of its calls.
    pub calls: Vec<(String, String)>,
}

/// The form of a message's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentForm {
    Text,
    /// A list of parts, an activity's object, or the content of a message of unknown role that is not
    /// text.
    Other,
    Nothing,
}

impl MessageEntry {
    pub fn of(message: &Message) -> Self {
        let holds = match message {
            Message::User(message) => ContentForm::of(&message.content),
            Message::Tool(message) => ContentForm::of(&message.content),
            Message::Assistant(message) if message.content.is_none() => ContentForm::Nothing,
            Message::Activity(_) => ContentForm::Other,
            Message::Unknown(message) => match message.get("content") {
                Some(Value::String(_)) => ContentForm::Text,
                None | Some(Value::Null) => ContentForm::Nothing,
                Some(_) => ContentForm::Other,
            },
            _ => ContentForm::Text,
        };
        let calls =
            message.tool_calls().iter().map(|call| (call.id.clone(), call.function.name.clone())).collect();
        let activity_type = match message {
            Message::Activity(message) => Some(message.activity_type.clone()),
            _ => None,
        };
        Self { id: message.id().to_owned(), role: message.role(), holds, activity_type, calls }
    }
}

impl ContentForm {
    fn of(content: &Content) -> Self {
        match content {
            Content::Text(_) => Self::Text,
            Content::Parts(_) => Self::Other,
        }
    }
}

impl Index {
    pub fn new(messages: impl IntoIterator<Item = MessageEntry>) -> Self {
        let slots: Vec<MessageEntry> = messages.into_iter().collect();
        let order = (0..slots.len()).collect();
        let mut index = Self { slots, order, ..Self::default() };
        index.find_again();
        index
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The first message with this id.
    pub fn message(&self, id: &str) -> Option<Slot> {
        self.by_id.get(id).copied()
    }

    /// The first call with this id.
    pub fn call(&self, id: &str) -> Option<(Slot, usize)> {
        self.by_call.get(id).copied()
    }

    pub fn at(&self, slot: Slot) -> &MessageEntry {
        &self.slots[slot]
    }

    pub fn at_mut(&mut self, slot: Slot) -> &mut MessageEntry {
        &mut self.slots[slot]
    }

    /// Records merged metadata. Returns the number of members that events have added so far.
    pub fn gather(&mut self, place: Place, metadata: &Object) -> usize {
        let known = self.gathered.entry(place).or_default();
        for (name, _) in metadata {
            if !known.contains(name) {
                known.insert(name.to_owned());
            }
        }
        known.len()
    }

    /// The messages in the order of the list.
    pub fn in_order(&self) -> impl Iterator<Item = (Slot, &MessageEntry)> {
        self.order.iter().map(|&slot| (slot, &self.slots[slot]))
    }

    /// The place after a message and the tool messages that directly follow it.
    pub fn behind_results_of(&self, slot: Slot) -> usize {
        // Calls are answered soon, so the message is near the end.
        let place = self.order.iter().rposition(|&other| other == slot).unwrap_or_default();
        let follow = self.order[place + 1..].iter();
        place + 1 + follow.take_while(|&&other| self.slots[other].role == Some(Role::Tool)).count()
    }

    pub fn insert(&mut self, position: usize, message: MessageEntry) -> Slot {
        let slot = self.slots.len();
        let is_last = position == self.order.len();
        self.order.insert(position, slot);
        match self.by_id.entry(message.id.clone()) {
            Entry::Vacant(entry) => _ = entry.insert(slot),
            Entry::Occupied(mut entry) if !is_last => {
                let first = self.order.iter().find(|&other| other == entry.get() || *other == slot);
                entry.insert(*first.unwrap_or(&slot));
            }
            Entry::Occupied(_) => {}
        }
        for (place, (id, _)) in message.calls.iter().enumerate() {
            self.by_call.entry(id.clone()).or_insert((slot, place));
        }
        self.slots.push(message);
        slot
    }

    pub fn add_call(&mut self, slot: Slot, id: &str, name: &str) {
        let calls = &mut self.slots[slot].calls;
        self.by_call.insert(id.to_owned(), (slot, calls.len()));
        calls.push((id.to_owned(), name.to_owned()));
    }

    /// Replaces a message by another with the same id.
    pub fn replace(&mut self, slot: Slot, message: MessageEntry) {
        self.slots[slot] = message;
        self.find_again();
    }

    fn find_again(&mut self) {
        self.by_id.clear();
        self.by_call.clear();
        for &slot in &self.order {
            let known = &self.slots[slot];
            self.by_id.entry(known.id.clone()).or_insert(slot);
            for (place, (id, _)) in known.calls.iter().enumerate() {
                self.by_call.entry(id.clone()).or_insert((slot, place));
            }
        }
    }
}
