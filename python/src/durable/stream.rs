//! The response to a client that reads a log.

use std::sync::Arc;

use ag_ui_native::bindings::durable as core;
use ag_ui_native::bindings::durable::{Channel, LogStreamCommand, LogStreamHead};
use ag_ui_native::bindings::server::WireFormat;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::handles::LogKey;
use super::machine::{Command, HostCommand, Machine, send};
use super::moment;
use super::occupancy::Place;
use super::options::LogOptions;
use crate::error::raised;
use crate::turns::Turns;

/// The prefixes of logs that clients joined last.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct PrefixCache(core::PrefixCache);

#[pymethods]
impl PrefixCache {
    #[new]
    fn new() -> Self {
        Self(core::PrefixCache::default())
    }
}

/// Reads a log for one client.
#[pyclass(module = "ag_ui_native.durable.rules", frozen)]
#[derive(Debug)]
pub struct LogStream(Arc<Turns<core::LogStream>>);

#[pymethods]
impl LogStream {
    /// Reads behind a cursor; without one it joins. Raises AGUIValidationError for a wrong cursor.
    #[new]
    #[pyo3(signature = (
        key: "LogKey", ids: "tuple[str, str]", after: "str | None", is_new: "bool", options: "LogOptions",
        prefixes: "PrefixCache", place: "Place", binary: "bool", address: "str", heartbeat: "float",
        is_websocket: "bool"
    ))]
    #[allow(clippy::too_many_arguments)] // They are those of a response.
    fn new(
        py: Python<'_>,
        key: &LogKey,
        ids: (String, String),
        after: Option<&str>,
        is_new: bool,
        options: &LogOptions,
        prefixes: &PrefixCache,
        place: &Place,
        binary: bool,
        address: String,
        heartbeat: f64,
        is_websocket: bool,
    ) -> PyResult<Self> {
        let (thread_id, run_id) = ids;
        let head = LogStreamHead {
            key: key.0.clone(),
            thread_id,
            run_id,
            address,
            wire_format: if binary { WireFormat::Binary } else { WireFormat::Text },
            // Servers of ASGI send the pings themselves.
            channel: if is_websocket { Channel::WebSocket { has_pings: false } } else { Channel::Http },
            heartbeat: moment(heartbeat),
            after: after.map(str::parse).transpose().map_err(|error| raised(py, &error, None))?,
            is_new,
        };
        let stream = core::LogStream::new(head, place.take()?, &options.0, &prefixes.0);
        Ok(Self(Arc::new(Turns::new(stream))))
    }

    /// Its machine. The commands are `opened` with the headers of the response, or `refused` with the refusal, or with None if nothing
    /// is behind the cursor; then `bytes` and, at last, `end` with the code that closes a WebSocket.
    #[getter]
    fn machine(&self) -> Machine {
        Machine::of(&self.0)
    }

    /// The process shuts down: the stream ends soon.
    #[pyo3(signature = (now: "float") -> "None")]
    fn drain(&self, py: Python<'_>, now: f64) -> PyResult<()> {
        self.0.with(py, |stream| {
            stream.drain(moment(now));
            Ok(())
        })
    }

    /// The client counts no longer. Called when no more commands are carried out.
    #[pyo3(signature = () -> "None")]
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.with(py, |stream| {
            stream.close();
            Ok(())
        })
    }
}

impl HostCommand for LogStreamCommand {
    fn for_python(self, py: Python<'_>) -> PyResult<Command<'_>> {
        Ok(match self {
            Self::Send { ticket, operation } => send(py, ticket, operation)?,
            Self::Refused(Some(refusal)) => refusal.for_python(py)?,
            Self::Refused(None) => ("refused", None, None),
            Self::Opened(headers) => ("opened", Some(headers.into_pyobject(py)?), None),
            Self::Bytes(bytes) => ("bytes", Some(PyBytes::new(py, &bytes).into_any()), None),
            Self::Ping => ("ping", None, None),
            Self::End(code) => ("end", Some(code.into_pyobject(py)?.into_any()), None),
            Self::GiveUp => ("give_up", None, None),
        })
    }
}
