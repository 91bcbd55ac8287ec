//! Reads documents into Rust structs: directly if they are plainly valid, otherwise by way of records.

use crate::decode::{DeclaredType, Decoded, DocumentReader, Expected, JsonText, Unread};
use crate::error::{Error, Issue};
use crate::json::Tape;
use crate::limits::Limits;
use crate::profile::{Profile, Rules};
use crate::protobuf;
use crate::schema::{Direct, FieldType, Validated};
use crate::types::Event;
use crate::validate::{DirectReader, TypedBuild};

impl DocumentReader {
    /// Reads one document.
    pub fn typed<'a, T: DeclaredType>(
        &mut self,
        json: impl Into<JsonText<'a>>,
    ) -> Result<(T, Vec<Issue>), Error> {
        let json = json.into();
        match self.whole_text(json).and_then(|text| self.direct(text)) {
            Some(value) => Ok((value, Vec::new())),
            None => self.typed_generally(json),
        }
    }

    fn typed_generally<T: DeclaredType>(&mut self, json: JsonText<'_>) -> Result<(T, Vec<Issue>), Error> {
        let expected = Expected::Value(T::DECLARED_KIND);
        let decoded = match self.whole_text(json) {
            Some(text) => self.read_generally(text, Vec::new(), &mut TypedBuild, expected)?,
            None => self.read(json, &mut TypedBuild, expected)?,
        };
        Ok((T::from_validated(decoded.value), decoded.warnings))
    }

    /// Reads one event.
    pub fn typed_event<'a>(&mut self, json: impl Into<JsonText<'a>>) -> Result<Decoded<Event>, Error> {
        let json = json.into();
        match self.whole_text(json) {
            Some(text) => self.unread_event(Unread::Text(text, Vec::new())),
            None => self.event(json, &mut TypedBuild).map(to_event),
        }
    }

    /// Reads an event of a stream.
    pub(crate) fn unread_event(&mut self, event: Unread<'_>) -> Result<Decoded<Event>, Error> {
        let direct = match &event {
            Unread::Text(text, issues) if issues.is_empty() => self.direct(text),
            _ => None,
        };
        match direct {
            Some(value) => {
                let ends_run = matches!(value, Event::RunFinished(_) | Event::RunError(_));
                Ok(Decoded { value: Some(value), warnings: Vec::new(), repaired: false, ends_run })
            }
            None => self.unread_generally(event, &mut TypedBuild).map(to_event),
        }
    }

    /// Reads a document that is plainly valid.
    #[inline]
    fn direct<'a, T: Direct<'a>>(&mut self, text: &'a str) -> Option<T> {
        let depth = self.limits.effective_depth();
        self.fast_path.then(|| DirectReader::document(text, self.rules, depth, &mut self.tape)).flatten()
    }
}

/// Makes the struct of an event from its record.
pub(crate) fn to_event(decoded: Decoded<Validated>) -> Decoded<Event> {
    decoded.map(|value| Event::from_validated(Some(value)))
}

/// Reads a Rust value from JSON text by the rules of a profile, with the warnings about repairs.
///
/// ```
/// use ag_ui_native::types::UserMessage;
/// use ag_ui_native::{Profile, from_json};
///
/// let (message, warnings) = from_json::<UserMessage>(r#"{"id":"u","role":"user","content":"Hello?"}"#, Profile::Strict)?;
/// assert_eq!((message, warnings), (UserMessage::new("u", "Hello?"), vec![]));
///
/// let error = from_json::<UserMessage>(r#"{"role":"user","content":"Hello?"}"#, Profile::Strict).unwrap_err();
/// assert_eq!(error.issues[0].path, "/id");
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
pub fn from_json<T: DeclaredType>(
    json: impl AsRef<[u8]>,
    profile: Profile,
) -> Result<(T, Vec<Issue>), Error> {
    from_json_within(json.as_ref(), profile, Limits::default())
}

pub(crate) fn from_json_within<T: DeclaredType>(
    json: &[u8],
    profile: Profile,
    limits: Limits,
) -> Result<(T, Vec<Issue>), Error> {
    match plainly_valid(json, profile, limits) {
        Some(value) => Ok((value, Vec::new())),
        None => DocumentReader::new(profile, limits).typed_generally(json.into()),
    }
}

/// Reads the form of a type that borrows from the JSON text, as [`from_json`] reads the type. Texts without escapes are not copied.
///
/// ```
/// use ag_ui_native::types::{Event, EventRef};
/// use ag_ui_native::{Profile, borrow_json};
///
/// let json = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#;
/// let (event, _) = borrow_json::<Event>(json, Profile::Strict)?;
/// assert!(matches!(event, EventRef::TextMessageContent(content) if content.delta == "Hello"));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
pub fn borrow_json<T: DeclaredType>(
    json: &(impl AsRef<[u8]> + ?Sized),
    profile: Profile,
) -> Result<(T::Borrowed<'_>, Vec<Issue>), Error> {
    let (json, limits) = (json.as_ref(), Limits::default());
    match plainly_valid(json, profile, limits) {
        Some(value) => Ok((value, Vec::new())),
        None => DocumentReader::new(profile, limits)
            .typed_generally(json.into())
            .map(|(value, warnings)| (T::into_borrowed(value), warnings)),
    }
}

/// Reads a document directly, without a reader, which is made for documents that need it.
fn plainly_valid<'a, T: Direct<'a>>(json: &'a [u8], profile: Profile, limits: Limits) -> Option<T> {
    if json.len() > limits.event_bytes {
        return None;
    }
    let text = simdutf8::basic::from_utf8(json).ok()?;
    DirectReader::document(text, Rules::of(profile), limits.effective_depth(), &mut Tape::default())
}

/// Reads the event of one whole frame of the binary transport, with the warnings about repairs.
///
/// ```
/// use ag_ui_native::protobuf::{from_frame, to_frame};
/// use ag_ui_native::types::{Event, TextMessageEndEvent};
/// use ag_ui_native::Profile;
///
/// let event = Event::from(TextMessageEndEvent::new("m1"));
/// let frame = to_frame(&event)?;
/// assert_eq!(from_frame(&frame, Profile::Strict)?, (event, vec![]));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
///
/// # Errors
/// `stream_truncated` if the frame is cut, `invalid_protobuf` if it is not one; the faults of the event.
pub fn from_frame(frame: &[u8], profile: Profile) -> Result<(Event, Vec<Issue>), Error> {
    let mut reader = DocumentReader::new(profile, Limits::default());
    let decoded = reader.message(protobuf::message_of(frame)?, &mut TypedBuild)?;
    Ok((FieldType::from_validated(decoded.value), decoded.warnings))
}
