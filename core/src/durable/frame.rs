//! The units of a log, and the snapshot of a thread.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::encode::to_json;
use crate::error::Error;
use crate::limits::Limits;
use crate::profile::Profile;
use crate::typed::from_json_within;
use crate::types::{Event, RunErrorEvent};

/// One event, as canonical JSON of the newest version of the protocol. Framing and older versions are made for each
/// reader. Clones share the text.
///
/// ```
/// use ag_ui_native::durable::Frame;
///
/// let frame = Frame::from(r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#);
/// assert_eq!(frame.len(), 44);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Frame(Arc<str>);

impl Frame {
    /// The RUN_ERROR of this error. It may follow any event.
    pub(super) fn run_error(error: &Error) -> Self {
        let code = error.code();
        let message = error
            .limit
            .map_or_else(|| code.summary().to_owned(), |limit| format!("{}: {limit}", code.summary()));
        let event = RunErrorEvent::new(message).with_code(code.as_str());
        to_json(&event).into()
    }

    /// The event.
    pub(super) fn event(&self) -> Result<Event, Error> {
        event_of(self.as_str())
    }

    /// The JSON of the event.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number of its bytes.
    #[allow(clippy::len_without_is_empty)] // No event is empty.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl From<&str> for Frame {
    fn from(json: &str) -> Self {
        Self(json.into())
    }
}

impl From<String> for Frame {
    fn from(json: String) -> Self {
        Self(json.into())
    }
}

/// The event of a frame. The limit of its length is the log's.
pub(super) fn event_of(json: &str) -> Result<Event, Error> {
    let limits = Limits::default().for_writing().with_depth(Limits::MAX_DEPTH);
    from_json_within(json.as_bytes(), Profile::Relay, limits).map(|(event, _)| event)
}

/// A thread at the beginning or the end of a run: its messages, its state and its interrupts, as JSON. Clones share the text.
///
/// ```
/// use ag_ui_native::durable::Snapshot;
///
/// let snapshot = Snapshot::from(r#"{"messages":[]}"#);
/// assert_eq!(snapshot.as_str(), r#"{"messages":[]}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Snapshot(Arc<str>);

impl Snapshot {
    /// The JSON.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number of its bytes.
    #[allow(clippy::len_without_is_empty)] // No snapshot is empty.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl From<&str> for Snapshot {
    fn from(json: &str) -> Self {
        Self(json.into())
    }
}

impl From<String> for Snapshot {
    fn from(json: String) -> Self {
        Self(json.into())
    }
}
