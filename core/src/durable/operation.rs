//! The operations of an engine. Each is atomic, and can be repeated if its reply was lost.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::cursor::{Cursor, Incarnation};
use super::digest::InputDigest;
use super::frame::{Frame, Snapshot};
use super::key::{LogKey, ThreadKey};
use super::millis;
use crate::error::Error;

/// An operation. [`Reply`](super::Reply) has the answers to each.
///
/// A run whose lease is over ends, with RUN_ERROR `producer_lost`, when `Create`, `Read`, `Info` or `ReadThread` finds it:
/// nothing has to search for such runs. If none does, its log is deleted `keep` after the end of the lease.
///
/// As JSON it is an object with the member `operation`; times are milliseconds, frames and snapshots are texts.
///
/// ```
/// use ag_ui_native::durable::{Log, MemoryLog, Operation, Reply};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let operation = Operation::delete_thread("user-7", "t1")?;
/// assert_eq!(MemoryLog::default().execute(operation).await.unwrap(), Reply::Done);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "camelCase")]
pub enum Operation {
    /// Creates a log. `Created`, `Exists`, `Conflict`, `Busy`, `Stale` or `Full`.
    Create(Box<Create>),
    /// Takes the lease of a log that no process writes. `Claimed`, `Held`, `Closed` or `Unknown`.
    Claim {
        /// The log.
        key: LogKey,
        /// The process that will write, by a random name.
        owner: String,
        /// The length of the lease.
        #[serde(with = "millis")]
        lease: Duration,
    },
    /// Appends frames. `Appended`, `Fenced`, `Gap`, `Closed`, `TooBig` or `Unknown`.
    Append(Append),
    /// Prolongs a lease. `Renewed`, `Fenced`, `Closed` or `Unknown`.
    Renew {
        /// The log.
        key: LogKey,
        /// The epoch of the lease.
        epoch: u64,
        /// The length of the lease, from now on.
        #[serde(with = "millis")]
        lease: Duration,
    },
    /// Notes that a client reads the log. `Done` or `Unknown`; `Done` also if the run has ended.
    Attend {
        /// The log.
        key: LogKey,
    },
    /// Reads frames. `Page`, `Trimmed`, `Replaced`, `Ahead` or `Unknown`.
    Read(Read),
    /// Asks the producer to end the run. `Done` or `Unknown`; `Done` also if the run has ended.
    Cancel {
        /// The log.
        key: LogKey,
    },
    /// Describes a log. `Info` or `Unknown`.
    Info {
        /// The log.
        key: LogKey,
    },
    /// Deletes a log. `Done`, also if there is none.
    Delete {
        /// The log.
        key: LogKey,
    },
    /// Reads the data of a thread. `Thread`, also if there is none.
    ReadThread {
        /// The thread.
        thread: ThreadKey,
    },
    /// Deletes a thread: its snapshot and all its logs. `Done`, also if there is none.
    DeleteThread {
        /// The thread.
        thread: ThreadKey,
    },
}

impl Operation {
    /// Deletes a thread. The agent of its active run is stopped.
    ///
    /// # Errors
    /// `limit_exceeded`: an id is too long.
    pub fn delete_thread(scope: &str, thread_id: &str) -> Result<Self, Error> {
        ThreadKey::new(scope, thread_id).map(|thread| Self::DeleteThread { thread })
    }
}

