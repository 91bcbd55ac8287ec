//! The replies of an engine, and its hints.

use serde::{Deserialize, Serialize};

use super::cursor::Incarnation;
use super::digest::InputDigest;
use super::frame::{Frame, Snapshot};

/// The reply to an [`Operation`](super::Operation). As JSON it is an object with the member `reply`.
///
/// ```
/// use ag_ui_native::durable::{Log, MemoryLog, Operation, Reply};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// match MemoryLog::default().execute(Operation::delete_thread("user-7", "t1")?).await {
///     Ok(Reply::Done) => {}
///     other => panic!("{other:?}"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Reply {
    /// The log is new, and its lease is taken.
    Created {
        /// The identity of the log.
        incarnation: Incarnation,
        /// The epoch of the lease.
        epoch: u64,
    },
    /// The run has a log of the same input.
    Exists(LogInfo),
    /// The run has a log of another input.
    Conflict,
    /// Another run of the thread is active.
    Busy {
        /// The id of that run.
        run_id: String,
    },
    /// The last run of the thread is not the one that the request follows.
    Stale {
        /// The id of the last run.
        run_id: String,
    },
    /// The engine has no room for another log.
    Full,
    /// The lease is taken.
    Claimed {
        /// Its epoch, greater than all earlier ones.
        epoch: u64,
    },
    /// Another process has the lease, or had it when it wrote the first frame.
    Held,
    /// The run has ended.
    Closed,
    /// The frames are stored.
    Appended {
        /// The number of the next frame.
        next: u64,
    },
    /// The lease is not the last one.
    Fenced,
    /// Frames before the first are missing.
    Gap {
        /// The number of the next frame.
        next: u64,
    },
    /// The log would exceed its limit. Nothing was stored.
    TooBig,
    /// The lease is prolonged.
    Renewed {
        /// True if a cancel was requested.
        is_cancelled: bool,
        /// False if the grace time is over in which no client has read.
        is_attended: bool,
    },
    /// Frames of the log.
    Page(Page),
    /// The frames behind the cursor are deleted.
    Trimmed,
    /// The log is not the one of the cursor.
    Replaced,
    /// The cursor is behind the last frame: the engine has lost frames.
    Ahead,
    /// The description of the log.
    Info(LogInfo),
    /// The description of the thread.
    Thread(ThreadInfo),
    /// The operation is done.
    Done,
    /// There is no such log.
    Unknown,
}

/// Consecutive frames of a log.
///
/// ```
/// use ag_ui_native::durable::{Create, Log, LogOptions, MemoryLog, Operation, Page, Read, Reply};
/// use ag_ui_native::types::RunAgentInput;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let input = RunAgentInput::new("t1", "r1", vec![]);
/// let create: Create = LogOptions::default().create("user-7", &input, true)?;
/// let (log, key) = (MemoryLog::default(), create.key.clone());
/// log.execute(Operation::Create(Box::new(create))).await.unwrap();
/// let reply = log.execute(Operation::Read(Read { key, after: None, max_bytes: 65_536 })).await;
/// let Ok(Reply::Page(page)) = reply else { panic!("{reply:?}") };
/// let page: Page = page;
/// assert!(page.frames.is_empty() && !page.is_closed);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The identity of the log.
    pub incarnation: Incarnation,
    /// The number of the first frame, or of the next one if there is none.
    pub first: u64,
    /// The frames.
    pub frames: Vec<Frame>,
    /// The number of the next frame of the log.
    pub next: u64,
    /// True if the log has its last frame.
    pub is_closed: bool,
}

/// A description of a log.
///
/// ```
/// use ag_ui_native::durable::{Create, Log, LogInfo, LogOptions, MemoryLog, Operation, Reply};
/// use ag_ui_native::types::RunAgentInput;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let input = RunAgentInput::new("t1", "r1", vec![]);
/// let create: Create = LogOptions::default().create("user-7", &input, true)?;
/// let (log, key) = (MemoryLog::default(), create.key.clone());
/// log.execute(Operation::Create(Box::new(create))).await.unwrap();
/// let reply = log.execute(Operation::Info { key }).await;
/// let Ok(Reply::Info(info)) = reply else { panic!("{reply:?}") };
/// let info: LogInfo = info;
/// assert!(!info.is_closed && !info.is_cancelled);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogInfo {
    /// The identity of the log.
    pub incarnation: Incarnation,
    /// The digest of the input.
    pub digest: InputDigest,
    /// The number of the next frame.
    pub next: u64,
    /// True if the log has its last frame.
    pub is_closed: bool,
    /// True if a cancel was requested.
    pub is_cancelled: bool,
}

/// A description of a thread.
///
/// ```
/// use ag_ui_native::durable::ThreadInfo;
///
/// let thread = ThreadInfo::default();
/// assert!(thread.active_run.is_none() && thread.snapshot.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadInfo {
    /// The id of its active run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_run: Option<String>,
    /// The id of the run that ended last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_run: Option<String>,
    /// Rises by one when a run begins with a snapshot, and when a run ends.
    pub version: u64,
    /// The snapshot that the active run began with, or the last one ended with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Snapshot>,
}

/// News of a log, for the processes that watch it. A hint may be lost, late or repeated.
///
/// ```
/// use ag_ui_native::durable::{Hint, Log, LogKey, MemoryLog};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let show = |hint: Hint| match hint {
///     Hint::Appended { next } => println!("the next frame is {next}"),
///     Hint::Cancelled => println!("a cancel was requested"),
/// };
/// let watching = MemoryLog::default().watch(&LogKey::new("user-7", "t1", "r1")?, Box::new(show));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "hint", rename_all = "camelCase")]
pub enum Hint {
    /// Frames were appended.
    Appended {
        /// The number of the next frame.
        next: u64,
    },
    /// A cancel was requested.
    Cancelled,
}
