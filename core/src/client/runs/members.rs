//! Prepares the input of a run: the members of the call, those of the agent, and each warning once.
//!
//! | | first run of a call | each after tools' answers | prepared again, after subscribers have changed something |
//! |---|---|---|---|
//! | `runId` | the call's, else a new one | a new one | as it was asked for |
//! | `parentRunId` | the call's, else the agent's | none: it goes on from the last one | as before |
//! | `resume` | the call's; all interrupts that wait are answered | none | as before; nothing else is asked of it |
//! | `tools` | the agent's and the call's, which stand for those of their name | the same | the same |
//! | warnings | all | all | those that are new |

use super::Runs;
use super::duties::{unanswered, used};
use super::input::prepare_checked;
use crate::compat::ProtocolVersion;
use crate::error::{Error, Issue};
use crate::types::{Interrupt, RunAgentInput, Tool};

/// The members that an agent adds to each input.
#[derive(Clone, Debug, Default)]
pub struct AgentMembers {
    /// The run from which runs branch, unless the call names another.
    pub parent_run_id: Option<String>,
    /// The tools with functions.
    pub tools: Vec<Tool>,
    /// An id for the run, if `needs_run_id` is true. Without one, a new id is made.
    pub run_id: Option<String>,
}

impl Runs {
    /// True if the next run needs a new id; `given` is the call's.
    pub fn needs_run_id(&self, given: &str) -> bool {
        self.asked.is_none() && (self.requested() > 0 || given.is_empty())
    }

    /// Prepares the input of the next run. The host gives the members of the call, each time the same. From then on this run is the current
    /// one, until the next one is prepared. Returns the warnings, each once.
    ///
    /// # Errors
    /// As [`prepare_checked`]: then no run is current.
    pub fn prepare(
        &mut self,
        input: &mut RunAgentInput,
        agent: AgentMembers,
        pending: &[Interrupt],
        peer: Option<ProtocolVersion>,
        now: i64,
    ) -> Result<Vec<Issue>, Error> {
        let agent = if self.observes { AgentMembers::default() } else { agent };
        let is_due = self.asked.is_none();
        let is_first = self.requested() == usize::from(!is_due);
        if is_due && is_first {
            self.declares(input.tools.as_deref().unwrap_or_default());
        }
        if self.needs_run_id(&input.run_id) {
            input.run_id = agent.run_id.unwrap_or_default();
        } else if let Some(asked) = &self.asked {
            input.run_id.clone_from(asked);
        }
        input.parent_run_id = input.parent_run_id.take().or(agent.parent_run_id).filter(|_| is_first);
        input.resume = input.resume.take().filter(|_| is_first);
        let declared = input.tools.replace(agent.tools);
        input.tools.get_or_insert_default().extend(declared.unwrap_or_default());
        let lost = prepare_checked(input, if is_due && !self.observes { pending } else { &[] }, peer, now)?;
        let owed = self.input_warnings(input);
        if is_due {
            self.ask(&input.run_id);
        }
        Ok(self.once(lost.into_iter().chain(owed)))
    }

    /// Prepares an input that middleware passes on. It may differ from the call's.
    ///
    /// # Errors
    /// As [`prepare_checked`].
    pub fn prepare_from_middleware(
        &mut self,
        input: &mut RunAgentInput,
        peer: Option<ProtocolVersion>,
        now: i64,
    ) -> Result<Vec<Issue>, Error> {
        let lost = prepare_checked(input, &[], peer, now)?;
        Ok(self.once(lost))
    }

    /// Returns the warnings about how the call continues from the last one: about the input of its first run, or about what has changed in
    /// it since.
    fn input_warnings(&mut self, input: &RunAgentInput) -> Vec<Issue> {
        if self.requested() > usize::from(self.asked.is_some()) {
            return Vec::new();
        }
        if self.asked.is_none() {
            self.thread_id.clone_from(&input.thread_id);
            self.is_used = self.used.has(input);
        }
        if self.observes {
            return Vec::new();
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