/// Creates a log and takes its lease, and replaces the snapshot of its thread.
///
/// ```
/// use ag_ui_native::durable::{Create, Log, LogOptions, MemoryLog, Operation, Reply};
/// use ag_ui_native::types::RunAgentInput;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let input = RunAgentInput::new("t1", "r1", vec![]);
/// let create: Create = LogOptions::default().create("user-7", &input, true)?;
/// let reply = MemoryLog::default().execute(Operation::Create(Box::new(create))).await.unwrap();
/// assert!(matches!(reply, Reply::Created { .. }));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Create {
    /// The log.
    pub key: LogKey,
    /// The identity of the new log.
    pub incarnation: Incarnation,
    /// The id of the run, for the reply `Busy` to other runs of the thread.
    pub run_id: String,
    /// The run that this one follows, if the request names it. If the last run of the thread is another one, the
    /// request is `Stale`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<LogKey>,
    /// The digest of the input.
    pub digest: InputDigest,
    /// The process that will write, by a random name. A repetition by the same owner is answered as the first.
    pub owner: String,
    /// The length of the lease.
    #[serde(with = "millis")]
    pub lease: Duration,
    /// The limits of the log.
    pub policy: LogPolicy,
    /// The thread as the run begins. It replaces the snapshot of the thread when the log is created: not when the reply is
    /// another one, or repeated. Without one, that of an earlier run stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Snapshot>,
}

/// The limits of a log, and of its thread.
///
/// ```
/// use ag_ui_native::durable::{LogOptions, LogPolicy};
///
/// let policy: LogPolicy = LogOptions::default().policy(true);
/// assert_eq!(policy.keep, LogOptions::default().keep);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogPolicy {
    /// The largest sum of the bytes of its frames. Frames that end the run may exceed it by 64 KiB.
    pub max_bytes: usize,
    /// The time after the end for which it is kept.
    #[serde(with = "millis")]
    pub keep: Duration,
    /// The time after the end for which the snapshot of its thread is kept.
    #[serde(with = "millis")]
    pub keep_thread: Duration,
    /// The time for which the run goes on without a client that reads it; `None` means always.
    #[serde(default, with = "millis::option", skip_serializing_if = "Option::is_none")]
    pub grace: Option<Duration>,
}

impl Default for LogPolicy {
    fn default() -> Self {
        Self {
            max_bytes: 16 << 20,
            keep: Duration::from_secs(15 * 60),
            keep_thread: Duration::from_secs(7 * 24 * 60 * 60),
            grace: None,
        }
    }
}

/// Appends frames, of which the first has the number `first`. Frames that are stored already are skipped, so a repetition
/// changes nothing.
///
/// ```
/// use ag_ui_native::durable::{Append, Frame, Log, LogKey, MemoryLog, Operation, Reply};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let key = LogKey::new("user-7", "t1", "r1")?;
/// let append = Append { key, epoch: 1, first: 1, frames: vec![Frame::from("{}")], end: None };
/// let reply = MemoryLog::default().execute(Operation::Append(append)).await.unwrap();
/// assert_eq!(reply, Reply::Unknown, "the run was not created");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Append {
    /// The log.
    pub key: LogKey,
    /// The epoch of the lease.
    pub epoch: u64,
    /// The number of the first frame.
    pub first: u64,
    /// The frames, at least one.
    pub frames: Vec<Frame>,
    /// If the last frame ends the run: the log is closed, and the thread is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<RunEnd>,
}

/// The end of a run.
///
/// ```
/// use ag_ui_native::durable::{RunEnd, Snapshot};
///
/// let end = RunEnd { snapshot: Some(Snapshot::from(r#"{"messages":[]}"#)), ..RunEnd::default() };
/// assert!(end.snapshot.is_some());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunEnd {
    /// The new snapshot of the thread. Without one, the last one stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Snapshot>,
}

/// Reads frames behind a place.
///
/// ```
/// use ag_ui_native::durable::{Log, LogKey, MemoryLog, Operation, Read, Reply};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let read = Read { key: LogKey::new("user-7", "t1", "r1")?, after: None, max_bytes: 65_536 };
/// let reply = MemoryLog::default().execute(Operation::Read(read)).await.unwrap();
/// assert_eq!(reply, Reply::Unknown, "the run was not created");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Read {
    /// The log.
    pub key: LogKey,
    /// The place. `None` means the beginning of the log, of whatever incarnation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Cursor>,
    /// The largest sum of the bytes of the frames; one frame is always read.
    pub max_bytes: usize,
}
