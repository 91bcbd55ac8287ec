//! Runs over WebSockets.

use ag_ui_native::bindings::server::{Agreed, Handshake, WireFormat, messages};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::request::{cors_of, refused};
use crate::bytes::bytes_of;

/// Returns True if events are sent as protobuf, and the subprotocol of the answer. Raises Refused for a page whose origin is not allowed.
#[pyfunction]
#[pyo3(signature = (
    origin: "str | None", host: "str | None", accept: "str | None", protocols: "str | None",
    cors: "Sequence[str] | None", accept_wildcards: "bool"
) -> "tuple[bool, str | None]")]
pub fn agree_websocket(
    py: Python<'_>,
    origin: Option<&str>,
    host: Option<&str>,
    accept: Option<&str>,
    protocols: Option<&str>,
    cors: Option<&Bound<'_, PyAny>>,
    accept_wildcards: bool,
) -> PyResult<(bool, Option<&'static str>)> {
    let cors = cors.map(cors_of).transpose()?;
    let agreed = Handshake { origin, host, accept, protocols }.agree(cors.as_ref(), accept_wildcards);
    let Agreed { wire_format, protocol, .. } = agreed.map_err(|refusal| refused(py, &refusal))?;
    Ok((wire_format == WireFormat::Binary, protocol))
}

/// Splits frames of a run into messages, one for each event.
#[pyfunction]
#[pyo3(signature = (frames: "bytes", binary: "bool") -> "list[str] | list[bytes]")]
pub fn websocket_messages<'py>(frames: &Bound<'py, PyAny>, binary: bool) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = frames.py();
    let frames = bytes_of(frames)?;
    let frames = frames.as_bytes();
    let wire_format = if binary { WireFormat::Binary } else { WireFormat::Text };
    let message = |message: &[u8]| {
        if binary {
            Ok(PyBytes::new(py, message).into_any())
        } else {
            Ok(PyString::from_bytes(py, message)?.into_any())
        }
    };
    messages(wire_format, frames).into_iter().map(|place| message(&frames[place])).collect()
}
