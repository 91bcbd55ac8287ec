//! Requests for a run. What is refused is raised as `ag_ui_native.server.request.Refused`.

use std::time::{SystemTime, UNIX_EPOCH};

use ag_ui_native::host::server::{Close, Cors, Refusal, Request, Transport};
use ag_ui_native::types::{Interrupt, RunAgentInput};
use ag_ui_native::{Code, Error, Issue};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

use crate::error::{guard, warning};
use crate::events::{typed, typed_all};
use crate::options::read_limits;

pub(super) fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "ag_ui_native.server.request", "Refused");
    let Close { code, reason } = refusal.into();
    let members = (refusal.status(), refusal.allow(), refusal.body(), code, reason);
    let made = class.and_then(|class| class.call1(members));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Whether the answer takes the binary transport. `Accept` headers are joined with commas; the body is not read yet.
#[pyfunction]
#[pyo3(signature = (
    method: "str", content_type: "str | None", accept: "str | None", content_length: "str | None", wildcards: "bool",
    limits: "object | None"
) -> "bool")]
pub fn request_is_binary(
    py: Python<'_>,
    method: &str,
    content_type: Option<&str>,
    accept: Option<&str>,
    content_length: Option<&str>,
    wildcards: bool,
    limits: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    let request = Request { method, content_type, accept, content_length };
    let transport = request.transport(wildcards, &read_limits(limits)?);
    transport.map(|transport| transport == Transport::Binary).map_err(|refusal| refused(py, &refusal))
}

/// What an answer says of origins, by the option `cors`; and all that it says to a browser which asks whether its page may ask, if
/// it may: `asked_method` and `asked_headers` are those that such a page would ask with.
#[pyfunction]
#[pyo3(signature = (
    cors: "Sequence[str]", method: "str", origin: "str | None", asked_method: "str | None", asked_headers: "str | None"
) -> "tuple[list[tuple[str, str]], list[tuple[str, str]] | None]")]
pub fn cors_headers(
    cors: &Bound<'_, PyAny>,
    method: &str,
    origin: Option<&str>,
    asked_method: Option<&str>,
    asked_headers: Option<&str>,
) -> PyResult<(Headers, Option<Headers>)> {
    let cors = cors_of(cors)?;
    let preflight = cors.preflight(method, |name| match name {
        "origin" => origin,
        "access-control-request-method" => asked_method,
        "access-control-request-headers" => asked_headers,
        _ => None,
    });
    Ok((cors.headers(origin), preflight))
}

type Headers = Vec<(&'static str, String)>;

/// The option of that name.
pub(super) fn cors_of(given: &Bound<'_, PyAny>) -> PyResult<Cors> {
    Ok(if given.is_instance_of::<PyString>() { Cors::Any } else { Cors::Origins(given.extract()?) })
}

/// Whether the input answers the interrupts that wait; warnings of answers to others.
#[pyfunction]
#[pyo3(signature = (pending: "Iterable[object]", input: "object", limits: "object | None") -> "list[ProtocolWarning]")]
pub fn check_request_resume<'py>(
    pending: &Bound<'py, PyAny>,
    input: &Bound<'py, PyAny>,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = input.py();
    // The body has been read: as text of ours the input may be longer.
    let limits = read_limits(limits)?.with_event_bytes(usize::MAX);
    guard(py, || {
        let pending: Vec<Interrupt> = typed_all(pending, limits)?;
        let input: RunAgentInput = typed(input, limits)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
        let answered = input.check_resume(&pending, now);
        answered.map_err(|error| refused(py, &Refusal(error)))?;
        input.unasked_answers(&pending).iter().map(|issue| warning(py, issue, None)).collect()
    })
}

/// Raises the refusal of a request that fails by the server's fault.
#[pyfunction]
#[pyo3(signature = () -> "NoReturn")]
pub fn refuse_internal(py: Python<'_>) -> PyResult<()> {
    Err(refused(py, &Refusal(Error::new(Code::Internal, ""))))
}

/// What is said of a run that has failed with one of our codes.
#[pyfunction]
#[pyo3(signature = (code: "str") -> "str")]
pub fn run_error_message(code: &str) -> PyResult<String> {
    let code = match code {
        "agent_failed" => Code::AgentFailed,
        "run_timeout" => Code::RunTimeout,
        "client_too_slow" => Code::ClientTooSlow,
        "reentrant_call" => Code::ReentrantCall,
        _ => return Err(PyValueError::new_err(format!("not the code of a run's error: {code:?}"))),
    };
    Ok(Issue::new(code, "", "").message())
}
