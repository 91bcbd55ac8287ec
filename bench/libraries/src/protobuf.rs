//! Encodes and decodes a text delta of the binary transport.

use ag_ui_native::bindings::decode::DocumentReader;
use ag_ui_native::bindings::protobuf::encode;
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::validate::TypedBuild;
use ag_ui_native::{Event, Limits, Profile, from_json};
use prost::Message;

use crate::measure::Operation;

#[derive(Clone, PartialEq, Message)]
struct Envelope {
    #[prost(message, optional, tag = "2")]
    content: Option<Content>,
}

#[derive(Clone, PartialEq, Message)]
struct Content {
    #[prost(message, optional, tag = "1")]
    base: Option<Base>,
    #[prost(string, tag = "2")]
    message_id: String,
    #[prost(string, tag = "3")]
    delta: String,
}

#[derive(Clone, PartialEq, Message)]
struct Base {
    #[prost(int32, tag = "1")]
    r#type: i32,
    #[prost(int64, optional, tag = "2")]
    timestamp: Option<i64>,
}

pub fn text(json: &str) -> [Operation<'static>; 2] {
    let (event, _) = from_json::<Event>(json, Profile::Strict).expect("an event");
    let bytes = encode(&event).expect("an event");
    let peer = Envelope::decode(&bytes[..]).expect("an event");
    assert_eq!(peer.encode_to_vec(), bytes);
    let mut reader = DocumentReader::new(Profile::Tolerant, Limits::default());
    let (encoded, other) = (bytes.clone(), peer.clone());
    [
        Operation::new("protobuf decode text", 1)
            .with("ours", move || {
                Event::from_validated(reader.message(&bytes, &mut TypedBuild).expect("an event").value)
            })
            .with("prost", move || Envelope::decode(&encoded[..]).expect("an event")),
        Operation::new("protobuf encode text", 1)
            .with("ours", move || encode(&event).expect("an event"))
            .with("prost", move || other.encode_to_vec()),
    ]
}
