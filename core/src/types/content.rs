//! Content: a string, or a list of parts of text and media.

use std::borrow::Cow;

object! { Types;
    /// A piece of text.
    TextPart;
    @ r#type "type" = "text", 0;
    /// Reserved for naming the part.
    id: Option<String> = "id", 2;
    /// The text.
    text: String = "text", 1;
    /// Any data about the part.
    metadata: Option<crate::Value> = "metadata", 3;
}

object! { Types;
    /// Bytes given in the message itself.
    DataSource;
    @ r#type "type" = "data", 0;
    /// The bytes in base64; not checked.
    value: String = "value", 1;
    /// Media type of the bytes.
    mime_type: String = "mimeType", 2;
}

object! { Types;
    /// Bytes to be fetched.
    UrlSource;
    @ r#type "type" = "url", 0;
    /// The URL of the bytes; its form is not checked.
    value: String = "value", 1;
    /// Media type of the bytes.
    mime_type: Option<String> = "mimeType", 2;
}

object! { Types;
    /// A file that a provider keeps.
    FileSource;
    @ r#type "type" = "file", 0;
    /// The provider's handle for it.
    value: String = "value", 1;
    /// Lower-case id of the provider.
    provider: Option<String> = "provider", 2;
    /// Media type of the file.
    mime_type: Option<String> = "mimeType", 3;
}

union! { Types;
    /// The source of a media part's bytes.
    PartSource by "type" as Arms {
        Data(DataSource) = "data",
        Url(UrlSource) = "url",
        File(FileSource) = "file",
    }
}

object! { Types;
    /// A picture.
    ImagePart;
    @ r#type "type" = "image", 0;
    /// Reserved for naming the part.
    id: Option<String> = "id", 3;
    /// The source of the bytes.
    source: PartSource = "source", 1;
    /// Any data about the part.
    metadata: Option<crate::Value> = "metadata", 2;
}

object! { Types;
    /// A sound.
    AudioPart;
    @ r#type "type" = "audio", 0;
    /// Reserved for naming the part.
    id: Option<String> = "id", 3;
    /// The source of the bytes.
    source: PartSource = "source", 1;
    /// Any data about the part.
    metadata: Option<crate::Value> = "metadata", 2;
}

object! { Types;
    /// A film.
    VideoPart;
    @ r#type "type" = "video", 0;
    /// Reserved for naming the part.
    id: Option<String> = "id", 3;
    /// The source of the bytes.
    source: PartSource = "source", 1;
    /// Any data about the part.
    metadata: Option<crate::Value> = "metadata", 2;
}

object! { Types;
    /// A document.
    DocumentPart;
    @ r#type "type" = "document", 0;
    /// Reserved for naming the part.
    id: Option<String> = "id", 3;
    /// The source of the bytes.
    source: PartSource = "source", 1;
    /// Any data about the part.
    metadata: Option<crate::Value> = "metadata", 2;
}

union! { Types;
    /// One part of a message's content.
    ContentPart by "type" as Arms {
        Text(TextPart) = "text",
        Image(ImagePart) = "image",
        Audio(AudioPart) = "audio",
        Video(VideoPart) = "video",
        Document(DocumentPart) = "document",
    }
}

object! { Deprecated;
    /// The binary part of AG-UI before 1.0. Messages of 1.0 cannot hold it; one of `id`, `url` and `data` must
    /// have a value.
    BinaryInputContent;
    @ r#type "type" = "binary", 0;
    /// Media type of the bytes.
    mime_type: String = "mimeType", 0;
    /// A handle for the bytes.
    id: Option<String> = "id", 0;
    /// The URL of the bytes.
    url: Option<String> = "url", 0;
    /// The bytes in base64.
    data: Option<String> = "data", 0;
    /// A name for the file.
    filename: Option<String> = "filename", 0;
}

