//! The Python binding: converts between core and Python objects.

mod build;
mod bytes;
mod c_api;
mod change;
mod client;
mod compat;
mod conversation;
mod decoder;
mod delivery;
mod durable;
mod encoder;
mod error;
mod events;
mod helpers;
mod inlet;
mod keys;
mod members;
mod model;
mod options;
mod partial;
mod patch;
mod pipeline;
mod protobuf;
mod reduce;
mod report;
mod request;
mod resume;
mod runs;
mod server;
mod stages;
mod stats;
mod turns;

use pyo3::prelude::*;

/// Starts the monitor of the interpreter's lock: the process ends if another thread gets the lock
/// during exclusive access.
#[cfg(feature = "watched")]
#[pyfunction]
fn watch_lock() {
    c_api::lock_monitor::start();
}

/// The native part of `ag_ui_native`. It relies on the interpreter's lock: see `docs/threads.md`.
#[pymodule(gil_used = true)]
mod _native {
    use std::collections::BTreeMap;

    use ag_ui_native::{Limits, Profile};
    use pyo3::prelude::*;
    use pyo3::types::{PyDict, PyType};
    use pythonize::pythonize;

    use crate::model::{
        documents, encode, engine, handler, metaclass, official, package, registry, union, validate,
    };
    use crate::{bytes, c_api, encoder, error, helpers, options, report, server, stats};

    #[pymodule_export]
    const PROTOCOL_VERSION: &str = ag_ui_native::PROTOCOL_VERSION;
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // Python's own spelling.
    const __version__: &str = env!("CARGO_PKG_VERSION");
    /// `debug` or `release`. Benchmarks refuse `debug`.
    #[pymodule_export]
    const BUILD_PROFILE: &str = if cfg!(debug_assertions) { "debug" } else { "release" };

    /// The text that the agent gets for a tool's result without a JSON form.
    #[pymodule_export]
    const NO_JSON_RESULT: &str = ag_ui_native::bindings::client::NO_JSON_RESULT;

    /// The header by which a client says that it reads on when the connection is lost; its value is `1`.
    #[pymodule_export]
    const RESUME_HEADER: &str = ag_ui_native::bindings::client::RESUME_HEADER.0;
    /// The longest time to wait for the answer to a cancel, in seconds.
    #[pymodule_export]
    const CANCEL_TIMEOUT: u64 = ag_ui_native::bindings::client::CANCEL_TIMEOUT.as_secs();

