//! The event decoder: takes the bytes of a stream and gives the host's form of its events.

use crate::decode::{Decoded, DocumentReader, JsonText, Unread, is_incomplete};
use crate::error::{Code, Error, Issue};
use crate::limits::Limits;
use crate::media_type::{essence, is_type};
use crate::profile::{Profile, Rules};
use crate::protobuf::{self, FrameReader};
use crate::schema::Variant;
use crate::sse::{self, Frame, SseReader};
use crate::typed::to_event;
use crate::types::Event;
use crate::validate::{Build, PlainEvent, TypedBuild};
pub use crate::warning::{Warning, Warnings};

/// An event that has been decoded.
#[derive(Debug)]
pub struct Arrival<'s, V> {
    /// Its index in the stream, counting from 0; events left out count too.
    pub index: usize,
    /// The host's form of the event.
    pub value: V,
    /// The issues of its repairs; the decoder keeps them as warnings.
    pub issues: &'s [Issue],
}

/// Reads the events of a stream one by one, each from its JSON text.
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
    /// The event differs from its text: a part was repaired, dropped or filled in.
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

    /// Reads the next event; `None` if the rules drop it.
    pub fn read<'a>(&mut self, json: impl Into<JsonText<'a>>) -> Result<Option<ReadEvent>, Error> {
        let decoded = self.reader.typed_event(json);
        self.taken(decoded)
    }

    /// Reads the next event as [`DocumentReader::strings`] does.
    pub fn read_strings(&mut self, place: usize, strings: &[&str]) -> Option<ReadEvent> {
        let decoded = self.reader.strings(place, strings, &mut TypedBuild)?;
        self.taken(Ok(to_event(decoded))).ok().flatten()
    }

    fn taken(&mut self, decoded: Result<Decoded<Event>, Error>) -> Result<Option<ReadEvent>, Error> {
        let index = self.count;
        self.count += 1;
        let decoded = decoded.map_err(|error| error.of_event(index))?;
        let (repaired, incomplete) = (decoded.repaired, is_incomplete(&decoded.warnings));
        self.warnings.extend(index, decoded.warnings);
        Ok(decoded.value.map(|event| ReadEvent { index, event, repaired, incomplete }))
    }

    /// Counts events that the caller skipped, since there was nothing to check in them.
    pub fn skip(&mut self, events: usize) {
        self.count += events;
    }

    /// Sets the index of the next event. The events before it were read elsewhere, or were made by expanding one event
    /// of the stream.
    pub fn go_to(&mut self, index: usize) {
        self.count = index;
    }

    /// Number of events read so far.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a warning about an event, after those of its reading.
    pub fn warn(&mut self, event_index: usize, issue: Issue) {
        self.warnings.push(event_index, issue);
    }

    /// The warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.warnings.take()
    }
}

/// Takes decoded events. An error stops the stream.
pub type Sink<'t, V> = dyn FnMut(Arrival<'_, V>) -> Result<(), Error> + 't;

/// Takes events that are not read yet.
type UnreadSink<'t> = dyn FnMut(UnreadEvent<'_>) -> Result<(), Error> + 't;

/// Decodes a stream of events that arrives in pieces of any size.
///
/// A failure ends the stream: the events before it have been handed over, and none follows.
#[derive(Debug)]
pub struct Decoder {
    frames: FrameSplitter,
    events: Events,
}

/// Splits the bytes of a transport into frames.
#[derive(Debug)]
enum FrameSplitter {
    Text(Box<SseReader>),
    Binary(FrameReader),
}

#[derive(Debug)]
struct Events {
    reader: DocumentReader,
    progress: Progress,
}

/// The progress of a stream.
#[derive(Debug)]
struct Progress {
    /// Number of events read so far.
    count: usize,
    /// The last event was RUN_FINISHED or RUN_ERROR.
    run_ended: bool,
    failed: bool,
    warnings: Warnings,
}

/// An event that has arrived and is not read yet.
#[derive(Debug)]
pub(crate) struct UnreadEvent<'d> {
    reader: &'d mut DocumentReader,
    progress: &'d mut Progress,
    event: Unread<'d>,
    data: &'d [u8],
}

impl Decoder {
    /// A decoder for a response of the given media type; `None` means the text transport.
    pub fn new(content_type: Option<&str>, rules: Rules, limits: Limits) -> Result<Self, Error> {
        let is_binary = content_type.is_some_and(protobuf::is_media_type);
        if !is_binary {
            content_type.map_or(Ok(()), check_content_type)?;
        }
        Ok(Self::of(is_binary, rules, limits))
    }

