//! The response to a client that reads a log: its headers, and the frames in its wire format.

use std::fmt::Write;
use std::time::Duration;

use super::cursor::Cursor;
use super::frame::Frame;
use super::prefix::{Prefix, PrefixHead};
use crate::client::bindings::{escaped, run_location};
use crate::error::Error;
use crate::protobuf;
use crate::server::WireFormat;

/// The headers that pages of other origins may read.
pub const EXPOSED_HEADERS: &str = "AG-UI-Run, AG-UI-Cursor, AG-UI-Heartbeat, AG-UI-Prefix, Content-Location";

/// A response that has begun: the place before its first frame is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogResponse<'r> {
    /// The wire format of its events.
    pub wire_format: WireFormat,
    /// The id of the thread.
    pub thread_id: &'r str,
    /// The id of the run.
    pub run_id: &'r str,
    /// The place before the first frame.
    pub after: Cursor,
    /// The prefix; `None` without one.
    pub prefix: Option<PrefixHead>,
    /// The time between two heartbeats; `None` without.
    pub heartbeat: Option<Duration>,
    /// The agent's address, relative to that of the request: its path, or nothing, and its own query.
    pub path: &'r str,
}

impl LogResponse<'_> {
    /// The headers, besides those of the wire format. Ids are percent-encoded.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![
            ("ag-ui-run", escaped(self.run_id).into_owned()),
            ("ag-ui-cursor", self.after.to_string()),
            ("content-location", run_location(self.path, self.thread_id, self.run_id)),
        ];
        let prefix = self.prefix.map(|PrefixHead { frames, through }| format!("{frames};through={through}"));
        headers.extend(prefix.map(|prefix| ("ag-ui-prefix", prefix)));
        headers.extend(self.heartbeat.map(|pause| ("ag-ui-heartbeat", pause.as_secs_f64().to_string())));
        headers
    }
}

/// The frames behind a place, in a wire format. In the text format each has its place as the id of its event.
///
/// # Errors
/// A frame of the binary format is no event.
pub fn encode_frames(wire_format: WireFormat, after: Cursor, frames: &[Frame]) -> Result<Vec<u8>, Error> {
    if wire_format == WireFormat::Binary {
        return encode_binary(frames);
    }
    let incarnation = after.incarnation.to_string();
    let mut text = String::with_capacity(frames.iter().map(|frame| frame.len() + 48).sum());
    for (frame, number) in frames.iter().zip(after.number + 1..) {
        let _ = write!(text, "id: {incarnation}-{number}\ndata: {}\n\n", frame.as_str());
    }
    Ok(text.into_bytes())
}

/// The prefix in a wire format. In the text format only the last event has an id.
///
/// # Errors
/// A frame of the binary format is no event.
pub fn encode_prefix(wire_format: WireFormat, prefix: &Prefix) -> Result<Vec<u8>, Error> {
    let frames = prefix.frames();
    if wire_format == WireFormat::Binary {
        return encode_binary(&frames);
    }
    let mut text = String::new();
    for (index, frame) in frames.iter().enumerate() {
        if index + 1 == frames.len() {
            let _ = writeln!(text, "id: {}", prefix.through());
        }
        let _ = write!(text, "data: {}\n\n", frame.as_str());
    }
    Ok(text.into_bytes())
}

fn encode_binary(frames: &[Frame]) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    for frame in frames {
        bytes.extend(protobuf::to_frame(&frame.event()?)?);
    }
    Ok(bytes)
}
