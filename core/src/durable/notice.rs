//! The notices of a server with a log to its application.

use std::collections::VecDeque;

use super::producer::{ProducerCommand, StopReason};
use crate::error::Code;
use crate::json::Value;

macro_rules! names {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal;)+) => {
        /// What has happened to a run with a log, or to a request about one.
        ///
        /// ```
        /// use ag_ui_native::durable::LogNoticeName;
        ///
        /// assert_eq!(LogNoticeName::Opened.as_str(), "opened");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum LogNoticeName {
            $($(#[doc = $doc])+ $name,)+
        }

        impl LogNoticeName {
            /// Every name with its description.
            #[doc(hidden)]
            pub const ALL: &'static [(&'static str, &'static str)] = &[$(($text, concat!($($doc),+))),+];

            /// The name as every language spells it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }
        }
    };
}

names! {
    /// this process executes a new run
    Opened = "opened";
    /// a client reads a run that was opened before: after the event `number` if it `resumed`; else from the beginning
    Joined = "joined";
    /// a run of this process has ended, with `number` events; `reason` is `too_big` or `too_old` where a limit has ended it
    Ended = "ended";
    /// the agent of a run is cancelled: `reason` is `cancelled`, or `unattended` after the grace time
    Cancelled = "cancelled";
    /// this process has lost the lease of a run, which was ended for its readers; its agent is cancelled
    Fenced = "fenced";
    /// a run has ended with `producer_lost`: this process has ended it while it shuts down, or a reader has met that end
    Lost = "lost";
    /// a reader was disconnected: the events after the event `number`, which it had not read yet, are not kept any more
    Lag = "lag";
    /// a request was refused with `code`
    Refused = "refused";
    /// the engine does not answer: a request was refused, the agent of a run is cancelled, or a reader was disconnected
    Unavailable = "unavailable";
}

/// The run that notices are about.
///
/// ```
/// use ag_ui_native::durable::LogSubject;
///
/// let subject = LogSubject::run("user-7", "t1", "r1");
/// assert_eq!(subject.run_id.as_deref(), Some("r1"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogSubject {
    /// The scope of the request, if it is known.
    pub scope: Option<String>,
    /// The id of the thread, if it is known.
    pub thread_id: Option<String>,
    /// The id of the run, if the request is about one.
    pub run_id: Option<String>,
}

impl LogSubject {
    /// A run in a scope.
    pub fn run(scope: &str, thread_id: &str, run_id: &str) -> Self {
        let owned = |text: &str| Some(text.to_owned());
        Self { scope: owned(scope), thread_id: owned(thread_id), run_id: owned(run_id) }
    }
}

/// A notice for the application. It has no contents of runs.
///
/// ```
/// use ag_ui_native::durable::{LogNotice, MemoryLog};
/// use ag_ui_native::server::axum::RunLog;
///
/// let log = RunLog::public(MemoryLog::default())
///     .with_on_log(|notice: &LogNotice| println!("{} {:?}", notice.name.as_str(), notice.subject.run_id));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogNotice {
    /// What has happened.
    pub name: LogNoticeName,
    /// The run that it has happened to.
    pub subject: LogSubject,
    /// The number of an event.
    pub number: Option<u64>,
    /// True if a client has resumed a run, false if it has joined.
    pub resumed: Option<bool>,
    /// The reason of an end.
    pub reason: Option<&'static str>,
    /// The code of a refusal.
    pub code: Option<String>,
}

impl LogNotice {
    fn new(name: LogNoticeName, subject: LogSubject) -> Self {
        Self { name, subject, number: None, resumed: None, reason: None, code: None }
    }

    /// The notice of a request that was refused.
    #[doc(hidden)]
    pub fn refused(code: &str, subject: LogSubject) -> Self {
        let is_unavailable = code == Code::LogUnavailable.as_str();
        let name = if is_unavailable { LogNoticeName::Unavailable } else { LogNoticeName::Refused };
        Self { code: Some(code.to_owned()), ..Self::new(name, subject) }
    }

    /// The fields that are set, each with its name in Rust and Python, and in JavaScript.
    #[doc(hidden)]
    pub fn fields(&self) -> Vec<(&'static str, &'static str, Value)> {
        let Self { subject, number, resumed, reason, code, .. } = self;
        let text = |text: &Option<String>| text.clone().map(Value::from);
        [
            ("scope", "scope", text(&subject.scope)),
            ("thread_id", "threadId", text(&subject.thread_id)),
            ("run_id", "runId", text(&subject.run_id)),
            ("number", "number", number.map(Value::from)),
            ("resumed", "resumed", resumed.map(Value::from)),
            ("reason", "reason", reason.map(Value::from)),
            ("code", "code", text(code)),
        ]
        .into_iter()
        .filter_map(|(name, camel, value)| Some((name, camel, value?)))
        .collect()
    }
}

/// Makes the notices of a machine. Without a subject there are none.
#[derive(Debug, Default)]
pub struct Notices {
    subject: Option<LogSubject>,
    waiting: VecDeque<LogNotice>,
    /// The limit that has ended the run.
    limit: Option<&'static str>,
}

impl Notices {
    pub fn about(subject: Option<LogSubject>) -> Self {
        Self { subject, ..Self::default() }
    }

    pub fn subject(&self) -> Option<LogSubject> {
        self.subject.clone()
    }

    pub fn take(&mut self) -> Option<LogNotice> {
        self.waiting.pop_front()
    }

    pub fn opened(&mut self) {
        self.push(LogNoticeName::Opened, |_| {});
    }

    /// `last` is the number of the last event.
    pub fn produced(&mut self, command: &ProducerCommand, last: u64) {
        use LogNoticeName::{Cancelled, Ended, Fenced, Lost, Unavailable};
        let (name, reason) = match command {
            ProducerCommand::Closed => (Ended, self.limit),
            ProducerCommand::Stop(reason) => match reason {
                StopReason::Cancelled | StopReason::Unattended => (Cancelled, Some(reason.as_str())),
                StopReason::Fenced => (Fenced, None),
                StopReason::LogFailed => (Unavailable, None),
                StopReason::Drained => (Lost, None),
                StopReason::TooBig | StopReason::TooOld => {
                    self.limit = Some(reason.as_str());
                    return;
                }
            },
            ProducerCommand::Send { .. } | ProducerCommand::Stored { .. } => return,
        };
        let number = (name == Ended).then_some(last);
        self.push(name, |notice| (notice.number, notice.reason) = (number, reason));
    }

    pub fn joined(&mut self, number: u64, resumed: bool) {
        self.push(LogNoticeName::Joined, |notice| {
            (notice.number, notice.resumed) = (Some(number), Some(resumed));
        });
    }

    pub fn lost(&mut self) {
        self.push(LogNoticeName::Lost, |_| {});
    }

    pub fn unavailable(&mut self) {
        self.push(LogNoticeName::Unavailable, |_| {});
    }

    pub fn lag(&mut self, number: Option<u64>) {
        self.push(LogNoticeName::Lag, |notice| notice.number = number);
    }

    fn push(&mut self, name: LogNoticeName, complete: impl FnOnce(&mut LogNotice)) {
        if let Some(subject) = &self.subject {
            let mut notice = LogNotice::new(name, subject.clone());
            complete(&mut notice);
            self.waiting.push_back(notice);
        }
    }
}
