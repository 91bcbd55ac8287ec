//! Judges events by the open entities of their run and by the owners of ids. Judging does not change the run.

use super::kind::EntityKind;
use super::open::OpenEntity;
use super::owners::{Owner, Owners};
use super::run::Run;
use crate::error::{Error, quoted};
use crate::limits::Limits;
use crate::rule::Rule;
use crate::types::{
    Event, Message, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, SubagentStartedEvent,
    ToolCallStartEvent,
};

/// The maximum number of open entities that a message lists.
const MAX_LISTED: usize = 10;

impl Run {
    /// Checks that the event is legal now.
    pub fn judge(&self, event: &Event, limits: &Limits) -> Result<(), Error> {
        match event {
            Event::TextMessageStart(e) => {
                self.judge_start(event, EntityKind::TextMessage, &e.message_id, limits)
            }
            Event::TextMessageContent(e) => self.judge_use(event, EntityKind::TextMessage, &e.message_id),
            Event::TextMessageEnd(e) => self.judge_use(event, EntityKind::TextMessage, &e.message_id),
            Event::ToolCallStart(e) => self.judge_tool_call(event, e, limits),
            Event::ToolCallArgs(e) => self.judge_use(event, EntityKind::ToolCall, &e.tool_call_id),
            Event::ToolCallEnd(e) => self.judge_use(event, EntityKind::ToolCall, &e.tool_call_id),
            Event::ToolCallResult(e) => self.judge_kept(event, &e.message_id, limits),
            Event::ReasoningStart(e) => {
                self.judge_start(event, EntityKind::ReasoningSpan, &e.message_id, limits)
            }
            Event::ReasoningEnd(e) => self.judge_use(event, EntityKind::ReasoningSpan, &e.message_id),
            Event::ReasoningMessageStart(e) => {
                self.judge_start(event, EntityKind::ReasoningMessage, &e.message_id, limits)
            }
            Event::ReasoningMessageContent(e) => {
                self.judge_use(event, EntityKind::ReasoningMessage, &e.message_id)
            }
            Event::ReasoningMessageEnd(e) => {
                self.judge_use(event, EntityKind::ReasoningMessage, &e.message_id)
            }
            Event::ReasoningEncryptedValue(e) => self.judge_encrypted_value(event, e),
            Event::StepStarted(e) => self.judge_step_start(event, &e.step_name, limits),
            Event::StepFinished(e) => self.judge_step_finish(event, &e.step_name),
            Event::ActivitySnapshot(e) => self.judge_kept(event, &e.message_id, limits),
            Event::ActivityDelta(e) => judge_owner(event, "activity", &e.message_id, &self.activity_owners),
            Event::SubagentStarted(e) => self.judge_subagent(event, e, limits),
            Event::SubagentFinished(e) => self.judge_open(event, EntityKind::Subagent, &e.subagent_run_id),
            Event::SubagentError(e) => self.judge_open(event, EntityKind::Subagent, &e.subagent_run_id),
            Event::MessagesSnapshot(e) => judge_listed(&e.messages, self.remembered(), limits),
            // Events of runs are judged with the state of the stream.
            Event::RunStarted(_)
            | Event::RunFinished(_)
            | Event::RunError(_)
            | Event::TextMessageChunk(_)
            | Event::ToolCallChunk(_)
            | Event::ReasoningMessageChunk(_)
            | Event::StateSnapshot(_)
            | Event::StateDelta(_)
            | Event::Raw(_)
            | Event::Custom(_)
            | Event::Unknown(_) => Ok(()),
        }
    }

    fn judge_start(&self, event: &Event, kind: EntityKind, id: &str, limits: &Limits) -> Result<(), Error> {
        self.judge_closed(kind, id)?;
        self.judge_owner(event, kind, id)?;
        self.judge_cost(event, id, limits)
    }

    fn judge_use(&self, event: &Event, kind: EntityKind, id: &str) -> Result<(), Error> {
        self.judge_open(event, kind, id)?;
        self.judge_owner(event, kind, id)
    }

    fn judge_tool_call(
        &self,
        event: &Event,
        call: &ToolCallStartEvent,
        limits: &Limits,
    ) -> Result<(), Error> {
        let id = &call.tool_call_id;
        self.judge_closed(EntityKind::ToolCall, id)?;
        let parent = call.parent_message_id.as_deref();
        let parent_owner = parent.and_then(|parent| self.message_owners.get(parent));
        let parents = |owner| format!("parent message {} of {owner}", quoted(parent.unwrap_or_default()));
        let tag = call.subagent_run_id.as_deref();
        if let (Some(_), Some(owner)) = (tag, parent_owner)
            && owner != Owner(tag)
        {
            return Err(Error::broken(
                Rule::V17,
                format!("tool call under {}, {}", Owner(tag), parents(owner)),
            ));
        }
        self.judge_owner(event, EntityKind::ToolCall, id)?;
        if let (None, Some(own), Some(owner)) = (tag, self.tool_call_owners.get(id), parent_owner)
            && own != owner
        {
            let detail = format!("tool call {} of {own}, {}", quoted(id), parents(owner));
            return Err(Error::broken(Rule::V18, detail));
        }
        limits.check_id(&call.tool_call_name)?;
        self.judge_cost(event, id, limits)
    }

    fn judge_encrypted_value(&self, event: &Event, e: &ReasoningEncryptedValueEvent) -> Result<(), Error> {
        let id = &e.entity_id;
        match e.subtype {
            ReasoningEncryptedValueSubtype::ToolCall => self.judge_owner(event, EntityKind::ToolCall, id),
            ReasoningEncryptedValueSubtype::Message if self.message_owners.get(id).is_some() => {
                self.judge_owner(event, EntityKind::TextMessage, id)
            }
            ReasoningEncryptedValueSubtype::Message | ReasoningEncryptedValueSubtype::Unknown => {
                self.judge_owner(event, EntityKind::ReasoningMessage, id)
            }
        }
    }

