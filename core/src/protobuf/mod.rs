//! The binary transport: events as protobuf messages, each after its length. `ag_ui.proto` describes them.
//!
//! ```
//! use ag_ui_native::stream::EventDecoder;
//! use ag_ui_native::types::TextMessageContentEvent;
//! use ag_ui_native::{Event, Profile, protobuf};
//!
//! let event = Event::from(TextMessageContentEvent::new("m", "Hi"));
//! let frame = protobuf::to_frame(&event)?;
//! let (again, warnings) = protobuf::from_frame(&frame, Profile::Strict)?;
//! assert!(again == event && warnings.is_empty());
//!
//! // The frames of a stream, cut anywhere.
//! let mut decoder = EventDecoder::for_content_type(protobuf::MEDIA_TYPE)?;
//! let events = decoder.feed(&frame[..5]).chain(decoder.feed(&frame[5..])).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(events, [event]);
//! # Ok::<(), ag_ui_native::Error>(())
//! ```

mod accept;
mod build;
mod decode;
mod encode;
mod frame;
mod message;
mod plain;
mod value;
mod wire;

pub use crate::typed::from_frame;
pub use accept::accepts;
#[doc(hidden)]
pub use accept::is_media_type;
#[doc(hidden)]
pub use decode::{ProtobufReader, ReadMessage};
pub use encode::to_frame;
#[doc(hidden)]
pub use encode::{Encoded, ProtobufEncoder, encode};
#[doc(hidden)]
pub use frame::{FrameReader, message_of};
#[doc(hidden)]
pub use message::{Arms, CATALOG, Catalog, Message, Union, WireField, WireKind};
#[doc(hidden)]
pub use plain::PlainStrings;

/// The media type of the binary transport.
pub const MEDIA_TYPE: &str = "application/vnd.ag-ui.event+proto";
