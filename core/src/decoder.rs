//! The event decoder: bytes of a stream in, out comes what a host makes of its events.

use crate::decode::{Decoded, DocumentReader, JsonText, is_incomplete};
use crate::error::{Code, Error, Issue};
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::protobuf::{self, FrameReader};
use crate::schema::{FieldType, Validated};
use crate::sse::{self, Frame, SseReader};
use crate::types::Event;
use crate::validate::Build;
use crate::validate::TypedBuild;
pub use crate::warning::{Warning, Warnings};

/// An event that has been decoded.
#[derive(Debug)]
pub struct Arrival<'s, V> {
    /// Its index in the stream, counting from 0; events left out count too.
    pub index: usize,
    /// What was made of it.
    pub value: V,
    /// What was repaired or left out of it; the decoder keeps these as warnings.
    pub issues: &'s [Issue],
}

/// Reads the events of a stream that are at hand one by one, each as its JSON text.
#[derive(Debug)]
pub struct EventReader {
    reader: DocumentReader,
    count: usize,
    warnings: Warnings,
}

/// An event that has been read.
#[derive(Debug)]
pub struct ReadEvent {
    /// Its index in the stream, counting from 0; events left out count too.
    pub index: usize,
    /// The event.
    pub event: Event,
    /// It is not quite what was given: something was repaired, left out or filled in.
    pub repaired: bool,
    /// Operations of its patch were left out.
    pub incomplete: bool,
}

impl EventReader {
    /// A reader with the given rules.
    pub fn new(rules: Rules, limits: Limits) -> Self {
        let mut reader = DocumentReader::new(Profile::default(), limits);
        reader.rules = rules;
        Self { reader, count: 0, warnings: Warnings::new(&limits) }
    }

    /// A reader that also completes what it reads, as enforcement does.
    pub fn enforcing(rules: Rules, limits: Limits) -> Self {
        Self::new(rules.enforcing(), limits)
    }

    /// Reads the next event; nothing if the rules leave it out.
    pub fn read<'a>(&mut self, json: impl Into<JsonText<'a>>) -> Result<Option<ReadEvent>, Error> {
        let decoded = self.reader.event(json, &mut TypedBuild);
        self.taken(decoded)
    }

    /// Reads the next event as [`DocumentReader::strings`] does.
    pub fn read_strings(&mut self, place: usize, strings: &[&str]) -> Option<ReadEvent> {
        let decoded = self.reader.strings(place, strings, &mut TypedBuild)?;
        self.taken(Ok(decoded)).ok().flatten()
    }

    fn taken(&mut self, decoded: Result<Decoded<Validated>, Error>) -> Result<Option<ReadEvent>, Error> {
        let index = self.count;
        self.count += 1;
        let decoded = decoded.map_err(|error| error.of_event(index))?;
        let (repaired, incomplete) = (decoded.repaired, is_incomplete(&decoded.warnings));
        self.warnings.extend(index, decoded.warnings);
        let event = decoded.value.map(|value| Event::from_validated(Some(value)));
        Ok(event.map(|event| ReadEvent { index, event, repaired, incomplete }))
    }

    /// Counts events that were not handed over, since nothing could be said of them.
    pub fn skip(&mut self, events: usize) {
        self.count += events;
    }

    /// How many events have been read.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a warning about an event, behind those of reading it.
    pub fn warn(&mut self, event_index: usize, issue: Issue) {
        self.warnings.push(event_index, issue);
    }

    /// The warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.warnings.take()
    }
}

/// Where decoded events go. An error stops the stream.
pub type Sink<'t, V> = dyn FnMut(Arrival<'_, V>) -> Result<(), Error> + 't;

/// The same, where what takes events has a part in making them.
type SinkWith<'t, B> = dyn FnMut(Arrival<'_, <B as Build>::Value>, &mut B) -> Result<(), Error> + 't;

/// Decodes a stream of events that arrives in pieces of any size.
///
/// A failure ends the stream: what came before it has been handed over, nothing after it will be.
#[derive(Debug)]
pub struct Decoder {
    frames: Frames,
    events: Events,
}

