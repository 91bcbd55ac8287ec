//! The codes of errors and warnings: one table for every language.

use std::fmt;

use crate::limits::{Exceeded, Limits, MAX_ISSUES};
use crate::rule::Rule;

macro_rules! codes {
    ($($variant:ident = $code:literal, $summary:literal, $advice:literal;)+) => {
        /// The stable name of a fault. Errors and warnings share the table: what one profile refuses, another
        /// repairs and reports.
        ///
        /// ```
        /// use ag_ui_native::Code;
        ///
        /// assert_eq!(Code::MissingField.as_str(), "missing_field");
        /// assert!(!Code::MissingField.advice().is_empty());
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!($summary, ": ", $advice, ".")] $variant,)+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            #[doc(hidden)]
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The code as every language spells it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// Describes the fault.
            ///
            /// ```
            /// use ag_ui_native::{Code, Rule};
            ///
            /// assert!(!Code::MissingField.summary().is_empty());
            /// assert!(!Rule::V03.summary().is_empty());
            /// ```
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => $summary,)+ }
            }

            /// Says how to avoid the fault.
            pub fn advice(self) -> &'static str {
                match self { $(Self::$variant => $advice,)+ }
            }
        }
    };
}

codes! {
    InvalidJson = "invalid_json", "the text is not one JSON document", "send one JSON document at a time, complete and with nothing after it";
    InvalidUtf8 = "invalid_utf8", "the bytes are not UTF-8", "encode the text as UTF-8, or read with `replace_invalid_text`";
    InvalidProtobuf = "invalid_protobuf", "the bytes are not a protobuf message of AG-UI", "send one `Event` of `ag_ui.proto` in each frame";
    LoneSurrogate = "lone_surrogate", "the text has half of a surrogate pair", "send whole characters, or read with `replace_invalid_text`";
    LimitExceeded = "limit_exceeded", "a limit is exceeded", "send less, or raise the limit named";
    NotAnObject = "not_an_object", "an event must be a JSON object", "send one object per event";
    MissingEventType = "missing_event_type", "the event has no type", "set `type` to one of the event types";
    UnknownEventType = "unknown_event_type", "the event type is not part of AG-UI 1.1", "use one of the 31 types, or read with the `relay` profile";
    MissingField = "missing_field", "a required member is missing", "send the member named";
    NullNotAllowed = "null_not_allowed", "null is not allowed for this member", "leave the member out";
    WrongType = "wrong_type", "the value has the wrong type", "send a value of the declared type";
    InvalidValue = "invalid_value", "the value is not one of the allowed values", "send one of the expected values";
    NotAnInteger = "not_an_integer", "the number has a fraction", "send a whole number";
    NumberOutOfRange = "number_out_of_range", "the number is out of range", "send a number within the range";
    InvalidPointer = "invalid_pointer", "the string is not a JSON Pointer", "start each token with `/` and spell `~` as `~0`, `/` as `~1`";
    TooFewItems = "too_few_items", "the list has too few items", "send at least the expected number";
    UnknownField = "unknown_field", "the member is not declared", "leave it out, or put it where free data is allowed, such as `metadata`";
    UnknownVariant = "unknown_variant", "the tag is unknown", "use one of the expected tags, or read with the `relay` profile";
    StrayField = "stray_field", "the member needs another member, which is missing", "send both, or neither";
    EmptyValue = "empty_value", "the value is empty", "send a value that is not empty";
    NoPartSource = "no_part_source", "a binary part has no payload", "set one of `id`, `url` and `data`";
    RenamedField = "renamed_field", "the member has another spelling", "use the expected spelling";
    ConvertedValue = "converted_value", "the value was converted", "send a number, without quotes";
    FilledField = "filled_field", "a fixed value was filled in", "send the member";
    ReplacedText = "replaced_text", "text that is not Unicode was replaced", "send whole characters, as UTF-8";
    DoneMarker = "done_marker", "`[DONE]` is not an AG-UI event", "end the stream with RUN_FINISHED or RUN_ERROR";
    StreamTruncated = "stream_truncated", "the stream ends inside an event or a run", "run the agent again; the events received before are complete";
    WrongContentType = "wrong_content_type", "the response is not an event stream", "check the address, the server's answer and the given content type";
    UnsupportedContentEncoding = "unsupported_content_encoding", "the answer has a content encoding that the client cannot decode", "configure the server or its proxy to send no content encoding, or gzip once";
    DecoderFailed = "decoder_failed", "this object failed before and cannot be used any more", "make a new one; its results before the failure are valid";
    ReentrantCall = "reentrant_call", "the object is still working on another call", "call it after that call has returned: not from its own callbacks, and from one thread at a time";
    SequenceBroken = "sequence_broken", "the event is not allowed at this place", "send the events in the order that the rule requires";
    PatchInvalid = "patch_invalid", "the value is not a JSON Patch operation", "send `op`, `path` and what the operation needs (RFC 6902, section 4)";
    PatchTargetMissing = "patch_target_missing", "the place of the operation does not exist", "use an existing place, or add its parents first";
    PatchIndexInvalid = "patch_index_invalid", "the token is not an index into the list", "count the items from 0, without leading zeros; only `add` may use the place after the last one";
    PatchTestFailed = "patch_test_failed", "the tested value is different", "apply the patch to the document for which it was made";
    PatchIntoItself = "patch_into_itself", "a value cannot be moved into itself", "copy it, or move it elsewhere";
    PatchFailed = "patch_failed", "the patch does not apply", "send a snapshot";
    MessageMissing = "message_missing", "no message or call with this id is known", "send its START first";
    RoleConflict = "role_conflict", "a message of another kind has this id", "use an id of its own for each message";
    CallRenamed = "call_renamed", "the tool call has another name than before", "send one name for each call";
    ForeignVersion = "foreign_version", "the peer speaks another version of the protocol", "use the same version on both sides, or expect that members and events are missing";
    LegacyShape = "legacy_shape", "a shape of AG-UI 0.x was translated", "send the 1.0 shape";
    MethodNotAllowed = "method_not_allowed", "the request is not a POST request", "send the run's input by POST";
    UnsupportedMediaType = "unsupported_media_type", "the content type of the request's body is not JSON", "send `Content-Type: application/json`";
    OriginRefused = "origin_refused", "pages of this origin may not open a WebSocket here", "name the origin in the server's `cors`";
    RequestTimeout = "request_timeout", "the request's body did not arrive in time", "send it again, without pauses";
    AgentFailed = "agent_failed", "the agent failed", "see the server's log";
    RunTimeout = "run_timeout", "the run took too long", "request less work, or raise the time limit of the server";
    ClientTooSlow = "client_too_slow", "too many bytes wait to be sent", "await the writes, or raise `max_waiting` (Node: `maxWaiting`)";
    LargeState = "large_state", "the state is too large for a comparison at every await: it is compared when a message, a tool call or a step ends", "flush the state where the client must see a change at once, keep it smaller, or raise the limit named";
    ConnectionFailed = "connection_failed", "the client cannot connect to the server", "check the address, and that the server is running";
    ConnectionLost = "connection_lost", "the connection was lost before the end of the answer", "run the agent again; the events received before are complete";
    HttpError = "http_error", "the server refuses the request", "see the error's `status` and `payload`";
    RedirectRefused = "redirect_refused", "the server redirects the request", "use that address, or allow the redirect";
    InvalidHeader = "invalid_header", "the header cannot be sent", "use a token as its name, and a value of ISO-8859-1 without control characters";
    TimedOut = "timed_out", "the server took too long", "run the agent again, or raise the timeout named";
    RunFailed = "run_failed", "the run has failed", "see the `error` of the result: it comes from the agent";
    RunCancelled = "run_cancelled", "the agent has cancelled the run", "run the agent again; the events received before are complete";
    RunAborted = "run_aborted", "the client has aborted the run", "the events received before are complete";
    AgentBusy = "agent_busy", "the agent is busy with another run", "await its end, abort it, or use a clone";
    UnknownInterrupt = "unknown_interrupt", "the answer names no pending interrupt", "answer each pending interrupt once, by its id";
    CallPending = "call_pending", "tool calls have no answers", "add a tool message for each before the next run";
    TooManyRuns = "too_many_runs", "the agent has called tools too many times in a row", "raise the limit named, or ask a person to continue";
    CountTooLarge = "count_too_large", "a sum of token counts is out of range", "report the entries separately";
    CursorInvalid = "cursor_invalid", "the cursor is not valid", "send the id of an event, or the value of `AG-UI-Cursor`, unchanged";
    SequenceGap = "sequence_gap", "events between the last one and this one are missing", "join the run again: the server does not send them any more";
    RunUnknown = "run_unknown", "the run is not known", "check the ids of thread and run; logs of ended runs are deleted after some time";
    RunConflict = "run_conflict", "the run exists with another input", "use a new run id for each input";
    ThreadBusy = "thread_busy", "another run of the thread is active", "join the run that `activeRunId` names, or cancel it, or wait for its end";
    ThreadStale = "thread_stale", "the thread has a newer run than the one that `parentRunId` names", "read the thread again, and follow its last run";
    CursorAhead = "cursor_ahead", "the log has lost the events before the cursor", "join the run again, without a cursor";
    LogTrimmed = "log_trimmed", "the events after the cursor are deleted", "join the run again, without a cursor";
    LogReplaced = "log_replaced", "the cursor belongs to an earlier log of the run", "join the run again, without a cursor";
    LogUnavailable = "log_unavailable", "the log cannot be reached", "try again after the time that `Retry-After` names";
    ServerDraining = "server_draining", "the server shuts down and starts no more runs", "try again after the time that `Retry-After` names: another process answers";
    LogFailed = "log_failed", "the log does not store the events of the run", "see the server's log, and run the agent again";
    ProducerLost = "producer_lost", "the process that ran the agent is lost", "run the agent again; the events received before are complete";
    ModelFailed = "model_failed", "the provider of the model reports a failure", "try again later, or see what the provider says about it";
    ModelTruncated = "model_truncated", "the model's stream ends before its reply does", "ask the model again; what came before is not a whole reply";
    UnsupportedOutput = "unsupported_output", "the model's reply has a part that the adapter does not translate", "leave it out of the request, or take its chunks out of the stream";
    UnsupportedPart = "unsupported_part", "the API of the provider does not take this part of a message", "convert the part, or leave it out";
    LogUnreadable = "log_unreadable", "this version cannot read the log", "use another file, or the newest version of this package";
    Internal = "internal", "the library failed", "report it with the input that caused it";
}

