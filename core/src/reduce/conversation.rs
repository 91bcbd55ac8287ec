//! Rust's own mirror of a conversation.

use serde::de::DeserializeOwned;

use super::Reducer;
use super::change::{Arranged, Change, Member, Place, Reduction, Slot};
use crate::decode::DocumentReader;
use crate::encode::{to_json, to_value};
use crate::error::{Code, Error, Issue};
use crate::json::from_value;
use crate::limits::Limits;
use crate::patch;
use crate::profile::Profile;
use crate::types::{Event, Interrupt, JsonPatchOperation, Message};
use crate::{Object, Value};

/// The reaction to a patch that does not apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnPatchFailure {
    /// The run continues with a warning, and the state counts as out of sync until the next snapshot.
    #[default]
    Flag,
    /// The stream fails with `patch_failed`.
    Error,
}

impl OnPatchFailure {
    /// The reaction of a profile. Producers and conformance checks fail.
    pub fn of(profile: Profile) -> Self {
        if profile == Profile::Strict { Self::Error } else { Self::Flag }
    }

    /// The choice called `flag` or `error`.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "flag" => Some(Self::Flag),
            "error" => Some(Self::Error),
            _ => None,
        }
    }

    /// Returns the warning about a patch that did not apply, or the error that fails the stream.
    pub fn judge(self, failure: &Error) -> Result<Issue, Error> {
        let at = failure.operation.map(|operation| format!("operation {operation}: ")).unwrap_or_default();
        let issue = Issue::new(Code::PatchFailed, failure.path(), format!("{at}{}", failure.code()));
        match self {
            Self::Flag => Ok(issue),
            Self::Error => Err(Error { operation: failure.operation, ..Error::from(vec![issue]) }),
        }
    }
}

/// The outcome of a change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// True if the state counts as changed.
    pub state: bool,
    /// True if the messages count as changed, besides the reduction's own flag.
    pub messages: bool,
    /// The failure of a patch.
    pub failure: Option<Error>,
    /// The activity whose content was not patched, with its type, for the reducer.
    pub unpatched: Option<(Slot, String)>,
}

/// The effect of an event.
pub(crate) struct Effect {
    /// The messages count as changed.
    #[cfg_attr(not(feature = "client"), allow(dead_code))] // Only the client asks.
    pub messages: bool,
    /// True if the state counts as changed.
    #[cfg_attr(not(feature = "client"), allow(dead_code))] // Only the client asks.
    pub state: bool,
    /// Warnings about ignored, suspicious or failed parts.
    pub warnings: Vec<Issue>,
}

/// Messages, state and pending interrupts, as JSON values. A patch can give an activity a form that typed messages
/// cannot hold.
///
/// ```
/// use ag_ui_native::stream::EventPipeline;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Plan {
///     steps: Vec<String>,
/// }
///
/// let mut pipeline = EventPipeline::new();
/// let bytes = b"\
/// data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n\
/// data: {\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{\"steps\":[\"look\"]}}\n\n\
/// data: {\"type\":\"STATE_DELTA\",\"delta\":[{\"op\":\"add\",\"path\":\"/steps/-\",\"value\":\"leap\"}]}\n\n";
/// pipeline.feed(bytes).try_for_each(|event| event.map(drop))?;
///
/// let conversation = pipeline.conversation();
/// assert!(conversation.messages()?.is_empty());
/// assert_eq!(conversation.state_as::<Plan>()?.steps, ["look", "leap"]);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conversation {
    slots: Vec<Value>,
    order: Vec<Slot>,
    /// The state.
    pub state: Value,
    /// True if the state follows the agent's: no patch of it has failed since the last snapshot.
    pub state_in_sync: bool,
    /// The pending interrupts.
    pub pending_interrupts: Vec<Interrupt>,
    pub(crate) limits: Limits,
}

