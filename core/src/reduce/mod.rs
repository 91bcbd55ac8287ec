//! Reduction turns the events of a run into messages, state and pending interrupts.
//!
//! Core decides, hosts mirror. The reducer knows ids, kinds and places. For each event it returns small
//! operations, which a host applies to its own objects; [`Conversation`] is the host of Rust programs. The cost of
//! an event does not depend on the length of the conversation.

mod calls;
mod change;
mod conversation;
mod edits;
mod end;
mod index;
mod later;
mod reasoning;
mod snapshot;

pub(crate) use calls::Calls;
pub use change::{Arranged, Change, ChangeKind, Member, Place, Reduction, RunEnd, Slot};
pub use conversation::{Conversation, OnPatchFailure, Outcome};
#[cfg(feature = "client")]
pub(crate) use conversation::{Effect, typed};

pub use later::LaterRuns;

use index::{ContentForm, Index, MessageEntry};

use crate::Object;
use crate::collections::HashSet;
use crate::error::{Code, Error, Issue, quoted};
use crate::limits::Limits;
use crate::profile::Profile;
use crate::rule::Rule;
#[allow(clippy::wildcard_imports)] // Nearly all events and messages.
use crate::types::*;
use crate::verify::{EntityKind, Target};

/// Turns events into changes of a conversation. Chunks must have been expanded.
#[derive(Clone, Debug, Default)]
pub struct Reducer {
    index: Index,
    /// The tool calls of the run.
    calls: Calls,
    limits: Limits,
    /// True if reasoning is dropped that has the id of a message of another kind.
    separates_reasoning: bool,
    /// The ids of dropped reasoning that the run was warned about.
    left_out: HashSet<String>,
    later: LaterRuns,
}

impl Reducer {
    /// A reducer for a conversation with these messages. Their slots are their places.
    pub fn new<'m>(messages: impl IntoIterator<Item = &'m Message>) -> Self {
        Self { index: Index::new(messages.into_iter().map(MessageEntry::of)), ..Self::default() }
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Sets the profile. If an answer and reasoning share an id, `tolerant` keeps the answer, drops the reasoning and
    /// warns. In the other profiles the text of both goes into one message: verification in `strict` refuses that, and `relay` does not
    /// verify.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        Self { separates_reasoning: profile == Profile::Tolerant, ..self }
    }

    /// Computes the changes of an event. `incomplete` means that operations of its patch were dropped when it was read.
    ///
    /// Fails on a chunk (rule A01), and where metadata grows beyond its limit.
    pub fn apply(&mut self, event: Event, incomplete: bool) -> Result<Reduction, Error> {
        let limits = self.limits;
        self.calls.note(&event);
        let mut step = EventReduction {
            index: &mut self.index,
            limits,
            separates_reasoning: self.separates_reasoning,
            left_out: &mut self.left_out,
            reduction: Reduction::default(),
            exceeded: None,
        };
        match event {
            Event::TextMessageStart(event) => step.text_start(event),
            Event::TextMessageContent(event) => step.append(&event.message_id, event.delta, event.metadata),
            Event::TextMessageEnd(event) => step.message_end(&event.message_id, event.metadata),
            Event::ReasoningMessageStart(event) => step.reasoning_start(event),
            Event::ReasoningMessageContent(event) => {
                if step.takes_reasoning(&event.message_id) {
                    step.append(&event.message_id, event.delta, event.metadata);
                } else {
                    step.leave_out(&event.message_id);
                }
            }
            Event::ReasoningMessageEnd(event) => {
                if step.takes_reasoning(&event.message_id) {
                    step.message_end(&event.message_id, event.metadata);
                } else if event.metadata.is_some() {
                    step.leave_out(&event.message_id);
                }
            }
            Event::ReasoningEncryptedValue(event) => step.encrypted_value(event),
            Event::ToolCallStart(event) => step.call_start(event),
            Event::ToolCallArgs(event) => step.arguments(event),
            Event::ToolCallEnd(event) => step.call_end(event),
            Event::ToolCallResult(event) => step.result(event),
            Event::StateSnapshot(event) => step.change(Change::SetState(event.snapshot)),
            Event::StateDelta(event) => {
                step.change(Change::PatchState { operations: event.delta, incomplete });
            }
            Event::MessagesSnapshot(event) => step.messages_snapshot(event),
            Event::ActivitySnapshot(event) => step.activity_snapshot(event),
            Event::ActivityDelta(event) => step.activity_delta(event),
            Event::RunStarted(event) => {
                self.later.begin(&event.run_id);
                step.left_out.clear();
                if let Some(input) = event.input {
                    step.add_missing(input.messages);
                }
            }
            Event::RunFinished(event) => {
                self.later.end();
                step.run_finished(event, self.calls.pending());
            }
            Event::RunError(event) => {
                self.later.end();
                let RunErrorEvent { message, code, usage, .. } = event;
                step.change(Change::RunFailed { message, code, usage });
            }
            Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_) => {
                return Err(Error::broken(Rule::A01, ""));
            }
            Event::StepStarted(_)
            | Event::StepFinished(_)
            | Event::ReasoningStart(_)
            | Event::ReasoningEnd(_)
            | Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_)
            | Event::Raw(_)
            | Event::Custom(_)
            | Event::Unknown(_) => {}
        }
        let EventReduction { reduction, exceeded, .. } = step;
        self.later.note(&reduction.changes);
        exceeded.map_or(Ok(reduction), Err)
    }

    /// The runs after the first.
    pub fn later_runs(&self) -> &LaterRuns {
        &self.later
    }

    /// The place of the first message with this id.
    pub fn message(&self, id: &str) -> Option<Place> {
        self.index.message(id).map(Place::Message)
    }

    /// The place of the first tool call with this id.
    pub fn call(&self, id: &str) -> Option<Place> {
        self.index.call(id).map(|(slot, call)| Place::Call(slot, call))
    }

    /// The place of text that is added to an entity, if the text is the only change.
    pub(crate) fn text_place(&self, (kind, id): Target<'_>) -> Option<Place> {
        if kind == EntityKind::ToolCall {
            return self.call(id);
        }
        let slot = self.index.message(id)?;
        let known = self.index.at(slot);
        let is_apart = self.separates_reasoning
            && kind == EntityKind::ReasoningMessage
            && known.role != Some(Role::Reasoning);
        let takes_text = known.role != Some(Role::Activity) && known.holds == ContentForm::Text && !is_apart;
        takes_text.then_some(Place::Message(slot))
    }

    /// Notes that a [`Change::PatchContent`] did not apply: the activity at `slot` still has this
    /// type.
    pub fn content_unpatched(&mut self, slot: Slot, activity_type: &str) {
        self.index.at_mut(slot).activity_type = Some(activity_type.to_owned());
    }
}

