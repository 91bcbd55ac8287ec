//! What a run has come to so far.

use super::conversation::{all_typed, id};
use super::result::{RunOutcome, RunResult};
use crate::json::Value;
use crate::maps::HashSet;
use crate::reduce::{Change, Conversation};
use crate::types::{Message, TokenUsage};

/// The result while it grows, round by round.
pub(super) struct Progress {
    /// Of all rounds; messages and sums are made at the end.
    pub result: RunResult,
    /// The ids of the messages that were there before.
    known: HashSet<String>,
    /// What is at work; those before are in the result.
    round: Option<Round>,
}

/// One request, and what the agent's functions do about its answer.
struct Round {
    /// The ids of the messages that were there before it.
    known: HashSet<String>,
    /// Where its warnings begin.
    warned: usize,
    /// Where its usage begins.
    used: usize,
}

impl Progress {
    /// Nothing yet. `said` is not new either.
    pub fn new(thread_id: &str, conversation: &Conversation, said: Option<&Message>) -> Self {
        let said = said.map(|message| message.id().to_owned());
        Self {
            result: RunResult { thread_id: thread_id.to_owned(), ..RunResult::default() },
            known: ids_of(conversation).chain(said).collect(),
            round: None,
        }
    }

    /// Whether nothing has been asked for yet.
    pub fn is_new(&self) -> bool {
        self.count() == 0
    }

    /// How many rounds there were, with the one at work.
    pub fn count(&self) -> usize {
        self.result.rounds.len() + usize::from(self.round.is_some())
    }

    /// A round begins; the one before it is over.
    pub fn begin_round(&mut self, run_id: &str, conversation: &Conversation) {
        self.end_round(conversation);
        let known = ids_of(conversation).collect();
        let (warned, used) = (self.result.warnings.len(), self.result.usage.len());
        self.round = Some(Round { known, warned, used });
        run_id.clone_into(&mut self.result.run_id);
        self.result.input_warnings = Vec::new();
        self.result.last_event_id = None;
        self.result.outcome = None;
    }

    fn end_round(&mut self, conversation: &Conversation) {
        let Some(Round { known, warned, used }) = self.round.take() else { return };
        let all = &self.result;
        let round = RunResult {
            thread_id: all.thread_id.clone(),
            run_id: all.run_id.clone(),
            outcome: all.outcome.clone(),
            new_messages: messages_besides(&known, conversation),
            usage: sums(&all.usage[used..]),
            warnings: all.warnings[warned..].to_vec(),
            input_warnings: all.input_warnings.clone(),
            last_event_id: all.last_event_id.clone(),
            rounds: Vec::new(),
        };
        self.result.rounds.push(round);
    }

    /// What a change says about the end of a run.
    pub fn note(&mut self, change: &Change) {
        let (outcome, usage) = match change {
            Change::RunFinished { end, usage } => (end.clone().into(), usage),
            Change::RunFailed { message, code, usage } => {
                (RunOutcome::Error { message: message.clone(), code: code.clone() }, usage)
            }
            _ => return,
        };
        self.result.outcome = Some(outcome);
        self.result.usage.extend(usage.iter().flatten().cloned());
    }

    /// A call of a tool waits no longer.
    pub fn answered(&mut self, tool_call_id: &str) {
        if let Some(RunOutcome::Success { pending_tool_call_ids, .. }) = &mut self.result.outcome {
            pending_tool_call_ids.retain(|id| id != tool_call_id);
        }
    }

    /// Puts the warnings of the round into the order of the events: readers are ahead of who applies.
    pub fn sort_warnings(&mut self) {
        let warned = self.round.as_ref().map_or(0, |round| round.warned);
        self.result.warnings[warned..].sort_by_key(|warning| warning.event_index);
    }

    /// The result as far as it has come.
    pub fn summary(&self, conversation: &Conversation) -> RunResult {
        let new_messages = messages_besides(&self.known, conversation);
        RunResult { new_messages, usage: sums(&self.result.usage), ..self.result.clone() }
    }

    /// Nothing more comes.
    pub fn finish(&mut self, conversation: &Conversation) {
        // One round alone is the result itself.
        if !self.result.rounds.is_empty() {
            self.end_round(conversation);
        }
        self.result = self.summary(conversation);
    }
}

/// The ids of all messages.
fn ids_of(conversation: &Conversation) -> impl Iterator<Item = String> {
    conversation.message_values().filter_map(id).map(str::to_owned)
}

fn messages_besides(known: &HashSet<String>, conversation: &Conversation) -> Vec<Message> {
    let is_new = |message: &&Value| id(message).is_none_or(|id| !known.contains(id));
    all_typed(conversation.message_values().filter(is_new))
}

/// What usage comes to; as it is where it cannot be added up.
fn sums(usage: &[TokenUsage]) -> Vec<TokenUsage> {
    TokenUsage::aggregate(usage).unwrap_or_else(|_| usage.to_vec())
}
