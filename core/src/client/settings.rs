//! The settings for all runs of an agent, and the options of one.

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

/// Is called with each warning about events.
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
    /// For the head of the answer, from when it is asked for; `idle` counts where this is nothing.
    pub first_byte: Option<Duration>,
    /// For the next piece of the answer. A heartbeat is one. Behind the end of a run, for all that still comes.
    pub idle: Option<Duration>,
    /// For all of it: requests, answers, what middleware and tools do.
    pub total: Option<Duration>,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { first_byte: None, idle: Some(defaults::IDLE_TIMEOUT), total: None }
    }
}

/// The settings for all runs of an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub profile: Profile,
    pub limits: Limits,
    pub peer: Option<ProtocolVersion>,
    pub protobuf: bool,
    pub timeouts: Timeouts,
    pub retry: Option<Retry>,
    pub max_rounds: usize,
}

impl Settings {
    /// For an answer that goes through these stages.
    pub fn pipeline(&self, stages: Stages) -> PipelineOptions {
        PipelineOptions { rules: Rules::of(self.profile), limits: self.limits, stages, peer: self.peer }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            limits: Limits::default(),
            peer: None,
            protobuf: false,
            timeouts: Timeouts::default(),
            retry: None,
            max_rounds: defaults::MAX_ROUNDS,
        }
    }
}

/// The options of one run, besides the conversation.
///
/// ```
/// use ag_ui_native::client::RunOptions;
/// use ag_ui_native::types::Context;
///
/// let options = RunOptions::default().with_context(vec![Context::new("time zone", "UTC")]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RunOptions {
    /// Its id; a new one if there is none.
    pub run_id: Option<String>,
    /// The run that it branches from.
    pub parent_run_id: Option<String>,
    /// Tools that the application offers, besides those that the agent has functions for.
    pub tools: Vec<Tool>,
    /// Background for the agent.
    pub context: Vec<Context>,
    /// Anything else for the agent.
    pub forwarded_props: Option<Value>,
    /// Answers to the interrupts that wait.
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
    /// The same with so long for the head of the answer; `None` for as long as `idle` says.
    with_first_byte(first_byte: impl Into<Option<Duration>>) = first_byte.into();
    /// The same with so long for the next piece of the answer; `None` for any time.
    with_idle(idle: impl Into<Option<Duration>>) = idle.into();
    /// The same with so long for all of it; `None` for any time.
    with_total(total: impl Into<Option<Duration>>) = total.into();

    RunOptions:
    /// The same with an id for the run.
    with_run_id(run_id: impl Into<String>) = Some(run_id.into());
    /// The same as a branch of an earlier run.
    with_parent_run_id(parent_run_id: impl Into<String>) = Some(parent_run_id.into());
    /// The same with tools that the application offers.
    with_tools(tools: Vec<Tool>) = tools;
    /// The same with background for the agent.
    with_context(context: Vec<Context>) = context;
    /// The same with anything else for the agent.
    with_forwarded_props(forwarded_props: impl Into<Value>) = Some(forwarded_props.into());
    /// The same with answers to the interrupts that wait.
    with_resume(resume: Vec<ResumeEntry>) = Some(resume);
    /// The same with a subscriber for this run alone, behind those of the agent.
    with_subscriber(subscriber: Arc<dyn AgentSubscriber>) = Some(RunSubscriber(subscriber));
}
