//! The Node face: conversion between core and JavaScript, nothing else. Text and bytes cross, never objects.

mod border;
mod build;
mod client;
mod compaction;
mod compat;
mod decoder;
mod documents;
mod engine;
mod error;
mod events;
mod frames;
mod node_api;
mod options;
mod partial;
mod patch;
mod pipeline;
mod protobuf;
mod reduce;
mod resume;
mod server;
mod stages;
pub mod websocket;

use ag_ui_native::host::decode::from_json;
use ag_ui_native::host::decoder::Decoder as CoreDecoder;
use ag_ui_native::host::pipeline::Pipeline as CorePipeline;
use ag_ui_native::host::protobuf::is_media_type;
use ag_ui_native::host::server::within;
use ag_ui_native::types::TokenUsage;
use ag_ui_native::{Code, Error, Profile};
use napi::bindgen_prelude::{Uint8Array, Unknown};
use napi::{Env, Result};
use napi_derive::napi;

use decoder::{Decoder, Source};
use engine::Engine;
use frames::Frames;
use node_api::Call;
use options::Options;
use partial::PartialArguments;
use pipeline::Pipeline;
use reduce::Reducer;
use reduce::start::Start;
use stages::Stage;

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
pub fn check(
    name: String,
    json: String,
    profile: String,
    non_empty: bool,
    place: Option<String>,
) -> Option<String> {
    let place = place.unwrap_or_default();
    let checked = guarded(|| {
        documents::check(&name, &json, &profile, non_empty).map_err(|error| within(&place, error))
    });
    checked.err().map(|error| error::describe(&error))
}

/// Reads one event: JSON text of the event and the warnings, or of the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn decode_event(json: String, options: String) -> String {
    answer(|| documents::decode_event(&json, &options))
}

/// A function that decodes one stream: for the middleware of a client, if that is so; or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_decoder(
    env: Env,
    options: String,
    before_middleware: Option<bool>,
) -> Result<Unknown<'static>> {
    function(env, || {
        let options = Options::parse(&options)?;
        if before_middleware == Some(true) {
            return Ok(Box::new(Decoder::before_middleware(&options)?));
        }
        let decoder = CoreDecoder::new(options.content_type.as_deref(), options.rules, options.limits)?;
        Ok(Box::new(Decoder::new(Source::Decoder(decoder), &options)))
    })
}

/// A function that takes a text stream apart, of the media type that the options name; nothing if that is the binary transport's; or
/// the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_frames(env: Env, options: String) -> Result<Unknown<'static>> {
    let options = match guarded(|| Options::parse(&options)) {
        Ok(options) => options,
        Err(error) => return Call::of(&env).returned_text(&error::describe(&error)),
    };
    if options.content_type.as_deref().is_some_and(is_media_type) {
        let call = Call::of(&env);
        return call.returned(call.null());
    }
    function(env, || {
        CoreDecoder::new(options.content_type.as_deref(), options.rules, options.limits)?;
        Ok(Box::new(Frames::new(&options.limits)))
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

/// True if an `Accept` header asks for the binary transport; whether wildcards count is the caller's choice.
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

/// A function that takes events, as text, through the stage called `name`, of which `intake` is all behind a client's middleware; or the
/// description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_stage(env: Env, name: String, options: String) -> Result<Unknown<'static>> {
    function(env, || stages::stage(&name, &Options::parse(&options)?))
}

/// A function that takes events, as text, through a filter of tool calls; `names` is a list as JSON text. Or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_tool_filter(env: Env, names: String, allows: bool) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(Stage::filter(client::tool_filter(&names, allows)))))
}

/// A function that decides on compaction: `CompactionFunction` in `lib/native/native.cts` describes it.
#[napi(catch_unwind)]
pub fn create_compaction(env: Env) -> Result<Unknown<'static>> {
    compaction::compaction_function(env)
}

/// A function that takes events, as text, through a guard; or the description of an error. `input` is the run's, as JSON text, or empty.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_guard(env: Env, mode: String, input: String, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(Stage::guard(&mode, &input, &Options::parse(&options)?)?)))
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
    guarded(|| resume::check(&pending, &answers, now).map(drop)).err().map(|error| error::describe(&error))
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

/// What is written of a run over a transport, `text` or `binary`: a function, or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_run(
    env: Env,
    transport: String,
    options: String,
    state_flush: Option<String>,
    show_errors: Option<bool>,
) -> Result<Unknown<'static>> {
    let shown = show_errors.unwrap_or_default();
    match guarded(|| server::Writer::new(&transport, &options, state_flush.as_deref(), shown)) {
        Ok(writer) => server::run_function(env, writer),
        Err(error) => Call::of(&env).returned_text(&error::describe(&error)),
    }
}

/// How a request with this head is answered: the transport and its media type as JSON text, or the refusal. `headers` is JSON text, too.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn negotiate(head: String, options: String) -> String {
    answer(|| server::negotiate(&head, &options))
}

/// Whether so many bytes of a request's body may come: nothing, or the refusal as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn check_length(length: f64, options: String) -> Option<String> {
    server::check_length(length, &options)
}

