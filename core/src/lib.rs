//! The AG-UI protocol (Agent-User Interaction Protocol, version 1.0): types, validation, codecs.
//!
//! Bytes in, events out. Nothing here does I/O, spawns threads or knows a host language.
#![forbid(unsafe_code)]
#![cfg_attr(doctest, doc = include_str!("../../README.md"))]

#[macro_use]
pub mod schema;
pub mod compact;
pub mod compat;
mod content;
pub mod decode;
pub mod encode;
pub mod error;
pub mod expand;
pub mod ids;
pub mod json;
pub mod limits;
pub mod metadata;
pub mod patch;
pub mod pipeline;
mod place;
pub mod profile;
pub mod protobuf;
pub mod read;
pub mod reduce;
pub mod resume;
pub mod rule;
pub mod run_input;
pub mod sse;
mod staged;
pub mod stream;
pub mod typed;
pub mod types;
pub mod usage;
pub mod verify;
mod warning;

pub use decode::from_json;
pub use encode::{Level, to_json, to_sse, to_value, validate};
pub use error::{Code, Error, Issue};
pub use json::{Number, NumberStyle, Object, Value};
pub use limits::Limits;
pub use profile::{Profile, Rules, UnsafeIntegers};
pub use rule::Rule;
pub use run_input::{RunInput, read_run_input};
pub use types::Event;

/// The protocol version this crate speaks.
pub const PROTOCOL_VERSION: &str = "1.0";
