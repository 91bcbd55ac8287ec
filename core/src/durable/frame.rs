//! The units of a log.

use std::sync::Arc;

use crate::encode::to_json;
use crate::error::Code;
use crate::types::RunErrorEvent;

/// One event, as canonical JSON of the newest version of the protocol. Framing and older versions are made for each
/// reader. Clones share the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame(Arc<[u8]>);

impl Frame {
    /// The RUN_ERROR of this code. It may follow any event.
    pub(super) fn run_error(code: Code) -> Self {
        let event = RunErrorEvent::new(code.summary()).with_code(code.as_str());
        to_json(&event).into_bytes().into()
    }

    /// The JSON of the event.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The number of its bytes.
    #[allow(clippy::len_without_is_empty)] // No event is empty.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl From<&[u8]> for Frame {
    fn from(json: &[u8]) -> Self {
        Self(json.into())
    }
}

impl From<Vec<u8>> for Frame {
    fn from(json: Vec<u8>) -> Self {
        Self(json.into())
    }
}
