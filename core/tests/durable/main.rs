//! Logs of runs: the engine in memory, the machines that write and read logs, and both together in random schedules.

#[path = "../support/random_runs.rs"]
mod random_runs;
#[path = "../support/redis_server.rs"]
mod redis_server;
#[path = "../support/simulation.rs"]
mod simulation;

mod admissions;
mod answers;
mod cursors;
mod differential;
mod ends;
mod engine;
mod linearizable;
mod log_options;
mod notices;
mod occupancies;
mod prefixes;
mod processes;
mod producers;
mod readers;
mod recorders;
mod redis;
mod requests;
mod resumed;
mod schedules;
mod single_operations;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod streams;
mod suite;
mod world;
