//! Servers: runs, their ends, the connection, and reports about runs.

#[path = "../support/random_documents.rs"]
mod random_documents;
#[path = "../support/random_events.rs"]
mod random_events;
#[path = "../support/random_runs.rs"]
mod random_runs;
#[cfg(feature = "redis")]
#[path = "../support/redis_server.rs"]
mod redis_server;
#[path = "../support/simulation.rs"]
mod simulation;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/until.rs"]
mod until;

mod activities;
mod cases;
mod coalesce;
#[cfg(feature = "durable")]
mod durable;
#[cfg(all(feature = "durable", feature = "websocket"))]
mod durable_websocket;
#[cfg(feature = "client")]
mod ends;
mod examples;
mod frame_guard;
mod guard;
#[cfg(feature = "websocket")]
mod heartbeat_rule;
mod heartbeats;
mod log;
mod request_body;
mod run;
mod runs;
mod schedules;
mod state;
mod state_tracker;
#[cfg(feature = "websocket")]
mod websocket;