/// What takes the transport apart.
#[derive(Debug)]
enum Frames {
    Text(Box<SseReader>),
    Binary(FrameReader),
}

#[derive(Debug)]
struct Events {
    reader: DocumentReader,
    /// Number of events read so far.
    count: usize,
    /// The last event was RUN_FINISHED or RUN_ERROR.
    run_ended: bool,
    failed: bool,
    warnings: Warnings,
}

impl Decoder {
    /// A decoder for a response of the given media type; none means that of the text transport.
    pub fn new(content_type: Option<&str>, rules: Rules, limits: Limits) -> Result<Self, Error> {
        let is_binary = content_type.is_some_and(protobuf::is_media_type);
        if !is_binary {
            content_type.map_or(Ok(()), check_content_type)?;
        }
        Ok(Self::of(is_binary, rules, limits))
    }

    fn of(is_binary: bool, rules: Rules, limits: Limits) -> Self {
        let frames = if is_binary {
            Frames::Binary(FrameReader::new(limits.event_bytes))
        } else {
            Frames::Text(Box::new(SseReader::new(&limits)))
        };
        let mut reader = DocumentReader::new(Profile::default(), limits);
        reader.rules = rules;
        let events =
            Events { reader, count: 0, run_ended: false, failed: false, warnings: Warnings::new(&limits) };
        Self { frames, events }
    }

    /// A decoder of the text transport.
    pub(crate) fn of_text(rules: Rules, limits: Limits) -> Self {
        Self::of(false, rules, limits)
    }

    /// A new one for the same transport.
    pub(crate) fn anew(&self, rules: Rules, limits: Limits) -> Self {
        Self::of(matches!(self.frames, Frames::Binary(_)), rules, limits)
    }

    /// Reads `chunk` and hands every event it completes to `take`, made by `build`.
    pub fn feed<B: Build>(
        &mut self,
        chunk: &[u8],
        build: &mut B,
        take: &mut Sink<'_, B::Value>,
    ) -> Result<(), Error> {
        self.feed_with(chunk, build, &mut |arrival, _| take(arrival))
    }

    /// The same, and `take` has the builder between two events.
    pub(crate) fn feed_with<B: Build>(
        &mut self,
        chunk: &[u8],
        build: &mut B,
        take: &mut SinkWith<'_, B>,
    ) -> Result<(), Error> {
        let Self { frames, events } = self;
        events.check_alive()?;
        let result = match frames {
            Frames::Text(frames) => frames.feed(chunk, &mut |frame| events.frame(frame, build, take)),
            Frames::Binary(frames) => frames.feed(chunk, &mut |message| events.message(message, build, take)),
        };
        events.note(result)
    }

    /// Ends the stream: hands over an event that lacks only its blank line. Fails if one was cut, and if bytes came of which no
    /// line is one of an event stream.
    pub fn close<B: Build>(&mut self, build: &mut B, take: &mut Sink<'_, B::Value>) -> Result<(), Error> {
        self.close_with(build, &mut |arrival, _| take(arrival))
    }

    /// The same, and `take` has the builder behind the event.
    pub(crate) fn close_with<B: Build>(
        &mut self,
        build: &mut B,
        take: &mut SinkWith<'_, B>,
    ) -> Result<(), Error> {
        let Self { frames, events } = self;
        events.check_alive()?;
        let result = match frames {
            Frames::Text(frames) => {
                let mut last = |frame: Frame<'_>| {
                    events.frame(frame, build, take).map_err(|error| as_truncated(error, frame.data))
                };
                let result = frames.finish(&mut last);
                if frames.is_foreign() { Err(not_an_event_stream()) } else { result }
            }
            Frames::Binary(frames) => frames.finish(),
        };
        events.note(result)
    }

    /// The warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.events.warnings.take()
    }

    /// Number of events read so far, those left out included.
    pub fn event_count(&self) -> usize {
        self.events.count
    }

    /// The id last set in the stream, to resume from. The binary transport has none.
    pub fn last_event_id(&self) -> &[u8] {
        match &self.frames {
            Frames::Text(frames) => frames.last_event_id(),
            Frames::Binary(_) => &[],
        }
    }

    /// How long the server asks to wait before connecting again, in milliseconds.
    pub fn retry(&self) -> Option<u64> {
        match &self.frames {
            Frames::Text(frames) => frames.retry(),
            Frames::Binary(_) => None,
        }
    }
}

