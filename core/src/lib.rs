//! The AG-UI protocol (Agent-User Interaction Protocol, version 1.0): types, validation, codecs.
//!
//! Bytes in, events out. Nothing here does I/O, spawns threads or knows a host language.
#![forbid(unsafe_code)]
#![cfg_attr(doctest, doc = include_str!("../../README.md"))]

#[macro_use]
pub mod schema;
mod content;
pub mod decode;
pub mod encode;
pub mod error;
pub mod ids;
pub mod json;
pub mod limits;
pub mod metadata;
pub mod profile;
pub mod read;
pub mod sse;
pub mod stream;
pub mod typed;
pub mod types;
pub mod usage;

pub use decode::from_json;
pub use encode::{Level, to_json, to_sse, validate};
pub use error::{Code, Error, Issue};
pub use json::{Number, NumberStyle, Object, Value};
pub use limits::Limits;
pub use profile::{Profile, Rules};
pub use types::Event;

/// The protocol version this crate speaks.
pub const PROTOCOL_VERSION: &str = "1.0";
