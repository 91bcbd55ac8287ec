//! The server side: requests, and runs that are written.

mod coalesce;
mod request;
mod state;
mod writer;

pub use coalesce::coalesce_function;
pub use request::{check_length, negotiate, refusal};
pub use state::state_update;
pub use writer::{Writer, run_function};
