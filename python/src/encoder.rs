//! `EventEncoder`: events as frames of the text transport.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::encode::encode;
use crate::raw::{self, Obj};

const BEFORE: &str = "data: ";
const AFTER: &str = "\n\n";

/// Encodes events for the wire.
///
/// Takes the events of this package and of `ag_ui`, their subclasses, and any other pydantic model. `accept` is taken
/// as it comes from the request and does not change the form: the text transport is every client's common ground.
/// With `timestamps`, an event without timestamp is written with the time of its encoding; the event itself stays as
/// it is.
#[pyclass(module = "ag_ui_native.encoder.encoder", subclass, dict, weakref, frozen)]
#[derive(Debug)]
pub struct EventEncoder {
    timestamps: AtomicBool,
}

#[pymethods]
impl EventEncoder {
    #[new]
    #[pyo3(signature = (*_args, **_named), text_signature = "(accept=None, *, timestamps=False)")]
    fn new(_args: &Bound<'_, PyTuple>, _named: Option<&Bound<'_, PyDict>>) -> Self {
        Self { timestamps: AtomicBool::new(false) }
    }

    #[pyo3(signature = (accept: "str | None" = None, *, timestamps: "bool" = false) -> "None")]
    fn __init__(&self, accept: Option<&Bound<'_, PyAny>>, timestamps: bool) {
        let _ = accept;
        self.timestamps.store(timestamps, Relaxed);
    }

    /// The content type of what `encode` returns.
    #[allow(clippy::unused_self)] // Protobuf, when asked for, will make it depend on the encoder.
    fn get_content_type(&self) -> &'static str {
        ag_ui_native::sse::MEDIA_TYPE
    }
}

impl EventEncoder {
    /// The event as one frame of text.
    #[inline]
    pub fn text<'py>(&self, event: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let (py, now) = (event.py(), self.now());
        match encode(event, now, BEFORE, AFTER, |frame| raw::string(py, frame)) {
            Some(frame) => Ok(frame),
            None => Ok(raw::string(py, &by_pydantic(event, now)?)),
        }
    }

    /// The event as one frame in bytes.
    #[inline]
    pub fn bytes<'py>(&self, event: Obj<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let (py, now) = (event.py(), self.now());
        let bytes = |frame: &str| PyBytes::new(py, frame.as_bytes()).into_any();
        match encode(event, now, BEFORE, AFTER, bytes) {
            Some(frame) => Ok(frame),
            None => Ok(bytes(&by_pydantic(event, now)?)),
        }
    }

    fn now(&self) -> Option<i64> {
        if !self.timestamps.load(Relaxed) {
            return None;
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).ok()
    }
}

/// The frame as pydantic writes it.
fn by_pydantic(event: Obj<'_, '_>, now: Option<i64>) -> PyResult<String> {
    let py = event.py();
    let mut event = event.to_owned();
    if let Some(now) = now
        && event.getattr("timestamp").is_ok_and(|timestamp| timestamp.is_none())
    {
        let update = PyDict::new(py);
        update.set_item("timestamp", now)?;
        let named = PyDict::new(py);
        named.set_item("update", update)?;
        event = event.call_method("model_copy", (), Some(&named))?;
    }
    let named = PyDict::new(py);
    named.set_item("by_alias", true)?;
    let json = event.call_method("model_dump_json", (), Some(&named))?;
    Ok(format!("{BEFORE}{}{AFTER}", json.cast::<PyString>()?.to_str()?))
}
