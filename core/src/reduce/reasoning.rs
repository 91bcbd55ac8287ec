//! Reasoning, and messages of other kinds with the same id.

use super::change::{Change, Slot};
use super::index::MessageEntry;
use super::{EventReduction, named};
use crate::error::Code;
use crate::types::{Message, ReasoningMessage, ReasoningMessageStartEvent, Role};

impl EventReduction<'_> {
    pub(super) fn reasoning_start(&mut self, event: ReasoningMessageStartEvent) {
        let ReasoningMessageStartEvent { message_id: id, metadata, subagent_run_id, .. } = event;
        if !self.takes_reasoning(&id) {
            self.left_out.remove(&id);
            return self.leave_out(&id);
        }
        if self.index.message(&id).is_some() {
            return self.reopen(&id, metadata);
        }
        self.append_message(ReasoningMessage { subagent_run_id, id, metadata, ..Default::default() }.into());
    }

    /// Drops reasoning. The warning comes once for a message.
    pub(super) fn leave_out(&mut self, id: &str) {
        if !self.left_out.contains(id) {
            self.left_out.insert(id.to_owned());
            let detail = format!("{} is not reasoning: the reasoning is left out", named("message", id));
            self.warn(Code::RoleConflict, detail);
        }
    }

    /// Replaces reasoning by the answer that has its id.
    pub(super) fn replace_reasoning(&mut self, slot: Slot, message: Message) {
        self.warn(
            Code::RoleConflict,
            format!("a text message replaces {}, which is reasoning", named("message", message.id())),
        );
        self.left_out.insert(message.id().to_owned());
        // The id stays, and neither message has calls.
        *self.index.at_mut(slot) = MessageEntry::of(&message);
        self.change(Change::Replace { slot, message });
        self.touch();
    }

    /// True if reasoning with this id is kept. It is not added to messages of other kinds.
    pub(super) fn takes_reasoning(&self, id: &str) -> bool {
        let role = |slot: Slot| self.index.at(slot).role;
        let is_other = |role: Option<Role>| !matches!(role, Some(Role::Reasoning | Role::Activity));
        !(self.separates_reasoning && self.index.message(id).map(role).is_some_and(is_other))
    }
}
