//! Runs that outlive their connections and processes.
//!
//! A run with a log stores each event before a client gets it. So a client whose connection was cut reads on behind the
//! last event it has, another client joins, and a run whose process died ends for all of them.
//!
//! - An *engine* keeps logs: it executes [`Operation`]s and answers with [`Reply`]s. [`MemoryStore`] is the engine of one
//!   process, and the definition of what every other engine answers.
//! - A [`Producer`] stores the frames of a run: it owns the lease, forms batches and repeats operations without a reply.
//! - A [`Reader`] gets the frames of a log behind a [`Cursor`]: first those that are stored, then each as it is stored.
//!
//! All of them are machines without I/O, clock or random numbers: a host gives inputs with their time, and carries out
//! commands.

mod accept;
mod admission;
mod cursor;
mod digest;
mod encoding;
mod exchange;
mod frame;
mod key;
mod millis;
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
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod thread_response;

pub use accept::{LogAccepted, LogHead};
pub use admission::{Admission, AdmissionCommand, AdmissionOptions, Admitted, OnBusy};
pub use cursor::{Cursor, Incarnation};
pub use digest::InputDigest;
pub use exchange::{EngineFailure, Ticket};
pub use frame::{Frame, Snapshot};
pub use key::{LogKey, MAX_ID_BYTES, ThreadKey};
pub use operation::{Append, Create, LogPolicy, Operation, Read, RunEnd};
pub use options::{LogOptions, OnDisconnect, resumes};
pub use prefix::{Prefix, PrefixCache, PrefixHead};
pub use producer::{Producer, ProducerCommand, ProducerOptions, StopReason};
pub use reader::{Reader, ReaderCommand, ReaderEnd, ReaderOptions};
pub use recorder::{Recorded, Recorder};
pub use redis::{RedisKeyspace, RedisOperation, RedisReply, RedisStep};
pub use refusal::LogRefusal;
pub use reply::{Hint, LogInfo, Page, Reply, ThreadInfo};
pub use request::{LogAction, LogRequest, LogRequestHead, run_query};
pub use response::{EXPOSED_HEADERS, LogResponse, encode_frames, encode_prefix};
pub use single::{SingleCommand, SingleOperation};
#[cfg(feature = "sqlite")]
pub use sqlite::{SqliteOptions, SqliteStore, SqliteWatch, Synchronous};
pub use store::{Executed, MemoryStore, StoreLimits};
pub use thread_response::thread_response;
