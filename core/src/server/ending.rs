//! The ends of a run, and the events that close open entities before the end.

use crate::Value;
use crate::error::{Code, Error, Issue};
use crate::rule::Rule;
use crate::types::{
    Event, Interrupt, ReasoningEndEvent, ReasoningMessageEndEvent, RunErrorEvent,
    RunFinishedCancelledOutcome, RunFinishedEvent, RunFinishedInterruptOutcome, RunFinishedSuccessOutcome,
    StepFinishedEvent, SubagentErrorEvent, SubagentFinishedEvent, SubagentFinishedSuspendedOutcome,
    TextMessageEndEvent, TokenUsage, ToolCallEndEvent,
};
use crate::verify::{EntityKind, EventVerifier, OpenEntity};

/// The end of a run or of a subagent's invocation.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Ending, Run, WireFormat};
/// use ag_ui_native::types::RunAgentInput;
///
/// let input = RunAgentInput::new("t1", "r1", vec![]);
/// let run = Run::begin(input, WireFormat::Text, false, Limits::default())?;
/// run.end(Ending::Success(Some("done".into())))?;
/// assert!(!run.is_running());
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ending {
    /// The agent has succeeded, and returns this result.
    Success(Option<Value>),
    /// The run waits for answers to these interrupts, at least one.
    Interrupt(Vec<Interrupt>),
    /// The run was cancelled.
    Cancelled,
    /// The agent has failed.
    Error {
        /// The reason, as text for people.
        message: String,
        /// A code from an open set.
        code: Option<String>,
    },
}

impl Ending {
    /// The end of an agent that has failed. The client gets the text of the error only if it is given here and not empty: it
    /// may contain secrets.
    pub fn agent_failed(text: Option<&str>) -> Self {
        let code = Code::AgentFailed;
        let text = text.filter(|text| !text.is_empty());
        let message = text.map_or_else(|| Issue::new(code, "", "").message(), str::to_owned);
        Self::Error { message, code: Some(code.as_str().to_owned()) }
    }

    /// The end of an agent that has exceeded its time limit.
    pub(super) fn run_timeout() -> Self {
        Self::of(Code::RunTimeout)
    }

    /// The end of a run with more waiting bytes than allowed.
    pub(super) fn client_too_slow() -> Self {
        Self::of(Code::ClientTooSlow)
    }

    /// True if the run ends even if its state cannot be sent.
    #[doc(hidden)]
    pub fn spares_state(&self) -> bool {
        matches!(self, Self::Cancelled | Self::Error { .. })
    }

    /// The cause of the end, for the error of later writes.
    pub(super) fn cause(&self) -> &'static str {
        let is = |known: Code| matches!(self, Self::Error { code: Some(code), .. } if code == known.as_str());
        match self {
            Self::Success(_) => "because the agent returned, or called `finish`",
            Self::Interrupt(_) => "because the agent called `interrupt`",
            Self::Cancelled => "because the agent called `cancel`, or was stopped",
            _ if is(Code::RunTimeout) => "because it reached its time limit",
            _ if is(Code::ClientTooSlow) => "because the client read too slowly",
            _ if is(Code::AgentFailed) => "because the agent failed",
            Self::Error { .. } => "because the agent called `fail`",
        }
    }

    fn of(code: Code) -> Self {
        Self::Error { message: Issue::new(code, "", "").message(), code: Some(code.as_str().to_owned()) }
    }

    /// The event that ends the run. `pending` are calls without a result, which the client has to answer.
    pub(super) fn of_run(
        self,
        thread_id: &str,
        run_id: &str,
        usage: Option<Vec<TokenUsage>>,
        pending: Vec<String>,
    ) -> Event {
        let finished = RunFinishedEvent { usage: usage.clone(), ..RunFinishedEvent::new(thread_id, run_id) };
        match self {
            Self::Success(result) => {
                let outcome = RunFinishedSuccessOutcome::new().with_pending_tool_call_ids(pending);
                let named = outcome.pending_tool_call_ids.as_ref().is_some_and(|pending| !pending.is_empty());
                RunFinishedEvent { result, outcome: named.then(|| outcome.into()), ..finished }.into()
            }
            Self::Interrupt(interrupts) => {
                let outcome = RunFinishedInterruptOutcome::new(interrupts);
                RunFinishedEvent { outcome: Some(outcome.into()), ..finished }.into()
            }
            Self::Cancelled => {
                let outcome = RunFinishedCancelledOutcome::new();
                RunFinishedEvent { outcome: Some(outcome.into()), ..finished }.into()
            }
            Self::Error { message, code } => {
                RunErrorEvent { code, usage, ..RunErrorEvent::new(message) }.into()
            }
        }
    }

    /// The end of a subagent that is still open at this end. It has no result.
    pub(super) fn of_open(&self) -> Self {
        match self {
            Self::Success(_) => Self::Success(None),
            other => other.clone(),
        }
    }

    /// The event that ends the invocation `id` of a subagent.
    pub(super) fn of_subagent(&self, id: &str) -> Event {
        let finished = SubagentFinishedEvent::new(id);
        match self {
            Self::Success(result) => SubagentFinishedEvent { result: result.clone(), ..finished }.into(),
            Self::Cancelled => finished.into(),
            Self::Interrupt(interrupts) => {
                let own =
                    interrupts.iter().filter(|interrupt| interrupt.subagent_run_id.as_deref() == Some(id));
                let ids: Vec<_> = own.map(|interrupt| interrupt.id.clone()).collect();
                let outcome = SubagentFinishedSuspendedOutcome::new();
                let outcome = if ids.is_empty() { outcome } else { outcome.with_interrupt_ids(ids) };
                finished.with_outcome(outcome).into()
            }
            Self::Error { message, code } => {
                SubagentErrorEvent { code: code.clone(), ..SubagentErrorEvent::new(id, message) }.into()
            }
        }
    }
}

