//! The server side: a [`Run`] makes the bytes of the events of one run, and ends it exactly once. It does no I/O; with
//! the feature `server`, [`axum`] does.
//!
//! ```
//! use ag_ui_native::server::{Cause, Run, WireFormat};
//! use ag_ui_native::types::{Interrupt, RunAgentInput, TokenUsage};
//! use ag_ui_native::{Limits, Object};
//!
//! let input = RunAgentInput::new("t1", "r1", vec![]);
//! let run = Run::begin(input, WireFormat::Text, false, Limits::default())?;
//!
//! let reasoning = run.reasoning()?;
//! reasoning.write("The user asks for the weather.")?;
//! reasoning.encrypted_value("gAAAAB", Some("anthropic.signature"))?;
//! drop(reasoning);
//!
//! let call = run.call_tool("weather", &Object::from([("city", "Paris")]).into())?;
//! run.tool_result(&call, "It is clear.")?;
//!
//! let (researcher, invocation) = run.subagent("researcher")?;
//! researcher.text_message()?.write("3 sources.")?;
//! invocation.end_by(Cause::Returned(None))?;
//!
//! run.set_state_of(&["Buy milk"])?;
//! run.flush_state()?;
//! run.state_snapshot(Object::from([("tasks", 2)]))?;
//! run.add_usage(TokenUsage::new().with_model("large").with_input_tokens(120));
//! run.interrupt(vec![Interrupt::new("i1", "confirmation")])?;
//! assert!(!run.is_running() && !run.take().is_empty());
//! # Ok::<(), ag_ui_native::Error>(())
//! ```

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