/// The class of error that a code belongs to; every language has one error class for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// A document that does not follow the protocol: `AGUIValidationError`.
    Validation,
    /// Bytes that are no event stream, or an event stream that was cut: `AGUIStreamError`.
    Stream,
    /// Input that costs more than is allowed: `AGUILimitError`.
    Limit,
    /// An event that breaks the order of its stream: `AGUISequenceError`.
    Sequence,
    /// An invalid JSON Patch, or one that does not apply: `AGUIPatchError`.
    Patch,
    /// A server that cannot be reached, refuses, or falls silent: `AGUIConnectionError`.
    Connection,
    /// A fault of the library: `AGUIInternalError`.
    Internal,
}

impl Category {
    /// Every category.
    pub const ALL: &'static [Self] = &[
        Self::Validation,
        Self::Stream,
        Self::Limit,
        Self::Sequence,
        Self::Patch,
        Self::Connection,
        Self::Internal,
    ];

    /// The category's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Validation => "validation",
            Self::Stream => "stream",
            Self::Limit => "limit",
            Self::Sequence => "sequence",
            Self::Patch => "patch",
            Self::Connection => "connection",
            Self::Internal => "internal",
        }
    }
}

impl Code {
    /// The class of error it belongs to.
    #[doc(hidden)]
    pub fn category(self) -> Category {
        match self {
            Self::LimitExceeded | Self::LargeState | Self::TooManyRuns => Category::Limit,
            Self::DoneMarker
            | Self::StreamTruncated
            | Self::WrongContentType
            | Self::UnsupportedContentEncoding
            | Self::DecoderFailed
            | Self::ReentrantCall
            | Self::AgentFailed
            | Self::RunTimeout
            | Self::RunFailed
            | Self::RunCancelled
            | Self::ProducerLost
            | Self::LogFailed
            | Self::ModelFailed
            | Self::ModelTruncated
            | Self::UnsupportedOutput
            | Self::SequenceGap
            | Self::ClientTooSlow => Category::Stream,
            Self::ConnectionFailed
            | Self::ConnectionLost
            | Self::HttpError
            | Self::LogUnreadable
            | Self::RedirectRefused
            | Self::TimedOut
            | Self::RunAborted
            | Self::RunUnknown
            | Self::RunConflict
            | Self::ThreadBusy
            | Self::ThreadStale
            | Self::CursorAhead
            | Self::LogTrimmed
            | Self::LogReplaced
            | Self::LogUnavailable
            | Self::ServerDraining
            | Self::AgentBusy => Category::Connection,
            Self::SequenceBroken => Category::Sequence,
            Self::PatchInvalid
            | Self::PatchTargetMissing
            | Self::PatchIndexInvalid
            | Self::PatchTestFailed
            | Self::PatchIntoItself
            | Self::PatchFailed => Category::Patch,
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

/// One fault: an error, or a warning about something that was repaired.
///
/// ```
/// use ag_ui_native::types::TextMessageEndEvent;
/// use ag_ui_native::{Issue, Profile, from_json};
///
/// let error = from_json::<TextMessageEndEvent>(r#"{"type":"TEXT_MESSAGE_END"}"#, Profile::Strict).unwrap_err();
/// let issue: &Issue = &error.issues[0];
/// assert_eq!(issue.path, "/messageId");
/// assert!(issue.message().contains("missing"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The code of the fault.
    pub code: Code,
    /// JSON pointer to the place, within the event.
    pub path: String,
    /// The expected value, or the thing concerned. It never quotes text of the payload.
    pub detail: String,
    /// The rule of event streams that was broken.
    pub rule: Option<Rule>,
    /// Advice for this place, where the code's own advice does not fit.
    pub advice: Option<&'static str>,
}

impl Issue {
    /// An issue.
    #[doc(hidden)]
    pub fn new(code: Code, path: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { code, path: path.into(), detail: detail.into(), rule: None, advice: None }
    }

    /// Sets advice for the place where the issue was found.
    #[doc(hidden)]
    #[must_use]
    pub fn advise(mut self, advice: &'static str) -> Self {
        self.advice = Some(advice);
        self
    }

    /// The issue as a sentence, with its place. It is always one line: control characters are
    /// escaped.
    pub fn message(&self) -> String {
        let detail = if self.detail.is_empty() { String::new() } else { format!(" ({})", self.detail) };
        let place = if self.path.is_empty() { String::new() } else { format!(" at {}", self.path) };
        let (summary, advice) = match self.rule {
            Some(rule) => (rule.summary(), rule.advice()),
            None => (self.code.summary(), self.code.advice()),
        };
        one_line(format!("{summary}{detail}{place}; {}", self.advice.unwrap_or(advice)))
    }
}

/// A failure. It names the code, the place and what to do.
///
/// ```
/// use ag_ui_native::{Code, Event, Profile, from_json};
///
/// let error = from_json::<Event>(r#"{"type": "STEP_STARTED"}"#, Profile::Strict).unwrap_err();
/// assert_eq!((error.code(), error.path()), (Code::MissingField, "/stepName"));
/// assert_eq!(
///     error.to_string(),
///     "missing_field: a required member is missing (expected a string) at /stepName; send the member named"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// All issues, in order; never empty.
    pub issues: Vec<Issue>,
    /// Index of the event in its stream, counting from 0.
    pub event_index: Option<usize>,
    /// Type of the event, if it has a known one.
    pub event_type: Option<&'static str>,
    /// Byte offset, within the event's text, of a fault in the text itself.
    pub offset: Option<usize>,
    /// Name of the limit that was exceeded.
    pub limit: Option<&'static str>,
    /// Index of the operation of a patch, counting from 0.
    pub operation: Option<usize>,
}

impl Error {
    /// An error with one issue.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self::at(code, String::new(), detail)
    }

