//! What can be wrong: one table of codes for every language.

use std::fmt;

use crate::read::MAX_ISSUES;

macro_rules! codes {
    ($($variant:ident = $code:literal, $summary:literal, $advice:literal;)+) => {
        /// The stable name of a fault. Errors and warnings share the table: what one profile refuses, another
        /// mends and reports.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $(#[doc = concat!($summary, ": ", $advice, ".")] $variant,)+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The code as every language spells it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// What happened.
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)+ }
            }

            /// What to do about it.
            pub fn advice(self) -> &'static str {
                match self { $(Self::$variant => $advice,)+ }
            }
        }
    };
}

codes! {
    InvalidJson = "invalid_json", "the text is not one JSON document", "send compact JSON, one document per event";
    InvalidUtf8 = "invalid_utf8", "the bytes are not UTF-8", "encode the stream as UTF-8, or read with `lossy`";
    LoneSurrogate = "lone_surrogate", "half of a surrogate pair stands alone", "send whole characters, or read with `lossy`";
    LimitExceeded = "limit_exceeded", "a limit is exceeded", "send less, or raise the limit named";
    NotAnObject = "not_an_object", "an event must be a JSON object", "send one object per event";
    MissingEventType = "missing_event_type", "the event has no type", "set `type` to one of the event types";
    UnknownEventType = "unknown_event_type", "the event type is not part of AG-UI 1.0", "use one of the 31 types, or read with the `relay` profile";
    MissingField = "missing_field", "a required member is missing", "send the member named";
    NullNotAllowed = "null_not_allowed", "null stands where no value is spelled by leaving the member out", "leave the member out";
    WrongType = "wrong_type", "the value is of another kind", "send the kind expected";
    InvalidValue = "invalid_value", "the string is not one of the closed set", "send one of the strings expected";
    NotAnInteger = "not_an_integer", "the number has a fraction", "send a whole number";
    NumberOutOfRange = "number_out_of_range", "the number is out of range", "send a number that a double holds exactly";
    InvalidPointer = "invalid_pointer", "the string is not a JSON Pointer", "start each token with `/` and spell `~` as `~0`, `/` as `~1`";
    TooFewItems = "too_few_items", "the list has too few items", "send at least the number expected";
    UnknownField = "unknown_field", "the member is not declared", "leave it out, or put it under `metadata`";
    UnknownVariant = "unknown_variant", "the tag names no known variant", "use one of the tags expected, or read with the `relay` profile";
    EmptyValue = "empty_value", "the value is empty", "send a value that says something";
    NoPartSource = "no_part_source", "a binary part has no payload", "set one of `id`, `url` and `data`";
    RenamedField = "renamed_field", "the member is spelled in another way", "use the spelling expected";
    ConvertedValue = "converted_value", "the value was converted", "send the kind expected";
    FilledField = "filled_field", "a fixed value was filled in", "send the member";
    ReplacedText = "replaced_text", "text that is not Unicode was replaced", "send whole characters";
    DoneMarker = "done_marker", "`[DONE]` is not an AG-UI event", "end the stream with RUN_FINISHED or RUN_ERROR";
    StreamTruncated = "stream_truncated", "the stream ends inside an event", "ask again: what came before is whole";
    WrongContentType = "wrong_content_type", "the response is not an event stream", "check the address and the server's answer";
    DecoderFailed = "decoder_failed", "the decoder has failed before", "start a new decoder for a new stream";
    CountTooLarge = "count_too_large", "a sum of token counts is out of range", "report the entries separately";
    Internal = "internal", "the library failed", "report it with the input that caused it";
}

/// The class of error that a code belongs to; every language has one error class for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// A document that is not what it must be: `AGUIValidationError`.
    Validation,
    /// A stream that is not one, or was cut: `AGUIStreamError`.
    Stream,
    /// Input that costs more than is allowed: `AGUILimitError`.
    Limit,
    /// A fault of the library: `AGUIInternalError`.
    Internal,
}

impl Code {
    /// The class of error it belongs to.
    pub fn category(self) -> Category {
        match self {
            Self::LimitExceeded => Category::Limit,
            Self::DoneMarker | Self::StreamTruncated | Self::WrongContentType | Self::DecoderFailed => {
                Category::Stream
            }
            Self::Internal => Category::Internal,
            _ => Category::Validation,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// One fault: an error, or a warning about something that was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// What happened.
    pub code: Code,
    /// JSON pointer to the place, within the event.
    pub path: String,
    /// What was expected, or which thing it is about. Never text of the payload.
    pub detail: String,
}

impl Issue {
    /// The issue as a sentence, with its place.
    pub fn message(&self) -> String {
        let detail = if self.detail.is_empty() { String::new() } else { format!(" ({})", self.detail) };
        let place = if self.path.is_empty() { String::new() } else { format!(" at {}", self.path) };
        format!("{}{detail}{place}; {}", self.code.summary(), self.code.advice())
    }
}

/// A failure. It names the code, the place and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Everything found wrong, in order; never empty.
    pub issues: Vec<Issue>,
    /// Index of the event in its stream, counting from 0.
    pub event_index: Option<usize>,
    /// Type of the event, if it has a known one.
    pub event_type: Option<&'static str>,
    /// Byte offset, within the event's text, of a fault in the text itself.
    pub offset: Option<usize>,
    /// Name of the limit that was exceeded.
    pub limit: Option<&'static str>,
}

impl Error {
    /// An error with one issue.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self::at(code, String::new(), detail)
    }

    /// An error with one issue at a place.
    pub fn at(code: Code, path: String, detail: impl Into<String>) -> Self {
        Self::from(vec![Issue { code, path, detail: detail.into() }])
    }

    /// A limit that was exceeded: its name and its value.
    pub fn limit(name: &'static str, value: usize) -> Self {
        Self { limit: Some(name), ..Self::new(Code::LimitExceeded, format!("{name} is {value}")) }
    }

    /// The code of the first issue.
    pub fn code(&self) -> Code {
        self.issues.first().map_or(Code::Internal, |issue| issue.code)
    }

    /// The place of the first issue.
    pub fn path(&self) -> &str {
        self.issues.first().map_or("", |issue| &issue.path)
    }

    /// The same error, of the event at `index`.
    #[must_use]
    pub fn of_event(mut self, index: usize) -> Self {
        self.event_index = Some(index);
        self
    }
}

impl From<Vec<Issue>> for Error {
    fn from(issues: Vec<Issue>) -> Self {
        Self { issues, event_index: None, event_type: None, offset: None, limit: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.event_index {
            write!(formatter, "event {index}")?;
            if let Some(name) = self.event_type {
                write!(formatter, " ({name})")?;
            }
            formatter.write_str(": ")?;
        }
        if let Some(first) = self.issues.first() {
            write!(formatter, "{}: {}", first.code, first.message())?;
        }
        if self.issues.len() > 1 {
            let least = if self.issues.len() >= MAX_ISSUES { "at least " } else { "" };
            write!(formatter, " (and {least}{} more)", self.issues.len() - 1)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// Appends one reference token to a JSON pointer.
pub(crate) fn push_token(path: &mut String, token: &str) {
    path.push('/');
    for character in token.chars().take(MAX_TOKEN) {
        match character {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            other => path.push(other),
        }
    }
}

/// Longest key that a path quotes in full, in characters: a path is for reading, a hostile key is not.
const MAX_TOKEN: usize = 256;
