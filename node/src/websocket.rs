//! WebSockets, on both sides.

use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::{answer, client, server};

/// Returns the answer to a WebSocket request with this head, all as JSON text: see `server::negotiate_socket`.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn negotiate_socket(head: String, options: String) -> String {
    answer(|| server::negotiate_socket(&head, &options))
}

/// Returns the start and the end of each WebSocket message in frames of a run.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands bytes over.
pub fn socket_messages(frames: Uint8Array, is_binary: bool) -> Vec<u32> {
    server::socket_messages(&frames, is_binary)
}

/// Describes the refusal of a server that closes a socket before its first message, or returns `None`.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn close_failure(code: u32, reason: String) -> Option<String> {
    client::close_failure(code, &reason)
}
