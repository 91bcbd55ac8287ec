//! Tells subscribers of a run, in their order, and carries out what they want.

use std::sync::{Arc, PoisonError};

use super::arguments::Arguments;
use super::conversation::{push, replace_messages};
use super::reading::Arrival;
use super::subscriber::{Mutation, Subscriber, on_its_type};
use super::view::RunView;
use crate::decode::from_json;
use crate::encode::to_json;
use crate::error::{Error, Issue};
use crate::json::Value;
use crate::profile::Profile;
use crate::reduce::{Change, Conversation, Effect, OnPatchFailure, Place, Reducer, RunEnd, typed};
use crate::types::{Event, Message, RunAgentInput, RunErrorEvent, ToolCall};

/// The subscribers of an agent, each with the number that it goes by. Copies of an agent have the same ones.
pub(super) type Subscribers = Vec<(usize, Arc<dyn Subscriber>)>;

/// Tells the subscribers of one agent.
#[derive(Default)]
pub(super) struct Notifier {
    pub subscribers: Subscribers,
    /// Of the run that has begun.
    pub input: Option<RunAgentInput>,
    arguments: Arguments,
}

/// What came of asking.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked {
    pub stopped: bool,
    pub messages: bool,
    pub state: bool,
}

impl Notifier {
    /// Tells these.
    pub fn new(subscribers: Subscribers) -> Self {
        Self { subscribers, ..Self::default() }
    }

