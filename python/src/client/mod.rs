//! The rules of the client for Python: input of runs, answers to requests, and retries.

pub mod resumable;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ag_ui_native::bindings::Rules;
use ag_ui_native::bindings::client::{
    Address, ContentEncoding, Gunzip, OpenedThread, Payload, RequestFailure, ResponseHead, Timeout,
    answer_tool as answer, build_resume as in_order, check_header, close_failure as failure_of_close,
    frame_message as frame, invalid_location as invalid_location_error, is_reserved,
    no_active_run as none_active, outcome_error as failure_of, over_http_only as only_over_http,
};
use ag_ui_native::bindings::decode::{DeclaredType, DocumentReader};
use ag_ui_native::bindings::schema::FieldType;
use ag_ui_native::bindings::server::within;
use ag_ui_native::bindings::validate::{Build, TypedBuild};
use ag_ui_native::types::{Interrupt, Message, ResumeEntry, RunAgentInput};
use ag_ui_native::{Code, Error, Issue, Limits, to_json};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;

use crate::build::Dicts;
use crate::bytes::bytes_of;
use crate::error::{guard, raised, warning};
use crate::events::{Form, typed_all};
use crate::keys::Keys;
use crate::model::documents::{DocumentOptions, decode};
use crate::options::{read_limits, rules};
use crate::server::value::json_text;

/// The error with one of the client's codes.
#[pyfunction]
#[pyo3(signature = (code: "str", detail: "str" = "", limit: "str | None" = None) -> "AGUIError")]
pub fn client_error(py: Python<'_>, code: &str, detail: &str, limit: Option<&str>) -> PyResult<PyErr> {
    let mut error = Error::new(known(code)?, detail);
    error.limit = ["max_runs", "event_bytes"].into_iter().find(|name| limit == Some(name));
    Ok(raised(py, &error, None))
}

/// The error of a redirect whose target is no valid URL.
#[pyfunction]
#[pyo3(signature = () -> "AGUIError")]
pub fn invalid_location(py: Python<'_>) -> PyErr {
    raised(py, &invalid_location_error(), None)
}

/// The error of a client that asks for a run or a thread over another transport than HTTP.
#[pyfunction]
#[pyo3(signature = () -> "AGUIConnectionError")]
pub fn over_http_only(py: Python<'_>) -> PyErr {
    raised(py, &only_over_http(), None)
}

/// The error of a client that cancels its active run while it has none.
#[pyfunction]
#[pyo3(signature = () -> "AGUIConnectionError")]
pub fn no_active_run(py: Python<'_>) -> PyErr {
    raised(py, &none_active(), None)
}

/// The error for an outcome; None if the outcome is no failure. `agent_code` is the agent's own code of the
/// failure.
#[pyfunction]
#[pyo3(signature = (outcome: "str", agent_code: "str | None" = None) -> "AGUIError | None")]
pub fn outcome_error(py: Python<'_>, outcome: &str, agent_code: Option<&str>) -> Option<PyErr> {
    failure_of(outcome, agent_code).map(|error| raised(py, &error, None))
}

/// The error for a timeout, by the name of its setting and the setting's value in seconds.
#[pyfunction]
#[pyo3(signature = (timeout: "str", seconds: "float | None" = None) -> "AGUIError")]
pub fn timeout_error(py: Python<'_>, timeout: &str, seconds: Option<f64>) -> PyResult<PyErr> {
    let timeout = timeout_of(timeout)?;
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Ok(raised(py, &limit.map_or_else(|| timeout.error(), |limit| timeout.error_after(limit)), None))
}

/// True if the application may set this header. Headers about the content and accepted formats belong to the client. Raises
/// AGUIValidationError for an invalid header.
#[pyfunction]
#[pyo3(signature = (name: "str", value: "str") -> "bool")]
pub fn check_request_header(py: Python<'_>, name: &str, value: &str) -> PyResult<bool> {
    check_header(name, value).map_err(|error| raised(py, &error, None))?;
    Ok(!is_reserved(name))
}

/// The answers, in the order of the pending interrupts.
///
/// Raises AGUISequenceError with rule L01 or L02, AGUIValidationError `unknown_interrupt`.
#[pyfunction]
#[pyo3(signature = (
    pending: "Iterable[object]", answers: "Iterable[object]", now: "int | None" = None
) -> "list[ResumeEntry]")]
pub fn build_resume<'py>(
    pending: &Bound<'py, PyAny>,
    answers: &Bound<'py, PyAny>,
    now: Option<i64>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = pending.py();
    guard(py, || {
        let pending: Vec<Interrupt> = typed_all(pending, Limits::default())?;
        let answers = answers.try_iter()?.enumerate();
        let answers: Vec<ResumeEntry> = answers
            .map(|(index, answer)| answer_of(&answer?, &format!("/{index}")))
            .collect::<PyResult<_>>()?;
        let entries = in_order(&pending, answers, now.unwrap_or_else(clock));
        let entries = entries.map_err(|error| raised(py, &error, None))?;
        entries.iter().map(|entry| Form::Models.make(py, entry)).collect()
    })
}

