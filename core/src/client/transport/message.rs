//! Messages of a WebSocket as pieces of a stream.

use crate::error::{Code, Error, quoted};
use crate::limits::Limits;
use crate::sse;

/// Converts a message of a WebSocket to a frame for a decoder: a text message is an event in JSON, a binary one is an event in protobuf.
/// The first message decides the decoder's content type, `text/event-stream` or protobuf's, and the kind of all others.
///
/// # Errors
/// The message is longer than the limit `event_bytes`, or of another kind than the first one.
pub fn frame_message(
    message: &[u8],
    is_binary: bool,
    is_first_binary: bool,
    limits: &Limits,
) -> Result<Vec<u8>, Error> {
    if is_binary != is_first_binary {
        let (first, later) = if is_first_binary { ("binary", "text") } else { ("text", "binary") };
        let detail = format!("a {later} message after {first} ones");
        return Err(
            Error::new(Code::WrongContentType, detail).advise("send all messages as text, or all as binary")
        );
    }
    let length = u32::try_from(message.len()).ok().filter(|_| message.len() <= limits.event_bytes);
    let length = length.ok_or_else(|| Error::limit("event_bytes", limits.event_bytes))?;
    if is_binary {
        return Ok([length.to_be_bytes().as_slice(), message].concat());
    }
    let mut frame = Vec::with_capacity(message.len() + sse::BEFORE.len() + sse::AFTER.len());
    frame.extend_from_slice(sse::BEFORE.as_bytes());
    // In JSON text, a line break is only allowed between tokens, where it has no meaning.
    frame.extend(message.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    frame.extend_from_slice(sse::AFTER.as_bytes());
    Ok(frame)
}

/// The error of a server that closes a WebSocket before its first message. `None` for a normal end (1000, 1001, or no code): then the
/// decoder reports the missing run.
pub fn close_failure(code: u16, reason: &str) -> Option<Error> {
    let said = if reason.is_empty() { String::new() } else { format!(", {}", quoted(reason)) };
    let is_refusal = !matches!(code, 1000 | 1001 | 1005 | 1006);
    is_refusal.then(|| Error::new(Code::HttpError, format!("closed with {code}{said}")))
}