    fn of(is_binary: bool, rules: Rules, limits: Limits) -> Self {
        let frames = if is_binary {
            FrameSplitter::Binary(FrameReader::new(limits.event_bytes))
        } else {
            FrameSplitter::Text(Box::new(SseReader::new(&limits)))
        };
        let mut reader = DocumentReader::new(Profile::default(), limits);
        reader.rules = rules;
        let warnings = Warnings::new(&limits);
        let progress = Progress { count: 0, run_ended: false, failed: false, warnings };
        Self { frames, events: Events { reader, progress } }
    }

    /// A decoder of the text transport.
    pub(crate) fn of_text(rules: Rules, limits: Limits) -> Self {
        Self::of(false, rules, limits)
    }

    /// A new decoder for the same transport.
    pub(crate) fn anew(&self, rules: Rules, limits: Limits) -> Self {
        Self::of(matches!(self.frames, FrameSplitter::Binary(_)), rules, limits)
    }

    /// Reads `chunk` and hands each completed event to `take`, in the form that `build` makes.
    pub fn feed<B: Build>(
        &mut self,
        chunk: &[u8],
        build: &mut B,
        take: &mut Sink<'_, B::Value>,
    ) -> Result<(), Error> {
        self.feed_unread(chunk, &mut |event| event.read(build, take))
    }

    /// Like [`feed`](Self::feed), with events that are not read yet.
    pub(crate) fn feed_unread(&mut self, chunk: &[u8], take: &mut UnreadSink<'_>) -> Result<(), Error> {
        let Self { frames, events } = self;
        events.progress.check_alive()?;
        let result = match frames {
            FrameSplitter::Text(frames) => frames.feed(chunk, &mut |frame| events.frame(frame, take)),
            FrameSplitter::Binary(frames) => frames.feed(chunk, &mut |message| events.message(message, take)),
        };
        events.progress.note(result)
    }

    /// Ends the stream: hands over an event that lacks only its blank line. Fails if an event was cut, or if none of the lines
    /// belongs to an event stream.
    pub fn close<B: Build>(&mut self, build: &mut B, take: &mut Sink<'_, B::Value>) -> Result<(), Error> {
        self.close_unread(&mut |event| event.read(build, take))
    }

    /// Like [`close`](Self::close), with events that are not read yet.
    pub(crate) fn close_unread(&mut self, take: &mut UnreadSink<'_>) -> Result<(), Error> {
        let Self { frames, events } = self;
        events.progress.check_alive()?;
        let result = match frames {
            FrameSplitter::Text(frames) => {
                let mut last = |frame: Frame<'_>| {
                    events.frame(frame, take).map_err(|error| as_truncated(error, frame.data))
                };
                let result = frames.finish(&mut last);
                if frames.is_foreign() { Err(not_an_event_stream()) } else { result }
            }
            FrameSplitter::Binary(frames) => frames.finish(),
        };
        events.progress.note(result)
    }

    /// The warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.events.progress.warnings.take()
    }

    /// Number of events read so far, with the dropped ones.
    pub fn event_count(&self) -> usize {
        self.events.progress.count
    }

    /// The id last set in the stream, to resume from. The binary transport has none.
    pub fn last_event_id(&self) -> &[u8] {
        match &self.frames {
            FrameSplitter::Text(frames) => frames.last_event_id(),
            FrameSplitter::Binary(_) => &[],
        }
    }

    /// The pause that the server asks for before a new connection, in milliseconds.
    pub fn retry(&self) -> Option<u64> {
        match &self.frames {
            FrameSplitter::Text(frames) => frames.retry(),
            FrameSplitter::Binary(_) => None,
        }
    }
}

impl Events {
    fn frame(&mut self, frame: Frame<'_>, take: &mut UnreadSink<'_>) -> Result<(), Error> {
        let Self { reader, progress } = self;
        if frame.data == b"[DONE]" {
            return progress.done_marker();
        }
        let data = frame.data;
        if let Some(text) = reader.whole_text(data.into()) {
            return take(UnreadEvent { reader, progress, event: Unread::Text(text, Vec::new()), data });
        }
        let repaired = reader.repaired_text(data.into());
        let (text, issues) = repaired.map_err(|error| error.of_event(progress.count))?;
        take(UnreadEvent { reader, progress, event: Unread::Text(&text, issues), data })
    }

    fn message(&mut self, message: &[u8], take: &mut UnreadSink<'_>) -> Result<(), Error> {
        let Self { reader, progress } = self;
        let index = progress.count;
        let data = message;
        let taken =
            reader.open_message(message, |reader, event| take(UnreadEvent { reader, progress, event, data }));
        taken.map_err(|error| if error.event_index.is_some() { error } else { error.of_event(index) })
    }
}

