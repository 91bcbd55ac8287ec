//! The parts of a content, and the sources of their bytes.

use crate::error::{Code, Error};
use crate::json::Value;
use crate::types::{Content, ContentPart, PartSource};

/// The source of a part's bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'p> {
    /// Base64 and its media type.
    Data {
        mime_type: &'p str,
        base64: &'p str,
    },
    Url(&'p str),
    /// The provider's own handle.
    File(&'p str),
}

impl<'p> Source<'p> {
    /// The source; `None` for a file of another provider.
    pub fn of(source: &'p PartSource, provider: &str) -> Option<Self> {
        match source {
            PartSource::Data(data) => Some(Self::Data { mime_type: &data.mime_type, base64: &data.value }),
            PartSource::Url(url) => Some(Self::Url(&url.value)),
            PartSource::File(file) => {
                let is_own = file.provider.as_deref().is_none_or(|named| named == provider);
                is_own.then_some(Self::File(&file.value))
            }
            PartSource::Unknown(_) => None,
        }
    }

    /// A URL of the bytes, also one that holds them.
    pub fn url(self) -> Option<String> {
        match self {
            Self::Data { mime_type, base64 } => Some(format!("data:{mime_type};base64,{base64}")),
            Self::Url(url) => Some(url.to_owned()),
            Self::File(_) => None,
        }
    }
}

/// The name of a file: `filename` of the part's metadata, or one with the media type's ending.
pub(super) fn filename(metadata: Option<&Value>, mime_type: &str) -> String {
    let given = metadata.and_then(|metadata| metadata.get("filename")).and_then(Value::as_str);
    let ending = mime_type.rsplit('/').next().unwrap_or_default();
    given.map_or_else(|| format!("document.{ending}"), str::to_owned)
}

/// The content as a request has it: text, or the parts that `make` makes.
///
/// # Errors
/// `unsupported_part` for a part of which `make` makes none. `message` is the place of the message.
pub(super) fn content(
    content: &Content,
    message: usize,
    make: impl Fn(&ContentPart) -> Option<Value>,
) -> Result<Value, Error> {
    match content {
        Content::Text(text) => Ok(text.as_str().into()),
        Content::Parts(_) => Ok(parts(content, message, make)?.into()),
    }
}

/// The parts that `make` makes of the content.
///
/// # Errors
/// Those of [`content`].
pub(super) fn parts(
    content: &Content,
    message: usize,
    make: impl Fn(&ContentPart) -> Option<Value>,
) -> Result<Vec<Value>, Error> {
    let parts = content.parts();
    let part = |(place, part)| make(part).ok_or_else(|| unsupported(message, place, part));
    parts.iter().enumerate().map(part).collect()
}

fn unsupported(message: usize, place: usize, part: &ContentPart) -> Error {
    let source = match part {
        ContentPart::Image(part) => part.source.tag(),
        ContentPart::Audio(part) => part.source.tag(),
        ContentPart::Video(part) => part.source.tag(),
        ContentPart::Document(part) => part.source.tag(),
        ContentPart::Text(_) | ContentPart::Unknown(_) => "",
    };
    let detail = format!("{} {source}", part.tag());
    Error::at(Code::UnsupportedPart, format!("/{message}/content/{place}"), detail.trim())
}