/// The reduction of one event.
struct EventReduction<'r> {
    index: &'r mut Index,
    limits: Limits,
    separates_reasoning: bool,
    left_out: &'r mut HashSet<String>,
    reduction: Reduction,
    /// The error of an exceeded limit. It fails the stream.
    exceeded: Option<Error>,
}

impl EventReduction<'_> {
    fn change(&mut self, change: Change) {
        self.reduction.changes.push(change);
    }

    fn warn(&mut self, code: Code, detail: String) {
        self.reduction.warnings.push(Issue::new(code, "", detail));
    }

    fn missing(&mut self, detail: String, advice: &'static str) {
        self.reduction.warnings.push(Issue::new(Code::MessageMissing, "", detail).advise(advice));
    }

    /// Marks the messages as changed.
    fn touch(&mut self) {
        self.reduction.messages = true;
    }

    fn insert(&mut self, position: usize, message: Message) -> Slot {
        let slot = self.index.insert(position, MessageEntry::of(&message));
        self.change(Change::Insert { slot, position, message });
        self.touch();
        slot
    }

    fn append_message(&mut self, message: Message) -> Slot {
        self.insert(self.index.len(), message)
    }

    fn merge(&mut self, place: Place, metadata: Option<Object>) {
        if let Some(metadata) = metadata {
            let most = self.limits.metadata_members;
            if self.index.gather(place, &metadata) > most {
                self.exceeded = Some(Error::limit("metadata_members", most));
            }
            self.change(Change::Merge { place, metadata });
            self.touch();
        }
    }

    fn set(&mut self, place: Place, member: Member, value: Option<String>) {
        self.change(Change::Set { place, member, value });
        self.touch();
    }

    /// The message for streamed text. It must exist and be no activity.
    fn text_target(&mut self, id: &str) -> Option<Slot> {
        let Some(slot) = self.index.message(id) else {
            self.warn(Code::MessageMissing, named("message", id));
            return None;
        };
        if self.index.at(slot).role == Some(Role::Activity) {
            self.warn(
                Code::RoleConflict,
                format!("{} is an activity: its text is ignored", named("message", id)),
            );
            return None;
        }
        Some(slot)
    }

    fn text_start(&mut self, event: TextMessageStartEvent) {
        let TextMessageStartEvent { message_id: id, role, name, metadata, subagent_run_id, .. } = event;
        let known = self.index.message(&id);
        let reasoning = known
            .filter(|&slot| self.separates_reasoning && self.index.at(slot).role == Some(Role::Reasoning));
        if known.is_some() && reasoning.is_none() {
            return self.reopen(&id, metadata);
        }
        let message: Message = match role.unwrap_or(TextMessageRole::Assistant) {
            TextMessageRole::Developer => {
                DeveloperMessage { subagent_run_id, id, name, metadata, ..Default::default() }.into()
            }
            TextMessageRole::System => {
                SystemMessage { subagent_run_id, id, name, metadata, ..Default::default() }.into()
            }
            TextMessageRole::User => {
                UserMessage { subagent_run_id, id, name, metadata, ..Default::default() }.into()
            }
            TextMessageRole::Assistant => {
                let content = Some(String::new());
                AssistantMessage { subagent_run_id, id, name, metadata, content, ..Default::default() }.into()
            }
        };
        match reasoning {
            Some(slot) => self.replace_reasoning(slot, message),
            None => _ = self.append_message(message),
        }
    }

    /// Continues an existing message. Its role, name and owner stay.
    fn reopen(&mut self, id: &str, metadata: Option<Object>) {
        if let Some(slot) = self.text_target(id) {
            self.merge(Place::Message(slot), metadata);
        }
    }

    fn append(&mut self, id: &str, text: String, metadata: Option<Object>) {
        let Some(slot) = self.text_target(id) else { return };
        let place = Place::Message(slot);
        let holds = std::mem::replace(&mut self.index.at_mut(slot).holds, ContentForm::Text);
        if holds == ContentForm::Other {
            self.warn(Code::RoleConflict, format!("text replaces the content of {}", named("message", id)));
        }
        if holds == ContentForm::Text {
            self.change(Change::Append { place, text });
        } else {
            self.set(place, place.text(), Some(text));
        }
        self.merge(place, metadata);
        self.touch();
    }

    fn message_end(&mut self, id: &str, metadata: Option<Object>) {
        let Some(slot) = self.text_target(id) else { return };
        self.merge(Place::Message(slot), metadata);
        self.change(Change::MessageEnded(slot));
    }

    fn encrypted_value(&mut self, event: ReasoningEncryptedValueEvent) {
        let (id, value, value_type) = (event.entity_id, event.encrypted_value, event.encrypted_value_type);
        let place = match event.subtype {
            ReasoningEncryptedValueSubtype::ToolCall => {
                self.index.call(&id).map(|(slot, call)| Place::Call(slot, call))
            }
            ReasoningEncryptedValueSubtype::Message => {
                let found = self.index.message(&id);
                found.filter(|&slot| self.index.at(slot).role != Some(Role::Activity)).map(Place::Message)
            }
            ReasoningEncryptedValueSubtype::Unknown => {
                return self.warn(
                    Code::InvalidValue,
                    format!("{} is neither a message nor a tool call", named("entity", &id)),
                );
            }
        };
        match place {
            Some(place) => {
                self.set(place, Member::EncryptedValue, Some(value));
                // The type belongs to one value, so a value without a type removes the former type.
                self.set(place, Member::EncryptedValueType, value_type);
            }
            None => self.missing(named("entity", &id), "send it after the START of its message or tool call"),
        }
    }

    fn call_start(&mut self, event: ToolCallStartEvent) {
        let ToolCallStartEvent { tool_call_id, tool_call_name: name, metadata, .. } = event;
        if let Some((slot, call)) = self.index.call(&tool_call_id) {
            let known = &mut self.index.at_mut(slot).calls[call].1;
            if *known != name {
                known.clone_from(&name);
                self.warn(Code::CallRenamed, named("call", &tool_call_id));
                self.set(Place::Call(slot, call), Member::Name, Some(name));
            }
            return self.merge(Place::Call(slot, call), metadata);
        }
        let function = FunctionCall { name, ..Default::default() };
        let call = ToolCall { id: tool_call_id, function, metadata, ..Default::default() };
        let parent = event.parent_message_id.filter(|id| !id.is_empty());
        let found = parent.as_ref().and_then(|id| self.index.message(id));
        if let Some(slot) = found {
            if self.index.at(slot).role == Some(Role::Assistant) {
                self.index.add_call(slot, &call.id, &call.function.name);
                self.change(Change::AddCall { slot, call });
                return self.touch();
            }
            let parent = named("message", parent.as_deref().unwrap_or_default());
            self.warn(
                Code::RoleConflict,
                format!("{parent} cannot hold a tool call: the call gets a message of its own"),
            );
        }
        let id = parent.filter(|_| found.is_none()).unwrap_or_else(|| call.id.clone());
        // A message with this id has an owner already.
        let subagent_run_id = event.subagent_run_id.filter(|_| self.index.message(&id).is_none());
        let tool_calls = Some(vec![call]);
        self.append_message(
            AssistantMessage { subagent_run_id, id, tool_calls, ..Default::default() }.into(),
        );
    }

    /// The call with this id.
    fn call_target(&mut self, id: &str) -> Option<(Slot, usize)> {
        let found = self.index.call(id);
        if found.is_none() {
            self.warn(Code::MessageMissing, named("call", id));
        }
        found
    }

    fn arguments(&mut self, event: ToolCallArgsEvent) {
        let Some((slot, call)) = self.call_target(&event.tool_call_id) else { return };
        let place = Place::Call(slot, call);
        self.change(Change::Append { place, text: event.delta });
        self.merge(place, event.metadata);
        self.touch();
    }

    fn call_end(&mut self, event: ToolCallEndEvent) {
        let Some((slot, call)) = self.call_target(&event.tool_call_id) else { return };
        self.merge(Place::Call(slot, call), event.metadata);
        self.change(Change::CallEnded(slot, call));
    }

    fn result(&mut self, event: ToolCallResultEvent) {
        let ToolCallResultEvent { message_id: id, tool_call_id, content, metadata, subagent_run_id, .. } =
            event;
        let call = self.index.call(&tool_call_id);
        let position = call.map_or_else(|| self.index.len(), |(slot, _)| self.index.behind_results_of(slot));
        let message =
            ToolMessage { subagent_run_id, id, content, tool_call_id, metadata, ..Default::default() };
        let slot = self.insert(position, message.into());
        self.change(Change::MessageEnded(slot));
    }

    fn activity_snapshot(&mut self, event: ActivitySnapshotEvent) {
        self.touch();
        let Some(slot) = self.index.message(&event.message_id) else {
            let slot = self.append_message(activity(event));
            return self.change(Change::MessageEnded(slot));
        };
        let place = Place::Message(slot);
        match (self.index.at(slot).role, event.replace.unwrap_or(true)) {
            (Some(Role::Activity), true) => {
                self.index.at_mut(slot).activity_type = Some(event.activity_type.clone());
                self.set(place, Member::ActivityType, Some(event.activity_type));
                self.change(Change::SetContent { slot, content: event.content });
                self.set(place, Member::SubagentRunId, event.subagent_run_id);
                self.merge(place, event.metadata);
            }
            (Some(Role::Activity), false) => self.merge(place, event.metadata),
            (_, true) => {
                let name = named("message", &event.message_id);
                self.warn(Code::RoleConflict, format!("an activity replaces {name}"));
                let message = activity(event);
                self.index.replace(slot, MessageEntry::of(&message));
                self.change(Change::Replace { slot, message });
                self.change(Change::MessageEnded(slot));
            }
            (_, false) => {}
        }
    }

    fn activity_delta(&mut self, event: ActivityDeltaEvent) {
        let Some(slot) = self.index.message(&event.message_id) else {
            return self.missing(named("activity", &event.message_id), "send its ACTIVITY_SNAPSHOT first");
        };
        if self.index.at(slot).role != Some(Role::Activity) {
            let message = named("message", &event.message_id);
            return self
                .warn(Code::RoleConflict, format!("{message} is not an activity: the patch is ignored"));
        }
        self.merge(Place::Message(slot), event.metadata);
        let activity_type = event.activity_type;
        // The patch is assumed to apply; the host reports a failure.
        self.index.at_mut(slot).activity_type = Some(activity_type.clone());
        self.change(Change::PatchContent { slot, operations: event.patch, activity_type });
    }

    /// Adds the messages of a run's input that do not exist yet.
    fn add_missing(&mut self, messages: Vec<Message>) {
        for message in messages {
            if self.index.message(message.id()).is_none() {
                self.append_message(message);
            }
        }
        self.touch();
    }
}

/// The message of an activity's snapshot.
fn activity(event: ActivitySnapshotEvent) -> Message {
    let ActivitySnapshotEvent { subagent_run_id, message_id: id, activity_type, content, metadata, .. } =
        event;
    let message =
        ActivityMessage { subagent_run_id, id, activity_type, content, metadata, ..Default::default() };
    message.into()
}

/// An entity by kind and id, for messages.
fn named(kind: &str, id: &str) -> String {
    format!("{kind} {}", quoted(id))
}