/// Content of a user message, a tool message or a tool result.
///
/// ```
/// use ag_ui_native::types::{Content, ContentPart, TextPart};
///
/// let parts: Vec<ContentPart> = vec![TextPart::new("What is ").into(), TextPart::new("this?").into()];
/// let content = Content::from(parts);
/// assert_eq!(content.to_text(), "What is this?");
/// assert!(!content.has_media());
/// assert_eq!(Content::from("Hello!").parts().len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Plain text.
    Text(String),
    /// Text and media.
    Parts(Vec<ContentPart>),
}

impl Content {
    /// The content as a list of parts: a string is one part of text.
    pub fn parts(&self) -> Vec<ContentPart> {
        match self {
            Self::Text(text) => vec![TextPart { text: text.clone(), ..TextPart::default() }.into()],
            Self::Parts(parts) => parts.clone(),
        }
    }

    /// The text: the string, or the text parts without separators.
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Parts(parts) => parts
                .iter()
                .filter_map(|part| match part {
                    ContentPart::Text(part) => Some(part.text.as_str()),
                    _ => None,
                })
                .collect(),
        }
    }

    /// True if any part is not text.
    pub fn has_media(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Parts(parts) => parts.iter().any(|part| !matches!(part, ContentPart::Text(_))),
        }
    }
}

impl Default for Content {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

/// [`Content`] with texts that are borrowed from a document.
///
/// ```
/// use ag_ui_native::types::{Content, ContentRef, UserMessage};
/// use ag_ui_native::{Profile, borrow_json};
///
/// let json = r#"{"id":"m1","role":"user","content":"Hello!"}"#;
/// let (message, _) = borrow_json::<UserMessage>(json, Profile::Strict)?;
/// assert!(matches!(&message.content, ContentRef::Text(text) if text == "Hello!"));
/// assert_eq!(message.content.into_owned(), Content::from("Hello!"));
/// # Ok::<(), ag_ui_native::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum ContentRef<'a> {
    /// Plain text.
    Text(Cow<'a, str>),
    /// Text and media.
    Parts(Vec<ContentPartRef<'a>>),
}

borrowed_form!(Content, ContentRef);

impl From<Content> for ContentRef<'_> {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => Self::Text(text.into()),
            Content::Parts(parts) => Self::Parts(parts.into_iter().map(Into::into).collect()),
        }
    }
}

impl From<ContentRef<'_>> for Content {
    fn from(content: ContentRef<'_>) -> Self {
        match content {
            ContentRef::Text(text) => Self::Text(text.into_owned()),
            ContentRef::Parts(parts) => Self::Parts(parts.into_iter().map(Into::into).collect()),
        }
    }
}

impl<'a> crate::schema::Direct<'a> for Content {
    fn read(reader: &mut crate::validate::DirectReader<'a, '_>) -> Option<Self> {
        match reader.peek()? {
            b'"' => reader.string().map(Self::from),
            _ => reader.list().map(Self::Parts),
        }
    }
}

impl<'a> crate::schema::Direct<'a> for ContentRef<'a> {
    fn read(reader: &mut crate::validate::DirectReader<'a, '_>) -> Option<Self> {
        match reader.peek()? {
            b'"' => reader.text().map(Self::Text),
            _ => reader.list().map(Self::Parts),
        }
    }
}

impl crate::schema::FieldType for Content {
    const KIND: crate::schema::Kind = crate::schema::Kind::Content;

    borrowed_type!(Content);

    fn from_validated(slot: Option<crate::schema::Validated>) -> Self {
        match slot {
            Some(crate::schema::Validated::Text(text)) => Self::Text(text),
            parts => Self::Parts(crate::schema::FieldType::from_validated(parts)),
        }
    }

    fn write(&self, writer: &mut crate::json::Writer) {
        match self {
            Self::Text(text) => writer.text(text),
            Self::Parts(parts) => crate::schema::FieldType::write(parts, writer),
        }
    }
}

impl serde::Serialize for Content {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Parts(parts) => parts.serialize(serializer),
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<ContentPart>> for Content {
    fn from(parts: Vec<ContentPart>) -> Self {
        Self::Parts(parts)
    }
}
