//! The operations of an engine. Each is atomic, and can be repeated if its reply was lost.

use std::time::Duration;

use super::cursor::{Cursor, Incarnation};
use super::digest::InputDigest;
use super::frame::Frame;
use super::key::LogKey;

/// An operation. [`Reply`](super::Reply) has the answers to each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Creates a log. `Created`, `Exists`, `Conflict`, `Busy` or `Full`.
    Create(Create),
    /// Takes the lease of a log that no process writes. `Claimed`, `Held`, `Closed` or `Unknown`.
    Claim {
        /// The log.
        key: LogKey,
        /// The process that will write, by a random name.
        owner: String,
        /// The length of the lease.
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
        lease: Duration,
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
    /// Ends the runs whose lease is over, with RUN_ERROR `producer_lost`. `Expired`.
    ExpireLeases,
    /// Deletes a log. `Done`, also if there is none.
    Delete {
        /// The log.
        key: LogKey,
    },
}

/// Creates a log and takes its lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Create {
    /// The log.
    pub key: LogKey,
    /// The identity of the new log.
    pub incarnation: Incarnation,
    /// The id of the run, for those who find the thread busy.
    pub run_id: String,
    /// The digest of the input.
    pub digest: InputDigest,
    /// The process that will write, by a random name. A repetition by the same owner is answered as the first.
    pub owner: String,
    /// The length of the lease.
    pub lease: Duration,
    /// The limits of the log.
    pub policy: LogPolicy,
}

/// The limits of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogPolicy {
    /// The largest sum of the bytes of its frames. Frames that end the run may exceed it by 64 KiB.
    pub max_bytes: usize,
    /// The time after the end for which it is kept.
    pub keep: Duration,
}

impl Default for LogPolicy {
    fn default() -> Self {
        Self { max_bytes: 16 << 20, keep: Duration::from_secs(15 * 60) }
    }
}

/// Appends frames, of which the first has the number `first`. Frames that are stored already are skipped, so a repetition
/// changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Append {
    /// The log.
    pub key: LogKey,
    /// The epoch of the lease.
    pub epoch: u64,
    /// The number of the first frame.
    pub first: u64,
    /// The frames, at least one.
    pub frames: Vec<Frame>,
    /// True if the last frame ends the run: the log is closed, and the thread is free.
    pub is_end: bool,
}

/// Reads frames behind a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The log.
    pub key: LogKey,
    /// The place. `None` means the beginning of the log, of whatever incarnation.
    pub after: Option<Cursor>,
    /// The largest sum of the bytes of the frames; one frame is always read.
    pub max_bytes: usize,
}
