//! The server side: requests for runs, and the runs that Python code writes.

mod activity;
pub mod coalesce;
mod ends;
pub mod fastcall;
mod plain;
pub mod request;
mod request_body;
mod sending;
pub mod state;
mod state_events;
mod steps;
pub mod value;
pub mod websocket;
pub mod writer;

pub use activity::ActivityWriter;
pub use request_body::RequestBody;
pub use steps::{AgentSteps, FirstStep};
pub use writer::{EntityWriter, RunWriter};
