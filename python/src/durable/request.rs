//! The requests about runs with a log. A refusal is raised as `ag_ui_native.server.request.Refused`.

use std::collections::BTreeMap;
use std::sync::Arc;

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{LogAccepted, LogHead};
use ag_ui_native::bindings::server::{PlainResponse, RequestHead, WireFormat};
use ag_ui_native::{Code, Error};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::handles::LogKey;
use super::machine::{Command, HostCommand, Machine};
use super::refusal::refused;
use crate::options::read_limits;
use crate::server::request::{answered, cors_of};
use crate::turns::Turns;

type Headers = Vec<(String, String)>;

/// The thing that a client asks for.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct LogRequest {
    request: core::LogRequest,
    is_binary: bool,
    cors: Headers,
    address: String,
}

#[pymethods]
impl LogRequest {
    /// `run`, `read`, `cancel` or `thread`.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.request {
            core::LogRequest::Run { .. } => "run",
            core::LogRequest::Read { .. } => "read",
            core::LogRequest::Cancel { .. } => "cancel",
            core::LogRequest::Thread { .. } => "thread",
        }
    }

    /// The action to be authorized: `start`, `read` or `cancel`.
    #[getter]
    fn action(&self) -> &'static str {
        self.request.action().as_str()
    }

    /// The id of the thread; None if it is in the body.
    #[getter]
    fn thread_id(&self) -> Option<&str> {
        match &self.request {
            core::LogRequest::Run { .. } => None,
            core::LogRequest::Read { thread_id, .. }
            | core::LogRequest::Cancel { thread_id, .. }
            | core::LogRequest::Thread { thread_id } => Some(thread_id),
        }
    }

    /// The id of the run; None if it is in the body, or if there is none.
    #[getter]
    fn run_id(&self) -> Option<&str> {
        match &self.request {
            core::LogRequest::Run { .. } | core::LogRequest::Thread { .. } => None,
            core::LogRequest::Read { run_id, .. } | core::LogRequest::Cancel { run_id, .. } => Some(run_id),
        }
    }

    /// The log that is asked for, in a scope. Raises Refused for an id that is too long.
    #[pyo3(signature = (scope: "str") -> "LogKey")]
    fn log(&self, py: Python<'_>, scope: &str) -> PyResult<LogKey> {
        let key = self.request.log(scope).unwrap_or_else(|| Err(Error::new(Code::RunUnknown, "")));
        key.map(LogKey).map_err(|error| refused(py, error))
    }

    /// The machine of a cancel or of a read of a thread, in a scope; None for a run. Its decision is `response` with its status, its headers
    /// and its body, or `refused`. Raises Refused for an id that is too long.
    #[pyo3(signature = (scope: "str") -> "Machine | None")]
    fn single(&self, py: Python<'_>, scope: &str) -> PyResult<Option<Machine>> {
        let single = self.request.single(scope).transpose().map_err(|error| refused(py, error))?;
        Ok(single.map(|single| Machine::of(&Arc::new(Turns::new(single)))))
    }

    /// The cursor behind which the run is resumed; None joins.
    #[getter]
    fn after(&self) -> Option<String> {
        match &self.request {
            core::LogRequest::Run { after } | core::LogRequest::Read { after, .. } => {
                after.map(|after| after.to_string())
            }
            core::LogRequest::Cancel { .. } | core::LogRequest::Thread { .. } => None,
        }
    }

    /// True if the response uses the binary transport.
    #[getter]
    fn is_binary(&self) -> bool {
        self.is_binary
    }

    /// The CORS headers of every response.
    #[getter]
    fn cors(&self) -> Headers {
        self.cors.clone()
    }

    /// The path of the agent's address.
    #[getter]
    fn address(&self) -> &str {
        &self.address
    }
}

impl HostCommand for PlainResponse {
    fn for_python(self, py: Python<'_>) -> PyResult<Command<'_>> {
        let Self { status, headers, body } = self;
        let response = (status, headers, PyBytes::new(py, body.as_bytes())).into_pyobject(py)?;
        Ok(("response", Some(response.into_any()), None))
    }
}

/// Checks the head of a request; names of headers are in lower case. Raises Refused with the response to a preflight, and for a
/// request that is refused before its body is received.
#[pyfunction]
#[pyo3(signature = (
    method: "str", path: "str", query: "str", headers: "Mapping[str, str]", cors: "Sequence[str] | None",
    accept_wildcards: "bool", limits: "Limits | None"
) -> "LogRequest")]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands it over.
#[allow(clippy::too_many_arguments)] // The parts of a head, and three options.
pub fn accept_log_request(
    py: Python<'_>,
    method: &str,
    path: &str,
    query: &str,
    headers: BTreeMap<String, String>,
    cors: Option<&Bound<'_, PyAny>>,
    accept_wildcards: bool,
    limits: Option<&Bound<'_, PyAny>>,
) -> PyResult<LogRequest> {
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
    let head = LogHead { request, path, query, last_event_id: header("last-event-id") };
    let cors = cors.map(cors_of).transpose()?;
    let accepted = head.accept(cors.as_ref(), accept_wildcards, &read_limits(limits)?);
    let LogAccepted { request, wire_format, cors, address } =
        accepted.map_err(|response| answered(py, response, 0, ""))?;
    let is_binary = wire_format == WireFormat::Binary;
    Ok(LogRequest { request, is_binary, cors: owned(cors), address })
}

fn owned(headers: Vec<(&'static str, String)>) -> Headers {
    headers.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
