//! The requirements that one run has for the next: a new run id, and answers to the pending calls.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::collections::HashSet;
use crate::defaults::REMEMBERED_RUNS;
use crate::error::{Code, Issue, quoted};
use crate::rule::Rule;
use crate::types::{Message, RunAgentInput};

/// The maximum number of calls that a warning names.
const MAX_NAMED: usize = 16;

/// The last runs that an agent has requested, by thread and id. All calls of the agent share the set.
#[derive(Clone, Debug, Default)]
pub(in crate::client) struct UsedIds(Arc<Mutex<Remembered>>);

/// The remembered ids, and their order.
#[derive(Clone, Debug, Default)]
struct Remembered {
    known: HashSet<(String, String)>,
    order: VecDeque<(String, String)>,
}

impl UsedIds {
    /// Adds an id. Beyond `REMEMBERED_RUNS`, the oldest is forgotten.
    pub fn add(&self, thread_id: &str, run_id: &str) {
        let mut ids = self.ids();
        let id = (thread_id.to_owned(), run_id.to_owned());
        if ids.known.insert(id.clone()) {
            ids.order.push_back(id);
        }
        if ids.order.len() > REMEMBERED_RUNS
            && let Some(oldest) = ids.order.pop_front()
        {
            ids.known.remove(&oldest);
        }
    }

    pub fn has(&self, input: &RunAgentInput) -> bool {
        self.ids().known.contains(&(input.thread_id.clone(), input.run_id.clone()))
    }

    /// Copies the set, for a copy of the agent.
    pub fn copy(&self) -> Self {
        let ids = self.ids().clone();
        Self(Arc::new(Mutex::new(ids)))
    }

    /// All ids, the oldest first.
    pub fn all(&self) -> Vec<(String, String)> {
        self.ids().order.iter().cloned().collect()
    }

    fn ids(&self) -> MutexGuard<'_, Remembered> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The warning that a run has the id of another one.
pub(in crate::client) fn used(run_id: &str) -> Issue {
    Issue {
        rule: Some(Rule::V43),
        ..Issue::new(Code::SequenceBroken, "/runId", format!("run {}", quoted(run_id)))
    }
}

/// The warning about calls of `left` that the input does not answer. A call that is no longer among the messages needs no answer.
pub(in crate::client) fn unanswered(left: &[String], input: &RunAgentInput) -> Option<Issue> {
    if left.is_empty() {
        return None;
    }
    let mut waiting: HashSet<&str> = HashSet::default();
    for message in &input.messages {
        waiting.extend(message.tool_calls().iter().map(|call| call.id.as_str()));
    }
    for message in &input.messages {
        if let Message::Tool(answer) = message {
            waiting.remove(answer.tool_call_id.as_str());
        }
    }
    let calls: Vec<String> =
        left.iter().filter(|id| waiting.contains(id.as_str())).map(|id| quoted(id)).collect();
    let more = calls.len().saturating_sub(MAX_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let named = calls[..calls.len().min(MAX_NAMED)].join(", ");
    (!calls.is_empty()).then(|| Issue::new(Code::CallPending, "", format!("{named}{more}")))
}