    /// Nobody is to be told.
    pub fn is_idle(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// Asks all about the run.
    pub fn ask(
        &self,
        conversation: &mut Conversation,
        mut reducer: Option<&mut Reducer>,
        end: Option<&RunEnd>,
        question: &dyn Fn(&dyn Subscriber, &RunView<'_>) -> Option<Mutation>,
    ) -> Asked {
        let mut answer = Asked::default();
        for (_, subscriber) in &self.subscribers {
            let view = RunView { end, ..self.view(conversation, reducer.as_deref()) };
            let wanted = question(&**subscriber, &view);
            let Some(Mutation { messages, state, stop_propagation }) = wanted else { continue };
            if let Some(messages) = messages {
                replace_messages(conversation, &messages);
                if let Some(reducer) = &mut reducer {
                    reducer.replace_messages(&messages);
                }
                self.forget_arguments();
                answer.messages = true;
            }
            if let Some(state) = state {
                conversation.state = state;
                conversation.state_in_sync = true;
                answer.state = true;
            }
            answer.stopped = stop_propagation;
            if answer.stopped {
                break;
            }
        }
        answer
    }

    /// Appends messages of the application's, and tells all.
    pub fn add(&self, conversation: &mut Conversation, messages: Vec<Message>) {
        let first = conversation.message_count();
        let calls: Vec<usize> = messages.iter().map(|message| message.tool_calls().len()).collect();
        for message in messages {
            push(conversation, message);
        }
        if self.is_idle() {
            return;
        }
        for (slot, calls) in (first..).zip(calls) {
            self.tell_complete(conversation, None, Place::Message(slot));
            for call in 0..calls {
                self.tell_complete(conversation, None, Place::Call(slot, call));
            }
        }
        self.commit(conversation, None, Asked { messages: true, ..Asked::default() });
    }

    /// Tells all that something has changed.
    pub fn commit(&self, conversation: &Conversation, reducer: Option<&Reducer>, changed: Asked) {
        if changed.messages {
            self.tell(conversation, reducer, &|subscriber, run| subscriber.on_messages_changed(run));
        }
        if changed.state {
            self.tell(conversation, reducer, &|subscriber, run| subscriber.on_state_changed(run));
        }
    }

    /// Shows an event, and applies it unless somebody says no. `look` sees its changes.
    pub fn carry_out(
        &self,
        conversation: &mut Conversation,
        reducer: &mut Reducer,
        arrival: Arrival,
        on_patch_failure: OnPatchFailure,
        look: &mut dyn FnMut(&Change),
    ) -> Result<Vec<Issue>, Error> {
        let Arrival { event, incomplete, .. } = arrival;
        let mut changed = self.ask(conversation, Some(&mut *reducer), None, &|subscriber, run| {
            subscriber.on_event(run, &event)
        });
        let mut warnings = Vec::new();
        let end = end_of(&event, reducer)?;
        if changed.stopped {
            let end = end.as_ref().map(bare);
            if let Event::RunFinished(_) | Event::RunError(_) = event {
                skip(event, reducer, end, look)?;
            }
        } else {
            let before = if is_about_something(&event, conversation, reducer) {
                self.ask(conversation, Some(&mut *reducer), end.as_ref(), &|subscriber, run| {
                    on_its_type(subscriber, run, &event)
                })
            } else {
                Asked::default()
            };
            changed.messages |= before.messages;
            changed.state |= before.state;
            let mut ended = None;
            if matches!(event, Event::MessagesSnapshot(_)) {
                self.forget_arguments();
            }
            if before.stopped {
                ended = skip(event, reducer, end, look)?;
            } else {
                let effect =
                    conversation.reduce(reducer, event, incomplete, on_patch_failure, &mut |change| {
                        ended = ended.or(place_of(change));
                        look(change);
                    })?;
                let Effect { messages, state, warnings: issues } = effect;
                changed.messages |= messages;
                changed.state |= state;
                warnings = issues;
            }
            if let Some(place) = ended {
                self.tell_complete(conversation, Some(reducer), place);
            }
        }
        self.commit(conversation, Some(reducer), changed);
        Ok(warnings)
    }

    /// Tells all that a message or a call is complete.
    fn tell_complete(&self, conversation: &Conversation, reducer: Option<&Reducer>, place: Place) {
        match place {
            Place::Message(slot) => {
                let Ok(message) = typed(conversation.message(slot)) else { return };
                self.tell(conversation, reducer, &|subscriber, run| {
                    subscriber.on_new_message(run, &message);
                });
            }
            Place::Call(slot, at) => {
                let message = conversation.message(slot).as_object();
                let calls = message.and_then(|message| message.get("toolCalls")).and_then(Value::as_array);
                let Some(call) = calls.and_then(|calls| calls.get(at)) else { return };
                let Ok((call, _)) = from_json::<ToolCall>(to_json(call), Profile::Relay) else { return };
                self.tell(conversation, reducer, &|subscriber, run| {
                    subscriber.on_new_tool_call(run, &call);
                });
            }
        }
    }

    fn tell(
        &self,
        conversation: &Conversation,
        reducer: Option<&Reducer>,
        news: &dyn Fn(&dyn Subscriber, &RunView<'_>),
    ) {
        let view = self.view(conversation, reducer);
        for (_, subscriber) in &self.subscribers {
            news(&**subscriber, &view);
        }
    }

    fn view<'r>(&'r self, conversation: &'r Conversation, reducer: Option<&'r Reducer>) -> RunView<'r> {
        let Self { input, arguments, .. } = self;
        RunView { conversation, reducer, input: input.as_ref(), end: None, arguments }
    }

    fn forget_arguments(&self) {
        self.arguments.lock().unwrap_or_else(PoisonError::into_inner).forget();
    }
}

/// What RUN_FINISHED says; applying it changes no reducer.
fn end_of(event: &Event, reducer: &mut Reducer) -> Result<Option<RunEnd>, Error> {
    let Event::RunFinished(_) = event else { return Ok(None) };
    let changes = reducer.apply(event.clone(), false)?.changes;
    Ok(changes.into_iter().find_map(|change| match change {
        Change::RunFinished { end, .. } => Some(end),
        _ => None,
    }))
}

/// No more than how a run has ended, where nobody is to hear of it.
fn bare(end: &RunEnd) -> RunEnd {
    match end {
        RunEnd::Success { .. } => RunEnd::Success { result: None, pending_tool_call_ids: Vec::new() },
        RunEnd::Interrupt(_) => RunEnd::Interrupt(Vec::new()),
        RunEnd::Cancelled => RunEnd::Cancelled,
    }
}

/// Whether what an event continues or ends is there.
fn is_about_something(event: &Event, conversation: &Conversation, reducer: &Reducer) -> bool {
    let is_activity = |id: &str| match reducer.message(id) {
        Some(Place::Message(slot) | Place::Call(slot, _)) => {
            let message = conversation.message(slot).as_object();
            message.and_then(|message| message.get("role")?.as_str()).map(|role| role == "activity")
        }
        None => None,
    };
    match event {
        Event::TextMessageContent(event) => is_activity(&event.message_id) == Some(false),
        Event::TextMessageEnd(event) => is_activity(&event.message_id) == Some(false),
        Event::ReasoningMessageContent(event) => is_activity(&event.message_id) == Some(false),
        Event::ReasoningMessageEnd(event) => is_activity(&event.message_id) == Some(false),
        Event::ActivityDelta(event) => is_activity(&event.message_id) == Some(true),
        Event::ToolCallArgs(event) => reducer.call(&event.tool_call_id).is_some(),
        Event::ToolCallEnd(event) => reducer.call(&event.tool_call_id).is_some(),
        _ => true,
    }
}

/// What happens although an event is stopped before its effect: what is complete, if something is. An end is one all the same.
fn skip(
    event: Event,
    reducer: &mut Reducer,
    end: Option<RunEnd>,
    look: &mut dyn FnMut(&Change),
) -> Result<Option<Place>, Error> {
    match event {
        Event::RunStarted(mut event) => {
            // The calls that wait are counted anew.
            event.input = None;
            reducer.apply(event.into(), false)?;
        }
        Event::TextMessageEnd(event) => return Ok(reducer.message(&event.message_id)),
        Event::ReasoningMessageEnd(event) => return Ok(reducer.message(&event.message_id)),
        Event::ToolCallEnd(event) => return Ok(reducer.call(&event.tool_call_id)),
        Event::RunFinished(event) => {
            if let Some(end) = end {
                look(&Change::RunFinished { end, usage: event.usage });
            }
        }
        Event::RunError(RunErrorEvent { message, code, usage, .. }) => {
            look(&Change::RunFailed { message, code, usage });
        }
        _ => {}
    }
    Ok(None)
}

/// What a change says is complete.
fn place_of(change: &Change) -> Option<Place> {
    match change {
        Change::MessageEnded(slot) => Some(Place::Message(*slot)),
        Change::CallEnded(slot, call) => Some(Place::Call(*slot, *call)),
        _ => None,
    }
}
