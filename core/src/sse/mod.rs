//! Server-sent events: the framing of the text transport.

mod reader;
mod writer;

pub use reader::{Frame, SseReader};
pub use writer::{MEDIA_TYPE, frame};
