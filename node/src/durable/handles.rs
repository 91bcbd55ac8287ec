//! Operations and replies, which engines take and give.

use ag_ui_native::bindings::durable::{Hint, LogKey, Operation, Reply, Ticket};
use napi::bindgen_prelude::Uint8Array;
use napi::{Error, Result, Status};
use napi_derive::napi;

/// An operation. A machine gives it with its ticket, by which it knows the reply.
#[napi]
#[derive(Clone, Debug)]
pub struct LogOperation {
    pub(super) operation: Operation,
    pub(super) ticket: Option<Ticket>,
}

#[napi]
impl LogOperation {
    /// Reads an operation from JSON text.
    #[napi(factory, catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn from_json(json: String) -> Result<Self> {
        Ok(Self { operation: read("operation", &json)?, ticket: None })
    }

    /// Deletes a thread: its snapshot and the logs of its runs.
    #[napi(factory, catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn delete_thread(scope: String, thread_id: String) -> Result<Self> {
        let operation = Operation::delete_thread(&scope, &thread_id);
        let operation = operation.map_err(|error| Error::from_reason(crate::error::describe(&error)))?;
        Ok(Self { operation, ticket: None })
    }

    /// The operation as JSON text.
    #[napi(catch_unwind)]
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string(&self.operation).map_err(failure)
    }
}

impl LogOperation {
    pub(super) fn sent(operation: Operation, ticket: Ticket) -> Self {
        Self { operation, ticket: Some(ticket) }
    }
}

/// A reply.
#[napi]
#[derive(Clone, Debug)]
pub struct LogReply {
    pub(super) reply: Reply,
}

#[napi]
impl LogReply {
    /// Reads a reply from JSON text.
    #[napi(factory, catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn from_json(json: String) -> Result<Self> {
        Ok(Self { reply: read("reply", &json)? })
    }

    /// The reply as JSON text.
    #[napi(catch_unwind)]
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string(&self.reply).map_err(failure)
    }
}

/// The next thing that a machine wants of JavaScript. Its members depend on `kind`.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct LogCommand {
    pub kind: &'static str,
    pub operation: Option<LogOperation>,
    pub text: Option<String>,
    pub bytes: Option<Uint8Array>,
    pub number: Option<f64>,
}

impl LogCommand {
    pub(super) fn new(kind: &'static str) -> Self {
        Self { kind, ..Self::default() }
    }

    pub(super) fn send(operation: Operation, ticket: Ticket) -> Self {
        Self { operation: Some(LogOperation::sent(operation, ticket)), ..Self::new("send") }
    }

    pub(super) fn of_text(kind: &'static str, text: Option<String>) -> Self {
        Self { text, ..Self::new(kind) }
    }
}

/// A key as JSON text.
pub fn key_text(key: &LogKey) -> String {
    serde_json::to_string(key).unwrap_or_default()
}

/// Reads a key that [`key_text`] has written.
pub fn key_of(text: &str) -> Result<LogKey> {
    read("key", text)
}

/// A hint as JSON text.
pub fn hint_text(hint: Hint) -> String {
    serde_json::to_string(&hint).unwrap_or_default()
}

/// Reads a hint. One that is damaged counts as lost.
pub fn hint_of(text: &str) -> Option<Hint> {
    serde_json::from_str(text).ok()
}

fn read<T: serde::de::DeserializeOwned>(name: &str, json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| Error::new(Status::InvalidArg, format!("{name}: {error}")))
}

#[allow(clippy::needless_pass_by_value)] // As `map_err` needs it.
fn failure(error: serde_json::Error) -> Error {
    Error::from_reason(error.to_string())
}
