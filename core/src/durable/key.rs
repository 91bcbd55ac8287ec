//! The names of logs and threads.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::encoding::encode;
use crate::error::{Code, Error};

/// The longest id of a scope, thread or run that has a log, in bytes.
pub const MAX_ID_BYTES: usize = 256;

/// The name of a thread: the hash of its scope and its id, 43 characters of base64url.
///
/// The application chooses the scope. It decides which logs a request may read, so it is part of the hash.
///
/// ```
/// use ag_ui_native::durable::ThreadKey;
///
/// let thread = ThreadKey::new("user-7", "t1")?;
/// assert_eq!(thread.log("r1")?.thread(), &thread);
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadKey(Arc<str>);

impl ThreadKey {
    /// The key of a thread. An id longer than [`MAX_ID_BYTES`] is refused.
    pub fn new(scope: &str, thread_id: &str) -> Result<Self, Error> {
        check_length("scope", scope)?;
        check_length("threadId", thread_id)?;
        Ok(Self(hash(&[scope, thread_id]).into()))
    }

    /// The log of a run of this thread. An id longer than [`MAX_ID_BYTES`] is refused.
    pub fn log(&self, run_id: &str) -> Result<LogKey, Error> {
        check_length("runId", run_id)?;
        Ok(LogKey { thread: self.clone(), run: hash(&[run_id]).into() })
    }

    /// The thread of a hash that [`as_str`](Self::as_str) gives.
    #[cfg(feature = "sqlite")]
    pub(super) fn of_hash(hash: &str) -> Self {
        Self(hash.into())
    }

    /// A key that is not greater than those of the thread's logs.
    pub(super) fn first_log(&self) -> LogKey {
        self.log_of_hash("")
    }

    /// The log of a run, by the hash that [`LogKey::run`] gives.
    pub(super) fn log_of_hash(&self, run: &str) -> LogKey {
        LogKey { thread: self.clone(), run: run.into() }
    }

    /// The hash.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of a log: its thread, and the hash of its run. An engine can keep all logs of a thread together.
///
/// ```
/// use ag_ui_native::durable::LogKey;
///
/// let key = LogKey::new("user-7", "t1", "r1")?;
/// assert!(!key.run().is_empty());
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LogKey {
    thread: ThreadKey,
    run: Arc<str>,
}

impl LogKey {
    /// The log of a run. An id longer than [`MAX_ID_BYTES`] is refused.
    pub fn new(scope: &str, thread_id: &str, run_id: &str) -> Result<Self, Error> {
        ThreadKey::new(scope, thread_id)?.log(run_id)
    }

    /// The thread of the run.
    pub fn thread(&self) -> &ThreadKey {
        &self.thread
    }

    /// The hash of the run, 43 characters of base64url.
    pub fn run(&self) -> &str {
        &self.run
    }
}

fn check_length(name: &str, id: &str) -> Result<(), Error> {
    if id.len() <= MAX_ID_BYTES {
        return Ok(());
    }
    let length = id.len();
    let message = format!("`{name}` has {length} bytes; with a log, expected at most {MAX_ID_BYTES}");
    Err(Error::new(Code::LimitExceeded, message).advise("use a shorter id"))
}

/// Hashes texts. Each is preceded by its length, so that no two lists have the same bytes.
fn hash(texts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_be_bytes());
        hasher.update(text);
    }
    encode(&hasher.finalize())
}