    /// An error with one issue at a place.
    #[doc(hidden)]
    pub fn at(code: Code, path: String, detail: impl Into<String>) -> Self {
        Self::from(vec![Issue::new(code, path, detail)])
    }

    /// An error for a broken rule of event streams; `detail` names the cause.
    #[doc(hidden)]
    pub fn broken(rule: Rule, detail: impl Into<String>) -> Self {
        Self::from(vec![Issue { rule: Some(rule), ..Issue::new(Code::SequenceBroken, "", detail) }])
    }

    /// A limit that was exceeded: its name and its value.
    #[doc(hidden)]
    pub fn limit(name: &'static str, value: usize) -> Self {
        let error =
            Self { limit: Some(name), ..Self::new(Code::LimitExceeded, format!("{name} is {value}")) };
        let is_highest = name == "depth" && value >= Limits::MAX_DEPTH;
        if is_highest { error.advise("nest less deeply: this limit is as high as it goes") } else { error }
    }

    /// A limit of a server that was exceeded. The client does not learn its value.
    #[cfg(feature = "durable")]
    pub(crate) fn of_limit(name: &'static str) -> Self {
        Self { limit: Some(name), ..Self::new(Code::LimitExceeded, name) }
    }

    /// The code of the first issue.
    pub fn code(&self) -> Code {
        self.issues.first().map_or(Code::Internal, |issue| issue.code)
    }

