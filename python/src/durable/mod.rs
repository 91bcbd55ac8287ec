//! Runs that outlive their connections: core's machines, and the forms that they exchange with engines.

mod callback;
mod handles;
mod machine;
mod memory;
mod notice;
mod occupancy;
mod options;
mod recorder;
mod redis;
mod refusal;
mod request;
mod sqlite;
mod start;
mod stream;
mod suite;

use std::time::Duration;

use ag_ui_native::bindings::durable::Ticket as CoreTicket;
use pyo3::prelude::*;

pub use handles::{Hint, LogKey, Operation, Reply};
pub use machine::Machine;
pub use memory::MemoryStore;
pub use notice::refused_notice;
pub use occupancy::{Occupancy, Place};
pub use options::{LogOptions, check_log_options};
pub use recorder::Recorder;
pub use redis::{RedisKeyspace, RedisOperation};
pub use refusal::LogRefusal;
pub use request::{LogRequest, accept_log_request};
pub use sqlite::{SqliteStore, SqliteWatch};
pub use start::LogStart;
pub use stream::{LogStream, PrefixCache};
pub use suite::{LogCase, log_cases};

/// The number of an operation that was sent, to be given back with its reply.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Ticket(CoreTicket);

/// The time of a monotonic clock in seconds. A number that is no time counts as 0.
fn moment(now: f64) -> Duration {
    Duration::try_from_secs_f64(now).unwrap_or_default()
}
