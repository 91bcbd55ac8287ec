//! The stream of a run that goes on over several connections.
//!
//! It stands between the connection and the pipeline: the pipeline gets whole events, each once and in order, and does not
//! notice where a connection was cut.

use std::mem;
use std::time::Duration;

use super::reconnect::{RESUME_HEADER, is_passing};
use super::retry::retry_after;
use crate::durable::Cursor;
use crate::error::{Code, Error};
use crate::limits::Limits;
use crate::profile::Profile;
use crate::protobuf::{self, FrameReader};
use crate::server::bindings::ends_run;
use crate::sse::{self, SseReader};
use crate::typed::{from_frame, from_json};
use crate::types::Event;

/// The time of silence, in heartbeats, after which a connection counts as lost.
const SILENT_HEARTBEATS: f64 = 2.5;

/// The longest time to wait for the answer to a cancel.
pub const CANCEL_TIMEOUT: Duration = Duration::from_secs(5);

/// The headers of a response about a run with a log.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResumableHead<'r> {
    /// The header `AG-UI-Cursor`.
    pub cursor: Option<&'r str>,
    /// The header `AG-UI-Prefix`.
    pub prefix: Option<&'r str>,
    /// The header `AG-UI-Heartbeat`.
    pub heartbeat: Option<&'r str>,
    /// The header `Content-Location`: the address from which the run is read on, relative to that of the request.
    pub location: Option<&'r str>,
    /// The media type of the response.
    pub content_type: &'r str,
    /// The header `Retry-After`.
    pub retry_after: Option<&'r str>,
}

/// The step after the response to a request for the rest of a run.
#[derive(Debug)]
pub enum ResumeStep {
    /// Read the body.
    Read,
    /// Nothing follows: the run has ended.
    Ended,
    /// Make another attempt, after the pause that the server asks for.
    Retry(Option<Duration>),
    /// The run cannot be read on.
    Refused(Error),
}

/// The stream of a run over its connections.
#[derive(Debug)]
pub struct ResumableStream {
    limits: Limits,
    reader: Reader,
    /// The place behind the last event that was passed on.
    cursor: Cursor,
    prefix: Option<Prefix>,
    location: String,
    heartbeat: Option<Duration>,
    /// The last event that has arrived: JSON, or a protobuf frame.
    last: Vec<u8>,
}

#[derive(Debug)]
enum Reader {
    Text(SseReader),
    Binary(FrameReader),
}

/// The prefix that is arriving: it is passed on as a whole.
#[derive(Debug)]
struct Prefix {
    missing: usize,
    through: u64,
    bytes: Vec<u8>,
}

impl ResumableStream {
    /// The stream of a response. `None` if its server does not say how to resume.
    pub fn new(head: &ResumableHead<'_>, limits: Limits) -> Option<Self> {
        Some(Self {
            limits,
            reader: Reader::new(head.content_type, &limits),
            cursor: head.cursor?.parse().ok()?,
            prefix: head.prefix.and_then(Prefix::read),
            location: head.location.filter(|location| is_same_origin(location))?.to_owned(),
            heartbeat: head.heartbeat.and_then(seconds),
            last: Vec::new(),
        })
    }

    /// The address from which the run is read on, relative to that of the request.
    pub fn location(&self) -> &str {
        &self.location
    }

    /// The address by which the run is cancelled, relative to that of the request.
    pub fn cancel_location(&self) -> String {
        let (path, query) = self.location.split_once('?').unwrap_or((&self.location, ""));
        let names = query.split('&').map(|member| match member.strip_prefix("run=") {
            Some(run) => format!("cancel={run}"),
            None => member.to_owned(),
        });
        format!("{path}?{}", names.collect::<Vec<_>>().join("&"))
    }

    /// True if the last event has ended the run.
    pub fn has_ended(&self) -> bool {
        let event = match &self.reader {
            Reader::Text(_) => from_json::<Event>(&self.last, Profile::Relay).ok().map(|(event, _)| event),
            Reader::Binary(_) => from_frame(&self.last, Profile::Relay).ok().map(|(event, _)| event),
        };
        event.is_some_and(|event| ends_run(&event))
    }

