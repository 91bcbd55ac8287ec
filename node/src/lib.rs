//! The Node binding converts between core and JavaScript. Text and bytes cross the border, never objects.

pub mod adapters;
mod border;
mod build;
mod client;
mod compaction;
mod compat;
mod decoder;
mod documents;
mod durable;
mod engine;
pub mod error;
mod events;
mod node_api;
mod options;
mod partial;
mod patch;
mod pipeline;
mod protobuf;
mod reduce;
mod resume;
mod server;
mod sse_splitter;
mod stages;
pub mod websocket;

use ag_ui_native::bindings::decoder::Decoder as CoreDecoder;
use ag_ui_native::bindings::pipeline::Pipeline as CorePipeline;
use ag_ui_native::bindings::protobuf::is_media_type;
use ag_ui_native::bindings::server::{is_delta_sent_again as is_sent_again, within};
use ag_ui_native::from_json;
use ag_ui_native::types::TokenUsage;
use ag_ui_native::{Code, Error, Profile};
use napi::bindgen_prelude::{Uint8Array, Unknown};
use napi::{Env, Result};
use napi_derive::napi;

use decoder::{Decoder, InnerDecoder};
use engine::Engine;
use node_api::JsCall;
use options::ReaderOptions;
use partial::PartialArguments;
use pipeline::Pipeline;
use reduce::Reducer;
use reduce::start::Start;
use sse_splitter::SseSplitter;
use stages::Stage;
use stages::guard::GuardStage;

/// Version of the addon.
#[napi(catch_unwind)]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns `debug` or `release`: benchmarks refuse the former.
#[napi(catch_unwind)]
pub fn build_profile() -> &'static str {
    if cfg!(debug_assertions) { "debug" } else { "release" }
}

/// Validates the JSON text of a value of the named type. Returns the description of an error, or `None`.
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

/// Reads one event. Returns JSON text of the event and the warnings, or of the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn decode_event(json: String, options: String) -> String {
    answer(|| documents::decode_event(&json, &options))
}

/// Returns a function that decodes one stream, in front of a client's middleware if `before_middleware`; or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_decoder(
    env: Env,
    options: String,
    before_middleware: Option<bool>,
) -> Result<Unknown<'static>> {
    function(env, || {
        let options = ReaderOptions::parse(&options)?;
        if before_middleware == Some(true) {
            return Ok(Box::new(Decoder::before_middleware(&options)?));
        }
        let decoder = CoreDecoder::new(options.content_type.as_deref(), options.rules, options.limits)?;
        Ok(Box::new(Decoder::new(InnerDecoder::Decoder(decoder), &options)))
    })
}

/// Returns a function that splits a text stream of the options' media type; null for the media type of the binary transport; or
/// the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_frames(env: Env, options: String) -> Result<Unknown<'static>> {
    let options = match guarded(|| ReaderOptions::parse(&options)) {
        Ok(options) => options,
        Err(error) => return JsCall::of(&env).returned_text(&error::describe(&error)),
    };
    if options.content_type.as_deref().is_some_and(is_media_type) {
        let call = JsCall::of(&env);
        return call.returned(call.null());
    }
    function(env, || {
        CoreDecoder::new(options.content_type.as_deref(), options.rules, options.limits)?;
        Ok(Box::new(SseSplitter::new(&options.limits)))
    })
}

/// Returns a function that encodes events, as text, to protobuf messages; or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_protobuf_encoder(env: Env, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(protobuf::Encoder::new(&ReaderOptions::parse(&options)?))))
}

/// Returns a function that decodes protobuf messages; or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_protobuf_decoder(env: Env, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(protobuf::Decoder::new(&ReaderOptions::parse(&options)?))))
}

/// Returns true if a content type is that of the binary transport, with or without parameters.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn is_protobuf(content_type: String) -> bool {
    is_media_type(&content_type)
}

/// Returns true if an `Accept` header asks for the binary transport. `accept_wildcards` lets wildcards count.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn accepts_protobuf(accept: String, accept_wildcards: bool) -> bool {
    ag_ui_native::bindings::protobuf::accepts(&accept, accept_wildcards)
}

