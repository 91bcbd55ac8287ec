//! Responses without a stream, as JSON text.

use ag_ui_native::bindings::durable::{LogRefusal, Reply, thread_response};
use ag_ui_native::bindings::server::{PlainResponse, Refusal};
use ag_ui_native::{Code, Error, Object, Value};

use crate::error;
use crate::server::of_answer;

/// The refusal of an error, as JSON text.
pub fn refused(error: Error) -> String {
    refusal(Refusal::from(error).response(Vec::new()))
}

/// A response, under `refusal`, as JSON text.
pub fn refusal(response: PlainResponse) -> String {
    error::text(&Object::from_iter([("refusal", Value::from(of_answer(response)))]).into())
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
