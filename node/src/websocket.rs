//! WebSockets, on both sides.

use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::{answer, client, server};

/// How a request with this head for a WebSocket is answered, all as JSON text: see `server::negotiate_socket`.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn negotiate_socket(head: String, options: String) -> String {
    answer(|| server::negotiate_socket(&head, &options))
}

/// Where the messages of a WebSocket stand in frames of a run: where each begins, and where it ends.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands bytes over.
pub fn socket_messages(frames: Uint8Array, is_binary: bool) -> Vec<u32> {
    server::socket_messages(&frames, is_binary)
}

/// Why a server has closed a socket before its first message, described; nothing if it has refused nothing.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn close_failure(code: u32, reason: String) -> Option<String> {
    client::close_failure(code, &reason)
}
