//! Writes frames: one for each event.

/// The media type of the text transport.
pub const MEDIA_TYPE: &str = "text/event-stream";

/// The text before an event's JSON in its frame.
pub const BEFORE: &str = "data: ";

/// The text after it.
pub const AFTER: &str = "\n\n";

/// The frame of one event's JSON text. Compact JSON has no line break, so one `data:` line is enough.
pub fn frame(json: &str) -> String {
    [BEFORE, json, AFTER].concat()
}
