//! Runs over WebSockets (RFC 6455): which pages may open one, the messages of a run, and the close frames. The first
//! message is the run's input as JSON text. Each event is a message: JSON as text, or protobuf as bytes. This module
//! does no I/O.

use std::ops::Range;

use memchr::memmem;

use super::cors::Cors;
use super::refusal::{Refusal, is_occupied};
use super::wire_format::WireFormat;
use crate::error::{Code, Error};
use crate::origin::origin_of;
use crate::protobuf::accepts;
use crate::sse;

/// The parts of a WebSocket request's head that matter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Handshake<'r> {
    /// The header `Origin`: the origin of the page that asks. Other clients than browsers need not send it.
    pub origin: Option<&'r str>,
    /// The header `Host`; over HTTP/2, `:authority`.
    pub host: Option<&'r str>,
    /// The header `Accept`; several are joined with commas.
    pub accept: Option<&'r str>,
    /// The header `Sec-WebSocket-Protocol`; several are joined with commas.
    pub protocols: Option<&'r str>,
}

/// The subprotocols for the transports. A page cannot set the header `Accept`, so it asks by subprotocol.
pub const SUBPROTOCOLS: [(&str, WireFormat); 2] =
    [("vnd.ag-ui.event+json", WireFormat::Text), ("vnd.ag-ui.event+proto", WireFormat::Binary)];

/// The result of the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// The wire format of events.
    pub wire_format: WireFormat,
    /// The subprotocol that the response names, if the client has offered one of ours.
    pub protocol: Option<&'static str>,
}

impl Handshake<'_> {
    /// Chooses the wire format: by the first offered subprotocol of ours, else by `Accept`, as over HTTP.
    ///
    /// # Errors
    /// `origin_refused` for a page whose origin is not allowed. Browsers open WebSockets without a preflight, so the
    /// server must check this.
    pub fn agree(&self, cors: Option<&Cors>, accept_wildcards: bool) -> Result<Agreed, Refusal> {
        if !self.may_ask(cors) {
            return Err(Error::new(Code::OriginRefused, "").into());
        }
        let mut offered = self.protocols.unwrap_or_default().split(',').map(str::trim);
        let ours = offered.find_map(|name| SUBPROTOCOLS.into_iter().find(|(ours, _)| *ours == name));
        Ok(match ours {
            Some((name, wire_format)) => Agreed { wire_format, protocol: Some(name) },
            None if accepts(self.accept.unwrap_or_default(), accept_wildcards) => {
                Agreed { wire_format: WireFormat::Binary, protocol: None }
            }
            None => Agreed { wire_format: WireFormat::Text, protocol: None },
        })
    }

    /// True if the client is no page, or the page's origin is in `cors`. Without `cors`, the origin must be the
    /// server's own, by the header `Host`. If `cors` is set, the server's own origin is not checked, because a DNS
    /// rebinding attack could fake it.
    fn may_ask(&self, cors: Option<&Cors>) -> bool {
        let Some(origin) = self.origin else { return true };
        if let Some(cors) = cors {
            return cors.allows(origin);
        }
        // A proxy may end TLS, so the page's scheme is used for the server too.
        let own = origin
            .split_once("://")
            .zip(self.host)
            .and_then(|((scheme, _), host)| origin_of(&format!("{scheme}://{host}")));
        own.is_some() && own == origin_of(origin)
    }
}

/// The close frame of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    /// The code (RFC 6455, 7.4.1).
    pub code: u16,
    /// The reason. For a refusal: the error's code, a space, and the limit or the path, if there is one.
    pub reason: String,
}

impl Close {
    /// The maximum length of a reason in bytes.
    pub const MOST_REASON: usize = 123;

    /// The code after a run.
    pub const DONE: u16 = 1000;

    /// The code of a server that shuts down.
    pub const GOING_AWAY: u16 = 1001;

    /// The code for a client that breaks RFC 6455.
    pub const PROTOCOL_ERROR: u16 = 1002;

    /// Closes a connection with a code and no reason.
    pub fn with_code(code: u16) -> Self {
        Self { code, reason: String::new() }
    }
}

impl From<&Refusal> for Close {
    fn from(Refusal(error): &Refusal) -> Self {
        let code = match error.code() {
            Code::UnsupportedMediaType => 1003,
            Code::OriginRefused
            | Code::RequestTimeout
            | Code::SequenceBroken
            | Code::UnknownInterrupt
            | Code::RunUnknown
            | Code::RunConflict
            | Code::ThreadBusy
            | Code::ThreadStale => 1008,
            // "Try again later".
            Code::LogUnavailable | Code::ServerDraining => 1013,
            Code::LimitExceeded if is_occupied(error) => 1013,
            Code::LimitExceeded if matches!(error.limit, Some("input_bytes" | "input_values")) => 1009,
            Code::Internal | Code::AgentFailed => 1011,
            _ => 1007,
        };
        let mut reason = error.code().as_str().to_owned();
        let place = error.limit.unwrap_or(error.path());
        if !place.is_empty() {
            reason.extend([" ", place]);
        }
        let mut end = reason.len().min(Self::MOST_REASON);
        while !reason.is_char_boundary(end) {
            end -= 1;
        }
        reason.truncate(end);
        Self { code, reason }
    }
}

/// The ranges of the messages in frames from `RunWriter::take`: one for each event.
pub fn messages(wire_format: WireFormat, frames: &[u8]) -> Vec<Range<usize>> {
    match wire_format {
        WireFormat::Text => texts(frames),
        WireFormat::Binary => binaries(frames),
    }
}

/// The ranges of the JSON in each frame, without line breaks. Comments are no messages.
fn texts(frames: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let ends = memmem::find_iter(frames, sse::AFTER);
    let frames = ends.filter_map(|end| {
        let begin = std::mem::replace(&mut start, end + sse::AFTER.len());
        let is_event = frames[begin..end].starts_with(sse::BEFORE.as_bytes());
        is_event.then_some(begin + sse::BEFORE.len()..end)
    });
    frames.collect()
}

/// The ranges of the bytes after each length.
fn binaries(frames: &[u8]) -> Vec<Range<usize>> {
    let mut at = 0;
    let next = || {
        let length = frames.get(at..)?.first_chunk()?;
        let begin = at + length.len();
        at = begin + u32::from_be_bytes(*length) as usize;
        (at <= frames.len()).then_some(begin..at)
    };
    std::iter::from_fn(next).collect()
}