    /// The headers of the request for the rest of the run. They replace the application's headers of the same names.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let media_type = match self.reader {
            Reader::Text(_) => sse::MEDIA_TYPE,
            Reader::Binary(_) => protobuf::MEDIA_TYPE,
        };
        let mut headers = vec![
            ("accept", media_type.to_owned()),
            // Bytes that were compressed could not be read up to a cut.
            ("accept-encoding", "identity".to_owned()),
            (RESUME_HEADER.0, RESUME_HEADER.1.to_owned()),
        ];
        headers.extend(self.last_event_id().map(|id| ("last-event-id", id)));
        headers
    }

    /// The value of `Last-Event-ID` in the next request; `None` if the run is joined again, since only a part of its prefix
    /// has arrived.
    pub fn last_event_id(&self) -> Option<String> {
        self.prefix.is_none().then(|| self.cursor.to_string())
    }

    /// The time of silence after which the connection counts as lost.
    pub fn silence(&self) -> Option<Duration> {
        self.heartbeat.map(|heartbeat| heartbeat.mul_f64(SILENT_HEARTBEATS))
    }

    /// The pause that the server asks for before the next connection, by `retry:`.
    pub fn asked_pause(&self) -> Option<Duration> {
        match &self.reader {
            Reader::Text(reader) => reader.retry().map(Duration::from_millis),
            Reader::Binary(_) => None,
        }
    }

    /// Takes the status and the head of the response to a request for the rest of the run. `wall` is the time in milliseconds
    /// since the Unix epoch: a server may ask for a pause until a date.
    pub fn answered(&mut self, status: u16, head: &ResumableHead<'_>, wall: i64) -> ResumeStep {
        match status {
            200 => self.resume(head).map_or_else(ResumeStep::Refused, |()| ResumeStep::Read),
            204 => ResumeStep::Ended,
            _ if is_passing(status) => {
                let asked = head.retry_after.and_then(|text| retry_after(text, wall));
                ResumeStep::Retry(asked.or_else(|| self.asked_pause()))
            }
            _ => {
                // The log of the run is gone, or it is not the one whose events have arrived.
                let is_gone = matches!(status, 400 | 404 | 409 | 410);
                let code = if is_gone { Code::SequenceGap } else { Code::ConnectionLost };
                ResumeStep::Refused(Error::new(code, format!("the server answered with status {status}")))
            }
        }
    }

    /// The error of a run whose attempts are used up.
    pub fn given_up() -> Error {
        Error::new(Code::ConnectionLost, "before the end of the run, and it could not be resumed")
    }

    /// Takes the head of the next connection's response. A part of an event at the end of the last one is forgotten: it
    /// comes again.
    ///
    /// # Errors
    /// `sequence_gap`: the server does not go on where the last connection ended.
    pub fn resume(&mut self, head: &ResumableHead<'_>) -> Result<(), Error> {
        let cursor = head.cursor.and_then(|cursor| cursor.parse::<Cursor>().ok());
        let begins = cursor.filter(|cursor| cursor.incarnation == self.cursor.incarnation);
        let prefix = head.prefix.and_then(Prefix::read);
        let fits = match &self.prefix {
            // The run is joined again.
            Some(_) => cursor.is_some(),
            None => prefix.is_none() && begins.is_some_and(|begins| begins.number <= self.cursor.number),
        };
        let Some(cursor) = cursor.filter(|_| fits) else { return Err(gap()) };
        let reader = Reader::new(head.content_type, &self.limits);
        if mem::discriminant(&reader) != mem::discriminant(&self.reader) {
            return Err(Error::new(Code::SequenceGap, "the server goes on in another format"));
        }
        self.reader = reader;
        if self.prefix.is_some() {
            self.cursor = cursor;
            self.prefix = prefix;
        } else if let Reader::Binary(_) = self.reader {
            // Its frames are counted from where it begins, so they would be duplicates otherwise.
            if cursor != self.cursor {
                return Err(gap());
            }
        }
        if let Some(location) = head.location.filter(|location| is_same_origin(location)) {
            location.clone_into(&mut self.location);
        }
        self.heartbeat = head.heartbeat.and_then(seconds).or(self.heartbeat);
        Ok(())
    }

    /// Takes the next bytes of the connection. Writes whole events in the same format to `out`, without those that came
    /// before; also if it fails, those before the failure.
    ///
    /// # Errors
    /// `sequence_gap`: an event is missing. `limit_exceeded`: an event is too long.
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let Self { reader, cursor, prefix, last, .. } = self;
        match reader {
            Reader::Text(reader) => {
                let mut last_id = reader.last_event_id().to_vec();
                reader.feed(bytes, &mut |frame| {
                    let id = (frame.id != last_id).then(|| frame.id.to_vec());
                    if let Some(id) = &id {
                        last_id.clone_from(id);
                    }
                    let number = id.as_deref().map(|id| number_of(id, *cursor)).transpose()?;
                    if frame.data.is_empty() {
                        // The server has an event there that clients of this version do not get.
                        let number = number.filter(|_| prefix.is_none());
                        return number.map_or(Ok(()), |number| take(cursor, prefix, out, Some(number), b""));
                    }
                    let mut text = Vec::with_capacity(frame.data.len() + 64);
                    if let Some(id) = &id {
                        text.extend([b"id: ", &id[..], b"\n"].concat());
                    }
                    for line in frame.data.split(|byte| *byte == b'\n') {
                        text.extend([b"data: ", line, b"\n"].concat());
                    }
                    text.push(b'\n');
                    last.clear();
                    last.extend_from_slice(frame.data);
                    take(cursor, prefix, out, number, &text)
                })
            }
            Reader::Binary(reader) => reader.feed(bytes, &mut |message| {
                let length = u32::try_from(message.len()).unwrap_or(u32::MAX).to_be_bytes();
                let number = match prefix {
                    Some(Prefix { missing: 1, through, .. }) => Some(*through),
                    Some(_) => None,
                    None => Some(cursor.number + 1),
                };
                *last = [&length, message].concat();
                take(cursor, prefix, out, number, last)
            }),
        }
    }
}

