//! The client's agent: a conversation, and the transport of its runs.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::abort::AbortHandle;
use super::conversation::replace_messages;
use super::middleware::Middleware;
use super::notifier::{Notifier, Subscribers};
use super::options::{AgentSettings, OnWarning, RunParameters};
use super::request::Purpose;
use super::result::{ClientError, RunResult};
use super::resume::build_resume;
use super::run::{AgentParts, RunStream};
use super::runs::Runs;
use super::subscriber::{AgentSubscriber, RunSubscriber};
use super::tools::tool_set::ToolSet;
use super::transport::opening::{now, opener};
use super::transport::request::{Detaching, Transport};
use crate::error::Error;
use crate::ids::IdKind;
use crate::json::{Object, Value};
use crate::reduce::Conversation;
use crate::types::{Interrupt, Message, ResumeEntry};

/// A conversation with an agent, and the transport that requests its runs. A run borrows the agent, so an agent has one run at a time.
///
/// ```
/// use ag_ui_native::client::RunParameters;
/// use ag_ui_native::types::UserMessage;
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
/// let mut agent = LocalAgent::new(greet).with_thread_id("t1");
/// agent.add_message(UserMessage::new("m1", "Hi"));
/// let result = agent.run_to_end(RunParameters::default()).await?;
/// assert_eq!(result.text(), "Hello!");
/// assert_eq!(agent.messages()?.len(), 2);
/// # Ok(())
/// # }
/// ```
pub struct Agent<T> {
    pub(super) transport: Arc<T>,
    pub(super) settings: AgentSettings,
    pub(super) thread_id: String,
    pub(super) id: String,
    pub(super) description: String,
    pub(super) parent_run_id: Option<String>,
    pub(super) conversation: Conversation,
    pub(super) tools: ToolSet,
    pub(super) middleware: Vec<Arc<dyn Middleware>>,
    pub(super) on_warning: Option<OnWarning>,
    pub(super) aborts: AbortHandle,
    pub(super) subscribers: Subscribers,
    /// The last call.
    pub(super) runs: Runs,
    /// The number of subscribers so far.
    pub(super) subscribed: usize,
}

impl<T> Agent<T> {
    /// A new conversation, under a new id.
    pub fn over(transport: T) -> Self {
        let settings = AgentSettings::default();
        let state = Value::from(Object::default());
        Self {
            transport: Arc::new(transport),
            settings,
            thread_id: IdKind::Thread.new_id(),
            id: format!("agent-{}", Uuid::new_v4()),
            description: String::new(),
            parent_run_id: None,
            conversation: Conversation::new(&[], state, settings.limits),
            tools: ToolSet::default(),
            middleware: Vec::new(),
            on_warning: None,
            aborts: AbortHandle::default(),
            subscribers: Subscribers::new(),
            runs: Runs::default(),
            subscribed: 0,
        }
    }

    /// The id of the conversation.
    pub fn thread_id(&self) -> &str {
        &self.thread_id
    }

    /// The agent's id in the application. It is not sent.
    pub fn agent_id(&self) -> &str {
        &self.id
    }

    /// The application's description of the agent.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The run from which the next runs branch; `None` is the last run.
    pub fn parent_run_id(&self) -> Option<&str> {
        self.parent_run_id.as_deref()
    }

    /// Sets the run from which the next runs branch, unless their options name another; `None` is the last run.
    pub fn set_parent_run_id(&mut self, parent_run_id: Option<String>) {
        self.parent_run_id = parent_run_id;
    }

    /// The messages, the state and the pending interrupts.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// The messages. Fails if a patch has left an activity without an object as content.
    pub fn messages(&self) -> Result<Vec<Message>, Error> {
        self.conversation.messages()
    }

    /// The state.
    pub fn state(&self) -> &Value {
        &self.conversation.state
    }

    /// The state, deserialized to a type of the program.
    pub fn state_as<S: DeserializeOwned>(&self) -> Result<S, Error> {
        self.conversation.state_as()
    }

    /// The interrupts that have no answer yet.
    pub fn pending_interrupts(&self) -> &[Interrupt] {
        &self.conversation.pending_interrupts
    }

    /// Appends a message.
    pub fn add_message(&mut self, message: impl Into<Message>) {
        self.add_messages(vec![message.into()]);
    }

    /// Appends messages.
    pub fn add_messages(&mut self, messages: Vec<Message>) {
        Notifier::new(self.subscribers.clone()).add(&mut self.conversation, messages);
    }

    fn notify(&mut self, messages: bool, state: bool) {
        Notifier::new(self.subscribers.clone()).changed(&mut self.conversation, messages, state);
    }

    /// Adds a subscriber. It is called for later runs and for changes that the application makes. Returns the number for
    /// [`unsubscribe`](Self::unsubscribe). Copies of the agent have the same subscribers.
    pub fn subscribe(&mut self, subscriber: Arc<dyn AgentSubscriber>) -> usize {
        self.subscribed += 1;
        self.subscribers.push((self.subscribed, subscriber));
        self.subscribed
    }

