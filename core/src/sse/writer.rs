//! One event, one frame.

/// The media type of the text transport.
pub const MEDIA_TYPE: &str = "text/event-stream";

/// What stands before an event's JSON text in its frame.
pub const BEFORE: &str = "data: ";

/// What stands behind it.
pub const AFTER: &str = "\n\n";

/// The frame that carries one event's JSON text. Compact JSON has no line break, so one `data:` line is enough.
pub fn frame(json: &str) -> String {
    [BEFORE, json, AFTER].concat()
}
