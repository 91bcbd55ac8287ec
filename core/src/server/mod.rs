//! The server side: a [`Run`] makes the bytes of the events of one run, and ends it exactly once. It does no I/O; with
//! the feature `server`, [`axum`] does.

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
mod entities;
mod frame_buffer;
mod guard;
mod heartbeat;
mod keep_alive;
mod refusal;
mod request;
mod request_body;
mod run;
mod run_state;
mod shared;
mod state;
mod state_flush;
mod tool_text;
mod websocket;
mod wire_format;
mod writer;

pub use cause::{Cause, Note};
pub use coalesce::Coalescer;
pub use cors::Cors;
pub use ending::Ending;
pub use guard::{FrameGuard, Guard, GuardMode, Guarded};
pub use refusal::{PlainResponse, Refusal};
pub use request::{Accepted, RequestHead};
pub use request_body::RequestBody;
pub use run::{OpenEntry, Run};
pub use state::StateTracker;
pub use state_flush::StateFlush;
pub use wire_format::WireFormat;

/// The rules of the server for hosts whose objects are not core's: `ag_ui_native::bindings::server`.
pub(crate) mod bindings {
    pub use super::activity::Activity;
    pub use super::cause::{Conclusion, FAILED, OwnEnd, Unended};
    pub use super::coalesce::{Adjacent, Coalesced, is_delta};
    pub use super::entities::Entity;
    pub use super::heartbeat::{Beat, Heartbeat};
    pub use super::state::{
        Comparison, StateDue, Terms, Update, is_delta_sent_again, update, update_at, within, within_token,
    };
    pub use super::tool_text::{arguments_text, result_text};
    pub use super::websocket::{Agreed, Close, Handshake, SUBPROTOCOLS, messages};
    pub use super::writer::{RunWriter, ends_run};
}
