//! The server side: a run is written, whatever happens ends it once, and it leaves as bytes. I/O is for others: with the feature `server`,
//! [`axum`] does it.

mod activity;
mod agent_state;
#[cfg(feature = "server")]
pub mod axum;
mod cancel;
mod cause;
mod coalesce;
mod conclude;
mod cors;
mod ending;
mod frames;
mod guard;
mod keep_alive;
mod refusal;
mod request;
mod request_body;
mod run;
mod run_state;
mod shared;
mod silence;
mod slots;
mod state;
mod state_flush;
mod tool_text;
mod websocket;
mod writer;

#[doc(hidden)]
pub use activity::Activity;
#[doc(hidden)]
pub use cause::FAILED;
pub use cause::{Cause, Conclusion, Note, OwnEnd, Unended};
pub use coalesce::Coalescer;
#[doc(hidden)]
pub use coalesce::{Adjacent, Coalesced, is_delta};
pub use cors::Cors;
pub use ending::Ending;
pub use frames::Transport;
pub use guard::{Guard, GuardMode, Guarded};
pub use refusal::{Answer, Refusal};
pub use request::{Accepted, Request};
pub use request_body::RequestBody;
pub use run::{OpenEntry, Run};
pub use silence::{Beat, Silence};
pub use slots::Entity;
pub use state::StateTracker;
#[doc(hidden)]
pub use state::{
    Look, StateDue, Terms, Update, is_delta_sent_again, update, update_at, within, within_token,
};
pub use state_flush::StateFlush;
#[doc(hidden)]
pub use tool_text::{arguments_text, result_text};
#[doc(hidden)]
pub use websocket::messages;
pub use websocket::{Agreed, Close, Handshake, SUBPROTOCOLS};
pub use writer::RunWriter;
#[doc(hidden)]
pub use writer::ends_run;
