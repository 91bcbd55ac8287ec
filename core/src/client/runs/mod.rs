//! The state machine of one call: it has one run, or several if tools have answered or if an answer has several. It does no I/O: the host
//! reports what happens, and asks for the next step.

pub(super) mod duties;
pub(super) mod early_end;
pub(super) mod input;
pub(super) mod intake;
pub(super) mod loss;
pub(super) mod members;
pub(super) mod outcome;

use std::collections::VecDeque;
use std::time::Duration;

use self::duties::UsedIds;
use crate::collections::{HashSet, IndexMap};
use crate::error::{Code, Error, Issue};
use crate::reduce::RunEnd;
use crate::types::{TokenUsage, Tool};

/// The outcome of a run, as hosts name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutcomeKind {
    /// The run has succeeded.
    Success,
    /// The run waits for answers to its interrupts.
    Interrupt,
    /// The agent has cancelled the run.
    Cancelled,
    /// The agent has reported a failure.
    Error,
    /// The client has aborted the run.
    Aborted,
    /// The run has not ended, or has failed.
    #[default]
    Failed,
}

impl OutcomeKind {
    /// All outcomes.
    pub const ALL: [Self; 6] =
        [Self::Success, Self::Interrupt, Self::Cancelled, Self::Error, Self::Aborted, Self::Failed];

    /// The name, the same in every language.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Interrupt => "interrupt",
            Self::Cancelled => "cancelled",
            Self::Error => "error",
            Self::Aborted => "aborted",
            Self::Failed => "failed",
        }
    }

    /// Returns the outcome with this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl From<&RunEnd> for OutcomeKind {
    fn from(end: &RunEnd) -> Self {
        match end {
            RunEnd::Success { .. } => Self::Success,
            RunEnd::Interrupt(_) => Self::Interrupt,
            RunEnd::Cancelled => Self::Cancelled,
        }
    }
}

/// One run, and its progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSum {
    /// Its id.
    pub run_id: String,
    /// The outcome.
    pub outcome: OutcomeKind,
    /// The token usage, one entry for each model.
    pub usage: Vec<TokenUsage>,
    calls: WaitingCalls,
    has_ended: bool,
}

impl RunSum {
    /// The calls without an answer.
    pub fn pending_tool_call_ids(&self) -> Vec<String> {
        self.calls.waiting().map(str::to_owned).collect()
    }
}

/// The calls that a run has left open, and which of them have an answer.
#[derive(Clone, Debug, Default, PartialEq)]
struct WaitingCalls {
    answered: IndexMap<String, bool>,
    count: usize,
}

impl WaitingCalls {
    fn new(ids: &[String]) -> Self {
        let answered: IndexMap<_, _> = ids.iter().map(|id| (id.clone(), false)).collect();
        Self { count: answered.len(), answered }
    }

    fn waits(&self, id: &str) -> bool {
        self.answered.get(id) == Some(&false)
    }

    fn waiting(&self) -> impl Iterator<Item = &str> {
        self.answered.iter().filter(|(_, is_answered)| !**is_answered).map(|(id, _)| id.as_str())
    }

    fn answer(&mut self, id: &str) {
        if let Some(is_answered @ false) = self.answered.get_mut(id) {
            *is_answered = true;
            self.count -= 1;
        }
    }
}

/// The next step of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Answer this call of a tool.
    Answer(String),
    /// Run the agent again.
    Ask,
    /// The call has ended.
    Finish,
    /// End the call with the error that has stopped it.
    Stop,
}

/// The state machine of a call: its runs, their outcomes and the next step.
#[allow(clippy::struct_excessive_bools, clippy::struct_field_names)] // Each is a fact of its own; `max_runs` is the name of the option.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    max_runs: usize,
    /// The names of tools that the call declares without a function.
    declared: HashSet<String>,
    /// The number of runs that were requested.
    requested: usize,
    /// The id of the current run; `None` before it is requested.
    pub(in crate::client) asked: Option<String>,
    /// The warnings that the current run has reported.
    pub(in crate::client) warned: Vec<Issue>,
    sums: Vec<RunSum>,
    /// The index of the first run of the last answer.
    first: usize,
    /// Tools are answering the calls of the last run.
    is_answering: bool,
    /// The ids of the calls that tools here are still to answer.
    queue: VecDeque<String>,
    /// The deadline of callbacks that are notified of the end.
    pub(in crate::client) end_callbacks_until: Option<Duration>,
    /// The outcome if the call has ended early: later inputs change nothing.
    cut: Option<OutcomeKind>,
    /// True if the call has ended.
    pub(in crate::client) is_over: bool,
    /// The call only reads a run that was started elsewhere.
    pub(in crate::client) observes: bool,
    /// A callback that has not returned in time was reported.
    pub(in crate::client) is_late: bool,
    /// The ids of runs that the agent has requested, in all its calls.
    pub(in crate::client) used: UsedIds,
    /// The first run has the id of another one.
    pub(in crate::client) is_used: bool,
    pub(in crate::client) thread_id: String,
    /// The calls of tools that the agent's last call has left.
    pub(in crate::client) left: Vec<String>,
}

