//! Calls subscribers in the order that [`Delivery`] decides, and applies the mutations that they return.

use std::sync::{Arc, PoisonError};

use super::conversation::{push, replace_messages};
use super::delivery::{
    Callback, CallbackResult, Callbacks, Counts, Delivered, Delivery, DeliveryStep, Notify, Reduce, Reduced,
};
use super::reading::ReceivedEvent;
use super::result::ClientError;
use super::subscriber::{AgentStateMutation, AgentSubscriber, on_its_type};
use super::subscriber_params::{AgentSubscriberParams, Before, subject_of};
use super::tools::partial_arguments::PartialArguments;
use crate::encode::to_json;
use crate::error::{Error, Issue};
use crate::json::Value;
use crate::profile::Profile;
use crate::reduce::{Change, Conversation, Effect, OnPatchFailure, Place, Reducer, RunEnd, typed};
use crate::typed::from_json;
use crate::types::{Event, Message, RunAgentInput, RunErrorEvent, ToolCall};

/// The subscribers of an agent with their numbers. Copies of an agent have the same subscribers.
pub(super) type Subscribers = Vec<(usize, Arc<dyn AgentSubscriber>)>;

/// Tells subscribers.
pub(super) struct Notifier {
    subscribers: Subscribers,
    delivery: Delivery,
    /// The input of the current run.
    pub input: Option<RunAgentInput>,
    arguments: PartialArguments,
}

/// The subject of a notification.
#[derive(Clone, Copy, Default)]
struct Notification<'n> {
    failure: Option<&'n ClientError>,
    event: Option<&'n Event>,
    /// The end that RUN_FINISHED states.
    end: Option<&'n RunEnd>,
    /// The places of complete messages and calls.
    complete: &'n [Place],
    /// The message or the call of the event, if a subscriber has replaced the messages.
    before: Option<&'n Before>,
}

/// The conversation and the reducer that events are applied to.
struct Applying<'a> {
    conversation: &'a mut Conversation,
    reducer: &'a mut Reducer,
    on_patch_failure: OnPatchFailure,
    /// Called with each change.
    look: &'a mut dyn FnMut(&Change),
}

impl Notifier {
    /// A notifier for these subscribers.
    pub fn new(subscribers: Subscribers) -> Self {
        let delivery = Delivery::new(subscribers.iter().map(|_| Callbacks::ALL));
        Self { subscribers, delivery, input: None, arguments: PartialArguments::default() }
    }

