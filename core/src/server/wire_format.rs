//! The wire formats of events.

use crate::protobuf;
use crate::sse;

/// The form of events on a connection.
///
/// ```
/// use ag_ui_native::server::WireFormat;
///
/// assert_eq!(WireFormat::Text.content_type(), "text/event-stream");
/// assert!(WireFormat::Text.heartbeat().is_some());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WireFormat {
    /// Server-sent events, `text/event-stream`.
    #[default]
    Text,
    /// Protobuf messages, each after its length, `application/vnd.ag-ui.event+proto`.
    Binary,
}

impl WireFormat {
    /// The value of the header `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Text => sse::MEDIA_TYPE,
            Self::Binary => protobuf::MEDIA_TYPE,
        }
    }

    /// The headers of a response. They tell proxies and middleware neither to cache, nor to buffer, nor to compress it.
    pub fn headers(self) -> [(&'static str, &'static str); 3] {
        [
            ("content-type", self.content_type()),
            ("cache-control", "no-cache, no-transform"),
            ("x-accel-buffering", "no"),
        ]
    }

    /// The comment that keeps a silent connection alive. `None` on the binary transport, which has no comments.
    pub fn heartbeat(self) -> Option<&'static str> {
        (self == Self::Text).then_some(": \n\n")
    }
}
