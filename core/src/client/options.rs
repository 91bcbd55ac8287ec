//! The settings of an agent, and the options of one run.

use std::sync::Arc;
use std::time::Duration;

use super::retry::Retry;
use super::subscriber::{AgentSubscriber, RunSubscriber};
use crate::compat::ProtocolVersion;
use crate::defaults;
use crate::json::Value;
use crate::limits::Limits;
use crate::pipeline::{PipelineOptions, Stages};
use crate::profile::{Profile, Rules};
use crate::types::{Context, ResumeEntry, Tool};
use crate::warning::Warning;

/// A function that is called with each warning about events.
pub(super) type OnWarning = Arc<dyn Fn(&Warning) + Send + Sync>;

/// The timeouts of an agent. `None` means no limit.
///
/// ```
/// use std::time::Duration;
/// use ag_ui_native::client::{HttpAgent, Timeouts};
///
/// let timeouts = Timeouts::default().with_idle(Duration::from_secs(20)).with_total(Duration::from_secs(300));
/// let agent = HttpAgent::new("http://127.0.0.1:8000/").with_timeouts(timeouts);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// The time for the head of the answer, from the request on. If it is `None`, `idle` applies.
    pub first_byte: Option<Duration>,
    /// The time for the next piece of the answer; a heartbeat is one. After the end of a run, the time for all that follows.
    pub idle: Option<Duration>,
    /// The time for the whole call: requests, answers, middleware and tools.
    pub total: Option<Duration>,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { first_byte: None, idle: Some(defaults::IDLE_TIMEOUT), total: None }
    }
}

/// The settings for all runs of an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct AgentSettings {
    pub profile: Profile,
    pub limits: Limits,
    pub peer: Option<ProtocolVersion>,
    pub protobuf: bool,
    pub timeouts: Timeouts,
    pub retry: Option<Retry>,
    pub max_runs: usize,
}

impl AgentSettings {
    /// The options of a pipeline with these stages.
    pub fn pipeline(&self, stages: Stages) -> PipelineOptions {
        PipelineOptions { rules: Rules::of(self.profile), limits: self.limits, stages, peer: self.peer }
    }
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            limits: Limits::default(),
            peer: None,
            protobuf: false,
            timeouts: Timeouts::default(),
            retry: None,
            max_runs: defaults::MAX_RUNS,
        }
    }
}

/// The options of one run, besides the conversation.
///
/// ```
/// use ag_ui_native::client::RunParameters;
/// use ag_ui_native::types::Context;
///
/// let options = RunParameters::default().with_context(vec![Context::new("time zone", "UTC")]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunParameters {
    /// The run id. Without one, a new id is made.
    pub run_id: Option<String>,
    /// The run from which it branches.
    pub parent_run_id: Option<String>,
    /// Further tools of the application, besides the agent's tools with functions.
    pub tools: Vec<Tool>,
    /// Background for the agent.
    pub context: Vec<Context>,
    /// Further data for the agent.
    pub forwarded_props: Option<Value>,
    /// The answers to the pending interrupts.
    pub resume: Option<Vec<ResumeEntry>>,
    pub(super) subscriber: Option<RunSubscriber>,
}

macro_rules! setters {
    ($($options:ident: $($(#[doc = $doc:literal])+ $setter:ident($member:ident: $type:ty) = $value:expr;)+)+) => {
        $(impl $options {
            $($(#[doc = $doc])+
            #[must_use]
            pub fn $setter(self, $member: $type) -> Self {
                Self { $member: $value, ..self }
            })+
        })+
    };
}

setters! {
    Timeouts:
    /// Sets the time for the head of the answer; `None`: the time of `idle`.
    with_first_byte(first_byte: impl Into<Option<Duration>>) = first_byte.into();
    /// Sets the time for the next piece of the answer; `None`: no limit.
    with_idle(idle: impl Into<Option<Duration>>) = idle.into();
    /// Sets the time for the whole call; `None`: no limit.
    with_total(total: impl Into<Option<Duration>>) = total.into();

    RunParameters:
    /// Sets the run id.
    with_run_id(run_id: impl Into<String>) = Some(run_id.into());
    /// Sets the run from which this one branches.
    with_parent_run_id(parent_run_id: impl Into<String>) = Some(parent_run_id.into());
    /// Sets further tools of the application.
    with_tools(tools: Vec<Tool>) = tools;
    /// Sets background for the agent.
    with_context(context: Vec<Context>) = context;
    /// Sets further data for the agent.
    with_forwarded_props(forwarded_props: impl Into<Value>) = Some(forwarded_props.into());
    /// Sets the answers to the pending interrupts.
    with_resume(resume: Vec<ResumeEntry>) = Some(resume);
    /// Sets a subscriber for this run only. It is called after those of the agent.
    with_subscriber(subscriber: Arc<dyn AgentSubscriber>) = Some(RunSubscriber(subscriber));
}