    /// True if there are no subscribers.
    pub fn is_idle(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// Calls `on_run_initialized` of all, before the request.
    pub fn initialized(&mut self, conversation: &mut Conversation, reducer: &mut Reducer) -> Delivered {
        let step = self.delivery.initialized();
        self.notify_all(step, conversation, Some(reducer), Notification::default())
    }

    /// The run has failed, or was aborted.
    pub fn failed(
        &mut self,
        conversation: &mut Conversation,
        reducer: &mut Reducer,
        error: &ClientError,
    ) -> Delivered {
        let step = self.delivery.failed();
        self.notify_all(
            step,
            conversation,
            Some(reducer),
            Notification { failure: Some(error), ..Notification::default() },
        )
    }

    /// The run is over.
    pub fn finalized(&mut self, conversation: &mut Conversation, reducer: &mut Reducer) {
        let step = self.delivery.finalized();
        self.notify_all(step, conversation, Some(reducer), Notification::default());
        self.input = None;
    }

    /// Appends messages of the application, and notifies all subscribers.
    pub fn add(&mut self, conversation: &mut Conversation, messages: Vec<Message>) {
        let first = conversation.message_count();
        let calls: Vec<usize> = messages.iter().map(|message| message.tool_calls().len()).collect();
        for message in messages {
            push(conversation, message);
        }
        let places = |(slot, calls)| {
            let calls = (0..calls).map(move |call| Place::Call(slot, call));
            std::iter::once(Place::Message(slot)).chain(calls)
        };
        let complete: Vec<Place> = (first..).zip(calls).flat_map(places).collect();
        let reduced = Reduced { messages: true, state: false, complete: by_place(&complete) };
        let step = self.delivery.changed(reduced);
        self.notify_all(
            step,
            conversation,
            None,
            Notification { complete: &complete, ..Notification::default() },
        );
    }

    /// Notifies all subscribers that the application has changed something.
    pub fn changed(&mut self, conversation: &mut Conversation, messages: bool, state: bool) {
        let step = self.delivery.changed(Reduced { messages, state, ..Reduced::default() });
        self.notify_all(step, conversation, None, Notification::default());
    }

    /// Notifies subscribers of an event, and applies it unless one of them stops it. `look` is called with each change.
    pub fn carry_out(
        &mut self,
        conversation: &mut Conversation,
        reducer: &mut Reducer,
        arrival: ReceivedEvent,
        on_patch_failure: OnPatchFailure,
        look: &mut dyn FnMut(&Change),
    ) -> Result<Vec<Issue>, Error> {
        let applying = Applying { conversation, reducer, on_patch_failure, look };
        let warnings = self.deliver(applying, arrival);
        if warnings.is_err() {
            self.delivery.cut();
        }
        warnings
    }

    fn deliver(&mut self, applying: Applying<'_>, arrival: ReceivedEvent) -> Result<Vec<Issue>, Error> {
        let Applying { conversation, reducer, on_patch_failure, look } = applying;
        let ReceivedEvent { mut event, incomplete, .. } = arrival;
        let (mut end, mut complete, mut warnings) = (None, Vec::new(), Vec::new());
        let (mut is_there, mut before) = (None, None);
        let mut step = self.delivery.event(event.event_type());
        loop {
            step = match step {
                // A subscriber that stops the event does not hide it from those after it.
                DeliveryStep::Notify(Notify { ticket, callback: Callback::Typed(_), .. })
                    if !*is_there.get_or_insert_with(|| has_subject(&event, conversation, reducer)) =>
                {
                    self.delivery.absent(ticket)
                }
                DeliveryStep::Notify(notify) => {
                    let mutation = {
                        let before = before.as_ref();
                        let notification = Notification {
                            event: Some(&event),
                            end: end.as_ref(),
                            complete: &complete,
                            failure: None,
                            before,
                        };
                        self.call(notify, conversation, Some(&*reducer), notification)
                    };
                    let replaces = matches!(&mutation, Ok(Some(mutation)) if mutation.messages.is_some());
                    if replaces && is_there == Some(true) && before.is_none() {
                        before = Before::of(&event, conversation, reducer);
                    }
                    self.answered(notify, conversation, Some(&mut *reducer), mutation)
                }
                DeliveryStep::Reduce(Reduce::End) => {
                    end = end_of(&event, reducer)?;
                    self.delivery.reduced(Reduced::default())
                }
                DeliveryStep::Reduce(Reduce::Begin) => {
                    if let Event::RunStarted(started) = &mut event {
                        started.input = None;
                    }
                    reducer.apply(event.clone(), false)?;
                    self.delivery.reduced(Reduced::default())
                }
                DeliveryStep::Reduce(Reduce::Whole) => {
                    if matches!(event, Event::MessagesSnapshot(_)) {
                        self.forget_arguments();
                    }
                    let event = std::mem::take(&mut event);
                    let effect =
                        conversation.reduce(reducer, event, incomplete, on_patch_failure, &mut |change| {
                            complete.extend(place_of(change));
                            look(change);
                        })?;
                    let Effect { messages, state, warnings: issues } = effect;
                    warnings = issues;
                    let complete = by_place(&complete);
                    self.delivery.reduced(Reduced { messages, state, complete })
                }
                DeliveryStep::Done(Delivered { counts, .. }) => {
                    let end = end.map(|end| counted(end, counts));
                    if matches!(counts, Counts::BareEnd | Counts::End) {
                        report_end(event, end, look);
                    }
                    return Ok(warnings);
                }
                DeliveryStep::Raise | DeliveryStep::Wait => return Ok(warnings),
            };
        }
    }

    /// Calls all subscribers of a notification that is no event.
    fn notify_all(
        &mut self,
        mut step: DeliveryStep,
        conversation: &mut Conversation,
        mut reducer: Option<&mut Reducer>,
        notification: Notification<'_>,
    ) -> Delivered {
        while let DeliveryStep::Notify(notify) = step {
            step = self.notify(notify, conversation, reducer.as_deref_mut(), notification);
        }
        if let DeliveryStep::Done(delivered) = step { delivered } else { Delivered::default() }
    }

    /// Calls one subscriber, and applies its mutation.
    fn notify(
        &mut self,
        notify: Notify,
        conversation: &mut Conversation,
        reducer: Option<&mut Reducer>,
        notification: Notification<'_>,
    ) -> DeliveryStep {
        let mutation = self.call(notify, conversation, reducer.as_deref(), notification);
        self.answered(notify, conversation, reducer, mutation)
    }

    /// Calls the callback of one subscriber.
    fn call(
        &self,
        notify: Notify,
        conversation: &Conversation,
        reducer: Option<&Reducer>,
        notification: Notification<'_>,
    ) -> Result<Option<AgentStateMutation>, Absent> {
        let is_typed = matches!(notify.callback, Callback::Typed(_));
        let run = AgentSubscriberParams {
            conversation,
            reducer,
            input: self.input.as_ref(),
            end: notification.end.filter(|_| is_typed),
            before: notification.before.filter(|_| is_typed),
            arguments: &self.arguments,
        };
        call(&*self.subscribers[notify.subscriber].1, &run, notify, notification)
    }

    /// Applies the mutation that a callback has returned.
    fn answered(
        &mut self,
        notify: Notify,
        conversation: &mut Conversation,
        reducer: Option<&mut Reducer>,
        mutation: Result<Option<AgentStateMutation>, Absent>,
    ) -> DeliveryStep {
        let Ok(mutation) = mutation else { return self.delivery.absent(notify.ticket) };
        let answer = mutation.map(|mutation| self.mutate(conversation, reducer, mutation));
        self.delivery.answered(notify.ticket, answer.unwrap_or_default())
    }

    fn mutate(
        &self,
        conversation: &mut Conversation,
        reducer: Option<&mut Reducer>,
        mutation: AgentStateMutation,
    ) -> CallbackResult {
        let AgentStateMutation { messages, state, stop_propagation } = mutation;
        let answer =
            CallbackResult { stop: stop_propagation, messages: messages.is_some(), state: state.is_some() };
        if let Some(messages) = messages {
            replace_messages(conversation, &messages);
            if let Some(reducer) = reducer {
                reducer.replace_messages(&messages);
            }
            self.forget_arguments();
        }
        if let Some(state) = state {
            conversation.state = state;
            conversation.state_in_sync = true;
        }
        answer
    }

    fn forget_arguments(&self) {
        self.arguments.lock().unwrap_or_else(PoisonError::into_inner).forget();
    }
}

/// The subject of a callback does not exist.
struct Absent;

/// Calls the callback of a subscriber.
fn call(
    subscriber: &dyn AgentSubscriber,
    run: &AgentSubscriberParams<'_>,
    notify: Notify,
    notification: Notification<'_>,
) -> Result<Option<AgentStateMutation>, Absent> {
    match notify.callback {
        Callback::RunInitialized => Ok(subscriber.on_run_initialized(run)),
        Callback::RunFailed => Ok(subscriber.on_run_failed(run, notification.failure.ok_or(Absent)?)),
        Callback::RunFinalized => Ok(subscriber.on_run_finalized(run)),
        Callback::Event => Ok(subscriber.on_event(run, notification.event.ok_or(Absent)?)),
        Callback::Typed(_) => Ok(on_its_type(subscriber, run, notification.event.ok_or(Absent)?)),
        Callback::MessagesChanged => {
            subscriber.on_messages_changed(run);
            Ok(None)
        }
        Callback::StateChanged => {
            subscriber.on_state_changed(run);
            Ok(None)
        }
        Callback::NewMessage | Callback::NewToolCall => {
            let place = match notify.subject {
                Some(at) => notification.complete.get(at).copied(),
                None => notification.event.and_then(|event| target_of(event, run.reducer?)),
            };
            notify_complete(subscriber, run, place.ok_or(Absent)?)
        }
    }
}

/// Tells a subscriber that a message or a call is complete.
fn notify_complete(
    subscriber: &dyn AgentSubscriber,
    run: &AgentSubscriberParams<'_>,
    place: Place,
) -> Result<Option<AgentStateMutation>, Absent> {
    match place {
        Place::Message(slot) => {
            let message = typed(run.conversation.message(slot)).map_err(|_| Absent)?;
            subscriber.on_new_message(run, &message);
        }
        Place::Call(slot, at) => {
            let message = run.conversation.message(slot).as_object();
            let calls = message.and_then(|message| message.get("toolCalls")).and_then(Value::as_array);
            let call = calls.and_then(|calls| calls.get(at)).ok_or(Absent)?;
            let (call, _) = from_json::<ToolCall>(to_json(call), Profile::Relay).map_err(|_| Absent)?;
            subscriber.on_new_tool_call(run, &call);
        }
    }
    Ok(None)
}

/// Reads the end that RUN_FINISHED states; applying it does not change the reducer.
fn end_of(event: &Event, reducer: &mut Reducer) -> Result<Option<RunEnd>, Error> {
    let Event::RunFinished(_) = event else { return Ok(None) };
    let changes = reducer.apply(event.clone(), false)?.changes;
    Ok(changes.into_iter().find_map(|change| match change {
        Change::RunFinished { end, .. } => Some(end),
        _ => None,
    }))
}

/// Removes the parts of an end that do not count: interrupts, and the result of a bare end.
fn counted(end: RunEnd, counts: Counts) -> RunEnd {
    match end {
        RunEnd::Interrupt(_) => RunEnd::Interrupt(Vec::new()),
        RunEnd::Success { .. } if counts == Counts::BareEnd => {
            RunEnd::Success { result: None, pending_tool_call_ids: Vec::new() }
        }
        end => end,
    }
}

/// Reports the end of a run whose event a subscriber has stopped.
fn report_end(event: Event, end: Option<RunEnd>, look: &mut dyn FnMut(&Change)) {
    match event {
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
}

/// True if the message or call that an event continues or ends exists.
fn has_subject(event: &Event, conversation: &Conversation, reducer: &Reducer) -> bool {
    let Some((_, place)) = subject_of(event, reducer) else { return true };
    match place {
        Some(Place::Message(slot) | Place::Call(slot, _)) => {
            let message = conversation.message(slot).as_object();
            let role = message.and_then(|message| message.get("role")?.as_str());
            let is_activity = role == Some("activity");
            is_activity == matches!(event, Event::ActivityDelta(_))
        }
        None => false,
    }
}

/// The message or call that an event ends.
fn target_of(event: &Event, reducer: &Reducer) -> Option<Place> {
    match event {
        Event::TextMessageEnd(event) => reducer.message(&event.message_id),
        Event::ReasoningMessageEnd(event) => reducer.message(&event.message_id),
        Event::ToolCallEnd(event) => reducer.call(&event.tool_call_id),
        _ => None,
    }
}

/// The callbacks about complete messages and calls.
fn by_place(complete: &[Place]) -> Vec<(Callback, usize)> {
    let callback_of = |place: &Place| match place {
        Place::Message(_) => Callback::NewMessage,
        Place::Call(..) => Callback::NewToolCall,
    };
    complete.iter().map(callback_of).zip(0..).collect()
}

/// The message or call that a change completes.
fn place_of(change: &Change) -> Option<Place> {
    match change {
        Change::MessageEnded(slot) => Some(Place::Message(*slot)),
        Change::CallEnded(slot, call) => Some(Place::Call(*slot, *call)),
        _ => None,
    }
}
