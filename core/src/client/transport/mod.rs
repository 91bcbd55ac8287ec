//! The transports of runs: HTTP, WebSockets, agents in the same program; their requests and responses.

pub(super) mod address;
pub(super) mod encoding;
#[cfg(feature = "gzip")]
pub(super) mod gunzip;
pub(super) mod headers;
#[cfg(feature = "client")]
pub(super) mod http;
#[cfg(all(feature = "client", feature = "server"))]
pub(super) mod local;
pub(super) mod message;
#[cfg(feature = "client")]
pub(super) mod opening;
pub(super) mod redirect;
#[cfg(feature = "client")]
pub(super) mod request;
#[cfg(feature = "client")]
pub(super) mod response;
pub(super) mod response_head;
#[cfg(all(feature = "client", feature = "durable"))]
pub(super) mod resuming;
pub(super) mod run_address;
#[cfg(feature = "client")]
pub(super) mod thread;
#[cfg(all(feature = "client", feature = "websocket"))]
pub(super) mod websocket;
