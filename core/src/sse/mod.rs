//! Server-sent events: the framing of the text transport. [`to_sse`](crate::to_sse) writes a frame,
//! [`EventDecoder`](crate::stream::EventDecoder) reads them.
//!
//! ```
//! use ag_ui_native::types::StepStartedEvent;
//! use ag_ui_native::{sse, to_sse};
//!
//! let answer = (sse::MEDIA_TYPE, to_sse(&StepStartedEvent::new("look").into()));
//! assert_eq!(answer, ("text/event-stream", "data: {\"type\":\"STEP_STARTED\",\"stepName\":\"look\"}\n\n".into()));
//! ```

mod reader;
mod writer;

#[doc(hidden)]
pub use reader::{Frame, SseReader};
pub use writer::MEDIA_TYPE;
#[doc(hidden)]
pub use writer::{AFTER, BEFORE, frame};
