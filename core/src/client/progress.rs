//! The progress of a call.

use super::conversation::{all_typed, id};
use super::result::{RunOutcome, RunResult};
use super::runs::early_end::{Cause, EarlyEnd};
use super::runs::{OutcomeKind, RunSum, Runs};
use crate::collections::HashSet;
use crate::json::Value;
use crate::reduce::{Change, Conversation, LaterRuns};
use crate::types::{Interrupt, Message, ToolMessage};

/// The result of a call as it grows, run by run.
pub(super) struct Progress {
    /// The result of all runs. Its messages and sums are computed at the end.
    pub result: RunResult,
    /// The state machine that decides the next run.
    pub runs: Runs,
    /// The outcome of each run, as the agent stated it.
    ends: Vec<Option<RunOutcome>>,
    /// The ids of the messages before the call.
    known: HashSet<String>,
    /// The current answer; the runs before it are in the result.
    answer: Option<AnswerProgress>,
    /// True if the pending calls of the result are out of date.
    is_stale: bool,
}

/// One answer of the agent, and the answers of tools to it.
struct AnswerProgress {
    /// The ids of the messages that were there before it.
    known: HashSet<String>,
    /// The index of its first warning.
    warned: usize,
    /// The index of the first warning of its input.
    lost: usize,
    /// The ids of the messages with which tools have answered.
    answers: HashSet<String>,
}

impl Progress {
    /// Begins the progress of a call that sends `message`, which does not count as new.
    pub fn new(thread_id: &str, conversation: &Conversation, message: Option<&Message>, runs: Runs) -> Self {
        let id = message.map(|message| message.id().to_owned());
        Self {
            result: RunResult { thread_id: thread_id.to_owned(), ..RunResult::default() },
            runs,
            ends: Vec::new(),
            known: ids_of(conversation).chain(id).collect(),
            answer: None,
            is_stale: false,
        }
    }

    /// Begins a run, after the answer before it has ended.
    pub fn begin(&mut self, run_id: &str, conversation: &Conversation) {
        let (warned, lost) = (self.result.warnings.len(), self.result.input_warnings.len());
        let known = ids_of(conversation).collect();
        self.answer = Some(AnswerProgress { known, warned, lost, answers: HashSet::default() });
        run_id.clone_into(&mut self.result.run_id);
        self.result.last_event_id = None;
        self.set_end(None);
    }

    /// Records RUN_STARTED.
    pub fn started(&mut self, run_id: &str) {
        self.runs.started(Some(run_id));
        self.set_end(None);
    }

    /// Notes the end of a run that a change states.
    pub fn note(&mut self, change: &Change) {
        let (kind, outcome, usage) = match change {
            Change::RunFinished { end, usage } => (OutcomeKind::from(end), end.clone().into(), usage),
            Change::RunFailed { message, code, usage } => {
                let error = RunOutcome::Error { message: message.clone(), code: code.clone() };
                (OutcomeKind::Error, error, usage)
            }
            _ => return,
        };
        let usage = usage.as_deref().unwrap_or_default();
        self.set_end(Some(outcome));
        self.result.usage.extend_from_slice(usage);
        self.runs.ended(kind, usage, self.result.pending_tool_call_ids());
        self.ends.resize(self.runs.all().len(), None);
        self.is_stale = true;
        self.sum_up_calls();
        self.ends[self.runs.all().len() - 1].clone_from(&self.result.end);
    }

    /// Records that a thread without an active run was opened.
    pub fn opened(&mut self, last_run_id: Option<String>, interrupts: &[Interrupt]) {
        self.runs.opened(last_run_id.as_deref(), !interrupts.is_empty());
        self.result.run_id = last_run_id.unwrap_or_default();
        self.set_end(Some(if interrupts.is_empty() {
            RunOutcome::Success { result: None, pending_tool_call_ids: Vec::new() }
        } else {
            RunOutcome::Interrupt(interrupts.to_vec())
        }));
    }

