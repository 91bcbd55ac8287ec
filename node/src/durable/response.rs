//! Responses without a stream, as JSON text.

use ag_ui_native::bindings::durable::{LogRefusal, Reply, thread_response};
use ag_ui_native::bindings::server::{Close, PlainResponse};
use ag_ui_native::{Code, Error, Object, Value};

use crate::error;
use crate::server::of_answer;

/// The refusal of an error, as JSON text.
pub fn refused(error: Error) -> String {
    log_refusal(&LogRefusal::from(error))
}

/// A response, under `refusal`, as JSON text.
pub fn refusal(response: PlainResponse) -> String {
    wrapped(of_answer(response))
}

/// A refusal as JSON text, with the code and the reason that close a WebSocket.
pub fn log_refusal(refused: &LogRefusal) -> String {
    let mut answer = of_answer(refused.response(Vec::new()));
    let Close { code, reason } = refused.close();
    answer.insert("closeCode", i64::from(code));
    answer.insert("closeReason", reason);
    wrapped(answer)
}

fn wrapped(answer: Object) -> String {
    error::text(&Object::from_iter([("refusal", Value::from(answer))]).into())
}

/// The response to a cancel.
pub fn cancel_response(reply: &Reply) -> PlainResponse {
    match reply {
        Reply::Done => PlainResponse {
            status: 202,
            headers: vec![("content-length", "0".to_owned())],
            body: String::new(),
        },
        _ => LogRefusal::from(Error::new(Code::RunUnknown, "")).response(Vec::new()),
    }
}

/// The response to a read of a thread.
pub fn read_response(thread_id: &str, reply: &Reply) -> PlainResponse {
    match reply {
        Reply::Thread(thread) => thread_response(thread_id, thread, Vec::new()),
        _ => LogRefusal::from(Error::new(Code::LogUnavailable, "")).response(Vec::new()),
    }
}
