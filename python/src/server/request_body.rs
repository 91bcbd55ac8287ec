//! The body of a request as it arrives.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ag_ui_native::Profile;
use ag_ui_native::bindings::server::RequestBody as Core;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::request::refused;
use crate::bytes::bytes_of;
use crate::compat::input_from;
use crate::error::guard;
use crate::options::read_limits;

/// Collects the body of a request within the limit `input_bytes`, and reads the run's input from it. Raises
/// `ag_ui_native.server.request.Refused` for a refusal.
#[pyclass(module = "ag_ui_native.server", frozen)]
#[derive(Debug)]
pub struct RequestBody(Mutex<Core>);

#[pymethods]
impl RequestBody {
    #[new]
    #[pyo3(signature = (limits: "object | None"))]
    fn new(limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Ok(Self(Mutex::new(Core::new(read_limits(limits)?))))
    }

    /// Takes the next piece.
    #[pyo3(signature = (piece: "bytes") -> "None")]
    fn receive(&self, piece: &Bound<'_, PyAny>) -> PyResult<()> {
        let bytes = bytes_of(piece)?;
        let received = self.lock().receive(bytes.as_bytes());
        received.map_err(|refusal| refused(piece.py(), &refusal))
    }

    /// Takes the first message of a WebSocket, which is the whole body; None stands for a binary message.
    #[pyo3(signature = (text: "str | None") -> "None")]
    fn receive_message(&self, py: Python<'_>, text: Option<&Bound<'_, PyString>>) -> PyResult<()> {
        let bytes = text.map(encoded).transpose()?;
        let message = bytes.as_ref().map_or(&[][..], |bytes| bytes.as_bytes());
        let received = self.lock().receive_message(message, bytes.is_none());
        received.map_err(|refusal| refused(py, &refusal))
    }

    /// Raises the refusal of a body that has not arrived within `body_timeout`.
    #[staticmethod]
    #[pyo3(signature = () -> "NoReturn")]
    fn time_out(py: Python<'_>) -> PyResult<()> {
        Err(refused(py, &Core::timed_out()))
    }

    /// Reads the input from the body. Returns it with the warnings.
    #[pyo3(signature = () -> "tuple[RunAgentInput, list[ProtocolWarning]]")]
    fn read<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>)> {
        guard(py, || {
            // A copy, since nothing may be locked while objects are made.
            let body = self.lock().clone();
            let (bytes, limits) = body.parts();
            let read = input_from(py, bytes, Profile::Tolerant, limits)?;
            read.map_err(|fault| refused(py, &fault.into()))
        })
    }
}

impl RequestBody {
    fn lock(&self) -> MutexGuard<'_, Core> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of a text. Half of a surrogate pair becomes bytes that are no UTF-8, which core refuses.
fn encoded<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    let py = text.py();
    let encoded =
        text.call_method1(intern!(py, "encode"), (intern!(py, "utf-8"), intern!(py, "surrogatepass")))?;
    Ok(encoded.cast_into()?)
}
