//! Runs with a log, for `lib/durable`: engines, and the machines of a server.
//!
//! Keys and hints cross as JSON text. Operations and replies stay here: JavaScript passes handles on.

mod admission;
mod handles;
mod memory;
mod notice;
mod occupancy;
mod reader;
mod recorder;
mod redis;
mod response;
mod server;
mod single;
mod sqlite;
mod suite;
pub mod time;
