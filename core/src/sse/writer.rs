//! One event, one frame.

/// The media type of the text transport.
pub const MEDIA_TYPE: &str = "text/event-stream";

/// The frame that carries one event's JSON text. Compact JSON has no line break, so one `data:` line is enough.
pub fn frame(json: &str) -> String {
    let mut frame = String::with_capacity(json.len() + 8);
    frame.push_str("data: ");
    frame.push_str(json);
    frame.push_str("\n\n");
    frame
}
