//! The parameters of subscribers' callbacks.

use std::sync::PoisonError;

use super::result::RunOutcome;
use super::tools::partial_arguments::PartialArguments;
use crate::json::Value;
use crate::reduce::{Conversation, Place, Reducer, RunEnd};
use crate::types::{Event, RunAgentInput};

/// The run and the conversation, for the callbacks of subscribers.
///
/// ```
/// use ag_ui_native::client::{AgentStateMutation, AgentSubscriber, AgentSubscriberParams};
/// use std::sync::Arc;
///
/// # use ag_ui_native::client::LocalAgent;
/// # use ag_ui_native::server::Run;
/// # use ag_ui_native::{Error, Value};
/// # async fn greet(run: Run) -> Result<Option<Value>, Error> {
/// #     run.text_message()?.write("Hello!")?;
/// #     Ok(None)
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
/// struct Counting;
///
/// impl AgentSubscriber for Counting {
///     fn on_run_finalized(&self, run: &AgentSubscriberParams<'_>) -> Option<AgentStateMutation> {
///         assert_eq!(run.conversation().message_values().count(), 2);
///         None
///     }
/// }
///
/// let mut agent = LocalAgent::new(greet);
/// agent.subscribe(Arc::new(Counting));
/// agent.ask("Hi").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AgentSubscriberParams<'r> {
    pub(super) conversation: &'r Conversation,
    pub(super) reducer: Option<&'r Reducer>,
    pub(super) input: Option<&'r RunAgentInput>,
    pub(super) end: Option<&'r RunEnd>,
    pub(super) before: Option<&'r Before>,
    pub(super) arguments: &'r PartialArguments,
}

impl<'r> AgentSubscriberParams<'r> {
    /// The current conversation.
    pub fn conversation(&self) -> &'r Conversation {
        self.conversation
    }

    /// The input of the run; `None` if the application itself changes the conversation.
    pub fn input(&self) -> Option<&'r RunAgentInput> {
        self.input
    }

    /// The message with an id, as JSON. In the callbacks for an event's type, the message or call of the event stays as it was in the first
    /// of them, even if another subscriber replaces the messages.
    pub fn message(&self, id: &str) -> Option<&'r Value> {
        if let Some(before) = self.before.filter(|before| before.call.is_none() && before.id == id) {
            return Some(&before.message);
        }
        match self.reducer?.message(id)? {
            Place::Message(slot) | Place::Call(slot, _) => Some(self.conversation.message(slot)),
        }
    }

    /// The text of a message so far. Before the effect of an event it lacks the delta of the event.
    pub fn text(&self, id: &str) -> Option<&'r str> {
        self.message(id)?.as_object()?.get("content")?.as_str()
    }

    /// The name and the arguments of a tool call so far.
    pub fn tool_call(&self, id: &str) -> Option<(&'r str, &'r str)> {
        let before = self.before.filter(|before| before.id == id);
        let (message, at) = if let Some((before, at)) = before.and_then(|before| Some((before, before.call?)))
        {
            (&before.message, at)
        } else {
            let Place::Call(slot, at) = self.reducer?.call(id)? else { return None };
            (self.conversation.message(slot), at)
        };
        let calls = message.as_object()?.get("toolCalls")?.as_array()?;
        let function = calls.get(at)?.as_object()?.get("function")?.as_object()?;
        Some((function.get("name")?.as_str()?, function.get("arguments")?.as_str()?))
    }

    /// Parses the partial arguments of a tool call, with open strings, arrays and objects closed. If it is called for each delta, it reads
    /// each byte once.
    ///
    /// ```
    /// use ag_ui_native::client::{AgentStateMutation, AgentSubscriber, AgentSubscriberParams};
    /// use ag_ui_native::{to_json, types::ToolCallEndEvent};
    /// use std::sync::{Arc, Mutex};
    ///
    /// # use ag_ui_native::client::LocalAgent;
    /// # use ag_ui_native::server::Run;
    /// # use ag_ui_native::{Error, Value};
    /// # async fn look(run: Run) -> Result<Option<Value>, Error> {
    /// #     let call = run.tool_call("look")?;
    /// #     call.write(r#"{"town":"Bath","at":[1,2"#)?; // cut
    /// #     Ok(None)
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), ag_ui_native::client::ClientError> {
    /// #[derive(Default)]
    /// struct Seen(Mutex<Vec<String>>);
    ///
    /// impl AgentSubscriber for Seen {
    ///     fn on_tool_call_end_event(
    ///         &self,
    ///         run: &AgentSubscriberParams<'_>,
    ///         event: &ToolCallEndEvent,
    ///     ) -> Option<AgentStateMutation> {
    ///         let arguments = run.partial_arguments(&event.tool_call_id)?;
    ///         self.0.lock().unwrap().push(to_json(&arguments));
    ///         None
    ///     }
    /// }
    ///
    /// let seen = Arc::new(Seen::default());
    /// let mut agent = LocalAgent::new(look);
    /// agent.subscribe(seen.clone());
    /// agent.ask("Where?").await?;
    /// assert_eq!(*seen.0.lock().unwrap(), [r#"{"town":"Bath","at":[1]}"#]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn partial_arguments(&self, id: &str) -> Option<Value> {
        let (_, text) = self.tool_call(id)?;
        Some(self.arguments.lock().unwrap_or_else(PoisonError::into_inner).value(id, text))
    }

    /// The outcome that RUN_FINISHED states, before its effect.
    pub fn outcome(&self) -> Option<RunOutcome> {
        self.end.cloned().map(RunOutcome::from)
    }
}

/// The message or the call of an event, as it was before a subscriber replaced the messages.
#[derive(Debug)]
pub(super) struct Before {
    /// The id of the message or the call.
    id: String,
    message: Value,
    /// The place of the call in its message.
    call: Option<usize>,
}

impl Before {
    /// Copies the message or the call of an event. `None` if the event has none.
    pub fn of(event: &Event, conversation: &Conversation, reducer: &Reducer) -> Option<Self> {
        let (id, place) = subject_of(event, reducer)?;
        let (slot, call) = match place? {
            Place::Message(slot) => (slot, None),
            Place::Call(slot, at) => (slot, Some(at)),
        };
        Some(Self { id: id.to_owned(), message: conversation.message(slot).clone(), call })
    }
}

/// Returns the id of the message or the call that an event continues or ends, and its place. `None` for other events.
pub(super) fn subject_of<'e>(event: &'e Event, reducer: &Reducer) -> Option<(&'e str, Option<Place>)> {
    let (id, is_call) = match event {
        Event::TextMessageContent(event) => (&event.message_id, false),
        Event::TextMessageEnd(event) => (&event.message_id, false),
        Event::ReasoningMessageContent(event) => (&event.message_id, false),
        Event::ReasoningMessageEnd(event) => (&event.message_id, false),
        Event::ActivityDelta(event) => (&event.message_id, false),
        Event::ToolCallArgs(event) => (&event.tool_call_id, true),
        Event::ToolCallEnd(event) => (&event.tool_call_id, true),
        _ => return None,
    };
    Some((id, if is_call { reducer.call(id) } else { reducer.message(id) }))
}