impl Events {
    fn check_alive(&self) -> Result<(), Error> {
        if self.failed { Err(Error::new(Code::DecoderFailed, "")) } else { Ok(()) }
    }

    fn note(&mut self, result: Result<(), Error>) -> Result<(), Error> {
        self.failed = result.is_err();
        result.map_err(|error| if error.event_index.is_some() { error } else { error.of_event(self.count) })
    }

    fn frame<B: Build>(
        &mut self,
        frame: Frame<'_>,
        build: &mut B,
        take: &mut SinkWith<'_, B>,
    ) -> Result<(), Error> {
        let index = self.count;
        if frame.data == b"[DONE]" {
            return self.done_marker(index);
        }
        let decoded = self.reader.event(frame.data, build).map_err(|error| error.of_event(index))?;
        self.decoded(decoded, build, take)
    }

    fn message<B: Build>(
        &mut self,
        message: &[u8],
        build: &mut B,
        take: &mut SinkWith<'_, B>,
    ) -> Result<(), Error> {
        let decoded = self.reader.protobuf(message, build).map_err(|error| error.of_event(self.count))?;
        self.decoded(decoded, build, take)
    }

    fn decoded<B: Build>(
        &mut self,
        decoded: Decoded<B::Value>,
        build: &mut B,
        take: &mut SinkWith<'_, B>,
    ) -> Result<(), Error> {
        let index = self.count;
        self.count += 1;
        self.run_ended = decoded.ends_run;
        let issues = decoded.warnings;
        let taken =
            decoded.value.map_or(Ok(()), |value| take(Arrival { index, value, issues: &issues }, build));
        self.warnings.extend(index, issues);
        taken
    }

    /// `[DONE]` closes the streams of other protocols; behind the end of a run it does no harm.
    fn done_marker(&mut self, index: usize) -> Result<(), Error> {
        if !self.run_ended {
            return Err(Error::new(Code::DoneMarker, "no run has ended").of_event(index));
        }
        let issue = Issue::new(Code::DoneMarker, "", "ignored").advise("leave it out");
        self.warnings.push(index, issue);
        Ok(())
    }
}

/// JSON that breaks off at the end of a stream was cut with it, whatever its text says until there.
fn as_truncated(mut error: Error, data: &[u8]) -> Error {
    if let Some(issue) = error.issues.first_mut() {
        if matches!(issue.code, Code::InvalidJson | Code::InvalidUtf8) {
            issue.code = Code::StreamTruncated;
        } else if breaks_off(data) {
            return Error::new(Code::StreamTruncated, "the text breaks off");
        }
    }
    error
}

/// Whether text that begins like a JSON object or list ends before that does.
fn breaks_off(text: &[u8]) -> bool {
    let (mut depth, mut in_string, mut bytes) = (0_usize, false, text.iter());
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if in_string => drop(bytes.next()),
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    in_string || depth > 0
}

fn not_an_event_stream() -> Error {
    Error::new(Code::WrongContentType, "no line is one of an event stream")
}

/// Refuses a response that is not an event stream: an error page with status 200, for example.
fn check_content_type(content_type: &str) -> Result<(), Error> {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case(sse::MEDIA_TYPE) {
        return Ok(());
    }
    let shown: String = essence.chars().take(64).collect();
    let expected = format!("expected {} or {}, got {shown}", sse::MEDIA_TYPE, protobuf::MEDIA_TYPE);
    Err(Error::new(Code::WrongContentType, expected))
}