/// The order in which kinds of entities are closed: inner kinds first. Within a kind, the last opened is closed first.
const INNERMOST_FIRST: [EntityKind; 6] = [
    EntityKind::TextMessage,
    EntityKind::ReasoningMessage,
    EntityKind::ReasoningSpan,
    EntityKind::ToolCall,
    EntityKind::Step,
    EntityKind::Subagent,
];

/// The events that close all open entities; subagents end by `ending`.
pub(super) fn close_all(verifier: &EventVerifier, ending: &Ending) -> Vec<Event> {
    close(verifier, ending, |_| true)
}

/// The events that close the open entities of the subagent invocation `id`, but not the invocation.
pub(super) fn close_owned(verifier: &EventVerifier, ending: &Ending, id: &str) -> Vec<Event> {
    close(verifier, ending, |open| open.subagent_run_id == Some(id))
}

fn close(
    verifier: &EventVerifier,
    ending: &Ending,
    is_meant: impl Fn(&OpenEntity<'_>) -> bool,
) -> Vec<Event> {
    let closed_of = |kind: EntityKind| {
        let open: Vec<_> = verifier.open(kind).into_iter().filter(&is_meant).collect();
        open.into_iter().rev().map(move |open| closing(kind, open, ending))
    };
    INNERMOST_FIRST.into_iter().flat_map(closed_of).collect()
}

/// The event that closes an open entity, with the tag of its owner.
pub(super) fn closing(kind: EntityKind, open: OpenEntity<'_>, ending: &Ending) -> Event {
    let id = open.id;
    let mut event: Event = match kind {
        EntityKind::TextMessage => TextMessageEndEvent::new(id).into(),
        EntityKind::ReasoningMessage => ReasoningMessageEndEvent::new(id).into(),
        EntityKind::ReasoningSpan => ReasoningEndEvent::new(id).into(),
        EntityKind::ToolCall => ToolCallEndEvent::new(id).into(),
        EntityKind::Step => StepFinishedEvent::new(id).into(),
        EntityKind::Subagent => ending.of_subagent(id),
    };
    if let Some(tag) = event.subagent_run_id_mut() {
        *tag = open.subagent_run_id.map(str::to_owned);
    }
    event
}

/// The data of a run that has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ended {
    /// The rule that later events break.
    pub rule: Rule,
    /// The cause, as text for errors.
    pub cause: &'static str,
    /// True if the agent has ended the run by a call.
    pub is_own: bool,
    /// True if the agent was told to stop.
    pub is_forced: bool,
    /// True if the time for reading the end is limited.
    pub is_limited: bool,
    /// The code that closes a WebSocket after the run.
    pub close_code: u16,
}

impl Ended {
    /// The error of a write after the end.
    pub fn error(self) -> Error {
        let detail = format!("the run ended {}", self.cause);
        Error::broken(self.rule, detail).advise("write before the end of the run, or end the run later")
    }
}
