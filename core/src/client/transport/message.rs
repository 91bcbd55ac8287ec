//! Messages of a WebSocket as pieces of a stream.

use crate::error::{Code, Error, quoted};
use crate::limits::Limits;
use crate::sse;

/// One message of a WebSocket as a frame of the transport that a decoder reads: text is an event's JSON, binary is one in protobuf. The
/// decoder's content type follows from the first message: `text/event-stream` or protobuf's.
///
/// # Errors
/// A message that is longer than the limit `event_bytes`.
pub fn frame_message(message: &[u8], is_binary: bool, limits: &Limits) -> Result<Vec<u8>, Error> {
    let length = u32::try_from(message.len()).ok().filter(|_| message.len() <= limits.event_bytes);
    let length = length.ok_or_else(|| Error::limit("event_bytes", limits.event_bytes))?;
    if is_binary {
        return Ok([length.to_be_bytes().as_slice(), message].concat());
    }
    let mut frame = Vec::with_capacity(message.len() + sse::BEFORE.len() + sse::AFTER.len());
    frame.extend_from_slice(sse::BEFORE.as_bytes());
    // In JSON text, a line break stands between tokens and means nothing.
    frame.extend(message.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    frame.extend_from_slice(sse::AFTER.as_bytes());
    Ok(frame)
}

/// Why a server has closed a WebSocket before its first message, if it has refused what it was asked. Nothing for an end in order (1000, 1001,
/// or no code at all), of which the decoder says that the run is missing.
pub fn close_failure(code: u16, reason: &str) -> Option<Error> {
    let said = if reason.is_empty() { String::new() } else { format!(", {}", quoted(reason)) };
    let is_refusal = !matches!(code, 1000 | 1001 | 1005 | 1006);
    is_refusal.then(|| Error::new(Code::HttpError, format!("closed with {code}{said}")))
}
