//! The engine on a disk. Its threads call back into JavaScript, and keep no process alive.

use std::sync::Arc;

use ag_ui_native::bindings::durable::{SqliteOptions, SqliteStore, SqliteWatch};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Result, Status};
use napi_derive::napi;

use super::handles::{LogOperation, LogReply, hint_text, key_of};
use crate::error;

/// The function that gets replies and hints.
type Callback = ThreadsafeFunction<LogEvent, (), LogEvent, Status, false, true>;

/// The reply to an operation, with its number; or a hint of a watched log, with the number of the watch. Without both, the operation
/// has failed, and `text` says why.
#[napi(object, object_from_js = false)]
pub struct LogEvent {
    pub number: u32,
    pub reply: Option<LogReply>,
    pub text: Option<String>,
}

/// The logs of the processes of one machine, in a file.
#[napi]
pub struct SqliteLogStore {
    store: SqliteStore,
    replied: Arc<Callback>,
    hinted: Arc<Callback>,
}

/// A log that is watched, until `close` or the end of this object.
#[napi]
pub struct SqliteLogWatch {
    watch: Option<SqliteWatch>,
}

#[napi]
impl SqliteLogStore {
    /// Opens a file, or makes it. Throws the description of an error.
    #[napi(constructor, catch_unwind)]
    pub fn new(path: String, replied: Callback, hinted: Callback) -> Result<Self> {
        let store = SqliteStore::open(path, SqliteOptions::default()).map_err(thrown)?;
        Ok(Self { store, replied: Arc::new(replied), hinted: Arc::new(hinted) })
    }

    /// Executes an operation. The reply has this number.
    #[napi(catch_unwind)]
    pub fn execute(&self, number: u32, operation: &LogOperation) {
        let replied = Arc::clone(&self.replied);
        self.store.execute(operation.operation.clone(), move |reply| {
            let (reply, text) = match reply {
                Ok(reply) => (Some(LogReply { reply }), None),
                Err(error) => (None, Some(error.to_string())),
            };
            replied.call(LogEvent { number, reply, text }, ThreadsafeFunctionCallMode::NonBlocking);
        });
    }

    /// Watches a log. Its hints have this number.
    #[napi(catch_unwind)]
    #[allow(clippy::needless_pass_by_value)] // napi hands strings over.
    pub fn watch(&self, number: u32, key: String) -> Result<SqliteLogWatch> {
        let hinted = Arc::clone(&self.hinted);
        let watch = self.store.watch(key_of(&key)?, move |hint| {
            let event = LogEvent { number, reply: None, text: Some(hint_text(hint)) };
            hinted.call(event, ThreadsafeFunctionCallMode::NonBlocking);
        });
        Ok(SqliteLogWatch { watch: Some(watch.map_err(thrown)?) })
    }

    /// Ends the store when its operations are done.
    #[napi(catch_unwind)]
    pub fn close(&self) {
        self.store.close();
    }
}

#[napi]
impl SqliteLogWatch {
    /// Ends the watch.
    #[napi(catch_unwind)]
    pub fn close(&mut self) {
        self.watch = None;
    }
}

#[allow(clippy::needless_pass_by_value)] // As `map_err` needs it.
fn thrown(error: ag_ui_native::Error) -> napi::Error {
    napi::Error::from_reason(error::describe(&error))
}
