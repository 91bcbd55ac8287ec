//! The Node face: conversion between core and JavaScript, nothing else. Text and bytes cross, never objects.

mod events;
mod options;
mod problems;
mod raw;
mod schemas;
mod stream;
mod tape;

use ag_ui_native::error::{Code, Error};
use napi::bindgen_prelude::Unknown;
use napi::{Env, Result};
use napi_derive::napi;

/// Version of the addon.
#[napi(catch_unwind)]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// `debug` or `release`: benchmarks refuse the former.
#[napi(catch_unwind)]
pub fn build_profile() -> &'static str {
    if cfg!(debug_assertions) { "debug" } else { "release" }
}

/// Judges the JSON text of a value of the named type: nothing, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // What crosses the border arrives owned.
pub fn check(name: String, json: String, profile: String, non_empty: bool) -> Option<String> {
    guarded(|| schemas::check(&name, &json, &profile, non_empty))
        .err()
        .map(|error| problems::describe(&error))
}

/// Reads one event: JSON text of the event and the warnings, or of the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)]
pub fn decode_event(json: String, options: String) -> String {
    guarded(|| stream::decode_event(&json, &options))
        .unwrap_or_else(|error| format!("{{\"error\":{}}}", problems::describe(&error)))
}

/// A function that decodes one stream, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)]
pub fn create_decoder(env: Env, options: String) -> Result<Unknown<'static>> {
    match guarded(|| stream::Decoder::new(&options)) {
        Ok(decoder) => raw::decoder_function(env, decoder),
        Err(error) => raw::text(env, &problems::describe(&error)),
    }
}

/// Panics, for the test that a panic stays inside.
#[napi(catch_unwind)]
pub fn panic() {
    panic!("asked for");
}

/// A panic becomes an error like any other.
fn guarded<T>(work: impl FnOnce() -> std::result::Result<T, Error>) -> std::result::Result<T, Error> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Error::new(Code::Internal, "panic")))
}
