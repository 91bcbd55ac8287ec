//! Runs that outlive their connections: core's machines, and the forms that they exchange with engines.

mod admission;
mod handles;
mod memory;
mod notice;
mod occupancy;
mod options;
mod reader;
mod recorder;
mod redis;
mod refusal;
mod request;
mod single;
mod sqlite;
mod suite;

use std::time::Duration;

use ag_ui_native::bindings::durable::{EngineFailure, Reply as CoreReply, Ticket as CoreTicket};
use pyo3::prelude::*;

pub use admission::Admission;
pub use handles::{Hint, LogKey, Operation, Reply};
pub use memory::MemoryStore;
pub use notice::refused_notice;
pub use occupancy::{Occupancy, Place};
pub use options::{LogOptions, check_log_options};
pub use reader::{PrefixCache, Reader};
pub use recorder::Recorder;
pub use redis::{RedisKeyspace, RedisOperation};
pub use refusal::LogRefusal;
pub use request::{LogRequest, accept_log_request};
pub use single::SingleOperation;
pub use sqlite::{SqliteStore, SqliteWatch};
pub use suite::{LogCase, log_cases};

/// The number of an operation that was sent, to be given back with its reply.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct Ticket(CoreTicket);

/// A command to the host: its name, and what belongs to it.
type Command<'py> = (&'static str, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

fn send(
    py: Python<'_>,
    ticket: CoreTicket,
    operation: ag_ui_native::bindings::durable::Operation,
) -> PyResult<Command<'_>> {
    let ticket = Bound::new(py, Ticket(ticket))?.into_any();
    let operation = Bound::new(py, Operation(operation))?.into_any();
    Ok(("send", Some(ticket), Some(operation)))
}

/// The reply of an engine; `None` stands for none.
fn reply_of(reply: Option<PyRef<'_, Reply>>) -> Result<CoreReply, EngineFailure> {
    reply.map(|reply| reply.0.clone()).ok_or(EngineFailure)
}

/// The time of a monotonic clock in seconds. A number that is no time counts as 0.
fn moment(now: f64) -> Duration {
    Duration::try_from_secs_f64(now).unwrap_or_default()
}

fn seconds(deadline: Option<Duration>) -> Option<f64> {
    deadline.map(|deadline| deadline.as_secs_f64())
}