    /// The rule that was broken.
    pub fn rule(&self) -> Option<Rule> {
        self.issues.first().and_then(|issue| issue.rule)
    }

    /// The place of the first issue.
    pub fn path(&self) -> &str {
        self.issues.first().map_or("", |issue| &issue.path)
    }

    /// Sets advice for the place where the error was found.
    #[doc(hidden)]
    #[must_use]
    pub fn advise(mut self, advice: &'static str) -> Self {
        if let Some(first) = self.issues.first_mut() {
            first.advice = Some(advice);
        }
        self
    }

    /// Sets the index of the event.
    #[doc(hidden)]
    #[must_use]
    pub fn of_event(mut self, index: usize) -> Self {
        self.event_index = Some(index);
        self
    }
}

impl From<Vec<Issue>> for Error {
    fn from(issues: Vec<Issue>) -> Self {
        Self { issues, event_index: None, event_type: None, offset: None, limit: None, operation: None }
    }
}

impl From<Exceeded> for Error {
    fn from(exceeded: Exceeded) -> Self {
        Self::limit(exceeded.name, exceeded.value)
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Some(rule) => write!(formatter, "{rule}: {}", self.message()),
            None => write!(formatter, "{}: {}", self.code, self.message()),
        }
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
            first.fmt(formatter)?;
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

/// The longest key that a path quotes in full, in characters. Longer keys are cut, so a path stays
/// readable.
const MAX_TOKEN: usize = 256;

/// The text with every character that breaks a line or changes its direction as an escape.
fn one_line(text: String) -> String {
    let breaks = |character: char| {
        character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(breaks) {
        return text;
    }
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if breaks(character) {
            line.extend(character.escape_unicode());
        } else {
            line.push(character);
        }
    }
    line
}

/// An id or name for a message: shortened, and without characters that could break or forge a line.
pub(crate) fn quoted(name: &str) -> String {
    let mut characters = name.chars();
    let start: String = characters.by_ref().take(MAX_NAME).collect();
    let rest = if characters.next().is_some() { "..." } else { "" };
    format!("{start:?}{rest}")
}

/// The longest id or name that a message quotes in full, in characters.
const MAX_NAME: usize = 64;