impl Conversation {
    /// A conversation with these messages and this state.
    #[doc(hidden)]
    pub fn new<'m>(messages: impl IntoIterator<Item = &'m Message>, state: Value, limits: Limits) -> Self {
        let slots: Vec<Value> = messages.into_iter().map(to_value).collect();
        let order = (0..slots.len()).collect();
        Self { slots, order, state, state_in_sync: true, pending_interrupts: Vec::new(), limits }
    }

    /// The messages, in order. Fails if a patch has replaced the content of an activity by
    /// something other than an object.
    pub fn messages(&self) -> Result<Vec<Message>, Error> {
        self.message_values().map(typed).collect()
    }

    /// The messages as JSON values, in order.
    pub fn message_values(&self) -> impl Iterator<Item = &Value> {
        self.order.iter().map(|&slot| &self.slots[slot])
    }

    /// Number of messages.
    #[cfg(feature = "client")]
    pub(crate) fn message_count(&self) -> usize {
        self.order.len()
    }

    /// Numbers the slots in the order of the list. A reducer that is made from the list has the same numbers.
    #[cfg(feature = "client")]
    pub(crate) fn renumber(&mut self) {
        let mut old = std::mem::take(&mut self.slots);
        self.slots = self.order.iter().map(|&slot| std::mem::take(&mut old[slot])).collect();
        self.order = (0..self.slots.len()).collect();
    }

    /// Removes a message that was not accepted.
    #[cfg(feature = "client")]
    pub(crate) fn remove_message(&mut self, id: &str) {
        let is_other = |message: &&Value| {
            message.as_object().and_then(|members| members.get("id")).and_then(Value::as_str) != Some(id)
        };
        self.slots = self.message_values().filter(is_other).cloned().collect();
        self.order = (0..self.slots.len()).collect();
    }

    /// The state as a type of the program. An error names the place and never quotes a value.
    pub fn state_as<S: DeserializeOwned>(&self) -> Result<S, Error> {
        from_value(&self.state)
    }

    /// The message at `slot`.
    #[doc(hidden)]
    pub fn message(&self, slot: Slot) -> &Value {
        &self.slots[slot]
    }

    /// Applies an event. `look` sees each change before it is applied. `reducer` must be the one of this
    /// conversation.
    pub(crate) fn reduce(
        &mut self,
        reducer: &mut Reducer,
        event: Event,
        incomplete: bool,
        on_patch_failure: OnPatchFailure,
        look: &mut dyn FnMut(&Change),
    ) -> Result<Effect, Error> {
        let Reduction { changes, messages, warnings } = reducer.apply(event, incomplete)?;
        let mut effect = Effect { messages, warnings, state: false };
        for change in changes {
            look(&change);
            let outcome = self.apply(change);
            effect.messages |= outcome.messages;
            effect.state |= outcome.state;
            if let Some((slot, activity_type)) = outcome.unpatched {
                reducer.content_unpatched(slot, &activity_type);
            }
            if let Some(failure) = outcome.failure {
                effect.warnings.push(on_patch_failure.judge(&failure)?);
            }
        }
        Ok(effect)
    }

    /// Applies one change.
    #[doc(hidden)]
    pub fn apply(&mut self, change: Change) -> Outcome {
        let mut outcome = Outcome::default();
        match change {
            Change::Insert { slot, position, message } => {
                debug_assert_eq!(slot, self.slots.len());
                self.slots.push(to_value(&message));
                self.order.insert(position, slot);
            }
            Change::Replace { slot, message } => self.slots[slot] = to_value(&message),
            Change::Arrange(arranged) => self.arrange(arranged),
            Change::AddCall { slot, call } => {
                if let Value::Array(calls) = self.calls(slot) {
                    calls.push(to_value(&call));
                }
            }
            Change::Append { place, text } => {
                if let Value::String(known) = self.member(place, place.text(), || Value::from("")) {
                    known.push_str(&text);
                }
            }
            Change::Set { place, member, value } => self.set(place, member, value),
            Change::SetContent { slot, content } => {
                *self.member(Place::Message(slot), Member::Content, Value::default) = content.into();
            }
            Change::Merge { place, metadata } => {
                match self.member(place, Member::Metadata, || Object::default().into()) {
                    Value::Object(known) => known.extend(metadata),
                    other => *other = metadata.into(),
                }
            }
            Change::PatchContent { slot, operations, activity_type } => {
                let (place, limits) = (Place::Message(slot), self.limits);
                let content = self.member(place, Member::Content, Value::default);
                outcome.failure = patch::apply(content, &operations, &limits).err();
                outcome.messages = outcome.failure.is_none();
                if outcome.messages {
                    self.set(place, Member::ActivityType, Some(activity_type));
                } else {
                    let (message, key) = self.holder(place, Member::ActivityType);
                    let old = message.as_object().and_then(|message| message.get(key));
                    let old = old.and_then(Value::as_str).unwrap_or_default();
                    outcome.unpatched = Some((slot, old.to_owned()));
                }
            }
            Change::SetState(state) => {
                self.state = state;
                self.state_in_sync = true;
                outcome.state = true;
            }
            Change::PatchState { operations, incomplete } => {
                outcome.failure = self.patch_state(&operations).err();
                outcome.state = outcome.failure.is_none();
                self.state_in_sync &= outcome.state && !incomplete;
            }
            Change::SetInterrupts(interrupts) => self.pending_interrupts = interrupts,
            Change::MessageEnded(_)
            | Change::CallEnded(..)
            | Change::RunFinished { .. }
            | Change::RunFailed { .. } => {}
        }
        outcome
    }

    fn patch_state(&mut self, operations: &[JsonPatchOperation]) -> Result<(), Error> {
        patch::apply(&mut self.state, operations, &self.limits)
    }

    fn arrange(&mut self, arranged: Vec<Arranged>) {
        let mut old = std::mem::take(&mut self.slots);
        self.slots = arranged
            .into_iter()
            .map(|entry| match entry {
                Arranged::Kept(slot) => std::mem::take(&mut old[slot]),
                Arranged::New(message) => to_value(&message),
            })
            .collect();
        self.order = (0..self.slots.len()).collect();
    }

    fn set(&mut self, place: Place, member: Member, value: Option<String>) {
        match (value, self.holder(place, member)) {
            (Some(value), (Value::Object(object), key)) => _ = object.insert(key, value),
            (None, (Value::Object(object), key)) => _ = object.remove(key),
            _ => {}
        }
    }

    fn target(&mut self, place: Place) -> &mut Value {
        match place {
            Place::Message(slot) => &mut self.slots[slot],
            Place::Call(slot, call) => match self.calls(slot) {
                Value::Array(calls) => &mut calls[call],
                other => other,
            },
        }
    }

    /// The object that holds a member, and the key of the member in it.
    fn holder(&mut self, place: Place, member: Member) -> (&mut Value, &'static str) {
        let (key, way) = member.path().split_last().unwrap_or((&"", &[]));
        let into = |object, key: &&str| inner(object, key, || Object::default().into());
        (way.iter().fold(self.target(place), into), key)
    }

    /// A member; it is created if it is missing or null.
    fn member(&mut self, place: Place, member: Member, default: impl FnOnce() -> Value) -> &mut Value {
        let (holder, key) = self.holder(place, member);
        inner(holder, key, default)
    }

    fn calls(&mut self, slot: Slot) -> &mut Value {
        self.member(Place::Message(slot), Member::ToolCalls, || Value::Array(Vec::new()))
    }
}

/// Converts a message to its type. No limit of length applies, since many events may have extended it.
pub(crate) fn typed(message: &Value) -> Result<Message, Error> {
    let mut reader =
        DocumentReader::new(Profile::Relay, Limits::default().for_writing().with_depth(Limits::MAX_DEPTH));
    let text = to_json(message);
    reader.typed(text.as_str()).map(|(message, _)| message)
}

/// The member `key` of an object; it is created if it is missing or null.
fn inner<'v>(object: &'v mut Value, key: &str, default: impl FnOnce() -> Value) -> &'v mut Value {
    let Value::Object(object) = object else { return object };
    let known = object.get_or_insert_with(key, Value::default);
    if matches!(known, Value::Null) {
        *known = default();
    }
    known
}