    /// Removes a subscriber. Returns false if there is none with this number.
    ///
    /// ```
    /// use ag_ui_native::client::{AgentSubscriber, HttpAgent};
    /// use std::sync::Arc;
    ///
    /// struct Silent;
    /// impl AgentSubscriber for Silent {}
    ///
    /// let mut agent = HttpAgent::new("http://127.0.0.1:8000/");
    /// let number = agent.subscribe(Arc::new(Silent));
    /// assert!(agent.unsubscribe(number));
    /// assert!(!agent.unsubscribe(number));
    /// ```
    pub fn unsubscribe(&mut self, number: usize) -> bool {
        let before = self.subscribers.len();
        self.subscribers.retain(|(known, _)| *known != number);
        self.subscribers.len() < before
    }

    /// Replaces the messages.
    pub fn set_messages(&mut self, messages: &[Message]) {
        replace_messages(&mut self.conversation, messages);
        self.notify(true, false);
    }

    /// Replaces the state.
    ///
    /// ```
    /// use ag_ui_native::Object;
    /// use ag_ui_native::types::SystemMessage;
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
    /// let mut agent = LocalAgent::new(greet).with_agent_id("greeter");
    /// agent.set_state(Object::from([("tasks", 2)]));
    /// agent.add_messages(vec![SystemMessage::new("m1", "Answer in one sentence.").into()]);
    /// agent.set_messages(&[]);
    /// agent.set_parent_run_id(None);
    /// assert_eq!(agent.state().get("tasks").and_then(Value::as_i64), Some(2));
    /// assert_eq!((agent.agent_id(), agent.description(), agent.parent_run_id()), ("greeter", "", None));
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_state(&mut self, state: impl Into<Value>) {
        self.conversation.state = state.into();
        self.conversation.state_in_sync = true;
        self.notify(false, true);
    }

    /// Puts answers to all pending interrupts in the order of these, for [`RunParameters::with_resume`]. [`approve`](super::approve) and its
    /// siblings make the answers.
    ///
    /// # Errors
    /// Rules L01 and L02: an interrupt has no answer, or one that has expired is not cancelled. `unknown_interrupt`: an answer names no
    /// pending interrupt, or an interrupt that has an answer already.
    pub fn build_resume(&self, answers: Vec<ResumeEntry>) -> Result<Vec<ResumeEntry>, Error> {
        build_resume(self.pending_interrupts(), answers, now())
    }

    /// Returns a handle that aborts the runs of this agent.
    pub fn abort_handle(&self) -> AbortHandle {
        self.aborts.clone()
    }
}

impl<T: Transport> Agent<T> {
    /// Runs the agent. The request is sent when the first event is read.
    pub fn run(&mut self, options: RunParameters) -> RunStream<'_> {
        self.begin(options, None, Purpose::Start)
    }

    /// Runs the agent with a further message of the user, or joins a run.
    pub(super) fn begin(
        &mut self,
        options: RunParameters,
        message: Option<Message>,
        purpose: Purpose,
    ) -> RunStream<'_> {
        let detaching = Detaching::default();
        let agent = AgentParts {
            thread_id: &self.thread_id,
            parent_run_id: self.parent_run_id.as_deref(),
            conversation: &mut self.conversation,
            settings: self.settings,
            tools: &self.tools,
            middleware: &self.middleware,
            on_warning: self.on_warning.as_ref(),
            open: opener(&self.transport, self.settings, purpose, detaching.clone()),
            cancel: opener(&self.transport, self.settings, Purpose::Cancel, Detaching::default()),
            detaching,
            runs: &mut self.runs,
        };
        let mut subscribers = self.subscribers.clone();
        if let Some(RunSubscriber(own)) = &options.subscriber {
            subscribers.push((usize::MAX, Arc::clone(own)));
        }
        RunStream::new(agent, options, Notifier::new(subscribers), self.aborts.begin(), message)
    }

    /// Runs the agent to the end of the run. RUN_ERROR is a result, too: see its outcome.
    ///
    /// # Errors
    /// Any other early end of the run. The conversation keeps all changes before it.
    pub async fn run_to_end(&mut self, options: RunParameters) -> Result<RunResult, ClientError> {
        self.run(options).to_end().await
    }
}

impl<T> Clone for Agent<T> {
    /// Copies the conversation. The two are independent from then on.
    fn clone(&self) -> Self {
        Self {
            transport: Arc::clone(&self.transport),
            settings: self.settings,
            thread_id: self.thread_id.clone(),
            id: self.id.clone(),
            description: self.description.clone(),
            parent_run_id: self.parent_run_id.clone(),
            conversation: self.conversation.clone(),
            tools: self.tools.clone(),
            middleware: self.middleware.clone(),
            on_warning: self.on_warning.clone(),
            aborts: AbortHandle::default(),
            subscribers: self.subscribers.clone(),
            runs: self.runs.copy(),
            subscribed: self.subscribed,
        }
    }
}

impl<T> fmt::Debug for Agent<T> {
    /// Leaves out messages and headers: they may hold secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Agent").field("thread_id", &self.thread_id).finish_non_exhaustive()
    }
}
