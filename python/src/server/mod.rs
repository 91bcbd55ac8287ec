//! The server side: requests for runs, and the runs that Python code writes.

mod activity;
pub mod coalesce;
mod ends;
pub mod fastcall;
mod first_step;
pub mod model_stream;
mod plain;
pub mod request;
mod request_body;
mod sending;
pub mod state;
mod state_events;
pub mod value;
pub mod websocket;
pub mod writer;

pub use activity::ActivityWriter;
pub use first_step::FirstStep;
pub use request_body::RequestBody;
pub use writer::{EntityWriter, RunWriter};
