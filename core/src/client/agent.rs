//! An agent of the client's: a conversation, and the way to who goes on with it.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::abort::AbortHandle;
use super::conversation::replace_messages;
use super::middleware::Middleware;
use super::notifier::{Notifier, Subscribers};
use super::result::{ClientError, RunResult};
use super::resume::build_resume;
use super::run::{AgentParts, RunStream};
use super::runs::Runs;
use super::settings::{OnWarning, RunOptions, Settings};
use super::subscriber::{AgentSubscriber, RunSubscriber};
use super::tools::tool_set::ToolSet;
use super::transport::opening::{now, opener};
use super::transport::request::Transport;
use crate::error::Error;
use crate::ids::IdKind;
use crate::json::{Object, Value};
use crate::reduce::Conversation;
use crate::types::{Interrupt, Message, ResumeEntry};

/// A conversation with an agent, and the transport by which runs are asked for. While one goes on, the agent is borrowed: there is no
/// second one at the same time.
pub struct Agent<T> {
    pub(super) transport: Arc<T>,
    pub(super) settings: Settings,
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
        let settings = Settings::default();
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

    /// The agent's id: it names it in the application, and is not sent.
    pub fn agent_id(&self) -> &str {
        &self.id
    }

    /// The application's description of the agent.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The run that the next ones branch from; nothing for the last one.
    pub fn parent_run_id(&self) -> Option<&str> {
        self.parent_run_id.as_deref()
    }

    /// Has the next runs branch from an earlier one, unless their options name another; nothing for the last one.
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

    /// The state as a type of the program's.
    pub fn state_as<S: DeserializeOwned>(&self) -> Result<S, Error> {
        self.conversation.state_as()
    }

    /// The interrupts that wait for an answer.
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

    fn tell(&mut self, messages: bool, state: bool) {
        Notifier::new(self.subscribers.clone()).changed(&mut self.conversation, messages, state);
    }

    /// Has a subscriber told of the runs from now on, and of what the application itself changes. The number is for
    /// [`unsubscribe`](Self::unsubscribe). Copies of the agent have the same subscribers.
    pub fn subscribe(&mut self, subscriber: Arc<dyn AgentSubscriber>) -> usize {
        self.subscribed += 1;
        self.subscribers.push((self.subscribed, subscriber));
        self.subscribed
    }

    /// Tells a subscriber nothing more. Says whether there was one.
    pub fn unsubscribe(&mut self, number: usize) -> bool {
        let before = self.subscribers.len();
        self.subscribers.retain(|(known, _)| *known != number);
        self.subscribers.len() < before
    }

    /// Replaces the messages.
    pub fn set_messages(&mut self, messages: &[Message]) {
        replace_messages(&mut self.conversation, messages);
        self.tell(true, false);
    }

    /// Replaces the state.
    pub fn set_state(&mut self, state: impl Into<Value>) {
        self.conversation.state = state.into();
        self.conversation.state_in_sync = true;
        self.tell(false, true);
    }

    /// Answers to all the interrupts that wait, in their order, for [`RunOptions::with_resume`]: what [`approve`](super::approve) and
    /// the others make.
    ///
    /// # Errors
    /// Rules L01 and L02: an interrupt has no answer, or one that has expired is not cancelled. `unknown_interrupt` for an answer to none
    /// of them, or a second one to the same.
    pub fn build_resume(&self, answers: Vec<ResumeEntry>) -> Result<Vec<ResumeEntry>, Error> {
        build_resume(self.pending_interrupts(), answers, now())
    }

    /// Aborts runs of this agent, from elsewhere.
    pub fn abort_handle(&self) -> AbortHandle {
        self.aborts.clone()
    }
}

impl<T: Transport> Agent<T> {
    /// Asks for a run. It begins when its first event is asked for.
    pub fn run(&mut self, options: RunOptions) -> RunStream<'_> {
        self.begin(options, None)
    }

    /// The same, with what the user says.
    pub(super) fn begin(&mut self, options: RunOptions, said: Option<Message>) -> RunStream<'_> {
        let agent = AgentParts {
            thread_id: &self.thread_id,
            parent_run_id: self.parent_run_id.as_deref(),
            conversation: &mut self.conversation,
            settings: self.settings,
            tools: &self.tools,
            middleware: &self.middleware,
            on_warning: self.on_warning.as_ref(),
            open: opener(&self.transport, self.settings),
            runs: &mut self.runs,
        };
        let mut subscribers = self.subscribers.clone();
        if let Some(RunSubscriber(own)) = &options.subscriber {
            subscribers.push((usize::MAX, Arc::clone(own)));
        }
        RunStream::new(agent, options, Notifier::new(subscribers), self.aborts.begin(), said)
    }

    /// Asks for a run and goes on to its end. RUN_ERROR is a result, too: see its outcome.
    ///
    /// # Errors
    /// Whatever else ends the run early. What came before is in the conversation.
    pub async fn run_to_end(&mut self, options: RunOptions) -> Result<RunResult, ClientError> {
        self.run(options).to_end().await
    }
}

impl<T> Clone for Agent<T> {
    /// The same conversation, to go on with on its own.
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