/// Judges the answers to interrupts: the warnings of them, or the refusal, as JSON text. All are JSON texts; `now` is in milliseconds.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn judge_resume(pending: String, answers: String, now: i64) -> String {
    match guarded(|| resume::check(&pending, &answers, now)) {
        Ok(warnings) => compat::warned(warnings),
        Err(error) => server::refusal(error),
    }
}

/// The refusal of a request with an error that JavaScript meets, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn refuse(code: String, detail: Option<String>) -> String {
    server::refusal(error::met(&code, detail.unwrap_or_default(), None))
}

/// The function that patches objects, by the functions of `lib/patch/patching.cts`.
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

/// What brings a client to the current state: see `server::state_update`. Or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands values over.
pub fn state_update(places: Vec<server::StatePlace>, bytes: i64, options: String) -> String {
    let bytes = usize::try_from(bytes).unwrap_or_default();
    answer(|| server::state_update(&places, bytes, &options))
}

/// The function that joins adjacent deltas, to so many bytes, in so many milliseconds.
#[napi(catch_unwind)]
pub fn create_coalescer(env: Env, max_bytes: f64, max_delay: f64) -> Result<Unknown<'static>> {
    server::coalesce_function(env, max_bytes, max_delay)
}

/// What the runs of an agent's calls come to: see `runs.rs`. `past` is that of the agent whose copy it is, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_runs(env: Env, past: Option<String>) -> Result<Unknown<'static>> {
    client::runs::runs_function(env, past.as_deref().unwrap_or_default())
}

/// Tells subscribers: see `delivery.rs`. Of each the names of the callbacks that it has, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_delivery(env: Env, subscribers: String) -> Result<Unknown<'static>> {
    client::delivery::delivery_function(env, &subscribers)
}

/// The arguments of a call, which are an object, as they came; or, in a JSON string, what the agent is told of anything else.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn read_arguments(text: String, options: String, schema: Option<String>) -> String {
    answer(|| client::runs::read_arguments(&text, &options, schema.as_deref()))
}

/// What the agent is told of arguments that a tool's schema does not allow: `issues` are places and reasons, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn misfit(issues: String) -> String {
    client::runs::misfit(&issues)
}

/// An input ready to be sent, from its members and the interrupts that wait: `{"warnings": ...}`, and the body on a line of its own; or
/// the error. `now` is in milliseconds.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn prepare_input(
    members: String,
    pending: String,
    peer: Option<String>,
    options: String,
    now: i64,
) -> String {
    answer(|| client::prepare(&members, &pending, peer.as_deref(), &options, now))
}

/// Answers in the order of the interrupts that wait; all are JSON texts. Or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn build_resume(pending: String, answers: String, now: i64) -> String {
    answer(|| client::build_resume(&pending, &answers, now))
}

/// Whether the client sets this header itself, as JSON text; or the error, if it cannot be sent.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn check_header(name: String, value: String) -> String {
    answer(|| client::check_header(&name, &value).map(|reserved| reserved.to_string()))
}

/// What is asked at an address, and with which header `authorization`, as JSON text. `before` is that of the one that has led to it.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn address_of(url: String, before: Option<String>, same_origin: bool) -> String {
    client::address_of(&url, before, same_origin)
}

/// A request of a client's on its way; the options are JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_request(env: Env, options: String) -> Result<Unknown<'static>> {
    client::request::request_function(env, &options)
}

/// The failure that an answer without events is, with its payload, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn response_failure(status: u32, content_type: Option<String>, body: Uint8Array) -> String {
    client::response_failure(status, content_type.as_deref(), &body)
}

/// The description of an error that a client meets; `limit` names the timeout or setting.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn describe_failure(code: String, detail: String, limit: Option<String>) -> String {
    client::describe(&code, &detail, limit.as_deref())
}

/// The description of the error that an outcome of a run is; nothing if it is none.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn describe_outcome(outcome: String, agent_code: Option<String>) -> Option<String> {
    client::describe_outcome(&outcome, agent_code.as_deref())
}

/// A message of a socket as a frame of a stream. An error is thrown, its description as the message.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn frame_message(message: Uint8Array, is_binary: bool, options: String) -> Result<Uint8Array> {
    let framed = guarded(|| client::frame_message(&message, is_binary, &options));
    framed.map(Uint8Array::from).map_err(|error| napi::Error::from_reason(error::describe(&error)))
}

/// The message that answers a call of a tool, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn answer_tool(tool_call_id: String, answer: String, failed: bool, options: String) -> Result<String> {
    let answered = client::answer_tool(&tool_call_id, answer, failed, &options);
    answered.map_err(|error| napi::Error::from_reason(error::describe(&error)))
}

/// The text of a call's arguments, which are JSON text here, as a JSON string; or the error.
#[napi(catch_unwind)]
pub fn arguments_text(json: String) -> String {
    answer(|| server::arguments_text(json))
}

/// What a tool has returned, JSON text here, as text in a JSON string, `null` for content parts; or the error.
#[napi(catch_unwind)]
pub fn result_text(json: String) -> String {
    answer(|| server::result_text(json))
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
        Ok(engine) => engine::feed::feed_function(env, engine),
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
