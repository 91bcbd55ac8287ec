//! The response to a client that reads a thread.

use super::reply::ThreadInfo;
use crate::json::{NumberStyle, Object, Value, Writer};
use crate::server::PlainResponse;

/// The response with what is kept of a thread: `threadId`, `version`, `activeRunId` and `lastRunId` if there are such
/// runs, and `messages`, `state` and `interrupts` of the snapshot, if there is one.
pub fn thread_response(thread_id: &str, thread: &ThreadInfo) -> PlainResponse {
    let mut head = Object::from_iter([("threadId", Value::from(thread_id))]);
    head.insert("version", thread.version);
    for (name, run) in [("activeRunId", &thread.active_run), ("lastRunId", &thread.last_run)] {
        if let Some(run) = run {
            head.insert(name, run.as_str());
        }
    }
    let mut writer = Writer::new(NumberStyle::default());
    writer.value(&Value::from(head));
    let mut body = writer.out;
    // The snapshot is an object with members, as the recorder has written it.
    if let Some(members) = thread.snapshot.as_ref().and_then(|snapshot| snapshot.as_str().strip_prefix('{')) {
        body.pop();
        body.push(',');
        body.push_str(members);
    }
    let headers = vec![
        ("content-type", "application/json".to_owned()),
        ("content-length", body.len().to_string()),
        ("cache-control", "no-store".to_owned()),
    ];
    PlainResponse { status: 200, headers, body }
}
