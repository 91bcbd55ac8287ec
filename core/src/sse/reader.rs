//! The WHATWG event-stream algorithm (HTML standard, section 9.2.6), incremental and linear in its input.

use crate::error::Error;
use crate::limits::Limits;

/// One event of the stream, as framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The data lines, joined by line feeds.
    pub data: &'a [u8],
    /// The event's name; empty if it has none.
    pub event: &'a [u8],
    /// The id last set in the stream; empty if none was.
    pub id: &'a [u8],
}

/// The fields that an event stream can have.
const FIELDS: [&[u8]; 4] = [b"data", b"event", b"id", b"retry"];

/// Reads frames from bytes that arrive in pieces of any size.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a question of its own.
pub struct SseReader {
    /// The longest frame, in bytes of its data.
    limit: usize,
    id_limit: usize,
    /// The unfinished line at the end of the bytes.
    line: Vec<u8>,
    data: Vec<u8>,
    /// True if the frame has a data line, which may be empty.
    has_data: bool,
    event: Vec<u8>,
    /// The id that the frame sets. It does not count until the frame has been read.
    id: Option<Vec<u8>>,
    /// The id after the last frame.
    last_event_id: Vec<u8>,
    retry: Option<u64>,
    /// True if frames that have only an id are handed over.
    has_bare_ids: bool,
    /// True if the last byte was a carriage return. A line feed at the start of the next piece then belongs
    /// to it.
    after_return: bool,
    /// True until the first line has been read: a byte order mark may stand in front of it.
    at_start: bool,
    /// The kind of stream, as the lines so far show.
    seen: Detected,
}

/// The kind of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detected {
    /// No line with a meaning has come.
    Nothing,
    /// Lines have come, but none of an event stream.
    Foreign,
    /// A comment has come, or a field of event streams.
    EventStream,
}

impl SseReader {
    /// A reader that refuses frames of more than `limits.event_bytes`, and ids of more than `limits.id_bytes`.
    pub fn new(limits: &Limits) -> Self {
        Self {
            limit: limits.event_bytes,
            id_limit: limits.id_bytes,
            line: Vec::new(),
            data: Vec::new(),
            has_data: false,
            event: Vec::new(),
            id: None,
            last_event_id: Vec::new(),
            retry: None,
            has_bare_ids: false,
            after_return: false,
            at_start: true,
            seen: Detected::Nothing,
        }
    }

    /// The same, which also hands over frames that have an id and no data. Browsers note the id of such a frame, too.
    #[must_use]
    pub fn with_bare_ids(self) -> Self {
        Self { has_bare_ids: true, ..self }
    }

    /// The id last set in the stream, to resume from. The id of a cut or refused frame does not count.
    pub fn last_event_id(&self) -> &[u8] {
        &self.last_event_id
    }

    /// The pause that the server asks for before a new connection, in milliseconds.
    pub fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// True if lines have come, but none of an event stream.
    pub fn is_foreign(&self) -> bool {
        self.seen == Detected::Foreign
    }

    /// Reads `chunk`. Hands every completed frame to `take`, in order. Stops at the first failure.
    pub fn feed(
        &mut self,
        chunk: &[u8],
        take: &mut dyn FnMut(Frame<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut rest = chunk;
        if self.after_return && !rest.is_empty() {
            self.after_return = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            let (line, behind) = (&rest[..end], &rest[end..]);
            rest = behind.strip_prefix(b"\r\n").unwrap_or(&behind[1..]);
            self.after_return = behind == b"\r";
            self.check_line(end)?;
            if self.line.is_empty() {
                self.line(line, rest, take)?;
            } else {
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                self.check_line(whole.len())?;
                self.line(&whole, rest, take)?;
                whole.clear();
                self.line = whole;
            }
        }
        self.check_line(self.line.len() + rest.len())?;
        self.line.extend_from_slice(rest);
        Ok(())
    }

    /// Ends the stream. An event that lacks only its blank line, or the end of its last line, is handed over.
    pub fn finish(&mut self, take: &mut dyn FnMut(Frame<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let line = std::mem::take(&mut self.line);
        let is_cut = |field: &&[u8]| field.len() > line.len() && field.starts_with(&line);
        if !FIELDS.iter().any(is_cut) {
            self.line(&line, b"", take)?;
        }
        // Without data no event was lost, and an id alone does not count before its blank line.
        if self.has_data { self.dispatch(take) } else { Ok(()) }
    }

    /// Refuses a line, finished or not, that is too long for any event. So the verdict does not depend on where
    /// the stream was cut.
    fn check_line(&self, length: usize) -> Result<(), Error> {
        self.check(length.saturating_sub(b"data: ".len()))
    }

    fn check(&self, length: usize) -> Result<(), Error> {
        if length > self.limit { Err(Error::limit("event_bytes", self.limit)) } else { Ok(()) }
    }

    fn line(
        &mut self,
        line: &[u8],
        rest: &[u8],
        take: &mut dyn FnMut(Frame<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mark: &[u8] = b"\xef\xbb\xbf";
        let line =
            if std::mem::take(&mut self.at_start) { line.strip_prefix(mark).unwrap_or(line) } else { line };
        if line.is_empty() {
            return self.dispatch(take);
        }
        let (name, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &b""[..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        if self.seen != Detected::EventStream {
            // Comments have no name. They say little after lines of another kind.
            let is_known = FIELDS.contains(&name) || name.is_empty() && self.seen == Detected::Nothing;
            self.seen = if is_known { Detected::EventStream } else { Detected::Foreign };
        }
        match name {
            b"data" => {
                self.check(self.data.len() + usize::from(self.has_data) + value.len())?;
                let ends_frame = rest.first() == Some(&b'\n');
                if ends_frame && !self.has_data && !value.is_empty() {
                    // The usual frame of a single, whole line is handed over without a copy. Its blank line
                    // then ends a frame without data, which does not count.
                    take(Frame { data: value, event: &self.event, id: self.frame_id() })?;
                    self.note_id();
                    return Ok(());
                }
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => self.event = value.to_vec(),
            b"id" if value.len() > self.id_limit => return Err(Error::limit("id_bytes", self.id_limit)),
            b"id" if !value.contains(&0) => self.id = Some(value.to_vec()),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                let number = std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok());
                self.retry = number.or(self.retry);
            }
            _ => {}
        }
        Ok(())
    }

    /// Ends a frame at its blank line. Hands it over if it has a data line.
    fn dispatch(&mut self, take: &mut dyn FnMut(Frame<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let result = if self.has_data || self.has_bare_ids && self.id.is_some() {
            take(Frame { data: &self.data, event: &self.event, id: self.frame_id() })
        } else {
            Ok(())
        };
        self.data.clear();
        self.has_data = false;
        self.event.clear();
        if result.is_ok() {
            self.note_id();
        }
        result
    }

    /// The id that counts for the current frame.
    fn frame_id(&self) -> &[u8] {
        self.id.as_deref().unwrap_or(&self.last_event_id)
    }

    /// Sets the id of a frame that has been read.
    fn note_id(&mut self) {
        if let Some(id) = self.id.take() {
            self.last_event_id = id;
        }
    }
}
