//! Responses without a stream, as JSON text.

use ag_ui_native::bindings::durable::LogRefusal;
use ag_ui_native::bindings::server::{Close, PlainResponse};
use ag_ui_native::{Error, Object, Value};

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
