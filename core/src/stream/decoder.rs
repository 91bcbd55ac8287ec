//! The event decoder of Rust programs.

use crate::decoder::{Arrival, Decoder, Warning};
use crate::error::Error;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::types::Event;

/// Decodes events from the bytes of a response, which may be cut at any place.
///
/// Events before a failing one are returned before the failure. After a failure the decoder takes no
/// more bytes.
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

    /// A decoder of the transport that a `Content-Type` header names. Fails with `wrong_content_type` for other types,
    /// such as that of an error page.
    pub fn for_content_type(content_type: &str) -> Result<Self, Error> {
        let (rules, limits) = (Rules::default(), Limits::default());
        Ok(Self { decoder: Decoder::new(Some(content_type), rules, limits)?, rules, limits })
    }

    /// Sets the profile. The decoder begins a new stream.
    #[must_use]
    pub fn with_profile(self, profile: Profile) -> Self {
        let replace_invalid_text = self.rules.replace_invalid_text;
        self.anew(Rules { replace_invalid_text, ..Rules::of(profile) })
    }

    /// Replaces text that is not Unicode, with a warning, instead of refusing it. The decoder begins a new stream.
    #[must_use]
    pub fn replace_invalid_text(self) -> Self {
        let rules = Rules { replace_invalid_text: true, ..self.rules };
        self.anew(rules)
    }

    fn anew(self, rules: Rules) -> Self {
        Self { decoder: self.decoder.anew(rules, self.limits), rules, ..self }
    }

    /// Sets the limits. The decoder begins a new stream.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { decoder: self.decoder.anew(self.rules, limits), limits, ..self }
    }

    /// Takes the next bytes. Returns the events that they complete, and last the failure if there is one.
    #[must_use = "the failure comes out with the events"]
    pub fn feed(&mut self, bytes: &[u8]) -> impl Iterator<Item = Result<Event, Error>> + Send + use<> {
        // Few events are shorter.
        let mut events = Vec::with_capacity(1 + (bytes.len() / 128).min(256));
        let mut take = |arrival: Arrival<'_, Event>| {
            events.push(Ok(arrival.value));
            Ok(())
        };
        let result = self.decoder.feed_unread(bytes, &mut |event| event.read_typed(&mut take));
        events.extend(result.err().map(Err));
        events.into_iter()
    }

    /// Ends the stream. Returns an event that lacks only its blank line. Fails with `stream_truncated` if an event was cut,
    /// and with `wrong_content_type` if the bytes were no event stream.
    #[must_use = "the failure comes out with the events"]
    pub fn close(&mut self) -> impl Iterator<Item = Result<Event, Error>> + Send + use<> {
        let mut events = Vec::new();
        let mut take = |arrival: Arrival<'_, Event>| {
            events.push(Ok(arrival.value));
            Ok(())
        };
        let result = self.decoder.close_unread(&mut |event| event.read_typed(&mut take));
        events.extend(result.err().map(Err));
        events.into_iter()
    }

    /// Takes the warnings since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.decoder.take_warnings()
    }

    /// The id last set in the stream, to resume from; empty if there is none.
    ///
    /// ```
    /// use ag_ui_native::Profile;
    /// use ag_ui_native::stream::EventDecoder;
    ///
    /// let mut decoder = EventDecoder::new().with_profile(Profile::Strict).replace_invalid_text();
    /// assert_eq!(decoder.feed(b"id: 7\nretry: 3000\ndata: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m1\"}\n\n").count(), 1);
    /// assert_eq!((decoder.last_event_id(), decoder.retry()), (&b"7"[..], Some(3000)));
    /// ```
    pub fn last_event_id(&self) -> &[u8] {
        self.decoder.last_event_id()
    }

    /// The pause that the server asks for before a new connection, in milliseconds.
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
