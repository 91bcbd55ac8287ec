//! The Node face: conversion between core and JavaScript, nothing else. Text and bytes cross, never objects.

mod border;
mod build;
mod change;
mod compat;
mod conversation;
mod documents;
mod engine;
mod error;
mod events;
mod feed;
mod host;
mod node_api;
mod options;
mod partial;
mod patch;
mod pipeline;
mod protobuf;
mod reduce;
mod resume;
mod stages;
mod start;
mod stream;
mod tape;

use ag_ui_native::host::decode::from_json;
use ag_ui_native::host::decoder::Decoder as CoreDecoder;
use ag_ui_native::host::pipeline::Pipeline as CorePipeline;
use ag_ui_native::types::TokenUsage;
use ag_ui_native::{Code, Error, Profile};
use napi::bindgen_prelude::{Uint8Array, Unknown};
use napi::{Env, Result};
use napi_derive::napi;

use engine::Engine;
use node_api::Call;
use options::Options;
use partial::PartialArguments;
use pipeline::Pipeline;
use reduce::Reducer;
use stages::Stage;
use start::Start;
use stream::{Decoder, Source};

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
    guarded(|| documents::check(&name, &json, &profile, non_empty)).err().map(|error| error::describe(&error))
}

/// Reads one event: JSON text of the event and the warnings, or of the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn decode_event(json: String, options: String) -> String {
    answer(|| documents::decode_event(&json, &options))
}

/// A function that decodes one stream, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_decoder(env: Env, options: String) -> Result<Unknown<'static>> {
    function(env, || {
        let options = Options::parse(&options)?;
        let decoder = CoreDecoder::new(options.content_type.as_deref(), options.rules, options.limits)?;
        Ok(Box::new(Decoder::new(Source::Decoder(decoder), &options)))
    })
}

/// A function that makes protobuf messages of events, as text, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_protobuf_encoder(env: Env, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(protobuf::Encoder::new(&Options::parse(&options)?))))
}

/// A function that makes events of protobuf messages, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_protobuf_decoder(env: Env, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(protobuf::Decoder::new(&Options::parse(&options)?))))
}

/// Whether an `Accept` header asks for the binary transport; whether wildcards count is the caller's choice.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn accepts_protobuf(accept: String, wildcards: bool) -> bool {
    ag_ui_native::host::protobuf::accepts(&accept, wildcards)
}

/// A function that takes one stream from bytes to changes of a conversation, or to events, as the options say; or the
/// description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_pipeline(env: Env, options: String, start: String) -> Result<Unknown<'static>> {
    function(env, || {
        let options = Options::parse(&options)?;
        let start = Start::read(&start, options.limits)?;
        let pipeline =
            CorePipeline::new(options.content_type.as_deref(), options.of_pipeline(), &start.messages)?;
        Ok(if options.stages.reduce {
            Box::new(Pipeline::new(pipeline, &options, start)) as Box<dyn Engine>
        } else {
            Box::new(Decoder::new(Source::Pipeline { pipeline, start: start.json }, &options))
        })
    })
}

/// A function that takes events, as text, to changes of a conversation, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_reducer(env: Env, options: String, start: String) -> Result<Unknown<'static>> {
    function(env, || {
        let options = Options::parse(&options)?;
        let start = Start::read(&start, options.limits)?;
        Ok(Box::new(Reducer::new(&options, start)))
    })
}

/// A function that takes events, as text, through the stage called `name`, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_stage(env: Env, name: String, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(Stage::new(&name, &Options::parse(&options)?)?)))
}

/// A function that reads the arguments of a call as they arrive, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_partial(env: Env, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(PartialArguments::new(Options::parse(&options)?.limits))))
}

/// Judges the answers to interrupts: nothing, or the description of an error. All are JSON texts; `now` is in
/// milliseconds.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn check_resume(pending: String, answers: String, now: i64) -> Option<String> {
    guarded(|| resume::check(&pending, &answers, now)).err().map(|error| error::describe(&error))
}

/// A run's input as an older peer takes it, and what that loses, as JSON text; or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn downgrade_input(json: String, peer: String) -> String {
    answer(|| compat::downgrade_input(&json, &peer))
}

/// A run's input as 1.0 has it, and what was converted, as JSON text; or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn upgrade_input(json: String) -> String {
    answer(|| compat::upgrade_input(&json))
}

/// The body of a request as a run's input, and the warnings, as JSON text; or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands them over.
pub fn read_run_input(body: Uint8Array, options: String) -> String {
    answer(|| compat::read_run_input(&body, &options))
}

/// What is to be said about the version that a peer declares: a list of at most one warning, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn check_protocol_version(declared: String) -> Option<String> {
    compat::check_protocol_version(&declared)
}

/// The function that patches objects, by the functions of `lib/patching.cts`.
#[napi(catch_unwind)]
pub fn create_patch(env: Env, functions: Unknown<'_>) -> Result<Unknown<'static>> {
    patch::patch_function(env, functions)
}

/// A patch that turns one document into another, which differ at the pointer `place` only: the values there and the
/// result are JSON texts. Or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn diff(place: String, old: String, new: String) -> String {
    answer(|| patch::diff(&place, &old, &new))
}

/// The description of an error that JavaScript meets: core words it. `limit` is the name of the setting that was exceeded.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn describe(code: String, detail: String, limit: Option<String>) -> String {
    error::describe_met(&code, detail, limit.as_deref())
}

/// Entries of token usage summed up: JSON texts. Or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn aggregate_usage(entries: String) -> String {
    answer(|| {
        let (entries, _) = from_json::<Vec<TokenUsage>>(entries, Profile::Strict)?;
        Ok(events::json_of(&TokenUsage::aggregate(&entries)?))
    })
}

/// Panics, for the test that a panic stays inside.
#[napi(catch_unwind)]
pub fn panic() {
    panic!("asked for");
}

/// The function of an engine, or the description of why there is none.
fn function(
    env: Env,
    make: impl FnOnce() -> std::result::Result<Box<dyn Engine>, Error>,
) -> Result<Unknown<'static>> {
    match guarded(make) {
        Ok(engine) => feed::feed_function(env, engine),
        Err(error) => Call::of(&env).returned_text(&error::describe(&error)),
    }
}

/// JSON text, or that of the error.
fn answer(work: impl FnOnce() -> std::result::Result<String, Error>) -> String {
    guarded(work).unwrap_or_else(|error| format!("{{\"error\":{}}}", error::describe(&error)))
}

/// A panic becomes an error like any other.
fn guarded<T>(work: impl FnOnce() -> std::result::Result<T, Error>) -> std::result::Result<T, Error> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Error::new(Code::Internal, "panic")))
}
