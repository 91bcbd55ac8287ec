//! The AG-UI protocol (Agent-User Interaction Protocol, version 1.0): types, validation, codecs.
//!
//! Bytes in, events out. Nothing here does I/O, spawns threads or knows a host language.
#![forbid(unsafe_code)]
#![cfg_attr(doctest, doc = include_str!("../../README.md"))]

#[macro_use]
mod schema;
mod compact;
mod compat;
mod content;
mod decode;
mod deserialize;
mod encode;
mod error;
mod expand;
#[doc(hidden)]
pub mod host;
pub mod ids;
mod json;
mod level;
mod limits;
mod metadata;
mod patch;
mod pipeline;
mod place;
mod profile;
mod protobuf;
mod read;
mod reduce;
mod resume;
mod rule;
mod run_input;
mod sse;
mod staged;
pub mod stream;
pub mod types;
mod usage;
pub mod verify;
mod warning;

pub use decode::from_json;
pub use encode::{to_json, to_sse, to_value};
pub use error::{Category, Code, Error, Issue};
pub use json::{Number, Object, Value};
pub use level::validate;
pub use limits::Limits;
pub use profile::Profile;
pub use rule::Rule;
pub use run_input::{RunInput, read_run_input};
pub use types::Event;
pub use warning::Warning;

/// The protocol version this crate speaks.
pub const PROTOCOL_VERSION: &str = "1.0";
