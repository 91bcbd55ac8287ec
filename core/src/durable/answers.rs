//! The interrupts that wait in a thread, and the answers of a request to them.

use super::frame::Snapshot;
use super::reply::ThreadInfo;
use crate::error::{Code, Error};
use crate::json::{Input, ParseOptions, Tape, View};
use crate::profile::Profile;
use crate::resume::{check, unasked};
use crate::typed::from_json;
use crate::types::{Interrupt, Message, ResumeEntry, RunAgentInput};

/// The answers of a request to the interrupts of its thread.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    resume: Vec<ResumeEntry>,
    /// The time of the request, in milliseconds since the Unix epoch.
    now: i64,
    /// True if the input is one of the first run of a thread: it answers nothing, and has no message of an agent.
    pub(super) is_first: bool,
}

impl Answers {
    /// The answers in this input. `now` is in milliseconds since the Unix epoch.
    pub fn of(input: &RunAgentInput, now: i64) -> Self {
        let resume = input.resume.clone().unwrap_or_default();
        let is_of_agent = |message: &Message| matches!(message, Message::Assistant(_) | Message::Tool(_));
        let is_first = resume.is_empty() && !input.messages.iter().any(is_of_agent);
        Self { resume, now, is_first }
    }

    /// Checks that each pending interrupt has an answer, and that each answer has a pending interrupt: the snapshot knows
    /// them all, so another answer is a repeated or a foreign one.
    pub(super) fn check(&self, pending: &[Interrupt]) -> Result<(), Error> {
        check(pending, &self.resume, self.now)?;
        match unasked(pending, &self.resume) {
            issues if issues.is_empty() => Ok(()),
            issues => Err(Error::from(issues)),
        }
    }
}

impl ThreadInfo {
    /// The interrupts that wait for an answer. While a run is active, it answers them.
    pub(super) fn pending_interrupts(&self) -> Result<Vec<Interrupt>, Error> {
        match &self.snapshot {
            Some(snapshot) if self.active_run.is_none() => interrupts(snapshot),
            _ => Ok(Vec::new()),
        }
    }
}

/// The interrupts of a snapshot, as the recorder has written it.
fn interrupts(snapshot: &Snapshot) -> Result<Vec<Interrupt>, Error> {
    let damaged = || Error::new(Code::Internal, "the snapshot of the thread cannot be read");
    let mut tape = Tape::default();
    let options = ParseOptions { depth: usize::MAX, replace_invalid_text: false };
    let snapshot = tape.parse(snapshot.as_str(), options).map_err(|_| damaged())?;
    let Some(interrupts) = snapshot.member("interrupts") else { return Ok(Vec::new()) };
    let View::List(items) = interrupts.view() else { return Err(damaged()) };
    items
        .map(|item| {
            let (interrupt, _) = from_json(item.source(), Profile::Relay).map_err(|_| damaged())?;
            Ok(interrupt)
        })
        .collect()
}
