//! Runs that outlive their connections and processes.
//!
//! A run with a log stores each event before a client gets it. So a client whose connection was cut reads on behind the
//! last event it has, another client joins, and a run whose process died ends for all of them.
//!
//! An engine keeps logs: it is a [`Log`], which executes [`Operation`]s and answers with [`Reply`]s. [`MemoryLog`] is the
//! engine of one process, and the definition of what every other engine answers. A server behind axum gets its log by
//! `RunOptions::with_log`.

mod accept;
mod admission;
mod answers;
mod cursor;
mod deltas;
mod digest;
mod encoding;
mod exchange;
mod frame;
mod key;
mod lease;
mod log;
mod machine;
mod millis;
mod notice;
mod occupancy;
mod operation;
mod options;
mod prefix;
mod producer;
mod reader;
mod recorder;
mod redis;
mod refusal;
mod reply;
mod request;
mod response;
mod single;
mod snapshot;
#[cfg(feature = "sqlite")]
mod sqlite;
mod start;
mod store;
mod stream;
mod suite;
mod thread_response;

pub use admission::OnBusy;
pub use cursor::{Cursor, Incarnation};
pub use digest::InputDigest;
pub use exchange::EngineFailure;
pub use frame::{Frame, Snapshot};
pub use key::{LogKey, MAX_ID_BYTES, ThreadKey};
#[cfg(feature = "redis")]
pub use log::RedisLog;
#[cfg(feature = "sqlite")]
pub use log::SQLiteLog;
pub use log::{Log, MemoryLog, OnHint, ReplyFuture};
pub use notice::{LogNotice, LogNoticeName, LogSubject};
pub use operation::{Append, Create, LogPolicy, Operation, Read, RunEnd};
pub use options::{LogOptions, OnDisconnect};
pub use reply::{Hint, LogInfo, Page, Reply, ThreadInfo};
pub use request::LogAction;
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteOptions, Synchronous};
pub use store::StoreLimits;
pub use suite::{LogCase, LogCaseStep, log_cases};

/// The machines without I/O behind servers and clients: `ag_ui_native::bindings::durable`.
pub(crate) mod bindings {
    pub use super::accept::{LogAccepted, LogHead};
    pub use super::admission::{Admission, AdmissionCommand, AdmissionOptions, Admitted};
    pub use super::answers::Answers;
    pub use super::exchange::Ticket;
    pub use super::lease::Renewal;
    pub use super::machine::{Machine, Step};
    pub use super::occupancy::{Occupancy, Place};
    pub use super::options::{check_given, resumes};
    pub use super::prefix::{Prefix, PrefixCache, PrefixHead};
    pub use super::producer::{Producer, ProducerCommand, ProducerOptions, StopReason};
    pub use super::reader::{Reader, ReaderCommand, ReaderEnd, ReaderOptions};
    pub use super::recorder::{Recorded, Recorder};
    pub use super::redis::{RedisKeyspace, RedisOperation, RedisReply, RedisStep};
    pub use super::refusal::LogRefusal;
    pub use super::request::{LogRequest, LogRequestHead};
    pub use super::response::{EXPOSED_HEADERS, LogResponse, encode_frames, encode_prefix};
    pub use super::single::{SingleCommand, SingleOperation};
    #[cfg(feature = "sqlite")]
    pub use super::sqlite::{SqliteStore, SqliteWatch};
    pub use super::start::{Begun, LogStart, LogStartHead};
    pub use super::store::{Executed, MemoryStore};
    pub use super::stream::{Channel, LogStream, LogStreamCommand, LogStreamHead};
}
