//! The options of an agent.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::agent::Agent;
use super::middleware::Middleware;
use super::options::Timeouts;
use super::retry::Retry;
use crate::compat::ProtocolVersion;
use crate::json::Value;
use crate::limits::Limits;
use crate::profile::Profile;
use crate::types::{Interrupt, Message, Tool};
use crate::warning::Warning;

impl<T> Agent<T> {
    /// Sets the id of the conversation.
    #[must_use]
    pub fn with_thread_id(self, thread_id: impl Into<String>) -> Self {
        Self { thread_id: thread_id.into(), ..self }
    }

    /// Sets the messages with which the conversation begins.
    #[must_use]
    pub fn with_messages(mut self, messages: &[Message]) -> Self {
        self.set_messages(messages);
        self
    }

    /// Sets the state with which the conversation begins.
    #[must_use]
    pub fn with_state(mut self, state: impl Into<Value>) -> Self {
        self.set_state(state);
        self
    }

    /// Sets the pending interrupts.
    #[must_use]
    pub fn with_pending_interrupts(mut self, interrupts: Vec<Interrupt>) -> Self {
        self.conversation.pending_interrupts = interrupts;
        self
    }

    /// Sets the profile by which events are read. Every profile verifies the order of events, so an answer that is cut off fails.
    #[must_use]
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.settings.profile = profile;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self.conversation.limits = limits;
        self
    }

    /// Sets the newest protocol version that the peer understands.
    #[must_use]
    pub fn with_peer(mut self, version: ProtocolVersion) -> Self {
        self.settings.peer = Some(version);
        self
    }

    /// Requests protobuf. The answer is read by its content type.
    #[must_use]
    pub fn with_protobuf(mut self) -> Self {
        self.settings.protobuf = true;
        self
    }

    /// Sets the timeouts.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.settings.timeouts = timeouts;
        self
    }

    /// Sets the retries of requests that began no run.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.settings.retry = Some(retry);
        self
    }

    /// Sets how often one call may run the agent: it is run again after tools have answered.
    #[must_use]
    pub fn with_max_runs(mut self, max_runs: usize) -> Self {
        self.settings.max_runs = max_runs;
        self
    }

    /// Adds a tool and the function that answers its calls. The function's argument is read from the arguments of the call. Its result, its
    /// error, or the fault of the arguments goes back to the agent, which is then run again.
    ///
    /// ```
    /// use ag_ui_native::client::HttpAgent;
    /// use ag_ui_native::types::Tool;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Place {
    ///     town: String,
    /// }
    ///
    /// let tool = Tool::new("weather", "What the weather is like.");
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/")
    ///     .with_tool(tool, |place: Place| async move { Ok::<_, std::io::Error>(format!("Rain in {}", place.town)) });
    /// ```
    #[must_use]
    pub fn with_tool<A, F, W, R, E>(mut self, tool: Tool, function: F) -> Self
    where
        A: DeserializeOwned,
        F: Fn(A) -> W + Send + Sync + 'static,
        W: Future<Output = Result<R, E>> + Send + 'static,
        R: Into<Value>,
        E: fmt::Display,
    {
        self.tools.add(tool, function);
        self
    }

    /// Sets the agent's id in the application.
    #[must_use]
    pub fn with_agent_id(self, agent_id: impl Into<String>) -> Self {
        Self { id: agent_id.into(), ..self }
    }

    /// Sets the run from which runs branch, unless their options name another.
    #[must_use]
    pub fn with_parent_run_id(self, parent_run_id: impl Into<String>) -> Self {
        Self { parent_run_id: Some(parent_run_id.into()), ..self }
    }

    /// Sets the application's description of the agent.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Self {
        Self { description: description.into(), ..self }
    }

    /// Adds middleware around the runs, inside the middleware that was added before: the first is the outermost.
    ///
    /// ```
    /// use ag_ui_native::client::{HttpAgent, ToolCallFilter};
    ///
    /// let agent = HttpAgent::new("http://127.0.0.1:8000/").with_middleware(ToolCallFilter::deny(["delete"]));
    /// ```
    #[must_use]
    pub fn with_middleware(mut self, middleware: impl Middleware + 'static) -> Self {
        self.middleware.push(Arc::new(middleware));
        self
    }

    /// Sets a function that is called with each warning at once: about events that were repaired, reduced or could not be applied. The
    /// result has all warnings, too.
    #[must_use]
    pub fn with_on_warning(mut self, on_warning: impl Fn(&Warning) + Send + Sync + 'static) -> Self {
        self.on_warning = Some(Arc::new(on_warning));
        self
    }
}
