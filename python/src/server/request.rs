//! Requests for a run. A refusal is raised as `ag_ui_native.server.request.Refused`.

use std::collections::BTreeMap;

use ag_ui_native::bindings::server::{Close, Cors, PlainResponse, Refusal, RequestHead, WireFormat};
use ag_ui_native::types::{Interrupt, RunAgentInput};
use ag_ui_native::{Code, Error};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

use crate::error::{guard, warning};
use crate::events::{typed, typed_all};
use crate::options::read_limits;
use crate::resume::unix_millis;

pub(super) fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let Close { code, reason } = refusal.into();
    answered(py, refusal.response(Vec::new()), code, &reason)
}

/// The exception for a request that gets this answer instead of a run. An open WebSocket is closed with the code and reason.
pub fn answered(py: Python<'_>, answer: PlainResponse, code: u16, reason: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "ag_ui_native.server.request", "Refused");
    let PlainResponse { status, headers, body } = answer;
    let made = class.and_then(|class| class.call1((status, headers, body, code, reason)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Checks the head of a request; names of headers are in lower case. Returns whether the answer uses the binary transport, and the headers
/// about origins of every answer. Raises the answer to a preflight, and a refusal before the body is received.
#[pyfunction]
#[pyo3(signature = (
    method: "str", headers: "Mapping[str, str]", cors: "Sequence[str] | None", accept_wildcards: "bool", limits: "object | None"
) -> "tuple[bool, list[tuple[str, str]]]")]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands it over.
pub fn accept_request(
    py: Python<'_>,
    method: &str,
    headers: BTreeMap<String, String>,
    cors: Option<&Bound<'_, PyAny>>,
    accept_wildcards: bool,
    limits: Option<&Bound<'_, PyAny>>,
) -> PyResult<(bool, Vec<(&'static str, String)>)> {
    let header = |name| headers.get(name).map(String::as_str);
    let request = RequestHead {
        method,
        content_type: header("content-type"),
        accept: header("accept"),
        content_length: header("content-length"),
        origin: header("origin"),
        requested_method: header("access-control-request-method"),
        requested_headers: header("access-control-request-headers"),
    };
    let cors = cors.map(cors_of).transpose()?;
    match request.accept(cors.as_ref(), accept_wildcards, &read_limits(limits)?) {
        Ok(accepted) => Ok((accepted.wire_format == WireFormat::Binary, accepted.cors)),
        Err(answer) => Err(answered(py, answer, 0, "")),
    }
}

/// Reads the option of this name.
pub fn cors_of(given: &Bound<'_, PyAny>) -> PyResult<Cors> {
    Ok(if given.is_instance_of::<PyString>() { Cors::Any } else { Cors::Origins(given.extract()?) })
}

/// Checks that the input answers the pending interrupts; returns warnings about answers to others.
#[pyfunction]
#[pyo3(signature = (pending: "Iterable[object]", input: "object", limits: "object | None") -> "list[ProtocolWarning]")]
pub fn check_request_resume<'py>(
    pending: &Bound<'py, PyAny>,
    input: &Bound<'py, PyAny>,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = input.py();
    // The body was within the limit; its JSON text may be longer.
    let limits = read_limits(limits)?.with_event_bytes(usize::MAX);
    guard(py, || {
        let pending: Vec<Interrupt> = typed_all(pending, limits)?;
        let input: RunAgentInput = typed(input, limits)?;
        let answered = input.check_resume(&pending, unix_millis());
        answered.map_err(|error| refused(py, &Refusal(error)))?;
        input.unasked_answers(&pending).iter().map(|issue| warning(py, issue, None)).collect()
    })
}

/// Raises the refusal of a request that fails because of the server.
#[pyfunction]
#[pyo3(signature = () -> "NoReturn")]
pub fn refuse_internal(py: Python<'_>) -> PyResult<()> {
    Err(refused(py, &Refusal(Error::new(Code::Internal, ""))))
}
