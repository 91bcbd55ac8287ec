//! The names of logs and threads.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::encoding::encode;
use crate::error::{Code, Error};

/// The longest id of a scope, thread or run that has a log, in bytes.
pub const MAX_ID_BYTES: usize = 256;

/// The name of a log: the hashes of its scope and thread, and of its run. All logs of a thread have the same
/// [`thread`](Self::thread), so an engine can keep them together.
///
/// The scope is the application's: what a request may read is decided by it, so it is part of the hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LogKey {
    thread: Arc<str>,
    run: Arc<str>,
}

impl LogKey {
    /// The log of a run. An id longer than [`MAX_ID_BYTES`] is refused.
    pub fn new(scope: &str, thread_id: &str, run_id: &str) -> Result<Self, Error> {
        for (name, id) in [("scope", scope), ("threadId", thread_id), ("runId", run_id)] {
            if id.len() > MAX_ID_BYTES {
                let told =
                    format!("`{name}` has {} bytes; with a log, expected at most {MAX_ID_BYTES}", id.len());
                return Err(Error::new(Code::LimitExceeded, told));
            }
        }
        Ok(Self { thread: hash(&[scope, thread_id]).into(), run: hash(&[run_id]).into() })
    }

    /// The hash of the scope and the thread, 43 characters of base64url.
    pub fn thread(&self) -> &str {
        &self.thread
    }

    /// The hash of the run, 43 characters of base64url.
    pub fn run(&self) -> &str {
        &self.run
    }
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