    #[pymodule_export]
    use crate::client::resumable::ResumableStream;
    #[pymodule_export]
    use crate::client::{
        BodyDecoder, address_of, answer_tool, body_decoder, build_resume, check_request_header, client_error,
        close_failure, event_content_type, frame_message, invalid_location, no_active_run, outcome_error,
        over_http_only, read_input, read_message, read_thread, refusal_error, timeout_error,
    };
    #[pymodule_export]
    use crate::compat::{check_protocol_version, downgrade_input, read_run_input, upgrade_input};
    #[pymodule_export]
    use crate::decoder::EventDecoder;
    #[pymodule_export]
    use crate::delivery::Delivery;
    #[pymodule_export]
    use crate::durable::{
        Hint, LogCase, LogKey, LogOptions, LogRefusal, LogRequest, LogStart, LogStream, Machine, MemoryStore,
        Occupancy, Operation, Place, PrefixCache, Recorder, RedisKeyspace, RedisOperation, Reply,
        SqliteStore, SqliteWatch, Ticket, accept_log_request, check_log_options, log_cases, refused_notice,
    };
    #[pymodule_export]
    use crate::encoder::EventEncoder;
    #[pymodule_export]
    use crate::error::documentation_of;
    #[pymodule_export]
    use crate::model::union::UnionValidator;
    #[pymodule_export]
    use crate::partial::PartialArguments;
    #[pymodule_export]
    use crate::patch::{apply_patch, diff};
    #[pymodule_export]
    use crate::pipeline::EventPipeline;
    #[pymodule_export]
    use crate::protobuf::{decode_protobuf_event, encode_protobuf, is_protobuf};
    #[pymodule_export]
    use crate::reduce::Reducer;
    #[pymodule_export]
    use crate::request::{Exchange, RequestCommand, limit_within};
    #[pymodule_export]
    use crate::resume::check_resume;
    #[pymodule_export]
    use crate::runs::{Runs, misfit, read_arguments};
    #[pymodule_export]
    use crate::server::coalesce::Coalescer;
    #[pymodule_export]
    use crate::server::model_stream::{ModelStream, model_messages, model_tools};
    #[pymodule_export]
    use crate::server::request::{accept_request, check_request_resume, refuse_internal};
    #[pymodule_export]
    use crate::server::state::StateTracker;
    #[pymodule_export]
    use crate::server::value::{arguments_text, json_text, result_text};
    #[pymodule_export]
    use crate::server::websocket::{agree_websocket, websocket_messages};
    #[pymodule_export]
    use crate::server::{ActivityWriter, EntityWriter, FirstStep, RequestBody, RunWriter};
    #[pymodule_export]
    use crate::stages::compact::compact_events;
    #[pymodule_export]
    use crate::stages::enforce::enforce_events;
    #[pymodule_export]
    use crate::stages::expand::{ChunkExpander, expand_chunks};
    #[pymodule_export]
    use crate::stages::filter::ToolCalls;
    #[pymodule_export]
    use crate::stages::guard::Guard;
    #[pymodule_export]
    use crate::stages::intake::Intake;
    #[pymodule_export]
    use crate::stages::verify::{EventVerifier, verify_events};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        #[cfg(feature = "watched")]
        module.add_function(wrap_pyfunction!(super::watch_lock, module)?)?;
        encoder::fastcall::lay_methods(module.py())?;
        union::lay_methods(module.py())?;
        server::fastcall::lay_methods(module.py())
    }

    /// The metaclass of the protocol classes, or pydantic's own if ours cannot be made.
    #[pyfunction]
    #[pyo3(signature = () -> "type")]
    fn model_metaclass(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        engine::metaclass(py)
    }

    /// Attaches the native engine to the protocol classes.
    #[pyfunction]
    #[pyo3(signature = (base: "type", classes: "dict[str, type]", event_type: "type") -> "None")]
    fn start_engine(
        base: &Bound<'_, PyType>,
        classes: &Bound<'_, PyDict>,
        event_type: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        engine::start(base, classes, event_type)
    }

    /// Finds out how pydantic's handlers hold the arguments of a validation; false if they do not. Each sample has the number of
    /// each argument's value, 0 for none and 1 for the one that says the same, and a handler with these values.
    #[pyfunction]
    #[pyo3(signature = (samples: "list[tuple[tuple[int, ...], object]]") -> "bool")]
    #[allow(clippy::needless_pass_by_value)] // pyo3 makes it.
    fn learn_arguments(samples: Vec<(Vec<usize>, Bound<'_, PyAny>)>) -> PyResult<bool> {
        handler::learn_arguments(&samples)
    }

    /// The function `(value, handler)` by which pydantic's validator of the class validates the members: natively if they
    /// are plain and no option changes anything, otherwise by the handler.
    #[pyfunction]
    #[pyo3(signature = (class_: "type") -> "Callable[[object, Callable[[object], object]], object]")]
    fn members_validator<'py>(class_: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
        validate::members_validator(class_)
    }

    /// Calls `work`, which completes protocol classes. Its assignments to classes do not switch them back to pydantic.
    #[pyfunction]
    #[pyo3(signature = (work: "Callable[[], object]") -> "None")]
    fn unwatched(work: &Bound<'_, PyAny>) -> PyResult<()> {
        metaclass::unwatched(|| work.call0()).map(drop)
    }

    /// Stores the package's module. Raises ImportError if this process has loaded another one.
    #[pyfunction]
    #[pyo3(signature = (package: "object") -> "None")]
    fn claim_package(package: &Bound<'_, PyAny>) -> PyResult<()> {
        package::claim_package(package)
    }

    /// The metaclass by which the official package's classes make instances natively; None if the engine does not run.
    #[pyfunction]
    #[pyo3(signature = () -> "type | None")]
    fn accelerated_metaclass(py: Python<'_>) -> PyResult<Option<Bound<'_, PyType>>> {
        official::metaclass(py)
    }

    /// Switches native instances for a class of the official package on or off. Returns False for other
    /// classes.
    #[pyfunction]
    #[pyo3(signature = (cls: "type", on: "bool") -> "bool")]
    fn accelerate_class(cls: &Bound<'_, PyType>, on: bool) -> PyResult<bool> {
        official::accelerate(cls, on)
    }

    /// Number of times that the native paths were taken: constructed, encoded, decoded.
    #[pyfunction]
    #[pyo3(signature = () -> "tuple[int, int, int]")]
    fn fast_path_stats() -> (u64, u64, u64) {
        (stats::CONSTRUCTED.get(), stats::ENCODED.get(), stats::DECODED.get())
    }

    /// The defaults of the limits, by name.
    #[pyfunction]
    #[pyo3(signature = () -> "dict[str, int]")]
    fn default_limits(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let limits: BTreeMap<_, _> = Limits::ALL.iter().map(|(name, _, default)| (name, default)).collect();
        Ok(pythonize(py, &limits)?)
    }

    /// Reads one event from JSON, or one object of another type or union of the protocol, by its name.
    ///
    /// The options are those of `EventDecoder`. An event of an unknown type that the profile leaves out is None.
    /// Raises AGUIValidationError, AGUILimitError, and ValueError for an unknown profile or type name.
    #[pyfunction]
    #[pyo3(signature = (
        json: "str | bytes | bytearray", *, type_name: "str" = "Event", profile: "str" = "tolerant",
        limits: "object | None" = None, replace_invalid_text: "bool" = false, go_member_names: "bool" = false,
        on_warning: "object | None" = None, as_dicts: "bool" = false
    ) -> "object")]
    #[allow(clippy::too_many_arguments)] // Named ones.
    fn decode_event<'py>(
        py: Python<'py>,
        json: &Bound<'py, PyAny>,
        type_name: &str,
        profile: &str,
        limits: Option<&Bound<'py, PyAny>>,
        replace_invalid_text: bool,
        go_member_names: bool,
        on_warning: Option<&Bound<'py, PyAny>>,
        as_dicts: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (profile, rules) = options::rules(profile, replace_invalid_text, go_member_names)?;
        let as_dicts = as_dicts || profile == Profile::Relay;
        let options = documents::DocumentOptions { rules, limits: options::read_limits(limits)?, as_dicts };
        let bytes = bytes::json_bytes(json)?;
        let kind = documents::kind_named(type_name)?;
        let (value, issues) =
            error::guard(py, || documents::decode(py, bytes.as_slice().into(), kind, &options))?;
        report::report_issues(py, &issues, on_warning, value.as_ref())?;
        Ok(value)
    }

    /// True if events of a type have a member, by its key on the wire.
    #[pyfunction]
    #[pyo3(signature = (event_type: "str", member: "str") -> "bool")]
    fn declares(event_type: &str, member: &str) -> bool {
        let variant = ag_ui_native::Event::UNION.variant(event_type);
        variant.is_some_and(|(_, ty)| ty.field_index(member, 0).is_some())
    }

    /// The JSON of an instance of a protocol class; None if pydantic has to write it.
    #[pyfunction]
    #[pyo3(signature = (model: "object") -> "str | None")]
    fn to_json<'py>(py: Python<'py>, model: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        error::guard(py, || encode::encode(model.as_borrowed(), None, "", "", |json| c_api::string(py, json)))
    }

    /// Validates JSON as an object of a protocol class, by the strict profile. Returns False for other
    /// classes.
    #[pyfunction]
    #[pyo3(signature = (cls: "type", json: "str", non_empty: "bool") -> "bool")]
    fn check(py: Python<'_>, cls: &Bound<'_, PyType>, json: &str, non_empty: bool) -> PyResult<bool> {
        let Some(plan) = registry::plan_of(cls)? else { return Ok(false) };
        error::guard(py, || documents::check(py, plan, json, non_empty).map(|()| true))
    }

    /// An entry of token usage, with the keys of the wire, from a vendor's report; None if it holds no usable count.
    #[pyfunction]
    #[pyo3(signature = (
        report: "object", vendor: "str", provider: "str | None", model: "str | None"
    ) -> "dict[str, Any] | None")]
    fn usage_from_vendor<'py>(
        report: &Bound<'py, PyAny>,
        vendor: &str,
        provider: Option<&str>,
        model: Option<&str>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        error::guard(report.py(), || helpers::usage_from_vendor(report, vendor, provider, model))
    }

    /// Sums entries of token usage, with the keys of the wire, by provider and model.
    #[pyfunction]
    #[pyo3(signature = (entries: "list[dict[str, Any]]") -> "list[dict[str, Any]]")]
    fn aggregate_usage<'py>(entries: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        error::guard(entries.py(), || helpers::aggregate_usage(entries))
    }

    /// A new id with a UUID, or one with a prefix and a time in milliseconds.
    #[pyfunction]
    #[pyo3(signature = (kind: "str", prefix: "str | None" = None, milliseconds: "int | None" = None) -> "str")]
    fn make_id(kind: &str, prefix: Option<&str>, milliseconds: Option<u64>) -> PyResult<String> {
        helpers::make_id(kind, prefix, milliseconds)
    }

    /// Panics, for tests of the error handling.
    #[pyfunction]
    fn _panic_for_tests(py: Python<'_>) -> PyResult<()> {
        error::guard(py, || panic!("on purpose"))
    }
}