/// A message of the application, read strictly from its JSON.
///
/// Raises AGUIValidationError, AGUILimitError.
#[pyfunction]
#[pyo3(signature = (json: "str", limits: "object | None" = None) -> "Message")]
pub fn read_message<'py>(
    py: Python<'py>,
    json: &str,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    guard(py, || {
        let options =
            DocumentOptions { rules: Rules::sending(), limits: read_limits(limits)?, as_dicts: false };
        let (made, _) = decode(py, json.into(), Message::DECLARED_KIND, &options)?;
        Ok(made.unwrap_or_else(|| py.None().into_bound(py)))
    })
}

/// The input that `Runs.prepare` has made, for the application. Its length is not limited.
///
/// Raises AGUIValidationError, AGUILimitError.
#[pyfunction]
#[pyo3(signature = (json: "str", limits: "object | None" = None) -> "RunAgentInput")]
pub fn read_input<'py>(
    py: Python<'py>,
    json: &str,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    guard(py, || {
        let limits = read_limits(limits)?.with_event_bytes(usize::MAX);
        let options = DocumentOptions { rules: Rules::default(), limits, as_dicts: false };
        let (made, _) = decode(py, json.into(), RunAgentInput::DECLARED_KIND, &options)?;
        Ok(made.unwrap_or_else(|| py.None().into_bound(py)))
    })
}

/// Reads the answer of a server about a thread: its messages (None if no run has ended), the JSON of its state, its pending
/// interrupts, the ids of the active run and of the last one.
///
/// Raises AGUIStreamError `wrong_content_type`, AGUIValidationError.
#[pyfunction]
#[pyo3(signature = (
    json: "bytes", thread_id: "str", profile: "str", limits: "object | None" = None
) -> "tuple[list[Message] | None, str | None, list[Interrupt], str | None, str | None]")]
pub fn read_thread<'py>(
    json: &Bound<'py, PyAny>,
    thread_id: &str,
    profile: &str,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Thread<'py>> {
    let py = json.py();
    guard(py, || {
        let (profile, _) = rules(profile, false, false)?;
        let text = String::from_utf8_lossy(bytes_of(json)?.as_bytes()).into_owned();
        let thread = OpenedThread::read(&text, thread_id, profile, read_limits(limits)?);
        let thread = thread.map_err(|error| raised(py, &error, None))?;
        let models =
            |messages: &Vec<Message>| messages.iter().map(|message| Form::Models.make(py, message)).collect();
        let messages = thread.messages.as_ref().map(models).transpose()?;
        let interrupts = thread.interrupts.iter().map(|interrupt| Form::Models.make(py, interrupt));
        let state = thread.state.as_ref().map(to_json);
        Ok((messages, state, interrupts.collect::<PyResult<_>>()?, thread.active_run_id, thread.last_run_id))
    })
}

/// The parts of a thread.
type Thread<'py> =
    (Option<Vec<Bound<'py, PyAny>>>, Option<String>, Vec<Bound<'py, PyAny>>, Option<String>, Option<String>);

/// Reads an answer to an interrupt strictly, since it will be sent.
fn answer_of(answer: &Bound<'_, PyAny>, place: &str) -> PyResult<ResumeEntry> {
    let json = json_text(answer, place)?;
    let mut reader = DocumentReader::default();
    reader.rules = Rules::sending();
    let read = reader.value(&*json, ResumeEntry::DECLARED_KIND, &mut TypedBuild);
    read.map(|read| ResumeEntry::from_validated(read.value))
        .map_err(|error| raised(answer.py(), &within(place, error), None))
}

/// The message that answers a tool call, with its content or its error.
#[pyfunction]
#[pyo3(signature = (tool_call_id: "str", text: "str", failed: "bool", limits: "object | None" = None) -> "ToolMessage")]
pub fn answer_tool<'py>(
    py: Python<'py>,
    tool_call_id: &str,
    text: String,
    failed: bool,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = read_limits(limits)?;
    guard(py, || {
        let message = answer(tool_call_id, if failed { Err(text) } else { Ok(text) }, &limits);
        Form::Models.make(py, &message)
    })
}

/// A message of a WebSocket, as a piece of the stream.
#[pyfunction]
#[pyo3(signature = (message: "bytes", is_binary: "bool", is_first_binary: "bool", limits: "object | None" = None) -> "bytes")]
pub fn frame_message<'py>(
    message: &Bound<'py, PyAny>,
    is_binary: bool,
    is_first_binary: bool,
    limits: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = message.py();
    let framed = frame(bytes_of(message)?.as_bytes(), is_binary, is_first_binary, &read_limits(limits)?);
    framed.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| raised(py, &error, None))
}

