//! MESSAGES_SNAPSHOT: decides which messages stay, and where new ones go.

use super::EventReduction;
use super::change::{Arranged, Change};
use super::index::{Index, MessageEntry};
use crate::collections::{HashMap, HashSet};
use crate::types::{Message, MessagesSnapshotEvent, Role};
use crate::{Object, Value};

/// The metadata key of a producer's declaration which activities its snapshot covers.
const CLIENT_KEY: &str = "@ag-ui/client";

impl EventReduction<'_> {
    /// Local order counts. Messages of the snapshot replace local ones at their places. Other local messages are
    /// dropped, unless they survive. New messages follow in the order of the snapshot.
    pub(super) fn messages_snapshot(&mut self, event: MessagesSnapshotEvent) {
        let survival = Survival::of(&event);
        // If several entries have one id, the last one replaces the local message.
        let last: HashMap<&str, &Message> =
            event.messages.iter().map(|message| (message.id(), message)).collect();
        let mut arranged = Vec::new();
        let mut known = Vec::new();
        for (slot, local) in self.index.in_order() {
            if let Some(message) = last.get(&*local.id) {
                arranged.push(Arranged::New((*message).clone()));
                known.push(MessageEntry::of(message));
            } else if survival.keeps(local) {
                arranged.push(Arranged::Kept(slot));
                known.push(local.clone());
            }
        }
        let there: HashSet<String> = known.iter().map(|message| message.id.clone()).collect();
        for message in event.messages.into_iter().filter(|message| !there.contains(message.id())) {
            known.push(MessageEntry::of(&message));
            arranged.push(Arranged::New(message));
        }
        *self.index = Index::new(known);
        self.change(Change::Arrange(arranged));
        self.touch();
    }
}

/// Decides which local messages survive although they are not in the snapshot.
struct Survival {
    reasoning: bool,
    activities: Activities,
}

enum Activities {
    All,
    None,
    /// All except those of these types.
    Except(Vec<String>),
}

impl Survival {
    fn of(event: &MessagesSnapshotEvent) -> Self {
        let has = |role| event.messages.iter().any(|message| message.role() == Some(role));
        let activities = match declaration(event.metadata.as_ref()) {
            Declared::Nothing if has(Role::Activity) => Activities::None,
            Declared::Nothing => Activities::All,
            Declared::Value(Value::Null) => Activities::None,
            Declared::Value(types) => strings(types).map_or(Activities::All, Activities::Except),
        };
        Self { reasoning: !has(Role::Reasoning), activities }
    }

    fn keeps(&self, local: &MessageEntry) -> bool {
        match (local.role, &self.activities) {
            (Some(Role::Reasoning), _) => self.reasoning,
            (Some(Role::Activity), Activities::All) => true,
            (Some(Role::Activity), Activities::Except(types)) => {
                local.activity_type.as_ref().is_none_or(|known| !types.contains(known))
            }
            _ => false,
        }
    }
}

/// The declaration of a snapshot about activities.
enum Declared<'m> {
    Nothing,
    Value(&'m Value),
}

fn declaration(metadata: Option<&Object>) -> Declared<'_> {
    match metadata.and_then(|metadata| metadata.get(CLIENT_KEY)) {
        None => Declared::Nothing,
        Some(Value::Object(client)) => {
            client.get("authoritativeActivityTypes").map_or(Declared::Nothing, Declared::Value)
        }
        Some(_) => Declared::Value(&Value::Bool(true)),
    }
}

/// The strings of a list that holds only strings.
fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}