impl Runs {
    /// A call that may run the agent `max_runs` times.
    pub fn new(max_runs: usize) -> Self {
        Self { max_runs, ..Self::default() }
    }

    /// The next call of the same agent.
    #[must_use]
    pub fn next(&self, max_runs: usize) -> Self {
        // A call whose first run was refused has changed nothing.
        let left = if self.requested == 0 { self.left.clone() } else { self.pending() };
        Self { used: self.used.clone(), left, ..Self::new(max_runs) }
    }

    /// The state with which a copy of the agent begins; the two are independent from then on.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self { used: self.used.copy(), ..self.next(0) }
    }

    /// The history of earlier calls: the requested runs, by thread and id, and the tool calls that the last one has left.
    pub fn past(&self) -> (Vec<(String, String)>, Vec<String>) {
        (self.used.all(), self.next(0).left)
    }

    /// The state of an agent with this history.
    pub fn with_past(used: impl IntoIterator<Item = (String, String)>, left: Vec<String>) -> Self {
        let runs = Self { left, ..Self::default() };
        used.into_iter().for_each(|(thread_id, run_id)| runs.used.add(&thread_id, &run_id));
        runs
    }

    /// Makes it the call of a client that reads a run which was started elsewhere. Such a run answers no interrupts and has no
    /// tools of this client, whose functions are not called: the client that has started the run calls its own.
    pub fn observe(&mut self) {
        self.observes = true;
    }

    /// Declares tools of the call without a function. They hide the agent's functions of the same names.
    pub fn declares(&mut self, tools: &[Tool]) {
        self.declared = tools.iter().map(|tool| tool.name.clone()).collect();
    }

    /// Records that a run was requested.
    pub fn ask(&mut self, run_id: &str) {
        self.used.add(&self.thread_id, run_id);
        self.asked = Some(run_id.to_owned());
        self.warned.clear();
        self.requested += 1;
        self.first = self.sums.len();
        self.begin(run_id);
    }

    /// A run has begun, by RUN_STARTED or any other event. After the end of a run, it is another run of the same answer.
    pub fn started(&mut self, run_id: Option<&str>) {
        if self.has_ended() && self.cut.is_none() {
            let before = self.sums.last().map(|run| run.run_id.clone()).unwrap_or_default();
            self.begin(run_id.unwrap_or(&before));
        }
    }

    /// Records the end of the run, by the agent.
    pub fn ended(&mut self, outcome: OutcomeKind, usage: &[TokenUsage], pending_tool_call_ids: &[String]) {
        self.started(None);
        let Some(run) = self.sums.last_mut().filter(|_| self.cut.is_none()) else { return };
        run.outcome = outcome;
        run.usage = summed_usage(usage);
        run.calls = WaitingCalls::new(pending_tool_call_ids);
        run.has_ended = true;
    }

    /// Ends the call early, as aborted or failed; only the first call counts. Returns true if that changes the outcome: a call whose runs
    /// have all ended keeps it.
    pub fn stop(&mut self, is_aborted: bool) -> bool {
        if self.cut.is_some() || (is_aborted && self.is_whole()) {
            return self.cut.is_some();
        }
        let outcome = if is_aborted { OutcomeKind::Aborted } else { OutcomeKind::Failed };
        self.cut = Some(outcome);
        if let Some(run) = self.sums.last_mut() {
            run.outcome = outcome;
        }
        true
    }

    /// The outcome of the early end of the call, if there is one.
    pub fn cut(&self) -> Option<OutcomeKind> {
        self.cut
    }

    /// Returns those of the pending calls, given as ids and names, that functions here answer: there is a function of that name, and the
    /// call has not declared another tool of that name.
    pub fn calls<'c>(
        &mut self,
        named: impl IntoIterator<Item = (&'c str, &'c str)>,
        has_function: impl Fn(&str) -> bool,
    ) -> Vec<&'c str> {
        let answers = |run: &&RunSum| run.outcome == OutcomeKind::Success && !self.observes;
        let Some(run) = self.sums.last().filter(answers) else {
            return Vec::new();
        };
        let mut seen = HashSet::default();
        let here = |(id, name): (&'c str, &'c str)| {
            let is_answered_here = has_function(name) && !self.declared.contains(name);
            (is_answered_here && run.calls.waits(id) && seen.insert(id)).then_some(id)
        };
        let calls: Vec<_> = named.into_iter().filter_map(here).collect();
        self.is_answering = !calls.is_empty();
        self.queue = calls.iter().map(|&id| id.to_owned()).collect();
        calls
    }

    /// Returns the next step after an answer has ended, and after each call of a tool that was answered. A call that `is_stopped`, by an abort
    /// or its time limit, or has ended early, stops if tools are at work.
    ///
    /// # Errors
    /// `too_many_runs`.
    pub fn next_step(&mut self, is_stopped: bool) -> Result<NextStep, Error> {
        if self.is_answering && (is_stopped || self.cut.is_some()) {
            return Ok(NextStep::Stop);
        }
        while let Some(call) = self.queue.pop_front() {
            // The application may have answered it meanwhile.
            if self.sums.last().is_some_and(|run| run.calls.waits(&call)) {
                return Ok(NextStep::Answer(call));
            }
        }
        Ok(if self.starts_next_run()? { NextStep::Ask } else { NextStep::Finish })
    }

    /// Records that a call has its answer.
    pub fn answered(&mut self, tool_call_id: &str) {
        if let Some(run) = self.sums.last_mut() {
            run.calls.answer(tool_call_id);
        }
    }

    /// True if the agent is run again: tools have answered, and no call waits.
    ///
    /// # Errors
    /// `too_many_runs`.
    pub fn starts_next_run(&mut self) -> Result<bool, Error> {
        let is_answered = self.sums.last().is_some_and(|run| run.calls.count == 0);
        if !self.is_answering || !is_answered || self.cut.is_some() {
            return Ok(false);
        }
        if self.requested >= self.max_runs {
            let detail = format!("max_runs is {}", self.max_runs);
            return Err(Error { limit: Some("max_runs"), ..Error::new(Code::TooManyRuns, detail) });
        }
        self.asked = None;
        Ok(true)
    }

    /// Records that a thread without an active run was opened: the call has the outcome of its last run, as far as it is known.
    pub fn opened(&mut self, last_run_id: Option<&str>, waits_for_answers: bool) {
        self.begin(last_run_id.unwrap_or_default());
        let outcome = if waits_for_answers { OutcomeKind::Interrupt } else { OutcomeKind::Success };
        self.ended(outcome, &[], &[]);
    }

    /// The number of requested runs.
    pub fn requested(&self) -> usize {
        self.requested
    }

    /// True if the last run has ended and no tool is at work.
    pub fn is_whole(&self) -> bool {
        self.has_ended() && !self.is_answering
    }

    /// The ids of the pending calls.
    pub fn pending(&self) -> Vec<String> {
        self.sums.last().map(RunSum::pending_tool_call_ids).unwrap_or_default()
    }

    /// True if the agent has ended the last run.
    pub fn has_ended(&self) -> bool {
        self.sums.last().is_some_and(|run| run.has_ended)
    }

    /// Names the runs that follow the first one of the last answer.
    pub fn name_later(&mut self, run_ids: &[String]) {
        for (place, run_id) in (self.first + 1..).zip(run_ids) {
            match self.sums.get_mut(place) {
                Some(run) => run.run_id.clone_from(run_id),
                // Only the beginning of the run has arrived.
                None => self.started(Some(run_id)),
            }
        }
    }

    /// All runs of the call.
    pub fn all(&self) -> &[RunSum] {
        &self.sums
    }

    /// The runs of the last answer.
    pub fn of_answer(&self) -> &[RunSum] {
        &self.sums[self.first..]
    }

    /// The token usage of all runs, one entry for each model.
    pub fn usage(&self) -> Vec<TokenUsage> {
        let all: Vec<_> = self.sums.iter().flat_map(|run| &run.usage).cloned().collect();
        summed_usage(&all)
    }

    fn begin(&mut self, run_id: &str) {
        self.is_answering = false;
        self.queue.clear();
        self.sums.push(RunSum { run_id: run_id.to_owned(), ..RunSum::default() });
    }
}

/// Sums the usage by model; returns it unchanged if it cannot be summed.
fn summed_usage(usage: &[TokenUsage]) -> Vec<TokenUsage> {
    TokenUsage::aggregate(usage).unwrap_or_else(|_| usage.to_vec())
}
