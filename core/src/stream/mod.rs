//! Streams of events, stage by stage: [`EventDecoder`] decodes bytes, [`ChunkExpander`] expands chunks, [`EventVerifier`] verifies
//! the order, [`compact_events`] shortens a stored list. [`EventPipeline`] combines these stages, and keeps the conversation of the
//! events.
//!
//! Nothing here waits or reads. The program hands over the bytes as they come, cut at any place.
//!
//! ```
//! use ag_ui_native::Event;
//! use ag_ui_native::stream::EventPipeline;
//!
//! let bytes: &[u8] = b"\
//! data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n\
//! data: {\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m\",\"delta\":\"Hello!\"}\n\n\
//! data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n";
//! let mut pipeline = EventPipeline::new();
//! for piece in bytes.chunks(7) {
//!     for event in pipeline.feed(piece) {
//!         if let Event::TextMessageContent(event) = event? {
//!             print!("{}", event.delta);
//!         }
//!     }
//! }
//! pipeline.close().try_for_each(|event| event.map(drop))?; // fails if the run did not end
//! assert_eq!(pipeline.conversation().messages()?.len(), 1);
//! # Ok::<(), ag_ui_native::Error>(())
//! ```

mod decoder;
#[cfg(feature = "stream")]
mod events;
mod pipeline;

pub use crate::expand::ChunkExpander;
pub use crate::reduce::Conversation;
pub use crate::verify::EventVerifier;
pub use decoder::EventDecoder;
#[cfg(feature = "stream")]
pub use events::EventStream;
pub use pipeline::EventPipeline;

use crate::compact::compact;
use crate::types::Event;
use crate::warning::Warning;

/// Shortens a stored list of events: the deltas of a message or call become one, a state snapshot and the deltas after it one
/// snapshot. The result replays to the same conversation, and passes verification if the list does. The warnings name deltas
/// that did not apply and were dropped.
///
/// ```
/// use ag_ui_native::stream::compact_events;
/// use ag_ui_native::types::{TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent};
///
/// let events = [
///     TextMessageStartEvent::new("m").into(),
///     TextMessageContentEvent::new("m", "Hel").into(),
///     TextMessageContentEvent::new("m", "lo").into(),
///     TextMessageEndEvent::new("m").into(),
/// ];
/// let (compacted, _warnings) = compact_events(&events);
/// assert_eq!(compacted[1], TextMessageContentEvent::new("m", "Hello").into());
/// ```
pub fn compact_events(events: &[Event]) -> (Vec<Event>, Vec<Warning>) {
    let mut compaction = compact(events);
    let warnings = std::mem::take(&mut compaction.warnings);
    (compaction.into_events(events), warnings)
}
