#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
// docs.rs shows the feature that an item needs. Only a nightly compiler supports that.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[macro_use]
mod schema;
pub mod adapters;
#[doc(hidden)]
pub mod bindings;
pub mod client;
mod compact;
mod compat;
mod decode;
mod decoder;
mod defaults;
mod documentation;
#[cfg(feature = "durable")]
pub mod durable;
mod encode;
mod error;
mod expand;
mod idle;
pub mod ids;
mod json;

mod collections;
mod limits;
mod media_type;
mod metadata;
mod origin;
pub mod patch;
mod path;
mod pipeline;
mod profile;
mod projection;
pub mod protobuf;
mod reduce;
mod resume;
mod rewrite;
mod rule;
mod run_input;
pub mod server;
pub mod sse;
pub mod stream;
mod typed;
pub mod types;
mod usage;
mod validate;
mod validation_level;
mod verify;
mod warning;

pub use compat::ProtocolVersion;
pub use encode::{to_json, to_sse, try_to_json};
pub use error::{Code, Error, Issue};
pub use json::{Number, Object, RawObject, RawValue, Value};
pub use limits::Limits;
pub use profile::Profile;
pub use rule::Rule;
pub use run_input::read_run_input;
pub use typed::{borrow_json, from_json};
pub use types::Event;
pub use validation_level::{Level, validate};
pub use warning::Warning;

/// The protocol version this crate speaks.
pub const PROTOCOL_VERSION: &str = "1.1";

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
