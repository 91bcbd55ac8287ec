//! Runs with a log, for `lib/durable`: engines, and the machines of a server.
//!
//! Keys and hints cross as JSON text. Operations and replies stay here: JavaScript passes handles on.

mod handles;
mod machine;
mod memory;
mod notice;
mod occupancy;
mod recorder;
mod redis;
mod response;
mod server;
mod sqlite;
mod start;
mod stream;
mod suite;
pub mod time;
