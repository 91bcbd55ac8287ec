//! The client: its state machines, its agents, their answers and their messages.

#[path = "../support/peer.rs"]
mod peer;
#[path = "../support/scripted.rs"]
mod scripted;
#[path = "../support/simulation.rs"]
mod simulation;
#[cfg(all(feature = "durable", feature = "server"))]
#[path = "../support/until.rs"]
mod until;

mod address;
mod calls;
mod cuts;
mod deliveries;
#[cfg(feature = "serde_json")]
mod duties;
mod ends;
mod faults;
mod flow;
#[cfg(feature = "server")]
mod http;
mod identity;
#[cfg(all(feature = "durable", feature = "server"))]
mod joins;
mod middleware;
mod next_steps;
mod opened_threads;
mod outcomes;
mod plans;
mod requests;
#[cfg(all(feature = "serde_json", feature = "server"))]
#[cfg(all(feature = "durable", feature = "server"))]
mod resuming;
mod rules;
mod runs;
mod schedules;
#[cfg(feature = "serde_json")]
mod sends;
mod stopping;
mod subscribers;
mod tool_runs;
#[cfg(all(feature = "server", feature = "websocket"))]
mod websocket;