/// The reason why a server has refused a WebSocket by closing it before its first message; None if
/// it has not.
#[pyfunction]
#[pyo3(signature = (code: "int", reason: "str") -> "AGUIConnectionError | None")]
pub fn close_failure(py: Python<'_>, code: u16, reason: &str) -> Option<PyErr> {
    failure_of_close(code, reason).map(|error| raised(py, &error, None))
}

/// The content type to decode an answer by.
#[pyfunction]
#[pyo3(signature = (content_type: "str | None") -> "str")]
pub fn event_content_type(content_type: Option<&str>) -> String {
    ResponseHead { status: 200, content_type }.event_type().to_owned()
}

/// A decoder for the body of an answer, by its header `Content-Encoding`; None if it is not
/// encoded.
///
/// Raises AGUIStreamError `unsupported_content_encoding`.
#[pyfunction]
#[pyo3(signature = (content_encoding: "str") -> "BodyDecoder | None")]
pub fn body_decoder(py: Python<'_>, content_encoding: &str) -> PyResult<Option<BodyDecoder>> {
    match ContentEncoding::of(content_encoding).map_err(|error| raised(py, &error, None))? {
        ContentEncoding::Identity => Ok(None),
        ContentEncoding::Gzip => Ok(Some(BodyDecoder::default())),
    }
}

/// Decodes the body of an answer in steps of bounded length.
#[pyclass(module = "ag_ui_native.client.rules", frozen)]
#[derive(Debug, Default)]
pub struct BodyDecoder(Mutex<Gunzip>);

impl BodyDecoder {
    /// Locks the decoder. Waiting for another thread releases the interpreter's lock.
    fn gunzip(&self, py: Python<'_>) -> MutexGuard<'_, Gunzip> {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl BodyDecoder {
    /// Takes the next piece of the body. `step` must have returned None before.
    #[pyo3(signature = (piece: "bytes") -> "None")]
    fn feed(&self, piece: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = bytes_of(piece)?;
        self.gunzip(piece.py()).feed(bytes.as_bytes());
        Ok(())
    }

    /// The next decoded bytes; None if the next piece is needed.
    ///
    /// Raises AGUIConnectionError `connection_lost` for data that is not gzip.
    #[pyo3(signature = () -> "bytes | None")]
    fn step<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        guard(py, || {
            let made = self.gunzip(py).step().map(|made| made.map(|bytes| PyBytes::new(py, bytes)));
            // Raising runs Python code, so the lock is released before.
            made.map_err(|error| raised(py, &error, None))
        })
    }
}

/// The error for an answer without events, with `status` and `payload`.
#[pyfunction]
#[pyo3(signature = (status: "int", content_type: "str | None", body: "bytes") -> "AGUIConnectionError")]
pub fn refusal_error(
    py: Python<'_>,
    status: u16,
    content_type: Option<&str>,
    body: &[u8],
) -> PyResult<PyErr> {
    guard(py, || {
        let (error, payload) = ResponseHead { status, content_type }.failure(body);
        failed(py, &RequestFailure { error, status: Some(status), payload: Some(payload) })
    })
}

/// Returns the exception for a failure, with `status` and `payload`.
pub fn failed(py: Python<'_>, failure: &RequestFailure) -> PyResult<PyErr> {
    let error = raised(py, &failure.error, None);
    if let Some(status) = failure.status {
        error.value(py).setattr("status", status)?;
    }
    if let Some(payload) = &failure.payload {
        let payload = match payload {
            Payload::Json(value) => Dicts::new(py, &mut Keys::default()).json(value),
            Payload::Text(text) => text.into_pyobject(py)?.into_any(),
        };
        error.value(py).setattr("payload", payload)?;
    }
    Ok(error)
}

/// The URL without credentials, and the header `authorization` of the credentials; a header of the application takes precedence.
/// `before` is the header of the address that redirected to this one, and `same_origin` is true if the origin has stayed.
#[pyfunction]
#[pyo3(signature = (
    url: "str", before: "str | None" = None, same_origin: "bool" = false
) -> "tuple[str, str | None]")]
pub fn address_of(url: &str, before: Option<String>, same_origin: bool) -> (String, Option<String>) {
    let before = Address { url: String::new(), authorization: before };
    let Address { url, authorization } = before.redirected(url, same_origin);
    (url, authorization)
}

pub fn known(code: &str) -> PyResult<Code> {
    let found = Code::ALL.iter().copied().find(|known| known.as_str() == code);
    found.ok_or_else(|| PyValueError::new_err(format!("unknown error code: {code:?}")))
}

pub fn timeout_of(name: &str) -> PyResult<Timeout> {
    let found = Timeout::ALL.iter().copied().find(|known| known.as_str() == name);
    found.ok_or_else(|| PyValueError::new_err(format!("unknown timeout: {name:?}")))
}

/// Returns the current time, in milliseconds since the Unix epoch.
pub fn clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

pub fn warnings<'py>(py: Python<'py>, issues: &[Issue]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    issues.iter().map(|issue| warning(py, issue, None)).collect()
}
