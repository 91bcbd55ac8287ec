//! The event decoder of Rust programs.

use crate::decoder::{Decoder, Warning};
use crate::error::Error;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::schema::FieldType;
use crate::types::Event;
use crate::validate::TypedBuild;

/// Makes events of the bytes of a response, which may be cut anywhere.
///
/// Every event before a failing one comes out before the failure; after it the decoder takes no more.
///
/// ```
/// use ag_ui_native::stream::EventDecoder;
///
/// let mut decoder = EventDecoder::for_content_type("text/event-stream; charset=utf-8")?;
/// assert_eq!(decoder.feed(b"data: {\"type\":\"RUN_ERROR\",").count(), 0);
/// for event in decoder.feed(b"\"message\":\"no\"}\n\n").chain(decoder.close()) {
///     assert_eq!(event?.tag(), "RUN_ERROR");
/// }
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Debug)]
pub struct EventDecoder {
    decoder: Decoder,
    rules: Rules,
    limits: Limits,
}

impl EventDecoder {
    /// A decoder of the text transport, server-sent events, in the profile `tolerant`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder of the transport that a `Content-Type` header names. Fails with `wrong_content_type` if it is none: an
    /// error page, for example.
    pub fn for_content_type(content_type: &str) -> Result<Self, Error> {
        let (rules, limits) = (Rules::default(), Limits::default());
        Ok(Self { decoder: Decoder::new(Some(content_type), rules, limits)?, rules, limits })
    }

    /// The same of another profile, from the beginning of a stream.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        let lossy = self.rules.lossy;
        self.anew(Rules { lossy, ..Rules::of(profile) })
    }

    /// The same, and text that is not Unicode is replaced with a warning, from the beginning of a stream.
    #[must_use]
    pub fn lossy(self) -> Self {
        let rules = Rules { lossy: true, ..self.rules };
        self.anew(rules)
    }

    fn anew(self, rules: Rules) -> Self {
        Self { decoder: self.decoder.anew(rules, self.limits), rules, ..self }
    }

    /// The same within other limits, from the beginning of a stream.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { decoder: self.decoder.anew(self.rules, limits), limits, ..self }
    }

    /// Takes the next bytes; out come the events that they complete, and behind them the failure if there is one.
    #[must_use = "the failure comes out with the events"]
    pub fn feed(&mut self, bytes: &[u8]) -> impl Iterator<Item = Result<Event, Error>> + Send + use<> {
        let mut events = Vec::new();
        let result = self.decoder.feed(bytes, &mut TypedBuild, &mut |arrival| {
            events.push(Ok(Event::from_validated(Some(arrival.value))));
            Ok(())
        });
        events.extend(result.err().map(Err));
        events.into_iter()
    }

    /// Ends the stream; an event that lacks only its blank line comes out. Fails with `stream_truncated` if one was cut, and
    /// with `wrong_content_type` if the bytes were no event stream.
    #[must_use = "the failure comes out with the events"]
    pub fn close(&mut self) -> impl Iterator<Item = Result<Event, Error>> + Send + use<> {
        let mut events = Vec::new();
        let result = self.decoder.close(&mut TypedBuild, &mut |arrival| {
            events.push(Ok(Event::from_validated(Some(arrival.value))));
            Ok(())
        });
        events.extend(result.err().map(Err));
        events.into_iter()
    }

    /// What was repaired or left out since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.decoder.take_warnings()
    }

    /// The id last set in the stream, to resume from; empty if there is none.
    pub fn last_event_id(&self) -> &[u8] {
        self.decoder.last_event_id()
    }

    /// How long the server asks to wait before connecting again, in milliseconds.
    pub fn retry(&self) -> Option<u64> {
        self.decoder.retry()
    }
}

impl Default for EventDecoder {
    fn default() -> Self {
        let (rules, limits) = (Rules::default(), Limits::default());
        Self { decoder: Decoder::of_text(rules, limits), rules, limits }
    }
}
