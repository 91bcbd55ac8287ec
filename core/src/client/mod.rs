//! The client side: the input of a run, the request, the answer, retries. The rules do no I/O; with the feature `client`, an [`Agent`] does
//! it.
//!
//! ```no_run
//! # #[cfg(feature = "client")]
//! use ag_ui_native::client::{HttpAgent, RunParameters};
//! use ag_ui_native::types::UserMessage;
//! use ag_ui_native::Event;
//!
//! # #[cfg(feature = "client")]
//! # async fn show() -> Result<(), ag_ui_native::client::ClientError> {
//! let mut agent = HttpAgent::new("http://127.0.0.1:8000/").with_header("authorization", "Bearer token");
//! println!("{}", agent.ask("What is to be done?").await?.text());
//!
//! agent.add_message(UserMessage::new("q", "And then?"));
//! let mut run = agent.run(RunParameters::default());
//! while let Some(event) = run.next().await {
//!     if let Event::TextMessageContent(event) = event? {
//!         print!("{}", event.delta);
//!     }
//! }
//! let tokens = run.into_result().usage; // the agent is free again
//! println!("{} messages, {tokens:?}", agent.messages()?.len());
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "client")]
mod abort;
#[cfg(feature = "client")]
mod agent;
mod approval;
#[cfg(feature = "client")]
mod builder;
#[cfg(feature = "client")]
mod chat;
#[cfg(feature = "client")]
mod conversation;
mod delivery;
#[cfg(feature = "client")]
mod event_source;
#[cfg(feature = "client")]
mod flow;
#[cfg(feature = "client")]
mod joining;
#[cfg(feature = "client")]
mod middleware;
#[cfg(feature = "client")]
mod notifier;
mod opened_thread;
#[cfg(feature = "client")]
mod options;
#[cfg(feature = "client")]
mod progress;
#[cfg(feature = "client")]
mod reading;
mod reconnect;
mod request;
#[cfg(feature = "client")]
mod result;
#[cfg(feature = "durable")]
mod resumable;
mod resume;
mod retry;
#[cfg(feature = "client")]
mod run;
mod runs;
#[cfg(feature = "client")]
mod subscriber;
#[cfg(feature = "client")]
mod subscriber_params;
mod timeout;
mod tools;
mod transport;

#[cfg(feature = "client")]
pub use abort::AbortHandle;
#[cfg(feature = "client")]
pub use agent::Agent;
#[cfg(feature = "client")]
pub use chat::{Reply, ReplyStream};
#[cfg(feature = "client")]
pub use middleware::{EventSink, Events, Middleware, Next};
#[cfg(feature = "client")]
pub use options::{RunParameters, Timeouts};
#[cfg(feature = "client")]
pub use result::{ClientError, RunOutcome, RunResult};
#[cfg(feature = "client")]
pub use run::RunStream;
#[cfg(feature = "client")]
pub use subscriber::{AgentStateMutation, AgentSubscriber};
#[cfg(feature = "client")]
pub use subscriber_params::AgentSubscriberParams;
#[cfg(feature = "client")]
pub use transport::http::{HttpAgent, HttpTransport};
#[cfg(all(feature = "client", feature = "server"))]
pub use transport::local::{LocalAgent, LocalTransport};
#[cfg(feature = "client")]
pub use transport::request::{RunRequest, Transport};
#[cfg(feature = "client")]
pub use transport::response::{Body, Response};
#[cfg(all(feature = "client", feature = "websocket"))]
pub use transport::websocket::{WebSocketAgent, WebSocketTransport};

pub use approval::{approve, cancel, edit, reject, respond};
pub use reconnect::ReconnectOptions;
pub use retry::Retry;
pub use tools::filter::ToolCallFilter;
pub use transport::redirect::Redirects;
pub use transport::response_head::Payload;

/// The state machines and rules of the client, for hosts that do the I/O themselves: `ag_ui_native::bindings::client`.
pub(crate) mod bindings {
    pub use super::delivery::{
        Callback, CallbackResult, Callbacks, Counts, Delivered, Delivery, DeliveryStep, Notify, Plans,
        Reduce, Reduced,
    };
    pub use super::opened_thread::OpenedThread;
    pub use super::reconnect::{RESUME_HEADER, Reconnect};
    pub use super::request::{
        AnswerHead, Command, Deadline, Exchange, ExchangeOptions, Limit, Moment, Purpose, RequestFailure,
        Sending, Subject, TimeLimits, no_active_run, over_http_only,
    };
    #[cfg(feature = "durable")]
    pub use super::resumable::{CANCEL_TIMEOUT, ResumableHead, ResumableStream, ResumeStep};
    pub use super::resume::build_resume;
    pub use super::retry::Attempt;
    pub use super::runs::early_end::{Cause, EarlyEnd};
    pub use super::runs::input::{prepare, prepare_checked, read_members, read_tools};
    pub use super::runs::intake::{Admitted, Intake};
    pub use super::runs::loss::lost;
    pub use super::runs::members::AgentMembers;
    pub use super::runs::outcome::outcome_error;
    pub use super::runs::{NextStep, OutcomeKind, RunSum, Runs};
    pub use super::timeout::Timeout;
    pub use super::tools::answer::answer_tool;
    pub use super::tools::arguments::{
        NO_JSON_RESULT, arguments_json, check_arguments, misfit, read_arguments, read_schema,
    };
    pub use super::transport::address::Address;
    pub use super::transport::encoding::ContentEncoding;
    #[cfg(feature = "gzip")]
    pub use super::transport::gunzip::Gunzip;
    pub use super::transport::headers::{accept, check_header, is_reserved};
    pub use super::transport::message::{close_failure, frame_message};
    pub use super::transport::redirect::{check_redirect, invalid_location};
    pub use super::transport::response_head::ResponseHead;
    pub use super::transport::run_address::{agent_address, escaped, run_location};
}
