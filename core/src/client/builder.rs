//! The options of an agent.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::agent::Agent;
use super::middleware::Middleware;
use super::retry::Retry;
use super::settings::Timeouts;
use crate::compat::ProtocolVersion;
use crate::json::Value;
use crate::limits::Limits;
use crate::profile::Profile;
use crate::types::{Interrupt, Message, Tool};
use crate::warning::Warning;

impl<T> Agent<T> {
    /// The same under another id.
    #[must_use]
    pub fn with_thread_id(self, thread_id: impl Into<String>) -> Self {
        Self { thread_id: thread_id.into(), ..self }
    }

    /// The same of a conversation that has these messages already.
    #[must_use]
    pub fn with_messages(mut self, messages: &[Message]) -> Self {
        self.set_messages(messages);
        self
    }

    /// The same with this state.
    #[must_use]
    pub fn with_state(mut self, state: impl Into<Value>) -> Self {
        self.set_state(state);
        self
    }

    /// The same, with interrupts that wait for an answer.
    #[must_use]
    pub fn with_pending_interrupts(mut self, interrupts: Vec<Interrupt>) -> Self {
        self.conversation.pending_interrupts = interrupts;
        self
    }

    /// The same, reading by another profile. The order of events is verified in each: an answer that is cut is none.
    #[must_use]
    pub fn with_profile(mut self, profile: Profile) -> Self {
        self.settings.profile = profile;
        self
    }

    /// The same within other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self.conversation.limits = limits;
        self
    }

    /// The same for a peer that speaks nothing newer than a version.
    #[must_use]
    pub fn with_peer(mut self, version: ProtocolVersion) -> Self {
        self.settings.peer = Some(version);
        self
    }

    /// The same, asking for protobuf. What comes is read by its content type.
    #[must_use]
    pub fn with_protobuf(mut self) -> Self {
        self.settings.protobuf = true;
        self
    }

    /// The same, waiting for so long.
    #[must_use]
    pub fn with_timeouts(mut self, timeouts: Timeouts) -> Self {
        self.settings.timeouts = timeouts;
        self
    }

    /// The same, asking again where no run has begun.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.settings.retry = Some(retry);
        self
    }

    /// The same, with so many runs in a row at most that answers of tools ask for.
    #[must_use]
    pub fn with_max_rounds(mut self, max_rounds: usize) -> Self {
        self.settings.max_rounds = max_rounds;
        self
    }

    /// The same, with a function that answers the calls of a tool. Its argument is read from the call's; what it returns goes back to the
    /// agent, which is then asked again. Arguments that do not fit and errors go back, too.
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

    /// The same under another id of the agent's.
    #[must_use]
    pub fn with_agent_id(self, agent_id: impl Into<String>) -> Self {
        Self { id: agent_id.into(), ..self }
    }

    /// The same, with runs that branch from an earlier one unless their options name another.
    #[must_use]
    pub fn with_parent_run_id(self, parent_run_id: impl Into<String>) -> Self {
        Self { parent_run_id: Some(parent_run_id.into()), ..self }
    }

    /// The same with what the agent is for, in the application's words.
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Self {
        Self { description: description.into(), ..self }
    }

    /// The same with middleware around its runs, inside of what is there already: the first is the outermost.
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

    /// The same with a function that is told at once what is repaired or left out of events, or could not be applied. All of it stands in
    /// the result, too.
    #[must_use]
    pub fn with_on_warning(mut self, on_warning: impl Fn(&Warning) + Send + Sync + 'static) -> Self {
        self.on_warning = Some(Arc::new(on_warning));
        self
    }
}