/// Passes an event on, keeps it until its prefix is whole, or drops it.
fn take(
    cursor: &mut Cursor,
    prefix: &mut Option<Prefix>,
    out: &mut Vec<u8>,
    number: Option<u64>,
    event: &[u8],
) -> Result<(), Error> {
    if let Some(arriving) = prefix {
        arriving.bytes.extend_from_slice(event);
        arriving.missing -= 1;
        if arriving.missing == 0 {
            cursor.number = arriving.through;
            out.append(&mut arriving.bytes);
            *prefix = None;
        }
        return Ok(());
    }
    let Some(number) = number else { return Err(gap()) };
    if number > cursor.number + 1 {
        return Err(gap());
    }
    if number == cursor.number + 1 {
        cursor.number = number;
        out.extend_from_slice(event);
    }
    Ok(())
}

/// The number of an event by its id.
fn number_of(id: &[u8], cursor: Cursor) -> Result<u64, Error> {
    let place = std::str::from_utf8(id).ok().and_then(|id| id.parse::<Cursor>().ok());
    place.filter(|place| place.incarnation == cursor.incarnation).map(|place| place.number).ok_or_else(gap)
}

/// True for a path or a query. The application's headers, which may hold secrets, are not sent to another origin.
fn is_same_origin(location: &str) -> bool {
    let is_path = location.starts_with('/') && !location[1..].starts_with(['/', '\\']);
    // URL parsers drop tabs.
    (is_path || location.starts_with('?')) && !location.contains(char::is_control)
}

fn gap() -> Error {
    Error::new(Code::SequenceGap, "")
}

fn seconds(text: &str) -> Option<Duration> {
    text.trim()
        .parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
}

impl Reader {
    fn new(content_type: &str, limits: &Limits) -> Self {
        if protobuf::is_media_type(content_type) {
            Self::Binary(FrameReader::new(limits.event_bytes))
        } else {
            Self::Text(SseReader::new(limits).with_bare_ids())
        }
    }
}

impl Prefix {
    /// Reads the header `AG-UI-Prefix`, such as `12;through=4711`.
    fn read(text: &str) -> Option<Self> {
        let (frames, through) = text.split_once(";through=")?;
        let (missing, through) = (frames.trim().parse().ok()?, through.trim().parse().ok()?);
        (missing > 0).then(|| Self { missing, through, bytes: Vec::new() })
    }
}
