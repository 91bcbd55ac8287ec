//! Deltas of one message that follow each other, as JSON: they are joined before they are parsed, since a long run is mostly that.

use super::frame::Frame;

/// The beginnings of events whose deltas compaction joins.
const KINDS: [&str; 2] = [r#"{"type":"TEXT_MESSAGE_CONTENT","#, r#"{"type":"TOOL_CALL_ARGS","#];
const DELTA: &str = r#""delta":""#;
const END: &str = r#""}"#;

/// An event whose last member is its delta, which grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Deltas {
    /// The JSON without its end.
    json: String,
    /// The number of its bytes before the text of the delta.
    head: usize,
}

impl Deltas {
    /// Begins with a frame; `None` if it is not of the kind that grows.
    pub fn begin(frame: &Frame) -> Option<Self> {
        let json = frame.as_str();
        let kind = KINDS.iter().find(|kind| json.starts_with(*kind))?;
        let head = kind.len() + json[kind.len()..].find(DELTA)? + DELTA.len();
        let text = text_of(&json[head..])?;
        Some(Self { json: json[..head + text.len()].into(), head })
    }

    /// Adds the delta of the next frame. Returns false if the frame has another event.
    pub fn push(&mut self, frame: &Frame) -> bool {
        let text = frame.as_str().strip_prefix(&self.json[..self.head]).and_then(text_of);
        text.inspect(|text| self.json.push_str(text)).is_some()
    }

    /// The event.
    pub fn finish(mut self) -> String {
        self.json.push_str(END);
        self.json
    }
}

/// The text of a string that ends an event, still escaped. A frame may hold other JSON than events of ours have: with
/// escapes of single UTF-16 units, or behind them with more members, it is none.
fn text_of(rest: &str) -> Option<&str> {
    let text = rest.strip_suffix(END)?;
    let mut left = text.as_bytes();
    while let Some(at) = memchr::memchr2(b'"', b'\\', left) {
        if left[at] == b'"' || matches!(left.get(at + 1), None | Some(b'u')) {
            return None;
        }
        left = &left[at + 2..];
    }
    Some(text)
}