/// Returns a function that turns the bytes of a stream into changes of a conversation or into events, by the options; or the
/// description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_pipeline(env: Env, options: String, start: String) -> Result<Unknown<'static>> {
    function(env, || {
        let options = ReaderOptions::parse(&options)?;
        let start = Start::read(&start, options.limits)?;
        let pipeline =
            CorePipeline::new(options.content_type.as_deref(), options.of_pipeline(), &start.messages)?;
        Ok(if options.stages.reduce {
            Box::new(Pipeline::new(pipeline, &options, start)) as Box<dyn Engine>
        } else {
            Box::new(Decoder::new(InnerDecoder::Pipeline { pipeline, start: start.json }, &options))
        })
    })
}

/// Returns a function that turns events, as text, into changes of a conversation; or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_reducer(env: Env, options: String, start: String) -> Result<Unknown<'static>> {
    function(env, || {
        let options = ReaderOptions::parse(&options)?;
        let start = Start::read(&start, options.limits)?;
        Ok(Box::new(Reducer::new(&options, start)))
    })
}

/// Returns a function that runs events, as text, through the stage `name`; `intake` is all stages after a client's middleware; or the
/// description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_stage(env: Env, name: String, options: String) -> Result<Unknown<'static>> {
    function(env, || stages::stage(&name, &ReaderOptions::parse(&options)?))
}

/// Returns a function that runs events, as text, through a filter of tool calls; `names` is a list as JSON text. Or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_tool_filter(env: Env, names: String, allows: bool) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(Stage::filter(client::tool_filter(&names, allows)))))
}

/// Returns a function that plans compaction: `CompactionFunction` in `lib/native/native.cts` describes it.
#[napi(catch_unwind)]
pub fn create_compaction(env: Env) -> Result<Unknown<'static>> {
    compaction::compaction_function(env)
}

/// Returns a function that runs events, as text, or a stream's bytes through a guard; or the description of an error. `input` is the run's input as JSON text, or empty.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_guard(env: Env, mode: String, input: String, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(GuardStage::new(&mode, &input, &ReaderOptions::parse(&options)?)?)))
}

/// Returns a function that reads the arguments of a call that arrive in pieces; or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_partial(env: Env, options: String) -> Result<Unknown<'static>> {
    function(env, || Ok(Box::new(PartialArguments::new(ReaderOptions::parse(&options)?.limits))))
}

/// Validates the answers to interrupts. Returns the description of an error, or `None`. All are JSON texts; `now` is in
/// milliseconds.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn check_resume(pending: String, answers: String, now: i64) -> Option<String> {
    guarded(|| resume::check(&pending, &answers, now).map(drop)).err().map(|error| error::describe(&error))
}

/// Translates a run's input for an older peer. Returns it and the warnings of losses as JSON text; or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn downgrade_input(json: String, peer: String) -> String {
    answer(|| compat::downgrade_input(&json, &peer))
}

/// Translates a run's input to 1.0. Returns it and the warnings of conversions as JSON text; or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn upgrade_input(json: String) -> String {
    answer(|| compat::upgrade_input(&json))
}

/// Reads the body of a request as a run's input. Returns it and the warnings as JSON text; or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands them over.
pub fn read_run_input(body: Uint8Array, options: String) -> String {
    answer(|| compat::read_run_input(&body, &options))
}

/// Returns a list of at most one warning about the version that a peer declares, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn check_protocol_version(declared: String) -> Option<String> {
    compat::check_protocol_version(&declared)
}

/// Returns a function that writes a run in a wire format, `text` or `binary`; or the description of an error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_run(
    env: Env,
    wire_format: String,
    options: String,
    state_flush: Option<String>,
    show_errors: Option<bool>,
) -> Result<Unknown<'static>> {
    let shown = show_errors.unwrap_or_default();
    match guarded(|| server::Writer::new(&wire_format, &options, state_flush.as_deref(), shown)) {
        Ok(writer) => server::run_function(env, writer),
        Err(error) => JsCall::of(&env).returned_text(&error::describe(&error)),
    }
}

