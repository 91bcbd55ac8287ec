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

/// Reads frames out of bytes that arrive in pieces of any size.
#[derive(Debug)]
pub struct SseReader {
    /// Longest frame, in bytes of its data.
    limit: usize,
    id_limit: usize,
    /// The unfinished line at the end of what was fed.
    line: Vec<u8>,
    data: Vec<u8>,
    /// True if the frame has a data line: an empty one counts.
    has_data: bool,
    event: Vec<u8>,
    /// The id that the frame sets, if it has one; it does not count before the frame has been read.
    id: Option<Vec<u8>>,
    /// The id as of the last frame that was read.
    last_event_id: Vec<u8>,
    retry: Option<u64>,
    /// The last byte fed was a carriage return, so a line feed at the start of the next piece belongs to it.
    after_return: bool,
    /// No line has been read yet, so a byte order mark may stand in front.
    at_start: bool,
    /// What the lines so far say about what this is.
    seen: Detected,
}

/// What a stream turns out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detected {
    /// There was no line that says anything.
    Nothing,
    /// There were lines, and none of an event stream.
    Foreign,
    /// There was a comment, or a field that event streams have.
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
            after_return: false,
            at_start: true,
            seen: Detected::Nothing,
        }
    }

    /// The id last set in the stream, to resume from. That of a frame that was cut or refused does not count.
    pub fn last_event_id(&self) -> &[u8] {
        &self.last_event_id
    }

    /// How long the server asks to wait before connecting again, in milliseconds.
    pub fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// True if there were lines, and none that an event stream has: it is something else.
    pub fn is_foreign(&self) -> bool {
        self.seen == Detected::Foreign
    }

    /// Reads `chunk` and hands every frame it completes to `take`, in order. Stops at the first failure.
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

    /// Ends the stream: a last event that lacks only its blank line, or the end of its last line, is handed over.
    pub fn finish(&mut self, take: &mut dyn FnMut(Frame<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let line = std::mem::take(&mut self.line);
        let is_cut = |field: &&[u8]| field.len() > line.len() && field.starts_with(&line);
        if !FIELDS.iter().any(is_cut) {
            self.line(&line, b"", take)?;
        }
        // Without data nothing was lost, and an id alone does not count before its blank line.
        if self.has_data { self.dispatch(take) } else { Ok(()) }
    }

    /// Refuses a line, finished or not, that is too long for any event: the verdict must not depend on where the
    /// stream was cut.
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
            // Comments, which have no name, say little behind lines of another kind.
            let is_known = FIELDS.contains(&name) || name.is_empty() && self.seen == Detected::Nothing;
            self.seen = if is_known { Detected::EventStream } else { Detected::Foreign };
        }
        match name {
            b"data" => {
                self.check(self.data.len() + usize::from(self.has_data) + value.len())?;
                let ends_frame = rest.first() == Some(&b'\n');
                if ends_frame && !self.has_data && !value.is_empty() {
                    // The usual frame, one line and whole: handed over without a copy. Its blank line then ends
                    // a frame without data, which is none.
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

    /// The blank line: hands the frame over unless it has no data line.
    fn dispatch(&mut self, take: &mut dyn FnMut(Frame<'_>) -> Result<(), Error>) -> Result<(), Error> {
        let result = if self.has_data {
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

    /// The id as of the frame that is being read.
    fn frame_id(&self) -> &[u8] {
        self.id.as_deref().unwrap_or(&self.last_event_id)
    }

    /// The frame has been read: its id counts.
    fn note_id(&mut self) {
        if let Some(id) = self.id.take() {
            self.last_event_id = id;
        }
    }
}
