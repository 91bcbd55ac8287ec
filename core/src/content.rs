//! Access to content in either form.

use crate::types::{Content, ContentPart, TextPart};

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