impl<'d> UnreadEvent<'d> {
    /// The data of its frame, as they arrived: JSON text, or a protobuf message.
    pub fn data(&self) -> &'d [u8] {
        self.data
    }

    /// The event, if it seems plainly valid, to look at before it is read.
    pub fn plain(&mut self) -> Option<PlainEvent<'_>> {
        self.reader.plain(&self.event)
    }

    /// Counts the event as read and plainly valid. Returns its index.
    pub fn pass(self) -> usize {
        let Self { progress, .. } = self;
        progress.run_ended = false;
        progress.count += 1;
        progress.count - 1
    }

    /// Reads the event, and hands it over unless it is dropped.
    pub fn read<B: Build>(self, build: &mut B, take: &mut Sink<'_, B::Value>) -> Result<(), Error> {
        let decoded = self.reader.unread(self.event, build);
        self.progress.decoded(decoded, take)
    }

    /// Like [`read`](Self::read), into the struct of the event.
    pub fn read_typed(self, take: &mut Sink<'_, Event>) -> Result<(), Error> {
        let decoded = self.reader.unread_event(self.event);
        self.progress.decoded(decoded, take)
    }

    /// Reads an event that is not plainly valid.
    pub fn read_generally<B: Build>(self, build: &mut B, take: &mut Sink<'_, B::Value>) -> Result<(), Error> {
        let decoded = self.reader.unread_generally(self.event, build);
        self.progress.decoded(decoded, take)
    }

    /// Hands over the value of an event that was plainly valid.
    pub fn made<V>(self, value: V, of: &Variant, take: &mut Sink<'_, V>) -> Result<(), Error> {
        self.progress.decoded(Ok(Decoded::plain(value, Some(of))), take)
    }
}

impl Progress {
    fn check_alive(&self) -> Result<(), Error> {
        if self.failed { Err(Error::new(Code::DecoderFailed, "")) } else { Ok(()) }
    }

    fn note(&mut self, result: Result<(), Error>) -> Result<(), Error> {
        self.failed = result.is_err();
        result.map_err(|error| if error.event_index.is_some() { error } else { error.of_event(self.count) })
    }

    fn decoded<V>(
        &mut self,
        decoded: Result<Decoded<V>, Error>,
        take: &mut Sink<'_, V>,
    ) -> Result<(), Error> {
        let index = self.count;
        let decoded = decoded.map_err(|error| error.of_event(index))?;
        self.count += 1;
        self.run_ended = decoded.ends_run;
        let issues = decoded.warnings;
        let taken = decoded.value.map_or(Ok(()), |value| take(Arrival { index, value, issues: &issues }));
        self.warnings.extend(index, issues);
        taken
    }

    /// `[DONE]` ends the streams of other protocols. It is ignored after the end of a run.
    fn done_marker(&mut self) -> Result<(), Error> {
        let index = self.count;
        let issue = done_marker(self.run_ended).map_err(|error| error.of_event(index))?;
        self.warnings.push(index, issue);
        Ok(())
    }
}

/// Marks JSON that breaks off at the end of a stream as truncated, whatever its error.
fn as_truncated(mut error: Error, data: &[u8]) -> Error {
    if let Some(issue) = error.issues.first_mut() {
        if matches!(issue.code, Code::InvalidJson | Code::InvalidUtf8) {
            issue.code = Code::StreamTruncated;
        } else if breaks_off(data) {
            return Error::new(Code::StreamTruncated, "the text ends within a value");
        }
    }
    error
}

/// True if text that begins like a JSON object or list breaks off inside it.
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

/// Returns the warning about `[DONE]`.
///
/// # Errors
/// `done_marker` before the end of a run.
pub fn done_marker(has_run_ended: bool) -> Result<Issue, Error> {
    if has_run_ended {
        Ok(Issue::new(Code::DoneMarker, "", "ignored").advise("leave it out"))
    } else {
        Err(Error::new(Code::DoneMarker, "it came before the end of the run"))
    }
}

/// The error of a text stream without a line of an event stream.
pub fn not_an_event_stream() -> Error {
    Error::new(Code::WrongContentType, "no line belongs to an event stream")
}

/// Refuses a response that is not an event stream: an error page with status 200, for example.
fn check_content_type(content_type: &str) -> Result<(), Error> {
    if is_type(content_type, sse::MEDIA_TYPE) {
        return Ok(());
    }
    let shown: String = essence(content_type).chars().take(64).collect();
    let expected = format!("expected {} or {}, got {shown}", sse::MEDIA_TYPE, protobuf::MEDIA_TYPE);
    Err(Error::new(Code::WrongContentType, expected))
}
