//! The threads that a client opens.

use ag_ui_native::bindings::client::OpenedThread;
use ag_ui_native::{Error, Value};
use napi_derive::napi;

use crate::events::json_of;
use crate::options::ReaderOptions;
use crate::{answer, error};

/// Returns what a server keeps of a thread, from its answer; both are JSON texts. Or the error.
#[napi(catch_unwind)]
#[allow(dead_code, clippy::needless_pass_by_value)] // The addon exports it, and napi hands strings over.
pub fn read_thread(json: String, thread_id: String, options: String) -> String {
    answer(|| read(&json, &thread_id, &options))
}

fn read(json: &str, thread_id: &str, options: &str) -> Result<String, Error> {
    let ReaderOptions { profile, limits, .. } = ReaderOptions::parse(options)?;
    let OpenedThread { messages, state, interrupts, active_run_id, last_run_id } =
        OpenedThread::read(json, thread_id, profile, limits)?;
    let member = |name: &str, text: Option<String>| {
        text.map(|text| format!(r#","{name}":{text}"#)).unwrap_or_default()
    };
    let text = |value: Value| error::text(&value);
    Ok([
        format!(r#"{{"interrupts":{}"#, json_of(&interrupts)),
        member("messages", messages.map(|messages| json_of(&messages))),
        member("state", state.map(text)),
        member("activeRunId", active_run_id.map(Value::from).map(text)),
        member("lastRunId", last_run_id.map(Value::from).map(text)),
        "}".to_owned(),
    ]
    .concat())
}
