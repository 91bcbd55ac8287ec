//! The stream of a run's events.

mod steps;

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use tokio::time::Sleep;

use super::abort::Running;
use super::conversation::text;
use super::event_source::BoxedEvents;
use super::middleware::Middleware;
use super::notifier::Notifier;
use super::options::{AgentSettings, OnWarning, RunParameters};
use super::progress::Progress;
use super::reading::{SharedNotes, StepBudget};
use super::request::no_active_run;
use super::result::{ClientError, RunResult};
use super::runs::Runs;
use super::tools::tool_set::{Answering, ToolSet};
use super::transport::opening::Open;
use super::transport::request::Detaching;
use super::transport::thread::{Connecting, cancel_run};
use crate::reduce::{Conversation, Reducer, Slot};
use crate::types::{Event, Message};
use crate::warning::Warnings;

/// The events of a run. Each event has been applied to the agent's conversation when it is returned. A failure is the last item. If tools
/// have answered, the events of the next run follow.
///
/// Dropping the stream aborts the run and closes the connection. It implements the `Stream` of `futures`.
///
/// ```
/// use ag_ui_native::client::RunStream;
///
/// async fn show(mut run: RunStream<'_>) { while let Some(event) = run.next().await { println!("{event:?}") } }
/// ```
pub struct RunStream<'a> {
    agent: AgentParts<'a>,
    options: RunParameters,
    /// The message that the call sends, until the run begins.
    message: Option<Message>,
    /// Its id from then on.
    message_id: Option<String>,
    /// The run has changed something.
    has_changes: bool,
    phase: Phase,
    reducer: Reducer,
    /// Warnings of applying the events of an answer: patches that fail.
    applied: Warnings,
    notifier: Notifier,
    notes: SharedNotes,
    progress: Progress,
    /// The message to which the last event has appended text.
    extended: Option<Slot>,
    running: Running,
    budget: StepBudget,
    /// The timer of the limit `total`.
    total: Option<Pin<Box<Sleep>>>,
    /// The duration of the limit `total`.
    limit: Option<Duration>,
}

/// The parts of an agent that a run needs.
pub(super) struct AgentParts<'a> {
    pub thread_id: &'a str,
    pub parent_run_id: Option<&'a str>,
    pub conversation: &'a mut Conversation,
    pub settings: AgentSettings,
    pub tools: &'a ToolSet,
    pub middleware: &'a [Arc<dyn Middleware>],
    pub on_warning: Option<&'a OnWarning>,
    pub open: Open,
    pub cancel: Open,
    pub detaching: Detaching,
    pub runs: &'a mut Runs,
}

enum Phase {
    Connecting(Connecting),
    Beginning,
    Reading(BoxedEvents),
    Answering(Answering),
    Over,
}

impl<'a> RunStream<'a> {
    pub(super) fn new(
        agent: AgentParts<'a>,
        options: RunParameters,
        notifier: Notifier,
        running: Running,
        message: Option<Message>,
    ) -> Self {
        let settings = agent.settings;
        let runs = agent.runs.next(settings.max_runs);
        let progress = Progress::new(agent.thread_id, agent.conversation, message.as_ref(), runs);
        Self {
            agent,
            options,
            message,
            message_id: None,
            has_changes: false,
            phase: Phase::Beginning,
            applied: Warnings::new(&settings.limits),
            reducer: Reducer::default(),
            notifier,
            notes: SharedNotes::default(),
            progress,
            extended: None,
            running,
            budget: StepBudget::default(),
            total: None,
            limit: None,
        }
    }

    /// Reads a run that was started elsewhere, after its thread, if that is opened.
    pub(super) fn observing(mut self, thread: Option<Connecting>) -> Self {
        self.agent.detaching.detach();
        self.progress.runs.observe();
        if let Some(connecting) = thread {
            self.phase = Phase::Connecting(connecting);
        }
        self
    }

    /// Returns the next event.
    pub async fn next(&mut self) -> Option<Result<Event, ClientError>> {
        poll_fn(|context| self.poll_event(context)).await
    }

    /// Reads the run to its end, and returns the result.
    ///
    /// ```
    /// use ag_ui_native::client::RunParameters;
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
    /// let mut agent = LocalAgent::new(greet);
    /// let result = agent.run(RunParameters::default()).to_end().await?;
    /// assert!(result.is_success());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn to_end(mut self) -> Result<RunResult, ClientError> {
        while let Some(event) = self.next().await {
            event?;
        }
        Ok(std::mem::take(&mut self.progress.result))
    }

    /// The result of the run so far; the whole result after the last event.
    pub fn result(&self) -> &RunResult {
        &self.progress.result
    }

    /// Returns the result, and aborts a run that has not ended.
    pub fn into_result(mut self) -> RunResult {
        self.leave();
        std::mem::take(&mut self.progress.result)
    }

    /// Returns the result, and stops reading. At a server with a log the run goes on; another one ends it as it does for a client
    /// whose connection is lost.
    ///
    /// ```
    /// use ag_ui_native::client::RunParameters;
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
    /// let mut agent = LocalAgent::new(greet);
    /// let mut run = agent.run(RunParameters::default());
    /// run.next().await.unwrap()?; // RUN_STARTED
    /// assert!(!run.detach().is_success());
    /// # Ok(())
    /// # }
    /// ```
    pub fn detach(self) -> RunResult {
        self.agent.detaching.detach();
        self.into_result()
    }

    /// Cancels the run that is being read on its server. Its end comes as its last event.
    ///
    /// # Errors
    /// As [`Agent::cancel`](super::Agent::cancel); `run_unknown` before the run is requested.
    pub async fn cancel(&self) -> Result<(), ClientError> {
        let AgentParts { cancel, thread_id, settings, .. } = &self.agent;
        if self.progress.result.run_id.is_empty() {
            return Err(no_active_run().into());
        }
        cancel_run(Arc::clone(cancel), thread_id, &self.progress.result.run_id, *settings).await
    }

    /// The agent's conversation, with every event that has come out.
    pub fn conversation(&self) -> &Conversation {
        self.agent.conversation
    }

    /// True if the last event has appended text to a message of the assistant.
    pub(super) fn has_new_text(&self) -> bool {
        let role = |slot| text(self.agent.conversation.message(slot), "role");
        self.extended.and_then(role) == Some("assistant")
    }
}

impl Drop for RunStream<'_> {
    fn drop(&mut self) {
        // A callback that has panicked is not called again.
        if !std::thread::panicking() {
            self.leave();
        }
    }
}

impl Stream for RunStream<'_> {
    type Item = Result<Event, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_event(context)
    }
}

impl std::fmt::Debug for RunStream<'_> {
    /// Leaves out messages: they may hold secrets.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RunStream")
            .field("run_id", &self.progress.result.run_id)
            .finish_non_exhaustive()
    }
}
