//! The head of an answer.

use std::time::Duration;

use crate::defaults;
use crate::error::{Code, Error, quoted};
use crate::json::{Input, ParseOptions, Tape, Value};
use crate::limits::Limits;
use crate::media_type::is_json;
use crate::sse;

/// The members of a response's head that decide how it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResponseHead<'r> {
    /// Its status.
    pub status: u16,
    /// The header `Content-Type`.
    pub content_type: Option<&'r str>,
}

/// The body of a refusal.
///
/// ```
/// use ag_ui_native::Value;
/// use ag_ui_native::client::Payload;
///
/// let show = |payload: &Payload| match payload {
///     Payload::Json(value) => value.get("error").and_then(Value::as_str).unwrap_or_default().to_owned(),
///     Payload::Text(text) => text.clone(),
/// };
/// assert_eq!(show(&Payload::Text("busy".into())), "busy");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Payload {
    /// A body that is JSON, by its content type.
    Json(Value),
    /// Anything else, as text.
    Text(String),
}

impl ResponseHead<'_> {
    /// The maximum number of bytes that are read of a refusal's body: it is for people.
    pub const MOST_PAYLOAD: usize = defaults::MOST_PAYLOAD;

    /// The time limit for the body of a refusal: the status matters more.
    pub const LONGEST_PAYLOAD: Duration = defaults::LONGEST_PAYLOAD;

    /// True if the status is one of success: then events follow. The decoder checks the content type.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// True if it points to another address.
    pub fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308)
    }

    /// The kind of the answer: `events`, a `redirect`, or a `refusal`.
    #[doc(hidden)]
    pub fn kind(&self) -> &'static str {
        match (self.is_success(), self.is_redirect()) {
            (true, _) => "events",
            (_, true) => "redirect",
            _ => "refusal",
        }
    }

    /// The content type by which the body is decoded; server-sent events if there is none.
    pub fn event_type(&self) -> &str {
        self.content_type.filter(|given| !given.trim().is_empty()).unwrap_or(sse::MEDIA_TYPE)
    }

    /// The error and the payload of an answer without events.
    pub fn failure(&self, body: &[u8]) -> (Error, Payload) {
        let text = String::from_utf8_lossy(&body[..body.len().min(Self::MOST_PAYLOAD)]);
        let payload = if self.content_type.is_some_and(is_json) { parsed(&text) } else { None };
        let said =
            payload.as_ref().and_then(reason).map_or_else(String::new, |said| format!(", {}", quoted(said)));
        let error = Error::new(Code::HttpError, format!("status {}{said}", self.status));
        (error, payload.map_or_else(|| Payload::Text(text.into_owned()), Payload::Json))
    }
}

fn parsed(text: &str) -> Option<Value> {
    let mut tape = Tape::default();
    let options = ParseOptions { depth: Limits::default().depth, replace_invalid_text: true };
    Some(tape.parse(text, options).ok()?.to_value())
}

/// The reason in the body of a refusal, by the usual members: ours, problem details (RFC 9457), FastAPI's.
fn reason(payload: &Value) -> Option<&str> {
    let object = payload.as_object()?;
    ["code", "title", "detail", "message", "error"].iter().find_map(|name| object.get(name)?.as_str())
}
