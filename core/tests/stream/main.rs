//! Streams: decoding, stages, reduction, patches and compaction.

#[path = "../support/compact_reference.rs"]
mod compact_reference;
#[path = "../support/histories.rs"]
mod histories;
#[path = "../support/random_documents.rs"]
mod random_documents;
#[path = "../support/random_events.rs"]
mod random_events;
#[cfg(all(feature = "client", feature = "serde_json", feature = "server"))]
#[path = "../support/scripted.rs"]
mod scripted;
#[path = "../support/mod.rs"]
mod support;

mod addresses;
mod advice;
mod changes;
mod compact_numbers;
mod compact_properties;
mod compacted;
mod compat;
mod encrypted_values;
mod expand_properties;
mod helpers;
mod identity;
mod partial;
mod patch;
mod patch_diff;
mod patch_properties;
mod pipeline_properties;
mod protobuf;
mod protobuf_properties;
mod protobuf_utf8;
mod relayed;
#[cfg(all(feature = "client", feature = "serde_json", feature = "server"))]
mod requirements;
mod run_input;
mod sse_properties;
mod streams;
mod verify_properties;
