//! The server side: requests, and the writers of runs.

mod activity;
mod coalesce;
mod deltas;
mod request;
mod state;
mod tools;
mod writer;

pub use coalesce::coalesce_function;
pub use request::{Head, name, negotiate, negotiate_socket, of_answer, refusal, socket_messages};
pub use state::{StatePlace, state_update};
pub use tools::{arguments_text, result_text};
pub use writer::{Writer, run_function};