/// Returns the answer to a request with this head: the wire format and its media type as JSON text, or the refusal. `headers` is JSON text, too.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn negotiate(head: String, options: String) -> String {
    answer(|| server::negotiate(&head, &options))
}

/// Validates the answers to interrupts. Returns the warnings or the refusal, as JSON text. All are JSON texts; `now` is in milliseconds.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn judge_resume(pending: String, answers: String, now: i64) -> String {
    match guarded(|| resume::check(&pending, &answers, now)) {
        Ok(warnings) => compat::warned(warnings),
        Err(error) => server::refusal(error),
    }
}

/// True if the agent's own STATE_DELTA that failed with this code, perhaps at an operation, is sent again after the state.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn is_delta_sent_again(code: String, operation: Option<u32>) -> bool {
    let operation = operation.map(|operation| operation as usize);
    is_sent_again(&Error { operation, ..error::javascript_error(&code, String::new(), None) })
}

/// Returns the refusal of a request with an error that JavaScript finds, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn refuse(code: String, detail: Option<String>) -> String {
    server::refusal(error::javascript_error(&code, detail.unwrap_or_default(), None))
}

/// Returns the function that patches objects by the functions of `lib/patch/patching.cts`.
#[napi(catch_unwind)]
pub fn create_patch(env: Env, functions: Unknown<'_>) -> Result<Unknown<'static>> {
    patch::patch_function(env, functions)
}

/// Returns a patch that turns one document into another. They differ at the pointer `place` only: the values there and the
/// result are JSON texts. Or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn diff(place: String, old: String, new: String) -> String {
    answer(|| patch::diff(&place, &old, &new))
}

/// Returns the update of a client to the current state: see `server::state_update`. Or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands values over.
pub fn state_update(places: Vec<server::StatePlace>, bytes: i64, options: String) -> String {
    let bytes = usize::try_from(bytes).unwrap_or_default();
    answer(|| server::state_update(&places, bytes, &options))
}

/// Returns the function that joins adjacent deltas up to `max_bytes` or for `max_delay` milliseconds.
#[napi(catch_unwind)]
pub fn create_coalescer(env: Env, max_bytes: f64, max_delay: f64) -> Result<Unknown<'static>> {
    server::coalesce_function(env, max_bytes, max_delay)
}

/// Returns the record of the runs of an agent's calls: see `client/runs.rs`. `past` is the record of the agent that it copies, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_runs(env: Env, past: Option<String>) -> Result<Unknown<'static>> {
    client::runs::runs_function(env, past.as_deref().unwrap_or_default())
}

/// Returns the function that plans the calls of subscribers: see `client/delivery.rs`. `subscribers` has the names of the callbacks of each, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_delivery(
    env: Env,
    subscribers: String,
    reports_changes: Option<bool>,
) -> Result<Unknown<'static>> {
    client::delivery::delivery_function(env, &subscribers, reports_changes == Some(true))
}

/// Returns the arguments of a call, which are an object, unchanged; for other arguments, the answer to the agent as a JSON string.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn read_arguments(text: String, options: String, schema: Option<String>) -> String {
    answer(|| client::runs::read_arguments(&text, &options, schema.as_deref()))
}

/// Returns the answer to the agent for arguments that a tool's schema refuses: `issues` are places and reasons, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn misfit(issues: String) -> String {
    client::runs::misfit(&issues)
}

/// Prepares an input for sending from its members and the pending interrupts: `{"warnings": ...}`, and the body on a line of its own; or
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

/// Returns the answers in the order of the pending interrupts; all are JSON texts. Or the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn build_resume(pending: String, answers: String, now: i64) -> String {
    answer(|| client::build_resume(&pending, &answers, now))
}

/// Returns `true` if the client sets this header itself, otherwise `false`, as JSON text; or the error, if it cannot be sent.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn check_header(name: String, value: String) -> String {
    answer(|| client::check_header(&name, &value).map(|reserved| reserved.to_string()))
}

