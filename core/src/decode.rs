//! Reads events and other values from single documents.

use crate::compat::Boundary;
use crate::error::{Code, Error, Issue};
use crate::json::{Input, ParseOptions, Tape};
use crate::limits::Limits;
use crate::profile::{Profile, Rules, Undeclared, UnsafeIntegers};
use crate::protobuf::{PlainStrings, ProtobufReader, ReadMessage};
pub use crate::schema::DeclaredType;
use crate::schema::{Kind, Variant};
use crate::types::Event;
use crate::validate::{Build, EventVerdict, PlainEvent, Validator};

/// Reads single documents. It keeps its memory from one document to the next.
#[derive(Debug)]
pub struct DocumentReader {
    /// The rules of reading.
    pub rules: Rules,
    /// Limits on the cost of a document.
    pub limits: Limits,
    /// Takes the fast path through documents that are plainly valid. The result is the same on both
    /// paths.
    pub fast_path: bool,
    /// Translates the shapes of 0.x, if the rules ask for it. It remembers what one event says about later ones.
    pub boundary: Boundary,
    pub(crate) tape: Tape,
    protobuf: ProtobufReader,
}

/// A JSON document as it arrived.
#[derive(Clone, Copy, Debug)]
pub enum JsonText<'a> {
    /// Text, which is known to be UTF-8.
    Str(&'a str),
    /// Bytes.
    Bytes(&'a [u8]),
}

impl JsonText<'_> {
    /// Its length in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Str(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

impl<'a> From<&'a str> for JsonText<'a> {
    fn from(text: &'a str) -> Self {
        Self::Str(text)
    }
}

impl<'a> From<&'a [u8]> for JsonText<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

/// The value of a document, with its warnings.
#[derive(Debug)]
pub struct Decoded<V> {
    /// The value; `None` if the event was dropped because it has an unknown type, or concerns an unknown thing.
    pub value: Option<V>,
    /// The warnings about repaired and dropped parts.
    pub warnings: Vec<Issue>,
    /// The value differs from the document: a part was repaired, dropped or filled in.
    pub repaired: bool,
    /// The event is RUN_FINISHED or RUN_ERROR.
    pub ends_run: bool,
}

impl<V> Decoded<V> {
    /// The same, with another form of the value.
    pub(crate) fn map<W>(self, form: impl FnOnce(V) -> W) -> Decoded<W> {
        let Self { value, warnings, repaired, ends_run } = self;
        Decoded { value: value.map(form), warnings, repaired, ends_run }
    }

    /// The result for a document that was plainly valid.
    #[inline(always)]
    #[allow(clippy::inline_always)] // A value is large, and is moved once less.
    pub(crate) fn plain(value: V, event: Option<&Variant>) -> Self {
        Self { value: Some(value), warnings: Vec::new(), repaired: false, ends_run: ends_run(event) }
    }
}

/// An event before it is read.
#[derive(Debug)]
pub enum Unread<'d> {
    /// JSON text, with the issues of the repairs that made it text.
    Text(&'d str, Vec<Issue>),
    /// A protobuf message that has just the required members, all of them strings; and the message itself.
    Strings(PlainStrings<'d>, &'d [u8]),
    /// A protobuf message of an undeclared type, by its field number.
    Unknown(u32),
}

/// True if the issues say that a part of an unknown kind was dropped.
pub fn is_incomplete(issues: &[Issue]) -> bool {
    issues.iter().any(|issue| issue.code == Code::UnknownVariant)
}

impl DocumentReader {
    /// A reader for a profile.
    pub fn new(profile: Profile, limits: Limits) -> Self {
        Self {
            rules: Rules::of(profile),
            limits,
            fast_path: true,
            boundary: Boundary::default(),
            tape: Tape::default(),
            protobuf: ProtobufReader::default(),
        }
    }

