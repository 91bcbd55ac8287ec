//! The binary transport: events as protobuf messages, each behind its length. `ag_ui.proto` describes them.

mod accept;
mod build;
mod decode;
mod encode;
mod frame;
mod message;
mod plain;
mod value;
mod wire;

pub use accept::{accepts, is_media_type};
pub use decode::{ProtobufReader, Read};
pub use encode::{Encoded, ProtobufEncoder, encode};
pub use frame::FrameReader;
pub use message::{Arms, CATALOG, Catalog, Holds, Member, Message, Union};
pub use plain::PlainStrings;

/// The media type of the binary transport.
pub const MEDIA_TYPE: &str = "application/vnd.ag-ui.event+proto";
