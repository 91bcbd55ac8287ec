//! Prepares the input of a run: the members of the first run of a call alone, those of the agent, and the warnings, once.
//!
//! | | first run of a call | each behind tools' answers | prepared again, after subscribers have changed something |
//! |---|---|---|---|
//! | `runId` | the call's, else a new one | a new one | as it was asked for |
//! | `parentRunId` | the call's, else the agent's | none: it goes on from the last one | as before |
//! | `resume` | the call's; all interrupts that wait are answered | none | as before; nothing else is asked of it |
//! | `tools` | the agent's and the call's, which stand for those of their name | the same | the same |
//! | warnings | all | all | those that are new |

use super::Runs;
use super::duties::{unanswered, used};
use super::input::make_ready;
use crate::compat::ProtocolVersion;
use crate::error::{Error, Issue};
use crate::types::{Interrupt, RunAgentInput, Tool};

/// The members that an agent adds to each input.
#[derive(Clone, Debug, Default)]
pub struct AgentMembers {
    /// The run that runs branch from, unless a call says another.
    pub parent_run_id: Option<String>,
    /// The tools that it has functions for.
    pub tools: Vec<Tool>,
    /// An id for the run, if `wants_id` says that it needs one; nothing: one of ours.
    pub run_id: Option<String>,
}

impl Runs {
    /// True if the next run needs an id; `given` is the call's.
    pub fn wants_id(&self, given: &str) -> bool {
        self.asked.is_none() && (self.rounds() > 0 || given.is_empty())
    }

    /// Makes the input of the next run ready to be sent. It has what the call says, each time the same. When it is ready, the run is asked
    /// for: until the next one, this is the same run. Returns the warnings, each once.
    ///
    /// # Errors
    /// As [`make_ready`]: then nothing was asked for.
    pub fn prepare(
        &mut self,
        input: &mut RunAgentInput,
        agent: AgentMembers,
        pending: &[Interrupt],
        peer: Option<ProtocolVersion>,
        now: i64,
    ) -> Result<Vec<Issue>, Error> {
        let is_due = self.asked.is_none();
        let is_first = self.rounds() == usize::from(!is_due);
        if is_due && is_first {
            self.declares(input.tools.as_deref().unwrap_or_default());
        }
        if self.wants_id(&input.run_id) {
            input.run_id = agent.run_id.unwrap_or_default();
        } else if let Some(asked) = &self.asked {
            input.run_id.clone_from(asked);
        }
        input.parent_run_id = input.parent_run_id.take().or(agent.parent_run_id).filter(|_| is_first);
        input.resume = input.resume.take().filter(|_| is_first);
        let declared = input.tools.replace(agent.tools);
        input.tools.get_or_insert_default().extend(declared.unwrap_or_default());
        let lost = make_ready(input, if is_due { pending } else { &[] }, peer, now)?;
        let owed = self.owes(input);
        if is_due {
            self.ask(&input.run_id);
        }
        Ok(self.once(lost.into_iter().chain(owed)))
    }

    /// The same of what middleware asks for, which says what it likes.
    ///
    /// # Errors
    /// As [`make_ready`].
    pub fn prepare_passed(
        &mut self,
        input: &mut RunAgentInput,
        peer: Option<ProtocolVersion>,
        now: i64,
    ) -> Result<Vec<Issue>, Error> {
        let lost = make_ready(input, &[], peer, now)?;
        Ok(self.once(lost))
    }

    /// Judges how the call continues from the last one: warnings about the input of its first run, before it is requested, or
    /// about what has become of it since.
    fn owes(&mut self, input: &RunAgentInput) -> Vec<Issue> {
        if self.rounds() > usize::from(self.asked.is_some()) {
            return Vec::new();
        }
        if self.asked.is_none() {
            self.thread_id.clone_from(&input.thread_id);
            self.is_used = self.used.has(input);
        }
        let used = self.is_used.then(|| used(&input.run_id));
        used.into_iter().chain(unanswered(&self.left, input)).collect()
    }

    /// Returns the warnings that have not been reported yet, as long as it is the same run.
    fn once(&mut self, issues: impl IntoIterator<Item = Issue>) -> Vec<Issue> {
        let mut new = Vec::new();
        for issue in issues {
            if !self.warned.contains(&issue) {
                self.warned.push(issue.clone());
                new.push(issue);
            }
        }
        new
    }
}