    /// Reads one event and returns the value that `build` makes.
    pub fn event<'a, B: Build>(
        &mut self,
        json: impl Into<JsonText<'a>>,
        build: &mut B,
    ) -> Result<Decoded<B::Value>, Error> {
        self.read(json.into(), build, Expected::Event)
    }

    /// Reads one event that has just its tag and its required members, which are these strings. `place` is the place of the
    /// event's type among all types. Returns `None` if the event needs the general path, by [`event`](Self::event).
    pub fn strings<B: Build>(
        &mut self,
        place: usize,
        strings: &[&str],
        build: &mut B,
    ) -> Option<Decoded<B::Value>> {
        // A byte takes at most six in JSON, and the keys take less than the rest.
        let bytes = 6 * strings.iter().map(|text| text.len()).sum::<usize>() + 1024;
        if !self.fast_path || bytes > self.limits.event_bytes || self.limits.effective_depth() == 0 {
            return None;
        }
        let event = Event::UNION.variants.get(place)?;
        let mut reader = Validator::new(self.rules, build);
        let value = reader.fast_strings(event, strings.iter().copied())?;
        Some(Decoded::plain(value, reader.event_type))
    }

    /// Reads one document of `kind` and returns the value that `build` makes.
    pub fn value<'a, B: Build>(
        &mut self,
        json: impl Into<JsonText<'a>>,
        kind: &'static Kind,
        build: &mut B,
    ) -> Result<Decoded<B::Value>, Error> {
        self.read(json.into(), build, Expected::Value(kind))
    }

    /// Reads the text of a document.
    pub(crate) fn read<B: Build>(
        &mut self,
        json: JsonText<'_>,
        build: &mut B,
        expected: Expected,
    ) -> Result<Decoded<B::Value>, Error> {
        if let Some(text) = self.whole_text(json) {
            return self.read_text(text, Vec::new(), build, expected);
        }
        let (text, issues) = self.repaired_text(json)?;
        self.read_text(&text, issues, build, expected)
    }

    /// The text of a document that is within the limit and valid UTF-8.
    #[inline]
    pub(crate) fn whole_text<'t>(&self, json: JsonText<'t>) -> Option<&'t str> {
        match json {
            _ if json.size() > self.limits.event_bytes => None,
            JsonText::Str(text) => Some(text),
            JsonText::Bytes(bytes) => simdutf8::basic::from_utf8(bytes).ok(),
        }
    }

    /// The text of any other document, with the issues of its repair.
    #[cold]
    pub(crate) fn repaired_text(&self, json: JsonText<'_>) -> Result<(String, Vec<Issue>), Error> {
        self.check_size(json.size())?;
        let bytes = match json {
            JsonText::Str(text) => text.as_bytes(),
            JsonText::Bytes(bytes) => bytes,
        };
        match String::from_utf8(bytes.to_vec()) {
            Ok(text) => Ok((text, Vec::new())),
            Err(_) if self.rules.replace_invalid_text => {
                let issue = Issue::new(Code::ReplacedText, "", "not UTF-8");
                Ok((String::from_utf8_lossy(bytes).into_owned(), vec![issue]))
            }
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let detail = format!("at byte {offset}");
                Err(Error { offset: Some(offset), ..Error::new(Code::InvalidUtf8, detail) })
            }
        }
    }

    fn check_size(&self, bytes: usize) -> Result<(), Error> {
        let most = self.limits.event_bytes;
        if bytes > most { Err(Error::limit("event_bytes", most)) } else { Ok(()) }
    }

    /// Reads one event from a protobuf message, by way of the JSON document that the message stands
    /// for.
    pub fn protobuf<B: Build>(&mut self, message: &[u8], build: &mut B) -> Result<Decoded<B::Value>, Error> {
        self.open_message(message, |reader, event| reader.unread(event, build))
    }

    /// Hands the event of a protobuf message to `take` before it is read.
    #[inline]
    pub(crate) fn open_message<T>(
        &mut self,
        message: &[u8],
        take: impl FnOnce(&mut Self, Unread<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.check_size(message.len())?;
        match PlainStrings::of(message) {
            Some(strings) => take(self, Unread::Strings(strings, message)),
            None => self.translate(message, take),
        }
    }

    /// Like [`open_message`](Self::open_message), with the JSON document that the message stands
    /// for.
    fn translate<T>(
        &mut self,
        message: &[u8],
        take: impl FnOnce(&mut Self, Unread<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut protobuf = std::mem::take(&mut self.protobuf);
        let read = protobuf.read(message, self.limits.effective_depth(), self.rules.replace_invalid_text);
        let taken = read.and_then(|read| match read {
            ReadMessage::Event(_, issues)
                if !issues.is_empty() && self.rules.numbers == Undeclared::Refuse =>
            {
                Err(Error::from(issues))
            }
            ReadMessage::Event(json, issues) => take(self, Unread::Text(json, issues)),
            ReadMessage::Unknown(number) => take(self, Unread::Unknown(number)),
        });
        self.protobuf = protobuf;
        taken
    }

    /// The event, if it seems plainly valid, to look at before it is read.
    pub(crate) fn plain<'d>(&'d mut self, event: &Unread<'d>) -> Option<PlainEvent<'d>> {
        match event {
            Unread::Text(text, issues) if self.may_take_fast_path(issues) => {
                PlainEvent::of(text, self.rules, self.limits.effective_depth(), &mut self.tape)
            }
            _ => None,
        }
    }

    /// Reads an event.
    #[inline]
    pub(crate) fn unread<B: Build>(
        &mut self,
        event: Unread<'_>,
        build: &mut B,
    ) -> Result<Decoded<B::Value>, Error> {
        match event {
            Unread::Text(text, issues) => self.read_text(text, issues, build, Expected::Event),
            other => self.unread_generally(other, build),
        }
    }

    /// Reads an event that is not plainly valid.
    pub(crate) fn unread_generally<B: Build>(
        &mut self,
        event: Unread<'_>,
        build: &mut B,
    ) -> Result<Decoded<B::Value>, Error> {
        match event {
            Unread::Text(text, issues) => self.read_generally(text, issues, build, Expected::Event),
            Unread::Strings(plain, message) => match self.strings(plain.place, plain.strings(), build) {
                Some(decoded) => Ok(decoded),
                None => self.translate(message, |reader, event| reader.unread(event, build)),
            },
            Unread::Unknown(number) => self.unknown_event(number),
        }
    }

    /// Reads one message that is not part of a stream. An unknown type is an error here, since there is no
    /// stream to drop it from.
    pub fn message<B: Build>(&mut self, message: &[u8], build: &mut B) -> Result<Decoded<B::Value>, Error> {
        let mut decoded = self.protobuf(message, build)?;
        match (&decoded.value, decoded.warnings.pop()) {
            // The last warning names the dropped event.
            (None, Some(issue)) => Err(Error::from(vec![issue])),
            (_, issue) => {
                decoded.warnings.extend(issue);
                Ok(decoded)
            }
        }
    }

    /// Refuses or drops an event of an undeclared type. No JSON stands for it, so it cannot be
    /// kept.
    fn unknown_event<V>(&self, number: u32) -> Result<Decoded<V>, Error> {
        let issue = Issue::new(Code::UnknownEventType, "/type", format!("field {number} of the envelope"))
            .advise("use a release of this library that knows it, or the text transport");
        match self.rules.numbers {
            Undeclared::Refuse => Err(Error::from(vec![issue])),
            _ => Ok(Decoded { value: None, warnings: vec![issue], repaired: true, ends_run: false }),
        }
    }

    /// True if the fast path may be taken: it checks no numbers and reports no earlier repairs.
    pub(crate) fn may_take_fast_path(&self, issues: &[Issue]) -> bool {
        self.fast_path && self.rules.unsafe_integers == UnsafeIntegers::Allow && issues.is_empty()
    }

    /// Tries the fast path, then the general one. `issues` are the repairs that made the document text.
    fn read_text<B: Build>(
        &mut self,
        text: &str,
        issues: Vec<Issue>,
        build: &mut B,
        expected: Expected,
    ) -> Result<Decoded<B::Value>, Error> {
        if self.may_take_fast_path(&issues) {
            let mut reader = Validator::new(self.rules, build);
            let depth = self.limits.effective_depth();
            if let Some(value) = expected.fast(&mut reader, text, depth, &mut self.tape) {
                let (warnings, ends_run) = (reader.warnings, ends_run(reader.event_type));
                return Ok(Decoded { value: Some(value), warnings, repaired: false, ends_run });
            }
        }
        self.read_generally(text, issues, build, expected)
    }

    /// Parses and validates the text, and collects the issues.
    #[inline(never)]
    pub(crate) fn read_generally<B: Build>(
        &mut self,
        text: &str,
        issues: Vec<Issue>,
        build: &mut B,
        expected: Expected,
    ) -> Result<Decoded<B::Value>, Error> {
        let options = ParseOptions {
            depth: self.limits.effective_depth(),
            replace_invalid_text: self.rules.replace_invalid_text,
        };
        let root = self.tape.parse(text, options).map_err(|syntax| {
            let mut error = match syntax.code {
                Code::LimitExceeded => Error::limit("depth", options.depth),
                _ => {
                    Error::new(syntax.code, format!("expected {} at byte {}", syntax.expected, syntax.offset))
                }
            };
            if let Some(issue) = error.issues.first_mut() {
                issue.path = syntax.path;
            }
            Error { offset: Some(syntax.offset), ..error }
        })?;
        let mut warnings = issues;
        warnings.extend(root.replaced().map(|offset| {
            let detail = format!("half of a surrogate pair at byte {offset}");
            Issue::new(Code::ReplacedText, "", detail)
        }));
        validated(self.rules, &mut self.boundary, root, warnings, build, expected)
    }

    /// Reads a parsed value of `kind`.
    pub fn tree<'a, B: Build, I: Input<'a>>(
        &mut self,
        root: I,
        kind: &'static Kind,
        build: &mut B,
    ) -> Result<Decoded<B::Value>, Error> {
        validated(self.rules, &mut self.boundary, root, Vec::new(), build, Expected::Value(kind))
    }
}

/// Translates retired shapes, then validates. `warnings` are those of earlier repairs.
fn validated<'a, B: Build, I: Input<'a>>(
    rules: Rules,
    boundary: &mut Boundary,
    root: I,
    warnings: Vec<Issue>,
    build: &mut B,
    expected: Expected,
) -> Result<Decoded<B::Value>, Error> {
    let mut reader = Validator::new(rules, build);
    reader.warnings = warnings;
    // Retired shapes are never plainly valid, so the fast path does not meet them.
    let legacy = rules.legacy.then(|| boundary.translate_document(root, expected.kind())).flatten();
    let legacy = legacy.or_else(|| rules.go_member_names.then(|| boundary.translate_go(root)).flatten());
    let read = if let Some((document, issues)) = legacy {
        reader.warnings.extend(issues);
        expected.read(&mut reader, &document)
    } else {
        expected.read(&mut reader, root)
    };
    if let Ok(value) = read {
        let ends_run = ends_run(reader.event_type);
        let repaired = reader.altered || !reader.warnings.is_empty();
        Ok(Decoded { value, warnings: reader.warnings, repaired, ends_run })
    } else {
        let event_type = reader.event_type.map(|event| event.tag);
        Err(Error { event_type, ..Error::from(reader.errors) })
    }
}

/// The target of a document.
#[derive(Clone, Copy)]
pub(crate) enum Expected {
    /// An event; one of an unknown kind may be dropped.
    Event,
    /// A value of a kind.
    Value(&'static Kind),
}

impl Expected {
    fn kind(self) -> &'static Kind {
        match self {
            Self::Event => Event::DECLARED_KIND,
            Self::Value(kind) => kind,
        }
    }

    fn fast<B: Build>(
        self,
        reader: &mut Validator<'_, B>,
        text: &str,
        depth: usize,
        tape: &mut Tape,
    ) -> Option<B::Value> {
        match self {
            Self::Event => reader.fast_event(text, depth, tape),
            Self::Value(kind) => reader.fast_value(text, depth, tape, kind),
        }
    }

    /// The value, or `None` if it was dropped; the reader holds the errors.
    fn read<'a, B: Build, I: Input<'a>>(
        self,
        reader: &mut Validator<'_, B>,
        input: I,
    ) -> Result<Option<B::Value>, ()> {
        match self {
            Self::Event => match reader.event(input) {
                EventVerdict::Event(value) => Ok(Some(value)),
                EventVerdict::Dropped => Ok(None),
                EventVerdict::Invalid => Err(()),
            },
            Self::Value(kind) => reader.value(input, kind).map(Some).ok_or(()),
        }
    }
}

impl Default for DocumentReader {
    fn default() -> Self {
        Self::new(Profile::default(), Limits::default())
    }
}

fn ends_run(event_type: Option<&Variant>) -> bool {
    event_type.is_some_and(|event| matches!(event.tag, "RUN_FINISHED" | "RUN_ERROR"))
}
