//! Subscribers: callbacks for the events and changes of an agent's runs.

use std::fmt;
use std::sync::Arc;

use super::result::ClientError;
use super::subscriber_params::AgentSubscriberParams;
use crate::json::Value;
#[allow(clippy::wildcard_imports)] // Nearly all events.
use crate::types::*;

macro_rules! subscriber {
    ($($(#[doc = $doc:literal])+ $callback:ident($event:ident: $type:ident);)+) => {
        /// Callbacks for the runs of an agent. For each event, this is the order: [`on_event`](Self::on_event) of all subscribers, then the
        /// callback of all for the event's type, then the effect of the event, then the callbacks for complete messages and calls, then
        /// those for changes. A chunk is expanded into its events first.
        ///
        /// Callbacks are called while the run is polled, so they must not block: long work belongs in a task of the subscriber. Dropping
        /// the stream of a run aborts it.
        ///
        /// ```
        /// use std::sync::Arc;
        /// use std::sync::atomic::{AtomicUsize, Ordering};
        ///
        /// use ag_ui_native::client::{HttpAgent, AgentStateMutation, AgentSubscriberParams, AgentSubscriber};
        /// use ag_ui_native::types::{Event, TextMessageContentEvent};
        ///
        /// /// Counts the letters, and shows no reasoning.
        /// #[derive(Default)]
        /// struct Discreet {
        ///     letters: AtomicUsize,
        /// }
        ///
        /// impl AgentSubscriber for Discreet {
        ///     fn on_event(&self, _: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
        ///         let is_reasoning = event.tag().starts_with("REASONING");
        ///         is_reasoning.then(AgentStateMutation::stop)
        ///     }
        ///
        ///     fn on_text_message_content_event(&self, _: &AgentSubscriberParams<'_>, event: &TextMessageContentEvent) -> Option<AgentStateMutation> {
        ///         self.letters.fetch_add(event.delta.len(), Ordering::Relaxed);
        ///         None
        ///     }
        /// }
        ///
        /// let discreet = Arc::new(Discreet::default());
        /// let mut agent = HttpAgent::new("http://127.0.0.1:8000/");
        /// agent.subscribe(discreet.clone());
        /// ```
        #[allow(unused_variables)] // Implementers read the names.
        pub trait AgentSubscriber: Send + Sync {
            /// Called before the request of a run. The returned mutation changes the input, too.
            fn on_run_initialized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                None
            }

            /// Called if a run has failed or was aborted. `stop_propagation` handles the failure: the stream ends without an error.
            fn on_run_failed(&self, run: &AgentSubscriberParams<'_>, error: &ClientError) -> Option<AgentStateMutation> {
                None
            }

            /// Called at the end of each run, whatever its outcome.
            fn on_run_finalized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                None
            }

            /// Called for each event. `stop_propagation` prevents the effect of the event; the stream still returns the event.
            fn on_event(&self, run: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
                None
            }

            /// Called for each complete message, and for each message that the application adds.
            fn on_new_message(&self, run: &AgentSubscriberParams<'_>, message: &Message) {}

            /// A call of a tool is complete.
            fn on_new_tool_call(&self, run: &AgentSubscriberParams<'_>, call: &ToolCall) {}

            /// The messages have changed.
            fn on_messages_changed(&self, run: &AgentSubscriberParams<'_>) {}

            /// The state has changed.
            fn on_state_changed(&self, run: &AgentSubscriberParams<'_>) {}

            $($(#[doc = $doc])+
            fn $callback(&self, run: &AgentSubscriberParams<'_>, event: &$type) -> Option<AgentStateMutation> {
                None
            })+
        }

        /// Calls the callback for the event's type.
        pub(super) fn on_its_type(
            subscriber: &dyn AgentSubscriber,
            run: &AgentSubscriberParams<'_>,
            event: &Event,
        ) -> Option<AgentStateMutation> {
            match event {
                $(Event::$event(event) => subscriber.$callback(run, event),)+
                _ => None,
            }
        }
    };
}

subscriber! {
    /// RUN_STARTED, before its effect.
    on_run_started_event(RunStarted: RunStartedEvent);
    /// RUN_FINISHED, before its effect; [`AgentSubscriberParams::outcome`] says how the run ends.
    on_run_finished_event(RunFinished: RunFinishedEvent);
    /// RUN_ERROR, before its effect.
    on_run_error_event(RunError: RunErrorEvent);
    /// STEP_STARTED.
    on_step_started_event(StepStarted: StepStartedEvent);
    /// STEP_FINISHED.
    on_step_finished_event(StepFinished: StepFinishedEvent);
    /// SUBAGENT_STARTED.
    on_subagent_started_event(SubagentStarted: SubagentStartedEvent);
    /// SUBAGENT_FINISHED.
    on_subagent_finished_event(SubagentFinished: SubagentFinishedEvent);
    /// SUBAGENT_ERROR.
    on_subagent_error_event(SubagentError: SubagentErrorEvent);
    /// TEXT_MESSAGE_START, before the message is there.
    on_text_message_start_event(TextMessageStart: TextMessageStartEvent);
    /// TEXT_MESSAGE_CONTENT for a message that is there; [`AgentSubscriberParams::text`] has the text before it.
    on_text_message_content_event(TextMessageContent: TextMessageContentEvent);
    /// TEXT_MESSAGE_END of a message that is there; [`AgentSubscriberParams::text`] has its text.
    on_text_message_end_event(TextMessageEnd: TextMessageEndEvent);
    /// TOOL_CALL_START, before the call is there.
    on_tool_call_start_event(ToolCallStart: ToolCallStartEvent);
    /// TOOL_CALL_ARGS for a call that is there; [`AgentSubscriberParams::tool_call`] has its name and the arguments before it,
    /// [`AgentSubscriberParams::partial_arguments`] has them parsed.
    on_tool_call_args_event(ToolCallArgs: ToolCallArgsEvent);
    /// TOOL_CALL_END of a call that is there; [`AgentSubscriberParams::tool_call`] has its name and arguments.
    on_tool_call_end_event(ToolCallEnd: ToolCallEndEvent);
    /// TOOL_CALL_RESULT, before its effect.
    on_tool_call_result_event(ToolCallResult: ToolCallResultEvent);
    /// STATE_SNAPSHOT, before its effect.
    on_state_snapshot_event(StateSnapshot: StateSnapshotEvent);
    /// STATE_DELTA, before its effect.
    on_state_delta_event(StateDelta: StateDeltaEvent);
    /// MESSAGES_SNAPSHOT, before its effect.
    on_messages_snapshot_event(MessagesSnapshot: MessagesSnapshotEvent);
    /// ACTIVITY_SNAPSHOT, before its effect; [`AgentSubscriberParams::message`] has the existing message with its id.
    on_activity_snapshot_event(ActivitySnapshot: ActivitySnapshotEvent);
    /// ACTIVITY_DELTA for an activity that is there, before its effect; [`AgentSubscriberParams::message`] has it.
    on_activity_delta_event(ActivityDelta: ActivityDeltaEvent);
    /// RAW.
    on_raw_event(Raw: RawEvent);
    /// CUSTOM.
    on_custom_event(Custom: CustomEvent);
    /// REASONING_START.
    on_reasoning_start_event(ReasoningStart: ReasoningStartEvent);
    /// REASONING_MESSAGE_START, before the message is there.
    on_reasoning_message_start_event(ReasoningMessageStart: ReasoningMessageStartEvent);
    /// REASONING_MESSAGE_CONTENT for a message that is there; [`AgentSubscriberParams::text`] has the text before it.
    on_reasoning_message_content_event(ReasoningMessageContent: ReasoningMessageContentEvent);
    /// REASONING_MESSAGE_END of a message that is there; [`AgentSubscriberParams::text`] has its text.
    on_reasoning_message_end_event(ReasoningMessageEnd: ReasoningMessageEndEvent);
    /// REASONING_END.
    on_reasoning_end_event(ReasoningEnd: ReasoningEndEvent);
    /// REASONING_ENCRYPTED_VALUE, before its effect.
    on_reasoning_encrypted_value_event(ReasoningEncryptedValue: ReasoningEncryptedValueEvent);
}

/// The subscriber of one run.
#[derive(Clone)]
pub(super) struct RunSubscriber(pub Arc<dyn AgentSubscriber>);

impl PartialEq for RunSubscriber {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for RunSubscriber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AgentSubscriber")
    }
}

/// The mutation that a callback returns. Later subscribers see its messages and state.
///
/// ```
/// use ag_ui_native::Object;
/// use ag_ui_native::client::AgentStateMutation;
///
/// let mutation = AgentStateMutation::default().with_state(Object::from([("tasks", 2)]));
/// assert!(!mutation.stop_propagation);
/// assert!(AgentStateMutation::stop().stop_propagation);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AgentStateMutation {
    /// The new messages, which replace all.
    pub messages: Option<Vec<Message>>,
    /// The new state.
    pub state: Option<Value>,
    /// No further subscriber is called, and the event has no effect.
    pub stop_propagation: bool,
}

impl AgentStateMutation {
    /// A mutation that only stops propagation.
    pub fn stop() -> Self {
        Self { stop_propagation: true, ..Self::default() }
    }

    /// Sets the messages.
    #[must_use]
    pub fn with_messages(self, messages: Vec<Message>) -> Self {
        Self { messages: Some(messages), ..self }
    }

    /// Sets the state.
    #[must_use]
    pub fn with_state(self, state: impl Into<Value>) -> Self {
        Self { state: Some(state.into()), ..self }
    }
}
