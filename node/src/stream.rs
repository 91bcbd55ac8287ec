//! One stream being decoded, and single events.

use ag_ui_native::decode::DocumentReader;
use ag_ui_native::error::Error;
use ag_ui_native::stream::{EventDecoder, Warning};
use ag_ui_native::{Object, Value};

use crate::events::{EventBuild, Piece};
use crate::options::Options;
use crate::problems;
use crate::tape::Tape;

/// Reads one event: JSON text of the event, if it is not left out, and of the warnings.
pub fn decode_event(json: &str, options: &str) -> Result<String, Error> {
    let options = Options::parse(options)?;
    let mut reader = DocumentReader::new(ag_ui_native::Profile::default(), options.limits);
    reader.rules = options.rules;
    let mut build = EventBuild::new(options.rules.lossy);
    let decoded = reader.event(json.as_bytes(), &mut build)?;
    let warnings: Vec<Warning> =
        decoded.warnings.into_iter().map(|issue| Warning { event_index: 0, issue }).collect();
    let event = decoded.value.map(|event| build.json_of(event)).map(|event| format!("\"event\":{event},"));
    Ok(format!("{{{}\"warnings\":{}}}", event.unwrap_or_default(), problems::warnings(&warnings)))
}

/// Decodes one stream, and keeps what JavaScript asks for afterwards.
#[derive(Debug)]
pub struct Decoder {
    events: EventDecoder,
    build: EventBuild,
    pieces: Vec<Piece>,
    /// What the last call made.
    pub tape: Tape,
    /// Why the last call failed.
    pub error: Option<Error>,
    warnings: Vec<Warning>,
}

impl Decoder {
    /// A decoder for the options' JSON text.
    pub fn new(options: &str) -> Result<Self, Error> {
        let Options { content_type, rules, limits } = Options::parse(options)?;
        Ok(Self {
            events: EventDecoder::new(content_type.as_deref(), rules, limits)?,
            build: EventBuild::new(rules.lossy),
            pieces: Vec::new(),
            tape: Tape::default(),
            error: None,
            warnings: Vec::new(),
        })
    }

    /// Reads a chunk; none ends the stream.
    pub fn read(&mut self, chunk: Option<&[u8]>) {
        let Self { events, build, pieces, .. } = self;
        build.clear(pieces);
        let mut take = |piece| pieces.push(piece);
        let result = match chunk {
            Some(chunk) => events.feed(chunk, build, &mut take),
            None => events.close(build, &mut take),
        };
        self.error = result.err();
        self.warnings.extend(self.events.take_warnings());
        self.tape.pack(&self.pieces, &self.build);
    }

    /// Ends the stream with a failure that did not come from its input.
    pub fn fail(&mut self, error: Error) {
        self.error = Some(error);
        self.tape = Tape::default();
    }

    /// Whether there are warnings to ask for.
    pub fn has_warnings(&self) -> bool {
        !self.warnings.is_empty()
    }

    /// The warnings since the last time, as JSON text.
    pub fn take_warnings(&mut self) -> String {
        problems::warnings(&std::mem::take(&mut self.warnings))
    }

    /// The last event id and the retry time, as JSON text.
    pub fn resume(&self) -> String {
        let mut object = Object::default();
        object.insert("lastEventId", String::from_utf8_lossy(self.events.last_event_id()).into_owned());
        let retry = self.events.retry().and_then(|retry| i64::try_from(retry).ok());
        object.insert("retry", retry.map_or(Value::Null, Value::from));
        problems::text(&object.into())
    }
}
