//! The ids of a stream: checks that runs have the expected ids, and that each id is used once.

use crate::collections::HashSet;
use crate::error::{Code, Error, Issue, quoted};
use crate::limits::Limits;
use crate::profile::Profile;
use crate::rule::Rule;
#[cfg(feature = "client")]
use crate::types::RunAgentInput;
use crate::types::{Interrupt, RunFinishedEvent, RunFinishedOutcome, RunStartedEvent};

/// The treatment of ids that do not match. Readers can accept them, and official clients do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bearing {
    /// Ids that do not match are errors.
    Refuse,
    /// They are a warning.
    #[default]
    Warn,
    /// They are not checked.
    Ignore,
}

impl Bearing {
    pub fn of(profile: Profile) -> Self {
        match profile {
            Profile::Strict => Self::Refuse,
            Profile::Tolerant => Self::Warn,
            Profile::Relay => Self::Ignore,
        }
    }
}

/// The ids of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunIds {
    pub thread_id: String,
    pub run_id: String,
}

impl RunIds {
    /// The ids of the run that an input asks for.
    #[cfg(feature = "client")]
    pub fn of(input: &RunAgentInput) -> Self {
        Self { thread_id: input.thread_id.clone(), run_id: input.run_id.clone() }
    }
}

/// The ids that a stream was requested with, and the ids of its runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Identity {
    asked: Option<RunIds>,
    /// The thread of the first run.
    thread_id: Option<String>,
    /// The current run, or the last one.
    last: Option<RunIds>,
    /// The runs before it: at most `run_entities`, and none with an id longer than `id_bytes`.
    past: HashSet<String>,
}

impl Identity {
    /// Sets the ids that the stream was requested with.
    pub fn ask(&mut self, thread_id: &str, run_id: &str) {
        self.asked = Some(RunIds { thread_id: thread_id.to_owned(), run_id: run_id.to_owned() });
    }

    /// Notes that a run begins.
    pub fn begin(&mut self, started: &RunStartedEvent, limits: &Limits) {
        let ids = RunIds { thread_id: started.thread_id.clone(), run_id: started.run_id.clone() };
        match self.last.replace(ids) {
            None => self.thread_id = Some(started.thread_id.clone()),
            Some(RunIds { run_id, .. }) => {
                if limits.check_run(self.past.len()).is_ok() && limits.check_id(&run_id).is_ok() {
                    self.past.insert(run_id);
                }
            }
        }
    }

    /// The faults in the ids of a run that begins.
    pub fn faults_of_start(&self, started: &RunStartedEvent) -> Vec<Issue> {
        let RunStartedEvent { thread_id, run_id, input, .. } = started;
        let mut faults = Vec::new();
        let stream = self.stream_thread();
        if stream.is_some_and(|stream| stream != thread_id) {
            faults.push(unlike(Rule::V42, "/threadId", thread_id, stream));
        }
        let is_last = self.last.as_ref().is_some_and(|last| last.run_id == *run_id);
        if is_last || self.past.contains(run_id) {
            faults.push(broken(Rule::V43, "/runId", format!("run {}", quoted(run_id))));
        }
        if let Some(input) = input {
            if input.thread_id != *thread_id {
                faults.push(unlike(Rule::V45, "/input/threadId", &input.thread_id, Some(thread_id)));
            }
            if input.run_id != *run_id {
                faults.push(unlike(Rule::V45, "/input/runId", &input.run_id, Some(run_id)));
            }
        }
        faults
    }

    /// The faults in the ids of a run that finishes.
    pub fn faults_of_finish(&self, finished: &RunFinishedEvent) -> Vec<Issue> {
        let RunFinishedEvent { thread_id, run_id, .. } = finished;
        let Some(started) = &self.last else { return Vec::new() };
        let mut faults = Vec::new();
        if started.run_id != *run_id {
            faults.push(unlike(Rule::V40, "/runId", run_id, Some(&started.run_id)));
        }
        // A run that has begun on another thread was reported then.
        if started.thread_id != *thread_id && self.stream_thread() != Some(thread_id) {
            faults.push(unlike(Rule::V41, "/threadId", thread_id, Some(&started.thread_id)));
        }
        faults
    }

    /// The fault in the last run, at the end of the stream.
    pub fn fault_of_end(&self) -> Option<Issue> {
        let (asked, last) = (self.asked.as_ref()?, self.last.as_ref()?);
        (asked.run_id != last.run_id).then(|| unlike(Rule::V44, "", &last.run_id, Some(&asked.run_id)))
    }

    /// The thread of all runs.
    pub fn stream_thread(&self) -> Option<&String> {
        self.asked.as_ref().map(|asked| &asked.thread_id).or(self.thread_id.as_ref())
    }
}

/// The interrupts that share the id of one before them.
pub(super) fn doubled_interrupts(finished: &RunFinishedEvent) -> Vec<Issue> {
    match &finished.outcome {
        Some(RunFinishedOutcome::Interrupt(outcome)) => doubled(&outcome.interrupts),
        _ => Vec::new(),
    }
}

/// Checks that each interrupt has its own id.
pub(crate) fn judge_interrupts(interrupts: &[Interrupt]) -> Result<(), Error> {
    first(doubled(interrupts))
}

fn doubled(interrupts: &[Interrupt]) -> Vec<Issue> {
    if interrupts.len() < 2 {
        return Vec::new();
    }
    let mut ids = HashSet::default();
    let doubled = interrupts.iter().enumerate().filter(|(_, interrupt)| !ids.insert(&*interrupt.id));
    doubled
        .map(|(index, interrupt)| {
            let path = format!("/outcome/interrupts/{index}/id");
            broken(Rule::V46, path, format!("interrupt {}", quoted(&interrupt.id)))
        })
        .take(crate::limits::MAX_ISSUES)
        .collect()
}

/// An issue about an id that is not the expected one.
fn unlike(rule: Rule, path: &str, id: &str, expected: Option<&String>) -> Issue {
    let expected = quoted(expected.map_or("", |expected| expected));
    broken(rule, path, format!("{}, not {expected}", quoted(id)))
}

pub(super) fn broken(rule: Rule, path: impl Into<String>, detail: String) -> Issue {
    Issue { rule: Some(rule), ..Issue::new(Code::SequenceBroken, path, detail) }
}

/// The first of the faults, as an error.
pub(super) fn first(faults: Vec<Issue>) -> Result<(), Error> {
    faults.into_iter().next().map_or(Ok(()), |fault| Err(vec![fault].into()))
}
