//! `ActivityWriter`: the native base class of activities.

use std::sync::{Mutex, PoisonError};

use ag_ui_native::bindings::server::Activity;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};

use super::RunWriter;
use super::value::read_event;

/// An activity of a run, with the content that the client has.
#[pyclass(module = "ag_ui_native.run_writer", subclass, weakref, frozen)]
#[derive(Debug)]
pub struct ActivityWriter {
    writer: Py<RunWriter>,
    /// Locked while something is written; no Python code runs then.
    known: Mutex<Activity>,
}

#[pymethods]
impl ActivityWriter {
    #[new]
    #[pyo3(signature = (writer: "RunWriter", *_args: "object"))]
    fn new(writer: Py<RunWriter>, _args: &Bound<'_, PyTuple>) -> Self {
        Self { writer, known: Mutex::default() }
    }

    #[allow(clippy::needless_pass_by_value)] // As Python hands it over.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.writer)
    }

    /// Writes an event of the activity in one step, so events of other threads come before or after it. It does not wait until the client has
    /// read enough. An update is sent as the difference to the last snapshot.
    ///
    /// Raises AGUIPatchError for a patch that does not apply to the client's content, and the errors of `send`; then nothing is written.
    #[pyo3(signature = (event: "object", tag: "str | None" = None, is_update: "bool" = false) -> "RunWriter")]
    fn show<'py>(
        &self,
        event: &Bound<'py, PyAny>,
        tag: Option<&str>,
        is_update: bool,
    ) -> PyResult<Bound<'py, RunWriter>> {
        let (py, writer) = (event.py(), self.writer.bind(event.py()));
        let event = read_event(event, writer.get().limits)?;
        RunWriter::make_room(writer)?;
        let written = writer.get().write(py, true, |core| {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            core.send_activity(&mut known, event, is_update, tag)
        })?;
        RunWriter::finish(writer, written)?;
        Ok(writer.clone())
    }
}