    fn judge_step_start(&self, event: &Event, name: &str, limits: &Limits) -> Result<(), Error> {
        let owner = Owner(event.subagent_run_id());
        if self.steps.contains(name, owner) {
            return Err(Error::broken(Rule::V20, format!("step {} of {owner}", quoted(name))));
        }
        self.judge_cost(event, name, limits)
    }

    fn judge_step_finish(&self, event: &Event, name: &str) -> Result<(), Error> {
        let owner = Owner(event.subagent_run_id());
        if self.steps.contains(name, owner) {
            return Ok(());
        }
        let step = quoted(name);
        Err(match self.steps.holder(name) {
            Some(holder) => {
                Error::broken(Rule::V21, format!("step {step} under {owner}, open under {holder}"))
            }
            None => Error::broken(Rule::V22, format!("step {step}")),
        })
    }

    fn judge_subagent(&self, event: &Event, e: &SubagentStartedEvent, limits: &Limits) -> Result<(), Error> {
        let id = &e.subagent_run_id;
        self.judge_closed(EntityKind::Subagent, id)?;
        if self.ended_subagents.contains(id) {
            return Err(Error::broken(Rule::V30, format!("subagent {}", quoted(id))));
        }
        let known = |id: &str| self.subagents.contains(id) || self.ended_subagents.contains(id);
        if let Some(parent) = e.parent_subagent_run_id.as_deref()
            && !known(parent)
        {
            return Err(Error::broken(Rule::V31, format!("subagent {}", quoted(parent))));
        }
        self.judge_cost(event, id, limits)
    }

    /// Checks that a snapshot that does not replace an activity has the activity's tag.
    pub fn judge_unreplaced(&self, event: &Event) -> Result<(), Error> {
        match event {
            Event::ActivitySnapshot(e) if e.replace == Some(false) => {
                judge_owner(event, "activity", &e.message_id, &self.activity_owners)
            }
            _ => Ok(()),
        }
    }

    /// Checks that no entity of these kinds is open when the run finishes.
    pub fn judge_left_open(&self, kinds: &[EntityKind]) -> Result<(), Error> {
        for &kind in kinds {
            let open = self.open(kind);
            if !open.is_empty() {
                return Err(Error::broken(kind.rules().left_open, listed(kind, &open)));
            }
        }
        Ok(())
    }

    fn judge_closed(&self, kind: EntityKind, id: &str) -> Result<(), Error> {
        if self.open_set(kind).is_some_and(|open| open.contains(id)) {
            return Err(Error::broken(kind.rules().open_already, format!("{kind} {}", quoted(id))));
        }
        Ok(())
    }

    fn judge_open(&self, event: &Event, kind: EntityKind, id: &str) -> Result<(), Error> {
        if self.open_set(kind).is_some_and(|open| open.contains(id)) {
            return Ok(());
        }
        Err(Error::broken(kind.rules().not_open, format!("{} of {kind} {}", event.tag(), quoted(id))))
    }

    fn judge_owner(&self, event: &Event, kind: EntityKind, id: &str) -> Result<(), Error> {
        self.owners(kind).map_or(Ok(()), |owners| judge_owner(event, kind.as_str(), id, owners))
    }

    /// Checks the limits for an entity that the event opens under `id`.
    fn judge_cost(&self, event: &Event, id: &str, limits: &Limits) -> Result<(), Error> {
        limits.check_open(self.open_count())?;
        self.judge_kept(event, id, limits)
    }

    /// Checks that one more entity can be remembered, and that `id` and the event's tag are not too long.
    fn judge_kept(&self, event: &Event, id: &str, limits: &Limits) -> Result<(), Error> {
        limits.check_run(self.remembered())?;
        limits.check_id(id)?;
        event.subagent_run_id().map_or(Ok(()), |tag| Ok(limits.check_id(tag)?))
    }
}

/// Checks that a tagged event has the tag of the entity that it is about. An untagged event always
/// matches.
fn judge_owner(event: &Event, noun: &str, id: &str, owners: &Owners) -> Result<(), Error> {
    let Some(tag) = event.subagent_run_id() else { return Ok(()) };
    let claimed = Owner(Some(tag));
    match owners.get(id) {
        Some(owner) if owner != claimed => {
            let detail = format!("{} under {claimed}, {noun} {} of {owner}", event.tag(), quoted(id));
            Err(Error::broken(Rule::V14, detail))
        }
        _ => Ok(()),
    }
}

/// Checks the limits for the messages of a list, on top of the entities remembered already.
pub(super) fn judge_listed(
    messages: &[Message],
    mut remembered: usize,
    limits: &Limits,
) -> Result<(), Error> {
    for message in messages {
        limits.check_run(remembered)?;
        remembered += 1 + message.tool_calls().len();
        limits.check_id(message.id())?;
        message.subagent_run_id().map_or(Ok(()), |tag| limits.check_id(tag))?;
        message.tool_calls().iter().try_for_each(|call| limits.check_id(&call.id))?;
    }
    Ok(())
}

/// The first open entities, and the number of the others.
fn listed(kind: EntityKind, open: &[OpenEntity<'_>]) -> String {
    let names: Vec<_> = open
        .iter()
        .take(MAX_LISTED)
        .map(|open| match open.subagent_run_id {
            Some(tag) if kind == EntityKind::Step => {
                format!("{} of subagent {}", quoted(open.id), quoted(tag))
            }
            _ => quoted(open.id),
        })
        .collect();
    let more = open.len() - names.len();
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{rest}", names.join(", "))
}