/// Returns the URL and the header `authorization` for an address, as JSON text. `before` is the header of the address that redirected to it.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn address_of(url: String, before: Option<String>, same_origin: bool) -> String {
    client::address_of(&url, before, same_origin)
}

/// Returns the state machine of a client's request; the options are JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn create_request(env: Env, options: String) -> Result<Unknown<'static>> {
    client::request::request_function(env, &options)
}

/// Returns the failure for an answer without events, with its payload, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn response_failure(status: u32, content_type: Option<String>, body: Uint8Array) -> String {
    client::response_failure(status, content_type.as_deref(), &body)
}

/// Describes an error that a client finds; `limit` names the timeout or setting.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn describe_failure(code: String, detail: String, limit: Option<String>) -> String {
    client::describe(&code, &detail, limit.as_deref())
}

/// Describes the error of a run's outcome, or returns `None`.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn describe_outcome(outcome: String, agent_code: Option<String>) -> Option<String> {
    client::describe_outcome(&outcome, agent_code.as_deref())
}

/// Returns a message of a socket as a frame of a stream. An error is thrown with its description as the message.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn frame_message(
    message: Uint8Array,
    is_binary: bool,
    is_first_binary: bool,
    options: String,
) -> Result<Uint8Array> {
    let framed = guarded(|| client::frame_message(&message, is_binary, is_first_binary, &options));
    framed.map(Uint8Array::from).map_err(|error| napi::Error::from_reason(error::describe(&error)))
}

/// Returns the message that answers a tool call, as JSON text.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn answer_tool(tool_call_id: String, answer: String, failed: bool, options: String) -> Result<String> {
    let answered = client::answer_tool(&tool_call_id, answer, failed, &options);
    answered.map_err(|error| napi::Error::from_reason(error::describe(&error)))
}

/// Returns the text of a call's arguments, which are JSON text here, as a JSON string; or the error.
#[napi(catch_unwind)]
pub fn arguments_text(json: String) -> String {
    answer(|| server::arguments_text(json))
}

/// Returns the result of a tool, JSON text here, as text in a JSON string, `null` for content parts; or the error.
#[napi(catch_unwind)]
pub fn result_text(json: String) -> String {
    answer(|| server::result_text(json))
}

/// Describes an error that JavaScript finds. `limit` names the setting that was exceeded.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn describe(code: String, detail: String, limit: Option<String>) -> String {
    error::describe_javascript_error(&code, detail, limit.as_deref())
}

/// Sums up entries of token usage: JSON texts. Or returns the error.
#[napi(catch_unwind)]
#[allow(clippy::needless_pass_by_value)] // napi hands strings over.
pub fn aggregate_usage(entries: String) -> String {
    answer(|| {
        let (entries, _) = from_json::<Vec<TokenUsage>>(entries, Profile::Strict)?;
        Ok(events::json_of(&TokenUsage::aggregate(&entries)?))
    })
}

/// Panics, for the test that a panic does not end the process.
#[napi(catch_unwind)]
pub fn panic() {
    panic!("asked for");
}

/// Returns the function of an engine, or the description of the error.
fn function(
    env: Env,
    make: impl FnOnce() -> std::result::Result<Box<dyn Engine>, Error>,
) -> Result<Unknown<'static>> {
    match guarded(make) {
        Ok(engine) => engine::feed::feed_function(env, engine),
        Err(error) => JsCall::of(&env).returned_text(&error::describe(&error)),
    }
}

/// Returns the JSON text of a result, or of the error.
fn answer(work: impl FnOnce() -> std::result::Result<String, Error>) -> String {
    guarded(work).unwrap_or_else(|error| format!("{{\"error\":{}}}", error::describe(&error)))
}

/// Runs `work` and turns a panic into an error.
fn guarded<T>(work: impl FnOnce() -> std::result::Result<T, Error>) -> std::result::Result<T, Error> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Error::new(Code::Internal, "panic")))
}