    fn set_end(&mut self, end: Option<RunOutcome>) {
        self.result.outcome.clone_from(&end);
        self.result.end = end;
    }

    /// Records the answer to a call of a tool.
    pub fn answered(&mut self, ToolMessage { id, tool_call_id, .. }: &ToolMessage) {
        self.runs.answered(tool_call_id);
        if let Some(answer) = &mut self.answer {
            answer.answers.insert(id.clone());
        }
        self.is_stale = true;
    }

    /// Updates the pending calls of the result.
    pub fn sum_up_calls(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        for end in [&mut self.result.end, &mut self.result.outcome] {
            if let Some(RunOutcome::Success { pending_tool_call_ids, .. }) = end {
                *pending_tool_call_ids = self.runs.pending();
            }
        }
    }

    /// Ends the call early.
    pub fn end(&mut self, cause: Cause<'_>) -> EarlyEnd {
        let ending = self.runs.end(cause);
        self.sum_up_calls();
        if let Some(outcome) = self.runs.cut() {
            self.result.outcome = (outcome == OutcomeKind::Aborted).then_some(RunOutcome::Aborted);
        }
        ending
    }

    /// Sorts the warnings of the answer by event. Events are read before they are applied, so warnings of both arrive mixed.
    pub fn sort_warnings(&mut self) {
        let warned = self.answer.as_ref().map_or(0, |answer| answer.warned);
        self.result.warnings[warned..].sort_by_key(|warning| warning.event_index);
    }

    /// Returns the result so far.
    pub fn summary(&self, conversation: &Conversation) -> RunResult {
        let new_messages = messages_without(&self.known, conversation);
        RunResult { new_messages, usage: self.runs.usage(), ..self.result.clone() }
    }

    /// Ends the call.
    pub fn finish(&mut self, conversation: &Conversation, later: &LaterRuns) {
        self.end_answer(conversation, later);
        if let Some(last) = self.result.parts.last_mut() {
            last.outcome.clone_from(&self.result.outcome);
        }
        // One run alone is the result itself.
        if self.result.parts.len() == 1 {
            self.result.parts.clear();
        }
        self.result = self.summary(conversation);
    }

    /// Adds the runs of the answer to the result. The last run gets the data of the whole answer.
    pub fn end_answer(&mut self, conversation: &Conversation, later: &LaterRuns) {
        self.sum_up_calls();
        let Some(AnswerProgress { known, warned, lost, answers }) = self.answer.take() else { return };
        let result = &mut self.result;
        let first = result.parts.len();
        for RunSum { run_id, usage, .. } in self.runs.of_answer() {
            let end = self.ends.get(result.parts.len()).cloned().flatten();
            result.parts.push(RunResult {
                thread_id: result.thread_id.clone(),
                run_id: run_id.clone(),
                outcome: end.clone(),
                end,
                usage: usage.clone(),
                ..RunResult::default()
            });
        }
        let last = result.parts.len() - 1;
        for message in messages_without(&known, conversation) {
            let id = message.id();
            let run = if answers.contains(id) { last } else { (first + later.run_of(id)).min(last) };
            result.parts[run].new_messages.push(message);
        }
        let run = &mut result.parts[last];
        result.run_id.clone_from(&run.run_id);
        run.outcome.clone_from(&result.outcome);
        run.end.clone_from(&result.end);
        run.warnings = result.warnings[warned..].to_vec();
        run.input_warnings = result.input_warnings[lost..].to_vec();
        run.last_event_id.clone_from(&result.last_event_id);
    }
}

/// Returns the ids of all messages.
fn ids_of(conversation: &Conversation) -> impl Iterator<Item = String> {
    conversation.message_values().filter_map(id).map(str::to_owned)
}

fn messages_without(known: &HashSet<String>, conversation: &Conversation) -> Vec<Message> {
    let is_new = |message: &&Value| id(message).is_none_or(|id| !known.contains(id));
    all_typed(conversation.message_values().filter(is_new))
}
