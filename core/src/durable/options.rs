//! The options of a server with a log.

use std::time::Duration;

use super::admission::{AdmissionOptions, OnBusy};
use super::cursor::Incarnation;
use super::digest::InputDigest;
use super::key::ThreadKey;
use super::operation::{Create, LogPolicy};
use super::producer::ProducerOptions;
use super::reader::ReaderOptions;
use super::snapshot::{beginning, snapshot_of};
use crate::defaults::{DRAIN, DRAIN_READING, LARGEST_COUNT};
use crate::error::{Code, Error};
use crate::types::RunAgentInput;

/// The end of a run that no client reads.
///
/// ```
/// use ag_ui_native::durable::{LogOptions, OnDisconnect};
///
/// let options = LogOptions { on_disconnect: OnDisconnect::Continue, ..LogOptions::default() };
/// assert_eq!(LogOptions::default().on_disconnect, OnDisconnect::Resume);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDisconnect {
    /// A run whose client has said that it resumes (`AG-UI-Resume: 1`) goes on; others are cancelled after the grace time.
    #[default]
    Resume,
    /// Every run goes on.
    Continue,
    /// Every run is cancelled after the grace time.
    Cancel,
}

/// The options of a server with a log. Every process of a server has the same.
///
/// ```
/// use ag_ui_native::durable::LogOptions;
/// use std::time::Duration;
///
/// let options = LogOptions { grace: Duration::from_secs(60), ..LogOptions::default() };
/// assert_eq!(options.policy(true).max_bytes, options.max_bytes);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogOptions {
    /// The end of a run that no client reads.
    pub on_disconnect: OnDisconnect,
    /// The time for which a run goes on without a client that reads it.
    pub grace: Duration,
    /// The treatment of a request whose thread has an active run.
    pub on_busy: OnBusy,
    /// The time for which a process owns a run without a sign of life.
    pub lease: Duration,
    /// The largest sum of the bytes of a run's events.
    pub max_bytes: usize,
    /// The time for which the events of a run are kept behind its end.
    pub keep: Duration,
    /// The time for which the snapshot of a thread is kept behind the end of its last run.
    pub keep_thread: Duration,
    /// The longest duration of a connection. A client that resumes is authorized again.
    pub max_connection: Duration,
    /// The longest duration of a run: a longer one ends with RUN_ERROR `limit_exceeded`.
    pub max_age: Duration,
    /// The largest number of runs of one scope that this process executes; `None` sets no limit.
    pub max_active_runs: Option<usize>,
    /// The largest number of connections of one scope that read runs in this process; `None` sets no limit.
    pub max_readers: Option<usize>,
    /// The time that runs have to end when the process shuts down. Others end with RUN_ERROR `producer_lost`.
    pub drain: Duration,
}

impl Default for LogOptions {
    fn default() -> Self {
        let LogPolicy { max_bytes, keep, keep_thread, .. } = LogPolicy::default();
        Self {
            on_disconnect: OnDisconnect::Resume,
            grace: Duration::from_secs(30),
            on_busy: OnBusy::Reject,
            lease: ProducerOptions::default().lease,
            max_bytes,
            keep,
            keep_thread,
            max_connection: Duration::from_secs(15 * 60),
            max_age: Duration::from_secs(60 * 60),
            max_active_runs: None,
            max_readers: None,
            drain: DRAIN,
        }
    }
}

impl LogOptions {
    /// The limits of a log; `resumes` is true if the client has said that it resumes.
    pub fn policy(&self, resumes: bool) -> LogPolicy {
        let goes_on = match self.on_disconnect {
            OnDisconnect::Continue => true,
            OnDisconnect::Resume => resumes,
            OnDisconnect::Cancel => false,
        };
        LogPolicy {
            max_bytes: self.max_bytes.min(LARGEST_COUNT),
            keep: self.keep,
            keep_thread: self.keep_thread,
            grace: (!goes_on).then_some(self.grace),
        }
    }

    /// The operation that creates the log of a run. Its owner is this request: another one with the same input joins.
    ///
    /// # Errors
    /// `limit_exceeded`: an id is too long.
    pub fn create(&self, scope: &str, input: &RunAgentInput, resumes: bool) -> Result<Create, Error> {
        let thread = ThreadKey::new(scope, &input.thread_id)?;
        Ok(Create {
            key: thread.log(&input.run_id)?,
            incarnation: Incarnation::new_random(),
            run_id: input.run_id.clone(),
            parent: input.parent_run_id.as_deref().map(|parent| thread.log(parent)).transpose()?,
            digest: InputDigest::of(input),
            owner: Incarnation::new_random().to_string(),
            lease: self.lease,
            policy: self.policy(resumes),
            snapshot: Some(snapshot_of(&beginning(input))),
        })
    }

    /// The options of an admission.
    ///
    /// ```
    /// use ag_ui_native::durable::{LogOptions, OnBusy};
    ///
    /// assert_eq!(LogOptions::default().admission().on_busy, OnBusy::Reject);
    /// ```
    pub fn admission(&self) -> AdmissionOptions {
        AdmissionOptions { on_busy: self.on_busy, ..AdmissionOptions::default() }
    }

    /// The options of the producer of a log with this policy.
    pub(super) fn producer(&self, policy: &LogPolicy) -> ProducerOptions {
        ProducerOptions {
            lease: self.lease,
            grace: policy.grace,
            max_age: Some(self.max_age),
            drain: self.drain,
            ..ProducerOptions::default()
        }
    }

    /// The options of a reader. It notes its presence for logs that end without readers. It waits for an engine as long as the run's
    /// process does.
    pub(super) fn reader(&self) -> ReaderOptions {
        let grace = (self.on_disconnect != OnDisconnect::Continue).then_some(self.grace);
        let drain = self.drain.saturating_add(DRAIN_READING);
        ReaderOptions { grace, outage: self.lease, drain, ..ReaderOptions::default() }
    }
}

/// The options that only servers with a log have, as Rust and Python name them.
const OF_LOGS: [&str; 14] = [
    "authorize",
    "on_disconnect",
    "grace",
    "on_busy",
    "lease",
    "log_bytes",
    "keep",
    "keep_thread",
    "max_connection",
    "max_age",
    "max_active_runs",
    "max_readers",
    "drain",
    "on_log",
];

/// Checks which options a server was given: their names, as its language spells them.
///
/// # Errors
/// `stray_field`: there is no log, and an option that means nothing without one. `missing_field`: a log without `authorize`.
pub fn check_given(names: &[String]) -> Result<(), Error> {
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    if has("log") && !has("authorize") {
        let error =
            Error::at(Code::MissingField, "/authorize".into(), "it says who may read the runs of a log");
        return Err(error.advise(
            "pass a function that returns the scope of a request, such as the id of its user: it gets the request, the action and the ids of thread and run. Pass \"public\" if everybody may read and cancel every run",
        ));
    }
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let given = |of_logs: &&'static str| names.iter().find(|name| plain(name) == plain(of_logs));
    match OF_LOGS.iter().find_map(given) {
        Some(name) if !has("log") => {
            let detail = format!("{name} is an option of servers with a log");
            let error = Error::at(Code::StrayField, format!("/{name}"), detail);
            Err(error.advise("pass the option log, too, or leave this one out"))
        }
        _ => Ok(()),
    }
}

/// True if a request says by this header `AG-UI-Resume` that its client resumes a run whose connection is lost.
pub fn resumes(header: Option<&str>) -> bool {
    header.is_some_and(|value| value.trim() == "1")
}
