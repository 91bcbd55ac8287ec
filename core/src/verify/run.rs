//! The open entities of a run and the owners of ids, and how events change both.

use super::kind::EntityKind;
use super::open::{OpenEntity, OpenSet, Steps};
use super::owners::{Owner, Owners};
use crate::collections::HashSet;
use crate::types::{Event, Message, MessagesSnapshotEvent};

/// The state of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    text_messages: OpenSet,
    reasoning_messages: OpenSet,
    reasoning_spans: OpenSet,
    tool_calls: OpenSet,
    pub steps: Steps,
    pub subagents: OpenSet,
    pub ended_subagents: HashSet<String>,
    /// The owners of text messages, tool results, and listed messages of other kinds.
    pub message_owners: Owners,
    /// The owners of spans and messages of reasoning.
    reasoning_owners: Owners,
    pub tool_call_owners: Owners,
    pub activity_owners: Owners,
}

impl Run {
    /// Applies a legal event: opens and closes entities, and records owners.
    pub fn apply(&mut self, event: &Event) {
        let owner = Owner(event.subagent_run_id());
        match event {
            Event::RunStarted(e) => {
                *self = Self::default();
                if let Some(input) = &e.input {
                    self.record_listed(&input.messages, Owners::record_first);
                }
            }
            Event::MessagesSnapshot(e) => self.record_listed(&e.messages, Owners::record),
            Event::TextMessageStart(e) => {
                self.text_messages.insert(&e.message_id);
                self.message_owners.record_first(&e.message_id, owner);
            }
            Event::TextMessageEnd(e) => self.text_messages.remove(&e.message_id),
            Event::ToolCallStart(e) => {
                // If the owner of the parent message is known, a tagged call has the same owner
                // (V17).
                let parent = e.parent_message_id.as_deref();
                let inherited = parent.and_then(|parent| self.message_owners.get(parent));
                self.tool_calls.insert(&e.tool_call_id);
                self.tool_call_owners.record_first(&e.tool_call_id, inherited.unwrap_or(owner));
            }
            Event::ToolCallEnd(e) => self.tool_calls.remove(&e.tool_call_id),
            Event::ToolCallResult(e) => self.message_owners.record(&e.message_id, owner),
            Event::ReasoningStart(e) => {
                self.reasoning_spans.insert(&e.message_id);
                self.reasoning_owners.record_first(&e.message_id, owner);
            }
            Event::ReasoningEnd(e) => self.reasoning_spans.remove(&e.message_id),
            Event::ReasoningMessageStart(e) => {
                self.reasoning_messages.insert(&e.message_id);
                self.reasoning_owners.record_first(&e.message_id, owner);
            }
            Event::ReasoningMessageEnd(e) => self.reasoning_messages.remove(&e.message_id),
            Event::ActivitySnapshot(e) if e.replace == Some(false) => {
                self.activity_owners.record_first(&e.message_id, owner);
            }
            Event::ActivitySnapshot(e) => self.activity_owners.record(&e.message_id, owner),
            Event::StepStarted(e) => self.steps.insert(&e.step_name, owner),
            Event::StepFinished(e) => self.steps.remove(&e.step_name, owner),
            Event::SubagentStarted(e) => self.subagents.insert(&e.subagent_run_id),
            Event::SubagentFinished(e) => self.end_subagent(&e.subagent_run_id),
            Event::SubagentError(e) => self.end_subagent(&e.subagent_run_id),
            _ => {}
        }
    }

    /// True if an event of this type can change the run.
    pub fn is_changed_by(event: &Event) -> bool {
        let is_empty = |event: &MessagesSnapshotEvent| event.messages.is_empty();
        !matches!(
            event,
            Event::TextMessageContent(_)
                | Event::TextMessageChunk(_)
                | Event::ToolCallArgs(_)
                | Event::ToolCallChunk(_)
                | Event::ReasoningMessageContent(_)
                | Event::ReasoningMessageChunk(_)
                | Event::ReasoningEncryptedValue(_)
                | Event::ActivityDelta(_)
                | Event::StateSnapshot(_)
                | Event::StateDelta(_)
                | Event::Raw(_)
                | Event::Custom(_)
                | Event::Unknown(_)
        ) && !matches!(event, Event::MessagesSnapshot(event) if is_empty(event))
    }

    fn end_subagent(&mut self, id: &str) {
        self.subagents.remove(id);
        self.ended_subagents.insert(id.to_owned());
    }

    /// Records the owners of listed messages and of their calls.
    fn record_listed(&mut self, messages: &[Message], record: fn(&mut Owners, &str, Owner<'_>)) {
        for message in messages {
            let owner = Owner(message.subagent_run_id());
            let owners = match message {
                Message::Reasoning(_) => &mut self.reasoning_owners,
                Message::Activity(_) => &mut self.activity_owners,
                _ => &mut self.message_owners,
            };
            record(owners, message.id(), owner);
            for call in message.tool_calls() {
                record(&mut self.tool_call_owners, &call.id, owner);
            }
        }
    }

    /// The open entities of a kind, in the order of opening; steps by owner.
    pub fn open(&self, kind: EntityKind) -> Vec<OpenEntity<'_>> {
        let Some(open) = self.open_set(kind) else { return self.steps.in_order() };
        let owner = |id| self.owners(kind).and_then(|owners| owners.get(id)).and_then(|owner| owner.0);
        open.in_order().into_iter().map(|id| OpenEntity { id, subagent_run_id: owner(id) }).collect()
    }

    /// Number of remembered entities. It grows with every entity, open or not.
    pub fn remembered(&self) -> usize {
        let owners =
            [&self.message_owners, &self.reasoning_owners, &self.tool_call_owners, &self.activity_owners];
        owners.into_iter().map(Owners::len).sum::<usize>()
            + self.ended_subagents.len()
            + self.steps.owner_count()
    }

    pub fn open_count(&self) -> usize {
        let sets = EntityKind::ALL.iter().filter_map(|&kind| self.open_set(kind));
        self.steps.len() + sets.map(OpenSet::len).sum::<usize>()
    }

    /// The open entities of a kind. Steps are kept by owner instead.
    pub fn open_set(&self, kind: EntityKind) -> Option<&OpenSet> {
        match kind {
            EntityKind::Step => None,
            EntityKind::TextMessage => Some(&self.text_messages),
            EntityKind::ReasoningMessage => Some(&self.reasoning_messages),
            EntityKind::ReasoningSpan => Some(&self.reasoning_spans),
            EntityKind::ToolCall => Some(&self.tool_calls),
            EntityKind::Subagent => Some(&self.subagents),
        }
    }

    /// The owners of a kind's ids. Steps and subagents have none.
    pub fn owners(&self, kind: EntityKind) -> Option<&Owners> {
        match kind {
            EntityKind::Step | EntityKind::Subagent => None,
            EntityKind::TextMessage => Some(&self.message_owners),
            EntityKind::ReasoningMessage | EntityKind::ReasoningSpan => Some(&self.reasoning_owners),
            EntityKind::ToolCall => Some(&self.tool_call_owners),
        }
    }
}
