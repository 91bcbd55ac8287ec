//! Who is told what happens in an agent's runs, and may have a say in it.

use std::fmt;
use std::sync::Arc;

use super::result::ClientError;
use super::subscriber_params::AgentSubscriberParams;
use crate::json::Value;
#[allow(clippy::wildcard_imports)] // Nearly all events.
use crate::types::*;

macro_rules! subscriber {
    ($($(#[doc = $doc:literal])+ $callback:ident($event:ident: $type:ident);)+) => {
        /// Is told what happens in the runs of an agent. The order: [`on_event`](Self::on_event) of all subscribers, then the callback for
        /// the event's type of all, then the event's effect, then what is complete, then what has changed. A chunk is told of as the
        /// events that it stands for.
        ///
        /// Callbacks are called while the run is polled: they must not block. What is to take long belongs into a task or channel of the
        /// subscriber's own. A run whose stream is dropped is one that was aborted.
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
            /// A run is about to be asked for. What is returned changes its input, too.
            fn on_run_initialized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                None
            }

            /// A run has failed, or was aborted. To stop says that this is no error: the stream just ends.
            fn on_run_failed(&self, run: &AgentSubscriberParams<'_>, error: &ClientError) -> Option<AgentStateMutation> {
                None
            }

            /// A run is over, in whichever way.
            fn on_run_finalized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
                None
            }

            /// An event has come. To stop says that nothing further happens to it; it comes out of the stream all the same.
            fn on_event(&self, run: &AgentSubscriberParams<'_>, event: &Event) -> Option<AgentStateMutation> {
                None
            }

            /// A message is complete, or the application has added one.
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
    /// TOOL_CALL_ARGS for a call that is there; [`AgentSubscriberParams::tool_call`] has its name and the arguments before it, [`AgentSubscriberParams::partial_arguments`]
    /// what they come to.
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
    /// ACTIVITY_SNAPSHOT, before its effect; [`AgentSubscriberParams::message`] has what is there already under its id.
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

/// The answer of a subscriber. Later subscribers see the messages and state that it has set.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AgentStateMutation {
    /// Messages in place of all.
    pub messages: Option<Vec<Message>>,
    /// A state in place of the old one.
    pub state: Option<Value>,
    /// No further subscriber is asked, and nothing happens.
    pub stop_propagation: bool,
}

impl AgentStateMutation {
    /// To stop here.
    pub fn stop() -> Self {
        Self { stop_propagation: true, ..Self::default() }
    }

    /// The same, and these messages.
    #[must_use]
    pub fn with_messages(self, messages: Vec<Message>) -> Self {
        Self { messages: Some(messages), ..self }
    }

    /// The same, and this state.
    #[must_use]
    pub fn with_state(self, state: impl Into<Value>) -> Self {
        Self { state: Some(state.into()), ..self }
    }
}
