//! Guards the encoded events of another producer, frame by frame.

use super::events::Guard;
use crate::decoder::{Decoder, UnreadEvent};
use crate::encode::to_json;
use crate::error::Error;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::protobuf::{self, ProtobufEncoder};
use crate::server::ending::Ending;
use crate::server::wire_format::WireFormat;
use crate::sse;
use crate::types::Event;
use crate::warning::{Warning, Warnings};

/// Takes the frames to send, one by one.
type Sink<'t> = dyn FnMut(&[u8]) + 't;

/// Guards a stream of encoded events on its way to a client. The bytes come in pieces of any size, and whole frames go
/// out. The events of the producer are not encoded anew: their JSON text or message goes out as it came.
///
/// ```
/// use ag_ui_native::Limits;
/// use ag_ui_native::server::{Ending, FrameGuard, Guard, GuardMode};
///
/// let mut guard = FrameGuard::new(Guard::new(GuardMode::Fix, Limits::default()), None)?;
/// let mut sent = String::new();
/// let mut send = |frame: &[u8]| sent.push_str(&String::from_utf8_lossy(frame));
///
/// let begun = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
/// let piece = format!("{begun}data: this is no event\n\n");
/// if guard.feed(piece.as_bytes(), &mut send).is_err() {
///     // The frames before the failure have been sent.
///     guard.end_run(&Ending::agent_failed(None), &mut send)?;
/// }
/// assert!(sent.starts_with(begun) && sent.contains("RUN_ERROR"));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Debug)]
pub struct FrameGuard {
    decoder: Decoder,
    passage: Passage,
}

/// The part behind the decoder.
#[derive(Debug)]
struct Passage {
    guard: Guard,
    frames: FrameWriter,
    warnings: Warnings,
}

/// Writes frames of one wire format.
#[derive(Debug)]
struct FrameWriter {
    /// The encoder of the binary transport; `None` for the text transport.
    encoder: Option<Box<ProtobufEncoder>>,
    frame: Vec<u8>,
}

impl FrameGuard {
    /// Makes a guard for a stream of the given media type; `None` means the text transport.
    ///
    /// # Errors
    /// `wrong_content_type` for other types than those of the two transports.
    pub fn new(guard: Guard, content_type: Option<&str>) -> Result<Self, Error> {
        let limits = guard.limits();
        let is_binary = content_type.is_some_and(protobuf::is_media_type);
        let decoder = Decoder::new(content_type, Rules::of(Profile::Relay), limits)?;
        let frames = FrameWriter::new(is_binary, limits);
        Ok(Self { decoder, passage: Passage { guard, frames, warnings: Warnings::new(&limits) } })
    }

    /// Takes the next bytes. Hands over the frames to send: those of the events that the bytes complete, and of the
    /// events that the guard adds.
    ///
    /// # Errors
    /// The first failure of the stream: bytes that are no event, and what [`Guard::push`] refuses. The frames before it
    /// have been handed over, and none follows. In the mode `Fix`, [`end_run`](Self::end_run) ends the run then.
    pub fn feed(&mut self, bytes: &[u8], take: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        let Self { decoder, passage } = self;
        decoder.feed_unread(bytes, &mut |event| passage.event(event, take))
    }

    /// Ends the stream: in the mode `Fix`, with the events that end an active run.
    ///
    /// # Errors
    /// `stream_truncated` if an event was cut, and in the mode `Error` if a run is active or none has begun.
    pub fn finish(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        let Self { decoder, passage } = self;
        decoder.close_unread(&mut |event| passage.event(event, take))?;
        let count = decoder.event_count();
        let (made, issues) = passage.guard.conclude().map_err(|error| error.of_event(count))?;
        passage.warnings.extend(count, issues);
        passage.frames.made(&made, take)
    }

    /// Hands over the frames that close all open entities and end the run by `ending`: none if the run has ended, and
    /// in other modes than `Fix`.
    pub fn end_run(&mut self, ending: &Ending, take: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        let made = self.passage.guard.end_run(ending)?;
        self.passage.frames.made(&made, take)
    }

    /// The wire format of the stream.
    #[doc(hidden)]
    pub fn wire_format(&self) -> WireFormat {
        if self.passage.frames.encoder.is_some() { WireFormat::Binary } else { WireFormat::Text }
    }

    /// Number of events that have arrived so far.
    #[doc(hidden)]
    pub fn event_count(&self) -> usize {
        self.decoder.event_count()
    }

    /// True if a run is active.
    #[doc(hidden)]
    pub fn is_running(&self) -> bool {
        self.passage.guard.is_running()
    }

    /// Takes the warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        let mut warnings = self.decoder.take_warnings();
        warnings.extend(self.passage.warnings.take());
        warnings.sort_by_key(|warning| warning.event_index);
        warnings
    }

    /// The guard of the events.
    #[doc(hidden)]
    pub fn guard(&mut self) -> &mut Guard {
        &mut self.passage.guard
    }
}

impl Passage {
    /// Hands over the frames for an event that has arrived.
    fn event(&mut self, event: UnreadEvent<'_>, take: &mut Sink<'_>) -> Result<(), Error> {
        let data = event.data();
        event.read_typed(&mut |arrival| {
            let index = arrival.index;
            let guarded = self.guard.push(arrival.value).map_err(|error| error.of_event(index))?;
            self.warnings.extend(index, guarded.issue);
            self.frames.made(&guarded.made, take).map_err(|error| error.of_event(index))?;
            if guarded.passed.is_some() {
                self.frames.passed(data, take);
            }
            Ok(())
        })
    }
}

impl FrameWriter {
    fn new(is_binary: bool, limits: Limits) -> Self {
        let encoder = is_binary.then(|| {
            let mut encoder = ProtobufEncoder::new(Rules::of(Profile::Relay), limits.for_writing());
            encoder.framed = true;
            Box::new(encoder)
        });
        Self { encoder, frame: Vec::new() }
    }

    /// Hands over the frames of events that the guard adds.
    fn made(&mut self, events: &[Event], take: &mut Sink<'_>) -> Result<(), Error> {
        for event in events {
            let json = to_json(event);
            match &mut self.encoder {
                Some(encoder) => take(encoder.encode(json.as_bytes())?.message.unwrap_or_default()),
                None => take(sse::frame(&json).as_bytes()),
            }
        }
        Ok(())
    }

    /// Hands over the frame of an event with this data.
    fn passed(&mut self, data: &[u8], take: &mut Sink<'_>) {
        let Self { encoder, frame } = self;
        frame.clear();
        if encoder.is_some() {
            // The message came in a frame, so its length fits.
            frame.extend_from_slice(&u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
            frame.extend_from_slice(data);
        } else {
            frame.extend_from_slice(sse::BEFORE.as_bytes());
            // The lines of JSON text break between its tokens only.
            let mut rest = data;
            while let Some(end) = memchr::memchr(b'\n', rest) {
                frame.extend_from_slice(&rest[..end]);
                rest = &rest[end + 1..];
            }
            frame.extend_from_slice(rest);
            frame.extend_from_slice(sse::AFTER.as_bytes());
        }
        take(frame);
    }
}
